// Open lists: filled with entries in the order of a search, then emptied. An item is an entry that is pushed and popped.

#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/buckets.hpp>
#include <npuzzle/search/open_list/heap.hpp>
#include <npuzzle/search/open_list/ladder.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

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

using Slot = std::uint32_t;

BENCHMARK(fill_and_empty<npuzzle::BucketOpenList<int, int, Slot>>)->Arg(1 << 10)->Arg(1 << 16)->Arg(1 << 20);
BENCHMARK(fill_and_empty<npuzzle::HeapOpenList<int, int, Slot>>)->Arg(1 << 10)->Arg(1 << 16)->Arg(1 << 20);
BENCHMARK(fill_and_empty<npuzzle::HeapOpenList<double, double, Slot>>)
    ->Arg(1 << 10)
    ->Arg(1 << 16)
    ->Arg(1 << 20);
BENCHMARK(fill_and_empty<npuzzle::LadderOpenList<double, double, Slot>>)
    ->Arg(1 << 10)
    ->Arg(1 << 16)
    ->Arg(1 << 20);

} // namespace
