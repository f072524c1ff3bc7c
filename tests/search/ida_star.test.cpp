#include <npuzzle/puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/catch.hpp"
#include "support/korf.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
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
    Cost forth_cost;

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

/// A walk along the integers from `low` to `high`, each step of cost 1.
struct Steps {
    using State = int;
    using Move = Line<int>::Move;
    static constexpr Move no_move = Move::none;
    static constexpr bool is_undirected = true;

    int low, high, target;

    std::vector<int> neighbors(int x) const {
        std::vector<int> states;
        for_each_move(x, no_move, [&](Move move) { states.push_back(move == Move::forth ? x + 1 : x - 1); });
        return states;
    }
    bool is_goal(int x) const { return x == target; }
    int goal() const { return target; }
    void for_each_move(int x, Move last, auto visit) const { line().for_each_move(x, last, visit); }
    void apply(int& x, Move move) const { line().apply(x, move); }
    static Move inverse(Move move) { return Line<int>::inverse(move); }

private:
    Line<int> line() const { return {low, high, target, 1}; }
};

/// How far it is to the target, and what may be declared of that.
template <bool consistent, bool zero_at_goals>
struct Remaining {
    static constexpr bool is_consistent = consistent;
    static constexpr bool is_zero_at_goals = zero_at_goals;

    int target;

    int operator()(int x) const { return std::abs(target - x); }
};

/// The 8-puzzle on a state that owns memory and counts its copies. A move changes the vector that
/// `for_each_move` walks through.
struct OnVectors {
    struct State {
        std::vector<int> cells;

        explicit State(std::vector<int> tiles) : cells(std::move(tiles)) {}
        State(const State& other) : cells(other.cells) { ++copies; }
        State(State&&) = default;
        State& operator=(const State& other) {
            cells = other.cells;
            ++copies;
            return *this;
        }
        State& operator=(State&&) = default;
        friend bool operator==(const State&, const State&) = default;

        static inline int copies = 0;
    };
    using Move = npuzzle::Move;
    static constexpr Move no_move = Move::none;

