#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/named_heuristic.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/detail/table_source.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solvability.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/puzzle/twin_search.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/combinators.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/ida_star.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// A heuristic for packed boards, where the compiler has a word that is wide enough for them.
template <class H, int N>
concept PackedHeuristic = (N <= 4 || has_uint128) && HeuristicFor<H, SlidingPuzzle<N>>;

/// Which searches a `Solver` compiles: all that options can name, or those that it can choose by itself.
template <class Any, bool named>
struct Searches {
    static constexpr bool are_named = named;
    /// The size for which IDA* is unrolled. It depends on a template argument, as all that makes a search
    /// does: so none is compiled before a solver is made.
    static constexpr int unrolled_size = 4;
};

template <class Any>
using AutomaticSearches = Searches<Any, false>;

template <class Any>
using NamedSearches = Searches<Any, true>;

} // namespace detail

/// Solves a board in the fewest moves, in its constructor, and answers questions afterwards: the same answers
/// however often and in whatever order they are asked. A solver never changes, other than by being assigned
/// to.
///
/// It chooses the search by the size of the board, unless it is told: `docs/puzzles.md` lists which.
/// Boards of n = 4 take IDA*, up to seconds each, or milliseconds with tables of pattern databases. At n = 5
/// boards that are not near the goal need `SolverOptions::tables`, 48 MB, which are built at the first time,
/// and then minutes to days. Random boards of n = 6 and more are beyond A* with linear conflict, so give
/// limits.
class Solver {
public:
    /// Solves `board`, by the search that suits it.
    // The constructors are templates, or take a type that is one, so that a program that makes no solver
    // compiles none of its searches.
    template <class Any = void>
    explicit Solver(const Board& board) : Solver(board, BasicAutomaticOptions<Any>{}) {}

    /// Solves `board`, by the search that suits it. Lack of memory is a status.
    /// \throws std::invalid_argument if a goal of another size is given, or if the board is unsolvable and
    ///         `options.throws_if_unsolvable`.
    /// \throws TableFileError if a table's file is damaged, unless `TableStore::replace_damaged`; if it is
    ///         not to be trusted, or turns out to be wrong during the search.
    /// \throws std::runtime_error if tables are to be built and there is no folder for them.
    Solver(const Board& board, const AutomaticOptions& options) { options.search(*this, board, options); }

    /// Solves `board` by the search that `options` name. All searches that they could name are compiled.
    /// \throws as above; std::invalid_argument also if the options have no meaning for boards of this size;
    ///         TableFileError also if pattern databases are asked for by name, are not there and are not to
    ///         be built.
    template <class Any = void>
    Solver(const Board& board, const SolverOptions& options) {
        run<detail::NamedSearches<Any>>(board, options);
    }

    /// Solves `board` with a heuristic of one's own, in place of `options.heuristic`: any callable that takes
    /// a `Board`, or a `PackedBoard<N>` if it is to be fast. It must be admissible, to the goal given. The
    /// search is A* unless `options.algorithm` says otherwise.
    /// \throws what the heuristic throws, and std::invalid_argument as above, or if the heuristic does not
    ///         take boards of this size.
    template <class H>
        requires(HeuristicFor<H, SlidingPuzzle<>> || HeuristicFor<H, SlidingPuzzle<2>> ||
                 HeuristicFor<H, SlidingPuzzle<3>> || HeuristicFor<H, SlidingPuzzle<4>> ||
                 detail::PackedHeuristic<H, 5>)
    Solver(const Board& board, H&& heuristic, const SolverOptions& options = {}) {
        require_goal_of_size(board, options);
        if (!takes_size<std::remove_reference_t<H>>(board.size())) {
            detail::throw_invalid({"the heuristic does not take boards of size ",
                                   detail::number_text(std::int64_t{board.size()})});
        }
        SolverOptions without_name = options;
        without_name.heuristic = SolverHeuristic::automatic;
        detail::require_meaning(board.size(), without_name);
        finish_run(board, options, [&](const SolverOptions& told) {
            heuristic_ = SolverHeuristic::own;
            algorithm_ = told.algorithm == SolverAlgorithm::ida_star ? SolverAlgorithm::ida_star
                                                                     : SolverAlgorithm::astar;
            search_by_size(board, heuristic, told, told.limits);
        });
    }

