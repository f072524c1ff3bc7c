#include <npuzzle/puzzle/detail/solver_run.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/move_pruning.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using npuzzle::learn_move_pruning;
using npuzzle::Manhattan;
using npuzzle::MovePruning;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::with_move_pruning;

/// Five pancakes, of which the topmost 2, 3, 4 or 5 are turned over by the moves 0 to 3. All states have the
/// same moves. Turning over more of them may cost more.
struct Stacks {
    using State = std::array<std::uint8_t, 5>;
    using Move = unsigned;
    static constexpr Move no_move = 4;
    static constexpr unsigned move_count = 4;

    std::array<int, 4> costs{1, 1, 1, 1};

    std::vector<npuzzle::Edge<State, int>> neighbors(const State& state) const {
        std::vector<npuzzle::Edge<State, int>> result;
        for (Move move = 0; move < move_count; ++move) {
            result.push_back({state, move_cost(state, move)});
            apply(result.back().to, move);
        }
        return result;
    }
    bool is_goal(const State& state) const { return std::is_sorted(state.begin(), state.end()); }

    void for_each_move(const State&, Move last, auto visit) const {
        for (Move move = 0; move < move_count; ++move) {
            if (move != last) {
                visit(move);
            }
        }
    }
    void apply(State& state, Move move) const {
        std::reverse(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(move) + 2);
    }
    static Move inverse(Move move) { return move; }
    int move_cost(const State&, Move move) const { return costs[move]; }
};

/// A cell of a line of 100, the moves of which depend on its number, though it says nothing of places.
struct Line {
    using State = int;
    using Move = unsigned;
    static constexpr Move no_move = 2;
    static constexpr unsigned move_count = 2;

    std::vector<State> neighbors(State x) const {
        std::vector<State> result;
        for_each_move(x, no_move, [&](Move move) { apply(result.emplace_back(x), move); });
        return result;
    }
    bool is_goal(State x) const { return x == 100; }
    void for_each_move(State x, Move last, auto visit) const {
        for (const Move move : {0U, 1U}) {
            if (move != (last ^ 1U) && x >= static_cast<int>(1 - move) &&
                x < 100 + static_cast<int>(1 - move)) {
                visit(move);
            }
        }
    }
    void apply(State& x, Move move) const { x += move == 0 ? -1 : 1; }
    static Move inverse(Move move) { return move ^ 1U; }
};

/// A number for each state, and for each move with what comes with it.
std::uint64_t number_of(const Stacks::State& stack) {
    std::uint64_t number = 0;
    for (const std::uint8_t pancake : stack) {
        number = 8 * number + pancake;
    }
    return number;
}
template <int N>
std::uint64_t number_of(const PackedBoard<N>& board) {
    return static_cast<std::uint64_t>(board.word());
}
template <class Move>
std::uint64_t number_of(const npuzzle::PrunedMove<Move>& move) {
    return std::uint64_t{move.state()} << 8 | static_cast<unsigned>(static_cast<Move>(move));
}
std::uint64_t number_of(npuzzle::Move move) {
    return static_cast<std::uint64_t>(move);
}
std::uint64_t number_of(unsigned move) {
    return move;
}

using Costs = std::unordered_map<std::uint64_t, int>;

