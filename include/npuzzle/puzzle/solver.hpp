#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/named_heuristic.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/pattern_databases.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/file.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
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

#include <chrono>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// A puzzle that `ida_star` does not write out for each place of the blank: compiled in a fifth of the time.
/// With pattern databases, which wait for memory, that costs a tenth of the speed; the others are two or
/// three times slower.
template <int N>
class RolledPuzzle : public SlidingPuzzle<N> {
public:
    explicit RolledPuzzle(const SlidingPuzzle<N>& puzzle) : SlidingPuzzle<N>(puzzle) {}

    void with_place() const = delete;
};

/// A heuristic for packed boards, where the compiler has a word that is wide enough for them.
template <class H, int N>
concept PackedHeuristic = (N <= 4 || has_uint128) && HeuristicFor<H, SlidingPuzzle<N>>;

/// The board of a state.
struct MakeBoard {
    template <class State>
    Board operator()(State& state) const {
        return Board(std::move(state));
    }
};

/// Limits that several pieces of work, one after another, keep together.
class SharedLimits {
public:
    using Clock = std::chrono::steady_clock;

    explicit SharedLimits(const Limits& limits) : limits_(limits) {}

    double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

    bool is_time_over() const {
        return limits_.time != std::chrono::nanoseconds::max() && Clock::now() - started_ >= limits_.time;
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

    SolverObserver(SolverAlgorithm algorithm, const SolverOptions& options)
        : algorithm_(algorithm), options_(&options) {}

    using SilentObserver::progress;

    template <class Bound>
    void progress(const Statistics& statistics, const Bound& bound) const {
        if (options_->progress) {
            options_->progress({algorithm_, saturating_cast<int>(bound), statistics});
        }
    }

private:
    SolverAlgorithm algorithm_;
    const SolverOptions* options_;
};

/// The tables of a partition, loaded or built within the limits; nothing if these ended the building.
/// \throws std::bad_alloc, TableFileError
[[nodiscard]] inline std::optional<PatternDatabases>
find_tables(const Partition& partition, const SolverOptions& options, const SharedLimits& limits) {
    TableStore store = options.store;
    store.build.stop = [&] {
        return limits.is_stopped() || limits.is_time_over() || options.store.build.stop.stop_requested();
    };
    if (options.tables != TableUse::build_if_missing && !store.save_failed) {
        store.save_failed = [](const TableFileError&) {};
    }
    std::optional<std::vector<PatternTable>> tables = load_or_build_tables(partition, store);
    if (!tables) {
        return std::nullopt;
    }
    return PatternDatabases(partition, *std::move(tables), Reflection::both);
}

} // namespace detail

