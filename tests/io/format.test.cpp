#include "npuzzle/io/format.hpp"
#include "npuzzle/io/parse.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/scramble.hpp"

#include "support/catch.hpp"

#include <ios>
#include <sstream>
#include <string>
#include <string_view>

using npuzzle::Board;
using npuzzle::goal_blank_last;
using npuzzle::parse_board;
using npuzzle::random_solvable;
using npuzzle::write_board;

namespace {

std::string written(const Board& board, std::string_view comment = {}) {
    std::ostringstream out;
    write_board(out, board, comment);
    CHECK(out.good());
    return out.str();
}

} // namespace

TEST_CASE("boards are written in columns", "[format]") {
    CHECK(written(Board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}}) == "3\n8 1 3\n4 0 2\n7 6 5\n");
    CHECK(written(goal_blank_last(4)) == "4\n 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14 15  0\n");
    CHECK(written(goal_blank_last(2)) == "2\n1 2\n3 0\n");
}

TEST_CASE("each line of a comment becomes a comment", "[format]") {
    const Board board{{1, 2}, {3, 0}};
    const std::string text = "2\n1 2\n3 0\n";
    CHECK(written(board, "solved") == "# solved\n" + text);
    CHECK(written(board, "one\ntwo\n") == "# one\n# two\n" + text);
    CHECK(written(board, "one\r\n\r\ntwo") == "# one\n# \n# two\n" + text);
    CHECK(written(board, "one\rtwo") == "# one\n# two\n" + text);
    CHECK(written(board, "\n9 9") == "# \n# 9 9\n" + text);
}

TEST_CASE("what is written is read again", "[format]") {
    for (const std::string_view comment : {"", "a comment", "3\n3 3 3\r4\r\n# 5", "\n", "\r\r\n\n#"}) {
        for (int n = 2; n <= 40; ++n) {
            const Board board = random_solvable(n, static_cast<unsigned>(n));
            REQUIRE(parse_board(written(board, comment)) == board);
        }
        for (const int n : {100, 333, 1000}) {
            const Board board = random_solvable(n, static_cast<unsigned>(n));
            CHECK(parse_board(written(board, comment)) == board);
        }
    }
}

TEST_CASE("the state of the stream tells of an error and is otherwise left alone", "[format]") {
    std::ostringstream out;
    out.width(30);
    out.fill('*');
    out << std::hex;
    write_board(out, goal_blank_last(4));
    CHECK(out.str() == written(goal_blank_last(4)));
    std::ostream nowhere(nullptr);
    write_board(nowhere, goal_blank_last(4));
    CHECK(nowhere.bad());
}
