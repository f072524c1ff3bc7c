#pragma once

#include "npuzzle/search/kernel/layers.hpp"
#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// All layers of a space whose states have numbers that lead back to them: two bits for each number, and no
/// list of states (G. Cooperman, L. Finkelstein, "New methods for using Cayley graphs in interconnection
/// networks", 1992). The states of a large layer are found by going through all numbers; of a small one,
/// for which that would take long, are in a list.
template <NumberedProblem P>
class NumberedLayers {
public:
    using State = state_t<P>;

    NumberedLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), words_(budget), current_(BudgetAllocator<std::size_t>(budget)),
          next_(current_.get_allocator()) {}

    void start(const State& state) {
        words_.grow_zeroed(static_cast<std::size_t>(problem_->size()) / per_word + 1);
        add({state});
        advance();
    }

    void prefetch(const State& state) const { detail::prefetch(words_.data() + number_of(state) / per_word); }

    /// Puts a neighbor of the current layer into the next; false if it was reached before.
    bool add(const MarkedState<State>& neighbor) {
        const std::size_t number = number_of(neighbor.state);
        std::uint64_t& word = words_[number / per_word];
        const unsigned shift = 2 * static_cast<unsigned>(number % per_word);
        if ((word >> shift & in_next) != 0) {
            return false;
        }
        word |= in_next << shift;
        ++next_size_;
        ++stored_;
        if (next_size_ <= most_in_list()) {
            next_.push_back(number);
        }
        return true;
    }

    /// The next state of the current layer, if there is one more.
    std::optional<MarkedState<State>> take() {
        if (is_listed(current_size_)) {
            return taken_ < current_.size() ? state_at(current_[taken_++]) : std::nullopt;
        }
        while (left_ == 0) {
            if (taken_ == words_.size()) {
                return std::nullopt;
            }
            const std::uint64_t word = words_[taken_++];
            left_ = word >> 1 & ~word & lowest_bits;
        }
        const std::size_t number =
            (taken_ - 1) * per_word + static_cast<unsigned>(std::countr_zero(left_)) / 2;
        left_ &= left_ - 1;
        return state_at(number);
    }

    /// The next layer becomes the current one.
    void advance() {
        if (is_listed(current_size_) && is_listed(next_size_)) {
            for (const std::size_t number : current_) {
                change(number, in_current ^ in_earlier);
            }
            for (const std::size_t number : next_) {
                change(number, in_next ^ in_current);
            }
        } else {
            for (std::size_t i = 0; i < words_.size(); ++i) {
                const std::uint64_t lower = words_[i] & lowest_bits;
                const std::uint64_t upper = words_[i] >> 1 & lowest_bits;
                words_[i] = (upper & lower) << 1 | (upper ^ lower);
            }
        }
        current_.clear();
        std::swap(current_, next_);
        current_size_ = std::exchange(next_size_, 0);
        taken_ = 0;
        left_ = 0;
    }

    [[nodiscard]] std::uint64_t current_size() const noexcept { return current_size_; }
    [[nodiscard]] std::uint64_t next_size() const noexcept { return next_size_; }
    [[nodiscard]] std::uint64_t stored() const noexcept { return stored_; }

private:
    // What the two bits of a number say; zero: not reached. A layer later, the current one is an earlier one,
    // and the next one the current one.
    static constexpr std::uint64_t in_earlier = 1;
    static constexpr std::uint64_t in_current = 2;
    static constexpr std::uint64_t in_next = 3;

    static constexpr std::size_t per_word = 32;
    static constexpr std::uint64_t lowest_bits = 0x5555555555555555;

    [[nodiscard]] std::size_t number_of(const State& state) const {
        return static_cast<std::size_t>(problem_->index(state));
    }
    [[nodiscard]] std::optional<MarkedState<State>> state_at(std::size_t number) const {
        return MarkedState<State>{problem_->state_at(number)};
    }

    void change(std::size_t number, std::uint64_t bits) {
        words_[number / per_word] ^= bits << 2 * (number % per_word);
    }

    /// The lists take no more than an eighth of the array each. To go through it takes eight steps for each
    /// state at most.
    [[nodiscard]] std::uint64_t most_in_list() const { return words_.size() / 8; }
    [[nodiscard]] bool is_listed(std::uint64_t layer_size) const { return layer_size <= most_in_list(); }

    using List = std::vector<std::size_t, BudgetAllocator<std::size_t>>;

    const P* problem_;
    Storage<std::uint64_t> words_;
    List current_; // the numbers of a small layer, the first ones of a large one
    List next_;
    std::uint64_t current_size_ = 0;
    std::uint64_t next_size_ = 0;
    std::uint64_t stored_ = 0;
    std::size_t taken_ = 0;  // how many numbers of the list, or how many words
    std::uint64_t left_ = 0; // a bit for each state of the last word that is to be taken
};

} // namespace npuzzle::detail