    /// Whether the goal can be reached. Known by parity even if a limit ended the search.
    [[nodiscard]] bool is_solvable() const noexcept { return is_solvable_; }

    /// The least number of moves to the goal; -1 if the board is unsolvable or a limit ended the search.
    [[nodiscard]] int moves() const noexcept {
        return run_.solution ? static_cast<int>(run_.solution->size()) - 1 : -1;
    }

    /// The boards from the initial one to the goal, each one move from the last; none if the board is
    /// unsolvable or a limit ended the search.
    [[nodiscard]] const std::optional<std::vector<Board>>& solution() const noexcept { return run_.solution; }

    /// Under `SolverOptions::best_effort`, the moves of the best solution that is known, also after a limit;
    /// else none. The blank makes them.
    [[nodiscard]] const std::optional<std::vector<Move>>& best_moves() const noexcept { return run_.known; }

    /// The number of moves of the best solution that is known; -1 if there is none.
    [[nodiscard]] std::int64_t upper() const noexcept {
        return run_.known ? static_cast<std::int64_t>(run_.known->size()) : std::int64_t{moves()};
    }

    /// What is proved: every solution has as many moves, or more. As `upper()` if the board is solved.
    /// Without `SolverOptions::best_effort`, 0 after a limit.
    [[nodiscard]] std::int64_t lower() const noexcept {
        return run_.solution ? std::int64_t{moves()} : run_.lower;
    }

    /// `solved`, `unsolvable`, or the limit that ended the search.
    [[nodiscard]] SearchStatus status() const noexcept { return run_.status; }

    /// What the searches did, all together, with the building of tables in the seconds; all zero where parity
    /// made a search needless.
    [[nodiscard]] const Statistics& statistics() const noexcept { return run_.statistics; }

    /// The search that was made, the last one if there were several; `automatic` where parity made it
    /// needless.
    [[nodiscard]] SolverAlgorithm algorithm() const noexcept { return algorithm_; }

    /// The heuristic of that search; `automatic` where parity made it needless, `own` for one's own.
    [[nodiscard]] SolverHeuristic heuristic() const noexcept { return heuristic_; }

    /// The name of the partition whose pattern databases were used, or its drawing; empty if none were.
    [[nodiscard]] const std::string& partition() const noexcept { return partition_; }

private:
    template <class Any>
    friend void detail::search_automatically(Solver& solver, const Board& board,
                                             const SolverOptions& options);

    template <class Searches>
    void run(const Board& board, const SolverOptions& options) {
        require_goal_of_size(board, options);
        detail::require_meaning(board.size(), options);
        finish_run(board, options,
                   [&](const SolverOptions& told) { search_as_chosen<Searches>(board, told); });
    }

    static void require_goal_of_size(const Board& board, const SolverOptions& options) {
        if (options.goal && options.goal->size() != board.size()) {
            detail::throw_sizes_differ(board.size(), options.goal->size());
        }
    }

    /// Calls `search(options)` unless parity makes it needless, and draws the conclusions.
    template <class F>
    void finish_run(const Board& board, const SolverOptions& options, F&& search) {
        is_solvable_ = options.goal ? npuzzle::is_solvable(board, *options.goal) : board.is_solvable();
        if (!is_solvable_ && options.proof == UnsolvableProof::parity) {
            run_.status = SearchStatus::unsolvable;
        } else {
            try {
                if (options.best_effort && is_solvable_) {
                    options.best_effort->solve(board, options, run_, search);
                } else {
                    search(options);
                }
            } catch (const std::bad_alloc&) {
                run_.status = SearchStatus::memory_limit;
            }
        }
        if (run_.status == SearchStatus::unsolvable) {
            is_solvable_ = false;
            if (options.throws_if_unsolvable) {
                detail::throw_invalid({"the board is unsolvable"});
            }
        }
    }

