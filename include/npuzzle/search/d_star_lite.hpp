#pragma once

#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/replanning.hpp"

#include <utility>

namespace npuzzle {

/// D* Lite (S. Koenig, M. Likhachev, "D* Lite", AAAI 2002) as an object: a search from the goal to the start
/// that is repeated as costs change and as the start moves, as for a robot which meets obstacles.
/// \code
/// DStarLite search(map, start, OctileDistance{});
/// search.run();
/// search.move_start(there);                        // the robot goes on,
/// for (auto changed : map.set_free(cell, false))   // sees something,
///     search.update(changed);                      // and tells the engine where
/// search.run();
/// \endcode
/// Cheapest where the changes are near the start: the costs to the goal stay as they are, up to there. The
/// worst are changes near the goal.
///
/// The goal stays the same. Costs are the least, and observers see the same, as with `LpaStar`; priorities
/// grow with each move.
///
/// \tparam H a `BackwardHeuristicFor` the problem: it estimates the cost from the start to a state. It must
///         be consistent before and after each change, also by detours: for h(a, b) from a to b, h(a, c) <=
///         h(a, b) + h(b, c). A debug build checks each step.
template <BackwardProblem P, class H, class O = SilentObserver>
    requires BackwardHeuristicFor<H, P>
class DStarLite : public detail::Replanning<P, H, O, false> {
public:
    using DStarLite::Replanning::Replanning;
};

template <class P, class H, class O = SilentObserver>
DStarLite(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> DStarLite<P, H, O>;

/// Finds a cheapest path from `start` to `problem.goal()` by D* Lite: one search, for which `astar` is
/// faster. Use the engine `DStarLite` to search again after a change. Any `BackwardProblem`, any cost type.
/// \param heuristic estimates the cost from the start to a state, and is consistent: see `DStarLite`
/// \return as from `astar`, without a partial path
template <BackwardProblem P, class H, class O = detail::silent_observer_t<P, H, true>>
    requires BackwardHeuristicFor<H, P>
search_result_t<P> d_star_lite(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                               limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<DStarLite<P, H, O>>(problem, start, std::forward<H>(heuristic), limits,
                                                  std::forward<O>(observer));
}

} // namespace npuzzle
