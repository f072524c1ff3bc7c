#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

/// \file
/// Values of a zero-aware table, found from scratch.

namespace npuzzle::detail {

/// The states of a zero-aware table: a placement with a region of the blank, as the set of its cells.
///
/// A table stores bit 1 of a value. Bit 0 follows from the placement: each move changes the color of one
/// cell. Two states one move apart differ by 1, so these two bits tell which of them is less.
class ZeroAwareStates {
public:
    NPUZZLE_COLD explicit ZeroAwareStates(const PatternTable& table)
        : bits_(table.entries().data()), n_(table.shape().n),
          most_(static_cast<int>(table.entries_at_depth().size()) - 1), goal_(table.shape().goal()),
          goal_blank_(cell_bit(table.shape().blank)), tables_(&region_tables(n_, table.shape().pieces())) {}

    /// The number of moves of the pattern's tiles to the goal, with the blank in a cell of `region`: the
    /// length of a path of falling values, found by trying moves in their order, or in the reverse order.
    /// O(moves). Nothing if there is none, or one that ends elsewhere: the table is damaged.
    [[nodiscard]] NPUZZLE_COLD std::optional<int> value(Placement placement, std::uint32_t region,
                                                        bool is_reversed = false) const {
        region = component_of(n_, all_cells(n_) & ~static_cast<std::uint32_t>(placement), region);
        int moves = 0;
        while (step_down(placement, region, is_reversed)) {
            if (++moves > most_) {
                return std::nullopt;
            }
        }
        const bool is_goal = placement == goal_ && (region & goal_blank_) != 0;
        return is_goal && low_bits(placement, region) == 0 ? std::optional(moves) : std::nullopt;
    }

private:
    /// The value modulo 4.
    [[nodiscard]] unsigned low_bits(Placement placement, std::uint32_t region) const {
        const std::size_t index = tables_->index(n_, placement, region);
        const auto colors = static_cast<std::uint32_t>(placement ^ goal_) & black_cells(n_);
        return (bits_[index / 8] >> index % 8 & 1U) << 1 | count_cells(colors) % 2;
    }

    /// Makes a move to a state of a value less by 1. Returns false if there is none.
    [[nodiscard]] bool step_down(Placement& placement, std::uint32_t& region, bool is_reversed) const {
        const unsigned wanted = (low_bits(placement, region) + 3) % 4;
        const auto cells = static_cast<std::uint32_t>(placement);
        bool is_found = false;
        Placement found = 0;
        std::uint32_t found_region = 0;
        for (std::uint32_t to = region; to != 0 && (is_reversed || !is_found); to &= to - 1) {
            const int blank = std::countr_zero(to);
            for (std::uint32_t from = grown(n_, cell_bit(blank)) & cells; from != 0; from &= from - 1) {
                const int tile = std::countr_zero(from);
                const Placement next = PlacementStep(tile, blank)(placement);
                if (low_bits(next, cell_bit(tile)) == wanted) {
                    is_found = true;
                    found = next;
                    found_region = cell_bit(tile);
                }
            }
        }
        if (is_found) {
            placement = found;
            region = component_of(n_, all_cells(n_) & ~static_cast<std::uint32_t>(found), found_region);
        }
        return is_found;
    }

    const std::uint8_t* bits_;
    int n_;
    int most_;
    Placement goal_;
    std::uint32_t goal_blank_;
    const RegionTables* tables_;
};

} // namespace npuzzle::detail
