// test:
// A heuristic written by a user: linear conflict, from scratch. It is checked, updated move by move, and
// compared with others by the boards that A* expands. If two tiles are in the row where both belong, but in
// the wrong order, they cannot pass each other: one of them must leave the row and come back. These two moves
// are not in the Manhattan distance. The same holds for columns.

#include <npuzzle/puzzle.hpp>
#include <npuzzle/search.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

// How many tiles of a line must leave it so that the rest are in order: all except those of a longest
// increasing subsequence. Counting pairs in conflict would be too much, because one tile that leaves may
// resolve several pairs.
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

// A heuristic is anything that can be called with a board: a function like this one, or a lambda.
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

// The same with a mistake: two moves for each pair of tiles that cannot pass each other.
std::int64_t pairs_in_conflict(const npuzzle::Board& board) {
    const int n = board.size();
    std::int64_t pairs = 0;
    for (int line = 0; line < n; ++line) {
        for (int first = 0; first < n; ++first) {
            for (int second = first + 1; second < n; ++second) {
                const int left = board.tile_at(line, first) - 1;
                const int right = board.tile_at(line, second) - 1;
                if (left > right && right >= 0 && left / n == line && right / n == line) ++pairs;
                const int upper = board.tile_at(first, line) - 1;
                const int lower = board.tile_at(second, line) - 1;
                if (upper > lower && lower >= 0 && upper % n == line && lower % n == line) ++pairs;
            }
        }
    }
    return board.manhattan() + 2 * pairs;
}

// The same, updated move by move. This needs more than the value of a board: how many tiles must leave each
// line. A move changes at most two lines.
class MyLinearConflict {
public:
    struct Evaluation {
        std::array<std::int8_t, 4> leaving_row{};
        std::array<std::int8_t, 4> leaving_column{};
        std::int8_t manhattan = 0;
    };
    using Board = npuzzle::PackedBoard<4>;

    Evaluation evaluate(const Board& board) const {
        Evaluation evaluation;
        for (int line = 0; line < 4; ++line) count(evaluation, board, line);
        evaluation.manhattan = static_cast<std::int8_t>(board.manhattan());
        return evaluation;
    }

    int value(const Evaluation& evaluation) const {
        int leaving = 0;
        for (int line = 0; line < 4; ++line) {
            leaving += evaluation.leaving_row[static_cast<std::size_t>(line)];
            leaving += evaluation.leaving_column[static_cast<std::size_t>(line)];
        }
        return evaluation.manhattan + 2 * leaving;
    }

    int operator()(const Board& board) const { return value(evaluate(board)); }

    // The tile has moved from where the blank is now to where the blank was.
    Evaluation after(Evaluation evaluation, const Board& before, npuzzle::Move, const Board& after) const {
        const int from = after.blank_cell();
        const int to = before.blank_cell();
        const int home = before.tile(from) - 1;
        const auto apart = [&](int cell) {
            return std::abs(home / 4 - cell / 4) + std::abs(home % 4 - cell % 4);
        };
        evaluation.manhattan = static_cast<std::int8_t>(evaluation.manhattan + apart(to) - apart(from));
        count(evaluation, after, from / 4, from % 4);
        count(evaluation, after, to / 4, to % 4);
        return evaluation;
    }

private:
    static void count(Evaluation& evaluation, const Board& board, int line) {
        count(evaluation, board, line, line);
    }

    static void count(Evaluation& evaluation, const Board& board, int row, int column) {
        std::vector<int> in_row;
        std::vector<int> in_column;
        for (int i = 0; i < 4; ++i) {
            const int across = board.tile(4 * row + i) - 1;
            const int down = board.tile(4 * i + column) - 1;
            if (across >= 0 && across / 4 == row) in_row.push_back(across % 4);
            if (down >= 0 && down % 4 == column) in_column.push_back(down / 4);
        }
        evaluation.leaving_row[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(must_leave(in_row));
        evaluation.leaving_column[static_cast<std::size_t>(column)] =
            static_cast<std::int8_t>(must_leave(in_column));
    }
};

static_assert(npuzzle::EvaluatingHeuristicFor<MyLinearConflict, npuzzle::SlidingPuzzle<4>>);

// Looks for faults along random walks from a random board and from the goal.
bool check() {
    const npuzzle::SlidingPuzzle puzzle(3);
    const std::vector<npuzzle::Board> samples{puzzle.goal(), npuzzle::random_solvable(3, 1)};
    const auto right = npuzzle::verify_consistency(puzzle, my_linear_conflict, samples, 2000);
    const auto wrong = npuzzle::verify_consistency(puzzle, pairs_in_conflict, samples, 2000);
    std::cout << "Tiles that must leave: " << right << "\nPairs in conflict: " << wrong << '\n';

    const npuzzle::SlidingPuzzle<4> fifteen;
    const auto following = npuzzle::verify_consistency(fifteen, MyLinearConflict{}, {fifteen.goal()}, 2000);
    std::cout << "Following moves: " << following << "\n\n";
    return right && !wrong && following;
}

// The library's heuristics and mine, side by side on eight boards.
bool compare() {
    const npuzzle::SlidingPuzzle<4> puzzle;
    std::vector<npuzzle::PackedBoard<4>> boards;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        boards.emplace_back(npuzzle::random_walk(npuzzle::Board(puzzle.goal()), 60, seed));
    }
    const auto measure = [&](const char* name, const auto& heuristic) {
        int moves = 0;
        std::uint64_t expanded = 0;
        for (const auto& board : boards) {
            const auto result = npuzzle::astar(puzzle, board, heuristic);
            moves += result.cost;
            expanded += result.statistics.expanded;
        }
        std::cout << name << ": " << moves << " moves, " << expanded << " expansions\n";
        return std::pair(moves, expanded);
    };
    const int least = measure("Manhattan", npuzzle::Manhattan{}).first;
    const auto mine = measure("linear conflict, mine", MyLinearConflict{});
    const auto theirs = measure("linear conflict", npuzzle::LinearConflict{});
    measure("walking distance", npuzzle::WalkingDistance{});
    measure("the greater of the two", npuzzle::MaxOf{npuzzle::LinearConflict{}, npuzzle::WalkingDistance{}});
    return mine == theirs && mine.first == least;
}

int main() {
    const bool is_right = check();
    return compare() && is_right ? 0 : 1;
}
