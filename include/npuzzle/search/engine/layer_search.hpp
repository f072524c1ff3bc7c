#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/state_set.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Breadth-first search layer by layer: `LayerSearch`, and before it the classes that know which states are
/// old. Each of these has
///
/// - `start(state)`, and `take()`: the next state of the current layer, if there is one more
/// - `is_parent(child)`: whether the state that was taken last is known to have been reached from there
/// - `key(state)`, by which a state is looked up, and `prefetch(key)`
/// - `add(state, key, link)`, which puts a state into the next layer; false if it was reached before. Children
///   are added in the order of their parents
/// - `advance()`: the next layer becomes the current one
/// - `stored()`: how many states are held

namespace npuzzle::detail {

/// A state that is taken from its layer.
template <class State>
struct LayerState {
    State state;
    /// `AllLayers`: its number, which is the link of its children. `LastLayers`: a bit for each move that leads
    /// back; the link of a child is the bit of one.
    std::uint32_t link = 0;
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
/// Where a word has room for a mark for each move, a state marks the moves that lead back. They are not
/// made, so the layer before need not be kept (Korf's "used operators"). This requires that two moves
/// between the same states have different inverses. If the problem `is_bipartite`, the current layer is
/// only read, and given back as that goes on.
template <Problem P>
class LastLayers {
    using States = StateSet<P, marked_moves<P>>;

public:
    using State = state_t<P>;
    using Key = typename States::Key;

    LastLayers(const P& problem, MemoryBudget& budget)
        : marks_(can_mark(problem)), before_(problem, budget), current_(problem, budget),
          next_(problem, budget) {}

    void start(const State& state) { current_.insert(state, key(state)); }

    std::optional<LayerState<State>> take() {
        if (taken_ == current_.size()) {
            return std::nullopt;
        }
        if constexpr (is_bipartite<P> && marked_moves<P> > 0) {
            if (marks_ && taken_ % 1024 == 0) {
                current_.forget_before(taken_);
            }
        }
        const std::uint32_t number = taken_++;
        return LayerState<State>{current_[number], current_.mark(number)};
    }

    [[nodiscard]] bool is_parent(const State& /*state*/) const { return false; }

    [[nodiscard]] Key key(const State& state) const { return next_.key(state); }

    void prefetch(const Key& key) const {
        if (!marks_) {
            before_.prefetch(key);
        }
        if (!is_bipartite<P>) {
            current_.prefetch(key);
        }
        next_.prefetch(key);
    }

    bool add(const State& state, const Key& key, std::uint32_t mark) {
        if ((!marks_ && before_.contains(state, key)) ||
            (!is_bipartite<P> && current_.contains(state, key))) {
            return false;
        }
        return next_.insert(state, key, marks_ ? mark : 0U);
    }

    void advance() {
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
    }

    [[nodiscard]] std::uint64_t stored() const noexcept {
        return std::uint64_t{before_.size()} + current_.size() + next_.size();
    }

private:
    static bool can_mark([[maybe_unused]] const P& problem) {
        bool can_mark = marked_moves<P> > 0;
        if constexpr (marked_moves<P> > 0) {
            for (unsigned i = 0; i < marked_moves<P>; ++i) {
                const auto move = static_cast<move_t<P>>(i);
                can_mark = can_mark && problem.inverse(problem.inverse(move)) == move;
            }
        }
        return can_mark;
    }

    bool marks_;
    States before_;
    States current_;
    States next_;
    std::uint32_t taken_ = 0; // the next state of the current layer
};

/// The parent of each number, where no parent is smaller than the last one's: two bits each. The bits hold a
/// zero for each number, after as many ones in all as its parent.
class ParentBits {
public:
    /// A place in the bits, and how many ones are before it.
    struct Cursor {
        std::uint64_t bit = 0;
        std::uint32_t ones = 0;
    };

    explicit ParentBits(MemoryBudget& budget) : bits_(budget) {}

    /// Appends the parent of the next number.
    void push_back(std::uint32_t parent) {
        while (end_.ones < parent) {
            append(1);
            ++end_.ones;
        }
        append(0);
    }

    [[nodiscard]] Cursor end() const { return end_; }

    /// The parent of the number that is next in a walk from 0.
    [[nodiscard]] std::uint32_t next(Cursor& cursor) const {
        while (ones_at(cursor.bit++) > 0) {
            ++cursor.ones;
        }
        return cursor.ones;
    }

