#pragma once

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <cstdint>
#include <fstream>
#include <string>

/// What the operating system says of this process's memory (Linux; 0 elsewhere).

namespace benchmarks {

/// A value of /proc/self/status, in bytes.
inline std::uint64_t process_status(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name + ":")) {
            return 1024 * std::stoull(line.substr(name.size() + 1));
        }
    }
    return 0;
}

/// Returns freed memory to the system, if the C library can do this. Otherwise it would hide the growth by
/// what comes next.
inline void give_back_freed_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/// The growth of the process's resident memory at its peak, since this object was made.
class PeakGrowth {
public:
    PeakGrowth() {
        give_back_freed_memory();
        std::ofstream("/proc/self/clear_refs") << '5'; // resets the peak to what is resident now
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
