#include "batch.hpp"
#include "options.hpp"
#include "terminal.hpp"

#include <cstdio>
#include <fmt/core.h>
#include <utility>

namespace program {

Batch::Batch(std::uint64_t count, std::string what)
    : count_(count), what_(std::move(what)), is_shown_(count > 1 && is_terminal(stderr) && !is_quiet()) {
    if (is_shown_) begin_lines_with(fmt::format("0 of {}; ", count_));
}

Batch::~Batch() {
    if (!is_shown_) return;
    begin_lines_with("");
    take_line_away();
}

void Batch::add(int exit) {
    ++done_;
    ++by_exit_[static_cast<std::size_t>(exit)];
    if (!is_shown_) return;
    begin_lines_with(fmt::format("{} of {}; ", done_, count_));
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds{100};
    const double taken = std::chrono::duration<double>(now - begun_).count();
    const auto done = static_cast<double>(done_);
    const double left = taken / done * (static_cast<double>(count_) - done);
    show_line(fmt::format("{}, {:.0f} s left", progress_bar(100 * done / static_cast<double>(count_)), left));
}

void Batch::leave_out(const std::string& name) {
    if (left_out_++ == 0) first_left_out_ = name;
}

std::string Batch::summary() const {
    std::string text = fmt::format("{} {} in {:.1f} s:", done_, what_,
                                   std::chrono::duration<double>(Clock::now() - begun_).count());
    const auto add = [&](Exit exit, const char* what) {
        if (const std::uint64_t count = by_exit_[static_cast<std::size_t>(exit)]; count > 0) {
            text += fmt::format("{} {} {}", text.back() == ':' ? "" : ",", count, what);
        }
    };
    add(exit_solved, "solved");
    add(exit_unsolvable, "unsolvable");
    add(exit_bounded, "solved, perhaps not in the fewest moves");
    add(exit_limit, "without a result");
    add(exit_bad_input, "with an error");
    return text;
}

void Batch::tell_left_out() const {
    if (!has_left_out()) return;
    print_note(fmt::format("npuzzle: cancelled: {} of {} {} were left out, {} and what follows\n", left_out_,
                           count_, what_, first_left_out_));
}

} // namespace program
