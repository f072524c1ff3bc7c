#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/constructive.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
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

/// Beam search whose time for a node does not depend on the size of the board. The nodes are the leaves of a
/// tree of moves. Each layer walks through the tree and makes its moves on one board. Moves that all leaves
/// share leave the tree: they are the beginning of the solution.
///
/// The beam fills the board group after group of cells, from outside, until 5 x 5 cells are left. In the
/// order of nodes, more filled groups come first, then the lesser estimate. This sums up the Manhattan
/// distances, those of the group being filled twice; the linear conflicts, up to size 12; and the way of the
/// blank to the group's nearest tile. If no node is better than the best for a while, `ConstructiveSolver`
/// fills the next group from the best node, and the tree begins anew.
class TileBeam {
public:
    /// The most bytes that a beam holds for each node of its width.
    static constexpr std::uint64_t bytes_per_node = 1000;

    /// Requires that the goal can be reached from the board. O(n^2).
    /// \param width about how many nodes each layer keeps, at least 1
    /// \param max_moves nodes that lead to longer solutions are dropped
    /// \param expanded counts expansions
    TileBeam(const Board& board, const Board& goal, std::size_t width, std::int64_t max_moves,
             std::uint64_t& expanded)
        : goal_(goal), size_(board.size()), step_{-size_, -1, 1, size_}, width_(width), max_moves_(max_moves),
          expanded_(expanded), tiles_(board.tiles()), cell_of_(tiles_.size()),
          blank_(static_cast<std::int32_t>(board.blank_cell())), recent_(std::bit_ceil(32 * width)) {
        std::vector<std::int32_t> home(tiles_.size());
        for (std::int32_t cell = 0; cell < size_ * size_; ++cell) {
            positions_.push_back({cell / size_, cell % size_});
            home[as_index(goal.tile(cell))] = cell;
        }
        for (std::int32_t cell = 0; cell < size_ * size_; ++cell) {
            tiles_[as_index(cell)] = home[as_index(tiles_[as_index(cell)])];
            cell_of_[as_index(tiles_[as_index(cell)])] = cell;
        }
        list_groups();
        begin_tree();
    }

    /// Makes the next layer. Returns false if the goal is reached, or if `max_moves` leaves no node.
    bool advance() {
        if (!is_solved_) expand_leaves();
        if (is_solved_) return false;
        choose_candidates();
        replace_leaves();
        if (leaves_.empty() && has_dropped_) return false;
        if (leaves_.empty() || layers_since_best_ > patience) {
            fill_by_rule(false);
            begin_tree();
        }
        return !is_solved_;
    }

    /// The moves to the goal. If the beam has not found it, rules continue from its best node.
    std::vector<Move> moves() && {
        if (!is_solved_) fill_by_rule(true);
        prefix_.insert(prefix_.end(), path_.begin(), path_.end());
        return std::move(prefix_);
    }

private:
    struct Node {
        std::uint64_t hash = 0;
        std::int64_t priority = 0;
        std::int32_t estimate = 0; ///< the sum of the distances and of the moves that conflicts add
        std::int32_t group = 0;    ///< the first group that is not filled
        std::int32_t group_distance = 0;
    };

    struct Candidate {
        Node node;
        Move move;
        bool is_kept;
    };

    // A walk through the tree is a sequence of moves down, 0 to 3, of moves back up, 4 to 7, and of leaves.
    static constexpr std::uint8_t up = 4;
    static constexpr std::uint8_t leaf = 8;

    static constexpr int core = 5; ///< the side of the square that is in no group
    static constexpr int patience = 50;
    static constexpr int largest_with_conflicts = 12;
    static constexpr std::int64_t worst = (std::numeric_limits<std::int64_t>::max)();

    Position position(std::int32_t cell) const { return positions_[as_index(cell)]; }
    int distance(std::int32_t a, std::int32_t b) const { return detail::distance(position(a), position(b)); }

    /// The share of a tile in a cell in the hash of a node, which is the sum of all shares.
    std::uint64_t key(std::int32_t tile, std::int32_t cell) const {
        return mix((static_cast<std::uint64_t>(tile) << 32 | static_cast<std::uint32_t>(cell)) + 1);
    }

    int line_of(std::int32_t cell, bool is_row) const {
        return is_row ? position(cell).row : position(cell).column;
    }

    std::int32_t group_count() const { return static_cast<std::int32_t>(groups_.size()) - 1; }
    bool counts_conflicts() const { return size_ <= largest_with_conflicts; }

