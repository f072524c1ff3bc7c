#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/five_tile_tables.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solvability.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/result.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// The puzzles of sizes 2 to W as one problem, so that a search is compiled once for all of them. A board
/// lies in the upper left corner of one of size W, whose other tiles never move. At size W it is
/// `SlidingPuzzle<W>`.
template <int W>
class CornerPuzzle : public SlidingPuzzle<W> {
public:
    using State = PackedBoard<W>;

    NPUZZLE_COLD explicit CornerPuzzle(const Board& goal) : SlidingPuzzle<W>(placed(goal)) {
        for (int cell = 0; cell < W * W; ++cell) {
            unsigned moves = NeighborTable<W>::moves[static_cast<std::size_t>(cell)];
            if (cell % W + 1 == goal.size()) moves &= ~(1U << static_cast<unsigned>(Move::right));
            if (cell / W + 1 == goal.size()) moves &= ~(1U << static_cast<unsigned>(Move::down));
            moves_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(moves);
        }
    }

    void with_place() const = delete; // Moves depend on a size that is known only when the program runs.

    std::vector<State> neighbors(const State& board) const {
        std::vector<State> result;
        for_each_move(board, Move::none, [&](Move move) {
            result.push_back(board);
            this->apply(result.back(), move);
        });
        return result;
    }

    /// As those of `SlidingPuzzle`, within the corner.
    template <class F>
    void for_each_move(const State& board, Move last, F&& visit) const {
        unsigned moves = moves_[static_cast<std::size_t>(board.blank_cell())];
        moves &= ~(1U << static_cast<unsigned>(inverse(last)));
        for (; moves != 0; moves &= moves - 1) visit(static_cast<Move>(std::countr_zero(moves)));
    }

    /// A board, in the corner.
    NPUZZLE_COLD static State placed(const Board& board) {
        const int n = board.size();
        std::array<int, std::size_t{W} * W> tiles{};
        int others = n * n;
        for (int cell = 0; cell < W * W; ++cell) {
            const int row = cell / W;
            const int column = cell % W;
            tiles[static_cast<std::size_t>(cell)] =
                row < n && column < n ? board.tile(row * n + column) : others++;
        }
        return State(tiles);
    }

private:
    std::array<std::uint8_t, std::size_t{W} * W> moves_{};
};

/// The search that suits a board:
///
/// | n | search |
/// |---|---|
/// | 2, 3 | A*, linear conflict |
/// | 4 | IDA* with pattern databases if they are there; else A*, and after `near_goal` IDA* |
/// | 5 | A*; if pattern databases can be used, after `near_goal` IDA* with them |
/// | 6 and more | IDA*: A* would soon fill the memory with boards |
///
/// Without pattern databases the heuristic is linear conflict, but at n = 4 IDA* builds `five_tile_tables` in
/// memory if there is room for them.
/// \tparam Run `SolverRun`; a parameter so that a program without a solver compiles none of its searches
template <class Run>
class AutomaticSearch {
public:
    /// \param run is given what the searches come to
    AutomaticSearch(const Board& board, const SolverOptions& options, Run& run)
        : board_(board), options_(options), run_(run), n_(board.size()),
          goal_(options.goal ? *options.goal : goal_blank_last(n_)), limits_(options.limits),
          observer_(SolverAlgorithm::automatic, options) {}

