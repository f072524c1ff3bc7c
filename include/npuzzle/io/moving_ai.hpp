#pragma once

#include "npuzzle/io/detail/input.hpp"
#include "npuzzle/io/parse_error.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <istream>
#include <limits>
#include <locale>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Reads maps and scenarios of the MovingAI benchmarks (N. R. Sturtevant, "Benchmarks for grid-based
/// pathfinding", IEEE Transactions on Computational Intelligence and AI in Games 4, 2012). docs/io.md has
/// the variants that are read. Time and memory are linear in the text.

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

/// How much a reader of maps and scenarios takes; more, or a MiB of white space in a row, is a `ParseError`.
struct MapReadOptions {
    /// The most cells of a map, which take a byte each.
    std::int64_t max_cells = std::int64_t{1} << 28;
    /// The most scenarios of a file.
    std::int64_t max_scenarios = 1'000'000;
};

namespace detail {

/// Reads maps and scenarios sign by sign.
class MovingAiParser {
public:
    MovingAiParser(std::streambuf& input, const std::string& source, const MapReadOptions& options)
        : input_(input), source_(source), options_(options) {}

    std::string map() {
        skip_mark();
        expect("type", "the first line of a map");
        const Word type = word();
        if (type.text != "octile" && type.text != "octile-corner") {
            fail(type, {"expected 'octile' or 'octile-corner', the types of maps that are read, found ",
                        quoted(type)});
        }
        std::int64_t height = 0;
        std::int64_t width = 0;
        while (height == 0 || width == 0) {
            const Word key = word();
            if (key.text == "height" && height == 0) {
                height = number(word(), "the height of the map", 1, largest);
            } else if (key.text == "width" && width == 0) {
                width = number(word(), "the width of the map", 1, largest);
            } else {
                fail(key, {"expected '", height == 0 ? "height" : "width", "', found ", quoted(key)});
            }
            if (height * width > options_.max_cells) {
                fail(key, {"the map has more than ", options_.max_cells, " cells, the most that are read"});
            }
        }
        expect("map", "the line before the cells");
        skip_blanks(true);
        if (peek() == '\n') take();
        std::string rows;
        rows.reserve(static_cast<std::size_t>((std::min)(height * (width + 1), std::int64_t{1} << 23)));
        for (std::int64_t row = 0; row < height && type.text == "octile-corner"; ++row) {
            read_row(rows, "heights, ", row, height, width);
            rows.clear();
        }
        for (std::int64_t row = 0; row < height; ++row) read_row(rows, "", row, height, width);
        const Word more = word();
        if (!more.text.empty()) {
            fail(more, {"expected the end after ", height, " rows, found ", quoted(more)});
        }
        return rows;
    }

    std::vector<MapScenario> scenarios() {
        skip_mark();
        std::vector<MapScenario> found;
        Word first = word();
        bool has_sizes = false;
        if (first.text == "version") {
            const Word version = word();
            has_sizes = version.text == "1" || version.text == "1.0";
            if (!has_sizes && version.text != "0" && version.text != "0.0") {
                fail(version, {"expected version 0 or 1, found ", quoted(version)});
            }
            first = word();
        } else if (first.text.find_first_of("0123456789") != 0) {
            fail(first, {"expected 'version', the first line of scenarios, found ", quoted(first)});
        }
        for (; !first.text.empty(); first = word()) {
            if (static_cast<std::int64_t>(found.size()) >= options_.max_scenarios) {
                fail(first,
                     {"there are more than ", options_.max_scenarios, " scenarios, the most that are read"});
            }
            found.push_back(scenario(first, has_sizes));
        }
        return found;
    }

private:
    static constexpr int largest = (std::numeric_limits<int>::max)();
    static constexpr int end = std::char_traits<char>::eof();

    struct Word {
        std::string text; // empty at the end
        std::int64_t line;
        std::int64_t column;
    };

    /// \param part what is read in place of cells, or nothing
    void read_row(std::string& rows, std::string_view part, std::int64_t row, std::int64_t height,
                  std::int64_t width) {
        const std::string which = text_of({part, "row ", row + 1, " of ", height});
        const auto capital = [](char c) {
            return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        };
        const auto is_sign = [has_cells = part.empty()](char c) {
            return has_cells
                       ? c == '.' || c == '@' || c == 'G' || c == 'O' || c == 'S' || c == 'T' || c == 'W'
                       : c != '\n' && c != '\r';
        };
        const std::int64_t last = column_ + width;
        while (column_ < last) { // by blocks: the text may be shorter than it says
            std::array<char, 4096> block;
            const auto count = input_.sgetn(block.data(), (std::min)(last - column_, std::int64_t{4096}));
            const auto block_end = block.begin() + count;
            const auto wrong =
                std::find_if_not(block.begin(), block_end, [&](char c) { return is_sign(capital(c)); });
            column_ += wrong - block.begin();
            if (wrong != block_end && *wrong != '\n' && *wrong != '\r') {
                fail(here(),
                     {which, ": expected a cell, one of '.GS@OTW', found '", printable({&*wrong, 1}), "'"});
            }
            if (wrong != block_end || count == 0) {
                fail(here(), {which, " has ", column_ + width - last, " cells instead of ", width,
                              count == 0 ? ": the map ends" : ""});
            }
            std::transform(block.begin(), wrong, block.begin(), capital);
            rows.append(block.begin(), wrong);
        }
        skip_blanks(true);
        if (peek() != '\n' && peek() != end) {
            fail(here(), {which, " has more than ", width, " cells"});
        }
        take();
        rows += '\n';
    }

