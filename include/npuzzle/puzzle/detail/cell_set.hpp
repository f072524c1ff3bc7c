#pragma once

#include "npuzzle/macros.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npuzzle::detail {

/// A set of numbers from 0 to a fixed limit, the limit excluded. It takes one bit for each number.
class CellSet {
public:
    /// An empty set for numbers below `limit`, which must be 0 or more. O(limit).
    explicit CellSet(std::int64_t limit) : words_(static_cast<std::size_t>((limit + 63) / 64)) {}

    /// Adds `number`. Returns true if it was not in the set. O(1), unchecked.
    bool insert(std::int64_t number) noexcept {
        std::uint64_t& word = words_[static_cast<std::size_t>(number) / 64];
        const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::size_t>(number) % 64);
        const bool added = (word & bit) == 0;
        word |= bit;
        return added;
    }

    /// Whether `number` is in the set. O(1), unchecked.
    [[nodiscard]] bool contains(std::int64_t number) const noexcept {
        return ((words_[static_cast<std::size_t>(number) / 64] >> (static_cast<std::size_t>(number) % 64)) &
                1U) != 0;
    }

    /// The smallest number from `first` up that is not in the set, or `limit` if there is none. Skips 64
    /// numbers at a time.
    [[nodiscard]] std::int64_t next_absent(std::int64_t first, std::int64_t limit) const noexcept {
        while (first < limit && contains(first)) {
            const bool word_is_full =
                first % 64 == 0 && words_[static_cast<std::size_t>(first) / 64] == ~std::uint64_t{0};
            first += word_is_full ? 64 : 1;
        }
        return first < limit ? first : limit;
    }

private:
    std::vector<std::uint64_t> words_;
};

} // namespace npuzzle::detail
