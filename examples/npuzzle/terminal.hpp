#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace program {

bool is_terminal(std::FILE* stream);

// Whether the environment says that the terminal knows no escape sequences.
bool is_dumb_terminal();

// What fits on the terminal that the standard output is; nothing if it is none, or does not say.
struct WindowSize {
    int rows;
    int columns;

    friend bool operator==(const WindowSize&, const WindowSize&) = default;
};
std::optional<WindowSize> window_size();

// Writes to the standard error, for people. Where that cannot be written, as in a closed pipe, nobody is left to be told: the
// program goes on, and its exit status says the rest.
void print_error(std::string_view text);

// A line on the standard error, a terminal, in place of the one before. It is taken away before anything else is written.
void show_line(std::string_view text);
void take_line_away();

enum class Colour { red = 31, green = 32, yellow = 33, blue = 34 };

// The text in a colour if the standard output is a terminal, and the environment does not say NO_COLOR.
std::string coloured(Colour colour, std::string_view text);

} // namespace program
