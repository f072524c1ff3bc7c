// Constructive solutions of large random boards: their length, their time, and whether they lead to the goal.
// Then the effect of smoothing by windows on solutions of small boards.
//
//     g++ -std=c++20 -O2 -I include -I benchmarks benchmarks/constructive.cpp -o constructive
//     ./constructive [SIZE]...
//
// The moves of a board are generated twice: once with a sink that only counts, for the time, and once with a
// sink that makes them on the board's tiles, for the check.

#include <npuzzle/puzzle/constructive.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/smoothing.hpp>

#include "support/answers.hpp"
#include "support/timing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

namespace {

using npuzzle::Board;
using npuzzle::Move;

/// Makes moves on a board's tiles.
class Follower {
public:
    explicit Follower(const Board& board)
        : tiles_(board.tiles()), steps_{-std::int64_t{board.size()}, -1, 1, board.size()},
          blank_(board.blank_cell()), column_(static_cast<int>(blank_ % board.size())), size_(board.size()) {}

    void operator()(Move move) {
        const std::int64_t next = blank_ + steps_[static_cast<std::size_t>(move)];
        column_ += (move == Move::right ? 1 : 0) - (move == Move::left ? 1 : 0);
        is_legal_ = is_legal_ && 0 <= column_ && column_ < size_ && 0 <= next &&
                    next < static_cast<std::int64_t>(tiles_.size());
        if (is_legal_) {
            tiles_[static_cast<std::size_t>(blank_)] = tiles_[static_cast<std::size_t>(next)];
            tiles_[static_cast<std::size_t>(next)] = 0;
            blank_ = next;
        }
    }

    bool is_at(const Board& goal) const { return is_legal_ && tiles_ == goal.tiles(); }

private:
    std::vector<std::int32_t> tiles_;
    std::array<std::int64_t, 4> steps_;
    std::int64_t blank_;
    int column_;
    int size_;
    bool is_legal_ = true;
};

void solve(int n) {
    const Board board = npuzzle::random_solvable(n, 1);
    const Board goal = npuzzle::goal_blank_last(n);

    benchmarks::Stopwatch stopwatch;
    std::array<std::int64_t, 4> counts{};
    const std::int64_t moves = npuzzle::for_each_constructive_move(
        board, goal, [&](Move move) { ++counts[static_cast<std::size_t>(move)]; });
    const double seconds = stopwatch.seconds();
    benchmarks::require(counts[0] + counts[1] + counts[2] + counts[3] == moves, "the count of the moves");
    benchmarks::require(moves <= npuzzle::constructive_move_bound(n), "the bound on the moves");

    Follower follower(board);
    npuzzle::for_each_constructive_move(board, goal, follower);
    benchmarks::require(follower.is_at(goal), "the moves do not lead to the goal");

    const double cube = static_cast<double>(n) * n * n;
    std::printf("n = %-5d %13lld moves   %.3f n^3   %8.3f s   %.2f ns a move\n", n,
                static_cast<long long>(moves), static_cast<double>(moves) / cube, seconds,
                seconds * 1e9 / static_cast<double>(moves));
    std::fflush(stdout);
}

void smooth(int n, int boards) {
    std::int64_t before = 0;
    std::int64_t after = 0;
    double seconds = 0;
    for (int seed = 0; seed < boards; ++seed) {
        const Board board = npuzzle::random_solvable(n, static_cast<std::uint64_t>(seed));
        const std::vector<Move> moves = npuzzle::constructive_moves(board);
        benchmarks::Stopwatch stopwatch;
        const std::vector<Move> shorter = npuzzle::smooth(board, moves);
        seconds += stopwatch.seconds();
        Follower follower(board);
        for (const Move move : shorter) {
            follower(move);
        }
        benchmarks::require(follower.is_at(npuzzle::goal_blank_last(n)), "smoothing led elsewhere");
        benchmarks::require(shorter.size() <= moves.size(), "smoothing lengthened");
        before += static_cast<std::int64_t>(moves.size());
        after += static_cast<std::int64_t>(shorter.size());
    }
    std::printf(
        "n = %-5d smoothed: from %.1f to %.1f moves on average of %d boards, %.1f %% fewer, %.4f s each\n", n,
        static_cast<double>(before) / boards, static_cast<double>(after) / boards, boards,
        100 * (1 - static_cast<double>(after) / static_cast<double>(before)), seconds / boards);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    try {
        std::vector<int> sizes{10, 60, 200, 500, 1000};
        if (argc > 1) {
            sizes.clear();
            for (int i = 1; i < argc; ++i) {
                sizes.push_back(std::atoi(argv[i]));
            }
        }
        for (const int n : sizes) {
            if (n < Board::min_size || n > Board::max_size) {
                std::fprintf(stderr, "usage: constructive [SIZE]..., from 2 to 32767\n");
                return 2;
            }
            solve(n);
        }
        const int boards = argc > 1 ? 5 : 100;
        for (const int n : {4, 5, 6, 8, 10}) {
            smooth(n, n > 6 ? boards / 5 : boards);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wrong: %s\n", error.what());
        return 1;
    }
}
