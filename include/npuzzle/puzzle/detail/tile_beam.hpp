#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/constructive.hpp"
#include "npuzzle/puzzle/detail/tile_groups.hpp"
#include "npuzzle/puzzle/move.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// \file
/// A beam search for boards of any size, on one board.

namespace npuzzle::detail {

/// Beam search for a short solution, in time per node that does not depend on the size of the board.
///
/// The nodes hold no boards. They are the leaves of a tree of moves. Each layer walks through the tree in
/// depth-first order, and makes and takes back its moves on one board. The moves that all leaves have in
/// common leave the tree: they are the beginning of the solution.
///
/// As the constructive solution does, the beam fills line after line from outside, until 5 x 5 cells are
/// left. On boards larger than 12 x 12 it fills a line tile after tile. A node with more filled is better;
/// then one with the lesser sum of the Manhattan distances, where the tiles to be filled count twice, and the
/// way of the blank to the nearest of them. Boards of up to 12 x 12 have linear conflicts added. If no node
/// gets better for a while, the next tiles are brought by rule, from the best node that there was.
class TileBeam {
public:
    /// The size of the largest boards.
    static constexpr int largest = 500;

    /// The bytes that a beam holds for each node of its width, at most.
    static constexpr std::uint64_t bytes_per_node = 1000;

    /// Requires that the goal can be reached from the board, of a size up to `largest`. O(n^2).
    TileBeam(const Board& board, const Board& goal)
        : goal_(goal), size_(board.size()), step_{-size_, -1, 1, size_}, start_(board.tiles().size()),
          factors_(2 * start_.size()), groups_(goal, counts_conflicts() ? start_.size() : 1) {
        std::vector<std::int32_t> goal_cell(start_.size());
        for (std::size_t cell = 0; cell < start_.size(); ++cell) {
            goal_cell[index(goal.tiles()[cell])] = static_cast<std::int32_t>(cell);
        }
        for (std::size_t cell = 0; cell < start_.size(); ++cell) {
            start_[cell] = goal_cell[index(board.tiles()[cell])];
        }
        start_blank_ = static_cast<std::int32_t>(board.blank_cell());
        std::uint64_t seed = 0;
        for (std::uint64_t& factor : factors_) factor = mixed(seed += 0x9e37'79b9'7f4a'7c15U);
    }

    /// Begins a beam.
    /// \param width about how many nodes each layer keeps, at least 1
    /// \param max_moves no solution with more moves is looked for
    void begin(std::size_t width, std::int64_t max_moves) {
        width_ = width;
        max_moves_ = max_moves;
        tiles_ = start_;
        blank_ = start_blank_;
        cell_of_.resize(tiles_.size());
        for (std::size_t cell = 0; cell < tiles_.size(); ++cell) {
            cell_of_[index(tiles_[cell])] = static_cast<std::int32_t>(cell);
        }
        prefix_.clear();
        std::size_t remembered = 2;
        shift_ = 63;
        for (; remembered < 32 * width; remembered *= 2) --shift_;
        seen_.assign(remembered, 0);
        take_root();
    }

    /// Makes the next layer. Returns false if there is none: the goal was found, or no solution with so few
    /// moves is in sight.
    bool advance() {
        if (is_solved_) return false;
        expand();
        if (is_solved_) return false;
        choose();
        plant();
        ++layers_;
        if (leaves_.empty() && is_pruned_) return false;
        if (leaves_.empty() || stale_ > patience()) recover();
        return !is_solved_;
    }

    [[nodiscard]] bool is_solved() const { return is_solved_; }

    /// How many nodes all beams have expanded.
    [[nodiscard]] std::uint64_t expanded() const { return expanded_; }

    /// The moves to the goal, or, as long as it is not found, to the best node of the layer.
    [[nodiscard]] std::vector<Move> moves() {
        if (!is_solved_) follow(best_leaf_);
        std::vector<Move> all = prefix_;
        all.insert(all.end(), path_.begin(), path_.end());
        return all;
    }

private:
    struct Node {
        std::uint64_t hash = 0;
        std::int64_t priority = 0;
        std::int32_t distance = 0;  ///< of all tiles
        std::int32_t conflicts = 0; ///< the moves that they add
        std::int32_t group = 0;     ///< the first that is not filled
        std::int32_t group_distance = 0;
    };

    struct Candidate {
        Node node;
        std::uint8_t move;
    };

    // A tour through the tree is a sequence of moves down, 0 to 3, of moves up, 4 to 7, and of leaves.
    static constexpr std::uint8_t up = 4;
    static constexpr std::uint8_t leaf = 8;

    static constexpr int largest_with_conflicts = 12;
    static constexpr std::int32_t no_cell = -1;

    template <class Number>
    static std::size_t index(Number number) {
        return static_cast<std::size_t>(number);
    }

    /// The finalizer of splitmix64.
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9U;
        x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11ebU;
        return x ^ (x >> 31);
    }

    static unsigned opposite(unsigned move) { return 3U - move; }

    bool counts_conflicts() const { return size_ <= largest_with_conflicts; }
    int patience() const { return counts_conflicts() ? 100 : 50; }

