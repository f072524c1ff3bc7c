#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/combinators.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::ida_star;
using npuzzle::IdaStarOptions;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Random;

struct Events : npuzzle::SilentObserver {
    int starts = 0;
    std::uint64_t expansions = 0;
    int goals = 0;
    int ends = 0;
    void start(const auto&) { ++starts; }
    void expand(const auto&) { ++expansions; }
    void goal(const auto&) { ++goals; }
    void progress(const npuzzle::Statistics&) { ++ends; }
    void progress(const npuzzle::Statistics&, const auto&) {}
};

/// A row that is changed in place. Beyond the start there is a wall: a step of infinite cost.
struct Walled {
    using State = std::vector<int>; // of one number
    using Move = int;
    static constexpr Move no_move = 0;
    static constexpr int start = 5;

    std::vector<npuzzle::Edge<State, int>> neighbors(const State& state) const {
        std::vector<npuzzle::Edge<State, int>> result;
        for_each_move(state, no_move,
                      [&](Move move) { result.push_back({{state[0] + move}, move_cost(state, move)}); });
        return result;
    }
    bool is_goal(const State& state) const { return state[0] == 0; }
    void for_each_move(const State&, Move last, auto visit) const {
        for (const Move move : {1, -1}) {
            if (move != -last) {
                visit(move);
            }
        }
    }
    void apply(State& state, Move move) const { state[0] += move; }
    static Move inverse(Move move) { return -move; }
    int move_cost(const State& state, Move move) const {
        return state[0] == start && move > 0 ? std::numeric_limits<int>::max() : 2;
    }
};

/// Steps an engine to its end. The bounds of its iterations rise, and each iteration expands something.
template <class Engine>
void check_steps(Engine& engine, const typename Engine::Value& first_bound) {
    REQUIRE(engine.status() == Status::running);
    REQUIRE(engine.bound() == first_bound);
    CHECK(engine.statistics().expanded == 0);
    CHECK(engine.result().path.empty());
    int iterations = 0;
    for (bool goes_on = true; goes_on; ++iterations) {
        const auto bound = engine.bound();
        const std::uint64_t before = engine.statistics().expanded;
        goes_on = engine.step();
        CHECK(engine.statistics().expanded > before);
        CHECK((!goes_on || *bound < *engine.bound()));
    }
    CHECK(iterations > 2);
    CHECK(engine.status() == Status::solved);
    CHECK_FALSE(engine.step());
}

template <class Puzzle, class Board>
void check_engine(const Puzzle& puzzle, const Board& board) {
    const auto expected = npuzzle::ida_star(puzzle, board, Manhattan{});
    const auto same = [&](const auto& engine) {
        const auto result = engine.result();
        CHECK(result.status == expected.status);
        CHECK(result.cost == expected.cost);
        CHECK(result.path == expected.path);
        CHECK(result.moves == expected.moves);
        CHECK(result.statistics.expanded == expected.statistics.expanded);
        CHECK(result.statistics.generated == expected.statistics.generated);
        CHECK(engine.result().path == expected.path); // as often as it is asked for
        const auto without_path = engine.result_without_path();
        CHECK(without_path.path.empty());
        CHECK(without_path.moves == expected.moves);
        CHECK(without_path.cost == expected.cost);
    };
    const auto first = Manhattan{}.bind(puzzle)(board);
    npuzzle::IdaStar engine(puzzle, board, Manhattan{});
    check_steps(engine, first);
    same(engine);
    Events events;
    npuzzle::IdaStar watched(puzzle, board, Manhattan{}, {}, events);
    check_steps(watched, first);
    same(watched);
    CHECK(events.starts == 1);
    CHECK(events.expansions == expected.statistics.expanded);
    CHECK(events.goals == 1);
    CHECK(events.ends == 1);
    npuzzle::IdaStar with_options(puzzle, board, Manhattan{}, npuzzle::IdaStarOptions{.growth = 2});
    check_steps(with_options, first);
    same(with_options); // each step costs 1
}

} // namespace

