#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/automatic.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/catch.hpp"

#include <compare>
#include <concepts>
#include <cstdint>

// Which open list whoever has not chosen one gets.

namespace {

using npuzzle::AutomaticOpenList;
using npuzzle::BucketOpenList;
using npuzzle::HeapOpenList;
using npuzzle::LadderOpenList;

struct Money {
    long cents;
    auto operator<=>(const Money&) const = default;
};

constexpr bool has_unit_steps = true;

static_assert(std::same_as<AutomaticOpenList<int, int, int, has_unit_steps>, BucketOpenList<int, int, int>>);
static_assert(std::same_as<AutomaticOpenList<std::int64_t, int, char, has_unit_steps>,
                           BucketOpenList<std::int64_t, int, char>>);
static_assert(
    std::same_as<AutomaticOpenList<double, int, int, has_unit_steps>, LadderOpenList<double, int, int>>);
static_assert(std::same_as<AutomaticOpenList<int, int, int, !has_unit_steps>, LadderOpenList<int, int, int>>);
static_assert(std::same_as<AutomaticOpenList<double, double, int, !has_unit_steps>,
                           LadderOpenList<double, double, int>>);
static_assert(
    std::same_as<AutomaticOpenList<Money, Money, int, !has_unit_steps>, HeapOpenList<Money, Money, int>>);
static_assert(
    std::same_as<AutomaticOpenList<Money, int, int, has_unit_steps>, HeapOpenList<Money, int, int>>);

} // namespace

TEST_CASE("an automatic open list hands out what comes first", "[automatic]") {
    npuzzle::MemoryBudget budget;
    AutomaticOpenList<Money, Money, char, !has_unit_steps> list(budget);
    for (const char key : {'c', 'a', 'd', 'b'}) {
        list.push({{key - 'a'}, {0}, key});
    }
    for (const char key : {'a', 'b', 'c', 'd'}) {
        CHECK(list.first_priority() == Money{key - 'a'});
        CHECK(list.pop().key == key);
    }
    CHECK(list.empty());
}
