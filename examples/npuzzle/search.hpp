#pragma once

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/move.hpp>
#include <npuzzle/search/core/result.hpp>

#include "options.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace program {

// The result of a search.
struct Outcome {
    npuzzle::Status status = npuzzle::Status::running;
    std::optional<std::vector<npuzzle::Move>> solution; // moves of the blank
    npuzzle::Statistics statistics;
    std::string algorithm;
    std::string heuristic;
    bool is_shortest = true;
    bool is_bounded = false;                 // the best that was known when a limit ended the search
    bool has_default_limit = false;          // that limit was not asked for
    std::int64_t estimate = 0;               // by the heuristic of the options; 0 without its tables
    std::int64_t at_least = 0;               // a lower bound on the moves
    std::optional<std::uint64_t> count = {}; // number of shortest solutions, if requested
    std::string checkpoint = {};             // its journal, if it can go on

    // -1 without a solution
    std::int64_t moves() const { return solution ? static_cast<std::int64_t>(solution->size()) : -1; }
};

// The options for one of that many boards. The default memory limit is divided by the number of boards that
// are searched at the same time. A board that is alone has all threads.
SearchOptions shared(SearchOptions options, std::size_t boards);

// Whether searches take a board as one word: --spill, --checkpoint and several threads need that.
bool is_packed(const npuzzle::Board& board);

// The bytes that one search and its tables may take.
std::uint64_t total_memory(const SearchOptions& options);

// Solves a board by the options. Throws std::invalid_argument if they do not fit the board.
Outcome search(const npuzzle::Board& board, const SearchOptions& options);

// The same, and calls `visit` with every shortest solution. Without `visit`, they are only counted.
using VisitSolution = std::function<void(const std::vector<npuzzle::Move>&)>;
Outcome search_all(const npuzzle::Board& board, const SearchOptions& options,
                   const VisitSolution& visit = {});

// Calls `visit` with each board of a solution, including the first and the last one.
void for_each_board(const npuzzle::Board& board, const std::vector<npuzzle::Move>& solution,
                    const std::function<void(const npuzzle::Board&)>& visit);

// The name of a status, in words.
std::string in_words(npuzzle::Status status);

// The exit status for a search status.
int exit_status(const Outcome& outcome);

// The more severe of two exit statuses.
int worse(int one, int other);

} // namespace program
