#pragma once

#include "npuzzle/io/parse_error.hpp"
#include "npuzzle/io/printable.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>

namespace npuzzle::detail {

/// Reads words between white space, and numbers, sign by sign. Knows line and column, and fails with a
/// `ParseError`. Ends on an endless stream.
class WordReader {
public:
    WordReader(std::streambuf& input, const std::string& source, std::int64_t max_blank_bytes)
        : input_(input), source_(source), max_blank_bytes_(max_blank_bytes) {}

    struct Word {
        std::string text; // empty at the end
        std::int64_t line;
        std::int64_t column;
    };

    static constexpr int end = std::char_traits<char>::eof();
    static constexpr std::size_t longest_word = 4096;

    [[nodiscard]] static bool is_space(int c) noexcept { return c == ' ' || ('\t' <= c && c <= '\r'); }

    [[nodiscard]] Word here() const { return {"", line_, column_}; }
    [[nodiscard]] int peek() { return input_.sgetc(); }
    void take() {
        if (input_.sbumpc() == '\n') {
            ++line_;
            column_ = 1;
        } else {
            ++column_;
        }
    }

    /// Takes up to `count` signs at once. Line and column stay, but for `skip_columns`.
    [[nodiscard]] std::int64_t take(char* signs, std::int64_t count) {
        return static_cast<std::int64_t>(input_.sgetn(signs, static_cast<std::streamsize>(count)));
    }
    void skip_columns(std::int64_t count) { column_ += count; }

    /// At the beginning: a UTF-8 byte order mark is no part of the text.
    void skip_mark() {
        if (peek() != 0xEF) return;
        for (const int byte : {0xEF, 0xBB, 0xBF}) {
            if (input_.sbumpc() != byte) fail(here(), "a broken byte order mark");
        }
    }

    void skip_blanks(bool to_line_end) {
        for (std::int64_t count = 0; is_space(peek()) && !(to_line_end && peek() == '\n'); take()) {
            if (++count > max_blank_bytes_) {
                fail(here(), "more than " + std::to_string(max_blank_bytes_) + " bytes of white space");
            }
        }
    }

    [[nodiscard]] Word word() {
        skip_blanks(false);
        Word found = here();
        for (; peek() != end && !is_space(peek()); take()) {
            if (found.text.size() == longest_word) fail(found, "a word of more than 4096 bytes");
            found.text += std::char_traits<char>::to_char_type(peek());
        }
        return found;
    }

    /// The next word of the line; empty at its end.
    [[nodiscard]] Word word_of_line() {
        skip_blanks(true);
        return peek() == '\n' ? here() : word();
    }

    /// What stands before the next tab, without the blanks around it.
    [[nodiscard]] Word field() {
        skip_blanks(true);
        Word found = here();
        for (; peek() != '\t'; take()) {
            if (peek() == end || peek() == '\n') fail(here(), "expected a tab after " + quoted(found));
            if (found.text.size() == longest_word) fail(found, "a field of more than 4096 bytes");
            found.text += std::char_traits<char>::to_char_type(peek());
        }
        found.text.erase(found.text.find_last_not_of(' ') + 1);
        return found;
    }

    [[noreturn]] void fail(const Word& where, const std::string& message) const {
        throw ParseError(source_, where.line, where.column, message);
    }

    [[nodiscard]] static std::string quoted(const Word& word) {
        if (word.text.empty()) return "the end";
        return "'" + printable(word.text.substr(0, 40)) + (word.text.size() > 40 ? "...'" : "'");
    }

    void expect(std::string_view text, const std::string& what) {
        const Word found = word();
        if (found.text != text) {
            fail(found, "expected '" + std::string(text) + "', " + what + ", found " + quoted(found));
        }
    }

    int number(const std::string& what, std::int64_t least, std::int64_t most) {
        return number(word(), what, least, most);
    }
    int number(const Word& found, const std::string& what, std::int64_t least, std::int64_t most) const {
        std::int64_t value = found.text.empty() ? -1 : 0;
        for (const char c : found.text) {
            const bool is_digit = '0' <= c && c <= '9';
            value = is_digit && 0 <= value && value <= (std::numeric_limits<int>::max)()
                        ? 10 * value + (c - '0')
                        : -1;
        }
        if (value < least || value > most) {
            fail(found, "expected " + what + ", a number from " + std::to_string(least) + " to " +
                            std::to_string(most) + ", found " + quoted(found));
        }
        return static_cast<int>(value);
    }

    /// The length of a path, whatever the locale; infinite for "inf" and "-1", which mean that there is none.
    [[nodiscard]] double length(const Word& found) const {
        for (const std::string_view none : {"inf", "Inf", "INF", "infinity", "Infinity"}) {
            if (found.text == none) return std::numeric_limits<double>::infinity();
        }
        std::istringstream digits(found.text);
        digits.imbue(std::locale::classic());
        double value = 0;
        if (!(digits >> value) || !digits.eof() || !(value == -1 || value >= 0)) {
            fail(found,
                 "expected the length of the path, a number of 0 or more, or -1 or inf if there is none, "
                 "found " +
                     quoted(found));
        }
        return value < 0 ? std::numeric_limits<double>::infinity() : value;
    }

private:
    std::streambuf& input_;
    const std::string& source_;
    std::int64_t max_blank_bytes_;
    std::int64_t line_ = 1;
    std::int64_t column_ = 1;
};

} // namespace npuzzle::detail
