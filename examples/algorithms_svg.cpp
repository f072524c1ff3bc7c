// prints: docs/images/algorithms.svg
// Draws which cells of one small map six searches expand, and when: algorithms_svg >picture.svg

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/uninformed.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Cell {
    int x, y;
    friend bool operator==(const Cell&, const Cell&) = default;
};

// A map of walls, four neighbours to a cell.
class Map {
public:
    using State = Cell;
    static constexpr bool is_undirected = true; // so that it can be searched from its goal, too

    explicit Map(Cell goal) : goal_(goal) {}

    static constexpr int width = 24;
    static constexpr int height = 13;

    bool is_wall(const Cell& cell) const {
        return rows_[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)] == '#';
    }

    std::vector<Cell> neighbors(const Cell& cell) const {
        std::vector<Cell> result;
        for (const Cell& next : {Cell{cell.x, cell.y - 1}, Cell{cell.x - 1, cell.y}, Cell{cell.x + 1, cell.y},
                                 Cell{cell.x, cell.y + 1}}) {
            const bool is_inside = next.x >= 0 && next.x < width && next.y >= 0 && next.y < height;
            if (is_inside && !is_wall(next)) {
                result.push_back(next);
            }
        }
        return result;
    }
    bool is_goal(const Cell& cell) const { return cell == goal_; }
    Cell goal() const { return goal_; }
    Map with_goal(const Cell& goal) const { return Map(goal); }
    std::size_t hash(const Cell& cell) const { return static_cast<std::size_t>(cell.y * width + cell.x); }

private:
    static constexpr std::array<const char*, height> rows_{
        "........................", //
        "........................", //
        "........................", //
        "............#########...", //
        "...................##...", //
        ".........#.........#....", //
        ".........#.........#....", //
        ".........#.........#....", //
        "...................##...", //
        ".............#......#...", //
        ".............#......#...", //
        "............##..........", //
        "......#.....##..........", //
    };

    Cell goal_;
};

// The distance without walls, for the map and for the same map the other way round.
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

// Writes down the cells in the order in which they are expanded.
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

constexpr int side = 11;
constexpr int step = side + 1;
constexpr int map_width = Map::width * step;
constexpr int map_height = Map::height * step;
constexpr int panel_width = map_width + 24;
constexpr int panel_height = map_height + 64;
constexpr int margin = 12;
constexpr int shades = 8;

const Map map(Cell{21, 6});
const Cell start{2, 6};

std::string number(std::size_t value) {
    return std::to_string(value);
}

std::string number(int value) {
    return std::to_string(value);
}

std::string text(const std::string& kind, int x, int y, const std::string& what) {
    return "<text class=\"" + kind + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" + what +
           "</text>\n";
}

// Squares of one kind, as one path.
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

int middle(int place) {
    return place * step + side / 2;
}

std::string start_mark(int x, int y) {
    return "<circle class=\"mark\" cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"5\"/>\n";
}

std::string goal_mark(int x, int y) {
    return "<path class=\"mark\" d=\"M" + number(x) + " " + number(y - 6) + "l6 6l-6 6l-6-6z\"/>\n";
}

std::string path_of(const std::vector<Cell>& cells) {
    std::string points;
    for (const Cell& cell : cells) {
        points += (points.empty() ? "" : " ") + number(middle(cell.x)) + "," + number(middle(cell.y));
    }
    return "<polyline class=\"casing\" points=\"" + points + "\"/>\n<polyline class=\"route\" points=\"" +
           points + "\"/>\n";
}

// The map after one search. The later a cell was expanded, the stronger its colour.
template <class Search>
std::string panel(int place, const std::string& title, const Search& search) {
    Order order;
    const auto result = search(order);
    if (!result) {
        throw std::logic_error(title + " found no path");
    }
    Squares floor;
    Squares walls;
    std::array<Squares, shades> from_start;
    std::array<Squares, shades> from_goal;
    const auto expanded = [&](const Cell& cell) {
        return std::find_if(order.entries.begin(), order.entries.end(),
                            [&](const Order::Entry& entry) { return entry.cell == cell; });
    };
    for (int y = 0; y < Map::height; ++y) {
        for (int x = 0; x < Map::width; ++x) {
            const Cell cell{x, y};
            const auto entry = expanded(cell);
            if (map.is_wall(cell)) {
                walls.add(cell);
            } else if (entry == order.entries.end()) {
                floor.add(cell);
            } else {
                const auto when = static_cast<std::size_t>(entry - order.entries.begin());
                const std::size_t shade = when * shades / order.entries.size();
                (entry->is_from_goal ? from_goal : from_start)[shade].add(cell);
            }
        }
    }
    std::string drawn = "<g transform=\"translate(" + number(margin + place % 3 * panel_width + 12) + " " +
                        number(margin + place / 3 * panel_height + 30) + ")\">\n" +
                        text("title", map_width / 2, -9, title) + floor.as("floor") + walls.as("wall");
    for (std::size_t shade = 0; shade < shades; ++shade) {
        drawn += from_start[shade].as("s" + number(shade)) + from_goal[shade].as("g" + number(shade));
    }
    return drawn + path_of(result.path) + start_mark(middle(start.x), middle(start.y)) +
           goal_mark(middle(map.goal().x), middle(map.goal().y)) +
           text("small", map_width / 2, map_height + 16,
                number(order.entries.size()) + " cells expanded, a path of " + number(result.cost) +
                    " steps") +
           "</g>\n";
}

