#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/best_effort_source.hpp"
#include "npuzzle/puzzle/detail/table_source.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

/// \file
/// What a `Solver` may be told, and the search that it chooses then.

namespace npuzzle {

/// The searches that a `Solver` can make.
enum class SolverAlgorithm : std::uint8_t {
    automatic, ///< as suits the board and the heuristic
    astar,
    ida_star,
};

/// The heuristics that a `Solver` knows by name.
enum class SolverHeuristic : std::uint8_t {
    automatic, ///< as suits the board, and the tables that are there
    hamming,
    manhattan,
    linear_conflict,
    walking_distance, ///< up to n = 5; at n = 5 its table takes five seconds to build, once
    /// The greater of the two, up to n = 5.
    linear_conflict_or_walking_distance,
    pattern_databases, ///< with reflection, for n = 3 to 5; needs `SolverOptions::tables`
    own,               ///< the one that the constructor was given: an answer, no option
};

/// How a `Solver` proves that a board is unsolvable.
enum class UnsolvableProof : std::uint8_t {
    parity,      ///< by counting, at once
    twin_search, ///< by A* from the board and from its twin until one of them is solved
};

/// The name of an algorithm, as it stands in the code.
[[nodiscard]] constexpr std::string_view to_string(SolverAlgorithm algorithm) noexcept {
    switch (algorithm) {
    case SolverAlgorithm::automatic:
        return "automatic";
    case SolverAlgorithm::astar:
        return "astar";
    case SolverAlgorithm::ida_star:
        return "ida_star";
    }
    return "unknown";
}

/// The name of a heuristic, as it stands in the code.
[[nodiscard]] constexpr std::string_view to_string(SolverHeuristic heuristic) noexcept {
    switch (heuristic) {
    case SolverHeuristic::automatic:
        return "automatic";
    case SolverHeuristic::hamming:
        return "hamming";
    case SolverHeuristic::manhattan:
        return "manhattan";
    case SolverHeuristic::linear_conflict:
        return "linear_conflict";
    case SolverHeuristic::walking_distance:
        return "walking_distance";
    case SolverHeuristic::linear_conflict_or_walking_distance:
        return "linear_conflict_or_walking_distance";
    case SolverHeuristic::pattern_databases:
        return "pattern_databases";
    case SolverHeuristic::own:
        return "own";
    }
    return "unknown";
}

/// How far a search of a `Solver` has come.
struct SolverProgress {
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    /// Every solution has as many moves, or more: f of A*, the threshold of IDA*.
    int bound = 0;
    /// Of all searches of this algorithm so far.
    Statistics statistics;
    /// The bytes that the search and its tables hold.
    std::uint64_t bytes = 0;
    /// The moves of the best solution that is known, under best effort; else -1.
    std::int64_t upper = -1;
};

/// The pattern databases of a `Solver`: none, or what `solver_tables` makes.
using SolverTables = std::shared_ptr<const detail::TableSource>;

/// The best effort of a `Solver`: none, or what `solver_best_effort` makes.
using SolverBestEffort = std::shared_ptr<const detail::BestEffortSource>;

/// What a `Solver` may be told.
struct SolverOptions {
    SolverHeuristic heuristic = SolverHeuristic::automatic;
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    UnsolvableProof proof = UnsolvableProof::parity;
    /// Whether IDA*, at n = 4 with the usual heuristic and at n = 4 and 5 with `tables`, leaves out moves
    /// that lead where others lead, too: see `learn_move_pruning`. They are learned in searches of more than
    /// a hundred thousand expansions.
    bool prunes_moves = true;
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

class Solver;

namespace detail {

/// The searches that a `Solver` can come to choose: see "npuzzle/puzzle/solver.hpp".
template <class Any>
void search_automatically(Solver& solver, const Board& board, const SolverOptions& options);

} // namespace detail

/// What a `Solver` may be told that chooses the search by itself: `SolverOptions` without what names a
/// search. Braces that suit both are this one, `Solver(board, {.limits = limits})`. Compiled are only the
/// searches that can come to be chosen.
/// \tparam Any a name for nothing, so that a program that makes none compiles no search
template <class Any>
struct BasicAutomaticOptions {
    std::optional<Board> goal = std::nullopt;
    SolverTables tables = nullptr;
    SolverBestEffort best_effort = nullptr;
    std::function<void(const SolverProgress&)> progress = {};
    Limits limits = {};
    bool throws_if_unsolvable = false;
    /// The code of the searches; not to be set.
    void (*search)(Solver&, const Board&, const SolverOptions&) = &detail::search_automatically<Any>;

