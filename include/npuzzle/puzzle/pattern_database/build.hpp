#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/pattern_search.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/engine/threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// \file
/// Builds pattern tables.

namespace npuzzle {

/// The progress of a build.
struct BuildProgress {
    TableShape shape;               ///< the table
    std::uint64_t entries_done = 0; ///< entries whose value is known
    std::uint64_t entries = 0;      ///< all of them
    int depth = 0;                  ///< the greatest value so far
    double seconds = 0;             ///< since the start of the build
    double seconds_left = 0;        ///< an estimate

    /// The share of entries that are done, in percent.
    [[nodiscard]] double percent() const noexcept {
        return entries == 0 ? 0 : 100 * static_cast<double>(entries_done) / static_cast<double>(entries);
    }
};

/// Options for the build of a table.
struct BuildOptions {
    /// The greatest number of threads; 0 for the number of hardware threads. Small tables use fewer. The
    /// table does not depend on the number.
    unsigned threads = 0;
    /// Called by the building thread after each depth, several times a second in between, and at the end with
    /// all entries done. An exception from it ends the build and is passed to the caller.
    std::function<void(const BuildProgress&)> progress = {};
    /// Ends the building within milliseconds when a stop is requested. Asked by the building thread.
    StopToken stop = {};
};

/// Builds the table of a shape, which must come from `normalized_shape`, by all threads. The time is
/// proportional to the number of entries: a few nanoseconds for each.
/// \return the table, or nothing if a stop was requested
/// \throws std::invalid_argument if the shape is invalid or not normalized, or, for a zero-aware table, if
///     fewer than two tiles are not in the pattern
/// \throws std::bad_alloc if there is not enough memory
[[nodiscard]] NPUZZLE_COLD inline std::optional<PatternTable> build_table(const TableShape& shape,
                                                                          const BuildOptions& options = {}) {
    using Clock = std::chrono::steady_clock;
    using Search = detail::PatternSearch;
    const TableShape normal = normalized_shape(Pattern(shape.n, shape.cells), shape.blank, shape.kind).shape;
    if (normal != shape) {
        detail::throw_invalid({"no table is made for the shape ", shape.to_string(), " but for its image ",
                               normal.to_string()});
    }
    const TableLayout layout = table_layout(shape);
    BuildProgress progress{.shape = shape, .entries = layout.values};
    const Clock::time_point started = Clock::now();
    Clock::time_point last_told = started;
    const auto tell = [&](std::uint64_t done, std::size_t depth) {
        if (!options.progress) return;
        last_told = Clock::now();
        progress.entries_done = done;
        progress.depth = static_cast<int>(depth);
        progress.seconds = std::chrono::duration<double>(last_told - started).count();
        progress.seconds_left =
            progress.seconds * (static_cast<double>(progress.entries) / static_cast<double>(done) - 1);
        options.progress(progress);
    };

    Search search(shape.n, shape.cells, shape.blank, shape.kind == TableKind::zero_aware);
    const std::uint32_t sets = search.ranking().sets();
    // A piece is a few hundred microseconds of work. A thread is worth its start for a few milliseconds.
    const std::uint32_t piece = 1 + 32767 / search.ranking().orders();
    std::vector<Search::Worker> workers(static_cast<std::size_t>(std::min<std::uint64_t>(
        {detail::thread_count(options.threads), 256, 1 + search.ranking().placements() / 131072})));
    std::vector<std::uint64_t> entries_at_depth{1};
    std::uint64_t done = 1;
    for (bool is_alive = true; is_alive;) {
        const auto depth = static_cast<unsigned>(entries_at_depth.size());
        tell(done, depth - 1);
        std::atomic<std::uint32_t> next{0};
        std::atomic<bool> is_stopped{false};
        const auto found = [&] {
            std::uint64_t sum = 0;
            for (const Search::Worker& worker : workers) sum += worker.found.load(std::memory_order_relaxed);
            return sum;
        };
        const auto work = [&](Search::Worker& worker) {
            while (!is_stopped.load(std::memory_order_relaxed)) {
                const std::uint32_t first = next.fetch_add(piece, std::memory_order_relaxed);
                if (first >= sets) return;
                search.expand(first, (std::min)(first + piece, sets), depth, worker);
                if (&worker != workers.data()) continue;
                if (options.stop.stop_requested()) return is_stopped.store(true, std::memory_order_relaxed);
                if (Clock::now() - last_told >= std::chrono::milliseconds{100}) tell(done + found(), depth);
            }
        };
        {
            detail::JoinedThreads helpers(workers.size() - 1);
            try {
                for (std::size_t i = 1; i < workers.size(); ++i) {
                    helpers.add([&work, &worker = workers[i]] { work(worker); });
                }
                work(workers[0]);
            } catch (...) {
                is_stopped.store(true, std::memory_order_relaxed);
                throw; // after the helpers have been joined
            }
        }
        if (is_stopped.load(std::memory_order_relaxed)) return std::nullopt;
        entries_at_depth.push_back(found());
        done += found();
        is_alive = false;
        for (Search::Worker& worker : workers) {
            worker.found.store(0, std::memory_order_relaxed);
            is_alive = std::exchange(worker.is_alive, false) || is_alive;
        }
    }
    // The last depths reached no value that was not known.
    while (entries_at_depth.back() == 0) entries_at_depth.pop_back();
    tell(done, entries_at_depth.size() - 1);
    const std::shared_ptr<detail::TableMemory> values = search.values();
    if (shape.kind == TableKind::zero_aware) {
        for (std::size_t word = 0; word < values->words.size(); ++word) {
            values->words[word] = detail::little_endian(values->words[word]);
        }
    }
    return PatternTable(shape, {values->data(), static_cast<std::size_t>(layout.bytes)}, values,
                        std::move(entries_at_depth));
}

/// The bytes that tables take.
struct TableBytes {
    std::uint64_t held = 0;     ///< by the tables: a byte an entry, or a bit in zero-aware tables
    std::uint64_t to_build = 0; ///< by the tables and what stands beside them, at most, while they are built
};

/// The bytes of a table.
[[nodiscard]] NPUZZLE_COLD inline TableBytes table_bytes(const TableShape& shape) {
    const std::uint64_t bytes = table_layout(shape).bytes;
    return {bytes, bytes + detail::PatternSearch::bytes_beside_values(shape.n, shape.pieces())};
}

/// The bytes of the tables of a partition, which are built one after another.
[[nodiscard]] NPUZZLE_COLD inline TableBytes table_bytes(const Partition& partition,
                                                         TableKind kind = TableKind::additive) {
    std::uint64_t held = 0;
    std::uint64_t beside = 0;
    for (const TableShape& shape : table_shapes(partition, kind)) {
        const TableBytes bytes = table_bytes(shape);
        held += bytes.held;
        beside = (std::max)(beside, bytes.to_build - bytes.held);
    }
    return {held, held + beside};
}

namespace detail {

/// The tables of a partition, one for each pattern, in the order of the patterns. Calls `make(shape)` once
/// for each different shape. Returns nothing if `make` returned nothing.
template <class Make>
[[nodiscard]] std::optional<std::vector<PatternTable>> tables_of(const Partition& partition, TableKind kind,
                                                                 const Make& make) {
    std::vector<PatternTable> tables;
    for (const Pattern& pattern : partition.patterns()) {
        const TableShape shape = normalized_shape(pattern, partition.blank_cell(), kind).shape;
        const auto other = std::find_if(tables.begin(), tables.end(),
                                        [&](const PatternTable& table) { return table.shape() == shape; });
        std::optional<PatternTable> table = other != tables.end() ? *other : make(shape);
        if (!table) return std::nullopt;
        tables.push_back(*std::move(table));
    }
    return tables;
}

} // namespace detail

/// Builds the tables of a partition, one for each pattern, in the order of the patterns. Patterns that are
/// images of each other share one table.
/// \return the tables, or nothing if a stop was requested
/// \throws what `build_table` throws
template <TableKind kind = TableKind::additive>
[[nodiscard]] std::optional<std::vector<PatternTable>> build_tables(const Partition& partition,
                                                                    const BuildOptions& options = {}) {
    return detail::tables_of(partition, kind,
                             [&](const TableShape& shape) { return build_table(shape, options); });
}

} // namespace npuzzle
