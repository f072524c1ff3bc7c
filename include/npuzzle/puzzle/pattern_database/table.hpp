#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cell_sets.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// A word in the order of bytes of little-endian machines; and back.
constexpr std::uint64_t little_endian(std::uint64_t word) noexcept {
    std::uint64_t reversed = 0;
    for (int byte = 0; byte < 8; ++byte) reversed |= (word >> (8 * byte) & 255) << (56 - 8 * byte);
    return std::endian::native == std::endian::little ? word : reversed;
}

/// Memory of a table, on huge pages if it is large.
struct TableMemory {
    explicit TableMemory(std::size_t bytes) { words.grow_zeroed((bytes + 7) / 8); }

    std::uint8_t* data() const { return reinterpret_cast<std::uint8_t*>(words.data()); }

    MemoryBudget budget;
    Storage<std::uint64_t> words{budget};
};

} // namespace detail

/// What the entries of a table count. The numbers stand in files.
enum class TableKind : std::uint8_t {
    /// The moves of the pattern's tiles, for the best cell of the blank.
    additive = 0,
    /// The same for the region of the blank: the cells that it can reach without moving a tile of the
    /// pattern. So a value is at least the additive one. A move changes it by exactly 1, so one bit of it is
    /// stored (R. Clausecker, A. Reinefeld, "Zero-aware pattern databases with 1-bit compression for
    /// sliding tile puzzles", SoCS 2019).
    zero_aware = 2,
};

/// The name of a kind: "additive" or "zero-aware".
[[nodiscard]] constexpr std::string_view to_string(TableKind kind) noexcept {
    return kind == TableKind::additive ? "additive" : "zero-aware";
}

/// Everything that determines the entries of a table.
struct TableShape {
    int n = 0;
    TableKind kind = TableKind::additive;
    std::uint32_t cells = 0; ///< goal cells of the pattern's tiles
    int blank = 0;           ///< the first cell of the region of the blank at the goal

    /// The number of pieces: the tiles.
    [[nodiscard]] int pieces() const noexcept { return static_cast<int>(detail::count_cells(cells)); }

    /// The numbering of the placements, shared by all tables.
    /// \throws std::invalid_argument as the constructor of `PlacementRanking`
    [[nodiscard]] NPUZZLE_COLD const PlacementRanking& ranking() const {
        return detail::shared_tables<PlacementRanking>(n, pieces());
    }

    /// A drawing in one line, with `x` for the tiles and `_` for the blank: "additive 4x4
    /// ..../..../xxxx/xxx_".
    [[nodiscard]] NPUZZLE_COLD std::string to_string() const {
        std::string text = detail::text_of({npuzzle::to_string(kind), " ", n, "x", n, " "});
        for (int cell = 0; cell < n * n; ++cell) {
            text += cell > 0 && cell % n == 0 ? "/" : "";
            text += (cells >> cell & 1U) != 0 ? 'x' : cell == blank ? '_' : '.';
        }
        return text;
    }

    [[nodiscard]] friend bool operator==(const TableShape&, const TableShape&) = default;
};

/// The size of a table.
struct TableLayout {
    std::uint64_t values = 0; ///< the number of values
    std::uint64_t bytes = 0;  ///< that they take
};

/// The size of the table of a shape.
/// \throws std::invalid_argument for a zero-aware table, if fewer than two tiles are not in the pattern: then
///     not all placements can be reached
[[nodiscard]] NPUZZLE_COLD inline TableLayout table_layout(const TableShape& shape) {
    const std::uint64_t placements = shape.ranking().placements();
    if (shape.kind != TableKind::zero_aware) return {placements, placements};
    if (shape.pieces() > shape.n * shape.n - 3) {
        detail::throw_invalid(
            {"a zero-aware table leaves at least two tiles out of its pattern, unlike ", shape.to_string()});
    }
    const detail::RegionTables& regions =
        detail::shared_tables<detail::RegionTables>(shape.n, shape.pieces());
    return {regions.values(), regions.bytes()};
}

/// The table of a pattern, and the symmetry that takes the board to it, as numbered by
/// `detail::image_of_cell`.
struct NormalizedShape {
    TableShape shape;
    int symmetry = 0;
};

