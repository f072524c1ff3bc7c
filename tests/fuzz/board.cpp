/// @file
/// Fuzzes the parser of boards. The same text in memory and as a stream gives the same board or the same
/// error, and a second, plain reader of the format agrees about which texts are boards.
#include <npuzzle/io/format.hpp>
#include <npuzzle/io/parse.hpp>

#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <istream>
#include <iterator>
#include <optional>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
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

/// The words of a text without its comments.
std::vector<std::string> words_of(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) {
        text.remove_prefix(3);
    }
    std::string without_comments;
    bool is_comment = false;
    for (const char c : text) {
        is_comment = c != '\n' && c != '\r' && (is_comment || c == '#');
        without_comments += is_comment ? ' ' : c;
    }
    std::istringstream words(without_comments);
    return {std::istream_iterator<std::string>(words), {}};
}

std::optional<long> number_of(const std::string& word) {
    if (word.find_first_not_of("0123456789") != std::string::npos) {
        return std::nullopt;
    }
    const std::size_t begin = std::min(word.find_first_not_of('0'), word.size());
    return word.size() - begin > 12 ? std::nullopt : std::optional(std::strtol(word.c_str(), nullptr, 10));
}

/// The tiles of the board that a text is, if it is one.
std::optional<std::vector<long>> plainly_read(std::string_view text) {
    const std::vector<std::string> words = words_of(text);
    std::vector<long> numbers;
    for (const std::string& word : words) {
        const std::optional<long> number = number_of(word);
        if (!number) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    if (numbers.empty() || numbers.front() < 2 || numbers.front() > 32767 ||
        static_cast<long>(numbers.size()) != numbers.front() * numbers.front() + 1) {
        return std::nullopt;
    }
    std::vector<long> tiles(numbers.begin() + 1, numbers.end());
    std::vector<long> sorted = tiles;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != static_cast<long>(i)) {
            return std::nullopt;
        }
    }
    return tiles;
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
            fuzz::require(0x20 <= c && c < 0x7f, "the message is printable");
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
