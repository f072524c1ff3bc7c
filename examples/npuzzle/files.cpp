#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/goal.hpp>

#include "files.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <istream>
#include <new>
#include <stdexcept>
#include <streambuf>
#include <string_view>
#include <system_error>
#include <utility>

namespace program {

npuzzle::Board read_board(const std::string& file) {
    return file == "-" ? npuzzle::read_board(std::cin, "standard input") : npuzzle::read_board_file(file);
}

namespace {

// Splits a text into the texts of its boards, as they are read. It does not validate them: an invalid board
// is returned, too, up to the place of the error. Lines before a board are returned as empty lines, so that
// line numbers are right.
class BoardTexts {
public:
    explicit BoardTexts(std::istream& input) : input_(input.rdbuf()) {}

    // Nothing at the end. A text without boards gives one empty text.
    std::optional<std::string> next() {
        std::string text(lines_, '\n');
        std::string word;
        std::int64_t words = 0;
        std::int64_t wanted = 0;
        for (bool is_comment = false; !is_over_;) {
            const int read = input_->sbumpc();
            is_over_ = read == std::char_traits<char>::eof();
            const char c = is_over_ ? '\n' : std::char_traits<char>::to_char_type(read);
            if (!is_over_) {
                text += c;
                lines_ += c == '\n' ? 1 : 0;
            }
            is_comment = c != '\n' && (is_comment || c == '#');
            if (!is_comment && c != ' ' && (c < '\t' || '\r' < c)) {
                if (text != byte_order_mark)
                    word += c;
                else
                    word.clear();
                if (word.size() < 20) continue;
                is_over_ = true; // no number of a board is this long
            }
            if (word.empty()) continue;
            std::int64_t number = -1;
            const char* const end = word.data() + word.size();
            const bool is_number = std::from_chars(word.data(), end, number).ptr == end && number >= 0;
            ++words;
            if (words == 1) wanted = number < 2 || number > 32767 ? 0 : 1 + number * number;
            is_over_ = is_over_ || !is_number || wanted == 0 || (words > 1 && number >= wanted - 1);
            word.clear();
            if (is_over_ || words == wanted) break;
        }
        if (words == 0 && texts_ > 0) return std::nullopt;
        ++texts_;
        return text;
    }

private:
    static constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

    std::streambuf* input_;
    bool is_over_ = false;
    std::size_t lines_ = 0;
    std::size_t texts_ = 0;
};

std::vector<npuzzle::Board> all_boards(std::istream& input, const std::string& name) {
    std::vector<npuzzle::Board> boards;
    BoardTexts texts(input);
    std::string first;
    while (auto text = texts.next()) {
        try {
            boards.push_back(npuzzle::parse_board(*text, name));
        } catch (const npuzzle::ParseError&) {
            // After a single board, more numbers are an error, not the start of another board.
            const auto lines = static_cast<std::size_t>(std::count(first.begin(), first.end(), '\n'));
            if (boards.size() == 1) (void)npuzzle::parse_board(first + text->substr(lines), name);
            throw;
        }
        if (boards.size() == 1) first = *std::move(text);
    }
    return boards;
}

std::vector<npuzzle::Board> all_boards(const std::string& file) {
    if (file == "-") return all_boards(std::cin, "standard input");
    std::vector<npuzzle::Board> boards;
    try {
        boards.push_back(npuzzle::read_board_file(file));
    } catch (const npuzzle::ParseError&) {
        std::ifstream input(file, std::ios::binary);
        boards = all_boards(input, file);
    }
    return boards;
}

void append_boards(std::vector<Source>& sources, const std::string& file) try {
    std::vector<npuzzle::Board> boards = all_boards(file);
    for (std::size_t i = 0; i < boards.size(); ++i) {
        const std::string name = boards.size() == 1 ? file : file + '#' + std::to_string(i + 1);
        sources.push_back({file, name, std::move(boards[i])});
    }
} catch (const std::bad_alloc&) {
    sources.push_back({file, file, std::nullopt, file + ": out of memory", exit_limit});
} catch (const std::exception& error) {
    sources.push_back({file, file, std::nullopt, error.what()});
}

} // namespace

std::vector<Source> read_boards(const std::vector<std::string>& files) {
    std::vector<Source> sources;
    for (const std::string& file : files) append_boards(sources, file);
    return sources;
}

npuzzle::Board goal_named(const std::string& name, int n) {
    if (name == "blank-last") return npuzzle::goal_blank_last(n);
    if (name == "blank-first") return npuzzle::goal_blank_first(n);
    if (name == "spiral") return npuzzle::goal_spiral(n);
    npuzzle::Board goal = read_board(name);
    if (goal.size() != n) {
        throw std::invalid_argument(name + ": the goal has size " + std::to_string(goal.size()) +
                                    ", the board has size " + std::to_string(n));
    }
    return goal;
}

Output::Output(const std::string& file) : name_("standard output"), stream_(&std::cout) {
    if (file.empty() || file == "-") return;
    name_ = file;
    stream_ = &file_;
    errno = 0;
    // The file keeps its content until there is something to write, because the input may be the same file.
    file_.open(file, std::ios::binary | std::ios::app);
    if (!*stream_) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), name_);
}

void Output::write(std::string_view text) {
    held_back_ += text;
    if (held_back_.size() >= std::size_t{1} << 16) flush();
}

void Output::flush() {
    std::error_code error;
    if (stream_ == &file_ && !is_begun_ && std::filesystem::is_regular_file(name_, error)) {
        std::filesystem::resize_file(name_, 0, error);
        if (error) throw std::system_error(error, name_);
    }
    is_begun_ = true;
    if (stream_ == &std::cout) take_line_away();
    errno = 0;
    const auto size = static_cast<std::streamsize>(held_back_.size());
    if (!stream_->write(held_back_.data(), size).flush()) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), name_);
    }
    held_back_.clear();
}

} // namespace program
