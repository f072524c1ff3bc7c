#pragma once

#include "npuzzle/macros.hpp"

#include <concepts>
#include <limits>

#if !NPUZZLE_HAS_BUILTINS
#include <cmath>
#endif

/// \file
/// Integer arithmetic that says whether the type cannot hold the result, which is unspecified then; and what
/// the searches need of `<cmath>`, which takes a tenth of a second to compile.

namespace npuzzle::detail {

template <std::integral T>
constexpr bool add_overflows(T a, T b, T& sum) {
#if NPUZZLE_HAS_BUILTINS
    return NPUZZLE_BUILTIN(add_overflow)(a, b, &sum);
#else
    using limits = std::numeric_limits<T>;
    if (b < T{} ? a < (limits::min)() - b : a > (limits::max)() - b) {
        return true;
    }
    sum = static_cast<T>(a + b);
    return false;
#endif
}

template <std::integral T>
constexpr bool subtract_overflows(T a, T b, T& difference) {
#if NPUZZLE_HAS_BUILTINS
    return NPUZZLE_BUILTIN(sub_overflow)(a, b, &difference);
#else
    using limits = std::numeric_limits<T>;
    if (b < T{} ? a > (limits::max)() + b : a < (limits::min)() + b) {
        return true;
    }
    difference = static_cast<T>(a - b);
    return false;
#endif
}

template <std::integral T>
constexpr bool multiply_overflows(T a, T b, T& product) {
#if NPUZZLE_HAS_BUILTINS
    return NPUZZLE_BUILTIN(mul_overflow)(a, b, &product);
#else
    using limits = std::numeric_limits<T>;
    // The bound that the product must keep, divided by the factor that is not zero.
    if (a > T{} ? (b > T{} ? a > (limits::max)() / b : b < (limits::min)() / a)
                : (b > T{} ? a < (limits::min)() / b : b < T{} && a < (limits::max)() / b)) {
        return true;
    }
    product = static_cast<T>(a * b);
    return false;
#endif
}

[[nodiscard]] inline double square_root(double x) {
#if NPUZZLE_HAS_BUILTINS
    return NPUZZLE_BUILTIN(sqrt)(x);
#else
    return std::sqrt(x);
#endif
}

/// Splits x, which is the part that is returned, from one half up to but not including 1, times 2 to the
/// exponent.
[[nodiscard]] inline double split(double x, int& exponent) {
#if NPUZZLE_HAS_BUILTINS
    return NPUZZLE_BUILTIN(frexp)(x, &exponent);
#else
    return std::frexp(x, &exponent);
#endif
}

/// The greatest number that is less.
template <std::floating_point T>
T next_below(T x) {
#if NPUZZLE_HAS_BUILTINS
    if constexpr (std::same_as<T, float>) {
        return NPUZZLE_BUILTIN(nextafterf)(x, -std::numeric_limits<T>::infinity());
    } else if constexpr (std::same_as<T, double>) {
        return NPUZZLE_BUILTIN(nextafter)(x, -std::numeric_limits<T>::infinity());
    } else {
        return NPUZZLE_BUILTIN(nextafterl)(x, -std::numeric_limits<T>::infinity());
    }
#else
    return std::nextafter(x, -std::numeric_limits<T>::infinity());
#endif
}

} // namespace npuzzle::detail
