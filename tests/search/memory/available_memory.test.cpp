#include "npuzzle/search/memory/available_memory.hpp"

#include "support/catch.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

using npuzzle::detail::left_in_cgroups;
using npuzzle::detail::left_in_machine;
using npuzzle::detail::no_memory_limit;

namespace {

// Files as a system has them, below a folder that exists as long as this object.
class FakeSystem {
public:
    FakeSystem()
        : root_(std::filesystem::temp_directory_path() / ("npuzzle-system-" + std::to_string(std::rand()))) {}
    FakeSystem(const FakeSystem&) = delete;
    FakeSystem& operator=(const FakeSystem&) = delete;
    ~FakeSystem() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }

    [[nodiscard]] std::string root() const { return root_.string(); }

    void write(const std::string& file, std::string_view text) const {
        const std::filesystem::path path = root_.string() + file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream out(path, std::ios_base::binary);
        out << text;
        REQUIRE(out.flush().good());
    }

private:
    std::filesystem::path root_;
};

} // namespace

TEST_CASE("the machine's memory is what it has available", "[available_memory]") {
    const FakeSystem system;
    system.write("/proc/meminfo",
                 "MemTotal:       24684000 kB\nMemFree:   100 kB\nMemAvailable:   2048 kB\n");
    CHECK(left_in_machine(system.root()) == 2048 * 1024);
#if !defined(_WIN32)       // where both are what is left, at two moments
    const FakeSystem none; // what sysconf() tells
    CHECK(left_in_machine(none.root()) >= left_in_machine(""));
#endif
}

TEST_CASE("what control groups leave is the least of the process's group and those above it",
          "[available_memory]") {
    struct Step {
        std::string file;
        std::string_view text;
        std::uint64_t left;
    };
    const std::string groups = "/proc/self/cgroup";
    const std::string root = "/sys/fs/cgroup";
    const std::string slice = root + "/user.slice";
    const std::string scope = slice + "/run.scope";
    // Files that are written one after another, and what is left then.
    const std::vector<Step> sequences[] = {
        // Without a limit, or of the first version.
        {{groups, "0::/\n", no_memory_limit},
         {root + "/memory.max", "max\n", no_memory_limit},
         {groups, "4:memory:/a/b\n", no_memory_limit}},
        // What is held of files can be given back.
        {{groups, "1:name=systemd:/\n0::/user.slice/run.scope\n", no_memory_limit},
         {scope + "/memory.max", "300000000\n", 300'000'000},
         {scope + "/memory.current", "50000000\n", 250'000'000},
         {scope + "/memory.stat", "anon 9000000\ninactive_file 30000000\nactive_file 10000000\nslab 7\n",
          290'000'000},
         {scope + "/memory.high", "210000000\n", 200'000'000},
         {slice + "/memory.max", "180000000\n", 180'000'000},
         {slice + "/memory.current", "80000000\n", 100'000'000},
         {root + "/memory.max", "60000000\n", 60'000'000},
         {root + "/memory.current", "70000000\n", 0}},
        // A group outside of a container's namespace.
        {{groups, "0::/../other\n", no_memory_limit}, {root + "/memory.max", "100\n", 100}},
    };
    for (const auto& steps : sequences) {
        const FakeSystem system;
        CHECK(left_in_cgroups(system.root()) == no_memory_limit);
        for (const Step& step : steps) {
            CAPTURE(step.file, step.text);
            system.write(step.file, step.text);
            CHECK(left_in_cgroups(system.root()) == step.left);
        }
    }
}

TEST_CASE("the default limit is three quarters of the least of all", "[available_memory]") {
    const FakeSystem system;
    system.write("/proc/meminfo", "MemAvailable:   1 kB\n");
    system.write("/proc/self/cgroup", "0::/\n");
    CHECK(npuzzle::detail::left_for_process(system.root()) == 1024);
    system.write("/sys/fs/cgroup/memory.max", "1000\n");
    CHECK(npuzzle::detail::left_for_process(system.root()) == 1000);
    CHECK(npuzzle::available_memory() > 0);
    CHECK(npuzzle::available_memory() < std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t available = npuzzle::available_memory();
    CHECK(npuzzle::default_memory_limit() < available);
    CHECK(npuzzle::default_memory_limit() > available / 3 * 2);
}

#ifdef RLIMIT_AS
TEST_CASE("a limit on the address space, less what is in use", "[available_memory]") {
    const FakeSystem system;
    system.write("/proc/self/statm", "1000 500 1 1 0 1 0\n");
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    if (before.rlim_cur == RLIM_INFINITY) {
        CHECK(npuzzle::detail::left_in_address_space(system.root()) == no_memory_limit);
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 45; // more than sanitizers take
    rlimit limited = before;
    limited.rlim_cur = most;
    if (setrlimit(RLIMIT_AS, &limited) != 0) return;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    CHECK(npuzzle::detail::left_in_address_space(system.root()) == most - 1000 * page);
    CHECK(npuzzle::detail::left_in_address_space(FakeSystem().root()) == most); // as far as can be told
    system.write("/proc/self/statm", "99999999999 500 1 1 0 1 0\n");
    CHECK(npuzzle::detail::left_in_address_space(system.root()) == 0);
    setrlimit(RLIMIT_AS, &before);
}
#endif
