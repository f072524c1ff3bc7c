#pragma once

#include "npuzzle/visual/detail/svg.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Charts of lines and of bars, as SVG.

namespace npuzzle {

/// A point of a line chart.
struct ChartPoint {
    double x, y;
};

/// A line of a chart. Points that are not finite are left out.
struct ChartSeries {
    std::string name; ///< for the legend, which is drawn if there is more than one line
    std::vector<ChartPoint> points;
};

/// A bar of a chart: at least 0.
struct ChartBar {
    std::string label;
    double value;
};

/// Options of the chart writers.
struct ChartOptions {
    std::string title = {};
    std::string x_label = {}; ///< the quantity on the horizontal axis, and its unit
    std::string y_label = {}; ///< the quantity on the vertical axis, and its unit
    int width = 640;          ///< in pixels, from 200 to 10000
    int height = 360;         ///< in pixels, from 150 to 10000
};

namespace detail {

/// An axis with ticks at round numbers: 1, 2 or 5 times a power of ten apart.
struct ChartAxis {
    double low = 0;
    double high = 1;
    double step = 1;

    [[nodiscard]] std::size_t ticks() const {
        return 1 + static_cast<std::size_t>(std::round((high - low) / step));
    }
    [[nodiscard]] double tick(std::size_t index) const { return low + static_cast<double>(index) * step; }

    /// A short number that is as precise as the step: 20000 is "20 k".
    [[nodiscard]] std::string label(double value) const {
        constexpr std::string_view units[] = {"", " k", " M", " G", " T"};
        const double greatest = (std::max)(std::abs(low), std::abs(high));
        std::size_t unit = 0;
        double scale = 1;
        while (unit + 1 < std::size(units) && greatest >= 10000 * scale) {
            ++unit;
            scale *= 1000;
        }
        if (unit > 0 && greatest < 10 * scale && step < scale) {
            // Half a unit still reads well; a hundredth of one does not.
            if (step * 10 < scale) {
                --unit;
                scale /= 1000;
            }
        }
        if (std::abs(value) < step / 2) return "0";
        constexpr int max_decimals = 5;
        double rest = step / scale;
        int decimals = 0;
        while (decimals <= max_decimals && (rest < 0.5 || std::abs(rest - std::round(rest)) > 1e-6 * rest)) {
            rest *= 10;
            ++decimals;
        }
        char digits[64];
        const bool is_fixed = decimals <= max_decimals && std::abs(value / scale) < 1e15;
        const auto end = is_fixed ? std::to_chars(digits, digits + sizeof digits, value / scale,
                                                  std::chars_format::fixed, decimals)
                                        .ptr
                                  : std::to_chars(digits, digits + sizeof digits, value / scale,
                                                  std::chars_format::scientific, 2)
                                        .ptr;
        return std::string(digits, end).append(units[unit]);
    }
};

/// The axis from `low` to `high`, widened to round numbers, with at most so many steps.
[[nodiscard]] inline ChartAxis chart_axis(double low, double high, int most, bool is_whole) {
    if (!(high > low)) high = low + 1;
    const double least = (high - low) / most;
    double magnitude = 1;
    while (magnitude > least) magnitude /= 10;
    while (magnitude * 10 <= least) magnitude *= 10;
    double step = magnitude * 10;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * magnitude >= least * (1 - 1e-9)) {
            step = factor * magnitude;
            break;
        }
    }
    if (is_whole) step = (std::max)(step, 1.0);
    // A value within a billionth of a step counts as on the tick.
    return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step, step};
}

inline constexpr std::string_view chart_style =
    R"css(.npuzzle-chart .title { font-size: 16px; font-weight: 600 }
