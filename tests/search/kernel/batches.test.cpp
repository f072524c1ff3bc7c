#include <npuzzle/search/kernel/batches.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/buckets.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

struct Successor {
    int probe;
};

/// Counts what is asked of it.
struct Table {
    std::uint64_t nodes = 0;
    mutable int keys = 0;
    mutable int slots = 0;
    mutable int probes = 0;

    std::uint64_t size() const { return nodes; }
    void prefetch(std::uint32_t) const { ++keys; }
    void prefetch_slot(int) const { ++slots; }
    void prefetch(int) const { ++probes; }
};

using Open = npuzzle::BucketOpenList<int, int, std::uint32_t>;

} // namespace

TEST_CASE("batches expand entries of equal priority, and insert what they leave after them", "[batches]") {
    npuzzle::MemoryBudget budget;
    Open open(budget);
    for (std::uint32_t key = 0; key < 10; ++key) {
        open.push({key < 6 ? 1 : 2, 0, key});
    }
    Table table;
    npuzzle::detail::Batches<Open, Successor, 4> batches;
    CHECK(batches.pay_off(open, table));
    std::vector<Successor> successors;
    std::vector<int> visited;
    std::vector<int> inserted;
    batches.run(
        open, table, successors,
        [&](const Open::Entry& entry) {
            visited.push_back(entry.priority);
            successors.push_back({static_cast<int>(entry.key)});
            return true;
        },
        [&](std::vector<Successor>& waiting, int priority) {
            for (const Successor& successor : waiting) {
                CHECK((successor.probe < 6 ? 1 : 2) == priority);
                inserted.push_back(successor.probe);
            }
            waiting.clear();
            return true;
        });
    CHECK(visited == std::vector{1, 1, 1, 1, 1, 1, 2, 2, 2, 2});
    CHECK(inserted.size() == 10);
    CHECK(table.slots == 10);
    CHECK(table.keys == 10);
    CHECK(table.probes == 10);
    CHECK(open.empty());
}

TEST_CASE("batches leave priorities that are not to be taken, with nothing waiting", "[batches]") {
    npuzzle::MemoryBudget budget;
    Open open(budget);
    for (std::uint32_t key = 0; key < 10; ++key) {
        open.push({static_cast<int>(key) / 4, 0, key});
    }
    Table table;
    npuzzle::detail::Batches<Open, Successor, 3> batches;
    std::vector<Successor> successors;
    int visited = 0;
    int inserted = 0;
    batches.run(
        open, table, successors,
        [&](const Open::Entry& entry) {
            ++visited;
            CHECK(entry.priority < 2);
            successors.push_back({0});
            return true;
        },
        [&](std::vector<Successor>& waiting, int) {
            inserted += static_cast<int>(waiting.size());
            waiting.clear();
            return true;
        },
        [](int priority) { return priority < 2; });
    CHECK(visited == 8);
    CHECK(inserted == 8);
    CHECK(open.size() == 2);
}

TEST_CASE("batches end when the search does, and wait for a large one", "[batches]") {
    npuzzle::MemoryBudget budget;
    Open open(budget);
    for (std::uint32_t key = 0; key < 100; ++key) {
        open.push({1, 0, key});
    }
    Table table;
    std::vector<Successor> successors;
    npuzzle::detail::Batches<Open, Successor, 4> batches;
    int visited = 0;
    batches.run(
        open, table, successors, [&](const Open::Entry&) { return ++visited < 6; },
        [](std::vector<Successor>&, int) { return true; });
    CHECK(visited == 6);

    using Chosen = npuzzle::detail::Batches<Open, Successor, 0>;
    CHECK_FALSE(Chosen::pay_off(open, table));
    table.nodes = 1'000'000;
    CHECK(Chosen::pay_off(open, table));
    CHECK_FALSE(npuzzle::detail::Batches<Open, Successor, 1>::pay_off(open, table));
}
