// prints: docs/images/heuristics.svg
// Draws what each heuristic counts on one board: heuristics_svg >picture.svg

#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/heuristics/pattern_databases.hpp>
#include <npuzzle/puzzle/heuristics/walking_distance.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Board = npuzzle::PackedBoard<3>;

const npuzzle::SlidingPuzzle<3> puzzle;
const Board board({3, 2, 1, 4, 5, 6, 8, 7, 0});

constexpr int tile_side = 40;
constexpr int step = tile_side + 3;
constexpr int board_side = 3 * step + 9;
constexpr int board_top = 50;
constexpr int panel_width = 174;
constexpr int panel_height = board_top + board_side + 46;
constexpr int margin = 8;

// How a tile looks in a panel: its text, the small text below, and its color.
struct Look {
    std::string text = {};
    std::string note = {};
    std::string kind = {};
};

int home(int tile) {
    return tile - 1;
}

int distance(int tile, int cell) {
    return std::abs(home(tile) / 3 - cell / 3) + std::abs(home(tile) % 3 - cell % 3);
}

std::string number(int value) {
    return std::to_string(value);
}

std::string text(const std::string& kind, int x, int y, const std::string& what) {
    return "<text class=\"" + kind + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" + what +
           "</text>\n";
}

std::string rectangle(const std::string& kind, int x, int y, int width, int height, int radius) {
    return "<rect class=\"" + kind + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" +
           number(width) + "\" height=\"" + number(height) + "\" rx=\"" + number(radius) + "\"/>\n";
}

// If the picture would not show what the library computes, it is not drawn.
void require(bool is_so) {
    if (!is_so) {
        throw std::logic_error("the parts are not what the heuristic adds up");
    }
}

// One board with a title, tiles that look as `look(tile, cell)` says, and two lines below.
class Panel {
public:
    Panel(int place, const std::string& title) {
        drawn_ = "<g transform=\"translate(" + number(margin + place * panel_width) + " " + number(margin) +
                 ")\">\n" + text("title", panel_width / 2, 20, title);
    }

    template <class F>
    Panel& tiles(const F& look) {
        drawn_ += rectangle("frame", left, board_top, board_side, board_side, 6);
        for (int cell = 0; cell < 9; ++cell) {
            const int tile = board.tile(cell);
            if (tile == 0) {
                continue;
            }
            const Look seen = look(tile, cell);
            const int x = left + 6 + cell % 3 * step;
            const int y = board_top + 6 + cell / 3 * step;
            drawn_ += "<g class=\"" + seen.kind + "\">" + rectangle("tile", x, y, tile_side, tile_side, 5);
            drawn_ += text("on", x + tile_side / 2, y + (seen.note.empty() ? 27 : 22), seen.text);
            if (!seen.note.empty()) {
                drawn_ += text("note", x + tile_side / 2, y + 35, seen.note);
            }
            drawn_ += "</g>\n";
        }
        return *this;
    }

    Panel& above_column(int column, const std::string& what) {
        drawn_ += text("small", left + 6 + column * step + tile_side / 2, board_top - 8, what);
        return *this;
    }

    Panel& around_row(int row) {
        drawn_ += rectangle("ring", left + 5, board_top + 5 + row * step, 3 * step, step, 6);
        return *this;
    }

    std::string with(const std::string& sum, const std::string& meaning) {
        return drawn_ + text("sum", panel_width / 2, board_top + board_side + 22, sum) +
               text("small", panel_width / 2, board_top + board_side + 40, meaning) + "</g>\n";
    }

private:
    static constexpr int left = (panel_width - board_side) / 2;

    std::string drawn_;
};

std::string hamming(int place) {
    int count = 0;
    Panel panel(place, "Hamming");
    panel.tiles([&](int tile, int cell) -> Look {
        if (cell == home(tile)) {
            return {number(tile), "", "plain"};
        }
        ++count;
        return {number(tile), "1", "counted"};
    });
    require(count == npuzzle::Hamming{}(board));
    return panel.with(number(count), "tiles out of place");
}

std::string manhattan(int place) {
    int sum = 0;
    Panel panel(place, "Manhattan");
    panel.tiles([&](int tile, int cell) -> Look {
        const int far = distance(tile, cell);
        sum += far;
        return far == 0 ? Look{number(tile), "", "plain"} : Look{number(tile), number(far), "counted"};
    });
    require(sum == npuzzle::Manhattan{}(board));
    return panel.with(number(sum), "rows and columns from home");
}

// The fewest tiles of a row that must leave it so that the rest can go home in their order.
std::vector<bool> leaving(int row) {
    unsigned best = 0;
    int most = 0;
    for (unsigned kept = 0; kept < 8; ++kept) {
        int last = -1;
        int count = 0;
        bool is_in_order = true;
        for (int column = 0; column < 3; ++column) {
            if ((kept >> column & 1U) != 0) {
                const int tile = board.tile(3 * row + column);
                is_in_order = is_in_order && tile != 0 && home(tile) / 3 == row && home(tile) > last;
                last = home(tile);
                ++count;
            }
        }
        if (is_in_order && count >= most) {
            most = count;
            best = kept;
        }
    }
    std::vector<bool> leaves;
    for (int column = 0; column < 3; ++column) {
        const int tile = board.tile(3 * row + column);
        leaves.push_back(tile != 0 && home(tile) / 3 == row && (best >> column & 1U) == 0);
    }
    return leaves;
}