/// Solves a board in the fewest moves, in its constructor, and answers questions afterwards: the same answers
/// however often and in whatever order they are asked. A solver never changes, other than by being assigned
/// to.
///
/// It chooses the search by the size of the board, unless it is told: see `detail::choose_search`. Boards of
/// n = 4 take IDA*, up to seconds each, or milliseconds with the tables of pattern databases. At n = 5 boards
/// that are not near the goal take these tables, 255 MB, which are built at the first time, and then minutes
/// to days. Random boards of n = 6 and more are beyond A* with linear conflict, so give limits.
class Solver {
public:
    /// Solves `board`. Lack of memory is a status.
    /// \throws std::invalid_argument if a goal of another size is given, if the options have no meaning for
    ///         boards of this size, or if the board is unsolvable and `options.throws_if_unsolvable`.
    /// \throws TableFileError if a table's file is damaged, unless `options.store.replace_damaged`; if
    ///         pattern databases are asked for by name, are not there and are not to be built.
    /// \throws std::runtime_error if tables are to be built and there is no folder for them.
    // A template, so that a program that makes none compiles none of its searches.
    template <class Any = void>
    explicit Solver(const Board& board, const SolverOptions& options = {}) {
        require_goal_of_size(board, options);
        detail::require_meaning(board.size(), options);
        finish_run(board, options, [&] { search_as_chosen<Any>(board, options); });
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
            throw std::invalid_argument("the heuristic does not take boards of size " +
                                        std::to_string(board.size()));
        }
        SolverOptions without_name = options;
        without_name.heuristic = SolverHeuristic::automatic;
        detail::require_meaning(board.size(), without_name);
        finish_run(board, options, [&] {
            heuristic_ = SolverHeuristic::own;
            algorithm_ = options.algorithm == SolverAlgorithm::ida_star ? SolverAlgorithm::ida_star
                                                                        : SolverAlgorithm::astar;
            search_by_size(board, heuristic, options, options.limits);
        });
    }

    /// Whether the goal can be reached. Known by parity even if a limit ended the search.
    bool is_solvable() const { return is_solvable_; }

    /// The least number of moves to the goal; -1 if the board is unsolvable or a limit ended the search.
    int moves() const { return solution_ ? static_cast<int>(solution_->size()) - 1 : -1; }

    /// The boards from the initial one to the goal, each one move from the last; none if the board is
    /// unsolvable or a limit ended the search.
    const std::optional<std::vector<Board>>& solution() const { return solution_; }

    /// `solved`, `unsolvable`, or the limit that ended the search.
    Status status() const { return status_; }

    /// What the searches did, all together, with the building of tables in the seconds; all zero where parity
    /// made a search needless.
    const Statistics& statistics() const { return statistics_; }

    /// The search that was made, the last one if there were several; `automatic` where parity made it
    /// needless.
    SolverAlgorithm algorithm() const { return algorithm_; }

    /// The heuristic of that search; `automatic` where parity made it needless, `own` for one's own.
    SolverHeuristic heuristic() const { return heuristic_; }

    /// The name of the partition whose pattern databases were used, or its drawing; empty if none were.
    const std::string& partition() const { return partition_; }

