#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/core/word.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"

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
///
/// \tparam mark_bits so many of a word's leading bits, which must be 0, hold marks that each word has
template <UnsignedWord Word, unsigned mark_bits = 0>
class WordSet {
public:
    explicit WordSet(MemoryBudget& budget) : budget_(&budget) {
        for (Part& part : parts_) {
            part.slots = Storage<Word>(budget);
        }
    }

    std::uint64_t size() const { return size_; }

    void prefetch(Word word) const {
        const std::uint64_t hash = mix_word(word);
        const Part& part = parts_[part_of(hash)];
        if (part.slots.size() > 0) {
            detail::prefetch(part.slots.data() + home(hash, part.slots.size()));
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

    /// True if it was not there. The marks are added to those that it has. Throws `std::bad_alloc`, and has not changed then.
    bool insert(Word word, unsigned marks = 0) {
        if (word == 0) {
            size_ += has_zero_ ? 0 : 1;
            zero_marks_ |= marks;
            return !std::exchange(has_zero_, true);
        }
        const std::uint64_t hash = mix_word(word);
        Part& part = parts_[part_of(hash)];
        if (part.words * 4 >= part.slots.size() * 3) {
            grow(part);
        }
        Word& slot = part.slots[find(part.slots, hash, word)];
        const bool is_new = slot == 0;
        part.words += is_new ? 1 : 0;
        size_ += is_new ? 1 : 0;
        if constexpr (mark_bits > 0) {
            slot = static_cast<Word>(slot | word | static_cast<Word>(marks) << word_bits);
        } else {
            slot = word;
        }
        return is_new;
    }

    /// Gives the memory back.
    void clear() { *this = WordSet(*budget_); }

    /// Where a walk through the set is.
    struct Cursor {
        std::size_t part = 0;
        std::size_t slot = 0;
        bool has_begun = false;
    };

    struct Item {
        Word word;
        unsigned marks;
    };

    /// The next word of a walk, if there is one more. The set must not change meanwhile.
    std::optional<Item> next(Cursor& cursor) const {
        if (!std::exchange(cursor.has_begun, true) && has_zero_) {
            return Item{0, zero_marks_};
        }
        for (; cursor.part < parts_.size(); ++cursor.part, cursor.slot = 0) {
            const Storage<Word>& slots = parts_[cursor.part].slots;
            while (cursor.slot < slots.size()) {
                if (const Word slot = slots[cursor.slot++]; slot != 0) {
                    return Item{without_marks(slot), marks_of(slot)};
                }
            }
        }
        return std::nullopt;
    }

private:
    static constexpr unsigned part_bits = 4;
    static constexpr unsigned word_bits = 8 * sizeof(Word) - mark_bits;

    struct Part {
        Storage<Word> slots; ///< 0: free
        std::size_t words = 0;
    };

    static Word without_marks(Word slot) {
        if constexpr (mark_bits > 0) {
            return static_cast<Word>(slot & ((Word{1} << word_bits) - 1));
        } else {
            return slot;
        }
    }

    static unsigned marks_of(Word slot) {
        if constexpr (mark_bits > 0) {
            return static_cast<unsigned>(slot >> word_bits);
        } else {
            return 0;
        }
    }

    static std::size_t part_of(std::uint64_t hash) {
        return static_cast<std::size_t>(hash >> (64 - part_bits));
    }

    static std::size_t home(std::uint64_t hash, std::size_t slots) {
        return static_cast<std::size_t>((hash << part_bits >> 32) * slots >> 32);
    }

    /// The slot that holds the word, or where it belongs.
    static std::size_t find(const Storage<Word>& slots, std::uint64_t hash, Word word) {
        std::size_t slot = home(hash, slots.size());
        while (slots[slot] != 0 && without_marks(slots[slot]) != word) {
            slot = slot + 1 == slots.size() ? 0 : slot + 1;
        }
        return slot;
    }

    NPUZZLE_NOINLINE void grow(Part& part) {
        const std::size_t old = part.slots.size();
        if (old > std::size_t{1} << 31) {
            throw std::bad_alloc();
        }
        Storage<Word> larger(*budget_);
        larger.grow_zeroed(old == 0 ? 16 : old + old / 2);
        for (std::size_t i = 0; i < old; ++i) {
            if (const Word slot = part.slots[i]; slot != 0) {
                const Word word = without_marks(slot);
                larger[find(larger, mix_word(word), word)] = slot;
            }
        }
        part.slots = std::move(larger);
    }

    std::array<Part, std::size_t{1} << part_bits> parts_;
    std::uint64_t size_ = 0;
    MemoryBudget* budget_;
    unsigned zero_marks_ = 0;
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

    NPUZZLE_NOINLINE void grow() {
        const std::size_t slots = index_.size() == 0 ? 16 : 2 * index_.size();
        if (slots > std::uint64_t{1} << 32) {
            throw std::bad_alloc();
        }
        Storage<std::uint32_t> larger(*budget_);
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
    Storage<std::uint32_t> index_;
};

/// Whether a word has room for a mark for each move.
template <class P>
inline constexpr unsigned marked_moves = 0;

template <class P>
    requires MoveProblem<P> && HasWordBits<P> && HasMoveCount<P> &&
                 (P::word_bits + P::move_count <= 8 * sizeof(packed_t<P>)) && (P::move_count <= 16)
inline constexpr unsigned marked_moves<P> = P::move_count;

/// A state on its way, and the moves that are known to lead back from it, a bit each.
template <class State>
struct MarkedState {
    State state;
    unsigned marks;
};

/// A layer as a set, in which it can be asked for a state.
template <Problem P>
class LayerSet {
    static constexpr bool is_packed = PackedProblem<P>;

    static auto choose() {
        if constexpr (is_packed) {
            return std::type_identity<WordSet<packed_t<P>, marked_moves<P>>>{};
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

    bool insert(const State& state, unsigned marks = 0) {
        if constexpr (is_packed) {
            return set_.insert(problem_->pack(state), marks);
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
    std::optional<MarkedState<State>> next(Cursor& cursor) const {
        if constexpr (is_packed) {
            if (const auto item = set_.next(cursor.place_)) {
                return MarkedState<State>{problem_->unpack(item->word), item->marks};
            }
        } else {
            if (cursor.place_.value < set_.size()) {
                return MarkedState<State>{set_[cursor.place_.value++], 0};
            }
        }
        return std::nullopt;
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

    std::optional<MarkedState<State>> next(Cursor& cursor) const {
        if (cursor.value == items_.size()) {
            return std::nullopt;
        }
        if constexpr (is_packed) {
            return MarkedState<State>{problem_->unpack(items_[cursor.value++]), 0};
        } else {
            return MarkedState<State>{items_[cursor.value++], 0};
        }
    }

private:
    const P* problem_;
    std::vector<Item, BudgetAllocator<Item>> items_;
};

/// Of a space in which every step can be gone back, the last layers only: a neighbour of a state of depth d has depth d - 1, d
/// or d + 1, so that whoever is in none of the two last layers belongs to the next.
///
/// Where a word has room for a mark for each move, those that lead back to the layer before are marked when a state is
/// reached, and not made: then that layer need not be kept (Korf's "used operators"). Two moves between the same states
/// must each be taken back by one of its own for that; else the layer is kept.
template <Problem P>
class LastLayers {
public:
    using State = state_t<P>;
    using Cursor = typename LayerSet<P>::Cursor;

    LastLayers(const P& problem, MemoryBudget& budget)
        : marks_(can_mark(problem)), before_(problem, budget), current_(problem, budget),
          next_(problem, budget) {}

    void start(const State& state) { current_.insert(state); }

    void prefetch(const State& state) const {
        if (!marks_) {
            before_.prefetch(state);
        }
        current_.prefetch(state);
        next_.prefetch(state);
    }

    /// Puts a neighbour of the current layer into the next; false if it has been met before.
    bool add(const MarkedState<State>& neighbor) {
        return (marks_ || !before_.contains(neighbor.state)) && !current_.contains(neighbor.state) &&
               next_.insert(neighbor.state, marks_ ? neighbor.marks : 0);
    }

    std::optional<MarkedState<State>> take(Cursor& cursor) const { return current_.next(cursor); }

    /// The next layer becomes the current one.
    void advance() {
        before_.clear();
        if (!marks_) {
            std::swap(before_, current_);
        }
        current_.clear();
        std::swap(current_, next_);
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
    }

    const LayerSet<P>& current() const { return current_; }
    std::uint64_t current_size() const { return current_.size(); }
    std::uint64_t next_size() const { return next_.size(); }
    std::uint64_t stored() const { return before_.size() + current_.size() + next_.size(); }

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

    bool marks_;
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
    Storage<std::uint64_t> words_;
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

    bool add(const MarkedState<State>& neighbor) {
        const bool is_new = seen_.insert(neighbor.state);
        if (is_new) {
            next_.push_back(neighbor.state);
        }
        return is_new;
    }

    std::optional<MarkedState<State>> take(Cursor& cursor) const { return current_.next(cursor); }

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
            const std::optional<MarkedState<State>> taken = layers_.take(cursor_);
            if (!taken) {
                return end_with(Status::unsolvable, visit);
            }
            if (monitor_->is_due(statistics_->expanded)) {
                const Status limit = monitor_->check(statistics_->expanded);
                if (limit != Status::running) {
                    return end_with(limit, visit);
                }
                Statistics now = *statistics_;
                now.seconds = monitor_->seconds();
                observer_->progress(now);
            }
            ++statistics_->expanded;
            if constexpr (is_watched) {
                observer_->expand(Node{taken->state, depth_, 0, depth_});
            }
            for_each_neighbor(*taken, [&](const State& state, unsigned marks) {
                ++statistics_->generated;
                if constexpr (is_watched) {
                    observer_->generate(Node{state, depth_ + 1, 0, depth_ + 1},
                                        Node{taken->state, depth_, 0, depth_});
                    found_ = found_ || add({state, marks}, visit);
                } else {
                    layers_.prefetch(state);
                    pending_.push_back({state, marks});
                }
            });
            if (found_) {
                return Status::solved;
            }
        }
        return end_with(Status::running, visit);
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
    Status end_with(Status status, Visit& visit) {
        for (const MarkedState<State>& neighbor : pending_) {
            if (add(neighbor, visit)) {
                return Status::solved;
            }
        }
        return status;
    }

    template <class Visit>
    bool add(const MarkedState<State>& neighbor, Visit& visit) {
        if (layers_.add(neighbor)) {
            return visit(neighbor.state);
        }
        ++statistics_->duplicates;
        if constexpr (is_watched) {
            observer_->duplicate(Node{neighbor.state, depth_ + 1, 0, depth_ + 1});
        }
        return false;
    }

    /// Calls `visit(neighbor, marks)`, by all moves but those that are marked.
    template <class F>
    void for_each_neighbor(const MarkedState<State>& from, F&& visit) const {
        if constexpr (detail::has_moves<P>) {
            problem_->for_each_move(from.state, P::no_move, [&](const auto& move) {
                unsigned back = 0;
                if constexpr (marked_moves<P> > 0) {
                    if ((from.marks >> static_cast<unsigned>(move) & 1U) != 0) {
                        return;
                    }
                    back = 1U << static_cast<unsigned>(problem_->inverse(move));
                }
                State child = from.state;
                problem_->apply(child, move);
                visit(child, back);
            });
        } else {
            for (auto&& neighbor : problem_->neighbors(from.state)) {
                if constexpr (is_weighted<P>) {
                    visit(neighbor.to, 0);
                } else {
                    visit(neighbor, 0);
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
    std::vector<MarkedState<State>> pending_;
    int depth_ = 0;
    bool found_ = false;
};

/// Appends the moves that lead along the path of a result, where the problem has moves.
template <class P, class Result>
void append_moves([[maybe_unused]] const P& problem, [[maybe_unused]] Result& result) {
    if constexpr (detail::has_moves<P>) {
        for (std::size_t i = 0; i + 1 < result.path.size(); ++i) {
            move_t<P> taken = P::no_move;
            problem.for_each_move(result.path[i], P::no_move, [&](const move_t<P>& move) {
                state_t<P> next = result.path[i];
                problem.apply(next, move);
                if (is_equal(next, result.path[i + 1])) {
                    taken = move;
                }
            });
            result.moves.push_back(taken);
        }
    }
}

/// How many states are expanded before their neighbours are looked up: the memory that is asked for meanwhile arrives.
inline constexpr unsigned layer_batch = 16;

/// The deepest layer that limits allow to be made. Where it is inlined, g++ 12 takes the value of an empty optional for one
/// that is read without having been set.
NPUZZLE_NOINLINE inline int max_layer(const BasicLimits<int>& limits) {
    return limits.max_cost.value_or(std::numeric_limits<int>::max());
}

} // namespace npuzzle::detail