    /// Divides the lines that `ConstructiveSolver` fills, in its order, into groups: whole lines up to size
    /// 12, else single cells. The last tile of a line cannot be brought to its cell while the tile beside it
    /// stays, so both are in one group.
    void list_groups() {
        group_of_.assign(tiles_.size(), (std::numeric_limits<std::int32_t>::max)());
        const Position blank = position(static_cast<std::int32_t>(goal_.blank_cell()));
        Position first{0, 0};
        Position last = positions_.back();
        for (bool is_row = true; last.row - first.row >= core || last.column - first.column >= core;
             is_row = !is_row) {
            const int line = is_row ? (blank.row > first.row ? first.row++ : last.row--)
                                    : (blank.column > first.column ? first.column++ : last.column--);
            const int begin = is_row ? first.column : first.row;
            const int end = is_row ? last.column : last.row;
            for (int i = begin; i <= end; ++i) {
                const std::int32_t cell = is_row ? line * size_ + i : i * size_ + line;
                if (i == begin || (!counts_conflicts() && i < end)) groups_.emplace_back();
                groups_.back().push_back(cell);
                group_of_[as_index(cell)] = static_cast<std::int32_t>(groups_.size()) - 1;
            }
        }
        groups_.emplace_back();
    }

    std::int32_t distance_of_group(std::int32_t group) const {
        std::int32_t sum = 0;
        for (const std::int32_t home : groups_[as_index(group)])
            sum += distance(cell_of_[as_index(home)], home);
        return sum;
    }

    void slide(Move move) {
        const std::int32_t next = blank_ + step_[as_index(move)];
        const std::int32_t tile = tiles_[as_index(next)];
        tiles_[as_index(blank_)] = tile;
        cell_of_[as_index(tile)] = blank_;
        blank_ = next;
    }

    void add_to_prefix(Move move) {
        slide(move);
        prefix_.push_back(move);
    }

    /// How many tiles must leave a line: those that belong there, less a longest increasing subsequence. With
    /// the blank in the cell `blank` and the tile `tile` in the cell `at`.
    int conflicts(int line, bool is_row, std::int32_t blank, std::int32_t at = -1,
                  std::int32_t tile = 0) const {
        std::array<int, largest_with_conflicts> tops{};
        std::size_t piles = 0;
        int tiles = 0;
        std::int32_t cell = is_row ? line * size_ : line;
        for (int i = 0; i < size_; ++i, cell += is_row ? 1 : size_) {
            if (cell == blank) continue;
            const std::int32_t home = cell == at ? tile : tiles_[as_index(cell)];
            if (line_of(home, is_row) != line) continue;
            const int along = line_of(home, !is_row);
            std::size_t pile = piles;
            while (pile > 0 && tops[pile - 1] > along) --pile;
            tops[pile] = along;
            piles += pile == piles ? 1 : 0;
            ++tiles;
        }
        return tiles - static_cast<int>(piles);
    }

    /// Makes the board the root of a new tree.
    void begin_tree() {
        Node root;
        for (std::int32_t cell = 0; cell < size_ * size_; ++cell) {
            if (cell == blank_) continue;
            const std::int32_t home = tiles_[as_index(cell)];
            root.estimate += distance(cell, home);
            root.hash += key(home, cell);
        }
        for (int line = 0; line < size_ && counts_conflicts(); ++line) {
            root.estimate += 2 * (conflicts(line, true, blank_) + conflicts(line, false, blank_));
        }
        root.group_distance = distance_of_group(0);
        leaves_.assign(1, root);
        walk_.assign(1, leaf);
        depth_ = std::ssize(prefix_);
        is_solved_ = root.estimate == 0;
        best_prefix_ = prefix_.size();
        best_path_.clear();
        best_priority_ = worst;
        layers_since_best_ = 0;
    }

