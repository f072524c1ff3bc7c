#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/open_list/heap.hpp>
#include <npuzzle/search/partial_expansion.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

// What all searches have in common, random graphs and limits first, is in the tests of the family.

namespace {

using npuzzle::astar;
using npuzzle::partial_expansion_astar;
using npuzzle::Status;
using test::Flips;
using test::Graph;
using test::Pancakes;
using test::Random;
using test::Table;

/// The gaps, of which a flip changes one: between the pancake that comes to lie lowest in the flipped part
/// and the one below it.
struct Gaps : test::PancakeGaps {
    static constexpr bool is_consistent = true;

    static int below(const Flips::State& stack, Flips::Move flip) {
        return flip < stack.size() ? stack[flip] : static_cast<int>(stack.size()) + 1;
    }
    static int gap(int pancake, int below) { return std::abs(below - pancake) != 1 ? 1 : 0; }
    static int change(const Flips::State& stack, Flips::Move flip) {
        const int under = below(stack, flip);
        return 1 + gap(stack.front(), under) - gap(stack[flip - 1U], under);
    }

    template <class Visit>
    std::optional<int> for_each_move_of_change(const Flips::State& stack, Flips::Move last, int wanted,
                                               Visit visit) const {
        std::optional<int> next;
        for (Flips::Move flip = 2; flip <= stack.size(); ++flip) {
            const int f = change(stack, flip);
            if (flip == last) {
                continue;
            }
            if (f == wanted) {
                visit(flip);
            } else if (f > wanted && (!next || f < *next)) {
                next = f;
            }
        }
        return next;
    }
};

static_assert(npuzzle::MoveProblem<Flips>);
static_assert(npuzzle::SelectingHeuristicFor<Gaps, Flips>);
static_assert(!npuzzle::SelectingHeuristicFor<test::PancakeGaps, Flips>);
static_assert(!npuzzle::SelectingHeuristicFor<Gaps, Pancakes>);

Pancakes::State shuffled(int count, std::uint64_t seed) {
    Pancakes::State stack = Pancakes::sorted(count);
    Random random(seed);
    for (int i = count - 1; i > 0; --i) {
        std::swap(stack[static_cast<std::size_t>(i)], stack[static_cast<std::size_t>(random.between(0, i))]);
    }
    return stack;
}

/// What the observer is told of, by kind.
struct Counting : npuzzle::SilentObserver {
    std::uint64_t expanded = 0, generated = 0, duplicates = 0, reopened = 0, goals = 0;
    void expand(const auto&) { ++expanded; }
    void generate(const auto& node, const auto& parent) {
        ++generated;
        CHECK(node.priority <= parent.priority);
        CHECK(node.priority == node.cost + node.estimate);
    }
    void duplicate(const auto&) { ++duplicates; }
    void reopen(const auto&) { ++reopened; }
    void goal(const auto&) { ++goals; }
};

/// Some values are zero, so that it is not consistent: f falls along some moves, and rises by any number
/// along others.
struct Uneven {
    static int value(const Flips::State& stack) {
        const int gaps = test::PancakeGaps{}(stack);
        return (stack[0] + stack[2]) % 3 == 0 ? gaps : 0;
    }
    int operator()(const Flips::State& stack) const { return value(stack); }
    std::optional<int> for_each_move_of_change(const Flips::State& stack, Flips::Move last, int wanted,
                                               auto visit) const {
        std::optional<int> next;
        Flips{}.for_each_move(stack, last, [&](Flips::Move flip) {
            auto after = stack;
            Flips{}.apply(after, flip);
            const int change = std::max(1 + value(after) - value(stack), 0);
            if (change == wanted) {
                visit(flip);
            } else if (change > wanted && (!next || change < *next)) {
                next = change;
            }
        });
        return next;
    }
};

static_assert(npuzzle::SelectingHeuristicFor<Uneven, Flips>);

/// Says that no move changes f.
struct Wrong : Gaps {
    std::optional<int> for_each_move_of_change(const Flips::State& stack, Flips::Move last, int wanted,
                                               auto visit) const {
        if (wanted == 0) {
            Flips{}.for_each_move(stack, last, visit);
        }
        return std::nullopt;
    }
};

} // namespace

TEST_CASE("pancakes: the optimum of A*, with a fraction of its nodes", "[partial]") {
    std::uint64_t whole = 0;
    std::uint64_t part = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const auto stack = shuffled(14, seed);
        const auto by_astar = astar(Flips{}, stack, test::PancakeGaps{});
        const auto all_made = partial_expansion_astar(Flips{}, stack, test::PancakeGaps{});
        const auto selected = partial_expansion_astar(Flips{}, stack, Gaps{});
        const auto by_neighbors = partial_expansion_astar(Pancakes{}, stack, test::PancakeGaps{});
        for (const auto& result : {all_made, selected}) {
            REQUIRE(result.status == Status::solved);
            test::check_path(Flips{}, stack, result);
            CHECK(result.cost == by_astar.cost);
            CHECK(result.statistics.stored < by_astar.statistics.stored);
            CHECK(result.statistics.contract_violations == 0);
        }
        CHECK(by_neighbors.cost == by_astar.cost);
        // Selecting leaves out what the other makes in vain, and nothing else.
        CHECK(selected.path == all_made.path);
        CHECK(selected.statistics.expanded == all_made.statistics.expanded);
        CHECK(selected.statistics.stored == all_made.statistics.stored);
        CHECK(selected.statistics.generated < all_made.statistics.generated);
        CHECK(selected.statistics.generated + 1 >= selected.statistics.stored);
        whole += by_astar.statistics.stored;
        part += selected.statistics.stored;
    }
    CHECK(5 * part < whole);
}

