#pragma once

#include "npuzzle/macros.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#if __has_include(<sys/resource.h>) && __has_include(<unistd.h>)
#include <sys/resource.h>
#include <unistd.h>
#endif

#if defined(_WIN32)
// As in <windows.h>, which is large and defines macros that break programs.
struct _MEMORYSTATUSEX;
extern "C" __declspec(dllimport) int __stdcall GlobalMemoryStatusEx(_MEMORYSTATUSEX*);
#endif

/// \file
/// How much memory a program may take: for `Limits::bytes`.

namespace npuzzle {

namespace detail {

/// No limit, or a figure that is not known.
inline constexpr std::uint64_t no_memory_limit = (std::numeric_limits<std::uint64_t>::max)();

/// The text of a file, with a line break before it; nothing else if it cannot be read.
[[nodiscard]] NPUZZLE_COLD inline std::string text_in(const std::string& file) {
    std::ifstream in(file);
    std::string text;
    std::getline(in, text, '\0');
    return '\n' + text;
}

/// The number after a name at the beginning of a line of a file; `otherwise` if there is none, as in "max".
[[nodiscard]] NPUZZLE_COLD inline std::uint64_t number_in(const std::string& file, const std::string& name,
                                                          std::uint64_t otherwise) {
    const std::string text = text_in(file);
    const std::size_t at = text.find('\n' + name);
    const char* const begin = at == std::string::npos ? "" : text.c_str() + at + 1 + name.size();
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(begin, &end, 10);
    return end == begin ? otherwise : number;
}

/// What the limits of a control group leave. The page cache does not count as used: the kernel can reclaim
/// it.
[[nodiscard]] NPUZZLE_COLD inline std::uint64_t left_in_cgroup(const std::string& folder) {
    const std::uint64_t limit = (std::min)(number_in(folder + "/memory.max", "", no_memory_limit),
                                           number_in(folder + "/memory.high", "", no_memory_limit));
    if (limit == no_memory_limit) return limit;
    const std::uint64_t used = number_in(folder + "/memory.current", "", 0);
    const std::uint64_t of_files = number_in(folder + "/memory.stat", "inactive_file ", 0) +
                                   number_in(folder + "/memory.stat", "active_file ", 0);
    return limit - (std::min)(limit, used - (std::min)(used, of_files));
}

/// The least that the groups of this process leave, from its own up to the mount.
/// \param root the beginning of all names of files
[[nodiscard]] NPUZZLE_COLD inline std::uint64_t left_in_cgroups(const std::string& root) {
    const std::string groups = text_in(root + "/proc/self/cgroup"); // 0::/user.slice/run.scope
    const std::size_t line = groups.find("\n0::/");
    if (line == std::string::npos) return no_memory_limit;
    std::string path = groups.substr(line + 4, groups.find('\n', line + 1) - (line + 4));
    std::uint64_t left = left_in_cgroup(root + "/sys/fs/cgroup");
    for (; path.size() > 1; path.resize(path.rfind('/'))) {
        left = (std::min)(left, left_in_cgroup(root + "/sys/fs/cgroup" + path));
    }
    return left;
}

/// What the machine has left, parts of files that can be given back included.
[[nodiscard]] inline std::uint64_t left_in_machine(const std::string& root) {
    const std::uint64_t kib = number_in(root + "/proc/meminfo", "MemAvailable:", no_memory_limit);
    if (kib != no_memory_limit) return kib * 1024;
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
    const auto pages = sysconf(_SC_PHYS_PAGES);
    const auto page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
#elif defined(_WIN32)
    struct {
        std::uint32_t size, load_percent;
        std::uint64_t physical, available, pages, available_pages, addresses, available_addresses, none;
    } status{};
    status.size = sizeof(status);
    if (GlobalMemoryStatusEx(reinterpret_cast<_MEMORYSTATUSEX*>(&status)) != 0) {
        return (std::min)({status.available, status.available_pages, status.available_addresses});
    }
#endif
    return no_memory_limit;
}

/// What a limit on the address space, as `ulimit -v` sets it, leaves.
[[nodiscard]] inline std::uint64_t left_in_address_space([[maybe_unused]] const std::string& root) {
#if defined(RLIMIT_AS) && defined(_SC_PAGESIZE)
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const std::uint64_t most = limit.rlim_cur;
        const std::uint64_t pages = number_in(root + "/proc/self/statm", "", 0);
        return most - (std::min)(most, pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
    }
#endif
    return no_memory_limit;
}

[[nodiscard]] NPUZZLE_COLD inline std::uint64_t left_for_process(const std::string& root) {
    return (std::min)({left_in_machine(root), left_in_cgroups(root), left_in_address_space(root)});
}

} // namespace detail

/// The bytes that this process can still take: the least of what the machine, the control groups of a
/// container (version 2, with those above its own) and `ulimit -v` leave; on Windows, what the machine and
/// its page file leave. Where a system has none of the figures, the greatest number. Other processes may take
/// it, too. Reads some files of the system: about a tenth of a millisecond.
/// \throws std::bad_alloc
[[nodiscard]] inline std::uint64_t available_memory() {
    return detail::left_for_process("");
}

/// A limit for programs whose user gave none: three quarters of available_memory(). The rest is for what a
/// search does not count, and for other programs. Divide it by the number of searches that run at a time.
[[nodiscard]] inline std::uint64_t default_memory_limit() {
    return available_memory() / 4 * 3;
}

} // namespace npuzzle
