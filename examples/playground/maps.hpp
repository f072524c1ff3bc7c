// Searches of grid maps, with all that they do in the order in which they do it.
#pragma once

#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/core/result.hpp>

#include "boards.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace playground {

inline constexpr Choice map_algorithms[] = {
    {"astar", "A*"},
    {"dijkstra", "Dijkstra"},
    {"greedy", "Greedy best-first"},
    {"weighted_astar", "Weighted A*"},
    {"bidirectional", "Bidirectional A*"},
    {"jump_points", "Jump point search"},
    {"ida_star", "IDA*"},
};

// The cells row by row: 0 for a wall, else the weight.
struct MapRequest {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> cells;
    std::uint32_t start = 0;
    std::uint32_t goal = 0;
    bool has_diagonals = true;
    std::string algorithm = "astar";
    double weight = 2; // of weighted A*
    npuzzle::Limits limits = {};
    // Called every few milliseconds.
    std::function<void(const npuzzle::Statistics&)> progress = {};
};

enum class EventKind : std::uint32_t {
    open = 0,  // a cell is put on the open list
    expand,    // and is taken from it, and its neighbors are generated
    improve,   // it stays there, by a cheaper path
    reopen,    // it goes back there, by a cheaper path
    goal,      // the search has come to the goal
    iteration, // IDA* begins anew, with a greater bound
};

// Three words, as the page reads them.
struct Event {
    std::uint32_t
        word;       // the cell; from bit 24 on, the kind; from bit 28 on, 1 if it is on the side of the goal
    float cost;     // g
    float estimate; // h
};

struct MapOutcome {
    npuzzle::Status status = npuzzle::Status::running;
    std::vector<std::uint32_t> path; // each cell
    double cost = 0;                 // a straight step between cells of weight 1 costs 1
    npuzzle::Statistics statistics;
    std::vector<Event> trace;
};

// Throws std::invalid_argument if the request does not fit together, or the algorithm does not take such a
// map.
MapOutcome search_map(const MapRequest& request);

} // namespace playground
