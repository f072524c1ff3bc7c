#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/solvability.hpp"

#include "support/catch.hpp"
#include "support/parity_oracle.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <unordered_set>
#include <vector>

using npuzzle::Board;
using npuzzle::goal_blank_first;
using npuzzle::goal_blank_last;
using npuzzle::goal_spiral;
using npuzzle::is_solvable;
using npuzzle::PackedBoard;

namespace {

// Every board that can be reached from `start`.
template <class B>
std::unordered_set<B> reachable(const B& start) {
    std::vector<B> queue{start};
    std::unordered_set<B> seen{start};
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const B board = queue[k];
        for (const B& neighbor : board.neighbors()) {
            if (seen.insert(neighbor).second) queue.push_back(neighbor);
        }
    }
    return seen;
}

std::vector<Board> all_boards_of_size_2() {
    std::vector<std::int32_t> tiles{0, 1, 2, 3};
    std::vector<Board> boards;
    do {
        boards.emplace_back(tiles);
    } while (std::next_permutation(tiles.begin(), tiles.end()));
    return boards;
}

static_assert(is_solvable(PackedBoard<3>(), PackedBoard<3>()));
static_assert(!is_solvable(PackedBoard<3>().twin(), PackedBoard<3>()));
static_assert(is_solvable(PackedBoard<4>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 13, 14, 15, 12}),
                          PackedBoard<4>()));
static_assert(!is_solvable(PackedBoard<5>(), PackedBoard<5>().twin()));

} // namespace

TEST_CASE("size 2: from each board to each other, parity agrees with a search of the whole space",
          "[solvability]") {
    for (const Board& goal : all_boards_of_size_2()) {
        const auto seen = reachable(goal);
        REQUIRE(seen.size() == 12);
        for (const Board& board : all_boards_of_size_2()) {
            REQUIRE(is_solvable(board, goal) == seen.contains(board));
            REQUIRE(is_solvable(PackedBoard<2>(board), PackedBoard<2>(goal)) == seen.contains(board));
        }
    }
}

TEST_CASE("size 3: parity to three goals agrees with a search of the whole space", "[solvability]") {
    for (const Board& goal : {goal_blank_last(3), goal_blank_first(3), goal_spiral(3)}) {
        const PackedBoard<3> packed_goal(goal);
        const auto seen = reachable(packed_goal);
        REQUIRE(seen.size() == 181'440);
        std::array<int, 9> cells{0, 1, 2, 3, 4, 5, 6, 7, 8};
        int wrong = 0;
        do {
            const PackedBoard<3> packed(cells);
            const Board board(cells);
            wrong += is_solvable(packed, packed_goal) == seen.contains(packed) ? 0 : 1;
            wrong += is_solvable(board, goal) == seen.contains(packed) ? 0 : 1;
        } while (std::next_permutation(cells.begin(), cells.end()));
        CHECK(wrong == 0);
    }
}

TEST_CASE("the member function is parity to the blank-last goal", "[solvability]") {
    for (int n = 2; n <= 30; ++n) {
        const Board last = goal_blank_last(n);
        for (const Board& board : {last, goal_blank_first(n), goal_spiral(n)}) {
            CHECK(board.is_solvable() == is_solvable(board, last));
            CHECK(board.is_solvable() == is_solvable(last, board));
            CHECK(board.is_solvable() == oracle::is_solvable(board));
            CHECK(board.twin().is_solvable() != board.is_solvable());
            CHECK(is_solvable(board.twin(), last.twin()) == board.is_solvable());
        }
    }
}

TEST_CASE("boards of different sizes are refused", "[solvability]") {
    CHECK(message_of<std::invalid_argument>([] {
              static_cast<void>(is_solvable(goal_blank_last(3), goal_blank_last(4)));
          }) == "the board has size 3, its goal has size 4");
}
