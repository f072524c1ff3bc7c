#include <npuzzle/io/moving_ai.hpp>
#include <npuzzle/maps/grid_map.hpp>

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <streambuf>
#include <string>
#include <system_error>
#include <vector>

using npuzzle::MapReadOptions;
using npuzzle::MapScenario;
using npuzzle::parse_map;
using npuzzle::parse_scenarios;
using npuzzle::ParseError;

namespace {

const std::string head = "type octile\nheight 2\nwidth 3\nmap\n";

std::string map_error(const std::string& text, const MapReadOptions& options = {}) {
    return message_of<ParseError>([&] { return parse_map(text, "m", options); });
}

std::string scenario_error(const std::string& line, const MapReadOptions& options = {}) {
    return message_of<ParseError>([&] { return parse_scenarios("version 1\n" + line, "s", options); });
}

// Gives a text, and then one character for ever.
class Endless : public std::streambuf {
public:
    Endless(std::string begin, char c) : piece_(std::move(begin)), c_(c) {
        setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
    }

protected:
    int_type underflow() override {
        piece_.assign(1000, c_);
        setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
        return traits_type::to_int_type(*gptr());
    }

private:
    std::string piece_;
    char c_;
};

} // namespace

TEST_CASE("a map is read as its rows", "[moving_ai]") {
    CHECK(parse_map(head + ".G@\nSTW\n") == ".G@\nSTW\n");
    CHECK(parse_map(head + ".G@\nSTW") == ".G@\nSTW\n");
    CHECK(parse_map(head + ".G@\nSTO\n\n \t\n") == ".G@\nSTO\n");
    CHECK(parse_map("type octile\r\nwidth 3\r\nheight 1\r\nmap \r\n...\r\n") == "...\n");
    CHECK(npuzzle::GridMap<>(parse_map(head + ".G@\nSTW\n")).width() == 3);
}

TEST_CASE("maps are read as people have them", "[moving_ai]") {
    const std::string mark = "\xEF\xBB\xBF";
    CHECK(parse_map(mark + "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n...\r\n.@.\r\n") == "...\n.@.\n");
    CHECK(map_error(mark + "x") == "m:1:1: expected 'type', the first line of a map, found 'x'");
    CHECK(map_error("\xEF\xBBx") == "m:1:1: a broken byte order mark");
    CHECK(parse_map(head + "... \t\r\n.@.  ") == "...\n.@.\n");
    CHECK(map_error(head + "... .\n...\n") == "m:5:5: row 1 of 2 has more than 3 cells");
    CHECK(parse_map(head + "..t\n.@g\n") == "..T\n.@G\n");
    const std::string corner = "type octile-corner\nheight 3\nwidth 3\nmap\n222\n2a2\n222\n";
    CHECK(parse_map(corner + "...\n.@.\n...\n") == "...\n.@.\n...\n");
    CHECK(map_error(corner + "...\n.@.\n") == "m:10:1: row 3 of 3 has 0 cells instead of 3: the map ends");
    CHECK(map_error("type octile-corner\nheight 1\nwidth 3\nmap\n22\n...\n") ==
          "m:5:3: heights, row 1 of 1 has 2 cells instead of 3");
}

TEST_CASE("what is wrong with a map is said, and where", "[moving_ai]") {
    CHECK(map_error("") == "m:1:1: expected 'type', the first line of a map, found the end");
    CHECK(map_error("version 1") == "m:1:1: expected 'type', the first line of a map, found 'version'");
    CHECK(map_error("type tile\n") ==
          "m:1:6: expected 'octile' or 'octile-corner', the types of maps that are read, found 'tile'");
    CHECK(map_error("type octile\nmap\n") == "m:2:1: expected 'height', found 'map'");
    CHECK(map_error("type octile\nheight 2\nheight 2\n") == "m:3:1: expected 'width', found 'height'");
    CHECK(map_error("type octile\nheight 2\n") == "m:3:1: expected 'width', found the end");
    for (const std::string bad : {"0", "-3", "2147483648", "99999999999999999999", "3x", "x"}) {
        CHECK(map_error("type octile\nheight " + bad + "\n") ==
              "m:2:8: expected the height of the map, a number from 1 to 2147483647, found '" + bad + "'");
    }
    CHECK(map_error("type octile\nheight 2\nwidth 3\n...\n") ==
          "m:4:1: expected 'map', the line before the cells, found '...'");
    CHECK(map_error(head + "...\n..") == "m:6:3: row 2 of 2 has 2 cells instead of 3: the map ends");
    CHECK(map_error(head + "..\n...\n") == "m:5:3: row 1 of 2 has 2 cells instead of 3");
    CHECK(map_error(head + "....\n...\n") == "m:5:4: row 1 of 2 has more than 3 cells");
    CHECK(map_error(head + ".x.\n...\n") ==
          "m:5:2: row 1 of 2: expected a cell, one of '.GS@OTW', found 'x'");
    CHECK(map_error(head + "...\n.\x1b.\n") ==
          "m:6:2: row 2 of 2: expected a cell, one of '.GS@OTW', found '\\x1b'");
    CHECK(map_error(head + "...\n...\n...\n") == "m:7:1: expected the end after 2 rows, found '...'");
}

