#pragma once

#include "npuzzle/search/hash.hpp"
#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/node_table/line_storage.hpp"
#include "npuzzle/search/observer.hpp"
#include "npuzzle/search/problem.hpp"
#include "npuzzle/search/result.hpp"
#include "npuzzle/search/word.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// What searches by whole layers are made of: sets of states without anything else, and the expansion of a layer.

namespace npuzzle::detail {

/// A set of words, in the words and little more: open addressing with linear probing, from one half to three quarters full.
///
/// Words lie in the order of their hashes, so that growth goes through old and new memory from end to end; and in a few parts,
/// each of which grows on its own, so that never much lies there twice.
template <UnsignedWord Word>
class WordSet {
public:
    explicit WordSet(MemoryBudget& budget) {
        for (Part& part : parts_) {
            part.slots = LineStorage<Word>(budget);
        }
        budget_ = &budget;
    }

    std::uint64_t size() const { return size_; }

    void prefetch(Word word) const {
        const std::uint64_t hash = mix_word(word);
        const Part& part = parts_[part_of(hash)];
        if (part.slots.size() > 0) {
            __builtin_prefetch(part.slots.data() + home(hash, part.slots.size()));
        }
    }

    bool contains(Word word) const {
        if (word == 0) {
            return has_zero_;
        }
        const std::uint64_t hash = mix_word(word);
        const Part& part = parts_[part_of(hash)];
        return part.slots.size() > 0 && part.slots[find(part.slots, hash, word)] != 0;
    }

    /// True if it was not there. Throws `std::bad_alloc`, and has not changed then.
    bool insert(Word word) {
        if (word == 0) {
            size_ += has_zero_ ? 0 : 1;
            return !std::exchange(has_zero_, true);
        }
        const std::uint64_t hash = mix_word(word);
        Part& part = parts_[part_of(hash)];
        if (part.words * 4 >= part.slots.size() * 3) {
            grow(part);
        }
        Word& slot = part.slots[find(part.slots, hash, word)];
        if (slot != 0) {
            return false;
        }
        slot = word;
        ++part.words;
        ++size_;
        return true;
    }

    /// Gives the memory back.
    void clear() { *this = WordSet(*budget_); }

    /// Where a walk through the set is.
    struct Cursor {
        std::size_t part = 0;
        std::size_t slot = 0;
        bool has_begun = false;
    };

    /// The next word of a walk, if there is one more. The set must not change meanwhile.
    std::optional<Word> next(Cursor& cursor) const {
        if (!std::exchange(cursor.has_begun, true) && has_zero_) {
            return Word{0};
        }
        for (; cursor.part < parts_.size(); ++cursor.part, cursor.slot = 0) {
            const LineStorage<Word>& slots = parts_[cursor.part].slots;
            while (cursor.slot < slots.size()) {
                if (const Word word = slots[cursor.slot++]; word != 0) {
                    return word;
                }
            }
        }
        return std::nullopt;
    }

private:
    static constexpr unsigned part_bits = 4;

    struct Part {
        LineStorage<Word> slots; ///< 0: free
        std::size_t words = 0;
    };

    static std::size_t part_of(std::uint64_t hash) {
        return static_cast<std::size_t>(hash >> (64 - part_bits));
    }

    static std::size_t home(std::uint64_t hash, std::size_t slots) {
        return static_cast<std::size_t>((hash << part_bits >> 32) * slots >> 32);
    }

    /// The slot that holds the word, or where it belongs.
    static std::size_t find(const LineStorage<Word>& slots, std::uint64_t hash, Word word) {
        std::size_t slot = home(hash, slots.size());
        while (slots[slot] != 0 && slots[slot] != word) {
            slot = slot + 1 == slots.size() ? 0 : slot + 1;
        }
        return slot;
    }

    [[gnu::noinline]] void grow(Part& part) {
        const std::size_t old = part.slots.size();
        if (old > std::size_t{1} << 31) {
            throw std::bad_alloc();
        }
        LineStorage<Word> larger(*budget_);
        larger.grow_zeroed(old == 0 ? 16 : old + old / 2);
        for (std::size_t slot = 0; slot < old; ++slot) {
            if (const Word word = part.slots[slot]; word != 0) {
                larger[find(larger, mix_word(word), word)] = word;
            }
        }
        part.slots = std::move(larger);
    }

    std::array<Part, std::size_t{1} << part_bits> parts_;
    std::uint64_t size_ = 0;
    MemoryBudget* budget_ = nullptr;
    bool has_zero_ = false;
};

/// A set of any states that can be hashed, in the order in which they came.
template <Problem P>
    requires HasHash<P>
class StateSet {
public:
    using State = state_t<P>;

