/// @file
/// A* with each open list and node table, and other searches over a problem with capabilities.
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/partial_expansion.hpp>

#include "searches.hpp"
#include "support/policies.hpp"

namespace fuzz {

namespace {

using enum Promise;
using npuzzle::astar;

template <class P, class C>
void check_ring(const P& ring, const Case<C>& problem, const Judge<C>& judge) {
    const Estimates<C> heuristic{problem.forward};
    const auto limits = problem.limits();
    const auto check = [&](const char* name, const auto& result) {
        judge.judge(name, result, least_cost, 1, problem.bound());
    };
    check("moves, automatic", astar(ring, 0, heuristic, limits));
    check("moves, heap, pooled", astar<test::HeapAndPooled>(ring, 0, heuristic, limits));
    check("moves, ladder, pooled", astar<test::LadderAndPooled>(ring, 0, heuristic, limits));
}

template <class C>
void run(const Case<C>& problem) {
    const Judge<C> judge(problem);
    const Estimates<C> heuristic{problem.forward};
    const auto limits = problem.limits();
    const auto bound = problem.bound();

    check_ring(RingOfMoves<C>(problem.ring), problem, judge);

    const NumberedRing<C> numbered(problem.ring);
    judge.judge("heap, indexed", astar<test::HeapAndIndexed>(numbered, 0, heuristic, limits), least_cost, 1,
                bound);
    if constexpr (std::is_integral_v<C>) {
        judge.judge("buckets, indexed, batches of 5",
                    astar<test::BucketsAndIndexed<5>>(numbered, 0, heuristic, limits), least_cost, 1, bound);
        judge.judge("buckets, pooled", astar<test::BucketsAndPooled<>>(problem.ring, 0, heuristic, limits),
                    least_cost, 1, bound);
        judge.judge("buckets, pooled, batches of 3",
                    astar<test::BucketsAndPooled<3>>(problem.ring, 0, heuristic, limits), least_cost, 1,
                    bound);
        const CompactRing compact(problem.ring);
        judge.judge("compact", astar(compact, 0, heuristic, limits), least_cost, 1, bound);
        judge.judge("heap, packed", astar<test::HeapAndPacked>(compact, 0, heuristic, limits), least_cost, 1,
                    bound);
        judge.judge("buckets, packed, batches of 16",
                    astar<test::BucketsAndPacked<16>>(compact, 0, heuristic, limits), least_cost, 1, bound);
        judge.judge("compact, weighted",
                    npuzzle::weighted_astar(compact, 0, heuristic, npuzzle::WeightOptions<int>{2}, limits),
                    within_bound, 2, bound);
        judge.judge("compact, breadth-first",
                    npuzzle::breadth_first(compact, 0, {.expansions = limits.expansions}), fewest_steps);
    }
}

} // namespace

void run_policies(const Case<int>& problem) {
    run(problem);
}
void run_policies(const Case<double>& problem) {
    run(problem);
}

} // namespace fuzz
