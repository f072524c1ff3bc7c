#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/buckets.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

// What all open lists have in common is in open_list.test.cpp.

namespace {

using npuzzle::BucketOpenList;
using npuzzle::MemoryBudget;
using List = BucketOpenList<int, int, std::uint32_t>;

static_assert(!std::is_copy_constructible_v<List>);

} // namespace

TEST_CASE("in a bucket, the last in is the first out", "[buckets]") {
    MemoryBudget budget;
    List list(budget);
    // The first few are no business of the buckets.
    for (int i = 0; i < 100; ++i) {
        list.push({12, 0, 0});
    }
    constexpr std::uint32_t count = 5000; // Many chunks.
    for (std::uint32_t key = 0; key < count; ++key) {
        list.push({10, 4, key});
        list.push({10, 6, key});
    }
    std::uint32_t out_of_order = 0;
    for (const int cost : {6, 4}) {
        for (std::uint32_t key = count; key-- > 0;) {
            const auto entry = list.pop();
            out_of_order += entry.cost == cost && entry.key == key ? 0U : 1U;
        }
    }
    CHECK(out_of_order == 0);
    CHECK(list.size() == 100);
}

TEST_CASE("f may fall below all that was pushed before", "[buckets]") {
    MemoryBudget budget;
    List list(budget);
    list.push({1000, 0, 0});
    for (int priority = 999; priority > -1000; --priority) {
        list.push({priority, 0, static_cast<std::uint32_t>(1000 - priority)});
        const auto entry = list.pop();
        REQUIRE(entry.priority == priority);
        REQUIRE(entry.key == static_cast<std::uint32_t>(1000 - priority));
    }
    CHECK(list.pop().priority == 1000);
}

TEST_CASE("of equal f, the greatest g is first, however far apart they are", "[buckets]") {
    MemoryBudget budget;
    List list(budget);
    // The first few are no business of the buckets.
    for (int i = 0; i < 100; ++i) {
        list.push({12, 0, 0});
    }
    const auto push = [&](int cost) { list.push({10, cost, static_cast<std::uint32_t>(cost)}); };
    const auto pops = [&](int cost) {
        const auto entry = list.pop();
        return entry.priority == 10 && entry.cost == cost && entry.key == static_cast<std::uint32_t>(cost);
    };
    for (int cost = 0; cost <= 640; cost += 64) {
        push(cost);
    }
    CHECK(pops(640));
    CHECK(pops(576));
    push(1); // below others
    CHECK(pops(512));
    push(641); // above all, where there has been something
    push(0);
    CHECK(pops(641));
    for (int cost = 448; cost > 0; cost -= 64) {
        CHECK(pops(cost));
    }
    CHECK(pops(1));
    CHECK(pops(0));
    CHECK(pops(0));
    CHECK(list.pop().priority == 12);
}
