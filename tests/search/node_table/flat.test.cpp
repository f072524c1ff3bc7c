#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/checkpoint.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/node_table/flat.hpp>
#include <npuzzle/search/parallel/parallel_astar.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include "support/catch.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/table_beside_map.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <sstream>
#include <vector>

// What all node tables have in common is in node_table.test.cpp.

namespace {

using npuzzle::FlatNodeTable;
using npuzzle::FlatPolicy;
using npuzzle::IndexedPolicy;
using npuzzle::MemoryBudget;
using npuzzle::Zero;
using test::Ring;
using test::WithIndex;
using test::WithMoves;

template <int longest>
struct Numbers : WithIndex<WithMoves<Ring>> {
    using WithIndex::WithIndex;
    static constexpr int longest_path = longest;
    std::size_t size() const { return 100'001; }
};

template <class P>
using Whole = FlatNodeTable<P, int>;

static_assert(Whole<Numbers<15>>::bytes_per_state == 1 && Whole<Numbers<16>>::bytes_per_state == 2);
static_assert(Whole<Numbers<4095>>::bytes_per_state == 2 && Whole<Numbers<4096>>::bytes_per_state == 4);
static_assert(Whole<Numbers<std::numeric_limits<int>::max()>>::bytes_per_state == 8);
static_assert(npuzzle::NodeTable<Whole<Numbers<15>>> && npuzzle::DividedNodeTable<Whole<Numbers<15>>>);

/// A floor of cells, a quarter of them walls, but for the first row and the last. Each step costs 1, and can
/// be gone back.
template <int side>
struct Floor {
    using State = std::uint32_t;
    using Move = std::uint8_t;
    static constexpr unsigned move_count = 4;
    static constexpr Move no_move = 4;
    static constexpr bool is_undirected = true;
    static constexpr int longest_path = side * side;

    std::vector<bool> walls = std::vector<bool>(std::size_t{side} * side);
    State goal_cell = side * side - 1;

    explicit Floor(std::uint64_t seed) {
        test::Random random(seed);
        for (std::size_t cell = 0; cell < walls.size(); ++cell) {
            walls[cell] = cell > side && cell < walls.size() - side && random.one_in(4);
        }
    }

    /// The same without a way to the goal.
    Floor closed() const {
        Floor result = *this;
        result.walls[std::size_t{side} * side - 2] = true;
        result.walls[std::size_t{side} * (side - 1) - 1] = true;
        return result;
    }

    static int after(State cell, Move move) {
        constexpr std::array<int, 4> offsets = {-side, -1, 1, side};
        return static_cast<int>(cell) + offsets[move];
    }
    bool can_move(State cell, Move move) const {
        const bool is_inside = move == 0   ? cell >= side
                               : move == 1 ? cell % side > 0
                               : move == 2 ? cell % side < side - 1
                                           : cell < side * (side - 1);
        return is_inside && !walls[static_cast<std::size_t>(after(cell, move))];
    }
    template <class F>
    void for_each_move(State cell, Move last, F visit) const {
        for (Move move = 0; move < 4; ++move) {
            if (can_move(cell, move) && (last == no_move || move != inverse(last))) {
                visit(Move{move});
            }
        }
    }
    void apply(State& cell, Move move) const { cell = static_cast<State>(after(cell, move)); }
    static Move inverse(Move move) { return static_cast<Move>(3 - move); }
    std::vector<State> neighbors(State cell) const {
        std::vector<State> result;
        for_each_move(cell, no_move,
                      [&](Move move) { result.push_back(static_cast<State>(after(cell, move))); });
        return result;
    }
    State goal() const { return goal_cell; }
    bool is_goal(State cell) const { return cell == goal_cell; }
    std::size_t index(State cell) const { return cell; }
    std::size_t size() const { return walls.size(); }
    State state_at(std::size_t number) const { return static_cast<State>(number); }
    std::uint32_t pack(State cell) const { return cell; }
    State unpack(std::uint32_t word) const { return word; }

    int distance(State from, State to) const {
        return std::abs(static_cast<int>(from % side) - static_cast<int>(to % side)) +
               std::abs(static_cast<int>(from / side) - static_cast<int>(to / side));
    }