    /// Goes to the best node of the tree, and fills its group by rule, or all cells.
    void fill_by_rule(bool fills_all) {
        for (; prefix_.size() > best_prefix_; prefix_.pop_back()) slide(inverse(prefix_.back()));
        for (const Move move : best_path_) add_to_prefix(move);
        std::int32_t group = 0;
        std::int64_t cells = std::ssize(groups_[0]);
        while (group < group_count() && distance_of_group(group) == 0)
            cells += std::ssize(groups_[as_index(++group)]);
        if (fills_all || group == group_count()) cells = worst;
        std::vector<std::int32_t> tiles(tiles_.size());
        for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
            tiles[cell] = std::cmp_equal(cell, blank_) ? 0 : goal_.tile(tiles_[cell]);
        }
        const Board board(std::move(tiles));
        const auto add = [this](Move move) { add_to_prefix(move); };
        ConstructiveSolver(board, goal_, add).run(cells);
    }

    void expand_leaves() {
        ++depth_;
        candidates_.clear();
        candidates_end_.clear();
        has_dropped_ = false;
        std::size_t number = 0;
        for (const std::uint8_t event : walk_) {
            if (event < up) {
                path_.push_back(static_cast<Move>(event));
                slide(path_.back());
            } else if (event < leaf) {
                slide(inverse(path_.back()));
                path_.pop_back();
            } else {
                expand_leaf(leaves_[number++]);
                if (is_solved_) return;
                candidates_end_.push_back(static_cast<std::uint32_t>(candidates_.size()));
            }
        }
    }

    void expand_leaf(Node node) {
        ++expanded_;
        while (node.group < group_count() && node.group_distance == 0) {
            node.group_distance = distance_of_group(++node.group);
        }
        const std::vector<Move>& before = path_.empty() ? prefix_ : path_;
        const Move back = inverse(before.empty() ? Move::none : before.back());
        for_each_slide(size_, blank_, [&](Move move, int to) {
            const bool is_filled = group_of_[as_index(to)] < node.group; // Its tile stays.
            if (move != back && !is_filled) add_candidate(node, move);
        });
    }

    /// Adds the node after a move, unless it can only lead to solutions that are too long.
    void add_candidate(Node node, Move move) {
        const std::int32_t next = blank_ + step_[as_index(move)];
        const std::int32_t tile = tiles_[as_index(next)];
        const int change = distance(blank_, tile) - distance(next, tile);
        node.estimate += change;
        if (group_of_[as_index(tile)] == node.group) node.group_distance += change;
        node.hash += key(tile, blank_) - key(tile, next);
        if (counts_conflicts()) {
            const bool is_row = is_vertical(move); // The tile leaves a row for another one.
            const int line = line_of(tile, is_row);
            if (line == line_of(next, is_row) || line == line_of(blank_, is_row)) {
                node.estimate +=
                    2 * (conflicts(line, is_row, next, blank_, tile) - conflicts(line, is_row, blank_));
            }
        }
        if (depth_ + node.estimate > max_moves_) {
            has_dropped_ = true;
            return;
        }
        if (node.estimate == 0) {
            path_.push_back(move);
            is_solved_ = true;
        }
        node.priority = priority(node, next);
        candidates_.push_back({node, move, false});
    }

    /// \param blank the blank's cell in the node
    std::int64_t priority(const Node& node, std::int32_t blank) const {
        int nearest = 0; // the distance of the nearest tile of the group that is not in its cell
        if (node.group_distance > 0) {
            nearest = (std::numeric_limits<int>::max)();
            for (const std::int32_t home : groups_[as_index(node.group)]) {
                const std::int32_t cell = cell_of_[as_index(home)];
                if (cell != home) nearest = (std::min)(nearest, distance(cell, blank));
            }
            nearest = (std::max)(1, nearest);
        }
        return std::int64_t{node.estimate} + node.group_distance + 2 * nearest -
               (std::int64_t{node.group} << 32);
    }

    /// Marks the best candidates to keep, without those that were in the beam before.
    void choose_candidates() {
        std::int64_t least = worst;
        for (const Candidate& candidate : candidates_) least = (std::min)(least, candidate.node.priority);
        order_.clear();
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const auto above = static_cast<std::uint64_t>(candidates_[i].node.priority - least);
            // Bits of the hash break ties, so that not all candidates come from one part of the tree.
            order_.push_back(std::min<std::uint64_t>(above, 0xff'ffff) << 40 |
                             (candidates_[i].node.hash >> 24 & 0xffU) << 32 | i);
        }
        const std::size_t most = width_ + width_ / 4; // Some turn out to be duplicates.
        if (order_.size() > most) {
            std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(most),
                             order_.end());
            order_.resize(most);
        }
        const int shift = 64 - std::countr_zero(recent_.size());
        for (const std::uint64_t entry : order_) {
            Candidate& candidate = candidates_[as_index(entry & 0xffff'ffffU)];
            std::uint64_t& recent = recent_[as_index(candidate.node.hash >> shift)];
            candidate.is_kept = std::exchange(recent, candidate.node.hash) != candidate.node.hash;
        }
    }

    /// Replaces each leaf by the candidates to keep among its children.
    void replace_leaves() {
        next_walk_.clear();
        leaves_.clear();
        ++layers_since_best_;
        std::size_t number = 0;
        std::size_t candidate = 0;
        std::size_t common = 0; // the moves that all new leaves share
        std::size_t lowest = 0; // the least depth since the last new leaf
        for (const std::uint8_t event : walk_) {
            if (event < up) {
                next_walk_.push_back(event);
                path_.push_back(static_cast<Move>(event));
            } else if (event < leaf) {
                path_.pop_back();
                lowest = (std::min)(lowest, path_.size());
                const bool is_empty = next_walk_.back() < up; // There is no leaf below.
                is_empty ? next_walk_.pop_back() : next_walk_.push_back(event);
            } else {
                for (const std::size_t end = candidates_end_[number++]; candidate < end; ++candidate) {
                    const auto& [node, move, is_kept] = candidates_[candidate];
                    if (!is_kept) continue;
                    common = leaves_.empty() ? path_.size() + 1 : (std::min)({common, lowest, path_.size()});
                    lowest = path_.size();
                    leaves_.push_back(node);
                    const auto down = static_cast<std::uint8_t>(move);
                    next_walk_.insert(next_walk_.end(), {down, leaf, static_cast<std::uint8_t>(up + down)});
                    if (node.priority < best_priority_) note_best(node, move);
                }
            }
        }
        move_root(common);
        walk_.swap(next_walk_);
    }

    void note_best(const Node& node, Move move) {
        best_priority_ = node.priority;
        best_prefix_ = prefix_.size();
        best_path_ = path_;
        best_path_.push_back(move);
        layers_since_best_ = 0;
    }

    /// Moves the root of the new tree down, along moves that all leaves share.
    void move_root(std::size_t moves) {
        for (std::size_t i = 0; i < moves; ++i) add_to_prefix(static_cast<Move>(next_walk_[i]));
        next_walk_.erase(next_walk_.begin(), next_walk_.begin() + static_cast<std::ptrdiff_t>(moves));
        next_walk_.resize(next_walk_.size() - moves); // without the way back up
    }

    const Board& goal_;
    int size_;
    std::array<std::int32_t, 4> step_; ///< what a move adds to the blank's cell
    std::size_t width_;
    std::int64_t max_moves_;
    std::uint64_t& expanded_;
    std::vector<Position> positions_;               ///< of the cells
    std::vector<std::vector<std::int32_t>> groups_; ///< and an empty one, once all are filled
    std::vector<std::int32_t> group_of_;            ///< of a cell; in the core, greater than all groups

    std::vector<std::int32_t> tiles_; ///< named by their goal cells; at the root between two layers
    std::vector<std::int32_t> cell_of_;
    std::int32_t blank_;
    std::vector<Move> prefix_; ///< from the start to the root
    std::vector<Move> path_;   ///< from the root
    std::int64_t depth_ = 0;
    std::vector<Node> leaves_;
    std::vector<std::uint8_t> walk_;
    std::vector<std::uint8_t> next_walk_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> candidates_end_; ///< where the candidates of each leaf end
    std::vector<std::uint64_t> order_;   ///< candidates by priority: 24 bits, 8 of the hash, 32 of the number
    std::vector<std::uint64_t> recent_;  ///< hashes of nodes, each in the slot that its first bits name
    std::int64_t best_priority_ = worst; ///< in this tree
    std::size_t best_prefix_ = 0;        ///< the path to that node: so much of the prefix,
    std::vector<Move> best_path_;        ///< and these moves
    int layers_since_best_ = 0;
    bool is_solved_ = false;
    bool has_dropped_ = false; ///< a node of this layer, because of `max_moves`
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
    if (options.improved) options.improved(best);
    if (board.size() > 500) return best;
    // The share of the limits that is used up: 1 ends the work.
    const auto used = [&]() -> double {
        const std::chrono::duration<double> taken = Clock::now() - started;
        if (expanded >= limits.expansions || taken >= limits.time || limits.stop.stop_requested() ||
            std::cmp_less_equal(best.size(), options.enough)) {
            return 1;
        }
        const double share = static_cast<double>(expanded) / static_cast<double>(limits.expansions);
        return limits.time == (std::chrono::nanoseconds::max)()
                   ? share
                   : (std::max)(share, taken / std::chrono::duration<double>(limits.time));
    };
    // The widest beam is to take most of what the limits leave. The one before tells how wide that is.
    const auto widest = static_cast<double>(
        std::min<std::uint64_t>(1U << 17, limits.bytes / detail::TileBeam::bytes_per_node));
    double before = used();
    double growth = 2;
    try {
        for (double width = 1; width <= widest && growth >= 1.5 && before < 1; width *= growth) {
            // All solutions have the same parity.
            detail::TileBeam beam(board, goal, static_cast<std::size_t>(width), std::ssize(best) - 2,
                                  expanded);
            for (std::uint64_t next_look = 0; beam.advance();) {
                if (expanded < next_look) continue;
                next_look = expanded + 5000;
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
    } catch (const std::bad_alloc&) { // The best solution so far stays.
    }
    return best;
}

/// The same for the blank-last goal.
[[nodiscard]] inline std::vector<Move> quick_solution(const Board& board,
                                                      const QuickSolutionOptions& options = {}) {
    return quick_solution(board, goal_blank_last(board.size()), options);
}

} // namespace npuzzle
