#include "npuzzle/puzzle/board.hpp"

#include "support/catch.hpp"
#include "support/parity_oracle.hpp"
#include "support/thrown.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <forward_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using npuzzle::Board;

namespace {

using Rows = std::vector<std::vector<int>>;
using Tiles = std::vector<std::int32_t>;

template <class Call>
std::string refusal(Call&& call) {
    return message_of<std::invalid_argument>(std::forward<Call>(call));
}

// Distances computed from the definitions, with only tile_at.
std::int64_t slow_manhattan(const Board& board) {
    std::int64_t sum = 0;
    for (int row = 0; row < board.size(); ++row) {
        for (int col = 0; col < board.size(); ++col) {
            const int tile = board.tile_at(row, col);
            if (tile == 0) continue;
            sum += std::abs((tile - 1) / board.size() - row) + std::abs((tile - 1) % board.size() - col);
        }
    }
    return sum;
}

std::int64_t slow_hamming(const Board& board) {
    std::int64_t misplaced = 0;
    for (int row = 0; row < board.size(); ++row) {
        for (int col = 0; col < board.size(); ++col) {
            const int tile = board.tile_at(row, col);
            if (tile != 0 && tile != row * board.size() + col + 1) ++misplaced;
        }
    }
    return misplaced;
}

// A large arrangement whose parity is known from number theory: cell c holds factor * c + offset modulo n *
// n.
Tiles affine_tiles(int n, std::int64_t factor, std::int64_t offset) {
    const std::int64_t cells = std::int64_t{n} * n;
    Tiles tiles;
    tiles.reserve(static_cast<std::size_t>(cells));
    for (std::int64_t cell = 0; cell < cells; ++cell) {
        tiles.push_back(static_cast<std::int32_t>((factor * cell + offset) % cells));
    }
    return tiles;
}

// The numbers in a stream: an input range, which can be read only once.
struct Numbers {
    std::istream& text;
    [[nodiscard]] auto begin() const { return std::istream_iterator<int>(text); }
    static std::istream_iterator<int> end() { return {}; }
};

const Board published{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};

} // namespace

