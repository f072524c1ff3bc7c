#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/five_tile_tables.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/result.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace npuzzle::detail {

/// The puzzles of sizes 2 to W as one problem, so that a search is compiled once for all of them. A board
/// lies in the upper left corner of a board of size W, whose other tiles never move.
template <int W>
class EmbeddedPuzzle : public SlidingPuzzle<W> {
public:
    using State = PackedBoard<W>;

    NPUZZLE_COLD explicit EmbeddedPuzzle(const Board& goal) : SlidingPuzzle<W>(embed(goal)) {
        for (int cell = 0; cell < W * W; ++cell) {
            unsigned moves = NeighborTable<W>::moves[as_index(cell)];
            if (cell % W + 1 == goal.size()) moves &= ~(1U << static_cast<unsigned>(Move::right));
            if (cell / W + 1 == goal.size()) moves &= ~(1U << static_cast<unsigned>(Move::down));
            moves_[as_index(cell)] = static_cast<std::uint8_t>(moves);
        }
    }

    void with_place() const = delete; // Moves depend on a size that is not known at compile time.

    std::vector<State> neighbors(const State& board) const {
        std::vector<State> result;
        for_each_move(board, Move::none, [&](Move move) {
            result.push_back(board);
            this->apply(result.back(), move);
        });
        return result;
    }

    /// As `SlidingPuzzle::for_each_move`, within the corner.
    template <class F>
    void for_each_move(const State& board, Move last, F&& visit) const {
        unsigned moves = moves_[as_index(board.blank_cell())];
        moves &= ~(1U << static_cast<unsigned>(inverse(last)));
        for (; moves != 0; moves &= moves - 1) visit(static_cast<Move>(std::countr_zero(moves)));
    }

    /// Puts a board into the corner.
    NPUZZLE_COLD static State embed(const Board& board) {
        const int n = board.size();
        std::array<int, std::size_t{W} * W> tiles{};
        int others = n * n;
        for (int cell = 0; cell < W * W; ++cell) {
            const int row = cell / W;
            const int column = cell % W;
            tiles[as_index(cell)] = row < n && column < n ? board.tile(row * n + column) : others++;
        }
        return State(tiles);
    }

private:
    std::array<std::uint8_t, std::size_t{W} * W> moves_{};
};

/// The search that suits the size n of a board:
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
    /// \param run records the outcomes of the searches
    AutomaticSearch(const Board& board, const SolverOptions& options, Run& run)
        : board_(board), options_(options), run_(run), n_(board.size()),
          goal_(options.goal ? *options.goal : goal_blank_last(n_)), limits_(options.limits),
          expanded_before_(run.statistics.expanded) {}

    void search() {
        TableSupply supply;
        if (options_.tables && (n_ == 4 || n_ == 5)) supply = options_.tables->supply(goal_);
        if (!can_use(supply)) {
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
    /// The greatest size of packed boards.
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
        const Limits rest = at_most(limits_.left(expanded()), limits.expansions - expanded());
        if (tables == nullptr) return search_by_ida_star(rest);
        run_.begin(options_, SolverAlgorithm::ida_star, "pdb:5-5-5", FiveTileTables::bytes);
        const SlidingPuzzle<4> puzzle(goal_);
        run_.run_ida_star(RolledPuzzle<4>(puzzle), board_, BoundFiveTileTables(puzzle.goal(), *tables), rest);
    }

    void search_with_tables(const TableSupply& supply) {
        run_.begin(options_, SolverAlgorithm::ida_star, "pdb:" + supply.partition, supply.bytes);
        run_.status = limits_.status();
        if (run_.status != SearchStatus::running) return;
        const TableSearch search = options_.tables->load(board_, goal_, limits_);
        if (!search) {
            const bool is_time_over = limits_.status() == SearchStatus::time_limit;
            run_.status = is_time_over ? SearchStatus::time_limit : SearchStatus::cancelled;
            return;
        }
        search(limits_.left(expanded()), run_);
    }

    /// Whether there are tables, or they are to be built, and there is memory for them.
    bool can_use(const TableSupply& supply) const {
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
        run_.begin(options_, SolverAlgorithm::astar, "linear-conflict");
        if (n_ <= widest) {
            const EmbeddedPuzzle<widest> puzzle(goal_);
            run_.run_astar(puzzle, puzzle.embed(board_), board_, LinearConflict{}.bind(puzzle), limits);
        } else if constexpr (widest < 5) {
            run_.run_astar(SlidingPuzzle(goal_), board_, board_, LinearConflict{}, limits);
        }
    }

    void search_by_ida_star(const Limits& limits) {
        run_.begin(options_, SolverAlgorithm::ida_star, "linear-conflict");
        run_.run_ida_star(SlidingPuzzle(goal_), board_, LinearConflict{}, limits);
    }

    std::uint64_t expanded() const { return run_.statistics.expanded - expanded_before_; }

    static Limits at_most(Limits limits, std::uint64_t expansions) {
        limits.expansions = (std::min)(limits.expansions, expansions);
        return limits;
    }

    /// Whether another search follows the first: if that ran out of memory, or of expansions of its own.
    bool goes_on(const Limits& first, const Limits& all) const {
        if (!run_.moves.empty()) return false; // It is solved; its boards lack memory.
        return run_.status == SearchStatus::memory_limit ||
               (run_.status == SearchStatus::expansion_limit && first.expansions < all.expansions);
    }

    const Board& board_;
    const SolverOptions& options_;
    Run& run_;
    int n_;
    Board goal_;
    SharedLimits limits_;
    std::uint64_t expanded_before_; ///< by searches before this one
};

// Where many sources of a program make solvers, the searches can be compiled once: define
// NPUZZLE_SOLVER_HERE in one source, and NPUZZLE_SOLVER_ELSEWHERE in all others.
#if defined(NPUZZLE_SOLVER_ELSEWHERE)
extern template class AutomaticSearch<SolverRun>;
#elif defined(NPUZZLE_SOLVER_HERE)
template class AutomaticSearch<SolverRun>;
#endif

} // namespace npuzzle::detail
