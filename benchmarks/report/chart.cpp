#include "report/chart.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace report {

namespace {

constexpr int width = 1120;
constexpr int left = 620;  // of the bars; labels stand before it
constexpr int right = 950; // texts stand behind it
constexpr int top = 64;
constexpr int pitch = 26;
constexpr int thickness = 16;

std::string escaped(const std::string& text) {
    std::string result;
    for (const char character : text) {
        switch (character) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        default:
            result += character;
        }
    }
    return result;
}

int place_of(double length, double full) {
    const double part = std::clamp(length / full, 0.0, 1.0);
    return left + static_cast<int>(std::lround(part * (right - left)));
}

} // namespace

std::string bar_chart(const std::string& title, const std::string& subtitle, const std::vector<Bar>& bars,
                      double full) {
    std::ostringstream out;
    const int height = top + pitch * static_cast<int>(bars.size()) + 12;
    out << R"(<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" width=")" << width
        << R"(" height=")" << height << R"(" viewBox="0 0 )" << width << ' ' << height << R"(" aria-label=")"
        << escaped(title) << "\">\n<title>" << escaped(title) << R"(</title>
<style>
.chart text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #24292f }
.chart .title { font-size: 17px; font-weight: 600 }
.chart .subtitle { fill: #57606a }
.chart .label { text-anchor: end }
.chart .value { font-weight: 600 }
.chart .track { fill: #eaeef2 }
.chart .bar { fill: #1b66c9 }
.chart .bar.behind { fill: #bf5b17 }
.chart .notch { fill: #24292f }
@media (prefers-color-scheme: dark) {
.chart text, .chart .notch { fill: #e6edf3 }
.chart .subtitle { fill: #9da7b3 }
.chart .track { fill: #30363d }
.chart .bar { fill: #58a6ff }
.chart .bar.behind { fill: #f0883e }
}
</style>
<text class="title" x="16" y="26">)"
        << escaped(title) << "</text>\n<text class=\"subtitle\" x=\"16\" y=\"46\">" << escaped(subtitle)
        << "</text>\n";
    int y = top;
    for (const Bar& bar : bars) {
        const int end = place_of(bar.length, full);
        const int baseline = y + thickness - 3;
        out << "<text class=\"label\" x=\"" << left - 10 << "\" y=\"" << baseline << "\">"
            << escaped(bar.label) << "</text>\n<rect class=\"track\" x=\"" << left << "\" y=\"" << y
            << "\" width=\"" << right - left << "\" height=\"" << thickness << "\"/>\n<rect class=\"bar"
            << (bar.length < bar.notch ? " behind" : "") << "\" x=\"" << left << "\" y=\"" << y
            << "\" width=\"" << std::max(1, end - left) << "\" height=\"" << thickness
            << "\"/>\n<rect class=\"notch\" x=\"" << place_of(bar.notch, full) - 1 << "\" y=\"" << y - 3
            << "\" width=\"2\" height=\"" << thickness + 6 << "\"/>\n<text class=\"value\" x=\"" << right + 10
            << "\" y=\"" << baseline << "\">" << escaped(bar.text) << (bar.length > full ? " \u2192" : "")
            << "</text>\n";
        y += pitch;
    }
    out << "</svg>\n";
    return out.str();
}

} // namespace report