/// The least cost to each state by the paths that the problem allows.
/// \param least if it is given, no path is followed that costs more than that to a state
template <class P>
Costs find_costs(const P& problem, const typename P::State& start, int most, const Costs* least = nullptr) {
    struct Node {
        typename P::State state;
        typename P::Move last;
    };
    Costs costs;
    std::set<std::pair<std::uint64_t, std::uint64_t>> closed;
    std::map<int, std::vector<Node>> open{{0, {{start, P::no_move}}}};
    while (!open.empty() && open.begin()->first <= most) {
        const int cost = open.begin()->first;
        const Node node = open.begin()->second.back();
        open.begin()->second.pop_back();
        if (open.begin()->second.empty()) {
            open.erase(open.begin());
        }
        const std::uint64_t number = number_of(node.state);
        const bool is_new = costs.try_emplace(number, cost).second;
        const bool is_followed = least == nullptr ? is_new
                                                  : cost <= least->at(number) &&
                                                        closed.insert({number, number_of(node.last)}).second;
        if (is_followed) {
            const typename P::Move last = least == nullptr ? P::no_move : node.last;
            problem.for_each_move(node.state, last, [&](const typename P::Move& move) {
                Node next{node.state, move};
                problem.apply(next.state, move);
                open[cost + npuzzle::detail::step_cost(problem, node.state, move)].push_back(next);
            });
        }
    }
    return costs;
}

/// A cheapest path is left to each state.
template <class P>
void check_all(const P& problem, const MovePruning& pruning, const typename P::State& start,
               int most = 1'000) {
    const Costs least = find_costs(problem, start, most);
    const bool is_equal = find_costs(with_move_pruning(problem, pruning), start, most, &least) == least;
    CHECK(is_equal);
}

template <int N>
PackedBoard<N> solved() {
    return PackedBoard<N>(npuzzle::goal_blank_last(N));
}

} // namespace

TEST_CASE("without pruned moves each state of a puzzle is reached at its cost", "[move_pruning]") {
    const SlidingPuzzle<2> two;
    const MovePruning all_of_two = learn_move_pruning(two, solved<2>());
    CHECK(all_of_two.length() == 7); // at which no sequences are left
    for (PackedBoard<2> board = solved<2>();
         const auto move : {npuzzle::Move::up, npuzzle::Move::left, npuzzle::Move::down}) {
        check_all(two, all_of_two, board);
        two.apply(board, move);
    }
    const SlidingPuzzle<3> three;
    for (const std::size_t length : {0U, 5U, 6U, 14U}) {
        const MovePruning pruning = learn_move_pruning(three, solved<3>(), {.length = length});
        CHECK(pruning.length() == (length == 0 ? 2 : length));
        CHECK((pruning.sequences() == 0) == (length < 6)); // two ways round four cells
        check_all(three, pruning, solved<3>(), 15);
    }
}

TEST_CASE("moves of a problem without places, and of several costs", "[move_pruning]") {
    const Stacks::State start{4, 1, 3, 0, 2};
    for (const auto& costs : {std::array{1, 1, 1, 1}, std::array{1, 2, 3, 4}, std::array{4, 3, 2, 1},
                              std::array{0, 1, 0, 1}, std::array{9, 1, 1, 9}}) {
        const Stacks problem{costs};
        for (const std::size_t length : {6U, 12U}) {
            const MovePruning pruning = learn_move_pruning(problem, start, {.length = length});
            CHECK(pruning.sequences() > 0);
            CHECK(pruning.bytes() == 16 * pruning.states());
            check_all(problem, pruning, start);
            check_all(problem, pruning, Stacks::State{0, 1, 2, 3, 4});
        }
    }
}

TEST_CASE("places that do not tell the moves are refused", "[move_pruning]") {
    CHECK_THROWS_AS(learn_move_pruning(Line{}, 0, {.length = 3}), std::invalid_argument);
    CHECK_THROWS_AS(learn_move_pruning(Line{}, 50, {.length = 60}), std::invalid_argument);
    CHECK_NOTHROW(learn_move_pruning(Line{}, 50, {.length = 40})); // nothing is seen of the ends
}

