#pragma once

#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/core/with_goals.hpp"
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
/// Breadth-first search layer by layer: `breadth_first_layers`, `frontier_search`, and on packed states
/// `breadth_first`.
///
/// `LayerSearch` is the search. The classes before it know which states are old. Each has
///
/// - `take()`: the next state of the current layer, if there is one
/// - `is_parent(child)`: whether the state that was taken last is known to come from there
/// - `key(state)`, by which a state is looked up, and `prefetch(key)`
/// - `add(state, key, link)`, which puts a state into the next layer; false if it is old. Children are added
///   in the order of their parents
/// - `advance()`: the next layer becomes the current one
/// - `stored()`: how many states are held

namespace npuzzle {

/// What frontier search needs of a problem: all steps lead both ways (`is_undirected`, as of an
/// `UndirectedProblem`, but no `goal()`), and cost one.
template <class P>
concept FrontierProblem =
    Problem<P> && bool(P::is_undirected) && !is_weighted<P> && (PackedProblem<P> || HasHash<P>);

/// The outcome of `breadth_first_layers`; true if the whole space was counted.
struct LayerCounts {
    /// `solved` if every state that can be reached was counted, else what ended the count.
    SearchStatus status = SearchStatus::running;
    /// How many states need 0, 1, 2, ... steps: of the layers that are complete.
    std::vector<std::uint64_t> counts;
    Statistics statistics;

    explicit operator bool() const { return status == SearchStatus::solved; }
};

namespace detail {

/// A state that is taken from its layer.
template <class State>
struct LayerState {
    State state;
    /// `AllLayers`: its number, which is the link of its children. `LastLayers`: a bit for each move that
    /// leads back, of which a child's link is one.
    std::uint32_t link = 0;
};

/// How many bits of a word mark moves: one for each move, or none if there is no room.
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
/// given back while it is read.
template <Problem P>
class LastLayers {
    using States = StateSet<P, marked_moves<P>>;

public:
    using State = state_t<P>;
    using Key = typename States::Key;

    LastLayers(const P& problem, MemoryBudget& budget)
        : marks_(can_mark(problem)), before_(problem, budget), current_(problem, budget),
          next_(problem, budget) {}

    std::optional<LayerState<State>> take() {
        if (taken_ == current_.size()) return std::nullopt;
        if constexpr (is_bipartite<P> && marked_moves<P> > 0) {
            if (marks_ && taken_ % 1024 == 0) current_.forget_before(taken_);
        }
        const std::uint32_t number = taken_++;
        return LayerState<State>{current_[number], current_.mark(number)};
    }

    [[nodiscard]] bool is_parent(const State& /*state*/) const { return false; }
    [[nodiscard]] Key key(const State& state) const { return next_.key(state); }
    void prefetch(const Key& key) const {
        if (!marks_) before_.prefetch(key);
        if (!is_bipartite<P>) current_.prefetch(key);
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
        if (!marks_) std::swap(before_, current_);
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
        if constexpr (marked_moves<P> > 0) {
            for (unsigned i = 0; i < marked_moves<P>; ++i) {
                const auto move = static_cast<move_t<P>>(i);
                if (!(problem.inverse(problem.inverse(move)) == move)) return false;
            }
        }
        return marked_moves<P> > 0;
    }

    bool marks_;
    States before_;
    States current_;
    States next_;
    std::uint32_t taken_ = 0; // the next state of the current layer
};

/// All layers of any space: the states in the order in which they were reached. Of states that fit a word it
/// knows the parents, in two bits each: a 0 for each state, after as many 1s in all as its parent's number.
/// (No parent's number is smaller than the one before.)
template <Problem P>
class AllLayers {
    using States = StateSet<P>;
    static constexpr bool keeps_parents = PackedProblem<P>;

public:
    using State = state_t<P>;
    using Key = typename States::Key;

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
    [[nodiscard]] bool is_parent(const State& state) const { return parent_ && is_equal(*parent_, state); }
    [[nodiscard]] Key key(const State& state) const { return states_.key(state); }
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
    [[nodiscard]] std::uint64_t stored() const noexcept { return states_.size(); }

