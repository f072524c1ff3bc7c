#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace npuzzle::detail {

/// A set of numbers from 0 to 2^30 - 1. It takes memory for what is in it, not for what could be: at the most
/// 32 KiB, and 2 KiB for each 262,144 and 128 bytes for each 1024 numbers of which there is one in it.
class SparseSet {
public:
    /// Adds `number`. Returns true if it was not in the set. O(1).
    bool insert(std::int64_t number) {
        const auto index = static_cast<std::size_t>(number);
        const std::size_t first = index >> 18;
        if (branches_.size() <= first) branches_.resize(first + 1);
        std::unique_ptr<Branch>& branch = branches_[first];
        if (!branch) branch = std::make_unique<Branch>();
        std::unique_ptr<Leaf>& leaf = (*branch)[index >> 10 & 255];
        if (!leaf) leaf = std::make_unique<Leaf>();
        std::uint64_t& word = (*leaf)[index >> 6 & 15];
        const std::uint64_t bit = std::uint64_t{1} << (index & 63);
        const bool added = (word & bit) == 0;
        word |= bit;
        return added;
    }

    /// The smallest number that is not in the set.
    [[nodiscard]] std::int64_t least_absent() const noexcept {
        std::int64_t number = 0;
        while (contains(static_cast<std::size_t>(number))) ++number;
        return number;
    }

private:
    using Leaf = std::array<std::uint64_t, 16>;
    using Branch = std::array<std::unique_ptr<Leaf>, 256>;

    [[nodiscard]] bool contains(std::size_t index) const noexcept {
        if (index >> 18 >= branches_.size() || !branches_[index >> 18]) return false;
        const std::unique_ptr<Leaf>& leaf = (*branches_[index >> 18])[index >> 10 & 255];
        return leaf && ((*leaf)[index >> 6 & 15] >> (index & 63) & 1) != 0;
    }

    std::vector<std::unique_ptr<Branch>> branches_;
};

} // namespace npuzzle::detail
