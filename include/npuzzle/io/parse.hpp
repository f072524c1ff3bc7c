#pragma once

#include "npuzzle/io/detail/input.hpp"
#include "npuzzle/io/detail/token_reader.hpp"
#include "npuzzle/io/parse_error.hpp"
#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// \file
/// Reads boards from text: the size n, then the n * n tiles row by row as decimal numbers, or n rows of n
/// tiles, or all tiles in one row, without a size. The blank is 0. docs/io.md has all forms that are read.
///
/// Time and memory are linear in the text that there is; `ReadOptions` says how much of it is taken.

namespace npuzzle {

/// How much a reader takes; more, or a MiB of white space and comments in a row, is a `ParseError`. The
/// defaults take every board. Whoever reads what strangers send sets them to what the program can use.
struct ReadOptions {
    /// The greatest size n of a board.
    int max_size = Board::max_size;
    /// The most boards of a text.
    std::int64_t max_boards = 1'000'000;
    /// The most tiles of all boards of a text together, which take four bytes each.
    std::int64_t max_tiles = std::int64_t{Board::max_size} * Board::max_size;
};

namespace detail {

/// Reads the boards of a text. The first number of a board may be its size or its first tile. Both are tried
/// at once, until one of them does not fit.
class BoardParser {
public:
    BoardParser(std::streambuf& input, const std::string& source, const ReadOptions& options)
        : reader_(input), source_(source), options_(options) {}

    /// The one board that the text holds.
    Board parse() {
        Token token;
        next(token);
        Board board = read(token);
        if (token.kind != Kind::end) {
            fail(token, {"expected the end after ", board.cells(), " tiles, found ", reader_.quoted_token()});
        }
        return board;
    }

    /// All boards of the text, one or more.
    NPUZZLE_COLD std::vector<Board> parse_all() {
        std::vector<Board> boards;
        Token token;
        for (next(token); boards.empty() || token.kind != Kind::end;) {
            if (std::cmp_greater_equal(boards.size(), options_.max_boards)) {
                fail(token, {"expected the end after ", boards.size(), " boards, the most that are read"});
            }
            boards.push_back(read(token));
        }
        return boards;
    }

private:
    using Kind = TokenReader::Kind;
    using Token = TokenReader::Token;

    void next(Token& token) {
        if (std::exchange(is_following_, false)) {
            token = following_;
            return;
        }
        reader_.next(token);
        if (token.kind == Kind::too_much) {
            fail(token, {"expected a number, found more than a MiB of white space and comments"});
        }
    }

    static bool is_tile(const Token& token) { return token.kind == Kind::number || token.kind == Kind::gap; }

    std::int64_t cells() const { return size_ * size_; }

    /// The board that begins with the token. Then the token is the one that follows it.
    Board read(Token& token) {
        begin(token);
        while (is_rows_ ? !token.ends_line || !ends_rows(token) : std::ssize(tiles_) != cells()) {
            next(token);
            if (!ends_size(token)) add(token);
        }
        total_ += std::ssize(tiles_);
        next(token);
        return Board(std::move(tiles_));
    }

    /// Takes the size of a board, or its first number, which may also be its first tile.
    NPUZZLE_COLD void begin(Token& token) {
        most_tiles_ = options_.max_tiles - total_;
        most_cells_ = (std::min)(std::int64_t{options_.max_size} * options_.max_size, most_tiles_);
        first_ = largest_ = token;
        size_ = width_ = rows_ = column_ = 0;
        is_rows_ = is_times_ = false;
        tiles_ = {};
        seen_ = {};
        if (token.kind == Kind::word) return set_written_size(token);
        // A number in a line of its own is the size.
        is_rows_ = is_tile(token) && token.value < most_cells_ && (token.follows_bracket || !token.ends_line);
        const bool is_size = token.kind == Kind::number && !token.follows_bracket &&
                             Board::min_size <= token.value && token.value <= options_.max_size;
        if (is_rows_) tiles_.push_back(static_cast<std::int32_t>(token.value));
        if (is_size && !(is_rows_ && token.value * token.value > most_tiles_)) set_size(token.value);
        if (!is_rows_ && !is_size) fail_size(token);
    }

