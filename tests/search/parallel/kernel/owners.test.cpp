#include <npuzzle/search/node_table/indexed.hpp>
#include <npuzzle/search/parallel/kernel/owners.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using Plain = test::Ring;
using Numbered = test::WithIndex<test::Ring>;
using Compact = test::Compact<test::WithWords<test::WithMoves<test::Ring>>>;

template <class P>
using Pooled = npuzzle::PooledNodeTable<P, int>;

static_assert(npuzzle::DividedNodeTable<Pooled<Plain>>);
static_assert(npuzzle::DividedNodeTable<npuzzle::IndexedNodeTable<Numbered, int>>);
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
