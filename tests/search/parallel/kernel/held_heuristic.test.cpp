#include <npuzzle/search/parallel/kernel/held_heuristic.hpp>

#include "support/catch.hpp"

#include <type_traits>
#include <vector>

namespace {

struct Line {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x + 1}; }
    bool is_goal(int x) const { return x == 5; }
};

struct Table {
    std::vector<int> values;
    int operator()(int x) const { return values[static_cast<unsigned>(x)]; }
};

struct Pointer {
    const Table* table;
    int operator()(int x) const { return (*table)(x); }
};

struct Changing : Table {
    int calls = 0;
    int operator()(int x) {
        ++calls;
        return Table::operator()(x);
    }
};

template <class B, bool is_made_by_bind = false>
using held = npuzzle::detail::held_heuristic_t<B, Line, is_made_by_bind>;

} // namespace

TEST_CASE("threads share a heuristic that they can, unless a copy is cheap", "[parallel_ida_star]") {
    STATIC_REQUIRE(std::is_same_v<held<Table>, Table&>);
    STATIC_REQUIRE(std::is_same_v<held<const Table>, const Table&>);
    STATIC_REQUIRE(std::is_same_v<held<Pointer>, Pointer>);
    STATIC_REQUIRE(std::is_same_v<held<const Pointer>, Pointer>);
    STATIC_REQUIRE(std::is_same_v<held<Changing>, Changing>);
    STATIC_REQUIRE(std::is_same_v<held<Table, true>, Table>);
}
