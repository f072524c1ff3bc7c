#pragma once

#include "npuzzle/search/core/assert.hpp"
#include "npuzzle/search/core/combinators.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/detail/floating_point.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/node_table.hpp"

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
/// IDA* that remembers some states, and may raise its bound by more than the least step.

namespace npuzzle::detail {

/// States and what is known of their distance to a goal: as many as fit in a given number of bytes. A new state takes the
/// place of the one, of a few, that took the least effort.
template <class P, class Value>
class TranspositionTable {
public:
    using State = state_t<P>;

    TranspositionTable(const P& problem, MemoryBudget& budget, std::uint64_t bytes)
        : problem_(&problem), entries_(make(budget, bytes)), buckets_(entries_.size() / ways) {}

    bool is_empty() const { return buckets_ == 0; }
    std::uint64_t stored() const { return stored_; }

    /// What is known of a state, if anything.
    const Value* find(const State& state) const {
        const Entry* entry = bucket_of(state);
        for (std::size_t i = 0; i < ways; ++i) {
            if (entry[i].effort != 0 && is_state(entry[i], state)) {
                return &entry[i].value;
            }
        }
        return nullptr;
    }

    void store(const State& state, const Value& value, std::uint64_t effort) {
        Entry* const bucket = bucket_of(state);
        Entry* least = bucket;
        for (std::size_t i = 0; i < ways; ++i) {
            if (bucket[i].effort != 0 && is_state(bucket[i], state)) {
                least = &bucket[i];
                break;
            }
            if (bucket[i].effort < least->effort) {
                least = &bucket[i];
            }
        }
        stored_ += least->effort == 0 ? 1 : 0;
        least->state = state;
        least->value = value;
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        least->effort = static_cast<std::uint32_t>(effort < 1 ? 1 : effort < most ? effort : most);
    }

private:
    static constexpr bool is_plain =
        std::is_trivially_copyable_v<State> && std::is_trivially_copyable_v<Value>;
    static constexpr std::size_t ways = 4;

    struct Entry {
        std::conditional_t<is_plain, State, std::optional<State>> state;
        Value value;
        std::uint32_t effort; // expansions behind the value; 0: nothing is here
    };

    using Entries = std::conditional_t<is_plain, Storage<Entry>, std::vector<Entry, BudgetAllocator<Entry>>>;

    static Entries make(MemoryBudget& budget, std::uint64_t bytes) {
        constexpr std::uint64_t most = std::uint64_t{1} << 32; // the bits of a hash that choose the bucket
        const std::uint64_t fitting = bytes / (ways * sizeof(Entry));
        const std::uint64_t buckets = fitting < most ? fitting : most;
        const auto count = static_cast<std::size_t>(buckets * ways);
        if constexpr (is_plain) {
            Entries entries(budget);
            if (count > 0) {
                entries.grow_zeroed(count);
            }
            return entries;
        } else {
            return Entries(count, BudgetAllocator<Entry>(budget));
        }
    }

    static bool is_state(const Entry& entry, const State& state) {
        if constexpr (is_plain) {
            return is_equal(entry.state, state);
        } else {
            return is_equal(*entry.state, state);
        }
    }

    std::size_t bucket_index(const State& state) const {
        const std::uint64_t hash = static_cast<std::uint32_t>(hash_state(*problem_, state));
        return static_cast<std::size_t>(hash * buckets_ >> 32) * ways;
    }
    const Entry* bucket_of(const State& state) const { return entries_.data() + bucket_index(state); }
    Entry* bucket_of(const State& state) { return entries_.data() + bucket_index(state); }

    const P* problem_;
    Entries entries_;
    std::uint64_t buckets_;
    std::uint64_t stored_ = 0;
};

/// What went over the bound of an iteration: how much of it by how far, roughly, for a choice of the next bound.
template <class Value>
class Overshoot {
public:
    void clear() { *this = Overshoot(); }

