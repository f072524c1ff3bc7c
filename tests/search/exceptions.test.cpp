#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/beam.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/open_list/heap.hpp>
#include <npuzzle/search/partial_expansion.hpp>

#include "support/catch.hpp"
#include "support/fuse.hpp"
#include "support/oracles.hpp"
#include "support/policies.hpp"

#include <compare>
#include <cstddef>
#include <optional>
#include <vector>

// What the caller's code throws, at any call of it, ends a best-first search as failed, and never with a
// false proof.

namespace {

using npuzzle::SilentObserver;
using npuzzle::Status;
using test::FragileHeuristic;
using test::FragileObserver;

using Weighted = test::Circle<true>;
using Unit = test::Circle<false>;

/// True costs at some numbers, and 0 at the others: not consistent, so nodes are opened again.
template <class P>
FragileHeuristic uneven() {
    FragileHeuristic heuristic{test::estimates_to<P>(P::goal_number, false)};
    for (std::size_t i = 0; i < heuristic.estimates.size(); i += 3) {
        heuristic.estimates[i] = 0;
    }
    return heuristic;
}

template <class P>
int least_cost() {
    return *oracle::least_cost<int>(P{}, P::start);
}

/// A cost whose sums and comparisons may throw, as one that looks out for overflow does.
struct Fee {
    int amount = 0;

    friend Fee operator+(const Fee& a, const Fee& b) {
        test::fuse.burn(test::Call::comparison);
        return {a.amount + b.amount};
    }
    friend std::strong_ordering operator<=>(const Fee& a, const Fee& b) {
        test::fuse.burn(test::Call::comparison);
        return a.amount <=> b.amount;
    }
    friend bool operator==(const Fee& a, const Fee& b) { return (a <=> b) == 0; }
};

struct TollCircle : Weighted {
    std::vector<npuzzle::Edge<State, Fee>> neighbors(const State& state) const {
        std::vector<npuzzle::Edge<State, Fee>> result;
        for (const auto& edge : Weighted::neighbors(state)) {
            result.push_back({edge.to, {edge.cost}});
        }
        return result;
    }
};

template <class Policy, class O, class P>
void check_astar(const P& problem) {
    using Heuristic = const FragileHeuristic&;
    const FragileHeuristic heuristic = uneven<P>();
    const auto failed = test::fail_each_call(
        [&] {
            return npuzzle::AStar<P, Heuristic, O, Policy>(problem, P::start, heuristic,
                                                           test::fragile_limits());
        },
        [&](const auto& result) { return test::is_solution(problem, result, least_cost<P>()); });
    CHECK(failed > 100);
}

} // namespace

TEST_CASE("an exception fails A*, with each open list and node table", "[exceptions]") {
    const Weighted circle;
    const test::WalkedCircle<Weighted> walked;
    SECTION("pooled") {
        check_astar<test::HeapAndPooled, FragileObserver>(circle);
        check_astar<test::LadderAndPooled, FragileObserver>(circle);
        check_astar<test::BucketsAndPooled<>, FragileObserver>(circle);
    }
    SECTION("with moves") {
        check_astar<npuzzle::DefaultPolicy, FragileObserver>(walked);
    }
    SECTION("in batches") {
        check_astar<test::BucketsAndPooled<3>, SilentObserver>(walked);
    }
    SECTION("packed") {
        check_astar<test::BucketsAndPacked<2>, SilentObserver>(test::PackedCircle<Weighted>{});
        check_astar<test::HeapAndPacked, FragileObserver>(test::PackedCircle<test::WalkedCircle<Weighted>>{});
    }
    SECTION("indexed") {
        check_astar<npuzzle::DefaultPolicy, FragileObserver>(test::IndexedCircle<Weighted>{});
    }
    SECTION("tree") {
        check_astar<test::HeapAndTree, FragileObserver>(circle);
    }
    SECTION("with costs that throw") {
        const TollCircle tolls;
        CHECK(test::fail_each_call(
                  [&] {
                      return npuzzle::AStar(tolls, Weighted::start, npuzzle::Zero{},
                                            test::fragile_limits<Fee>(), FragileObserver{});
                  },
                  [&](const auto& result) {
                      return result.status == Status::solved && result.cost.amount == least_cost<Weighted>();
                  }) > 100);
    }
    SECTION("with an early goal test") {
        check_astar<npuzzle::EarlyGoalTest, FragileObserver>(Unit{});
    }
}

TEST_CASE("an exception fails other best-first searches", "[exceptions]") {
    const Weighted circle;
    const FragileHeuristic heuristic = uneven<Weighted>();
    const auto is_path = [&](const auto& result) { return test::is_solution(circle, result, std::nullopt); };
    SECTION("weighted") {
        CHECK(test::fail_each_call(
                  [&] {
                      return npuzzle::WeightedAStar(circle, Weighted::start, heuristic, {.weight = 1.5},
                                                    test::fragile_limits(), FragileObserver{});
                  },
                  is_path) > 100);
    }
    SECTION("greedy") {
        CHECK(test::fail_each_call(
                  [&] {
                      return npuzzle::GreedySearch(circle, Weighted::start, heuristic, test::fragile_limits(),
                                                   FragileObserver{});
                  },
                  is_path) > 100);
    }
    SECTION("partial expansion") {
        CHECK(test::fail_each_call(
                  [&] {
                      return npuzzle::PartialExpansionAStar(circle, Weighted::start, heuristic,
                                                            test::fragile_limits(), FragileObserver{});
                  },
                  [&](const auto& result) {
                      return test::is_solution(circle, result, least_cost<Weighted>());
                  }) > 100);
    }
    SECTION("beam") {
        CHECK(test::fail_each_call(
                  [&] {
                      return npuzzle::BeamSearch(circle, Weighted::start, heuristic, {.width = 3},
                                                 test::fragile_limits(), FragileObserver{});
                  },
                  is_path) > 100);
    }
}
