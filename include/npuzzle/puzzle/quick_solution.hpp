#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/constructive.hpp"
#include "npuzzle/puzzle/detail/tile_beam.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/search/core/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Beams of growing width, until a limit is reached.
class QuickSearch {
public:
    /// Keeps references to all of them.
    QuickSearch(const Board& board, const Board& goal, const QuickSolutionOptions& options)
        : board_(board), goal_(goal), options_(options) {}

    std::vector<Move> run() {
        take(constructive_moves(board_, goal_));
        try {
            if (board_.size() <= largest) run_beams();
        } catch (const std::bad_alloc&) { // what is known is a solution all the same
        }
        return std::move(best_);
    }

private:
    using Clock = std::chrono::steady_clock;

    /// The size of the largest boards for which there are beams.
    static constexpr int largest = 500;

    /// The part of the limits that is used up: 1 for all.
    double used() const {
        const Limits& limits = options_.limits;
        if (limits.stop.stop_requested() || std::cmp_less_equal(best_.size(), options_.enough)) return 1;
        double part = 0;
        if (limits.expansions != Limits::unlimited) {
            part = limits.expansions == 0
                       ? 1
                       : static_cast<double>(expanded_) / static_cast<double>(limits.expansions);
        }
        if (limits.time != (std::chrono::nanoseconds::max)()) {
            const std::chrono::duration<double> time = limits.time;
            const std::chrono::duration<double> taken = Clock::now() - started_;
            part = (std::max)(part, time.count() > 0 ? taken / time : 1);
        }
        return part;
    }

    void take(std::vector<Move> moves) {
        if (best_.empty() || moves.size() < best_.size()) {
            best_ = std::move(moves);
            if (options_.improved) options_.improved(best_);
        }
    }

    /// The widest beam is to take most of what the limits leave. The one before tells how wide that is.
    void run_beams() {
        const double widest = static_cast<double>(
            std::min<std::uint64_t>(1U << 17, options_.limits.bytes / TileBeam::bytes_per_node));
        double before = used();
        double growth = 2;
        for (double width = 1; width <= widest && growth >= 1.5 && before < 1;) {
            run_beam(static_cast<std::size_t>(width));
            const double now = used();
            growth = (std::min)({16.0, 0.8 * (1 - now) / (std::max)(now - before, 1e-9), widest / width});
            width *= growth;
            before = now;
        }
    }

    void run_beam(std::size_t width) {
        constexpr std::uint64_t between_looks = 5000;
        // Every solution has the same parity.
        TileBeam beam(board_, goal_, width, static_cast<std::int64_t>(best_.size()) - 2);
        const std::uint64_t before = expanded_;
        std::uint64_t next_look = 0;
        while (beam.advance()) {
            expanded_ = before + beam.expanded();
            if (beam.expanded() >= next_look) {
                next_look = beam.expanded() + between_looks;
                if (used() >= 1) break;
            }
        }
        take(std::move(beam).moves());
    }

    const Board& board_;
    const Board& goal_;
    const QuickSolutionOptions& options_;
    std::vector<Move> best_;
    std::uint64_t expanded_ = 0;
    Clock::time_point started_ = Clock::now();
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
    return detail::QuickSearch(board, goal, options).run();
}

/// The same for the blank-last goal.
[[nodiscard]] inline std::vector<Move> quick_solution(const Board& board,
                                                      const QuickSolutionOptions& options = {}) {
    return quick_solution(board, goal_blank_last(board.size()), options);
}

} // namespace npuzzle
