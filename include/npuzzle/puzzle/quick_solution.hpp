#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/constructive.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/limits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <utility>
#include <vector>

/// \file
/// A short solution, soon, of a board of any size. It need not be a shortest one.

namespace npuzzle {

/// Options of `quick_solution`.
struct QuickSolutionOptions {
    /// `expansions` count the beams'. `bytes` are for the beams; the moves themselves are not counted.
    Limits limits = {.bytes = 256'000'000, .time = std::chrono::milliseconds{1500}};
    /// Called with each solution that is shorter than the one before, the first one included.
    std::function<void(const std::vector<Move>&)> improved = {};
    /// A solution of so many moves ends the work: a lower bound that is known.
    std::int64_t enough = 0;
};

namespace detail {

/// Beam search whose time for a node does not depend on the size of the board: nodes are the leaves of a tree
/// of moves, and each layer walks through the tree and makes its moves on one board. Moves that all leaves
/// have in common leave the tree: they are the beginning of the solution.
///
/// As the constructive solution does, the beam fills line after line from outside, until 5 x 5 cells are left;
/// boards larger than 12 x 12 tile after tile. A node with more filled is better; then one with the lesser
/// sum of the Manhattan distances (those of the tiles to be filled twice), of the linear conflicts up to 12 x
/// 12, and of the way of the blank to the nearest tile to be filled. If no node gets better for a while, the
/// next tiles are brought by rule, from the best node that there was.
class TileBeam {
public:
    /// The bytes that a beam holds for each node of its width, at most.
    static constexpr std::uint64_t bytes_per_node = 1000;

    /// Requires that the goal can be reached from the board. O(n^2).
    /// \param width about how many nodes each layer keeps, at least 1
    /// \param max_moves no solution with more moves is looked for
    TileBeam(const Board& board, const Board& goal, std::size_t width, std::int64_t max_moves)
        : goal_(goal), size_(board.size()), step_{-size_, -1, 1, size_}, width_(width), max_moves_(max_moves),
          tiles_(board.tiles()), cell_of_(tiles_.size()),
          blank_(static_cast<std::int32_t>(board.blank_cell())), seen_(std::bit_ceil(32 * width)),
          shift_(64 - std::countr_zero(seen_.size())) {
        std::vector<std::int32_t> home(tiles_.size());
        for (std::int32_t cell = 0; cell < size_ * size_; ++cell) {
            places_.push_back(
                {static_cast<std::int16_t>(cell / size_), static_cast<std::int16_t>(cell % size_)});
            home[index(goal.tile(cell))] = cell;
        }
        for (std::int32_t cell = 0; cell < size_ * size_; ++cell) {
            tiles_[index(cell)] = home[index(tiles_[index(cell)])];
            cell_of_[index(tiles_[index(cell)])] = cell;
        }
        list_groups();
        take_root();
    }

    /// Makes the next layer. Returns false if the goal was found, or no solution of so few moves is in sight.
    bool advance() {
        if (!is_solved_) expand();
        if (is_solved_) return false;
        choose();
        plant();
        if (leaves_.empty() && is_pruned_) return false;
        if (leaves_.empty() || stale_ > patience) {
            fill_by_rule(false);
            take_root();
        }
        return !is_solved_;
    }

    /// How many nodes were expanded.
    [[nodiscard]] std::uint64_t expanded() const { return expanded_; }

    /// The moves to the goal. If the beam has not found it, they are made by rule from its best node.
    [[nodiscard]] std::vector<Move> moves() && {
        if (!is_solved_) fill_by_rule(true);
        prefix_.insert(prefix_.end(), path_.begin(), path_.end());
        return std::move(prefix_);
    }

private:
    struct Place {
        std::int16_t row;
        std::int16_t column;
    };

    struct Node {
        std::uint64_t hash = 0;
        std::int64_t priority = 0;
        std::int32_t left = 0;  ///< the distance of all tiles, and the moves that conflicts add
        std::int32_t group = 0; ///< the first that is not filled
        std::int32_t group_distance = 0;
    };

    struct Candidate {
        Node node;
        std::uint8_t move;
        bool is_kept;
    };

