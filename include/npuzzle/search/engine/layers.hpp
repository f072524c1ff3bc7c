#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/state_set.hpp"
#include "npuzzle/search/node_table/word_sequence.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// \file
/// The layers of a breadth-first search: which states are kept, and whether a neighbor is new. All have
///
/// - `start(state)`, and `take()`: the next state of the current layer, if there is one more
/// - `for_each_child(taken, visit)`, which calls `visit(child, mark)` for the neighbors of a state, but for
///   some that are known to be old; the mark goes with the child
/// - `key(state)`, by which a state is looked up, and `prefetch(key)`
/// - `add(state, key, mark, parent)`, which puts a state into the next layer; false if it was reached before.
///   Children are added in the order of their parents
/// - `advance()`: the next layer becomes the current one
/// - `current_size()`, `next_size()`, `stored()`

namespace npuzzle::detail {

/// A state that is taken from its layer.
template <class State>
struct LayerState {
    State state;
    unsigned mark = 0;
    std::uint32_t number = 0; // of all states, where all are kept
};

/// A hash set of states that keeps their order.
/// \tparam mark_bits how many bits of a mark are kept with each state
template <Problem P, unsigned mark_bits>
class LayerStates : public StateSet<P> {
public:
    using State = state_t<P>;
    struct Key {};

    using StateSet<P>::StateSet;

    [[nodiscard]] static Key key(const State& /*state*/) { return {}; }
    static void prefetch(Key /*key*/) {}
    [[nodiscard]] bool contains(const State& state, Key /*key*/) const {
        return StateSet<P>::contains(state);
    }
    bool insert(const State& state, Key /*key*/, unsigned /*mark*/) { return StateSet<P>::insert(state); }
    [[nodiscard]] LayerState<State> at(std::uint32_t number) const { return {(*this)[number], 0, number}; }

    void forget_index() {}
    void forget_before(std::uint32_t /*number*/) {}
};

/// The same of states that fit a word.
template <PackedProblem P, unsigned mark_bits>
class LayerStates<P, mark_bits> : public WordSequence<packed_t<P>, mark_bits> {
    using Words = WordSequence<packed_t<P>, mark_bits>;

public:
    using State = state_t<P>;
    struct Key {
        packed_t<P> word;
        std::uint64_t hash;
    };

    LayerStates(const P& problem, MemoryBudget& budget) : Words(budget), problem_(&problem) {}

    [[nodiscard]] Key key(const State& state) const {
        const packed_t<P> word = problem_->pack(state);
        return {word, Words::hash(word)};
    }
    void prefetch(const Key& key) const {
        if (this->size() > 0) {
            Words::prefetch(key.hash);
        }
    }
    [[nodiscard]] bool contains(const State& /*state*/, const Key& key) const {
        return Words::contains(key.word, key.hash);
    }
    bool insert(const State& /*state*/, const Key& key, unsigned mark) {
        return Words::template insert<true>(key.word, key.hash, mark);
    }
    [[nodiscard]] LayerState<State> at(std::uint32_t number) const {
        return {problem_->unpack(this->word(number)), this->mark(number), number};
    }

private:
    const P* problem_;
};

/// How many bits of a word mark moves: one for each move, where there is room; else none.
template <class P>
inline constexpr unsigned marked_moves = 0;

template <class P>
    requires MoveProblem<P> && has_word_bits<P> && has_move_count<P> &&
                 (P::word_bits + P::move_count <= 8 * sizeof(packed_t<P>)) && (P::move_count <= 16)
inline constexpr unsigned marked_moves<P> = P::move_count;

/// The last layers of an undirected space. A neighbor of a state of depth d has depth d - 1, d or d + 1: if
/// it is in neither of the last two layers, it belongs to the next one.
///
/// Where a word has room for a mark for each move, a state marks the moves that lead back. Marked moves are
/// not made, so the layer before need not be kept (Korf's "used operators"). This requires that two moves
/// between the same states have different inverses. If the problem `is_bipartite`, no neighbor is in the layer
/// of the state either: then that layer is only read, and given back as that goes on.
template <Problem P>
class LastLayers {
    using States = LayerStates<P, marked_moves<P>>;

public:
    using State = state_t<P>;
    using Key = typename States::Key;
    static constexpr bool keeps_all = false;

    LastLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), marks_(can_mark(problem)), before_(problem, budget), current_(problem, budget),
          next_(problem, budget) {}

    void start(const State& state) { current_.insert(state, key(state), 0); }

