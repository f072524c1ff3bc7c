#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/twin_search.hpp"
#include "npuzzle/search/core/heuristic.hpp"

#include "support/catch.hpp"
#include "support/policies.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

using npuzzle::Board;
using npuzzle::Limits;
using npuzzle::LinearConflict;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::ParentOnly;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::twin_search;
using npuzzle::Zero;

namespace {

/// Two rings of vertices side by side, which are not connected. The goal is in the first ring. Each step goes
/// to the next or the previous vertex of the ring. The twin of a vertex is the vertex beside it in the other
/// ring.
struct TwoRings {
    using State = int;

    int size_of_ring;
    int goal_vertex;

    std::vector<int> neighbors(int vertex) const {
        const int ring = vertex / size_of_ring * size_of_ring;
        const int place = vertex % size_of_ring;
        return {ring + (place + 1) % size_of_ring, ring + (place + size_of_ring - 1) % size_of_ring};
    }
    bool is_goal(int vertex) const { return vertex == goal_vertex; }
    int twin(int vertex) const { return (vertex + size_of_ring) % (2 * size_of_ring); }
};

static_assert(npuzzle::TwinProblem<TwoRings>);

/// Searches a board whose distance is known; -1 if it is unsolvable.
template <class Policy = npuzzle::DefaultPolicy, class P, class H>
void check_twin_search(const P& puzzle, const npuzzle::state_t<P>& start, const H& heuristic, int moves) {
    CAPTURE(start, moves);
    const auto result = twin_search<Policy>(puzzle, start, heuristic);
    CHECK(result.status == (moves >= 0 ? Status::solved : Status::unsolvable));
    CHECK(result.cost == (moves >= 0 ? moves : 0));
    CHECK(result.moves.size() == static_cast<std::size_t>(moves >= 0 ? moves : 0));
    test::check_path(puzzle, start, result);
    CHECK(result.statistics.contract_violations == 0);
    CHECK(result.statistics.reopened == 0);
}

const Board of_31_moves{{8, 6, 7}, {2, 5, 4}, {3, 0, 1}};

} // namespace

TEST_CASE("the classical solver: ParentOnly, under which no search ends by itself", "[twin_search]") {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    const SlidingPuzzle<3> puzzle;
    std::size_t searched = 0;
    for (const auto& cells : space.solvable(1009)) {
        if (const int depth = space.depth(cells); depth <= 18) {
            ++searched;
            const PackedBoard<3> board(cells);
            check_twin_search<ParentOnly>(puzzle, board, Manhattan{}, depth);
            check_twin_search<ParentOnly>(puzzle, puzzle.twin(board), Manhattan{}, -1);
        }
    }
    CHECK(searched > 5);
}

TEST_CASE("any problem with twins can be searched: two rings", "[twin_search]") {
    const TwoRings rings{50, 7};
    for (int vertex = 0; vertex < 100; ++vertex) {
        CAPTURE(vertex);
        const bool is_solvable = vertex < 50;
        const int around = vertex > 7 ? 50 - vertex + 7 : 7 - vertex;
        const int distance = std::min(around, std::abs(vertex - 7));
        const auto result = twin_search(rings, vertex, Zero{});
        CHECK(result.status == (is_solvable ? Status::solved : Status::unsolvable));
        CHECK(result.cost == (is_solvable ? distance : 0));
        test::check_path(rings, vertex, result);
    }
}

TEST_CASE("of the boards of sizes 2 and 3, half are solved and half are proved unsolvable", "[twin_search]") {
    const oracle::PuzzleSpace<2> space({1, 2, 3, 0}); // with the goal, and its twin
    for (const auto& cells : space.boards()) {
        const int depth = space.depth(cells);
        check_twin_search(SlidingPuzzle<2>{}, PackedBoard<2>(cells), Manhattan{}, depth);
        check_twin_search(SlidingPuzzle{2}, Board(cells), LinearConflict{}, depth);
    }
    const auto& larger = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    for (const auto& cells : larger.solvable(1009)) {
        check_twin_search(SlidingPuzzle<3>{}, PackedBoard<3>(cells), Manhattan{}, larger.depth(cells));
    }
    for (const auto& cells : larger.unsolvable(1009)) {
        check_twin_search(SlidingPuzzle<3>{}, PackedBoard<3>(cells), Manhattan{}, -1);
    }
}

TEST_CASE("the limit of expansions is for both searches together, and exact", "[twin_search]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> board({1, 2, 3, 0, 7, 6, 5, 4, 8}); // 9 moves from the goal
    for (const PackedBoard<3> start : {board, board.twin()}) {
        const auto unlimited = twin_search(puzzle, start, Manhattan{});
        const std::uint64_t needed = unlimited.statistics.expanded;
        REQUIRE(needed > 5);
        for (std::uint64_t expansions = 0; expansions <= needed + 3; ++expansions) {
            CAPTURE(expansions, needed);
            const auto result = twin_search(puzzle, start, Manhattan{}, {.expansions = expansions});
            CHECK(result.status == (expansions < needed ? Status::expansion_limit : unlimited.status));
            CHECK(result.statistics.expanded == (expansions < needed ? expansions : needed));
            CHECK((!result.path.empty() || !result));
            // Where a limit struck, there is a partial path.
            CHECK((result.path.empty() || result.path.front() == start));
            CHECK((result.path.empty() || result.status != Status::unsolvable));
        }
    }
}

TEST_CASE("the limit of bytes is for both searches together", "[twin_search]") {
    const SlidingPuzzle<3> puzzle;
    const PackedBoard<3> start(of_31_moves);
    const auto needed = twin_search(puzzle, start, Manhattan{}).statistics.bytes;
    for (const std::uint64_t bytes :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{20000}, needed / 4}) {
        CAPTURE(bytes);
        const auto result = twin_search(puzzle, start, Manhattan{}, {.bytes = bytes});
        CHECK(result.status == Status::memory_limit);
        CHECK(result.statistics.bytes <= bytes);
        CHECK((result.path.empty() || result.path.front() == start));
    }
    CHECK(twin_search(puzzle, start, Manhattan{}, {.bytes = 2 * needed}).cost == 31);
}

TEST_CASE("no memory at any moment is a status; any other exception passes through", "[twin_search]") {
    struct Failing : TwoRings {
        int* left;
        std::vector<int> neighbors(int vertex) const {
            if ((*left)-- == 0) {
                throw std::bad_alloc();
            }
            return TwoRings::neighbors(vertex);
        }
        int twin(int vertex) const {
            if ((*left)-- == 0) {
                throw std::bad_alloc();
            }
            return TwoRings::twin(vertex);
        }
    };
    struct Throwing : TwoRings {
        std::vector<int> neighbors(int) const { throw std::string("no neighbors today"); }
    };
    const TwoRings rings{20, 4};
    int calls = 0;
    for (; calls < 1000; ++calls) {
        int left = calls;
        const Failing failing{rings, &left};
        const auto result = twin_search(failing, 10, Zero{});
        if (result.status == Status::solved) {
            break;
        }
        CHECK(result.status == Status::memory_limit);
    }
    CHECK(calls > 10);
    CHECK(calls < 1000);
    CHECK_THROWS_AS(twin_search(Throwing{rings}, 10, Zero{}), std::string);
}
