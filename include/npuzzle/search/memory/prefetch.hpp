#pragma once

#include "npuzzle/macros.hpp"

/// \file
/// Requests memory before it is used.

namespace npuzzle::detail {

/// Has the cache line of an address fetched, which may be any.
NPUZZLE_ALWAYS_INLINE inline void prefetch(const void* address) {
    NPUZZLE_PREFETCH(address);
}

} // namespace npuzzle::detail