    /// The parent of a number that is reached by a walk from the end.
    [[nodiscard]] std::uint32_t back_to(std::uint32_t number, Cursor& cursor) const {
        while (cursor.bit - cursor.ones > number) {
            const bool has_whole_word =
                cursor.bit % 64 == 0 && cursor.bit - cursor.ones > std::uint64_t{number} + 64;
            cursor.bit -= has_whole_word ? 64 : 1;
            cursor.ones -= has_whole_word ? static_cast<std::uint32_t>(std::popcount(bits_[cursor.bit / 64]))
                                          : ones_at(cursor.bit);
        }
        return cursor.ones;
    }

private:
    [[nodiscard]] std::uint32_t ones_at(std::uint64_t i) const { return bits_[i / 64] >> (i % 64) & 1; }

    void append(std::uint64_t bit) {
        if (end_.bit % 64 == 0) {
            bits_.reserve_next(end_.bit / 64);
            bits_[end_.bit / 64] = 0;
        }
        bits_[end_.bit / 64] |= bit << (end_.bit % 64);
        ++end_.bit;
    }

    ChunkSequence<std::uint64_t> bits_;
    Cursor end_;
};

/// All layers of any space: the states in the order in which they were reached. Of states that fit a word it
/// also keeps the parents, in two bits each.
template <Problem P>
class AllLayers {
    using States = StateSet<P>;
    static constexpr bool keeps_parents = PackedProblem<P>;

public:
    using State = state_t<P>;
    using Key = typename States::Key;

    AllLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), states_(problem, budget), parents_(budget) {}

    void start(const State& state) {
        add(state, key(state), 0);
        advance();
    }

    std::optional<LayerState<State>> take() {
        if (taken_ == end_) {
            return std::nullopt;
        }
        const std::uint32_t number = taken_++;
        if (keeps_parents) {
            const std::uint32_t parent = parents_.next(cursor_);
            if (number > 0) {
                parent_.emplace(states_[parent]);
            }
        }
        return LayerState<State>{states_[number], number};
    }
    [[nodiscard]] bool is_parent(const State& state) const { return parent_ && is_equal(*parent_, state); }

    [[nodiscard]] Key key(const State& state) const { return states_.key(state); }
    void prefetch(const Key& key) const { states_.prefetch(key); }

    bool add(const State& state, const Key& key, std::uint32_t parent) {
        const bool is_new = states_.insert(state, key);
        if (keeps_parents && is_new) {
            parents_.push_back(parent);
        }
        return is_new;
    }

    void advance() { end_ = states_.size(); }

    /// Appends the states from the start to the one with a number, and the moves between them.
    template <class Moves>
    void retrace(std::uint32_t end, std::vector<State>& path, Moves&& moves) const {
        auto cursor = parents_.end();
        for (std::uint32_t number = end; number > 0; number = parents_.back_to(number, cursor)) {
            path.push_back(states_[number]);
        }
        path.push_back(states_[0]);
        std::reverse(path.begin(), path.end());
        look_up_steps(*problem_, path, moves);
    }

    [[nodiscard]] std::uint64_t stored() const noexcept { return states_.size(); }

private:
    const P* problem_;
    States states_;
    ParentBits parents_;
    ParentBits::Cursor cursor_;   // at the next state
    std::optional<State> parent_; // of the state that was taken last
    std::uint32_t taken_ = 0;     // the next state of the current layer
    std::uint32_t end_ = 0;       // of it
};

/// All layers of a space whose states have numbers that lead back to them, in two bits for each number
/// (G. Cooperman, L. Finkelstein, "New methods for using Cayley graphs in interconnection networks", 1992).
/// The states of a large layer are found by going through all numbers; those of a small one, for which that
/// would take long, are in a list, of an eighth of the array at most.
template <Problem P>
class NumberedLayers {
public:
    using State = state_t<P>;
    using Key = std::size_t;

    NumberedLayers(const P& problem, MemoryBudget& budget)
        : problem_(&problem), words_(budget), current_(BudgetAllocator<Key>(budget)), next_(current_) {}

    void start(const State& state) {
        words_.grow_zeroed(static_cast<std::size_t>(problem_->size()) / per_word + 1);
        add(state, key(state), 0);
        advance();
    }

    std::optional<LayerState<State>> take() {
        if (current_.size() <= most_listed()) {
            return taken_ < current_.size() ? take_number(current_[taken_++]) : std::nullopt;
        }
        while (left_ == 0) {
            if (taken_ == words_.size()) {
                return std::nullopt;
            }
            const std::uint64_t differences = words_[taken_++] ^ lowest_bits * in_current_;
            left_ = ~(differences | differences >> 1) & lowest_bits;
        }
        const Key number = (taken_ - 1) * per_word + static_cast<unsigned>(std::countr_zero(left_)) / 2;
        left_ &= left_ - 1;
        return take_number(number);
    }

    [[nodiscard]] bool is_parent(const State& /*state*/) const { return false; }

