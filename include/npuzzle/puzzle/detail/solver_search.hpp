#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/corner_puzzle.hpp"
#include "npuzzle/puzzle/detail/five_tile_tables.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/detail/table_source.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/combinators.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

/// \file
/// The search that a `Solver` chooses by itself.

namespace npuzzle::detail {

/// The search that suits a board:
///
/// | n | search |
/// |---|---|
/// | 2, 3 | A*, linear conflict |
/// | 4 | IDA*, pattern databases if they are there, else the greater of linear conflict and walking distance |
/// | 5 | A*, linear conflict; if pattern databases can be used, after `near_goal` IDA* with them |
/// | 6 and more | IDA*, linear conflict |
///
/// At n = 4 a long search without tables goes on by some that it builds (`five_tile_tables`), and after
/// `before_tables` by pattern databases if these can be built. From n = 6 on, A* would soon fill the memory
/// with boards.
/// \tparam Run `SolverRun`; a parameter so that a program without a solver compiles none of its searches
template <class Run>
class AutomaticSearch {
public:
    /// \param run is given what the searches come to
    AutomaticSearch(const Board& board, const SolverOptions& options, Run& run)
        : board_(board), options_(options), run_(run), n_(board.size()),
          goal_(options.goal ? *options.goal : goal_blank_last(n_)), limits_(options.limits) {}

    void search() {
        if (n_ == 4 || n_ == 5) {
            search_with_tables();
        } else if (n_ < 4) {
            search_by_astar(options_.limits);
        } else {
            SolverObserver observer = begin(SolverAlgorithm::ida_star, linear_conflict);
            run_.deepen(SlidingPuzzle(goal_), board_, LinearConflict{}, options_.limits, observer);
        }
        run_.statistics.seconds = limits_.seconds();
    }

private:
    static constexpr const char* linear_conflict = "linear-conflict";
    /// The size of the greatest boards that are words.
    static constexpr int widest = has_uint128 ? 5 : 4;
    /// Boards of size 5 that A* solves in so few expansions need no tables: about half a second, 100 MB.
    static constexpr std::uint64_t near_goal = 1'000'000;
    /// After so many, a search of size 4 has taken about as long as it takes to build tables. Random boards
    /// need fewer.
    static constexpr std::uint64_t before_tables = 100'000'000;

    void search_with_tables() {
        const int blank_cell = static_cast<int>(goal_.blank_cell());
        const TableSupply supply = options_.tables ? options_.tables->supply(n_, blank_cell) : TableSupply{};
        if (!options_.tables || !can_use(supply)) return search_without_tables(options_.limits);
        if (n_ == 5 || (!supply.are_there && supply.use == TableUse::automatic)) {
            const std::uint64_t enough = n_ == 5 ? near_goal : before_tables;
            Limits first = options_.limits;
            first.expansions = first.expansions < enough ? first.expansions : enough;
            search_without_tables(first);
            const bool is_beyond =
                run_.status == SearchStatus::expansion_limit && first.expansions < options_.limits.expansions;
            if (!is_beyond && run_.status != SearchStatus::memory_limit) return;
        }
        SolverObserver observer = begin(SolverAlgorithm::ida_star, "pdb:" + options_.tables->partition(n_));
        const std::unique_ptr<const LoadedTables> tables = load(blank_cell);
        if (tables) {
            observer.hold(tables->bytes());
            Limits rest = limits_.left(run_.statistics.expanded);
            if (rest.bytes != Limits::unlimited) {
                rest.bytes -= supply.bytes; // no more than there are, by `can_use`
            }
            tables->search(board_, goal_, rest, observer, run_);
        }
    }

    /// Whether tables are there or are to be built, and there is room for them.
    [[nodiscard]] bool can_use(const TableSupply& supply) const {
        const bool is_asked_for = supply.use == TableUse::build_if_missing;
        const bool is_built = is_asked_for || (supply.use == TableUse::automatic && supply.can_be_saved &&
                                               options_.limits.time >= std::chrono::seconds{10});
        return (supply.are_there || is_built) &&
               (supply.are_there ? supply.bytes : supply.bytes_to_build) <= options_.limits.bytes;
    }

    /// Nothing, and a status, if a limit forbids or ends it.
    std::unique_ptr<const LoadedTables> load(int blank_cell) {
        run_.status = limits_.is_stopped()     ? SearchStatus::cancelled
                      : limits_.is_time_over() ? SearchStatus::time_limit
                                               : SearchStatus::running;
        std::unique_ptr<const LoadedTables> tables;
        if (run_.status == SearchStatus::running) {
            tables = options_.tables->load(n_, blank_cell, limits_);
            if (!tables) {
                run_.status = limits_.is_stopped() || options_.tables->is_stopped()
                                  ? SearchStatus::cancelled
                                  : SearchStatus::time_limit;
            }
        }
        return tables;
    }

    void search_without_tables(const Limits& limits) {
        if (n_ == 5) return search_by_astar(limits);
        SolverObserver observer = begin(SolverAlgorithm::ida_star, "max:linear-conflict,walking-distance");
        const bool builds = options_.limits.bytes >= FiveTileTables::bytes_to_build;
        if (run_.template deepen_either_way<FourMovesPuzzle<4>>(
                goal_, board_, MaxOf{LinearConflict{}, WalkingDistance{}}, limits, observer, builds)) {
            run_.heuristic_name = "pdb:5-5-5";
        }
    }

    void search_by_astar(const Limits& limits) {
        SolverObserver observer = begin(SolverAlgorithm::astar, linear_conflict);
        if (n_ <= widest) {
            const CornerPuzzle<widest> puzzle(goal_);
            run_.keep(astar(puzzle, puzzle.placed(board_), BoundLinearConflict(puzzle.goal()),
                            run_.template bounded<CornerPuzzle<widest>>(limits), observer),
                      [&](const PackedBoard<widest>& each) { return puzzle.taken_out(each); });
        } else if constexpr (widest < 5) {
            run_.keep(astar(SlidingPuzzle(goal_), board_, LinearConflict{},
                            run_.template bounded<SlidingPuzzle<>>(limits), observer));
        }
    }

    SolverObserver begin(SolverAlgorithm algorithm, std::string heuristic) {
        run_.algorithm = algorithm;
        run_.heuristic_name = std::move(heuristic);
        return SolverObserver(algorithm, options_);
    }

    const Board& board_;
    const SolverOptions& options_;
    Run& run_;
    int n_;
    Board goal_;
    SharedLimits limits_;
};

// Where many sources of a program make solvers, the searches can be compiled once: with the first of these
// defined for all of them but one, and the second for that one.
#if defined(NPUZZLE_SOLVER_ELSEWHERE)
extern template class AutomaticSearch<SolverRun>;
#elif defined(NPUZZLE_SOLVER_HERE)
template class AutomaticSearch<SolverRun>;
#endif

} // namespace npuzzle::detail
