/// @file
/// Checks for every heuristic of the sliding-tile puzzle: it must agree with a simple implementation of its
/// definition, and be admissible and consistent.
#pragma once

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/capabilities.hpp>

#include "support/catch.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace oracle {

/// The tiles of a board, row by row.
using Tiles = std::vector<int>;

/// The cell of each tile.
inline std::vector<int> cells_of(const Tiles& board) {
    std::vector<int> cells(board.size());
    for (std::size_t cell = 0; cell < board.size(); ++cell) {
        cells[static_cast<std::size_t>(board[cell])] = static_cast<int>(cell);
    }
    return cells;
}

/// The tiles of a `Board` or a `PackedBoard`.
template <class B>
Tiles tiles_of(const B& board) {
    Tiles tiles;
    for (int row = 0; row < board.size(); ++row) {
        for (int column = 0; column < board.size(); ++column) {
            tiles.push_back(board.tile_at(row, column));
        }
    }
    return tiles;
}

inline int hamming(const Tiles& board, const Tiles& goal, int /*n*/) {
    int misplaced = 0;
    for (std::size_t cell = 0; cell < board.size(); ++cell) {
        misplaced += board[cell] != 0 && board[cell] != goal[cell] ? 1 : 0;
    }
    return misplaced;
}

inline int manhattan(const Tiles& board, const Tiles& goal, int n) {
    const std::vector<int> from = cells_of(board);
    const std::vector<int> to = cells_of(goal);
    int sum = 0;
    for (std::size_t tile = 1; tile < board.size(); ++tile) {
        sum += std::abs(from[tile] / n - to[tile] / n) + std::abs(from[tile] % n - to[tile] % n);
    }
    return sum;
}

/// For each row and each column: the home coordinates, along the line, of those of its tiles that belong in
/// it, in the order in which they stand.
inline std::vector<std::vector<int>> lines_of(const Tiles& board, const Tiles& goal, int n) {
    const std::vector<int> home = cells_of(goal);
    std::vector<std::vector<int>> lines(2 * static_cast<std::size_t>(n));
    for (int cell = 0; cell < n * n; ++cell) {
        const int tile = board[static_cast<std::size_t>(cell)];
        const int to = home[static_cast<std::size_t>(tile)];
        if (tile != 0 && to / n == cell / n) {
            lines[static_cast<std::size_t>(cell / n)].push_back(to % n);
        }
        if (tile != 0 && to % n == cell % n) {
            lines[static_cast<std::size_t>(n + cell % n)].push_back(to / n);
        }
    }
    return lines;
}

/// The number of pairs of tiles that have to pass each other.
inline int conflicting_pairs(const std::vector<int>& line) {
    int pairs = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        for (std::size_t j = i + 1; j < line.size(); ++j) {
            pairs += line[i] > line[j] ? 1 : 0;
        }
    }
    return pairs;
}

/// The least number of tiles that must be removed from a line so that no two of the others have to pass each
/// other. Tries all subsets of the line.
inline int least_to_leave(const std::vector<int>& line) {
    if (conflicting_pairs(line) == 0) {
        return 0;
    }
    int max_kept = 0;
    for (unsigned kept = 0; kept < 1U << line.size(); ++kept) {
        std::vector<int> rest;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if ((kept >> i & 1U) != 0) {
                rest.push_back(line[i]);
            }
        }
        if (conflicting_pairs(rest) == 0) {
            max_kept = std::max(max_kept, static_cast<int>(rest.size()));
        }
    }
    return static_cast<int>(line.size()) - max_kept;
}

inline int linear_conflict(const Tiles& board, const Tiles& goal, int n) {
    int leaving = 0;
    for (const auto& line : lines_of(board, goal, n)) {
        leaving += least_to_leave(line);
    }
    return manhattan(board, goal, n) + 2 * leaving;
}

/// Walking distance by its definition, for one direction of lines. A pattern gives for each line how many of
/// its tiles belong in each line. All patterns are searched in breadth-first order from the goal pattern.
class WalkingSpace {
public:
    using Pattern = std::vector<int>;

    /// `goal_line` is the line of the goal's blank.
    WalkingSpace(int n, int goal_line) : size_(n) {
        Pattern goal(static_cast<std::size_t>(n * n));
        for (int line = 0; line < n; ++line) {
            goal[static_cast<std::size_t>(line * n + line)] = line == goal_line ? n - 1 : n;
        }
        distances_[goal] = 0;
        std::vector<Pattern> layer{goal};
        for (int depth = 1; !layer.empty(); ++depth) {
            std::vector<Pattern> next;
            for (const Pattern& pattern : layer) {
                for (const Pattern& neighbor : neighbors(pattern)) {
                    if (distances_.emplace(neighbor, depth).second) {
                        next.push_back(neighbor);
                    }
                }
            }
            layer.swap(next);
        }
    }

