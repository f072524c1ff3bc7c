#pragma once

#include "npuzzle/search/memory/budget.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace npuzzle::detail {

/// The budget of a search, from which the budgets of its threads take their bytes.
class SharedBudget final : public MemorySource {
public:
    /// \param budget not to be used otherwise while there are several threads
    explicit SharedBudget(MemoryBudget& budget) noexcept : budget_(&budget) {}
    SharedBudget(const SharedBudget&) = delete;
    SharedBudget& operator=(const SharedBudget&) = delete;

    bool take(std::size_t bytes) noexcept override {
        const std::lock_guard lock(mutex_);
        try {
            budget_->acquire(bytes);
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    void give_back(std::size_t bytes) noexcept override {
        const std::lock_guard lock(mutex_);
        budget_->release(bytes);
    }

    /// The most bytes that were held at one time.
    [[nodiscard]] std::uint64_t peak() const {
        const std::lock_guard lock(mutex_);
        return budget_->peak();
    }

private:
    MemoryBudget* budget_;
    mutable std::mutex mutex_;
};

} // namespace npuzzle::detail
