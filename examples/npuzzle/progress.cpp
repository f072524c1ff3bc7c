#include "progress.hpp"
#include "terminal.hpp"

#include <cstdio>
#include <fmt/core.h>

namespace program {

namespace {

std::mutex& terminal_mutex() {
    static std::mutex mutex;
    return mutex;
}

std::string in_thousands(std::uint64_t number) {
    return number < 10'000       ? fmt::format("{}", number)
           : number < 10'000'000 ? fmt::format("{} k", number / 1000)
                                 : fmt::format("{} M", number / 1'000'000);
}

} // namespace

ProgressLine::ProgressLine() {
    if (is_terminal(stderr)) terminal_ = std::unique_lock(terminal_mutex(), std::try_to_lock);
}

ProgressLine::~ProgressLine() {
    if (is_shown_) take_line_away();
}

void ProgressLine::tell(std::string_view algorithm, double bound, const npuzzle::Statistics& statistics) {
    if (!is_due()) return;
    std::string text = fmt::format("{}:", algorithm);
    if (bound >= 0) text += fmt::format(" {} {:.0f},", algorithm == "ida" ? "threshold" : "f", bound);
    text += fmt::format(" {} expanded,", in_thousands(statistics.expanded));
    if (statistics.peak_open > 0) {
        text +=
            fmt::format(" {} open, {} MB,", in_thousands(statistics.peak_open), statistics.bytes / 1'000'000);
    }
    show(text + fmt::format(" {:.0f} s", statistics.seconds));
}

void ProgressLine::tell(const npuzzle::BuildProgress& progress) {
    if (!is_due()) return;
    std::string text = fmt::format("building {}: {:.0f} %", progress.shape.to_string(), progress.percent());
    // At the beginning, there is nothing to extrapolate from.
    if (progress.percent() >= 1) text += fmt::format(", {:.0f} s left", progress.seconds_left);
    show(text);
}

bool ProgressLine::is_due() {
    return terminal_ && Clock::now() >= next_;
}

void ProgressLine::show(const std::string& text) {
    show_line(text);
    is_shown_ = true;
    next_ = Clock::now() + std::chrono::milliseconds{100};
}

} // namespace program
