/// @file
/// Fuzzes the parser of boards. The same text in memory and as a stream gives the same board or the same
/// error, and a second, plain reader of the format agrees about which texts are boards.
#include <npuzzle/io/format.hpp>
#include <npuzzle/io/parse.hpp>

#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <iterator>
#include <optional>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

/// Gives a text in pieces of a few bytes.
class Pieces : public std::streambuf {
public:
    Pieces(std::string text, std::size_t piece) : text_(std::move(text)), piece_(piece) {}

protected:
    int_type underflow() override {
        if (at_ == text_.size()) {
            return traits_type::eof();
        }
        const std::size_t length = std::min(piece_, text_.size() - at_);
        setg(text_.data() + at_, text_.data() + at_, text_.data() + at_ + length);
        at_ += length;
        return traits_type::to_int_type(*gptr());
    }

private:
    std::string text_;
    std::size_t piece_;
    std::size_t at_ = 0;
};

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) {
        text.replace(at, what.size(), by);
    }
}

/// A text in UTF-8, with one sign for all spaces, one for all bars, and one for all that only separates.
std::string normalized(std::string text) {
    const bool has_mark = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
    if (text.size() > 1 && (has_mark || (text[0] == 0) != (text[1] == 0))) {
        const std::size_t high = text[0] == (has_mark ? '\xFE' : '\0') ? 0 : 1;
        std::string utf8;
        for (std::size_t i = has_mark ? 2 : 0; i < text.size(); i += 2) {
            if (i + 1 == text.size()) {
                utf8 += '\xFF';
                break;
            }
            const auto unit = static_cast<unsigned>(static_cast<unsigned char>(text[i + high]) * 256 +
                                                    static_cast<unsigned char>(text[i + 1 - high]));
            if (unit < 0x80) {
                utf8 += static_cast<char>(unit);
            } else if (unit < 0x800) {
                utf8 += {static_cast<char>(0xC0 + unit / 64), static_cast<char>(0x80 + unit % 64)};
            } else {
                utf8 += {static_cast<char>(0xE0 + unit / 4096), static_cast<char>(0x80 + unit / 64 % 64),
                         static_cast<char>(0x80 + unit % 64)};
            }
        }
        text = utf8;
    }
    std::vector<std::string> spaces{"\xC2\xA0",     "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80",
                                    "\xEF\xBB\xBF", "\t",           "\v",           "\f"};
    for (char last = '\x80'; last <= '\x8B'; ++last) spaces.push_back(std::string("\xE2\x80") + last);
    for (const std::string& space : spaces) replace_all(text, space, " ");
    for (const char* bar : {"\xE2\x94\x82", "\xE2\x94\x83", "\xE2\x95\x91"}) replace_all(text, bar, "|");
    for (const char* block : {"\xE2\x94", "\xE2\x95"}) {
        for (int last = 0x80; last < 0xC0; ++last)
            replace_all(text, block + std::string(1, static_cast<char>(last)), ",");
    }
    replace_all(text, "\r", "\n");
    return text;
}

struct Word {
    std::string text;
    std::size_t line;
    bool ends_row; // the last in its line

    [[nodiscard]] bool is_gap() const {
        const bool is_repeated = text.size() == 2 && text[0] == text[1];
        return text == "\xC3\x97" || ((text.size() == 1 || is_repeated) &&
                                      std::string_view("_-.xX*").find(text[0]) != std::string_view::npos);
    }
    [[nodiscard]] bool is_times() const {
        return is_gap() && std::string_view("_-.").find(text[0]) == std::string_view::npos;
    }
    [[nodiscard]] std::optional<long> number() const {
        if (text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
        const std::size_t begin = std::min(text.find_first_not_of('0'), text.size());
        return text.size() - begin > 12 ? std::nullopt
                                        : std::optional(std::strtol(text.c_str(), nullptr, 10));
    }
    /// The tile, or -1.
    [[nodiscard]] long tile() const { return is_gap() ? 0 : number().value_or(-1); }
};

/// The words of a text, without its comments. `is_bracketed` says whether a bracket opens before the first.
std::vector<Word> words_of(const std::string& text, bool& is_bracketed) {
    std::vector<Word> words;
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line); ++number) {
        line.resize(std::min({line.size(), line.find('#'), line.find("//")}));
        for (std::size_t bar = line.find('|'); bar < line.size(); bar = line.find('|', bar + 1)) {
            const std::size_t next = line.find_first_not_of(' ', bar + 1);
            if (next < line.size() && next > bar + 1 && line[next] == '|') line.insert(bar + 1, " _");
        }
        bool is_in_word = false;
        bool is_first = true;
        for (const char c : line) {
            const bool is_bracket = std::string_view("[({").find(c) != std::string_view::npos;
            is_bracketed = is_bracketed || (words.empty() && is_bracket);
            if (is_bracket || std::string_view(" |]}),;:=/").find(c) != std::string_view::npos) {
                is_in_word = false;
                continue;
            }
            if (!is_in_word) {
                if (!is_first) words.back().ends_row = false;
                words.push_back({"", number, true});
            }
            is_first = false;
            is_in_word = true;
            words.back().text += c;
        }
    }
    return words;
}

/// Takes the lines of tables away. A row does not end before one.
void drop_rules(std::vector<Word>& words) {
    std::erase_if(words, [](const Word& word) {
        return word.text.size() > 2 && word.text.size() <= 1000 &&
               word.text.find_first_not_of("-+") == std::string::npos;
    });
}

