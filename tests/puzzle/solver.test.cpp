#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/solver.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using npuzzle::Board;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Solver;
using npuzzle::SolverHeuristic;
using npuzzle::SolverOptions;
using npuzzle::Status;
using npuzzle::UnsolvableProof;

namespace {

// Whatever can be asked of a solver can be asked of a constant one, and the solution can only be read.
static_assert(std::same_as<decltype(std::declval<const Solver&>().is_solvable()), bool>);
static_assert(std::same_as<decltype(std::declval<const Solver&>().moves()), int>);
static_assert(std::same_as<decltype(std::declval<const Solver&>().solution()),
                           const std::optional<std::vector<Board>>&>);
static_assert(
    std::same_as<decltype(std::declval<Solver&>().solution()), const std::optional<std::vector<Board>>&>);
static_assert(std::same_as<decltype(std::declval<const Solver&>().status()), Status>);
static_assert(std::copyable<Solver>);
static_assert(!std::convertible_to<Board, Solver>);
static_assert(!std::constructible_from<Solver, Board, int>);
static_assert(!std::constructible_from<Solver, Board, std::string>);

const Board of_31_moves{{8, 6, 7}, {2, 5, 4}, {3, 0, 1}};
const Board unsolvable{{1, 2, 3}, {4, 5, 6}, {8, 7, 0}};

/// What must hold of every solver of a solvable board.
void check_solved(const Solver& solver, const Board& board, const Board& goal, int moves) {
    CHECK(solver.is_solvable());
    CHECK(solver.status() == Status::solved);
    CHECK(solver.moves() == moves);
    REQUIRE(solver.solution().has_value());
    const std::vector<Board>& solution = *solver.solution();
    REQUIRE(solution.size() == static_cast<std::size_t>(moves) + 1);
    CHECK(solution.front() == board);
    CHECK(solution.back() == goal);
    for (std::size_t i = 0; i + 1 < solution.size(); ++i) {
        const auto steps = oracle::steps_from(oracle::tiles_of(solution[i]), board.size());
        CHECK(std::any_of(steps.begin(), steps.end(),
                          [&](const auto& step) { return step.board == oracle::tiles_of(solution[i + 1]); }));
    }
}

/// What must hold of every solver of an unsolvable board.
void check_unsolvable(const Solver& solver) {
    CHECK_FALSE(solver.is_solvable());
    CHECK(solver.status() == Status::unsolvable);
    CHECK(solver.moves() == -1);
    CHECK_FALSE(solver.solution().has_value());
}

/// What must hold when a limit has struck.
void check_limited(const Solver& solver, Status status, bool is_solvable) {
    CHECK(solver.is_solvable() == is_solvable);
    CHECK(solver.status() == status);
    CHECK(solver.moves() == -1);
    CHECK_FALSE(solver.solution().has_value());
}

constexpr SolverHeuristic all_heuristics[] = {SolverHeuristic::hamming, SolverHeuristic::manhattan,
                                              SolverHeuristic::linear_conflict};

// Heuristics as users write them.

/// Knows the goal of the puzzle: bound to it by the search.
struct DistanceOfTheFirstTile {
    template <int N>
    auto bind(const SlidingPuzzle<N>& puzzle) const {
        return [goal = oracle::tiles_of(puzzle.goal()), n = puzzle.goal().size()](const auto& board) {
            const int from = oracle::cells_of(oracle::tiles_of(board))[1];
            const int to = oracle::cells_of(goal)[1];
            return std::abs(from / n - to / n) + std::abs(from % n - to % n);
        };
    }
};

/// Knows how often it was asked.
struct CountingManhattan {
    int calls = 0;

    template <class B>
    auto operator()(const B& board) {
        ++calls;
        return board.manhattan();
    }
};

} // namespace

TEST_CASE("a board is solved in the constructor, and the answers are there for the asking") {
    const Board board{{0, 1, 3}, {4, 2, 5}, {7, 8, 6}};
    const Solver solver{board};
    check_solved(solver, board, npuzzle::goal_blank_last(3), 4);
    CHECK(solver.statistics().expanded == 4);
    check_unsolvable(Solver{unsolvable});
}

