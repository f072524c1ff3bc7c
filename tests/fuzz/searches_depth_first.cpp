/// @file
/// The searches that remember their path alone. They may go through a graph once for each path in it, so that
/// they have a limit of ours.
#include <npuzzle/search/depth_first.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/iterative_deepening.hpp>

#include "searches.hpp"

#include <algorithm>
#include <cstdint>

namespace fuzz {

namespace {

template <class C>
void run(const Case<C>& problem) {
    using enum Promise;
    const Judge<C> judge = Judge<C>(problem).bounded();
    const Estimates<C> heuristic{problem.forward};
    const RingOfMoves<C> ring(problem.ring);
    const auto bound = problem.bound();
    auto limits = problem.limits();
    limits.expansions = std::min<std::uint64_t>(limits.expansions, 500);

    judge.judge("IDA*", npuzzle::ida_star(ring, 0, heuristic, limits), least_cost, 1, bound);
    judge.judge("IDA* with bounds that grow",
                npuzzle::ida_star(ring, 0, heuristic, npuzzle::IdaStarOptions{.growth = 2}, limits),
                least_cost, 1, bound);
    if constexpr (std::is_integral_v<C>) {
        judge.judge("IDA*, compact", npuzzle::ida_star(CompactRing(problem.ring), 0, heuristic, limits),
                    least_cost, 1, bound);
    }
    limits.max_cost = {};
    judge.judge("depth-first", npuzzle::depth_first(problem.ring, 0, {.max_depth = 100}, limits), a_path);
    judge.judge("iterative deepening", npuzzle::iterative_deepening(ring, 0, limits), fewest_steps);
}

} // namespace

void run_depth_first(const Case<int>& problem) {
    run(problem);
}
void run_depth_first(const Case<double>& problem) {
    run(problem);
}

} // namespace fuzz