using Tiles = std::vector<long>;

/// The tiles, if they are a board of that size.
std::optional<Tiles> board_of(const Tiles& tiles, long size) {
    if (size < 2 || size > 32767 || std::ssize(tiles) != size * size) return std::nullopt;
    Tiles sorted = tiles;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != static_cast<long>(i)) return std::nullopt;
    }
    return tiles;
}

Tiles tiles_of(const std::vector<Word>& words, std::size_t begin, std::size_t end) {
    Tiles tiles;
    for (std::size_t i = begin; i < end; ++i) tiles.push_back(words[i].tile());
    return tiles;
}

/// The tiles of the board that a text is, if it is one.
std::optional<Tiles> plainly_read(const std::string& text) {
    bool is_bracketed = false;
    std::vector<Word> words = words_of(normalized(text), is_bracketed);
    drop_rules(words);
    if (words.empty()) return std::nullopt;
    const auto rest = [&](std::size_t begin) { return tiles_of(words, begin, words.size()); };

    // A size that can be nothing else.
    const bool is_named =
        words[0].text == "n" || words[0].text == "N" || words[0].text == "size" || words[0].text == "Size";
    const std::size_t first = is_named ? 1 : 0;
    if (first == words.size()) return std::nullopt;
    const std::string& size = words[first].text;
    for (const std::string times : {"x", "X", "*", "\xC3\x97"}) {
        const std::size_t at = size.find(times);
        if (size.size() > 40 || at == size.npos || at == 0 || at + times.size() == size.size()) continue;
        const auto rows = Word{size.substr(0, at), 0, false}.number();
        const auto columns = Word{size.substr(at + times.size()), 0, false}.number();
        return rows && rows == columns ? board_of(rest(first + 1), *rows) : std::nullopt;
    }
    const std::optional<long> number = words[first].number();
    if (first + 2 < words.size() && words[first + 1].is_times() &&
        words[first + 1].line == words[first].line && number && words[first + 2].number() == number) {
        return board_of(rest(first + 3), *number);
    }
    if (is_named) return number ? board_of(rest(2), *number) : std::nullopt;

    // The first number as the size, or as a tile of rows.
    const auto sized = number && !is_bracketed ? board_of(rest(1), *number) : std::nullopt;
    if (words[0].ends_row && !is_bracketed) return sized;
    std::size_t width = 0;
    std::size_t rows = 0;
    for (std::size_t i = 0, begin = 0; i < words.size(); ++i) {
        if (!words[i].ends_row) continue;
        const std::size_t length = i + 1 - std::exchange(begin, i + 1);
        if (rows++ == 0) width = length;
        if (length != width) return sized;
        const long n = std::lround(std::sqrt(i + 1));
        if (rows != width && rows != 1 && width != 1) continue;
        const auto board = board_of(tiles_of(words, 0, i + 1), n);
        if (!board) continue;
        if (i + 1 == words.size()) return board;
        if (width == 1) continue;
        const Word& next = words[i + 1];
        if (n == number && !is_bracketed && next.number() == n && next.ends_row) return std::nullopt;
        if (rows > 1 || next.tile() < std::ssize(*board) || next.ends_row) return std::nullopt;
    }
    return sized;
}

struct Outcome {
    std::optional<npuzzle::Board> board;
    std::string error;
};

template <class F>
Outcome outcome_of(F parse) {
    try {
        return {parse(), {}};
    } catch (const npuzzle::ParseError& error) {
        fuzz::require(error.source() == "fuzz", "the error knows its source");
        fuzz::require(error.line() >= 1 && error.column() >= 1, "lines and columns count from 1");
        for (const char c : std::string_view(error.what())) {
            fuzz::require((c < 0 || c >= 0x20) && c != 0x7f, "the message is printable");
        }
        return {std::nullopt, error.what()};
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    const std::size_t piece = 1 + bytes.next() % 16;
    const std::string text(bytes.text());

    const Outcome in_memory = outcome_of([&] { return npuzzle::parse_board(text, "fuzz"); });
    const Outcome from_stream = outcome_of([&] {
        Pieces pieces(text, piece);
        std::istream input(&pieces);
        return npuzzle::read_board(input, "fuzz");
    });
    fuzz::require(in_memory.board == from_stream.board, "a stream gives the same board as memory");
    fuzz::require(in_memory.error == from_stream.error, "a stream gives the same error as memory");

    const auto expected = plainly_read(text);
    fuzz::require(expected.has_value() == in_memory.board.has_value(), "the plain reader agrees");
    std::istringstream boards(text);
    fuzz::require(!in_memory.board || npuzzle::read_boards(boards) == std::vector{*in_memory.board},
                  "a board is one board of a text that may have several");
    if (in_memory.board) {
        const npuzzle::Board& board = *in_memory.board;
        for (std::size_t cell = 0; cell < expected->size(); ++cell) {
            fuzz::require(board.tile(static_cast<std::int64_t>(cell)) == (*expected)[cell],
                          "the plain reader finds the same tiles");
        }
        std::ostringstream written;
        npuzzle::write_board(written, board, "a comment\nof two lines");
        fuzz::require(npuzzle::parse_board(written.str()) == board, "what is written is read again");
    }
    return 0;
}
