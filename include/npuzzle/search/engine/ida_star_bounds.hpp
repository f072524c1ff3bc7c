#pragma once

#include "npuzzle/search/core/heuristic.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

/// \file
/// The bounds of IDA*: which nodes are within the bound of an iteration, and what the next bound is.

namespace npuzzle::detail {

/// The bound on f = g + h of one iteration, and the least f beyond it, which is the next bound. A node's
/// position under the bound is its cost and its depth.
/// \tparam has_dead_ends whether an infinite estimate says that no goal can be reached; else it overflows
template <class Cost, class Estimate, bool has_dead_ends = true>
class CostBound {
public:
    using Value = Estimate;

    struct Position {
        Cost cost;
        std::size_t depth;
    };

    void set(const Value& bound) {
        bound_ = bound;
        next_.reset();
    }

    [[nodiscard]] const Value& value() const noexcept { return bound_; }
    [[nodiscard]] Position start() const { return {Cost{}, 0}; }
    [[nodiscard]] const Cost& cost(const Position& position) const { return position.cost; }
    [[nodiscard]] std::size_t depth(const Position& position) const { return position.depth; }

    /// From a node's position to its child's; false if the cost type cannot hold the child's cost, or the step
    /// is NaN.
    bool advance(Position& position, const Cost& step) {
        position.cost = saturating_add<Cost>(position.cost, step);
        ++position.depth;
        const bool is_held = !is_infinite(position.cost);
        has_overflowed_ = has_overflowed_ || (!is_held && (!is_infinite(step) || is_nan(step)));
        return is_held;
    }

    /// Whether a child is within the bound; if not, its f counts for the next bound.
    bool admits(const Position& /*parent*/, const Position& child, const Estimate& estimate) {
        const Value priority = AStarPriority<Cost, Estimate>{}(child.cost, estimate);
        if (!(bound_ < priority)) {
            return true;
        }
        if (is_infinite(priority)) {
            has_overflowed_ = has_overflowed_ || !has_dead_ends || !is_infinite(estimate);
        } else if (!next_ || priority < *next_) {
            next_ = priority;
        }
        return false;
    }

    /// The bound of the next iteration, if there is any. `refused`: how many children were not within this
    /// one.
    [[nodiscard]] std::optional<Value> next(std::uint64_t /*refused*/) const { return next_; }

    [[nodiscard]] bool has_overflowed() const noexcept { return has_overflowed_; }

    /// Adds what another search saw under the same bound.
    void merge(const CostBound& other) {
        if (other.next_ && (!next_ || *other.next_ < *next_)) {
            next_ = other.next_;
        }
        has_overflowed_ = has_overflowed_ || other.has_overflowed_;
    }

private:
    Value bound_{};
    std::optional<Value> next_;
    bool has_overflowed_ = false;
};

/// The same where each step costs 1 and estimates are integers. A node's position is what its cost leaves of
/// the bound; a child is within the bound if its estimate is less than its parent's position. No sum can
/// overflow.
///
/// `is_steady`: a child's estimate differs from its parent's by 1 at most. Then f exceeds the bound by 1 or 2,
/// and one comparison tells which. If the estimate rises by more all the same, the next bound is too low,
/// which costs an iteration and changes no result.
template <class Cost, std::integral Estimate, bool is_steady, std::size_t max_depth,
          bool has_dead_ends = true>
class UnitCostBound {
public:
    using Value = Estimate;
    using Position = Estimate;

    void set(Value bound) {
        bound_ = bound < lowest ? lowest : bound;
        excess_ = none;
    }

    [[nodiscard]] Value value() const { return bound_; }
    [[nodiscard]] Position start() const { return bound_; }
    [[nodiscard]] Cost cost(Position position) const { return static_cast<Cost>(bound_ - position); }
    [[nodiscard]] std::size_t depth(Position position) const {
        return static_cast<std::size_t>(bound_ - position);
    }

    [[nodiscard]] bool advance(Position& position, const Cost& /*step*/) const {
        --position;
        return true;
    }