    void add(const Value& bound, const Value& priority) {
        if (!least_ || priority < *least_) {
            least_ = priority;
        }
        if constexpr (std::is_arithmetic_v<Value>) {
            Bin& own = bins_[bin_of(static_cast<double>(priority) - static_cast<double>(bound))];
            own.greatest = own.count == 0 || own.greatest < priority ? priority : own.greatest;
            ++own.count;
            ++count_;
        }
    }

    /// The least value that went over the bound.
    const std::optional<Value>& least() const { return least_; }

    /// A bound by which so many of them would not have gone over it, or half of them if they are fewer.
    std::optional<Value> bound_for(double wanted) const {
        std::uint64_t within = 0;
        for (const Bin& bin : bins_) {
            within += bin.count;
            if (bin.count > 0 && (static_cast<double>(within) >= wanted || 2 * within >= count_)) {
                return bin.greatest;
            }
        }
        return least_;
    }

private:
    /// Wide enough for excesses from 2^-64 to 2^64; a bin is a quarter of an octave.
    static constexpr int per_octave = 4;
    static constexpr int bins = 128 * per_octave;

    struct Bin {
        std::uint64_t count = 0;
        Value greatest{};
    };

    static std::size_t bin_of(double excess) {
        constexpr double most = 0x1p63;
        int exponent = 0;
        const double part = split(0 < excess ? excess < most ? excess : most : 0, exponent);
        const int bin =
            (exponent + bins / 2 / per_octave) * per_octave + static_cast<int>((part - 0.5) * 2 * per_octave);
        return static_cast<std::size_t>(bin < 0 ? 0 : bin < bins ? bin : bins - 1);
    }

    std::optional<Value> least_;
    std::uint64_t count_ = 0;
    std::array<Bin, bins> bins_{};
};

/// The IDA* of `IdaStarOptions`: depth-first searches under a bound on f. `H` is the heuristic, or a reference to it.
template <MoveProblem P, class H, class O>
class BoundedIdaStar {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = typename P::Move;
    using Estimate = estimate_t<H, P>;
    using Priority = AStarPriority<Cost, Estimate>;
    using Value = Estimate;
    using Result = SearchResult<State, Cost, Move>;
    using Node = NodeView<State, Cost, Estimate, Value>;

    static_assert(ObserverOf<O, Node>);

    /// \param growth by how many times the work of an iteration should exceed that of the one before; 1 or less: whatever the
    /// least step of the bound gives
    BoundedIdaStar(const P& problem, H&& heuristic, const BasicLimits<Cost>& limits, O& observer,
                   std::uint64_t table_bytes, double growth)
        : heuristic_(std::forward<H>(heuristic)), problem_(problem), observer_(observer), growth_(growth),
          max_cost_(limits.max_cost), monitor_(limits), budget_(limits.bytes),
          table_(problem, budget_, table_bytes) {}

    Result run(const State& start) {
        Result result;
        try {
            deepen(start);
            if (status_ == Status::solved) {
                retrace(start, result);
            }
        } catch (const std::bad_alloc&) {
            status_ = Status::memory_limit;
            result = Result{};
        }
        result.status = status_;
        result.statistics = statistics();
        observer_.progress(result.statistics);
        return result;
    }

private:
    using Heuristic = std::remove_reference_t<H>;
    using Following = EvaluatedPart<Heuristic, P>;
    using Evaluation = typename Following::Evaluation;

    /// As in the search without options.
    static constexpr std::size_t max_depth = 2'000;

    /// Larger states are kept off the stack.
    static constexpr bool is_small = sizeof(State) <= 256;

    /// A state, and what is known of it.
    struct Visited {
        const State& state;
        const Move& last;
        Cost cost;
        const Evaluation& evaluation;
        Value evaluated; // by the heuristic
        Value known;     // by the table as well
    };

