#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/heap_queues.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

// What all open lists have in common is in open_list.test.cpp.

namespace {

using npuzzle::HeapOpenList;
using npuzzle::MemoryBudget;

static_assert(!std::is_copy_constructible_v<HeapOpenList<int, int, int>>);
static_assert(npuzzle::OpenList<HeapOpenList<archetype::Cost, archetype::Cost, int>>);

/// A priority that cannot be copied.
class Ticket {
public:
    explicit Ticket(int number) : number_(std::make_unique<int>(number)) {}

    int number() const { return *number_; }
    friend bool operator<(const Ticket& a, const Ticket& b) { return *a.number_ < *b.number_; }

private:
    std::unique_ptr<int> number_;
};

struct LeastCostFirst {
    template <class Entry>
    bool operator()(const Entry& a, const Entry& b) const {
        return a.cost < b.cost;
    }
};

/// The nearer to a key, the earlier.
struct NearestKeyFirst {
    int key;

    template <class Entry>
    bool operator()(const Entry& a, const Entry& b) const {
        return (a.key - key) * (a.key - key) < (b.key - key) * (b.key - key);
    }
};

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
    SECTION("types that can only be moved") {
        HeapOpenList<Ticket, int, int> list(budget);
        for (int i = 0; i < 100; ++i) {
            list.push({Ticket(i * 37 % 100), 0, i});
        }
        for (int i = 0; i < 50; ++i) {
            CHECK(list.top().priority.number() == i);
            const auto entry = list.pop();
            CHECK(entry.priority.number() == i);
            CHECK(entry.key * 37 % 100 == i);
        }
    }
}

TEMPLATE_LIST_TEST_CASE("priorities and costs may own memory", "[heap]", test::HeapQueues) {
    MemoryBudget budget;
    {
        typename TestType::template List<std::string, std::string, int> list(budget);
        const auto text = [](int number) { return std::string(40, 'x') + static_cast<char>('a' + number); };
        const auto fill = [&] {
            for (int i = 0; i < 200; ++i) {
                list.push({text(i % 7), text(i % 5), i});
            }
        };
        fill();
        CHECK(list.first_priority() == text(0));
        list.clear();
        CHECK(list.empty());
        fill();
        int wrong = 0;
        for (int i = 0; i < 100; ++i) {
            const auto expected = std::pair{list.top().priority, list.top().key};
            const auto entry = list.pop();
            wrong += std::pair{entry.priority, entry.key} == expected ? 0 : 1;
            wrong += entry.priority == text(entry.key % 7) && entry.cost == text(entry.key % 5) ? 0 : 1;
            wrong += list.top().priority < entry.priority ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK(list.size() == 100);
    }
    CHECK(budget.used() == 0);
}

TEMPLATE_LIST_TEST_CASE("among equal priorities, a tie-break of one's own decides", "[heap]",
                        test::HeapQueues) {
    MemoryBudget budget;
    SECTION("by another order of costs") {
        typename TestType::template List<int, int, int, LeastCostFirst> list(budget);
        for (int i = 0; i < 100; ++i) {
            list.push({i % 2, i * 37 % 100 / 2, i});
        }
        int wrong = 0;
        for (int i = 0; i < 100; ++i) {
            const auto entry = list.pop();
            wrong +=
                entry.priority == i / 50 && entry.key % 2 == entry.priority && entry.cost == i % 50 ? 0 : 1;
        }
        CHECK(wrong == 0);
    }
    SECTION("by what it is told, also after the list was cleared") {
        typename TestType::template List<int, int, int, NearestKeyFirst> list(budget, NearestKeyFirst{30});
        for (int round = 0; round < 2; ++round) {
            for (int key = 0; key < 100; ++key) {
                list.push({0, 0, key});
            }
            CHECK(list.pop().key == 30);
            CHECK(list.pop().key + list.pop().key == 29 + 31);
            CHECK(list.pop().key + list.pop().key == 28 + 32);
            list.clear();
        }
    }
}

TEMPLATE_LIST_TEST_CASE("in a stable queue, the first in is the first out", "[heap]",
                        test::StableHeapQueues) {
    MemoryBudget budget;
    typename TestType::template List<int, int, int> list(budget);
    for (int i = 0; i < 100; ++i) {
        list.push({i % 2, 0, i});
    }
    int wrong = 0;
    for (int i = 0; i < 100; ++i) {
        wrong += list.pop().key == i % 50 * 2 + i / 50 ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEMPLATE_LIST_TEST_CASE("the top is what is popped next", "[heap]", test::HeapQueues) {
    MemoryBudget budget;
    typename TestType::template List<int, int, int> list(budget);
    for (int i = 0; i < 500; ++i) {
        list.push({i * 7919 % 101, i % 3, i});
    }
    int wrong = 0;
    while (!list.empty()) {
        const int expected = list.top().key;
        wrong += list.pop().key == expected ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEMPLATE_LIST_TEST_CASE("a push that is refused memory changes nothing", "[heap]", test::HeapQueues) {
    using List = typename TestType::template List<int, int, int>;
    for (std::uint64_t limit = 0; limit < 60'000; limit += 997) {
        MemoryBudget budget(limit);
        List list(budget);
        int count = 0;
        try {
            for (;; ++count) {
                list.push({-count, 0, count}); // each comes first
            }
        } catch (const std::bad_alloc&) {
        }
        REQUIRE(budget.used() <= limit);
        CHECK_THROWS_AS(list.push({1, 0, 0}), std::bad_alloc);
        REQUIRE(list.size() == static_cast<std::uint64_t>(count));
        int wrong = 0;
        for (int i = 0; i < count / 2; ++i) {
            wrong += list.pop().key == count - 1 - i ? 0 : 1;
        }
        // What they held serves the next.
        for (int i = 0; i < count / 2; ++i) {
            list.push({1 + i, 0, i});
        }
        for (int i = count - count / 2; i-- > 0;) {
            wrong += list.pop().key == i ? 0 : 1;
        }
        for (int i = 0; i < count / 2; ++i) {
            wrong += list.pop().key == i ? 0 : 1;
        }
        CHECK(wrong == 0);
        CHECK(list.empty());
    }
}

TEMPLATE_LIST_TEST_CASE("many entries are dropped at once, whatever their order", "[heap]",
                        test::HeapQueues) {
    // By a recursion as deep as there are entries, this would run out of stack.
    MemoryBudget budget;
    const auto fill = [](auto& list) {
        for (int i = 0; i < 250'000; ++i) {
            list.push({-i, 0, i}); // each comes first
        }
    };
    typename TestType::template List<int, int, int> list(budget);
    fill(list);
    const std::uint64_t used = budget.used();
    list.clear();
    CHECK(list.empty());
    CHECK(budget.used() == used);
    fill(list);
    CHECK(budget.used() == used);
    CHECK(list.pop().key == 249'999);
}