    [[nodiscard]] Key key(const State& state) const { return static_cast<Key>(problem_->index(state)); }
    void prefetch(Key number) const { detail::prefetch(words_.data() + number / per_word); }

    bool add(const State& /*state*/, Key number, std::uint32_t /*link*/) {
        std::uint64_t& word = words_[number / per_word];
        const unsigned shift = 2 * static_cast<unsigned>(number % per_word);
        if ((word >> shift & 3) != 0) {
            return false;
        }
        word |= (in_current_ ^ 1) << shift;
        ++stored_;
        if (next_.size() <= most_listed()) {
            next_.push_back(number);
        }
        return true;
    }

    void advance() {
        in_current_ ^= 1;
        current_.clear();
        std::swap(current_, next_);
        taken_ = 0;
    }

    [[nodiscard]] std::uint64_t stored() const noexcept { return stored_; }

private:
    static constexpr std::size_t per_word = 32;
    static constexpr std::uint64_t lowest_bits = 0x5555555555555555;
    // The two bits of a number are 0 if it is not reached, 1 if it was taken, and 2 or 3 if it is in the current
    // layer or the next: the two take turns.
    static constexpr std::uint64_t in_earlier = 1;

    /// To go through all numbers takes eight steps for each state of a larger layer, at most.
    [[nodiscard]] std::size_t most_listed() const { return words_.size() / 8; }
    std::optional<LayerState<State>> take_number(Key number) {
        words_[number / per_word] ^= (in_current_ ^ in_earlier) << 2 * (number % per_word);
        return LayerState<State>{problem_->state_at(number)};
    }

    const P* problem_;
    Storage<std::uint64_t> words_;
    std::vector<Key, BudgetAllocator<Key>> current_; // a small layer; the first numbers of a large one
    std::vector<Key, BudgetAllocator<Key>> next_;
    std::uint64_t in_current_ = 2;
    std::uint64_t stored_ = 0;
    std::size_t taken_ = 0;  // how many numbers of the list, or how many words
    std::uint64_t left_ = 0; // a bit for each state of the last word that is to be taken
};

struct IgnoreLayers {
    void operator()(int /*depth*/, std::uint64_t /*count*/) const {}
};

/// The goals of a problem.
template <Problem P>
struct GoalsOf {
    const P* problem;

    bool operator()(const state_t<P>& state) const { return bool(problem->is_goal(state)); }
};

/// A breadth-first search layer by layer, which ends when a goal is generated: see `breadth_first`,
/// `breadth_first_layers` and `frontier_search`. The states of a layer are expanded by batches, so that the
/// cache misses of their neighbors overlap.
///
/// \tparam Layers keeps the states: `AllLayers`, `LastLayers` or `NumberedLayers`
/// \tparam Goal `goal(state)`; `NoGoal` to reach all states
/// \tparam OnLayer `on_layer(depth, count)` is called for each complete layer, and may return false to stop
template <Problem P, class Layers, class O, class Goal, class OnLayer = IgnoreLayers>
class LayerSearch : public Engine {
public:
    using State = state_t<P>;
    using Node = NodeView<State, int, int, int>; ///< as observers see it

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// \param limits `max_cost` is the greatest depth of a goal, or of a layer
    LayerSearch(const P& problem, const State& start, const BasicLimits<int>& limits, O&& observer, Goal goal,
                OnLayer&& on_layer = {})
        : Engine(limits), problem_(&problem),
          max_depth_(limits.max_cost.value_or((std::numeric_limits<int>::max)())),
          observer_(std::forward<O>(observer)), goal_(goal), on_layer_(std::forward<OnLayer>(on_layer)),
          layers_(problem, budget_) {
        guarded(observer_, [&] {
            layers_.start(checked_state(problem, start));
            statistics_.stored = statistics_.peak_open = next_count_ = 1;
            observer_.start(view(start, 0));
            if (max_depth_ >= 0 && goal_(start)) {
                counts_.push_back(1);
                reach(start, 0);
            } else {
                complete_layer();
            }
        });
    }

    /// One expansion, the end of a layer, or the end of the search. Returns whether the search goes on.
    bool step() {
        return Engine::step(observer_, [this] { advance(1); });
    }

    /// Steps to the end.
    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(is_watched ? 1 : 16); });
    }

    /// The depth of the goal if the search is solved, else the depth of the layer being expanded.
    [[nodiscard]] int depth() const noexcept { return depth_; }

    /// How many states there are at each depth, for the complete layers.
    [[nodiscard]] const std::vector<std::uint64_t>& layer_counts() const noexcept { return counts_; }

