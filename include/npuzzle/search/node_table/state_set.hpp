#pragma once

#include "npuzzle/search/node_table/pooled.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace npuzzle::detail {

/// A hash set of states that keeps the order of their insertion: a vector, and the index of the pooled node
/// table. Holds fewer than 2^32 states.
template <Problem P>
    requires HasHash<P>
class StateSet {
public:
    using State = state_t<P>;

    /// Refers to the problem and the budget.
    StateSet(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), states_(BudgetAllocator<State>(budget)),
          index_(std::make_unique<HashIndex<P>>(problem, budget)) {}

    [[nodiscard]] std::uint64_t size() const noexcept { return states_.size(); }
    const State& operator[](std::uint64_t i) const { return states_[static_cast<std::size_t>(i)]; }

    [[nodiscard]] bool contains(const State& state) const {
        return index_->find(index_->tag(state), count(), is_same(state)).has_value();
    }

    /// True if it was not there. Throws `std::bad_alloc`, and has not changed then.
    bool insert(const State& state) {
        const Key next = count();
        if (index_->place(index_->tag(state), next, is_same(state)) < next) {
            return false;
        }
        states_.push_back(state);
        return true;
    }

    /// Gives the memory back.
    void clear() {
        states_ = decltype(states_)(BudgetAllocator<State>(*budget_));
        index_ = std::make_unique<HashIndex<P>>(*problem_, *budget_);
    }

private:
    using Key = std::uint32_t;

    [[nodiscard]] Key count() const { return static_cast<Key>(states_.size()); }

    [[nodiscard]] auto is_same(const State& state) const {
        return [this, &state](Key key) { return is_equal(states_[key], state); };
    }

    const P* problem_;
    MemoryBudget* budget_;
    std::vector<State, BudgetAllocator<State>> states_;
    std::unique_ptr<HashIndex<P>> index_; // which does not move
};

} // namespace npuzzle::detail
