// test:
// A heuristic written by a user: linear conflict from scratch, compared with Manhattan by the boards that A*
// expands. Two tiles that stand in the row where both belong, but in the wrong order, cannot pass each other:
// one of them has to leave the row and come back, two moves that the Manhattan distance knows nothing of. The
// same goes for columns.

#include <npuzzle/puzzle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <vector>

// How many tiles of a line must leave it so that the rest stand in order: all but those of a longest
// increasing subsequence. To count pairs in conflict would be too much, since one tile that leaves may settle
// several.
std::int64_t must_leave(const std::vector<int>& homes) {
    std::vector<int> longest(homes.size(), 1); // the longest increasing subsequence that ends here
    int kept = 0;
    for (std::size_t last = 0; last < homes.size(); ++last) {
        for (std::size_t i = 0; i < last; ++i) {
            if (homes[i] < homes[last]) longest[last] = std::max(longest[last], longest[i] + 1);
        }
        kept = std::max(kept, longest[last]);
    }
    return static_cast<std::int64_t>(homes.size()) - kept;
}

// A heuristic is anything that can be called with a board: this, or a lambda.
std::int64_t my_linear_conflict(const npuzzle::Board& board) {
    std::int64_t leaving = 0;
    for (int line = 0; line < board.size(); ++line) {
        std::vector<int> in_row;
        std::vector<int> in_column;
        for (int i = 0; i < board.size(); ++i) {
            const int across = board.tile_at(line, i) - 1;
            const int down = board.tile_at(i, line) - 1;
            if (across >= 0 && across / board.size() == line) in_row.push_back(across % board.size());
            if (down >= 0 && down % board.size() == line) in_column.push_back(down / board.size());
        }
        leaving += must_leave(in_row) + must_leave(in_column);
    }
    return board.manhattan() + 2 * leaving;
}

int main() {
    std::cout << "size  moves     Manhattan  linear conflict\n";
    std::uint64_t expanded_by_manhattan = 0;
    std::uint64_t expanded_by_mine = 0;
    bool is_right = true;
    for (const int size : {3, 4}) {
        const npuzzle::SlidingPuzzle puzzle(size);
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const npuzzle::Board board = size == 3 ? npuzzle::random_solvable(size, seed)
                                                   : npuzzle::random_walk(puzzle.goal(), 60, seed);
            const auto manhattan = npuzzle::astar(puzzle, board, npuzzle::Manhattan{});
            const auto mine = npuzzle::astar(puzzle, board, my_linear_conflict);
            std::cout << std::setw(4) << size << std::setw(7) << mine.cost << std::setw(14)
                      << manhattan.statistics.expanded << std::setw(17) << mine.statistics.expanded << '\n';
            expanded_by_manhattan += manhattan.statistics.expanded;
            expanded_by_mine += mine.statistics.expanded;
            is_right = is_right && manhattan && mine && manhattan.cost == mine.cost &&
                       my_linear_conflict(board) == npuzzle::LinearConflict{}(board);
        }
    }
    std::cout << "Of 100 boards that Manhattan expands, linear conflict expands "
              << 100 * expanded_by_mine / expanded_by_manhattan << ".\n";
    if (!is_right)
        std::cerr << "The two do not agree on the moves, or mine is not the library's linear conflict.\n";
    return is_right && expanded_by_mine < expanded_by_manhattan ? 0 : 1;
}
