#pragma once

#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/node_table/pooled.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npuzzle::detail {

/// A hash set of states that keeps the order of their insertion. Holds fewer than 2^32 states.
template <Problem P>
    requires HasHash<P>
class StateSet {
public:
    using State = state_t<P>;

    /// Refers to the problem and the budget.
    StateSet(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), states_(BudgetAllocator<State>(budget)), index_(budget) {}

    [[nodiscard]] std::uint64_t size() const noexcept { return states_.size(); }
    const State& operator[](std::uint64_t i) const { return states_[static_cast<std::size_t>(i)]; }

    [[nodiscard]] bool contains(const State& state) const {
        return size() > 0 && place_of(state, hash(state)).is_taken();
    }

    /// True if it was not there. Throws `std::bad_alloc`, and has not changed then.
    bool insert(const State& state) {
        const auto number = static_cast<std::uint32_t>(size());
        index_.reserve(number);
        const std::uint32_t hash = this->hash(state);
        const IndexPlace place = place_of(state, hash);
        if (place.is_taken()) {
            return false;
        }
        states_.push_back(state);
        index_.put(place.slot, hash, number);
        return true;
    }

    /// Gives the memory back.
    void clear() {
        states_ = decltype(states_)(BudgetAllocator<State>(*budget_));
        index_ = NumberIndex(*budget_);
    }

private:
    [[nodiscard]] std::uint32_t hash(const State& state) const {
        return static_cast<std::uint32_t>(hash_state(*problem_, state));
    }
    [[nodiscard]] IndexPlace place_of(const State& state, std::uint32_t hash) const {
        return index_.find(hash, [&](std::uint32_t i) { return is_equal(states_[i], state); });
    }

    const P* problem_;
    MemoryBudget* budget_;
    std::vector<State, BudgetAllocator<State>> states_;
    NumberIndex index_;
};

} // namespace npuzzle::detail
