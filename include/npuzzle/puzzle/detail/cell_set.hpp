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

private:
    std::vector<std::uint64_t> words_;
};

} // namespace npuzzle::detail
