#pragma once

#include "npuzzle/search/node_table/state_set.hpp"
#include "npuzzle/search/node_table/word_sequence.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// \file
/// The layers of a breadth-first search: which states are kept, and whether a neighbor is new.

namespace npuzzle::detail {

/// How many bits of a word mark moves: one for each move, where there is room; else none.
template <class P>
inline constexpr unsigned marked_moves = 0;

template <class P>
    requires MoveProblem<P> && has_word_bits<P> && HasMoveCount<P> &&
                 (P::word_bits + P::move_count <= 8 * sizeof(packed_t<P>)) && (P::move_count <= 16)
inline constexpr unsigned marked_moves<P> = P::move_count;

/// A state on its way, and the moves that are known to lead back from it, a bit each.
template <class State>
struct MarkedState {
    State state;
    std::uint16_t marks = 0;
};

/// How searches by layers keep states: states of any type, in sets of states.
template <Problem P>
struct LayerStorage {
    using State = state_t<P>;
    using Item = State;
    using Set = StateSet<P>;

    static const Item& pack(const P& /*problem*/, const State& state) { return state; }
    static const State& unpack(const P& /*problem*/, const Item& item) { return item; }

    static Set make(const P& problem, MemoryBudget& budget) { return Set(problem, budget); }
    static void prefetch(const Set& /*states*/, const Item& /*item*/) {}
    static bool contains(const Set& states, const Item& item) { return states.contains(item); }
    static bool insert(Set& states, const Item& item, unsigned /*marks*/) { return states.insert(item); }
    static MarkedState<State> at(const P& /*problem*/, const Set& states, std::uint64_t i) {
        return {states[i]};
    }

    static void forget_index(Set& /*states*/) {}
    static void forget_before(Set& /*states*/, std::uint64_t /*i*/) {}
};

/// States that fit a word, in sets of words.
template <PackedProblem P>
struct LayerStorage<P> {
    using State = state_t<P>;
    using Item = packed_t<P>;
    using Set = WordSequence<Item, marked_moves<P>>;

    static Item pack(const P& problem, const State& state) { return problem.pack(state); }
    static State unpack(const P& problem, const Item& item) { return problem.unpack(item); }

    static Set make(const P& /*problem*/, MemoryBudget& budget) { return Set(budget); }
    static void prefetch(const Set& words, Item word) {
        if (words.size() > 0) {
            words.prefetch(Set::hash(word));
        }
    }
    static bool contains(const Set& words, Item word) { return words.contains(word, Set::hash(word)); }
    static bool insert(Set& words, Item word, unsigned marks) {
        return words.template insert<true>(word, Set::hash(word), marks);
    }
    static MarkedState<State> at(const P& problem, const Set& words, std::uint64_t i) {
        const auto number = static_cast<std::uint32_t>(i);
        return {problem.unpack(words.word(number)), static_cast<std::uint16_t>(words.mark(number))};
    }

    static void forget_index(Set& words) { words.forget_index(); }
    static void forget_before(Set& words, std::uint64_t i) {
        words.forget_before(static_cast<std::uint32_t>(i));
    }
};

/// The last layers of an undirected space. A neighbor of a state of depth d has depth d - 1, d or d + 1: if
/// it is in neither of the last two layers, it belongs to the next one.
///
/// Where a word has room for a mark for each move, a state marks the moves that lead back. Marked moves are
/// not made, so the layer before need not be kept (Korf's "used operators"). This requires that two moves
/// between the same states have different inverses. If the problem `is_bipartite`, no neighbor is in the layer
/// of the state either: then that layer is only read, and given back as that goes on.
template <Problem P>
class LastLayers {
    using Storage = LayerStorage<P>;
    using Set = typename Storage::Set;

public:
    using State = state_t<P>;

    LastLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), marks_(can_mark(problem)), before_(Storage::make(problem, budget)),
          current_(Storage::make(problem, budget)), next_(Storage::make(problem, budget)) {}

    void start(const State& state) { Storage::insert(current_, Storage::pack(*problem_, state), 0); }

    void prefetch(const State& state) const {
        const auto& item = Storage::pack(*problem_, state);
        if (!marks_) {
            Storage::prefetch(before_, item);
        }
        if constexpr (!is_bipartite<P>) {
            Storage::prefetch(current_, item);
        }
        Storage::prefetch(next_, item);
    }

    /// Puts a neighbor of the current layer into the next; false if it was reached before.
    bool add(const MarkedState<State>& neighbor) {
        const auto& item = Storage::pack(*problem_, neighbor.state);
        if ((!marks_ && Storage::contains(before_, item)) ||
            (!is_bipartite<P> && Storage::contains(current_, item))) {
            return false;
        }
        return Storage::insert(next_, item, marks_ ? neighbor.marks : 0U);
    }

    /// Whether a state is in the current layer.
    [[nodiscard]] bool contains(const State& state) const {
        return Storage::contains(current_, Storage::pack(*problem_, state));
    }

