#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/iterative_deepening.hpp>
#include <npuzzle/search/parallel.hpp>
#include <npuzzle/search/with_goals.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace {

using npuzzle::astar;
using npuzzle::Manhattan;
using npuzzle::NearestGoal;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::with_goals;
using test::Graph;
using test::Random;
using test::Table;

using Boards = std::vector<PackedBoard<3>>;
using Several = decltype(with_goals(std::declval<const SlidingPuzzle<3>&>(), Boards{}));

static_assert(npuzzle::CompactProblem<Several>);
static_assert(npuzzle::HasHash<Several>);
static_assert(!npuzzle::HasGoalState<Several>); // of which there may be several
static_assert(npuzzle::HeuristicFor<NearestGoal<Manhattan>, Several>);
static_assert(npuzzle::declares_consistent<npuzzle::bound_t<NearestGoal<Manhattan>, Several>>);

} // namespace

TEST_CASE("several goals of the puzzle, with every capability", "[with_goals]") {
    const oracle::PuzzleSpace<3> one(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 8, 0});
    const oracle::PuzzleSpace<3> two(oracle::Cells<3>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    const SlidingPuzzle<3> puzzle;
    const auto problem =
        with_goals(puzzle, Boards{npuzzle::PackedBoard<3>{}, PackedBoard<3>(npuzzle::goal_blank_first(3))});
    const NearestGoal heuristic{Manhattan{}};
    auto nearest = npuzzle::bind_heuristic(heuristic, problem);
    auto to_first = npuzzle::bind_heuristic(Manhattan{}, puzzle);
    const SlidingPuzzle<3> other(npuzzle::goal_blank_first(3));
    auto to_second = npuzzle::bind_heuristic(Manhattan{}, other);
    int nearer = 0;
    for (const auto& cells : one.solvable(9000)) {
        const PackedBoard<3> board(cells);
        const int first = one.depth(cells);
        const int second = two.depth(cells);
        const int least = second >= 0 ? std::min(first, second) : first;
        nearer += least < first ? 1 : 0;
        CHECK(nearest(board) == std::min(to_first(board), to_second(board)));
        for (const auto& result :
             {astar(problem, board, heuristic), npuzzle::ida_star(problem, board, heuristic),
              npuzzle::parallel_astar(problem, board, heuristic, {.threads = 2}),
              npuzzle::parallel_ida_star(problem, board, heuristic, {.threads = 2}),
              npuzzle::breadth_first(problem, board)}) {
            CHECK(result.status == Status::solved);
            CHECK(result.cost == least);
            CHECK(result.moves.size() == static_cast<std::size_t>(least));
            CHECK(result.statistics.contract_violations == 0);
        }
    }
    CHECK(nearer > 0);
}

TEST_CASE("a set of goals knows each of many states of one hash", "[with_goals]") {
    struct Crowded : Graph<int> {
        using Graph<int>::Graph;
        std::size_t hash(int vertex) const { return static_cast<std::size_t>(vertex) % 2; }
    };
    const Crowded graph(300);
    std::vector<int> goals;
    for (int vertex = 0; vertex < 300; vertex += 3) {
        goals.push_back(vertex);
        goals.push_back(vertex);
    }
    const auto problem = with_goals(graph, goals);
    for (int vertex = 0; vertex < 300; ++vertex) {
        CHECK(problem.is_goal(vertex) == (vertex % 3 == 0));
    }
}

TEST_CASE("a set of goals knows states that cannot be hashed, and none", "[with_goals]") {
    struct Point {
        double x;
        Point(double at = 0) : x(at) {}
        bool operator==(const Point&) const = default;
    };
    struct Line {
        using State = Point;
        std::vector<Point> neighbors(const Point& p) const { return {{p.x + 1}}; }
        bool is_goal(const Point&) const { return false; }
    };
    static_assert(!npuzzle::HasHash<Line>);
    const Line line;
    const auto problem = with_goals(line, std::vector<Point>{{7}, {3}});
    CHECK(npuzzle::iterative_deepening(problem, Point{}).path.size() == 4);

    const SlidingPuzzle<2> puzzle;
    const auto none = with_goals(puzzle, std::vector<PackedBoard<2>>{});
    CHECK(astar(none, PackedBoard<2>{}, NearestGoal{Manhattan{}}).status == Status::unsolvable);
}

TEST_CASE("the cheapest path from any of several starts to any of several goals is found", "[with_goals]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        INFO("seed " << seed);
        auto graph = test::random_graph<int>(seed, 25, 55, 1);
        Random random(seed);
        std::vector<int> goals(static_cast<std::size_t>(random.between(0, 6)));
        std::vector<int> starts(static_cast<std::size_t>(random.between(1, 4)));
        for (int& goal : goals) goal = random.between(0, 24);
        for (int& start : starts) start = random.between(0, 24);
        const auto problem = with_goals(graph, goals);
        npuzzle::AStar search(problem, starts[0], npuzzle::Zero{});
        for (const int start : starts) search.add_start(start);
        search.run();
        const auto result = search.result();
        auto other = graph; // with these goals built in
        std::fill(other.goals.begin(), other.goals.end(), false);
        for (const int goal : goals) other.add_goal(goal);
        std::optional<int> least;
        for (const int start : starts) {
            const auto cost = oracle::least_cost<int>(other, start);
            least = cost && (!least || *cost < *least) ? cost : least;
        }
        REQUIRE(result.status == (least ? Status::solved : Status::unsolvable));
        if (!least) continue;
        ++solved;
        CHECK(result.cost == *least);
        test::check_path(other, result.path.front(), result);
        CHECK(std::count(starts.begin(), starts.end(), result.path.front()) > 0);
    }
    CHECK(solved > 50);
    CHECK(solved < 90);
}
