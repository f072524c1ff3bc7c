#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace program {

bool is_terminal(std::FILE* stream);

// Writes a line to standard error, for people. Whatever names of files are in it, it remains one line of
// printable characters. If that fails, as with a closed pipe, the program goes on: nobody is
// left to read a message, and the exit status still tells the outcome.
void print_error(std::string_view text);

// From now on nothing is printed but errors, and what an option asks for by name.
void be_quiet();
bool is_quiet();

// A line on standard error that is no error: how a search ended, or that it may take long. None if the
// program is to be quiet.
void print_note(std::string_view text);

// A line on standard error, a terminal, that replaces the previous line. It is removed before anything else
// is written.
void show_line(std::string_view text);
void take_line_away();

// What each line of `show_line` begins with from now on.
void begin_lines_with(std::string text);

// "[########------------] 40 %"
std::string progress_bar(double percent);

enum class Color { red = 31, yellow = 33 };

// The text in a color if standard output is a terminal and NO_COLOR is not set in the environment.
std::string colored(Color color, std::string_view text);

} // namespace program
