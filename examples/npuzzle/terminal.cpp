#include <npuzzle/io/printable.hpp>

#include "terminal.hpp"

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

bool is_dumb_terminal() {
    const char* terminal = std::getenv("TERM");
    return terminal != nullptr && std::string_view(terminal) == "dumb";
}

std::optional<WindowSize> window_size() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
        return std::nullopt;
    }
    return WindowSize{size.ws_row, size.ws_col};
}

namespace {

// Several threads may print.
std::mutex line_mutex;
bool is_line_shown = false;

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

void show_line(std::string_view text) {
    // What is longer than the window would leave a piece in the line above.
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        text = text.substr(0, size.ws_col - 1U);
    const std::lock_guard lock(line_mutex);
    put("\r\x1b[K");
    put(text);
    std::fflush(stderr);
    is_line_shown = true;
}

void take_line_away() {
    const std::lock_guard lock(line_mutex);
    take_line_away_locked();
}

std::string colored(Color color, std::string_view text) {
    static const bool has_colors = [] {
        const char* no_color = std::getenv("NO_COLOR"); // https://no-color.org: any value but the empty one
        return is_terminal(stdout) && (no_color == nullptr || *no_color == '\0') && !is_dumb_terminal();
    }();
    return has_colors ? fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(color), text) : std::string(text);
}

} // namespace program