TEST_CASE("IDA* finds the same costs without pruned moves", "[move_pruning]") {
    const SlidingPuzzle<3> puzzle;
    const MovePruning pruning = learn_move_pruning(puzzle, solved<3>(), {.length = 12});
    const auto pruned = with_move_pruning(puzzle, pruning);
    test::Random random(1);
    std::uint64_t generated = 0;
    std::uint64_t generated_pruned = 0;
    for (int round = 0; round < 20; ++round) {
        const PackedBoard<3> board(npuzzle::random_walk(npuzzle::goal_blank_last(3), 60, random.word()));
        const auto expected = npuzzle::ida_star(puzzle, board, Manhattan{});
        npuzzle::limits_t<SlidingPuzzle<3>> limits;
        limits.max_cost = expected.cost;
        const auto result = npuzzle::ida_star(pruned, board, Manhattan{}, limits);
        REQUIRE(result.status == Status::solved);
        CHECK(result.cost == expected.cost);
        CHECK(static_cast<int>(result.moves.size()) == result.cost);
        PackedBoard<3> end = board;
        for (const npuzzle::Move move : result.moves) {
            puzzle.apply(end, move);
        }
        CHECK(puzzle.is_goal(end));
        CHECK(npuzzle::ida_star(pruned, board, npuzzle::LinearConflict{}).cost == expected.cost);
        const auto parallel =
            npuzzle::parallel_ida_star(pruned, board, Manhattan{}, {.threads = 2, .least_divided = 50});
        CHECK(parallel.cost == expected.cost);
        CHECK(parallel.path == result.path);
        CHECK(parallel.statistics.expanded == result.statistics.expanded);
        generated += expected.statistics.generated;
        generated_pruned += result.statistics.generated;
    }
    CHECK(generated_pruned < generated);
    CHECK(generated_pruned > 0);
}

TEST_CASE("the moves of a board are counted as they are made", "[move_pruning]") {
    // Of the 15-puzzle, the moves of which are unrolled, and of the same problem without that.
    struct Rolled : SlidingPuzzle<4> {
        void with_place() const = delete;
    };
    STATIC_REQUIRE(npuzzle::UnrolledProblem<npuzzle::PrunedMoves<SlidingPuzzle<4>>>);
    STATIC_REQUIRE_FALSE(npuzzle::UnrolledProblem<npuzzle::PrunedMoves<Rolled>>);
    const SlidingPuzzle<4> puzzle;
    const MovePruning pruning =
        learn_move_pruning(puzzle, solved<4>(), {.length = 12, .max_sequences = 30'000});
    const PackedBoard<4> board(npuzzle::random_walk(npuzzle::goal_blank_last(4), 40, 7));
    const auto unrolled = npuzzle::ida_star(with_move_pruning(puzzle, pruning), board, Manhattan{});
    const auto rolled = npuzzle::ida_star(with_move_pruning(Rolled{}, pruning), board, Manhattan{});
    CHECK(unrolled.status == Status::solved);
    CHECK(unrolled.cost == rolled.cost);
    CHECK(unrolled.path == rolled.path);
    CHECK(unrolled.statistics.generated == rolled.statistics.generated);
    CHECK(unrolled.statistics.expanded == rolled.statistics.expanded);
    // Places that hold what is known at run time.
    const npuzzle::detail::FourMovesPuzzle<4> four_moves(npuzzle::goal_blank_last(4));
    const auto with_cell = npuzzle::ida_star(with_move_pruning(four_moves, pruning), board, Manhattan{});
    CHECK(with_cell.path == rolled.path);
    CHECK(with_cell.statistics.generated == rolled.statistics.generated);
}

TEST_CASE("searches with a table do not take a problem with pruned moves", "[move_pruning]") {
    using Pruned = npuzzle::PrunedMoves<SlidingPuzzle<3>>;
    STATIC_REQUIRE(npuzzle::MoveProblem<Pruned>);
    STATIC_REQUIRE_FALSE(npuzzle::HasMoveCount<Pruned>);
    STATIC_REQUIRE_FALSE(npuzzle::HasHash<Pruned>);
    STATIC_REQUIRE_FALSE(npuzzle::PackedProblem<Pruned>);
    STATIC_REQUIRE_FALSE(npuzzle::IndexedProblem<Pruned>);
}
