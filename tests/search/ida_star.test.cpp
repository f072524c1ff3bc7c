#include <npuzzle/puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using npuzzle::Board;
using npuzzle::ida_star;
using npuzzle::Limits;
using npuzzle::Manhattan;
using npuzzle::MarksDeadEnds;
using npuzzle::Move;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::Zero;

/// A walk along the integers from `low` to `high`, without cycles: the search ends even if there is no goal.
template <class Cost>
struct Line {
    using State = int;
    enum class Move : std::uint8_t { back, forth, none };
    static constexpr Move no_move = Move::none;

    int low, high, target;
    Cost forth_cost = 1;

    std::vector<npuzzle::Edge<int, Cost>> neighbors(int x) const {
        std::vector<npuzzle::Edge<int, Cost>> edges;
        for_each_move(x, no_move, [&](Move move) {
            int to = x;
            apply(to, move);
            edges.push_back({to, move_cost(x, move)});
        });
        return edges;
    }
    bool is_goal(int x) const { return x == target; }
    void for_each_move(int x, Move last, auto visit) const {
        if (x > low && last != Move::forth) {
            visit(Move::back);
        }
        if (x < high && last != Move::back) {
            visit(Move::forth);
        }
    }
    void apply(int& x, Move move) const { x += move == Move::forth ? 1 : -1; }
    static Move inverse(Move move) {
        return move == Move::none ? move : move == Move::forth ? Move::back : Move::forth;
    }
    Cost move_cost(int /*x*/, Move move) const { return move == Move::forth ? forth_cost : Cost{1}; }
};

/// The puzzle without its capability for unrolling.
struct NotUnrolled {
    using State = PackedBoard<3>;
    using Move = npuzzle::Move;
    static constexpr Move no_move = Move::none;

    SlidingPuzzle<3> puzzle;

    auto neighbors(const State& board) const { return puzzle.neighbors(board); }
    bool is_goal(const State& board) const { return puzzle.is_goal(board); }
    void for_each_move(const State& board, Move last, auto visit) const {
        puzzle.for_each_move(board, last, visit);
    }
    void apply(State& board, Move move) const { puzzle.apply(board, move); }
    static Move inverse(Move move) { return npuzzle::inverse(move); }
};

/// The same, each step of cost 1.
struct Steps : Line<int> {
    static constexpr bool is_undirected = true;

    std::vector<int> neighbors(int x) const {
        std::vector<int> states;
        for_each_move(x, no_move, [&](Move move) { states.push_back(move == Move::forth ? x + 1 : x - 1); });
        return states;
    }
    int goal() const { return target; }
};

/// How far it is to the target, and what may be declared of that.
template <bool consistent, bool zero_at_goals>
struct Remaining {
    static constexpr bool is_consistent = consistent;
    static constexpr bool is_zero_at_goals = zero_at_goals;

    int target;

    int operator()(int x) const { return std::abs(target - x); }
};

/// Numbers that own memory and count their copies.
struct Counted : std::vector<int> {
    static inline int copies = 0;

    using std::vector<int>::vector;
    Counted(const Counted& other) : std::vector<int>(other) { ++copies; }
    Counted& operator=(const Counted& other) {
        std::vector<int>::operator=(other);
        ++copies;
        return *this;
    }
    Counted(Counted&&) = default;
    Counted& operator=(Counted&&) = default;
    ~Counted() = default;
};

using Array = std::array<int, 5>;

/// Numbers are sorted by swaps of two neighbors. A swap leaves the numbers at another address, so that
/// whoever goes through them is lost.
template <class Numbers>
struct Sorting {
    using State = Numbers;
    using Move = std::size_t; // the first of the two
    static constexpr Move no_move = 99;

    std::vector<State> neighbors(const State& state) const {
        std::vector<State> states;
        for_each_move(state, no_move, [&](Move move) { apply(states.emplace_back(state), move); });
        return states;
    }
    bool is_goal(const State& state) const { return std::is_sorted(state.begin(), state.end()); }
    void for_each_move(const State& state, Move last, auto visit) const {
        for (const int& number : state) {
            const auto move = static_cast<Move>(&number - state.data());
            if (move + 1 < state.size() && move != last) {
                visit(move);
            }
        }
    }
    void apply(State& state, Move move) const {
        std::vector<int> next(state.begin(), state.end());
        std::swap(next[move], next[move + 1]);
        if constexpr (std::is_same_v<State, Array>) {
            std::copy(next.begin(), next.end(), state.begin());
        } else {
            state.swap(next);
        }
    }
    static Move inverse(Move move) { return move; }
};

