#pragma once

#include "npuzzle/search/memory/budget.hpp"

#include <cstddef>
#include <limits>
#include <new>

namespace npuzzle {

/// A standard allocator that takes its memory from a budget. The budget must outlive it.
template <class T>
class BudgetAllocator {
public:
    using value_type = T;

    explicit BudgetAllocator(MemoryBudget& budget) noexcept : budget_(&budget) {}

    template <class U>
    BudgetAllocator(const BudgetAllocator<U>& other) noexcept : budget_(&other.budget()) {}

    T* allocate(std::size_t count) {
        if (count > (std::numeric_limits<std::size_t>::max)() / sizeof(T)) throw std::bad_alloc();
        return static_cast<T*>(budget_->allocate(count * sizeof(T), alignof(T)));
    }
    void deallocate(T* pointer, std::size_t count) noexcept {
        budget_->deallocate(pointer, count * sizeof(T), alignof(T));
    }

    [[nodiscard]] MemoryBudget& budget() const noexcept { return *budget_; }

    template <class U>
    friend bool operator==(const BudgetAllocator& a, const BudgetAllocator<U>& b) noexcept {
        return &a.budget() == &b.budget();
    }

private:
    MemoryBudget* budget_;
};

} // namespace npuzzle
