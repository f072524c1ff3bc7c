// The largest possible board, 32767 x 32767. Builds it, checks it and measures it. Each answer is checked by
// number theory. Prints the time of each step and the memory of all of them. Takes about 4.5 GB.
//
//     g++ -std=c++20 -O2 -I include benchmarks/huge_board.cpp -o huge_board && ./huge_board [SIZE]
//
// Cell c of the board holds the tile a * c + b modulo n * n, where a and n * n are coprime and a is near the
// golden section. So neighboring cells hold distant tiles, and accesses are hard to predict or to cache. The
// parity of such an arrangement is known. Shifting by b is b times one cycle of all cells. Multiplication by
// a is even if n is odd (the Jacobi symbol of a and a square is 1; Y. I. Zolotarev, 1872), and odd if n is
// even and a is 3 modulo 4 (M. Lerch, 1896).

#include <npuzzle/puzzle/board.hpp>

#include "support/process_memory.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

class Stopwatch {
public:
    /// Prints the time of the step that ends now, and its result.
    void report(const char* step, std::int64_t found) {
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
        std::printf("%-24s %9.2f s   %lld\n", step, seconds.count(), static_cast<long long>(found));
        begin_ = std::chrono::steady_clock::now();
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::vector<std::int32_t> make_tiles(std::int64_t cells, std::int64_t factor, std::int64_t shift) {
    std::vector<std::int32_t> tiles;
    tiles.reserve(static_cast<std::size_t>(cells));
    for (std::int64_t tile = shift; static_cast<std::int64_t>(tiles.size()) < cells;) {
        tiles.push_back(static_cast<std::int32_t>(tile));
        tile = (tile + factor) % cells;
    }
    return tiles;
}

/// The two distances to the goal, by their definitions.
struct Distances {
    std::int64_t hamming = 0;
    std::int64_t manhattan = 0;
};

Distances measure(const npuzzle::Board& board) {
    Distances distances;
    const int n = board.size();
    std::int64_t cell = 0;
    for (int row = 0; row < n; ++row) {
        for (int col = 0; col < n; ++col, ++cell) {
            const int tile = board.tile(cell);
            if (tile == 0) continue;
            distances.hamming += tile != cell + 1 ? 1 : 0;
            distances.manhattan += std::abs((tile - 1) / n - row) + std::abs((tile - 1) % n - col);
        }
    }
    return distances;
}

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    std::exit(1);
}

} // namespace

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : npuzzle::Board::max_size;
    if (n < npuzzle::Board::min_size || n > npuzzle::Board::max_size) {
        std::fprintf(stderr, "usage: huge_board [SIZE], from 2 to 32767\n");
        return 2;
    }
    const std::int64_t cells = std::int64_t{n} * n;
    std::int64_t factor = cells * 618 / 1000 + 1;
    while (std::gcd(factor, cells) != 1) ++factor;
    const std::int64_t shift = cells / 3;

    std::printf("n = %d, %lld cells\n", n, static_cast<long long>(cells));
    const benchmarks::PeakGrowth growth;
    Stopwatch stopwatch;
    std::vector<std::int32_t> tiles = make_tiles(cells, factor, shift);
    stopwatch.report("make the tiles", cells);

    const std::int32_t* const storage = tiles.data();
    npuzzle::Board board(std::move(tiles));
    stopwatch.report("check them: Board", board.size());
    require(board.tiles().data() == storage, "a vector that was moved in was copied");
    require(board.tile(0) == shift, "the first tile");

    const bool factor_is_odd = n % 2 == 0 && factor % 4 == 3;
    const bool shift_is_odd = n % 2 == 0 && shift % 2 == 1;
    const bool goal_is_odd = n % 2 == 0;
    const std::int64_t rows = n - 1 - board.blank_cell() / n;
    const std::int64_t cols = n - 1 - board.blank_cell() % n;
    const bool arrangement_differs = (factor_is_odd != shift_is_odd) != goal_is_odd;
    stopwatch = Stopwatch();
    const bool solvable = board.is_solvable();
    stopwatch.report("is_solvable", solvable ? 1 : 0);
    require(solvable == (arrangement_differs == ((rows + cols) % 2 == 1)), "solvability");

    const std::int64_t hamming = board.hamming();
    stopwatch.report("hamming", hamming);

    const std::int64_t manhattan = board.manhattan();
    stopwatch.report("manhattan", manhattan);
    const Distances distances = measure(board);
    require(hamming == distances.hamming, "hamming");
    require(manhattan == distances.manhattan, "manhattan");

    stopwatch = Stopwatch();
    stopwatch.report("hash", static_cast<std::int64_t>(std::hash<npuzzle::Board>{}(board) >> 1));
    // Two equal tiles as far apart as possible: the check finds the error only at the very end.
    board = npuzzle::Board{{1, 2}, {3, 0}}; // releases its memory
    tiles = make_tiles(cells, factor, shift);
    tiles.back() = tiles.front();
    stopwatch = Stopwatch();
    try {
        const npuzzle::Board refused(std::move(tiles));
        require(false, "a tile that stands twice was not found");
    } catch (const std::invalid_argument& error) {
        stopwatch.report("a tile that stands twice", 1);
        std::printf("    %s\n", error.what());
    }
    std::printf("peak memory: %.2f GB\n", static_cast<double>(growth.bytes()) / 1e9);
}
