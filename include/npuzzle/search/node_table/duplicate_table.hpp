#pragma once

#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// \file
/// A hash table of records that are read from a file, of which each is wanted once.

namespace npuzzle::detail {

/// A hash table of records of equal size, by open addressing with linear probing, which is filled, purged of
/// what is known, and then gone through. Records lie in the order of their hashes. So to go through two sets
/// of records, one of them in a table, of which the other was in a table before, reads the memory of both in
/// order.
///
/// Where not all records fit at once, they are taken by parts: see `parts`. A slot takes a byte more than a
/// record.
///
/// \tparam Same `same(record, other)`: whether two records are of the same state
template <class Same>
class DuplicateTable {
public:
    DuplicateTable(std::size_t record_bytes, Same same, MemoryBudget& budget)
        : record_bytes_(record_bytes), slot_bytes_(record_bytes + 1), same_(same), budget_(&budget),
          slots_(budget) {}

    /// How many parts there must be for `records` records, the same among them, with `bytes` for a part.
    [[nodiscard]] std::uint64_t parts(std::uint64_t records, std::uint64_t bytes) const {
        const std::uint64_t most = std::clamp<std::uint64_t>(bytes / slot_bytes_, 1, max_slots) * 4 / 5;
        // Parts are of equal size but for chance.
        return records <= most ? 1 : records / std::max<std::uint64_t>(most * 15 / 16, 1) + 1;
    }

    /// Makes the table empty, for a part of so many records. Throws `std::bad_alloc`.
    void begin(std::uint64_t part, std::uint64_t parts, std::uint64_t records) {
        part_ = part;
        parts_ = parts;
        const std::uint64_t expected = parts == 1 ? records : records / parts + records / parts / 16;
        capacity_ = std::max<std::uint64_t>(expected + expected / 4, 64);
        used_ = wanted_ = 0;
        const std::size_t bytes = static_cast<std::size_t>(capacity_) * slot_bytes_;
        if (bytes > slots_.size() || bytes < slots_.size() / 4) {
            slots_ = Storage<char>(*budget_); // Nothing in it is wanted.
            slots_.grow_zeroed(bytes);
        } else {
            std::memset(slots_.data(), 0, bytes);
        }
    }

    /// Whether the records of this hash belong to the part.
    [[nodiscard]] bool is_in_part(std::uint64_t hash) const { return (hash >> 32) * parts_ >> 32 == part_; }

    /// How many records have been added and not dropped.
    [[nodiscard]] std::uint64_t size() const noexcept { return wanted_; }

    /// Gives the memory back.
    void release() { slots_ = Storage<char>(*budget_); }

    void prefetch(std::uint64_t hash) const { detail::prefetch(slots_.data() + home(hash) * slot_bytes_); }

    enum class Insertion { made, found, full };

    /// Adds a record, if there is none of its state.
    Insertion insert(const char* record, std::uint64_t hash) {
        char* const slot = find(record, hash);
        if (slot[record_bytes_] != empty) {
            return Insertion::found;
        }
        if (used_ + 1 >= capacity_) {
            return Insertion::full;
        }
        ++used_;
        ++wanted_;
        std::memcpy(slot, record, record_bytes_);
        slot[record_bytes_] = wanted;
        return Insertion::made;
    }

    /// Drops the record of a state. True if there was one.
    bool drop(const char* record, std::uint64_t hash) {
        char& mark = find(record, hash)[record_bytes_];
        if (mark != wanted) {
            return false;
        }
        mark = dropped;
        --wanted_;
        return true;
    }

    /// Calls `visit(record)` for the records that were not dropped, by ascending hashes but for neighbors.
    template <class F>
    void for_each(F&& visit) const {
        const char* slot = slots_.data();
        for (std::uint64_t i = 0; i < capacity_; ++i, slot += slot_bytes_) {
            if (slot[record_bytes_] == wanted) {
                visit(slot);
            }
        }
    }

private:
    static constexpr char empty = 0;
    static constexpr char wanted = 1;
    static constexpr char dropped = 2;
    static constexpr std::uint64_t max_slots = std::uint64_t{1} << 32;

    /// The number of the slot at which the search for a hash begins.
    [[nodiscard]] std::size_t home(std::uint64_t hash) const {
        const auto within = static_cast<std::uint32_t>((hash >> 32) * parts_);
        return static_cast<std::size_t>(within * capacity_ >> 32);
    }

    /// The slot of a state, or the empty one where it would be. There is one.
    [[nodiscard]] char* find(const char* record, std::uint64_t hash) const {
        std::size_t i = home(hash);
        for (;;) {
            char* const slot = slots_.data() + i * slot_bytes_;
            if (slot[record_bytes_] == empty || same_(slot, record)) {
                return slot;
            }
            i = i + 1 < capacity_ ? i + 1 : 0;
        }
    }

    std::size_t record_bytes_;
    std::size_t slot_bytes_;
    NPUZZLE_NO_UNIQUE_ADDRESS Same same_;
    MemoryBudget* budget_;
    Storage<char> slots_;
    std::uint64_t capacity_ = 0; // in slots
    std::uint64_t used_ = 0;     // of them
    std::uint64_t wanted_ = 0;   // of these
    std::uint64_t part_ = 0;
    std::uint64_t parts_ = 1;
};

} // namespace npuzzle::detail
