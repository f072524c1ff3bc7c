#pragma once

#include "npuzzle/search/assert.hpp"
#include "npuzzle/search/best_first.hpp"
#include "npuzzle/search/best_first_engine.hpp"
#include "npuzzle/search/cost.hpp"
#include "npuzzle/search/hash.hpp"
#include "npuzzle/search/heuristic.hpp"
#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/observer.hpp"
#include "npuzzle/search/policy.hpp"
#include "npuzzle/search/priority.hpp"
#include "npuzzle/search/problem.hpp"
#include "npuzzle/search/result.hpp"
#include "npuzzle/search/word.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Beam search: breadth-first search that keeps the best states of each layer only.

namespace npuzzle {

namespace detail {

/// Whether `fingerprint` tells all states of a problem apart.
template <Problem P>
constexpr bool has_exact_fingerprints() {
    if constexpr (PackedProblem<P>) {
        return sizeof(packed_t<P>) <= sizeof(std::uint64_t);
    } else {
        return PlainScalar<state_t<P>> && !HasHashValue<state_t<P>> && sizeof(state_t<P>) <= sizeof(std::size_t) &&
               !requires(const P& problem, const state_t<P>& state) { problem.hash(state); };
    }
}

/// 64 bits that stand for a state.
template <Problem P>
std::uint64_t fingerprint(const P& problem, const state_t<P>& state) {
    if constexpr (PackedProblem<P>) {
        return mix_word(problem.pack(state));
    } else {
        return hash_state(problem, state);
    }
}

/// Open addressing over fingerprints, on a budget.
template <class Value>
class FingerprintMap {
public:
    explicit FingerprintMap(MemoryBudget& budget) : slots_(BudgetAllocator<Slot>(budget)) {}

    /// What is kept for a fingerprint, and whether it is new. Valid until the next `insert`.
    std::pair<Value*, bool> insert(std::uint64_t fingerprint) {
        if (4 * (size_ + 1) > 3 * slots_.size()) {
            grow();
        }
        fingerprint += fingerprint == 0 ? 1 : 0; // marks an empty slot
        Slot* slot = find(slots_, fingerprint);
        const bool is_new = slot->fingerprint == 0;
        slot->fingerprint = fingerprint;
        size_ += is_new ? 1 : 0;
        return {&slot->value, is_new};
    }

    const Value* find(std::uint64_t fingerprint) {
        if (slots_.empty()) {
            return nullptr;
        }
        fingerprint += fingerprint == 0 ? 1 : 0;
        const Slot* slot = find(slots_, fingerprint);
        return slot->fingerprint == 0 ? nullptr : &slot->value;
    }

    /// Drops all and keeps the storage. Linear in its size.
    void clear() {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        size_ = 0;
    }

private:
    struct Slot {
        std::uint64_t fingerprint = 0;
        [[no_unique_address]] Value value{};
    };
    using Slots = std::vector<Slot, BudgetAllocator<Slot>>;

    static Slot* find(Slots& slots, std::uint64_t fingerprint) {
        std::size_t i = static_cast<std::size_t>(fingerprint) & (slots.size() - 1);
        while (slots[i].fingerprint != 0 && slots[i].fingerprint != fingerprint) {
            i = (i + 1) & (slots.size() - 1);
        }
        return &slots[i];
    }

    [[gnu::noinline]] void grow() {
        Slots larger(slots_.empty() ? 64 : 2 * slots_.size(), Slot{}, slots_.get_allocator());
        for (const Slot& slot : slots_) {
            if (slot.fingerprint != 0) {
                *find(larger, slot.fingerprint) = slot;
            }
        }
        slots_.swap(larger);
    }