TEST_CASE("IDA* can be stepped by iterations", "[ida_star]") {
    const auto board = npuzzle::random_walk(npuzzle::goal_blank_last(3), 60, std::uint64_t{3});
    check_engine(SlidingPuzzle<3>{}, PackedBoard<3>(board)); // unrolled
    check_engine(SlidingPuzzle(3), board);                   // in place
}

TEST_CASE("IDA* in place does not go through walls", "[ida_star]") {
    const Walled walled;
    npuzzle::IdaStar engine(walled, Walled::State{Walled::start}, npuzzle::Zero{}, {.expansions = 1000});
    CHECK(engine.run() == Status::solved);
    CHECK(engine.result().cost == 10);
    CHECK(engine.result().moves == std::vector<int>(5, -1));
}

namespace {

/// A map on which each cell costs something to enter, with walls: as many ways to a cell as there are.
template <class C>
struct Terrain {
    using State = int;
    using Move = std::uint8_t; // up, left, right, down, none
    static constexpr Move no_move = 4;

    int width;
    int height;
    std::vector<C> costs; // zero: a wall

    Terrain(std::uint64_t seed, int columns, int rows, int kinds, C unit) : width(columns), height(rows) {
        Random random(seed);
        for (int i = 0; i < width * height; ++i) {
            const int units = random.one_in(6) ? 0 : random.between(kinds / 2, kinds);
            costs.push_back(static_cast<C>(units) * unit);
        }
        costs.back() = unit;
    }

    C cost(int cell) const { return costs[static_cast<std::size_t>(cell)]; }
    std::optional<int> target(int cell, Move move) const {
        const int x = cell % width + (move == 2 ? 1 : move == 1 ? -1 : 0);
        const int y = cell / width + (move == 3 ? 1 : move == 0 ? -1 : 0);
        if (x < 0 || x >= width || y < 0 || y >= height || !(C{} < cost(y * width + x))) {
            return std::nullopt;
        }
        return y * width + x;
    }

    std::vector<npuzzle::Edge<int, C>> neighbors(int cell) const {
        std::vector<npuzzle::Edge<int, C>> edges;
        for_each_move(cell, no_move,
                      [&](Move move) { edges.push_back({*target(cell, move), move_cost(cell, move)}); });
        return edges;
    }
    bool is_goal(int cell) const { return cell == width * height - 1; }
    void for_each_move(int cell, Move last, auto visit) const {
        for (Move move = 0; move < 4; ++move) {
            if (target(cell, move) && (last == no_move || move != inverse(last))) {
                visit(move);
            }
        }
    }
    void apply(int& cell, Move move) const {
        const std::array<int, 4> steps{-width, -1, 1, width};
        cell += steps[move];
    }
    static Move inverse(Move move) { return move == no_move ? move : static_cast<Move>(3 - move); }
    C move_cost(int cell, Move move) const { return cost(*target(cell, move)); }
};

static_assert(npuzzle::MoveProblem<Terrain<int>>);
static_assert(npuzzle::MoveProblem<Terrain<double>>);

/// Estimates that are looked up, some of them zero: admissible, not consistent.
template <class C>
struct Partial {
    std::map<int, C> exact;
    int share; // of those that are kept: all but one in so many

    C operator()(int cell) const {
        const auto found = exact.find(cell);
        return found == exact.end() ? std::numeric_limits<C>::max()
               : cell % share == 0  ? C{}
                                    : found->second / 2;
    }
};

/// Told of goals, each cheaper than the one before.
template <class C>
struct Goals : npuzzle::SilentObserver {
    std::vector<C> costs;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    void expand(const auto&) { ++expanded; }
    void generate(const auto&, const auto&) { ++generated; }
    void goal(const auto& node) { costs.push_back(node.cost); }
};

} // namespace

