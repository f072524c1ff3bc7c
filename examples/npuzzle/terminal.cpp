#include <npuzzle/io/parse_error.hpp>

#include "terminal.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fmt/core.h>
#include <mutex>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace program {

bool is_terminal(std::FILE* stream) {
    return isatty(fileno(stream)) == 1;
}

namespace {

// Several threads may print.
std::mutex line_mutex;
bool is_line_shown = false;
std::string beginning;
bool is_quiet_now = false;

void put(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void take_line_away_locked() {
    if (std::exchange(is_line_shown, false)) put("\r\x1b[K");
}

} // namespace

void print_error(std::string_view text) {
    const bool has_end = text.ends_with('\n');
    const std::string line = npuzzle::printable(text.substr(0, text.size() - (has_end ? 1 : 0)));
    const std::lock_guard lock(line_mutex);
    take_line_away_locked();
    put(line + (has_end ? "\n" : ""));
}

void be_quiet() {
    is_quiet_now = true;
}

bool is_quiet() {
    return is_quiet_now;
}

void print_note(std::string_view text) {
    if (!is_quiet()) print_error(text);
}

void show_line(std::string_view text) {
    const std::lock_guard lock(line_mutex);
    std::string line = beginning;
    line += text;
    // What is longer than the window would leave a piece in the line above.
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && line.size() >= size.ws_col)
        line.resize(size.ws_col - 1U);
    put("\r\x1b[K");
    put(line);
    std::fflush(stderr);
    is_line_shown = true;
}

void take_line_away() {
    const std::lock_guard lock(line_mutex);
    take_line_away_locked();
}

void begin_lines_with(std::string text) {
    const std::lock_guard lock(line_mutex);
    beginning = std::move(text);
}

std::string progress_bar(double percent) {
    constexpr std::size_t width = 20;
    const auto done = std::min(width, static_cast<std::size_t>(percent / 100 * width));
    return fmt::format("[{}{}] {:.0f} %", std::string(done, '#'), std::string(width - done, '-'), percent);
}

std::string colored(Color color, std::string_view text) {
    static const bool has_colors = [] {
        const char* no_color = std::getenv("NO_COLOR"); // https://no-color.org: any value but the empty one
        const char* terminal = std::getenv("TERM");
        return is_terminal(stdout) && (no_color == nullptr || *no_color == '\0') &&
               (terminal == nullptr || std::string_view(terminal) != "dumb");
    }();
    return has_colors ? fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(color), text) : std::string(text);
}

} // namespace program