    std::optional<LayerState<State>> take() {
        if (taken_ == current_.size()) {
            return std::nullopt;
        }
        if (is_bipartite<P> && marks_ && taken_ % 1024 == 0) {
            if (taken_ == 0) {
                current_.forget_index();
            }
            current_.forget_before(taken_);
        }
        return current_.at(taken_++);
    }

    template <class F>
    void for_each_child(const LayerState<State>& from, F&& visit) const {
        if constexpr (marked_moves<P> > 0) {
            problem_->for_each_move(from.state, P::no_move, [&](const auto& move) {
                if ((from.mark >> static_cast<unsigned>(move) & 1U) == 0) {
                    State child = from.state;
                    problem_->apply(child, move);
                    visit(std::move(child), 1U << static_cast<unsigned>(problem_->inverse(move)));
                }
            });
        } else {
            for_each_neighbor(*problem_, from.state,
                              [&](State&& child, const auto& /*step*/, const auto& /*move*/) {
                                  visit(std::move(child), 0U);
                              });
        }
    }

    [[nodiscard]] Key key(const State& state) const { return next_.key(state); }

    void prefetch(const Key& key) const {
        if (!marks_) {
            before_.prefetch(key);
        }
        if constexpr (!is_bipartite<P>) {
            current_.prefetch(key);
        }
        next_.prefetch(key);
    }

    bool add(const State& state, const Key& key, unsigned mark, std::uint32_t /*parent*/) {
        if ((!marks_ && before_.contains(state, key)) ||
            (!is_bipartite<P> && current_.contains(state, key))) {
            return false;
        }
        return next_.insert(state, key, marks_ ? mark : 0U);
    }

    void advance() {
        before_.clear();
        if (!marks_) {
            std::swap(before_, current_);
        }
        current_.clear();
        std::swap(current_, next_);
        taken_ = 0;
    }

    /// Whether a state is in the current layer.
    [[nodiscard]] bool contains(const State& state) const { return current_.contains(state, key(state)); }

    /// Keeps the current layer and nothing else.
    void keep_current() {
        before_.clear();
        next_.clear();
    }
    void clear() {
        keep_current();
        current_.clear();
        taken_ = 0;
    }

    [[nodiscard]] std::uint64_t current_size() const noexcept { return current_.size(); }
    [[nodiscard]] std::uint64_t next_size() const noexcept { return next_.size(); }
    [[nodiscard]] std::uint64_t stored() const noexcept {
        return before_.size() + current_.size() + next_.size();
    }

private:
    static bool can_mark([[maybe_unused]] const P& problem) {
        if constexpr (marked_moves<P> > 0) {
            for (unsigned i = 0; i < marked_moves<P>; ++i) {
                const auto move = static_cast<move_t<P>>(i);
                if (!(problem.inverse(problem.inverse(move)) == move)) {
                    return false;
                }
            }
            return true;
        } else {
            return false;
        }
    }

    const P* problem_;
    bool marks_;
    States before_;
    States current_;
    States next_;
    std::uint32_t taken_ = 0; // the next state of the current layer
};

/// All layers of any space: the states in the order in which they were reached. Of states that fit a word it
/// also keeps the parents, in two bits each.
template <Problem P>
class AllLayers {
    using States = LayerStates<P, 0>;
    static constexpr bool keeps_parents = PackedProblem<P>;

public:
    using State = state_t<P>;
    using Key = typename States::Key;
    static constexpr bool keeps_all = true;

    AllLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), states_(problem, budget), parents_(budget) {}

    void start(const State& state) {
        states_.insert(state, key(state), 0);
        end_ = 1;
    }

    std::optional<LayerState<State>> take() {
        if (taken_ == end_) {
            return std::nullopt;
        }
        return states_.at(taken_++);
    }

    template <class F>
    void for_each_child(const LayerState<State>& from, F&& visit) {
        std::optional<State> parent;
        if (keeps_parents && from.number > 0) {
            parent = states_.at(parents_.next(cursor_)).state;
        }
        for_each_neighbor(*problem_, from.state,
                          [&](State&& child, const auto& /*step*/, const auto& /*move*/) {
                              if (!parent || !is_equal(*parent, child)) {
                                  visit(std::move(child), 0U);
                              }
                          });
    }

    [[nodiscard]] Key key(const State& state) const { return states_.key(state); }
    void prefetch(const Key& key) const { states_.prefetch(key); }

    bool add(const State& state, const Key& key, unsigned mark, std::uint32_t parent) {
        const bool is_new = states_.insert(state, key, mark);
        if (keeps_parents && is_new) {
            parents_.push_back(parent);
        }
        return is_new;
    }

    void advance() {
        begin_ = end_;
        end_ = static_cast<std::uint32_t>(states_.size());
    }

    /// Appends the states from the start to the one with a number, and the moves between them.
    template <class Moves>
    void retrace(std::uint32_t end, std::vector<State>& path, Moves&& moves) const {
        auto cursor = parents_.last();
        for (std::uint32_t number = end; number > 0; number = parents_.back_to(number, cursor)) {
            path.push_back(states_.at(number).state);
        }
        path.push_back(states_.at(0).state);
        std::reverse(path.begin(), path.end());
        look_up_steps(*problem_, path, moves);
    }

    [[nodiscard]] std::uint64_t current_size() const noexcept { return end_ - begin_; }
    [[nodiscard]] std::uint64_t next_size() const noexcept { return states_.size() - end_; }
    [[nodiscard]] std::uint64_t stored() const noexcept { return states_.size(); }

