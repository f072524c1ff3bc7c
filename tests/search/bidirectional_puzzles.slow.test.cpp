#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/bidirectional.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/korf.hpp"
#include "support/oracles.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Bidirectional searches of the sliding puzzle, with true distances by an exhaustive search; and what may end
// them.

namespace {

using npuzzle::bidirectional_astar;
using npuzzle::bidirectional_breadth_first;
using npuzzle::Limits;
using npuzzle::Manhattan;
using npuzzle::MeetInTheMiddle;
using npuzzle::Nbs;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::memory;

/// A path to the goal, and the moves along it.
template <class P, class Result>
void check_moves(const P& puzzle, const npuzzle::state_t<P>& start, const Result& result) {
    test::check_path(puzzle, start, result);
    REQUIRE(result.moves.size() + 1 == std::max<std::size_t>(1, result.path.size()));
    auto board = start;
    for (std::size_t i = 0; i < result.moves.size(); ++i) {
        puzzle.apply(board, result.moves[i]);
        REQUIRE(board == result.path[i + 1]);
    }
}

/// Calls `check(name, search)` for each method: `search(puzzle, start, limits)`.
template <class F>
void with_each_method(F check) {
    check("mm", [](const auto& puzzle, const auto& start, Limits limits = {}) {
        return bidirectional_astar<MeetInTheMiddle>(puzzle, start, Manhattan{}, limits);
    });
    check("nbs", [](const auto& puzzle, const auto& start, Limits limits = {}) {
        return bidirectional_astar<Nbs>(puzzle, start, Manhattan{}, limits);
    });
    check("bae_star", [](const auto& puzzle, const auto& start, Limits limits = {}) {
        return bidirectional_astar(puzzle, start, Manhattan{}, limits);
    });
    check("breadth first", [](const auto& puzzle, const auto& start, Limits limits = {}) {
        return bidirectional_breadth_first(puzzle, start, limits);
    });
}

/// Solves one board of so many by each method, and the goal.
void check_boards_of_size_3(const oracle::Cells<3>& goal, std::size_t one_of_by_bae_star,
                            std::size_t one_of_by_others) {
    const auto& space = oracle::space_of_size_3(goal);
    const SlidingPuzzle<3> puzzle{PackedBoard<3>(goal)};
    with_each_method([&](const std::string& name, auto search) {
        std::vector<oracle::Cells<3>> boards =
            space.solvable(name == "bae_star" ? one_of_by_bae_star : one_of_by_others);
        boards.push_back(goal);
        for (const auto& cells : boards) {
            const PackedBoard<3> board(cells);
            const auto result = search(puzzle, board);
            INFO(name << "\n" << board);
            REQUIRE(result.status == Status::solved);
            CHECK(result.cost == space.depth(cells));
            CHECK(result.statistics.contract_violations == 0);
            CHECK(result.statistics.reopened == 0);
            check_moves(puzzle, board, result);
        }
    });
}

} // namespace

TEST_CASE("8-puzzle boards take as many moves as by exhaustive search", "[bidirectional]") {
    for (const auto& goal : oracle::goals_of_size_3) {
        check_boards_of_size_3(goal, 211, 997);
    }
}

TEST_CASE("all 8-puzzle boards take as many moves as by exhaustive search", "[bidirectional][.exhaustive]") {
    check_boards_of_size_3(oracle::blank_last_of_size_3, 1, 1);
}

