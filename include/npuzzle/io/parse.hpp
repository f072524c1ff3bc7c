#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/cell_set.hpp"
#include "npuzzle/puzzle/detail/tile_errors.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <istream>
#include <memory>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// \file
/// Reads boards from text. The format: the size n, then the n * n tiles row by row as decimal numbers,
/// 0 for the blank; any white space between them, none needed at the end; `#` starts a comment, which ends
/// with its line. A text holds one board. A byte order mark of UTF-8 at its beginning is skipped.

namespace npuzzle {

/// An error in a text that should be a board. `what()` is "source:line:column: message". The message says
/// what was expected and what was found.
class ParseError : public std::runtime_error {
public:
    /// An error in `source`, a file name or the like, at a line and a column, both counted from 1.
    ParseError(const std::string& source, std::int64_t line, std::int64_t column, const std::string& message)
        : std::runtime_error(source + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " +
                             message),
          source_length_(source.size()), line_(line), column_(column) {}

    /// The file name, or whatever name the caller gave the text.
    [[nodiscard]] std::string_view source() const noexcept { return {what(), source_length_}; }

    /// The line of the offending number, or the last line if something is missing at the end; counted from 1.
    [[nodiscard]] std::int64_t line() const noexcept { return line_; }

    /// The column of its first character, in bytes, counted from 1.
    [[nodiscard]] std::int64_t column() const noexcept { return column_; }

private:
    // The source is a prefix of what(): a string member could make copying the error throw.
    std::size_t source_length_;
    std::int64_t line_;
    std::int64_t column_;
};

namespace detail {

/// Splits a text into numbers and other words, separated by white space and comments. Tracks line and column.
class TokenReader {
public:
    enum class Kind : std::uint8_t { end, number, negative_number, word };

    struct Token {
        Kind kind;
        std::int64_t value; // of a number; one that is too large becomes `huge`
        std::int64_t line;
        std::int64_t column;
    };

    static constexpr std::int64_t huge = 100'000'000'000'000'000;

    /// Reads a text in memory, in place.
    explicit TokenReader(std::string_view text) : next_(text.data()), end_(text.data() + text.size()) {
        skip_byte_order_mark();
    }

    /// Reads a stream to its end, in pieces of 64 KiB.
    explicit TokenReader(std::streambuf& input)
        : input_(&input), buffer_(std::make_unique<char[]>(buffer_size)), next_(buffer_.get()),
          end_(buffer_.get()) {
        refill();
        skip_byte_order_mark();
    }

    [[nodiscard]] Token next() {
        skip_space_and_comments();
        Token token{Kind::number, 0, line_, offset_of(next_) - line_start_ + 1};
        if (!more()) {
            token.kind = Kind::end;
            return token;
        }
        token_ = next_;
        token_offset_ = offset_of(next_);
        do {
            const char* position = next_;
            std::int64_t value = token.value;
            for (; position != end_ && is_digit(*position); ++position) {
                value = value < huge / 10 ? value * 10 + (*position - '0') : huge;
            }
            token.value = value;
            next_ = position;
        } while (next_ == end_ && refill());
        if (next_ != end_ && !ends_token(*next_)) {
            while (more() && !ends_token(*next_)) ++next_;
            token.kind = is_negative_number() ? Kind::negative_number : Kind::word;
        }
        token_length_ = offset_of(next_) - token_offset_;
        return token;
    }

    /// The text of the last token, in quotes, shortened and made printable. Requires that it was not the end.
    [[nodiscard]] std::string quoted_token() const {
        static constexpr char hexadecimal[] = "0123456789abcdef";
        std::string text = "'";
        for (std::int64_t k = 0; k < token_length_ && k < shown_length; ++k) {
            const auto byte = static_cast<unsigned char>(token_[k]);
            if (byte > 0x20 && byte < 0x7f) {
                text += static_cast<char>(byte);
            } else {
                text += "\\x";
                text += hexadecimal[byte / 16];
                text += hexadecimal[byte % 16];
            }
        }
        return text + (token_length_ > shown_length ? "...'" : "'");
    }

    /// Whether nothing has been read, not even white space or a comment.
    [[nodiscard]] bool at_beginning() const noexcept {
        return next_ == end_ && offset_of(next_) == line_start_ && line_ == 1;
    }

private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 16;
    static constexpr std::int64_t shown_length = 40;

