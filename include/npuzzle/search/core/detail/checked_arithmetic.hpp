#pragma once

#include "npuzzle/macros.hpp"

#include <concepts>
#include <limits>

/// \file Sums, differences and products of integers that say whether the type cannot hold them. Then the
/// result is unspecified.

namespace npuzzle::detail {

template <std::integral T>
constexpr bool add_overflows(T a, T b, T& sum) {
#if NPUZZLE_HAS_BUILTINS
    return __builtin_add_overflow(a, b, &sum);
#else
    using limits = std::numeric_limits<T>;
    if (b < T{} ? a < limits::min() - b : a > limits::max() - b) {
        return true;
    }
    sum = static_cast<T>(a + b);
    return false;
#endif
}

template <std::integral T>
constexpr bool subtract_overflows(T a, T b, T& difference) {
#if NPUZZLE_HAS_BUILTINS
    return __builtin_sub_overflow(a, b, &difference);
#else
    using limits = std::numeric_limits<T>;
    if (b < T{} ? a > limits::max() + b : a < limits::min() + b) {
        return true;
    }
    difference = static_cast<T>(a - b);
    return false;
#endif
}

template <std::integral T>
constexpr bool multiply_overflows(T a, T b, T& product) {
#if NPUZZLE_HAS_BUILTINS
    return __builtin_mul_overflow(a, b, &product);
#else
    using limits = std::numeric_limits<T>;
    // The bound that the product must keep, divided by the factor that is not zero.
    if (a > T{} ? (b > T{} ? a > limits::max() / b : b < limits::min() / a)
                : (b > T{} ? a < limits::min() / b : b < T{} && a < limits::max() / b)) {
        return true;
    }
    product = static_cast<T>(a * b);
    return false;
#endif
}

} // namespace npuzzle::detail
