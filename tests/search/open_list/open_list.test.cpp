#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/engine/parts.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"

#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// One suite over all open lists, then what only one of them promises.

namespace {

using npuzzle::AutomaticOpenList;
using npuzzle::BucketOpenList;
using npuzzle::HeapOpenList;
using npuzzle::LadderOpenList;
using npuzzle::MemoryBudget;
using test::Random;

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

struct NotAList {
    using Entry = int;
    void push(int);
    int pop();
    bool empty() const;
};
static_assert(!npuzzle::OpenList<NotAList>);
static_assert(npuzzle::PopsEqual<BucketOpenList<int, int, int>>);
static_assert(!npuzzle::PopsEqual<LadderOpenList<int, int, int>>);
static_assert(!std::is_copy_constructible_v<HeapOpenList<int, int, int>>);

constexpr bool has_unit_steps = true;
static_assert(std::same_as<AutomaticOpenList<std::int64_t, int, char, has_unit_steps>,
                           BucketOpenList<std::int64_t, int, char>>);
static_assert(
    std::same_as<AutomaticOpenList<double, int, int, has_unit_steps>, LadderOpenList<double, int, int>>);
static_assert(std::same_as<AutomaticOpenList<int, int, int, !has_unit_steps>, LadderOpenList<int, int, int>>);
static_assert(std::same_as<AutomaticOpenList<TwoResources, int, int, has_unit_steps>,
                           HeapOpenList<TwoResources, int, int>>);

/// A list, and beside it all that should be on it.
template <class List>
class Compared {
    using Entry = typename List::Entry;
    using Priority = decltype(Entry::priority);
    using Cost = decltype(Entry::cost);
    using Key = decltype(Entry::key);
    using Item = std::tuple<Priority, Cost, Key>;

    struct Before {
        bool operator()(const Item& a, const Item& b) const {
            return std::tie(std::get<0>(a), std::get<1>(b), std::get<2>(a)) <
                   std::tie(std::get<0>(b), std::get<1>(a), std::get<2>(b));
        }
    };

public:
    explicit Compared(MemoryBudget& budget) : list_(budget) {}

    void push(Priority priority, Cost cost) {
        list_.push({priority, cost, next_});
        expected_.emplace(priority, cost, next_++);
        check_size();
    }

    /// Takes an entry from both; `wrong` counts those that are not one of the first.
    Priority pop() {
        const auto [priority, cost, key] = *expected_.begin();
        if constexpr (requires { list_.first_priority(); }) {
            wrong += list_.first_priority() == priority ? 0 : 1;
        }
        const Entry entry = list_.pop();
        wrong += entry.priority == priority && entry.cost == cost &&
                         expected_.erase({entry.priority, entry.cost, entry.key}) == 1
                     ? 0
                     : 1;
        check_size();
        return entry.priority;
    }

    void clear() {
        list_.clear();
        expected_.clear();
        check_size();
    }

    [[nodiscard]] bool empty() const { return expected_.empty(); }
    [[nodiscard]] std::size_t size() const { return expected_.size(); }

    int wrong = 0;

private:
    void check_size() {
        wrong += list_.size() == expected_.size() && list_.empty() == expected_.empty() ? 0 : 1;
    }

    List list_;
    std::set<Item, Before> expected_;
    Key next_{};
};

/// Pushes and pops at random, filling and emptying the list in turn; `priority` and `cost` draw the entries.
template <class List, class DrawPriority, class DrawCost>
void check_random_sequence(Random& random, Compared<List>& list, DrawPriority priority, DrawCost cost) {
    for (int step = 0; step < 2000; ++step) {
        const bool is_filling = step / 100 % 2 == 0;
        if (list.empty() || random.one_in(4) != is_filling) {
            list.push(priority(), cost());
        } else {
            list.pop();
        }
        if (random.one_in(1500)) {
            list.clear();
        }
    }
    while (!list.empty()) {
        list.pop();
    }
    CHECK(list.wrong == 0);
}

/// A number near an end of its range, in the middle, near a power of two, or anywhere.
template <class Number>
Number draw_anywhere(Random& random) {
    using Ends = std::numeric_limits<Number>;
    const auto offset = static_cast<Number>(random.between(0, 100));
    switch (random.below(5)) {
    case 0:
        return static_cast<Number>(Ends::min() + offset);
    case 1:
        return static_cast<Number>(Ends::max() - offset);
    case 2:
        return static_cast<Number>(Ends::min() / 2 + Ends::max() / 2 + offset);
    case 3:
        return static_cast<Number>(static_cast<Number>(std::uint64_t{1} << random.below(15)) +
                                   static_cast<Number>(random.between(-2, 2)));
    default:
        return static_cast<Number>(random.word());
    }
}

} // namespace

