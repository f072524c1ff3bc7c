#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/buckets.hpp>
#include <npuzzle/search/open_list/heap.hpp>
#include <npuzzle/search/open_list/ladder.hpp>
#include <npuzzle/search/open_list/open_list.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/heap_queues.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <tuple>
#include <vector>

// One suite over all open lists.

namespace {

using npuzzle::BucketOpenList;
using npuzzle::HeapOpenList;
using npuzzle::LadderOpenList;
using npuzzle::MemoryBudget;
using npuzzle::OpenEntry;
using test::Random;

struct NotAList {
    using Entry = int;
    void push(int);
    int pop();
    bool empty() const;
};
static_assert(!npuzzle::OpenList<NotAList>);
static_assert(npuzzle::OpenList<archetype::OpenList<int, int, int>>);

static_assert(npuzzle::detail::comes_before(OpenEntry<int, int, int>{1, 0, 0},
                                            OpenEntry<int, int, int>{2, 9, 0}));
static_assert(npuzzle::detail::comes_before(OpenEntry<int, int, int>{2, 9, 0},
                                            OpenEntry<int, int, int>{2, 8, 0}));
static_assert(!npuzzle::detail::comes_before(OpenEntry<int, int, int>{2, 8, 0},
                                             OpenEntry<int, int, int>{2, 8, 1}));

/// A list, and beside it all that should be on it.
template <class List>
class Compared {
    using Entry = typename List::Entry;
    using Priority = decltype(Entry::priority);
    using Cost = decltype(Entry::cost);
    using Key = decltype(Entry::key);

    struct GreatestFirst {
        bool operator()(const Cost& a, const Cost& b) const { return b < a; }
    };

public:
    explicit Compared(MemoryBudget& budget) : list_(budget) {}

    void push(Priority priority, Cost cost, Key key) {
        list_.push({priority, cost, key});
        expected_[priority].emplace(cost, key);
        check_size();
    }

    /// Takes an entry from both; false if it is not one of those that come first.
    bool pop() {
        const Entry entry = list_.pop();
        auto& level = expected_.begin()->second;
        const auto [first, last] = level.equal_range(level.begin()->first);
        const auto same =
            std::find_if(first, last, [&](const auto& item) { return item.second == entry.key; });
        const bool is_right =
            entry.priority == expected_.begin()->first && entry.cost == level.begin()->first && same != last;
        if (same != last) {
            level.erase(same);
        }
        if (level.empty()) {
            expected_.erase(expected_.begin());
        }
        check_size();
        return is_right;
    }

    void clear() {
        list_.clear();
        expected_.clear();
        check_size();
    }

    bool empty() const { return expected_.empty(); }

    /// Whether size and emptiness were right all the time.
    bool has_right_sizes() const { return has_right_sizes_; }

private:
    void check_size() {
        std::size_t size = 0;
        for (const auto& [priority, level] : expected_) {
            size += level.size();
        }
        has_right_sizes_ = has_right_sizes_ && list_.size() == size && list_.empty() == (size == 0);
    }

