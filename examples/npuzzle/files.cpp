#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/goal.hpp>

#include "files.hpp"
#include "terminal.hpp"

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <system_error>

namespace program {

npuzzle::Board read_board(const std::string& file) {
    return file == "-" ? npuzzle::read_board(std::cin, "standard input") : npuzzle::read_board_file(file);
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
    // What the file holds is kept until there is something to write: the input may be the same file.
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
