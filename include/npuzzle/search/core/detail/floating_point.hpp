#pragma once

#include <concepts>
#include <limits>

/// \file
/// What the searches need of `<cmath>`, which takes a tenth of a second to compile.

namespace npuzzle::detail {

inline double square_root(double x) {
    return __builtin_sqrt(x);
}

/// Splits x, which is the part that is returned, from one half up to but not including 1, times 2 to the exponent.
inline double split(double x, int& exponent) {
    return __builtin_frexp(x, &exponent);
}

/// The greatest number that is less.
template <std::floating_point T>
T next_below(T x) {
    if constexpr (std::same_as<T, float>) {
        return __builtin_nextafterf(x, -std::numeric_limits<T>::infinity());
    } else if constexpr (std::same_as<T, double>) {
        return __builtin_nextafter(x, -std::numeric_limits<T>::infinity());
    } else {
        return __builtin_nextafterl(x, -std::numeric_limits<T>::infinity());
    }
}

} // namespace npuzzle::detail
