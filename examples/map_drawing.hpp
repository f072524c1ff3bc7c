#pragma once

#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/core/result.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Draws a map of cells, the cells that a search expanded, in their order, and the path; for several
/// examples.

namespace map_drawing {

struct Cell {
    int x, y;
    friend bool operator==(const Cell&, const Cell&) = default;
};

/// Walls and floor, row by row: `#` is a wall.
class Floor {
public:
    explicit Floor(std::vector<std::string> rows) : rows_(std::move(rows)) {}

    int width() const { return static_cast<int>(rows_.front().size()); }
    int height() const { return static_cast<int>(rows_.size()); }
    bool is_wall(const Cell& cell) const {
        return rows_[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)] == '#';
    }
    bool is_free(const Cell& cell) const {
        const bool is_inside = cell.x >= 0 && cell.x < width() && cell.y >= 0 && cell.y < height();
        return is_inside && !is_wall(cell);
    }
    std::size_t index(const Cell& cell) const {
        return static_cast<std::size_t>(cell.y) * rows_.front().size() + static_cast<std::size_t>(cell.x);
    }

private:
    std::vector<std::string> rows_;
};

/// The cells as a problem: each has four neighbors. The floor may change.
struct Map {
    using State = Cell;
    static constexpr bool is_undirected = true; // so it can be searched from its goal, too

    const Floor* floor;
    Cell goal_cell;

    std::vector<Cell> neighbors(const Cell& cell) const {
        std::vector<Cell> result;
        for (const Cell& next : {Cell{cell.x, cell.y - 1}, Cell{cell.x - 1, cell.y}, Cell{cell.x + 1, cell.y},
                                 Cell{cell.x, cell.y + 1}}) {
            if (floor->is_free(cell) && floor->is_free(next)) result.push_back(next);
        }
        return result;
    }
    bool is_goal(const Cell& cell) const { return cell == goal_cell; }
    Cell goal() const { return goal_cell; }
    Map with_goal(const Cell& goal) const { return {floor, goal}; }
    std::size_t hash(const Cell& cell) const { return floor->index(cell); }
};

/// The distance without walls, for the map and for the same map with another goal.
struct Manhattan {
    class Bound {
    public:
        static constexpr bool is_consistent = true;
        explicit Bound(Cell goal) : goal_(goal) {}
        int operator()(const Cell& cell) const {
            return std::abs(cell.x - goal_.x) + std::abs(cell.y - goal_.y);
        }

    private:
        Cell goal_;
    };
    Bound bind(const Map& map) const { return Bound(map.goal()); }
};

/// Records the cells in expansion order.
struct Order : npuzzle::SilentObserver {
    struct Entry {
        Cell cell;
        bool is_from_goal;
    };
    std::vector<Entry> entries;

    template <class Node>
    void expand(const Node& node) {
        bool is_from_goal = false;
        if constexpr (requires { node.direction; }) {
            is_from_goal = node.direction == npuzzle::Direction::backward;
        }
        entries.push_back({node.state, is_from_goal});
    }
};

inline constexpr int side = 11;
inline constexpr int step = side + 1;
inline constexpr int shades = 8;

inline std::string number(std::size_t value) {
    return std::to_string(value);
}

inline std::string number(int value) {
    return std::to_string(value);
}

inline std::string text(const std::string& kind, int x, int y, const std::string& what) {
    return "<text class=\"" + kind + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" + what +
           "</text>\n";
}

/// Squares of one kind, as one path.
class Squares {
public:
    void add(const Cell& cell) {
        path_ += "M" + number(cell.x * step) + " " + number(cell.y * step) + "h" + number(side) + "v" +
                 number(side) + "h-" + number(side) + "z";
    }
    std::string as(const std::string& kind) const {
        return path_.empty() ? "" : "<path class=\"" + kind + "\" d=\"" + path_ + "\"/>\n";
    }

private:
    std::string path_;
};

inline int middle(int place) {
    return place * step + side / 2;
}

inline std::string start_mark(int x, int y) {
    return "<circle class=\"mark\" cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"5\"/>\n";
}

inline std::string goal_mark(int x, int y) {
    return "<path class=\"mark\" d=\"M" + number(x) + " " + number(y - 6) + "l6 6l-6 6l-6-6z\"/>\n";
}

inline std::string route(const std::vector<Cell>& cells) {
    std::string points;
    for (const Cell& cell : cells) {
        points += (points.empty() ? "" : " ") + number(middle(cell.x)) + "," + number(middle(cell.y));
    }
    return "<polyline class=\"casing\" points=\"" + points + "\"/>\n<polyline class=\"route\" points=\"" +
           points + "\"/>\n";
}

