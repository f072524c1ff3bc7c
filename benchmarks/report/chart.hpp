#pragma once

#include <string>
#include <vector>

namespace report {

/// One bar of a chart.
struct Bar {
    std::string label;
    double length;
    std::string text; ///< to the right of the bar
    double notch;     ///< a mark at this length
};

/// Horizontal bars as an SVG picture, for light and dark backgrounds. A bar of length `full` takes the whole
/// width. Longer bars are cut off there and marked by an arrow.
std::string bar_chart(const std::string& title, const std::string& subtitle, const std::vector<Bar>& bars,
                      double full);

} // namespace report