    // A tour through the tree is a sequence of moves down, 0 to 3, of moves up, 4 to 7, and of leaves.
    static constexpr std::uint8_t up = 4;
    static constexpr std::uint8_t leaf = 8;

    static constexpr int core = 5;
    static constexpr int patience = 50;
    static constexpr int largest_with_conflicts = 12;
    static constexpr std::int64_t worst = (std::numeric_limits<std::int64_t>::max)();

    template <class Number>
    static std::size_t index(Number number) {
        return static_cast<std::size_t>(number);
    }

    static unsigned opposite(unsigned move) { return 3U - move; }

    static int distance(Place a, Place b) { return std::abs(a.row - b.row) + std::abs(a.column - b.column); }

    Place place(std::int32_t cell) const { return places_[index(cell)]; }

    /// A hash is the sum of these.
    std::uint64_t key(std::int32_t tile, std::int32_t cell) const {
        return mix((static_cast<std::uint64_t>(tile) << 32 | static_cast<std::uint32_t>(cell)) + 1);
    }

    std::int32_t group_count() const { return static_cast<std::int32_t>(groups_.size()); }
    bool counts_conflicts() const { return size_ <= largest_with_conflicts; }

    /// Lists the cells outside of the core in the groups in which they are filled, one after another: pieces of
    /// the lines that `ConstructiveSolver` fills, in its order. The last tile of a line cannot be brought to
    /// its cell while the one beside it stays. So both are in one group.
    void list_groups() {
        group_of_.assign(tiles_.size(), (std::numeric_limits<std::int32_t>::max)());
        const Place blank = place(static_cast<std::int32_t>(goal_.blank_cell()));
        Place first{0, 0};
        Place last = places_.back();
        for (bool is_row = true; last.row - first.row >= core || last.column - first.column >= core;
             is_row = !is_row) {
            const int line = is_row ? (blank.row > first.row ? first.row++ : last.row--)
                                    : (blank.column > first.column ? first.column++ : last.column--);
            const int end = is_row ? last.column : last.row;
            for (int i = is_row ? first.column : first.row, number = 0; i <= end; ++i, ++number) {
                const std::int32_t cell = is_row ? line * size_ + i : i * size_ + line;
                if (number == 0 || (!counts_conflicts() && i < end)) groups_.emplace_back();
                groups_.back().push_back(cell);
                group_of_[index(cell)] = group_count() - 1;
            }
        }
    }

    /// The tile at a cell is named by the cell where it belongs.
    std::int32_t distance_of_group(std::int32_t group) const {
        std::int32_t sum = 0;
        if (group < group_count()) {
            for (const std::int32_t home : groups_[index(group)]) {
                sum += distance(place(cell_of_[index(home)]), place(home));
            }
        }
        return sum;
    }

    void slide(unsigned move) {
        const std::int32_t next = blank_ + step_[move];
        const std::int32_t tile = tiles_[index(next)];
        tiles_[index(blank_)] = tile;
        cell_of_[index(tile)] = blank_;
        blank_ = next;
    }

    /// How many tiles must leave a line: those that belong there, less a longest increasing subsequence. With
    /// the blank at `blank` and the tile `tile` at `at`.
    int conflicts(int line, bool is_row, std::int32_t blank, std::int32_t at = -1,
                  std::int32_t tile = 0) const {
        std::array<std::int16_t, largest_with_conflicts> tops{};
        std::size_t piles = 0;
        int tiles = 0;
        std::int32_t cell = is_row ? line * size_ : line;
        for (int i = 0; i < size_; ++i, cell += is_row ? 1 : size_) {
            if (cell == blank) continue;
            const Place home = place(cell == at ? tile : tiles_[index(cell)]);
            if ((is_row ? home.row : home.column) != line) continue;
            const std::int16_t along = is_row ? home.column : home.row;
            std::size_t pile = piles;
            while (pile > 0 && tops[pile - 1] > along) --pile;
            tops[pile] = along;
            piles += pile == piles ? 1 : 0;
            ++tiles;
        }
        return tiles - static_cast<int>(piles);
    }

