#pragma once

#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"
#include "npuzzle/search/node_table/pooled.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// The word of a state, where states fit one.
template <Problem P>
auto word_of([[maybe_unused]] const P& problem, [[maybe_unused]] const state_t<P>& state) {
    if constexpr (PackedProblem<P>) {
        return problem.pack(state);
    } else {
        return Nothing{};
    }
}

/// A hash set that numbers states, or their words, in the order of their insertion. Holds fewer than 2^32 of
/// them; one more is a `std::bad_alloc`. Refers to the problem and the budget.
/// \tparam mark_bits how many leading bits of a word hold a mark; they must be 0 in the words themselves
template <Problem P, unsigned mark_bits = 0>
class StateSet {
    static constexpr bool is_packed = PackedProblem<P>;
    using State = state_t<P>;
    using Word = decltype(word_of(std::declval<const P&>(), std::declval<const State&>()));

public:
    /// By which a state is looked up.
    struct Key {
        NPUZZLE_NO_UNIQUE_ADDRESS Word word;
        std::uint32_t hash;
    };

    StateSet(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), items_(Memory(budget)), index_(budget) {}

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

    [[nodiscard]] State operator[](std::uint32_t number) const {
        if constexpr (is_packed) {
            return problem_->unpack(word(number));
        } else {
            return items_[number];
        }
    }
    [[nodiscard]] unsigned mark(std::uint32_t number) const {
        if constexpr (mark_bits > 0) {
            return static_cast<unsigned>(items_[number] >> word_bits);
        } else {
            return 0;
        }
    }

    [[nodiscard]] Key key(const State& state) const {
        const Word word = word_of(*problem_, state);
        if constexpr (is_packed) {
            return {word, static_cast<std::uint32_t>(mix_word(word))};
        } else {
            return {word, static_cast<std::uint32_t>(hash_state(*problem_, state))};
        }
    }
    void prefetch(const Key& key) const { index_.prefetch(key.hash); }

    [[nodiscard]] bool contains(const State& state, const Key& key) const {
        return size_ > 0 && place_of(state, key).is_taken();
    }

    /// True if the state was not there; else it gets the bits of this mark as well. Throws `std::bad_alloc`,
    /// and has not changed then.
    bool insert(const State& state, const Key& key, [[maybe_unused]] unsigned mark = 0) {
        index_.reserve(size_);
        const IndexPlace place = place_of(state, key);
        if (!place.is_taken()) {
            if constexpr (is_packed) {
                items_.reserve_next(size_);
                items_[size_] = key.word;
            } else {
                items_.push_back(state);
            }
            index_.put(place.slot, key.hash, size_++);
        }
        if constexpr (mark_bits > 0) {
            Word& there = items_[place.is_taken() ? place.number : size_ - 1];
            there = static_cast<Word>(there | static_cast<Word>(mark) << word_bits);
        }
        return !place.is_taken();
    }

    /// Gives back the index, and the memory of the words before a number but for the last of them. The others
    /// can only be read.
    void forget_before(std::uint32_t number) {
        index_ = NumberIndex(*budget_);
        items_.forget_before(number);
    }
    /// Gives the memory back.
    void clear() { *this = StateSet(*problem_, *budget_); }

private:
    static constexpr unsigned word_bits = 8 * sizeof(Word) - mark_bits;
    using Items =
        std::conditional_t<is_packed, ChunkSequence<Word>, std::vector<State, BudgetAllocator<State>>>;
    using Memory = std::conditional_t<is_packed, MemoryBudget&, BudgetAllocator<State>>;

    Word word(std::uint32_t number) const {
        return static_cast<Word>(items_[number] & static_cast<Word>(~Word{0}) >> mark_bits);
    }
    NPUZZLE_ALWAYS_INLINE IndexPlace place_of([[maybe_unused]] const State& state, const Key& key) const {
        return index_.find(key.hash, [&](std::uint32_t i) {
            if constexpr (is_packed) {
                return word(i) == key.word;
            } else {
                return is_equal(items_[i], state);
            }
        });
    }

    const P* problem_;
    MemoryBudget* budget_;
    Items items_;
    NumberIndex index_;
    std::uint32_t size_ = 0;
};

} // namespace npuzzle::detail
