#pragma once

#include "npuzzle/macros.hpp"

/// \file
/// Requests memory before it is used.

namespace npuzzle::detail {

/// Prefetches the cache line of an address. Any address is valid.
NPUZZLE_ALWAYS_INLINE inline void prefetch(const void* address) {
    NPUZZLE_PREFETCH(address);
}

} // namespace npuzzle::detail