TEST_CASE("scenarios are read", "[moving_ai]") {
    CHECK(parse_scenarios("version 1\n").empty());
    CHECK(parse_scenarios("version 1\n0 a 1 1 0 0 0 0 0").front() ==
          MapScenario{0, "a", 1, 1, 0, 0, 0, 0, 0});
    CHECK(MapScenario{} == MapScenario{0, "", 0, 0, 0, 0, 0, 0, 0});
    const std::vector<MapScenario> expected{{0, "a.map", 5, 4, 0, 1, 4, 3, 5.24264069},
                                            {12, "maps/b.map", 3, 3, 2, 2, 0, 0, 0}};
    CHECK(parse_scenarios("version 1.0\r\n0\ta.map\t5\t4\t0\t1\t4\t3\t5.24264069\r\n\n"
                          "12 maps/b.map 3 3 2 2 0 0 0") == expected);
}

TEST_CASE("scenarios are read as people have them", "[moving_ai]") {
    // A name with blanks ends at a tab.
    CHECK(parse_scenarios("version 1\n0\tmy maps/a.map\t3\t2\t0\t0\t2\t1\t2\n").front() ==
          MapScenario{0, "my maps/a.map", 3, 2, 0, 0, 2, 1, 2});
    CHECK(parse_scenarios("version 1\n0\t a.map \t 3 2 0 0 2 1 2 \n").front().map == "a.map");
    CHECK(scenario_error("0 my maps/a.map 3 2 0 0 2 1 2") ==
          "s:2:6: expected the width of the map, a number from 1 to 2147483647, found 'maps/a.map'");
    CHECK(scenario_error("0\ta.map 3 2 0 0 2 1 2\n") == "s:2:22: expected a tab after 'a.map 3 2 0 0 2 1 2'");
    CHECK(scenario_error("0\t \t5\t6\t7\t8\t9\n") ==
          "s:2:4: expected the name of the map, found nothing between two tabs");
    // Without a version, the size of the map may be missing.
    const std::vector<MapScenario> expected{{60, "maps/x.map", 0, 0, 58, 100, 101, 78, 58.5},
                                            {1, "y", 3, 2, 0, 0, 2, 1, 2}};
    const std::string lines = "  60 maps/x.map  58 100 101  78 58.5\n1 y 3 2 0 0 2 1 2\n";
    CHECK(parse_scenarios(lines) == expected);
    CHECK(parse_scenarios("\xEF\xBB\xBFversion 0\n" + lines) == expected);
    CHECK(message_of<ParseError>([] { return parse_scenarios("1 y 3 2 0 0 5 1 2", "s"); }) ==
          "s:1:13: expected the column of the goal, a number from 0 to 2, found '5'");

    const auto length = [](const std::string& text) {
        return parse_scenarios("version 1\n0 a 3 2 0 0 2 1" + text).front().length;
    };
    CHECK(length(" 1e3") == 1000);
    CHECK(length(" 1.5E-1 \r\n") == 0.15);
    CHECK(std::isnan(length("")));
    CHECK(std::isnan(length("  \r\n1 a 3 2 0 0 2 1 4\n")));
    for (const char* none : {" -1", " -1.000", " inf", " Infinity"}) {
        CHECK(length(none) == std::numeric_limits<double>::infinity());
    }
}