    // A template so that a program of many sources can have its code, and all that it calls, made in one of
    // them: see the end of the file.
    template <class Searches>
    void search_as_chosen(const Board& board, const SolverOptions& options);

    /// Nothing, and a status, if a limit forbids or ends it.
    NPUZZLE_COLD std::unique_ptr<const detail::LoadedTables> load_tables(int n, int blank_cell,
                                                                         const detail::TableSupply& supply,
                                                                         const SolverOptions& options,
                                                                         const detail::SharedLimits& limits) {
        // Tables that are missing and are not to be built, or have no folder, are an error, which `load`
        // throws.
        const bool is_error =
            !supply.are_there && (!supply.can_be_saved || !detail::builds_tables(options, supply));
        run_.status = is_error                                      ? SearchStatus::running
                      : limits.is_stopped()                         ? SearchStatus::cancelled
                      : limits.is_time_over()                       ? SearchStatus::time_limit
                      : !detail::can_use_tables(n, options, supply) ? SearchStatus::memory_limit
                                                                    : SearchStatus::running;
        std::unique_ptr<const detail::LoadedTables> tables;
        if (run_.status == SearchStatus::running) {
            tables = options.tables->load(n, blank_cell, detail::table_access(n, options), limits);
            if (!tables) {
                run_.status = limits.is_stopped() || options.tables->is_stopped() ? SearchStatus::cancelled
                                                                                  : SearchStatus::time_limit;
            }
        }
        return tables;
    }

    template <class Searches>
    void search_named(const Board& board, const SolverChoice& choice, const detail::LoadedTables* tables,
                      const SolverOptions& options, const Limits& limits) {
        algorithm_ = choice.algorithm;
        heuristic_ = choice.heuristic;
        const int n = board.size();
        const Board goal = options.goal ? *options.goal : goal_blank_last(n);
        detail::SolverObserver observer(algorithm_, options, tables != nullptr ? tables->bytes() : 0);
        if (algorithm_ == SolverAlgorithm::ida_star) {
            if (n == 4 && heuristic_ == SolverHeuristic::linear_conflict_or_walking_distance) {
                using Puzzle = detail::FourMovesPuzzle<Searches::unrolled_size>;
                const bool builds = options.heuristic == SolverHeuristic::automatic &&
                                    options.limits.bytes >= detail::FiveTileTables::bytes_to_build;
                if (run_.deepen_either_way<Puzzle>(goal, board, MaxOf{LinearConflict{}, WalkingDistance{}},
                                                   limits, observer, builds)) {
                    heuristic_ = SolverHeuristic::pattern_databases;
                    partition_ = "5-5-5";
                }
                return;
            }
            if (tables != nullptr && n >= 4) {
                return tables->search(board, goal, limits, observer, run_);
            }
        }
        if constexpr (Searches::are_named) {
            search_by_name<Searches>(board, goal, tables, options, limits, observer);
        } else if (n <= widest) {
            const detail::CornerPuzzle<widest> puzzle(goal);
            search_corner(puzzle, board, detail::BoundLinearConflict(puzzle.goal()), limits, observer);
        } else if (algorithm_ == SolverAlgorithm::ida_star) {
            run_.deepen(SlidingPuzzle(goal), board, LinearConflict{}, limits, observer);
        } else if constexpr (widest < 5) {
            run_.keep(astar(SlidingPuzzle(goal), board, LinearConflict{},
                            run_.bounded<SlidingPuzzle<>>(limits), observer));
        }
    }