    /// The fewest steps from a cell to each other; -1 where there is no way.
    std::vector<int> steps_from(State start) const {
        std::vector<int> steps(walls.size(), -1);
        std::vector<State> reached = {start};
        steps[start] = 0;
        for (std::size_t next = 0; next < reached.size(); ++next) {
            for (const State cell : neighbors(reached[next])) {
                if (steps[cell] < 0) {
                    steps[cell] = steps[reached[next]] + 1;
                    reached.push_back(cell);
                }
            }
        }
        return steps;
    }
};

template <int side>
struct Distance {
    static constexpr bool is_consistent = true;
    const Floor<side>* floor;
    int operator()(std::uint32_t cell) const { return floor->distance(cell, floor->goal()); }
};

/// Admissible, and not consistent: nothing in every third cell.
template <int side>
struct Patchy {
    const Floor<side>* floor;
    int operator()(std::uint32_t cell) const {
        return cell * 7 % 3 == 0 ? 0 : floor->distance(cell, floor->goal());
    }
};

template <class P, class H, class Policy = FlatPolicy,
          class Priority = npuzzle::AStarPriority<int, npuzzle::estimate_t<H, P>>>
using table_t = typename npuzzle::PartsFor<P, H, Policy, Priority>::NodeTable;

using Small = Floor<40>;
static_assert(table_t<Small, Distance<40>>::bytes_per_state == 1 &&
              !table_t<Small, Distance<40>>::keeps_costs);
static_assert(!table_t<Small, Zero>::keeps_costs);
static_assert(table_t<Small, Patchy<40>>::bytes_per_state == 2 && table_t<Small, Patchy<40>>::keeps_costs);
static_assert(
    table_t<Small, Distance<40>, FlatPolicy, npuzzle::WeightedPriority<int, int, int>>::keeps_costs);
static_assert(table_t<Numbers<1000>, Zero>::keeps_costs); // of any costs
static_assert(npuzzle::NodeTable<table_t<Small, Distance<40>>>);

void check_equal(const auto& found, const auto& expected) {
    CHECK(found.status == expected.status);
    CHECK(found.cost == expected.cost);
    CHECK(found.path == expected.path);
    CHECK(found.moves == expected.moves);
    CHECK(found.partial_path == expected.partial_path);
    CHECK(found.statistics.expanded == expected.statistics.expanded);
    CHECK(found.statistics.generated == expected.statistics.generated);
    CHECK(found.statistics.duplicates == expected.statistics.duplicates);
    CHECK(found.statistics.reopened == expected.statistics.reopened);
    CHECK(found.statistics.stored == expected.statistics.stored);
    CHECK(found.statistics.peak_open == expected.statistics.peak_open);
    CHECK(found.statistics.contract_violations == 0);
}

struct WholeCosts : FlatPolicy {
    static constexpr bool keeps_costs = true;
};

template <std::size_t width>
using FlatBatches = test::Combined<npuzzle::BucketPolicy, FlatPolicy, width>;

} // namespace

TEMPLATE_TEST_CASE("a flat table agrees with a map", "[flat]", Numbers<15>, Numbers<1000>, Numbers<100'000>) {
    test::TableBesideMap<TestType, Whole<TestType>> beside(TestType(1, 101, 0), 100'000, 256);
    for (const std::uint64_t size : {20'000U, 60'000U}) {
        beside.clear();
        while (beside.table.size() < size) {
            beside.step();
        }
        beside.check_all();
    }
    CHECK(beside.budget.used() == Whole<TestType>::bytes_per_state * 100'001);
}

TEST_CASE("a flat table of megabytes is empty after it was cleared", "[flat]") {
    struct Many : Numbers<15> {
        using Numbers::Numbers;
        std::size_t size() const { return 5'000'000; }
    };
    const Many problem(1, 101, 0);
    MemoryBudget budget;
    FlatNodeTable<Many, int> table(problem, budget);
    for (int round = 0; round < 3; ++round) {
        for (const int state : {0, 4'999'999, 2'222'222}) {
            CHECK_FALSE(table.find(table.lookup_hint(state), state));
            CHECK(table.insert(state).second);
            CHECK_FALSE(table.insert(state).second);
        }
        CHECK(budget.used() == 5'000'000);
        table.clear();
        CHECK(table.size() == 0);
    }
}

TEST_CASE("more states than a flat table can number are too many for memory", "[flat]") {
    struct TooMany : Numbers<15> {
        using Numbers::Numbers;
        std::size_t size() const { return (std::size_t{1} << 32) + 1; }
    };
    const TooMany problem(1, 101, 0);
    MemoryBudget budget;
    FlatNodeTable<TooMany, int> table(problem, budget);
    CHECK_THROWS_AS(table.insert(0), std::bad_alloc);
    CHECK(table.size() == 0);
    CHECK(budget.used() == 0);
}

TEST_CASE("FlatPolicy makes the same expansions in a byte for each state", "[flat]") {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        const Small floor = seed < 4 ? Small(seed) : Small(seed).closed();
        const std::vector<int> steps = floor.steps_from(0);
        CHECK((steps.back() < 0) == (seed == 4));
        const Distance<40> distance{&floor};
        const auto found = npuzzle::astar<FlatPolicy>(floor, 0, distance);
        CHECK(found.cost == std::max(0, steps.back()));
        check_equal(found, npuzzle::astar<IndexedPolicy>(floor, 0, distance));
        check_equal(npuzzle::dijkstra<FlatPolicy>(floor, 0), npuzzle::dijkstra<IndexedPolicy>(floor, 0));
        check_equal(npuzzle::breadth_first<FlatPolicy>(floor, 0),
                    npuzzle::breadth_first<IndexedPolicy>(floor, 0));
        check_equal(npuzzle::astar<FlatPolicy>(floor, 0, distance, {.expansions = 200}),
                    npuzzle::astar<IndexedPolicy>(floor, 0, distance, {.expansions = 200}));
        check_equal(npuzzle::astar<FlatPolicy>(floor, 0, distance, {.max_cost = 82}),
                    npuzzle::astar<IndexedPolicy>(floor, 0, distance, {.max_cost = 82}));
        // Nodes are opened again, which takes whole costs.
        const auto reopening = npuzzle::astar<FlatPolicy>(floor, 0, Patchy<40>{&floor});
        CHECK(reopening.cost == std::max(0, steps.back()));
        check_equal(reopening, npuzzle::astar<IndexedPolicy>(floor, 0, Patchy<40>{&floor}));
        check_equal(
            npuzzle::weighted_astar<FlatPolicy>(floor, 0, distance, npuzzle::WeightOptions<int>{2}),
            npuzzle::weighted_astar<IndexedPolicy>(floor, 0, distance, npuzzle::WeightOptions<int>{2}));
    }
}

TEST_CASE("FlatPolicy makes the same expansions by batches", "[flat]") {
    for (const std::uint64_t seed : {5U, 6U}) {
        const Floor<160> floor = seed == 5 ? Floor<160>(seed) : Floor<160>(seed).closed();
        const std::vector<int> steps = floor.steps_from(0);
        const Distance<160> distance{&floor};
        const auto found = npuzzle::astar<FlatBatches<16>>(floor, 0, distance);
        CHECK(found.cost == std::max(0, steps.back()));
        check_equal(found, npuzzle::astar<test::BucketsAndPacked<16>>(floor, 0, distance));
        check_equal(npuzzle::dijkstra<FlatBatches<16>>(floor, 0),
                    npuzzle::dijkstra<test::BucketsAndPacked<16>>(floor, 0));
    }
}

TEST_CASE("a flat table needs an array of bytes and the open list", "[flat]") {
    const Floor<160> floor(5);
    const auto found = npuzzle::dijkstra<FlatPolicy>(floor, 0);
    CHECK(found.statistics.bytes >= floor.size());
    CHECK(found.statistics.bytes < floor.size() + 65'000);
    const auto limited = npuzzle::dijkstra<FlatPolicy>(floor, 0, {.bytes = floor.size() - 1});
    CHECK(limited.status == npuzzle::Status::memory_limit);
    CHECK(limited.statistics.bytes < floor.size());
    const auto enough = npuzzle::dijkstra<FlatPolicy>(floor, 0, {.bytes = found.statistics.bytes});
    CHECK(enough.cost == found.cost);
}

TEST_CASE("nodes without whole costs know them by their paths", "[flat]") {
    const Small floor(2);
    using Table = table_t<Small, Zero>;
    MemoryBudget budget;
    Table table(floor, budget);
    // A breadth-first search by hand.
    const std::vector<int> steps = floor.steps_from(0);
    std::vector<std::uint32_t> reached = {0};
    auto root = table.insert(0U).first;
    root.relax(0, 0, Table::root(root));
    for (std::size_t next = 0; next < reached.size(); ++next) {
        auto node = table.insert(reached[next]).first;
        node.close();
        CHECK_FALSE(node.is_improved_by(0));
        floor.for_each_move(reached[next], Small::no_move, [&](std::uint8_t move) {
            auto state = reached[next];
            floor.apply(state, move);
            auto [child, is_new] = table.insert(state);
            if (is_new) {
                child.relax(steps[state] + 2, 0, Table::link(node, move));
                CHECK(child.is_improved_by(steps[state]));
                CHECK(child.is_improved_by(steps[state] + 1));
                CHECK_FALSE(child.is_improved_by(steps[state] + 2));
                CHECK_FALSE(child.is_improved_by(steps[state] + 4));
                CHECK(table.find_open(child.key(), steps[state] + 2, 0)->cost() == steps[state] + 2);
                CHECK_FALSE(table.find_open(child.key(), steps[state], 0));
                child.relax(steps[state], 0, Table::link(node, move));
                reached.push_back(state);
            }
        });
    }
    int wrong = 0;
    std::size_t visited = 0;
    table.for_each_node([&](const auto& node) {
        ++visited;
        wrong += node.cost() == steps[node.state()] ? 0 : 1;
    });
    CHECK(wrong == 0);
    CHECK(visited == reached.size());
    CHECK(table.size() == reached.size());
}

TEST_CASE("a start that is added later begins a flat search anew", "[flat]") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        Small floor(seed);
        const Distance<40> distance{&floor};
        const std::vector<int> steps = floor.steps_from(floor.goal());
        npuzzle::AStar search(FlatPolicy{}, floor, std::uint32_t{0}, distance);
        for (int i = 0; i < 100; ++i) {
            CHECK(search.step());
        }
        const std::uint32_t near = 39 * 40; // in the last row
        search.add_start(near);
        search.run();
        CHECK(search.result().cost == 39);
        search.restart(0);
        search.run();
        CHECK(search.result().cost == steps[0]);
        CHECK(search.result().path.front() == 0);
    }
}

TEST_CASE("a flat search goes on from a checkpoint, and in pieces", "[flat]") {
    const Small floor(1);
    const Distance<40> distance{&floor};
    npuzzle::AStar whole(WholeCosts{}, floor, std::uint32_t{0}, distance);
    whole.run();
    npuzzle::AStar first(WholeCosts{}, floor, std::uint32_t{0}, distance, {.expansions = 100});
    CHECK(first.run() == npuzzle::Status::expansion_limit);
    std::stringstream file;
    npuzzle::save_checkpoint(first, file);
    npuzzle::AStar second(WholeCosts{}, floor, std::uint32_t{0}, distance);
    npuzzle::load_checkpoint(second, file);
    second.run();
    check_equal(second.result(), whole.result());
    CHECK(first.resume());
    first.run();
    check_equal(first.result(), whole.result());
}

TEST_CASE("other searches take flat tables with whole costs", "[flat]") {
    const Small floor(1);
    const std::vector<int> steps = floor.steps_from(0);
    const auto parallel = npuzzle::parallel_astar<FlatPolicy>(floor, 0, Distance<40>{&floor},
                                                              {.threads = 2, .serial_nodes = 100});
    CHECK(parallel.cost == steps.back());
    const auto tree = npuzzle::shortest_path_tree<FlatPolicy>(floor, 0);
    int wrong = 0;
    for (std::uint32_t cell = 0; cell < floor.size(); ++cell) {
        wrong += tree.cost_to(cell).value_or(-1) == steps[cell] ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("FlatPolicy finds the same costs where these differ", "[flat]") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Numbers<4000> ring(seed, 2'000, 900);
        const auto expected = npuzzle::dijkstra<IndexedPolicy>(ring, 0);
        check_equal(npuzzle::dijkstra<FlatPolicy>(ring, 0), expected);
    }
}