private:
    const P* problem_;
    States states_;
    ParentBits<std::uint32_t> parents_;
    typename ParentBits<std::uint32_t>::Cursor cursor_; // at the next state
    std::uint32_t begin_ = 0;                           // of the current layer
    std::uint32_t taken_ = 0;                           // the next state of it
    std::uint32_t end_ = 0;
};

/// All layers of a space whose states have numbers that lead back to them: two bits for each number, and no
/// list of states (G. Cooperman, L. Finkelstein, "New methods for using Cayley graphs in interconnection
/// networks", 1992). The states of a large layer are found by going through all numbers; of a small one, for
/// which that would take long, are in a list, of an eighth of the array at most.
template <Problem P>
class NumberedLayers {
public:
    using State = state_t<P>;
    using Key = std::size_t;
    static constexpr bool keeps_all = false;

    NumberedLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), words_(budget), current_(BudgetAllocator<Key>(budget)), next_(current_) {}

    void start(const State& state) {
        words_.grow_zeroed(static_cast<std::size_t>(problem_->size()) / per_word + 1);
        add(state, key(state), 0, 0);
        advance();
    }

    std::optional<LayerState<State>> take() {
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
        const Key number = (taken_ - 1) * per_word + static_cast<unsigned>(std::countr_zero(left_)) / 2;
        left_ &= left_ - 1;
        return state_at(number);
    }

    template <class F>
    void for_each_child(const LayerState<State>& from, F&& visit) const {
        for_each_neighbor(
            *problem_, from.state,
            [&](State&& child, const auto& /*step*/, const auto& /*move*/) { visit(std::move(child), 0U); });
    }

    [[nodiscard]] Key key(const State& state) const { return static_cast<Key>(problem_->index(state)); }
    void prefetch(Key number) const { detail::prefetch(words_.data() + number / per_word); }

    bool add(const State& /*state*/, Key number, unsigned /*mark*/, std::uint32_t /*parent*/) {
        std::uint64_t& word = words_[number / per_word];
        const unsigned shift = 2 * static_cast<unsigned>(number % per_word);
        if ((word >> shift & in_next) != 0) {
            return false;
        }
        word |= in_next << shift;
        ++next_size_;
        ++stored_;
        if (is_listed(next_size_)) {
            next_.push_back(number);
        }
        return true;
    }

    void advance() {
        const auto change = [this](Key number, std::uint64_t bits) {
            words_[number / per_word] ^= bits << 2 * (number % per_word);
        };
        if (is_listed(current_size_) && is_listed(next_size_)) {
            for (const Key number : current_) {
                change(number, in_current ^ in_earlier);
            }
            for (const Key number : next_) {
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

    [[nodiscard]] std::optional<LayerState<State>> state_at(Key number) const {
        return LayerState<State>{problem_->state_at(number)};
    }
    /// To go through all numbers takes eight steps for each state of a larger layer, at most.
    [[nodiscard]] bool is_listed(std::uint64_t layer_size) const { return layer_size <= words_.size() / 8; }

    const P* problem_;
    Storage<std::uint64_t> words_;
    std::vector<Key, BudgetAllocator<Key>> current_; // a small layer; the first numbers of a large one
    std::vector<Key, BudgetAllocator<Key>> next_;
    std::uint64_t current_size_ = 0;
    std::uint64_t next_size_ = 0;
    std::uint64_t stored_ = 0;
    std::size_t taken_ = 0;  // how many numbers of the list, or how many words
    std::uint64_t left_ = 0; // a bit for each state of the last word that is to be taken
};

} // namespace npuzzle::detail