TEST_CASE("a solver gives the same answers however often and in whatever order it is asked") {
    const Solver solver{of_31_moves};
    const Solver no_solver{unsolvable};
    const std::optional<std::vector<Board>> first = solver.solution();
    const auto* const address = solver.solution()->data();
    std::mt19937_64 generator(7);
    for (int i = 0; i < 200; ++i) {
        switch (generator() % 6) {
        case 0:
            CHECK(solver.moves() == 31);
            break;
        case 1:
            CHECK(solver.solution() == first);
            break;
        case 2:
            CHECK(solver.is_solvable());
            break;
        case 3:
            CHECK(no_solver.moves() == -1);
            break;
        case 4:
            CHECK_FALSE(no_solver.solution().has_value());
            break;
        default:
            CHECK_FALSE(no_solver.is_solvable());
            break;
        }
    }
    CHECK(solver.solution()->data() == address);
    CHECK(Solver{of_31_moves}.solution() == first);
}

TEST_CASE("solvers can be copied, moved and assigned, and copies live on their own") {
    std::optional<Solver> original(std::in_place, of_31_moves);
    const Solver copy = *original;
    Solver assigned{unsolvable};
    check_unsolvable(assigned);
    assigned = *original;
    const Solver moved = std::move(*original);
    original.reset();
    for (const Solver& solver : {copy, assigned, moved}) {
        check_solved(solver, of_31_moves, npuzzle::goal_blank_last(3), 31);
        CHECK(solver.statistics().expanded == copy.statistics().expanded);
    }
}

TEST_CASE("the board that is solved already has a solution of no moves") {
    for (int n = 2; n <= 9; ++n) {
        const Board goal = npuzzle::goal_blank_last(n);
        const Solver solver{goal};
        check_solved(solver, goal, goal, 0);
        CHECK(solver.solution() == std::vector{goal});
        check_unsolvable(Solver{goal.twin()});
    }
}

TEST_CASE("all 24 boards of size 2, to each of them as goal, by both proofs and with each heuristic") {
    std::array<int, 4> goal_cells{0, 1, 2, 3};
    do {
        const oracle::PuzzleSpace<2> space(goal_cells);
        const Board goal(goal_cells);
        for (const auto& cells : space.boards()) {
            const Board board(cells);
            for (const SolverHeuristic heuristic : all_heuristics) {
                for (const UnsolvableProof proof : {UnsolvableProof::parity, UnsolvableProof::twin_search}) {
                    const Solver solver(board, {.heuristic = heuristic, .proof = proof, .goal = goal});
                    if (space.depth(cells) >= 0) {
                        check_solved(solver, board, goal, space.depth(cells));
                    } else {
                        check_unsolvable(solver);
                    }
                }
            }
        }
    } while (std::next_permutation(goal_cells.begin(), goal_cells.end()));
}

TEST_CASE("boards of size 3 to each goal, by both proofs and with each heuristic") {
    for (const auto& goal_cells : oracle::goals_of_size_3) {
        const auto& space = oracle::space_of_size_3(goal_cells);
        const Board goal(goal_cells);
        for (const SolverHeuristic heuristic : all_heuristics) {
            for (const UnsolvableProof proof : {UnsolvableProof::parity, UnsolvableProof::twin_search}) {
                const SolverOptions options{.heuristic = heuristic, .proof = proof, .goal = goal};
                for (const auto& cells : space.solvable(30011)) {
                    check_solved(Solver(Board(cells), options), Board(cells), goal, space.depth(cells));
                }
                for (const auto& cells : space.unsolvable(60013)) {
                    check_unsolvable(Solver(Board(cells), options));
                }
            }
        }
    }
}

TEST_CASE("the two hardest boards of the 8-puzzle need 31 moves") {
    for (const Board& board : {of_31_moves, Board{{6, 4, 7}, {8, 5, 0}, {3, 2, 1}}}) {
        check_solved(Solver{board}, board, npuzzle::goal_blank_last(3), 31);
        check_unsolvable(Solver{board.twin()});
        check_unsolvable(Solver(board.twin(), {.proof = UnsolvableProof::twin_search}));
    }
}

TEST_CASE("Korf's boards need the published numbers of moves, in his convention and in ours") {
    const Board blank_first = npuzzle::goal_blank_first(4);
    for (const auto& korf : test::korf_boards) {
        CAPTURE(korf.number);
        // The two conventions are one board, turned.
        for (std::size_t cell = 0; cell < 16; ++cell) {
            CHECK(korf.turned[cell] == (16 - korf.tiles[15 - cell]) % 16);
        }
        const Board published(korf.tiles);
        const Board turned(korf.turned);
        check_solved(Solver(published, {.goal = blank_first}), published, blank_first, korf.moves);
        check_solved(Solver(turned), turned, npuzzle::goal_blank_last(4), korf.moves);
        // All of them can be solved to Korf's goal, so whether to ours turns on where the blank goes.
        CHECK(Solver(published, {.limits = {.expansions = 1}}).is_solvable() == published.is_solvable());
    }
}

