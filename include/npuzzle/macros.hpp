#pragma once

/// \file
/// What compilers do not agree on. Every header includes it first, so that a compiler that is asked for an
/// older C++ says so before anything else.

#if defined(_MSVC_LANG)
#if _MSVC_LANG < 202002L
#error "npuzzle needs C++20: compile with /std:c++20"
#endif
#elif __cplusplus < 202002L
#error "npuzzle needs C++20: compile with -std=c++20"
#endif

#include <array> // which has std::min and the like in GCC's library: <algorithm> takes a tenth of a second
#if !defined(__GLIBCXX__)
#include <algorithm>
#endif

// NPUZZLE_NOINLINE: code that is seldom called must not make a hot function larger.
// NPUZZLE_COLD: the same, and compiled for size.
// NPUZZLE_ALWAYS_INLINE: a part of its callers, whatever the compiler thinks of it.
// NPUZZLE_NO_UNIQUE_ADDRESS: a member that takes no room if its type is empty.
// NPUZZLE_UNREACHABLE(): this place is never reached.
#if defined(__GNUC__) || defined(__clang__)
#define NPUZZLE_NOINLINE [[gnu::noinline]]
#define NPUZZLE_COLD [[gnu::cold, gnu::noinline]]
#define NPUZZLE_ALWAYS_INLINE [[gnu::always_inline]]
#define NPUZZLE_UNREACHABLE() __builtin_unreachable()
#else
#define NPUZZLE_NOINLINE __declspec(noinline)
#define NPUZZLE_COLD NPUZZLE_NOINLINE
#define NPUZZLE_ALWAYS_INLINE __forceinline
#define NPUZZLE_UNREACHABLE() __assume(false)
#endif
#if defined(_MSC_VER) // which ignores the standard attribute
#define NPUZZLE_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define NPUZZLE_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

/// Has the cache line of an address fetched, which may be any.
#if defined(__GNUC__) || defined(__clang__)
// The empty assembly: GCC drops calls of a function that does nothing but prefetch.
#define NPUZZLE_PREFETCH(address)                                                                            \
    do {                                                                                                     \
        __builtin_prefetch(address);                                                                         \
        asm volatile("");                                                                                    \
    } while (false)
#elif defined(_M_X64) && !defined(_M_ARM64EC)
#include <xmmintrin.h>
#define NPUZZLE_PREFETCH(address) _mm_prefetch(reinterpret_cast<const char*>(address), _MM_HINT_T0)
#else
#define NPUZZLE_PREFETCH(address) static_cast<void>(address)
#endif

// Adds to an integer that several threads change, and has its value before. <atomic> takes 0.03 s to compile.
#if defined(__GNUC__) || defined(__clang__)
#define NPUZZLE_FETCH_ADD(integer, by) __atomic_fetch_add(&(integer), by, __ATOMIC_SEQ_CST)
#else
#include <atomic>
#define NPUZZLE_FETCH_ADD(integer, by) std::atomic_ref(integer).fetch_add(by)
#endif

// 1 where the compiler has the arithmetic of GCC as functions, as `NPUZZLE_BUILTIN(add_overflow)`.
#if !defined(NPUZZLE_HAS_BUILTINS) && (defined(__GNUC__) || defined(__clang__))
#define NPUZZLE_HAS_BUILTINS 1
#elif !defined(NPUZZLE_HAS_BUILTINS)
#define NPUZZLE_HAS_BUILTINS 0
#endif
#define NPUZZLE_BUILTIN(name) __builtin_##name

// 1 where the compiler has integers of 128 bits: `npuzzle::detail::uint128`.
#if !defined(NPUZZLE_HAS_INT128) && defined(__SIZEOF_INT128__)
#define NPUZZLE_HAS_INT128 1
#elif !defined(NPUZZLE_HAS_INT128)
#define NPUZZLE_HAS_INT128 0
#endif
namespace npuzzle::detail {
#if NPUZZLE_HAS_INT128
__extension__ using uint128 = unsigned __int128;
#else
struct uint128 {};
#endif

// Numbers that SSE2 compares at once, and the highest bit of each: <emmintrin.h> takes long to compile.
#if defined(__SSE2__) && (defined(__x86_64__) || defined(__i386__)) && NPUZZLE_HAS_BUILTINS
using FourNumbers [[gnu::vector_size(16), gnu::may_alias]] = unsigned;
using FourFloats [[gnu::vector_size(16)]] = float;
#define NPUZZLE_HIGHEST_BITS(numbers)                                                                        \
    static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<npuzzle::detail::FourFloats>(numbers)))
#endif
} // namespace npuzzle::detail

/// Checks a promise of a problem or a heuristic. Define it before the first header of the library for
/// something else than `assert`.
#if !defined(NPUZZLE_ASSERT)
#include <cassert>
#define NPUZZLE_ASSERT(condition) assert(condition)
#endif