    /// Appends the states from the start to the one with a number, and the moves between them. Linear in the
    /// number of states.
    template <class Moves>
    void retrace(std::uint32_t end, std::vector<State>& path, Moves&& moves) const {
        std::uint64_t bit = end_bit_;
        std::uint32_t parent = last_parent_; // how many 1s are before that bit
        for (std::uint32_t number = end; number > 0; number = parent) {
            path.push_back(states_[number]);
            while (bit - parent > number) {
                if (bit % 64 == 0 && bit - parent > std::uint64_t{number} + 64) { // a whole word
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
    [[nodiscard]] std::uint32_t parent_bit(std::uint64_t i) const { return parents_[i / 64] >> (i % 64) & 1; }
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
    std::uint32_t parent_number_ = 0; // of the state that was taken last
    std::optional<State> parent_;
    std::uint32_t taken_ = 0; // the next state of the current layer
    std::uint32_t end_ = 0;   // of it
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
        : problem_(&problem), words_(budget), current_(BudgetAllocator<Key>(budget)), next_(current_) {
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
    [[nodiscard]] bool is_parent(const State& /*state*/) const { return false; }
    [[nodiscard]] Key key(const State& state) const { return static_cast<Key>(problem_->index(state)); }
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
    [[nodiscard]] std::uint64_t stored() const noexcept { return stored_; }

private:
    static constexpr std::size_t per_word = 32;
    static constexpr std::uint64_t lowest_bits = 0x5555555555555555;
    // The two bits of a number are 0 if it is not reached, 1 if it was taken, and 2 or 3 if it is in the current
    // layer or the next: these take turns.
    static constexpr std::uint64_t in_earlier = 1;

    /// To go through all numbers takes eight steps for each state of a larger layer, at most.
    [[nodiscard]] std::size_t most_listed() const { return words_.size() / 8; }

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

/// A breadth-first search layer by layer, which ends when a goal is generated. The states of a layer are
/// expanded by batches, so that the cache misses of their neighbors overlap.
///
/// \tparam Layers keeps the states: `AllLayers`, `LastLayers` or `NumberedLayers`
/// \tparam O an `ObserverOf` nodes of estimate 0, whose priority is their depth
/// \tparam Goal `goal(state)`; `NoGoal` to reach all states
/// \tparam OnLayer `on_layer(depth, count)` is called for each complete layer, and may return false to stop
template <Problem P, class Layers, class O, class Goal, class OnLayer = IgnoreLayers>
class LayerSearch : public Engine {
public:
    using State = state_t<P>;
    using Node = NodeView<State, int, int, int>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);

    /// \param limits `max_cost` is the greatest depth of a goal, or of a layer
    LayerSearch(const P& problem, const State& start, const BasicLimits<int>& limits, O&& observer, Goal goal,
                OnLayer&& on_layer = {})
        : Engine(limits), layers(problem, budget_), problem_(&problem),
          max_depth_(limits.max_cost.value_or((std::numeric_limits<int>::max)())),
          observer_(std::forward<O>(observer)), goal_(goal), on_layer_(std::forward<OnLayer>(on_layer)) {
        guarded(observer_, [&] {
            const State& first = checked_state(problem, start);
            layers.add(first, layers.key(first), 0);
            statistics_.stored = statistics_.peak_open = next_count_ = 1;
            observer_.start(view(start, 0));
            if (depth_ < max_depth_ && goal_(start)) {
                reach(start);
            } else {
                end_layer();
            }
        });
    }

    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(); });
    }
    /// The depth of the goal if the search is solved, else of the layer being expanded.
    [[nodiscard]] int depth() const noexcept { return depth_; }
    /// How many states there are at each depth, for the complete layers.
    [[nodiscard]] const std::vector<std::uint64_t>& layer_counts() const noexcept { return counts_; }

    using Engine::budget_, Engine::outcome, Engine::statistics_;
    Layers layers;
    std::optional<State> end; ///< the goal that was reached

private:
    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;
    static constexpr bool finds_goals = !std::same_as<Goal, NoGoal>;
    static constexpr unsigned batch = is_watched ? 1 : 16;

    /// A neighbor of a state of the batch, which is to be looked up.
    struct Child {
        State state;
        typename Layers::Key key;
        std::uint32_t link;
        unsigned place; // of the parent in the batch
    };

    static Node view(const State& state, int depth) { return Node{state, depth, 0, depth}; }

    /// Expands some states of the current layer, or ends it.
    void advance() {
        const std::uint64_t before = statistics_.expanded;
        std::optional<LayerState<State>> from;
        // A limit is looked at when all children before it have been added.
        for (unsigned i = 0; i < batch && (i == 0 || !monitor_.is_due(statistics_.expanded)); ++i) {
            from = layers.take();
            if (!from) break;
            if (!may_expand(observer_)) return;
            ++statistics_.expanded;
            observer_.expand(view(from->state, depth_));
            for_each_child(*from, [&](State&& child, std::uint32_t link) {
                if (!layers.is_parent(child)) {
                    const auto key = layers.key(child);
                    layers.prefetch(key);
                    children_.push_back({std::move(child), key, link, i});
                }
            });
        }
        add_children(before, from ? &from->state : nullptr);
        if (status_ == SearchStatus::running && !from) end_layer();
    }

    /// Calls `visit(child, link)` for the neighbors of a state to which no marked move leads.
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
            if (!layers.add(child.state, child.key, child.link)) {
                ++statistics_.duplicates;
                observer_.duplicate(node);
                continue;
            }
            ++next_count_;
            if (depth_ < max_depth_ && goal_(child.state)) {
                statistics_.expanded = before + child.place + 1; // those after it were not needed
                reach(child.state);
                break;
            }
        }
        children_.clear();
        statistics_.stored = (std::max)(statistics_.stored, layers.stored());
        statistics_.peak_open = (std::max)(statistics_.peak_open, counts_.back() + next_count_);
    }

