#pragma once

#include <iosfwd>
#include <string>
#include <vector>

/// \file
/// The results of the benchmarks, and the file that carries them to the page of results (benchmarks/report).

namespace benchmarks {

/// One figure of the table of results.
struct Figure {
    std::string row;  ///< its number in the table
    std::string what; ///< what was measured
    double value = 0; ///< the figure
    std::string unit; ///< "x": the speed relative to the peer (if less is better, the share of it)
    double reach = 0; ///< the required value; 0: none
    double aim = 0;   ///< the desired value; 0: none
    bool is_less_better = false;
    std::string npuzzle;    ///< what npuzzle did, as text
    std::string peer;       ///< what the peer did, as text
    std::string note;       ///< the peer, and other remarks
    bool is_detail = false; ///< part of another figure
    std::string date = {};  ///< of the measurement, as 2026-01-31
    int rounds = 1;         ///< `value` is their median, and the texts are of the round that gave it
    double least = value;
    double greatest = value;
    double processor = 1; ///< processor time, a second of wall time, in that round
};

/// The date of today.
std::string today();

/// A value with three significant digits, or as an integer with commas from 100 on.
std::string to_text(double value);

/// The same with its unit.
std::string to_text(double value, const std::string& unit);

/// The value as a page says it: with the range of its rounds, as a range alone if that is wide, or marked as
/// a single one.
std::string to_text(const Figure& figure);

/// One figure of several rounds.
Figure median_of(std::vector<Figure> rounds);

/// Writes figures as tab-separated lines.
void write_figures(std::ostream& out, const std::vector<Figure>& figures);

} // namespace benchmarks
