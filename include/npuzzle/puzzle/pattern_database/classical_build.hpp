#pragma once

#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/detail/build_parts.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// \file
/// Builds classical tables, in which the blank is part of the pattern.

namespace npuzzle::detail {

/// Breadth-first search from the goal over the placements of the tiles and the blank. The entries themselves
/// mark the states of the next depth, so no other memory is needed.
class ClassicalBuild {
public:
    ClassicalBuild(const TableShape& shape, const BuildOptions& options)
        : shape_(shape), ranking_(shape.ranking()), options_(options),
          reporter_(shape, table_layout(shape).values, options) {}

    std::optional<PatternTable> run() {
        memory_ = std::make_shared<TableMemory>(static_cast<std::size_t>(ranking_.placements()));
        std::uint8_t* entries = memory_->bytes.data();
        const std::size_t size = memory_->bytes.size();
        std::memset(entries, PatternTable::unreached, size);
        if (options_.peak_bytes != nullptr) {
            *options_.peak_bytes = memory_->budget.peak();
        }
        entries[static_cast<std::size_t>(ranking_.index(shape_.goal()))] = 0;
        std::vector<std::uint64_t> entries_at_depth{1};
        std::uint64_t done = 1;
        for (int depth = 0; entries_at_depth.back() > 0; ++depth) {
            reporter_.tell(done, depth);
            std::uint64_t found = 0;
            for (std::size_t begin = 0; begin < size; begin += piece) {
                if (reporter_.stops()) {
                    return std::nullopt;
                }
                found += expand(begin, (std::min)(begin + piece, size), depth);
                reporter_.tell_now_and_then(done + found, depth);
            }
            done += found;
            entries_at_depth.push_back(found);
        }
        entries_at_depth.pop_back();
        const std::span<const std::uint8_t> view(entries, size);
        return PatternTable(shape_, view, memory_, std::move(entries_at_depth));
    }

private:
    static constexpr std::size_t piece = 1 << 16;

    std::uint64_t expand(std::size_t begin, std::size_t end, int depth) {
        std::uint8_t* entries = memory_->bytes.data();
        std::uint64_t found = 0;
        while (begin < end) {
            const void* next = std::memchr(entries + begin, depth, end - begin);
            if (next == nullptr) {
                break;
            }
            begin = static_cast<std::size_t>(static_cast<const std::uint8_t*>(next) - entries);
            const Placement placement = ranking_.placement(begin);
            const auto set = static_cast<std::uint32_t>(placement);
            const int blank = ranking_.cells(placement).back();
            for (std::uint32_t rest = grown(shape_.n, cell_bit(blank)) & ~cell_bit(blank); rest != 0;
                 rest &= rest - 1) {
                const int to = std::countr_zero(rest);
                const Placement child = (set & cell_bit(to)) != 0 ? exchanged(placement, blank, to)
                                                                  : PlacementStep(blank, to)(placement);
                std::uint8_t& entry = entries[static_cast<std::size_t>(ranking_.index(child))];
                if (entry == PatternTable::unreached) {
                    entry = static_cast<std::uint8_t>(depth + 1);
                    ++found;
                }
            }
            ++begin;
        }
        return found;
    }

    TableShape shape_;
    PlacementRanking ranking_;
    const BuildOptions& options_;
    BuildReporter reporter_;
    std::shared_ptr<TableMemory> memory_;
};

} // namespace npuzzle::detail
