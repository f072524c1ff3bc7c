#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/visual/animated_svg.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"
#include "support/visual.hpp"

#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// That it moves as it should is tested in a browser, too: tests/visual/browser.

using npuzzle::AnimatedSvgOptions;
using npuzzle::Board;

namespace {

std::string drawn(const std::vector<Board>& boards, const AnimatedSvgOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_animated_svg(out, boards, options);
    CHECK(out.good());
    CHECK(is_well_formed(out.str()));
    return out.str();
}

std::vector<Board> circle() {
    return {Board{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}, Board{{1, 0, 2}, {3, 4, 5}, {6, 7, 8}},
            Board{{1, 4, 2}, {3, 0, 5}, {6, 7, 8}}, Board{{1, 4, 2}, {0, 3, 5}, {6, 7, 8}},
            Board{{0, 4, 2}, {1, 3, 5}, {6, 7, 8}}};
}

} // namespace

TEST_CASE("all tiles are drawn, and those that never move have no rule", "[animated_svg]") {
    const std::string svg = drawn(circle());
    CHECK(count_of("@keyframes", svg) == 3 + 1); // and the bar
    for (int tile = 1; tile < 9; ++tile) CHECK(count_of('>' + std::to_string(tile) + "</text>", svg) == 1);
    CHECK(count_of(">4 moves</text>", svg) == 1);
    CHECK(count_of("prefers-reduced-motion: reduce", svg) == 1);
    CHECK(count_of("prefers-color-scheme: dark", svg) == 1);
}

TEST_CASE("without moves nothing moves, and no rest is needed", "[animated_svg]") {
    CHECK(count_of("animation", drawn({npuzzle::goal_blank_last(3)}, {.milliseconds_of_rest = 0})) == 0);
    CHECK(count_of(">0 moves</text>", drawn({npuzzle::goal_blank_last(3)})) == 1);
    CHECK(count_of(">1 move</text>", drawn(up_and_down(3, 2), {.milliseconds_of_rest = 0})) == 1);
}

TEST_CASE("it repeats, or stops at the end", "[animated_svg]") {
    // A rest at each end and four moves.
    const std::string svg = drawn(circle(), {.milliseconds_per_move = 600, .milliseconds_of_rest = 300});
    CHECK(count_of("3000ms ease-in-out infinite", svg) == 1);
    CHECK(count_of(" infinite", drawn(circle())) == 1);
    CHECK(count_of(" infinite", drawn(circle(), {.repeats = false})) == 0);
    CHECK(count_of(" 1 forwards", drawn(circle(), {.repeats = false})) == 1);
}

TEST_CASE("pictures on one page have rules of their own", "[animated_svg]") {
    const auto name = [](const std::string& svg) {
        const auto at = svg.find("class=\"npuzzle-") + 7;
        return svg.substr(at, svg.find('"', at) - at);
    };
    const std::string one = drawn(circle());
    const std::string other = drawn(up_and_down(3, 5));
    CHECK(name(one) != name(other));
    CHECK(name(one) != name(drawn(circle(), {.milliseconds_per_move = 100})));
    CHECK(name(one) == name(drawn(circle())));
    CHECK(count_of(name(one), one) == count_of("npuzzle-", one));
}

TEST_CASE("the picture has a title, for those who cannot see it", "[animated_svg]") {
    CHECK(count_of("<title>A sliding-tile puzzle of 3 by 3, solved in 4 moves</title>", drawn(circle())) ==
          1);
    CHECK(count_of("aria-label=\"1 &lt; 2\"", drawn(circle(), {.title = "1 < 2"})) == 1);
}

TEST_CASE("the picture in the documentation is drawn by this code", "[animated_svg]") {
    // The solution of examples/puzzles/puzzle3x3-11.txt.
    const std::vector<Board> boards{
        Board{{1, 0, 2}, {4, 8, 3}, {5, 7, 6}}, Board{{0, 1, 2}, {4, 8, 3}, {5, 7, 6}},
        Board{{4, 1, 2}, {0, 8, 3}, {5, 7, 6}}, Board{{4, 1, 2}, {5, 8, 3}, {0, 7, 6}},
        Board{{4, 1, 2}, {5, 8, 3}, {7, 0, 6}}, Board{{4, 1, 2}, {5, 0, 3}, {7, 8, 6}},
        Board{{4, 1, 2}, {0, 5, 3}, {7, 8, 6}}, Board{{0, 1, 2}, {4, 5, 3}, {7, 8, 6}},
        Board{{1, 0, 2}, {4, 5, 3}, {7, 8, 6}}, Board{{1, 2, 0}, {4, 5, 3}, {7, 8, 6}},
        Board{{1, 2, 3}, {4, 5, 0}, {7, 8, 6}}, Board{{1, 2, 3}, {4, 5, 6}, {7, 8, 0}},
    };
    CHECK(drawn(boards) == kept_file("docs/images/animated.svg"));
}

TEST_CASE("what cannot be drawn is refused", "[animated_svg]") {
    const auto message = [](const std::vector<Board>& boards, const AnimatedSvgOptions& options = {}) {
        return message_of<std::invalid_argument>([&] { drawn(boards, options); });
    };
    CHECK(message({}) == "there are no boards to draw");
    CHECK(message({circle()[0], circle()[2]}) ==
          "board 1 of the solution is not one move from the board before");
    CHECK(message(circle(), {.tile_size = 0}) == "the size of a tile is from 1 to 10000 pixels, not 0");
    CHECK(message(circle(), {.milliseconds_per_move = 0}) ==
          "a move takes from 1 to 60000 milliseconds, not 0");
    CHECK(message(circle(), {.milliseconds_of_rest = -1}) ==
          "a rest takes from 0 to 60000 milliseconds, not -1");
}
