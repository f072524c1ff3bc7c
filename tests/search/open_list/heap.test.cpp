#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cstdint>
#include <type_traits>

// What all open lists have in common is in open_list.test.cpp.

namespace {

using npuzzle::HeapOpenList;
using npuzzle::MemoryBudget;

static_assert(!std::is_copy_constructible_v<HeapOpenList<int, int, int>>);
static_assert(npuzzle::OpenList<HeapOpenList<archetype::Cost, archetype::Cost, int>>);

} // namespace

TEST_CASE("priorities may be of any ordered type", "[heap]") {
    using namespace std::chrono_literals;
    MemoryBudget budget;
    SECTION("durations") {
        HeapOpenList<std::chrono::milliseconds, std::chrono::seconds, int> list(budget);
        list.push({1500ms, 0s, 1});
        list.push({1s, 0s, 2});
        list.push({1s, 1s, 3});
        CHECK(list.pop().key == 3);
        CHECK(list.pop().key == 2);
        CHECK(list.pop().key == 1);
    }
    SECTION("types of one's own") {
        using archetype::Cost;
        HeapOpenList<Cost, Cost, char> list(budget);
        list.push({Cost(2), Cost(0), 'c'});
        list.push({Cost(1), Cost(0), 'b'});
        list.push({Cost(1), Cost(1), 'a'});
        CHECK(list.pop().key == 'a');
        CHECK(list.pop().key == 'b');
        CHECK(list.pop().key == 'c');
    }
}

TEST_CASE("the top is what is popped next", "[heap]") {
    MemoryBudget budget;
    HeapOpenList<int, int, int> list(budget);
    for (int i = 0; i < 500; ++i) {
        list.push({i * 7919 % 101, i % 3, i});
    }
    while (!list.empty()) {
        const int expected = list.top().key;
        CHECK(list.pop().key == expected);
    }
}

TEST_CASE("growing takes the old storage and the new", "[heap]") {
    using List = HeapOpenList<int, int, int>;
    MemoryBudget budget;
    List list(budget);
    std::uint64_t grown = 0;
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t before = budget.used();
        list.push({i, 0, i});
        CHECK(budget.used() >= list.size() * sizeof(List::Entry));
        if (budget.used() != before) {
            ++grown;
            CHECK(budget.used() >= 2 * before);
            CHECK(budget.peak() == before + budget.used());
        }
    }
    CHECK(grown >= 3);
    CHECK(grown <= 20);
}
