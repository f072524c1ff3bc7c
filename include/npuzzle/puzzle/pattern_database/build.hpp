#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/additive_build.hpp"
#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/classical_build.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/pattern_database/zero_aware_build.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// \file
/// Builds pattern tables.

namespace npuzzle {

namespace detail {

/// Throws std::invalid_argument unless the shape comes from `normalized_shape`.
NPUZZLE_COLD inline void require_normalized(const TableShape& shape) {
    const TableShape normal = normalized_shape(Pattern(shape.n, shape.cells), shape.blank, shape.kind).shape;
    if (normal != shape) {
        detail::throw_invalid({"no table is made for the shape ", shape.to_string(), " but for its image ",
                               normal.to_string()});
    }
}

[[nodiscard]] NPUZZLE_COLD inline std::optional<PatternTable>
build_additive_table(const TableShape& shape, const BuildOptions& options) {
    require_normalized(shape);
    return AdditiveBuild(shape, options).run();
}

[[nodiscard]] NPUZZLE_COLD inline std::optional<PatternTable>
build_zero_aware_table(const TableShape& shape, const BuildOptions& options) {
    require_normalized(shape);
    return ZeroAwareBuild(shape, options).run();
}

} // namespace detail

/// Builds the table of a shape, which must come from `normalized_shape`.
///
/// An additive or zero-aware table is built by all threads, in time proportional to its number of entries: a
/// few nanoseconds for each. A classical table is built by one thread.
/// \return the table, or nothing if a stop was requested
/// \throws std::invalid_argument if the shape is invalid, has more entries than fit 32 bits, or, for a
///     zero-aware table, if fewer than two tiles are not in the pattern
/// \throws std::bad_alloc if there is not enough memory
[[nodiscard]] inline std::optional<PatternTable> build_table(const TableShape& shape,
                                                             const BuildOptions& options = {}) {
    if (shape.kind == TableKind::additive) {
        return detail::build_additive_table(shape, options);
    }
    if (shape.kind == TableKind::zero_aware) {
        return detail::build_zero_aware_table(shape, options);
    }
    detail::require_normalized(shape);
    return detail::ClassicalBuild(shape, options).run();
}

/// The bytes that tables take.
struct TableBytes {
    std::uint64_t held = 0;     ///< by the tables: a byte an entry, or a bit in zero-aware tables
    std::uint64_t to_build = 0; ///< by the tables and what stands beside them, at most, while they are built
};

/// The bytes of a table.
[[nodiscard]] NPUZZLE_COLD inline TableBytes table_bytes(const TableShape& shape) {
    const std::uint64_t bytes = table_layout(shape).bytes;
    if (shape.kind == TableKind::zero_aware) {
        // As much again is held, and a word for each set of cells.
        return {bytes, 2 * bytes + bytes / 10};
    }
    // Beside a table of six tiles or more up to 1.7 bits an entry are held, beside smaller ones up to 2.2.
    return {bytes, bytes + bytes / 10 * 3};
}

/// The bytes of the tables of a partition, which are built one after another. Patterns that are images of
/// each other share one table.
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

/// What builds the tables of a kind, without the code for others.
template <TableKind kind>
[[nodiscard]] std::optional<PatternTable> build_table_of(const TableShape& shape,
                                                         const BuildOptions& options) {
    static_assert(kind != TableKind::classical, "patterns with the blank make no partition");
    if constexpr (kind == TableKind::zero_aware) {
        return build_zero_aware_table(shape, options);
    } else {
        return build_additive_table(shape, options);
    }
}

/// The tables of a partition, one for each pattern, in the order of the patterns. Calls `make(shape)` once
/// for each different shape. Returns nothing if `make` returned nothing.
template <class Make>
[[nodiscard]] std::optional<std::vector<PatternTable>> tables_of(const Partition& partition, TableKind kind,
                                                                 const Make& make) {
    std::vector<PatternTable> tables;
    for (const Pattern& pattern : partition.patterns()) {
        const TableShape shape = normalized_shape(pattern, partition.blank_cell(), kind).shape;
        std::optional<PatternTable> table;
        for (const PatternTable& other : tables) {
            if (other.shape() == shape) {
                table = other;
            }
        }
        if (!table) {
            table = make(shape);
        }
        if (!table) {
            return std::nullopt;
        }
        tables.push_back(*std::move(table));
    }
    return tables;
}

} // namespace detail

/// Builds the tables of a partition, one for each pattern, in the order of the patterns. Patterns that are
/// images of each other share one table.
/// \tparam kind additive or zero-aware
/// \return the tables, or nothing if a stop was requested
/// \throws what `build_table` throws
template <TableKind kind = TableKind::additive>
[[nodiscard]] std::optional<std::vector<PatternTable>> build_tables(const Partition& partition,
                                                                    const BuildOptions& options = {}) {
    return detail::tables_of(partition, kind, [&](const TableShape& shape) {
        return detail::build_table_of<kind>(shape, options);
    });
}

} // namespace npuzzle
