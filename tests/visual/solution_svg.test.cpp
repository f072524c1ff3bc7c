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

struct Rectangle {
    int x, y, width, height;
};

/// An element's attribute that is a number.
int number(const std::string& element, const std::string& attribute) {
    const auto at = element.find(' ' + attribute + "=\"");
    REQUIRE(at != std::string::npos);
    return std::stoi(element.substr(at + attribute.size() + 3));
}

struct Text {
    int x, y;
    std::string text;
};

/// A picture read back: what stands where, in the coordinates of the page.
struct Picture {
    Rectangle page{};
    std::vector<Rectangle> frames;
    std::vector<std::vector<Rectangle>> tiles; // by board
    std::vector<std::vector<Text>> numbers;    // by board
    std::vector<std::string> moved;            // the tiles that stand out
    std::vector<Text> captions;
};

/// Reads the picture element by element, and fails if they are not nested as XML has to be.
Picture read_back(const std::string& svg) {
    Picture picture;
    std::vector<std::string> open;
    int left = 0;
    int top = 0;
    bool is_moved = false;
    for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
        const auto end = svg.find('>', at);
        REQUIRE(end != std::string::npos);
        const std::string element = svg.substr(at + 1, end - at - 1);
        const std::string name = element.substr(0, element.find_first_of(" /", 1));
        if (element.front() == '/') {
            REQUIRE(!open.empty());
            CHECK('/' + open.back() == name);
            open.pop_back();
            if (name == "/g") is_moved = false;
            continue;
        }
        if (element.back() != '/') open.push_back(name);
        if (name == "g" && element.find("class=\"moved\"") != std::string::npos) {
            is_moved = true;
        } else if (name == "g") {
            const auto from = element.find("translate(") + 10;
            left = std::stoi(element.substr(from));
            top = std::stoi(element.substr(element.find(' ', from)));
        } else if (name == "rect") {
            const Rectangle rectangle{left + number(element, "x"), top + number(element, "y"),
                                      number(element, "width"), number(element, "height")};
            if (element.find("\"page\"") != std::string::npos) {
                picture.page = rectangle;
            } else if (element.find("\"frame\"") != std::string::npos) {
                picture.frames.push_back(rectangle);
                picture.tiles.emplace_back();
                picture.numbers.emplace_back();
            } else {
                picture.tiles.back().push_back(rectangle);
            }
        } else if (name == "text") {
            const Text text{left + number(element, "x"), top + number(element, "y"),
                            svg.substr(end + 1, svg.find('<', end) - end - 1)};
            if (element.find("\"caption\"") != std::string::npos) {
                picture.captions.push_back(text);
            } else {
                picture.numbers.back().push_back(text);
                if (is_moved) picture.moved.push_back(text.text);
            }
        }
    }
    CHECK(open.empty());
    return picture;
}

} // namespace

TEST_CASE("the picture in the README is drawn by this code", "[solution_svg]") {
    const npuzzle::Solver solver(npuzzle::read_board_file("examples/puzzles/puzzle3x3-11.txt"));
    REQUIRE(solver.solution());
    CHECK(drawn(*solver.solution()) == kept_file("docs/images/solution.svg"));
}

TEST_CASE("every tile of every board is drawn, those that moved stand out", "[solution_svg]") {
    const std::vector<Board> boards{
        Board{{0, 1, 3}, {4, 2, 5}, {7, 8, 6}}, Board{{1, 0, 3}, {4, 2, 5}, {7, 8, 6}},
        Board{{1, 2, 3}, {4, 0, 5}, {7, 8, 6}}, Board{{1, 2, 3}, {4, 5, 0}, {7, 8, 6}},
        Board{{1, 2, 3}, {4, 5, 6}, {7, 8, 0}},
    };
    const Picture picture = read_back(drawn(boards));
    REQUIRE(picture.numbers.size() == boards.size());
    REQUIRE(picture.captions.size() == boards.size());
    for (std::size_t step = 0; step < boards.size(); ++step) {
        std::vector<std::string> expected;
        for (const int tile : boards[step].tiles()) {
            if (tile != 0) expected.push_back(std::to_string(tile));
        }
        std::vector<std::string> found;
        for (const Text& text : picture.numbers[step]) found.push_back(text.text);
        CHECK(found == expected);
        CHECK(picture.captions[step].text == (step == 0 ? "start" : std::to_string(step)));
    }
    CHECK(picture.moved == std::vector<std::string>{"1", "2", "5", "6"});
}

TEST_CASE("tiles stand where they do on the board", "[solution_svg]") {
    const Board board = npuzzle::random_solvable(4, 3);
    const Picture picture = read_back(drawn({board}));
    std::size_t drawn_tiles = 0;
    for (std::int64_t cell = 0; cell < board.cells(); ++cell) {
        if (board.tile(cell) == 0) continue;
        const Rectangle& tile = picture.tiles[0][drawn_tiles];
        const Rectangle& frame = picture.frames[0];
        CHECK(picture.numbers[0][drawn_tiles].text == std::to_string(board.tile(cell)));
        CHECK((tile.x + tile.width / 2 - frame.x) * 4 / frame.width == cell % 4);
        CHECK((tile.y + tile.height / 2 - frame.y) * 4 / frame.height == cell / 4);
        ++drawn_tiles;
    }
    CHECK(drawn_tiles == 15);
}

TEST_CASE("the number of columns can be chosen, and is else chosen so that the picture is wide and its rows "
          "are full",
          "[solution_svg]") {
    const auto columns_of = [](const Picture& picture) {
        std::size_t columns = 0;
        while (columns < picture.frames.size() && picture.frames[columns].y == picture.frames[0].y) ++columns;
        return columns;
    };
    for (const int columns : {1, 2, 5, 12}) {
        CHECK(columns_of(read_back(drawn(up_and_down(3, 12), {.columns = columns}))) ==
              static_cast<std::size_t>(columns));
    }
    CHECK(columns_of(read_back(drawn(up_and_down(3, 12), {.columns = 100}))) == 12);
    CHECK(columns_of(read_back(drawn(up_and_down(3, 12)))) == 6);
    for (const std::size_t count : {3U, 10U, 32U, 81U, 200U}) {
        const Picture picture = read_back(drawn(up_and_down(4, count)));
        const std::size_t columns = columns_of(picture);
        const std::size_t rows = (count + columns - 1) / columns;
        CHECK(picture.page.width > picture.page.height);
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
    read_back(named);
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