    Slots slots_;
    std::size_t size_ = 0;
};

} // namespace detail

/// Beam search as an object: each `step` expands one state of the current layer; when the layer is through, the best `width`
/// of all states that were generated are the next one. Ends at the first goal that is generated.
///
/// A layer is what is one step further, whatever steps cost. Under `Duplicates::closed_set` a state is not kept again,
/// unless by a cheaper path. For that 64 bits stand for a state: its word, where it is packed into so few, or
/// else its hash; two states that share a hash are taken for one, so a hash should be good. Under
/// `Duplicates::parent_only`, states are not looked up at all; without a limit the search may go on for ever.
///
/// Memory: the states of two layers, and for each state that was kept its parent and the move that led to it (where the
/// problem has no moves, the state) and, under `closed_set`, its 64 bits, with the cost of its path where steps have costs.
///
/// The engine refers to the problem and, where it was given an lvalue, to the heuristic and the observer: they must
/// outlive it.
///
/// \tparam Phi a `PriorityFor` the problem's costs and estimates: which states of a layer are the best
template <Problem P, class H, class O = SilentObserver,
          class Phi = GreedyPriority<cost_t<P>, estimate_t<H, P>>,
          Duplicates duplicates = Duplicates::closed_set>
    requires HeuristicFor<H, P>
class BeamSearch {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Priority = typename Phi::Value;
    using Result = SearchResult<State, Cost, move_t<P>>;
    using Node = NodeView<State, Cost, Estimate, Priority>;

    static_assert(ObserverOf<std::remove_reference_t<O>, Node>);
    static_assert(duplicates == Duplicates::parent_only || PackedProblem<P> || HasHash<P>,
                  "a beam search that finds duplicates needs to hash the states: see HasHash");

    /// \param width how many states of each layer are kept; at least 1
    /// \throws std::invalid_argument if the width is 0
    BeamSearch(const P& problem, const State& start, H&& heuristic, std::size_t width,
               BasicLimits<Cost> limits = {}, O&& observer = O{}, Phi priority = {})
        : problem_(&problem), heuristic_(keep(std::forward<H>(heuristic), problem)),
          observer_(std::forward<O>(observer)), priority_(std::move(priority)), start_(start), width_(width),
          max_cost_(limits.max_cost), monitor_(limits), budget_(limits.bytes),
          nodes_(detail::BudgetAllocator<Kept>(budget_)), beam_(detail::BudgetAllocator<Entry>(budget_)),
          next_beam_(detail::BudgetAllocator<Entry>(budget_)),
          candidates_(detail::BudgetAllocator<Candidate>(budget_)),
          order_(detail::BudgetAllocator<std::uint32_t>(budget_)), closed_(budget_), in_layer_(budget_) {
        if (width == 0) {
            throw std::invalid_argument("a beam has a width of 1 or more");
        }
        guarded([&] {
            const Estimate estimate = evaluate(start_);
            observer_.start(Node{start_, Cost{}, estimate, priority_(Cost{}, estimate)});
            begin();
        });
    }
    BeamSearch(const BeamSearch&) = delete;
    BeamSearch& operator=(const BeamSearch&) = delete;

    /// Begins again from the start with a beam of another width, if the beam has run dry; statistics and limits go on.
    /// \throws std::invalid_argument if the width is 0
    void widen(std::size_t width) {
        if (width == 0) {
            throw std::invalid_argument("a beam has a width of 1 or more");
        }
        if (status_ == Status::beam_exhausted) {
            width_ = width;
            status_ = Status::running;
            guarded([&] { begin(); });
        }
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        guarded([&] { advance(); });
        return status_ == Status::running;
    }

    /// Steps to the end.
    Status run() {
        guarded([&] {
            while (status_ == Status::running) {
                advance();
            }
        });
        return status_;
    }

    Status status() const { return status_; }
    std::size_t width() const { return width_; }

    /// Whether the beam, at its present width, has dropped a state.
    bool has_dropped() const { return has_dropped_; }

    /// The number of steps to the states that are being expanded.
    std::uint64_t depth() const { return depth_; }

    /// What has been done so far. `stored` is the number of states kept, at the present width, and `peak_open` the most
    /// states that a layer had to choose from.
    Statistics statistics() const {
        Statistics statistics = statistics_;
        statistics.stored = nodes_.size();
        statistics.bytes = budget_.peak();
        statistics.seconds = status_ == Status::running ? monitor_.seconds() : seconds_;
        return statistics;
    }

