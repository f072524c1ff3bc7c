#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/transposition_table.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::TranspositionTable;

/// All states share a hash, so that they share a bucket.
template <class S>
struct OneBucket {
    using State = S;
    std::vector<State> neighbors(const State&) const { return {}; }
    bool is_goal(const State&) const { return false; }
    std::size_t hash(const State&) const { return 0; }
};

/// Four entries, of which the one with the least effort gives way.
template <class S, class Make>
void check_replacement(Make make) {
    const OneBucket<S> problem;
    MemoryBudget budget;
    TranspositionTable<OneBucket<S>, int> table(problem, budget);
    CHECK(table.is_empty());
    CHECK(table.stored() == 0);
    table.allocate(1000);
    CHECK_FALSE(table.is_empty());
    CHECK(budget.used() <= 1000);
    CHECK(table.find(make(1)) == nullptr);
    for (int i = 1; i <= 4; ++i) {
        table.store(make(i), 10 * i, static_cast<std::uint64_t>(100 * i));
    }
    CHECK(table.stored() == 4);
    for (int i = 1; i <= 4; ++i) {
        REQUIRE(table.find(make(i)) != nullptr);
        CHECK(*table.find(make(i)) == 10 * i);
    }
    table.store(make(1), 11, 1000); // the same state, and now the most effort
    CHECK(table.stored() == 4);
    CHECK(*table.find(make(1)) == 11);
    table.store(make(5), 50, 1);
    CHECK(table.stored() == 4);
    CHECK(table.find(make(2)) == nullptr);
    CHECK(*table.find(make(5)) == 50);
    table.store(make(6), 60, ~std::uint64_t{0}); // more effort than an entry can say
    CHECK(table.find(make(5)) == nullptr);
    CHECK(*table.find(make(6)) == 60);
    CHECK(*table.find(make(1)) == 11);
}

} // namespace

TEST_CASE("a full bucket gives up what took the least effort", "[node_table]") {
    check_replacement<int>([](int i) { return i; });
    check_replacement<std::string>([](int i) { return "a state that owns memory " + std::to_string(i); });
}

TEST_CASE("a transposition table keeps to its bytes and to the budget", "[node_table]") {
    const OneBucket<int> problem;
    MemoryBudget budget(1000);
    TranspositionTable<OneBucket<int>, int> table(problem, budget);
    table.allocate(10); // too little for a bucket
    CHECK(table.is_empty());
    CHECK_THROWS_AS(table.allocate(2000), std::bad_alloc);
    CHECK(table.is_empty());
    table.allocate(1000);
    CHECK_FALSE(table.is_empty());
    CHECK(budget.peak() <= 1000);
}
