#include <npuzzle/search/node_table/packed.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cstdint>
#include <limits>
#include <vector>

// What all node tables have in common is in node_table.test.cpp.

namespace {

using npuzzle::PackedNodeTable;
using npuzzle::detail::MemoryBudget;
using test::Ring;
using test::WithMoves;
using test::WithWords;

template <class Word, class Stored>
struct Line {
    using State = std::uint64_t;
    using StoredCost = Stored;
    std::vector<State> neighbors(State x) const { return {x + 1}; }
    bool is_goal(State) const { return false; }
    Word pack(State x) const { return static_cast<Word>(x); }
    State unpack(Word word) const { return word; }
};

} // namespace

TEST_CASE("each word of a narrow type can be stored", "[packed]") {
    using Problem = Line<std::uint8_t, int>;
    const Problem problem;
    MemoryBudget budget;
    PackedNodeTable<Problem, int> table(problem, budget);
    for (std::uint64_t x = 0; x < 256; ++x) {
        CHECK(table.insert(x).second);
    }
    for (std::uint64_t x = 0; x < 256; ++x) {
        CHECK_FALSE(table.insert(x).second);
        CHECK(table.find(static_cast<std::uint8_t>(x)).state() == x);
    }
    CHECK(table.size() == 256);
}

TEST_CASE("words that look like no word are words", "[packed]") {
    using Problem = Line<std::uint64_t, int>;
    const Problem problem;
    MemoryBudget budget;
    PackedNodeTable<Problem, int> table(problem, budget);
    for (const std::uint64_t x : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
        auto [node, is_new] = table.insert(x);
        CHECK(is_new);
        node.relax(5, 0, PackedNodeTable<Problem, int>::root(node));
        CHECK_FALSE(table.insert(x).second);
        CHECK(table.find(x).is_root());
        CHECK(table.find(x).cost() == 5);
    }
}

TEST_CASE("a packed node can have the costs that fit where they are stored", "[packed]") {
    using Narrow = PackedNodeTable<Line<std::uint64_t, std::uint8_t>, int>;
    CHECK(Narrow::can_hold(0));
    CHECK(Narrow::can_hold(255));
    CHECK_FALSE(Narrow::can_hold(256));
    using Same = PackedNodeTable<Line<std::uint64_t, int>, int>;
    CHECK(Same::can_hold(std::numeric_limits<int>::max() - 1));
    CHECK_FALSE(Same::can_hold(std::numeric_limits<int>::max()));
    using Wider = PackedNodeTable<Line<std::uint64_t, std::int64_t>, int>;
    CHECK_FALSE(Wider::can_hold(std::numeric_limits<int>::max()));
    using Fraction = PackedNodeTable<test::Graph<double>, double>;
    CHECK(Fraction::can_hold(std::numeric_limits<double>::max()));
    CHECK_FALSE(Fraction::can_hold(std::numeric_limits<double>::infinity()));
    CHECK_FALSE(Fraction::can_hold(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("a node takes little more than its word and its cost", "[packed]") {
    struct Small : WithMoves<WithWords<Ring>> {
        using WithMoves::WithMoves;
        using StoredCost = std::uint8_t;
    };
    const Small problem(1, 101, 0);
    MemoryBudget budget;
    PackedNodeTable<Small, int> table(problem, budget);
    // Up to the moment before it grows: three quarters full.
    for (int state = 0; state < 3 * 4096 / 4; ++state) {
        table.insert(state);
    }
    CHECK(budget.used() == 4096 * (sizeof(std::uint32_t) + 3));
}

TEST_CASE("the last move is kept, and taken back to find the parent", "[packed]") {
    const WithMoves<WithWords<Ring>> problem(1, 101, 0);
    using Table = PackedNodeTable<WithMoves<WithWords<Ring>>, int>;
    MemoryBudget budget;
    Table table(problem, budget);
    auto root = table.insert(10).first;
    root.relax(0, 0, Table::root(root));
    CHECK(root.last_move() == problem.no_move);
    const std::int8_t by_seven = 2;
    auto child = table.insert(17).first;
    child.relax(3, 0, Table::link(table.find(10), by_seven));
    CHECK(child.last_move() == by_seven);
    CHECK(table.parent(child).key() == 10);
    CHECK(table.leads_back(17, child.link(), 10));
    CHECK_FALSE(table.leads_back(17, child.link(), 24));
    CHECK_FALSE(table.leads_back(10, table.find(10).link(), 17));
}