    /// Where no search is specialized. What is seldom asked for is done by `Board`.
    template <class Searches>
    void search_by_name(const Board& board, const Board& goal, const detail::LoadedTables* tables,
                        const SolverOptions& options, const Limits& limits,
                        detail::SolverObserver& observer) {
        const int n = board.size();
        detail::TileHeuristic from_tables =
            tables != nullptr ? tables->bind(goal) : detail::walking_distance_named(heuristic_, goal);
        const bool is_plain =
            algorithm_ == SolverAlgorithm::astar && options.proof != UnsolvableProof::twin_search;
        const auto search_packed_corner = [&]<int W>(std::integral_constant<int, W>) {
            const detail::CornerPuzzle<W> puzzle(goal);
            search_corner(puzzle, board,
                          detail::NamedHeuristic(heuristic_, puzzle.goal(), n, std::move(from_tables)),
                          limits, observer);
        };
        if (is_plain && n <= 4) {
            return search_packed_corner(std::integral_constant<int, 4>{});
        }
        if constexpr (widest == 5) {
            if (is_plain && n == 5) {
                return search_packed_corner(std::integral_constant<int, 5>{});
            }
        }
        const detail::NamedHeuristic heuristic(heuristic_, goal, n, std::move(from_tables));
        if (options.proof == UnsolvableProof::twin_search) {
            run_.keep(twin_search(SlidingPuzzle(goal), board, heuristic, limits, observer));
        } else {
            search_any_size(board, goal, heuristic, limits, observer);
        }
    }

    /// A* for boards up to size W.
    template <int W, class H>
    void search_corner(const detail::CornerPuzzle<W>& puzzle, const Board& board, const H& heuristic,
                       const Limits& limits, detail::SolverObserver& observer) {
        run_.keep(astar(puzzle, puzzle.placed(board), heuristic,
                        run_.bounded<detail::CornerPuzzle<W>>(limits), observer),
                  [&](const PackedBoard<W>& each) { return puzzle.taken_out(each); });
    }

    template <class H>
    void search_any_size(const Board& board, const Board& goal, const H& heuristic, const Limits& limits,
                         detail::SolverObserver& observer) {
        const SlidingPuzzle<> puzzle(goal);
        if (algorithm_ == SolverAlgorithm::ida_star) {
            run_.deepen(puzzle, board, heuristic, limits, observer);
        } else {
            run_.keep(astar(puzzle, board, heuristic, run_.bounded<SlidingPuzzle<>>(limits), observer));
        }
    }

    template <class H>
    static constexpr bool takes_size(int n) {
        return HeuristicFor<H, SlidingPuzzle<>> || (n == 2 && HeuristicFor<H, SlidingPuzzle<2>>) ||
               (n == 3 && HeuristicFor<H, SlidingPuzzle<3>>) ||
               (n == 4 && HeuristicFor<H, SlidingPuzzle<4>>) || (n == 5 && detail::PackedHeuristic<H, 5>);
    }

    template <class H>
    void search_by_size(const Board& board, H& heuristic, const SolverOptions& options,
                        const Limits& limits) {
        switch (board.size()) {
        case 2:
            return search_packed<2>(board, heuristic, options, limits);
        case 3:
            return search_packed<3>(board, heuristic, options, limits);
        case 4:
            return search_packed<4>(board, heuristic, options, limits);
        case 5:
            return search_packed<5>(board, heuristic, options, limits);
        default:
            return search_unpacked(board, heuristic, options, limits);
        }
    }

    template <int N, class H>
    void search_packed(const Board& board, H& heuristic, const SolverOptions& options, const Limits& limits) {
        if constexpr (detail::PackedHeuristic<H, N>) {
            const auto puzzle = options.goal ? SlidingPuzzle<N>(*options.goal) : SlidingPuzzle<N>();
            search(puzzle, PackedBoard<N>(board), heuristic, options, limits);
        } else {
            search_unpacked(board, heuristic, options, limits);
        }
    }

    template <class H>
    void search_unpacked(const Board& board, H& heuristic, const SolverOptions& options,
                         const Limits& limits) {
        if constexpr (HeuristicFor<H, SlidingPuzzle<>>) {
            const auto puzzle = options.goal ? SlidingPuzzle(*options.goal) : SlidingPuzzle(board.size());
            search(puzzle, board, heuristic, options, limits);
        }
    }

