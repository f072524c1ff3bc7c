#pragma once

#include "npuzzle/io/detail/open_file.hpp"
#include "npuzzle/io/detail/word_reader.hpp"
#include "npuzzle/io/parse_error.hpp"
#include "npuzzle/io/printable.hpp"

#include <cstdint>
#include <filesystem>
#include <istream>
#include <limits>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Reads maps and scenarios of the MovingAI benchmarks (N. R. Sturtevant, "Benchmarks for grid-based
/// pathfinding", IEEE Transactions on Computational Intelligence and AI in Games 4, 2012).
///
/// A map: the lines `type octile`, `height H`, `width W` and `map`, then H lines of W signs: `.`, `G` and `S`
/// are free, `@`, `O`, `T` and `W` are not. Scenarios: the line `version 1`, then one in each line, of nine
/// fields: bucket, map, its width and height, start x and y, goal x and y, length of a shortest path.
///
/// Time and memory follow the text that there is, not the size that it claims, so a text may come from
/// anyone; `MapReadOptions` says how much of it is taken.

namespace npuzzle {

/// A task on a map: a line of a file of scenarios.
struct MapScenario {
    int bucket = 0;
    std::string map;
    int width = 0;
    int height = 0;
    int start_x = 0;
    int start_y = 0;
    int goal_x = 0;
    int goal_y = 0;
    /// The length of a shortest path, if straight steps cost 1, diagonal ones the square root of 2, and no
    /// corner is cut.
    double length = 0;

    friend bool operator==(const MapScenario&, const MapScenario&) = default;
};

/// How much a reader of maps and scenarios takes; more is a `ParseError`.
struct MapReadOptions {
    /// The most cells of a map, which take a byte each.
    std::int64_t max_cells = std::int64_t{1} << 28;
    /// The most scenarios of a file.
    std::int64_t max_scenarios = 1'000'000;
    /// The most bytes of white space in a row.
    std::int64_t max_blank_bytes = std::int64_t{1} << 20;
};

namespace detail {

/// Reads maps and scenarios sign by sign.
class MovingAiParser : WordReader {
public:
    MovingAiParser(std::streambuf& input, const std::string& source, const MapReadOptions& options)
        : WordReader(input, source, options.max_blank_bytes), options_(options) {}

    [[nodiscard]] std::string map() {
        expect("type", "the first line of a map");
        expect("octile", "the only type of maps that is read");
        std::int64_t height = 0;
        std::int64_t width = 0;
        while (height == 0 || width == 0) {
            const Word key = word();
            if (key.text == "height" && height == 0) {
                height = number("the height of the map", 1, largest);
            } else if (key.text == "width" && width == 0) {
                width = number("the width of the map", 1, largest);
            } else {
                fail(key, std::string("expected '") + (height == 0 ? "height" : "width") + "', found " +
                              quoted(key));
            }
            if (height * width > options_.max_cells) {
                fail(key, "the map has more than " + std::to_string(options_.max_cells) +
                              " cells, the most that are read");
            }
        }
        expect("map", "the line before the cells");
        skip_blanks(true);
        if (peek() == '\n') take();
        std::string rows;
        for (std::int64_t row = 0; row < height; ++row) {
            read_row(rows, row, height, width);
        }
        const Word more = word();
        if (!more.text.empty()) {
            fail(more, "expected the end after " + std::to_string(height) + " rows, found " + quoted(more));
        }
        return rows;
    }

    [[nodiscard]] std::vector<MapScenario> scenarios() {
        expect("version", "the first line of scenarios");
        const Word version = word();
        if (version.text != "1" && version.text != "1.0") {
            fail(version, "expected version 1, found " + quoted(version));
        }
        std::vector<MapScenario> found;
        while (true) {
            skip_blanks(false);
            if (peek() == end) return found;
            if (static_cast<std::int64_t>(found.size()) >= options_.max_scenarios) {
                fail(here(), "there are more than " + std::to_string(options_.max_scenarios) +
                                 " scenarios, the most that are read");
            }
            found.push_back(scenario());
        }
    }

private:
    static constexpr int largest = std::numeric_limits<int>::max();

