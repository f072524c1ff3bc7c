#pragma once

#include "npuzzle/io/detail/input.hpp"
#include "npuzzle/io/detail/word_reader.hpp"
#include "npuzzle/io/parse_error.hpp"
#include "npuzzle/io/printable.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <limits>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Reads maps and scenarios of the MovingAI benchmarks (N. R. Sturtevant, "Benchmarks for grid-based
/// pathfinding", IEEE Transactions on Computational Intelligence and AI in Games 4, 2012).
///
/// A map: the lines `type octile`, `height H`, `width W` and `map`, then H lines of W signs: `.`, `G` and `S`
/// are free, `@`, `O`, `T` and `W` are not. Small letters are read as capitals. The type `octile-corner` has H
/// lines of the heights of corners before them, which are skipped.
///
/// Scenarios: the line `version 1`, then one in each line, of nine fields: bucket, map, its width and height,
/// start x and y, goal x and y, length of a shortest path. Without the line, or with `version 0`, width and
/// height may be missing. The length may be missing. After a tab, the name of the map ends at the next one,
/// so it may have blanks.
///
/// A UTF-8 byte order mark, and blanks at the end of a line, are skipped.
///
/// Time and memory follow the text that there is, not the size that it claims, so a text may come from
/// anyone; `MapReadOptions` says how much of it is taken.

namespace npuzzle {

/// A task on a map: a line of a file of scenarios.
struct MapScenario {
    int bucket = 0;
    std::string map;
    int width = 0;  ///< 0 if the file does not say
    int height = 0; ///< likewise
    int start_x = 0;
    int start_y = 0;
    int goal_x = 0;
    int goal_y = 0;
    /// The length of a shortest path, if straight steps cost 1, diagonal ones the square root of 2, and no
    /// corner is cut. Infinite if the file has `-1` or `inf`: there is no path. NaN if the file does not say.
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
        skip_mark();
        expect("type", "the first line of a map");
        const Word type = word();
        if (type.text != "octile" && type.text != "octile-corner") {
            fail(type, "expected 'octile' or 'octile-corner', the types of maps that are read, found " +
                           quoted(type));
        }
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
        for (std::int64_t row = 0; row < height && type.text == "octile-corner"; ++row) {
            read_row(rows, "heights, ", row, height, width);
            rows.clear();
        }
        for (std::int64_t row = 0; row < height; ++row) {
            read_row(rows, "", row, height, width);
        }
        const Word more = word();
        if (!more.text.empty()) {
            fail(more, "expected the end after " + std::to_string(height) + " rows, found " + quoted(more));
        }
        return rows;
    }

    [[nodiscard]] std::vector<MapScenario> scenarios() {
        skip_mark();
        std::vector<MapScenario> found;
        Word first = word();
        bool has_sizes = false;
        if (first.text == "version") {
            const Word version = word();
            has_sizes = version.text == "1" || version.text == "1.0";
            if (!has_sizes && version.text != "0" && version.text != "0.0") {
                fail(version, "expected version 0 or 1, found " + quoted(version));
            }
            first = word();
        } else if (first.text.find_first_of("0123456789") != 0) {
            fail(first, "expected 'version', the first line of scenarios, found " + quoted(first));
        }
        for (; !first.text.empty(); first = word()) {
            if (static_cast<std::int64_t>(found.size()) >= options_.max_scenarios) {
                fail(first, "there are more than " + std::to_string(options_.max_scenarios) +
                                " scenarios, the most that are read");
            }
            found.push_back(scenario(first, has_sizes));
        }
        return found;
    }

private:
    static constexpr int largest = (std::numeric_limits<int>::max)();

    using Signs = std::array<char, 256>;
    /// What each sign is read as; 0 for one that is refused.
    static constexpr Signs cell_signs = [] {
        Signs signs{};
        for (const char c : std::string_view(".GS@OTW")) {
            signs[static_cast<unsigned char>(c)] = c;
            if (c >= 'A') signs[static_cast<unsigned char>(c - 'A' + 'a')] = c;
        }
        return signs;
    }();
    static constexpr Signs height_signs = [] {
        Signs signs{};
        signs.fill('.');
        signs['\n'] = signs['\r'] = '\0';
        return signs;
    }();

