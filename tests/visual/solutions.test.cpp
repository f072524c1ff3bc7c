#include "npuzzle/io/parse.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/solver.hpp"
#include "npuzzle/visual/solution.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"
#include "support/visual.hpp"

#include <cstddef>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// How the page behaves is tested in a browser: tests/visual/browser.

using npuzzle::Board;
using npuzzle::goal_blank_last;
using npuzzle::SolutionHtmlOptions;
using npuzzle::SolutionSvgOptions;

namespace {

using Boards = std::vector<Board>;

std::string drawn(const Boards& boards, const SolutionSvgOptions& options = {}) {
    std::ostringstream out;
    out.imbue(grouping_locale()); // which makes no difference
    npuzzle::write_solution_svg(out, boards, options);
    CHECK(is_well_formed(out.str()));
    return out.str();
}

std::string page(const Boards& boards, const SolutionHtmlOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_solution_html(out, boards, options);
    return out.str();
}

/// Moves in every direction, in a circle around the board's middle.
Boards circle() {
    return {Board{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, Board{{1, 0, 2}, {3, 4, 5}, {6, 7, 8}},
            Board{{1, 4, 2}, {3, 0, 5}, {6, 7, 8}}, Board{{1, 4, 2}, {0, 3, 5}, {6, 7, 8}},
            Board{{0, 4, 2}, {1, 3, 5}, {6, 7, 8}}};
}

} // namespace

TEST_CASE("the pictures in the documentation are drawn by this code", "[solutions]") {
    const npuzzle::Solver solver(npuzzle::read_board_file("examples/puzzles/puzzle3x3-11.txt"));
    REQUIRE(solver.solution());
    CHECK(drawn(*solver.solution()) == kept_file("docs/images/solution.svg"));
}

TEST_CASE("the columns can be chosen; else the picture is wide and its rows are full", "[solutions]") {
    const auto columns_of = [](const Boards& boards, int columns) {
        const std::string svg = drawn(boards, {.columns = columns});
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

TEST_CASE("the page holds the first board and the moves to the last, and nothing from outside",
          "[solutions]") {
    const std::string text = page(circle(), {.milliseconds_per_move = 250});
    CHECK(count_of("(3, [0,1,2,3,4,5,6,7,8], \"rdlu\", 250);", text) == 1);
    CHECK(count_of("], \"\", 500", page({goal_blank_last(12)})) == 1);
    CHECK(text.starts_with("<!DOCTYPE html>"));
    CHECK(count_of("default-src 'none'", text) == 1);
    for (const char* outside : {"http:", "https:", "src=", "url(", "@import", "import(", "fetch("})
        CHECK(count_of(outside, text) == 0);
    for (const char* once : {"<script", "prefers-reduced-motion: reduce", "name=\"viewport\""})
        CHECK(count_of(once, text) == 1);
}

TEST_CASE("a title is text, whatever is in it", "[solutions]") {
    const std::string usual = "A sliding-tile puzzle of 3 by 3, solved in 4 moves";
    const std::string title = "</title><script>\"1\"</script>&\1";
    const std::string escaped = "&lt;/title&gt;&lt;script&gt;&quot;1&quot;&lt;/script&gt;&amp;\xEF\xBF\xBD";
    const std::vector<std::string> untitled{drawn(circle()), page(circle())};
    const std::vector<std::string> titled{drawn(circle(), {.title = title}),
                                          page(circle(), {.title = title})};
    for (std::size_t i = 0; i < titled.size(); ++i) {
        CHECK(count_of(usual, untitled[i]) == 2);
        CHECK(count_of(escaped, titled[i]) == 2);
        CHECK(count_of("<script>\"", titled[i]) == 0);
        CHECK(count_of("prefers-color-scheme: dark", titled[i]) == 1);
    }
    CHECK(count_of("solved in 1 move</title>", drawn(up_and_down(2, 2))) == 1);
}

TEST_CASE("a stream that takes no more is left bad", "[solutions]") {
    const Boards boards = up_and_down(3, 4);
    CHECK(is_bad_when_full([&](std::ostream& out) { npuzzle::write_solution_svg(out, boards); },
                           drawn(boards).size()));
}

TEST_CASE("what cannot be drawn is refused", "[solutions]") {
    const auto refusal = [](auto&& draw) { return message_of<std::invalid_argument>(draw); };
    const std::string not_one_move = "board 1 of the solution is not one move from the board before";
    const Board end{{1, 2, 0}, {3, 4, 5}, {6, 7, 8}};
    const Board beginning{{1, 2, 3}, {0, 4, 5}, {6, 7, 8}};
    const std::vector<std::pair<Boards, std::string>> faults{
        {{}, "there are no boards to draw"},
        {{goal_blank_last(3), goal_blank_last(4)}, "boards of size 3 and of size 4 are not of one solution"},
        {{circle()[0], circle()[0]}, not_one_move},
        {{circle()[0], circle()[2]}, not_one_move},
        // From the end of a row to the beginning of the next is not a move, either way.
        {{end, beginning}, not_one_move},
        {{beginning, end}, not_one_move},
        // The blank goes where it may, but two other tiles have changed places.
        {{end, Board{{1, 0, 2}, {3, 4, 5}, {6, 8, 7}}}, not_one_move},
        {{end, Board{{1, 0, 2}, {3, 4, 5}, {6, 7, 8}}}, "nothing thrown"}};
    for (const auto& fault : faults) {
        const auto& boards = fault.first;
        CHECK(refusal([&] { drawn(boards); }) == fault.second);
        CHECK(refusal([&] { page(boards); }) == fault.second);
    }
    const std::string time = "a move takes from 1 to 60000 milliseconds, not ";
    CHECK(refusal([] { drawn(circle(), {.columns = -1}); }) == "there cannot be -1 columns");
    CHECK(refusal([] { page(circle(), {.milliseconds_per_move = 0}); }) == time + "0");
    CHECK(refusal([] { page(circle(), {.milliseconds_per_move = 60001}); }) == time + "60001");
}
