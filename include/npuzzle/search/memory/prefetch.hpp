#pragma once

/// \file
/// Asking for memory ahead of its use.

namespace npuzzle::detail {

/// Has the cache line of an address fetched, which may be any.
[[gnu::always_inline]] inline void prefetch(const void* address) {
    __builtin_prefetch(address);
    // GCC takes a function that does nothing but prefetch for one without effect, and drops its calls.
    asm volatile("");
}

} // namespace npuzzle::detail
