#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/state_set.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// \file
/// The states that `LayerSearch` remembers, to reach each of them once. There are three stores: `LastLayers`
/// for undirected problems, `AllLayers` for all others, and `NumberedLayers` where states have numbers.
///
/// A store has a current layer, from which states are taken, and a next one, to which their children are
/// added:
///
/// - `take()`: the next state of the current layer, or nothing if there is none left
/// - `is_parent(child)`: true if the state taken last is known to come from `child`
/// - `key(state)`: what finds a state; `prefetch(key)` requests its cache lines
/// - `add(state, key, link)`: puts a state into the next layer; false if it is known. Children are added in
///   the order of their parents
/// - `advance()`: the next layer becomes the current one
/// - `stored()`: how many states are held
/// - `keeps_all`: true if no state is ever forgotten
/// - `marks_moves`: true if the link of a state marks the moves that lead back

namespace npuzzle::detail {

/// A state taken from its layer.
template <class State>
struct LayerState {
    State state;
    /// `AllLayers`: its number, which is the link of its children. `LastLayers`: a bit for each move that
    /// leads back, of which a child's link is one.
    std::uint32_t link = 0;
};

/// How many bits of a word mark moves: one for each move, or none if they do not fit.
template <class P>
inline constexpr unsigned marked_moves = 0;

template <class P>
    requires MoveProblem<P> && has_word_bits<P> && has_move_count<P> &&
                 (P::word_bits + P::move_count <= 8 * sizeof(packed_t<P>)) && (P::move_count <= 16)
inline constexpr unsigned marked_moves<P> = P::move_count;

/// The last layers of an undirected space. A neighbor of a state of depth d has depth d - 1, d or d + 1: if
/// it is in neither of the last two layers, it belongs to the next one.
///
/// If a word has a spare bit for each move, a state marks the moves that lead back (Korf's "used operators").
/// The search does not make them, so the layer before is not kept. This requires that two moves between the
/// same states have different inverses. If the problem `is_bipartite`, no neighbor is in the current layer,
/// whose memory is freed while it is read.
template <Problem P>
class LastLayers {
    using States = StateSet<P, marked_moves<P>>;

public:
    using State = state_t<P>;
    using Key = typename States::Key;

    static constexpr bool keeps_all = false;
    static constexpr bool marks_moves = marked_moves<P> > 0;

    LastLayers(const P& problem, MemoryBudget& budget)
        : uses_marks_(has_distinct_inverses(problem)), before_(problem, budget), current_(problem, budget),
          next_(problem, budget) {}

    std::optional<LayerState<State>> take() {
        if (taken_ == current_.size()) return std::nullopt;
        if constexpr (is_bipartite<P> && marks_moves) {
            if (uses_marks_ && taken_ % 1024 == 0) current_.forget_before(taken_);
        }
        const std::uint32_t number = taken_++;
        return LayerState<State>{current_[number], current_.mark(number)};
    }

    bool is_parent(const State& /*state*/) const { return false; }
    Key key(const State& state) const { return next_.key(state); }
    void prefetch(const Key& key) const {
        if (!uses_marks_) before_.prefetch(key);
        if (!is_bipartite<P>) current_.prefetch(key);
        next_.prefetch(key);
    }

    bool add(const State& state, const Key& key, std::uint32_t mark) {
        if ((!uses_marks_ && before_.contains(state, key)) ||
            (!is_bipartite<P> && current_.contains(state, key))) {
            return false;
        }
        return next_.insert(state, key, uses_marks_ ? mark : 0U);
    }

    void advance() {
        if (!uses_marks_) std::swap(before_, current_);
        current_.clear();
        std::swap(current_, next_);
        taken_ = 0;
    }

    /// Whether a state is in the current layer.
    bool contains(const State& state) const { return current_.contains(state, key(state)); }
    /// Keeps the current layer and nothing else.
    void keep_current() {
        before_.clear();
        next_.clear();
    }
    void clear() {
        keep_current();
        current_.clear();
    }
    std::uint64_t stored() const noexcept {
        return std::uint64_t{before_.size()} + current_.size() + next_.size();
    }

private:
    static bool has_distinct_inverses([[maybe_unused]] const P& problem) {
        if constexpr (marks_moves) {
            for (unsigned i = 0; i < marked_moves<P>; ++i) {
                const auto move = static_cast<move_t<P>>(i);
                if (!(problem.inverse(problem.inverse(move)) == move)) return false;
            }
        }
        return marks_moves;
    }

    bool uses_marks_;
    States before_;
    States current_;
    States next_;
    std::uint32_t taken_ = 0; // the next state of the current layer
};

/// All layers of any space: the states in the order in which they were reached. The parents of packed states
/// are kept, too, in two bits each: a 0 for each state, and before it as many 1s in all as the number of its
/// parent. (Parents' numbers never fall from one state to the next.)
template <Problem P>
class AllLayers {
    using States = StateSet<P>;
    static constexpr bool keeps_parents = PackedProblem<P>;

public:
    using State = state_t<P>;
    using Key = typename States::Key;

    static constexpr bool keeps_all = true;
    static constexpr bool marks_moves = false;

    AllLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), states_(problem, budget), parents_(budget) {}

    std::optional<LayerState<State>> take() {
        if (taken_ == end_) return std::nullopt;
        if (keeps_parents) {
            while (parent_bit(std::uint64_t{parent_number_} + taken_) != 0) ++parent_number_;
            if (taken_ > 0) parent_.emplace(states_[parent_number_]);
        }
        const std::uint32_t number = taken_++;
        return LayerState<State>{states_[number], number};
    }
    bool is_parent(const State& state) const { return parent_ && is_equal(*parent_, state); }
    Key key(const State& state) const { return states_.key(state); }
    void prefetch(const Key& key) const { states_.prefetch(key); }

