#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/result.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

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
    int bound = 0;           ///< no solution has fewer moves: f of A*, the threshold of IDA*
    Statistics statistics;   ///< of all searches of this algorithm so far
    std::uint64_t bytes = 0; ///< that the search and its tables hold
    std::int64_t upper = -1; ///< the moves of the best solution so far, under best effort; else -1
};

/// The pattern databases of a `Solver`: none, or what `solver_tables` makes.
using SolverTables = std::shared_ptr<const detail::TableSource>;

/// The best effort of a `Solver`: none, or what `solver_best_effort` makes, so that a program without it
/// compiles none of its code. It solves a solvable board: `search(options)` searches for a solution of at
/// most `run.max_moves` moves, and adds to `run`.
using SolverBestEffort = std::function<void(const Board&, const SolverOptions&, detail::SolverRun& run,
                                            const std::function<void(const SolverOptions&)>& search)>;

/// The options of a `Solver`.
struct SolverOptions {
    /// Only with a heuristic of your own: A* unless this names IDA*.
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    /// The board to reach; by default the blank-last one.
    // What can throw when it is copied stands before the limits: g++ 12 destroys them twice if, in `{.goal =
    // board}`, the copy of the board throws after them.
    std::optional<Board> goal = std::nullopt;
    /// The pattern databases that may be used: `solver_tables()`, in
    /// "npuzzle/puzzle/solver_tables.hpp". Without them a solver reads and writes no file.
    SolverTables tables = nullptr;
    /// Keeps the best solution so far when a limit ends the search: `solver_best_effort()`, in
    /// "npuzzle/puzzle/best_effort.hpp". Without it, only a shortest solution is a solution.
    SolverBestEffort best_effort = nullptr;
    /// Called every few milliseconds while a search runs.
    std::function<void(const SolverProgress&)> progress = {};
    /// For all searches and the building of tables together. Tables that take more than `bytes` are not used.
    /// `tables` are not built unasked if `time` is less than ten seconds.
    Limits limits = {};
};

/// How a `Solver` may use the tables of pattern databases.
enum class TableUse : std::uint8_t {
    automatic, ///< n = 5: builds them if a board is not near its goal; n = 4: uses them if they are there, and
               ///< builds smaller ones in memory for a search that gets long
    if_there,  ///< uses the files that are there
    build_if_missing, ///< builds and saves those that are not
};

} // namespace npuzzle