TEST_CASE("selected moves under a heuristic that is not consistent", "[partial]") {
    std::uint64_t reopened = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto stack = shuffled(7, seed);
        const auto depths = oracle::breadth_first(Pancakes{}, Pancakes::sorted(7));
        const auto selected = partial_expansion_astar(Flips{}, stack, Uneven{});
        const auto made =
            partial_expansion_astar(Flips{}, stack, [](const auto& s) { return Uneven::value(s); });
        CHECK(selected.cost == depths.at(stack));
        CHECK(made.path == selected.path);
        CHECK(made.statistics.expanded == selected.statistics.expanded);
        CHECK(made.statistics.reopened == selected.statistics.reopened);
        CHECK(selected.statistics.contract_violations == 0);
        reopened += selected.statistics.reopened;
    }
    CHECK(reopened > 0);
}

TEST_CASE("each node is expanded as often as its neighbors have values of f", "[partial]") {
    // A star: five neighbors of f 1, 1, 2, 4, 4, and a goal that costs 5.
    Graph<int> graph(7);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(0, 3, 2).connect(0, 4, 4).connect(0, 5, 4);
    graph.connect(0, 6, 5).add_goal(6);
    Counting counting;
    const auto result = partial_expansion_astar(graph, 0, npuzzle::Zero{}, {}, counting);
    CHECK(result.cost == 5);
    CHECK(result.statistics.expanded == 5 + 5); // the start at f = 0, 1, 2, 4, 5
    CHECK(result.statistics.generated == 5 * 6);
    CHECK(counting.expanded == result.statistics.expanded);
    CHECK(counting.generated == 6);
    CHECK(counting.goals == 1);
    const auto bounded = partial_expansion_astar(graph, 0, npuzzle::Zero{}, {.max_cost = 3});
    CHECK(bounded.status == Status::cost_limit);
    CHECK(bounded.statistics.stored == 4); // the start and those of f <= 3
}

TEST_CASE("a bound on the cost that bars nothing new proves that there is no solution", "[partial]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(2, 0, 1).add_goal(3);
    CHECK(partial_expansion_astar(graph, 0, npuzzle::Zero{}, {.max_cost = 2}).status == Status::unsolvable);
    CHECK(partial_expansion_astar(graph, 0, npuzzle::Zero{}, {.max_cost = 1}).status == Status::cost_limit);
    CHECK(partial_expansion_astar(graph, 0, npuzzle::Zero{}).status == Status::unsolvable);
}

TEST_CASE("several starts, and policies", "[partial]") {
    const auto graph = test::random_graph<int>(3, 60, 200, 0);
    const Table<int> exact{oracle::costs_to_goal<int>(graph, 0)};
    int least = 1'000'000;
    npuzzle::PartialExpansionAStar engine(graph, 0, exact);
    for (int start = 0; start < 5; ++start) {
        if (const auto cost = oracle::least_cost<int>(graph, start)) {
            least = std::min(least, *cost);
        }
        engine.add_start(start);
    }
    engine.run();
    CHECK(engine.result().cost == least);

    const auto stack = shuffled(7, 2);
    CHECK(partial_expansion_astar<test::HeapAndTree>(Flips{}, stack, Gaps{}).cost ==
          astar(Flips{}, stack, Gaps{}).cost);
}

TEST_CASE("states that share a key of the packed table", "[partial]") {
    using EqualKeys = test::CompactWithEqualKeys<test::WithMoves<test::Ring>>;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const EqualKeys ring(seed, 200, 100);
        Table<int> heuristic{oracle::costs_to_goal<int>(ring, 0)};
        for (auto& [vertex, value] : heuristic.values) { // not consistent
            value = vertex % 5 == 0 ? value / 3 : value * 2 / 3;
        }
        const auto result = partial_expansion_astar(ring, 0, heuristic);
        CHECK(result.cost == oracle::least_cost<int>(ring, 0).value_or(0));
        test::check_path(ring, 0, result);
    }
}

#ifdef NDEBUG
TEST_CASE("moves that change f otherwise than was said are counted, and followed", "[partial]") {
    const auto stack = shuffled(6, 1);
    const auto result = partial_expansion_astar(Flips{}, stack, Wrong{});
    CHECK(result.cost == astar(Flips{}, stack, Gaps{}).cost);
    CHECK(result.statistics.contract_violations > 0);
}
#endif
