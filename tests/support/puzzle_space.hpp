/// @file
/// The whole space of small puzzles, searched in breadth-first order from a goal. It uses arrays of tiles,
/// and no code of the library.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

namespace oracle {

/// The tiles of an N x N board row by row, 0 for the blank.
template <int N>
using Cells = std::array<int, std::size_t{N} * std::size_t{N}>;

/// A neighboring board, and the direction in which the blank went: 0 up, 1 left, 2 right, 3 down.
template <class Tiles>
struct Step {
    int direction;
    Tiles board;
};

/// The boards one move away from a board of size n, in the order up, left, right, down. `Tiles` is `Cells<N>`
/// or a vector of integers.
template <class Tiles>
std::vector<Step<Tiles>> steps_from(const Tiles& board, int n) {
    static constexpr int rows_down[] = {-1, 0, 0, 1};
    static constexpr int columns_right[] = {0, -1, 1, 0};
    const int blank = static_cast<int>(std::find(board.begin(), board.end(), 0) - board.begin());
    std::vector<Step<Tiles>> steps;
    for (int direction = 0; direction < 4; ++direction) {
        const int row = blank / n + rows_down[direction];
        const int column = blank % n + columns_right[direction];
        if (0 <= row && row < n && 0 <= column && column < n) {
            steps.push_back({direction, board});
            Tiles& tiles = steps.back().board;
            std::swap(tiles[static_cast<std::size_t>(blank)],
                      tiles[static_cast<std::size_t>(row * n + column)]);
        }
    }
    return steps;
}

/// All (N * N)! boards of size N, and the distance of each from a goal.
template <int N>
class PuzzleSpace {
public:
    explicit PuzzleSpace(const Cells<N>& goal) {
        Cells<N> board;
        std::iota(board.begin(), board.end(), 0);
        do {
            boards_.push_back(board);
        } while (std::next_permutation(board.begin(), board.end()));
        depths_.assign(boards_.size(), -1);

        std::vector<std::size_t> layer{number(goal)};
        depths_[layer.front()] = 0;
        for (int depth = 1; !layer.empty(); ++depth) {
            counts_.push_back(static_cast<int>(layer.size()));
            std::vector<std::size_t> next;
            for (const std::size_t parent : layer) {
                for (const auto& step : steps_from(boards_[parent], N)) {
                    const std::size_t child = number(step.board);
                    if (depths_[child] < 0) {
                        depths_[child] = depth;
                        next.push_back(child);
                    }
                }
            }
            layer.swap(next);
        }
    }

    /// In lexicographic order.
    const std::vector<Cells<N>>& boards() const { return boards_; }

    /// The least number of moves from a board to the goal; -1 if it cannot be reached.
    int depth(const Cells<N>& board) const { return depths_[number(board)]; }

    /// The number of boards at each depth.
    const std::vector<int>& counts() const { return counts_; }

    /// The first board of each depth in lexicographic order, from depth 0.
    std::vector<Cells<N>> first_of_each_depth() const {
        std::vector<Cells<N>> result(counts_.size());
        for (std::size_t i = boards_.size(); i-- > 0;) {
            if (depths_[i] >= 0) {
                result[static_cast<std::size_t>(depths_[i])] = boards_[i];
            }
        }
        return result;
    }

    /// Every `stride`-th of the boards from which the goal can be reached, in lexicographic order.
    std::vector<Cells<N>> solvable(std::size_t stride = 1) const { return selected(true, stride); }

    /// Every `stride`-th of the boards from which it cannot be reached.
    std::vector<Cells<N>> unsolvable(std::size_t stride = 1) const { return selected(false, stride); }

private:
    std::size_t number(const Cells<N>& board) const {
        return static_cast<std::size_t>(std::lower_bound(boards_.begin(), boards_.end(), board) -
                                        boards_.begin());
    }

    std::vector<Cells<N>> selected(bool is_solvable, std::size_t stride) const {
        std::vector<Cells<N>> result;
        std::size_t seen = 0;
        for (std::size_t i = 0; i < boards_.size(); ++i) {
            if ((depths_[i] >= 0) == is_solvable && seen++ % stride == 0) {
                result.push_back(boards_[i]);
            }
        }
        return result;
    }

    std::vector<Cells<N>> boards_;
    std::vector<int> depths_;
    std::vector<int> counts_;
};

// All tests share one that is optimized.
#ifdef NPUZZLE_PUZZLE_SPACE_ELSEWHERE
extern template class PuzzleSpace<3>;
#endif

/// The space of size 3 from a goal. Searched once and cached.
inline const PuzzleSpace<3>& space_of_size_3(const Cells<3>& goal) {
    static std::map<Cells<3>, PuzzleSpace<3>> spaces;
    return spaces.try_emplace(goal, goal).first->second;
}

/// Goals of size 3 of every kind: blank last, blank first, spiral, and an arbitrary arrangement.
inline const std::vector<Cells<3>> goals_of_size_3 = {
    {1, 2, 3, 4, 5, 6, 7, 8, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8},
    {1, 2, 3, 8, 0, 4, 7, 6, 5},
    {5, 2, 7, 0, 8, 3, 1, 6, 4},
};
inline const Cells<3>& blank_last_of_size_3 = goals_of_size_3.front();

/// The number of boards of the 8-puzzle at each depth from the blank-last goal (The On-Line Encyclopedia of
/// Integer Sequences, A089473).
inline const std::vector<int> counts_of_the_8_puzzle = {
    1,    2,    4,    8,     16,    20,    39,    62,    116,   152,   286,   396,  748,  1024, 1893, 2512,
    4485, 5638, 9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760,  221,  2};

/// The number of shortest paths from each board to the goal, by its tiles, counted by breadth-first search.
inline std::map<Cells<3>, std::uint64_t> shortest_paths_of_size_3() {
    const auto& space = space_of_size_3(blank_last_of_size_3);
    std::vector<Cells<3>> boards = space.solvable();
    std::stable_sort(boards.begin(), boards.end(),
                     [&](const auto& a, const auto& b) { return space.depth(a) < space.depth(b); });
    std::map<Cells<3>, std::uint64_t> counts{{blank_last_of_size_3, 1}};
    for (const auto& board : boards) {
        std::uint64_t& count = counts[board];
        for (const auto& step : steps_from(board, 3)) {
            if (space.depth(step.board) < space.depth(board)) {
                count += counts[step.board];
            }
        }
    }
    return counts;
}

/// The least number of moves between two boards of the same size. Breadth-first search, for boards that are a
/// few moves apart.
inline int moves_between(const std::vector<int>& from, const std::vector<int>& to, int n) {
    std::map<std::vector<int>, int> depths{{from, 0}};
    std::vector<std::vector<int>> layer{from};
    for (int depth = 0; !layer.empty(); ++depth) {
        std::vector<std::vector<int>> next;
        for (const std::vector<int>& board : layer) {
            if (board == to) {
                return depth;
            }
            for (auto& step : steps_from(board, n)) {
                if (depths.emplace(step.board, depth + 1).second) {
                    next.push_back(std::move(step.board));
                }
            }
        }
        layer.swap(next);
    }
    return -1;
}

} // namespace oracle