    operator SolverOptions() const { // NOLINT(google-explicit-constructor)
        return {.goal = goal,
                .tables = tables,
                .best_effort = best_effort,
                .progress = progress,
                .limits = limits,
                .throws_if_unsolvable = throws_if_unsolvable};
    }
};

using AutomaticOptions = BasicAutomaticOptions<void>;

/// What a `Solver` does.
struct SolverChoice {
    SolverAlgorithm algorithm = SolverAlgorithm::automatic;
    SolverHeuristic heuristic = SolverHeuristic::automatic;
    /// How many expansions of the search without tables go before that.
    std::uint64_t first_expansions = 0;

    [[nodiscard]] friend bool operator==(const SolverChoice&, const SolverChoice&) = default;
};

namespace detail {

/// Boards of size 5 that A* solves in so few expansions need no tables: about half a second, 100 MB.
inline constexpr std::uint64_t expansions_near_goal = 1'000'000;

/// After so many, a search of size 4 has taken about as long as it takes to build tables. Random boards need
/// fewer.
inline constexpr std::uint64_t expansions_before_tables = 100'000'000;

/// \throws std::invalid_argument if there is nothing that the options could mean for boards of size `n`
inline void require_meaning(int n, const SolverOptions& options) {
    const auto refuse = [](std::string_view what) { throw_invalid({what}); };
    const auto refuse_size = [n](std::string_view what) {
        throw_invalid({what, " boards of size ", number_text(std::int64_t{n})});
    };
    const SolverHeuristic heuristic = options.heuristic;
    if (options.proof == UnsolvableProof::twin_search && options.algorithm == SolverAlgorithm::ida_star) {
        refuse("twin search is A*; for IDA*, ask for the proof by parity");
    }
    if (heuristic == SolverHeuristic::own) {
        refuse("a heuristic of one's own is given to the constructor, not named in the options");
    }
    if ((heuristic == SolverHeuristic::walking_distance ||
         heuristic == SolverHeuristic::linear_conflict_or_walking_distance) &&
        n > 5) {
        refuse_size("walking distance does not take");
    }
    if (heuristic == SolverHeuristic::pattern_databases && (n < 3 || n > 5)) {
        refuse_size("there are no pattern databases for");
    }
    if (heuristic == SolverHeuristic::pattern_databases && !options.tables) {
        refuse("pattern databases are asked for, but SolverOptions::tables has none; include "
               "<npuzzle/puzzle/solver_tables.hpp> and write .tables = npuzzle::solver_tables()");
    }
}

/// Whether it matters which tables there are.
[[nodiscard]] inline bool may_use_tables(int n, const SolverOptions& options) {
    if (options.heuristic != SolverHeuristic::automatic) {
        return options.heuristic == SolverHeuristic::pattern_databases;
    }
    return (n == 4 || n == 5) && options.tables && options.algorithm != SolverAlgorithm::astar &&
           options.proof != UnsolvableProof::twin_search;
}

/// How the search that these options lead to looks up tables.
[[nodiscard]] inline TableAccess table_access(int n, const SolverOptions& options) {
    return options.algorithm == SolverAlgorithm::astar || options.proof == UnsolvableProof::twin_search
               ? TableAccess::whole_boards
           : n == 4 && options.heuristic == SolverHeuristic::automatic ? TableAccess::late
                                                                       : TableAccess::by_moves;
}

/// Whether missing tables are to be built.
[[nodiscard]] inline bool builds_tables(const SolverOptions& options, const TableSupply& supply) {
    if (supply.use != TableUse::automatic) {
        return supply.use == TableUse::build_if_missing;
    }
    return options.heuristic == SolverHeuristic::pattern_databases ||
           options.limits.time >= std::chrono::seconds{10};
}

/// Whether tables can be used: they are there or are to be built, and there is room for them.
[[nodiscard]] inline bool can_use_tables(int n, const SolverOptions& options, const TableSupply& supply) {
    const bool is_buildable =
        builds_tables(options, supply) && (supply.can_be_saved || supply.use == TableUse::build_if_missing);
    return may_use_tables(n, options) && (supply.are_there || is_buildable) &&
           (supply.are_there ? supply.bytes : supply.bytes_to_build) <= options.limits.bytes;
}

[[nodiscard]] inline SolverHeuristic choose_heuristic(int n, const SolverOptions& options,
                                                      const TableSupply& supply) {
    if (options.heuristic != SolverHeuristic::automatic) {
        return options.heuristic;
    }
    if (can_use_tables(n, options, supply)) {
        return SolverHeuristic::pattern_databases;
    }
    return n == 4 ? SolverHeuristic::linear_conflict_or_walking_distance : SolverHeuristic::linear_conflict;
}

[[nodiscard]] inline SolverAlgorithm choose_algorithm(int n, const SolverOptions& options,
                                                      SolverHeuristic heuristic) {
    if (options.proof == UnsolvableProof::twin_search) {
        return SolverAlgorithm::astar;
    }
    if (options.algorithm != SolverAlgorithm::automatic) {
        return options.algorithm;
    }
    return heuristic == SolverHeuristic::pattern_databases ||
                   ((n == 4 || n >= 6) && heuristic != SolverHeuristic::hamming)
               ? SolverAlgorithm::ida_star
               : SolverAlgorithm::astar;
}

/// The search for a board of size `n`. Named heuristics and algorithms are taken as they are. Otherwise:
///
/// | n | search |
/// |---|---|
/// | 2, 3 | A*, linear conflict |
/// | 4 | IDA*, pattern databases if they are there, else the greater of linear conflict and walking distance |
/// | 5 | A*, linear conflict; if pattern databases can be used, after `expansions_near_goal` IDA* with them |
/// | 6 and more | IDA*, linear conflict |
///
/// By itself, a long search of n = 4 without tables goes on by some that it builds (`five_tile_tables`), and
/// after `expansions_before_tables` by pattern databases if these can be built.
///
/// A* takes any heuristic at any n too, if it is asked for. IDA* it is with pattern databases, which are not
/// consistent; at n = 4; and from n = 6 on, where A* would soon fill the memory with boards. With Hamming it
/// would come to the same boards too often.
[[nodiscard]] inline SolverChoice choose_search(int n, const SolverOptions& options,
                                                const TableSupply& supply) {
    SolverChoice choice;
    choice.heuristic = choose_heuristic(n, options, supply);
    choice.algorithm = choose_algorithm(n, options, choice.heuristic);
    const bool is_free =
        options.heuristic == SolverHeuristic::automatic && options.algorithm == SolverAlgorithm::automatic;
    if (n == 5 && is_free && choice.heuristic == SolverHeuristic::pattern_databases) {
        choice.first_expansions = expansions_near_goal;
    } else if (n == 4 && options.heuristic == SolverHeuristic::automatic && !supply.are_there &&
               supply.use == TableUse::automatic && choice.heuristic == SolverHeuristic::pattern_databases) {
        choice.first_expansions = expansions_before_tables;
    }
    return choice;
}

} // namespace detail

} // namespace npuzzle
