#include "progress.hpp"
#include "terminal.hpp"

#include <cstdint>
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

std::string bar_of(const npuzzle::BuildProgress& progress) {
    // At the beginning, there is nothing to extrapolate from.
    const std::string left =
        progress.percent() >= 1 ? fmt::format(", {:.0f} s left", progress.seconds_left) : "";
    return progress_bar(progress.percent()) + left;
}

double seconds_of(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
}

} // namespace

ProgressLine::ProgressLine() {
    if (is_terminal(stderr) && !is_quiet()) terminal_ = std::unique_lock(terminal_mutex(), std::try_to_lock);
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
    if (is_due()) show(fmt::format("{}; building {}", bar_of(progress), progress.shape.to_string()));
}

std::string SolverLine::bounds() const {
    return last_.upper < 0 ? "" : fmt::format("best {}, at least {}; ", last_.upper, last_.bound);
}

bool SolverLine::is_due() {
    if (!line_->is_due()) return false;
    if (has_prospect_ && last_.upper >= 0 && line_->seconds() >= 1) {
        has_prospect_ = false;
        const bool is_limited = time_limit_ != std::chrono::nanoseconds::max();
        print_note(fmt::format("{}{}; Ctrl-C prints the best\n", bounds(),
                               is_limited ? fmt::format("it ends after {:.0f} s", seconds_of(time_limit_))
                                          : "the shortest may take hours"));
    }
    return true;
}

void SolverLine::tell(const npuzzle::SolverProgress& progress) {
    last_ = progress;
    if (!is_due()) return;
    const double time = progress.statistics.seconds - shown_.statistics.seconds;
    if (progress.statistics.expanded >= shown_.statistics.expanded && time > 0) {
        per_second_ = static_cast<double>(progress.statistics.expanded - shown_.statistics.expanded) / time;
    }
    shown_ = progress;
    std::string text = bounds();
    if (progress.algorithm == npuzzle::SolverAlgorithm::automatic) {
        text += "looking for shorter ones, ";
    } else {
        text +=
            fmt::format("f {}, {} nodes/s, {} MB, ", progress.bound,
                        in_thousands(static_cast<std::uint64_t>(per_second_)), progress.bytes / 1'000'000);
    }
    text += fmt::format("{:.0f} s", progress.statistics.seconds);
    if (time_limit_ != std::chrono::nanoseconds::max()) {
        text += fmt::format(" of {:.0f} s", seconds_of(time_limit_));
    }
    line_->show(text);
}

void SolverLine::tell(const npuzzle::BuildProgress& progress) {
    if (is_due()) line_->show(fmt::format("{}building tables {}", bounds(), bar_of(progress)));
}

bool ProgressLine::is_due() {
    return terminal_ && Clock::now() >= next_;
}

double ProgressLine::seconds() const {
    return seconds_of(Clock::now() - begun_);
}

void ProgressLine::show(const std::string& text) {
    show_line(text);
    is_shown_ = true;
    next_ = Clock::now() + std::chrono::milliseconds{100};
}

} // namespace program
