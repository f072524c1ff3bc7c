#include "npuzzle/io/parse.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/scramble.hpp"
#include "npuzzle/puzzle/solver.hpp"
#include "npuzzle/visual/solution_svg.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"
#include "support/visual.hpp"

#include <cstddef>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using npuzzle::Board;
using npuzzle::SolutionSvgOptions;

namespace {

std::string drawn(const std::vector<Board>& boards, const SolutionSvgOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_solution_svg(out, boards, options);
    CHECK(out.good());
    return out.str();
}

} // namespace

TEST_CASE("the picture in the README is drawn by this code", "[solution_svg]") {
    const npuzzle::Solver solver(npuzzle::read_board_file("examples/puzzles/puzzle3x3-11.txt"));
    REQUIRE(solver.solution());
    CHECK(drawn(*solver.solution()) == kept_file("docs/images/solution.svg"));
}

TEST_CASE("the number of columns can be chosen, and is else chosen so that the picture is wide and its rows "
          "are full",
          "[solution_svg]") {
    const auto columns_of = [](const std::vector<Board>& boards, int columns) {
        const std::string svg = drawn(boards, {.columns = columns});
        CHECK(is_well_formed(svg));
        std::set<std::string> places;
        for (auto at = svg.find("translate("); at != std::string::npos; at = svg.find("translate(", at + 1)) {
            places.insert(svg.substr(at, svg.find(' ', at) - at));
        }
        return places.size();
    };
    for (const int columns : {1, 2, 5, 12}) {
        CHECK(columns_of(up_and_down(3, 12), columns) == static_cast<std::size_t>(columns));
    }
    CHECK(columns_of(up_and_down(3, 12), 100) == 12);
    CHECK(columns_of(up_and_down(3, 12), 0) == 6);
    for (const std::size_t count : {3U, 10U, 32U, 81U, 200U}) {
        const std::size_t columns = columns_of(up_and_down(4, count), 0);
        const std::size_t rows = (count + columns - 1) / columns;
        CHECK(columns >= rows);
        CHECK(columns * rows - count < rows); // with one column less there would be one row more
    }
}

TEST_CASE("the picture has a title, for those who cannot see it", "[solution_svg]") {
    CHECK(count_of("A sliding-tile puzzle of 4 by 4, solved in 2 moves", drawn(up_and_down(4, 3))) == 2);
    CHECK(count_of("<title>A sliding-tile puzzle of 2 by 2, solved in 1 move</title>",
                   drawn(up_and_down(2, 2))) == 1);
    const std::string named = drawn(up_and_down(3, 2), {.title = "1 < 2 & \"3\" > 2"});
    CHECK(count_of("<title>1 &lt; 2 &amp; &quot;3&quot; &gt; 2</title>", named) == 1);
    CHECK(count_of("aria-label=\"1 &lt; 2 &amp; &quot;3&quot; &gt; 2\"", named) == 1);
    CHECK(is_well_formed(named));
}

TEST_CASE("the picture follows the viewer's dark scheme", "[solution_svg]") {
    CHECK(count_of("@media (prefers-color-scheme: dark)", drawn(up_and_down(3, 2))) == 1);
}

TEST_CASE("the stream's locale makes no difference", "[solution_svg]") {
    std::ostringstream out;
    out.imbue(grouping_locale());
    npuzzle::write_solution_svg(out, up_and_down(4, 20));
    CHECK(out.str() == drawn(up_and_down(4, 20)));
}

TEST_CASE("a stream that takes no more is left bad", "[solution_svg]") {
    const std::vector<Board> boards = up_and_down(3, 4);
    CHECK(is_bad_when_full([&](std::ostream& out) { npuzzle::write_solution_svg(out, boards); },
                           drawn(boards).size()));
}

TEST_CASE("what cannot be drawn is refused", "[solution_svg]") {
    const auto message = [](const std::vector<Board>& boards, const SolutionSvgOptions& options) {
        return message_of<std::invalid_argument>([&] { drawn(boards, options); });
    };
    CHECK(message({}, {}) == "there are no boards to draw");
    CHECK(message({npuzzle::goal_blank_last(3), npuzzle::goal_blank_last(4)}, {}) ==
          "boards of size 3 and of size 4 are not of one solution");
    CHECK(message(up_and_down(3, 2), {.columns = -1}) == "there cannot be -1 columns");
    CHECK(message(up_and_down(3, 2), {.tile_size = 0}) ==
          "the size of a tile is from 1 to 10000 pixels, not 0");
    CHECK(message(up_and_down(3, 2), {.tile_size = 10001}) ==
          "the size of a tile is from 1 to 10000 pixels, not 10001");
}