    void search() {
        const bool has_tables = options_.tables && (n_ == 4 || n_ == 5);
        const TableSupply supply = has_tables ? options_.tables->supply(goal_) : TableSupply{};
        if (!has_tables || !can_use(supply)) {
            search_without_tables(options_.limits);
        } else if (n_ == 4) {
            search_with_tables(supply);
        } else {
            const Limits first = at_most(options_.limits, near_goal(5));
            search_without_tables(first);
            if (goes_on(first, options_.limits)) search_with_tables(supply);
        }
        run_.statistics.seconds = limits_.seconds();
    }

private:
    static constexpr const char* linear_conflict = "linear-conflict";
    /// The size of the greatest boards that are words.
    static constexpr int widest = has_uint128 ? 5 : 4;
    /// Boards that A* solves in so few expansions need no tables: it takes milliseconds at n = 4, half a
    /// second and 100 MB at n = 5.
    static constexpr std::uint64_t near_goal(int n) { return n == 4 ? 10'000 : 1'000'000; }

    void search_without_tables(const Limits& limits) {
        if (n_ != 4) return n_ < 4 || n_ == 5 ? search_by_astar(limits) : search_by_ida_star(limits);
        const Limits first = at_most(limits, near_goal(4));
        search_by_astar(first);
        if (!goes_on(first, limits)) return;
        const FiveTileTables* const tables =
            options_.limits.bytes >= FiveTileTables::bytes_to_build ? built_tables() : nullptr;
        const Limits rest =
            at_most(limits_.left(run_.statistics.expanded), limits.expansions - run_.statistics.expanded);
        if (tables == nullptr) return search_by_ida_star(rest);
        begin(SolverAlgorithm::ida_star, "pdb:5-5-5");
        observer_.bytes += FiveTileTables::bytes;
        const SlidingPuzzle<4> puzzle(goal_);
        run_.deepen(RolledPuzzle<4>(puzzle), board_, BoundFiveTileTables(puzzle.goal(), *tables), rest,
                    observer_);
    }

    void search_with_tables(const TableSupply& supply) {
        begin(SolverAlgorithm::ida_star, "pdb:" + options_.tables->partition(n_));
        run_.status = limits_.is_stopped()     ? SearchStatus::cancelled
                      : limits_.is_time_over() ? SearchStatus::time_limit
                                               : SearchStatus::running;
        if (run_.status != SearchStatus::running) return;
        const TableSearch search = options_.tables->load(board_, goal_, limits_);
        if (!search) {
            run_.status = limits_.is_stopped() || options_.tables->is_stopped() ? SearchStatus::cancelled
                                                                                : SearchStatus::time_limit;
            return;
        }
        observer_.bytes += supply.bytes;
        Limits rest = limits_.left(run_.statistics.expanded);
        if (rest.bytes != Limits::unlimited) rest.bytes -= supply.bytes; // there are as many, by `can_use`
        search(rest, observer_, run_);
    }

    /// Whether tables are there or are to be built, and there is room for them.
    [[nodiscard]] bool can_use(const TableSupply& supply) const {
        const bool is_asked_for = supply.use == TableUse::build_if_missing;
        const bool is_built =
            is_asked_for || (n_ == 5 && supply.use == TableUse::automatic && supply.can_be_saved &&
                             options_.limits.time >= std::chrono::seconds{10});
        return (supply.are_there || is_built) &&
               (supply.are_there ? supply.bytes : supply.bytes_to_build) <= options_.limits.bytes;
    }

    /// `five_tile_tables`; null if there is no memory for them.
    NPUZZLE_COLD const FiveTileTables* built_tables() const {
        try {
            return &five_tile_tables(static_cast<int>(goal_.blank_cell()));
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }

    void search_by_astar(const Limits& limits) {
        begin(SolverAlgorithm::astar, linear_conflict);
        const auto search = [&](const auto& puzzle, const auto& start) {
            using P = std::remove_cvref_t<decltype(puzzle)>;
            const auto result = astar(puzzle, start, LinearConflict{}.bind(puzzle),
                                      run_.template bounded<P>(limits), observer_);
            run_.keep(result.status, result.statistics, board_, result.moves);
        };
        if (n_ <= widest) {
            search(CornerPuzzle<widest>(goal_), CornerPuzzle<widest>::placed(board_));
        } else if constexpr (widest < 5) {
            search(SlidingPuzzle(goal_), board_);
        }
    }

    void search_by_ida_star(const Limits& limits) {
        begin(SolverAlgorithm::ida_star, linear_conflict);
        run_.deepen(SlidingPuzzle(goal_), board_, LinearConflict{}, limits, observer_);
    }

    void begin(SolverAlgorithm algorithm, std::string heuristic) {
        run_.algorithm = algorithm;
        run_.heuristic_name = std::move(heuristic);
        observer_.algorithm = algorithm;
        observer_.before = run_.statistics;
    }

    static Limits at_most(Limits limits, std::uint64_t expansions) {
        limits.expansions = (std::min)(limits.expansions, expansions);
        return limits;
    }

    /// Whether another search follows one that was given fewer expansions than all may take.
    [[nodiscard]] bool goes_on(const Limits& first, const Limits& all) const {
        return run_.status == SearchStatus::memory_limit ||
               (run_.status == SearchStatus::expansion_limit && first.expansions < all.expansions);
    }

    const Board& board_;
    const SolverOptions& options_;
    Run& run_;
    int n_;
    Board goal_;
    SharedLimits limits_;
    SolverObserver observer_;
};

// Where many sources of a program make solvers, the searches can be compiled once: define
// NPUZZLE_SOLVER_HERE in one source, and NPUZZLE_SOLVER_ELSEWHERE in all others.
#if defined(NPUZZLE_SOLVER_ELSEWHERE)
extern template class AutomaticSearch<SolverRun>;
#elif defined(NPUZZLE_SOLVER_HERE)
template class AutomaticSearch<SolverRun>;
#endif

} // namespace detail

/// Solves a board in the fewest moves, in its constructor, and answers questions afterwards.
///
/// Boards of n = 4 take A* and, after 10,000 expansions, IDA*: up to seconds, near 80 moves minutes, with
/// tables of pattern databases milliseconds. At n = 5, boards far from the goal need `SolverOptions::tables`,
/// 48 MB, built at the first time, and then minutes to days. Random boards of n = 6 are beyond IDA*: give
/// limits.
class Solver {
    /// Whether a heuristic is one for boards of size N, or for `Board`s if N is 0.
    template <class H, int N>
    static constexpr bool takes_boards = [] {
        if constexpr (N < 5 || detail::has_uint128) return HeuristicFor<H, SlidingPuzzle<N>>;
        return false;
    }();

public:
    /// Solves `board`, by the search that suits its size. Lack of memory is a status.
    /// \tparam B `Board`, or what a `Board` can be made of
    /// \throws std::invalid_argument if a goal of another size or an algorithm is given, or if the board is
    ///         unsolvable and `options.throws_if_unsolvable`.
    /// \throws TableFileError if a table's file is damaged, unless `TableStore::replace_damaged`; if it is
    ///         not to be trusted, or turns out to be wrong during the search.
    /// \throws std::runtime_error if tables are to be built and there is no folder for them.
    template <class B>
        requires std::constructible_from<Board, const B&>
    explicit Solver(const B& board, const SolverOptions& options = {}) {
        if (options.algorithm != SolverAlgorithm::automatic) {
            detail::throw_invalid(
                {"an algorithm is named, and no heuristic: Solver(board, heuristic, options)"});
        }
        const Board start(board);
        solve(start, options, [&](const SolverOptions& told) {
            detail::AutomaticSearch<detail::SolverRun>(start, told, run_).search();
        });
    }

