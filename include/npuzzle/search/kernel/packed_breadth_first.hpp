#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/core/word.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/layers.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Breadth-first search for states that fit a word. The words in the order in which they were met are the queue, of which
/// nothing is ever removed, and what the search remembers, in one.

namespace npuzzle::detail {

/// Different words in the order in which they came, found again by an index of their numbers: open addressing with linear
/// probing, four bytes a slot. The bits that a number leaves free hold some of the word's hash, so that few words are looked
/// at in vain. Holds fewer than 2^32 words; one more than it can hold is a `std::bad_alloc`.
///
/// \tparam mark_bits so many of a word's leading bits, which must be 0, hold a mark
template <UnsignedWord Word, unsigned mark_bits>
class WordSequence {
public:
    explicit WordSequence(MemoryBudget& budget) : budget_(&budget), words_(budget), slots_(budget) {}

    std::uint32_t size() const { return size_; }

    Word word(std::uint32_t number) const { return without_mark(words_[number]); }

    unsigned mark(std::uint32_t number) const
        requires(mark_bits > 0)
    {
        return static_cast<unsigned>(words_[number] >> word_bits);
    }

    static std::uint64_t hash(Word word) { return mix_word(word); }

    /// Has the place fetched where a word of this hash is looked up.
    void prefetch(std::uint64_t hash) const { detail::prefetch(slots_.data() + home(hash)); }

    /// Has the word fetched that will be compared first. Worth while if the place has been fetched.
    void prefetch_word(std::uint64_t hash) const {
        if (slots_.size() > 0) {
            const std::uint32_t slot = slots_[home(hash)];
            if (slot != 0 && (slot & tag_mask_) == (hash & tag_mask_)) {
                detail::prefetch(&words_[number(slot)]);
            }
        }
    }

    /// True if it was not there.
    /// \param hash that of the word
    bool insert(Word word, std::uint64_t hash, unsigned mark = 0) {
        if (size_ == most_) {
            grow();
        }
        std::size_t i = home(hash);
        for (; slots_[i] != 0; i = i + 1 == slots_.size() ? 0 : i + 1) {
            if ((slots_[i] & tag_mask_) == (hash & tag_mask_) && this->word(number(slots_[i])) == word) {
                return false;
            }
        }
        words_.reserve_next(size_);
        if constexpr (mark_bits > 0) {
            word = static_cast<Word>(word | static_cast<Word>(mark) << word_bits);
        }
        words_[size_] = word;
        slots_[i] = (static_cast<std::uint32_t>(hash) & tag_mask_) | ++size_;
        return true;
    }

private:
    static constexpr unsigned word_bits = 8 * sizeof(Word) - mark_bits;

    static Word without_mark(Word word) {
        if constexpr (mark_bits > 0) {
            return static_cast<Word>(word & ((Word{1} << word_bits) - 1));
        } else {
            return word;
        }
    }

    std::uint32_t number(std::uint32_t slot) const { return (slot & ~tag_mask_) - 1; }

    std::size_t home(std::uint64_t hash) const {
        return static_cast<std::size_t>((hash >> 32) * slots_.size() >> 32);
    }

    /// The index is made anew from the words, so that never two lie there.
    NPUZZLE_NOINLINE void grow() {
        constexpr std::uint64_t max_slots = std::uint64_t{1} << 32;
        const std::size_t old = slots_.size();
        if (old == max_slots) {
            throw std::bad_alloc();
        }
        slots_ = Storage<std::uint32_t>(*budget_);
        slots_.grow_zeroed(old == 0 ? 32 : 2 * old);
        most_ = static_cast<std::uint32_t>(slots_.size() / 20 * 17);
        const auto number_bits = static_cast<unsigned>(std::bit_width(most_));
        tag_mask_ = static_cast<std::uint32_t>(~std::uint64_t{0} << number_bits);

        constexpr std::uint32_t ahead = 16;
        std::array<std::uint64_t, ahead> hashes;
        for (std::uint32_t first = 0; first < size_; first += ahead) {
            const std::uint32_t count = std::min(ahead, size_ - first);
            for (std::uint32_t k = 0; k < count; ++k) {
                hashes[k] = hash(word(first + k));
                prefetch(hashes[k]);
            }
            for (std::uint32_t k = 0; k < count; ++k) {
                std::size_t i = home(hashes[k]);
                while (slots_[i] != 0) {
                    i = i + 1 == slots_.size() ? 0 : i + 1;
                }
                slots_[i] = (static_cast<std::uint32_t>(hashes[k]) & tag_mask_) | (first + k + 1);
            }
        }
    }

