#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/constructive.hpp"
#include "npuzzle/puzzle/detail/tile_beam.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/smoothing.hpp"
#include "npuzzle/search/core/limits.hpp"

#include <algorithm>
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

/// Beams of growing width, then windows, until a limit is reached.
class QuickSearch {
public:
    /// Keeps references to all of them.
    QuickSearch(const Board& board, const Board& goal, const QuickSolutionOptions& options)
        : board_(board), goal_(goal), options_(options) {}

    std::vector<Move> run() {
        take(constructive_moves(board_, goal_));
        try {
            if (board_.size() <= TileBeam::largest && !is_done()) run_beams();
            if (!is_done()) run_windows();
        } catch (const std::bad_alloc&) { // what is known is a solution all the same
        }
        return std::move(best_);
    }

private:
    using Clock = std::chrono::steady_clock;

    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

    bool is_done() const {
        return std::cmp_less_equal(best_.size(), options_.enough) ||
               expanded_ >= options_.limits.expansions || options_.limits.stop.stop_requested() ||
               (options_.limits.time != (std::chrono::nanoseconds::max)() &&
                Clock::now() - started_ >= options_.limits.time);
    }

    void take(std::vector<Move> moves) {
        if (best_.empty() || moves.size() < best_.size()) {
            best_ = std::move(moves);
            if (options_.improved) options_.improved(best_);
        }
    }

    /// How many expansions the limits leave at so many a second.
    double expansions_left(double per_second) const {
        double left = std::numeric_limits<double>::infinity();
        if (options_.limits.expansions != Limits::unlimited) {
            left = static_cast<double>(options_.limits.expansions - expanded_);
        }
        if (options_.limits.time != (std::chrono::nanoseconds::max)()) {
            const double time = std::chrono::duration<double>(options_.limits.time).count() - seconds();
            left = (std::min)(left, per_second * time);
        }
        return left;
    }

    /// The widest beam is to take most of what is left. The ones before tell how wide that is.
    void run_beams() {
        TileBeam beam(board_, goal_);
        const double size = board_.size();
        double for_each_node = 2 * size * size * size; // expansions for a width of 1, at a guess
        double per_second = 4e6;
        constexpr std::size_t widest = std::size_t{1} << 17;
        const auto max_width = static_cast<std::size_t>(
            std::min<std::uint64_t>(widest, options_.limits.bytes / TileBeam::bytes_per_node));
        for (std::size_t width = 4; !is_done();) {
            const double affordable = 0.8 * expansions_left(per_second) / for_each_node;
            const double wanted = 16 * static_cast<double>(width);
            const auto next = (std::min)(max_width, static_cast<std::size_t>((std::min)(affordable, wanted)));
            if (next < 2 || (width > 4 && 2 * next < 3 * width)) return;
            width = next;
            const std::uint64_t before = expanded_;
            const double began = seconds();
            run_beam(beam, width);
            const auto made = static_cast<double>(expanded_ - before);
            for_each_node = (std::max)(1.0, made / static_cast<double>(width));
            per_second = made / (std::max)(1e-3, seconds() - began);
        }
    }

    void run_beam(TileBeam& beam, std::size_t width) {
        constexpr std::uint64_t between_looks = 5000;
        const std::uint64_t before = beam.expanded() - expanded_;
        // Every solution has the same parity.
        beam.begin(width, static_cast<std::int64_t>(best_.size()) - 2);
        std::uint64_t next_look = 0;
        bool is_cut = false;
        while (!is_cut && beam.advance()) {
            expanded_ = beam.expanded() - before;
            if (expanded_ >= next_look) {
                next_look = expanded_ + between_looks;
                is_cut = is_done();
            }
        }
        expanded_ = beam.expanded() - before;
        if (beam.is_solved()) {
            take(beam.moves());
        } else if (is_cut && !options_.limits.stop.stop_requested()) {
            std::vector<Move> moves = beam.moves();
            Board board = board_;
            const SlidingPuzzle<> puzzle(goal_);
            for (const Move move : moves) puzzle.apply(board, move);
            const std::size_t most = best_.size();
            for_each_constructive_move(board, goal_, [&](Move move) {
                if (moves.size() < most) moves.push_back(move);
            });
            take(std::move(moves));
        }
    }

    /// One pass of windows over the best solution, in pieces, between which the limits are looked at.
    void run_windows() {
        constexpr std::size_t piece = 128;
        const SlidingPuzzle<> puzzle(goal_);
        Board board = board_;
        std::vector<Move> rest = best_; // a lack of memory must not spoil the best
        std::vector<Move> shorter;
        std::size_t done = 0;
        while (done < rest.size() && !is_done()) {
            const std::size_t end = (std::min)(rest.size(), done + piece);
            std::vector<Move> moves(rest.begin() + static_cast<std::ptrdiff_t>(done),
                                    rest.begin() + static_cast<std::ptrdiff_t>(end));
            moves = smooth(board, std::move(moves));
            // The next piece begins in the middle of this one, unless this one was the last.
            const std::size_t kept = end == rest.size() ? moves.size() : moves.size() / 2;
            for (std::size_t i = 0; i < kept; ++i) {
                puzzle.apply(board, moves[i]);
                shorter.push_back(moves[i]);
            }
            moves.erase(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(kept));
            done = end - moves.size();
            std::copy(moves.begin(), moves.end(), rest.begin() + static_cast<std::ptrdiff_t>(done));
        }
        shorter.insert(shorter.end(), rest.begin() + static_cast<std::ptrdiff_t>(done), rest.end());
        take(std::move(shorter));
    }

    const Board& board_;
    const Board& goal_;
    const QuickSolutionOptions& options_;
    std::vector<Move> best_;
    std::uint64_t expanded_ = 0;
    Clock::time_point started_ = Clock::now();
};

} // namespace detail

/// The moves of the blank on a short path from `board` to `goal`: the best that is found within the limits. A
/// constructive solution is known at once, whatever the limits. Beams of growing width shorten it, on boards
/// of size up to 500, and then windows, as `smooth` does. The bounds on time are looked at every few
/// milliseconds.
///
/// Nothing is proved of its length. With a limit on expansions and none on time, it is the same each time.
/// Memory: the bytes of the limits, and some bytes for each of about 2.7 n^3 moves.
/// \throws std::invalid_argument if the boards differ in size, or if the goal cannot be reached
/// \throws std::bad_alloc if the constructive solution does not fit in memory
[[nodiscard]] inline std::vector<Move> quick_solution(const Board& board, const Board& goal,
                                                      const QuickSolutionOptions& options = {}) {
    return detail::QuickSearch(board, goal, options).run();
}

/// The same for the blank-last goal.
[[nodiscard]] inline std::vector<Move> quick_solution(const Board& board,
                                                      const QuickSolutionOptions& options = {}) {
    return quick_solution(board, goal_blank_last(board.size()), options);
}

} // namespace npuzzle
