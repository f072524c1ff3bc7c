#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/zero_aware_states.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Whether the entries of a table can be what they are said to be: numbers of moves.

namespace npuzzle {

/// A number of moves that is enough for every solvable board of size n, from 2 to 5, to a goal with the blank
/// in any cell. With the blank in a corner these are 6, 31 (A. Reinefeld, "Complete solution of the
/// eight-puzzle and the benefit of node ordering in IDA*", 1993), 80 (A. Brüngger, A. Marzetta, K. Fukuda, J.
/// Nievergelt, "The parallel search bench ZRAM and its applications", 1999) and at most 208 (F. Karlemo, P.
/// Östergård, "On sliding block puzzles", 2000). For another cell, a move is added for each step from there
/// to the nearest corner. For other sizes it is the greatest number.
[[nodiscard]] constexpr int enough_moves(int n, int blank_cell) noexcept {
    if (n < 2 || n > 5) {
        return (std::numeric_limits<int>::max)();
    }
    constexpr std::array<int, 4> from_corner{6, 31, 80, 208};
    const int row = blank_cell / n;
    const int column = blank_cell % n;
    return from_corner[static_cast<std::size_t>(n - 2)] + (2 * row < n ? row : n - 1 - row) +
           (2 * column < n ? column : n - 1 - column);
}

namespace detail {

/// One of the placements that are spread evenly: by multiples of the golden section.
[[nodiscard]] NPUZZLE_COLD inline Placement spread_placement(const PlacementRanking& ranking,
                                                             unsigned number) {
    const std::uint64_t multiple = (std::uint64_t{number} + 1) * 0x9e3779b97f4a7c15;
    return ranking.placement((multiple >> 36) * ranking.placements() >> 28); // of at most 2^36
}

/// Compares entries with the entries of placements that are one move away.
///
/// A state is a placement with a region of the blank, and two states that are one move apart differ by one.
/// An entry is the least of its placement's states. So (1) the goal's entry, and no other one, is 0; (2) all
/// others have a smaller one beside them; (3) an entry is at most by one greater than the entry of a placement
/// beside it which has only one region, or which is the goal; and (4) whether it is even follows from the
/// placement.
class TableProbe {
public:
    NPUZZLE_COLD explicit TableProbe(const PatternTable& table)
        : entries_(table.entries().data()), shape_(table.shape()), ranking_(shape_.ranking()),
          goal_(shape_.goal()) {}

    /// Follows a number of paths of decreasing entries, from placements all over the table to the goal, and
    /// compares all entries beside them. So a rise that should not be is found although it may be anywhere
    /// between the goal and most of the table. Returns the index of an entry that contradicts another one.
    NPUZZLE_COLD std::optional<std::uint64_t> walk(unsigned paths) {
        if (value(goal_) != 0) {
            return ranking_.index(goal_);
        }
        for (unsigned path = 0; path < paths; ++path) {
            Placement at = spread_placement(ranking_, path);
            while (at != goal_) {
                const Placement next = next_toward_goal(at);
                if (next == none) {
                    return ranking_.index(at);
                }
                at = next;
            }
        }
        return std::nullopt;
    }

private:
    /// No placement: it has no cells.
    static constexpr Placement none = 0;

    unsigned value(Placement placement) const {
        return entries_[static_cast<std::size_t>(ranking_.index(placement))];
    }

    bool is_classical() const { return shape_.kind == TableKind::classical; }

    /// The cell of the blank, in a classical table.
    int blank_of(Placement placement) const { return ranking_.cells(placement).back(); }

    /// Each move changes the color of one cell of it.
    unsigned parity(Placement placement) const {
        const auto cells =
            is_classical() ? cell_bit(blank_of(placement)) : static_cast<std::uint32_t>(placement);
        return count_cells(cells & black_cells(shape_.n)) % 2;
    }

    /// Whether the entry of a placement is the cost of the state that has the blank in `cell`. So it is if
    /// the placement has one region, and at the goal in the goal's region.
    bool is_cost_of_state(Placement placement, int cell) const {
        const std::uint32_t free = all_cells(shape_.n) & ~static_cast<std::uint32_t>(placement);
        const std::uint32_t region = component_of(shape_.n, free, cell_bit(cell));
        return is_classical() || region == free || (placement == goal_ && (region >> shape_.blank & 1U) != 0);
    }