    const std::map<Pattern, int>& distances() const { return distances_; }

    /// The patterns that one move of the blank to a neighboring line leads to.
    std::vector<Pattern> neighbors(const Pattern& pattern) const {
        std::vector<Pattern> result;
        int blank = 0;
        while (std::accumulate(pattern.begin() + blank * size_, pattern.begin() + (blank + 1) * size_, 0) ==
               size_) {
            ++blank;
        }
        for (const int to : {blank - 1, blank + 1}) {
            for (int home = 0; home < size_ && 0 <= to && to < size_; ++home) {
                if (pattern[static_cast<std::size_t>(to * size_ + home)] > 0) {
                    result.push_back(pattern);
                    --result.back()[static_cast<std::size_t>(to * size_ + home)];
                    ++result.back()[static_cast<std::size_t>(blank * size_ + home)];
                }
            }
        }
        return result;
    }

private:
    int size_;
    std::map<Pattern, int> distances_;
};

/// The pattern of a board's rows, or of its columns.
inline WalkingSpace::Pattern walking_pattern(const Tiles& board, const Tiles& goal, int n, bool of_rows) {
    const std::vector<int> home = cells_of(goal);
    WalkingSpace::Pattern pattern(board.size());
    for (int cell = 0; cell < n * n; ++cell) {
        if (const int tile = board[static_cast<std::size_t>(cell)]; tile != 0) {
            const int to = home[static_cast<std::size_t>(tile)];
            ++pattern[static_cast<std::size_t>(of_rows ? cell / n * n + to / n : cell % n * n + to % n)];
        }
    }
    return pattern;
}

inline int walking_distance(const Tiles& board, const Tiles& goal, int n) {
    static std::map<std::pair<int, int>, WalkingSpace> spaces;
    const int blank = cells_of(goal)[0];
    int sum = 0;
    for (const bool of_rows : {true, false}) {
        const int line = of_rows ? blank / n : blank % n;
        const WalkingSpace& space = spaces.try_emplace({n, line}, n, line).first->second;
        sum += space.distances().at(walking_pattern(board, goal, n, of_rows));
    }
    return sum;
}

inline int greater_of_both(const Tiles& board, const Tiles& goal, int n) {
    return std::max(linear_conflict(board, goal, n), walking_distance(board, goal, n));
}

} // namespace oracle

namespace test {

/// Whether a heuristic accepts boards whose size is not known before run time.
template <class H>
inline constexpr bool takes_any_size = npuzzle::HeuristicFor<H, npuzzle::SlidingPuzzle<>>;

/// The value of a heuristic, computed from a board, its goal and their size.
using Definition = std::function<int(const oracle::Tiles&, const oracle::Tiles&, int)>;

/// Follows a heuristic along moves by each capability that it has: by values, and by evaluations that are
/// derived from earlier ones. A move changes its value by at most 1.
template <class P, class B>
class Follower {
    static constexpr bool is_incremental = npuzzle::IncrementalHeuristicFor<B, P>;
    static constexpr bool is_evaluating = npuzzle::EvaluatingHeuristicFor<B, P>;
    static_assert(is_incremental || is_evaluating);

    static auto evaluation_of(B& heuristic, const npuzzle::state_t<P>& board) {
        if constexpr (is_evaluating) {
            return heuristic.evaluate(board);
        } else {
            return heuristic(board);
        }
    }

public:
    using State = npuzzle::state_t<P>;

    Follower(const P& puzzle, B& heuristic, const Definition& definition, const State& start)
        : heuristic_(heuristic), definition_(definition), goal_(oracle::tiles_of(puzzle.goal())),
          board_(start), value_(heuristic(start)), evaluation_(evaluation_of(heuristic, start)) {}

    auto value() const { return value_; }

    void move(npuzzle::Move move, const State& next) {
        const auto before = value_;
        value_ = heuristic_(next);
        bool agrees = true;
        if constexpr (is_incremental) {
            agrees = heuristic_.after(before, board_, move, next) == value_;
        }
        if constexpr (is_evaluating) {
            evaluation_ = heuristic_.after(evaluation_, board_, move, next);
            agrees = agrees && heuristic_.value(evaluation_) == value_;
        }
        if (!agrees)
            FAIL("not the value after a move: " << before << " to " << value_ << ", " << board_ << next);
        if (value_ > before + 1 || before > value_ + 1) {
            FAIL("not consistent: from " << before << " to " << value_ << ", " << board_ << next);
        }
        board_ = next;
    }