    StateSet(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), states_(BudgetAllocator<State>(budget)), index_(budget) {}

    std::uint64_t size() const { return states_.size(); }
    const State& operator[](std::size_t i) const { return states_[i]; }

    bool contains(const State& state) const {
        return index_.size() > 0 && index_[find(hash_state(*problem_, state), state)] != none;
    }

    /// True if it was not there. Throws `std::bad_alloc`, and has not changed then.
    bool insert(const State& state) {
        if (states_.size() * 4 >= index_.size() * 3) {
            grow();
        }
        std::uint32_t& number = index_[find(hash_state(*problem_, state), state)];
        if (number != none) {
            return false;
        }
        states_.push_back(state);
        number = static_cast<std::uint32_t>(states_.size() - 1);
        return true;
    }

    /// Gives the memory back.
    void clear() { *this = StateSet(*problem_, *budget_); }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    std::size_t find(std::size_t hash, const State& state) const {
        std::size_t slot = hash & (index_.size() - 1);
        while (index_[slot] != none && !is_equal(states_[index_[slot]], state)) {
            slot = (slot + 1) & (index_.size() - 1);
        }
        return slot;
    }

    [[gnu::noinline]] void grow() {
        const std::size_t slots = index_.size() == 0 ? 16 : 2 * index_.size();
        if (slots > std::size_t{1} << 32) {
            throw std::bad_alloc();
        }
        LineStorage<std::uint32_t> larger(*budget_);
        larger.grow(slots);
        for (std::size_t slot = 0; slot < slots; ++slot) {
            larger[slot] = none;
        }
        for (std::size_t i = 0; i < states_.size(); ++i) {
            std::size_t slot = hash_state(*problem_, states_[i]) & (slots - 1);
            while (larger[slot] != none) {
                slot = (slot + 1) & (slots - 1);
            }
            larger[slot] = static_cast<std::uint32_t>(i);
        }
        index_ = std::move(larger);
    }

    const P* problem_;
    MemoryBudget* budget_;
    std::vector<State, BudgetAllocator<State>> states_;
    LineStorage<std::uint32_t> index_;
};

/// A layer as a set, in which it can be asked for a state.
template <Problem P>
class LayerSet {
    static constexpr bool is_packed = PackedProblem<P>;

    static auto choose() {
        if constexpr (is_packed) {
            return std::type_identity<WordSet<packed_t<P>>>{};
        } else {
            return std::type_identity<StateSet<P>>{};
        }
    }
    using Set = typename decltype(choose())::type;

public:
    using State = state_t<P>;

    LayerSet(const P& problem, MemoryBudget& budget) : problem_(&problem), set_(make(problem, budget)) {}

    std::uint64_t size() const { return set_.size(); }
    void clear() { set_.clear(); }

    bool contains(const State& state) const {
        if constexpr (is_packed) {
            return set_.contains(problem_->pack(state));
        } else {
            return set_.contains(state);
        }
    }

    bool insert(const State& state) {
        if constexpr (is_packed) {
            return set_.insert(problem_->pack(state));
        } else {
            return set_.insert(state);
        }
    }

    void prefetch(const State& state) const {
        if constexpr (is_packed) {
            set_.prefetch(problem_->pack(state));
        }
    }

    class Cursor {
        friend LayerSet;
        struct Number {
            std::size_t value = 0;
        };
        static auto choose_place() {
            if constexpr (is_packed) {
                return typename Set::Cursor{};
            } else {
                return Number{};
            }
        }
        decltype(choose_place()) place_{};
    };

    /// The next state of a walk through the layer, if there is one more.
    std::optional<State> next(Cursor& cursor) const {
        if constexpr (is_packed) {
            const auto word = set_.next(cursor.place_);
            return word ? std::optional<State>(problem_->unpack(*word)) : std::nullopt;
        } else {
            return cursor.place_.value < set_.size() ? std::optional<State>(set_[cursor.place_.value++])
                                                     : std::nullopt;
        }
    }

private:
    static Set make(const P& problem, MemoryBudget& budget) {
        if constexpr (is_packed) {
            return Set(budget);
        } else {
            return Set(problem, budget);
        }
    }

    const P* problem_;
    Set set_;
};

/// A layer as a list.
template <Problem P>
class LayerList {
    static constexpr bool is_packed = PackedProblem<P>;