    MapScenario scenario(const Word& bucket, bool has_sizes) {
        MapScenario one;
        one.bucket = number(bucket, "a bucket", 0, largest);
        one.map = peek() == '\t' ? field().text : word(true).text;
        std::vector<Word> fields;
        do fields.push_back(word(true));
        while (!fields.back().text.empty() && fields.size() < 8);
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
        if (!next->text.empty()) fail(*next, {"expected the end of the line, found ", quoted(*next)});
        return one;
    }

    static bool is_space(int c) noexcept { return c == ' ' || ('\t' <= c && c <= '\r'); }
    Word here() const { return {"", line_, column_}; }
    int peek() { return input_.sgetc(); }
    void take() {
        ++column_;
        if (input_.sbumpc() == '\n') {
            ++line_;
            column_ = 1;
        }
    }

    /// At the beginning: a UTF-8 byte order mark is no part of the text.
    void skip_mark() {
        if (peek() != 0xEF) return;
        for (const int byte : {0xEF, 0xBB, 0xBF}) {
            if (input_.sbumpc() != byte) fail(here(), {"a broken byte order mark"});
        }
    }

    void skip_blanks(bool to_line_end) {
        for (int count = 0; is_space(peek()) && !(to_line_end && peek() == '\n'); take()) {
            if (++count > 1 << 20) fail(here(), {"more than a MiB of white space"});
        }
    }

    /// The next word, or the next one of the line; empty at the end.
    Word word(bool in_line = false) {
        skip_blanks(in_line);
        return word_until(is_space);
    }
    /// What stands between two tabs, without the blanks around it.
    Word field() {
        do take();
        while (peek() == ' ');
        Word found = word_until([](int c) { return c == '\t' || c == '\n'; });
        if (peek() != '\t') fail(here(), {"expected a tab after ", quoted(found)});
        if (found.text.empty()) fail(found, {"expected the name of the map, found nothing between two tabs"});
        found.text.erase(found.text.find_last_not_of(' ') + 1);
        return found;
    }
    template <class F>
    Word word_until(F ends) {
        constexpr std::size_t longest = 4096;
        Word found = here();
        for (; peek() != end && !ends(peek()); take()) {
            if (found.text.size() == longest) fail(found, {"a word of more than 4096 bytes"});
            found.text += std::char_traits<char>::to_char_type(peek());
        }
        return found;
    }

    [[noreturn]] void fail(const Word& where, std::initializer_list<TextPiece> message) const {
        throw ParseError(source_, where.line, where.column, text_of(message));
    }

    static std::string quoted(const Word& word) {
        if (word.text.empty()) return "the end";
        return text_of({"'", printable(word.text.substr(0, 40)), word.text.size() > 40 ? "...'" : "'"});
    }

    void expect(std::string_view text, std::string_view what) {
        const Word found = word();
        if (found.text != text) fail(found, {"expected '", text, "', ", what, ", found ", quoted(found)});
    }

    int number(const Word& found, std::string_view what, std::int64_t least, std::int64_t most) const {
        std::int64_t value = found.text.empty() ? -1 : 0;
        for (const char c : found.text) {
            const bool is_digit = '0' <= c && c <= '9';
            value = is_digit && 0 <= value && value <= largest ? 10 * value + (c - '0') : -1;
        }
        if (value < least || value > most) {
            fail(found,
                 {"expected ", what, ", a number from ", least, " to ", most, ", found ", quoted(found)});
        }
        return static_cast<int>(value);
    }

    /// The length of a path, whatever the locale; infinite for "inf" and "-1", which mean that there is none.
    double length(const Word& found) const {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (found.text == "inf" || found.text == "Infinity") return infinity;
        std::istringstream digits(found.text);
        digits.imbue(std::locale::classic());
        double value = 0;
        if (!(digits >> value) || !digits.eof() || !(value == -1 || value >= 0)) {
            fail(found, {"expected the length of the path, a number of 0 or more, or -1 or inf if there is "
                         "none, found ",
                         quoted(found)});
        }
        return value < 0 ? infinity : value;
    }

    std::streambuf& input_;
    const std::string& source_;
    const MapReadOptions& options_;
    std::int64_t line_ = 1;
    std::int64_t column_ = 1;
};

} // namespace detail

/// The rows of the map that a stream holds, from its current position to its end: each with a line break, as
/// `GridMap` takes them. The sign in column x and row y of a map of width w is `rows[y * (w + 1) + x]`.
/// `source` is the name of the input in error messages.
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

/// The scenarios that a stream holds. Like read_map() in everything else.
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
