// The code in docs/problem.md and of other guides to searches: what stands there stands here, and is run.

#include <npuzzle/maps.hpp>
#include <npuzzle/puzzle.hpp>
#include <npuzzle/search.hpp>

#include "support/catch.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace own_state {

struct Train {
    std::string station;
    int minute = 0;

    friend bool operator==(const Train&, const Train&) = default;
    friend std::size_t hash_value(const Train& train) {
        return npuzzle::hash_of(std::pair(train.station, train.minute));
    }
};

static_assert(npuzzle::Hashable<Train>);

} // namespace own_state

namespace pancakes {

// Eight pancakes on a plate, to be sorted by size. A move flips some of the top ones.
struct Pancakes {
    using State = std::array<std::uint8_t, 8>;

    std::vector<State> neighbors(const State& stack) const {
        std::vector<State> stacks;
        for (int flip = 2; flip <= 8; ++flip) {
            stacks.push_back(stack);
            std::reverse(stacks.back().begin(), stacks.back().begin() + flip);
        }
        return stacks;
    }
    bool is_goal(const State& stack) const { return std::is_sorted(stack.begin(), stack.end()); }
};

struct MovablePancakes : Pancakes {
    using Move = std::uint8_t;
    static constexpr Move no_move = 0;

    template <class F>
    void for_each_move(const State&, Move last, F&& f) const {
        for (Move flip = 2; flip <= 8; ++flip) {
            if (flip != last) f(flip);
        }
    }
    void apply(State& stack, Move flip) const { std::reverse(stack.begin(), stack.begin() + flip); }
    Move inverse(Move flip) const { return flip; }
};

static_assert(npuzzle::MoveProblem<MovablePancakes>);

// Two pancakes that touch but are not adjacent by size must be parted, by a flip of its own.
struct Gaps {
    int operator()(const Pancakes::State& stack) const {
        int gaps = stack.back() == 8 ? 0 : 1;
        for (std::size_t i = 0; i + 1 < stack.size(); ++i) gaps += is_gap(stack[i], stack[i + 1]);
        return gaps;
    }

    // A flip parts one pair and joins another. No other pair changes.
    int after(int gaps, const Pancakes::State& before, std::uint8_t flip,
              const Pancakes::State& after) const {
        if (flip == 8) return gaps - is_gap(before[7], 9) + is_gap(after[7], 9);
        return gaps - is_gap(before[flip - 1U], before[flip]) + is_gap(after[flip - 1U], after[flip]);
    }

protected:
    static int is_gap(int a, int b) { return a - b == 1 || b - a == 1 ? 0 : 1; }
};

static_assert(npuzzle::IncrementalHeuristicFor<Gaps, MovablePancakes>);

} // namespace pancakes

