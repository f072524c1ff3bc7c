#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/heuristics/pattern_databases.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/file.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/result.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Pattern databases for `Solver`: they are loaded from files, or built and saved.

namespace npuzzle {

/// The options of `solver_tables`.
struct SolverTableOptions {
    TableUse use = TableUse::automatic;
    /// The partition to use, of up to four patterns: one of `Partition::names(n)`, or a drawing for
    /// `Partition::drawn`. If empty, `7-8` or `6-6-6-6`. For n = 5 the tables are zero-aware.
    std::string partition = {};
    /// Where tables are kept, and how they are loaded, built and saved. Unless `use` is `build_if_missing`,
    /// tables that cannot be saved are still used.
    TableStore store = {};
};

namespace detail {

/// The tables of a store.
class StoredTables final : public TableSource {
public:
    explicit StoredTables(SolverTableOptions options) : options_(std::move(options)) {}

    TableSupply supply(const Board& goal) const override {
        // Zero-aware tables are a fifth as large as additive ones, and built in a fifth of the time. Look-ups
        // in additive ones are faster.
        const TableKind kind = goal.size() == 5 ? TableKind::zero_aware : TableKind::additive;
        const Partition parts = parts_to(goal);
        const TableBytes bytes = table_bytes(parts, kind);
        TableSupply supply{.partition = partition(goal.size()),
                           .use = options_.use,
                           .bytes = bytes.held,
                           .bytes_to_build = bytes.to_build};
        try {
            supply.are_there = options_.store.holds(parts, kind);
            supply.can_be_saved = true;
        } catch (const std::runtime_error&) { // There is no folder.
        }
        return supply;
    }

    TableSearch load(const Board& board, const Board& goal, const SharedLimits& limits) const override {
        if (goal.size() == 4) return load_kind<4, TableKind::additive>(board, goal, limits);
        if constexpr (has_uint128) return load_kind<5, TableKind::zero_aware>(board, goal, limits);
        throw_invalid(
            {"pattern databases need an integer of 128 bits at size 5, which this compiler does not "
             "have here"});
    }

private:
    template <int N, TableKind kind>
    TableSearch load_kind(const Board& board, const Board& goal, const SharedLimits& limits) const {
        TableStore store = options_.store;
        store.build.stop = [&] {
            return limits.status() != SearchStatus::running || options_.store.build.stop.stop_requested();
        };
        if (options_.use != TableUse::build_if_missing && !store.save_failed) {
            store.save_failed = [](const TableFileError&) {};
        }
        const Partition parts = parts_to(goal);
        std::optional<std::vector<PatternTable>> tables = load_or_build_tables<kind>(parts, store);
        if (!tables) return nullptr;
        const BasicPatternDatabases<8, kind> databases(parts, *std::move(tables), Reflection::both);
        return [databases, &board, puzzle = RolledPuzzle<N>(SlidingPuzzle<N>(goal))](
                   const Limits& left, SolverRun& run) { run.run_ida_star(puzzle, board, databases, left); };
    }

    std::string partition(int n) const {
        return !options_.partition.empty() ? options_.partition : n == 4 ? "7-8" : "6-6-6-6";
    }

    Partition parts_to(const Board& goal) const {
        const std::string name = partition(goal.size());
        const bool is_drawing = name.find('-') == std::string::npos;
        Partition parts = is_drawing ? Partition::drawn(name, goal) : Partition::named(name, goal);
        if (const auto count = parts.patterns().size(); count > 4) {
            throw_invalid({"the partition has ", count, " patterns; tables of a Solver have up to 4"});
        }
        return parts;
    }

    SolverTableOptions options_;
};

} // namespace detail

/// Pattern databases for `SolverOptions::tables`.
///
/// By default, boards of n = 5 that are not near the goal have the tables of 6-6-6-6 built, 48 MB, in the
/// user's cache folder; boards of n = 4 use tables 7-8 if they are there. One may be shared by many
/// solvers, in several threads.
/// \throws std::bad_alloc
[[nodiscard]] inline SolverTables solver_tables(SolverTableOptions options = {}) {
    return std::make_shared<detail::StoredTables>(std::move(options));
}

} // namespace npuzzle