    /// The outcome, with the path if the search is solved. If a limit ended the search, the path goes to the state of the
    /// least estimate of those expanded at the present width.
    Result result() {
        Result result;
        result.statistics = statistics();
        result.status = status_;
        try {
            if (status_ == Status::solved) {
                retrace(*goal_, result);
            } else if (is_limit(status_) && nearest_) {
                retrace(*nearest_, result);
            }
        } catch (const std::bad_alloc&) {
            result = Result{};
            result.statistics = statistics();
            result.status = is_limit(status_) ? status_ : Status::memory_limit;
        }
        return result;
    }

private:
    static constexpr bool has_moves = MoveProblem<P>;
    static constexpr bool is_evaluating = detail::follows_by_evaluation<H, P>;
    static constexpr bool is_incremental = is_evaluating || IncrementalHeuristicFor<H, P>;
    static constexpr bool finds_duplicates = duplicates == Duplicates::closed_set;

    struct Nothing {};
    using Move = typename std::conditional_t<has_moves, detail::move_of<P>, std::type_identity<Nothing>>::type;
    using Heuristic = typename detail::kept_heuristic<H, P>::type;
    /// Where steps have no costs, nobody comes again by a cheaper path.
    using ClosedCost = std::conditional_t<is_weighted<P>, Cost, Nothing>;

    /// What is kept of a state for good: where it came from.
    struct Kept {
        std::uint32_t parent;
        [[no_unique_address]] std::conditional_t<has_moves, Move, State> step;
    };

    /// A state of the current layer.
    struct Entry {
        State state;
        Cost cost;
        Estimate estimate;
        Priority priority;
        std::uint32_t node;
        [[no_unique_address]] Move last;
    };

    /// A state that the next layer may keep; where there are moves, it is made when it is kept.
    struct Candidate {
        Cost cost;
        Estimate estimate;
        Priority priority;
        std::uint32_t parent; // in the current layer
        [[no_unique_address]] std::conditional_t<has_moves, Move, State> step;
        [[no_unique_address]] std::conditional_t<finds_duplicates, std::uint64_t, Nothing> fingerprint;
    };

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    struct End {
        std::uint32_t node;                                     // kept
        std::optional<std::conditional_t<has_moves, Move, State>> step; // and one more
        Cost cost;
    };

    static Heuristic keep(H&& heuristic, const P& problem) {
        if constexpr (BindsTo<H, P>) {
            return heuristic.bind(problem);
        } else {
            return std::forward<H>(heuristic);
        }
    }

    static bool is_limit(Status status) {
        return status == Status::expansion_limit || status == Status::memory_limit ||
               status == Status::time_limit || status == Status::cancelled;
    }

    static Move no_move() {
        if constexpr (has_moves) {
            return P::no_move;
        } else {
            return {};
        }
    }

    template <class F>
    void guarded(F&& work) {
        try {
            work();
        } catch (const std::bad_alloc&) {
            finish(Status::memory_limit);
        }
    }

    void finish(Status status) {
        status_ = status;
        seconds_ = monitor_.seconds();
        observer_.progress(statistics());
    }

    Estimate evaluate(const State& state) {
        if constexpr (std::same_as<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return detail::saturating_cast<Estimate>(heuristic_(state));
        }
    }

    static Node view_of(const Entry& entry) {
        return Node{entry.state, entry.cost, entry.estimate, entry.priority};
    }

    void begin() {
        nodes_.clear();
        candidates_.clear();
        count_ = 0;
        position_ = 0;
        depth_ = 0;
        nearest_.reset();
        goal_.reset();
        is_cut_ = false;
        has_dropped_ = false;
        has_merged_ = false;
        if constexpr (finds_duplicates) {
            closed_.clear();
            in_layer_.clear();
        }
        const Estimate estimate = evaluate(start_);
        if constexpr (has_moves) {
            nodes_.push_back({none, P::no_move});
        } else {
            nodes_.push_back({none, start_});
        }
        if constexpr (finds_duplicates) {
            close(detail::fingerprint(*problem_, start_), Cost{});
        }
        const Entry entry{start_, Cost{}, estimate, priority_(Cost{}, estimate), 0, no_move()};
        if (detail::is_infinite(estimate) || is_beyond(Cost{}, estimate)) {
            return;
        }
        if (problem_->is_goal(start_)) {
            reach(End{0, std::nullopt, Cost{}}, view_of(entry));
            return;
        }
        beam_.clear();
        beam_.push_back(entry);
        count_ = 1;
    }