TEST_CASE("scrambled boards of sizes 4 to 7 are solved in the least number of moves, to each goal, by both "
          "proofs") {
    std::mt19937_64 generator(47);
    for (int n = 4; n <= 7; ++n) {
        CAPTURE(n);
        for (const Board& goal :
             {npuzzle::goal_blank_last(n), npuzzle::goal_blank_first(n), npuzzle::goal_spiral(n)}) {
            const Board near = npuzzle::random_walk(goal, 9, generator);
            const int moves = oracle::moves_between(oracle::tiles_of(near), oracle::tiles_of(goal), n);
            for (const SolverHeuristic heuristic : all_heuristics) {
                for (const UnsolvableProof proof : {UnsolvableProof::parity, UnsolvableProof::twin_search}) {
                    const SolverOptions options{.heuristic = heuristic, .proof = proof, .goal = goal};
                    check_solved(Solver(near, options), near, goal, moves);
                    check_unsolvable(Solver(near.twin(), options));
                }
            }
            const Board far = npuzzle::random_walk(goal, 30, generator);
            const Solver solver(far, {.goal = goal});
            CHECK(solver.moves() <= 30);
            CHECK(solver.moves() % 2 == 0);
            check_solved(solver, far, goal, solver.moves());
            CHECK(Solver(far, {.heuristic = SolverHeuristic::manhattan, .goal = goal}).moves() ==
                  solver.moves());
        }
    }
}

