#pragma once

#include "npuzzle/search/core/detail/arithmetic.hpp"

#include <concepts>
#include <limits>

/// \file
/// What a cost is, and arithmetic on costs that never wraps.

namespace npuzzle {

/// A cost: copyable, totally ordered, `a + b` gives a cost again, and `T{}` is zero. All arithmetic types but
/// `bool` are costs, and so are `std::chrono` durations and types of one's own.
template <class T>
concept CostType = std::copyable<T> && std::totally_ordered<T> && std::default_initializable<T> &&
                   !std::same_as<T, bool> && requires(const T& a, const T& b) {
                       { a + b } -> std::convertible_to<T>;
                   };

namespace detail {

/// Whether a value stands for "cannot be reached": infinity, or the largest integer. Never for types without
/// `std::numeric_limits`.
template <class T>
[[nodiscard]] constexpr bool is_infinite(const T& value) {
    if constexpr (std::numeric_limits<T>::has_infinity) {
        // This way round, a NaN, which is no cost either, counts as infinite.
        return !(value < std::numeric_limits<T>::infinity());
    } else if constexpr (std::numeric_limits<T>::is_specialized) {
        return !(value < (std::numeric_limits<T>::max)());
    } else {
        return false;
    }
}

/// Whether a value is not a number.
template <class T>
[[nodiscard]] constexpr bool is_nan([[maybe_unused]] const T& value) {
    if constexpr (std::numeric_limits<T>::has_quiet_NaN) {
        return !(value <= value);
    } else {
        return false;
    }
}

/// Whether a cost is less than zero; never for an unsigned type.
template <class T>
[[nodiscard]] constexpr bool is_negative(const T& value) {
    if constexpr (std::unsigned_integral<T>) {
        return false;
    } else {
        return value < T{};
    }
}

/// a + b; an integer sum that the type cannot hold gives the largest value, which is infinite.
template <class T>
[[nodiscard]] constexpr T saturating_add(const T& a, const T& b) {
    if constexpr (std::integral<T>) {
        T sum{};
        if (add_overflows(a, b, sum)) {
            return a < T{} ? std::numeric_limits<T>::lowest() : (std::numeric_limits<T>::max)();
        }
        return sum;
    } else {
        return a + b;
    }
}

/// a * b, saturating like `saturating_add`; an infinite factor gives an infinite product.
template <class T>
[[nodiscard]] constexpr T saturating_multiply(const T& a, const T& b) {
    if constexpr (std::integral<T>) {
        T product{};
        if (is_infinite(a) || is_infinite(b) || multiply_overflows(a, b, product)) {
            return (a < T{}) != (b < T{}) ? std::numeric_limits<T>::lowest()
                                          : (std::numeric_limits<T>::max)();
        }
        return product;
    } else {
        return a * b;
    }
}

/// Converts between cost types. What an integer type cannot hold becomes the nearest value that it can.
template <class To, class From>
[[nodiscard]] constexpr To clamping_cast(const From& value) {
    if constexpr (std::same_as<To, From>) {
        return value;
    } else if constexpr (std::integral<To> && std::integral<From>) {
        if constexpr (std::signed_integral<From> && std::unsigned_integral<To>) {
            if (value < From{}) {
                return To{};
            }
        }
        const To converted = static_cast<To>(value);
        if (static_cast<From>(converted) != value || (converted < To{}) != (value < From{})) {
            return value < From{} ? std::numeric_limits<To>::lowest() : (std::numeric_limits<To>::max)();
        }
        return converted;
    } else if constexpr (std::integral<To> && std::floating_point<From>) {
        // The power of two above the largest value; that value itself need not be exact in floating point.
        constexpr From beyond = static_cast<From>((std::numeric_limits<To>::max)() / 2 + 1) * From{2};
        constexpr From lowest = std::signed_integral<To> ? -beyond : From{};
        if (!(value < beyond)) {
            return (std::numeric_limits<To>::max)();
        }
        return value < lowest ? std::numeric_limits<To>::lowest() : static_cast<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

/// The same, and what is infinite stays infinite.
template <class To, class From>
[[nodiscard]] constexpr To saturating_cast(const From& value) {
    if constexpr (!std::same_as<To, From> && std::integral<From> && std::numeric_limits<To>::is_specialized) {
        if (is_infinite(value)) {
            return std::numeric_limits<To>::has_infinity ? std::numeric_limits<To>::infinity()
                                                         : (std::numeric_limits<To>::max)();
        }
    }
    return clamping_cast<To>(value);
}

/// The value, or the greatest finite integer in place of the infinite one.
template <class T>
[[nodiscard]] constexpr T finite(const T& value) {
    if constexpr (std::integral<T>) {
        return static_cast<T>(value - T{is_infinite(value)});
    } else {
        return value;
    }
}

} // namespace detail
} // namespace npuzzle