    /// Solves `board` with a heuristic: any callable that takes a `Board`, or a `PackedBoard<N>` if it is to be
    /// fast. It must be admissible, to the goal given. The search is A*, or IDA* if `options.algorithm` says
    /// so. `options.tables` are not used.
    /// \throws what the heuristic throws, and std::invalid_argument as above, or if the heuristic does not
    ///         take boards of this size.
    template <class H>
        requires(takes_boards<H, 0> || takes_boards<H, 2> || takes_boards<H, 3> || takes_boards<H, 4> ||
                 takes_boards<H, 5>)
    Solver(const Board& board, H&& heuristic, const SolverOptions& options = {}) {
        solve(board, options, [&](const SolverOptions& told) {
            if (!search<2>(board, heuristic, told) && !search<3>(board, heuristic, told) &&
                !search<4>(board, heuristic, told) && !search<5>(board, heuristic, told) &&
                !search<0>(board, heuristic, told)) {
                detail::throw_invalid({"the heuristic does not take boards of size ",
                                       detail::number_text(std::int64_t{board.size()})});
            }
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
        return run_.known ? std::ssize(*run_.known) : moves();
    }

    /// What is proved: every solution has as many moves, or more. As `upper()` if the board is solved.
    /// Without `SolverOptions::best_effort`, 0 after a limit.
    [[nodiscard]] std::int64_t lower() const noexcept { return run_.solution ? moves() : run_.lower; }

    /// `solved`, `unsolvable`, or the limit that ended the search.
    [[nodiscard]] SearchStatus status() const noexcept { return run_.status; }

    /// What the searches did, all together, with the building of tables in the seconds; all zero where parity
    /// made a search needless.
    [[nodiscard]] const Statistics& statistics() const noexcept { return run_.statistics; }

    /// The last search that was made; `automatic` where parity made it needless.
    [[nodiscard]] SolverAlgorithm algorithm() const noexcept { return run_.algorithm; }

    /// The heuristic of that search: "linear-conflict", "pdb:" and the partition whose tables were used, "own",
    /// or "none".
    [[nodiscard]] const std::string& heuristic() const noexcept { return run_.heuristic_name; }

private:
    /// Calls `search(options)` unless the board is unsolvable, and draws the conclusions.
    template <class F>
    void solve(const Board& board, const SolverOptions& options, F&& search) {
        is_solvable_ = options.goal ? npuzzle::is_solvable(board, *options.goal) : board.is_solvable();
        if (!is_solvable_) {
            run_.status = SearchStatus::unsolvable;
            if (options.throws_if_unsolvable) detail::throw_invalid({"the board is unsolvable"});
            return;
        }
        try {
            options.best_effort ? options.best_effort(board, options, run_, search) : search(options);
        } catch (const std::bad_alloc&) {
            run_.status = SearchStatus::memory_limit;
        }
    }

    /// Searches `PackedBoard<N>`s, or `Board`s if N is 0. Returns false if the board has another size, or the
    /// heuristic does not take them.
    template <int N, class H>
    bool search(const Board& board, H& heuristic, const SolverOptions& options) {
        if constexpr (takes_boards<H, N>) {
            if (N != 0 && board.size() != N) return false;
            const SlidingPuzzle<N> puzzle(options.goal ? *options.goal : goal_blank_last(board.size()));
            const bool deepens = options.algorithm == SolverAlgorithm::ida_star;
            run_.algorithm = deepens ? SolverAlgorithm::ida_star : SolverAlgorithm::astar;
            run_.heuristic_name = "own";
            detail::SolverObserver observer(run_.algorithm, options);
            if (deepens) {
                detail::with_bound(heuristic, puzzle, [&](auto& bound) {
                    run_.deepen(detail::RolledPuzzle<N>(puzzle), board, bound, options.limits, observer);
                });
            } else {
                const auto result = astar(puzzle, state_t<SlidingPuzzle<N>>(board), heuristic,
                                          run_.bounded<SlidingPuzzle<N>>(options.limits), observer);
                run_.keep(result.status, result.statistics, board, result.moves);
            }
            return true;
        }
        return false;
    }

    detail::SolverRun run_;
    bool is_solvable_ = false;
};

} // namespace npuzzle