    /// The placement with the greatest smaller entry beside this one; the goal if this one cannot be reached;
    /// none if its entry contradicts one beside it.
    NPUZZLE_COLD Placement next_toward_goal(Placement placement) const {
        const unsigned own = value(placement);
        if (own == 0 ||
            (own != PatternTable::unreached && (own + parity(placement) + parity(goal_)) % 2 != 0)) {
            return none;
        }
        Placement next = own == PatternTable::unreached ? goal_ : none;
        unsigned greatest = 0;
        const auto cells = static_cast<std::uint32_t>(placement);
        const int blank = is_classical() ? blank_of(placement) : 0;
        for (std::uint32_t from = is_classical() ? cell_bit(blank) : cells; from != 0; from &= from - 1) {
            const int cell = std::countr_zero(from);
            std::uint32_t to = grown(shape_.n, cell_bit(cell)) & ~cell_bit(cell);
            for (to &= is_classical() ? to : ~cells; to != 0; to &= to - 1) {
                const int target = std::countr_zero(to);
                const Placement beside = (cells >> target & 1U) != 0 ? exchanged(placement, cell, target)
                                                                     : PlacementStep(cell, target)(placement);
                const unsigned other = value(beside);
                if (own > other + 1 && is_cost_of_state(beside, cell)) {
                    return none;
                }
                if (own != PatternTable::unreached && other < own && (next == none || other > greatest)) {
                    next = beside;
                    greatest = other;
                }
            }
        }
        return next;
    }

    const std::uint8_t* entries_;
    TableShape shape_;
    PlacementRanking ranking_;
    Placement goal_;
};

/// Follows two paths of falling values to the goal from states all over a zero-aware table. Both are equally
/// long unless the table is wrong. Returns the byte of a state for which they are not, or do not lead there.
[[nodiscard]] NPUZZLE_COLD inline std::optional<std::uint64_t> contradictory_bits(const PatternTable& table,
                                                                                  unsigned paths) {
    const TableShape& shape = table.shape();
    const PlacementRanking ranking = shape.ranking();
    const ZeroAwareStates states(table);
    for (unsigned path = 0; path < paths; ++path) {
        const Placement placement = spread_placement(ranking, path);
        // The regions of a set are tried in turn, by a cell of theirs.
        std::uint32_t free = all_cells(shape.n) & ~static_cast<std::uint32_t>(placement);
        for (unsigned skipped = path % count_cells(free); skipped > 0; --skipped) {
            free &= free - 1;
        }
        const std::uint32_t blank = free & (~free + 1);
        const std::optional<int> value = states.value(placement, blank);
        if (!value || states.value(placement, blank, true) != value) {
            return states.byte(placement, blank);
        }
    }
    return std::nullopt;
}

} // namespace detail

/// Whether the table's numbers of entries at each depth can be right: one entry at 0, values that boards can
/// need, and all entries counted that are not perhaps out of reach. O(values).
[[nodiscard]] NPUZZLE_COLD inline bool has_possible_depths(const PatternTable& table) {
    const TableShape& shape = table.shape();
    const std::vector<std::uint64_t>& depths = table.entries_at_depth();
    const auto cells = static_cast<std::uint64_t>(shape.n) * static_cast<std::uint64_t>(shape.n);
    const int greatest = enough_moves(shape.n, shape.n / 2 * (shape.n + 1));
    std::uint64_t entries = table_layout(shape).values;
    for (const std::uint64_t count : depths) {
        if (count > entries) {
            return false;
        }
        entries -= count;
    }
    const bool may_be_unreached = detail::count_cells(shape.cells) + 2 >= cells;
    return !depths.empty() && depths[0] == 1 && static_cast<int>(depths.size()) - 1 <= greatest &&
           (entries == 0 || may_be_unreached);
}

/// Whether the entries are distributed as the table says; of a zero-aware table, whether so many bits are
/// set. O(entries).
[[nodiscard]] NPUZZLE_NOINLINE inline bool has_counted_entries(const PatternTable& table) {
    if (table.shape().kind == TableKind::zero_aware) {
        std::uint64_t set_bits = 0;
        for (const std::uint8_t byte : table.entries()) {
            set_bits += static_cast<std::uint64_t>(std::popcount(byte));
        }
        for (std::size_t depth = 0; depth < table.entries_at_depth().size(); ++depth) {
            set_bits -= (depth >> 1 & 1U) != 0 ? table.entries_at_depth()[depth] : 0;
        }
        return set_bits == 0;
    }
    // Equal entries often follow one another, and each count must wait for the one before.
    std::array<std::array<std::uint64_t, 256>, 4> counts{};
    std::size_t lane = 0;
    for (const std::uint8_t entry : table.entries()) {
        ++counts[lane++ % 4][entry];
    }
    std::vector<std::uint64_t> found(PatternTable::unreached);
    for (std::size_t depth = 0; depth < found.size(); ++depth) {
        found[depth] = counts[0][depth] + counts[1][depth] + counts[2][depth] + counts[3][depth];
    }
    found.resize((std::max)(found.size(), table.entries_at_depth().size()));
    std::vector<std::uint64_t> told = table.entries_at_depth();
    told.resize(found.size());
    return found == told;
}

/// Looks for an entry that contradicts an entry one move away, along paths from all over the table
/// to the goal. O(paths), a few microseconds for each.
/// \return the index of such an entry; of a zero-aware table the byte with its bit
[[nodiscard]] NPUZZLE_COLD inline std::optional<std::uint64_t> contradictory_entry(const PatternTable& table,
                                                                                   unsigned paths) {
    return table.shape().kind == TableKind::zero_aware ? detail::contradictory_bits(table, paths)
                                                       : detail::TableProbe(table).walk(paths);
}

} // namespace npuzzle
