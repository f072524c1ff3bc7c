#pragma once

#include "npuzzle/macros.hpp"

/// \file
/// Asking for memory ahead of its use.

namespace npuzzle::detail {

/// Has the cache line of an address fetched, which may be any.
NPUZZLE_ALWAYS_INLINE inline void prefetch(const void* address) {
    NPUZZLE_PREFETCH(address);
}

} // namespace npuzzle::detail
