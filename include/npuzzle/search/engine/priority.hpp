#pragma once

#include "npuzzle/search/core/heuristic.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

/// \file
/// The priorities of searches other than A*: functions of g and h.

namespace npuzzle {

namespace detail {

/// a * b; an integer product that the type cannot hold gives the nearest value, and an infinite factor an
/// infinite one.
template <class T>
constexpr T saturating_multiply(const T& a, const T& b) {
    if constexpr (!std::integral<T>) {
        return a * b;
    } else {
        constexpr T least = std::numeric_limits<T>::lowest();
        constexpr T most = infinite<T>();
#if NPUZZLE_HAS_BUILTINS
        T product{};
        const bool fits = !NPUZZLE_BUILTIN(mul_overflow)(a, b, &product);
#else
        const bool fits = a > T{} ? (b > T{} ? a <= most / b : b >= least / a)
                                  : (b > T{} ? a >= least / b : b == T{} || a >= most / b);
        const T product = fits ? static_cast<T>(a * b) : T{};
#endif
        if (fits && a != most && b != most) return product;
        return is_negative(a) != is_negative(b) ? least : most;
    }
}

} // namespace detail

/// h alone: greedy best-first search (Doran and Michie 1966).
template <class Cost, class Estimate>
struct GreedyPriority {
    using Value = Estimate;

    [[nodiscard]] constexpr Value operator()(const Cost& /*cost*/, const Estimate& estimate) const {
        return estimate;
    }
    [[nodiscard]] constexpr Estimate estimate(const Value& priority, const Cost& /*cost*/) const {
        return priority;
    }
};

/// g + w h: see `weighted_astar`.
/// \tparam W the type of w: with an integer, integer estimates keep integer priorities
template <class Cost, class Estimate, class W>
class WeightedPriority {
    static constexpr bool is_integral = std::integral<Cost> && std::integral<Estimate> && std::integral<W>;

public:
    static constexpr bool keeps_bound_without_reopening = true;

    /// Wide, so that w h has room.
    using Value = std::conditional_t<is_integral, std::int64_t, std::common_type_t<Estimate, W, double>>;

    constexpr explicit WeightedPriority(W weight) : weight_(detail::saturating_cast<Value>(weight)) {}

    [[nodiscard]] constexpr Value operator()(const Cost& cost, const Estimate& estimate) const {
        const Value weighted = detail::saturating_multiply(weight_, detail::saturating_cast<Value>(estimate));
        return detail::saturating_add(detail::saturating_cast<Value>(cost), weighted);
    }
    [[nodiscard]] constexpr Estimate estimate(const Value& priority, const Cost& cost) const
        requires is_integral && (sizeof(Estimate) <= 4) && (sizeof(Cost) <= 4) && (sizeof(W) <= 4)
    {
        return static_cast<Estimate>((priority - static_cast<Value>(cost)) / weight_);
    }

private:
    Value weight_;
};

namespace detail {

template <class W>
W checked_weight(W weight) {
    if (!(weight >= W{1})) throw std::invalid_argument("a weight is 1 or more");
    return weight;
}

struct BoundingPriority {
    using Value = double;
    static constexpr bool keeps_bound_without_reopening = true;

    double w;

    /// \throws std::invalid_argument if the weight is less than 1
    explicit BoundingPriority(double weight) : w(checked_weight(weight)) {}
};

} // namespace detail

/// A convex downward parabola: the solution costs at most w times the optimum, without reopening if the
/// heuristic is consistent (Chen and Sturtevant, "Necessary and sufficient conditions for avoiding reopenings
/// in best first suboptimal search with general bounding functions", AAAI 2021), and is nearly optimal at its
/// end.
struct XdpPriority : detail::BoundingPriority {
    using BoundingPriority::BoundingPriority;

    [[nodiscard]] double operator()(double g, double h) const {
        return (g + (2 * w - 1) * h + std::sqrt((g - h) * (g - h) + 4 * w * g * h)) / (2 * w);
    }
};

/// A convex upward parabola, likewise: nearly optimal at the start.
struct XupPriority : detail::BoundingPriority {
    using BoundingPriority::BoundingPriority;

    [[nodiscard]] double operator()(double g, double h) const {
        return (g + h + std::sqrt((g + h) * (g + h) + 4 * w * (w - 1) * h * h)) / (2 * w);
    }
};

namespace detail {

template <class F, class Cost, class Estimate>
struct FunctionPriority {
    using Value = std::decay_t<std::invoke_result_t<const F&, const Cost&, const Estimate&>>;

    F function;

    constexpr Value operator()(const Cost& cost, const Estimate& estimate) const {
        return function(cost, estimate);
    }
};

} // namespace detail
} // namespace npuzzle