    NPUZZLE_COLD void set_size(std::int64_t size) {
        if (size < Board::min_size || size > options_.max_size) fail_size(first_);
        if (size * size > most_tiles_) fail_tiles(size);
        size_ = size;
    }

    /// Takes a size with a name before it, or such as 3x3.
    NPUZZLE_COLD void set_written_size(Token& token) {
        std::string_view text = reader_.token_text();
        if (text == "n" || text == "N" || text == "size" || text == "Size") {
            next(token);
            first_ = token;
            text = reader_.token_text();
        }
        std::int64_t sides[2] = {token.value, token.value};
        if (token.kind == Kind::word) {
            const char* const end = text.data() + text.size();
            const char* at = std::from_chars(text.data(), end, sides[0]).ptr;
            const int length = length_of_times({at, static_cast<std::size_t>(end - at)});
            sides[1] = 0;
            if (length == 0 || std::from_chars(at + length, end, sides[1]).ptr != end) fail_size(token);
        }
        if (!is_tile(token) && (sides[0] <= 0 || sides[1] <= 0)) fail_size(token);
        if (sides[0] != sides[1]) fail_not_square(sides[0], sides[1]);
        set_size(sides[0]);
        first_.ends_line = true; // no tile
    }

    /// The length of the sign between two sides that a text begins with, or 0.
    static int length_of_times(std::string_view text) {
        return text.starts_with("\xC3\x97") ? 2 : text.find_first_of("xX*") == 0 ? 1 : 0;
    }

    /// Whether the token ends a size such as 3 x 3.
    bool ends_size(const Token& token) {
        if (token.kind == Kind::gap) {
            is_times_ = token.line == first_.line && std::ssize(tiles_) == (is_rows_ ? 1 : 0) &&
                        length_of_times(reader_.token_text()) > 0;
            return false;
        }
        if (!is_times_) return false;
        is_times_ = false;
        if (token.kind != Kind::number || token.value != first_.value) return false;
        first_.ends_line = true; // no tile
        is_rows_ = false;
        tiles_.clear();
        seen_ = {};
        set_size(token.value);
        return true;
    }

    /// Takes a tile, by what the first number may be until now.
    void add(const Token& token) {
        const std::int64_t value = token.value;
        const bool is_new = is_tile(token) && value < most_cells_ && see(value);
        const bool fits_size = is_new && value < cells();
        const bool fits_rows =
            is_new && is_rows_ && value != first_.value && (rows_ == 0 || column_ < width_);
        if (!fits_size) {
            if (!fits_rows) fail_tile(token);
            size_ = 0;
        } else if (is_rows_ && !fits_rows) {
            leave_rows();
        }
        if (tiles_.size() == tiles_.capacity()) { // Memory follows what was read, not what the size claims.
            const auto most = static_cast<std::size_t>(is_rows_ ? most_cells_ : cells());
            tiles_.reserve((std::min)(most, (std::max)(std::size_t{4}, 2 * tiles_.capacity())));
        }
        tiles_.push_back(static_cast<std::int32_t>(value));
        ++column_;
        if (is_rows_ && value > largest_.value) largest_ = token;
    }

    /// The first number is the size and no tile.
    NPUZZLE_COLD void leave_rows() {
        is_rows_ = false;
        tiles_.erase(tiles_.begin());
    }

    /// At the end of a line, whether the rows so far are a board. `token` is the last in the line.
    NPUZZLE_COLD bool ends_rows(const Token& token) {
        const std::int64_t count = std::ssize(tiles_);
        if (rows_ == 0) {
            width_ = count;
        } else if (column_ != width_) {
            if (size_ == 0) fail_length(token);
            leave_rows();
            return false;
        }
        ++rows_;
        column_ = 0;
        if (largest_.value + 1 != count || !is_square()) return false;
        next(following_);
        is_following_ = true;
        if (following_.kind == Kind::end) return true;
        if (width_ == 1) return false;
        if (cells() == count && following_.kind == Kind::number && following_.value == size_ &&
            following_.ends_line) {
            fail(first_,
                 {"ambiguous: ", first_.value,
                  " may be the size of the board or its first tile; a line of its own makes it the size"});
        }
        // What seems to be a board in one row may be the first row of a larger one.
        return rows_ > 1 || following_.value < count || following_.ends_line;
    }

    std::int64_t square_root() const {
        return static_cast<std::int64_t>(std::sqrt(static_cast<double>(tiles_.size())));
    }

