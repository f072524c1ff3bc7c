#include "npuzzle/search/core/short_vector.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <ranges>
#include <vector>

TEST_CASE("a short vector is a range of what was appended, in that order", "[short_vector]") {
    npuzzle::ShortVector<int, 3> numbers;
    CHECK(numbers.empty());
    numbers.push_back(7);
    numbers.push_back(5);
    numbers.push_back(9);
    numbers[1] = 6;
    numbers.back() += 1;

    STATIC_REQUIRE(std::ranges::contiguous_range<npuzzle::ShortVector<int, 3>>);
    CHECK(numbers.size() == 3);
    CHECK(std::ranges::equal(std::as_const(numbers), std::vector{7, 6, 10}));
    CHECK(std::as_const(numbers)[2] == 10);
}