TEST_CASE("without a goal among the options, the goal is the blank-last one") {
    const Board board = npuzzle::goal_blank_first(3);
    check_solved(Solver(board, {.goal = board}), board, board, 0);
    CHECK(Solver(board).is_solvable() == board.is_solvable());
    CHECK(Solver(board).moves() ==
          oracle::space_of_size_3(oracle::blank_last_of_size_3).depth({0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_CASE("parity needs no search, twin search does") {
    const Solver by_parity{unsolvable};
    CHECK(by_parity.statistics().expanded == 0);
    CHECK(by_parity.statistics().bytes == 0);
    const Solver by_search(unsolvable, {.proof = UnsolvableProof::twin_search});
    CHECK(by_search.statistics().expanded > 0);
    CHECK(by_search.statistics().bytes > 0);
    // On a solvable board the proof is not needed, and does not change the answer.
    CHECK(Solver(of_31_moves, {.proof = UnsolvableProof::twin_search}).solution() ==
          Solver(of_31_moves).solution());
    // Parity is instant where no search would end.
    check_unsolvable(Solver{npuzzle::random_solvable(100, 5).twin()});
}

TEST_CASE("the stronger the heuristic that is chosen, the fewer the expansions") {
    const auto expanded = [](SolverHeuristic heuristic) {
        return Solver(of_31_moves, {.heuristic = heuristic}).statistics().expanded;
    };
    CHECK(expanded(SolverHeuristic::linear_conflict) < expanded(SolverHeuristic::manhattan));
    CHECK(expanded(SolverHeuristic::manhattan) < expanded(SolverHeuristic::hamming));
    CHECK(expanded(SolverHeuristic::linear_conflict) == Solver(of_31_moves).statistics().expanded);
    // The names stand for the heuristics themselves.
    const auto directly = [](const auto& heuristic) {
        return astar(SlidingPuzzle<3>{}, PackedBoard<3>(of_31_moves), heuristic).statistics.expanded;
    };
    CHECK(expanded(SolverHeuristic::linear_conflict) == directly(npuzzle::LinearConflict{}));
    CHECK(expanded(SolverHeuristic::manhattan) == directly(npuzzle::Manhattan{}));
    CHECK(expanded(SolverHeuristic::hamming) == directly(npuzzle::Hamming{}));
}

TEST_CASE("if so asked, an unsolvable board throws") {
    const SolverOptions by_parity{.throws_if_unsolvable = true};
    const SolverOptions by_search{.proof = UnsolvableProof::twin_search, .throws_if_unsolvable = true};
    for (const SolverOptions& options : {by_parity, by_search}) {
        CHECK(message_of<std::invalid_argument>([&] { Solver(unsolvable, options); }) ==
              "the board is unsolvable");
        CHECK_THROWS_AS(Solver(unsolvable, npuzzle::Manhattan{}, options), std::invalid_argument);
        CHECK_THROWS_AS(Solver(npuzzle::goal_blank_last(6).twin(), options), std::invalid_argument);
        CHECK(Solver(of_31_moves, options).moves() == 31);
    }
    // A limit is no proof.
    check_limited(Solver(of_31_moves, {.limits = {.expansions = 10}, .throws_if_unsolvable = true}),
                  Status::expansion_limit, true);
    check_limited(Solver(of_31_moves.twin(), {.proof = UnsolvableProof::twin_search,
                                              .limits = {.expansions = 10},
                                              .throws_if_unsolvable = true}),
                  Status::expansion_limit, false);
    CHECK_THROWS_AS(Solver(of_31_moves.twin(), {.limits = {.expansions = 10}, .throws_if_unsolvable = true}),
                    std::invalid_argument);
}

TEST_CASE("a goal of another size throws") {
    CHECK(message_of<std::invalid_argument>([] {
              Solver(of_31_moves, {.goal = npuzzle::goal_blank_last(4)});
          }) == "the board has size 3, its goal has size 4");
    CHECK_THROWS_AS(Solver(unsolvable, {.goal = npuzzle::goal_blank_first(2)}), std::invalid_argument);
    CHECK_THROWS_AS(Solver(npuzzle::goal_blank_last(7), {.goal = npuzzle::goal_blank_last(6)}),
                    std::invalid_argument);
    CHECK_THROWS_AS(
        Solver(npuzzle::goal_blank_last(6), npuzzle::Manhattan{}, {.goal = npuzzle::goal_blank_last(7)}),
        std::invalid_argument);
}

TEST_CASE("a limit ends the search, and whether the board is solvable is known all the same") {
    std::stop_source source;
    source.request_stop();
    const std::pair<npuzzle::Limits, Status> limits[] = {
        {{.expansions = 10}, Status::expansion_limit},
        {{.expansions = 0}, Status::expansion_limit},
        {{.bytes = 3000}, Status::memory_limit},
        {{.bytes = 0}, Status::memory_limit},
        {{.time = std::chrono::nanoseconds{0}}, Status::time_limit},
        {{.stop = source.get_token()}, Status::cancelled},
    };
    for (const Board& board : {of_31_moves, npuzzle::random_solvable(4, 4), npuzzle::random_solvable(5, 5),
                               npuzzle::random_solvable(6, 6)}) {
        for (const auto& [limit, status] : limits) {
            CAPTURE(board, npuzzle::to_string(status));
            check_limited(Solver(board, {.limits = limit}), status, true);
            check_limited(Solver(board, {.proof = UnsolvableProof::twin_search, .limits = limit}), status,
                          true);
            check_limited(Solver(board.twin(), {.proof = UnsolvableProof::twin_search, .limits = limit}),
                          status, false);
            check_unsolvable(Solver(board.twin(), {.limits = limit}));
            check_limited(Solver(board, npuzzle::Zero{}, {.limits = limit}), status, true);
        }
    }
    const Solver limited(of_31_moves, {.limits = {.expansions = 10}});
    CHECK(limited.statistics().expanded == 10);
    const auto needed = Solver(of_31_moves).statistics();
    CHECK(Solver(of_31_moves, {.limits = {.expansions = needed.expanded, .bytes = needed.bytes}}).moves() ==
          31);
}

TEST_CASE("heuristics of one's own: a function of a Board, for every size") {
    const auto on_boards = [](const Board& board) { return board.manhattan(); };
    for (int n = 2; n <= 7; ++n) {
        const Board board = npuzzle::random_walk(npuzzle::goal_blank_last(n), 20, std::uint64_t{11});
        const Solver expected{board};
        check_solved(Solver(board, on_boards), board, npuzzle::goal_blank_last(n), expected.moves());
        check_solved(Solver(board, on_boards, {.proof = UnsolvableProof::twin_search}), board,
                     npuzzle::goal_blank_last(n), expected.moves());
        check_unsolvable(Solver(board.twin(), on_boards));
        check_unsolvable(Solver(board.twin(), on_boards, {.proof = UnsolvableProof::twin_search}));
    }
}

TEST_CASE("heuristics of one's own: a function of a PackedBoard, for its size and no other") {
    const auto on_size_4 = [](const PackedBoard<4>& board) { return board.manhattan(); };
    const Board board = npuzzle::random_walk(npuzzle::goal_blank_last(4), 40, std::uint64_t{3});
    check_solved(Solver(board, on_size_4), board, npuzzle::goal_blank_last(4), Solver(board).moves());
    CHECK(message_of<std::invalid_argument>([&] { Solver(of_31_moves, on_size_4); }) ==
          "the heuristic does not take boards of size 3");
    CHECK_THROWS_AS(Solver(npuzzle::goal_blank_last(5), on_size_4), std::invalid_argument);
    CHECK_THROWS_AS(Solver(npuzzle::goal_blank_last(6), on_size_4), std::invalid_argument);
    // Whether the heuristic will do does not turn on whether the board can be solved.
    CHECK_THROWS_AS(Solver(unsolvable, on_size_4), std::invalid_argument);
    CHECK_THROWS_AS(Solver(npuzzle::goal_blank_last(6).twin(), on_size_4), std::invalid_argument);
}

TEST_CASE("heuristics of one's own: a generic function gets packed boards where there are any") {
    for (int n = 2; n <= 7; ++n) {
        const Board board = npuzzle::random_walk(npuzzle::goal_blank_last(n), 20, std::uint64_t{5});
        int packed_calls = 0;
        int board_calls = 0;
        const auto generic = [&](const auto& state) {
            ++(std::is_same_v<std::remove_cvref_t<decltype(state)>, Board> ? board_calls : packed_calls);
            return state.manhattan();
        };
        check_solved(Solver(board, generic), board, npuzzle::goal_blank_last(n), Solver(board).moves());
        CHECK((packed_calls > 0) == (n <= 5));
        CHECK((board_calls > 0) == (n > 5));
    }
}

TEST_CASE("heuristics of one's own: an object that binds itself to the puzzle follows its goal") {
    for (int n = 2; n <= 6; ++n) {
        const Board goal = npuzzle::goal_spiral(n);
        const Board board = npuzzle::random_walk(goal, 12, std::uint64_t{9});
        const Solver expected(board, {.goal = goal});
        check_solved(Solver(board, DistanceOfTheFirstTile{}, {.goal = goal}), board, goal, expected.moves());
        const DistanceOfTheFirstTile constant;
        check_solved(Solver(board, constant, {.goal = goal}), board, goal, expected.moves());
    }
}

TEST_CASE("heuristics of one's own: an object keeps what it learns, if it is not a temporary") {
    CountingManhattan counting;
    CHECK(Solver(of_31_moves, counting).moves() == 31);
    CHECK(counting.calls > 1000);
    const int calls = std::exchange(counting.calls, 0);
    CHECK(Solver(of_31_moves, counting, {.proof = UnsolvableProof::twin_search}).moves() == 31);
    CHECK(counting.calls > calls);
    CHECK(Solver(of_31_moves, CountingManhattan{}).moves() == 31);
    CHECK(Solver(of_31_moves, std::as_const(counting)).moves() == 31);
}

TEST_CASE("heuristics of one's own: those of the library, their combinations, fractions, and functions") {
    CHECK(Solver(of_31_moves, npuzzle::Manhattan{}).moves() == 31);
    CHECK(Solver(of_31_moves, npuzzle::LinearConflict{}).statistics().expanded ==
          Solver(of_31_moves).statistics().expanded);
    CHECK(Solver(of_31_moves, npuzzle::MaxOf{npuzzle::Hamming{}, npuzzle::Manhattan{}}).moves() == 31);
    CHECK(Solver(of_31_moves, npuzzle::Scaled{npuzzle::Manhattan{}, 0.5}).moves() == 31);
    CHECK(Solver(of_31_moves, npuzzle::Zero{}).moves() == 31);
    CHECK(Solver(of_31_moves, [](const auto& board) {
              return static_cast<double>(board.manhattan()) / 3;
          }).moves() == 31);
    std::int64_t (*function)(const Board&) = [](const Board& board) { return board.hamming(); };
    CHECK(Solver(of_31_moves, function).moves() == 31);
}

TEST_CASE("what a heuristic throws passes through") {
    const auto throwing = [](const Board&) -> int { throw std::runtime_error("no idea"); };
    CHECK(message_of<std::runtime_error>([&] { Solver(of_31_moves, throwing); }) == "no idea");
}
