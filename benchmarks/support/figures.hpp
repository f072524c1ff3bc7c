#pragma once

#include <iosfwd>
#include <string>
#include <vector>

/// \file
/// What the benchmarks found out, and the file that carries it to the page of results and to the charts.

namespace benchmarks {

/// One figure of the table of results.
struct Figure {
    std::string row;  ///< its number in the table
    std::string what; ///< what was done
    double value = 0; ///< the figure
    std::string
        unit; ///< "x": how many times as fast as the peer (or, where less is better, what part of it is needed)
    double reach = 0; ///< what it has to be; 0: nothing is asked
    double aim = 0;   ///< what it should be; 0: nothing is asked
    bool is_less_better = false;
    std::string npuzzle;    ///< what npuzzle did, for people
    std::string peer;       ///< what the peer did
    std::string note;       ///< who the peer is, and what else there is to know
    bool is_detail = false; ///< part of another figure
    std::string date = {};  ///< of the measurement, as 2026-01-31
};

/// The date of today.
std::string today();

/// A value in three significant digits, or as a whole number from 100 on, with commas.
std::string to_text(double value);

/// The same with its unit behind it.
std::string to_text(double value, const std::string& unit);

/// Writes figures as tab-separated lines.
void write_figures(std::ostream& out, const std::vector<Figure>& figures);

/// Reads what `write_figures` wrote; throws `std::runtime_error` at a line that it did not write.
std::vector<Figure> read_figures(std::istream& in);

} // namespace benchmarks