    [[nodiscard]] static bool is_digit(char c) noexcept { return '0' <= c && c <= '9'; }
    [[nodiscard]] static bool is_space(char c) noexcept { return c == ' ' || ('\t' <= c && c <= '\r'); }
    [[nodiscard]] static bool ends_token(char c) noexcept { return is_space(c) || c == '#'; }

    [[nodiscard]] std::int64_t offset_of(const char* position) const noexcept {
        return end_offset_ - (end_ - position);
    }

    [[nodiscard]] bool more() { return next_ != end_ || refill(); }

    /// Replaces the buffer by the next piece of the stream. Keeps the beginning of a token that is being
    /// read.
    bool refill() {
        if (input_ == nullptr) return false;
        std::int64_t kept = 0;
        if (token_ != nullptr) {
            kept = end_ - token_ < shown_length ? end_ - token_ : shown_length;
            std::memmove(buffer_.get(), token_, static_cast<std::size_t>(kept));
            token_ = buffer_.get();
        }
        char* const begin = buffer_.get() + kept;
        const auto room = static_cast<std::streamsize>(buffer_size) - static_cast<std::streamsize>(kept);
        const auto count = static_cast<std::int64_t>(input_->sgetn(begin, room));
        next_ = begin;
        end_ = begin + count;
        end_offset_ += count;
        return count != 0;
    }

    void skip_byte_order_mark() noexcept {
        if (input_ == nullptr) end_offset_ = end_ - next_;
        if (end_ - next_ >= 3 && std::memcmp(next_, "\xEF\xBB\xBF", 3) == 0) {
            next_ += 3;
            line_start_ = 3;
        }
    }

    void skip_space_and_comments() {
        token_ = nullptr;
        while (more()) {
            if (*next_ == '\n') {
                ++line_;
                line_start_ = offset_of(++next_);
            } else if (is_space(*next_)) {
                ++next_;
            } else if (*next_ == '#') {
                while (more() && *next_ != '\n' && *next_ != '\r') ++next_;
            } else {
                return;
            }
        }
    }

    [[nodiscard]] bool is_negative_number() const noexcept {
        if (*token_ != '-' || next_ - token_ < 2) return false;
        for (const char* position = token_ + 1; position != next_; ++position) {
            if (!is_digit(*position)) return false;
        }
        return true;
    }

    std::streambuf* input_ = nullptr;
    std::unique_ptr<char[]> buffer_;
    const char* next_;
    const char* end_;
    std::int64_t end_offset_ = 0;
    const char* token_ = nullptr;
    std::int64_t token_offset_ = 0;
    std::int64_t token_length_ = 0;
    std::int64_t line_ = 1;
    std::int64_t line_start_ = 0;
};

/// Reads the one board of a text.
class BoardParser {
public:
    BoardParser(TokenReader& reader, const std::string& source) : reader_(reader), source_(source) {}

    [[nodiscard]] Board parse() {
        const int n = parse_size();
        const std::int64_t cells = std::int64_t{n} * n;
        CellSet seen(cells);
        std::vector<std::int32_t> tiles;
        for (std::int64_t cell = 0; cell < cells; ++cell) {
            const Token token = reader_.next();
            if (token.kind != Kind::number || token.value >= cells) fail_tile(token, cell, n);
            if (!seen.insert(token.value)) fail_twice(token, tiles, seen, n);
            if (tiles.size() == tiles.capacity()) grow(tiles, static_cast<std::size_t>(cells));
            tiles.push_back(static_cast<std::int32_t>(token.value));
        }
        const Token token = reader_.next();
        if (token.kind != Kind::end) {
            fail(token, "expected the end after " + std::to_string(cells) + " tiles, found " +
                            reader_.quoted_token());
        }
        return Board(std::move(tiles));
    }

private:
    using Kind = TokenReader::Kind;
    using Token = TokenReader::Token;

    [[noreturn]] void fail(const Token& token, const std::string& message) const {
        throw ParseError(source_, token.line, token.column, message);
    }

    [[nodiscard]] int parse_size() {
        const Token token = reader_.next();
        const std::string expected = "expected the size of the board, a number from 2 to 32767";
        if (token.kind == Kind::end) {
            fail(token, expected + ", found " + (reader_.at_beginning() ? "an empty input" : "the end"));
        }
        if (token.kind == Kind::word) fail(token, expected + ", found " + reader_.quoted_token());
        if (token.kind == Kind::negative_number || token.value < Board::min_size ||
            token.value > Board::max_size) {
            fail(token, "the size " + reader_.quoted_token() + " is out of range: " + expected);
        }
        return static_cast<int>(token.value);
    }

