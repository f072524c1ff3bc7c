#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/window_search.hpp"
#include "npuzzle/puzzle/move.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Makes long solutions shorter: replaces windows of moves by shortest paths.

namespace npuzzle {

/// Options of `smooth`.
struct SmoothingOptions {
    /// The greatest length of a window. The search of a window recurses as deep as the window is long.
    static constexpr int longest_window = 1000;

    /// The number of moves of a window, from 1 to `longest_window`. Longer windows shorten the solution more,
    /// and take more time.
    int window = 32;
    /// The number of moves from the start of one window to the start of the next, at least 1.
    int stride = 4;
    /// The greatest number of expansions for a window. A window whose search reaches it is left unchanged.
    std::uint64_t expansions = 20'000;
};

namespace detail {

/// Replaces windows of a sequence of moves by shorter sequences.
class Smoother {
public:
    Smoother(const Board& board, const SmoothingOptions& options)
        : options_(options), size_(board.size()), row_of_(board.size()), search_(board.size()),
          blank_(board.blank_cell()), tiles_(board.tiles()), targets_(tiles_.size()) {
        for (std::size_t cell = 0; cell < tiles_.size(); ++cell) {
            targets_[static_cast<std::size_t>(tiles_[cell])] = static_cast<std::int32_t>(cell);
        }
    }

    void run(std::vector<Move>& moves) {
        const auto length = static_cast<std::size_t>(options_.window);
        std::vector<Move> window;
        std::size_t kept = 0; // There is room: nothing gets longer.
        std::size_t next = 0;
        for (;;) {
            while (window.size() < length && next < moves.size()) window.push_back(moves[next++]);
            if (shorten(window)) continue;
            const auto stride = static_cast<std::size_t>(options_.stride);
            const std::size_t done = next == moves.size() || stride > window.size() ? window.size() : stride;
            for (std::size_t i = 0; i < done; ++i) {
                make(window[i]);
                moves[kept++] = window[i];
            }
            window.erase(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(done));
            if (window.empty() && next == moves.size()) break;
        }
        moves.resize(kept);
    }

private:
    /// The cell to which a move takes the blank.
    std::int64_t after(std::int64_t blank, Move move) const {
        const std::array<std::int64_t, 4> steps{-std::int64_t{size_}, -1, 1, size_};
        return blank + steps[static_cast<std::size_t>(move)];
    }

    void make(Move move) {
        const std::int64_t next = after(blank_, move);
        const std::int32_t tile = tiles_[static_cast<std::size_t>(next)];
        tiles_[static_cast<std::size_t>(blank_)] = tile;
        tiles_[static_cast<std::size_t>(next)] = 0;
        targets_[static_cast<std::size_t>(tile)] = static_cast<std::int32_t>(blank_);
        blank_ = next;
    }

    /// Looks for a shorter path to the end of the window. `targets_` holds the cell of each tile, but during
    /// this call the cell at the end of the window.
    bool shorten(std::vector<Move>& window) {
        const std::int64_t start = blank_;
        for (const Move move : window) make(move);
        const std::int64_t end = blank_;
        moved_.clear();
        std::int64_t blank = end;
        for (std::size_t i = window.size(); i-- > 0;) {
            const std::int64_t before = after(blank, inverse(window[i]));
            const std::int32_t tile = tiles_[static_cast<std::size_t>(before)];
            tiles_[static_cast<std::size_t>(blank)] = tile;
            tiles_[static_cast<std::size_t>(before)] = 0;
            moved_.push_back(static_cast<std::int32_t>(blank));
            blank = before;
        }
        blank_ = start;
        std::int64_t estimate = 0;
        // A cell is in the list once for each time the blank was there. Each tile must be counted once.
        for (std::size_t i = 0; i < moved_.size(); ++i) {
            const std::int32_t cell = moved_[i];
            const std::int32_t tile = tiles_[static_cast<std::size_t>(cell)];
            if (tile > 0) {
                estimate += search_.distance(cell, targets_[static_cast<std::size_t>(tile)]);
                tiles_[static_cast<std::size_t>(cell)] = -tile;
            }
        }
        for (const std::int32_t cell : moved_) {
            std::int32_t& tile = tiles_[static_cast<std::size_t>(cell)];
            tile = tile < 0 ? -tile : tile;
        }
        const bool is_shorter =
            search_.run(tiles_.data(), targets_.data(), start, {0, size_ - 1, 0, size_ - 1},
                        static_cast<int>(estimate), static_cast<int>(window.size()), options_.expansions);
        for (const std::int32_t cell : moved_) {
            targets_[static_cast<std::size_t>(tiles_[static_cast<std::size_t>(cell)])] = cell;
        }
        if (is_shorter) window = search_.moves();
        return is_shorter;
    }

    SmoothingOptions options_;
    int size_;
    DivideBySize row_of_;
    WindowSearch search_;
    std::int64_t blank_;
    std::vector<std::int32_t> tiles_;
    std::vector<std::int32_t> targets_;
    std::vector<std::int32_t> moved_; ///< the cells that the blank leaves empty or enters in a window
};

} // namespace detail

/// Shortens a solution by local search. Each window of `options.window` consecutive moves is replaced by a
/// shortest path between the same two boards if a search finds a shorter one within `options.expansions`
/// expansions. The new moves lead from `board` to the same board as before. There are never more of them than
/// before. Loops that fit in a window are removed. A second call may find more.
///
/// The result is shorter, but not optimal: all boards outside the current window stay on the path, which a
/// shortest solution need not do. O(n^2) time for the board, plus one search for each `options.stride` moves.
/// \throws std::invalid_argument if a move leaves the board or is `Move::none`, if the stride is less than 1,
///     or if the window is not from 1 to 1000
[[nodiscard]] inline std::vector<Move> smooth(const Board& board, std::vector<Move> moves,
                                              const SmoothingOptions& options = {}) {
    if (options.window < 1 || options.window > SmoothingOptions::longest_window) {
        throw std::invalid_argument("a window has from 1 to 1000 moves, not " +
                                    std::to_string(options.window));
    }
    if (options.stride < 1) {
        throw std::invalid_argument("a window cannot be moved on by " + std::to_string(options.stride) +
                                    " moves");
    }
    const int n = board.size();
    std::int64_t row = board.blank_cell() / n;
    std::int64_t column = board.blank_cell() % n;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        row += moves[i] == Move::down ? 1 : moves[i] == Move::up ? -1 : 0;
        column += moves[i] == Move::right ? 1 : moves[i] == Move::left ? -1 : 0;
        if (row < 0 || row >= n || column < 0 || column >= n || moves[i] >= Move::none) {
            throw std::invalid_argument("move " + std::to_string(i) + ", " +
                                        std::string(to_string(moves[i])) + ", cannot be made");
        }
    }
    detail::Smoother(board, options).run(moves);
    return moves;
}

} // namespace npuzzle