    /// The board as it is becomes the root of a new tree.
    void take_root() {
        Node root;
        for (std::int32_t cell = 0; cell < static_cast<std::int32_t>(tiles_.size()); ++cell) {
            if (cell != blank_) {
                const std::int32_t home = tiles_[index(cell)];
                root.left += distance(place(cell), place(home));
                root.hash += key(home, cell);
            }
        }
        for (int line = 0; line < size_ && counts_conflicts(); ++line) {
            root.left += 2 * (conflicts(line, true, blank_) + conflicts(line, false, blank_));
        }
        root.group_distance = distance_of_group(0);
        leaves_.assign(1, root);
        tour_.assign(1, leaf);
        depth_ = static_cast<std::int64_t>(prefix_.size());
        is_solved_ = root.left == 0;
        best_prefix_ = prefix_.size();
        best_path_.clear();
        best_priority_ = worst;
        stale_ = 0;
    }

    /// Goes to the best node since the root was taken, and fills its group by rule, or all cells.
    void fill_by_rule(bool is_all) {
        for (; prefix_.size() > best_prefix_; prefix_.pop_back()) {
            slide(opposite(static_cast<unsigned>(prefix_.back())));
        }
        const auto make = [&](Move move) {
            slide(static_cast<unsigned>(move));
            prefix_.push_back(move);
        };
        for (const Move move : best_path_) make(move);
        std::vector<std::int32_t> tiles(tiles_.size());
        for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
            tiles[cell] = std::cmp_equal(cell, blank_) ? 0 : goal_.tile(tiles_[cell]);
        }
        std::int32_t group = 0;
        std::int64_t cells = 0;
        while (group < group_count() && (is_all || distance_of_group(group) == 0)) {
            cells += std::ssize(groups_[index(group++)]);
        }
        cells = group < group_count() ? cells + std::ssize(groups_[index(group)]) : worst;
        const Board board(std::move(tiles));
        ConstructiveSolver(board, goal_, make).run(cells);
    }

    /// Lists the moves of all leaves.
    void expand() {
        ++depth_;
        candidates_.clear();
        ends_.clear();
        is_pruned_ = false;
        std::size_t number = 0;
        for (const std::uint8_t event : tour_) {
            if (event < up) {
                slide(event);
                path_.push_back(static_cast<Move>(event));
            } else if (event < leaf) {
                slide(opposite(event - up));
                path_.pop_back();
            } else {
                expand_leaf(leaves_[number++]);
                if (is_solved_) return;
                ends_.push_back(static_cast<std::uint32_t>(candidates_.size()));
            }
        }
    }

    void expand_leaf(Node node) {
        ++expanded_;
        while (node.group < group_count() && node.group_distance == 0) {
            node.group_distance = distance_of_group(++node.group);
        }
        const Place at = place(blank_);
        const std::array<bool, 4> is_on_board{at.row > 0, at.column > 0, at.column < size_ - 1,
                                              at.row < size_ - 1};
        const std::vector<Move>& last = path_.empty() ? prefix_ : path_;
        const unsigned back = last.empty() ? 4 : opposite(static_cast<unsigned>(last.back()));
        for (unsigned move = 0; move < 4; ++move) {
            if (is_on_board[move] && move != back && group_of_[index(blank_ + step_[move])] >= node.group) {
                add_candidate(node, move, at);
            }
        }
    }

    void add_candidate(Node node, unsigned move, Place at) {
        const std::int32_t next = blank_ + step_[move];
        const Place to = place(next);
        const std::int32_t tile = tiles_[index(next)];
        const Place home = place(tile);
        const int change = distance(at, home) - distance(to, home);
        node.left += change;
        if (group_of_[index(tile)] == node.group) node.group_distance += change;
        node.hash += key(tile, blank_) - key(tile, next);
        if (counts_conflicts()) {
            const bool is_row = at.row != to.row; // the tile leaves a row for another one
            const int own = is_row ? home.row : home.column;
            if (own == (is_row ? at.row : at.column) || own == (is_row ? to.row : to.column)) {
                node.left +=
                    2 * (conflicts(own, is_row, next, blank_, tile) - conflicts(own, is_row, blank_));
            }
        }
        if (depth_ + node.left > max_moves_) {
            is_pruned_ = true;
            return;
        }
        if (node.left == 0) {
            path_.push_back(static_cast<Move>(move));
            is_solved_ = true;
            return;
        }
        node.priority = std::int64_t{node.left} + node.group_distance - (std::int64_t{node.group} << 32);
        if (node.group_distance > 0) {
            int nearest = (std::numeric_limits<int>::max)();
            for (const std::int32_t each : groups_[index(node.group)]) {
                const std::int32_t cell = cell_of_[index(each)];
                if (cell != each) nearest = (std::min)(nearest, distance(place(cell), to));
            }
            node.priority += 2 * (std::max)(1, nearest);
        }
        candidates_.push_back({node, static_cast<std::uint8_t>(move), false});
    }

