#pragma once

#include "npuzzle/io/detail/open_file.hpp"
#include "npuzzle/io/detail/sparse_set.hpp"
#include "npuzzle/io/detail/token_reader.hpp"
#include "npuzzle/io/parse_error.hpp"
#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/detail/tile_errors.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <ios>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Reads boards from text. The format: the size n, then the n * n tiles row by row as decimal numbers,
/// 0 for the blank; any white space between them, none needed at the end; `#` starts a comment, which ends
/// with its line. A text holds one board, or for read_boards() several, one after another. A byte order mark
/// of UTF-8 at its beginning is skipped.
///
/// Time and memory follow the text that there is, not the size that it claims, so a text may come from
/// anyone; `ReadOptions` says how much of it is taken.

namespace npuzzle {

/// How much a reader takes; more is a `ParseError`. The defaults take every board, and end on an endless
/// stream. Whoever reads what strangers send sets them to what the program can use.
struct ReadOptions {
    /// The greatest size n of a board.
    int max_size = Board::max_size;
    /// The most boards of a text.
    std::int64_t max_boards = 1'000'000;
    /// The most tiles of all boards of a text together, which take four bytes each.
    std::int64_t max_tiles = std::int64_t{Board::max_size} * Board::max_size;
    /// The most bytes of white space and comments in a row, in a stream; looked at every 64 KiB.
    std::int64_t max_blank_bytes = std::int64_t{1} << 28;
};

namespace detail {

/// Reads the boards of a text.
class BoardParser {
public:
    BoardParser(TokenReader& reader, const std::string& source, const ReadOptions& options)
        : reader_(reader), source_(source), options_(options) {}

    /// The one board that the text holds.
    [[nodiscard]] Board parse() {
        Board board = parse_board(next());
        const Token token = next();
        if (token.kind != Kind::end) fail(token, {expected_end(board), reader_.quoted_token()});
        return board;
    }

    /// All boards of the text, one or more.
    [[nodiscard]] std::vector<Board> parse_all() {
        std::vector<Board> boards;
        for (Token token = next(); boards.empty() || token.kind != Kind::end; token = next()) {
            if (std::cmp_greater_equal(boards.size(), options_.max_boards)) {
                fail(token, {"expected the end after ", number_text(static_cast<std::int64_t>(boards.size())),
                             " boards, the most that are read"});
            }
            boards.push_back(boards.size() == 1 ? parse_second_board(token, boards.front())
                                                : parse_board(token));
        }
        return boards;
    }

private:
    using Kind = TokenReader::Kind;
    using Token = TokenReader::Token;

    [[nodiscard]] Token next() {
        const Token token = reader_.next();
        if (token.kind == Kind::blank) {
            fail(token, {"expected a number, found more than ", number_text(options_.max_blank_bytes),
                         " bytes of white space and comments"});
        }
        return token;
    }

    /// The board whose size is the token.
    [[nodiscard]] Board parse_board(const Token& size) {
        const int n = size_of(size);
        const std::int64_t cells = std::int64_t{n} * n;
        if (cells > options_.max_tiles - tiles_) {
            fail(size, {"with a board of size ", number_text(std::int64_t{n}), " there are more than ",
                        number_text(options_.max_tiles), " tiles, the most that are read"});
        }
        tiles_ += cells;
        SparseSet seen;
        std::vector<std::int32_t> tiles;
        for (std::int64_t cell = 0; cell < cells; ++cell) {
            const Token token = next();
            if (cell == 0) is_size_in_row_ = token.kind != Kind::end && token.line == size.line;
            if (token.kind != Kind::number || token.value >= cells) fail_tile(token, cell, n);
            if (!seen.insert(token.value)) fail_twice(token, tiles, seen, n);
            if (tiles.size() == tiles.capacity()) grow(tiles, static_cast<std::size_t>(cells));
            tiles.push_back(static_cast<std::int32_t>(token.value));
        }
        return Board(std::move(tiles));
    }

    /// After a single board, what follows may be the start of another board, or too much.
    [[nodiscard]] Board parse_second_board(const Token& size, const Board& first) {
        const std::string found = reader_.quoted_token();
        try {
            return parse_board(size);
        } catch (const ParseError& error) {
            const auto source_length = error.source().size() + 1;
            fail(size, {expected_end(first), found, ", which begins no other board: ",
                        std::string_view(error.what()).substr(source_length)});
        }
    }

    [[nodiscard]] NPUZZLE_COLD static std::string expected_end(const Board& board) {
        return text_of({"expected the end after ", number_text(board.cells()), " tiles, found "});
    }

    [[noreturn]] NPUZZLE_COLD void fail(const Token& token,
                                        std::initializer_list<std::string_view> message) const {
        throw ParseError(source_, token.line, token.column, text_of(message));
    }

    [[nodiscard]] int size_of(const Token& token) const {
        if (token.kind != Kind::number || token.value < Board::min_size || token.value > options_.max_size) {
            fail_size(token);
        }
        return static_cast<int>(token.value);
    }

    [[noreturn]] NPUZZLE_COLD void fail_size(const Token& token) const {
        const std::string expected =
            text_of({"expected the size of the board as the first number, from 2 to ",
                     number_text(std::int64_t{options_.max_size})});
        if (token.kind == Kind::end) {
            fail(token, {expected, ", found ", reader_.at_beginning() ? "an empty input" : "the end"});
        }
        if (token.kind == Kind::word) fail(token, {expected, ", found ", reader_.quoted_token()});
        fail(token, {"the size ", reader_.quoted_token(), " is out of range: ", expected});
    }