    static auto choose() {
        if constexpr (is_packed) {
            return std::type_identity<packed_t<P>>{};
        } else {
            return std::type_identity<state_t<P>>{};
        }
    }
    using Item = typename decltype(choose())::type;

public:
    using State = state_t<P>;
    struct Cursor {
        std::size_t value = 0;
    };

    LayerList(const P& problem, MemoryBudget& budget)
        : problem_(&problem), items_(BudgetAllocator<Item>(budget)) {}

    std::uint64_t size() const { return items_.size(); }
    void clear() { items_.clear(); }

    void push_back(const State& state) {
        if constexpr (is_packed) {
            items_.push_back(problem_->pack(state));
        } else {
            items_.push_back(state);
        }
    }

    std::optional<State> next(Cursor& cursor) const {
        if (cursor.value == items_.size()) {
            return std::nullopt;
        }
        if constexpr (is_packed) {
            return problem_->unpack(items_[cursor.value++]);
        } else {
            return items_[cursor.value++];
        }
    }

private:
    const P* problem_;
    std::vector<Item, BudgetAllocator<Item>> items_;
};

/// Of a space in which every step can be gone back, the last layers only: a neighbour of a state of depth d has depth d - 1, d
/// or d + 1, so that whoever is in none of the two last layers belongs to the next.
template <Problem P>
class LastLayers {
public:
    using State = state_t<P>;
    using Cursor = typename LayerSet<P>::Cursor;

    LastLayers(const P& problem, MemoryBudget& budget)
        : before_(problem, budget), current_(problem, budget), next_(problem, budget) {}

    void start(const State& state) { current_.insert(state); }

    void prefetch(const State& state) const {
        before_.prefetch(state);
        current_.prefetch(state);
        next_.prefetch(state);
    }

    /// Puts a neighbour of the current layer into the next; false if it has been met before.
    bool add(const State& state) {
        return !before_.contains(state) && !current_.contains(state) && next_.insert(state);
    }

    std::optional<State> take(Cursor& cursor) const { return current_.next(cursor); }

    /// The next layer becomes the current one.
    void advance() {
        before_.clear();
        std::swap(before_, current_);
        std::swap(current_, next_);
    }

    /// Keeps the current layer and nothing else.
    void keep_current() {
        before_.clear();
        next_.clear();
    }

    const LayerSet<P>& current() const { return current_; }
    std::uint64_t current_size() const { return current_.size(); }
    std::uint64_t next_size() const { return next_.size(); }
    std::uint64_t stored() const { return before_.size() + current_.size() + next_.size(); }

private:
    LayerSet<P> before_;
    LayerSet<P> current_;
    LayerSet<P> next_;
};

/// One bit for each state that a problem can number.
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
        size_ += is_new ? 1 : 0;
        return is_new;
    }

    void prefetch(const state_t<P>&) const {}
    std::uint64_t size() const { return size_; }

private:
    const P* problem_;
    LineStorage<std::uint64_t> words_;
    std::uint64_t size_ = 0;
};

/// Of any space: all states that have been met, as bits where they are numbered, and the last layers as lists.
template <Problem P>
class AllLayers {
    static auto choose() {
        if constexpr (IndexedProblem<P>) {
            return std::type_identity<IndexBits<P>>{};
        } else {
            return std::type_identity<LayerSet<P>>{};
        }
    }
    using Seen = typename decltype(choose())::type;

public:
    using State = state_t<P>;
    using Cursor = typename LayerList<P>::Cursor;

    AllLayers(const P& problem, MemoryBudget& budget)
        : seen_(problem, budget), current_(problem, budget), next_(problem, budget) {}

    void start(const State& state) {
        seen_.insert(state);
        current_.push_back(state);
    }

    void prefetch(const State& state) const { seen_.prefetch(state); }

    bool add(const State& state) {
        const bool is_new = seen_.insert(state);
        if (is_new) {
            next_.push_back(state);
        }
        return is_new;
    }

    std::optional<State> take(Cursor& cursor) const { return current_.next(cursor); }

    void advance() {
        current_.clear();
        std::swap(current_, next_);
    }

    std::uint64_t current_size() const { return current_.size(); }
    std::uint64_t next_size() const { return next_.size(); }
    std::uint64_t stored() const { return seen_.size(); }

private:
    Seen seen_;
    LayerList<P> current_;
    LayerList<P> next_;
};

/// A breadth-first search by layers, one expansion after another.
///
/// \tparam Layers `LastLayers<P>` or `AllLayers<P>`
template <Problem P, class Layers, class O>
class LayerSearch {
public:
    using State = state_t<P>;
    using Node = NodeView<State, int, int, int>;

