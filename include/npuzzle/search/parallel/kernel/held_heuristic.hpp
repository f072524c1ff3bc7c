#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <type_traits>

namespace npuzzle::detail {

/// How each thread of a search holds a heuristic: a copy of what cannot be called as `const` or is copied with
/// its bytes; else a reference.
template <class B, class P>
using held_heuristic_t =
    std::conditional_t<std::is_trivially_copyable_v<B> || !std::invocable<const B&, const state_t<P>&>,
                       std::remove_const_t<B>, const B&>;

} // namespace npuzzle::detail
