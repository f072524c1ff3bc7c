#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/depth_first.hpp>
#include <npuzzle/search/iterative_deepening.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

using npuzzle::Status;
using test::Graph;

namespace {

using npuzzle::DepthFirstEngine;

/// A number, of which copies, comparisons and hashes are counted.
struct Counted {
    static inline std::uint64_t copies = 0;
    static inline std::uint64_t comparisons = 0;
    static inline std::uint64_t hashes = 0;

    int number;

    explicit Counted(int its_number) : number(its_number) {}
    Counted(const Counted& other) : number(other.number) { ++copies; }
    Counted& operator=(const Counted& other) {
        ++copies;
        number = other.number;
        return *this;
    }
    ~Counted() = default;

    friend bool operator==(const Counted& a, const Counted& b) {
        ++comparisons;
        return a.number == b.number;
    }
    friend std::size_t hash_value(const Counted& counted) {
        ++hashes;
        return static_cast<std::size_t>(counted.number);
    }
};

/// One number after another, with a step back from each.
struct LongWay {
    using State = Counted;
    int goal_number;

    std::vector<Counted> neighbors(const Counted& state) const {
        return {Counted(state.number / 2), Counted(state.number + 1)};
    }
    bool is_goal(const Counted& state) const { return state.number == goal_number; }
};

struct Order : npuzzle::SilentObserver {
    std::vector<int> expanded;
    std::vector<int> dropped;
    std::vector<int> goals;
    void expand(const auto& node) { expanded.push_back(node.state); }
    void duplicate(const auto& node) { dropped.push_back(node.state); }
    void goal(const auto& node) { goals.push_back(node.state); }
};

Graph<int> tree() {
    Graph<int> graph(7);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(1, 3, 1).connect(1, 4, 1).connect(2, 5, 1).connect(2, 6,
                                                                                                       1);
    return graph;
}

struct Starts : npuzzle::SilentObserver {
    int count = 0;
    void start(const auto& /*node*/) { ++count; }
};

/// Depth-first search as in a textbook: how many states it expands, until a goal is found.
bool expand_all(const Graph<int>& graph, int state, std::set<int>& path, std::uint64_t& expanded) {
    if (graph.is_goal(state)) {
        return true;
    }
    ++expanded;
    path.insert(state);
    for (const auto& edge : graph.neighbors(state)) {
        if (path.count(edge.to) == 0 && expand_all(graph, edge.to, path, expanded)) {
            return true;
        }
    }
    path.erase(state);
    return false;
}

} // namespace

