#include <npuzzle/search/kernel/ida_star_places.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace {

struct Noted {
    std::vector<std::pair<std::size_t, char>> moves;
    void descend(std::size_t left, char move) { moves.emplace_back(left, move); }
};

} // namespace

TEST_CASE("a divided search is told of the moves down to the cut", "[ida_star]") {
    using npuzzle::detail::DividedPlace;
    using npuzzle::detail::DynamicPlace;
    Noted noted;
    const DividedPlace<char, Noted> start{'-', 2, &noted};
    const auto first = start.after('a');
    const auto second = first.after('b');
    CHECK(first.last == 'a');
    CHECK(first.left == 1);
    CHECK(second.last == 'b');
    CHECK(second.left == 0);
    CHECK(noted.moves == std::vector<std::pair<std::size_t, char>>{{2, 'a'}, {1, 'b'}});
    CHECK(DynamicPlace<char>{'a'}.after('b').last == 'b');
    CHECK(npuzzle::detail::is_divided<DividedPlace<char, Noted>>);
    CHECK(npuzzle::detail::is_dynamic<DividedPlace<char, Noted>>);
    CHECK_FALSE(npuzzle::detail::is_divided<DynamicPlace<char>>);
    CHECK(npuzzle::detail::is_dynamic<DynamicPlace<char>>);
    CHECK_FALSE(npuzzle::detail::is_dynamic<int>);
}
