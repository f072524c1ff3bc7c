#pragma once

#include "npuzzle/search/memory/budget.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// How often each of some values is there. Small integers are counted in an array, other values in a tree.
template <class T>
class CountingMultiset {
public:
    explicit CountingMultiset(MemoryBudget& budget)
        : small_(BudgetAllocator<std::uint64_t>(budget)),
          others_(BudgetAllocator<std::pair<const T, std::uint64_t>>(budget)) {}

    void add(const T& value) {
        if constexpr (std::integral<T>) {
            if (is_small(value)) {
                const auto index = static_cast<std::size_t>(value);
                if (index >= small_.size()) {
                    small_.resize(2 * index + 64);
                }
                ++small_[index];
                first_ = index < first_ ? index : first_;
                ++size_;
                return;
            }
        }
        ++others_[value];
        ++size_;
    }

    /// Requires that the value is there.
    void remove(const T& value) {
        --size_;
        if constexpr (std::integral<T>) {
            if (is_small(value)) {
                --small_[static_cast<std::size_t>(value)];
                return;
            }
        }
        const auto place = others_.find(value);
        if (--place->second == 0) {
            others_.erase(place);
        }
    }

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    void clear() {
        small_.clear();
        others_.clear();
        first_ = 0;
        size_ = 0;
    }

    /// Requires that there is one.
    T least() {
        if constexpr (std::integral<T>) {
            if (!others_.empty() && others_.begin()->first < T{}) {
                return others_.begin()->first;
            }
            while (first_ < small_.size() && small_[first_] == 0) {
                ++first_;
            }
            if (first_ < small_.size()) {
                return static_cast<T>(first_);
            }
        }
        return others_.begin()->first;
    }

private:
    static bool is_small(const T& value)
        requires std::integral<T>
    {
        return !(value < T{}) && static_cast<std::uint64_t>(value) < 1 << 12;
    }

    std::vector<std::uint64_t, BudgetAllocator<std::uint64_t>> small_;
    std::map<T, std::uint64_t, std::less<T>, BudgetAllocator<std::pair<const T, std::uint64_t>>> others_;
    std::size_t first_ = 0; // nothing below it
    std::uint64_t size_ = 0;
};

} // namespace npuzzle::detail
