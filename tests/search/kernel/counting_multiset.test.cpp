#include <npuzzle/search/kernel/counting_multiset.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <iterator>
#include <set>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::CountingMultiset;

/// A value of those that are counted in an array, or of the others.
template <class T>
T any_value(test::Random& random) {
    const int value = random.one_in(3) ? random.between(4000, 9000) : random.between(0, 40);
    if constexpr (std::is_signed_v<T>) {
        return random.one_in(10) ? static_cast<T>(-value) : static_cast<T>(value);
    } else {
        return static_cast<T>(value);
    }
}

} // namespace

TEMPLATE_TEST_CASE("the least of what is there is that of a std::multiset", "[counting_multiset]", int,
                   std::uint32_t, std::int64_t, double) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        test::Random random(seed);
        MemoryBudget budget;
        CountingMultiset<TestType> counted(budget);
        std::multiset<TestType> expected;
        for (int i = 0; i < 2000; ++i) {
            if (expected.empty() || random.between(0, 99) < (i < 1000 ? 60 : 40)) {
                const auto value = any_value<TestType>(random);
                counted.add(value);
                expected.insert(value);
            } else {
                auto place = expected.begin();
                for (int steps = random.between(0, 3); steps > 0 && std::next(place) != expected.end();
                     --steps) {
                    ++place;
                }
                counted.remove(*place);
                expected.erase(place);
            }
            if (random.one_in(500)) {
                counted.clear();
                expected.clear();
            }
            REQUIRE(counted.empty() == expected.empty());
            if (!expected.empty()) {
                REQUIRE(counted.least() == *expected.begin());
            }
        }
    }
}

TEST_CASE("small integers are counted in an array, which the budget is charged for", "[counting_multiset]") {
    MemoryBudget budget;
    CountingMultiset<int> counted(budget);
    for (int i = 0; i < 1000; ++i) {
        counted.add(50);
    }
    const auto bytes = budget.peak();
    CHECK(bytes > 0);
    CHECK(bytes < 4096);
    for (int i = 0; i < 1000; ++i) {
        counted.add(i % 50);
    }
    CHECK(budget.peak() == bytes);
}