    /// At a goal in the next layer.
    void reach(const State& goal) {
        end = goal;
        observer_.goal(view(goal, ++depth_));
        finish(observer_, SearchStatus::solved);
    }

    void end_layer() {
        if (next_count_ == 0) {
            return finish(observer_, finds_goals ? SearchStatus::unsolvable : SearchStatus::solved);
        }
        layers.advance();
        ++depth_;
        counts_.push_back(next_count_);
        // If all states are kept, those at the greatest depth are expanded, too: perhaps there are no others.
        const bool is_proof = finds_goals && std::same_as<Layers, AllLayers<P>>;
        if (!wants_more(on_layer_, depth_, std::exchange(next_count_, 0))) {
            finish(observer_, SearchStatus::cancelled);
        } else if (is_proof ? depth_ > max_depth_ : depth_ >= max_depth_) {
            finish(observer_, SearchStatus::cost_limit);
        }
    }

    const P* problem_;
    int max_depth_;
    int depth_ = -1; // of the current layer; the start is in the first one
    std::vector<std::uint64_t> counts_;
    std::uint64_t next_count_ = 0; // states of the next layer so far
    O observer_;
    Goal goal_;
    OnLayer on_layer_;
    std::vector<Child> children_; // of the batch
};

/// Finds a path of known length between two states, by a state in the middle.
template <FrontierProblem P>
struct PathByLayers {
    using State = state_t<P>;

    const P& problem;
    const BasicLimits<int>& limits;
    Statistics statistics; // of all searches so far: the limits hold for their sums
    SearchStatus status;   // of the last one

