#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/all_paths.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <set>
#include <stdexcept>
#include <vector>

namespace {

using npuzzle::all_optimal_paths;
using npuzzle::AllPaths;
using npuzzle::count_optimal;
using npuzzle::for_each_optimal_path;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;

using Paths = std::vector<std::vector<int>>;
using Graph = test::Graph<int>;
using Table = test::Table<int>;

const Table no_estimates;

constexpr std::size_t many = 1'000'000;
constexpr std::uint64_t overflowed = std::numeric_limits<std::uint64_t>::max();

/// All paths of a cost, gone through one by one: without repetition, up to the first goal.
template <class C>
void paths_of_cost(const test::Graph<C>& graph, C cost, C so_far, std::vector<int>& path, Paths& found) {
    const int last = path.back();
    if (graph.is_goal(last)) {
        if (so_far == cost && std::find(found.begin(), found.end(), path) == found.end()) {
            found.push_back(path);
        }
        return;
    }
    for (const auto& edge : graph.neighbors(last)) {
        if (so_far + edge.cost <= cost && std::find(path.begin(), path.end(), edge.to) == path.end()) {
            path.push_back(edge.to);
            paths_of_cost(graph, cost, static_cast<C>(so_far + edge.cost), path, found);
            path.pop_back();
        }
    }
}

template <class C>
Paths cheapest_paths(const test::Graph<C>& graph, int start) {
    Paths found;
    if (const auto cost = oracle::least_cost<C>(graph, start)) {
        std::vector<int> path{start};
        paths_of_cost(graph, *cost, C{}, path, found);
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Paths of a result, as often as the parts of the library say there are.
template <class P, class H>
Paths checked_paths(const P& problem, int start, const H& heuristic) {
    const auto all = all_optimal_paths(problem, start, heuristic, many);
    const auto counted = count_optimal(problem, start, heuristic);
    Paths visited;
    const auto each = for_each_optimal_path(problem, start, heuristic,
                                            [&](const std::vector<int>& path) { visited.push_back(path); });
    const auto cost = oracle::least_cost<npuzzle::cost_t<P>>(problem, start);
    const Status status = cost ? Status::solved : Status::unsolvable;
    bool is_right = all.paths == visited && all.is_complete && counted.is_complete && each.is_complete;
    for (const auto& result : {all, counted, each}) {
        is_right = is_right && result.status == status && result.cost == cost.value_or(0) &&
                   result.count == visited.size() && result.statistics.contract_violations == 0;
        is_right = is_right && (visited.empty() ? result.path.empty() : result.path == visited.front());
    }
    if (!is_right) {
        FAIL("three ways to ask, and the answers differ: " << visited.size() << " visited, " << counted.count
                                                           << " counted, " << all.paths.size() << " given");
    }
    std::sort(visited.begin(), visited.end());
    return visited;
}

/// A chain of diamonds: two ways each from one waist to the next.
Graph diamonds(int count) {
    Graph graph(static_cast<std::size_t>(3 * count + 1));
    for (int i = 0; i < count; ++i) {
        graph.connect(3 * i, 3 * i + 1, 1).connect(3 * i, 3 * i + 2, 1);
        graph.connect(3 * i + 1, 3 * i + 3, 1).connect(3 * i + 2, 3 * i + 3, 1);
    }
    graph.add_goal(3 * count);
    return graph;
}

} // namespace

TEST_CASE("the board with two shortest solutions of seven moves", "[all_paths]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> start({1, 2, 3, 0, 7, 6, 5, 4, 8});
    const auto counted = count_optimal(puzzle, start, Manhattan{});
    CHECK(counted.count == 2);
    CHECK(counted.cost == 7);
    CHECK(counted.status == Status::solved);
    CHECK(counted.is_complete);
    CHECK(counted.path.size() == 8);
    CHECK(counted.moves.size() == 7);
    std::set<std::vector<npuzzle::Move>> solutions;
    const auto each =
        for_each_optimal_path(puzzle, start, Manhattan{}, [&](const auto& path, const auto& moves) {
            PackedBoard<3> board = start;
            REQUIRE(path.size() == 8);
            REQUIRE(moves.size() == 7);
            CHECK(path.front() == start);
            for (std::size_t i = 0; i < moves.size(); ++i) {
                puzzle.apply(board, moves[i]);
                CHECK(board == path[i + 1]);
            }
            CHECK(puzzle.is_goal(board));
            solutions.insert(moves);
        });
    CHECK(each.count == 2);
    CHECK(solutions.size() == 2);
    CHECK(all_optimal_paths(puzzle, start, Manhattan{}, 5).paths.size() == 2);
}

TEST_CASE("the 8-puzzle's shortest solutions are as many as breadth-first search counts", "[all_paths]") {
    std::size_t number = 0;
    std::uint64_t most = 0;
    for (const auto& [cells, paths] : oracle::shortest_paths_of_size_3()) {
        most = std::max(most, paths);
        if (number++ % 200 != 0) {
            continue;
        }
        const auto result = count_optimal(SlidingPuzzle<3>{}, PackedBoard<3>(cells), Manhattan{});
        if (!result || result.count != paths || !result.is_complete) {
            FAIL(result.count << " paths instead of " << paths << ": " << PackedBoard<3>(cells));
        }
    }
    CHECK(number == 181'440);
    CHECK(most > 10);
}

TEST_CASE("random graphs: the paths are those of a search without any cleverness", "[all_paths]") {
    std::size_t several = 0;
    std::size_t unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        // Small costs, so that there are many of one length; a fifth of the steps cost nothing.
        const Graph graph = test::random_graph<int>(seed, 9, 22, 2, 1 + static_cast<int>(seed % 4));
        CAPTURE(seed);
        const Paths expected = cheapest_paths(graph, 0);
        several += expected.size() > 1 ? 1 : 0;
        unsolvable += expected.empty() ? 1 : 0;
        // Without estimates, with exact ones, and with some that are admissible and not consistent.
        Table exact;
        Table rough;
        test::Random random(seed);
        const auto costs = oracle::costs_to_goal<int>(graph, 0);
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            const auto cost = costs.find(vertex);
            exact.values[vertex] = cost == costs.end() ? std::numeric_limits<int>::max() : cost->second;
            if (cost != costs.end()) {
                rough.values[vertex] = random.between(0, cost->second);
            }
        }
        for (const Table& table : {Table{}, exact, rough}) {
            if (checked_paths(graph, 0, table) != expected) {
                FAIL("other paths than there are");
            }
        }
    }
    CHECK(several > 200);
    CHECK(unsolvable > 20);
}

TEST_CASE("what counts as a path", "[all_paths]") {
    const auto paths = [](const std::vector<std::array<int, 3>>& edges, const std::vector<int>& goals) {
        Graph graph(5);
        for (const auto& [from, to, cost] : edges) {
            graph.connect(from, to, cost);
        }
        for (const int goal : goals) {
            graph.add_goal(goal);
        }
        return checked_paths(graph, 0, no_estimates);
    };
    // Parallel edges of equal cost make one path, dearer ones none; nor does a step in place make another.
    CHECK(paths({{0, 1, 3}, {0, 1, 2}, {0, 1, 2}}, {1}) == Paths{{0, 1}});
    CHECK(paths({{0, 0, 0}, {0, 1, 2}}, {1}) == Paths{{0, 1}});
    // A path ends at the first goal, though another one can be had for nothing.
    CHECK(paths({{0, 1, 0}}, {0, 1}) == Paths{{0}});
    CHECK(paths({{0, 1, 1}, {1, 2, 0}}, {1, 2}) == Paths{{0, 1}});
    // All goals of the least cost, and no others.
    CHECK(paths({{0, 1, 2}, {0, 2, 2}, {0, 3, 3}}, {1, 2, 3}) == Paths{{0, 1}, {0, 2}});
    // Around a circle that costs nothing no state comes twice: three ways of one vertex, six of two, six of
    // three. Nor is a start on such a circle passed again.
    std::vector<std::array<int, 3>> circle;
    for (const int a : {1, 2, 3}) {
        circle.insert(circle.end(), {{0, a, 1}, {a, 4, 1}, {a, 1, 0}, {a, 2, 0}, {a, 3, 0}});
    }
    CHECK(paths(circle, {4}).size() == 15);
    CHECK(paths({{0, 1, 0}, {1, 0, 0}, {1, 2, 1}, {0, 2, 1}}, {2}) == Paths{{0, 1, 2}, {0, 2}});
    CHECK(paths({{0, 1, 1}}, {2}).empty());
}

TEST_CASE("a state that is reopened, at a cost that makes no difference, neither adds nor hides paths",
          "[all_paths]") {
    test::Graph<double> graph(5);
    graph.connect(0, 2, 1).connect(0, 3, 1).connect(0, 1, 0.5).connect(1, 2, 0.25);
    graph.connect(2, 4, 0x1p53).connect(3, 4, 0x1p53).add_goal(4);
    const auto late = [](int vertex) { return vertex == 1 ? 1000.0 : 0.0; };
    const auto result = count_optimal(graph, 0, late);
    CHECK(result.statistics.reopened == 1);
    CHECK(result.count == 2);
}

TEST_CASE("several starts", "[all_paths]") {
    Graph graph(5);
    graph.connect(0, 2, 1).connect(1, 2, 1).connect(2, 4, 1).connect(1, 4, 2).connect(3, 4, 1).add_goal(4);
    Paths paths;
    const auto visit = [&](const std::vector<int>& path) { paths.push_back(path); };
    {
        AllPaths engine(graph, 0, no_estimates);
        engine.add_start(1);
        engine.add_start(0); // once more
        CHECK(engine.for_each(visit).count == 3);
        std::sort(paths.begin(), paths.end());
        CHECK(paths == Paths{{0, 2, 4}, {1, 2, 4}, {1, 4}});
        CHECK(engine.count().count == 3);
    }
    paths.clear();
    AllPaths engine(graph, 0, no_estimates);
    engine.add_start(3); // nearer than the other
    CHECK(engine.for_each(visit).count == 1);
    CHECK(paths == Paths{{3, 4}});

    AllPaths stepped(graph, 0, no_estimates);
    stepped.step();
    CHECK_THROWS_AS(stepped.add_start(3), std::logic_error);
}

TEST_CASE("the number of visits is known when memory ends during one", "[all_paths]") {
    int visits = 0;
    const auto result = npuzzle::for_each_optimal_path(diamonds(5), 0, no_estimates, [&](const auto&) {
        if (++visits == 3) throw std::bad_alloc();
    });
    CHECK(result.status == Status::memory_limit);
    CHECK(result.count == 3);
}

TEST_CASE("counts are not made by enumeration, and say when they are too large", "[all_paths]") {
    for (const int count : {1, 2, 10, 62, 63}) {
        const auto result = count_optimal(diamonds(count), 0, no_estimates);
        CHECK(result.count == std::uint64_t{1} << count);
        CHECK(result.is_complete);
    }
    for (const int count : {64, 65, 200, 1000}) {
        const auto result = count_optimal(diamonds(count), 0, no_estimates);
        CHECK(result.status == Status::solved);
        CHECK(result.cost == 2 * count);
        CHECK(result.count == overflowed);
        CHECK_FALSE(result.is_complete);
    }
    // From the engine both can be had, and the paths one after another.
    const Graph graph = diamonds(1000);
    AllPaths engine(graph, 0, no_estimates);
    CHECK(engine.run() == Status::solved);
    CHECK(engine.count().count == overflowed);
    std::set<std::vector<int>> some;
    const auto each = engine.for_each([&](const std::vector<int>& path) {
        some.insert(path);
        return some.size() < 50;
    });
    CHECK(each.status == Status::solved);
    CHECK(each.count == 50);
    CHECK_FALSE(each.is_complete);
    CHECK(each.path.size() == 2001);
}

TEST_CASE("no more paths than asked for, and whether there are more", "[all_paths]") {
    const Graph graph = diamonds(3);
    for (const std::size_t most : {0U, 7U, 8U, 9U}) {
        const auto result = all_optimal_paths(graph, 0, no_estimates, most);
        CHECK(result.status == Status::solved);
        CHECK(result.paths.size() == std::min<std::size_t>(most, 8));
        CHECK(result.count == result.paths.size());
        CHECK(result.is_complete == (most >= 8));
        CHECK(result.path.size() == 7);
    }
}

TEST_CASE("limits are kept, in the search and after it", "[all_paths]") {
    const Graph graph = diamonds(40);
    const auto whole = count_optimal(graph, 0, no_estimates);
    REQUIRE(whole.status == Status::solved);
    for (std::uint64_t expansions = 0; expansions < whole.statistics.expanded; ++expansions) {
        const auto result = count_optimal(graph, 0, no_estimates, {.expansions = expansions});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == expansions);
        CHECK(result.path.empty());
        CHECK(result.count == 0);
        CHECK_FALSE(result.is_complete);
    }
    CHECK(count_optimal(graph, 0, no_estimates, {.expansions = whole.statistics.expanded}).count ==
          whole.count);
    CHECK(count_optimal(graph, 0, no_estimates, {.bytes = 1000}).status == Status::memory_limit);
    CHECK(count_optimal(graph, 0, no_estimates, {.bytes = whole.statistics.bytes}).count == whole.count);
    CHECK(count_optimal(graph, 0, no_estimates, {.time = std::chrono::nanoseconds{0}}).status ==
          Status::time_limit);

