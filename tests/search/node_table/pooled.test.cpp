#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/pooled.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/table_beside_map.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// What all node tables have in common is in node_table.test.cpp.

namespace {

using npuzzle::MemoryBudget;
using npuzzle::PooledNodeTable;

static_assert(npuzzle::NodeTable<PooledNodeTable<archetype::Problem, archetype::Cost>>);
static_assert(
    npuzzle::NodeTable<PooledNodeTable<archetype::Problem, archetype::Cost, npuzzle::detail::NoIndex>>);
static_assert(!std::is_copy_constructible_v<PooledNodeTable<test::Ring, int>>);

/// Counts how many of it there are.
struct Counted {
    static int alive;
    int value;

    explicit Counted(int number) : value(number) { ++alive; }
    Counted(const Counted& other) : value(other.value) { ++alive; }
    Counted& operator=(const Counted&) = default;
    ~Counted() { --alive; }
    friend bool operator==(const Counted&, const Counted&) = default;
};
int Counted::alive = 0;

struct CountedProblem {
    using State = Counted;
    std::vector<Counted> neighbors(const Counted&) const { return {}; }
    bool is_goal(const Counted&) const { return false; }
    std::size_t hash(const Counted& state) const { return static_cast<std::size_t>(state.value); }
};

/// Numbers of which each `share` successive ones have the same hash.
template <int share>
struct SharedHashes {
    using State = int;
    std::vector<int> neighbors(int) const { return {}; }
    bool is_goal(int) const { return false; }
    std::size_t hash(int state) const {
        return static_cast<std::size_t>(state / share) * 0x9e3779b97f4a7c15ULL;
    }
};

/// Whether all numbers below `count` can be stored and found again, each once.
template <int share>
bool keeps_all(int count) {
    const SharedHashes<share> problem;
    MemoryBudget budget;
    PooledNodeTable<SharedHashes<share>, int> table(problem, budget);
    bool is_right = true;
    for (int state = 0; state < count; ++state) {
        is_right = table.insert(int{state}).second && is_right;
    }
    for (int state = 0; state < count; ++state) {
        is_right = !table.insert(int{state}).second && is_right;
        const auto node = table.find(table.lookup_hint(state), state);
        is_right = node && node->state() == state && is_right;
    }
    is_right = !table.find(table.lookup_hint(count), count) && is_right;
    return is_right && table.size() == static_cast<std::uint64_t>(count);
}

struct alignas(64) Aligned {
    int value;
    friend bool operator==(const Aligned&, const Aligned&) = default;
};

struct AlignedProblem {
    using State = Aligned;
    std::vector<Aligned> neighbors(const Aligned&) const { return {}; }
    bool is_goal(const Aligned&) const { return false; }
    std::size_t hash(const Aligned& state) const { return static_cast<std::size_t>(state.value); }
};

struct HugeProblem {
    using State = std::array<int, 5000>;
    std::vector<State> neighbors(const State&) const { return {}; }
    bool is_goal(const State&) const { return false; }
};

} // namespace

TEST_CASE("any number of states may share a hash", "[pooled]") {
    CHECK(keeps_all<1>(20'000));
    CHECK(keeps_all<20>(20'000));
    CHECK(keeps_all<700>(20'000)); // more than a page of the index has slots for
    CHECK(keeps_all<3000>(3000));
}

TEMPLATE_TEST_CASE("an index agrees with a map at each step of its growth", "[pooled]", SharedHashes<1>,
                   SharedHashes<30>, SharedHashes<1500>) {
    const int states = std::is_same_v<TestType, SharedHashes<1500>> ? 4'000 : 12'000;
    test::TableBesideMap<TestType, PooledNodeTable<TestType, int>> beside(TestType(), states, 1);
    for (int round = 0; round < 2 * states; ++round) {
        beside.step();
    }
    beside.check_all();
}

TEMPLATE_TEST_CASE("an index agrees with a map over 10^8 calls", "[pooled][.exhaustive]", SharedHashes<1>,
                   SharedHashes<30>) {
    test::check_beside_map_for_long<TestType, PooledNodeTable<TestType, int>>(TestType());
}

TEST_CASE("a state that is new is moved into the table", "[pooled]") {
    const test::FourPegHanoi problem;
    MemoryBudget budget;
    PooledNodeTable<test::FourPegHanoi, int> table(problem, budget);
    std::string state = "a state of some length, that is not stored in place";
    const std::string copy = state;
    const char* characters = state.data();
    auto [node, is_new] = table.insert(std::move(state));
    CHECK(is_new);
    CHECK(node.state().data() == characters);
    CHECK(node.state() == copy);
}

TEST_CASE("as many states are destroyed as were made", "[pooled]") {
    {
        const CountedProblem problem;
        MemoryBudget budget;
        PooledNodeTable<CountedProblem, int> table(problem, budget);
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < 5000; ++i) {
                table.insert(Counted(i % 4000));
            }
            CHECK(Counted::alive == 4000);
            table.clear();
            CHECK(Counted::alive == 0);
        }
        table.insert(Counted(1));
    }
    CHECK(Counted::alive == 0);
}

TEST_CASE("states may be aligned to more than usual, or be larger than a chunk", "[pooled]") {
    MemoryBudget budget;
    SECTION("alignment") {
        const AlignedProblem problem;
        PooledNodeTable<AlignedProblem, int> table(problem, budget);
        for (int i = 0; i < 3000; ++i) {
            const auto node = table.insert(Aligned{i}).first;
            CHECK(reinterpret_cast<std::uintptr_t>(&node.state()) % 64 == 0);
        }
    }
    SECTION("size") {
        const HugeProblem problem;
        PooledNodeTable<HugeProblem, int> table(problem, budget);
        HugeProblem::State huge{};
        for (int i = 0; i < 200; ++i) {
            huge.back() = i % 150;
            CHECK(table.insert(HugeProblem::State(huge)).second == (i < 150));
        }
        CHECK(table.size() == 150);
        huge.back() = 149;
        CHECK(table.insert(HugeProblem::State(huge)).first.key() == 149);
    }
}

TEST_CASE("a tree stores a state each time", "[pooled]") {
    const test::Ring problem(1, 101, 0);
    MemoryBudget budget;
    PooledNodeTable<test::Ring, int, npuzzle::detail::NoIndex> table(problem, budget);
    auto [root, is_root_new] = table.insert(5);
    root.relax(0, 0, table.root(root));
    auto [child, is_child_new] = table.insert(6);
    child.relax(1, 0, table.link(root, {}));
    auto [again, is_again_new] = table.insert(5);
    again.relax(2, 0, table.link(child, {}));
    CHECK((is_root_new && is_child_new && is_again_new));
    CHECK(table.size() == 3);
    CHECK(again.key() != root.key());
    CHECK(table.parent(table.parent(again)).key() == root.key());
    CHECK(table.leads_back(again, 6));
    CHECK_FALSE(table.leads_back(again, 5));
}

TEST_CASE("a pooled node cannot have an infinite cost", "[pooled]") {
    using Whole = PooledNodeTable<test::Graph<std::uint8_t>, int>;
    CHECK(Whole::can_hold(254));
    CHECK_FALSE(Whole::can_hold(255));
    using Fraction = PooledNodeTable<test::Graph<double>, double>;
    CHECK(Fraction::can_hold(std::numeric_limits<double>::max()));
    CHECK_FALSE(Fraction::can_hold(std::numeric_limits<double>::infinity()));
    CHECK_FALSE(Fraction::can_hold(std::numeric_limits<double>::quiet_NaN()));
}
