#pragma once

#include <npuzzle/maps/graph.hpp>

#include "map_drawing.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

/// \file
/// A network of roads, and how it is drawn, for several examples.

namespace road_drawing {

using map_drawing::number;

inline constexpr int spacing = 40;

/// Crossings in rows and columns, slightly displaced, and roads between most neighbors. A road is up to half
/// as long again as the straight line.
class Network {
public:
    Network(std::uint32_t columns, std::uint32_t rows) : columns_(columns), rows_(rows) {
        std::mt19937 random(2);
        const auto displaced = [&](std::uint32_t place) {
            return static_cast<double>(place * spacing + 8 + random() % 25);
        };
        for (std::uint32_t i = 0; i < columns * rows; ++i) {
            const double x = displaced(i % columns);
            const double y = displaced(i / columns);
            crossings_.push_back({x, y});
        }
        const auto build = [&](std::uint32_t a, std::uint32_t b) {
            if (random() % 7 == 0) return;
            const double x = crossings_[a].x - crossings_[b].x;
            const double y = crossings_[a].y - crossings_[b].y;
            roads_.push_back(
                {a, b, std::sqrt(x * x + y * y) * (1 + static_cast<double>(random() % 50) / 100)});
        };
        for (std::uint32_t i = 0; i < columns * rows; ++i) {
            if (i % columns + 1 < columns) build(i, i + 1);
            if (i + columns < columns * rows) build(i, i + columns);
        }
    }

    npuzzle::UndirectedGraph<double> graph() const { return {crossings_, roads_}; }
    int width() const { return static_cast<int>(columns_) * spacing; }
    int height() const { return static_cast<int>(rows_) * spacing; }
    int x(std::uint32_t crossing) const { return static_cast<int>(crossings_[crossing].x); }
    int y(std::uint32_t crossing) const { return static_cast<int>(crossings_[crossing].y); }

    /// One line after another, through the crossings.
    std::string line(const std::string& kind, const std::vector<std::uint32_t>& crossings) const {
        std::string points;
        for (const std::uint32_t crossing : crossings) {
            points += (points.empty() ? "" : " ") + number(x(crossing)) + "," + number(y(crossing));
        }
        return "<polyline class=\"" + kind + "\" points=\"" + points + "\"/>\n";
    }
    /// All roads.
    std::string roads() const {
        std::string drawn;
        for (const auto& road : roads_) {
            drawn += line("road", {road.from, road.to});
        }
        return drawn;
    }
    /// A route with a mark at each end.
    std::string route(const std::vector<std::uint32_t>& crossings) const {
        return line("casing", crossings) + line("route", crossings) +
               map_drawing::start_mark(x(crossings.front()), y(crossings.front())) +
               map_drawing::goal_mark(x(crossings.back()), y(crossings.back()));
    }
    /// A crossing in one of the shades.
    std::string dot(std::uint32_t crossing, std::size_t shade) const {
        return "<circle class=\"s" + number(shade) + "\" cx=\"" + number(x(crossing)) + "\" cy=\"" +
               number(y(crossing)) + "\" r=\"5\"/>\n";
    }

private:
    std::uint32_t columns_;
    std::uint32_t rows_;
    std::vector<npuzzle::Point> crossings_;
    std::vector<npuzzle::Arc<double>> roads_;
};

/// What is drawn, moved to (x, y), with a title above it.
inline std::string panel(int x, int y, int width, const std::string& title, const std::string& drawn) {
    return "<g transform=\"translate(" + number(x) + " " + number(y) + ")\">\n" +
           map_drawing::text("title", width / 2, -8, title) + drawn + "</g>\n";
}

/// A length with one digit after the point.
inline std::string length(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f", value);
    return digits;
}

inline std::string picture(int width, int height, const std::string& label, const std::string& content) {
    return map_drawing::picture(
        width, height, label,
        "<style>\n.npuzzle .road { stroke: #8b949e; stroke-opacity: 0.5; stroke-width: 2 }\n"
        ".npuzzle .branch { stroke: #4c8fd6; stroke-width: 3 }\n</style>\n" +
            content);
}

} // namespace road_drawing