// What the colours and marks mean, in one line.
std::string legend() {
    constexpr int square = 13;
    std::string drawn;
    int x = margin + 12;
    const auto ramp = [&](const std::string& kind, const std::string& what, int length) {
        for (int shade = 0; shade < shades; ++shade, x += square) {
            drawn += "<rect class=\"" + kind + number(shade) + "\" x=\"" + number(x) +
                     "\" y=\"0\" width=\"13\" height=\"13\"/>\n";
        }
        drawn += text("key", x + 7, 11, what);
        x += length;
    };
    ramp("s", "expanded from the start, first to last", 256);
    ramp("g", "expanded from the goal", 178);
    const auto mark = [&](const std::string& what, const std::string& drawn_mark, int length) {
        drawn += drawn_mark + text("key", x + 12, 11, what);
        x += length;
    };
    mark("start", start_mark(x, 7), 66);
    mark("goal", goal_mark(x, 7), 66);
    drawn += "<rect class=\"wall\" x=\"" + number(x - 6) + "\" y=\"0\" width=\"13\" height=\"13\"/>\n" +
             text("key", x + 12, 11, "wall");
    return "<g transform=\"translate(0 " + number(margin + 2 * panel_height + 2) + ")\">\n" + drawn +
           "</g>\n";
}

std::string colors(const std::string& kind, const std::array<const char*, shades>& ramp) {
    std::string rules;
    for (std::size_t shade = 0; shade < shades; ++shade) {
        rules += ".npuzzle ." + kind + number(shade) + " { fill: " + ramp[shade] + " }\n";
    }
    return rules;
}

} // namespace

int main() try {
    const std::string label = "Which cells of a map six searches expand, and when";
    const std::string width = number(3 * panel_width + 2 * margin);
    const std::string height = number(2 * panel_height + 20 + 2 * margin);
    std::cout
        << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"npuzzle\" role=\"img\" width=\"" << width
        << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' ' << height << "\" aria-label=\""
        << label << "\">\n<title>" << label << "</title>\n"
        << R"(<style>
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
)" << colors("s", {"#dcebfb", "#bfdaf7", "#a0c8f3", "#7fb3ec", "#5d9ce3", "#3d84d6", "#226bc1", "#0f529f"})
        << colors("g",
                  {"#dcf2dd", "#bfe6c3", "#9fd8a8", "#7cc78c", "#58b370", "#389c58", "#228244", "#136832"})
        << R"(@media (prefers-color-scheme: dark) {
.npuzzle text { fill: #e6edf3 }
.npuzzle .small, .npuzzle .key { fill: #9aa4af }
.npuzzle .page { fill: #0d1117 }
.npuzzle .floor { fill: #1a2028 }
.npuzzle .wall { fill: #8a7a62 }
.npuzzle .casing { stroke: #0d1117 }
.npuzzle .route { stroke: #ff8a5c }
.npuzzle .mark { fill: #ff8a5c; stroke: #0d1117 }
)" << colors("s", {"#12304f", "#173d66", "#1d4b7e", "#255b97", "#2f6cb0", "#3d80c8", "#5598de", "#79b5ff"})
        << colors("g",
                  {"#123821", "#17472a", "#1d5734", "#26683f", "#317a4b", "#3f8e59", "#55a76d", "#79c78d"})
        << "}\n</style>\n<rect class=\"page\" x=\"0\" y=\"0\" width=\"" << width << "\" height=\"" << height
        << "\" rx=\"8\"/>\n"
        << panel(0, "Breadth-first search",
                 [](Order& order) { return npuzzle::breadth_first(map, start, {}, order); })
        << panel(1, "A*", [](Order& order) { return npuzzle::astar(map, start, Manhattan{}, {}, order); })
        << panel(2, "Weighted A*, weight 2",
                 [](Order& order) { return npuzzle::weighted_astar(map, start, Manhattan{}, 2, {}, order); })
        << panel(3, "Greedy best-first search",
                 [](Order& order) { return npuzzle::greedy_best_first(map, start, Manhattan{}, {}, order); })
        << panel(4, "Bidirectional breadth-first search",
                 [](Order& order) { return npuzzle::bidirectional_breadth_first(map, start, {}, order); })
        << panel(5, "Bidirectional A*, by NBS",
                 [](Order& order) {
                     return npuzzle::bidirectional_astar<npuzzle::Meeting::nbs>(map, start, Manhattan{}, {},
                                                                                order);
                 })
        << legend() << "</svg>\n";
} catch (const std::exception& error) {
    std::cerr << "algorithms_svg: " << error.what() << '\n';
    return 1;
}
