#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/move_pruning.hpp>
#include <npuzzle/search/parallel/ida_star_journal.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using npuzzle::ida_star;
using npuzzle::IdaStar;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;

/// A heuristic that says at run time whether it waits for memory. What follows a move is known at once.
template <class P>
struct Awaiting {
    using State = npuzzle::state_t<P>;
    static constexpr bool waits_for_memory = true;

    struct Evaluation {
        int value;
    };
    struct Awaited {
        int value;
    };

    const P* problem;
    std::function<int(const State&)> estimate;
    bool waits = true;
    std::uint64_t* awaited = nullptr; ///< how often it was asked by turns

    int operator()(const State& state) const { return estimate(state); }
    Evaluation evaluate(const State& state) const { return {estimate(state)}; }
    Evaluation after(const Evaluation&, const State&, const npuzzle::move_t<P>&, const State& after) const {
        return {estimate(after)};
    }
    int value(const Evaluation& evaluation) const { return evaluation.value; }

    void await(Awaited& result, const Evaluation&, const State& before,
               const npuzzle::move_t<P>& move) const {
        State after = before;
        problem->apply(after, move);
        result = {estimate(after)};
        if (awaited != nullptr) {
            ++*awaited;
        }
    }
    int value(const Evaluation&, const Awaited& found) const { return found.value; }
    void follow(Evaluation& evaluation, const Awaited& found) const { evaluation.value = found.value; }
    std::size_t looked_up_bytes() const { return waits ? std::size_t{1} << 30 : 0; }
};

/// Manhattan distance, at some boards 2 or 4 less: inconsistent.
int weak_estimate(const PackedBoard<3>& board) {
    const int distance = npuzzle::Manhattan{}(board);
    const int less = static_cast<int>(board.word() * 0x9e3779b97f4a7c15U >> 62 & 3U) % 3;
    return distance < 2 * less ? 0 : distance - 2 * less;
}

template <class P>
Awaiting<P> weak(const P& puzzle, bool waits = true, std::uint64_t* awaited = nullptr) {
    return {&puzzle, weak_estimate, waits, awaited};
}

struct Order : npuzzle::SilentObserver {
    std::vector<std::uint64_t> expanded;
    void expand(const auto& node) { expanded.push_back(node.state.word()); }
};

std::vector<PackedBoard<3>> some_boards(int count) {
    std::mt19937_64 generator(7);
    std::vector<PackedBoard<3>> boards;
    for (int i = 0; i < count; ++i) {
        boards.emplace_back(npuzzle::random_solvable(3, generator));
    }
    return boards;
}

template <class Result>
void check_same(const Result& result, const Result& expected) {
    CHECK(result.status == expected.status);
    CHECK(result.cost == expected.cost);
    CHECK(result.moves == expected.moves);
    CHECK(result.path == expected.path);
    CHECK(result.statistics.expanded == expected.statistics.expanded);
    CHECK(result.statistics.generated == expected.statistics.generated);
}

} // namespace

/// One way, which branches nowhere. f rises by much in the middle.
struct Corridor {
    using State = int;
    using Move = int;
    static constexpr Move no_move = -1;
    static constexpr unsigned move_count = 2;

    int length;

    std::vector<int> neighbors(int cell) const { return {cell - 1, cell + 1}; }
    bool is_goal(int cell) const { return cell == length; }
    template <class F>
    void for_each_move(int cell, Move last, F&& visit) const {
        if (cell > 0 && last != 1) {
            visit(0);
        }
        if (last != 0) {
            visit(1);
        }
    }
    void apply(int& cell, Move move) const { cell += move == 1 ? 1 : -1; }
    Move inverse(Move move) const { return move < 0 ? move : 1 - move; }

    Awaiting<Corridor> heuristic(bool waits) const {
        return {this, [this](int cell) { return (cell <= 1500 ? 1500 : length) - cell; }, waits};
    }
};