template <class Puzzle, class Result>
void check_path(const Puzzle& puzzle, const typename Puzzle::State& start, const Result& result) {
    REQUIRE(result.status == Status::solved);
    REQUIRE(result.path.size() == static_cast<std::size_t>(result.cost) + 1);
    REQUIRE(result.moves.size() == static_cast<std::size_t>(result.cost));
    auto board = start;
    for (std::size_t i = 0; i < result.moves.size(); ++i) {
        CHECK(result.path[i] == board);
        puzzle.apply(board, result.moves[i]);
    }
    CHECK(result.path.back() == board);
    CHECK(puzzle.is_goal(board));
}

TEST_CASE("IDA* makes the published number of moves on Korf's easiest boards", "[ida_star]") {
    // Nodes as in Korf's table: each move made, in all iterations, and the root.
    constexpr std::array<std::uint64_t, 4> published{540'860, 546'344, 877'823, 927'212};
    const SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    for (std::size_t i = 0; i < published.size(); ++i) {
        const test::KorfBoard& korf = test::korf_boards[i];
        INFO("board " << korf.number);
        const PackedBoard<4> start(korf.tiles);
        const auto result = ida_star(puzzle, start, Manhattan{});
        check_path(puzzle, start, result);
        CHECK(result.cost == korf.moves);
        CHECK(result.statistics.generated + 1 == published[i]);
        CHECK(result.statistics.stored == 0);
        CHECK(result.statistics.contract_violations == 0);
    }
}

TEST_CASE("IDA* finds what A* finds, unrolled or not, packed or not, with each heuristic", "[ida_star]") {
    const SlidingPuzzle<3> puzzle;
    const SlidingPuzzle unpacked(3);
    const NotUnrolled not_unrolled{puzzle};
    const auto distance = [](const PackedBoard<3>& board) { return board.manhattan(); };
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Board board = npuzzle::random_solvable(3, seed);
        const PackedBoard<3> start(board);
        const auto expected = npuzzle::astar(puzzle, start, Manhattan{});
        const auto unrolled = ida_star(puzzle, start, Manhattan{});
        check_path(puzzle, start, unrolled);
        CHECK(unrolled.cost == expected.cost);

        const auto rolled = ida_star(not_unrolled, start, distance);
        check_path(not_unrolled, start, rolled);
        CHECK(rolled.moves == unrolled.moves);
        CHECK(rolled.statistics.generated == unrolled.statistics.generated);
        CHECK(rolled.statistics.expanded == unrolled.statistics.expanded);

        const auto on_boards = ida_star(unpacked, board, Manhattan{});
        check_path(unpacked, board, on_boards);
        CHECK(on_boards.moves == unrolled.moves);
        CHECK(on_boards.statistics.generated == unrolled.statistics.generated);

        const auto by_conflicts = ida_star(puzzle, start, npuzzle::LinearConflict{});
        CHECK(by_conflicts.cost == expected.cost);
        CHECK(by_conflicts.statistics.generated <= unrolled.statistics.generated);
    }
}

TEST_CASE("Costs may be weighted, integral or real", "[ida_star]") {
    const Line<int> by_integers{-5, 50, 7, 3};
    const auto integral = ida_star(by_integers, 0, Zero{});
    REQUIRE(integral);
    CHECK(integral.cost == 21);
    CHECK(integral.path == std::vector{0, 1, 2, 3, 4, 5, 6, 7});

    const Line<double> by_reals{-5, 50, 7, 0.75};
    const auto real = ida_star(by_reals, 0, [](int x) { return 0.5 * std::abs(7 - x); });
    REQUIRE(real);
    CHECK(real.cost == 5.25);
}

TEST_CASE("Costs that the type cannot hold end in a status", "[ida_star]") {
    using Small = std::int8_t;
    const auto result = ida_star(Line<Small>{0, 9, 9, Small{40}}, 0, Zero{});
    CHECK(result.status == Status::cost_overflow);
    CHECK(ida_star(Line<Small>{0, 9, 3, Small{40}}, 0, Zero{}).cost == 120);
}

