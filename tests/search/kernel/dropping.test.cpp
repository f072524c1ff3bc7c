#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/beam.hpp>
#include <npuzzle/search/kernel/dropping.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/pooled.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

#include <limits>
#include <vector>

namespace {

using Entry = npuzzle::OpenEntry<int, int, std::uint32_t>;

/// Gives up every other entry.
struct Sieve {
    using Entry = ::Entry;
    std::vector<Entry> entries;
    bool dropped = false;

    void push(const Entry& entry) { entries.push_back(entry); }
    template <class F>
    Entry pop(F&& drop) {
        drop(pop());
        dropped = true;
        return pop();
    }
    Entry pop() {
        const Entry entry = entries.back();
        entries.pop_back();
        return entry;
    }
    bool empty() const { return entries.empty(); }
    std::size_t size() const { return entries.size(); }
    void clear() { entries.clear(); }
    bool has_dropped() const { return dropped; }
};

} // namespace

TEST_CASE("an open list that drops entries tells of each, and others have none", "[dropping]") {
    STATIC_REQUIRE(npuzzle::DropsEntries<Sieve>);
    Sieve sieve;
    sieve.push({1, 1, 7});
    sieve.push({2, 2, 8});
    CHECK_FALSE(npuzzle::detail::has_dropped(sieve));
    std::vector<std::uint32_t> dropped;
    const auto note = [&](const Entry& entry) { dropped.push_back(entry.key); };
    CHECK(npuzzle::detail::pop_entry(sieve, note).key == 7);
    CHECK(dropped == std::vector<std::uint32_t>{8});
    CHECK(npuzzle::detail::has_dropped(sieve));

    npuzzle::MemoryBudget budget;
    archetype::OpenList<int, int, std::uint32_t> list(budget);
    list.push({1, 1, 5});
    CHECK(npuzzle::detail::pop_entry(list, note).key == 5);
    CHECK_FALSE(npuzzle::detail::has_dropped(list));
    CHECK(dropped.size() == 1);
}

TEST_CASE("any path to a node is cheaper than the one that was forgotten", "[dropping]") {
    const test::Graph<int> graph(3);
    npuzzle::MemoryBudget budget;
    npuzzle::PooledNodeTable<test::Graph<int>, double> table(graph, budget);
    auto node = table.insert(1).first;
    node.relax(5, 2.0, table.root(node));
    npuzzle::detail::forget_path(table, Entry{7, 6, node.key()}); // superseded
    CHECK(node.cost() == 5);
    npuzzle::detail::forget_path(table, Entry{7, 5, node.key()});
    CHECK(node.cost() == std::numeric_limits<int>::max());
    CHECK(node.estimate() == 2.0);
}

namespace {

/// Two paths lead to 2. That of the first costs less, and is dropped.
struct Detour {
    using State = int;
    std::vector<int> neighbors(int vertex) const {
        return vertex == 0 ? std::vector{1, 2} : vertex == 3 ? std::vector<int>{} : std::vector{vertex + 1};
    }
    bool is_goal(int vertex) const { return vertex == 3; }
};

struct OneAtATime : npuzzle::WithoutReopening {
    template <class Priority, class Cost, class Key>
    using OpenList = npuzzle::detail::BeamOpenList<Priority, Cost, Key>;
};

struct OneAtATimeWithEstimates : OneAtATime {
    template <class P, class E>
    using NodeTable = npuzzle::PooledNodeTable<P, E>;
};

} // namespace

TEMPLATE_TEST_CASE("a node that was dropped is found again by another path", "[dropping]", OneAtATime,
                   OneAtATimeWithEstimates) {
    const auto result = npuzzle::astar<TestType>(Detour{}, 0, [](int vertex) { return vertex == 2 ? 1 : 0; });
    REQUIRE(result.status == npuzzle::Status::solved);
    CHECK(result.path == std::vector{0, 1, 2, 3});
}
