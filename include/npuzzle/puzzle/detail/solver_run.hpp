#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/five_tile_tables.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/ida_star.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// What the searches of a `Solver` share.

namespace npuzzle::detail {

/// A puzzle that `ida_star` does not write out for each place of the blank: compiled in a fifth of the time.
/// With pattern databases, which wait for memory, that costs a tenth of the speed; the others are two or
/// three times slower.
template <int N>
class RolledPuzzle : public SlidingPuzzle<N> {
public:
    explicit RolledPuzzle(const SlidingPuzzle<N>& puzzle) : SlidingPuzzle<N>(puzzle) {}

    void with_place() const = delete;
};

/// The blank's cell, known at run time, and the moves that are tried there.
struct CellPlace {
    int cell;
    unsigned tried; ///< a bit for each move
    int moves;
};

/// A puzzle that `ida_star` writes out once for all places: moves are known at compile time, cells are not. A
/// fraction of the code.
template <int N>
class FourMovesPuzzle : public SlidingPuzzle<N> {
public:
    explicit FourMovesPuzzle(const Board& goal) : SlidingPuzzle<N>(goal) {}

    /// Calls `visit(place)` for the blank's cell.
    template <class F>
    void with_place(const PackedBoard<N>& board, Move last, F&& visit) const {
        visit(place(board.blank_cell(), last));
    }

    /// As in `SlidingPuzzle`.
    template <class F>
    NPUZZLE_ALWAYS_INLINE bool any_move(CellPlace from, F&& visit) const {
        return slide<Move::up, -N>(from, visit) || slide<Move::left, -1>(from, visit) ||
               slide<Move::right, 1>(from, visit) || slide<Move::down, N>(from, visit);
    }

private:
    static constexpr CellPlace place(int cell, Move last) {
        const unsigned tried = NeighborTable<N>::moves[static_cast<std::size_t>(cell)] &
                               ~(1U << static_cast<unsigned>(inverse(last)));
        return {cell, tried, std::popcount(tried)};
    }

    template <Move move, int step, class F>
    NPUZZLE_ALWAYS_INLINE static bool slide(CellPlace from, F& visit) {
        static constexpr auto places = [] {
            std::array<CellPlace, N * N> result{};
            for (int cell = 0; cell < N * N; ++cell) {
                result[static_cast<std::size_t>(cell)] = place(cell, move);
            }
            return result;
        }();
        const int to = from.cell + step;
        return (from.tried >> static_cast<unsigned>(move) & 1) != 0 &&
               visit(places[static_cast<std::size_t>(to)], SlideMove{from.cell, to, move});
    }
};

/// Limits that several pieces of work, one after another, keep together.
class SharedLimits {
public:
    using Clock = std::chrono::steady_clock;

    explicit SharedLimits(const Limits& limits) : limits_(limits) {}

    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

    bool is_time_over() const {
        return limits_.time != (std::chrono::nanoseconds::max)() && Clock::now() - started_ >= limits_.time;
    }

    bool is_stopped() const { return limits_.stop.stop_requested(); }

    /// What is left after searches that expanded so many states.
    Limits left(std::uint64_t expanded) const {
        Statistics used;
        used.expanded = expanded;
        used.seconds = seconds();
        return remaining(limits_, used);
    }

private:
    Limits limits_;
    Clock::time_point started_ = Clock::now();
};

/// Tells `SolverOptions::progress`.
class SolverObserver : public SilentObserver {
public:
    static constexpr bool sees_nodes = false;

    /// \param bytes what tables take
    SolverObserver(SolverAlgorithm algorithm, const SolverOptions& options, std::uint64_t bytes = 0)
        : algorithm_(algorithm), bytes_(bytes), progress_(&options.progress) {}

    using SilentObserver::progress;