    void close(std::uint64_t fingerprint, [[maybe_unused]] const Cost& cost) {
        [[maybe_unused]] ClosedCost* const known = closed_.insert(fingerprint).first;
        if constexpr (is_weighted<P>) {
            *known = cost;
        }
    }

    /// One expansion, or the end.
    void advance() {
        if (status_ != Status::running) {
            return;
        }
        if (position_ == count_) {
            next_layer();
            if (count_ == 0) {
                finish(has_dropped_ || (has_merged_ && !is_exact) ? Status::beam_exhausted
                       : !is_cut_                                 ? Status::unsolvable
                       : max_cost_                                ? Status::cost_limit
                                                                  : Status::cost_overflow);
                return;
            }
        }
        if (monitor_.is_due(statistics_.expanded)) {
            if (const Status limit = monitor_.check(statistics_.expanded); limit != Status::running) {
                finish(limit);
                return;
            }
            observer_.progress(statistics());
        }
        const std::uint32_t parent = position_++;
        const Entry& entry = beam_[parent];
        if (!nearest_ || entry.estimate < least_estimate_) {
            nearest_ = End{entry.node, std::nullopt, entry.cost};
            least_estimate_ = entry.estimate;
        }
        ++statistics_.expanded;
        observer_.expand(view_of(entry));
        expand(entry, parent);
        statistics_.peak_open = std::max<std::uint64_t>(statistics_.peak_open, candidates_.size());
    }

    void expand(const Entry& entry, std::uint32_t parent) {
        if constexpr (has_moves) {
            const auto evaluation = [&] {
                if constexpr (is_evaluating) {
                    return heuristic_.evaluate(entry.state);
                } else {
                    return Nothing{};
                }
            }();
            problem_->for_each_move(entry.state, entry.last, [&](Move move) {
                if (status_ != Status::running) {
                    return;
                }
                // In the place of the one before, which may own memory.
                if (child_) {
                    *child_ = entry.state;
                } else {
                    child_ = entry.state;
                }
                problem_->apply(*child_, move);
                const auto estimate_of = [&] {
                    if constexpr (is_evaluating) {
                        return detail::saturating_cast<Estimate>(
                            heuristic_.value(heuristic_.after(evaluation, entry.state, move, *child_)));
                    } else if constexpr (is_incremental) {
                        return static_cast<Estimate>(
                            heuristic_.after(entry.estimate, entry.state, move, *child_));
                    } else {
                        return evaluate(*child_);
                    }
                };
                if constexpr (is_weighted<P>) {
                    generate(entry, parent, *child_, problem_->move_cost(entry.state, move), move,
                             estimate_of);
                } else {
                    generate(entry, parent, *child_, Cost{1}, move, estimate_of);
                }
            });
        } else {
            for (auto&& neighbor : problem_->neighbors(entry.state)) {
                if (status_ != Status::running) {
                    return;
                }
                if constexpr (is_weighted<P>) {
                    consider(entry, parent, State(neighbor.to), neighbor.cost);
                } else {
                    consider(entry, parent, State(neighbor), Cost{1});
                }
            }
        }
    }

    void consider(const Entry& entry, std::uint32_t parent, State&& child, const Cost& step) {
        const std::uint32_t before = nodes_[entry.node].parent;
        if (before == none || !detail::is_equal(nodes_[before].step, child)) {
            generate(entry, parent, child, step, child, [&] { return evaluate(child); });
        }
    }