    [[noreturn]] void fail_tile(const Token& token, std::int64_t cell, int n) const {
        const std::int64_t cells = std::int64_t{n} * n;
        const std::string which = "tile number " + std::to_string(cell + 1) + " of " + std::to_string(cells);
        if (token.kind == Kind::end) {
            fail(token, "expected " + which + ", found the end: " + std::to_string(cells - cell) +
                            (cells - cell == 1 ? " is missing" : " are missing"));
        }
        if (token.kind == Kind::word) {
            fail(token, "expected " + which + ", a number from 0 to " + std::to_string(cells - 1) +
                            ", found " + reader_.quoted_token());
        }
        fail(token, which + ", " + reader_.quoted_token() + ", is out of range: " + tile_range_text(n));
    }

    /// If one tile occurs twice, another one is missing. Reads the rest of the text to say which one, unless
    /// the rest has errors of its own.
    [[noreturn]] void fail_twice(const Token& token, const std::vector<std::int32_t>& tiles, CellSet& seen,
                                 int n) {
        const std::int64_t cells = std::int64_t{n} * n;
        std::size_t first = 0;
        while (tiles[first] != token.value) ++first;
        std::string message = tile_text(token.value) + " stands twice: as tile number " +
                              std::to_string(first + 1) + " and as number " +
                              std::to_string(tiles.size() + 1) + " of " + std::to_string(cells);
        auto left = cells - static_cast<std::int64_t>(tiles.size()) - 1;
        for (; left > 0; --left) {
            const Token other = reader_.next();
            if (other.kind != Kind::number || other.value >= cells) break;
            seen.insert(other.value);
        }
        if (left == 0 && reader_.next().kind == Kind::end) {
            message += "; " + tile_text(seen.next_absent(0, cells)) + " is missing";
        }
        fail(token, message);
    }

    /// Doubles the capacity for tiles, up to what the board needs. Memory follows what was read, not what the
    /// header claims.
    static void grow(std::vector<std::int32_t>& tiles, std::size_t cells) {
        const std::size_t doubled = tiles.capacity() < 512 ? 1024 : 2 * tiles.capacity();
        tiles.reserve(doubled < cells ? doubled : cells);
    }

    TokenReader& reader_;
    const std::string& source_;
};

} // namespace detail

/// The board that `text` describes. `source` is its name in error messages.
/// \throws ParseError if the text is not one board, and nothing else, in the file format.
///
/// O(length) time; memory for the board and one bit a cell.
[[nodiscard]] inline Board parse_board(std::string_view text, const std::string& source = "input") {
    detail::TokenReader reader(text);
    return detail::BoardParser(reader, source).parse();
}

/// The board that `input` holds, from its current position to its end. `source` is its name in error
/// messages.
///
/// The stream is read to its end in pieces of 64 KiB and left with `eofbit` set. O(length) time; memory for
/// the board (half as much again while it is being read) and one bit a cell.
/// \throws ParseError if the text is not one board, and nothing else, in the file format, or if `input` is in
///         a failed state from the start, as that of a file that could not be opened; and whatever the stream
///         buffer throws.
[[nodiscard]] inline Board read_board(std::istream& input, const std::string& source = "input") {
    if (!input.good()) throw ParseError(source, 1, 1, "the stream cannot be read");
    detail::TokenReader reader(*input.rdbuf());
    Board board = detail::BoardParser(reader, source).parse();
    input.setstate(std::ios_base::eofbit);
    return board;
}

/// The board in a file.
/// \throws ParseError if its text is not one board, and nothing else, in the file format; the source is the
/// file's name.
/// \throws std::system_error, which begins with the file's name, if the file does not exist, may not be read,
///         or is a directory.
///
/// O(length) time; memory for the board (half as much again while it is being read) and one bit a cell.
[[nodiscard]] inline Board read_board_file(const std::filesystem::path& file) {
    const std::string name = file.string();
    std::error_code no_status;
    if (std::filesystem::is_directory(file, no_status)) {
        throw std::system_error(std::make_error_code(std::errc::is_a_directory), name);
    }
    std::filebuf input;
    errno = 0;
    if (input.open(file, std::ios_base::in | std::ios_base::binary) == nullptr) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), name);
    }
    try {
        detail::TokenReader reader(input);
        return detail::BoardParser(reader, name).parse();
    } catch (const std::ios_base::failure&) {
        throw std::system_error(std::make_error_code(std::errc::io_error), name);
    }
}

} // namespace npuzzle
