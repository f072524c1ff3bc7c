#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/depth_first_engine.hpp"

#include <cstddef>
#include <utility>

/// \file
/// Depth-first search to a given depth.

namespace npuzzle {

/// Finds some path by depth-first search: the neighbours of a state one after another, with all that comes behind each
/// before the next. Memory linear in the depth; no state is known again but those on the path, so that a state is
/// searched once for each path that leads to it.
///
/// \param max_depth the most steps of a path; a search that this bound kept from going on ends with `Status::depth_limit`
template <Problem P, class O = SilentObserver>
search_result_t<P> depth_first(const P& problem, const detail::named_state_t<P>& start, std::size_t max_depth,
                               limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<DepthFirstEngine<P, O>>(problem, start, max_depth, limits,
                                                      std::forward<O>(observer));
}

} // namespace npuzzle
