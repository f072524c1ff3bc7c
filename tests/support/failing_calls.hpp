/// @file
/// Replaces the C library's functions for files, so that a chosen call fails, is cut short, or ends the
/// process as a power cut would. Only one source file of a program may include it; tests/faults/preload.cpp
/// makes a library of it, for programs that are tested as they are.
///
/// Calls on the standard streams (descriptors 0 to 2) are neither counted nor changed. Only calls that the
/// program makes itself are seen, not those inside the C library: `std::fopen` is, the writing in
/// `std::fwrite` is not.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace test {

enum class Call { open, write, sync, rename, map, truncate, link, close, unlink, make_folder };

inline constexpr std::string_view call_names[] = {"open",      "write", "fsync", "rename", "mmap",
                                                  "ftruncate", "link",  "close", "unlink", "mkdir"};
inline constexpr std::size_t call_count = std::size(call_names);

/// What happens at the chosen call.
enum class Fault {
    fails,       ///< it fails with `error`, and does nothing
    falls_short, ///< a `write` writes the first half; other calls fail
    dies,        ///< the process ends before the call; of a `write`, the first half is written
};

/// The plan, and what has been counted.
struct Calls {
    std::atomic<bool> is_armed{false};
    bool any = false;         ///< calls of every kind count
    Call call = Call::open;   ///< else only these
    std::uint64_t number = 0; ///< the call that is hit, from 1; 0 for none
    bool for_good = false;    ///< and so are all later ones
    Fault fault = Fault::fails;
    int error = EIO;
    std::atomic<std::uint64_t> counted{0};
    std::atomic<std::uint64_t> hits{0};
    void (*on_hit)() = nullptr;

    /// Plans a fault at the `which`-th call of a kind.
    void arm(Call kind, std::uint64_t which, Fault what = Fault::fails, int code = EIO) {
        any = false;
        call = kind;
        number = which;
        fault = what;
        error = code;
        counted = 0;
        hits = 0;
        is_armed = true;
    }

    /// Plans a fault at the `which`-th call of all.
    void arm_any(std::uint64_t which, Fault what = Fault::fails, int code = EIO) {
        arm(Call::open, which, what, code);
        any = true;
    }

    void disarm() { is_armed = false; }

    /// Counts a call. Returns whether it is hit.
    bool hit(Call kind) {
        if (!is_armed || (!any && kind != call)) return false;
        const std::uint64_t at = ++counted;
        if (number == 0 || at < number || (at > number && !for_good)) return false;
        ++hits;
        if (on_hit != nullptr) on_hit();
        if (fault == Fault::dies && kind != Call::write) ::_exit(137);
        errno = error;
        return true;
    }
};

inline Calls calls;

namespace detail {

/// The function of the C library.
template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// The variable argument of `open`, which is there if a file may be made.
inline mode_t mode_of(int flags, std::va_list arguments) {
    bool has_mode = (flags & O_CREAT) != 0;
#ifdef O_TMPFILE
    has_mode = has_mode || (flags & O_TMPFILE) == O_TMPFILE;
#endif
    return has_mode ? static_cast<mode_t>(va_arg(arguments, unsigned)) : 0;
}

} // namespace detail

} // namespace test

/// A function that does nothing but fail, or what it does in the C library.
#define NPUZZLE_FAILING(kind, result, failure, name, parameters, arguments, ...)                             \
    extern "C" result name parameters __VA_ARGS__ {                                                          \
        if (test::calls.hit(test::Call::kind)) return failure;                                               \
        return test::detail::real<result parameters>(#name) arguments;                                       \
    }
#define NPUZZLE_FAILING_OPEN(name)                                                                           \
    extern "C" int name(const char* path, int flags, ...) {                                                  \
        std::va_list arguments;                                                                              \
        va_start(arguments, flags);                                                                          \
        const mode_t mode = test::detail::mode_of(flags, arguments);                                         \
        va_end(arguments);                                                                                   \
        if (test::calls.hit(test::Call::open)) return -1;                                                    \
        return test::detail::real<int(const char*, int, ...)>(#name)(path, flags, mode);                     \
    }

#define NPUZZLE_FAILING_OPENAT(name)                                                                         \
    extern "C" int name(int folder, const char* path, int flags, ...) {                                      \
        std::va_list arguments;                                                                              \
        va_start(arguments, flags);                                                                          \
        const mode_t mode = test::detail::mode_of(flags, arguments);                                         \
        va_end(arguments);                                                                                   \
        if (test::calls.hit(test::Call::open)) return -1;                                                    \
        return test::detail::real<int(int, const char*, int, ...)>(#name)(folder, path, flags, mode);        \
    }

NPUZZLE_FAILING_OPEN(open)
NPUZZLE_FAILING_OPEN(open64)
NPUZZLE_FAILING_OPENAT(openat)
NPUZZLE_FAILING_OPENAT(openat64)

NPUZZLE_FAILING(open, FILE*, nullptr, fopen, (const char* path, const char* mode), (path, mode))
NPUZZLE_FAILING(open, FILE*, nullptr, fopen64, (const char* path, const char* mode), (path, mode))
NPUZZLE_FAILING(sync, int, -1, fsync, (int file), (file))
NPUZZLE_FAILING(sync, int, -1, fdatasync, (int file), (file))
NPUZZLE_FAILING(rename, int, -1, rename, (const char* from, const char* to), (from, to), noexcept)
NPUZZLE_FAILING(truncate, int, -1, ftruncate, (int file, off_t size), (file, size), noexcept)
NPUZZLE_FAILING(link, int, -1, link, (const char* from, const char* to), (from, to), noexcept)
NPUZZLE_FAILING(unlink, int, -1, unlink, (const char* path), (path), noexcept)
NPUZZLE_FAILING(make_folder, int, -1, mkdir, (const char* path, mode_t mode), (path, mode), noexcept)

extern "C" ssize_t write(int file, const void* bytes, std::size_t size) {
    auto* const real = test::detail::real<ssize_t(int, const void*, std::size_t)>("write");
    if (file <= STDERR_FILENO || !test::calls.hit(test::Call::write)) return real(file, bytes, size);
    const int error = errno;
    if (test::calls.fault != test::Fault::fails && size > 1) {
        const ssize_t written = real(file, bytes, size / 2);
        if (test::calls.fault == test::Fault::falls_short) return written;
    }
    if (test::calls.fault == test::Fault::dies) ::_exit(137);
    errno = error;
    return -1;
}

extern "C" ssize_t writev(int file, const iovec* pieces, int count) {
    if (file > STDERR_FILENO && test::calls.hit(test::Call::write)) {
        if (test::calls.fault == test::Fault::dies) ::_exit(137);
        return -1;
    }
    return test::detail::real<ssize_t(int, const iovec*, int)>("writev")(file, pieces, count);
}

extern "C" void* mmap(void* place, std::size_t size, int protection, int flags, int file,
                      off_t from) noexcept {
    if (file >= 0 && test::calls.hit(test::Call::map)) return MAP_FAILED;
    return test::detail::real<void*(void*, std::size_t, int, int, int, off_t)>("mmap")(
        place, size, protection, flags, file, from);
}

extern "C" int close(int file) {
    const int status = test::detail::real<int(int)>("close")(file); // as the system does, whatever it reports
    return file > STDERR_FILENO && test::calls.hit(test::Call::close) ? -1 : status;
}

#undef NPUZZLE_FAILING
#undef NPUZZLE_FAILING_OPEN
#undef NPUZZLE_FAILING_OPENAT
