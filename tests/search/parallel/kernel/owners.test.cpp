#include <npuzzle/search/node_table/indexed.hpp>
#include <npuzzle/search/node_table/packed.hpp>
#include <npuzzle/search/parallel/kernel/owners.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace {

using Plain = test::Ring;
using Numbered = test::WithIndex<test::Ring>;
using Compact = test::Compact<test::WithWords<test::WithMoves<test::Ring>>>;

template <class P>
using Pooled = npuzzle::PooledNodeTable<P, int>;
template <class P>
using Packed = npuzzle::PackedNodeTable<P, int>;

static_assert(npuzzle::DividedNodeTable<Pooled<Plain>>);
static_assert(npuzzle::DividedNodeTable<npuzzle::IndexedNodeTable<Numbered, int>>);
static_assert(npuzzle::DividedNodeTable<Packed<Compact>>);
static_assert(!npuzzle::DividedNodeTable<npuzzle::PooledNodeTable<Plain, int, npuzzle::detail::NoIndex>>);

static_assert(npuzzle::HasOwnerHash<test::WithDistricts<Plain>>);
static_assert(!npuzzle::HasOwnerHash<Plain>);

template <class P, class Table>
std::vector<int> shares(const P& problem, int states, std::size_t owners) {
    const npuzzle::detail::Owners<P, Table> owner_of(problem, owners);
    std::vector<int> count(owners, 0);
    for (int state = 0; state < states; ++state) {
        ++count[owner_of(state)];
    }
    return count;
}

} // namespace

TEMPLATE_TEST_CASE("owners have about as many states each", "[parallel]", Plain, Compact) {
    constexpr int states = 20'000;
    const TestType ring(1, states, 0);
    for (const std::size_t owners : {std::size_t{2}, std::size_t{3}, std::size_t{7}}) {
        const std::vector<int> count = shares<TestType, Pooled<TestType>>(ring, states, owners);
        const auto [least, most] = std::minmax_element(count.begin(), count.end());
        CHECK(*most - *least < states / 20);
    }
}

TEST_CASE("states that are numbered side by side have the same owner", "[parallel]") {
    const Numbered ring(1, 6'400, 0);
    const npuzzle::detail::Owners<Numbered, npuzzle::IndexedNodeTable<Numbered, int>> owner_of(ring, 4);
    int changes = 0;
    for (int state = 1; state < 6'400; ++state) {
        changes += owner_of(state) != owner_of(state - 1) ? 1 : 0;
    }
    CHECK(changes < 100);
    CHECK(changes > 50);
}

TEMPLATE_TEST_CASE("a problem can say which states belong together", "[parallel]", Plain, Numbered, Compact) {
    constexpr int states = 6'400;
    using Districts = test::WithDistricts<TestType>;
    using Table = Pooled<Districts>;
    Districts ring(TestType(1, states, 0), 1);
    // Each step to another owner is a message.
    const auto messages = [&](int size) {
        ring.district = size;
        const npuzzle::detail::Owners<Districts, Table> owner_of(ring, 4);
        int count = 0;
        for (int state = 1; state < states; ++state) {
            count += owner_of(state) != owner_of(state - 1) ? 1 : 0;
        }
        return count;
    };
    CHECK(messages(1) > states / 2);
    CHECK(messages(100) < 64);
    CHECK(messages(100) > 32);
    CHECK(messages(states) == 0);
    ring.district = 10;
    const std::vector<int> count = shares<Districts, Table>(ring, states, 4);
    CHECK(*std::min_element(count.begin(), count.end()) > states / 8);
}

TEST_CASE("a number names a node across tables, until there are no more", "[parallel]") {
    const Plain ring(1, 10, 0);
    const npuzzle::detail::Owners<Plain, Pooled<Plain>> owners(ring, 3);
    CHECK(owners.name(0, 0) == 0);
    CHECK(owners.name(5, 2) == 17);
    CHECK(owners.name(715'827'881, 2) == 2'147'483'645);
    CHECK_THROWS_AS(owners.name(715'827'882, 1), std::bad_alloc);
}

TEMPLATE_TEST_CASE("a parent is found in the table of its owner", "[parallel]", Plain, Compact) {
    const TestType ring(1, 100, 0);
    using Table = std::conditional_t<npuzzle::PackedProblem<TestType>, npuzzle::PackedNodeTable<Compact, int>,
                                     Pooled<Plain>>;
    const npuzzle::detail::Owners<TestType, Table> owners(ring, 2);
    npuzzle::MemoryBudget budget;
    Table first(ring, budget);
    Table second(ring, budget);
    Table* const tables[] = {&first, &second};
    const auto table_of = [&](std::size_t owner) -> const Table& { return *tables[owner]; };
    int apart = 0;
    for (int state = 0; state + 1 < 100; ++state) {
        const std::size_t owner = owners(state);
        auto parent = tables[owner]->insert(int(state)).first;
        parent.relax(state, 0, Table::root(parent));
        const auto link = [&] {
            if constexpr (npuzzle::MoveProblem<TestType>) {
                return owners.link(Table::link(parent, 0), owner); // the step to the next vertex
            } else {
                return owners.link(Table::link(parent, {}), owner);
            }
        }();
        const std::size_t other = owners(state + 1);
        apart += owner != other ? 1 : 0;
        auto child = tables[other]->insert(state + 1).first;
        child.relax(state + 1, 0, link);
        CHECK(owners.parent(*tables[other], child, table_of).state() == state);
    }
    CHECK(apart > 20);
}