    MemoryBudget* budget_;
    ChunkSequence<Word> words_;
    Storage<std::uint32_t> slots_; ///< 0: free, else a number and one, and before it some bits of the hash
    std::uint32_t tag_mask_ = 0;
    std::uint32_t size_ = 0;
    std::uint32_t most_ = 0; ///< before the index grows
};

/// From which number each number but 0 came, where none came from a smaller one than the number before it did: two bits
/// each. The bits hold a zero for each number that came, after as many ones as the number that it came from.
///
/// \tparam Number the type of the numbers
template <std::unsigned_integral Number>
class Parents {
public:
    explicit Parents(MemoryBudget& budget) : bits_(budget) {}

    /// Notes where the next number came from.
    void push_back(Number parent) {
        for (; ones_ < parent; ++ones_) {
            append(1);
        }
        append(0);
    }

    /// Where a walk from the first number to the last, or the other way, is.
    struct Cursor {
        std::uint64_t bit = 0;
        Number ones = 0;         // before the bit
        std::uint64_t zeros = 0; // the same
    };

    Cursor first() const { return {}; }
    Cursor last() const { return {end_, ones_, end_ - ones_}; }

    /// The parent of the number that is next in a walk from 1.
    Number next(Cursor& cursor) const {
        for (; bit(cursor.bit); ++cursor.bit) {
            ++cursor.ones;
        }
        ++cursor.bit;
        ++cursor.zeros;
        return cursor.ones;
    }

    /// The parent of a number that is reached by a walk from the last.
    Number back_to(Number number, Cursor& cursor) const {
        while (cursor.zeros >= number) {
            if (cursor.bit % 64 == 0) {
                const auto ones = static_cast<Number>(std::popcount(bits_[cursor.bit / 64 - 1]));
                if (cursor.zeros - (64 - ones) >= number) {
                    cursor.bit -= 64;
                    cursor.ones -= ones;
                    cursor.zeros -= 64 - ones;
                    continue;
                }
            }
            --cursor.bit;
            if (bit(cursor.bit)) {
                --cursor.ones;
            } else {
                --cursor.zeros;
            }
        }
        return cursor.ones;
    }

private:
    bool bit(std::uint64_t i) const { return (bits_[i / 64] >> (i % 64) & 1) != 0; }

    void append(std::uint64_t bit) {
        if (end_ % 64 == 0) {
            bits_.reserve_next(end_ / 64);
            bits_[end_ / 64] = 0;
        }
        bits_[end_ / 64] |= bit << (end_ % 64);
        ++end_;
    }

    ChunkSequence<std::uint64_t> bits_;
    std::uint64_t end_ = 0;
    Number ones_ = 0;
};

/// How many bits of a word the last move takes, if there is room for it.
template <class P>
inline constexpr unsigned last_move_bits = 0;

template <class P>
    requires MoveProblem<P> && HasWordBits<P> && HasMoveCount<P> &&
                 (P::word_bits + std::bit_width(unsigned{P::move_count}) <= 8 * sizeof(packed_t<P>))
inline constexpr unsigned last_move_bits<P> = 8 * sizeof(packed_t<P>) - P::word_bits;

/// Breadth-first search that ends when a goal is generated (Moore 1959). A state takes its word, with the last move in bits
/// that the word leaves free, two bits that lead to its parent, and five to ten bytes by which it is found again.
///
/// Refers to the problem and, where it was given an lvalue, to the observer.
template <PackedProblem P, class O>
    requires(!is_weighted<P>)
class PackedBreadthFirst : public EngineBase<PackedBreadthFirst<P, O>, int, O> {
    using Base = EngineBase<PackedBreadthFirst, int, O>;
    friend Base;

public:
    using State = state_t<P>;
    using Word = packed_t<P>;
    using Node = NodeView<State, int, int, int>;