private:
    static void require_goal_of_size(const Board& board, const SolverOptions& options) {
        if (options.goal && options.goal->size() != board.size()) {
            throw std::invalid_argument("the board has size " + std::to_string(board.size()) +
                                        ", its goal has size " + std::to_string(options.goal->size()));
        }
    }

    /// Calls `search()` unless parity makes it needless, and draws the conclusions.
    template <class F>
    void finish_run(const Board& board, const SolverOptions& options, F&& search) {
        is_solvable_ = options.goal ? npuzzle::is_solvable(board, *options.goal) : board.is_solvable();
        if (!is_solvable_ && options.proof == UnsolvableProof::parity) {
            status_ = Status::unsolvable;
        } else {
            try {
                search();
            } catch (const std::bad_alloc&) {
                status_ = Status::memory_limit;
            }
        }
        if (status_ == Status::unsolvable) {
            is_solvable_ = false;
            if (options.throws_if_unsolvable) {
                throw std::invalid_argument("the board is unsolvable");
            }
        }
    }

    // A template so that a program of many sources can have its code, and all that it calls, made in one of
    // them: see the end of the file.
    template <class Any = void>
    void search_as_chosen(const Board& board, const SolverOptions& options);

    /// Nothing, and a status, if a limit forbids or ends it.
    template <class Any>
    std::optional<PatternDatabases> tables_for(const Partition& partition, const detail::TableSupply& supply,
                                               const SolverOptions& options,
                                               const detail::SharedLimits& limits) {
        if (!supply.are_there && !detail::builds_tables(partition.size(), options)) {
            throw TableFileError(
                options.store.file(
                    normalized_shape(partition.patterns().front(), partition.blank_cell()).shape),
                "this table, or another of its partition, is missing; with "
                "TableUse::build_if_missing it will be built");
        }
        status_ = limits.is_stopped()                                          ? Status::cancelled
                  : limits.is_time_over()                                      ? Status::time_limit
                  : !detail::can_use_tables(partition.size(), options, supply) ? Status::memory_limit
                                                                               : Status::running;
        if (status_ != Status::running) {
            return std::nullopt;
        }
        std::optional<PatternDatabases> tables = detail::find_tables(partition, options, limits);
        if (!tables) {
            const bool is_stopped = limits.is_stopped() || options.store.build.stop.stop_requested();
            status_ = is_stopped ? Status::cancelled : Status::time_limit;
        }
        return tables;
    }

    template <class Any>
    void search_named(const Board& board, const SolverChoice& choice,
                      const std::optional<PatternDatabases>& tables, const SolverOptions& options,
                      const Limits& limits) {
        algorithm_ = choice.algorithm;
        heuristic_ = choice.heuristic;
        const int n = board.size();
        const Board goal = options.goal ? *options.goal : goal_blank_last(n);
        detail::SolverObserver observer(algorithm_, options);
        if (algorithm_ == SolverAlgorithm::ida_star) {
            if (n == 4 && heuristic_ == SolverHeuristic::linear_conflict_or_walking_distance) {
                return keep(ida_star(SlidingPuzzle<4>(goal), PackedBoard<4>(board),
                                     MaxOf{LinearConflict{}, WalkingDistance{}}, limits, observer));
            }
            if (n == 4 && tables) {
                return search_tables<4>(board, goal, *tables, limits, observer);
            }
            if constexpr (detail::has_uint128) {
                if (n == 5 && tables) {
                    return search_tables<5>(board, goal, *tables, limits, observer);
                }
            }
        }
        const PatternDatabases* const databases = tables ? &*tables : nullptr;
        if (n <= 4) {
            return search_corner<Any, 4>(board, goal, databases, options, limits, observer);
        }
        if constexpr (detail::has_uint128) {
            if (n == 5) {
                return search_corner<Any, 5>(board, goal, databases, options, limits, observer);
            }
        } else if (n == 5 && heuristic_ != SolverHeuristic::hamming &&
                   heuristic_ != SolverHeuristic::manhattan &&
                   heuristic_ != SolverHeuristic::linear_conflict) {
            throw std::invalid_argument("heuristics with tables need an integer of 128 bits at size 5, which "
                                        "this compiler does not have here");
        }
        search_any_size<Any>(board, goal, {}, options, limits, observer);
    }

    /// A* for boards up to size W, and by `Board` what is seldom asked for.
    template <class Any, int W>
    void search_corner(const Board& board, const Board& goal, const PatternDatabases* databases,
                       const SolverOptions& options, const Limits& limits, detail::SolverObserver& observer) {
        using Puzzle = detail::CornerPuzzle<W>;
        auto tables = detail::tables_named<W>(heuristic_, goal, databases);
        if (algorithm_ == SolverAlgorithm::ida_star) {
            typename detail::NamedHeuristic<Board>::Tables any_size;
            if (tables) {
                any_size = [tables = std::move(tables)](const Board& each) {
                    return tables(Puzzle::placed(each));
                };
            }
            return search_any_size<Any>(board, goal, std::move(any_size), options, limits, observer);
        }
        const Puzzle puzzle(goal);
        const detail::NamedHeuristic<PackedBoard<W>> heuristic(heuristic_, puzzle.goal(), std::move(tables));
        const PackedBoard<W> start = Puzzle::placed(board);
        const auto to_board = [&](const PackedBoard<W>& each) { return puzzle.taken_out(each); };
        options.proof == UnsolvableProof::twin_search
            ? keep(twin_search(puzzle, start, heuristic, limits, observer), to_board)
            : keep(astar(puzzle, start, heuristic, limits, observer), to_board);
    }

    template <class Any>
    void search_any_size(const Board& board, const Board& goal,
                         typename detail::NamedHeuristic<Board>::Tables tables, const SolverOptions& options,
                         const Limits& limits, detail::SolverObserver& observer) {
        const SlidingPuzzle<> puzzle(goal);
        const detail::NamedHeuristic<Board> heuristic(heuristic_, goal, std::move(tables));
        if (options.proof == UnsolvableProof::twin_search) {
            keep(twin_search(puzzle, board, heuristic, limits, observer));
        } else if (algorithm_ == SolverAlgorithm::ida_star) {
            keep(ida_star(puzzle, board, heuristic, limits, observer));
        } else {
            keep(astar(puzzle, board, heuristic, limits, observer));
        }
    }

    template <int N>
    void search_tables(const Board& board, const Board& goal, const PatternDatabases& tables,
                       const Limits& limits, detail::SolverObserver& observer) {
        keep(ida_star(detail::RolledPuzzle<N>(SlidingPuzzle<N>(goal)), PackedBoard<N>(board), tables, limits,
                      observer));
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
            keep(twin_search(puzzle, start, heuristic, limits, observer));
        } else if (algorithm_ == SolverAlgorithm::ida_star) {
            detail::with_bound(heuristic, puzzle, [&](auto& bound) {
                keep(ida_star(detail::RolledPuzzle<N>(puzzle), start, bound, limits, observer));
            });
        } else {
            keep(astar(puzzle, start, heuristic, limits, observer));
        }
    }

    template <class Result, class ToBoard = detail::MakeBoard>
    void keep(Result result, const ToBoard& to_board = {}) {
        status_ = result.status;
        statistics_.merge_sequential(result.statistics);
        if (result) {
            try {
                solution_.emplace();
                solution_->reserve(result.path.size());
                for (auto& board : result.path) {
                    solution_->push_back(to_board(board));
                }
            } catch (const std::bad_alloc&) {
                solution_.reset();
                status_ = Status::memory_limit;
            }
        }
    }

    std::optional<std::vector<Board>> solution_;
    Statistics statistics_;
    std::string partition_;
    Status status_ = Status::running;
    SolverAlgorithm algorithm_ = SolverAlgorithm::automatic;
    SolverHeuristic heuristic_ = SolverHeuristic::automatic;
    bool is_solvable_ = false;
};