    template <class Bound>
    void progress(const Statistics& statistics, const Bound& bound) {
        if (*progress_) {
            const int now = saturating_cast<int>(bound);
            bound_ = bound_ < now ? now : bound_;
            Statistics all = before_;
            all.merge_sequential(statistics);
            (*progress_)({algorithm_, bound_, all, bytes_ + statistics.bytes});
        }
    }

    /// Another search follows one that has done so much.
    void go_on_after(const Statistics& done) { before_.merge_sequential(done); }

    /// Tables of so many bytes are there from now on.
    void hold(std::uint64_t bytes) { bytes_ += bytes; }

private:
    SolverAlgorithm algorithm_;
    int bound_ = 0;     ///< the greatest of all searches
    Statistics before_; ///< of those that are over
    std::uint64_t bytes_;
    const std::function<void(const SolverProgress&)>* progress_;
};

/// What the searches of a `Solver` came to, all together.
struct SolverRun {
    std::optional<std::vector<Board>> solution;
    Statistics statistics;
    SearchStatus status = SearchStatus::running;
    /// The moves of the best solution that is known, under best effort.
    std::optional<std::vector<Move>> known;
    std::int64_t lower = 0; ///< every solution has as many moves, or more
    /// The most moves of a solution that is looked for.
    std::int64_t max_moves = (std::numeric_limits<std::int64_t>::max)();
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    std::string heuristic_name = "none";

    /// The limits of a search, with `max_moves`.
    template <class P>
    limits_t<P> bounded(limits_t<P> limits) const {
        if (max_moves <
            (limits.max_cost ? std::int64_t{*limits.max_cost} : (std::numeric_limits<int>::max)())) {
            limits.max_cost = static_cast<cost_t<P>>(max_moves);
        }
        return limits;
    }

    /// Takes what the next search came to.
    /// \param to_board makes the board of a state
    template <class Result, class ToBoard>
    void keep(const Result& result, const ToBoard& to_board) {
        keep(result.status, result.statistics, result.path.size(),
             [&](std::size_t i) { return to_board(result.path[i]); });
    }

    template <class Result>
    void keep(const Result& result) {
        keep(result, [](const auto& board) { return Board(board); });
    }

    /// Runs IDA* from a board, and takes what it came to: its moves, from which the boards are made.
    template <class P, class H>
    void deepen(const P& puzzle, const Board& start, H&& heuristic, const limits_t<P>& limits,
                SolverObserver& observer) {
        const auto result = ida_star_moves(puzzle, state_t<P>(start), std::forward<H>(heuristic),
                                           bounded<P>(limits), observer);
        keep(result.status, result.statistics, result.moves, start);
    }

    /// The same with a heuristic for any goal: from the board to the goal, or from the goal to the board if
    /// that takes fewer expansions up to the first bound at which they matter. One way often takes several
    /// times the expansions of the other one, and nearly always does so at all bounds.
    /// \param builds_tables whether a long search goes on by tables that are built on the way. Returns whether
    ///     it did.
    template <class Puzzle, class H>
    bool deepen_either_way(const Board& goal, const Board& start, const H& heuristic, limits_t<Puzzle> limits,
                           SolverObserver& observer, bool builds_tables) {
        bool is_backward = false;
        const auto search = [&](auto by, const limits_t<Puzzle>& limited, Pause& pause) {
            const auto result = deepened(Puzzle(is_backward ? start : goal), is_backward ? goal : start,
                                         std::move(by), limited, observer, pause);
            keep_way(result, is_backward, start);
            limits = remaining(limits, result.statistics);
            observer.go_on_after(result.statistics);
            return result.statistics.expanded;
        };
        Pause pause{.expanded = worth_comparing};
        const std::uint64_t forward = search(heuristic, limits, pause);
        if (status == SearchStatus::running) {
            limits_t<Puzzle> as_many = limits;
            as_many.expansions = forward < limits.expansions ? forward : limits.expansions;
            pause.expanded = Limits::unlimited;
            is_backward = true;
            search(heuristic, as_many, pause);
            is_backward = status == SearchStatus::running;
            // Beaten: that limit was not the caller's.
            if (status == SearchStatus::expansion_limit && limits.expansions > 0) {
                status = SearchStatus::running;
            }
        }
        Pause never;
        if (status == SearchStatus::running) {
            pause = {.expanded = builds_tables ? worth_building : Limits::unlimited};
            search(heuristic, limits, pause);
        }
        if (status != SearchStatus::running) return false;
        Statistics building;
        if (!build_tables(goal, building)) {
            search(heuristic, limits, never);
            return false;
        }
        limits = remaining(limits, building);
        observer.hold(FiveTileTables::bytes);
        is_backward = false;
        search(FiveTileDatabases{}, limits, never);
        return true;
    }

private:
    /// So many tell which way takes fewer, and are few beside what most boards take.
    static constexpr std::uint64_t worth_comparing = 10'000;
    /// After so many, the next iteration mostly takes longer than it takes to build tables.
    static constexpr std::uint64_t worth_building = 500'000;