TEST_CASE("all ways of writing a board give the same board", "[board]") {
    const Board braces{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    const Board parentheses({{8, 1, 3}, {4, 0, 2}, {7, 6, 5}});
    const Board assigned = {{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    const Rows rows{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    const Board from_rows(rows);
    const Board from_temporary_rows{Rows{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}}};
    const Tiles tiles{8, 1, 3, 4, 0, 2, 7, 6, 5};
    const Board from_tiles(tiles);
    const std::array<int, 9> array{8, 1, 3, 4, 0, 2, 7, 6, 5};
    const std::deque<long long> deque(array.begin(), array.end());
    const std::forward_list<unsigned char> list(array.begin(), array.end());
    const int plain[] = {8, 1, 3, 4, 0, 2, 7, 6, 5};
    const int nested[3][3] = {{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    unsigned char small[3][3] = {{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    const std::array<std::array<long long, 3>, 3> arrays{{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}}};
    const std::deque<std::vector<std::int8_t>> mixed{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    for (const Board& board : {braces, parentheses, assigned, from_rows, from_temporary_rows, from_tiles,
                               Board(array), Board(deque), Board(list), Board(plain), Board{array},
                               Board(nested), Board{nested}, Board(small), Board(arrays), Board(mixed)}) {
        CHECK(board == published);
        CHECK(board.size() == 3);
        CHECK(board.cells() == 9);
        CHECK(board.blank_cell() == 4);
        CHECK(board.tiles() == tiles);
    }
}

TEST_CASE("a range that can be read only once makes a board", "[board]") {
    std::istringstream text("1 2 3 0");
    CHECK(Board(Numbers{text}) == Board{{1, 2}, {3, 0}});
    std::istringstream wrong("1 2 3 9");
    CHECK(refusal([&] { Board{Numbers{wrong}}; }) ==
          "tile 9 at row 1, column 1 is out of range: a 2 x 2 board has the tiles 0 to 3");
}

TEST_CASE("a vector that is moved in is not copied", "[board]") {
    Tiles tiles{1, 2, 3, 0};
    const std::int32_t* const storage = tiles.data();
    const Board board(std::move(tiles));
    CHECK(board.tiles().data() == storage);
}

TEST_CASE("what a board can be made of is decided at compile time", "[board]") {
    static_assert(std::is_constructible_v<Board, const std::vector<std::vector<unsigned>>&>);
    static_assert(!std::is_constructible_v<Board, bool[3][3]> && !std::is_constructible_v<Board, char[3][3]>);
    static_assert(!std::is_constructible_v<Board, double[3][3]> && !std::is_constructible_v<Board, int>);
    static_assert(!std::is_constructible_v<Board, std::string>);
    static_assert(!std::is_convertible_v<Tiles, Board> && !std::is_convertible_v<Rows, Board>);
    static_assert(std::is_nothrow_move_constructible_v<Board>);
    static_assert(sizeof(Board) <= sizeof(Tiles) + 8);
    Board board = published;
    const Board copy(board); // from a board that is not const: not by way of the range constructor
    CHECK(copy == published);
    board = Board{{1, 2}, {3, 0}};
    CHECK(board.size() == 2);
    CHECK(copy.size() == 3);
}

TEST_CASE("what is no board is refused, with what is wrong and where", "[board]") {
    const std::string rows = "a board has from 2 to 32767 rows, not ";
    const std::string in_2 = " is out of range: a 2 x 2 board has the tiles 0 to 3";
    const std::vector<std::pair<Rows, std::string>> nested{
        {{{1, 2, 3}, {4, 5}, {7, 8, 0}}, "row 1 has 2 tiles instead of 3, the number of rows"},
        {{{1, 2, 3}, {4, 5, 6}}, "row 0 has 3 tiles instead of 2, the number of rows"},
        {{{1, 2}, {}}, "row 1 has 0 tiles instead of 2, the number of rows"},
        {{}, rows + "0"},
        {{{0}}, rows + "1"},
        {Rows(32768), rows + "32768"},
        {{{1, 2, 3}, {4, 5, 9}, {7, 8, 0}},
         "tile 9 at row 1, column 2 is out of range: a 3 x 3 board has the tiles 0 to 8"},
        {{{1, 2}, {-3, 0}}, "tile -3 at row 1, column 0" + in_2},
        {{{1, 2, 3}, {4, 5, 6}, {2, 8, 0}}, "tile 2 stands twice: at row 0, column 1 and at row 2, column 0"},
        {{{0, 1}, {2, 0}}, "the blank (0) stands twice: at row 0, column 0 and at row 1, column 1"},
    };
    for (const auto& one : nested) CHECK(refusal([&] { Board{one.first}; }) == one.second);

    // Truncated to 32 bits, some of these would be tiles.
    const std::string cells = "a board has n * n cells for some n from 2 to 32767, not ";
    const std::vector<std::pair<std::vector<long long>, std::string>> flat{
        {{}, cells + "0"},
        {{0}, cells + "1"},
        {{4294967297, 2, 3}, cells + "3"},
        {std::vector<long long>(1'000'001), cells + "1000001"},
        {{4294967297, 2, 3, 0}, "tile 4294967297 at row 0, column 0" + in_2},
        {{1, 2, 3, std::numeric_limits<long long>::min()},
         "tile -9223372036854775808 at row 1, column 1" + in_2},
        {{1, 2, 3, 3}, "tile 3 stands twice: at row 1, column 0 and at row 1, column 1"},
    };
    for (const auto& one : flat) CHECK(refusal([&] { Board{one.first}; }) == one.second);
    CHECK(refusal([] { Board(std::array<std::uint64_t, 4>{1, 2, 3, std::uint64_t{1} << 63}); }) ==
          "tile 9223372036854775808 at row 1, column 1" + in_2);
    const int wide[2][3] = {{1, 2, 3}, {4, 5, 0}};
    CHECK(refusal([&] { Board{wide}; }) == "row 0 has 3 tiles instead of 2, the number of rows");
    CHECK(refusal([] { Board(Tiles{1, 2, 3}); }) == cells + "3");
    CHECK(refusal([] { Board{}; }) == rows + "0");
}

TEST_CASE("tile_at refuses cells that are not on the board", "[board]") {
    const auto missing = [](int row, int col) {
        return message_of<std::out_of_range>([&] { static_cast<void>(published.tile_at(row, col)); });
    };
    const std::string board = " is off the board: a 3 x 3 board has rows and columns 0 to 2";
    CHECK(missing(3, 0) == "row 3, column 0" + board);
    CHECK(missing(0, 3) == "row 0, column 3" + board);
    CHECK(missing(std::numeric_limits<int>::max(), std::numeric_limits<int>::min()) ==
          "row 2147483647, column -2147483648" + board);
    CHECK(published.tile_at(0, 0) == 8);
    CHECK(published.tile_at(1, 2) == 2);
    CHECK(published.tile_at(2, 2) == 5);
    CHECK(published.tile(5) == 2);
}

TEST_CASE("neighbors are in the order up, left, right, down of the blank", "[board]") {
    const std::vector<Board> center{
        {{8, 0, 3}, {4, 1, 2}, {7, 6, 5}},
        {{8, 1, 3}, {0, 4, 2}, {7, 6, 5}},
        {{8, 1, 3}, {4, 2, 0}, {7, 6, 5}},
        {{8, 1, 3}, {4, 6, 2}, {7, 0, 5}},
    };
    CHECK(published.neighbors() == center);
    const std::vector<Board> corner{{{1, 0}, {3, 2}}, {{1, 2}, {0, 3}}};
    CHECK(Board({{1, 2}, {3, 0}}).neighbors() == corner);
    const std::vector<Board> edge{
        {{0, 2, 3}, {1, 4, 5}, {6, 7, 8}},
        {{1, 2, 3}, {4, 0, 5}, {6, 7, 8}},
        {{1, 2, 3}, {6, 4, 5}, {0, 7, 8}},
    };
    CHECK(Board({{1, 2, 3}, {0, 4, 5}, {6, 7, 8}}).neighbors() == edge);
}

TEST_CASE("the twin exchanges two tiles of a row without the blank", "[board]") {
    CHECK(published.twin() == Board{{1, 8, 3}, {4, 0, 2}, {7, 6, 5}});
    CHECK(Board({{1, 0, 3}, {4, 2, 5}, {7, 8, 6}}).twin() == Board{{1, 0, 3}, {2, 4, 5}, {7, 8, 6}});
    CHECK(Board({{0, 1}, {2, 3}}).twin() == Board{{0, 1}, {3, 2}});
    CHECK(Board({{1, 2}, {0, 3}}).twin() == Board{{2, 1}, {0, 3}});
    CHECK(published.twin().blank_cell() == published.blank_cell());
}

TEST_CASE("on every size up to 70 solvability agrees with inversions, and distances with their definitions",
          "[board]") {
    CHECK(published.hamming() == 5);
    CHECK(published.manhattan() == 10);
    for (int n = 2; n <= 70; ++n) {
        const std::int64_t cells = std::int64_t{n} * n;
        std::vector<std::int64_t> factors{cells - 1, std::int64_t{n} + 1};
        for (std::int64_t factor = 1; factor < cells; factor += 1 + cells / 7) {
            factors.push_back(factor);
        }
        for (const std::int64_t factor : factors) {
            if (std::gcd(factor, cells) != 1) continue;
            for (const std::int64_t offset :
                 {std::int64_t{0}, std::int64_t{1}, std::int64_t{n}, cells / 3, cells / 2, cells - 1}) {
                const Board board(affine_tiles(n, factor, offset));
                REQUIRE(board.hamming() == slow_hamming(board));
                REQUIRE(board.manhattan() == slow_manhattan(board));
                REQUIRE(board.is_goal() == (slow_hamming(board) == 0));
                REQUIRE(board.is_solvable() == oracle::is_solvable(board));
            }
        }
    }
}

TEST_CASE("boards are equal when size and all tiles are", "[board]") {
    CHECK(published == Board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}});
    CHECK_FALSE(published == Board{{8, 1, 3}, {4, 0, 2}, {7, 5, 6}});
    CHECK(published != published.twin());
    CHECK(Board{{1, 2}, {3, 0}} != Board{{1, 2, 3}, {4, 5, 6}, {7, 8, 0}});
    CHECK(Board{{0, 1}, {2, 3}} != Board{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}});
}

TEST_CASE("hashes of equal boards are equal, those of similar ones differ", "[board]") {
    CHECK(std::hash<Board>{}(published) == std::hash<Board>{}(Board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}}));
    // Exchanges any two tiles of a board: every pair of cells must matter.
    for (int n = 2; n <= 8; ++n) {
        const Tiles goal = affine_tiles(n, 1, 1);
        std::set<std::size_t> hashes{std::hash<Board>{}(Board(goal))};
        std::size_t boards = 1;
        for (std::size_t a = 0; a < goal.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                Tiles tiles = goal;
                std::swap(tiles[a], tiles[b]);
                hashes.insert(std::hash<Board>{}(Board(std::move(tiles))));
                ++boards;
            }
        }
        CHECK(hashes.size() == boards);
    }
}

TEST_CASE("the text of a board is the classical one", "[board]") {
    CHECK(published.to_string() == "3\n 8  1  3 \n 4  0  2 \n 7  6  5 \n");
    const Board fifteen{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 0, 15}};
    CHECK(fifteen.to_string() == "4\n 1  2  3  4 \n 5  6  7  8 \n 9 10 11 12 \n13 14  0 15 \n");
    std::ostringstream out;
    out << published << '|';
    CHECK(out.str() == published.to_string() + "|");
    CHECK(Board(affine_tiles(11, 1, 1)).to_string().find(" 99 \n100 101 ") != std::string::npos);
}
