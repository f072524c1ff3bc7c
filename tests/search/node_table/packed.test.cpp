#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/packed.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/table_beside_map.hpp"

#include <cstdint>
#include <limits>
#include <vector>

// What all node tables have in common is in node_table.test.cpp.

namespace {

using npuzzle::MemoryBudget;
using npuzzle::PackedNodeTable;
using test::Ring;
using test::WithMoves;
using test::WithWords;

template <class Word, std::int64_t longest = std::numeric_limits<int>::max()>
struct Line {
    using State = std::uint64_t;
    static constexpr std::int64_t longest_path = longest;
    std::vector<State> neighbors(State x) const { return {x + 1}; }
    bool is_goal(State) const { return false; }
    Word pack(State x) const { return static_cast<Word>(x); }
    State unpack(Word word) const { return word; }
};

/// Words of more bits than a slot stores.
struct InRegions : test::Compact<WithMoves<WithWords<Ring>>> {
    using Compact::Compact;
    static constexpr unsigned word_bits = 53;
};

/// Cut into segments when it has 32 lines, or as many as there are regions.
template <class P>
using Cut = PackedNodeTable<P, int, npuzzle::detail::packed_line_t<P, int>, 32 * 64>;

struct Small : WithMoves<WithWords<Ring>> {
    using WithMoves::WithMoves;
    static constexpr int longest_path = 255;
};

} // namespace

TEST_CASE("each word of a narrow type can be stored", "[packed]") {
    using Problem = Line<std::uint8_t>;
    const Problem problem;
    MemoryBudget budget;
    PackedNodeTable<Problem, int> table(problem, budget);
    for (std::uint64_t x = 0; x < 256; ++x) {
        CHECK(table.insert(x).second);
    }
    for (std::uint64_t x = 0; x < 256; ++x) {
        CHECK_FALSE(table.insert(x).second);
        CHECK(table.insert(x).first.state() == x);
    }
    CHECK(table.size() == 256);
}

TEST_CASE("words that look like no word are words", "[packed]") {
    using Problem = Line<std::uint64_t>;
    const Problem problem;
    MemoryBudget budget;
    PackedNodeTable<Problem, int> table(problem, budget);
    for (const std::uint64_t x : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
        auto [node, is_new] = table.insert(x);
        CHECK(is_new);
        node.relax(5, 0, PackedNodeTable<Problem, int>::root(node));
        CHECK_FALSE(table.insert(x).second);
        CHECK(table.insert(x).first.is_root());
        CHECK(table.insert(x).first.cost() == 5);
    }
}

TEST_CASE("a packed node can have the costs that fit where they are stored", "[packed]") {
    using Narrow = PackedNodeTable<Line<std::uint64_t, 255>, int>;
    CHECK(Narrow::can_hold(0));
    CHECK(Narrow::can_hold(255));
    CHECK_FALSE(Narrow::can_hold(256));
    using Same = PackedNodeTable<Line<std::uint64_t>, int>;
    CHECK(Same::can_hold(std::numeric_limits<int>::max() - 1));
    CHECK_FALSE(Same::can_hold(std::numeric_limits<int>::max()));
    using Compact = PackedNodeTable<test::Compact<WithMoves<WithWords<Ring>>>, int>;
    CHECK(Compact::can_hold(1000));
    CHECK_FALSE(Compact::can_hold(100'000));
    using Fraction = PackedNodeTable<test::Graph<double>, double>;
    CHECK(Fraction::can_hold(std::numeric_limits<double>::max()));
    CHECK_FALSE(Fraction::can_hold(std::numeric_limits<double>::infinity()));
    CHECK_FALSE(Fraction::can_hold(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("a node takes little more than its word and its cost", "[packed]") {
    const Small problem(1, 101, 0);
    MemoryBudget budget;
    PackedNodeTable<Small, int> table(problem, budget);
    // Nine nodes of seven bytes to a cache line, at most four fifths of them filled: 2^14 lines, and little
    // beside.
    for (int state = 0; state < 100'000; ++state) {
        table.insert(state);
    }
    CHECK(budget.used() >= (1U << 14) * 64);
    CHECK(budget.used() < (1U << 14) * 64 * 11 / 10);
}

TEST_CASE("the last move is kept, and taken back to find the parent", "[packed]") {
    const WithMoves<WithWords<Ring>> problem(1, 101, 0);
    using Table = PackedNodeTable<WithMoves<WithWords<Ring>>, int>;
    MemoryBudget budget;
    Table table(problem, budget);
    auto root = table.insert(10).first;
    root.relax(0, 0, Table::root(root));
    CHECK(root.last_move() == problem.no_move);
    const std::uint8_t by_seven = 2;
    auto child = table.insert(17).first;
    child.relax(3, 0, Table::link(table.insert(10).first, by_seven));
    CHECK(child.last_move() == by_seven);
    CHECK(table.parent(child).key() == 10);
    CHECK(table.leads_back(child, 10));
    CHECK_FALSE(table.leads_back(child, 24));
    CHECK_FALSE(table.leads_back(table.insert(10).first, 17));
}

TEMPLATE_TEST_CASE("a table agrees with a map at each step of its growth, and is half full at least",
                   "[packed]", InRegions, test::Compact<WithMoves<WithWords<Ring>>>,
                   WithMoves<WithWords<Ring>>) {
    using Line = npuzzle::detail::packed_line_t<TestType, int>;
    test::TableBesideMap<TestType, Cut<TestType>> beside(TestType(1, 101, 0), 200'000, 256);
    int steps = 0;
    int too_empty = 0;
    while (beside.table.size() < 120'000) {
        if (beside.step()) {
            ++steps;
            const std::uint64_t lines = beside.budget.used() / sizeof(Line);
            // Of what a table of this size may hold before it grows, the half at least is there.
            const bool is_cut_small = lines < 32 * 4 * 64;
            too_empty += is_cut_small || 2 * beside.table.size() >= lines * Line::size * 4 / 5 ? 0 : 1;
        }
    }
    beside.check_all();
    CHECK(too_empty == 0);
    CHECK(steps > 100); // 32 segments, each several times
}

TEMPLATE_TEST_CASE("a table agrees with a map over 10^8 calls", "[packed][.exhaustive]", InRegions,
                   test::Compact<WithMoves<WithWords<Ring>>>, WithMoves<WithWords<Ring>>) {
    test::check_beside_map_for_long<TestType, Cut<TestType>>(TestType(1, 101, 0));
}
