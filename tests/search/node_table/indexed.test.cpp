#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/indexed.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

// What all node tables have in common is in node_table.test.cpp.

namespace {

using npuzzle::IndexedNodeTable;
using npuzzle::MemoryBudget;
using test::Ring;
using test::WithIndex;
using test::WithMoves;

struct Plane {
    using State = std::array<int, 2>;
    std::size_t side;
    std::vector<State> neighbors(const State&) const { return {}; }
    bool is_goal(const State&) const { return false; }
    std::size_t index(const State& s) const {
        return static_cast<std::size_t>(s[0]) * side + static_cast<std::size_t>(s[1]);
    }
    std::size_t size() const { return side * side; }
};

struct Words {
    using State = std::string;
    static std::string word(int number) { return "the state with the number " + std::to_string(number); }
    std::vector<State> neighbors(const State&) const { return {}; }
    bool is_goal(const State&) const { return false; }
    std::size_t index(const State& s) const { return std::stoul(s.substr(s.rfind(' ') + 1)); }
    std::size_t size() const { return 5000; }
};

} // namespace

TEST_CASE("the array is taken at the first state of a small problem, and at the 4,097th of a large one at "
          "the latest",
          "[indexed]") {
    for (const std::size_t side : {std::size_t{1}, std::size_t{10}, std::size_t{100}, std::size_t{2000}}) {
        const Plane plane{side};
        MemoryBudget budget;
        IndexedNodeTable<Plane, int> table(plane, budget);
        CHECK(budget.used() == 0);
        const auto last = static_cast<int>(side) - 1;
        const Plane::State corner{last, last};
        table.prefetch_slot(table.lookup_hint(corner)); // may come before the first state
        CHECK_FALSE(table.find(table.lookup_hint(corner), corner));
        CHECK(budget.used() == 0);
        CHECK(table.insert(Plane::State(corner)).second);
        CHECK((budget.used() >= 4 * plane.size()) == (side < 2000));
        CHECK(budget.used() < 4 * 10'000 + 10'000);
        const std::uint64_t used = budget.used();
        CHECK_FALSE(table.insert(Plane::State(corner)).second);
        table.insert(Plane::State{0, 0});
        CHECK(table.size() == (side == 1 ? 1 : 2));
        CHECK(budget.used() == used);
        if (side < 2000) continue;
        for (int i = 1; i <= 1000; ++i) table.insert(Plane::State{0, i});
        CHECK(budget.used() < 200'000);
        for (int i = 1000; i < 4096; ++i) table.insert(Plane::State{i / 2000, i % 2000});
        CHECK(budget.used() >= 4 * plane.size());
        CHECK(budget.used() < 4 * plane.size() + 200'000);
    }
}

TEST_CASE("nodes are found while they are hashed, and after", "[indexed]") {
    const Plane plane{500};
    MemoryBudget budget;
    IndexedNodeTable<Plane, int> table(plane, budget);
    test::Random random(7);
    for (const int inserted : {10, 700, 3, 1500, 30, 10'000, 5, 4000}) {
        table.clear();
        std::map<Plane::State, std::uint32_t> keys;
        for (int i = 0; i < inserted; ++i) {
            const Plane::State state{random.between(0, 49), random.between(0, 499)};
            const auto known = keys.find(state);
            const auto found = table.find(table.lookup_hint(state), state);
            REQUIRE(found.has_value() == (known != keys.end()));
            if (found) REQUIRE(found->key() == known->second);
            const auto [node, is_new] = table.insert(Plane::State(state));
            REQUIRE(is_new == (known == keys.end()));
            REQUIRE(node.state() == state);
            keys.emplace(state, node.key());
        }
        for (const auto& [state, key] : keys)
            REQUIRE(table.find(table.lookup_hint(state), state)->key() == key);
        CHECK(table.size() == keys.size());
    }
}

TEST_CASE("entries that have run out of numbers begin again with zeros", "[indexed]") {
    const Plane plane{3};
    MemoryBudget budget;
    npuzzle::detail::FlatIndex<Plane> index(plane, budget);
    index.reserve(9, 0);
    const auto is_same = [](std::uint32_t) { return true; };
    constexpr std::uint32_t most = 0x7fffffff; // as many nodes as a table can hold
    for (int search = 0; search < 6; ++search) {
        for (std::uint32_t tag = 0; tag < plane.size(); ++tag) {
            CHECK_FALSE(index.find(tag, most, is_same));
            CHECK(index.place(tag, tag, is_same) == tag); // new: its key is the number of nodes
            CHECK(index.place(tag, tag + 1, is_same) == tag);
        }
        // One was noted, and could not be made.
        index.clear(search % 2 == 0 ? most : static_cast<std::uint32_t>(plane.size()) - 1);
    }
}

TEST_CASE("what an earlier search left in the array is not believed", "[indexed]") {
    const Plane plane{7};
    MemoryBudget budget;
    IndexedNodeTable<Plane, int> table(plane, budget);
    for (int round = 0; round < 1000; ++round) {
        table.clear();
        const int row = round % 7;
        for (int column = 0; column < 7; ++column) {
            auto [node, is_new] = table.insert(Plane::State{row, (column * round) % 7});
            const bool was_seen = round % 7 == 0 && column > 0;
            CHECK(is_new == !was_seen);
            if (is_new) {
                CHECK(node.is_closed());
                node.relax(round, 0, table.root(node));
            }
            CHECK(node.cost() == round);
            CHECK(node.state() == Plane::State{row, (column * round) % 7});
        }
        CHECK(table.size() == (round % 7 == 0 ? 1 : 7));
    }
}

TEST_CASE("numbered states may be of any type", "[indexed]") {
    const Words words;
    MemoryBudget budget;
    IndexedNodeTable<Words, int> table(words, budget);
    for (const int round : {0, 1}) {
        for (int i = 0; i < 5000; ++i) {
            CHECK(table.insert(Words::word(i)).second == (round == 0));
        }
    }
    CHECK(table.size() == 5000);
    table.clear();
    CHECK(table.insert(Words::word(17)).second);
}

TEST_CASE("more states than can be numbered are too many for memory", "[indexed]") {
    const Plane plane{std::size_t{1} << 17};
    MemoryBudget budget;
    IndexedNodeTable<Plane, int> table(plane, budget);
    CHECK_THROWS_AS(table.insert(Plane::State{0, 0}), std::bad_alloc);
    CHECK(table.size() == 0);
    CHECK(budget.used() < 100'000);
}

TEST_CASE("an indexed node cannot have an infinite cost", "[indexed]") {
    using Table = IndexedNodeTable<WithIndex<Ring>, int>;
    CHECK(Table::can_hold(std::numeric_limits<int>::max() - 1));
    CHECK_FALSE(Table::can_hold(std::numeric_limits<int>::max()));
}

TEST_CASE("an indexed node keeps its move", "[indexed]") {
    const WithIndex<WithMoves<Ring>> problem(1, 101, 0);
    using Table = IndexedNodeTable<WithIndex<WithMoves<Ring>>, int>;
    MemoryBudget budget;
    Table table(problem, budget);
    auto root = table.insert(10).first;
    root.relax(0, 0, Table::root(root));
    CHECK(root.is_root());
    CHECK(root.last_move() == problem.no_move);
    auto child = table.insert(17).first;
    child.relax(3, 0, Table::link(root, 2));
    CHECK(child.last_move() == 2);
    CHECK(table.parent(child).state() == 10);
    CHECK(table.leads_back(child, 10));
    CHECK_FALSE(table.leads_back(child, 24));
}
