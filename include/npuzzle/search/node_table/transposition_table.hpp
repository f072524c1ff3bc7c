#pragma once

#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace npuzzle {

/// A lookup table of states and a lower bound on the distance of each to a goal, in a fixed number of bytes
/// (A. Reinefeld, T. A. Marsland, "Enhanced iterative-deepening search", IEEE Transactions on Pattern
/// Analysis and Machine Intelligence 16, 1994). States are stored whole, in buckets of four. In a full bucket
/// a new state replaces the one with the least effort.
///
/// \tparam P a problem whose states can be hashed
/// \tparam Value the type of the lower bounds
template <class P, class Value>
class TranspositionTable {
public:
    using State = state_t<P>;

    /// An empty table without room for any state: `allocate` makes room. Refers to the problem and the
    /// budget.
    TranspositionTable(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), entries_(make(0)) {}

    /// Makes room for as many states as fit in `bytes`. Requires that there is no room yet. Throws
    /// `std::bad_alloc` if the budget or the system does not give the memory.
    void allocate(std::uint64_t bytes) {
        entries_ = make(bytes);
        buckets_ = entries_.size() / ways;
    }

    /// Whether there is no room for any state: then neither `find` nor `store` may be called.
    [[nodiscard]] bool is_empty() const noexcept { return buckets_ == 0; }

    /// How many states are stored.
    [[nodiscard]] std::uint64_t stored() const noexcept { return stored_; }

    /// The lower bound of a state; null if the state is not stored. Constant time, as `store`.
    [[nodiscard]] const Value* find(const State& state) const {
        const Entry* entry = bucket_of(state);
        for (std::size_t i = 0; i < ways; ++i) {
            if (entry[i].effort != 0 && is_state(entry[i], state)) {
                return &entry[i].value;
            }
        }
        return nullptr;
    }

    /// Stores a lower bound for a state. `effort` says what it has cost to find it, in expansions.
    void store(const State& state, const Value& value, std::uint64_t effort) {
        Entry* const bucket = bucket_of(state);
        Entry* least = bucket;
        for (std::size_t i = 0; i < ways; ++i) {
            if (bucket[i].effort != 0 && is_state(bucket[i], state)) {
                least = &bucket[i];
                break;
            }
            if (bucket[i].effort < least->effort) {
                least = &bucket[i];
            }
        }
        stored_ += least->effort == 0 ? 1 : 0;
        least->state = state;
        least->value = value;
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        least->effort = static_cast<std::uint32_t>(effort < 1 ? 1 : effort < most ? effort : most);
    }

private:
    static constexpr bool is_plain =
        std::is_trivially_copyable_v<State> && std::is_trivially_copyable_v<Value>;
    static constexpr std::size_t ways = 4;

    struct Entry {
        std::conditional_t<is_plain, State, std::optional<State>> state;
        Value value;
        std::uint32_t effort; // expansions behind the value; 0: nothing is here
    };

    using Entries =
        std::conditional_t<is_plain, detail::Storage<Entry>, std::vector<Entry, BudgetAllocator<Entry>>>;

    [[nodiscard]] Entries make(std::uint64_t bytes) const {
        constexpr std::uint64_t most = std::uint64_t{1} << 32; // the bits of a hash that choose the bucket
        const std::uint64_t fitting = bytes / (ways * sizeof(Entry));
        const std::uint64_t buckets = fitting < most ? fitting : most;
        const auto count = static_cast<std::size_t>(buckets * ways);
        if constexpr (is_plain) {
            Entries entries(*budget_);
            if (count > 0) {
                entries.grow_zeroed(count);
            }
            return entries;
        } else {
            return Entries(count, BudgetAllocator<Entry>(*budget_));
        }
    }

    static bool is_state(const Entry& entry, const State& state) {
        if constexpr (is_plain) {
            return detail::is_equal(entry.state, state);
        } else {
            return detail::is_equal(*entry.state, state);
        }
    }

    [[nodiscard]] std::size_t bucket_index(const State& state) const {
        const std::uint64_t hash = static_cast<std::uint32_t>(detail::hash_state(*problem_, state));
        return static_cast<std::size_t>(hash * buckets_ >> 32) * ways;
    }
    [[nodiscard]] const Entry* bucket_of(const State& state) const {
        return entries_.data() + bucket_index(state);
    }
    Entry* bucket_of(const State& state) { return entries_.data() + bucket_index(state); }

    const P* problem_;
    MemoryBudget* budget_;
    Entries entries_;
    std::uint64_t buckets_ = 0;
    std::uint64_t stored_ = 0;
};

} // namespace npuzzle