/// The map after one search, its upper left cell at (x, y). The later a cell was expanded, the stronger its
/// color.
inline std::string panel(int x, int y, const Floor& floor, const Order& order, const std::vector<Cell>& path,
                         const std::string& title, const std::string& caption) {
    Squares free;
    Squares walls;
    std::array<Squares, shades> from_start;
    std::array<Squares, shades> from_goal;
    const auto expanded = [&](const Cell& cell) {
        return std::find_if(order.entries.begin(), order.entries.end(),
                            [&](const Order::Entry& entry) { return entry.cell == cell; });
    };
    for (int row = 0; row < floor.height(); ++row) {
        for (int column = 0; column < floor.width(); ++column) {
            const Cell cell{column, row};
            const auto entry = expanded(cell);
            if (floor.is_wall(cell)) {
                walls.add(cell);
            } else if (entry == order.entries.end()) {
                free.add(cell);
            } else {
                const auto when = static_cast<std::size_t>(entry - order.entries.begin());
                const std::size_t shade = when * shades / order.entries.size();
                (entry->is_from_goal ? from_goal : from_start)[shade].add(cell);
            }
        }
    }
    const int center = floor.width() * step / 2;
    std::string drawn = "<g transform=\"translate(" + number(x) + " " + number(y) + ")\">\n" +
                        text("title", center, -9, title) + free.as("floor") + walls.as("wall");
    for (std::size_t shade = 0; shade < shades; ++shade) {
        drawn += from_start[shade].as("s" + number(shade)) + from_goal[shade].as("g" + number(shade));
    }
    return drawn + route(path) + start_mark(middle(path.front().x), middle(path.front().y)) +
           goal_mark(middle(path.back().x), middle(path.back().y)) +
           text("small", center, floor.height() * step + 16, caption) + "</g>\n";
}

/// What the colors and marks mean, in one line from (x, y).
inline std::string legend(int x, int y, bool has_both_ends) {
    constexpr int square = 13;
    std::string drawn;
    const auto ramp = [&](const std::string& kind, const std::string& what, int length) {
        for (int shade = 0; shade < shades; ++shade, x += square) {
            drawn += "<rect class=\"" + kind + number(shade) + "\" x=\"" + number(x) +
                     "\" y=\"0\" width=\"13\" height=\"13\"/>\n";
        }
        drawn += text("key", x + 7, 11, what);
        x += length;
    };
    ramp("s", has_both_ends ? "expanded from the start, first to last" : "expanded, first to last",
         has_both_ends ? 256 : 168);
    if (has_both_ends) ramp("g", "expanded from the goal", 178);
    const auto mark = [&](const std::string& what, const std::string& drawn_mark, int length) {
        drawn += drawn_mark + text("key", x + 12, 11, what);
        x += length;
    };
    mark("start", start_mark(x, 7), 66);
    mark("goal", goal_mark(x, 7), 66);
    drawn += "<rect class=\"wall\" x=\"" + number(x - 6) + "\" y=\"0\" width=\"13\" height=\"13\"/>\n" +
             text("key", x + 12, 11, "wall");
    return "<g transform=\"translate(0 " + number(y) + ")\">\n" + drawn + "</g>\n";
}

inline std::string colors(const std::string& kind, const std::array<const char*, shades>& ramp) {
    std::string rules;
    for (std::size_t shade = 0; shade < shades; ++shade) {
        rules += ".npuzzle ." + kind + number(shade) + " { fill: " + ramp[shade] + " }\n";
    }
    return rules;
}

/// The whole picture, in the light or dark scheme of its reader.
inline std::string picture(int width, int height, const std::string& label, const std::string& content) {
    const std::string size = "width=\"" + number(width) + "\" height=\"" + number(height) + "\"";
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"npuzzle\" role=\"img\" " + size +
           " viewBox=\"0 0 " + number(width) + " " + number(height) + "\" aria-label=\"" + label +
           "\">\n<title>" + label + "</title>\n" +
           R"(<style>
.npuzzle text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; text-anchor: middle; fill: #1f2328 }
.npuzzle .title { font-size: 15px; font-weight: 600 }
.npuzzle .small { fill: #57606a }
.npuzzle .key { fill: #57606a; text-anchor: start }
.npuzzle .page { fill: #ffffff }
.npuzzle .floor { fill: #eef1f4 }
.npuzzle .wall { fill: #6b5b45 }
.npuzzle .casing { fill: none; stroke: #ffffff; stroke-width: 6; stroke-linejoin: round }
.npuzzle .route { fill: none; stroke: #d1360b; stroke-width: 3; stroke-linejoin: round }
.npuzzle .mark { fill: #d1360b; stroke: #ffffff; stroke-width: 1.5 }
)" + colors("s", {"#dcebfb", "#bfdaf7", "#a0c8f3", "#7fb3ec", "#5d9ce3", "#3d84d6", "#226bc1", "#0f529f"}) +
           colors("g",
                  {"#dcf2dd", "#bfe6c3", "#9fd8a8", "#7cc78c", "#58b370", "#389c58", "#228244", "#136832"}) +
           R"(@media (prefers-color-scheme: dark) {
.npuzzle text { fill: #e6edf3 }
.npuzzle .small, .npuzzle .key { fill: #9aa4af }
.npuzzle .page { fill: #0d1117 }
.npuzzle .floor { fill: #1a2028 }
.npuzzle .wall { fill: #8a7a62 }
.npuzzle .casing { stroke: #0d1117 }
.npuzzle .route { stroke: #ff8a5c }
.npuzzle .mark { fill: #ff8a5c; stroke: #0d1117 }
)" + colors("s", {"#12304f", "#173d66", "#1d4b7e", "#255b97", "#2f6cb0", "#3d80c8", "#5598de", "#79b5ff"}) +
           colors("g",
                  {"#123821", "#17472a", "#1d5734", "#26683f", "#317a4b", "#3f8e59", "#55a76d", "#79c78d"}) +
           "}\n</style>\n<rect class=\"page\" x=\"0\" y=\"0\" " + size + " rx=\"8\"/>\n" + content +
           "</svg>\n";
}

} // namespace map_drawing
