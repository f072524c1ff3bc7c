#pragma once

#include "npuzzle/search/depth_first.hpp"

#include <cstddef>
#include <utility>

namespace npuzzle {

/// Finds a path of the fewest steps, within a `max_cost`, by iterative deepening: depth-first searches to
/// depth 0, 1, 2 and so on (Korf 1985). Memory is linear in the depth. In a tree it takes about as long as
/// breadth-first search, where many paths lead to a state exponentially longer. Without a solution it ends
/// when no path without a repeated state is left.
template <Problem P, class O = detail::silent_observer_t<P>>
search_result_t<P> iterative_deepening(const P& problem, const detail::named_state_t<P>& start,
                                       limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::guarded_search([&] {
        DepthFirstEngine<P, O> engine(problem, start, {.max_depth = 0}, limits, std::forward<O>(observer));
        for (std::size_t depth = 1; engine.run() == SearchStatus::depth_limit; ++depth) engine.deepen(depth);
        return engine.result();
    });
}

} // namespace npuzzle
