#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/move.hpp>
#include <npuzzle/search/core/result.hpp>

#include "options.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace program {

// What came out of a search.
struct Outcome {
    npuzzle::Status status = npuzzle::Status::running;
    std::optional<std::vector<npuzzle::Move>> solution; // of the blank
    npuzzle::Statistics statistics;
    std::string algorithm;
    std::string heuristic;
    bool is_shortest = true;
    std::int64_t at_least = 0; // of a board without a solution so far: it needs as many moves, or more
    std::optional<std::uint64_t> count = {}; // of shortest solutions, where they were asked for

    // -1 without a solution
    std::int64_t moves() const { return solution ? static_cast<std::int64_t>(solution->size()) : -1; }
};

// Solves a board as the options say. Throws std::invalid_argument if they make no sense for it.
Outcome search(const npuzzle::Board& board, const SearchOptions& options);

// The same, and calls `visit` with every shortest solution. Without `visit` they are only counted.
using VisitSolution = std::function<void(const std::vector<npuzzle::Move>&)>;
Outcome search_all(const npuzzle::Board& board, const SearchOptions& options,
                   const VisitSolution& visit = {});

// As many moves or more are needed, as is plain without a search.
std::int64_t least_moves(const npuzzle::Board& board, const std::string& goal);

// Whether nobody will wait for the fewest moves of a board, for which the options ask.
bool is_hopeless(const npuzzle::Board& board, const SearchOptions& options);

// Says so on standard error, if no limit ends the search.
void warn_if_hopeless(const std::string& file, const npuzzle::Board& board, const SearchOptions& options);

// What the heuristic of the options says of a board; 0 if its tables are not to be had.
std::int64_t estimate(const npuzzle::Board& board, const SearchOptions& options);

// Calls `visit` with each board of a solution, the first one and the last one included.
void for_each_board(const npuzzle::Board& board, const std::vector<npuzzle::Move>& solution,
                    const std::function<void(const npuzzle::Board&)>& visit);

// The name of a status, in words.
std::string in_words(npuzzle::Status status);

// The status of the program after that.
int exit_status(const Outcome& outcome);

// The graver of two of them.
int worse(int one, int other);

} // namespace program