TEST_CASE("what is wrong with a scenario is said, and where", "[moving_ai]") {
    CHECK(message_of<ParseError>([] { return parse_scenarios("version 2\n", "s"); }) ==
          "s:1:9: expected version 0 or 1, found '2'");
    CHECK(message_of<ParseError>([] { return parse_scenarios("type octile\n", "s"); }) ==
          "s:1:1: expected 'version', the first line of scenarios, found 'type'");
    CHECK(scenario_error("x") == "s:2:1: expected a bucket, a number from 0 to 2147483647, found 'x'");
    CHECK(scenario_error("0 a.map 0") ==
          "s:2:9: expected the width of the map, a number from 1 to 2147483647, found '0'");
    CHECK(scenario_error("0 a.map 5 4 5") ==
          "s:2:13: expected the column of the start, a number from 0 to 4, found '5'");
    CHECK(scenario_error("0 a.map 5 4 0 1 4 4") ==
          "s:2:19: expected the row of the goal, a number from 0 to 3, found '4'");
    for (const std::string bad : {"-2", "1.2.3", "1e", "1e999", "nan", ".", "5x", "--1"}) {
        CHECK(
            scenario_error("0 a.map 5 4 0 1 4 3 " + bad) ==
            "s:2:21: expected the length of the path, a number of 0 or more, or -1 or inf if there is none, "
            "found '" +
                bad + "'");
    }
    CHECK(scenario_error("0 a.map 5 4 0 1 4") ==
          "s:2:18: expected the row of the goal, a number from 0 to 3, found the end");
    CHECK(scenario_error("0 a.map 5 4 0 1 4 3 5 6 7") == "s:2:23: expected the end of the line, found '6'");
}

TEST_CASE("limits hold, whatever the header claims", "[moving_ai]") {
    CHECK(map_error("type octile\nheight 2147483647\nwidth 2147483647\nmap\n") ==
          "m:3:1: the map has more than 268435456 cells, the most that are read");
    // What is allowed, but is not there, costs nothing.
    CHECK(map_error("type octile\nheight 1\nwidth 268435456\nmap\n..") ==
          "m:5:3: row 1 of 1 has 2 cells instead of 268435456: the map ends");
    CHECK(map_error(head + "...\n...\n", {.max_cells = 5}) ==
          "m:3:1: the map has more than 5 cells, the most that are read");
    CHECK(map_error(head + "...\n...\n", {.max_cells = 6}) == "nothing thrown");
    CHECK(map_error(std::string(2'000'000, ' ')) == "m:1:1048577: more than a MiB of white space");
    const std::string line = "0 a.map 5 4 0 1 4 3 1\n";
    CHECK(scenario_error(line + line, {.max_scenarios = 1}) ==
          "s:3:1: there are more than 1 scenarios, the most that are read");
    CHECK(scenario_error(line + line, {.max_scenarios = 2}) == "nothing thrown");

    for (const std::string& begin : {std::string(), head.substr(0, 5), head, head + "...\n...\n"}) {
        for (const char c : {' ', '\n', '.', '7'}) {
            Endless endless(begin, c);
            std::istream input(&endless);
            CHECK_THROWS_AS(npuzzle::read_map(input), ParseError);
        }
    }
    Endless endless("version 1\n0 ", 'a');
    std::istream input(&endless);
    CHECK(message_of<ParseError>([&] { return npuzzle::read_scenarios(input, "s"); }) ==
          "s:2:3: a word of more than 4096 bytes");
}

TEST_CASE("maps and scenarios are read from files", "[moving_ai]") {
    const auto folder = std::filesystem::temp_directory_path();
    const auto map = folder / "npuzzle_moving_ai_test.map";
    const auto scenarios = folder / "npuzzle_moving_ai_test.map.scen";
    std::ofstream(map) << head << ".G@\nSTW\n";
    std::ofstream(scenarios) << "version 1\n3\ta.map\t3\t2\t0\t0\t1\t0\t1.00000000\n";
    CHECK(npuzzle::read_map_file(map) == ".G@\nSTW\n");
    CHECK(npuzzle::read_scenario_file(scenarios).front().bucket == 3);
    CHECK(message_of<ParseError>([&] {
              return npuzzle::read_map_file(scenarios);
          }).find("moving_ai_test.map.scen:1:1: ") != std::string::npos);
    std::filesystem::remove(map);
    std::filesystem::remove(scenarios);
    CHECK_THROWS_AS(npuzzle::read_map_file(map), std::system_error);
    CHECK_THROWS_AS(npuzzle::read_scenario_file(folder), std::system_error);
    std::istringstream closed;
    closed.setstate(std::ios_base::failbit);
    CHECK_THROWS_AS(npuzzle::read_map(closed), ParseError);
}
