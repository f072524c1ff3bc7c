#pragma once

#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/detail/build_parts.hpp"
#include "npuzzle/puzzle/pattern_database/detail/region_build.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// \file
/// Builds additive tables in parallel.

namespace npuzzle::detail {

/// Builds an additive table: of each placement the least value of its regions.
///
/// If there are three regions or more, for n = 5 two or more, the last two keep their bits in the upper two
/// bits of the table's entries. This is possible since values are less than 63. The memory beside the table
/// is then 1.7 bits per entry for eight tiles on 4 x 4 cells, where a set has 2.7 regions on average.
class AdditiveBuild : public RegionBuild<AdditiveBuild> {
public:
    AdditiveBuild(const TableShape& shape, const BuildOptions& options) : RegionBuild(shape, options) {}

private:
    friend RegionBuild;

    /// An entry whose value is not known yet. The two bits above it stand for the last two regions.
    static constexpr std::uint8_t unreached = 63;
    static constexpr unsigned max_value = unreached - 1;

    /// The number of a set's regions whose bits are kept in the entries. With fewer than eight orders, sets
    /// would share words. Tables of the 24-puzzle are the largest: there it is done also for sets of two
    /// regions, which takes a third more time.
    unsigned regions_in_entries(unsigned regions) const {
        return regions > (n_ == 5 ? 1U : 2U) && orders_ % 8 == 0 ? 2 : 0;
    }

    unsigned blocks(unsigned regions) const { return regions - regions_in_entries(regions); }

    void prepare() {
        bits_.grow_zeroed(blocks_counted() * words_);
        memory_ = std::make_shared<TableMemory>(static_cast<std::size_t>(values_));
        std::memset(memory_->bytes.data(), unreached, memory_->bytes.size());
    }

    void begin(std::size_t rank, unsigned region, std::size_t index) {
        const std::uint8_t mark = mark_of(sets_[rank], region);
        memory_->bytes[index] = mark;
        if (mark == 0) {
            add(block_of(sets_[rank], region), index % orders_);
        }
    }

    PatternTable finish(std::vector<std::uint64_t> entries_at_depth) {
        // The marks of the last depth but one are still set.
        for (std::uint8_t* entry = memory_->bytes.data();
             entry != memory_->bytes.data() + memory_->bytes.size(); ++entry) {
            const auto value = static_cast<std::uint8_t>(*entry & unreached);
            *entry = value == unreached ? PatternTable::unreached : value;
        }
        const std::span<const std::uint8_t> entries(memory_->bytes.data(), memory_->bytes.size());
        return PatternTable(shape_, entries, memory_, std::move(entries_at_depth));
    }

    std::uint64_t bytes_of_table() const { return memory_->budget.peak(); }

    std::span<std::uint8_t> values() { return {memory_->bytes.data(), memory_->bytes.size()}; }

    Bits* block_of(const Set& set, unsigned region) const { return block(set.first_block + region); }

    std::uint8_t* entries_of(std::size_t rank) const { return memory_->bytes.data() + rank * orders_; }

    /// The bit of the entries that holds a region's block; 0 if the block is in `bits_`.
    std::uint8_t mark_of(const Set& set, unsigned region) const {
        const unsigned first_in_entries = blocks(set.regions);
        return region < first_in_entries ? std::uint8_t{0}
                                         : static_cast<std::uint8_t>(64U << (region - first_in_entries));
    }

    void gather_from(Bits* gathered, std::size_t rank, unsigned region, const std::uint16_t* ranks) const {
        const Set& source = sets_[rank];
        if (const std::uint8_t mark = mark_of(source, region); mark != 0) {
            gather_from_entries(gathered, entries_of(rank), mark, ranks);
        } else {
            gather(gathered, block_of(source, region), ranks);
        }
    }

    bool insert_new(const Bits* gathered, std::size_t rank, unsigned region, bool was_live,
                    std::uint8_t depth, std::uint64_t& found) const {
        const Set& set = sets_[rank];
        const std::uint8_t mark = mark_of(set, region);
        return mark == 0 ? keep_new(gathered, block_of(set, region), entries_of(rank), depth, found)
                         : keep_new_in_entries(gathered, mark, was_live, entries_of(rank), depth, found);
    }

    /// Which of eight entries have a mark, as the lowest eight bits of the result.
    static Bits marked(const std::uint8_t* entries, std::uint8_t mark) {
        if constexpr (std::endian::native == std::endian::little) {
            constexpr Bits ones = 0x0101010101010101;
            std::uint64_t eight;
            std::memcpy(&eight, entries, sizeof eight);
            eight &= ones * mark;
            // Moves each mark to the top byte, to the place of its entry. No two sums of shifts are equal.
            return eight == 0 ? 0 : (eight >> std::countr_zero(mark)) * 0x0102040810204080U >> 56;
        } else {
            Bits bits = 0;
            for (int i = 0; i < 8; ++i) {
                bits |= (entries[i] & mark) != 0 ? Bits{1} << i : 0;
            }
            return bits;
        }
    }

    void gather_from_entries(Bits* gathered, const std::uint8_t* entries, std::uint8_t mark,
                             const std::uint16_t* ranks) const {
        for (std::size_t first = 0; first < orders_; first += 8) {
            Bits rest = marked(entries + first, mark);
            if (ranks == nullptr) {
                gathered[first / 64] |= rest << first % 64;
                continue;
            }
            for (; rest != 0; rest &= rest - 1) {
                add(gathered, ranks[first + static_cast<std::size_t>(std::countr_zero(rest))]);
            }
        }
    }

    /// Sets the value of an entry that is reached for the first time.
    static void reach(std::uint8_t& entry, std::uint8_t depth, std::uint64_t& found) {
        if ((entry & unreached) == unreached) {
            entry = static_cast<std::uint8_t>((entry & ~unreached) | depth);
            ++found;
        }
    }

    /// Replaces the states of a block by the collected states that it did not hold. Returns false if there
    /// are none.
    bool keep_new(const Bits* gathered, Bits* bits, std::uint8_t* entries, std::uint8_t depth,
                  std::uint64_t& found) const {
        Bits any = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            Bits fresh = gathered[word] & ~bits[word];
            bits[word] = fresh;
            any |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                reach(entries[word * 64 + static_cast<std::size_t>(std::countr_zero(fresh))], depth, found);
            }
        }
        return any != 0;
    }

    /// The same for a block that is kept in the entries.
    bool keep_new_in_entries(const Bits* gathered, std::uint8_t mark, bool was_live, std::uint8_t* entries,
                             std::uint8_t depth, std::uint64_t& found) const {
        Bits any = 0;
        for (std::size_t first = 0; first < orders_; first += 8) {
            Bits fresh = gathered[first / 64] >> first % 64 & 255;
            if (was_live) {
                for (Bits held = marked(entries + first, mark); held != 0; held &= held - 1) {
                    const auto i = static_cast<std::size_t>(std::countr_zero(held));
                    entries[first + i] = static_cast<std::uint8_t>(entries[first + i] & ~mark);
                    fresh &= ~(Bits{1} << i);
                }
            }
            any |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                std::uint8_t& entry = entries[first + static_cast<std::size_t>(std::countr_zero(fresh))];
                reach(entry, depth, found);
                entry = static_cast<std::uint8_t>(entry | mark);
            }
        }
        return any != 0;
    }

    std::shared_ptr<TableMemory> memory_;
};

} // namespace npuzzle::detail