TEST_CASE("no way: one side is exhausted", "[bidirectional]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board(oracle::space_of_size_3(oracle::blank_last_of_size_3).unsolvable(1).front());
    with_each_method([&](const std::string& name, auto search) {
        const auto result = search(puzzle, board);
        INFO(name);
        CHECK(result.status == Status::unsolvable);
        CHECK(result.path.empty());
        CHECK(result.moves.empty());
        CHECK(result.statistics.stored > 181'440);
        CHECK(result.statistics.stored <= 2 * 181'440);
    });
}

TEST_CASE("15-puzzle boards take as many moves as published", "[bidirectional]") {
    const SlidingPuzzle<4> puzzle;
    for (const auto& korf : test::korf_boards) {
        const PackedBoard<4> board(korf.turned);
        with_each_method([&](const std::string& name, auto search) {
            if (name == "breadth first") {
                return;
            }
            const auto result = search(puzzle, board);
            INFO(name << ", board " << korf.number);
            REQUIRE(result.status == Status::solved);
            CHECK(result.cost == korf.moves);
            CHECK(result.statistics.contract_violations == 0);
            check_moves(puzzle, board, result);
            CHECK(result.statistics.bytes < 64 * result.statistics.stored);
        });
    }
}

TEST_CASE("boards of a size known at run time", "[bidirectional]") {
    const SlidingPuzzle puzzle(5);
    const auto board = npuzzle::random_walk(npuzzle::goal_blank_last(5), 20, 3);
    const auto result = bidirectional_astar(puzzle, board, Manhattan{});
    const SlidingPuzzle<5> packed;
    const auto same = bidirectional_breadth_first(packed, PackedBoard<5>(board));
    CHECK(result.status == Status::solved);
    CHECK(result.cost == same.cost);
    CHECK(result.cost > 10);
    check_moves(puzzle, board, result);
    CHECK(puzzle.with_goal(board).is_goal(board));
}

TEST_CASE("each limit strikes at each moment of a small search", "[bidirectional]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({4, 1, 3, 7, 2, 6, 0, 5, 8});
    const PackedBoard<3> far({8, 6, 7, 2, 5, 4, 3, 0, 1}); // 31 moves
    with_each_method([&](const std::string& name, auto search) {
        for (const PackedBoard<3>& start : {board, far}) {
            const auto whole = search(puzzle, start);
            REQUIRE(whole.status == Status::solved);
            const std::uint64_t need = whole.statistics.expanded;
            const std::uint64_t step = std::max<std::uint64_t>(1, need / 100);
            for (std::uint64_t limit = 0; limit <= need + 1; limit += limit + 20 < need ? step : 1) {
                const auto result = search(puzzle, start, Limits{.expansions = limit});
                INFO(name << ", limit " << limit << " of " << need);
                CHECK(result.status == (limit < need ? Status::expansion_limit : Status::solved));
                CHECK(result.statistics.expanded == std::min(limit, need));
                CHECK(result.path.empty() == (limit < need));
            }
            const std::uint64_t bytes = whole.statistics.bytes;
            for (std::uint64_t limit = 0; limit < bytes + 64; limit += bytes / 150 + 1) {
                const auto result = search(puzzle, start, Limits{.bytes = limit});
                INFO(name << ", " << limit << " bytes of " << bytes);
                CHECK(result.status == (limit < bytes ? Status::memory_limit : Status::solved));
                CHECK(result.statistics.bytes <= limit);
                CHECK(result.path.empty() == (limit < bytes));
            }
        }
        CHECK(search(puzzle, far, Limits{.time = std::chrono::nanoseconds{0}}).status == Status::time_limit);
        npuzzle::StopSource stop;
        stop.request_stop();
        const auto cancelled = search(puzzle, far, Limits{.stop = stop.get_token()});
        CHECK(cancelled.status == Status::cancelled);
        CHECK(cancelled.statistics.expanded == 0);
    });
}

namespace {

/// Runs `search` with each of its allocations failing, and with each and all after it.
template <class Search>
void fail_each_allocation(Search search) {
    const auto solution = search();
    REQUIRE(solution.status == Status::solved);
    for (const bool for_good : {false, true}) {
        std::uint64_t refused = 0;
        for (std::uint64_t number = 1;; ++number) {
            const std::uint64_t blocks = memory.blocks;
            Status status{};
            bool has_path = false;
            bool has_thrown = false;
            memory.arm(number, for_good);
            try {
                const auto result = search();
                status = result.status;
                has_path = !result.path.empty();
            } catch (...) {
                has_thrown = true;
            }
            const bool has_failed = memory.failures > 0;
            memory.disarm();
            if (!has_failed) {
                REQUIRE(status == Status::solved);
                break;
            }
            ++refused;
            if (has_thrown || memory.blocks != blocks || status != Status::memory_limit || has_path) {
                CAPTURE(number, for_good, has_thrown, status, has_path);
                FAIL("an allocation that failed did not end the search as it should");
            }
        }
        CHECK(refused > 10);
    }
    CHECK(search().path == solution.path);
}

/// Numbers in words too long to be stored in place; from each, to its double and its successor.
struct LongWords {
    using State = std::string;
    using Edge = npuzzle::Edge<State, int>;

    static State word(int number) { return "a word of more than some characters: " + std::to_string(number); }
    static int number(const State& state) { return std::stoi(state.substr(state.rfind(' '))); }

    std::vector<Edge> neighbors(const State& state) const {
        const int x = number(state);
        return {{word(x + 1), 3}, {word(2 * x), 4}};
    }
    std::vector<Edge> predecessors(const State& state) const {
        const int x = number(state);
        std::vector<Edge> edges;
        if (x > 0) {
            edges.push_back({word(x - 1), 3});
        }
        if (x % 2 == 0) {
            edges.push_back({word(x / 2), 4});
        }
        return edges;
    }
    State goal() const { return word(97); }
    bool is_goal(const State& state) const { return number(state) == 97; }
};

} // namespace

TEST_CASE("each allocation of a bidirectional search fails", "[bidirectional]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({4, 1, 3, 7, 2, 6, 0, 5, 8});
    with_each_method([&](const std::string&, auto search) {
        fail_each_allocation([&] { return search(puzzle, board); });
    });
    const LongWords words;
    const std::string start = LongWords::word(3);
    fail_each_allocation([&] {
        return bidirectional_astar<Nbs>(
            words, start,
            [](const std::string& state) { return std::string(state + "!").size() > 500 ? 1 : 0; },
            npuzzle::Zero{});
    });
    fail_each_allocation([&] { return bidirectional_breadth_first(words, start); });
}
