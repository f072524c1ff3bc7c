#pragma once

#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/move.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/word.hpp>

#include "support/answers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace scale_model {

using Board = npuzzle::PackedBoard<4>;
using Puzzle = npuzzle::SlidingPuzzle<4>;
using Node = std::uint32_t;

/// The states of the 15-puzzle that any of the searches has met, as numbered nodes with their neighbors. Many
/// searches of the same board share it: only the first one that expands a node makes its neighbors.
class SearchGraph {
public:
    static constexpr Node none = std::numeric_limits<Node>::max();

    explicit SearchGraph(const Puzzle& puzzle)
        : puzzle_(&puzzle), heuristic_(npuzzle::Manhattan{}.bind(puzzle)),
          index_(std::size_t{1} << 16, none) {}

    [[nodiscard]] std::size_t size() const { return boards_.size(); }
    [[nodiscard]] Board board(Node node) const { return boards_[node]; }
    [[nodiscard]] int estimate(Node node) const { return estimates_[node]; }
    /// The estimate is 0 at the goal alone.
    [[nodiscard]] bool is_goal(Node node) const { return estimates_[node] == 0; }

    /// The node of a board, which is made if there is none. O(1), amortized.
    Node node_of(const Board& board) {
        std::size_t at = slot(board);
        for (; index_[at] != none; at = (at + 1) & (index_.size() - 1)) {
            if (boards_[index_[at]] == board) {
                return index_[at];
            }
        }
        benchmarks::require(boards_.size() < none - 1, "the model has no more numbers for nodes");
        const Node node = static_cast<Node>(boards_.size());
        index_[at] = node;
        boards_.push_back(board);
        estimates_.push_back(static_cast<std::uint8_t>(heuristic_(board)));
        neighbors_.push_back({unknown, none, none, none});
        if (boards_.size() > index_.size() / 2) {
            rebuild_index();
        }
        return node;
    }

    /// The neighbors of a node by the moves up, left, right, down; `none` where there is no such move. Valid
    /// until the next call.
    const std::array<Node, 4>& neighbors(Node node) {
        if (neighbors_[node][0] == unknown) {
            std::array<Node, 4> found{none, none, none, none};
            puzzle_->for_each_move(boards_[node], npuzzle::Move::none, [&](npuzzle::Move move) {
                Board next = boards_[node];
                puzzle_->apply(next, move);
                found[static_cast<std::size_t>(move)] = node_of(next);
            });
            neighbors_[node] = found;
        }
        return neighbors_[node];
    }

private:
    static constexpr Node unknown = none - 1;

    [[nodiscard]] std::size_t slot(const Board& board) const {
        return static_cast<std::size_t>(npuzzle::detail::mix_word(board.word())) & (index_.size() - 1);
    }

    void rebuild_index() {
        index_.assign(index_.size() * 2, none);
        for (Node node = 0; node < boards_.size(); ++node) {
            std::size_t at = slot(boards_[node]);
            while (index_[at] != none) {
                at = (at + 1) & (index_.size() - 1);
            }
            index_[at] = node;
        }
    }

    const Puzzle* puzzle_;
    decltype(npuzzle::Manhattan{}.bind(std::declval<const Puzzle&>())) heuristic_;
    std::vector<Board> boards_;
    std::vector<std::uint8_t> estimates_;
    std::vector<std::array<Node, 4>> neighbors_;
    std::vector<Node> index_; // open addressing
};

} // namespace scale_model