    static PackedBoard<3> packed(const State& state) {
        std::array<int, 9> tiles{};
        std::copy(state.cells.begin(), state.cells.end(), tiles.begin());
        return PackedBoard<3>(tiles);
    }
    std::vector<State> neighbors(const State& state) const {
        std::vector<State> states;
        for_each_move(state, no_move, [&](Move move) {
            states.push_back(state);
            apply(states.back(), move);
        });
        return states;
    }
    bool is_goal(const State& state) const { return packed(state).is_goal(); }
    void for_each_move(const State& state, Move last, auto visit) const {
        int cell = 0;
        for (const int& tile : state.cells) {
            if (tile == 0) {
                for (const Move move : npuzzle::all_moves) {
                    if (npuzzle::detail::NeighborTable<3>::target[static_cast<std::size_t>(cell)]
                                                                 [static_cast<std::size_t>(move)] >= 0 &&
                        move != inverse(last)) {
                        visit(move);
                    }
                }
                return;
            }
            ++cell;
        }
    }
    void apply(State& state, Move move) const {
        PackedBoard<3> board = packed(state);
        SlidingPuzzle<3>{}.apply(board, move);
        std::vector<int> cells; // at another address: what pointed into the old one is lost
        for (int cell = 0; cell < 9; ++cell) {
            cells.push_back(board.tile(cell));
        }
        state.cells = std::move(cells);
    }
    static Move inverse(Move move) { return npuzzle::inverse(move); }
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

TEST_CASE("A space without cycles and without a goal is proved unsolvable", "[ida_star]") {
    const auto result = ida_star(Line<int>{-3, 4, 99, 2}, 0, Zero{});
    CHECK(result.status == Status::unsolvable);
    CHECK(result.path.empty());
    CHECK(result.moves.empty());
    CHECK(ida_star(Line<int>{-3, 4, 99, 2}, 0,
                   MarksDeadEnds{[](int) { return std::numeric_limits<int>::max(); }})
              .status == Status::unsolvable);
}

TEST_CASE("Costs that the type cannot hold end in a status", "[ida_star]") {
    using Small = std::int8_t;
    const auto result = ida_star(Line<Small>{0, 9, 9, Small{40}}, 0, Zero{});
    CHECK(result.status == Status::cost_overflow);
    CHECK(ida_star(Line<Small>{0, 9, 3, Small{40}}, 0, Zero{}).cost == 120);
    const npuzzle::IdaStarOptions growing{.growth = 2};
    CHECK(ida_star(Line<Small>{0, 9, 9, Small{40}}, 0, Zero{}, growing).status == Status::cost_overflow);
    CHECK(ida_star(Line<Small>{0, 9, 3, Small{40}}, 0, Zero{}, growing).cost == 120);
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
    const auto distance = [](const OnVectors::State& state) { return OnVectors::packed(state).manhattan(); };
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const PackedBoard<3> board(npuzzle::random_walk(npuzzle::goal_blank_last(3), 60, seed));
        const OnVectors::State start(board.to_board().tiles());
        const auto expected = ida_star(SlidingPuzzle<3>{}, board, Manhattan{});
        OnVectors::State::copies = 0;
        const auto result = ida_star(OnVectors{}, start, distance);
        CHECK(OnVectors::State::copies <= 3 + 2 * result.cost);
        CHECK(result.moves == expected.moves);
        CHECK(result.path.front() == start);
        CHECK(result.statistics.generated == expected.statistics.generated);
        CHECK(result.statistics.expanded == expected.statistics.expanded);
        REQUIRE(result.path.size() == expected.path.size());
        for (std::size_t i = 0; i < result.path.size(); ++i) {
            CHECK(OnVectors::packed(result.path[i]) == expected.path[i]);
        }
    }
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

TEST_CASE("The end of a space of unit costs is found, declared consistent or not", "[ida_star]") {
    const Steps nowhere{-3, 4, 99};
    CHECK(ida_star(nowhere, 0, Zero{}).status == Status::unsolvable);
    CHECK(ida_star(nowhere, 0, Remaining<true, true>{99}).status == Status::unsolvable);
    CHECK(ida_star(nowhere, 0, Remaining<false, false>{99}).status == Status::unsolvable);
    const MarksDeadEnds hopeless{[](int x) { return x == 0 ? 0 : std::numeric_limits<int>::max(); }};
    CHECK(ida_star(nowhere, 0, hopeless).status == Status::unsolvable);
}

/// Far below the truth, except at the goal.
struct Negative {
    static constexpr bool is_zero_at_goals = true;
    int operator()(int x) const { return x == 5000 ? 0 : -100'000; }
};

TEST_CASE("Unit costs: the greatest depth is exact", "[ida_star]") {
    const auto check = [](auto heuristic) {
        const Steps steps{0, 5000, 5000};
        CHECK(ida_star(steps, 2999, heuristic).status == Status::memory_limit);
        CHECK(ida_star(steps, 3000, heuristic).cost == 2000);
        CHECK(ida_star(steps, 0, heuristic).status == Status::memory_limit);
    };
    check(Remaining<true, true>{5000});
    check(Remaining<false, true>{5000});
    check(Remaining<true, false>{5000});

    // Every path is within the bound long before the goal is.
    const Steps steps{0, 5000, 5000};
    const auto negative = [](int x) { return x == 5000 ? 0 : -100'000; };
    CHECK(ida_star(steps, 3500, negative).status == Status::memory_limit);
    CHECK(ida_star(steps, 3500, Negative{}).status == Status::memory_limit);
}

#ifdef NDEBUG
TEST_CASE("A goal whose estimate is more than zero is found, where nothing else was declared", "[ida_star]") {
    const auto result = ida_star(Steps{-50, 50, 7}, 0, [](int) { return 1; });
    CHECK(result.status == Status::solved);
    CHECK(result.statistics.contract_violations == 1);
}
#endif

TEST_CASE("Memory that runs out in the heuristic ends in a status", "[ida_star]") {
    struct Short {
        int* left;
        int operator()(const PackedBoard<3>& board) const {
            if (--*left == 0) {
                throw std::bad_alloc();
            }
            return board.manhattan();
        }
    };
    const PackedBoard<3> start(npuzzle::random_walk(npuzzle::goal_blank_last(3), 60, std::uint64_t{4}));
    int left = 10;
    const auto result = ida_star(SlidingPuzzle<3>{}, start, Short{&left});
    CHECK(result.status == Status::memory_limit);
    CHECK(result.path.empty());
    CHECK(result.statistics.generated == 9);
}

TEST_CASE("the moves alone are those of the path", "[ida_star]") {
    const npuzzle::SlidingPuzzle puzzle{6};
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const npuzzle::Board board = npuzzle::random_walk(npuzzle::goal_blank_last(6), 40, seed);
        const auto whole = ida_star(puzzle, board, npuzzle::LinearConflict{});
        const auto moves = npuzzle::ida_star_moves(puzzle, board, npuzzle::LinearConflict{});
        REQUIRE(whole.status == Status::solved);
        CHECK(moves.status == Status::solved);
        CHECK(moves.moves == whole.moves);
        CHECK(moves.cost == whole.cost);
        CHECK(moves.path.empty());
        CHECK(moves.statistics.generated == whole.statistics.generated);
    }
    const npuzzle::SlidingPuzzle<3> small;
    const npuzzle::PackedBoard<3> packed({8, 1, 3, 4, 0, 2, 7, 6, 5});
    const auto moves = npuzzle::ida_star_moves(small, packed, npuzzle::Manhattan{});
    CHECK(moves.moves == ida_star(small, packed, npuzzle::Manhattan{}).moves);
    CHECK(moves.path.empty());
    CHECK(npuzzle::ida_star_moves(puzzle, npuzzle::random_solvable(6, 1), npuzzle::Manhattan{},
                                  {.expansions = 10})
              .moves.empty());
}

TEST_CASE("IDA* refuses a start that the problem says is no state", "[ida_star]") {
    struct Within : Steps {
        bool contains(int x) const { return low <= x && x <= high; }
    };
    const Within within{{0, 9, 7}};
    CHECK(ida_star(within, 9, Zero{}).cost == 2);
    CHECK_THROWS_AS(ida_star(within, 10, Zero{}), std::invalid_argument);
}

} // namespace
