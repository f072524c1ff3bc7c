#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/zero_aware_states.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <bit>
#include <cstdint>
#include <optional>

/// \file
/// Whether the entries of a table can be what they are said to be: numbers of moves.

namespace npuzzle::detail {

/// Compares entries of bytes with the entries of placements that are one move away.
///
/// A state is a placement with a region of the blank, and two states that are one move apart differ by one.
/// An entry is the least of its placement's states. So (1) the goal's entry, and no other one, is 0; (2) all
/// others have a smaller one beside them; (3) an entry is at most by one greater than the entry of a placement
/// beside it which has only one region, or which is the goal; and (4) whether it is even follows from the
/// placement.
class TableProbe {
public:
    NPUZZLE_COLD explicit TableProbe(const PatternTable& table)
        : table_(&table), shape_(table.shape()), ranking_(shape_.ranking()), goal_(shape_.goal()),
          is_classical_(shape_.kind == TableKind::classical) {}

    /// Whether a path of falling entries leads from a placement to the goal, and no entry beside it
    /// contradicts another one.
    [[nodiscard]] NPUZZLE_COLD bool leads_to_goal(Placement placement) const {
        std::optional<Placement> at = placement;
        while (at && *at != goal_) {
            at = next_toward_goal(*at);
        }
        return at && value(goal_) == 0;
    }

private:
    [[nodiscard]] int value(Placement placement) const { return (*table_)[ranking_.index(placement)]; }

    /// The cells of what moves: the tiles, or the blank of a classical table.
    [[nodiscard]] std::uint32_t moving(Placement placement) const {
        return is_classical_ ? cell_bit(ranking_.cells(placement).back())
                             : static_cast<std::uint32_t>(placement);
    }

    /// Whether an entry is the cost of the state that has the blank in `cell`.
    [[nodiscard]] bool is_cost_of_state(Placement placement, int cell) const {
        const std::uint32_t free = all_cells(shape_.n) & ~static_cast<std::uint32_t>(placement);
        const std::uint32_t region = component_of(shape_.n, free, cell_bit(cell));
        return is_classical_ || region == free || (placement == goal_ && (region >> shape_.blank & 1U) != 0);
    }

    /// The placement with the greatest smaller entry beside this one; the goal if this one cannot be reached;
    /// nothing if its entry contradicts one beside it.
    [[nodiscard]] NPUZZLE_COLD std::optional<Placement> next_toward_goal(Placement placement) const {
        const int own = value(placement);
        const std::uint32_t colors = (moving(placement) ^ moving(goal_)) & black_cells(shape_.n);
        const bool is_reached = own != PatternTable::unreached;
        if (own == 0 || (is_reached && (static_cast<unsigned>(own) + count_cells(colors)) % 2 != 0)) {
            return std::nullopt;
        }
        std::optional<Placement> next = is_reached ? std::nullopt : std::optional(goal_);
        int greatest = -1;
        const auto cells = static_cast<std::uint32_t>(placement);
        for (std::uint32_t from = moving(placement); from != 0; from &= from - 1) {
            const int cell = std::countr_zero(from);
            const std::uint32_t taken = is_classical_ ? cell_bit(cell) : cells;
            for (std::uint32_t to = grown(shape_.n, cell_bit(cell)) & ~taken; to != 0; to &= to - 1) {
                const int target = std::countr_zero(to);
                const Placement beside = (cells >> target & 1U) != 0 ? exchanged(placement, cell, target)
                                                                     : PlacementStep(cell, target)(placement);
                const int other = value(beside);
                if (own > other + 1 && is_cost_of_state(beside, cell)) {
                    return std::nullopt;
                }
                if (is_reached && other < own && other > greatest) {
                    next = beside;
                    greatest = other;
                }
            }
        }
        return next;
    }

    const PatternTable* table_;
    TableShape shape_;
    PlacementRanking ranking_;
    Placement goal_;
    bool is_classical_;
};

/// Whether no entry contradicts an entry one move away, along paths to the goal from placements all over the
/// table. A zero-aware table has two paths of falling values from a state, of the same length. O(paths), a few
/// microseconds for each.
[[nodiscard]] NPUZZLE_COLD inline bool has_sound_sample(const PatternTable& table, unsigned paths = 32) {
    const TableShape& shape = table.shape();
    const PlacementRanking ranking = shape.ranking();
    for (unsigned path = 0; path < paths; ++path) {
        // Multiples of the golden section are spread evenly.
        const std::uint64_t multiple = (std::uint64_t{path} + 1) * 0x9e3779b97f4a7c15;
        const auto index =
            static_cast<double>(multiple >> 11) / 0x1p53 * static_cast<double>(ranking.placements());
        const Placement placement = ranking.placement(static_cast<std::uint64_t>(index));
        if (shape.kind != TableKind::zero_aware) {
            if (!TableProbe(table).leads_to_goal(placement)) {
                return false;
            }
            continue;
        }
        std::uint32_t free = all_cells(shape.n) & ~static_cast<std::uint32_t>(placement);
        for (unsigned skipped = path % count_cells(free); skipped > 0; --skipped) {
            free &= free - 1;
        }
        const std::uint32_t blank = free & (~free + 1);
        const ZeroAwareStates states(table);
        const std::optional<int> value = states.value(placement, blank);
        if (!value || states.value(placement, blank, true) != value) {
            return false;
        }
    }
    return true;
}

} // namespace npuzzle::detail
