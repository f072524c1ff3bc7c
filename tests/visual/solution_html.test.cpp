#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/visual/solution_html.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"
#include "support/visual.hpp"

#include <cstddef>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// How the page behaves is tested in a browser: tests/visual/browser.

using npuzzle::Board;
using npuzzle::SolutionHtmlOptions;

namespace {

std::string written(const std::vector<Board>& boards, const SolutionHtmlOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_solution_html(out, boards, options);
    CHECK(out.good());
    return out.str();
}

/// What the page is given: size, cells, moves of the blank, milliseconds, whether it plays at once.
struct Given {
    int size = 0;
    std::vector<int> cells;
    std::string moves;
    int milliseconds = 0;
    bool plays = false;
};

Given read_back(const std::string& page) {
    const std::size_t call = page.rfind("})(");
    REQUIRE(call != std::string::npos);
    std::istringstream in(page.substr(call + 3));
    Given given;
    char separator = 0;
    in >> given.size >> separator >> separator;
    while (separator != ']') {
        int tile = 0;
        in >> tile >> separator;
        given.cells.push_back(tile);
    }
    std::string rest;
    std::getline(in, rest, '"');
    std::getline(in, given.moves, '"');
    std::getline(in >> separator >> given.milliseconds >> separator >> std::ws, rest, ')');
    REQUIRE((rest == "true" || rest == "false"));
    given.plays = rest == "true";
    std::getline(in, rest);
    CHECK(rest == ";");
    REQUIRE(in.good());
    return given;
}

/// Moves in every direction, in a circle around the board's middle.
std::vector<Board> circle() {
    return {Board{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, Board{{1, 0, 2}, {3, 4, 5}, {6, 7, 8}},
            Board{{1, 4, 2}, {3, 0, 5}, {6, 7, 8}}, Board{{1, 4, 2}, {0, 3, 5}, {6, 7, 8}},
            Board{{0, 4, 2}, {1, 3, 5}, {6, 7, 8}}};
}

} // namespace

TEST_CASE("the page holds the first board and the moves to the last", "[solution_html]") {
    const Given given = read_back(written(circle(), {.milliseconds_per_move = 250}));
    CHECK(given.size == 3);
    CHECK(given.cells == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(given.moves == "rdlu");
    CHECK(given.milliseconds == 250);
    CHECK(!given.plays);
    CHECK(read_back(written(circle(), {.plays_at_once = true})).plays);
    CHECK(read_back(written({npuzzle::goal_blank_last(12)})).moves.empty());
}

TEST_CASE("the page is complete in itself", "[solution_html]") {
    const std::string page = written(circle());
    CHECK(page.rfind("<!DOCTYPE html>", 0) == 0);
    CHECK(count_of("default-src 'none'", page) == 1);
    for (const char* outside : {"http:", "https:", "src=", "url(", "@import", "import(", "fetch("})
        CHECK(count_of(outside, page) == 0);
    CHECK(count_of("<script", page) == 1);
    CHECK(count_of("prefers-color-scheme: dark", page) == 1);
    CHECK(count_of("prefers-reduced-motion: reduce", page) == 1);
    CHECK(count_of("name=\"viewport\"", page) == 1);
}

TEST_CASE("the page has a title, which is no markup", "[solution_html]") {
    CHECK(count_of("A sliding-tile puzzle of 3 by 3, solved in 4 moves", written(circle())) == 2);
    const std::string named = written(circle(), {.title = "</title><script>alert(\"1\")</script>&\1"});
    CHECK(count_of("<script", named) == 1);
    CHECK(count_of("&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;\xEF\xBF\xBD",
                   named) == 2);
}

TEST_CASE("what cannot be played is refused", "[solution_html]") {
    const auto message = [](const std::vector<Board>& boards, const SolutionHtmlOptions& options = {}) {
        return message_of<std::invalid_argument>([&] { written(boards, options); });
    };
    const std::string not_one_move = "board 1 of the solution is not one move from the board before";
    CHECK(message({}) == "there are no boards to draw");
    CHECK(message({npuzzle::goal_blank_last(3), npuzzle::goal_blank_last(4)}) ==
          "boards of size 3 and of size 4 are not of one solution");
    CHECK(message({circle()[0], circle()[0]}) == not_one_move);
    CHECK(message({circle()[0], circle()[2]}) == not_one_move);
    // From the end of a row to the beginning of the next is not a move, either way.
    const Board end{{1, 2, 0}, {3, 4, 5}, {6, 7, 8}};
    const Board beginning{{1, 2, 3}, {0, 4, 5}, {6, 7, 8}};
    CHECK(message({end, beginning}) == not_one_move);
    CHECK(message({beginning, end}) == not_one_move);
    // The blank goes where it may, but two other tiles have changed places.
    CHECK(message({end, Board{{1, 0, 2}, {3, 4, 5}, {6, 8, 7}}}) == not_one_move);
    CHECK(message({end, Board{{1, 0, 2}, {3, 4, 5}, {6, 7, 8}}}) == "nothing thrown");
    CHECK(message(circle(), {.milliseconds_per_move = 0}) ==
          "a move takes from 1 to 60000 milliseconds, not 0");
    CHECK(message(circle(), {.milliseconds_per_move = 60001}) ==
          "a move takes from 1 to 60000 milliseconds, not 60001");
}
