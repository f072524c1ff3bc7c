#pragma once

#include "npuzzle/search/engine/replanning.hpp"

namespace npuzzle {

/// Lifelong Planning A* (S. Koenig, M. Likhachev, "Incremental A*", NIPS 2001) as an object: a search from
/// the start to the goal that is repeated as costs change, and expands only what a change concerns.
/// \code
/// LpaStar search(map, start, OctileDistance{});
/// search.run();
/// map.block(cell);               // the problem changes,
/// for (auto each : around(cell)) // and the engine is told where
///     search.update(each);
/// search.run();
/// \endcode
/// Cheapest where the changes are near the goal: the costs from the start stay as they are, up to there. The
/// worst are changes near the start, after which it may expand each state twice.
///
/// The goal stays the same, and the heuristic must be consistent (see `HeuristicFor`) before and after each
/// change: a debug build checks each step. Costs are the least, as with `astar`; those that round are so up
/// to the rounding of sums along a path. Observers see an expansion that takes a path back as `expand` alone,
/// and after a change `generate` for new steps from a state that is not expanded again.
template <BackwardProblem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class LpaStar : public detail::Replanning<P, H, O, true> {
public:
    using LpaStar::Replanning::Replanning;
};

template <class P, class H, class O = SilentObserver>
LpaStar(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> LpaStar<P, H, O>;

} // namespace npuzzle
