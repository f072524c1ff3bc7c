#pragma once

#include "npuzzle/puzzle/board.hpp"
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

} // namespace npuzzle
