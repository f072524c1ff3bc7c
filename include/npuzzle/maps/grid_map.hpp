#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/maps/detail/grid_cells.hpp"
#include "npuzzle/maps/distances.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/short_vector.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// \file
/// Maps of square cells, some of which are free.

namespace npuzzle {

/// Whether a step leads across the four sides of a cell, or also across its corners.
enum class Sides : std::uint8_t { four, eight };

/// When a diagonal step is allowed, by the two cells beside it that touch both of its ends.
enum class CornerRule : std::uint8_t {
    both_free, ///< if both are free: no corner is cut; the rule of the MovingAI benchmarks
    one_free,  ///< if at least one is free
    any,       ///< always, also between two obstacles that touch
};

/// The steps of a `GridMap` and what they cost. By default a straight step costs 1 and a diagonal one the
/// square root of 2, rounded to 32 fractional bits; for integer costs 5 and 7.
///
/// The rounded diagonal is 1.1e-11 too long. In exchange, sums of up to two million are exact in `double`, so
/// paths of the same steps in another order have equal costs: ties are broken as they should be, and no cell
/// is reopened. `{.diagonal = std::sqrt(2.0)}` takes the nearest number instead, at up to twice the
/// expansions.
template <class Cost>
struct GridSteps {
    Sides sides = Sides::eight;
    CornerRule corners = CornerRule::both_free;
    Cost straight = std::integral<Cost> ? Cost{5} : Cost{1};
    Cost diagonal = static_cast<Cost>(std::integral<Cost> ? 7 : 0x1.6A09E668p0);
};

namespace detail {

/// The lines of a text, which must be equally long. The last line break is optional.
[[nodiscard]] inline std::vector<std::string_view> map_rows(std::string_view text) {
    // Other alphabets, such as 0 and 1, would be taken for walls alone.
    if (text.find_first_of(".GS") == std::string_view::npos &&
        text.find_first_not_of("@OTW\r\n") != std::string_view::npos) {
        throw std::invalid_argument("no cell of the map is free: only '.', 'G' and 'S' are");
    }
    std::vector<std::string_view> rows;
    while (!text.empty()) {
        const std::size_t length = (std::min)(text.find('\n'), text.size());
        std::string_view row = text.substr(0, length);
        text.remove_prefix((std::min)(length + 1, text.size()));
        if (row.ends_with('\r')) row.remove_suffix(1);
        rows.push_back(row);
        if (row.size() != rows.front().size()) {
            throw std::invalid_argument("line " + std::to_string(rows.size()) + " of the map has " +
                                        std::to_string(row.size()) + " cells, the first one has " +
                                        std::to_string(rows.front().size()));
        }
    }
    return rows;
}

} // namespace detail

/// A map of square cells as a problem: its states are the numbers of its cells, row by row from 0. Column x
/// and row y count from 0, from the upper left. No step leads to or from a cell that is not free.
///
/// Build it once, and give it a goal for each search: `astar(map.with_goal(map.cell(9, 4)), map.cell(0, 0),
/// OctileDistance{})`. Without a goal it serves `for_each_reachable` and `with_goals`.
///
/// Copies share the cells, so they are cheap, and `set_free` and `set_weight` change all of them: a search,
/// its heuristic and `JumpPoints` see the change. Do not change a map while a search runs, on any thread;
/// engines that replan are told of the change, all others start anew. A bound distance, such as
/// `OctileDistance`, stays valid unless the least weight falls.
///
/// Memory: 1.5 bytes for each cell, if the map is not narrow, and a cost if cells have weights. Listing
/// neighbors allocates nothing.
///
/// Optional capabilities: `NumberedProblem`, `UndirectedProblem`, `HasWithGoal`, `HasLeastCost`, and what
/// `OctileDistance`, `ManhattanDistance` and `EuclideanDistance` need.
/// \tparam Cost a type of numbers
template <class Cost = double>
    requires(CostType<Cost> && std::is_arithmetic_v<Cost>)
class GridMap {
public:
    /// The number of a cell.
    using State = std::uint32_t;
    /// What `neighbors` yields.
    using Neighbor = Edge<State, Cost>;
    using Neighbors = ShortVector<Neighbor, 8>;
    using Steps = GridSteps<Cost>;