    /// If the size stands in a line with tiles, it may have been meant as one.
    [[nodiscard]] NPUZZLE_COLD std::string hint(std::int64_t n) const {
        return is_size_in_row_
                   ? text_of({"; the first number, ", number_text(n), ", is the size of the board"})
                   : std::string();
    }

    [[noreturn]] NPUZZLE_COLD void fail_tile(const Token& token, std::int64_t cell, int n) const {
        const std::int64_t cells = std::int64_t{n} * n;
        const std::string which =
            text_of({"tile number ", number_text(cell + 1), " of ", number_text(cells)});
        if (token.kind == Kind::end) {
            fail(token, {"expected ", which, ", found the end: ", number_text(cells - cell),
                         cells - cell == 1 ? " number is missing" : " numbers are missing", hint(n)});
        }
        if (token.kind == Kind::word) {
            fail(token, {"expected ", which, ", a number from 0 to ", number_text(cells - 1), ", found ",
                         reader_.quoted_token()});
        }
        fail(token,
             {which, ", ", reader_.quoted_token(), ", is out of range: ", tile_range_text(n), hint(n)});
    }

    /// If one tile occurs twice, another one is missing. Reads the rest of the text to say which one, unless
    /// that is long or has errors of its own.
    [[noreturn]] NPUZZLE_COLD void fail_twice(const Token& token, const std::vector<std::int32_t>& tiles,
                                              SparseSet& seen, int n) {
        const std::int64_t cells = std::int64_t{n} * n;
        std::int64_t first = 0;
        while (tiles[static_cast<std::size_t>(first)] != token.value) ++first;
        const auto number = static_cast<std::int64_t>(tiles.size()) + 1;
        std::string missing;
        auto left = cells - number;
        constexpr std::int64_t max_left = 10'000; // A claimed size is no reason to read for minutes.
        for (; left > 0 && left <= max_left; --left) {
            const Token other = reader_.next();
            if (other.kind != Kind::number || other.value >= cells) break;
            seen.insert(other.value);
        }
        if (left == 0 && reader_.next().kind == Kind::end) {
            missing = text_of({"; ", tile_text(seen.least_absent()), " is missing"});
        }
        fail(token, {tile_text(token.value), " stands twice: as tile number ", number_text(first + 1),
                     " and as number ", number_text(number), " of ", number_text(cells), missing, hint(n)});
    }

    /// Doubles the capacity for tiles, up to what the board needs. Memory follows what was read, not what the
    /// header claims.
    static void grow(std::vector<std::int32_t>& tiles, std::size_t cells) {
        const std::size_t doubled = tiles.capacity() < 512 ? 1024 : 2 * tiles.capacity();
        tiles.reserve(doubled < cells ? doubled : cells);
    }

    TokenReader& reader_;
    const std::string& source_;
    const ReadOptions& options_;
    std::int64_t tiles_ = 0; // of the boards so far
    bool is_size_in_row_ = false;
};

} // namespace detail

/// The board that `text` describes. `source` is its name in error messages.
/// \throws ParseError if the text is not one board, and nothing else, in the file format, or more than the
///         options allow.
///
/// O(length) time and memory.
[[nodiscard]] inline Board parse_board(std::string_view text, const std::string& source = "input",
                                       const ReadOptions& options = {}) {
    detail::TokenReader reader(text);
    return detail::BoardParser(reader, source, options).parse();
}

namespace detail {

/// A reader of the rest of `input`.
[[nodiscard]] inline TokenReader reader_of(std::istream& input, const std::string& source,
                                           const ReadOptions& options) {
    if (!input.good()) throw ParseError(source, 1, 1, "the stream cannot be read");
    return TokenReader(*input.rdbuf(), options.max_blank_bytes);
}

} // namespace detail

/// The board that `input` holds, from its current position to its end. `source` is its name in error
/// messages.
///
/// The stream is read once, in pieces of 64 KiB, to its end or to the first error, and left with `eofbit`
/// set if there is none. O(length) time and memory; half as much again as the board takes while it is read.
/// \throws ParseError if the text is not one board, and nothing else, in the file format, or more than the
///         options allow, or if `input` is in a failed state from the start, as after a file that could not
///         be opened; and whatever the stream buffer throws. By that a program can end reading: a buffer that
///         throws when the user has asked for it.
[[nodiscard]] inline Board read_board(std::istream& input, const std::string& source = "input",
                                      const ReadOptions& options = {}) {
    detail::TokenReader reader = detail::reader_of(input, source, options);
    Board board = detail::BoardParser(reader, source, options).parse();
    input.setstate(std::ios_base::eofbit);
    return board;
}

/// The boards that `input` holds, one after another, from its current position to its end: one or more. Like
/// read_board() in everything else.
[[nodiscard]] inline std::vector<Board> read_boards(std::istream& input, const std::string& source = "input",
                                                    const ReadOptions& options = {}) {
    detail::TokenReader reader = detail::reader_of(input, source, options);
    std::vector<Board> boards = detail::BoardParser(reader, source, options).parse_all();
    input.setstate(std::ios_base::eofbit);
    return boards;
}

/// The board in a file.
/// \throws ParseError if its text is not one board, and nothing else, in the file format, or more than the
///         options allow; the source is the file's name.
/// \throws std::system_error, which begins with the file's name, if the file does not exist, may not be read,
///         or is a directory.
///
/// O(length) time and memory, as of read_board().
[[nodiscard]] inline Board read_board_file(const std::filesystem::path& file,
                                           const ReadOptions& options = {}) {
    return detail::with_file(file, [&](std::streambuf& input, const std::string& name) {
        detail::TokenReader reader(input, options.max_blank_bytes);
        return detail::BoardParser(reader, name, options).parse();
    });
}

} // namespace npuzzle