    /// \param part what is read in place of cells, or nothing
    void read_row(std::string& rows, const std::string& part, std::int64_t row, std::int64_t height,
                  std::int64_t width) {
        const std::string which = part + "row " + std::to_string(row + 1) + " of " + std::to_string(height);
        const auto& read_as = part.empty() ? cell_signs : height_signs;
        std::array<char, 4096> signs; // of a row that may claim more signs than there are
        for (std::int64_t column = 0; column < width;) {
            const std::int64_t wanted = (std::min)(width - column, static_cast<std::int64_t>(signs.size()));
            const auto count = static_cast<std::size_t>(take(signs.data(), wanted));
            std::size_t read = 0;
            for (; read < count; ++read) {
                const char sign = read_as[static_cast<unsigned char>(signs[read])];
                if (sign == '\0') break;
                signs[read] = sign;
            }
            rows.append(signs.data(), read);
            column += static_cast<std::int64_t>(read);
            skip_columns(static_cast<std::int64_t>(read));
            if (static_cast<std::int64_t>(read) == wanted) continue;
            const bool is_end = read == count;
            if (is_end || signs[read] == '\n' || signs[read] == '\r') {
                fail(here(), which + " has " + std::to_string(column) + " cells instead of " +
                                 std::to_string(width) + (is_end ? ": the map ends" : ""));
            }
            fail(here(), which + ": expected a cell, one of '.GS@OTW', found '" +
                             printable(std::string_view(&signs[read], 1)) + "'");
        }
        skip_blanks(true);
        if (peek() != '\n' && peek() != end) {
            fail(here(), which + " has more than " + std::to_string(width) + " cells");
        }
        take();
        rows += '\n';
    }

    [[nodiscard]] MapScenario scenario(const Word& bucket, bool has_sizes) {
        MapScenario one;
        one.bucket = number(bucket, "a bucket", 0, largest);
        one.map = peek() == '\t' ? field().text : word_of_line().text;
        std::vector<Word> fields;
        do {
            fields.push_back(word_of_line());
        } while (!fields.back().text.empty() && fields.size() < 8);
        auto next = fields.begin();
        has_sizes = has_sizes || fields.size() > 6; // with the end of the line
        if (has_sizes) {
            one.width = number(*next++, "the width of the map", 1, largest);
            one.height = number(*next++, "the height of the map", 1, largest);
        }
        const int last_x = has_sizes ? one.width - 1 : largest;
        const int last_y = has_sizes ? one.height - 1 : largest;
        one.start_x = number(*next++, "the column of the start", 0, last_x);
        one.start_y = number(*next++, "the row of the start", 0, last_y);
        one.goal_x = number(*next++, "the column of the goal", 0, last_x);
        one.goal_y = number(*next++, "the row of the goal", 0, last_y);
        one.length = next->text.empty() ? std::numeric_limits<double>::quiet_NaN() : length(*next++);
        if (!next->text.empty()) fail(*next, "expected the end of the line, found " + quoted(*next));
        return one;
    }

    const MapReadOptions& options_;
};

} // namespace detail

/// The rows of the map that `input` holds, from its current position to its end: each with a line break, as
/// `GridMap` takes them. The sign in column x and row y of a map of width w is `rows[y * (w + 1) + x]`.
/// `source` is the name of the input in error messages. O(length) time and memory.
/// \throws ParseError if the text is no map, or more than the options allow, or the stream cannot be read
[[nodiscard]] inline std::string read_map(std::istream& input, const std::string& source = "input",
                                          const MapReadOptions& options = {}) {
    return detail::MovingAiParser(detail::buffer_of(input, source), source, options).map();
}

/// The same from a text.
[[nodiscard]] inline std::string parse_map(std::string_view text, const std::string& source = "input",
                                           const MapReadOptions& options = {}) {
    detail::TextInput input(text);
    return detail::MovingAiParser(input, source, options).map();
}

/// The same from a file, named by a string or a std::filesystem::path.
/// \throws ParseError likewise; the source is the file's name
/// \throws std::system_error, which begins with the file's name, if the file does not exist, may not be read,
///         or is a directory
[[nodiscard]] inline std::string read_map_file(const detail::FileName& file,
                                               const MapReadOptions& options = {}) {
    detail::FileInput input(file);
    return detail::MovingAiParser(input, file.text(), options).map();
}

/// The scenarios that `input` holds, from its current position to its end. Like read_map() in everything
/// else.
[[nodiscard]] inline std::vector<MapScenario>
read_scenarios(std::istream& input, const std::string& source = "input", const MapReadOptions& options = {}) {
    return detail::MovingAiParser(detail::buffer_of(input, source), source, options).scenarios();
}

/// The same from a text.
[[nodiscard]] inline std::vector<MapScenario> parse_scenarios(std::string_view text,
                                                              const std::string& source = "input",
                                                              const MapReadOptions& options = {}) {
    detail::TextInput input(text);
    return detail::MovingAiParser(input, source, options).scenarios();
}

/// The same from a file. Throws like read_map_file().
[[nodiscard]] inline std::vector<MapScenario> read_scenario_file(const detail::FileName& file,
                                                                 const MapReadOptions& options = {}) {
    detail::FileInput input(file);
    return detail::MovingAiParser(input, file.text(), options).scenarios();
}

} // namespace npuzzle
