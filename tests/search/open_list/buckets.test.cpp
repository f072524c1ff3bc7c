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

TEST_CASE("the memory of emptied buckets serves the others", "[buckets]") {
    MemoryBudget budget;
    List list(budget);
    const auto fill_and_empty = [&](int priority) {
        for (std::uint32_t key = 0; key < 20'000; ++key) {
            list.push({priority, 0, key});
        }
        while (!list.empty()) {
            list.pop();
        }
    };
    fill_and_empty(0);
    const std::uint64_t used = budget.used();
    for (int priority = 1; priority < 50; ++priority) {
        fill_and_empty(priority);
    }
    // The entries themselves need 80,000 bytes each time; what is added are the heads of 49 more buckets.
    CHECK(budget.used() < used + 20'000);
}

TEST_CASE("an entry that is far from the rest takes no more room than they do", "[buckets]") {
    MemoryBudget budget;
    List list(budget);
    for (int i = 0; i < 200; ++i) {
        list.push({0, 0, 0});
    }
    const std::uint64_t used = budget.used();
    list.push({2'000'000'000, 0, 1});
    list.push({-2'000'000'000, 0, 2});
    list.push({0, 2'000'000'000, 3});
    list.push({0, -2'000'000'000, 4});
    CHECK(budget.used() < used + 4096);
    CHECK(list.pop().key == 2);
    CHECK(list.pop().key == 3);
    for (int i = 0; i < 200; ++i) {
        CHECK(list.pop().key == 0);
    }
    CHECK(list.pop().key == 4);
    CHECK(list.pop().key == 1);
}

TEST_CASE("after the list was empty, the buckets are where the new entries are", "[buckets]") {
    MemoryBudget budget;
    List list(budget);
    // Priorities that rise by more than all buckets together.
    std::uint64_t used = 0;
    for (int base = -2'000'000'000; base < 2'000'000'000; base += 100'000'000) {
        for (std::uint32_t key = 0; key < 1000; ++key) {
            list.push({base + static_cast<int>(key % 10), 0, key});
        }
        int last = base;
        bool is_in_order = true;
        while (!list.empty()) {
            const auto entry = list.pop();
            is_in_order = is_in_order && last <= entry.priority && entry.priority < base + 10;
            last = entry.priority;
        }
        CHECK(is_in_order);
        used = used == 0 ? budget.used() : used;
    }
    CHECK(budget.used() == used);
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