    // 2^40 paths: they are stopped while they are gone through.
    npuzzle::StopSource source;
    std::uint64_t visited = 0;
    const auto stopped = for_each_optimal_path(graph, 0, no_estimates,
                                               [&](const std::vector<int>&) {
                                                   if (++visited == 100) {
                                                       source.request_stop();
                                                   }
                                               },
                                               {.stop = source.get_token()});
    CHECK(stopped.status == Status::cancelled);
    CHECK(stopped.count == visited);
    CHECK(stopped.path.empty());
    CHECK_FALSE(stopped.is_complete);
    const auto late = for_each_optimal_path(graph, 0, no_estimates, [](const std::vector<int>&) {},
                                            {.time = std::chrono::milliseconds{30}});
    CHECK(late.status == Status::time_limit);
    CHECK(late.count > 0);
    CHECK(late.statistics.seconds >= 0.03);

    // Nor do the circles that cost nothing take longer than they may: 30 vertices, each a step of no cost
    // from each other.
    Graph circles(32);
    for (int a = 1; a <= 30; ++a) {
        circles.connect(0, a, 1).connect(a, 31, 1);
        for (int b = 1; b <= 30; ++b) {
            circles.connect(a, b, 0);
        }
    }
    circles.add_goal(31);
    const auto circled = count_optimal(circles, 0, no_estimates, {.time = std::chrono::milliseconds{30}});
    CHECK(circled.status == Status::time_limit);
    CHECK(circled.statistics.seconds < 5);
}

namespace {

/// From 0 to 1 by two moves of the same cost.
struct ParallelMoves {
    using State = int;
    using Move = int;
    static constexpr Move no_move = -1;

    template <class F>
    void for_each_move(State state, Move, F&& visit) const {
        if (state == 0) {
            visit(1);
            visit(2);
        }
    }
    void apply(State& state, Move) const { state = 1; }
    static Move inverse(Move move) { return move + 2; }
    std::vector<State> neighbors(State state) const {
        return state == 0 ? std::vector{1, 1} : std::vector<State>();
    }
    bool is_goal(State state) const { return state == 1; }
};

} // namespace

TEST_CASE("parallel steps make one path, with the move of the first", "[all_paths]") {
    const auto result = all_optimal_paths(ParallelMoves{}, 0, npuzzle::Zero{}, 10);
    CHECK(result.status == Status::solved);
    REQUIRE(result.paths.size() == 1);
    CHECK(result.moves == std::vector{1});
}