    /// Marks the best candidates that were not in the beam before.
    void choose() {
        std::int64_t least = worst;
        for (const Candidate& candidate : candidates_) least = (std::min)(least, candidate.node.priority);
        order_.clear();
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const auto above = static_cast<std::uint64_t>(candidates_[i].node.priority - least);
            // Among equals chance decides, so that not all come from one part of the tree.
            order_.push_back(std::min<std::uint64_t>(above, 0xff'ffff) << 40 |
                             (candidates_[i].node.hash >> 24 & 0xffU) << 32 | i);
        }
        // Some turn out to be the same.
        const std::size_t most = width_ + width_ / 4;
        if (order_.size() > most) {
            std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(most),
                             order_.end());
            order_.resize(most);
        }
        for (const std::uint64_t entry : order_) {
            Candidate& candidate = candidates_[index(entry & 0xffff'ffffU)];
            std::uint64_t& seen = seen_[index(candidate.node.hash >> shift_)];
            candidate.is_kept = std::exchange(seen, candidate.node.hash) != candidate.node.hash;
        }
    }

    /// Puts the chosen candidates in the place of their leaves.
    void plant() {
        next_tour_.clear();
        leaves_.clear();
        ++stale_;
        std::size_t number = 0;
        std::size_t candidate = 0;
        std::size_t common = 0; // the least depth between the first leaf and the last one
        std::size_t lowest = 0; // the same since the last leaf
        for (const std::uint8_t event : tour_) {
            if (event < up) {
                next_tour_.push_back(event);
                path_.push_back(static_cast<Move>(event));
            } else if (event < leaf) {
                path_.pop_back();
                lowest = (std::min)(lowest, path_.size());
                if (next_tour_.back() < up) {
                    next_tour_.pop_back(); // no leaf is below
                } else {
                    next_tour_.push_back(event);
                }
            } else {
                for (const std::size_t end = ends_[number++]; candidate < end; ++candidate) {
                    const auto& [node, move, is_kept] = candidates_[candidate];
                    if (!is_kept) continue;
                    common = leaves_.empty() ? path_.size() + 1 : (std::min)({common, lowest, path_.size()});
                    lowest = path_.size();
                    if (node.priority < best_priority_) {
                        best_priority_ = node.priority;
                        best_prefix_ = prefix_.size();
                        best_path_ = path_;
                        best_path_.push_back(static_cast<Move>(move));
                        stale_ = 0;
                    }
                    leaves_.push_back(node);
                    next_tour_.insert(next_tour_.end(), {move, leaf, static_cast<std::uint8_t>(up + move)});
                }
            }
        }
        for (std::size_t i = 0; i < common; ++i) {
            slide(next_tour_[i]);
            prefix_.push_back(static_cast<Move>(next_tour_[i]));
        }
        // The way back up to the root goes, too.
        next_tour_.erase(next_tour_.begin(), next_tour_.begin() + static_cast<std::ptrdiff_t>(common));
        next_tour_.resize(next_tour_.size() - common);
        tour_.swap(next_tour_);
    }

    const Board& goal_;
    int size_;
    std::array<std::int32_t, 4> step_;
    std::size_t width_;
    std::int64_t max_moves_;
    std::vector<Place> places_; ///< of the cells
    std::vector<std::vector<std::int32_t>> groups_;
    std::vector<std::int32_t> group_of_; ///< greater than all groups for a cell of the core

    std::vector<std::int32_t> tiles_; ///< where each cell's tile belongs; at the root between two layers
    std::vector<std::int32_t> cell_of_;
    std::int32_t blank_;
    std::vector<Move> prefix_; ///< from the start to the root
    std::vector<Move> path_;   ///< from the root
    std::int64_t depth_ = 0;
    std::vector<Node> leaves_;
    std::vector<std::uint8_t> tour_;
    std::vector<std::uint8_t> next_tour_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> ends_; ///< of the candidates of each leaf
    std::vector<std::uint64_t> order_;
    std::vector<std::uint64_t> seen_; ///< hashes, each at the place that it names
    int shift_;
    std::uint64_t expanded_ = 0;
    std::int64_t best_priority_ = worst; ///< since the root was taken
    std::size_t best_prefix_ = 0;        ///< the way to the best node: so much of the prefix,
    std::vector<Move> best_path_;        ///< and these moves
    int stale_ = 0;                      ///< for how many layers nothing was better
    bool is_solved_ = false;
    bool is_pruned_ = false;
};

} // namespace detail

/// The moves of the blank on a short path from `board` to `goal`: the best that is found within the limits.
/// Nothing is proved of its length. A constructive solution is known at once, whatever the limits; on boards
/// of size up to 500, beams of growing width shorten it. With a limit on expansions and none on time, the
/// answer is the same each time. Memory: the bytes of the limits, and some for each of about 2.7 n^3 moves.
/// \throws std::invalid_argument if the boards differ in size, or if the goal cannot be reached
/// \throws std::bad_alloc if the constructive solution does not fit in memory
[[nodiscard]] inline std::vector<Move> quick_solution(const Board& board, const Board& goal,
                                                      const QuickSolutionOptions& options = {}) {
    using Clock = std::chrono::steady_clock;
    const Limits& limits = options.limits;
    const Clock::time_point started = Clock::now();
    std::uint64_t expanded = 0;
    std::vector<Move> best = constructive_moves(board, goal);
    // The part of the limits that is used up: 1 for all.
    const auto used = [&]() -> double {
        const std::chrono::duration<double> taken = Clock::now() - started;
        if (expanded >= limits.expansions || taken >= limits.time || limits.stop.stop_requested() ||
            std::cmp_less_equal(best.size(), options.enough)) {
            return 1;
        }
        const double part = limits.expansions == Limits::unlimited
                                ? 0
                                : static_cast<double>(expanded) / static_cast<double>(limits.expansions);
        return limits.time == (std::chrono::nanoseconds::max)()
                   ? part
                   : (std::max)(part, taken / std::chrono::duration<double>(limits.time));
    };
    if (options.improved) options.improved(best);
    if (board.size() > 500) return best;
    // The widest beam is to take most of what the limits leave. The one before tells how wide that is.
    const auto widest = static_cast<double>(
        std::min<std::uint64_t>(1U << 17, limits.bytes / detail::TileBeam::bytes_per_node));
    double before = used();
    double growth = 2;
    try {
        for (double width = 1; width <= widest && growth >= 1.5 && before < 1; width *= growth) {
            // Every solution has the same parity.
            detail::TileBeam beam(board, goal, static_cast<std::size_t>(width), std::ssize(best) - 2);
            const std::uint64_t expanded_before = expanded;
            std::uint64_t next_look = 0;
            while (beam.advance()) {
                expanded = expanded_before + beam.expanded();
                if (beam.expanded() < next_look) continue;
                next_look = beam.expanded() + 5000;
                if (used() >= 1) break;
            }
            if (std::vector<Move> moves = std::move(beam).moves(); moves.size() < best.size()) {
                best = std::move(moves);
                if (options.improved) options.improved(best);
            }
            const double now = used();
            growth = (std::min)({16.0, 0.8 * (1 - now) / (std::max)(now - before, 1e-9), widest / width});
            before = now;
        }
    } catch (const std::bad_alloc&) { // what is known is a solution all the same
    }
    return best;
}

/// The same for the blank-last goal.
[[nodiscard]] inline std::vector<Move> quick_solution(const Board& board,
                                                      const QuickSolutionOptions& options = {}) {
    return quick_solution(board, goal_blank_last(board.size()), options);
}

} // namespace npuzzle