    bool add(const State& state, const Key& key, std::uint32_t parent) {
        const bool is_new = states_.insert(state, key);
        if (keeps_parents && is_new) {
            for (; last_parent_ < parent; ++last_parent_) push_back(1);
            push_back(0);
        }
        return is_new;
    }

    void advance() { end_ = states_.size(); }
    std::uint64_t stored() const noexcept { return states_.size(); }

    /// Appends the states from the start to the one with a number, and the moves between them. Linear in the
    /// number of states.
    template <class Moves>
    void retrace(std::uint32_t end, std::vector<State>& path, Moves&& moves) const {
        std::uint64_t bit = end_bit_;
        std::uint32_t parent = last_parent_; // the number of 1s before `bit`
        for (std::uint32_t number = end; number > 0; number = parent) {
            path.push_back(states_[number]);
            while (bit - parent > number) {
                if (bit % 64 == 0 && bit - parent > std::uint64_t{number} + 64) { // skip a whole word
                    bit -= 64;
                    parent -= static_cast<std::uint32_t>(std::popcount(parents_[bit / 64]));
                } else {
                    parent -= parent_bit(--bit);
                }
            }
        }
        path.push_back(states_[0]);
        std::reverse(path.begin(), path.end());
        look_up_steps(*problem_, path, moves);
    }

private:
    std::uint32_t parent_bit(std::uint64_t i) const { return parents_[i / 64] >> (i % 64) & 1; }
    void push_back(std::uint64_t bit) {
        if (end_bit_ % 64 == 0) {
            parents_.reserve_next(end_bit_ / 64);
            parents_[end_bit_ / 64] = 0;
        }
        parents_[end_bit_ / 64] |= bit << (end_bit_ % 64);
        ++end_bit_;
    }

    const P* problem_;
    States states_;
    ChunkSequence<std::uint64_t> parents_;
    std::uint64_t end_bit_ = 0;
    std::uint32_t last_parent_ = 0;
    std::uint32_t parent_number_ = 0; // of the state taken last
    std::optional<State> parent_;
    std::uint32_t taken_ = 0; // the next state of the current layer
    std::uint32_t end_ = 0;   // of the current layer
};

/// All layers of a `NumberedProblem`, in two bits for each number (G. Cooperman, L. Finkelstein, "New methods
/// for using Cayley graphs in interconnection networks", 1992). A large layer is found by a scan of all
/// numbers. A small one, for which a scan would take long, is in a list, of an eighth of the array at most.
template <Problem P>
class NumberedLayers {
public:
    using State = state_t<P>;
    using Key = std::size_t;

    static constexpr bool keeps_all = true;
    static constexpr bool marks_moves = false;

    NumberedLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), words_(budget), current_(budget), next_(budget) {
        words_.grow_zeroed(static_cast<std::size_t>(problem.size()) / per_word + 1);
    }

    std::optional<LayerState<State>> take() {
        Key number = 0;
        if (current_.size() <= most_listed()) {
            if (taken_ == current_.size()) return std::nullopt;
            number = current_[taken_++];
        } else {
            while (left_ == 0) {
                if (taken_ == words_.size()) return std::nullopt;
                const std::uint64_t differences = words_[taken_++] ^ lowest_bits * in_current_;
                left_ = ~(differences | differences >> 1) & lowest_bits;
            }
            number = (taken_ - 1) * per_word + static_cast<unsigned>(std::countr_zero(left_)) / 2;
            left_ &= left_ - 1;
        }
        words_[number / per_word] ^= (in_current_ ^ in_earlier) << 2 * (number % per_word);
        return LayerState<State>{problem_->state_at(number)};
    }
    bool is_parent(const State& /*state*/) const { return false; }
    Key key(const State& state) const { return static_cast<Key>(problem_->index(state)); }
    void prefetch(Key number) const { detail::prefetch(words_.data() + number / per_word); }

    bool add(const State& /*state*/, Key number, std::uint32_t /*link*/) {
        std::uint64_t& word = words_[number / per_word];
        const unsigned shift = 2 * static_cast<unsigned>(number % per_word);
        if ((word >> shift & 3) != 0) return false;
        word |= (in_current_ ^ 1) << shift;
        ++stored_;
        if (next_.size() <= most_listed()) next_.push_back(number);
        return true;
    }

    void advance() {
        in_current_ ^= 1;
        current_.clear();
        std::swap(current_, next_);
        taken_ = 0;
    }
    std::uint64_t stored() const noexcept { return stored_; }

private:
    static constexpr std::size_t per_word = 32;
    static constexpr std::uint64_t lowest_bits = 0x5555555555555555;
    // The two bits of a number are 0 if it is not reached, 1 if it was taken, and 2 or 3 if it is in the
    // current layer or the next: 2 and 3 change roles with each layer.
    static constexpr std::uint64_t in_earlier = 1;

    /// A scan for a larger layer takes at most eight steps for each of its states.
    std::size_t most_listed() const { return words_.size() / 8; }

    const P* problem_;
    Storage<std::uint64_t> words_;
    Storage<Key> current_; // a small layer, or the first numbers of a large one
    Storage<Key> next_;
    std::uint64_t in_current_ = 2;
    std::uint64_t stored_ = 0;
    std::size_t taken_ = 0;  // numbers of the list, or words
    std::uint64_t left_ = 0; // a bit for each state of the last word that is still to be taken
};

} // namespace npuzzle::detail
