// What `compare` has found out, and how it is written.
#pragma once

#include "options.hpp"
#include "output.hpp"
#include "search.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace program {

// The search of one board by one heuristic.
struct ComparedSearch {
    std::int64_t estimate = 0; // of the heuristic; 0 for an unsolvable board
    Outcome outcome = {};
    bool is_left_out = false;
};

// The figures of one heuristic. Sums and means are of the boards that all heuristics solved, so that they can
// be compared; of no boards there is no mean.
struct Figures {
    std::size_t solved = 0;
    std::size_t unsolvable = 0;
    std::size_t limited = 0; // a limit or a stop ended the search, or left it out
    std::optional<double> mean_estimate;
    std::optional<double> mean_moves;
    std::uint64_t expanded = 0;
    double seconds = 0;
};

struct Comparison {
    std::vector<std::string> heuristics;
    std::vector<std::string> boards;                   // names
    std::vector<std::vector<ComparedSearch>> searches; // [heuristic][board]

    bool is_solved_by_all(std::size_t board) const;
    std::size_t solved_by_all() const;
    Figures figures(std::size_t heuristic) const;
};

void write_text(Output& output, const Comparison& comparison);
void write_csv(Output& output, const Comparison& comparison);
void write_json(Output& output, const Comparison& comparison);
void write_html(Output& output, const Comparison& comparison);

// How many heuristics a chart with a line for each can show.
inline constexpr std::size_t max_lines = 6;

// A chart as SVG: of "expanded", "depth", "time" or "distribution". Lines are drawn for the first
// `max_lines`.
std::string chart_of(const Comparison& comparison, const std::string& what);

} // namespace program