std::string linear_conflict(int place) {
    int sum = 0;
    int left = 0;
    Panel panel(place, "Linear conflict");
    panel.tiles([&](int tile, int cell) -> Look {
        const int far = distance(tile, cell);
        sum += far;
        if (leaving(cell / 3)[static_cast<std::size_t>(cell % 3)]) {
            ++left;
            return {number(tile), number(far) + " + 2", "strong"};
        }
        return far == 0 ? Look{number(tile), "", "plain"} : Look{number(tile), number(far), "counted"};
    });
    panel.around_row(0).around_row(2);
    // In each column, no two of the column's own tiles are in the wrong order.
    require(sum + 2 * left == npuzzle::LinearConflict{}(board));
    return panel.with(number(sum) + " + 2 × " + number(left) + " = " + number(sum + 2 * left),
                      "2 for each that has to leave");
}

std::string walking_distance(int place) {
    static const std::string columns[] = {"A", "B", "C"};
    static const std::string kinds[] = {"a", "b", "c"};
    Panel panel(place, "Walking distance");
    panel.tiles([&](int tile, int cell) -> Look {
        require(home(tile) / 3 == cell / 3); // all tiles are in their rows
        const auto column = static_cast<std::size_t>(home(tile) % 3);
        return {columns[column], "", kinds[column]};
    });
    for (int column = 0; column < 3; ++column) {
        panel.above_column(column, columns[column]);
    }
    return panel.with("0 + " + number(npuzzle::WalkingDistance{}(board)) + " = " +
                          number(npuzzle::WalkingDistance{}(board)),
                      "vertical + horizontal moves");
}

std::string pattern_databases(int place) {
    static const std::string kinds[] = {"a", "b", "c"};
    const auto partition = npuzzle::Partition::named("3-3-2", puzzle.goal());
    const std::vector<npuzzle::Pattern>& patterns = partition.patterns();
    Panel panel(place, "Pattern databases");
    panel.tiles([&](int tile, int) -> Look {
        std::size_t pattern = 0;
        while (!patterns[pattern].contains(home(tile))) {
            ++pattern;
        }
        return {number(tile), "", kinds[pattern]};
    });
    const auto value_of = [](const npuzzle::Partition& some) {
        return bind_heuristic(npuzzle::PatternDatabases(some, *npuzzle::build_tables(some)), puzzle)(board);
    };
    std::string sum;
    int total = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        const int value = value_of(npuzzle::Partition({patterns[i]}, partition.blank_cell()));
        total += value;
        sum += (i == 0 ? "<tspan class=\"" : " + <tspan class=\"") + kinds[i] + "\">" + number(value) +
               "</tspan>";
    }
    require(total == value_of(partition));
    return panel.with(sum + " = " + number(total), "moves of each color’s tiles");
}

} // namespace

int main() try {
    const int truth = npuzzle::astar(puzzle, board, npuzzle::LinearConflict{}).cost;
    const std::string label = "What each heuristic counts on one board of the 8-puzzle";
    const std::string width = number(5 * panel_width + 2 * margin);
    const std::string height = number(panel_height + 34 + 2 * margin);
    std::cout << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"npuzzle\" role=\"img\" width=\"" << width
              << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' ' << height
              << "\" aria-label=\"" << label << "\">\n<title>" << label << "</title>\n"
              << R"(<style>
.npuzzle text { font: 600 22px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; text-anchor: middle; fill: #3d2c12 }
.npuzzle .title { font-size: 15px; fill: #1f2328 }
.npuzzle .sum { font-size: 16px; fill: #1f2328 }
.npuzzle .small { font-size: 11px; font-weight: 400; fill: #57606a }
.npuzzle .note { font-size: 11px }
.npuzzle .page { fill: #ffffff }
.npuzzle .frame { fill: #8a6d45 }
.npuzzle .ring { fill: none; stroke: #9fd0ff; stroke-width: 2 }
.npuzzle .plain .tile { fill: #f2dfb8 }
.npuzzle .counted .tile { fill: #a9cdf8 }
.npuzzle .strong .tile { fill: #1b66c9 }
.npuzzle .strong text { fill: #ffffff }
.npuzzle .a .tile { fill: #a9cdf8 }
.npuzzle .b .tile { fill: #c4e3ab }
.npuzzle .c .tile { fill: #ffccb3 }
.npuzzle tspan.a { fill: #1b5fb0 }
.npuzzle tspan.b { fill: #37761c }
.npuzzle tspan.c { fill: #b0481d }
@media (prefers-color-scheme: dark) {
.npuzzle text { fill: #f0e6d2 }
.npuzzle .title { fill: #e6edf3 }
.npuzzle .sum { fill: #e6edf3 }
.npuzzle .small { fill: #9aa4af }
.npuzzle .page { fill: #0d1117 }
.npuzzle .frame { fill: #2b241d }
.npuzzle .ring { stroke: #79b5ff }
.npuzzle .plain .tile { fill: #57493a }
.npuzzle .counted .tile { fill: #23507f }
.npuzzle .strong .tile { fill: #79b5ff }
.npuzzle .strong text { fill: #06182f }
.npuzzle .a .tile { fill: #23507f }
.npuzzle .b .tile { fill: #36602c }
.npuzzle .c .tile { fill: #7d4028 }
.npuzzle tspan.a { fill: #79b5ff }
.npuzzle tspan.b { fill: #8fd07a }
.npuzzle tspan.c { fill: #ff9d76 }
}
</style>
)" << "<rect class=\"page\" x=\"0\" y=\"0\" width=\""
              << width << "\" height=\"" << height << "\" rx=\"8\"/>\n"
              << hamming(0) << manhattan(1) << linear_conflict(2) << walking_distance(3)
              << pattern_databases(4)
              << text("small", margin + 5 * panel_width / 2, margin + panel_height + 22,
                      "The shortest solution has " + number(truth) + " moves.")
              << "</svg>\n";
} catch (const std::exception& error) {
    std::cerr << "heuristics_svg: " << error.what() << '\n';
    return 1;
}
