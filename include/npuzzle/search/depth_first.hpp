#pragma once

#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/depth_first_engine.hpp"

#include <utility>

/// \file
/// Depth-first search to a given depth.

namespace npuzzle {

/// Finds some path by depth-first search: a neighbor and everything that can be reached through it is
/// searched before the next neighbor. Memory is linear in the depth. Only the states on the path are
/// remembered, so a state is searched once for each path to it. The path is rarely a cheapest one.
template <Problem P, class O = detail::silent_observer_t<P>>
search_result_t<P> depth_first(const P& problem, const detail::named_state_t<P>& start,
                               DepthFirstOptions options = {}, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<DepthFirstEngine<P, O>>(problem, start, options, limits,
                                                      std::forward<O>(observer));
}

} // namespace npuzzle