    void read_row(std::string& rows, std::int64_t row, std::int64_t height, std::int64_t width) {
        const std::string which = "row " + std::to_string(row + 1) + " of " + std::to_string(height);
        for (std::int64_t column = 0; column < width; ++column) {
            const int sign = peek();
            if (sign == end || sign == '\n' || sign == '\r') {
                fail(here(), which + " has " + std::to_string(column) + " cells instead of " +
                                 std::to_string(width) + (sign == end ? ": the map ends" : ""));
            }
            const char c = std::char_traits<char>::to_char_type(sign);
            if (std::string_view(".GS@OTW").find(c) == std::string_view::npos) {
                fail(here(), which + ": expected a cell, one of '.GS@OTW', found '" +
                                 printable(std::string_view(&c, 1)) + "'");
            }
            rows += c;
            take();
        }
        if (peek() == '\r') take();
        if (peek() != '\n' && peek() != end) {
            fail(here(), which + " has more than " + std::to_string(width) + " cells");
        }
        take();
        rows += '\n';
    }

    [[nodiscard]] MapScenario scenario() {
        MapScenario one;
        one.bucket = number("a bucket", 0, largest);
        one.map = word().text;
        one.width = number("the width of the map", 1, largest);
        one.height = number("the height of the map", 1, largest);
        one.start_x = number("the column of the start", 0, one.width - 1);
        one.start_y = number("the row of the start", 0, one.height - 1);
        one.goal_x = number("the column of the goal", 0, one.width - 1);
        one.goal_y = number("the row of the goal", 0, one.height - 1);
        one.length = length();
        return one;
    }

    const MapReadOptions& options_;
};

/// A reader of the rest of `input`.
[[nodiscard]] inline MovingAiParser moving_ai_parser(std::istream& input, const std::string& source,
                                                     const MapReadOptions& options) {
    if (!input.good()) throw ParseError(source, 1, 1, "the stream cannot be read");
    return {*input.rdbuf(), source, options};
}

} // namespace detail

/// The rows of the map that `input` holds, from its current position to its end: each with a line break, as
/// `GridMap` takes them. The sign in column x and row y of a map of width w is `rows[y * (w + 1) + x]`.
/// `source` is the name of the input in error messages. O(length) time and memory.
/// \throws ParseError if the text is no map, or more than the options allow, or the stream cannot be read
[[nodiscard]] inline std::string read_map(std::istream& input, const std::string& source = "input",
                                          const MapReadOptions& options = {}) {
    return detail::moving_ai_parser(input, source, options).map();
}

/// The same from a text.
[[nodiscard]] inline std::string parse_map(const std::string& text, const std::string& source = "input",
                                           const MapReadOptions& options = {}) {
    std::istringstream input(text);
    return read_map(input, source, options);
}

/// The same from a file.
/// \throws ParseError likewise; the source is the file's name
/// \throws std::system_error, which begins with the file's name, if the file does not exist, may not be read,
///         or is a directory
[[nodiscard]] inline std::string read_map_file(const std::filesystem::path& file,
                                               const MapReadOptions& options = {}) {
    return detail::with_file(file, [&](std::streambuf& input, const std::string& name) {
        return detail::MovingAiParser(input, name, options).map();
    });
}

/// The scenarios that `input` holds, from its current position to its end. Like read_map() in everything
/// else.
[[nodiscard]] inline std::vector<MapScenario>
read_scenarios(std::istream& input, const std::string& source = "input", const MapReadOptions& options = {}) {
    return detail::moving_ai_parser(input, source, options).scenarios();
}

/// The same from a text.
[[nodiscard]] inline std::vector<MapScenario> parse_scenarios(const std::string& text,
                                                              const std::string& source = "input",
                                                              const MapReadOptions& options = {}) {
    std::istringstream input(text);
    return read_scenarios(input, source, options);
}

/// The same from a file. Throws like read_map_file().
[[nodiscard]] inline std::vector<MapScenario> read_scenario_file(const std::filesystem::path& file,
                                                                 const MapReadOptions& options = {}) {
    return detail::with_file(file, [&](std::streambuf& input, const std::string& name) {
        return detail::MovingAiParser(input, name, options).scenarios();
    });
}

} // namespace npuzzle
