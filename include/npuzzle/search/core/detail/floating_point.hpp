#pragma once

#include "npuzzle/macros.hpp"

#include <concepts>
#include <limits>

#if !NPUZZLE_HAS_BUILTINS
#include <cmath>
#endif

/// \file
/// What the searches need of `<cmath>`, which takes a tenth of a second to compile.

namespace npuzzle::detail {

[[nodiscard]] inline double square_root(double x) {
#if NPUZZLE_HAS_BUILTINS
    return __builtin_sqrt(x);
#else
    return std::sqrt(x);
#endif
}

/// Splits x, which is the part that is returned, from one half up to but not including 1, times 2 to the
/// exponent.
[[nodiscard]] inline double split(double x, int& exponent) {
#if NPUZZLE_HAS_BUILTINS
    return __builtin_frexp(x, &exponent);
#else
    return std::frexp(x, &exponent);
#endif
}

/// The greatest number that is less.
template <std::floating_point T>
T next_below(T x) {
#if NPUZZLE_HAS_BUILTINS
    if constexpr (std::same_as<T, float>) {
        return __builtin_nextafterf(x, -std::numeric_limits<T>::infinity());
    } else if constexpr (std::same_as<T, double>) {
        return __builtin_nextafter(x, -std::numeric_limits<T>::infinity());
    } else {
        return __builtin_nextafterl(x, -std::numeric_limits<T>::infinity());
    }
#else
    return std::nextafter(x, -std::numeric_limits<T>::infinity());
#endif
}

} // namespace npuzzle::detail