private:
    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;
    static constexpr bool finds_goals = !std::same_as<Goal, NoGoal>;
    static constexpr bool keeps_all = std::same_as<Layers, AllLayers<P>>;

    /// A neighbor of a state of the batch, to be looked up.
    struct Child {
        State state;
        typename Layers::Key key;
        std::uint32_t link;
        unsigned place; // of the parent in the batch
    };

    static Node view(const State& state, int depth) { return Node{state, depth, 0, depth}; }

    /// Expands some states of the current layer, or ends it.
    void advance(unsigned batch) {
        const std::uint64_t before = statistics_.expanded;
        std::optional<LayerState<State>> from;
        // A limit is looked at when all children before it have been added.
        for (unsigned i = 0; i < batch && (i == 0 || !monitor_.is_due(statistics_.expanded)); ++i) {
            from = layers_.take();
            if (!from) {
                break;
            }
            if (!may_expand(observer_)) {
                return;
            }
            ++statistics_.expanded;
            observer_.expand(view(from->state, depth_));
            for_each_child(*from, [&](State&& child, std::uint32_t link) {
                if (!layers_.is_parent(child)) {
                    const auto key = layers_.key(child);
                    layers_.prefetch(key);
                    children_.push_back({std::move(child), key, link, i});
                }
            });
        }
        add_children(before, from ? &from->state : nullptr);
        if (status_ == SearchStatus::running && !from) {
            end_layer();
        }
    }

    /// Calls `visit(child, link)` for the neighbors of a state, but for those that its marks lead back to.
    template <class F>
    void for_each_child(const LayerState<State>& from, F&& visit) const {
        if constexpr (marked_moves<P> > 0 && std::same_as<Layers, LastLayers<P>>) {
            problem_->for_each_move(from.state, P::no_move, [&](const auto& move) {
                if ((from.link >> static_cast<unsigned>(move) & 1U) == 0) {
                    State child = from.state;
                    problem_->apply(child, move);
                    visit(std::move(child), 1U << static_cast<unsigned>(problem_->inverse(move)));
                }
            });
        } else {
            for_each_neighbor(*problem_, from.state,
                              [&](State&& child, const auto& /*step*/, const auto& /*move*/) {
                                  visit(std::move(child), from.link);
                              });
        }
    }

    /// \param before how many states had been expanded before the batch
    /// \param parent of the children, if there is only one
    void add_children(std::uint64_t before, const State* parent) {
        for (const Child& child : children_) {
            const Node node = view(child.state, depth_ + 1);
            ++statistics_.generated;
            if constexpr (is_watched) {
                observer_.generate(node, view(*parent, depth_));
            }
            if (!layers_.add(child.state, child.key, child.link)) {
                ++statistics_.duplicates;
                observer_.duplicate(node);
                continue;
            }
            ++next_count_;
            if (depth_ < max_depth_ && goal_(child.state)) {
                statistics_.expanded = before + child.place + 1; // those after it were not needed
                reach(child.state, depth_ + 1);
                break;
            }
        }
        children_.clear();
        statistics_.stored = (std::max)(statistics_.stored, layers_.stored());
        statistics_.peak_open = (std::max)(statistics_.peak_open, counts_.back() + next_count_);
    }

    void reach(const State& goal, int depth) {
        end_ = goal;
        depth_ = depth;
        observer_.goal(view(goal, depth));
        finish(SearchStatus::solved);
    }

    void end_layer() {
        if (next_count_ == 0) {
            return finish(finds_goals ? SearchStatus::unsolvable : SearchStatus::solved);
        }
        layers_.advance();
        ++depth_;
        complete_layer();
    }

    void complete_layer() {
        counts_.push_back(next_count_);
        const std::uint64_t count = std::exchange(next_count_, 0);
        // If all states are kept, those at the greatest depth are expanded, too: a proof that there are no others.
        const bool is_last = finds_goals && keeps_all ? depth_ > max_depth_ : depth_ >= max_depth_;
        if (!wants_more(on_layer_, depth_, count)) {
            finish(SearchStatus::cancelled);
        } else if (is_last) {
            finish(SearchStatus::cost_limit);
        }
    }

    void finish(SearchStatus status) {
        if constexpr (finds_goals && !keeps_all) {
            layers_.clear();
        }
        Engine::finish(observer_, status);
    }

    const P* problem_;
    int max_depth_;
    int depth_ = 0;
    std::vector<std::uint64_t> counts_;
    std::uint64_t next_count_ = 0; // states of the next layer so far
    O observer_;
    Goal goal_;
    OnLayer on_layer_;
    std::vector<Child> children_; // of the batch

protected:
    std::optional<State> end_; // the goal that was reached
    Layers layers_;
};

} // namespace npuzzle::detail
