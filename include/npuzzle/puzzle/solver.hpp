#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/automatic_search.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solvability.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/result.hpp"

#include <concepts>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace npuzzle {

/// Solves a board in the fewest moves, in its constructor, and answers questions afterwards.
///
/// Boards of n = 4 take up to seconds, near 80 moves minutes, with pattern databases milliseconds. At n = 5,
/// boards far from the goal need `SolverOptions::tables`, 48 MB, built at the first time, and then minutes to
/// days. Random boards of n = 6 are beyond IDA*: give limits.
class Solver {
    /// Whether a heuristic is one for boards of size N, or for `Board`s if N is 0.
    template <class H, int N>
    static constexpr bool takes_boards = [] {
        if constexpr (N < 5 || detail::has_uint128) return HeuristicFor<H, SlidingPuzzle<N>>;
        return false;
    }();

public:
    /// Solves `board` by the search that suits its size: see `detail::AutomaticSearch`. Lack of memory is a
    /// status.
    /// \tparam B `Board`, or what a `Board` can be made of
    /// \throws std::invalid_argument if a goal of another size or an algorithm is given, or a solvable
    ///         board of size 4 or 5 needs `options.tables` with a partition that does not suit it.
    /// \throws TableFileError if a table's file is damaged, unless `TableStore::replace_damaged`, or is not to
    ///         be trusted.
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

    /// Solves `board` with a heuristic: any callable that takes a `Board`, or a `PackedBoard<N>` if it is to
    /// be fast. It must be admissible, to the goal given. The search is A*, or IDA* if `options.algorithm`
    /// says so. `options.tables` are not used.
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
                detail::throw_invalid({"the heuristic does not take boards of size ", board.size()});
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
    [[nodiscard]] const std::optional<std::vector<Move>>& best_moves() const noexcept {
        return run_.best_moves;
    }

    /// The number of moves of the best solution that is known; -1 if there is none.
    [[nodiscard]] std::int64_t upper() const noexcept {
        return run_.best_moves ? std::ssize(*run_.best_moves) : moves();
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

    /// The heuristic of that search: "linear-conflict", "pdb:" and the partition whose tables were used,
    /// "own", or "none".
    [[nodiscard]] const std::string& heuristic() const noexcept { return run_.heuristic_name; }

private:
    /// Calls `search(options)`, or `options.best_effort`, unless the board is unsolvable.
    template <class F>
    void solve(const Board& board, const SolverOptions& options, F&& search) {
        is_solvable_ = options.goal ? npuzzle::is_solvable(board, *options.goal) : board.is_solvable();
        if (!is_solvable_) {
            run_.status = SearchStatus::unsolvable;
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
            const bool is_ida_star = options.algorithm == SolverAlgorithm::ida_star;
            run_.begin(options, is_ida_star ? SolverAlgorithm::ida_star : SolverAlgorithm::astar, "own");
            if (is_ida_star) {
                detail::with_bound(heuristic, puzzle, [&](auto& bound) {
                    run_.run_ida_star(RolledPuzzle<N>(puzzle), board, bound, options.limits);
                });
            } else {
                run_.run_astar(puzzle, state_t<SlidingPuzzle<N>>(board), board, heuristic, options.limits);
            }
            return true;
        }
        return false;
    }

    detail::SolverRun run_;
    bool is_solvable_ = false;
};

} // namespace npuzzle