TEMPLATE_TEST_CASE("IDA* with bounds that grow finds the optimum", "[ida_star]", int, double) {
    const TestType unit = std::is_same_v<TestType, double> ? static_cast<TestType>(0.0009765625) : 1;
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Terrain<TestType> terrain(seed, 5, 4, std::is_same_v<TestType, double> ? 1000 : 9, unit);
        const auto least = oracle::least_cost<TestType>(terrain, 0);
        if (!least) {
            continue; // It would not end.
        }
        ++solved;
        const Partial<TestType> heuristic{oracle::costs_to_goal<TestType>(terrain, 0), seed % 3 == 0 ? 1 : 5};
        for (const double growth : {0.0, 2.0, 3.0}) {
            const IdaStarOptions options{growth};
            INFO("seed " << seed << ", growth " << growth);
            Goals<TestType> goals;
            const auto result = ida_star(terrain, 0, heuristic, options, {}, goals);
            REQUIRE(result.status == Status::solved);
            CHECK(result.cost == *least);
            test::check_path(terrain, 0, result);
            CHECK(result.moves.size() + 1 == result.path.size());
            CHECK(result.statistics.expanded == goals.expanded);
            CHECK(result.statistics.generated == goals.generated);
            REQUIRE(!goals.costs.empty());
            CHECK(goals.costs.back() == *least);
            for (std::size_t i = 1; i < goals.costs.size(); ++i) {
                CHECK(goals.costs[i] < goals.costs[i - 1]);
            }
            CHECK((growth > 1 || goals.costs.size() == 1));

            const TestType too_little = *least - unit;
            CHECK(ida_star(terrain, 0, heuristic, options, {.max_cost = *least}).cost == *least);
            CHECK(ida_star(terrain, 0, heuristic, options, {.max_cost = too_little}).status ==
                  Status::cost_limit);
        }
    }
    CHECK(solved > 20);
}

TEST_CASE("limits are kept with options", "[ida_star]") {
    const Terrain<int> terrain(3, 6, 5, 9, 1);
    const auto least = oracle::least_cost<int>(terrain, 0);
    REQUIRE(least.has_value());
    for (const double growth : {0.0, 2.0, 3.0}) {
        const IdaStarOptions options{growth};
        const auto whole = ida_star(terrain, 0, npuzzle::Zero{}, options);
        REQUIRE(whole.cost == *least);
        for (std::uint64_t limit = 0; limit < whole.statistics.expanded; limit += 1 + limit / 4) {
            const auto result = ida_star(terrain, 0, npuzzle::Zero{}, options, {.expansions = limit});
            CHECK(result.status == Status::expansion_limit);
            CHECK(result.statistics.expanded == limit);
            CHECK(result.path.empty());
        }
        const auto enough =
            ida_star(terrain, 0, npuzzle::Zero{}, options, {.expansions = whole.statistics.expanded});
        CHECK(enough.cost == *least);
        npuzzle::StopSource source;
        source.request_stop();
        CHECK(ida_star(terrain, 0, npuzzle::Zero{}, options, {.stop = source.get_token()}).status ==
              Status::cancelled);
        CHECK(ida_star(terrain, 0, npuzzle::Zero{}, options, {.time = std::chrono::nanoseconds{0}}).status ==
              Status::time_limit);
    }
}

namespace {

/// The vertices of a graph as words, which are not trivially copyable: IDA* makes its moves in place.
struct InWords {
    using State = std::string;
    test::Graph<int> graph;

    static int vertex(const State& word) { return static_cast<int>(word.size()); }
    std::vector<npuzzle::Edge<State, int>> neighbors(const State& word) const {
        std::vector<npuzzle::Edge<State, int>> result;
        for (const auto& edge : graph.neighbors(vertex(word))) {
            result.push_back({State(static_cast<std::size_t>(edge.to), 'x'), edge.cost});
        }
        return result;
    }
    bool is_goal(const State& word) const { return graph.is_goal(vertex(word)); }
};

/// Gives the neighbors of all vertices in the same memory.
struct InOneBuffer {
    using State = int;
    const test::Graph<int>* graph;
    std::vector<npuzzle::Edge<int, int>>* buffer;