    void require_definition() const {
        bool is_defined = value_ == definition_(oracle::tiles_of(board_), goal_, board_.size());
        if constexpr (is_evaluating) {
            is_defined = is_defined && heuristic_.value(heuristic_.evaluate(board_)) == value_;
        }
        if (!is_defined) FAIL("not the value by definition: " << value_ << ", " << board_);
    }

private:
    B& heuristic_;
    const Definition& definition_;
    oracle::Tiles goal_;
    State board_;
    std::remove_cvref_t<decltype(std::declval<B&>()(std::declval<const State&>()))> value_;
    std::remove_cvref_t<decltype(evaluation_of(std::declval<B&>(), std::declval<const State&>()))>
        evaluation_;
};

/// Checks a heuristic on each of the 362,880 boards of size 3, solvable or not, and after each move from
/// them. It must not exceed the true distance.
template <class H>
void check_heuristic_on_all_boards_of_size_3(const H& heuristic, const Definition& definition,
                                             const oracle::Cells<3>& goal) {
    const auto& space = oracle::space_of_size_3(goal);
    const auto check = [&](const auto& puzzle) {
        using P = std::remove_cvref_t<decltype(puzzle)>;
        using State = npuzzle::state_t<P>;
        auto bound = npuzzle::bind_heuristic(heuristic, puzzle);
        CHECK(bound(puzzle.goal()) == 0);
        std::size_t moves = 0;
        for (const oracle::Cells<3>& cells : space.boards()) {
            const Follower<P, decltype(bound)> start(puzzle, bound, definition, State(cells));
            start.require_definition();
            if (const int depth = space.depth(cells); depth >= 0 && start.value() > depth) {
                FAIL("not admissible: " << start.value() << " at depth " << depth << ", " << State(cells));
            }
            for (const auto& step : oracle::steps_from(cells, 3)) {
                ++moves;
                auto follower = start;
                follower.move(static_cast<npuzzle::Move>(step.direction), State(step.board));
            }
        }
        CHECK(moves == 967680); // 9! * (4 corners * 2 + 4 sides * 3 + 1 middle * 4) / 9
    };
    check(npuzzle::SlidingPuzzle<3>{npuzzle::PackedBoard<3>(goal)});
    if constexpr (takes_any_size<H>) check(npuzzle::SlidingPuzzle{npuzzle::Board(goal)});
}

/// The same along random walks that start at the goal: many short ones, which detect a heuristic that
/// overestimates the moves made, and a long one, with all kinds of goals. Up to size `largest_packed` also on
/// packed boards, or only on these.
template <int largest_packed = 5, class H>
void check_heuristic_on_walks(const H& heuristic, const Definition& definition) {
    Random random(20);
    const auto walk = [&](const auto& puzzle) {
        using P = std::remove_cvref_t<decltype(puzzle)>;
        auto bound = npuzzle::bind_heuristic(heuristic, puzzle);
        for (int i = 0; i <= 20; ++i) {
            auto board = puzzle.goal();
            Follower<P, decltype(bound)> follower(puzzle, bound, definition, board);
            npuzzle::Move last = npuzzle::Move::none;
            for (int made = 1; made <= (i < 20 ? 40 : 1000); ++made) {
                std::vector<npuzzle::Move> moves;
                puzzle.for_each_move(board, last, [&](npuzzle::Move move) { moves.push_back(move); });
                last = moves[random.below(moves.size())];
                puzzle.apply(board, last);
                follower.move(last, board);
                follower.require_definition();
                if (follower.value() > made) {
                    FAIL(follower.value() << " within " << made << " moves of the goal, " << board);
                }
            }
        }
    };
    for (int n = 2; n <= (takes_any_size<H> ? 8 : largest_packed); ++n) {
        CAPTURE(n);
        std::vector<int> shuffled(static_cast<std::size_t>(n * n));
        std::iota(shuffled.begin(), shuffled.end(), 0);
        random.shuffle(shuffled);
        for (const npuzzle::Board& goal : {npuzzle::goal_blank_last(n), npuzzle::goal_blank_first(n),
                                           npuzzle::goal_spiral(n), npuzzle::Board(shuffled)}) {
            CAPTURE(goal);
            if constexpr (takes_any_size<H>) walk(npuzzle::SlidingPuzzle{goal});
            if (n == 2) walk(npuzzle::SlidingPuzzle<2>{goal});
            if (n == 3) walk(npuzzle::SlidingPuzzle<3>{goal});
            if (n == 4) walk(npuzzle::SlidingPuzzle<4>{goal});
            if constexpr (largest_packed >= 5) {
                if (n == 5) walk(npuzzle::SlidingPuzzle<5>{goal});
            }
        }
    }
}

} // namespace test