    /// Any greater estimate of a child says no more: it is beyond the bound, and no nearer than others were.
    [[nodiscard]] Estimate greatest_of_interest(Position parent) const {
        if constexpr (is_steady) {
            return excess_ == 0 ? static_cast<Estimate>(parent - 1) : parent;
        } else {
            constexpr Estimate greatest = (std::numeric_limits<Estimate>::max)();
            return difference(greatest, parent) < excess_
                       ? greatest
                       : static_cast<Estimate>(static_cast<Excess>(parent) + excess_ - 1);
        }
    }

    bool admits(Position parent, Position /*child*/, Estimate estimate) {
        if (estimate < parent) {
            return true;
        }
        if constexpr (is_steady) {
            if (estimate == parent) [[unlikely]] {
                excess_ = 0;
            }
        } else {
            const Excess excess = difference(estimate, parent);
            if (excess < excess_ && (!has_dead_ends || !is_infinite(estimate))) [[unlikely]] {
                excess_ = excess;
            }
        }
        return false;
    }

    std::optional<Value> next(std::uint64_t refused) {
        if (is_steady && excess_ == none && refused > 0) {
            excess_ = 1;
        }
        if (excess_ == none) {
            return std::nullopt;
        }
        if (excess_ >= difference((std::numeric_limits<Value>::max)(), bound_) - 1) {
            has_overflowed_ = true;
            return std::nullopt;
        }
        return static_cast<Value>(static_cast<Excess>(bound_) + excess_ + 1);
    }

    [[nodiscard]] bool has_overflowed() const noexcept { return has_overflowed_; }

    /// Adds what another search saw under the same bound.
    void merge(const UnitCostBound& other) {
        excess_ = other.excess_ < excess_ ? other.excess_ : excess_;
        has_overflowed_ = has_overflowed_ || other.has_overflowed_;
    }

private:
    /// How far f is beyond the least value beyond the bound: exact for any two values, since unsigned.
    using Excess = std::make_unsigned_t<Estimate>;

    static constexpr Excess difference(Value greater, Value less) {
        return static_cast<Excess>(static_cast<Excess>(greater) - static_cast<Excess>(less));
    }

    static constexpr Excess none = (std::numeric_limits<Excess>::max)();
    /// No position passes the other end of the type. A bound that is raised to this is still below the f of
    /// each goal.
    static constexpr Value lowest =
        std::signed_integral<Value>
            ? static_cast<Value>(std::numeric_limits<Value>::lowest() + static_cast<Value>(max_depth + 2))
            : Value{};

    Value bound_{};
    Excess excess_ = none;
    bool has_overflowed_ = false;
};

/// The nodes beyond the bound of an iteration: a histogram of by how much, for the choice of the next bound.
/// \tparam Value arithmetic
template <class Value>
class Overshoot {
public:
    void clear() { *this = Overshoot(); }

    void add(const Value& bound, const Value& priority) {
        Bin& bin = bins_[bin_of(static_cast<double>(priority) - static_cast<double>(bound))];
        bin.greatest = bin.count == 0 || bin.greatest < priority ? priority : bin.greatest;
        ++bin.count;
        ++count_;
    }

    /// A bound that lets in so many of these nodes, or half of them if there are fewer; empty if there are
    /// none.
    [[nodiscard]] std::optional<Value> bound_for(double wanted) const {
        std::uint64_t within = 0;
        for (const Bin& bin : bins_) {
            within += bin.count;
            if (bin.count > 0 && (static_cast<double>(within) >= wanted || 2 * within >= count_)) {
                return bin.greatest;
            }
        }
        return std::nullopt;
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
        // Exponent and two bits of the fraction, as they stand in the number.
        const auto bits = NPUZZLE_BIT_CAST(std::uint64_t, 0 < excess ? excess : 0.0);
        const int bin = static_cast<int>(bits >> 50) - (1022 - 64) * per_octave;
        return static_cast<std::size_t>(bin < 0 ? 0 : bin < bins ? bin : bins - 1);
    }

    std::uint64_t count_ = 0;
    std::array<Bin, bins> bins_{};
};

} // namespace npuzzle::detail