TEST_CASE("the work of depth-first search is linear in the depth", "[depth_first]") {
    const auto work_to = [](int depth) {
        Counted::copies = Counted::comparisons = Counted::hashes = 0;
        const auto result = npuzzle::depth_first(LongWay{depth}, Counted(0));
        CHECK(result.path.size() == static_cast<std::size_t>(depth) + 1);
        return Counted::copies + Counted::comparisons + Counted::hashes;
    };
    const std::uint64_t work = work_to(10'000);
    CHECK(work < 300'000);
    CHECK(work_to(40'000) < 5 * work);
}

TEST_CASE("the way back to where a path came from is not generated", "[depth_first]") {
    Graph<int> graph(5);
    for (int vertex = 0; vertex + 1 < graph.size(); ++vertex) {
        graph.connect(vertex, vertex + 1, 1).connect(vertex + 1, vertex, 1);
    }
    graph.add_goal(4);
    const auto result = npuzzle::depth_first(graph, 0);
    CHECK(result.statistics.generated == 4);
    CHECK(result.statistics.duplicates == 0);
}

TEST_CASE("depth-first search expands what a textbook's does, on long paths, too", "[depth_first]") {
    std::uint64_t longest = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        // A long chain with steps back and forth, and a few ways to leave it out.
        test::Random random(seed);
        const int size = 300;
        Graph<int> graph(size);
        for (int vertex = 0; vertex + 1 < size; ++vertex) {
            graph.connect(vertex, random.between(0, vertex), 1);
            graph.connect(vertex, vertex + 1, 1);
        }
        for (int shortcut = 0; shortcut < 5; ++shortcut) {
            const int from = random.between(0, size - 2);
            graph.connect(from, random.between(from, size - 1), 1);
        }
        graph.add_goal(random.one_in(3) ? size - 1 : random.between(1, size - 1));
        std::set<int> path;
        std::uint64_t expanded = 0;
        const bool is_found = expand_all(graph, 0, path, expanded);
        const auto result = npuzzle::depth_first(graph, 0);
        CHECK((result.status == Status::solved) == is_found);
        CHECK(result.statistics.expanded == expanded);
        test::check_path(graph, 0, result);
        longest = std::max(longest, result.statistics.stored);
    }
    CHECK(longest > 200);
    // Behind a chain, all ways through six vertices: without a goal, the search goes back over each of them.
    Graph<int> graph(106);
    for (int vertex = 0; vertex < 100; ++vertex) graph.connect(vertex, vertex + 1, 1);
    for (int from = 100; from < 106; ++from) {
        for (int to = 100; to < 106; ++to) graph.connect(from, to, 1);
    }
    const auto result = npuzzle::depth_first(graph, 0);
    CHECK(result.status == Status::unsolvable);
    CHECK(result.statistics.expanded == 100 + 1 + 5 + 20 + 60 + 120 + 120);
}

TEST_CASE("depth-first search goes no deeper than it may", "[depth_first]") {
    Graph<int> chain(10);
    for (int vertex = 0; vertex + 1 < 10; ++vertex) {
        chain.connect(vertex, vertex + 1, 3);
    }
    chain.add_goal(9);
    CHECK(npuzzle::depth_first(chain, 0, {.max_depth = 8}).status == Status::depth_limit);
    const auto result = npuzzle::depth_first(chain, 0, {.max_depth = 9});
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 27);
    CHECK(npuzzle::depth_first(chain, 0, {.max_depth = 100}, {.max_cost = 26}).status == Status::cost_limit);
    CHECK(npuzzle::depth_first(chain, 0, {.max_depth = 100}, {.max_cost = 27}).status == Status::solved);
    CHECK(npuzzle::depth_first(chain, 9, {.max_depth = 0}).status == Status::solved);
    CHECK(npuzzle::depth_first(chain, 0, {.max_depth = 0}).status == Status::depth_limit);
    Graph<int> loop(2);
    loop.connect(0, 1, 1).connect(1, 0, 1).connect(0, 0, 1);
    CHECK(npuzzle::depth_first(loop, 0, {.max_depth = 100}).status == Status::unsolvable);
}

TEST_CASE("depth-first search tries moves in their order", "[depth_first]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    // One move right would do, but up comes before it.
    const npuzzle::PackedBoard<3> board(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 0, 8});
    const auto result = npuzzle::depth_first(puzzle, board, {.max_depth = 25});
    test::check_path(puzzle, board, result);
    CHECK(result.cost > 1);
    CHECK(result.moves.front() == npuzzle::Move::up);
    CHECK(npuzzle::depth_first(puzzle, board, {.max_depth = 1}).moves == std::vector{npuzzle::Move::right});
    CHECK(result.statistics.stored <= 26);
}

TEST_CASE("the first neighbor goes first, with all that comes behind it", "[depth_first]") {
    auto graph = tree();
    graph.add_goal(5).connect(3, 0, 1);
    Order order;
    DepthFirstEngine<Graph<int>, Order&> engine(graph, 0, {.max_depth = 10}, {}, order);
    int steps = 0;
    while (engine.step()) {
        ++steps;
    }
    CHECK(engine.status() == Status::solved);
    CHECK(order.expanded == std::vector{0, 1, 3, 4, 2});
    CHECK(order.dropped == std::vector{0});
    CHECK(order.goals == std::vector{5});
    CHECK(steps == 5);
    CHECK(engine.result().path == std::vector{0, 2, 5});
    CHECK(engine.result().cost == 2);
    CHECK_FALSE(engine.step());
    const auto statistics = engine.statistics();
    CHECK(statistics.expanded == 5);
    CHECK(statistics.generated == 7);
    CHECK(statistics.duplicates == 1);
    CHECK(statistics.stored == 3);
    CHECK(statistics.peak_open == 3);
}

TEST_CASE("costs that the type cannot hold are not followed", "[depth_first]") {
    Graph<std::int8_t> graph(3);
    graph.connect(0, 1, 100).connect(1, 2, 100).add_goal(2);
    DepthFirstEngine<Graph<std::int8_t>> engine(graph, 0, {.max_depth = 10});
    CHECK(engine.run() == Status::cost_overflow);
}

TEST_CASE("depth-first search proves nothing of depths where it left out a cost that the type cannot hold",
          "[depth_first]") {
    Graph<std::int8_t> graph(5);
    graph.connect(0, 1, 100).connect(1, 2, 100).connect(0, 3, 1).connect(3, 4, 1).connect(4, 2, 1).add_goal(
        2);
    CHECK(npuzzle::depth_first(graph, 0, {.max_depth = 1}).status == Status::depth_limit);
    CHECK(npuzzle::depth_first(graph, 0, {.max_depth = 2}).status == Status::cost_overflow);
    CHECK(npuzzle::depth_first(graph, 0, {.max_depth = 2}, {.max_cost = 100}).status == Status::depth_limit);
    CHECK(npuzzle::iterative_deepening(graph, 0).status == Status::cost_overflow);
    CHECK(npuzzle::iterative_deepening(graph, 0, {.max_cost = 100}).cost == 3);
}

TEST_CASE("depth-first search goes on where a bound on the depth had ended it", "[depth_first]") {
    const auto graph = tree();
    for (std::size_t depth = 0; depth < 5; ++depth) {
        DepthFirstEngine<Graph<int>> engine(graph, 0, {.max_depth = depth});
        CHECK(engine.run() == (depth <= 2 ? Status::depth_limit : Status::unsolvable));
        CHECK(engine.statistics().expanded == (depth == 0 ? 0 : depth == 1 ? 1 : depth == 2 ? 3 : 7));
    }
    DepthFirstEngine<Graph<int>> engine(graph, 0, {.max_depth = 0});
    for (std::size_t depth = 1; depth <= 3; ++depth) {
        CHECK(engine.run() == Status::depth_limit);
        engine.deepen(depth);
    }
    CHECK(engine.run() == Status::unsolvable);
    CHECK(engine.statistics().expanded == 0 + 1 + 3 + 7);
}

TEST_CASE("a start that is no state is refused before the observer hears of it", "[depth_first]") {
    struct Within : LongWay {
        bool contains(const Counted& state) const { return state.number < goal_number; }
    };
    const Within within{{.goal_number = 9}};
    Starts starts;
    CHECK_THROWS_AS(npuzzle::depth_first(within, Counted(9), {}, {}, starts), std::invalid_argument);
    CHECK_THROWS_AS(npuzzle::iterative_deepening(within, Counted(9), {}, starts), std::invalid_argument);
    CHECK(starts.count == 0);
}

TEST_CASE("depth-first search needs no hash of the states", "[depth_first]") {
    struct Mark {
        Mark(int of) : number(of) {}
        int number;
        bool operator==(const Mark&) const = default;
    };
    struct Marks {
        using State = Mark;
        std::vector<Mark> neighbors(Mark at) const { return {at.number / 2, at.number + 1}; }
        bool is_goal(Mark at) const { return at.number == 200; }
    };
    CHECK(npuzzle::depth_first(Marks{}, Mark(0)).path.size() == 201);
}

TEST_CASE("iterative deepening finds the fewest moves of near 8-puzzles", "[depth_first]") {
    const oracle::PuzzleSpace<3> space(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 8, 0});
    const npuzzle::SlidingPuzzle<3> puzzle;
    int solved = 0;
    for (const auto& cells : space.solvable(40)) {
        if (space.depth(cells) <= 12) {
            const npuzzle::PackedBoard<3> board(cells);
            const auto result = npuzzle::iterative_deepening(puzzle, board);
            CHECK(result.cost == space.depth(cells));
            test::check_path(puzzle, board, result);
            ++solved;
        }
    }
    CHECK(solved > 5);
    Graph<int> loop(2);
    loop.connect(0, 1, 1).connect(1, 0, 1).connect(0, 0, 1);
    CHECK(npuzzle::iterative_deepening(loop, 0).status ==
          Status::unsolvable); // no path without a repeated state is left
}