    /// \param limits `max_cost` is the greatest depth of a goal
    PackedBreadthFirst(const P& problem, const State& start, BasicLimits<int> limits, O&& observer)
        : Base(limits, std::forward<O>(observer)), problem_(&problem), max_depth_(max_layer(limits)),
          words_(budget_), parents_(budget_) {
        guarded([&] {
            const Word word = problem.pack(start);
            words_.insert(word, Words::hash(word), no_move());
            observer_.start(Node{start, 0, 0, 0});
            statistics_.peak_open = open();
        });
    }

    search_result_t<P> result() const {
        return outcome(search_result_t<P>{}, [&](search_result_t<P>& result) {
            if (status_ == Status::solved) {
                retrace(result);
            }
        });
    }

private:
    using Base::budget_, Base::finish, Base::guarded, Base::is_stopped, Base::monitor_, Base::observer_,
        Base::outcome, Base::statistics_, Base::status_;

    using Words = WordSequence<Word, last_move_bits<P>>;

    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;
    static constexpr bool keeps_moves = last_move_bits<P> > 0;
    /// With fewer states than this there is little memory to wait for.
    static constexpr std::uint32_t batch_from = std::uint32_t{1} << 16;

    /// A neighbour that waits to be looked up.
    struct Pending {
        Pending(State&& its_state, const Word& its_word, std::uint32_t its_parent, unsigned its_move)
            : state(std::move(its_state)), word(its_word), hash(Words::hash(its_word)), parent(its_parent),
              move(its_move) {}

        State state;
        Word word;
        std::uint64_t hash;
        std::uint32_t parent;
        unsigned move;
    };

    static unsigned no_move() {
        if constexpr (keeps_moves) {
            return static_cast<unsigned>(P::no_move);
        } else {
            return 0;
        }
    }

    void complete(Statistics& statistics) const { statistics.stored = words_.size(); }

    /// An expansion, some of them in a large search, or the end of a layer.
    void advance() {
        if (next_ == layer_end_) {
            insert_successors(waiting_);
            begin_layer();
        } else if (is_watched || words_.size() < batch_from) {
            expand();
        } else {
            expand_some();
        }
    }

    /// How many states wait to be expanded.
    std::uint64_t open() const {
        return max_depth_ < 0 ? 0 : (depth_ < max_depth_ ? words_.size() : layer_end_) - next_;
    }

    void begin_layer() {
        if (status_ != Status::running) {
            return;
        }
        if (words_.size() == layer_end_) {
            finish(Status::unsolvable);
        } else if (depth_ == max_depth_) {
            finish(Status::cost_limit);
        } else {
            ++depth_;
            layer_end_ = words_.size();
        }
    }

    /// Expands the next state.
    void expand() {
        if (max_depth_ < 0) {
            finish(Status::cost_limit);
            return;
        }
        const std::uint32_t number = next_;
        const State state = problem_->unpack(words_.word(number));
        const Node node{state, depth_, 0, depth_};
        generate(number, node);
        insert_successors(pending_, &node);
    }

    /// Expands some states of the layer, and looks the neighbours up of those that were expanded before: the memory that is asked
    /// for meanwhile arrives.
    void expand_some() {
        for (unsigned i = 0; i < layer_batch && next_ < layer_end_ && status_ == Status::running; ++i) {
            const std::uint32_t number = next_;
            const State state = problem_->unpack(words_.word(number));
            generate(number, Node{state, depth_, 0, depth_});
        }
        insert_successors(waiting_);
        std::swap(waiting_, pending_);
    }

