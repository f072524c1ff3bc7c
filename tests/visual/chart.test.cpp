#include "npuzzle/visual/chart.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"
#include "support/visual.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using npuzzle::ChartBar;
using npuzzle::ChartOptions;
using npuzzle::ChartSeries;

namespace {

std::string lines(const std::vector<ChartSeries>& series, const ChartOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_line_chart_svg(out, series, options);
    CHECK(out.good());
    CHECK(is_well_formed(out.str()));
    return out.str();
}

std::string bars(const std::vector<ChartBar>& all, const ChartOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_bar_chart_svg(out, all, options);
    CHECK(out.good());
    CHECK(is_well_formed(out.str()));
    return out.str();
}

/// The values of an attribute, of all elements that hold `which`.
std::vector<double> attributes(const std::string& svg, const std::string& which,
                               const std::string& attribute) {
    std::vector<double> values;
    for (auto at = svg.find(which); at != std::string::npos; at = svg.find(which, at + 1)) {
        const auto begin = svg.find(' ' + attribute + "=\"", at);
        REQUIRE(begin < svg.find('>', at));
        values.push_back(std::stod(svg.substr(begin + attribute.size() + 3)));
    }
    return values;
}

/// The texts of all elements that hold `which`.
std::vector<std::string> texts(const std::string& svg, const std::string& which) {
    std::vector<std::string> found;
    for (auto at = svg.find(which); at != std::string::npos; at = svg.find(which, at + 1)) {
        const auto begin = svg.find('>', at) + 1;
        found.push_back(svg.substr(begin, svg.find('<', begin) - begin));
    }
    return found;
}

std::vector<npuzzle::ChartPoint> points_of(const std::string& svg, const std::string& kind) {
    const auto at = svg.find("<polyline class=\"line " + kind + "\" points=\"");
    REQUIRE(at != std::string::npos);
    const auto begin = svg.find("points=\"", at) + 8;
    std::istringstream in(svg.substr(begin, svg.find('"', begin) - begin));
    std::vector<npuzzle::ChartPoint> points;
    char comma = 0;
    for (double x = 0, y = 0; in >> x >> comma >> y;) points.push_back({x, y});
    return points;
}

std::vector<std::string> labels(double low, double high, int most, bool is_whole = false) {
    const auto axis = npuzzle::detail::chart_axis(low, high, most, is_whole);
    std::vector<std::string> all;
    for (std::size_t tick = 0; tick < axis.ticks(); ++tick) all.push_back(axis.label(axis.tick(tick)));
    return all;
}

using Labels = std::vector<std::string>;

} // namespace

TEST_CASE("ticks stand at round numbers", "[chart]") {
    CHECK(labels(0, 10, 5) == Labels{"0", "2", "4", "6", "8", "10"});
    CHECK(labels(0, 1, 5) == Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
    CHECK(labels(0, 0.7, 4) == Labels{"0", "0.2", "0.4", "0.6", "0.8"});
    CHECK(labels(0, 2500, 5) == Labels{"0", "500", "1000", "1500", "2000", "2500"});
    CHECK(labels(0, 181440, 4) == Labels{"0", "50 k", "100 k", "150 k", "200 k"});
    CHECK(labels(0, 12e6, 3) == Labels{"0", "5 M", "10 M", "15 M"});
    CHECK(labels(-3, 4, 4) == Labels{"-4", "-2", "0", "2", "4"});
    CHECK(labels(0, 2, 10, true) == Labels{"0", "1", "2"});
    CHECK(labels(0, 2, 10).size() == 11);
    CHECK(labels(5, 5, 4, true) == Labels{"5", "6"});
    CHECK(labels(0.00001, 0.00004, 3) == Labels{"0.00001", "0.00002", "0.00003", "0.00004"});
}

TEST_CASE("an axis covers its values with no more steps than it may have, and labels that differ",
          "[chart]") {
    for (int exponent = -12; exponent <= 14; ++exponent) {
        for (const double factor : {1.0, 1.7, 2.0, 3.14159, 5.0, 7.3, 9.99}) {
            for (const double low : {0.0, -0.31, 0.62}) {
                for (const int most : {2, 4, 10}) {
                    const double size = factor * std::pow(10.0, exponent);
                    const auto axis = npuzzle::detail::chart_axis(low * size, size, most, false);
                    CAPTURE(exponent, factor, low, most);
                    const double steps = (size - low * size) / axis.step;
                    CHECK(steps <= most + 1e-6);
                    CHECK(steps > most / 2.6); // no fewer than 2, 5 and 10 make necessary
                    CHECK(axis.low <= low * size + 1e-6 * axis.step);
                    CHECK(axis.high >= size - 1e-6 * axis.step);
                    std::set<std::string> different;
                    for (std::size_t tick = 0; tick < axis.ticks(); ++tick)
                        different.insert(axis.label(axis.tick(tick)));
                    CHECK(different.size() == axis.ticks());
                }
            }
        }
    }
}

TEST_CASE("a line goes through its points", "[chart]") {
    const std::string svg = lines({{"one", {{0, 0}, {50, 40}, {100, 100}}}, {"two", {{0, 100}, {100, 0}}}});
    const auto one = points_of(svg, "c0");
    const auto two = points_of(svg, "c1");
    REQUIRE(one.size() == 3);
    REQUIRE(two.size() == 2);
    CHECK(one[0].x == two[0].x);
    CHECK(one[2].x == two[1].x);
    CHECK(std::abs(one[1].x - (one[0].x + one[2].x) / 2) < 0.02);
    CHECK(std::abs(one[1].y - (one[0].y + 0.4 * (one[2].y - one[0].y))) < 0.02);
    CHECK(one[0].y == two[1].y);
    CHECK(one[2].y == two[0].y);
    CHECK(one[2].y < one[0].y); // upwards
    CHECK(count_of(">one</text>", svg) == 1);
    CHECK(count_of(">two</text>", svg) == 1);
    // One line needs no legend.
    CHECK(count_of(">one</text>", lines({{"one", {{0, 0}, {50, 40}}}})) == 0);
}

TEST_CASE("everything is on the picture, and labels of ticks do not meet", "[chart]") {
    for (const int width : {200, 400, 640, 2000}) {
        for (const double high : {0.00004, 1.0, 31.0, 181440.0, 5e9}) {
            CAPTURE(width, high);
            const std::string svg = lines({{"a", {{0, 0}, {high, high}}}}, {.x_label = "x", .width = width});
            const auto at = attributes(svg, "<text class=\"quiet middle\"", "x");
            const auto what = texts(svg, "<text class=\"quiet middle\"");
            // Seven pixels a character are more than its digits take. The first is the axis' own label.
            std::size_t faults = 0;
            for (std::size_t i = 1; i < at.size(); ++i) {
                const double half = 3.5 * static_cast<double>(what[i].size());
                if (at[i] - half < 0 || at[i] + half > width) ++faults;
                if (i > 1 && at[i] - half < at[i - 1] + 3.5 * static_cast<double>(what[i - 1].size()))
                    ++faults;
            }
            CHECK(at.size() >= 3);
            CHECK(faults == 0);
            for (const auto& point : points_of(svg, "c0")) {
                CHECK(point.x > 0);
                CHECK(point.x < width);
                CHECK(point.y > 0);
                CHECK(point.y < 360);
            }
        }
    }
}

TEST_CASE("what is not finite is left out", "[chart]") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::string svg =
        lines({{"", {{0, 0}, {1, infinity}, {std::nan(""), 2}, {2, 2}}}, {"", {{infinity, 1}}}});
    CHECK(points_of(svg, "c0").size() == 2);
    CHECK(count_of("c1\" points", svg) == 0);
    CHECK(count_of("inf", svg) + count_of("nan", svg) == 0);
}