TEST_CASE("limits", "[docs]") {
    const npuzzle::SlidingPuzzle<4> puzzle;
    const npuzzle::PackedBoard<4> start(npuzzle::random_solvable(4, 2));
    const npuzzle::Manhattan manhattan;
    const auto result =
        npuzzle::astar(puzzle, start, npuzzle::Manhattan{},
                       {.expansions = 100'000, .bytes = 64'000'000, .time = std::chrono::seconds{20}});
    if (!result.partial_path.empty()) { // the way to where the search had come
        CHECK(manhattan(result.partial_path.back()) < manhattan(start));
        CHECK(result.statistics.expanded == 100'000);
    }
    CHECK(result.status == npuzzle::Status::expansion_limit);

    npuzzle::Status status = npuzzle::Status::running;
    npuzzle::StopSource stop;
    std::thread worker(
        [&] { status = npuzzle::breadth_first(puzzle, start, {.stop = stop.get_token()}).status; });
    stop.request_stop(); // the user has closed the window
    worker.join();
    CHECK(status == npuzzle::Status::cancelled);
}

// How many states were expanded at each cost.
struct Histogram : npuzzle::SilentObserver {
    std::vector<int> expanded;

    void expand(const auto& node) {
        const auto cost = static_cast<std::size_t>(node.cost);
        if (cost >= expanded.size()) expanded.resize(cost + 1);
        ++expanded[cost];
    }
};

TEST_CASE("an observer", "[docs]") {
    Histogram histogram;
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> start({8, 1, 3, 4, 0, 2, 7, 6, 5});
    npuzzle::astar(puzzle, start, npuzzle::Zero{}, {}, histogram);
    CHECK(histogram.expanded[0] == 1);
    CHECK(histogram.expanded[1] == 4);
}

TEST_CASE("a search that goes on later", "[docs]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> start({8, 6, 7, 2, 5, 4, 3, 0, 1});
    npuzzle::AStar search(puzzle, start, npuzzle::Manhattan{}, {.expansions = 1'000});
    while (search.run() == npuzzle::Status::expansion_limit) {
        // The limit is for all of them together.
        search.resume({.expansions = search.statistics().expanded + 1'000});
    }
    CHECK(search.result().cost == 31);
}

TEST_CASE("several starts", "[docs]") {
    const auto problem = npuzzle::problem_from<int>([](int x) { return std::vector{x + 1, 2 * x}; },
                                                    [](int x) { return x == 97; });
    npuzzle::AStar engine(problem, 1, npuzzle::Zero{});
    engine.add_start(45);
    engine.run();
    CHECK(engine.result().path == std::vector{45, 46, 47, 48, 96, 97});
}

TEST_CASE("sooner, for a path that costs more", "[docs]") {
    const npuzzle::SlidingPuzzle<4> puzzle;
    const npuzzle::PackedBoard<4> start({5, 1, 2, 4, 9, 6, 3, 8, 13, 10, 7, 11, 0, 14, 15, 12});
    const npuzzle::Manhattan manhattan;

    const auto best = npuzzle::astar(puzzle, start, manhattan);
    const auto within_half = npuzzle::weighted_astar(puzzle, start, manhattan, {.weight = 1.5});
    const auto quick = npuzzle::greedy_best_first(puzzle, start, manhattan);
    const auto shaped = npuzzle::best_first(puzzle, start, manhattan, npuzzle::XdpPriority{1.5});
    CHECK(within_half.cost <= 1.5 * best.cost);

    CHECK(quick);
    CHECK(shaped.cost <= 1.5 * best.cost);
}

TEST_CASE("other goals, several starts", "[docs]") {
    const npuzzle::PackedBoard<3> start({1, 0, 2, 3, 4, 5, 6, 7, 8});
    const npuzzle::SlidingPuzzle<3> puzzle;
    const std::vector goals{npuzzle::PackedBoard<3>(npuzzle::goal_blank_last(3)),
                            npuzzle::PackedBoard<3>(npuzzle::goal_blank_first(3))};
    const auto either = npuzzle::with_goals(puzzle, goals);
    const auto nearer = npuzzle::astar(either, start, npuzzle::NearestGoal{npuzzle::Manhattan{}});

    CHECK(nearer.cost == 1);

    const std::vector starts{npuzzle::PackedBoard<3>(npuzzle::random_solvable(3, 5)),
                             npuzzle::PackedBoard<3>({1, 2, 3, 4, 5, 6, 0, 7, 8})};
    npuzzle::AStar search(puzzle, starts[0], npuzzle::Manhattan{});
    search.add_start(starts[1]);
    search.run();
    const auto best = search.result();
    CHECK(best.path.front() == starts[1]);
    CHECK(best.cost == 2);
}

TEST_CASE("no solution is cheaper", "[docs]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> start({8, 1, 3, 4, 0, 2, 7, 6, 5});

    const auto result = npuzzle::astar(puzzle, start, npuzzle::Manhattan{}, {.max_cost = 13});
    CHECK(result.status == npuzzle::Status::cost_limit); // proved: it takes more than 13 moves
}

TEST_CASE("searches without a heuristic", "[docs]") {
    const auto problem = npuzzle::problem_from<int>([](int x) { return std::vector{x + 1, 2 * x}; },
                                                    [](int x) { return x == 97; });
    CHECK(npuzzle::dijkstra(problem, 1).cost == 8);

    const npuzzle::SlidingPuzzle<2> puzzle;
    std::unordered_map<npuzzle::PackedBoard<2>, int> moves_to_goal;
    const auto all = npuzzle::for_each_reachable(
        puzzle, puzzle.goal(),
        [&](const npuzzle::PackedBoard<2>& board, int cost) { moves_to_goal[board] = cost; });
    CHECK(all); // no limit ended it
    CHECK(moves_to_goal.size() == 12);
}

TEST_CASE("several paths, and the paths to all states", "[docs]") {
    const npuzzle::UndirectedGraph<int> roads(4, {{0, 1, 2}, {1, 3, 2}, {0, 2, 5}, {2, 3, 2}, {1, 2, 1}});
    const auto routes = npuzzle::k_shortest_paths(roads.with_goal(3), 0, npuzzle::Zero{}, 3);
    CHECK(routes.paths.size() == 3);
    CHECK(routes.paths[1].path == std::vector<std::uint32_t>{0, 1, 2, 3});
    CHECK(routes.paths[1].cost == 5);

    std::vector<int> lengths;
    const auto tree = npuzzle::shortest_path_tree(roads, 0);
    CHECK(tree); // no limit ended it
    CHECK(tree.cost_to(3) == 4);
    CHECK(tree.path_to(3) == std::vector<std::uint32_t>{0, 1, 3});
    for (const auto& [vertex, cost] : tree) { // the nearest first
        lengths.push_back(cost);
    }
    CHECK(lengths == std::vector{0, 2, 3, 4});
}

TEST_CASE("a tree from the goal guides a search for several paths", "[docs]") {
    const npuzzle::GridMap<int> grid(30, 30,
                                     [](int x, int y) { return x % 10 != 5 || y % 20 == x / 2 % 20; });
    const auto start = grid.cell(2, 25);
    const auto goal = grid.cell(27, 4);
    const int no_way = std::numeric_limits<int>::max();
    const auto to_goal = npuzzle::shortest_path_tree(grid, goal);
    const auto exact = [&](std::uint32_t cell) { return to_goal.cost_to(cell).value_or(no_way); };
    const auto guided = npuzzle::k_shortest_paths(grid.with_goal(goal), start, exact, 10);
    CHECK(guided.paths.size() == 10);
    CHECK(guided.statistics.expanded < 12'000); // 80,000 without a heuristic
}

namespace far_apart {

// Each number leads to its successor and to its double.
struct Doubling {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
    std::vector<int> predecessors(int x) const {
        return x % 2 == 0 ? std::vector{x - 1, x / 2} : std::vector{x - 1};
    }
    bool is_goal(int x) const { return x == 1'000'000; }
    int goal() const { return 1'000'000; }
};

} // namespace far_apart

TEST_CASE("from both ends", "[docs]") {
    CHECK(npuzzle::bidirectional_breadth_first(far_apart::Doubling{}, 1).cost == 25);
}

TEST_CASE("a puzzle from both ends", "[docs]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_55({13, 8, 14, 3, 9, 1, 0, 7, 15, 5, 4, 10, 12, 2, 6, 11});

    const auto both = npuzzle::bidirectional_astar(puzzle, korf_55, npuzzle::Manhattan{});
    CHECK(both.cost == 41);
    CHECK(both.moves.size() == 41);
}
