#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/solver_run.hpp"
#include "npuzzle/puzzle/detail/table_source.hpp"
#include "npuzzle/puzzle/heuristics/pattern_databases.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/file.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/ida_star.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Pattern databases for `Solver`: they are loaded from files, or built and saved.

namespace npuzzle {

/// What `solver_tables` may be told.
struct SolverTableOptions {
    TableUse use = TableUse::automatic;
    /// The partition to use: one of `Partition::names(n)`, or a drawing for `Partition::drawn`. If empty,
    /// `7-8` or `6-6-6-6`. For n = 5 the tables are zero-aware.
    std::string partition = {};
    /// Where tables are kept, and how they are loaded, built and saved. Unless `use` is `build_if_missing`,
    /// tables that cannot be saved are still used.
    TableStore store = {};
};

namespace detail {

/// The tables of a partition.
template <TableKind kind>
class PartitionTables final : public LoadedTables {
public:
    explicit PartitionTables(BasicPatternDatabases<8, kind> databases) : databases_(std::move(databases)) {}

    std::uint64_t bytes() const override { return table_bytes(databases_.partition(), kind).held; }

    void search(const Board& board, const Board& goal, const Limits& limits, SolverObserver& observer,
                SolverRun& run) const override {
        if (kind == TableKind::additive || board.size() == 4) {
            search_size<4>(board, goal, limits, observer, run);
        } else if constexpr (kind == TableKind::zero_aware && has_uint128) {
            search_size<5>(board, goal, limits, observer, run);
        } else {
            throw std::invalid_argument("pattern databases need an integer of 128 bits at size 5, which this "
                                        "compiler does not have here");
        }
    }

private:
    template <int N>
    void search_size(const Board& board, const Board& goal, const Limits& limits, SolverObserver& observer,
                     SolverRun& run) const {
        run.deepen(RolledPuzzle<N>(SlidingPuzzle<N>(goal)), board, databases_, limits, observer);
    }

    BasicPatternDatabases<8, kind> databases_;
};

/// The tables of a store.
class StoredTables final : public TableSource {
public:
    explicit StoredTables(SolverTableOptions options) : options_(std::move(options)) {}

    std::string partition(int n) const override {
        return !options_.partition.empty() ? options_.partition : n == 4 ? "7-8" : "6-6-6-6";
    }

    TableSupply supply(int n, int blank_cell) const override {
        const Partition parts = parts_of(n, blank_cell);
        const bool is_for_one_search = are_for_one_search(parts);
        const TableKind kind = kind_of(n, is_for_one_search);
        TableSupply supply{.use = options_.use};
        try {
            supply.are_there = !is_for_one_search && options_.store.holds(parts, kind);
        } catch (const std::runtime_error&) {
            supply.can_be_saved = false;
        }
        const TableBytes bytes = table_bytes(parts, kind);
        supply.bytes = bytes.held;
        supply.bytes_to_build = bytes.to_build;
        return supply;
    }

    std::unique_ptr<const LoadedTables> load(int n, int blank_cell,
                                             const SharedLimits& limits) const override {
        const Partition parts = parts_of(n, blank_cell);
        const bool is_for_one_search = are_for_one_search(parts);
        return kind_of(n, is_for_one_search) == TableKind::zero_aware
                   ? load_kind<TableKind::zero_aware>(parts, limits, is_for_one_search)
                   : load_kind<TableKind::additive>(parts, limits, false);
    }

    bool is_stopped() const override { return options_.store.build.stop.stop_requested(); }

private:
    /// Whether one long search of size 4 builds its tables in memory. They are not saved.
    bool are_for_one_search(const Partition& parts) const {
        try {
            return parts.size() == 4 && options_.use == TableUse::automatic && !options_.store.holds(parts);
        } catch (const std::runtime_error&) {
            return true; // there is no folder
        }
    }

    /// Zero-aware tables are a fifth as large as additive ones, and built in a fifth of the time.
    static TableKind kind_of(int n, bool is_for_one_search) {
        return n == 5 || is_for_one_search ? TableKind::zero_aware : TableKind::additive;
    }

    template <TableKind kind>
    std::unique_ptr<const LoadedTables> load_kind(const Partition& parts, const SharedLimits& limits,
                                                  bool is_for_one_search) const {
        TableStore store = options_.store;
        store.build.stop = [&] { return limits.is_stopped() || limits.is_time_over() || is_stopped(); };
        if (options_.use != TableUse::build_if_missing && !store.save_failed) {
            store.save_failed = [](const TableFileError&) {};
        }
        std::optional<std::vector<PatternTable>> tables = is_for_one_search
                                                              ? build_tables<kind>(parts, store.build)
                                                              : load_or_build_tables<kind>(parts, store);
        if (!tables) {
            return nullptr;
        }
        return std::make_unique<PartitionTables<kind>>(
            BasicPatternDatabases<8, kind>(parts, *std::move(tables), Reflection::both));
    }

    Partition parts_of(int n, int blank_cell) const {
        const std::string name = partition(n);
        const bool is_drawing = name.find('-') == std::string::npos;
        return is_drawing ? Partition::drawn(name, n, blank_cell) : Partition::named(name, n, blank_cell);
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