using AllLists = std::tuple<
    HeapOpenList<int, int, std::uint32_t>, HeapOpenList<TwoResources, TwoResources, std::uint32_t>,
    HeapOpenList<double, double, std::uint64_t>, BucketOpenList<int, int, std::uint32_t>,
    BucketOpenList<std::int64_t, std::uint64_t, std::uint32_t>,
    BucketOpenList<std::uint64_t, std::int64_t, std::uint64_t>,
    BucketOpenList<std::int8_t, std::uint8_t, std::uint64_t>, BucketOpenList<char, unsigned, std::uint32_t>,
    LadderOpenList<double, double, std::uint64_t>, LadderOpenList<float, float, std::uint32_t>,
    LadderOpenList<double, long double, std::uint32_t>, LadderOpenList<int, int, std::uint32_t>,
    LadderOpenList<long double, long double, std::uint32_t>,
    LadderOpenList<std::uint64_t, std::int64_t, std::uint32_t>, archetype::OpenList<int, int, std::uint32_t>>;

TEMPLATE_LIST_TEST_CASE("entries leave by least f, then by greatest g", "[open_list]", AllLists) {
    using Priority = decltype(TestType::Entry::priority);
    using Cost = decltype(TestType::Entry::cost);
    STATIC_REQUIRE(npuzzle::OpenList<TestType>);
    Random random(1);
    MemoryBudget budget;
    Compared<TestType> list(budget);
    // Priorities of either sign, close together; a few costs, so that many entries are equal.
    check_random_sequence(
        random, list, [&] { return static_cast<Priority>(random.between(-20, 20)); },
        [&] { return static_cast<Cost>(random.between(0, 5)); });
    // The same list once more, with f that rises, as in a search.
    int base = 0;
    check_random_sequence(
        random, list, [&] { return static_cast<Priority>(base++ / 20 + random.between(0, 5)); },
        [&] { return static_cast<Cost>(random.between(0, 100)); });
    // f that falls.
    check_random_sequence(
        random, list, [&] { return static_cast<Priority>(base-- / 2); }, [] { return Cost{}; });
    if constexpr (std::integral<Priority>) {
        check_random_sequence(
            random, list, [&] { return draw_anywhere<Priority>(random); },
            [&] { return static_cast<Cost>(random.between(0, 3)); });
        check_random_sequence(
            random, list, [&] { return static_cast<Priority>(random.between(0, 3)); },
            [&] { return draw_anywhere<Cost>(random); });
        // All over the buckets of a few f, up and down.
        check_random_sequence(
            random, list, [&] { return static_cast<Priority>(random.between(0, 3)); },
            [&] { return static_cast<Cost>(random.below(20'000)); });
    } else if constexpr (std::floating_point<Priority>) {
        // Costs of all sizes under few f.
        using Limits = std::numeric_limits<Cost>;
        check_random_sequence(
            random, list, [&] { return static_cast<Priority>(random.between(0, 1)); },
            [&] {
                return random.one_in(9) ? Limits::max()
                                        : std::ldexp(Limits::denorm_min(), random.between(0, 2000));
            });
    }
}

TEST_CASE("of two entries, the tie-break prefers the greater cost, and neither of equal ones",
          "[open_list]") {
    using Entry = npuzzle::OpenEntry<int, int, int>;
    const npuzzle::GreatestCostFirst is_first;
    CHECK(is_first(Entry{0, 2, 0}, Entry{0, 1, 0}));
    CHECK_FALSE(is_first(Entry{0, 1, 0}, Entry{0, 2, 0}));
    CHECK_FALSE(is_first(Entry{0, 1, 0}, Entry{0, 1, 1}));
}

using MainLists =
    std::tuple<HeapOpenList<int, int, std::uint32_t>, BucketOpenList<int, int, std::uint32_t>,
               BucketOpenList<std::int64_t, std::int8_t, std::uint64_t>,
               LadderOpenList<double, double, std::uint64_t>, LadderOpenList<int, int, std::uint32_t>>;

TEMPLATE_LIST_TEST_CASE("storage is on the budget, to the last byte", "[open_list]", MainLists) {
    using Priority = decltype(TestType::Entry::priority);
    using Cost = decltype(TestType::Entry::cost);
    const auto fill = [](auto& list, int count) {
        for (int i = 0; i < count; ++i) {
            list.push(static_cast<Priority>(i % 97 * 0.75), static_cast<Cost>(i % 5));
            if (i % 100 == 0) { // Far from the rest.
                list.push(static_cast<Priority>(1'000'000 + i), Cost{});
            }
        }
    };
    std::uint64_t need = 0;
    {
        MemoryBudget budget;
        {
            Compared<TestType> list(budget);
            CHECK(budget.used() == 0);
            fill(list, 500);
            CHECK(budget.used() >= list.size() * sizeof(std::uint32_t));
            const std::uint64_t used = budget.used();
            list.clear();
            CHECK(budget.used() == used); // Kept, to be filled again.
            fill(list, 500);
            CHECK(budget.used() == used);
            need = budget.peak();
        }
        CHECK(budget.used() == 0);
    }
    int failures = 0;
    for (std::uint64_t limit = 0; limit <= need;
         limit += limit < need && need - limit < 97 ? need - limit : 97) {
        MemoryBudget budget;
        {
            Compared<TestType> list(budget);
            budget.acquire(npuzzle::Limits::unlimited - limit);
            try {
                fill(list, 500);
                while (!list.empty()) {
                    list.pop();
                }
                CHECK(limit >= need);
            } catch (const std::bad_alloc&) {
                ++failures;
                CHECK(limit < need);
            }
            budget.release(npuzzle::Limits::unlimited - limit);
            // Refused memory, it can be cleared and used again.
            list.clear();
            fill(list, 100);
            while (!list.empty()) {
                list.pop();
            }
            CHECK(list.wrong == 0);
        }
        CHECK(budget.used() == 0);
    }
    CHECK(failures > 10);
}

TEST_CASE("in a bucket, the last in is the first out", "[buckets]") {
    MemoryBudget budget;
    BucketOpenList<int, int, std::uint32_t> list(budget);
    for (int i = 0; i < 100; ++i) {
        list.push({12, 0, 0}); // The first few are no business of the buckets.
    }
    constexpr std::uint32_t count = 5000;
    for (std::uint32_t key = 0; key < count; ++key) {
        list.push({10, 4, key});
        list.push({10, 6, key});
    }
    int out_of_order = 0;
    for (std::uint32_t popped = 0; popped < 2 * count; ++popped) {
        const auto entry = list.pop();
        out_of_order +=
            entry.cost == (popped < count ? 6 : 4) && entry.key == count - 1 - popped % count ? 0 : 1;
    }
    CHECK(out_of_order == 0);
    CHECK(list.size() == 100);
}

TEST_CASE("real priorities leave in order, however they are spread", "[ladder]") {
    using List = Compared<LadderOpenList<double, double, std::uint32_t>>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Random random(1);
    const auto unit = [&] { return static_cast<double>(random.word() >> 11) * 0x1p-53; };
    // From the f that was popped last, one that is pushed.
    const std::vector<std::pair<std::string, std::function<double(double)>>> draws{
        {"rising", [&](double last) { return last + 3 * unit(); }},
        {"rising by few steps", [&](double last) { return last + (random.one_in(2) ? 1 : std::sqrt(2.0)); }},
        {"equal but for rounding",
         [&](double last) { return 3000 + std::floor(last - 3000) + 1e-12 * std::floor(9 * unit()); }},
        {"falling", [&](double last) { return last - unit(); }},
        {"falling and rising", [&](double last) { return last + 10 * unit() - 5; }},
        {"anywhere", [&](double) { return 100 * unit() - 50; }},
        {"equal", [](double) { return 7.0; }},
        {"two values", [&](double) { return random.one_in(2) ? 1e9 : -1e-9; }},
        {"one far from the rest", [&](double) { return random.one_in(500) ? 1e300 : unit(); }},
        {"of each power of two", [&](double) { return std::ldexp(1 + unit(), random.between(-1074, 1023)); }},
        {"of either sign, to the ends",
         [&](double) { return std::ldexp(unit() - 0.5, random.between(900, 1025)); }},
        {"denormal", [&](double) { return std::ldexp(static_cast<double>(random.below(5000)), -1074); }},
        {"infinite",
         [&](double) { return random.one_in(3)   ? unit()
                              : random.one_in(2) ? infinity
                                                 : -infinity; }},
        {"sometimes infinite",
         [&](double last) { return random.one_in(300) ? infinity : (last < 1e9 ? last + unit() : unit()); }},
    };
    for (const auto& each : draws) {
        const auto& draw = each.second;
        MemoryBudget budget;
        List list(budget);
        for (const std::size_t most : {30U, 2000U, 150U}) {
            double last = draw(0);
            const auto push = [&] { list.push(draw(last), random.between(0, 50)); };
            while (list.size() < most) {
                push();
                if (random.one_in(3)) {
                    last = list.pop();
                }
            }
            for (std::size_t i = 0; i < 2 * most; ++i) {
                last = list.pop();
                push();
            }
            while (list.size() > most / 2) {
                last = list.pop();
            }
            list.clear(); // and once more
        }
        INFO(each.first);
        CHECK(list.wrong == 0);
    }
}