    /// Refers to all of these.
    LayerSearch(const P& problem, O& observer, LimitMonitor& monitor, MemoryBudget& budget,
                Statistics& statistics)
        : problem_(&problem), observer_(&observer), monitor_(&monitor), statistics_(&statistics),
          layers_(problem, budget) {}

    void start(const State& state) {
        layers_.start(state);
        observer_->start(Node{state, 0, 0, 0});
    }

    /// The depth of the current layer.
    int depth() const { return depth_; }
    Layers& layers() { return layers_; }
    const Layers& layers() const { return layers_; }

    /// Expands up to `most` states of the current layer, fewer if a limit is reached, and calls `visit(state)` for each state that
    /// is new, until one call returns true. Returns what has happened: `running` if there may be more to expand, `solved` if
    /// a visit returned true, `unsolvable` if the layer is done; else the limit.
    template <class Visit>
    Status expand(unsigned most, Visit&& visit) {
        pending_.clear();
        for (unsigned i = 0; i < most; ++i) {
            const std::optional<State> state = layers_.take(cursor_);
            if (!state) {
                return settle(Status::unsolvable, visit);
            }
            if (monitor_->is_due(statistics_->expanded)) {
                const Status limit = monitor_->check(statistics_->expanded);
                if (limit != Status::running) {
                    return settle(limit, visit);
                }
                Statistics now = *statistics_;
                now.seconds = monitor_->seconds();
                observer_->progress(now);
            }
            ++statistics_->expanded;
            if constexpr (is_watched) {
                observer_->expand(Node{*state, depth_, 0, depth_});
            }
            for_each_neighbor(*state, [&](const State& neighbor) {
                ++statistics_->generated;
                if constexpr (is_watched) {
                    observer_->generate(Node{neighbor, depth_ + 1, 0, depth_ + 1},
                                        Node{*state, depth_, 0, depth_});
                    found_ = found_ || add(neighbor, visit);
                } else {
                    layers_.prefetch(neighbor);
                    pending_.push_back(neighbor);
                }
            });
            if (found_) {
                return Status::solved;
            }
        }
        return settle(Status::running, visit);
    }

    /// Goes to the next layer when the current one is done; false if there is none.
    bool advance() {
        statistics_->peak_open = statistics_->peak_open < layers_.current_size() + layers_.next_size()
                                     ? layers_.current_size() + layers_.next_size()
                                     : statistics_->peak_open;
        if (layers_.next_size() == 0) {
            return false;
        }
        layers_.advance();
        cursor_ = {};
        ++depth_;
        return true;
    }

private:
    static constexpr bool is_watched = !std::same_as<O, SilentObserver>;

    template <class Visit>
    Status settle(Status status, Visit& visit) {
        for (const State& state : pending_) {
            if (add(state, visit)) {
                return Status::solved;
            }
        }
        return status;
    }

    template <class Visit>
    bool add(const State& state, Visit& visit) {
        if (layers_.add(state)) {
            return visit(state);
        }
        ++statistics_->duplicates;
        if constexpr (is_watched) {
            observer_->duplicate(Node{state, depth_ + 1, 0, depth_ + 1});
        }
        return false;
    }

    template <class F>
    void for_each_neighbor(const State& state, F&& visit) const {
        if constexpr (MoveProblem<P>) {
            problem_->for_each_move(state, P::no_move, [&](const auto& move) {
                State child = state;
                problem_->apply(child, move);
                visit(child);
            });
        } else {
            for (auto&& neighbor : problem_->neighbors(state)) {
                if constexpr (is_weighted<P>) {
                    visit(neighbor.to);
                } else {
                    visit(neighbor);
                }
            }
        }
    }

    const P* problem_;
    O* observer_;
    LimitMonitor* monitor_;
    Statistics* statistics_;
    Layers layers_;
    typename Layers::Cursor cursor_{};
    std::vector<State> pending_;
    int depth_ = 0;
    bool found_ = false;
};

/// How many states are expanded before their neighbours are looked up: the memory that is asked for meanwhile arrives.
inline constexpr unsigned layer_batch = 16;

/// The deepest layer that limits allow to be made. Where it is inlined, g++ 12 takes the value of an empty optional for one
/// that is read without having been set.
[[gnu::noinline]] inline int deepest_layer(const BasicLimits<int>& limits) {
    return limits.max_cost.value_or(std::numeric_limits<int>::max());
}

} // namespace npuzzle::detail
