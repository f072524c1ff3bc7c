#include "npuzzle/io/parse.hpp"
#include "npuzzle/puzzle/board.hpp"

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/folder.hpp"
#include "support/thrown.hpp"

#include <cstddef>
#include <fstream>
#include <ios>
#include <istream>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

using npuzzle::Board;
using npuzzle::parse_board;
using npuzzle::ParseError;
using npuzzle::read_board;
using npuzzle::read_board_file;

namespace {

const Board three{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};

// Gives its text in pieces of one byte, as a slow pipe might.
class Trickle : public std::streambuf {
public:
    explicit Trickle(std::string text) : text_(std::move(text)) {}

protected:
    int_type underflow() override {
        if (given_ == text_.size()) return traits_type::eof();
        setg(&text_[given_], &text_[given_], &text_[given_] + 1);
        ++given_;
        return traits_type::to_int_type(*gptr());
    }

private:
    std::string text_;
    std::size_t given_ = 0;
};

// Gives a text, and then one character for ever.
class Endless : public std::streambuf {
public:
    Endless(std::string begin, char c) : piece_(std::move(begin)), c_(c) {}

    [[nodiscard]] std::size_t given() const { return given_; }

protected:
    int_type underflow() override {
        if (given_ != 0 || piece_.empty()) piece_.assign(1000, c_);
        given_ += piece_.size();
        setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
        return traits_type::to_int_type(*gptr());
    }

private:
    std::string piece_;
    char c_;
    std::size_t given_ = 0;
};

// What is wrong with a text, told the same way by all readers.
std::string fault(const std::string& text) {
    std::string in_memory = message_of<ParseError>([&] { static_cast<void>(parse_board(text, "t")); });
    std::istringstream stream(text);
    CHECK(message_of<ParseError>([&] { static_cast<void>(read_board(stream, "t")); }) == in_memory);
    Trickle trickle(text);
    std::istream slow(&trickle);
    CHECK(message_of<ParseError>([&] { static_cast<void>(read_board(slow, "t")); }) == in_memory);
    return in_memory;
}

} // namespace