TEST_CASE("bars are as high as their values", "[chart]") {
    const std::string svg = bars({{"19", 2}, {"21", 64}, {"23", 267}, {"25", 0}});
    const auto heights = attributes(svg, "class=\"bar\"", "height");
    const auto lefts = attributes(svg, "class=\"bar\"", "x");
    const auto widths = attributes(svg, "class=\"bar\"", "width");
    REQUIRE(heights.size() == 4);
    CHECK(std::abs(heights[0] / heights[2] - 2 / 267.0) < 1e-3);
    CHECK(std::abs(heights[1] / heights[2] - 64 / 267.0) < 1e-3);
    CHECK(heights[3] == 0);
    for (std::size_t i = 1; i < 4; ++i) CHECK(lefts[i] > lefts[i - 1] + widths[i - 1]);
    CHECK(texts(svg, "<title>") == Labels{"A chart", "19: 2", "21: 64", "23: 267", "25: 0"});
    for (const char* shown : {">2</text>", ">64</text>", ">267</text>"}) CHECK(count_of(shown, svg) == 1);
}

TEST_CASE("without anything to draw there is a picture all the same", "[chart]") {
    CHECK(count_of("There is nothing to draw.", lines({})) == 1);
    CHECK(count_of("There is nothing to draw.", lines({{"a", {}}})) == 1);
    CHECK(count_of("There is nothing to draw.", bars({})) == 1);
    CHECK(count_of("nan", lines({}) + bars({}) + bars({{"a", 0}})) == 0);
}

TEST_CASE("titles and axes are named", "[chart]") {
    const std::string svg = lines({{"a", {{0, 1}}}}, {.title = "T & t", .x_label = "x<", .y_label = "y>"});
    CHECK(count_of(">T &amp; t</text>", svg) == 1);
    CHECK(count_of("<title>T &amp; t</title>", svg) == 1);
    CHECK(count_of(">x&lt;</text>", svg) == 1);
    CHECK(count_of(">y&gt;</text>", svg) == 1);
    CHECK(count_of("prefers-color-scheme: dark", svg) == 1);
}

TEST_CASE("what cannot be drawn is refused", "[chart]") {
    const auto message = [](const auto& call) { return message_of<std::invalid_argument>(call); };
    CHECK(message([] { lines(std::vector<ChartSeries>(7)); }) == "a chart has 6 lines at most, not 7");
    CHECK(message([] { bars({{"a", -1}}); }) == "bar a is negative or not finite");
    CHECK(message([] { bars({{"a", std::nan("")}}); }) == "bar a is negative or not finite");
    const std::string size = "a chart is from 200 to 10000 pixels wide and from 150 to 10000 high, not ";
    CHECK(message([] { lines({}, {.width = 199}); }) == size + "199 by 360");
    CHECK(message([] { bars({}, {.height = 10001}); }) == size + "640 by 10001");
}