    /// The next state of the current layer, if there is one more.
    std::optional<MarkedState<State>> take() {
        if (taken_ == current_.size()) {
            return std::nullopt;
        }
        if (only_reads_current() && taken_ % 1024 == 0) {
            if (taken_ == 0) {
                Storage::forget_index(current_);
            }
            Storage::forget_before(current_, taken_);
        }
        return Storage::at(*problem_, current_, taken_++);
    }

    /// The next layer becomes the current one.
    void advance() {
        before_.clear();
        if (!marks_) {
            std::swap(before_, current_);
        }
        current_.clear();
        std::swap(current_, next_);
        taken_ = 0;
    }

    /// Keeps the current layer and nothing else.
    void keep_current() {
        before_.clear();
        next_.clear();
    }

    /// Gives the memory back.
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
    [[nodiscard]] bool only_reads_current() const { return is_bipartite<P> && marks_; }

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
    Set before_;
    Set current_;
    Set next_;
    std::uint64_t taken_ = 0; // the next state of the current layer
};

/// A set of the states of a problem that numbers them: one bit for each number.
template <IndexedProblem P>
class IndexBits {
public:
    IndexBits(const P& problem, MemoryBudget& budget) : problem_(&problem), words_(budget) {}

    bool insert(const state_t<P>& state) {
        if (words_.size() == 0) {
            words_.grow_zeroed(static_cast<std::size_t>(problem_->size()) / 64 + 1);
        }
        const auto number = static_cast<std::size_t>(problem_->index(state));
        std::uint64_t& word = words_[number / 64];
        const std::uint64_t bit = std::uint64_t{1} << (number % 64);
        const bool is_new = (word & bit) == 0;
        word |= bit;
        return is_new;
    }

private:
    const P* problem_;
    Storage<std::uint64_t> words_;
};

/// All layers of any space: the states in the order in which they were reached.
template <Problem P>
class AllLayers {
    using Storage = LayerStorage<P>;

public:
    using State = state_t<P>;

    AllLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), reached_(Storage::make(problem, budget)) {}

    void start(const State& state) {
        add({state});
        advance();
    }

    void prefetch(const State& state) const { Storage::prefetch(reached_, Storage::pack(*problem_, state)); }

    bool add(const MarkedState<State>& neighbor) {
        return Storage::insert(reached_, Storage::pack(*problem_, neighbor.state), 0);
    }

    std::optional<MarkedState<State>> take() {
        if (taken_ == end_) {
            return std::nullopt;
        }
        return Storage::at(*problem_, reached_, taken_++);
    }

    void advance() {
        begin_ = end_;
        taken_ = begin_;
        end_ = reached_.size();
    }

    [[nodiscard]] std::uint64_t current_size() const noexcept { return end_ - begin_; }
    [[nodiscard]] std::uint64_t next_size() const noexcept { return reached_.size() - end_; }
    [[nodiscard]] std::uint64_t stored() const noexcept { return reached_.size(); }

private:
    const P* problem_;
    typename Storage::Set reached_;
    std::uint64_t begin_ = 0; // of the current layer
    std::uint64_t taken_ = 0; // the next state of it
    std::uint64_t end_ = 0;
};

/// The same where the problem numbers its states: a bit for each, and two layers as lists.
template <IndexedProblem P>
class AllLayers<P> {
    using Storage = LayerStorage<P>;
    using List = std::vector<typename Storage::Item, BudgetAllocator<typename Storage::Item>>;

public:
    using State = state_t<P>;

    AllLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), bits_(problem, budget),
          current_(BudgetAllocator<typename Storage::Item>(budget)), next_(current_) {}

    void start(const State& state) {
        add({state});
        advance();
    }

    void prefetch(const State& /*state*/) const {}

    bool add(const MarkedState<State>& neighbor) {
        const bool is_new = bits_.insert(neighbor.state);
        if (is_new) {
            next_.push_back(Storage::pack(*problem_, neighbor.state));
            ++stored_;
        }
        return is_new;
    }

    std::optional<MarkedState<State>> take() {
        if (taken_ == current_.size()) {
            return std::nullopt;
        }
        return MarkedState<State>{Storage::unpack(*problem_, current_[taken_++])};
    }

    void advance() {
        current_.clear();
        std::swap(current_, next_);
        taken_ = 0;
    }

    [[nodiscard]] std::uint64_t current_size() const noexcept { return current_.size(); }
    [[nodiscard]] std::uint64_t next_size() const noexcept { return next_.size(); }
    [[nodiscard]] std::uint64_t stored() const noexcept { return stored_; }

private:
    const P* problem_;
    IndexBits<P> bits_;
    std::uint64_t stored_ = 0;
    List current_;
    List next_;
    std::size_t taken_ = 0; // the next state of the current layer
};

} // namespace npuzzle::detail