    template <class Step, class EstimateOf>
    void generate(const Entry& entry, std::uint32_t parent, const State& state, const Cost& step_cost,
                  const Step& step, EstimateOf&& estimate_of) {
        ++statistics_.generated;
        if (step_cost < Cost{}) {
            ++statistics_.broken_promises;
            NPUZZLE_ASSERT(false && "costs are not negative");
            return;
        }
        const Cost cost = detail::saturating_add<Cost>(entry.cost, step_cost);
        if (detail::is_infinite(cost)) {
            // A step of infinite cost is a wall; only a finite one can lead out of the type's range.
            is_cut_ = is_cut_ || !detail::is_infinite(step_cost);
            return;
        }
        const Estimate estimate = estimate_of();
        const Priority priority = priority_(cost, estimate);
        const Node view{state, cost, estimate, priority};
        observer_.generate(view, view_of(entry));
        if (detail::is_infinite(estimate) || is_beyond(cost, estimate)) {
            return;
        }
        Candidate candidate{cost, estimate, priority, parent, step, {}};
        if constexpr (finds_duplicates) {
            candidate.fingerprint = detail::fingerprint(*problem_, state);
            if (!is_closed(candidate.fingerprint, cost)) {
                const auto [place, is_new] = in_layer_.insert(candidate.fingerprint);
                if (is_new) {
                    *place = none; // until there is a candidate
                }
                if (*place == none) {
                    if (problem_->is_goal(state)) {
                        reach(End{entry.node, step, cost}, view);
                        return;
                    }
                    add(candidate);
                    *place = static_cast<std::uint32_t>(candidates_.size() - 1);
                    return;
                }
                if (Candidate& known = candidates_[*place]; cost < known.cost) {
                    has_merged_ = true;
                    known = candidate;
                    observer_.improve(view);
                    return;
                }
            }
            has_merged_ = true;
            ++statistics_.duplicates;
            observer_.duplicate(view);
        } else {
            if (problem_->is_goal(state)) {
                reach(End{entry.node, step, cost}, view);
                return;
            }
            add(candidate);
        }
    }

    void add(const Candidate& candidate) {
        if (candidates_.size() == none) {
            throw std::bad_alloc();
        }
        candidates_.push_back(candidate);
    }

    bool is_closed(std::uint64_t fingerprint, [[maybe_unused]] const Cost& cost) {
        const ClosedCost* const known = closed_.find(fingerprint);
        if constexpr (is_weighted<P>) {
            return known != nullptr && !(cost < *known);
        } else {
            return known != nullptr;
        }
    }

    /// The best candidates become the current layer, in the order in which they were generated.
    void next_layer() {
        const std::size_t count = std::min(width_, candidates_.size());
        if (count > none - nodes_.size()) {
            throw std::bad_alloc();
        }
        order_.clear();
        for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
            order_.push_back(i);
        }
        if (count < candidates_.size()) {
            has_dropped_ = true;
            const auto end = order_.begin() + static_cast<std::ptrdiff_t>(count);
            // Ties are broken in favour of those generated first, so that each run is like the other.
            std::nth_element(order_.begin(), end, order_.end(), [&](std::uint32_t a, std::uint32_t b) {
                const Candidate& first = candidates_[a];
                const Candidate& second = candidates_[b];
                return first.priority < second.priority || (!(second.priority < first.priority) && a < b);
            });
            order_.erase(end, order_.end());
            std::sort(order_.begin(), order_.end());
        }
        std::size_t made = 0;
        for (const std::uint32_t i : order_) {
            const Candidate& candidate = candidates_[i];
            const Entry& parent = beam_[candidate.parent];
            const auto node = static_cast<std::uint32_t>(nodes_.size());
            nodes_.push_back({parent.node, candidate.step});
            if constexpr (finds_duplicates) {
                close(candidate.fingerprint, candidate.cost);
            }
            if constexpr (has_moves) {
                put(next_beam_, made, parent.state, candidate, node, candidate.step);
                problem_->apply(next_beam_[made].state, candidate.step);
            } else {
                put(next_beam_, made, candidate.step, candidate, node, no_move());
            }
            ++made;
        }
        candidates_.clear();
        if constexpr (finds_duplicates) {
            in_layer_.clear();
        }
        std::swap(beam_, next_beam_);
        count_ = static_cast<std::uint32_t>(count);
        position_ = 0;
        ++depth_;
    }

    using Entries = std::vector<Entry, detail::BudgetAllocator<Entry>>;