    /// The tile at a cell is named by the cell where it belongs.
    std::int32_t distance_of_group(std::int32_t group) const {
        std::int32_t sum = 0;
        for (const std::int32_t home : groups_.cells(group)) {
            sum += distance(groups_.place(cell_of_[index(home)]), groups_.place(home));
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
    int conflicts(int line, bool is_row, std::int32_t blank, std::int32_t at, std::int32_t tile) const {
        std::array<std::int16_t, largest_with_conflicts> tops{};
        std::size_t piles = 0;
        int tiles = 0;
        std::int32_t cell = is_row ? line * size_ : line;
        for (int i = 0; i < size_; ++i, cell += is_row ? 1 : size_) {
            if (cell == blank) continue;
            const GridPlace home = groups_.place(cell == at ? tile : tiles_[index(cell)]);
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

    int conflicts(int line, bool is_row) const { return conflicts(line, is_row, blank_, no_cell, 0); }

    /// The board as it is becomes the root of a new tree.
    void take_root() {
        Node root;
        for (std::int32_t cell = 0; cell < static_cast<std::int32_t>(tiles_.size()); ++cell) {
            if (cell != blank_) {
                const std::int32_t home = tiles_[index(cell)];
                root.distance += distance(groups_.place(cell), groups_.place(home));
                root.hash += factors_[index(home)] * factors_[tiles_.size() + index(cell)];
            }
        }
        for (int line = 0; line < size_ && counts_conflicts(); ++line) {
            root.conflicts += 2 * (conflicts(line, true) + conflicts(line, false));
        }
        root.group_distance = groups_.count() == 0 ? 0 : distance_of_group(0);
        leaves_.assign(1, root);
        tour_.assign(1, leaf);
        path_.clear();
        layers_ = static_cast<std::int64_t>(prefix_.size());
        is_solved_ = root.distance == 0;
        best_leaf_ = 0;
        best_priority_ = (std::numeric_limits<std::int64_t>::max)();
        stale_ = 0;
    }

    /// Goes back to the best node that there was, and fills its group by rule.
    void recover() {
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
        while (group < groups_.count() && distance_of_group(group) == 0) ++group;
        std::int64_t cells = (std::numeric_limits<std::int64_t>::max)();
        if (group < groups_.count()) {
            cells = 0;
            for (std::int32_t i = 0; i <= group; ++i) {
                cells += static_cast<std::int64_t>(groups_.cells(i).size());
            }
        }
        const Board board(std::move(tiles));
        ConstructiveSolver(board, goal_, make).run(cells);
        take_root();
    }

    /// Lists the moves of all leaves.
    void expand() {
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
        while (node.group < groups_.count() && node.group_distance == 0) {
            ++node.group;
            node.group_distance = node.group < groups_.count() ? distance_of_group(node.group) : 0;
        }
        astray_.clear();
        if (node.group < groups_.count()) {
            for (const std::int32_t home : groups_.cells(node.group)) {
                if (cell_of_[index(home)] != home) astray_.push_back(groups_.place(cell_of_[index(home)]));
            }
        }
        const GridPlace at = groups_.place(blank_);
        const std::array<bool, 4> is_on_board{at.row > 0, at.column > 0, at.column < size_ - 1,
                                              at.row < size_ - 1};
        const std::vector<Move>& last = path_.empty() ? prefix_ : path_;
        const unsigned back = last.empty() ? 4 : opposite(static_cast<unsigned>(last.back()));
        for (unsigned move = 0; move < 4; ++move) {
            if (is_on_board[move] && move != back && groups_.group_of(blank_ + step_[move]) >= node.group) {
                add_candidate(node, move, at);
            }
        }
    }

    void add_candidate(const Node& node, unsigned move, GridPlace at) {
        const std::int32_t next = blank_ + step_[move];
        const GridPlace to = groups_.place(next);
        const std::int32_t tile = tiles_[index(next)];
        const GridPlace home = groups_.place(tile);
        const int change = distance(at, home) - distance(to, home);
        Candidate child{node, static_cast<std::uint8_t>(move)};
        child.node.distance += change;
        if (groups_.group_of(tile) == node.group) child.node.group_distance += change;
        child.node.hash += factors_[index(tile)] *
                           (factors_[tiles_.size() + index(blank_)] - factors_[tiles_.size() + index(next)]);
        if (counts_conflicts()) {
            const bool is_row = at.row != to.row; // the tile leaves a row for another one
            const int own = is_row ? home.row : home.column;
            if (own == (is_row ? at.row : at.column) || own == (is_row ? to.row : to.column)) {
                child.node.conflicts +=
                    2 * (conflicts(own, is_row, next, blank_, tile) - conflicts(own, is_row));
            }
        }
        const std::int64_t left = child.node.distance + child.node.conflicts;
        if (layers_ + 1 + left > max_moves_) {
            is_pruned_ = true;
            return;
        }
        if (child.node.distance == 0) {
            path_.push_back(static_cast<Move>(move));
            is_solved_ = true;
            return;
        }
        child.node.priority = left + child.node.group_distance - (std::int64_t{node.group} << 32);
        if (!astray_.empty() && child.node.group_distance > 0) {
            int nearest = (std::numeric_limits<int>::max)();
            for (const GridPlace place : astray_) nearest = (std::min)(nearest, distance(place, to));
            child.node.priority += 2 * (std::max)(1, nearest);
        }
        candidates_.push_back(child);
    }

    /// Marks the best candidates that were not in the beam before.
    void choose() {
        std::int64_t least = (std::numeric_limits<std::int64_t>::max)();
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
        is_kept_.assign(candidates_.size(), 0);
        for (const std::uint64_t entry : order_) {
            const std::size_t i = index(entry & 0xffff'ffffU);
            std::uint64_t& seen = seen_[index(candidates_[i].node.hash >> shift_)];
            if (seen != candidates_[i].node.hash) {
                seen = candidates_[i].node.hash;
                is_kept_[i] = 1;
            }
        }
    }

    /// Puts the chosen candidates in the place of their leaves.
    void plant() {
        const std::size_t best_before = best_leaf_;
        next_tour_.clear();
        leaves_.clear();
        std::int64_t best = (std::numeric_limits<std::int64_t>::max)();
        std::size_t number = 0;
        std::size_t candidate = 0;
        std::size_t depth = 0;
        std::size_t common = 0; // the least depth between the first leaf and the last one
        std::size_t lowest = 0; // the same since the last leaf
        for (const std::uint8_t event : tour_) {
            if (event < up) {
                next_tour_.push_back(event);
                ++depth;
            } else if (event < leaf) {
                lowest = (std::min)(lowest, --depth);
                if (next_tour_.back() < up) {
                    next_tour_.pop_back(); // no leaf is below
                } else {
                    next_tour_.push_back(event);
                }
            } else {
                for (const std::size_t end = ends_[number++]; candidate < end; ++candidate) {
                    if (is_kept_[candidate] == 0) continue;
                    const Candidate& child = candidates_[candidate];
                    common = leaves_.empty() ? depth + 1 : (std::min)({common, lowest, depth});
                    lowest = depth;
                    if (child.node.priority < best) {
                        best = child.node.priority;
                        best_leaf_ = leaves_.size();
                    }
                    leaves_.push_back(child.node);
                    next_tour_.insert(next_tour_.end(),
                                      {child.move, leaf, static_cast<std::uint8_t>(up + child.move)});
                }
            }
        }
        if (best < best_priority_) {
            best_priority_ = best;
            stale_ = 0;
        } else if (++stale_ == 1) {
            follow(best_before);
            best_prefix_ = prefix_.size();
            best_path_.swap(path_);
            path_.clear();
        }
        for (std::size_t i = 0; i < common; ++i) {
            slide(next_tour_[i]);
            prefix_.push_back(static_cast<Move>(next_tour_[i]));
        }
        next_tour_.erase(next_tour_.begin(), next_tour_.begin() + static_cast<std::ptrdiff_t>(common));
        next_tour_.resize(next_tour_.size() - common);
        tour_.swap(next_tour_);
    }

    /// Makes `path_` the path from the root of the tree to a leaf.
    void follow(std::size_t wanted) {
        path_.clear();
        std::size_t number = 0;
        for (const std::uint8_t event : tour_) {
            if (event < up) {
                path_.push_back(static_cast<Move>(event));
            } else if (event < leaf) {
                path_.pop_back();
            } else if (number++ == wanted) {
                return;
            }
        }
    }

    Board goal_;
    int size_;
    std::array<std::int32_t, 4> step_;
    std::vector<std::int32_t> start_; ///< for each cell, where its tile belongs; the blank, too
    std::int32_t start_blank_ = 0;
    std::vector<std::uint64_t> factors_; ///< of tiles, then of cells: a hash is the sum of their products
    TileGroups groups_;
    std::size_t width_ = 1;
    std::int64_t max_moves_ = 0;

    std::vector<std::int32_t> tiles_; ///< as `start_`, at the root of the tree between two layers
    std::vector<std::int32_t> cell_of_;
    std::int32_t blank_ = 0;
    std::vector<Move> prefix_; ///< from the start to the root
    std::vector<Move> path_;   ///< from the root
    std::int64_t layers_ = 0;
    std::vector<Node> leaves_;
    std::vector<std::uint8_t> tour_;
    std::vector<std::uint8_t> next_tour_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> ends_; ///< of the candidates of each leaf
    std::vector<std::uint64_t> order_;
    std::vector<std::uint8_t> is_kept_;
    std::vector<GridPlace> astray_;   ///< the tiles of the group that are not at home
    std::vector<std::uint64_t> seen_; ///< hashes, each at the place that it names
    int shift_ = 0;
    std::uint64_t expanded_ = 0;
    std::size_t best_leaf_ = 0;
    std::int64_t best_priority_ = 0; ///< since the root was taken
    int stale_ = 0;                  ///< for how many layers nothing was better
    std::size_t best_prefix_ = 0;
    std::vector<Move> best_path_;
    bool is_solved_ = false;
    bool is_pruned_ = false;
};

} // namespace npuzzle::detail