    static constexpr bool is_undirected = true;

    /// What a step in each direction adds to column and row: up, left, right, down, then the corners by rows.
    static constexpr std::array<std::array<int, 2>, 8> directions = detail::grid_directions;

    /// A map of `width` times `height` cells. Linear in their number.
    /// \param is_free called as `is_free(x, y)` for each cell, row by row: whether a path may go through it
    /// \throws std::invalid_argument if a side is less than 1, there are 2^32 - 1 cells or more, or a cost is
    ///         negative, not finite, or so large that paths across the map would exceed the type
    template <std::predicate<int, int> F>
    GridMap(int width, int height, F&& is_free, const Steps& steps = {}) {
        if (width < 1 || height < 1 ||
            static_cast<State>(width) > (no_cell - 1) / static_cast<State>(height)) {
            throw std::invalid_argument("a map of " + std::to_string(width) + " times " +
                                        std::to_string(height) + " cells: too few or too many");
        }
        if (!(steps.straight >= 0) || !(steps.diagonal >= 0) || !Data::fits(width, height, steps, Cost{1})) {
            throw std::invalid_argument("the cost of a step is negative, no number or too large");
        }
        const int corners = steps.sides == Sides::four ? 3 : 2 - static_cast<int>(steps.corners);
        data_ = std::make_shared<Data>(Data{.cells{width, height, corners, is_free}, .costs = steps});
        for (std::size_t direction = 0; direction < directions.size(); ++direction) {
            const auto [x, y] = directions[direction];
            data_->offsets[direction] = static_cast<State>(std::int64_t{y} * width + x);
        }
    }

    /// The map that a text draws, a line for each row. '.', 'G' and 'S' are free, as in the MovingAI format;
    /// anything else is not.
    /// \throws std::invalid_argument also if the lines differ in length, or if no cell is free and there are
    ///         other signs than '@', 'O', 'T' and 'W'
    explicit GridMap(std::string_view text, const Steps& steps = {})
        : GridMap(detail::map_rows(text), steps) {}

    /// An independent map, where the cost of a step is multiplied by the average weight of its two cells;
    /// integers are rounded down. Linear.
    /// \param weight called as `weight(x, y)` for each free cell; less than 1 is allowed. Others weigh 1.
    /// \throws std::invalid_argument if a weight is negative, not finite, or so large that paths across the
    ///         map would exceed the type; the message says which
    template <class F>
        requires std::convertible_to<std::invoke_result_t<F&, int, int>, Cost>
    [[nodiscard]] GridMap with_weights(F&& weight) const {
        GridMap other = clone();
        other.data_->weights.assign(size(), Cost{1});
        auto least = (std::numeric_limits<Cost>::max)();
        for (State at = 0; at < size(); ++at) {
            if (!is_free(at)) continue;
            const Cost value = other.data_->weights[at] = checked_weight(at, weight(x(at), y(at)));
            least = (std::min)(least, value);
        }
        other.data_->least_weight = data_->fits(least) ? least : Cost{1}; // no cell is free
        return other;
    }

    /// Frees or blocks a cell. Linear in its row and column.
    /// \return the cells whose steps have changed, for the `update` of an engine that replans
    /// \throws std::invalid_argument if there is no such cell
    std::vector<State> set_free(State cell, bool is_free) {
        check("cell", cell);
        return set_free(x(cell), y(cell), 1, 1, is_free);
    }
    /// The same for a rectangle with its upper left cell in column `left` and row `top`. Linear in its size,
    /// its rows and its columns.
    /// \throws std::invalid_argument if it is not on the map
    std::vector<State> set_free(int left, int top, int width, int height, bool is_free) {
        if (width < 1 || height < 1) return {};
        const State first = cell(left, top);
        const State last = cell(left + (std::min)(width - 1, this->width() - left),
                                top + (std::min)(height - 1, this->height() - top));
        for (State at = first; is_free && has_weights() && at <= last; ++at) {
            data_->least_weight = (std::min)(data_->least_weight, data_->weights[at]);
        }
        return data_->cells.set_free(left, top, width, height, is_free);
    }
    /// Sets the weight of a cell. O(1). The least weight of the map does not rise: for better estimates after
    /// all weights have risen, make a map `with_weights` anew.
    /// \return the cells whose steps have changed
    /// \throws std::invalid_argument as `with_weights`, or if there is no such cell
    /// \throws std::logic_error if the map was made without weights
    std::vector<State> set_weight(State cell, Cost weight) {
        check("cell", cell);
        if (!has_weights()) throw std::logic_error("the map has no weights: see with_weights");
        data_->weights[cell] = checked_weight(cell, weight);
        std::vector<State> changed;
        if (!is_free(cell)) return changed;
        data_->least_weight = (std::min)(data_->least_weight, weight);
        for (const Neighbor& each : neighbors(cell)) changed.push_back(each.to);
        changed.push_back(cell);
        return changed;
    }

