// Open lists: filled with entries in the order of a search, then emptied; and held at one size, as in the
// middle of a search. An item is an entry that is pushed and popped.

#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/buckets.hpp>
#include <npuzzle/search/open_list/heap.hpp>
#include <npuzzle/search/open_list/ladder.hpp>

#include <benchmark/benchmark.h>
#include <boost/heap/binomial_heap.hpp>
#include <boost/heap/d_ary_heap.hpp>
#include <boost/heap/fibonacci_heap.hpp>
#include <boost/heap/pairing_heap.hpp>
#include <boost/heap/skew_heap.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using Slot = std::uint32_t;

template <class Number>
using Buckets = npuzzle::BucketOpenList<Number, Number, Slot>;

template <class Number>
using Ladder = npuzzle::LadderOpenList<Number, Number, Slot>;

template <class Number, template <class...> class Queue>
using Heap = npuzzle::HeapOpenList<Number, Number, Slot, npuzzle::GreatestCostFirst, Queue>;

template <class Entry, class... Options>
using BinaryHeap = boost::heap::d_ary_heap<Entry, boost::heap::arity<2>, Options...>;

template <class Entry, class... Options>
using OctonaryHeap = boost::heap::d_ary_heap<Entry, boost::heap::arity<8>, Options...>;

/// f close together, as in unit-cost problems, and any g below it.
template <class Entry>
std::vector<Entry> random_entries(std::size_t count) {
    std::mt19937_64 generator(1);
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        const auto f = static_cast<int>(40 + 2 * (generator() % 10));
        const auto g = static_cast<int>(generator() % 40);
        entries.push_back({static_cast<decltype(Entry::priority)>(f), static_cast<decltype(Entry::cost)>(g),
                           static_cast<decltype(Entry::key)>(i)});
    }
    return entries;
}

template <class List>
void fill_and_empty(benchmark::State& state) {
    using Entry = typename List::Entry;
    const auto entries = random_entries<Entry>(static_cast<std::size_t>(state.range(0)));
    npuzzle::MemoryBudget budget;
    List list(budget);
    for (auto _ : state) {
        for (const Entry& entry : entries) {
            list.push(entry);
        }
        auto last = decltype(Entry::priority){};
        while (!list.empty()) {
            const Entry entry = list.pop();
            if (entry.priority < last) {
                state.SkipWithError("the entries are out of order");
                list.clear();
            }
            last = entry.priority;
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(entries.size()));
}

/// Each entry that is popped is followed by one whose f is the same, as along a straight way to the goal, or
/// greater: by up to 3 where f is an integer, by anything up to 1 where it is real.
template <class List>
void hold(benchmark::State& state) {
    using Entry = typename List::Entry;
    using Priority = decltype(Entry::priority);
    const auto size = static_cast<std::size_t>(state.range(0));
    std::mt19937_64 generator(1);
    std::vector<Priority> steps(1 << 16);
    for (Priority& step : steps) {
        const std::uint64_t word = generator();
        if (word % 4 == 0) {
            step = 0;
        } else if constexpr (std::is_integral_v<Priority>) {
            step = static_cast<Priority>(word / 4 % 4);
        } else {
            step = static_cast<Priority>(word >> 11) * 0x1p-53;
        }
    }
    npuzzle::MemoryBudget budget;
    List list(budget);
    Slot next = 0;
    const auto push = [&](Priority last) {
        const Priority f = last + steps[next % steps.size()];
        list.push({f, static_cast<decltype(Entry::cost)>(next % 64), next});
        ++next;
    };
    while (list.size() < size) {
        push(0);
    }
    // Until f are spread as they stay.
    for (std::size_t i = 0; i < 2 * size; ++i) {
        push(list.pop().priority);
    }
    auto last = list.pop().priority;
    push(last);
    for (auto _ : state) {
        const Priority f = list.pop().priority;
        if (f < last) {
            state.SkipWithError("the entries are out of order");
        }
        last = f;
        push(f);
    }
    state.SetItemsProcessed(state.iterations());
}

// A queue in the first cache, and one beyond the caches of one core, run once: to fill it takes longer than
// to measure it.
#define NPUZZLE_OPEN_LIST(...)                                                                               \
    BENCHMARK(fill_and_empty<__VA_ARGS__>)->Arg(1 << 10);                                                    \
    BENCHMARK(hold<__VA_ARGS__>)->Arg(1 << 10);                                                              \
    BENCHMARK(fill_and_empty<__VA_ARGS__>)->Arg(1 << 20)->Iterations(1);                                     \
    BENCHMARK(hold<__VA_ARGS__>)->Arg(1 << 20)->Iterations(1 << 20)

NPUZZLE_OPEN_LIST(Buckets<int>);
NPUZZLE_OPEN_LIST(Ladder<int>);
NPUZZLE_OPEN_LIST(Heap<int, BinaryHeap>);
NPUZZLE_OPEN_LIST(Heap<int, npuzzle::QuaternaryHeap>);
NPUZZLE_OPEN_LIST(Heap<int, OctonaryHeap>);
NPUZZLE_OPEN_LIST(Heap<int, boost::heap::binomial_heap>);
NPUZZLE_OPEN_LIST(Heap<int, boost::heap::fibonacci_heap>);
NPUZZLE_OPEN_LIST(Heap<int, boost::heap::pairing_heap>);
NPUZZLE_OPEN_LIST(Heap<int, boost::heap::skew_heap>);

NPUZZLE_OPEN_LIST(Ladder<double>);
NPUZZLE_OPEN_LIST(Heap<double, BinaryHeap>);
NPUZZLE_OPEN_LIST(Heap<double, npuzzle::QuaternaryHeap>);
NPUZZLE_OPEN_LIST(Heap<double, OctonaryHeap>);
NPUZZLE_OPEN_LIST(Heap<double, boost::heap::binomial_heap>);
NPUZZLE_OPEN_LIST(Heap<double, boost::heap::fibonacci_heap>);
NPUZZLE_OPEN_LIST(Heap<double, boost::heap::pairing_heap>);
NPUZZLE_OPEN_LIST(Heap<double, boost::heap::skew_heap>);

} // namespace
