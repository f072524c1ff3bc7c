// The benchmark of the page, by the compiler of this machine: a line for each row, with the expansions and
// the seconds.
#include "boards.hpp"

#include <algorithm>
#include <iostream>

int main() {
    for (const playground::BenchmarkRow& row : playground::benchmark_rows) {
        double least = 1e9;
        std::uint64_t expanded = 0;
        for (int run = 0; run < 3; ++run) {
            playground::BoardRequest request{.board = playground::board_from(row.board)};
            request.algorithm = row.algorithm;
            request.heuristic = row.heuristic;
            const playground::BoardOutcome outcome = playground::search_board(request);
            if (outcome.status != npuzzle::Status::solved) return 1;
            least = std::min(least, outcome.statistics.seconds);
            expanded = outcome.statistics.expanded;
        }
        std::cout << row.name << '\t' << expanded << '\t' << least << '\n';
    }
}