    /// Appends a path of so many steps, without its last state. False if a limit was reached.
    bool append(const State& from, const State& to, int depth, std::vector<State>& path) {
        if (depth <= 1) {
            path.insert(path.end(), static_cast<std::size_t>(depth), from);
            return true;
        }
        const int half = depth / 2;
        const std::optional<State> middle = find_middle(from, to, half, depth - half);
        return middle && append(from, *middle, half, path) && append(*middle, to, depth - half, path);
    }

private:
    /// A state at given numbers of steps from both ends.
    std::optional<State> find_middle(const State& from, const State& to, int from_depth, int to_depth) {
        BasicLimits<int> left = remaining(limits, statistics);
        left.max_cost = from_depth;
        LayerSearch<P, LastLayers<P>, SilentObserver, NoGoal> first(problem, from, left, {}, {});
        status = first.run();
        statistics.merge_sequential(first.statistics());
        if (status != SearchStatus::cost_limit) return std::nullopt;
        first.layers.keep_current();
        const std::uint64_t held = first.budget_.used();
        left = remaining(limits, statistics);
        left.max_cost = to_depth;
        left.bytes -= left.bytes == Limits::unlimited ? 0 : held;
        const auto is_there = [&](const State& state) { return first.layers.contains(state); };
        using Second = LayerSearch<P, LastLayers<P>, SilentObserver, decltype(is_there)>;
        Second second(problem, to, left, {}, is_there);
        status = second.run();
        Statistics of_second = second.statistics();
        of_second.bytes += held;
        statistics.merge_sequential(of_second);
        return second.end;
    }
};

/// Searches for a goal, and then for a path to it if that is wanted.
template <bool finds_path, class P, class O>
search_result_t<P> search_frontier(const P& problem, const state_t<P>& start, const BasicLimits<int>& limits,
                                   O&& observer) {
    const auto is_goal = [&](const state_t<P>& state) { return bool(problem.is_goal(state)); };
    using Search = LayerSearch<P, LastLayers<P>, O, decltype(is_goal)>;
    const auto run = [&](Search& search) {
        search.run();
        search.layers.clear();
        return search.outcome(search_result_t<P>{}, [&](search_result_t<P>& result) {
            result.cost = result ? search.depth() : 0;
            if (!result || !finds_path) return;
            PathByLayers<P> halves{problem, limits, result.statistics, result.status};
            const bool is_whole = halves.append(start, *search.end, search.depth(), result.path);
            result.statistics = halves.statistics;
            if (is_whole) {
                result.path.push_back(*search.end);
                look_up_steps(problem, result.path, moves_of<P>(result));
            } else {
                result.status = halves.status;
                result.path.clear();
                result.cost = 0;
            }
        });
    };
    return with_engine<Search>(run, problem, start, limits, std::forward<O>(observer), is_goal);
}

} // namespace detail

/// Counts the states that can be reached from `start` in 0, 1, 2, ... steps and in no fewer, layer by layer,
/// whatever steps cost: breadth-first search (E. F. Moore 1959) of a whole space, with or without a goal.
///
/// Memory: of a `NumberedProblem` two bits for each number, and about half as much again for lists; of any
/// other `UndirectedProblem` two or three layers (R. E. Korf, W. Zhang, I. Thayer, H. Hohwald, "Frontier
/// search", 2005); else all states. A state of a `PackedProblem` takes its word, and five to ten bytes of an
/// index.
///
/// \param limits `max_cost` is the depth of the last layer that is counted
/// \param callback called with the depth and the count of each layer as soon as that is complete, from 0 and
///        1 on; if it returns something that converts to `bool`, false ends the count with
///        `Status::cancelled`
/// \return never throws for lack of memory: that is `Status::memory_limit`. What the problem, the callback or
///         the observer throws otherwise passes through.
template <Problem P, class Callback = detail::IgnoreLayers,
          class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
    requires std::invocable<Callback&, int, std::uint64_t> && (PackedProblem<P> || HasHash<P>)
LayerCounts breadth_first_layers(const P& problem, const detail::named_state_t<P>& start,
                                 BasicLimits<int> limits = {}, Callback&& callback = {}, O&& observer = O{}) {
    using Layers = std::conditional_t<
        NumberedProblem<P>, detail::NumberedLayers<P>,
        std::conditional_t<UndirectedProblem<P>, detail::LastLayers<P>, detail::AllLayers<P>>>;
    using Search = detail::LayerSearch<P, Layers, O, detail::NoGoal, Callback>;
    const auto run = [](Search& search) {
        search.run();
        return search.outcome(LayerCounts{},
                              [&](LayerCounts& result) { result.counts = search.layer_counts(); });
    };
    return detail::with_engine<Search>(run, problem, start, limits, std::forward<O>(observer),
                                       detail::NoGoal{}, std::forward<Callback>(callback));
}

/// Finds a path of the fewest steps by breadth-first frontier search (R. E. Korf, W. Zhang, I. Thayer, H.
/// Hohwald, "Frontier search", Journal of the ACM 52, 2005). It ends when a goal is generated.
///
/// Memory holds three layers, or two if the words of a problem have room to mark the moves that lead back.
/// The path is found afterwards, by divide and conquer: a search finds a state in the middle, and then each
/// half in the same way. If layers grow, that takes much less time and memory than the search for the goal;
/// else a few times as much time. `Statistics::stored` is the number of states held, `peak_open` the most in
/// the current and the next layer together.
///
/// \param limits `max_cost` is the greatest depth of a goal; the others hold for the search and the path
/// \param observer sees nodes of estimate 0, whose priority is their depth; and not the search for the path
/// \return as from `astar`; without a path if a limit ended the search for it: `frontier_depth` needs less
template <FrontierProblem P, class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
search_result_t<P> frontier_search(const P& problem, const detail::named_state_t<P>& start,
                                   BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::search_frontier<true>(problem, start, limits, std::forward<O>(observer));
}

/// The same without the path: how far the nearest goal is. `path` and `moves` are empty.
template <FrontierProblem P, class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
search_result_t<P> frontier_depth(const P& problem, const detail::named_state_t<P>& start,
                                  BasicLimits<int> limits = {}, O&& observer = O{}) {
    return detail::search_frontier<false>(problem, start, limits, std::forward<O>(observer));
}

} // namespace npuzzle