TEMPLATE_TEST_CASE("searches in turn count each iteration as one search does, and find its path",
                   "[interleaving]", SlidingPuzzle<3>, npuzzle::PrunedMoves<SlidingPuzzle<3>>) {
    const SlidingPuzzle<3> plain_puzzle;
    const auto pruning = npuzzle::learn_move_pruning(plain_puzzle, plain_puzzle.goal(), {.length = 8});
    const TestType puzzle = [&] {
        if constexpr (std::is_same_v<TestType, SlidingPuzzle<3>>) {
            return plain_puzzle;
        } else {
            return npuzzle::with_move_pruning(plain_puzzle, pruning);
        }
    }();
    STATIC_REQUIRE(npuzzle::AwaitingHeuristicFor<Awaiting<TestType>, TestType>);
    std::uint64_t awaited = 0;
    for (const PackedBoard<3>& board : some_boards(20)) {
        IdaStar turns(puzzle, board, weak(puzzle, true, &awaited));
        IdaStar plain(puzzle, board, weak(puzzle, false));
        while (plain.step()) {
            CHECK(turns.step());
            CHECK(turns.bound() == plain.bound());
            CHECK(turns.statistics().expanded == plain.statistics().expanded);
            CHECK(turns.statistics().generated == plain.statistics().generated);
        }
        CHECK_FALSE(turns.step());
        check_same(turns.result(), plain.result());
        check_same(
            npuzzle::parallel_ida_star(puzzle, board, weak(puzzle), {.threads = 2, .least_divided = 500}),
            plain.result());
    }
    CHECK(awaited > 10'000);
}

TEST_CASE("searches in turn end by each limit", "[interleaving]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // 31 moves
    const auto whole = ida_star(puzzle, board, weak(puzzle, false));
    REQUIRE(whole.cost == 31);

    SECTION("expansions, exactly as one search") {
        for (const std::uint64_t parts : {2U, 3U, 5U, 17U, 100U}) {
            const npuzzle::Limits limits{.expansions = whole.statistics.expanded / parts};
            check_same(ida_star(puzzle, board, weak(puzzle), limits),
                       ida_star(puzzle, board, weak(puzzle, false), limits));
        }
        check_same(ida_star(puzzle, board, weak(puzzle), {.expansions = 20 * whole.statistics.expanded}),
                   whole);
    }
    SECTION("the greatest cost") {
        for (const int most : {31, 30, 27}) {
            npuzzle::limits_t<SlidingPuzzle<3>> limits;
            limits.max_cost = most;
            const auto result = ida_star(puzzle, board, weak(puzzle), limits);
            check_same(result, ida_star(puzzle, board, weak(puzzle, false), limits));
            CHECK(result.status == (most == 31 ? Status::solved : Status::cost_limit));
        }
    }
    SECTION("a request to stop") {
        int asked = 0;
        npuzzle::limits_t<SlidingPuzzle<3>> limits;
        limits.stop = npuzzle::StopToken([&] { return ++asked == 14; });
        const auto result = ida_star(puzzle, board, weak(puzzle), limits);
        CHECK(result.status == Status::cancelled);
        CHECK(result.path.empty());
        CHECK(asked == 14);
        CHECK(result.statistics.expanded > 1000);
        CHECK(result.statistics.expanded < whole.statistics.expanded);
    }
    SECTION("time") {
        const auto begin = std::chrono::steady_clock::now();
        const auto slow = [](const PackedBoard<3>& at) {
            if (at.word() % 8 == 0) {
                std::this_thread::sleep_for(std::chrono::microseconds{100});
            }
            return weak_estimate(at);
        };
        const auto result = ida_star(puzzle, board, Awaiting<SlidingPuzzle<3>>{&puzzle, slow},
                                     {.time = std::chrono::milliseconds{50}});
        CHECK(result.status == Status::time_limit);
        CHECK(result.path.empty());
        CHECK(result.statistics.expanded > 0);
        CHECK(result.statistics.expanded < whole.statistics.expanded);
        CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds{50});
    }
}

TEST_CASE("searches in turn go on from a journal", "[interleaving]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1});
    const auto whole = ida_star(puzzle, board, weak(puzzle, false));
    const std::string path = "interleaving." + std::to_string(::getpid());
    std::uint64_t awaited = 0;
    std::uint64_t awaited_before = 0;
    for (const std::uint64_t parts : {2U, 1U, 1U}) {
        awaited_before = std::exchange(awaited, 0);
        npuzzle::IdaStarJournal journal(path, "8-puzzle");
        const auto result = npuzzle::parallel_ida_star(
            puzzle, board, weak(puzzle, true, &awaited),
            {.threads = 1, .least_divided = 500, .journal = &journal},
            {.expansions = parts == 1 ? npuzzle::Limits::unlimited : whole.statistics.expanded / parts});
        if (parts == 1) {
            check_same(result, whole);
        } else {
            CHECK(result.status == Status::expansion_limit);
        }
    }
    std::remove(path.c_str());
    CHECK(awaited < awaited_before); // what was finished is not searched again
}

TEST_CASE("searches in turn throw what one search throws, where it does", "[interleaving]") {
    struct Thrown {};
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1});
    int thrown = 0;
    int solved = 0;
    // At all boards of one remainder, of which there are a few.
    for (std::uint64_t remainder = 0; remainder < 24; ++remainder) {
        const bool is_memory = remainder % 4 == 0;
        const auto estimate = [&](const PackedBoard<3>& at) {
            if (at.word() != board.word() && (at.word() * 0x9e3779b97f4a7c15U >> 40) % 20'000 == remainder) {
                is_memory ? throw std::bad_alloc() : throw Thrown{};
            }
            return weak_estimate(at);
        };
        std::vector<npuzzle::search_result_t<SlidingPuzzle<3>>> results;
        for (const bool waits : {false, true}) {
            IdaStar engine(puzzle, board, Awaiting<SlidingPuzzle<3>>{&puzzle, estimate, waits});
            try {
                engine.run();
            } catch (const Thrown&) {
                ++thrown;
            }
            results.push_back(engine.result());
            solved += engine.status() == Status::solved ? 1 : 0;
        }
        CHECK(results[0].status != Status::running);
        CHECK(results[1].status == results[0].status);
        CHECK(results[1].moves == results[0].moves);
        CHECK(results[1].statistics.expanded == results[0].statistics.expanded);
    }
    CHECK(thrown > 4);
    CHECK(solved > 4);
}

TEST_CASE("searches in turn go through fewer subtrees than there are searches", "[interleaving]") {
    const Corridor corridor{1900};
    const auto result = ida_star(corridor, 0, corridor.heuristic(true));
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 1900);
    check_same(result, ida_star(corridor, 0, corridor.heuristic(false)));
    CHECK(ida_star(corridor, 1900, corridor.heuristic(true)).cost == 0);

    const Corridor longer{2500};
    const auto beyond = ida_star(longer, 0, longer.heuristic(true));
    CHECK(beyond.status == Status::memory_limit);
    check_same(beyond, ida_star(longer, 0, longer.heuristic(false)));
}

TEST_CASE("an observer of nodes is told of them in the order of one search", "[interleaving]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board = some_boards(1).front();
    Order turns;
    Order plain;
    ida_star(puzzle, board, weak(puzzle), {}, turns);
    ida_star(puzzle, board, weak(puzzle, false), {}, plain);
    CHECK(turns.expanded == plain.expanded);
    CHECK(turns.expanded.size() > 1000);
}
