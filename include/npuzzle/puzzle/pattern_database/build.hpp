#pragma once

#include "npuzzle/puzzle/pattern_database/additive_build.hpp"
#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/classical_build.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

/// \file
/// Pattern tables, built.

namespace npuzzle {

/// Builds the table of a shape that `normalized_shape` gave.
///
/// Additive tables are built by all threads in time proportional to the entries: a few nanoseconds each. Classical ones
/// by one thread.
/// \return the table; nothing if a stop was requested
/// \throws std::invalid_argument if the shape is none, or has more entries than fit 32 bits
/// \throws std::bad_alloc if there is not enough memory
[[nodiscard]] inline std::optional<PatternTable> build_table(const TableShape& shape,
                                                             const BuildOptions& options = {}) {
    const NormalizedShape normalized =
        normalized_shape(Pattern(shape.n, shape.cells), shape.blank, shape.kind);
    if (normalized.shape != shape) {
        throw std::invalid_argument("no table is made for the shape " + shape.to_string() +
                                    " but for its image " + normalized.shape.to_string());
    }
    if (shape.kind == TableKind::classical) {
        return detail::ClassicalBuild(shape, options).run();
    }
    return detail::AdditiveBuild(shape, options).run();
}

namespace detail {

/// A table for each pattern of a partition, in their order, made by `make(shape)` once for each shape. Nothing if `make`
/// gave nothing.
template <class Make>
[[nodiscard]] std::optional<std::vector<PatternTable>> tables_of(const Partition& partition,
                                                                 const Make& make) {
    std::vector<PatternTable> tables;
    for (const Pattern& pattern : partition.patterns()) {
        const TableShape shape = normalized_shape(pattern, partition.blank_cell()).shape;
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

/// Builds the additive tables of a partition, one for each pattern in their order; patterns that are images of each other
/// share one.
/// \return nothing if a stop was requested
/// \throws what `build_table` throws
[[nodiscard]] inline std::optional<std::vector<PatternTable>> build_tables(const Partition& partition,
                                                                           const BuildOptions& options = {}) {
    return detail::tables_of(partition, [&](const TableShape& shape) { return build_table(shape, options); });
}

} // namespace npuzzle
