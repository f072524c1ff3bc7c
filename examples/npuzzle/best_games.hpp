// The best games that were played, one for each board, in a file of the user's.
#pragma once

#include <npuzzle/puzzle/board.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace program {

// A game that reached the goal.
struct PlayedGame {
    npuzzle::Board board;
    npuzzle::Board goal;
    std::size_t moves;
    std::optional<std::int64_t> fewest;
    std::size_t hints;
    double seconds;
};

// Keeps the game if it is the best of its board: in fewer moves, or with fewer hints, or faster. Returns the
// line to print about the games before, or nothing. If the file cannot be read or written, a note says so.
std::string keep_game(const PlayedGame& game);

// Prints the games, the newest last, as text or as JSON. Returns the exit status. Throws
// std::invalid_argument if the file is damaged, with the line.
int list_best_games(const std::string& format);

} // namespace program
