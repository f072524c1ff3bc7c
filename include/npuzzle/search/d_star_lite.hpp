#pragma once

#include "npuzzle/search/engine/replanning.hpp"

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

} // namespace npuzzle
