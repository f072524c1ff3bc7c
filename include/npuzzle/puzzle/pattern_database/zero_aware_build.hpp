#pragma once

#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/detail/region_build.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// \file
/// Builds zero-aware tables in parallel.

namespace npuzzle::detail {

/// Builds a zero-aware table. The bits of the table and the blocks of the search are in the same order, so a
/// new depth is a few operations on words. Beside the table as much again is held.
class ZeroAwareBuild : public RegionBuild<ZeroAwareBuild> {
public:
    ZeroAwareBuild(const TableShape& shape, const BuildOptions& options) : RegionBuild(shape, options) {}

private:
    friend RegionBuild;

    struct Memory {
        MemoryBudget budget;
        Storage<Bits> words{budget};
    };

    static constexpr unsigned max_value = PatternTable::unreached - 1;

    /// The first blocks belong to the largest regions, one for each set.
    static unsigned blocks(unsigned regions) { return regions - 1; }

    void prepare() {
        const std::size_t sets = sets_.size() - 1;
        main_.resize(sets);
        std::uint32_t cells = ranking_.set(0);
        for (std::size_t rank = 0; rank < sets; ++rank, cells = next_set(cells)) {
            main_[rank] = static_cast<std::uint8_t>(main_region(n_, cells));
        }
        bits_.grow_zeroed((sets + blocks_counted()) * words_);
        memory_ = std::make_shared<Memory>();
        memory_->words.grow_zeroed(bits_.size());
    }

    Bits* block_of(std::size_t rank, unsigned region) const {
        const unsigned main = main_[rank];
        return block(region == main
                         ? rank
                         : main_.size() + sets_[rank].first_block + region - (region > main ? 1 : 0));
    }

    void begin(std::size_t rank, unsigned region, std::size_t index) {
        add(block_of(rank, region), index % orders_);
    }

    void gather_from(Bits* gathered, std::size_t rank, unsigned region, const std::uint16_t* ranks) const {
        gather(gathered, block_of(rank, region), ranks);
    }

    /// Replaces the states of a block by the collected states that it did not hold, and notes bit 1 of their
    /// depth. Returns false if there are none.
    bool insert_new(const Bits* gathered, std::size_t rank, unsigned region, bool /*was_live*/,
                    std::uint8_t depth, std::uint64_t& found) const {
        Bits* const bits = block_of(rank, region);
        Bits* const values = memory_->words.data() + (bits - bits_.data());
        const Bits noted = (depth >> 1 & 1U) != 0 ? ~Bits{0} : Bits{0};
        const std::uint64_t found_before = found;
        for (std::size_t word = 0; word < words_; ++word) {
            const Bits fresh = gathered[word] & ~bits[word];
            bits[word] = fresh;
            values[word] |= fresh & noted;
            found += static_cast<std::uint64_t>(std::popcount(fresh));
        }
        return found != found_before;
    }

    PatternTable finish(std::vector<std::uint64_t> entries_at_depth) {
        if constexpr (std::endian::native != std::endian::little) {
            for (std::size_t word = 0; word < memory_->words.size(); ++word) {
                Bits reversed = 0;
                for (int byte = 0; byte < 8; ++byte) {
                    reversed |= (memory_->words[word] >> (8 * byte) & 255) << (56 - 8 * byte);
                }
                memory_->words[word] = reversed;
            }
        }
        const std::span<const std::uint8_t> bytes(
            reinterpret_cast<const std::uint8_t*>(memory_->words.data()),
            memory_->words.size() * sizeof(Bits));
        return PatternTable(shape_, bytes, memory_, std::move(entries_at_depth));
    }

    std::uint64_t bytes_of_table() const { return memory_->budget.peak(); }

    std::span<std::uint8_t> values() { return bytes_of(memory_->words); }

    std::shared_ptr<Memory> memory_;
    std::vector<std::uint8_t> main_; ///< the number of each set's largest region
};

} // namespace npuzzle::detail