    void deepen(const State& start) {
        const Evaluation evaluation = Following::evaluate(heuristic_, start);
        const Estimate estimate = estimate_of(evaluation);
        std::optional<Value> bound = Priority{}(Cost{}, estimate);
        observer_.start(Node{start, Cost{}, estimate, *bound});
        proved_ = *bound;
        while (bound && !is_infinite(*bound)) {
            if (max_cost_) {
                const Value most = saturating_cast<Value>(*max_cost_);
                if (most < proved_) {
                    status_ = Status::cost_limit;
                    return;
                }
                bound = most < *bound ? most : *bound;
            }
            bound_ = *bound;
            beyond_.clear();
            const std::uint64_t before = statistics_.expanded;
            const Move none = P::no_move;
            visit({start, none, Cost{}, evaluation, estimate, estimate}, infinite());
            if (status_ == Status::running && best_) {
                status_ = Status::solved;
            }
            if (status_ != Status::running) {
                return;
            }
            if (beyond_.least()) {
                proved_ = *beyond_.least();
            }
            bound =
                1 < growth_
                    ? beyond_.bound_for((growth_ - 1) * static_cast<double>(statistics_.expanded - before))
                    : beyond_.least();
        }
        status_ = !has_overflowed_ ? Status::unsolvable
                  : max_cost_      ? Status::cost_limit
                                   : Status::cost_overflow;
    }

    /// Searches what is below a state within the bound. Returns a lower bound on the way from it to a goal: the least that was
    /// seen of its children, and `back`, what the way straight back, which is not tried, takes at least. So it holds whichever
    /// way has led to the state.
    Value visit(const Visited& node, const Value& back) {
        if (taken_.size() > max_depth) {
            status_ = Status::memory_limit;
            return node.known;
        }
        if (is_goal(node)) {
            reach(node);
            return Value{};
        }
        if (monitor_.is_due(statistics_.expanded)) {
            status_ = monitor_.check(statistics_.expanded);
            if (status_ != Status::running) {
                return node.known;
            }
            observer_.progress(statistics());
        }
        const std::uint64_t before = statistics_.expanded++;
        observer_.expand(view_of(node));
        Value least = back;
        problem_.for_each_move(node.state, node.last, [&](const Move& move) {
            if (status_ == Status::running) {
                const Value through = try_move(node, move);
                least = through < least ? through : least;
            }
        });
        least = least < node.known ? node.known : least;
        if (status_ == Status::running && !table_.is_empty() && node.evaluated < least) {
            table_.store(node.state, least, statistics_.expanded - before);
        }
        return least;
    }

    /// A lower bound on the way to a goal that begins with a move.
    Value try_move(const Visited& node, const Move& move) {
        ++statistics_.generated;
        Cost step{1};
        if constexpr (is_weighted<P>) {
            step = problem_.move_cost(node.state, move);
            if (step < Cost{}) {
                ++statistics_.contract_violations;
                NPUZZLE_ASSERT(false && "costs are not negative");
                return infinite();
            }
        }
        const Cost cost = saturating_add<Cost>(node.cost, step);
        if (is_infinite(cost)) {
            has_overflowed_ = has_overflowed_ || !is_infinite(step);
            return infinite();
        }
        if constexpr (is_small) {
            State child = node.state;
            problem_.apply(child, move);
            return enter(node, move, step, cost, child);
        } else {
            std::vector<State> child(1, node.state);
            problem_.apply(child.front(), move);
            return enter(node, move, step, cost, child.front());
        }
    }

