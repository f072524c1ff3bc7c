#pragma once

#include "npuzzle/search/core/heuristic.hpp"

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
template <class Cost, class Estimate, bool has_dead_ends>
class CostBound {
public:
    struct Position {
        Cost cost;
        std::size_t depth;
    };

    explicit CostBound(const Estimate& bound = {}) : bound_(bound) {}

    [[nodiscard]] const Estimate& value() const noexcept { return bound_; }
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
        const Estimate f = AStarPriority<Cost, Estimate>{}(child.cost, estimate);
        if (!(bound_ < f)) {
            return true;
        }
        if (is_infinite(f)) {
            has_overflowed_ = has_overflowed_ || !has_dead_ends || !is_infinite(estimate);
        } else if (!next_ || f < *next_) {
            next_ = f;
        }
        return false;
    }

    /// The bound of the next iteration, if there is any. `refused`: how many children were not within this
    /// one.
    [[nodiscard]] std::optional<Estimate> next(std::uint64_t /*refused*/) const { return next_; }

    [[nodiscard]] bool has_overflowed() const noexcept { return has_overflowed_; }

    /// Adds what another search saw under the same bound.
    void merge(const CostBound& other) {
        if (other.next_ && (!next_ || *other.next_ < *next_)) {
            next_ = other.next_;
        }
        has_overflowed_ = has_overflowed_ || other.has_overflowed_;
    }

private:
    Estimate bound_;
    bool has_overflowed_ = false;
    std::optional<Estimate> next_;
};

/// The same where each step costs 1 and estimates are integers. A node's position is what its cost leaves of
/// the bound; a child is within the bound if its estimate is less than its parent's position. No sum can
/// overflow.
///
/// `is_steady`: a child's estimate differs from its parent's by 1 at most. Then f exceeds the bound by 1 or 2,
/// and one comparison tells which. If the estimate rises by more all the same, the next bound is too low,
/// which costs an iteration and changes no result.
template <class Cost, std::integral Estimate, bool has_dead_ends, bool is_steady, std::size_t max_depth>
class UnitCostBound {
public:
    using Position = Estimate;

    explicit UnitCostBound(Estimate bound = {}) : bound_(bound < lowest ? lowest : bound) {}

    [[nodiscard]] Estimate value() const { return bound_; }
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
        return !is_steady && difference(greatest, parent) < excess_
                   ? greatest
                   : static_cast<Estimate>(static_cast<Excess>(parent) + excess_ - 1);
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

    std::optional<Estimate> next(std::uint64_t refused) {
        if (refused == 0 || excess_ == none) {
            return std::nullopt;
        }
        has_overflowed_ = excess_ >= difference(greatest, bound_) - 1;
        return has_overflowed_
                   ? std::nullopt
                   : std::optional(static_cast<Estimate>(static_cast<Excess>(bound_) + excess_ + 1));
    }

    [[nodiscard]] bool has_overflowed() const noexcept { return has_overflowed_; }

    void merge(const UnitCostBound& other) { excess_ = other.excess_ < excess_ ? other.excess_ : excess_; }

private:
    /// How far f is beyond the least value beyond the bound: exact for any two values, since unsigned.
    using Excess = std::make_unsigned_t<Estimate>;

    static constexpr Excess difference(Estimate greater, Estimate less) {
        return static_cast<Excess>(static_cast<Excess>(greater) - static_cast<Excess>(less));
    }

    static constexpr Excess none = (std::numeric_limits<Excess>::max)();
    static constexpr Estimate greatest = (std::numeric_limits<Estimate>::max)();
    /// No position passes the other end of the type. A bound that is raised to this is still below the f of
    /// each goal.
    static constexpr Estimate lowest = std::signed_integral<Estimate>
                                           ? static_cast<Estimate>(std::numeric_limits<Estimate>::lowest() +
                                                                   static_cast<Estimate>(max_depth + 2))
                                           : Estimate{};

    Estimate bound_;
    Excess excess_ = is_steady ? Excess{1} : none;
    bool has_overflowed_ = false;
};

} // namespace npuzzle::detail
