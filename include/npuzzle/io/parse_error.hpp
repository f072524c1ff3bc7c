#pragma once

#include "npuzzle/io/printable.hpp"
#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace npuzzle {

/// An error in a text that should be a board, a map or the like. `what()` is "source:line:column: message".
/// The message says what was expected and what was found.
class ParseError : public std::runtime_error {
public:
    /// An error in `source`, a file name or the like, at a line and a column, both counted from 1.
    NPUZZLE_COLD ParseError(const std::string& source, std::int64_t line, std::int64_t column,
                            const std::string& message)
        : std::runtime_error(detail::text_of({printable(source), ":", detail::number_text(line), ":",
                                              detail::number_text(column), ": ", message})),
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