/// The table for a pattern. Patterns that are images of each other under a symmetry of the square have the
/// same table.
/// \throws std::invalid_argument if the blank's cell is not on the board or in the pattern
[[nodiscard]] NPUZZLE_COLD inline NormalizedShape normalized_shape(const Pattern& pattern, int blank_cell,
                                                                   TableKind kind = TableKind::additive) {
    const int n = pattern.size();
    if (blank_cell < 0 || blank_cell >= n * n || pattern.contains(blank_cell)) {
        detail::throw_invalid(
            {"the blank cannot belong in cell ", blank_cell, ": it is in the pattern, or not on the board"});
    }
    const std::uint32_t blanks =
        detail::component_of(n, detail::all_cells(n) & ~pattern.cells(), detail::cell_bit(blank_cell));
    NormalizedShape best;
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
        const TableShape shape{n, kind, detail::image_of_cells(n, symmetry, pattern.cells()),
                               std::countr_zero(detail::image_of_cells(n, symmetry, blanks))};
        if (symmetry == 0 ||
            std::pair(shape.cells, shape.blank) < std::pair(best.shape.cells, best.shape.blank)) {
            best = {shape, symmetry};
        }
    }
    return best;
}

/// The shapes of a partition's tables, in the order of the patterns. A table that patterns share is listed
/// once.
[[nodiscard]] NPUZZLE_COLD inline std::vector<TableShape> table_shapes(const Partition& partition,
                                                                       TableKind kind = TableKind::additive) {
    std::vector<TableShape> shapes;
    for (const Pattern& pattern : partition.patterns()) {
        const TableShape shape = normalized_shape(pattern, partition.blank_cell(), kind).shape;
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
    }
    return shapes;
}

/// A pattern database: for each placement of a pattern's tiles a byte, the least number of moves that they
/// need; or bit 1 of this number for each placement and region, in the blocks of `detail::RegionTables`.
/// Copies are cheap: they share the entries, which never change.
class PatternTable {
public:
    /// The entry of a placement that cannot be reached: of half of them, if all tiles are in the pattern; of
    /// fewer, if one is not.
    static constexpr std::uint8_t unreached = 255;

    /// \param entries as `entries()` returns them
    /// \param owner keeps the entries alive
    /// \param entries_at_depth the number of entries with each value, from 0; at most 256
    /// \throws std::invalid_argument if the number of bytes does not fit the shape
    NPUZZLE_COLD PatternTable(TableShape shape, std::span<const std::uint8_t> entries,
                              std::shared_ptr<const void> owner, std::vector<std::uint64_t> entries_at_depth)
        : shape_(shape), entries_(entries), owner_(std::move(owner)),
          entries_at_depth_(std::move(entries_at_depth)) {
        if (entries.size() != table_layout(shape).bytes) {
            detail::throw_invalid(
                {"a table of ", entries.size(), " bytes does not fit the pattern ", shape.to_string()});
        }
    }

    /// The shape of the table.
    [[nodiscard]] const TableShape& shape() const noexcept { return shape_; }

    /// All entries: of a placement, at `set_rank * orders() + order_rank` of `shape().ranking()`. For a
    /// zero-aware table, the bytes of its bits.
    [[nodiscard]] std::span<const std::uint8_t> entries() const noexcept { return entries_; }

    /// The number of values of each size, from 0 to the greatest.
    [[nodiscard]] const std::vector<std::uint64_t>& entries_at_depth() const noexcept {
        return entries_at_depth_;
    }

private:
    TableShape shape_;
    std::span<const std::uint8_t> entries_;
    std::shared_ptr<const void> owner_;
    std::vector<std::uint64_t> entries_at_depth_;
};

namespace detail {

/// The table of a shape; null if it is not among the tables.
inline const PatternTable* find_table(const std::vector<PatternTable>& tables, const TableShape& shape) {
    const auto table = std::find_if(tables.begin(), tables.end(),
                                    [&](const PatternTable& each) { return each.shape() == shape; });
    return table != tables.end() ? &*table : nullptr;
}

} // namespace detail

} // namespace npuzzle
