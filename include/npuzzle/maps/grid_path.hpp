#pragma once

#include "npuzzle/maps/distances.hpp"
#include "npuzzle/search/core/problem.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <string_view>
#include <vector>

/// \file
/// A path on a grid as cells, as turning points and as moves, for any `GridProblem` that has `cell(x, y)`.
/// Between two states, diagonal steps come before straight ones.

namespace npuzzle {

/// A step to a neighbor on a grid, in the order of `GridMap::directions`.
enum class GridMove : std::uint8_t { up, left, right, down, up_left, up_right, down_left, down_right };

/// The name of a move, with a hyphen: "up", "up-left".
[[nodiscard]] constexpr std::string_view to_string(GridMove move) noexcept {
    constexpr std::array<std::string_view, 8> names{"up",      "left",     "right",     "down",
                                                    "up-left", "up-right", "down-left", "down-right"};
    return names[static_cast<std::size_t>(move)];
}
inline std::ostream& operator<<(std::ostream& out, GridMove move) {
    return out << to_string(move);
}

namespace detail {

/// Calls `visit(move, cell)` for each step of a path, `cell` being its end.
template <GridProblem P, class F>
void for_each_step(const P& problem, const std::vector<state_t<P>>& path, F&& visit) {
    const auto sign = [](int difference) { return (0 < difference) - (difference < 0); };
    for (std::size_t i = 1; i < path.size(); ++i) {
        int x = problem.x(path[i - 1]);
        int y = problem.y(path[i - 1]);
        while (problem.cell(x, y) != path[i]) {
            const int right = sign(problem.x(path[i]) - x);
            const int down = sign(problem.y(path[i]) - y);
            const int move = right == 0  ? (down < 0 ? 0 : 3)
                             : down == 0 ? (right < 0 ? 1 : 2)
                                         : 4 + (down < 0 ? 0 : 2) + (right < 0 ? 0 : 1);
            x += right;
            y += down;
            visit(static_cast<GridMove>(move), problem.cell(x, y));
        }
    }
}

} // namespace detail

/// All cells along a path, one step apart. Linear in their number.
template <GridProblem P>
[[nodiscard]] std::vector<state_t<P>> cells_along(const P& problem, const std::vector<state_t<P>>& path) {
    std::vector<state_t<P>> cells(path.begin(), path.begin() + (path.empty() ? 0 : 1));
    detail::for_each_step(problem, path, [&](GridMove, const auto& cell) { cells.push_back(cell); });
    return cells;
}

/// The cells where a path changes its direction, between its first and its last cell. Linear in the number of
/// its cells.
template <GridProblem P>
[[nodiscard]] std::vector<state_t<P>> turning_points(const P& problem, const std::vector<state_t<P>>& path) {
    std::vector<state_t<P>> points(path.begin(), path.begin() + (path.empty() ? 0 : 1));
    GridMove last{};
    detail::for_each_step(problem, path, [&](GridMove move, const auto& cell) {
        if (points.size() > 1 && move == last) {
            points.back() = cell;
        } else {
            points.push_back(cell);
        }
        last = move;
    });
    return points;
}

/// The moves of a path, one for each step. Linear in their number.
template <GridProblem P>
[[nodiscard]] std::vector<GridMove> moves_along(const P& problem, const std::vector<state_t<P>>& path) {
    std::vector<GridMove> moves;
    detail::for_each_step(problem, path, [&](GridMove move, const auto&) { moves.push_back(move); });
    return moves;
}

} // namespace npuzzle
