#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/solvability.hpp"

#include "support/catch.hpp"
#include "support/parity_oracle.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using npuzzle::Board;
using npuzzle::goal_blank_first;
using npuzzle::goal_blank_last;
using npuzzle::goal_spiral;
using npuzzle::random_solvable;
using npuzzle::random_walk;

// The boards below were computed by a second implementation, in another language, of the method that the
// header documents. So they test the method, not only the present code.

TEST_CASE("a seed gives the same solvable board everywhere", "[scramble]") {
    CHECK(random_solvable(2, 2025) == Board{{2, 0}, {1, 3}});
    CHECK(random_solvable(3, 2025) == Board{{4, 0, 5}, {7, 3, 6}, {1, 2, 8}});
    CHECK(random_solvable(4, 2025) == Board{{14, 3, 13, 9}, {6, 15, 10, 12}, {0, 2, 11, 1}, {7, 8, 4, 5}});
}

TEST_CASE("a seed gives the same walk everywhere", "[scramble]") {
    const auto walk = [](int n) { return random_walk(goal_blank_last(n), 100, 2025); };
    CHECK(walk(2) == Board{{2, 3}, {1, 0}});
    CHECK(walk(3) == Board{{0, 5, 4}, {7, 6, 1}, {3, 8, 2}});
    CHECK(walk(4) == Board{{2, 8, 1, 15}, {5, 12, 6, 10}, {0, 7, 3, 11}, {13, 4, 9, 14}});
}

TEST_CASE("a seed is a generator with that seed", "[scramble]") {
    std::mt19937_64 generator(2025);
    CHECK(random_solvable(4, generator) == random_solvable(4, 2025));
    CHECK(random_solvable(4, generator) != random_solvable(4, 2025)); // the generator has moved on
    std::mt19937_64 walker(2025);
    CHECK(random_walk(goal_blank_last(4), 30, walker) == random_walk(goal_blank_last(4), 30, 2025));
    CHECK(random_solvable(4, 7) != random_solvable(4, 8));
    CHECK(random_solvable(goal_blank_last(4), 7) == random_solvable(4, 7));
}

TEST_CASE("every random board is solvable to the goal it is drawn for", "[scramble]") {
    std::mt19937_64 generator(1);
    for (int n = 2; n <= 9; ++n) {
        std::unordered_set<Board> boards;
        for (int round = 0; round < 200; ++round) {
            const Board board = random_solvable(n, generator);
            REQUIRE(board.size() == n);
            REQUIRE(oracle::is_solvable(board));
            boards.insert(board);
            for (const Board& goal : {goal_blank_first(n), goal_spiral(n), goal_blank_last(n).twin()}) {
                const Board other = random_solvable(goal, generator);
                REQUIRE(is_solvable(other, goal));
                REQUIRE((oracle::is_solvable(other) == oracle::is_solvable(goal)));
            }
        }
        CHECK(boards.size() >= (n == 2 ? 12U : 190U));
    }
}

TEST_CASE("random boards of size 2 are uniform over the twelve solvable ones", "[scramble]") {
    std::mt19937_64 generator(42);
    const int draws = 120'000;
    std::unordered_map<Board, int> counts;
    for (int round = 0; round < draws; ++round) ++counts[random_solvable(2, generator)];
    REQUIRE(counts.size() == 12);
    double chi_square = 0;
    for (const auto& [board, count] : counts) chi_square += (count - draws / 12.0) * (count - draws / 12.0);
    chi_square /= draws / 12.0;
    // 11 degrees of freedom: 95 in 100 draws lie between these two.
    CHECK(chi_square > 3.8);
    CHECK(chi_square < 21.9);
}

TEST_CASE("a walk of one move leads to a neighbor, each equally often", "[scramble]") {
    const Board start{{1, 2, 3}, {4, 0, 5}, {6, 7, 8}};
    std::mt19937_64 generator(44);
    std::unordered_map<Board, int> counts;
    for (int round = 0; round < 40'000; ++round) ++counts[random_walk(start, 1, generator)];
    CHECK(counts.size() == 4);
    for (const Board& neighbor : start.neighbors()) CHECK(std::abs(counts[neighbor] - 10'000) < 4 * 87);
    CHECK(random_walk(start, 0, generator) == start);
}

TEST_CASE("a walk never takes its last move back", "[scramble]") {
    // A generator in the same state makes the same walk. So walks of 0, 1, 2, ... moves are the beginnings of
    // one walk.
    for (int n = 2; n <= 6; ++n) {
        const Board goal = goal_blank_last(n);
        std::vector<Board> track;
        for (int moves = 0; moves <= 300; ++moves) track.push_back(random_walk(goal, moves, 99));
        for (std::size_t k = 1; k < track.size(); ++k) {
            const auto neighbors = track[k - 1].neighbors();
            REQUIRE(std::count(neighbors.begin(), neighbors.end(), track[k]) == 1);
            if (k >= 2) REQUIRE(track[k] != track[k - 2]);
            REQUIRE(oracle::is_solvable(track[k]));
        }
    }
}

TEST_CASE("wrong requests are refused", "[scramble]") {
    std::mt19937_64 generator(1);
    CHECK(message_of<std::invalid_argument>([&] {
              static_cast<void>(random_walk(goal_blank_last(3), -1, generator));
          }) == "a random walk cannot have -1 moves");
    CHECK(message_of<std::invalid_argument>([&] { static_cast<void>(random_solvable(1, generator)); }) ==
          "the size of a board is from 2 to 32767, not 1");
    CHECK(message_of<std::invalid_argument>([&] { static_cast<void>(random_solvable(32768, 1)); }) ==
          "the size of a board is from 2 to 32767, not 32768");
}
