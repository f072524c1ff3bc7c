#pragma once

#include <string>
#include <vector>

namespace report {

/// A bar of a chart.
struct Bar {
    std::string label;
    double length;
    std::string text; ///< behind the bar
    double notch;     ///< a mark at this length
};

/// Horizontal bars as an SVG picture, to be read on light and on dark paper. A bar of length `full` has the whole width; longer
/// ones are cut off there, and say so by an arrow.
std::string bar_chart(const std::string& title, const std::string& subtitle, const std::vector<Bar>& bars,
                      double full);

} // namespace report