    /// Over an old state, whose memory serves again, or at the end.
    static void put(Entries& entries, std::size_t place, const State& state, const Candidate& from,
                    std::uint32_t node, const Move& last) {
        if (place < entries.size()) {
            Entry& entry = entries[place];
            entry.state = state;
            entry.cost = from.cost;
            entry.estimate = from.estimate;
            entry.priority = from.priority;
            entry.node = node;
            entry.last = last;
        } else {
            entries.push_back({state, from.cost, from.estimate, from.priority, node, last});
        }
    }

    /// Whether no path through a node costs as little as a solution may, or as the type can hold.
    bool is_beyond(const Cost& cost, const Estimate& estimate) {
        const auto least = AStarPriority<Cost, Estimate>{}(cost, estimate);
        const bool is_beyond = detail::is_infinite(least) ||
                               (max_cost_ && detail::saturating_cast<Estimate>(*max_cost_) < least);
        is_cut_ = is_cut_ || is_beyond;
        return is_beyond;
    }

    /// The end, at a goal.
    void reach(const End& end, const Node& view) {
        if (view.estimate < Estimate{} || Estimate{} < view.estimate) {
            ++statistics_.broken_promises;
            NPUZZLE_ASSERT(false && "h(goal) is zero");
        }
        observer_.goal(view);
        goal_ = end;
        finish(Status::solved);
    }

    void retrace(const End& end, Result& result) {
        if constexpr (has_moves) {
            if (end.step) {
                result.moves.push_back(*end.step);
            }
            for (std::uint32_t node = end.node; nodes_[node].parent != none; node = nodes_[node].parent) {
                result.moves.push_back(nodes_[node].step);
            }
            std::reverse(result.moves.begin(), result.moves.end());
            result.path.push_back(start_);
            for (const Move& move : result.moves) {
                result.path.push_back(State(result.path.back()));
                problem_->apply(result.path.back(), move);
            }
        } else {
            if (end.step) {
                result.path.push_back(*end.step);
            }
            for (std::uint32_t node = end.node; node != none; node = nodes_[node].parent) {
                result.path.push_back(nodes_[node].step);
            }
            std::reverse(result.path.begin(), result.path.end());
        }
        result.cost = end.cost;
    }

    static constexpr bool is_exact = detail::has_exact_fingerprints<P>();

    const P* problem_;
    Heuristic heuristic_;
    O observer_;
    [[no_unique_address]] Phi priority_;
    State start_;
    std::size_t width_;
    std::optional<Cost> max_cost_;
    detail::LimitMonitor monitor_;
    detail::MemoryBudget budget_;
    std::vector<Kept, detail::BudgetAllocator<Kept>> nodes_; // all that were kept, the start first
    Entries beam_;                                           // the current layer, and older states behind it
    Entries next_beam_;
    std::vector<Candidate, detail::BudgetAllocator<Candidate>> candidates_;
    std::vector<std::uint32_t, detail::BudgetAllocator<std::uint32_t>> order_;
    detail::FingerprintMap<ClosedCost> closed_;      // of the states that were kept
    detail::FingerprintMap<std::uint32_t> in_layer_; // of the candidates, with their places
    std::optional<State> child_;
    std::optional<End> goal_;
    std::optional<End> nearest_; // of those expanded, the state of the least estimate
    Estimate least_estimate_{};
    std::uint32_t count_ = 0;    // of the states of the current layer
    std::uint32_t position_ = 0; // of the next one to be expanded
    std::uint64_t depth_ = 0;
    Statistics statistics_;
    double seconds_ = 0;
    Status status_ = Status::running;
    bool is_cut_ = false; // some path was not followed since it costs too much
    bool has_dropped_ = false;
    bool has_merged_ = false; // a state was taken for one that was known
};