.npuzzle-chart text { fill: #1f2328 }
.npuzzle-chart .quiet { fill: #57606a }
.npuzzle-chart .end { text-anchor: end }
.npuzzle-chart .middle { text-anchor: middle }
.npuzzle-chart .page { fill: #ffffff }
.npuzzle-chart .grid { fill: none; stroke: #e1e4e8 }
.npuzzle-chart .axis { fill: none; stroke: #57606a; stroke-width: 1.5 }
.npuzzle-chart .bar { fill: #1b66c9 }
.npuzzle-chart .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round }
.npuzzle-chart .c0 { stroke: #1b66c9 }
.npuzzle-chart .c1 { stroke: #c2410c; stroke-dasharray: 9 5 }
.npuzzle-chart .c2 { stroke: #1d7a3e; stroke-dasharray: 2 5 }
.npuzzle-chart .c3 { stroke: #8250df; stroke-dasharray: 12 4 2 4 }
.npuzzle-chart .c4 { stroke: #9a6700; stroke-dasharray: 5 5 }
.npuzzle-chart .c5 { stroke: #57606a }
@media (prefers-color-scheme: dark) {
.npuzzle-chart text { fill: #e6edf3 }
.npuzzle-chart .quiet { fill: #9aa4af }
.npuzzle-chart .page { fill: #0d1117 }
.npuzzle-chart .grid { stroke: #262c34 }
.npuzzle-chart .axis { stroke: #9aa4af }
.npuzzle-chart .bar { fill: #58a6ff }
.npuzzle-chart .c0 { stroke: #58a6ff }
.npuzzle-chart .c1 { stroke: #ff9d76 }
.npuzzle-chart .c2 { stroke: #79c78d }
.npuzzle-chart .c3 { stroke: #bc8cff }
.npuzzle-chart .c4 { stroke: #e3b341 }
.npuzzle-chart .c5 { stroke: #9aa4af }
}
)css";

/// An upper bound on the width of a character in text of 13 pixels.
inline constexpr double chart_character = 7.6;

[[nodiscard]] inline double chart_text_width(std::string_view text) {
    const auto characters = std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    return chart_character * static_cast<double>(characters);
}

[[nodiscard]] inline std::string svg_line(std::string_view kind, double x1, double y1, double x2, double y2) {
    return std::string("<path class=\"")
        .append(kind)
        .append("\" d=\"M" + svg_number(x1) + ' ' + svg_number(y1) + 'L' + svg_number(x2) + ' ' +
                svg_number(y2) + "\"/>\n");
}

/// The frame of a chart: the position of the plot area and the ranges of its axes.
class ChartFrame {
public:
    static constexpr double margin = 16;

    /// \param header pixels between the title and the field, \param y_labels and \param x_label pixels of the
    ///         widest labels
    ChartFrame(const ChartOptions& options, double header, double y_labels, double x_label)
        : left(margin + y_labels + 8), right(options.width - (std::max)(margin + 8, 8 + x_label / 2)),
          top(margin + (options.title.empty() ? 0 : 26) + header + (options.y_label.empty() ? 6 : 22)),
          bottom(options.height - margin - 22 - (options.x_label.empty() ? 0 : 20)) {
        bottom = (std::max)(bottom, top + 20);
        right = (std::max)(right, left + 20);
    }

    [[nodiscard]] std::string head(const ChartOptions& options) const {
        std::string rules = ".npuzzle-chart text { font: 13px ";
        rules.append(svg_font).append(" }\n").append(chart_style);
        const std::string title = options.title.empty() ? std::string("A chart") : options.title;
        std::string text = svg_head("npuzzle-chart", svg_number(options.width), svg_number(options.height),
                                    title, rules, "8");
        if (!options.title.empty()) text += svg_text("title", margin, margin + 14, options.title) + '\n';
        if (!options.y_label.empty()) text += svg_text("quiet", margin, top - 12, options.y_label) + '\n';
        if (!options.x_label.empty()) {
            text += svg_text("quiet middle", (left + right) / 2, bottom + 38, options.x_label) + '\n';
        }
        return text;
    }

    /// Horizontal grid lines at the ticks of the vertical axis, with their numbers.
    [[nodiscard]] std::string y_axis(const ChartAxis& axis) const {
        std::string text;
        for (std::size_t tick = 0; tick < axis.ticks(); ++tick) {
            const double y = y_of(axis, axis.tick(tick));
            text += svg_line("grid", left, y, right, y) +
                    svg_text("quiet end", left - 8, y + 4.5, axis.label(axis.tick(tick))) + '\n';
        }
        return text;
    }

    [[nodiscard]] double x_of(const ChartAxis& axis, double value) const {
        return left + (right - left) * (value - axis.low) / (axis.high - axis.low);
    }
    [[nodiscard]] double y_of(const ChartAxis& axis, double value) const {
        return bottom - (bottom - top) * (value - axis.low) / (axis.high - axis.low);
    }

    double left, right, top, bottom;
};

inline void check_chart(const ChartOptions& options) {
    if (options.width < 200 || options.width > 10000 || options.height < 150 || options.height > 10000) {
        throw std::invalid_argument(
            "a chart is from 200 to 10000 pixels wide and from 150 to 10000 high, not " +
            std::to_string(options.width) + " by " + std::to_string(options.height));
    }
}

[[nodiscard]] inline double widest_label(const ChartAxis& axis) {
    double width = 0;
    for (std::size_t tick = 0; tick < axis.ticks(); ++tick) {
        width = (std::max)(width, chart_text_width(axis.label(axis.tick(tick))));
    }
    return width;
}

/// The number of steps that fit on an axis.
[[nodiscard]] inline int steps_for(int pixels, int pixels_each) {
    return std::clamp(pixels / pixels_each, 2, 10);
}

} // namespace detail

/// Draws a line chart with ticks at round numbers. The axes begin at zero, unless all values are far from it.
/// Lines differ in color and in dashes.
///
/// \throws std::invalid_argument if there are more than 6 lines, or if the chart is too small or too large
///
/// Linear in the number of points. Errors are left in the state of `out`.
inline void write_line_chart_svg(std::ostream& out, const std::vector<ChartSeries>& series,
                                 const ChartOptions& options = {}) {
    detail::check_chart(options);
    if (series.size() > 6) {
        throw std::invalid_argument("a chart has 6 lines at most, not " + std::to_string(series.size()));
    }
    struct Range {
        double low = 0, high = 0;
        bool is_whole = true, is_empty = true;
        void add(double value) {
            low = is_empty ? value : (std::min)(low, value);
            high = is_empty ? value : (std::max)(high, value);
            is_whole = is_whole && std::floor(value) == value;
            is_empty = false;
        }
        detail::ChartAxis axis(int most) const {
            return detail::chart_axis(low > 0 && low < high / 2 ? 0 : low,
                                      high < 0 && high > low / 2 ? 0 : high, most, is_whole);
        }
    };
    const auto is_drawn = [](const ChartPoint& point) {
        return std::isfinite(point.x) && std::isfinite(point.y);
    };
    Range x;
    Range y;
    for (const ChartSeries& line : series) {
        for (const ChartPoint& point : line.points) {
            if (!is_drawn(point)) continue;
            x.add(point.x);
            y.add(point.y);
        }
    }
    const detail::ChartAxis y_axis = y.axis(detail::steps_for(options.height, 50));
    int steps = detail::steps_for(options.width, 75);
    detail::ChartAxis x_axis = x.axis(steps);
    const double field = options.width - detail::widest_label(y_axis) - 60;
    while (steps > 1 &&
           (detail::widest_label(x_axis) + 6) * static_cast<double>(x_axis.ticks() - 1) > field) {
        x_axis = x.axis(--steps);
    }

    // The legend takes as many lines as it needs.
    std::string legend;
    double legend_x = detail::ChartFrame::margin;
    double legend_y = detail::ChartFrame::margin + (options.title.empty() ? 0 : 26);
    const double legend_top = legend_y;
    for (std::size_t i = 0; series.size() > 1 && i < series.size(); ++i) {
        const double width = 40 + detail::chart_text_width(series[i].name) + 16;
        if (legend_x > detail::ChartFrame::margin && legend_x + width > options.width) {
            legend_x = detail::ChartFrame::margin;
            legend_y += 20;
        }
        legend += detail::svg_line("line c" + detail::svg_number(i), legend_x + 2, legend_y + 9,
                                   legend_x + 32, legend_y + 9) +
                  detail::svg_text("quiet", legend_x + 40, legend_y + 13, series[i].name) + '\n';
        legend_x += width;
    }
    const detail::ChartFrame frame(options, legend.empty() ? 0 : legend_y - legend_top + 26,
                                   detail::widest_label(y_axis), detail::widest_label(x_axis));
    std::string text = frame.head(options) + legend + frame.y_axis(y_axis);
    for (std::size_t tick = 0; tick < x_axis.ticks(); ++tick) {
        const double at = frame.x_of(x_axis, x_axis.tick(tick));
        text += detail::svg_line("axis", at, frame.bottom, at, frame.bottom + 5) +
                detail::svg_text("quiet middle", at, frame.bottom + 19, x_axis.label(x_axis.tick(tick))) +
                '\n';
    }
    text += detail::svg_line("axis", frame.left, frame.bottom, frame.right, frame.bottom);
    if (x.is_empty) {
        text += detail::svg_text("middle", (frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2,
                                 "There is nothing to draw.") +
                '\n';
    }
    detail::write_text(out, text);
    for (std::size_t i = series.size(); i-- > 0;) { // the first lies on top
        std::string points;
        for (const ChartPoint& point : series[i].points) {
            if (!is_drawn(point)) continue;
            points += (points.empty() ? "" : " ") + detail::svg_number(frame.x_of(x_axis, point.x)) + ',' +
                      detail::svg_number(frame.y_of(y_axis, point.y));
        }
        if (points.empty()) continue;
        detail::write_text(out, "<polyline class=\"line c" + detail::svg_number(i) + "\" points=\"" + points +
                                    "\"/>\n");
    }
    detail::write_text(out, "</svg>\n");
}

/// Draws a bar chart. Bars are vertical if their labels are short. Otherwise they are horizontal, one below
/// the other, and the chart is as high as that needs. If there is no room for every label, every second,
/// fifth, tenth and so on is written.
///
/// \throws std::invalid_argument if a value is negative or not finite, or if the chart is too small or too
///         large
///
/// Linear in the number of bars. Errors are left in the state of `out`.
inline void write_bar_chart_svg(std::ostream& out, const std::vector<ChartBar>& bars,
                                const ChartOptions& options = {}) {
    detail::check_chart(options);
    double highest = 0;
    double widest = 0;
    bool is_whole = true;
    for (const ChartBar& bar : bars) {
        if (!(bar.value >= 0) || !std::isfinite(bar.value)) {
            throw std::invalid_argument("bar " + bar.label + " is negative or not finite");
        }
        highest = (std::max)(highest, bar.value);
        widest = (std::max)(widest, detail::chart_text_width(bar.label));
        is_whole = is_whole && std::floor(bar.value) == bar.value;
    }
    const auto count = static_cast<double>(bars.size());
    const auto value_of = [&](const ChartBar& bar) {
        return is_whole && bar.value < 1e15 ? detail::svg_number(static_cast<long long>(bar.value))
                                            : detail::svg_number(bar.value);
    };
    const auto drawn = [&](const ChartBar& bar, double x, double y, double width, double height) {
        return "<rect class=\"bar\" x=\"" + detail::svg_number(x) + "\" y=\"" + detail::svg_number(y) +
               "\" width=\"" + detail::svg_number(width) + "\" height=\"" + detail::svg_number(height) +
               "\"><title>" + detail::escaped_for_xml(bar.label) + ": " + value_of(bar) + "</title></rect>\n";
    };

    if (widest > 8 * detail::chart_character) {
        constexpr double row = 28;
        ChartOptions sized = options;
        sized.y_label = {};
        sized.x_label = {};
        const detail::ChartFrame unsized(sized, options.y_label.empty() ? 0 : 20, widest, 0);
        sized.height = static_cast<int>(unsized.top + row * count + detail::ChartFrame::margin);
        double numbers = 0;
        for (const ChartBar& bar : bars)
            numbers = (std::max)(numbers, detail::chart_text_width(value_of(bar)) + 8);
        const double room = (std::max)(20.0, unsized.right - numbers - unsized.left);
        detail::write_text(out, unsized.head(sized));
        if (!options.y_label.empty()) {
            detail::write_text(
                out, detail::svg_text("quiet", unsized.left, unsized.top - 10, options.y_label) + '\n');
        }
        double y = unsized.top;
        for (const ChartBar& bar : bars) {
            const double length = highest > 0 ? room * bar.value / highest : 0;
            detail::write_text(
                out, detail::svg_text("end", unsized.left - 8, y + 18, bar.label) +
                         drawn(bar, unsized.left, y + 4, length, row - 8) +
                         detail::svg_text("quiet", unsized.left + length + 8, y + 18, value_of(bar)) + '\n');
            y += row;
        }
        detail::write_text(out, "</svg>\n");
        return;
    }

    const detail::ChartAxis axis =
        detail::chart_axis(0, highest, detail::steps_for(options.height, 50), is_whole);
    const detail::ChartFrame frame(options, 0, detail::widest_label(axis), 0);
    const double band = (frame.right - frame.left) / (std::max)(count, 1.0);
    const std::size_t every = [&] {
        for (std::size_t power = 1;; power *= 10) {
            for (const std::size_t factor : {1U, 2U, 5U}) {
                if (static_cast<double>(factor * power) * band >= widest + 6) return factor * power;
            }
        }
    }();
    detail::write_text(out, frame.head(options) + frame.y_axis(axis));
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double left = frame.left + static_cast<double>(i) * band;
        const double y = frame.y_of(axis, bars[i].value);
        std::string text = drawn(bars[i], left + band * 0.1, y, band * 0.8, frame.bottom - y);
        if (i % every == 0) {
            text +=
                detail::svg_text("quiet middle", left + band / 2, frame.bottom + 18, bars[i].label) + '\n';
        }
        const std::string value = value_of(bars[i]);
        if (bars[i].value > 0 && detail::chart_text_width(value) + 2 <= band) {
            text += detail::svg_text("middle", left + band / 2, y - 4, value) + '\n';
        }
        detail::write_text(out, text);
    }
    std::string text = detail::svg_line("axis", frame.left, frame.bottom, frame.right, frame.bottom);
    if (bars.empty()) {
        text += detail::svg_text("middle", (frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2,
                                 "There is nothing to draw.") +
                '\n';
    }
    detail::write_text(out, text + "</svg>\n");
}

} // namespace npuzzle
