#include <npuzzle/search/kernel/ida_star_bounds.hpp>

#include "support/catch.hpp"

#include <optional>

using npuzzle::detail::Overshoot;

TEST_CASE("a histogram of what is beyond the bound gives the next one", "[ida_star]") {
    Overshoot<double> beyond;
    CHECK_FALSE(beyond.bound_for(1).has_value());
    for (int i = 1; i <= 1000; ++i) {
        beyond.add(10, 10 + i / 1000.0);
    }
    CHECK(beyond.bound_for(0) == std::optional(10.001));
    const double few = *beyond.bound_for(100);
    CHECK(few >= 10.1);
    CHECK(few <= 10.13); // a bin is a quarter of an octave
    const double half = *beyond.bound_for(1e9);
    CHECK(half >= 10.5);
    CHECK(half <= 10.65);
    beyond.clear();
    CHECK_FALSE(beyond.bound_for(1).has_value());
}
