#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/ida_star.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npuzzle {

struct SolverOptions;

namespace detail {
class TableSource;
struct SolverRun;
} // namespace detail

/// The searches that a `Solver` can make.
enum class SolverAlgorithm : std::uint8_t {
    automatic, ///< as suits the board
    astar,
    ida_star,
};

/// The name of an algorithm, as it stands in the code.
[[nodiscard]] constexpr std::string_view to_string(SolverAlgorithm algorithm) noexcept {
    return algorithm == SolverAlgorithm::automatic  ? "automatic"
           : algorithm == SolverAlgorithm::astar    ? "astar"
           : algorithm == SolverAlgorithm::ida_star ? "ida_star"
                                                    : "unknown";
}

/// How far a search of a `Solver` has come.
struct SolverProgress {
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    int bound = 0;           ///< every solution has as many moves, or more: f of A*, the threshold of IDA*
    Statistics statistics;   ///< of all searches of this algorithm so far
    std::uint64_t bytes = 0; ///< that the search and its tables hold
    std::int64_t upper = -1; ///< the moves of the best solution that is known, under best effort; else -1
};

/// The pattern databases of a `Solver`: none, or what `solver_tables` makes.
using SolverTables = std::shared_ptr<const detail::TableSource>;

/// The best effort of a `Solver`: none, or what `solver_best_effort` makes, so that a program without it
/// compiles none of its code. It solves a solvable board: `search(options)` searches for a solution of at
/// most `run.max_moves` moves, and adds to `run`.
using SolverBestEffort = std::function<void(const Board&, const SolverOptions&, detail::SolverRun& run,
                                            const std::function<void(const SolverOptions&)>& search)>;

/// What a `Solver` may be told.
struct SolverOptions {
    /// The search, with a heuristic of one's own alone: A* unless IDA* is named.
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    /// The board to reach; the blank-last one if there is none given.
    // What can throw when it is copied stands before the limits: g++ 12 destroys them twice if, in `{.goal =
    // board}`, the copy of the board throws after them.
    std::optional<Board> goal = std::nullopt;
    /// The pattern databases that may be used: `solver_tables()`, in
    /// "npuzzle/puzzle/solver_tables.hpp". Without them a solver reads and writes no file.
    SolverTables tables = nullptr;
    /// Whether a limit leaves the best solution that is known: `solver_best_effort()`, in
    /// "npuzzle/puzzle/best_effort.hpp". Without it there is no solution but a shortest one.
    SolverBestEffort best_effort = nullptr;
    /// Called every few milliseconds while a search runs.
    std::function<void(const SolverProgress&)> progress = {};
    /// For all that the solver does: searches, one after another, and the building of tables. No tables are
    /// used for which there are not enough `bytes`, and `tables` are not built by themselves in less than
    /// ten seconds of `time`; those that take milliseconds, at n = 4, are.
    Limits limits = {};
    /// Whether an unsolvable board makes the constructor throw `std::invalid_argument`.
    bool throws_if_unsolvable = false;
};

/// How a `Solver` may use the tables of pattern databases.
enum class TableUse : std::uint8_t {
    automatic, ///< n = 5: builds them if a board is not near its goal; n = 4: uses them if they are there, and
               ///< builds smaller ones in memory for a search that gets long
    if_there,  ///< uses the files that are there
    build_if_missing, ///< builds and saves those that are not
};

namespace detail {

/// A puzzle that `ida_star` does not write out for each place of the blank: compiled in a fifth of the time.
/// With pattern databases, which wait for memory, that costs a tenth of the speed.
template <int N>
class RolledPuzzle : public SlidingPuzzle<N> {
public:
    explicit RolledPuzzle(const SlidingPuzzle<N>& puzzle) : SlidingPuzzle<N>(puzzle) {}

    void with_place() const = delete;
};

/// Limits that several pieces of work, one after another, keep together.
class SharedLimits {
public:
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
    using Clock = std::chrono::steady_clock;

    Limits limits_;
    Clock::time_point started_ = Clock::now();
};

/// Tells `SolverOptions::progress`.
struct SolverObserver : SilentObserver {
    static constexpr bool sees_nodes = false;

    SolverObserver(SolverAlgorithm search, const SolverOptions& options)
        : algorithm(search), told(&options.progress) {}

    using SilentObserver::progress;

    template <class Bound>
    void progress(const Statistics& statistics, const Bound& now) {
        if (!*told) return;
        bound = (std::max)(bound, saturating_cast<int>(now));
        Statistics all = before;
        all.merge_sequential(statistics);
        (*told)({algorithm, bound, all, bytes + statistics.bytes});
    }

    SolverAlgorithm algorithm;
    int bound = 0;           ///< the greatest of all searches
    Statistics before;       ///< of the searches that are over
    std::uint64_t bytes = 0; ///< of the tables that are there
    const std::function<void(const SolverProgress&)>* told;
};

/// What the searches of a `Solver` came to, all together.
struct SolverRun {
    std::optional<std::vector<Board>> solution;
    std::vector<Move> moves; ///< of the solution
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

    /// Runs IDA* from a board, and keeps what it came to.
    template <class P, class H>
    void deepen(const P& puzzle, const Board& start, H&& heuristic, const limits_t<P>& limits,
                SolverObserver& observer) {
        const auto result =
            ida_star(puzzle, state_t<P>(start), std::forward<H>(heuristic), bounded<P>(limits), observer);
        keep(result.status, result.statistics, start, result.moves);
    }

    /// Keeps what the next search, from `start`, came to.
    NPUZZLE_COLD void keep(SearchStatus ended, const Statistics& more, const Board& start,
                           const std::vector<Move>& made) {
        status = ended;
        statistics.merge_sequential(more);
        if (status != SearchStatus::solved) return;
        try {
            moves = made;
            const SlidingPuzzle<> puzzle(start);
            solution.emplace(1, start);
            solution->reserve(moves.size() + 1);
            for (const Move move : moves) {
                solution->push_back(solution->back());
                puzzle.apply(solution->back(), move);
            }
        } catch (const std::bad_alloc&) {
            solution.reset();
            status = SearchStatus::memory_limit;
        }
    }
};

/// What is known of the tables that a `Solver` could use.
struct TableSupply {
    TableUse use = TableUse::automatic;
    bool are_there = false;
    bool can_be_saved = true;         ///< there is a folder for them
    std::uint64_t bytes = 0;          ///< of all of them
    std::uint64_t bytes_to_build = 0; ///< that are held, at the most, while they are built
};

/// IDA* with pattern databases that are in memory.
using TableSearch = std::function<void(const Limits&, SolverObserver&, SolverRun&)>;

/// Where a `Solver` finds pattern databases: an interface, so that a program without tables compiles none of
/// their code.
class TableSource {
public:
    virtual ~TableSource() = default;

    /// The partition for boards of size `n`, 4 or 5, by its name or its drawing.
    [[nodiscard]] virtual std::string partition(int n) const = 0;

    /// \throws std::invalid_argument if there is no such partition
    [[nodiscard]] virtual TableSupply supply(const Board& goal) const = 0;

    /// Loads the tables, or builds them if they are missing; nothing if a limit ended that.
    /// \throws std::bad_alloc; TableFileError also if tables are missing that are not to be built
    [[nodiscard]] virtual TableSearch load(const Board& board, const Board& goal,
                                           const SharedLimits& limits) const = 0;

    /// Whether somebody other than the limits asked for the building to stop.
    [[nodiscard]] virtual bool is_stopped() const = 0;
};

} // namespace detail

} // namespace npuzzle