    std::span<const npuzzle::Edge<int, int>> neighbors(int vertex) const {
        const auto& edges = graph->neighbors(vertex);
        std::fill(buffer->begin(), buffer->end(), npuzzle::Edge<int, int>{vertex, 0});
        std::copy(edges.begin(), edges.end(), buffer->begin());
        return std::span(*buffer).first(edges.size());
    }
    bool is_goal(int vertex) const { return graph->is_goal(vertex); }
};

} // namespace

TEST_CASE("IDA* finds a cheapest path where there are no moves", "[ida_star]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        INFO("seed " << seed);
        const InWords words{test::random_graph<int>(seed, 8, 16, 1)};
        const auto least = oracle::least_cost<int>(words.graph, 0);
        if (!least) {
            continue; // It would not end.
        }
        ++solved;
        const auto exact = oracle::costs_to_goal<int>(words.graph, 0);
        const auto half = [&](int vertex) {
            const auto found = exact.find(vertex);
            return found == exact.end() ? 0 : found->second / 2;
        };
        const auto of_word = [&](const std::string& word) { return half(InWords::vertex(word)); };

        const auto result = npuzzle::ida_star(words.graph, 0, half);
        CHECK(result.cost == *least);
        const auto in_place = npuzzle::ida_star(words, "", of_word);
        CHECK(in_place.cost == *least);
        CHECK(oracle::path_cost<int>(words.graph, result.path) == *least);
        CHECK(std::set(result.path.begin(), result.path.end()).size() == result.path.size());
        CHECK(in_place.path.size() == result.path.size());
        CHECK(in_place.statistics.expanded == result.statistics.expanded);

        const auto called = npuzzle::ida_star(
            std::string(), [&](const std::string& word) { return words.neighbors(word); }, of_word,
            [&](const std::string& word) { return words.is_goal(word); },
            npuzzle::IdaStarOptions{.growth = 2});
        CHECK(called.cost == *least);
        CHECK(std::set(called.path.begin(), called.path.end()).size() == called.path.size());
        CHECK(words.is_goal(called.path.back()));
    }
    CHECK(solved > 50);
}

TEST_CASE("IDA* goes back to no state that it comes from", "[ida_star]") {
    const auto neighbors = [](int x) { return std::vector{x - 1, x + 1}; };
    const auto is_goal = [](int x) { return x == 12; };
    const auto result = npuzzle::ida_star(0, neighbors, is_goal);
    CHECK(result.cost == 12);
    CHECK(result.path.size() == 13);
    // Under the bound b, 2 b + 1 states on both sides; under the last one it stops at the goal.
    CHECK(result.statistics.expanded <= 13 * 13);
    CHECK(npuzzle::ida_star(0, neighbors, npuzzle::Zero{}, is_goal, {.expansions = 5}).status ==
          npuzzle::Status::expansion_limit);
}

TEST_CASE("neighbors need last only until the next call of neighbors", "[ida_star]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 8, 16, 1);
        std::vector<npuzzle::Edge<int, int>> buffer(64);
        const InOneBuffer lending{&graph, &buffer};
        if (const auto least = oracle::least_cost<int>(graph, 0)) {
            ++solved;
            const auto result = npuzzle::ida_star(lending, 0, npuzzle::Zero{});
            CHECK(result.cost == *least);
            CHECK(oracle::path_cost<int>(graph, result.path) == *least);
        }
    }
    CHECK(solved > 10);
}

TEST_CASE("a circle of steps that cost nothing ends without a goal", "[ida_star]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 0).connect(1, 2, 0).connect(2, 0, 0).connect(2, 2, 0);
    CHECK(npuzzle::ida_star(graph, 0, npuzzle::Zero{}).status == npuzzle::Status::unsolvable);
    test::Graph<double> absorbed(3); // steps too short to change the cost
    absorbed.connect(0, 1, 1e17).connect(1, 2, 1).connect(2, 1, 2);
    CHECK(npuzzle::ida_star(absorbed, 0, npuzzle::Zero{}).status == npuzzle::Status::unsolvable);
}