    /// Whether the rows make a square: n rows of n numbers, or n * n numbers in one row or in one column.
    bool is_square() const {
        const std::int64_t n = square_root();
        return n >= Board::min_size && n * n == std::ssize(tiles_) &&
               (rows_ == width_ || rows_ == 1 || width_ == 1);
    }

    [[noreturn]] NPUZZLE_COLD void fail(const Token& token, std::initializer_list<TextPiece> message) const {
        throw ParseError(source_, token.line, token.column, text_of(message));
    }

    [[noreturn]] NPUZZLE_COLD void fail_size(const Token& token) const {
        const std::string expected =
            text_of({"expected the size of the board as the first number, from 2 to ", options_.max_size});
        if (token.kind == Kind::end) {
            fail(token, {expected, ", found ", reader_.at_beginning() ? "an empty input" : "the end"});
        }
        const std::string found = reader_.quoted_token();
        if (token.kind == Kind::number || token.kind == Kind::negative_number) {
            fail(token, {"the size ", found, " is out of range: ", expected});
        }
        fail(token, {expected, ", found ", found});
    }

    [[noreturn]] NPUZZLE_COLD void fail_tiles(std::int64_t size) const {
        fail(first_, {"with a board of size ", size, " there are more than ", options_.max_tiles,
                      " tiles, the most that are read"});
    }

    [[noreturn]] NPUZZLE_COLD void fail_not_square(std::int64_t rows, std::int64_t columns) const {
        fail(first_, {"only square boards are read: this one is ", rows, " x ", columns});
    }

    [[noreturn]] NPUZZLE_COLD void fail_range(const Token& token, std::int64_t size) const {
        fail(token, {"tile ", token.value, " is out of range: ", tile_range_text(size)});
    }

    /// If the size stands in a line with tiles, it may have been meant as one.
    NPUZZLE_COLD std::string hint() const {
        return first_.ends_line ? std::string()
                                : text_of({"; the first number, ", size_, ", is the size of the board"});
    }

    /// For what is neither a tile of a board of this size nor one of rows without a size.
    [[noreturn]] NPUZZLE_COLD void fail_tile(const Token& token) {
        if (is_rows_ && (size_ == 0 || (rows_ > 0 && width_ == size_))) fail_rows(token);
        if (is_rows_) leave_rows();
        const std::int64_t cell = std::ssize(tiles_);
        const std::string which = text_of({"tile number ", cell + 1, " of ", cells()});
        if (token.kind == Kind::end) {
            fail(token, {"expected ", which, ", found the end: ", cells() - cell,
                         cells() - cell == 1 ? " number is missing" : " numbers are missing", hint()});
        }
        if (token.kind == Kind::word) {
            fail(token, {"expected ", which, ", a number from 0 to ", cells() - 1, ", found ",
                         reader_.quoted_token(), hint()});
        }
        if (!is_tile(token) || token.value >= cells()) {
            fail(token, {which, ", ", reader_.quoted_token(), ", is out of range: ", tile_range_text(size_),
                         hint()});
        }
        fail_twice(token, cells());
    }

    /// For what does not go on with the rows of a board without a size.
    [[noreturn]] NPUZZLE_COLD void fail_rows(const Token& token) {
        if (first_.value <= options_.max_size && first_.value * first_.value > most_tiles_) {
            fail_tiles(first_.value);
        }
        if (token.kind == Kind::end) {
            if (std::ssize(tiles_) == 1) fail(token, {"expected more tiles, found the end"});
            if (!is_square()) fail_not_square(rows_, width_);
            fail_range(largest_, square_root());
        }
        if (!is_tile(token)) fail(token, {"expected a tile, found ", reader_.quoted_token()});
        if (token.value >= most_cells_) {
            fail(token, {"no board with the tile ", reader_.quoted_token(), " is read: at most ", most_cells_,
                         " cells are"});
        }
        if (rows_ > 0 && column_ == width_) fail_length(token);
        const std::int64_t of = rows_ > 0 ? width_ * width_ : token.ends_line ? std::ssize(tiles_) + 1 : 0;
        if (rows_ > 0 && rows_ >= width_ && largest_.value >= of) fail_range(largest_, width_);
        fail_twice(token, of);
    }