template <class Any>
void Solver::search_as_chosen(const Board& board, const SolverOptions& options) {
    const detail::SharedLimits limits(options.limits);
    const int n = board.size();
    const std::string name = detail::partition_name(n, options.partition);
    std::optional<Partition> partition;
    detail::TableSupply supply;
    if (detail::may_use_tables(n, options)) {
        const auto blank = options.goal ? options.goal->blank_cell() : board.cells() - 1;
        partition = detail::partition_of(name, n, static_cast<int>(blank));
        supply = detail::supply_of(*partition, options);
    }
    const SolverChoice choice = detail::choose_search(n, options, supply);

    if (choice.first_expansions > 0) {
        Limits first = options.limits;
        first.expansions =
            first.expansions < choice.first_expansions ? first.expansions : choice.first_expansions;
        const SolverHeuristic heuristic = choice.heuristic == SolverHeuristic::pattern_databases
                                              ? SolverHeuristic::linear_conflict
                                              : choice.heuristic;
        search_named<Any>(board, {SolverAlgorithm::astar, heuristic}, std::nullopt, options, first);
        const bool is_unfinished =
            (status_ == Status::expansion_limit && first.expansions < options.limits.expansions) ||
            status_ == Status::memory_limit;
        if (!is_unfinished) {
            return;
        }
    }
    std::optional<PatternDatabases> tables;
    if (choice.heuristic == SolverHeuristic::pattern_databases) {
        partition_ = name;
        algorithm_ = choice.algorithm;
        heuristic_ = choice.heuristic;
        tables = tables_for<Any>(*partition, supply, options, limits);
        statistics_.seconds = limits.seconds();
        if (!tables) {
            return;
        }
    }
    Limits rest = limits.left(statistics_.expanded);
    if (tables && rest.bytes != Limits::unlimited) {
        rest.bytes -= supply.bytes; // no more than there are: can_use_tables() has compared them
    }
    search_named<Any>(board, choice, tables, options, rest);
    statistics_.seconds = limits.seconds();
}

// Where many sources of a program include this, the searches can be compiled once: with the first of these
// defined for all of them but one, and the second for that one.
#if defined(NPUZZLE_SOLVER_ELSEWHERE)
extern template void Solver::search_as_chosen<>(const Board&, const SolverOptions&);
#elif defined(NPUZZLE_SOLVER_HERE)
template void Solver::search_as_chosen<>(const Board&, const SolverOptions&);
#endif

} // namespace npuzzle