TEST_CASE("Limits are kept", "[ida_star]") {
    const SlidingPuzzle<4> puzzle;
    const PackedBoard<4> start(test::korf_boards[0].turned);
    const auto free_run = ida_star(puzzle, start, Manhattan{});
    REQUIRE(free_run);
    for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}}) {
        const auto result = ida_star(puzzle, start, Manhattan{}, {.expansions = limit});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == limit);
        CHECK(result.moves.empty());
    }
    CHECK(ida_star(puzzle, start, Manhattan{}, {.expansions = free_run.statistics.expanded}).cost ==
          free_run.cost);
    CHECK(ida_star(puzzle, start, Manhattan{}, {.time = std::chrono::nanoseconds{0}}).status ==
          Status::time_limit);
    npuzzle::StopSource source;
    source.request_stop();
    CHECK(ida_star(puzzle, start, Manhattan{}, {.stop = source.get_token()}).status == Status::cancelled);
}

TEST_CASE("States that are dear to copy are changed in place", "[ida_star]") {
    const auto half = [](const auto& numbers) {
        int inversions = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            inversions +=
                static_cast<int>(std::count_if(numbers.begin(), numbers.begin() + static_cast<int>(i),
                                               [&](int before) { return before > numbers[i]; }));
        }
        return inversions / 2;
    };
    const Array copied{4, 1, 5, 2, 3};
    Counted::copies = 0;
    const auto in_place = ida_star(Sorting<Counted>{}, Counted(copied.begin(), copied.end()), half);
    const auto expected = ida_star(Sorting<Array>{}, copied, half);
    CHECK(expected.cost == 5);
    CHECK(Counted::copies <= 3 + 2 * in_place.cost);
    CHECK(in_place.moves == expected.moves);
    CHECK(in_place.statistics.generated == expected.statistics.generated);
    CHECK(in_place.statistics.expanded == expected.statistics.expanded);
    CHECK(std::equal(
        in_place.path.begin(), in_place.path.end(), expected.path.begin(), expected.path.end(),
        [](const Counted& a, const Array& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }));
}

/// Rises and falls by more than a move costs, and says that it does not.
struct Jumping {
    static constexpr bool is_consistent = true;
    int operator()(const PackedBoard<3>& board) const {
        return board.word() % 3 == 0 ? board.manhattan() : board.manhattan() / 4;
    }
};

TEST_CASE("An estimate that declares what it does not keep still gives the least cost", "[ida_star]") {
    const SlidingPuzzle<3> puzzle;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const PackedBoard<3> start(npuzzle::random_walk(npuzzle::goal_blank_last(3), 20, seed));
        CHECK(ida_star(puzzle, start, Jumping{}).cost == npuzzle::astar(puzzle, start, Manhattan{}).cost);
    }
}

TEST_CASE("A space without cycles and without a goal is proved unsolvable", "[ida_star]") {
    const Steps nowhere{{-3, 4, 99}};
    CHECK(ida_star(nowhere, 0, Zero{}).status == Status::unsolvable);
    CHECK(ida_star(nowhere, 0, Remaining<true, true>{99}).status == Status::unsolvable);
    CHECK(ida_star(nowhere, 0, Remaining<false, false>{99}).status == Status::unsolvable);
    const MarksDeadEnds hopeless{[](int x) { return x == 0 ? 0 : std::numeric_limits<int>::max(); }};
    CHECK(ida_star(nowhere, 0, hopeless).status == Status::unsolvable);
    const Line<int> weighted{-3, 4, 99, 2};
    const auto result = ida_star(weighted, 0, Zero{});
    CHECK(result.status == Status::unsolvable);
    CHECK(result.path.empty());
    CHECK(ida_star(weighted, 0, hopeless).status == Status::unsolvable);
}

