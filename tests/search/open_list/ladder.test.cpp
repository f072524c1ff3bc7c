#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/ladder.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// What all open lists have in common is in open_list.test.cpp.

namespace {

using npuzzle::LadderOpenList;
using npuzzle::MemoryBudget;
using test::Random;

using RealList = LadderOpenList<double, double, std::uint32_t>;

static_assert(npuzzle::OpenList<RealList>);
static_assert(npuzzle::OpenList<LadderOpenList<long double, int, char>>);
static_assert(!npuzzle::PopsEqual<RealList>);
static_assert(!std::is_copy_constructible_v<RealList>);

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A list, and beside it what should be on it, in order.
template <class List>
class Watched {
    using Entry = typename List::Entry;
    using Priority = decltype(Entry::priority);
    using Cost = decltype(Entry::cost);

    struct Before {
        bool operator()(const std::pair<Priority, Cost>& a, const std::pair<Priority, Cost>& b) const {
            return a.first != b.first ? a.first < b.first : a.second > b.second;
        }
    };

public:
    explicit Watched(MemoryBudget& budget) : list_(budget) {}

    void push(Priority priority, Cost cost) {
        list_.push({priority, cost, static_cast<std::uint32_t>(pushed_.size())});
        pushed_.push_back({priority, cost});
        waiting_.insert(pushed_.back());
    }

    /// The f of the entry that is popped; `wrong` counts those that are not one of the first.
    Priority pop() {
        const std::pair<Priority, Cost> expected = *waiting_.begin();
        waiting_.erase(waiting_.begin());
        const bool knows_first = list_.first_priority() == expected.first;
        const Entry entry = list_.pop();
        std::pair<Priority, Cost>& of_key = pushed_.at(entry.key);
        const bool is_right = std::pair{entry.priority, entry.cost} == expected && of_key == expected;
        of_key.second = std::numeric_limits<Cost>::lowest(); // Not twice.
        wrong += knows_first && is_right && list_.size() == waiting_.size() ? 0 : 1;
        return entry.priority;
    }

    void clear() {
        list_.clear();
        waiting_.clear();
        pushed_.clear();
        wrong += list_.empty() && list_.size() == 0 ? 0 : 1;
    }

    bool empty() const { return waiting_.empty(); }
    std::size_t size() const { return waiting_.size(); }

    int wrong = 0;

private:
    List list_;
    std::multiset<std::pair<Priority, Cost>, Before> waiting_;
    std::vector<std::pair<Priority, Cost>> pushed_;
};

/// A search in small: grows to `most` entries, goes on with as many, and ends. `draw(last)` is an f, after
/// that of the last entry popped.
template <class List, class Draw>
void search(Random& random, List& list, std::size_t most, Draw draw) {
    auto last = draw(decltype(list.pop()){});
    const auto push = [&] { list.push(draw(last), static_cast<decltype(list.pop())>(random.below(50))); };
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
    while (!list.empty()) {
        last = list.pop();
        if (random.one_in(4)) {
            push();
        }
    }
}

} // namespace

TEST_CASE("real priorities leave in order, however they are spread", "[ladder]") {
    Random random(1);
    const auto unit = [&] { return static_cast<double>(random.word() >> 11) * 0x1p-53; };
    using Draw = std::function<double(double)>;
    const std::vector<std::pair<std::string, Draw>> draws{
        {"rising", [&](double last) { return last + 3 * unit(); }},
        {"rising by few steps", [&](double last) { return last + (random.one_in(2) ? 1 : std::sqrt(2.0)); }},
        {"equal but for rounding",
         [&](double last) { return 3000 + std::floor(last - 3000) + 1e-12 * std::floor(9 * unit()); }},
        {"some as the last", [&](double last) { return random.one_in(3) ? last : last + 5 * unit(); }},
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
        {"equal up to a last place", [&](double) { return random.one_in(2) ? 1e15 : 1e15 + 0.125; }},
        {"infinite",
         [&](double) { return random.one_in(2)   ? infinity
                              : random.one_in(2) ? -infinity
                                                 : unit(); }},
        {"sometimes infinite",
         [&](double last) { return random.one_in(300) ? infinity : (last < 1e9 ? last + unit() : unit()); }},
    };
    for (const auto& [name, draw] : draws) {
        for (const std::size_t most : {30U, 150U, 2000U}) {
            MemoryBudget budget;
            Watched<RealList> list(budget);
            search(random, list, most, draw);
            // The same list again, when it has had f of another kind.
            list.clear();
            search(random, list, 200, draws.front().second);
            search(random, list, 200, draw);
            list.push(0, 0);
            list.clear();
            search(random, list, most / 2, draw);
            INFO(name << ", " << most);
            CHECK(list.wrong == 0);
        }
    }
}

TEMPLATE_TEST_CASE("priorities may be of any type of numbers", "[ladder]",
                   (LadderOpenList<int, int, std::uint32_t>), (LadderOpenList<float, float, std::uint32_t>),
                   (LadderOpenList<long double, long double, std::uint32_t>)) {
    using Priority = decltype(TestType::Entry::priority);
    Random random(2);
    MemoryBudget budget;
    Watched<TestType> list(budget);
    search(random, list, 1000, [&](Priority last) {
        return static_cast<Priority>(last + static_cast<Priority>(random.between(0, 300)));
    });
    search(random, list, 1000, [&](Priority) { return static_cast<Priority>(random.between(-9, 9)); });
    search(random, list, 300, [&](Priority) {
        return random.one_in(2) ? std::numeric_limits<Priority>::max()
                                : std::numeric_limits<Priority>::lowest();
    });
    CHECK(list.wrong == 0);
}

TEST_CASE("neighboring 64-bit integers are told apart", "[ladder]") {
    // As floating-point numbers, some of them are equal.
    Random random(3);
    MemoryBudget budget;
    Watched<LadderOpenList<std::int64_t, std::int64_t, std::uint32_t>> list(budget);
    search(random, list, 1000, [&](std::int64_t) {
        return std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(random.below(4000));
    });
    CHECK(list.wrong == 0);
}

TEST_CASE("wherever memory is refused, the list can be cleared and used again", "[ladder]") {
    constexpr std::uint64_t unlimited = npuzzle::Limits::unlimited;
    const auto use = [](auto& list) {
        // Rising, then falling, then far above: the buckets are divided more than once, for each reason.
        for (int i = 0; i < 400; ++i) {
            list.push(i * 0.75, 1.0);
        }
        for (int i = 0; i < 300; ++i) {
            list.push(i % 3 * 0.01, i);
        }
        for (int i = 0; i < 300; ++i) {
            list.pop();
            list.push(1000.0 + i * 0.5, 2.0);
        }
        while (!list.empty()) {
            list.pop();
        }
    };
    std::uint64_t need = 0;
    {
        MemoryBudget budget;
        Watched<RealList> list(budget);
        use(list);
        need = budget.peak();
        CHECK(list.wrong == 0);
    }
    int failures = 0;
    for (std::uint64_t limit = 0; limit < need; limit += 61) {
        MemoryBudget budget;
        {
            Watched<RealList> list(budget);
            budget.acquire(unlimited - limit);
            try {
                use(list);
            } catch (const std::bad_alloc&) {
                ++failures;
            }
            budget.release(unlimited - limit);
            list.clear();
            use(list);
            CHECK(list.wrong == 0);
        }
        CHECK(budget.used() == 0);
    }
    CHECK(failures > 100);
}
