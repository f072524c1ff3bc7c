/// @file
/// The searches from both ends, and those by layers.
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/breadth_first_layers.hpp>
#include <npuzzle/search/frontier.hpp>

#include "searches.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuzz {

namespace {

using enum Promise;

template <class C>
void run(const Case<C>& problem) {
    Case<C> one_goal = problem;
    const TwoWayRing<C> ring(problem.ring);
    one_goal.ring = ring;
    const Judge<C> judge(one_goal);
    const Estimates<C> forward{problem.forward};
    const Estimates<C> backward{problem.backward};
    const auto limits = problem.limits();
    const auto bound = problem.bound();

    // With two goals, estimates of the way to the nearer one are admissible for one alone.
    judge.judge("NBS", npuzzle::bidirectional_astar<npuzzle::Nbs>(ring, 0, forward, backward, limits),
                least_cost, 1, bound);
    judge.judge("MM",
                npuzzle::bidirectional_astar<npuzzle::MeetInTheMiddle>(ring, 0, forward, backward, limits),
                least_cost, 1, bound);
    judge.judge("two-way Dijkstra",
                npuzzle::bidirectional_astar(ring, 0, npuzzle::Zero{}, npuzzle::Zero{}, limits), least_cost,
                1, bound);
    judge.judge("two-way breadth-first",
                npuzzle::bidirectional_breadth_first(ring, 0, {.expansions = limits.expansions}),
                fewest_steps);
    if (problem.is_consistent) {
        const Estimates<C, true> consistent{problem.forward};
        const Estimates<C, true> consistent_backward{problem.backward};
        judge.judge(
            "BAE*",
            npuzzle::bidirectional_astar<npuzzle::BaeStar>(ring, 0, consistent, consistent_backward, limits),
            least_cost, 1, bound);
    }
}

template <class P>
void check_layers(const char* kind, const P& ring, const Judge<int>& judge, std::uint64_t expansions) {
    judge.judge(kind, npuzzle::breadth_first(ring, 0, {.expansions = expansions}), fewest_steps);
    judge.judge(kind, npuzzle::frontier_search(ring, 0, {.expansions = expansions}), fewest_steps);
    judge.judge(kind, npuzzle::bidirectional_breadth_first(ring, 0, {.expansions = expansions}),
                fewest_steps);
    const auto depth = npuzzle::frontier_depth(ring, 0);
    judge.expect(kind,
                 depth.status ==
                     (judge.truth().fewest_steps ? npuzzle::Status::solved : npuzzle::Status::unsolvable),
                 "frontier_depth ends otherwise");
    judge.expect(kind, !depth || depth.cost == *judge.truth().fewest_steps,
                 "frontier_depth is another depth");

    std::vector<std::uint64_t> expected;
    for (const auto& cost : judge.truth().from_start) {
        if (cost) {
            expected.resize(std::max(expected.size(), static_cast<std::size_t>(*cost) + 1));
            ++expected[static_cast<std::size_t>(*cost)];
        }
    }
    judge.expect(kind, npuzzle::breadth_first_layers(ring, 0).counts == expected, "layers have other counts");
}

} // namespace

void run_two_way(const Case<int>& problem) {
    run(problem);
}
void run_two_way(const Case<double>& problem) {
    run(problem);
}

void run_layers(const Case<int>& problem) {
    const Judge<int> judge(problem);
    const UnitRing ring{TwoWayRing<int>(problem.ring)};
    const std::uint64_t expansions = problem.limits().expansions;
    check_layers("by hash", ring, judge, expansions);
    check_layers("by words", PackedUnitRing(ring), judge, expansions);
}

} // namespace fuzz
