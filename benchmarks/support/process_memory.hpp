#pragma once

#include <cstdint>
#include <fstream>
#include <string>

/// What the operating system says of this process's memory (Linux; 0 elsewhere).

namespace benchmarks {

/// A figure of /proc/self/status, in bytes.
inline std::uint64_t process_status(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name + ":")) {
            return 1024 * std::stoull(line.substr(name.size() + 1));
        }
    }
    return 0;
}

/// The growth of the process's resident memory at its peak, since this object was made.
class PeakGrowth {
public:
    PeakGrowth() {
        std::ofstream("/proc/self/clear_refs") << '5'; // sets the peak back to what is resident now
        before_ = process_status("VmRSS");
    }

    std::uint64_t bytes() const {
        const std::uint64_t peak = process_status("VmHWM");
        return peak > before_ ? peak - before_ : 0;
    }

private:
    std::uint64_t before_ = 0;
};

} // namespace benchmarks