    List list_;
    std::map<Priority, std::multimap<Cost, Key, GreatestFirst>> expected_;
    bool has_right_sizes_ = true;
};

/// Pushes and pops at random, filling and emptying the list in turn; `priority` and `cost` draw the entries.
template <class List, class DrawPriority, class DrawCost>
void check_random_sequence(Random& random, Compared<List>& list, int steps, DrawPriority priority,
                           DrawCost cost) {
    int wrong = 0;
    for (int step = 0; step < steps; ++step) {
        const bool is_filling = step / 100 % 2 == 0;
        if (list.empty() || random.one_in(4) != is_filling) {
            list.push(priority(), cost(), static_cast<std::uint32_t>(random.below(1000)));
        } else {
            wrong += list.pop() ? 0 : 1;
        }
        if (random.one_in(1500)) {
            list.clear();
        }
    }
    while (!list.empty()) {
        wrong += list.pop() ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(list.has_right_sizes());
}

/// A priority or cost that is not a number: of two resources, the first counts first.
class TwoResources {
public:
    TwoResources() = default;
    explicit TwoResources(int value) : first_(value >> 2), second_(value & 3) {}

    auto operator<=>(const TwoResources&) const = default;

private:
    int first_ = 0;
    int second_ = 0;
};

template <class Priority, class Cost, class Key, class Queues>
struct HeapsOf;

template <class Priority, class Cost, class Key, class... Queues>
struct HeapsOf<Priority, Cost, Key, std::tuple<Queues...>> {
    using type = std::tuple<typename Queues::template List<Priority, Cost, Key>...>;
};

/// `HeapOpenList` on each queue of Boost.Heap.
template <class Priority, class Cost, class Key>
using Heaps = typename HeapsOf<Priority, Cost, Key, test::HeapQueues>::type;

template <class... Tuples>
using Joined = decltype(std::tuple_cat(std::declval<Tuples>()...));

} // namespace

using AllLists =
    Joined<Heaps<int, int, std::uint32_t>, Heaps<TwoResources, TwoResources, std::uint32_t>,
           std::tuple<HeapOpenList<std::int64_t, std::int64_t, std::uint32_t>,
                      HeapOpenList<double, double, std::uint64_t>, BucketOpenList<int, int, std::uint32_t>,
                      BucketOpenList<std::int64_t, std::int64_t, std::uint32_t>,
                      BucketOpenList<std::int8_t, std::int8_t, std::uint64_t>,
                      LadderOpenList<double, double, std::uint64_t>, LadderOpenList<int, int, std::uint32_t>,
                      archetype::OpenList<int, int, std::uint32_t>>>;

TEST_CASE("the order of entries is strict", "[open_list]") {
    const auto check = []<class Number>(const Number& low, const Number& high) {
        const OpenEntry<Number, Number, int> first{low, high, 0};
        for (const auto& later : {OpenEntry<Number, Number, int>{high, high, 0}, {low, low, 0}}) {
            CHECK(npuzzle::detail::comes_before(first, later));
            CHECK_FALSE(npuzzle::detail::comes_before(later, first));
            CHECK_FALSE(npuzzle::detail::comes_before(later, later));
            CHECK(npuzzle::GreatestCostFirst{}(first, later) == (later.cost < first.cost));
        }
    };
    check(1, 2);
    check(archetype::Cost(1), archetype::Cost(2));
}

TEMPLATE_LIST_TEST_CASE("entries leave by least f, then by greatest g", "[open_list]", AllLists) {
    using Priority = decltype(TestType::Entry::priority);
    using Cost = decltype(TestType::Entry::cost);
    STATIC_REQUIRE(npuzzle::OpenList<TestType>);
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        Random random(seed);
        MemoryBudget budget;
        Compared<TestType> list(budget);
        // Priorities of either sign, close together; a few costs, so that many entries are equal.
        check_random_sequence(
            random, list, 2000, [&] { return static_cast<Priority>(random.between(-20, 20)); },
            [&] { return static_cast<Cost>(random.between(0, 5)); });
        // The same list once more, with f that rises, as in a search.
        int base = 0;
        check_random_sequence(
            random, list, 2000, [&] { return static_cast<Priority>(base++ / 20 + random.between(0, 5)); },
            [&] { return static_cast<Cost>(random.between(0, 100)); });
    }
}

TEMPLATE_TEST_CASE("any priorities are in order, however far apart", "[open_list]",
                   (HeapOpenList<int, int, std::uint32_t>), (BucketOpenList<int, int, std::uint32_t>),
                   (BucketOpenList<unsigned, int, std::uint32_t>),
                   (BucketOpenList<std::int64_t, int, std::uint32_t>),
                   (BucketOpenList<std::uint64_t, int, std::uint32_t>),
                   (BucketOpenList<std::uint8_t, int, std::uint32_t>),
                   (BucketOpenList<std::int16_t, int, std::uint32_t>),
                   (BucketOpenList<char, int, std::uint32_t>), (LadderOpenList<int, int, std::uint32_t>),
                   (LadderOpenList<std::uint64_t, int, std::uint32_t>)) {
    using Priority = decltype(TestType::Entry::priority);
    using Ends = std::numeric_limits<Priority>;
    const auto near_an_end = [](Random& random) {
        const auto offset = static_cast<Priority>(random.between(0, 100));
        switch (random.below(3)) {
        case 0:
            return static_cast<Priority>(Ends::min() + offset);
        case 1:
            return static_cast<Priority>(Ends::max() - offset);
        default:
            return static_cast<Priority>(Ends::min() / 2 + Ends::max() / 2 + offset);
        }
    };
    const auto anywhere = [](Random& random) { return static_cast<Priority>(random.word()); };
    // Around multiples of what a list of buckets may have as its width.
    const auto by_powers = [](Random& random) {
        const auto power = static_cast<Priority>(std::uint64_t{1} << random.below(15));
        return static_cast<Priority>(power + static_cast<Priority>(random.between(-2, 2)));
    };
    for (const std::uint64_t seed : {4U, 5U, 6U}) {
        Random random(seed);
        MemoryBudget budget;
        Compared<TestType> list(budget);
        const auto cost = [&] { return random.between(0, 3); };
        check_random_sequence(random, list, 2000, [&] { return near_an_end(random); }, cost);
        check_random_sequence(random, list, 2000, [&] { return anywhere(random); }, cost);
        check_random_sequence(random, list, 2000, [&] { return by_powers(random); }, cost);
    }
    SECTION("each of three, in each order") {
        std::vector<Priority> three{Ends::min(), 0, Ends::max()};
        std::sort(three.begin(), three.end());
        do {
            MemoryBudget budget;
            Compared<TestType> list(budget);
            for (const Priority priority : three) {
                list.push(priority, 0, 0);
            }
            CHECK(list.pop());
            CHECK(list.pop());
            CHECK(list.pop());
        } while (std::next_permutation(three.begin(), three.end()));
    }
}