    Value enter(const Visited& node, const Move& move, const Cost& step, const Cost& cost,
                const State& child) {
        const Evaluation evaluation = Following::after(heuristic_, node.evaluation, node.state, move, child);
        const Estimate estimate = estimate_of(evaluation);
        observer_.generate(Node{child, cost, estimate, Priority{}(cost, estimate)}, view_of(node));
        const Value step_value = saturating_cast<Value>(step);
        Value known = estimate;
        bool is_within = admits(cost, estimate);
        if (is_within && !table_.is_empty()) {
            if (const Value* stored = table_.find(child); stored != nullptr && known < *stored) {
                known = *stored;
                is_within = admits(cost, known);
                statistics_.duplicates += is_within ? 0 : 1;
            }
        }
        if (!is_within) {
            const Value priority = Priority{}(cost, known);
            if (!is_infinite(priority)) {
                beyond_.add(bound_, priority);
            } else if (!is_infinite(known)) {
                has_overflowed_ = true;
            }
            return saturating_add<Value>(step_value, known);
        }
        taken_.push_back(move);
        // A step back costs nothing at least, and one where each step does.
        const Value least_step = is_weighted<P> ? Value{} : step_value;
        const Value below = visit({child, move, cost, evaluation, estimate, known},
                                  saturating_add<Value>(least_step, node.known));
        taken_.pop_back();
        return saturating_add<Value>(step_value, below);
    }

    /// Whether a path of this cost and estimate is to be followed: within the bound, and cheaper than what was found.
    bool admits(const Cost& cost, const Value& estimate) const {
        const Value priority = Priority{}(cost, estimate);
        return best_ ? priority < saturating_cast<Value>(best_cost_) : !(bound_ < priority);
    }

    bool is_goal(const Visited& node) const {
        if constexpr (declares_zero_at_goals<Heuristic>) {
            NPUZZLE_ASSERT((!(Estimate{} < node.evaluated) || !problem_.is_goal(node.state)) &&
                           "h(goal) is zero");
            return !(Estimate{} < node.evaluated) && problem_.is_goal(node.state);
        } else {
            return problem_.is_goal(node.state);
        }
    }

    /// A goal; the end, if nothing can be cheaper.
    void reach(const Visited& node) {
        if (node.evaluated < Estimate{} || Estimate{} < node.evaluated) {
            ++statistics_.contract_violations;
            NPUZZLE_ASSERT(false && "h(goal) is zero");
        }
        if (best_ && !(node.cost < best_cost_)) {
            return;
        }
        best_ = taken_;
        best_cost_ = node.cost;
        observer_.goal(view_of(node));
        if (!(proved_ < saturating_cast<Value>(node.cost)) || !(1 < growth_)) {
            status_ = Status::solved;
        }
    }

    Estimate estimate_of(const Evaluation& evaluation) {
        if constexpr (std::same_as<std::remove_cvref_t<H>, Zero>) {
            return Estimate{};
        } else {
            return saturating_cast<Estimate>(Following::value(heuristic_, evaluation));
        }
    }

    Node view_of(const Visited& node) const { return {node.state, node.cost, node.evaluated, bound_}; }

    static Value infinite() {
        if constexpr (std::numeric_limits<Value>::has_infinity) {
            return std::numeric_limits<Value>::infinity();
        } else {
            return std::numeric_limits<Value>::max();
        }
    }

    Statistics statistics() const {
        Statistics statistics = statistics_;
        statistics.stored = table_.stored();
        statistics.bytes = budget_.peak();
        statistics.seconds = monitor_.seconds();
        return statistics;
    }

    void retrace(const State& start, Result& result) {
        result.moves = *best_;
        result.path.reserve(best_->size() + 1);
        result.path.push_back(start);
        for (const Move& move : *best_) {
            State next = result.path.back();
            problem_.apply(next, move);
            result.path.push_back(std::move(next));
        }
        result.cost = best_cost_;
    }

    H heuristic_;
    const P& problem_;
    O& observer_;
    double growth_;
    std::optional<Cost> max_cost_;
    LimitMonitor monitor_;
    MemoryBudget budget_;
    TranspositionTable<P, Value> table_;
    Statistics statistics_;
    Overshoot<Value> beyond_;
    Value bound_{};
    Value proved_{}; ///< nothing costs less
    std::vector<Move> taken_;
    std::optional<std::vector<Move>> best_;
    Cost best_cost_{};
    bool has_overflowed_ = false;
    Status status_ = Status::running;
};

} // namespace npuzzle::detail