/// Far below the truth, except at the goal.
struct Negative {
    static constexpr bool is_zero_at_goals = true;
    int operator()(int x) const { return x == 5000 ? 0 : -100'000; }
};

TEST_CASE("Unit costs: the greatest depth is exact", "[ida_star]") {
    const auto check = [](auto heuristic) {
        const Steps steps{{0, 5000, 5000}};
        CHECK(ida_star(steps, 2999, heuristic).status == Status::memory_limit);
        CHECK(ida_star(steps, 3000, heuristic).cost == 2000);
        CHECK(ida_star(steps, 0, heuristic).status == Status::memory_limit);
    };
    check(Remaining<true, true>{5000});
    check(Remaining<false, true>{5000});
    check(Remaining<true, false>{5000});

    // Every path is within the bound long before the goal is.
    const Steps steps{{0, 5000, 5000}};
    const auto negative = [](int x) { return x == 5000 ? 0 : -100'000; };
    CHECK(ida_star(steps, 3500, negative).status == Status::memory_limit);
    CHECK(ida_star(steps, 3500, Negative{}).status == Status::memory_limit);
}

#ifdef NDEBUG
TEST_CASE("A goal whose estimate is more than zero is found, where nothing else was declared", "[ida_star]") {
    const auto result = ida_star(Steps{{-50, 50, 7}}, 0, [](int) { return 1; });
    CHECK(result.status == Status::solved);
    CHECK(result.statistics.contract_violations == 1);
}
#endif

TEST_CASE("IDA* refuses a start that the problem says is no state", "[ida_star]") {
    struct Within : Steps {
        bool contains(int x) const { return low <= x && x <= high; }
    };
    const Within within{{{0, 9, 7}}};
    CHECK(ida_star(within, 9, Zero{}).cost == 2);
    CHECK_THROWS_AS(ida_star(within, 10, Zero{}), std::invalid_argument);
}

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
void check_steps(Engine& engine, const typename Engine::Estimate& first_bound) {
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
    const auto expected = ida_star(puzzle, board, Manhattan{});
    const auto same = [&](const auto& engine) {
        const auto result = engine.result();
        CHECK(result.status == expected.status);
        CHECK(result.cost == expected.cost);
        CHECK(result.path == expected.path);
        CHECK(result.moves == expected.moves);
        CHECK(result.statistics.expanded == expected.statistics.expanded);
        CHECK(result.statistics.generated == expected.statistics.generated);
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
}

TEST_CASE("IDA* can be stepped by iterations", "[ida_star]") {
    const auto board = npuzzle::random_walk(npuzzle::goal_blank_last(3), 60, std::uint64_t{3});
    check_engine(SlidingPuzzle<3>{}, PackedBoard<3>(board)); // unrolled
    check_engine(SlidingPuzzle(3), board);                   // in place
}

TEST_CASE("IDA* in place does not go through walls", "[ida_star]") {
    const auto result = ida_star(Walled{}, Walled::State{Walled::start}, Zero{}, {.expansions = 1000});
    CHECK(result.cost == 10);
    CHECK(result.moves == std::vector<int>(5, -1));
}

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

        const auto result = ida_star(words.graph, 0, half);
        CHECK(result.cost == *least);
        const auto in_place = ida_star(words, "", of_word);
        CHECK(in_place.cost == *least);
        CHECK(oracle::path_cost<int>(words.graph, result.path) == *least);
        CHECK(std::set(result.path.begin(), result.path.end()).size() == result.path.size());
        CHECK(in_place.path.size() == result.path.size());
        CHECK(in_place.statistics.expanded == result.statistics.expanded);

        const auto called = ida_star(
            std::string(), [&](const std::string& word) { return words.neighbors(word); }, of_word,
            [&](const std::string& word) { return words.is_goal(word); });
        CHECK(called.cost == *least);
        CHECK(called.path == in_place.path);
    }
    CHECK(solved > 50);
}

TEST_CASE("IDA* goes back to no state that it comes from", "[ida_star]") {
    const auto neighbors = [](int x) { return std::vector{x - 1, x + 1}; };
    const auto is_goal = [](int x) { return x == 12; };
    const auto result = ida_star(0, neighbors, Zero{}, is_goal);
    CHECK(result.cost == 12);
    CHECK(result.path.size() == 13);
    // Under the bound b, 2 b + 1 states on both sides; under the last one it stops at the goal.
    CHECK(result.statistics.expanded <= 13 * 13);
    CHECK(ida_star(0, neighbors, Zero{}, is_goal, {.expansions = 5}).status == Status::expansion_limit);
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
            const auto result = ida_star(lending, 0, Zero{});
            CHECK(result.cost == *least);
            CHECK(oracle::path_cost<int>(graph, result.path) == *least);
        }
    }
    CHECK(solved > 10);
}

TEST_CASE("a circle of steps that cost nothing ends without a goal", "[ida_star]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 0).connect(1, 2, 0).connect(2, 0, 0).connect(2, 2, 0);
    CHECK(ida_star(graph, 0, Zero{}).status == Status::unsolvable);
    test::Graph<double> absorbed(3); // steps too short to change the cost
    absorbed.connect(0, 1, 1e17).connect(1, 2, 1).connect(2, 1, 2);
    CHECK(ida_star(absorbed, 0, Zero{}).status == Status::unsolvable);
}

} // namespace