namespace detail {

template <class Engine, class P, class H, class O, class Phi, class Run>
search_result_t<P> run_beam(const P& problem, const state_t<P>& start, H&& heuristic, std::size_t width,
                            const limits_t<P>& limits, O&& observer, const Phi& phi, Run&& run) {
    return guarded_search<P>([&] {
        Engine engine(problem, start, std::forward<H>(heuristic), width, limits, std::forward<O>(observer), phi);
        run(engine);
        return engine.result();
    });
}

/// Runs a beam again and again, each time twice as wide, as long as that may help.
struct RunDoubling {
    template <class Engine>
    void operator()(Engine& engine) const {
        while (engine.run() == Status::beam_exhausted && engine.has_dropped() &&
               engine.width() <= std::numeric_limits<std::size_t>::max() / 2) {
            engine.widen(2 * engine.width());
        }
    }
};

struct RunOnce {
    template <class Engine>
    void operator()(Engine& engine) const {
        engine.run();
    }
};

} // namespace detail

/// Beam search: layer by layer, of which the `width` states of least estimate are kept (B. Lowerre 1976). Finds some path
/// through spaces that no optimal search can go through; nothing is known of its cost, but a wider beam tends to find a cheaper one.
///
/// If the beam runs dry, that is `Status::unsolvable` only if it never had to drop a state, and 64 bits tell the
/// states apart; else `Status::beam_exhausted`.
///
/// \tparam duplicates whether states are found again: see `BeamSearch`
/// \param phi which states of a layer are the best: those of the least `phi(g, h)`; may be left out, for h
/// \param limits `max_cost` is kept by g + h
/// \throws std::invalid_argument if the width is 0
template <Duplicates duplicates = Duplicates::closed_set, Problem P, class H, class Phi, class O = SilentObserver>
    requires HeuristicFor<H, P> && std::invocable<const Phi&, const cost_t<P>&, const estimate_t<H, P>&>
detail::search_result_t<P> beam_search(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       std::size_t width, Phi phi, detail::limits_t<P> limits = {},
                                       O&& observer = O{}) {
    using Priority = typename detail::priority_of<Phi, P, std::remove_cvref_t<H>>::type;
    using Engine = BeamSearch<P, H, O, Priority, duplicates>;
    return detail::run_beam<Engine>(problem, start, std::forward<H>(heuristic), width, limits,
                                    std::forward<O>(observer), Priority(std::move(phi)), detail::RunOnce{});
}

template <Duplicates duplicates = Duplicates::closed_set, Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
detail::search_result_t<P> beam_search(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       std::size_t width, detail::limits_t<P> limits = {}, O&& observer = O{}) {
    using Priority = GreedyPriority<cost_t<P>, estimate_t<H, P>>;
    using Engine = BeamSearch<P, H, O, Priority, duplicates>;
    return detail::run_beam<Engine>(problem, start, std::forward<H>(heuristic), width, limits,
                                    std::forward<O>(observer), Priority{}, detail::RunOnce{});
}

/// Beam search, with a beam twice as wide each time it runs dry, until it finds a path, or proves by never dropping a
/// state that there is none. All beams share the limits.
///
/// \param width of the first beam
/// \throws std::invalid_argument if the width is 0
template <Problem P, class H, class Phi, class O = SilentObserver>
    requires HeuristicFor<H, P> && std::invocable<const Phi&, const cost_t<P>&, const estimate_t<H, P>&>
detail::search_result_t<P> doubling_beam(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                         std::size_t width, Phi phi, detail::limits_t<P> limits = {},
                                         O&& observer = O{}) {
    using Priority = typename detail::priority_of<Phi, P, std::remove_cvref_t<H>>::type;
    using Engine = BeamSearch<P, H, O, Priority>;
    return detail::run_beam<Engine>(problem, start, std::forward<H>(heuristic), width, limits,
                                    std::forward<O>(observer), Priority(std::move(phi)), detail::RunDoubling{});
}

template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
detail::search_result_t<P> doubling_beam(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                         std::size_t width = 1, detail::limits_t<P> limits = {},
                                         O&& observer = O{}) {
    using Priority = GreedyPriority<cost_t<P>, estimate_t<H, P>>;
    using Engine = BeamSearch<P, H, O, Priority>;
    return detail::run_beam<Engine>(problem, start, std::forward<H>(heuristic), width, limits,
                                    std::forward<O>(observer), Priority{}, detail::RunDoubling{});
}

} // namespace npuzzle
