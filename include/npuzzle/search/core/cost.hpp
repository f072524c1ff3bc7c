#pragma once

#include "npuzzle/macros.hpp"

#include <concepts>
#include <limits>

/// \file
/// What a cost is, and arithmetic on costs that never wraps.

namespace npuzzle {

/// A cost: `a + b` gives a cost again, and `T{}` is zero, as of arithmetic types but `bool`, `std::chrono`
/// durations and types of your own.
template <class T>
concept CostType = std::copyable<T> && std::totally_ordered<T> && std::default_initializable<T> &&
                   !std::same_as<T, bool> && requires(const T& a, const T& b) {
                       { a + b } -> std::convertible_to<T>;
                   };

namespace detail {

/// What stands for "cannot be reached": infinity, or the largest integer.
template <class T>
constexpr T infinite() {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : (limits::max)();
}

/// Whether a value is infinite, as a NaN is. Never for types without `std::numeric_limits`.
template <class T>
constexpr bool is_infinite(const T& value) {
    return std::numeric_limits<T>::is_specialized && !(value < infinite<T>());
}

template <class T>
constexpr bool is_nan(const T& value) {
    return std::numeric_limits<T>::has_quiet_NaN && !(value <= value);
}

template <class T>
constexpr bool is_negative(const T& value) {
    return value < T{};
}

/// a + b; an integer sum that the type cannot hold gives the nearest value, of which the largest is infinite.
template <class T>
constexpr T saturating_add(const T& a, const T& b) {
    if constexpr (!std::integral<T>) {
        return a + b;
    } else {
        using limits = std::numeric_limits<T>;
#if NPUZZLE_HAS_BUILTINS
        T sum{};
        if (!NPUZZLE_BUILTIN(add_overflow)(a, b, &sum)) return sum;
#else
        if (b < T{} ? a >= (limits::min)() - b : a <= (limits::max)() - b) return static_cast<T>(a + b);
#endif
        return is_negative(a) ? limits::lowest() : (limits::max)();
    }
}

/// Converts between cost types. What an integer type cannot hold becomes the nearest value that it can.
template <class To, class From>
constexpr To clamping_cast(const From& value) {
    using limits = std::numeric_limits<To>;
    if constexpr (std::integral<To> && std::integral<From>) {
        const To converted = static_cast<To>(value);
        if (static_cast<From>(converted) == value && is_negative(converted) == is_negative(value)) {
            return converted;
        }
        return is_negative(value) ? limits::lowest() : (limits::max)();
    } else if constexpr (std::integral<To> && std::floating_point<From>) {
        // The power of two above the largest value; that value itself need not be exact in floating point.
        constexpr From beyond = static_cast<From>((limits::max)() / 2 + 1) * From{2};
        if (!(value < beyond)) return (limits::max)();
        return value < (std::signed_integral<To> ? -beyond : From{}) ? limits::lowest()
                                                                     : static_cast<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

/// The same, and what is infinite stays infinite.
template <class To, class From>
constexpr To saturating_cast(const From& value) {
    constexpr bool may_be_infinite = !std::same_as<To, From> && std::integral<From>;
    if (may_be_infinite && std::numeric_limits<To>::is_specialized && is_infinite(value)) {
        return infinite<To>();
    }
    return clamping_cast<To>(value);
}

/// The value, or the greatest finite integer in place of the infinite one.
template <class T>
constexpr T finite(const T& value) {
    if constexpr (std::integral<T>) {
        return static_cast<T>(value - T{is_infinite(value)});
    } else {
        return value;
    }
}

} // namespace detail
} // namespace npuzzle