    [[noreturn]] NPUZZLE_COLD void fail_length(const Token& token) const {
        fail(token, {"row ", rows_ + 1, " has ", column_ < width_ ? "fewer" : "more", " numbers than the ",
                     width_, " of row 1"});
    }

    [[noreturn]] NPUZZLE_COLD void fail_twice(const Token& token, std::int64_t cells) const {
        const auto first = std::find(tiles_.begin(), tiles_.end(), token.value) - tiles_.begin();
        fail(token, {tile_text(token.value), " stands twice: as tile number ", first + 1, " and as number ",
                     std::ssize(tiles_) + 1, cells > 0 ? " of " : "", cells > 0 ? std::to_string(cells) : "",
                     size_ > 0 ? hint() : ""});
    }

    /// Adds a tile to the ones after the first number. Returns whether it is new.
    bool see(std::int64_t tile) {
        std::uint64_t& word = seen_[tile >> 10][static_cast<std::size_t>(tile >> 6 & 15)];
        const std::uint64_t bit = std::uint64_t{1} << (tile & 63);
        const bool is_new = (word & bit) == 0;
        word |= bit;
        return is_new;
    }

    TokenReader reader_;
    const std::string& source_;
    const ReadOptions& options_;
    std::int64_t total_ = 0; // tiles of the boards so far
    Token following_;        // if it was read to see how rows go on
    bool is_following_ = false;

    // The board that is being read.
    Token first_;   // its first number, or its size
    Token largest_; // the token of the largest tile
    std::int64_t most_tiles_ = 0;
    std::int64_t most_cells_ = 0;
    std::int64_t size_ = 0;   // by the first number; 0 if that is no size
    std::int64_t width_ = 0;  // of the first row
    std::int64_t rows_ = 0;   // that are complete
    std::int64_t column_ = 0; // in the next one
    bool is_rows_ = false;    // whether the first number may be a tile; it is in `tiles_` then
    bool is_times_ = false;   // whether the last token was the sign in 3 x 3
    std::vector<std::int32_t> tiles_;
    std::unordered_map<std::int64_t, std::array<std::uint64_t, 16>> seen_; // 1024 tiles of the set in each
};

} // namespace detail

/// The board that a text describes. `source` is its name in error messages.
/// \throws ParseError if the text is not one board, and nothing else, in the file format, or more than the
///         options allow
[[nodiscard]] inline Board parse_board(std::string_view text, const std::string& source = "input",
                                       const ReadOptions& options = {}) {
    detail::TextInput input(text);
    return detail::BoardParser(input, source, options).parse();
}

/// The same from a stream, which is read once, in pieces of 16 KiB, from its current position to its end or
/// to the first error, and left with `eofbit` set if there is none.
/// \throws ParseError also if `input` is in a failed state from the start, as after a file that could not be
///         opened; and whatever the stream buffer throws. By that a program can end reading: a buffer that
///         throws when the user has asked for it.
[[nodiscard]] inline Board read_board(std::istream& input, const std::string& source = "input",
                                      const ReadOptions& options = {}) {
    Board board = detail::BoardParser(detail::buffer_of(input, source), source, options).parse();
    input.setstate(std::ios_base::eofbit);
    return board;
}

/// The same for several boards, one after another: one or more.
[[nodiscard]] inline std::vector<Board> read_boards(std::istream& input, const std::string& source = "input",
                                                    const ReadOptions& options = {}) {
    auto boards = detail::BoardParser(detail::buffer_of(input, source), source, options).parse_all();
    input.setstate(std::ios_base::eofbit);
    return boards;
}

/// The board in a file, named by a string or a std::filesystem::path.
/// \throws ParseError likewise; the source is the file's name
/// \throws std::system_error, which begins with the file's name, if the file does not exist, may not be read,
///         or is a directory
[[nodiscard]] inline Board read_board_file(const detail::FileName& file, const ReadOptions& options = {}) {
    detail::FileInput input(file);
    return detail::BoardParser(input, file.text(), options).parse();
}

/// The same for several boards, one or more.
[[nodiscard]] inline std::vector<Board> read_boards_file(const detail::FileName& file,
                                                         const ReadOptions& options = {}) {
    detail::FileInput input(file);
    return detail::BoardParser(input, file.text(), options).parse_all();
}

} // namespace npuzzle