    /// Puts the neighbours of the next state into `pending_`, or ends the search.
    void generate(std::uint32_t number, const Node& node) {
        if (number == 0 && problem_->is_goal(node.state)) {
            reach(number, node);
            return;
        }
        if (monitor_.is_due(statistics_.expanded) && is_stopped(statistics_.expanded, depth_)) {
            return;
        }
        ++next_;
        ++statistics_.expanded;
        observer_.expand(node);
        if constexpr (keeps_moves) {
            const auto last = static_cast<move_t<P>>(words_.mark(number));
            problem_->for_each_move(node.state, last, [&](const move_t<P>& move) {
                State child = node.state;
                problem_->apply(child, move);
                const Word word = problem_->pack(child);
                add(std::move(child), word, number, static_cast<unsigned>(move));
            });
        } else {
            const bool has_parent = number > 0;
            const Word parent = has_parent ? words_.word(parents_.next(cursor_)) : Word{};
            const auto visit = [&](State&& child) {
                const Word word = problem_->pack(child);
                if (!has_parent || word != parent) {
                    add(std::move(child), word, number, 0);
                }
            };
            if constexpr (detail::has_moves<P>) {
                problem_->for_each_move(node.state, P::no_move, [&](const move_t<P>& move) {
                    State child = node.state;
                    problem_->apply(child, move);
                    visit(std::move(child));
                });
            } else {
                for (auto&& neighbor : problem_->neighbors(node.state)) {
                    visit(State(neighbor));
                }
            }
        }
    }

    void add(State&& state, const Word& word, std::uint32_t parent, unsigned move) {
        pending_.emplace_back(std::move(state), word, parent, move);
        words_.prefetch(pending_.back().hash);
    }

    /// Looks neighbours up, and appends those that are new.
    /// \param parent theirs, for the observer, where there is only one
    void insert_successors(std::vector<Pending>& neighbors, const Node* parent = nullptr) {
        for (const Pending& pending : neighbors) {
            words_.prefetch_word(pending.hash);
        }
        for (const Pending& pending : neighbors) {
            if (status_ != Status::running) {
                break;
            }
            const Node node{pending.state, depth_ + 1, 0, depth_ + 1};
            ++statistics_.generated;
            const bool is_new = words_.insert(pending.word, pending.hash, pending.move);
            if constexpr (is_watched) {
                observer_.generate(node, *parent);
            }
            if (!is_new) {
                ++statistics_.duplicates;
                observer_.duplicate(node);
                continue;
            }
            parents_.push_back(pending.parent);
            if (depth_ < max_depth_ && problem_->is_goal(pending.state)) {
                reach(words_.size() - 1, node);
            }
        }
        neighbors.clear();
        statistics_.peak_open = std::max(statistics_.peak_open, open());
    }

    void reach(std::uint32_t number, const Node& node) {
        observer_.goal(node);
        goal_ = number;
        finish(Status::solved);
    }

    void retrace(search_result_t<P>& result) const {
        typename Parents<std::uint32_t>::Cursor cursor = parents_.last();
        for (std::uint32_t number = goal_;; number = parents_.back_to(number, cursor)) {
            result.path.push_back(problem_->unpack(words_.word(number)));
            if (number == 0) {
                break;
            }
            if constexpr (keeps_moves) {
                result.moves.push_back(static_cast<move_t<P>>(words_.mark(number)));
            }
        }
        std::reverse(result.path.begin(), result.path.end());
        result.cost = static_cast<int>(result.path.size()) - 1;
        if constexpr (keeps_moves) {
            std::reverse(result.moves.begin(), result.moves.end());
        } else {
            append_moves(*problem_, result);
        }
    }

    const P* problem_;
    int max_depth_;
    Words words_;
    Parents<std::uint32_t> parents_;
    typename Parents<std::uint32_t>::Cursor cursor_; // at the next state
    std::uint32_t next_ = 0;                         // the first state that has not been expanded
    std::uint32_t layer_end_ = 1;                    // of the layer of that state
    int depth_ = 0;                                  // of that layer
    std::uint32_t goal_ = 0;
    std::vector<Pending> pending_; // neighbours of what was expanded last
    std::vector<Pending> waiting_; // and of what was expanded before
};

} // namespace npuzzle::detail
