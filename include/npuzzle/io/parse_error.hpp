#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace npuzzle {

namespace detail {

/// The number of bytes of the UTF-8 character that a text begins with, if it can be shown; 0 for a control
/// character, for one that changes the direction of writing, and for what is not UTF-8. Requires a text that
/// is not empty.
inline std::size_t shown_bytes(std::string_view text) noexcept {
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i]) & 0xff; };
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    if (length > text.size() || (byte(0) & 0xc0) == 0x80 || byte(0) > 0xf4) return 0;
    std::uint32_t character = length == 1 ? byte(0) : byte(0) & (0xff >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        character = character << 6 | (byte(i) & 0x3f);
    }
    const bool is_character =
        character >= least[length] && character <= 0x10ffff && !(character >= 0xd800 && character <= 0xdfff);
    const bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0) ||
                            (character >= 0x2028 && character <= 0x202e) ||
                            (character >= 0x2066 && character <= 0x2069);
    return is_character && !is_control ? length : 0;
}

} // namespace detail

/// `text` as it can be shown on a terminal, on one line: UTF-8, in which each byte of a control character, of
/// a character that changes the direction of writing, and of what is no UTF-8 is written as `\x1b`. For names
/// of files, which can hold any of them. O(length).
[[nodiscard]] NPUZZLE_COLD inline std::string printable(std::string_view text) {
    static constexpr char hexadecimal[] = "0123456789abcdef";
    std::string shown;
    while (!text.empty()) {
        if (const std::size_t length = detail::shown_bytes(text); length != 0) {
            shown += text.substr(0, length);
            text.remove_prefix(length);
        } else {
            const auto byte = static_cast<unsigned char>(text.front());
            shown += "\\x";
            shown += hexadecimal[byte / 16];
            shown += hexadecimal[byte % 16];
            text.remove_prefix(1);
        }
    }
    return shown;
}

/// An error in a text that should be a board, a map or the like. `what()` is "source:line:column: message".
/// The message says what was expected and what was found.
class ParseError : public std::runtime_error {
public:
    /// An error in `source`, a file name or the like, at a line and a column, both counted from 1.
    NPUZZLE_COLD ParseError(const std::string& source, std::int64_t line, std::int64_t column,
                            const std::string& message)
        : std::runtime_error(detail::text_of({printable(source), ":", line, ":", column, ": ", message})),
          source_length_(printable(source).size()), line_(line), column_(column) {}

    /// The file name, or whatever name the caller gave the text, as printable() shows it.
    [[nodiscard]] std::string_view source() const noexcept { return {what(), source_length_}; }

    /// The line of what is wrong, or the last line if something is missing at the end; counted from 1.
    [[nodiscard]] std::int64_t line() const noexcept { return line_; }

    /// The column of its first character, in bytes, counted from 1.
    [[nodiscard]] std::int64_t column() const noexcept { return column_; }

private:
    // The source is a prefix of what(): a string member could make copying the error throw.
    std::size_t source_length_;
    std::int64_t line_;
    std::int64_t column_;
};

} // namespace npuzzle