TEST_CASE("whatever a person reads as this board is read as it", "[parse]") {
    const auto text = GENERATE(values<std::string>(
        {// The size and the tiles, in any white space.
         "3\n8 1 3\n4 0 2\n7 6 5\n", "3 8 1 3 4 0 2 7 6 5", "\n\n3\n\n8 1 3 4\n0\n2 7\t6\v5\f",
         "3\r\n8 1 3\r\n4 0 2\r\n7 6 5\r\n", "3\r8 1 3\r4 0 2\r7 6 5",
         "  3\n 8  1  3 \n 4  0  2 \n 7  6  5 \n", "03 008 1 3 4 0000000000000000000000000 2 7 6 5",
         "3\n8 1 3\n4 0 2\n7 6 5\n\n\n \t", "3 8 1\n3 4 0 2\n7 6 5",
         "3\u00A08\u202F1\u20033\n4 0 2\u30007 6 \uFEFF5", "\uFEFF3 8 1 3 4 0 2 7 6 5",
         // Comments.
         "# a board\n3 # its size\n8 1 3#no space before\n#\n4 0 2\n7 6 5 # last",
         "// a board\n3 // its size\n8 1 3//no space before\n//\n4 0 2\n7 6 5 // last #",
         "# lines end as they once did\r3 # size\r8 1 3 4 0 2 7 6 5", "## #3\n3 8 1 3 4 0 2 7 6 5 ###",
         "3 8 1 3 4 0 2 7 6 5 # " + std::string(200'000, 'x'),
         std::string(200'000, '\n') + "3 8 1 3 4 0 2 7 6 5",
         // Without the size.
         "8 1 3\n4 0 2\n7 6 5\n", "8 1 3 4 0 2 7 6 5", "8 1 3\n\n4 0 2 # two\r\n7 6 5",
         // Other signs between the numbers.
         "8,1,3\n4,0,2\n7,6,5\n", "8;1;3\r\n4;0;2\r\n7;6;5\r\n", "8, 1, 3; 4, 0, 2; 7, 6, 5",
         "8 1 3 / 4 0 2 / 7 6 5", "3, 8, 1, 3, 4, 0, 2, 7, 6, 5", "[[8,1,3],[4,0,2],[7,6,5]]",
         "{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};", "((8, 1, 3),\n (4, 0, 2),\n (7, 6, 5))",
         "[8, 1, 3, 4, 0, 2, 7, 6, 5]", "[8 1 3; 4 0 2; 7 6 5]",
         // Drawn.
         "+---+---+---+\n| 8 | 1 | 3 |\n+---+---+---+\n| 4 |   | 2 |\n+---+---+---+\n| 7 | 6 | 5 "
         "|\n+---+---+---+",
         "8 | 1 | 3\n--+---+--\n4 | . | 2\n--+---+--\n7 | 6 | 5\n",
         "|8|1|3|\n|---|---|---|\n|4| |2|\n|7|6|5|",
         "┌───┬───┬───┐\n│ 8 │ 1 │ 3 │\n├───┼───┼───┤\n│ 4 │   │ 2 │\n│ 7 │ 6 │ 5 │\n",
         "║8║1║3║\n║4║ ║2║\n║7║6║5║",
         // The blank.
         "8 1 3\n4 _ 2\n7 6 5", "8 1 3\n4 - 2\n7 6 5", "8 1 3\n4 x 2\n7 6 5", "8 1 3\n4 X 2\n7 6 5",
         "8 1 3\n4 * 2\n7 6 5", " 8  1  3\n 4 __  2\n 7  6  5", "8,1,3\n4,--,2\n7,6,5",
         // The size in other words.
         "3x3\n8 1 3\n4 0 2\n7 6 5", "3X3 8 1 3 4 x 2 7 6 5", "3 x 3\n8 1 3\n4 x 2\n7 6 5",
         "3 x 3: 8 1 3 4 x 2 7 6 5", "3 * 3\n8 1 3\n4 0 2\n7 6 5", "3×3\n8 1 3\n4 0 2\n7 6 5",
         "3 × 3\n8 1 3\n4 0 2\n7 6 5", "size: 3\n8 1 3\n4 0 2\n7 6 5", "Size 3 x 3\n8 1 3\n4 0 2\n7 6 5",
         "n = 3x3; 8 1 3; 4 0 2; 7 6 5"}));
    CAPTURE(text);
    CHECK(parse_board(text) == three);
    std::istringstream stream(text);
    CHECK(read_board(stream) == three);
    Trickle trickle(text);
    std::istream slow(&trickle);
    CHECK(read_board(slow) == three);
    std::istringstream boards(text);
    CHECK(npuzzle::read_boards(boards) == std::vector{three});
}

TEST_CASE("UTF-16 is read, with a byte order mark or without", "[parse]") {
    const auto utf16 = [](std::u16string_view text, bool is_big_endian) {
        std::string bytes;
        for (const char16_t unit : text) {
            const auto high = static_cast<char>(unit >> 8);
            const auto low = static_cast<char>(unit & 0xFF);
            bytes += is_big_endian ? high : low;
            bytes += is_big_endian ? low : high;
        }
        return bytes;
    };
    for (const bool is_big_endian : {false, true}) {
        for (const std::u16string mark : {u"\uFEFF", u""}) {
            CHECK(fault(utf16(mark + u"3\r\n8 1 3\r\n4 0 z\u00E9\u20AC 2", is_big_endian)) ==
                  "t:3:5: expected tile number 6 of 9, a number from 0 to 8, found "
                  "'zé€'");
            // Longer than a piece that is read at once.
            const std::string text =
                utf16(mark + u"8\u00A01 3\n4 0 2\n7 6 5\n" + std::u16string(100'000, u' ') + u"# end",
                      is_big_endian);
            CHECK(parse_board(text) == three);
            std::istringstream stream(text);
            CHECK(read_board(stream) == three);
            Trickle trickle(text);
            std::istream slow(&trickle);
            CHECK(read_board(slow) == three);
        }
    }
    CHECK(fault("\xFF\xFE"
                "2") ==
          "t:1:1: expected the size of the board as the first number, from 2 to 32767, found '\\xff'");
}

TEST_CASE("what is not clearly one square board is an error that says why", "[parse]") {
    const std::string size = "expected the size of the board as the first number, from 2 to 32767";
    const std::string first_3 = "; the first number, 3, is the size of the board";
    const std::string ambiguous = "1:1: ambiguous: 3 may be the size of the board or its first tile; a line "
                                  "of its own makes it the size";
    const std::string out_of_range = "', is out of range: a 3 x 3 board has the tiles 0 to 8";
    const std::vector<std::pair<std::string, std::string>> faults{
        // Not square.
        {"1 2 3\n4 5 0\n", "1:1: only square boards are read: this one is 2 x 3"},
        {"1 2\n3 4\n5 0", "1:1: only square boards are read: this one is 3 x 2"},
        {"[1, 2, 3, 4, 0]", "1:2: only square boards are read: this one is 1 x 5"},
        // Rows without a size.
        {"1 2 3\n4 5\n7 8 0", "2:3: row 2 has fewer numbers than the 3 of row 1"},
        {"1 2 3\n4 5 6 7\n8 0", "2:7: row 2 has more numbers than the 3 of row 1"},
        {"1 2 3\n4 5 6\n7 8 9", "3:5: tile 9 is out of range: a 3 x 3 board has the tiles 0 to 8"},
        {"[0]", "1:4: expected more tiles, found the end"},
        {"1 2 3\n4 5 5\n7 8 0", "2:5: tile 5 stands twice: as tile number 5 and as number 6 of 9"},
        {"1 2 _\n4 5 6\n7 8 0", "3:5: the blank (0) stands twice: as tile number 3 and as number 9 of 9"},
        {"| 1 | 2 |\n|   |   |", "2:9: the blank (0) stands twice: as tile number 3 and as number 4 of 4"},
        {"1 2 3\n4 z 6\n7 8 0", "2:3: expected a tile, found 'z'"},
        {"1 2 3\n4 99999999999 6\n7 8 0",
         "2:3: no board with the tile '99999999999' is read: at most 1073676289 cells are"},
        {"1 2\n3 0\n\nx", "4:1: expected the end after 4 tiles, found 'x'"},
        // The first number may be the size, or a tile.
        {"3 1 2\n4 5 6\n7 8 0\n3\n1 2 3\n4 5 6\n7 8 0", ambiguous},
        {"3 1 2\n0 4 5\n6 7 8\n3\n", ambiguous},
        {"3 1 2\n4 5\n7 8 0",
         "3:6: expected tile number 8 of 9, found the end: 2 numbers are missing" + first_3},
        // The size.
        {"", "1:1: " + size + ", found an empty input"},
        {"\xEF\xBB\xBF", "1:1: " + size + ", found an empty input"},
        {"# nothing", "1:10: " + size + ", found the end"},
        {"size", "1:5: " + size + ", found the end"},
        {"size: many", "1:7: " + size + ", found 'many'"},
        {"board = [[1, 2], [3, 0]]", "1:1: " + size + ", found 'board'"},
        {"1x1\n0", "1:1: " + size + ", found '1x1'"},
        {"\n  1\n0\n", "2:3: the size '1' is out of range: " + size},
        {"-3 1", "1:1: the size '-3' is out of range: " + size},
        {"4294967299 8 1 3 4 0 2 7 6 5", "1:1: the size '4294967299' is out of range: " + size},
        {"18446744073709551619 8", "1:1: the size '18446744073709551619' is out of range: " + size},
        // The tiles.
        {"3x3\n", "2:1: expected tile number 1 of 9, found the end: 9 numbers are missing"},
        {"3\n8 1 3\n4 0 2\n7\n 6", "5:3: expected tile number 9 of 9, found the end: 1 number is missing"},
        {"3 8 1 3 4 0 2 # 7 6 5\n",
         "2:1: expected tile number 7 of 9, found the end: 3 numbers are missing" + first_3},
        {"3\n8 1 9 4 0 2 7 6 5", "2:5: tile number 3 of 9, '9" + out_of_range},
        {"3\n8 1 -1 4 0 2 7 6 5", "2:5: tile number 3 of 9, '-1" + out_of_range},
        {"3\n8 1 4294967299 4", "2:5: tile number 3 of 9, '4294967299" + out_of_range},
        {"3\n8 1 18446744073709551619", "2:5: tile number 3 of 9, '18446744073709551619" + out_of_range},
        {"3\n8 1 " + std::string(100'000, '9'),
         "2:5: tile number 3 of 9, '" + std::string(40, '9') + "..." + out_of_range},
        {"2 1 2 3 0 -1", "1:11: expected the end after 4 tiles, found '-1'"},
        {"2\n1 2\n3 0\n# and\n  more\n", "5:3: expected the end after 4 tiles, found 'more'"},
        {"3\n3 0 0 3 z",
         "2:5: the blank (0) stands twice: as tile number 2 and as number 3 of 9"}, // and not what follows
        {"3 8 1 3 4 0 2 7 1 5", "1:17: tile 1 stands twice: as tile number 2 and as number 8 of 9" + first_3},
    };
    for (const auto& [text, message] : faults) {
        CAPTURE(text.substr(0, 50));
        CHECK(fault(text) == "t:" + message);
    }
}

TEST_CASE("a word is not a number", "[parse]") {
    const auto found = [](const std::string& word) {
        return "t:2:5: expected tile number 3 of 9, a number from 0 to 8, found '" + word + "'";
    };
    for (const std::string word : {"z", "+5", "1.5", "1e3", "0x10", "-1x", "1-", "---x", "5_", "..."}) {
        CHECK(fault("3\n8 1 " + word + "# comment") == found(word));
    }
    CHECK(fault(std::string("3\n8 1 3\0 4", 10)) == found("3\\x00"));
    CHECK(fault("3\n8 1 \xE2\x91\xA2") == found("\xE2\x91\xA2"));
    CHECK(fault("3\n8 1 " + std::string(40, 'y')) == found(std::string(40, 'y')));
    CHECK(fault("3\n8 1 " + std::string(41, 'y')).ends_with("'" + std::string(40, 'y') + "...'"));
}

TEST_CASE("words are read whole wherever a piece of the input ends", "[parse]") {
    // The reader takes pieces of 16 KiB. Every place of the text comes to lie across the end of a piece.
    const std::string text = "3\n8 1 3\n4 0 000000002\n7 6 5\n";
    const std::string wrong = "3\n8 1 3\n4 0 123456789abc\n7 6 5\n";
    for (std::size_t piece = 1; piece <= 2; ++piece) {
        for (std::size_t before = 0; before <= text.size() + 4; ++before) {
            const std::string space(piece * 16'384 - before, ' ');
            std::istringstream right(space + text);
            REQUIRE(read_board(right) == three);
            std::istringstream stream(space + wrong);
            REQUIRE(message_of<ParseError>([&] { static_cast<void>(read_board(stream, "t")); }) ==
                    "t:3:5: expected tile number 6 of 9, a number from 0 to 8, found '123456789abc'");
            std::istringstream on_line_1(space + "word");
            REQUIRE(
                message_of<ParseError>([&] { static_cast<void>(read_board(on_line_1, "t")); }) ==
                "t:1:" + std::to_string(space.size() + 1) +
                    ": expected the size of the board as the first number, from 2 to 32767, found 'word'");
        }
    }
    // A word that is longer than a piece, with its beginning in the piece before.
    std::istringstream stream(std::string(16'378, ' ') + "abcdefghijklm" + std::string(300'000, 'z') + " 1");
    CHECK(message_of<ParseError>([&] { static_cast<void>(read_board(stream, "t")); }) ==
          "t:1:16379: expected the size of the board as the first number, from 2 to 32767, found "
          "'abcdefghijklm" +
              std::string(27, 'z') + "...'");
}

TEST_CASE("a stream is read from where it stands to its end", "[parse]") {
    std::istringstream stream("title 2 1 2 3 0\n");
    std::string title;
    stream >> title;
    CHECK(read_board(stream) == Board{{1, 2}, {3, 0}});
    CHECK(stream.eof());
    std::ifstream missing("no such file of a puzzle.txt");
    CHECK(message_of<ParseError>([&] { static_cast<void>(read_board(missing, "t")); }) ==
          "t:1:1: the stream cannot be read");
    std::istream nothing(nullptr);
    CHECK(message_of<ParseError>([&] { static_cast<void>(read_board(nothing, "t")); }) ==
          "t:1:1: the stream cannot be read");
}

TEST_CASE("files are read by name, and one that cannot be read is an error of the system", "[parse]") {
    const test::Folder folder;
    const std::filesystem::path path_of_folder = folder.path;
    const auto file = path_of_folder / "board.txt";
    const auto write = [&](const char* text) { std::ofstream(file, std::ios_base::binary) << text; };
    write("3\r\n8 1 3\r\n4 0 2\r\n7 6 5");
    CHECK(read_board_file(file) == three);
    CHECK_THROWS_AS(read_board_file(file, {.max_size = 2}), ParseError);
    write("3\n8 1 3\n4 0 2\n7 6 z\n");
    CHECK(message_of<ParseError>([&] { static_cast<void>(read_board_file(file)); }) ==
          file.string() + ":4:5: expected tile number 9 of 9, a number from 0 to 8, found 'z'");
    write("2 1 2 3 0\n2 1 2 0 3");
    CHECK(npuzzle::read_boards_file(file).size() == 2);
#ifdef _WIN32
    const std::errc of_folder = std::errc::permission_denied; // what Windows says of opening one
#else
    const std::errc of_folder = std::errc::is_a_directory;
#endif
    for (const auto& [path, code] : {std::pair{path_of_folder / "none", std::errc::no_such_file_or_directory},
                                     std::pair{path_of_folder, of_folder}}) {
        try {
            static_cast<void>(read_board_file(path));
            FAIL("nothing thrown");
        } catch (const std::system_error& error) {
            CHECK(error.code() == code);
            CHECK(std::string(error.what()).starts_with(path.string() + ": "));
        }
    }
}

TEST_CASE("a size that promises much and a text that holds little take little memory", "[parse]") {
    // Far apart tiles, each of which is all that is in its part of the set.
    std::string text = "32767";
    for (int i = 1; i <= 1000; ++i) text += ' ' + std::to_string(i * 1'000'000);
    test::memory.largest = 20'000; // more at once fails
    for (const std::string& each : {text, std::string("32767\n1 2 3"), std::string("32767 1 1")}) {
        CHECK_THROWS_AS(parse_board(each), ParseError);
    }
    test::memory.largest = test::Memory().largest;
}

TEST_CASE("an endless stream is given up", "[parse]") {
    const std::string size = "expected the size of the board as the first number, from 2 to 32767";
    const auto endless = [](const std::string& begin, char c, bool is_board = true) {
        Endless input(begin, c);
        std::istream stream(&input);
        const std::string message = message_of<ParseError>([&] {
            if (is_board) {
                static_cast<void>(read_board(stream, "t"));
            } else {
                static_cast<void>(npuzzle::read_boards(stream, "t"));
            }
        });
        CHECK(input.given() < 1'200'000);
        return message;
    };
    CHECK(endless("", '\0').find("t:1:1: " + size + ", found '\\x00\\x00") == 0);
    CHECK(endless("", '7') == "t:1:1: the size '" + std::string(40, '7') + "...' is out of range: " + size);
    const std::string blank = "expected a number, found more than a MiB of white space and comments";
    CHECK(endless("", ' ').find(": " + blank) != std::string::npos);
    CHECK(endless("", '\n').find(": " + blank) != std::string::npos);
    CHECK(endless("2 1 2 3 0 ", '\n').find(": " + blank) != std::string::npos);
    CHECK(endless("2 1 2 3 0 ", '#', false).find("t:1:") == 0);
    CHECK(endless("2 1 2 3 0 # so far so ", 'g', false).find(": " + blank) != std::string::npos);
    std::istringstream stream(std::string(1 << 20, '\n') + "2 1 2 3 0" + std::string(1 << 20, '#'));
    CHECK(read_board(stream, "t") == Board{{1, 2}, {3, 0}});
}

TEST_CASE("what a text may ask for can be limited", "[parse]") {
    const npuzzle::ReadOptions small{.max_size = 3};
    CHECK(parse_board("3 8 1 3 4 0 2 7 6 5", "t", small) == three);
    const std::string too_large =
        "t:1:1: the size '4' is out of range: expected the size of the board as the "
        "first number, from 2 to 3";
    CHECK(message_of<ParseError>([&] { static_cast<void>(parse_board("4", "t", small)); }) == too_large);
    std::istringstream stream("4");
    CHECK(message_of<ParseError>([&] { static_cast<void>(read_board(stream, "t", small)); }) == too_large);
    const std::string rows = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0";
    CHECK(message_of<ParseError>([&] { static_cast<void>(parse_board(rows, "t", small)); }) ==
          "t:3:1: no board with the tile '9' is read: at most 9 cells are");

    const auto read = [](const std::string& text, const npuzzle::ReadOptions& options) {
        std::istringstream boards(text);
        return npuzzle::read_boards(boards, "t", options).size();
    };
    const std::string two = "2 1 2 3 0\n2 1 2 0 3";
    CHECK(read(two, {.max_boards = 2}) == 2);
    CHECK(message_of<ParseError>([&] { read(two, {.max_boards = 1}); }) ==
          "t:2:1: expected the end after 1 boards, the most that are read");
    CHECK(read(two, {.max_tiles = 8}) == 2);
    CHECK(message_of<ParseError>([&] { read(two + "\n2 0 1 2 3", {.max_tiles = 8}); }) ==
          "t:3:1: with a board of size 2 there are more than 8 tiles, the most that are read");
    CHECK_THROWS_AS(parse_board("3 8 1 3 4 0 2 7 6 5", "t", {.max_tiles = 8}), ParseError);
}

TEST_CASE("several boards in a stream", "[parse]") {
    const auto read = [](const std::string& text) {
        std::istringstream stream(text);
        std::vector<Board> boards = npuzzle::read_boards(stream, "t");
        CHECK(stream.eof());
        Trickle trickle(text);
        std::istream slow(&trickle);
        CHECK(npuzzle::read_boards(slow, "t") == boards);
        return boards;
    };
    const Board two{{1, 2}, {0, 3}};
    // Without sizes: rows, lines, or both, also where the next board begins with the first one's size.
    CHECK(read("1 2\n0 3\n8 1 3\n4 0 2\n7 6 5\n\n1 2 0 3\n3x3\n8 1 3\n4 0 2\n7 6 5") ==
          std::vector{two, three, two, three});
    CHECK(read("[[1, 2], [0, 3]]\n[[1, 2], [0, 3]]\n") == std::vector{two, two});
    const Board lead{{3, 1, 2}, {4, 5, 6}, {7, 8, 0}};
    CHECK(read("3 1 2\n4 5 6\n7 8 0\n3 1 2\n4 5 6\n7 8 0") == std::vector{lead, lead});
    CHECK_THROWS_AS(read("3 1 2\n4 5 6\n7 8 0\n3\n"), ParseError);
    CHECK(read("# one\n2\n1 2 0 3\n# two\n3\n8 1 3 4 0 2 7 6 5 2 1 2 0 3\n# the end") ==
          std::vector{two, three, two});
    CHECK(read("\xef\xbb\xbf"
               "2\r\n1 2\r\n0 3\r\n2\r\n1 2\r\n0 3\r\n") == std::vector{two, two});

    const auto wrong = [](const std::string& text) {
        std::istringstream stream(text);
        return message_of<ParseError>([&] { static_cast<void>(npuzzle::read_boards(stream, "t")); });
    };
    const std::string size = "expected the size of the board as the first number, from 2 to 32767";
    CHECK(wrong("2 1 2 3 0\n9\n") ==
          "t:3:1: expected tile number 1 of 81, found the end: 81 numbers are missing");
    CHECK(wrong("2 1 2 3 0\nx") == "t:2:1: " + size + ", found 'x'");
    CHECK(wrong("2 1 2 3 0 2 1 2 0 3\n1") == "t:2:1: the size '1' is out of range: " + size);
    CHECK(wrong("2\n1 2 3 0\n2\n1 2 0 3\n2\n1 1 2 3") ==
          "t:6:3: tile 1 stands twice: as tile number 1 and as number 2 of 4");
}
