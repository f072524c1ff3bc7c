// Searches of boards of size 2 to 5, by names that are chosen at run time.
#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/core/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace playground {

inline constexpr int smallest_size = 2;
inline constexpr int largest_size = 5;

// Something that can be chosen: its name in requests and links, and in words.
struct Choice {
    const char* name;
    const char* label;
};

// "solver" and "quick" need no heuristic.
inline constexpr Choice board_algorithms[] = {
    {"solver", "Automatic (Solver)"},
    {"astar", "A*"},
    {"ida_star", "IDA*"},
    {"bidirectional", "Bidirectional A*"},
    {"weighted_astar", "Weighted A*"},
    {"greedy", "Greedy best-first"},
    {"quick", "Quick solution (beams)"},
};

inline constexpr Choice board_heuristics[] = {
    {"zero", "None (Dijkstra)"},
    {"hamming", "Hamming"},
    {"manhattan", "Manhattan"},
    {"linear_conflict", "Linear conflict"},
    {"walking_distance", "Walking distance"},
    {"greatest", "Linear conflict or walking distance"},
};

// What to search for, and how.
struct BoardRequest {
    npuzzle::Board board;
    std::string algorithm = "astar";
    std::string heuristic = "linear_conflict";
    double weight = 1.5; // of weighted A*
    npuzzle::Limits limits = {};
    // Called every few milliseconds, with the f or the bound of the time; -1 where there is none.
    std::function<void(const npuzzle::Statistics&, int bound)> progress = {};
};

// The expanded states of an f, or, by IDA*, of an iteration.
struct Layer {
    int bound;
    std::uint64_t expanded;
};

struct BoardOutcome {
    npuzzle::Status status = npuzzle::Status::running;
    std::vector<npuzzle::Board> boards; // from the first one to the goal, if it was reached
    npuzzle::Statistics statistics;
    std::vector<Layer> layers; // none where the library chooses the search
    bool is_shortest = true;
    std::string searched_by; // what the library chose
};

// Throws std::invalid_argument if the request names nothing that there is.
BoardOutcome search_board(const BoardRequest& request);

// The value of a heuristic for a board.
int estimate(const npuzzle::Board& board, std::string_view heuristic);

// The board of a text: the tiles, with or without the size before them.
// Throws npuzzle::ParseError, or std::invalid_argument if there are too few numbers or too many.
npuzzle::Board board_from(const std::string& text);

// The boards from `board` to the one where the blank is in `cell`, which is in its row or column; else none.
std::vector<npuzzle::Board> slides(const npuzzle::Board& board, int cell);

} // namespace playground