    /// An independent copy. Linear.
    [[nodiscard]] GridMap clone() const {
        GridMap other = *this;
        other.data_ = std::make_shared<Data>(*data_);
        return other;
    }
    /// The same map with the goal `goal`. O(1).
    /// \throws std::invalid_argument if there is no such cell
    [[nodiscard]] GridMap with_goal(State goal) const {
        check("goal", goal);
        GridMap other = *this;
        other.goal_ = goal;
        return other;
    }

    /// The goal.
    /// \throws std::logic_error if the map was given none
    [[nodiscard]] State goal() const {
        if (goal_ == no_cell) throw std::logic_error("the map was given no goal: see with_goal");
        return goal_;
    }
    [[nodiscard]] bool has_goal() const noexcept { return goal_ != no_cell; }
    /// \throws std::logic_error as `goal()`: a search without a goal would find that there is no path
    [[nodiscard]] bool is_goal(State cell) const { return cell == goal(); }

    /// The cells one step away, with the cost of the step. The cell must be less than `size()`.
    [[nodiscard]] Neighbors neighbors(State cell) const {
        NPUZZLE_ASSERT(cell < size());
        const Data& data = *data_;
        Neighbors result;
        unsigned steps = data.cells.steps(data.cells.free(true).at(x(cell), y(cell)));
        for (; steps != 0; steps &= steps - 1) {
            const auto direction = static_cast<std::size_t>(std::countr_zero(steps));
            const State to = cell + data.offsets[direction];
            const Cost cost = direction < 4 ? data.costs.straight : data.costs.diagonal;
            result.push_back(
                {to, data.weights.empty()
                         ? cost
                         : static_cast<Cost>(cost * (data.weights[cell] + data.weights[to]) / 2)});
        }
        return result;
    }

    /// The numbers of columns, rows and cells.
    [[nodiscard]] int width() const noexcept { return data_->cells.width(); }
    [[nodiscard]] int height() const noexcept { return data_->cells.height(); }
    [[nodiscard]] std::size_t size() const noexcept {
        return std::size_t{static_cast<State>(width())} * static_cast<State>(height());
    }
    [[nodiscard]] std::size_t index(State cell) const noexcept { return cell; }
    [[nodiscard]] State state_at(std::size_t number) const noexcept { return static_cast<State>(number); }