TEMPLATE_TEST_CASE("any costs are in order, however far apart", "[open_list]",
                   (HeapOpenList<int, int, std::uint32_t>), (BucketOpenList<int, int, std::uint32_t>),
                   (BucketOpenList<int, unsigned, std::uint32_t>),
                   (BucketOpenList<int, std::int64_t, std::uint32_t>),
                   (BucketOpenList<int, std::uint64_t, std::uint32_t>),
                   (BucketOpenList<int, std::uint8_t, std::uint64_t>),
                   (BucketOpenList<int, std::int8_t, std::uint32_t>),
                   (LadderOpenList<int, std::int64_t, std::uint32_t>)) {
    using Cost = decltype(TestType::Entry::cost);
    using Ends = std::numeric_limits<Cost>;
    for (const std::uint64_t seed : {7U, 8U, 9U}) {
        Random random(seed);
        MemoryBudget budget;
        Compared<TestType> list(budget);
        const auto priority = [&] { return random.between(0, 3); };
        check_random_sequence(random, list, 3000, priority, [&] {
            const auto offset = static_cast<Cost>(random.between(0, 100));
            switch (random.below(4)) {
            case 0:
                return static_cast<Cost>(Ends::min() + offset);
            case 1:
                return static_cast<Cost>(Ends::max() - offset);
            case 2:
                return static_cast<Cost>(random.word());
            default:
                return offset;
            }
        });
        // All over the blocks of a few levels, up and down.
        check_random_sequence(random, list, 3000, priority,
                              [&] { return static_cast<Cost>(random.below(20'000)); });
    }
}

using ListsOfMany =
    Joined<Heaps<int, int, std::uint32_t>,
           std::tuple<BucketOpenList<int, int, std::uint32_t>, LadderOpenList<int, int, std::uint32_t>>>;

TEMPLATE_LIST_TEST_CASE("a list holds very many entries of one priority, and of very many", "[open_list]",
                        ListsOfMany) {
    MemoryBudget budget;
    TestType list(budget);
    constexpr int count = 10'000;
    for (int i = 0; i < count; ++i) {
        list.push({7, i % 3, static_cast<std::uint32_t>(i)});
        list.push({i * 11 % count, i, static_cast<std::uint32_t>(i)});
    }
    CHECK(list.size() == 2 * count);
    int out_of_order = 0;
    auto last = list.pop();
    while (!list.empty()) {
        const auto entry = list.pop();
        out_of_order += npuzzle::detail::comes_before(entry, last) ? 1 : 0;
        last = entry;
    }
    CHECK(out_of_order == 0);
}

using ListsOnABudget =
    Joined<Heaps<int, int, std::uint32_t>,
           std::tuple<HeapOpenList<double, double, std::uint64_t>, BucketOpenList<int, int, std::uint32_t>,
                      BucketOpenList<std::int64_t, std::int8_t, std::uint64_t>,
                      LadderOpenList<double, double, std::uint64_t>>>;

TEMPLATE_LIST_TEST_CASE("storage is on the budget, to the last byte", "[open_list]", ListsOnABudget) {
    using Priority = decltype(TestType::Entry::priority);
    using Cost = decltype(TestType::Entry::cost);
    const auto fill = [](TestType& list, int count) {
        for (int i = 0; i < count; ++i) {
            list.push(
                {static_cast<Priority>(i % 97), static_cast<Cost>(i % 5), static_cast<std::uint32_t>(i)});
            if (i % 100 == 0) { // Far from the rest.
                list.push({static_cast<Priority>(1'000'000 + i), Cost{}, 0});
            }
        }
    };
    std::uint64_t need = 0;
    SECTION("all of it is given back") {
        MemoryBudget budget;
        {
            TestType list(budget);
            CHECK(budget.used() == 0);
            fill(list, 2000);
            CHECK(budget.used() >= list.size() * sizeof(std::uint32_t));
            const std::uint64_t used = budget.used();
            list.clear();
            CHECK(budget.used() == used); // Kept, to be filled again.
            fill(list, 2000);
            CHECK(budget.used() == used);
            need = budget.peak();
        }
        CHECK(budget.used() == 0);
        CHECK(need > 0);
    }
    SECTION("none of it is beyond the limit") {
        {
            MemoryBudget budget;
            TestType list(budget);
            fill(list, 500);
            need = budget.peak();
        }
        int failures = 0;
        for (std::uint64_t limit = 0; limit <= need;
             limit += limit < need && need - limit < 97 ? need - limit : 97) {
            MemoryBudget budget(limit);
            try {
                TestType list(budget);
                fill(list, 500);
                CHECK(limit >= need);
            } catch (const std::bad_alloc&) {
                ++failures;
                CHECK(limit < need);
            }
            CHECK(budget.peak() <= limit);
            CHECK(budget.used() == 0);
        }
        CHECK(failures > 10);
    }
    SECTION("a list that was refused memory can be cleared and used again") {
        MemoryBudget budget;
        TestType list(budget);
        budget.acquire(npuzzle::Limits::unlimited - 40'000);
        CHECK_THROWS_AS(fill(list, 100'000), std::bad_alloc);
        list.clear();
        budget.release(npuzzle::Limits::unlimited - 40'000);
        CHECK(list.empty());
        fill(list, 10);
        CHECK(list.size() == 11);
        CHECK(list.pop().priority == 0);
    }
}