    template <int N, class H>
    void search(const SlidingPuzzle<N>& puzzle, const state_t<SlidingPuzzle<N>>& start, H& heuristic,
                const SolverOptions& options, const Limits& limits) {
        // Named, so that both searches make the same engine, which is compiled once.
        detail::SolverObserver observer(algorithm_, options);
        if (options.proof == UnsolvableProof::twin_search) {
            run_.keep(twin_search(puzzle, start, heuristic, limits, observer));
        } else if (algorithm_ == SolverAlgorithm::ida_star) {
            detail::with_bound(heuristic, puzzle, [&](auto& bound) {
                run_.deepen(detail::RolledPuzzle<N>(puzzle), Board(start), bound, limits, observer);
            });
        } else {
            run_.keep(astar(puzzle, start, heuristic, run_.bounded<SlidingPuzzle<N>>(limits), observer));
        }
    }

    /// The size of the greatest boards that are words.
    static constexpr int widest = detail::has_uint128 ? 5 : 4;

    detail::SolverRun run_;
    std::string partition_;
    SolverAlgorithm algorithm_ = SolverAlgorithm::automatic;
    SolverHeuristic heuristic_ = SolverHeuristic::automatic;
    bool is_solvable_ = false;
};

template <class Searches>
void Solver::search_as_chosen(const Board& board, const SolverOptions& options) {
    const detail::SharedLimits limits(options.limits);
    const int n = board.size();
    run_.prunes_moves = options.prunes_moves;
    const int blank_cell = static_cast<int>(options.goal ? options.goal->blank_cell() : board.cells() - 1);
    const detail::TableSupply supply =
        detail::may_use_tables(n, options)
            ? options.tables->supply(n, blank_cell, detail::table_access(n, options))
            : detail::TableSupply{};
    const SolverChoice choice = detail::choose_search(n, options, supply);

    if (choice.first_expansions > 0) {
        Limits first = options.limits;
        first.expansions =
            first.expansions < choice.first_expansions ? first.expansions : choice.first_expansions;
        search_named<Searches>(board,
                               n == 4
                                   ? SolverChoice{SolverAlgorithm::ida_star,
                                                  SolverHeuristic::linear_conflict_or_walking_distance}
                                   : SolverChoice{SolverAlgorithm::astar, SolverHeuristic::linear_conflict},
                               nullptr, options, first);
        const bool is_unfinished =
            (run_.status == SearchStatus::expansion_limit && first.expansions < options.limits.expansions) ||
            run_.status == SearchStatus::memory_limit;
        if (!is_unfinished) {
            return;
        }
    }
    std::unique_ptr<const detail::LoadedTables> tables;
    if (choice.heuristic == SolverHeuristic::pattern_databases) {
        partition_ = options.tables->partition(n);
        algorithm_ = choice.algorithm;
        heuristic_ = choice.heuristic;
        tables = load_tables(n, blank_cell, supply, options, limits);
        run_.statistics.seconds = limits.seconds();
        if (!tables) {
            return;
        }
    }
    Limits rest = limits.left(run_.statistics.expanded);
    if (tables && rest.bytes != Limits::unlimited) {
        rest.bytes -= supply.bytes; // no more than there are: can_use_tables() has compared them
    }
    search_named<Searches>(board, choice, tables.get(), options, rest);
    run_.statistics.seconds = limits.seconds();
    if (tables) {
        tables->require_possible(blank_cell, run_);
    }
}

template <class Any>
void detail::search_automatically(Solver& solver, const Board& board, const SolverOptions& options) {
    solver.run<AutomaticSearches<Any>>(board, options);
}

// Where many sources of a program include this, the searches can be compiled once: with the first of these
// defined for all of them but one, and the second for that one.
#if defined(NPUZZLE_SOLVER_ELSEWHERE)
extern template void Solver::search_as_chosen<detail::AutomaticSearches<void>>(const Board&,
                                                                               const SolverOptions&);
extern template void Solver::search_as_chosen<detail::NamedSearches<void>>(const Board&,
                                                                           const SolverOptions&);
#elif defined(NPUZZLE_SOLVER_HERE)
template void Solver::search_as_chosen<detail::AutomaticSearches<void>>(const Board&, const SolverOptions&);
template void Solver::search_as_chosen<detail::NamedSearches<void>>(const Board&, const SolverOptions&);
#endif

} // namespace npuzzle