    /// The cell in column x and row y.
    /// \throws std::invalid_argument if it is not on the map
    [[nodiscard]] State cell(int x, int y) const {
        if (x < 0 || x >= width() || y < 0 || y >= height()) {
            throw std::invalid_argument("no column " + std::to_string(x) + ", row " + std::to_string(y) +
                                        " on a map of " + std::to_string(width()) + " columns and " +
                                        std::to_string(height()) + " rows");
        }
        return static_cast<State>(y) * static_cast<State>(width()) + static_cast<State>(x);
    }
    /// The column and the row of a cell.
    [[nodiscard]] int x(State cell) const {
        return static_cast<int>(cell - static_cast<State>(y(cell)) * static_cast<State>(width()));
    }
    [[nodiscard]] int y(State cell) const {
        // (cell + 1) * inverse / 2^64 is cell / width, rounded down, since there are less than 2^32 cells.
        const std::uint64_t factor = std::uint64_t{cell} + 1;
        const std::uint64_t low = factor * (data_->inverse & 0xFFFF'FFFF) >> 32;
        return static_cast<int>((factor * (data_->inverse >> 32) + low) >> 32);
    }
    /// The cell as a place in the plane.
    [[nodiscard]] Point position(State cell) const {
        return {static_cast<double>(x(cell)), static_cast<double>(y(cell))};
    }
    /// Whether a path may go through a cell; false beyond the map.
    [[nodiscard]] bool is_free(State cell) const {
        const auto& rows = cells().free(true);
        return cell < size() && rows.test(rows.at(x(cell), y(cell)));
    }

    /// The steps, with their costs without weights.
    [[nodiscard]] const Steps& steps() const noexcept { return data_->costs; }
    [[nodiscard]] bool has_weights() const noexcept { return !data_->weights.empty(); }

    /// The least cost of a straight step.
    [[nodiscard]] Cost straight_bound() const {
        return static_cast<Cost>(data_->costs.straight * data_->least_weight);
    }
    /// The least cost of a diagonal step, or of the detour around it.
    [[nodiscard]] Cost diagonal_bound() const {
        const auto detour = static_cast<Cost>(straight_bound() + straight_bound());
        return data_->costs.sides == Sides::four
                   ? detour
                   : (std::min)(detour, static_cast<Cost>(data_->costs.diagonal * data_->least_weight));
    }
    /// No step costs less.
    [[nodiscard]] Cost least_cost() const { return (std::min)(straight_bound(), diagonal_bound()); }
    /// No step costs less per unit of length.
    [[nodiscard]] double cost_per_distance() const {
        return (std::min)(static_cast<double>(straight_bound()),
                          static_cast<double>(diagonal_bound()) / std::sqrt(2.0));
    }

protected:
    const detail::GridCells& cells() const noexcept { return data_->cells; }
    /// What a step in a direction adds to the number of a cell, modulo 2^32.
    State offset(std::size_t direction) const { return data_->offsets[direction]; }

private:
    static constexpr State no_cell = (std::numeric_limits<State>::max)();

    GridMap(const std::vector<std::string_view>& rows, const Steps& steps)
        : GridMap(
              rows.empty() ? 0 : detail::saturating_cast<int>(rows.front().size()),
              detail::saturating_cast<int>(rows.size()),
              [&](int x, int y) {
                  const char sign = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
                  return sign == '.' || sign == 'G' || sign == 'S';
              },
              steps) {}

    struct Data {
        detail::GridCells cells;
        Steps costs;
        /// No free cell weighs less.
        Cost least_weight{1};
        std::array<State, 8> offsets{}; // see `offset`
        std::vector<Cost> weights{};
        std::uint64_t inverse = ~std::uint64_t{} / static_cast<std::uint64_t>(cells.width()); // see `y`

        /// Whether a weight is valid, and the cost of a path across the map fits its type.
        bool fits(Cost weight) const { return fits(cells.width(), cells.height(), costs, weight); }
        static bool fits(int width, int height, const Steps& costs, Cost weight) {
            const double most = 2.0 * (static_cast<double>(width) + height) * static_cast<double>(weight) *
                                static_cast<double>((std::max)(costs.straight, costs.diagonal));
            return weight >= 0 && most < static_cast<double>((std::numeric_limits<Cost>::max)());
        }
    };

    void check(const char* what, State cell) const {
        if (cell < size()) return;
        throw std::invalid_argument("no " + (what + (" " + std::to_string(cell))) + " on a map of " +
                                    std::to_string(size()) + " cells");
    }

    template <class W>
    Cost checked_weight(State cell, const W& given) const {
        const auto value = detail::clamping_cast<Cost>(given);
        if (!data_->fits(value) || detail::is_negative(given)) {
            throw std::invalid_argument("the weight of column " + std::to_string(x(cell)) + ", row " +
                                        std::to_string(y(cell)) + " is negative, no number or too large");
        }
        return value;
    }

    std::shared_ptr<Data> data_;
    State goal_ = no_cell;
};

// A path as cells, as turning points and as moves, for any `GridProblem` that has `cell(x, y)`. Between two
// states, diagonal steps come before straight ones.

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