    /// Where a search pauses: between two iterations, after more expansions, or if its next bound is so
    /// great.
    struct Pause {
        std::uint64_t expanded = Limits::unlimited;
        int bound = (std::numeric_limits<int>::max)();
    };

    /// \param pause set to where it paused; the status is then `running`
    template <int N, template <int> class Puzzle, class H>
    auto deepened(const Puzzle<N>& puzzle, const Board& start, H&& heuristic,
                  const limits_t<SlidingPuzzle<N>>& limits, SolverObserver& observer, Pause& pause) const {
        return guarded_search([&] {
            IdaStar engine(puzzle, PackedBoard<N>(start), std::forward<H>(heuristic),
                           bounded<SlidingPuzzle<N>>(limits), observer);
            while (engine.step()) {
                const std::uint64_t expanded = engine.statistics().expanded;
                const int bound = engine.bound().value_or(0);
                if (expanded > pause.expanded || bound >= pause.bound) {
                    pause.bound = bound;
                    break;
                }
            }
            return engine.result_without_path();
        });
    }

    /// Takes what a search came to, from the goal to the start if it is backward.
    template <class Result>
    NPUZZLE_COLD void keep_way(const Result& result, bool is_backward, const Board& start) {
        std::vector<Move> moves(result.moves.begin(), result.moves.end());
        for (std::size_t i = 0; is_backward && i < moves.size(); ++i) {
            moves[i] = inverse(result.moves[moves.size() - 1 - i]);
        }
        keep(result.status, result.statistics, moves, start);
    }

    /// Builds the tables for a goal, unless they are there. Returns false if there is no memory for them.
    NPUZZLE_COLD static bool build_tables(const Board& goal, Statistics& building) {
        const SharedLimits clock(Limits{});
        try {
            static_cast<void>(five_tile_tables(static_cast<int>(goal.blank_cell())));
        } catch (const std::bad_alloc&) {
            return false;
        }
        building.seconds = clock.seconds();
        return true;
    }

    // Both are compiled once for all searches.

    NPUZZLE_COLD void keep(SearchStatus ended, const Statistics& more, const std::vector<Move>& moves,
                           const Board& start) {
        Board board = start;
        const SlidingPuzzle<> puzzle(start);
        keep(ended, more, moves.size() + 1, [&](std::size_t i) {
            if (i > 0) puzzle.apply(board, moves[i - 1]);
            return board;
        });
    }

    NPUZZLE_COLD void keep(SearchStatus ended, const Statistics& more, std::size_t boards,
                           const std::function<Board(std::size_t)>& board) {
        status = ended;
        statistics.merge_sequential(more);
        if (status == SearchStatus::solved) {
            try {
                solution.emplace();
                solution->reserve(boards);
                for (std::size_t i = 0; i < boards; ++i) solution->push_back(board(i));
            } catch (const std::bad_alloc&) {
                solution.reset();
                status = SearchStatus::memory_limit;
            }
        }
    }
};

} // namespace npuzzle::detail
