#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/maps/distances.hpp"
#include "npuzzle/maps/grid_map.hpp"
#include "npuzzle/search/astar.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

/// \file
/// Jump point search, on maps whose free cells all cost the same.

namespace npuzzle {

/// The move of `JumpPoints`: diagonal steps, if there are any, and then steps in one direction.
struct Jump {
    std::uint8_t direction = 8; ///< of the last steps, an index into `GridMap::directions`; 8: no move
    std::uint8_t diagonal = 4;  ///< of the diagonal steps before them
    std::uint16_t length = 0;   ///< how many steps there are in `direction`
    std::uint16_t diagonal_length = 0;

    friend bool operator==(const Jump&, const Jump&) = default;
};

namespace detail {

/// How a path that came in one direction goes on. A turn is left out if a path around the cell costs no more;
/// of two equal ones, the one with diagonal steps first stays, and with four sides the one with vertical
/// steps first.
struct JumpTurns {
    /// Directions `then`, forced if a cell is not free: bit `without` of `GridCells::around`.
    struct Forced {
        unsigned without = 0;
        unsigned then = 0;
    };
    unsigned natural = 0; ///< bits of directions, as `then`
    std::array<Forced, 2> forced{};
};

/// For each direction of `GridMap::directions`.
/// \param cuts whether a diagonal step may cut a corner
[[nodiscard]] constexpr std::array<JumpTurns, 8> jump_turns(Sides sides, bool cuts) {
    constexpr auto& directions = GridMap<>::directions;
    const auto bit = [](int x, int y) {
        unsigned found = 0;
        for (unsigned i = 0; i < directions.size(); ++i) {
            if (directions[i][0] == x && directions[i][1] == y) found = 1U << i;
        }
        return found;
    };
    const auto around = [](int x, int y) { return 1U << (4 + x + 3 * y); };
    std::array<JumpTurns, 8> turns{};
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const int x = directions[i][0];
        const int y = directions[i][1];
        turns[i].natural = bit(x, y);
        if (x != 0 && y != 0) {
            turns[i].natural |= bit(x, 0) | bit(0, y);
            turns[i].forced = {{{around(-x, 0), bit(-x, y)}, {around(0, -y), bit(x, -y)}}};
        } else if (sides == Sides::four && x == 0) {
            turns[i].natural |= bit(1, 0) | bit(-1, 0);
        } else {
            turns[i].forced = {
                {{cuts ? around(y, x) : around(y - x, x - y), bit(y, x) | bit(x + y, y + x)},
                 {cuts ? around(-y, -x) : around(-y - x, -x - y), bit(-y, -x) | bit(x - y, y - x)}}};
        }
    }
    return turns;
}

} // namespace detail

/// The jump points of a `GridMap` as a problem (D. Harabor, A. Grastien, "Online Graph Pruning for
/// Pathfinding on Grid Maps", AAAI 2011). Its moves are jumps: past all cells where no cheapest path needs to
/// turn. So a search stores and expands far fewer cells, and finds a path of the same cost. The path has the
/// ends of the jumps; `cells_along` gives the cells between. `jump_point_search` does both.
///
/// Jumps scan the bits of the map 64 cells at a time, so there is no table to build, and a change of the map
/// is seen at once. A cell where a jump only turns from diagonal to straight steps is not stored (both by the
/// same authors, "Improving Jump Point Search", ICAPS 2014). Copies are cheap:
/// `jump_point_search(jumps.with_goal(goal), start)`. It serves all sides and corner rules of `GridMap`.
///
/// The jumps of a cell depend on the jump that led to it. They make at least one of the cheapest paths, not
/// all. They know one goal, and where nothing is in the way to it, the jump to it is the only one. So the
/// problem cannot be searched without a goal, backward, or for other goals by `with_goals`.
///
/// A search may keep any of several cheapest jumps to a cell: docs/maps/jump_points.md proves it.
///
/// Optional capabilities: `MoveProblem`, `PrunesMoves`, `IndexedProblem`, `HasWithGoal`, `HasLeastCost`, and
/// what `OctileDistance`, `ManhattanDistance` and `EuclideanDistance` need.
/// \tparam Cost the cost type of the map
template <class Cost = double>
class JumpPoints : private GridMap<Cost> {
    using Map = GridMap<Cost>;

public:
    /// The number of a cell.
    using State = typename Map::State;
    using Neighbors = std::vector<typename Map::Neighbor>;
    using Move = Jump;

    static constexpr Move no_move{};
    static constexpr bool is_undirected = false;
    static constexpr bool prunes_moves = true;

    /// The jump points of a map. Has the goal of the map, if there is one. O(1).
    /// \throws std::invalid_argument if cells have weights, if a straight step costs nothing, or if a
    ///         diagonal one costs less than a straight one or as much as two (for real costs more than 1.99)
    explicit JumpPoints(const GridMap<Cost>& map) : Map(map) {
        const auto& [sides, corners, straight, diagonal] = map.steps();
        if (map.has_weights()) throw std::invalid_argument("jump points: the cells of the map have weights");
        if (!(straight > 0)) throw std::invalid_argument("jump points: a straight step costs nothing");
        const Cost room =
            std::floating_point<Cost> ? static_cast<Cost>(straight / 100) : Cost{}; // sums round
        if (sides == Sides::eight && (diagonal < straight || diagonal - straight >= straight - room)) {
            throw std::invalid_argument("jump points: a diagonal step costs less than a straight one, or as "
                                        "much as two");
        }
        if (has_goal()) goal_ = {x(goal()), y(goal())};
        turns_ = &all_turns[sides == Sides::four ? 0 : corners == CornerRule::both_free ? 1 : 2];
    }

    /// The same with the goal `to`. O(1).
    /// \throws std::invalid_argument if there is no such cell
    [[nodiscard]] JumpPoints with_goal(State to) const { return JumpPoints(Map::with_goal(to)); }

    /// The map, with the same goal.
    [[nodiscard]] const GridMap<Cost>& map() const noexcept { return *this; }

    using Map::cell, Map::goal, Map::has_goal, Map::height, Map::index, Map::is_free, Map::is_goal,
        Map::position, Map::size, Map::width, Map::x, Map::y;
    using Map::cost_per_distance, Map::diagonal_bound, Map::least_cost, Map::straight_bound;

    /// The ends of all jumps from a cell to which no jump led. Throws as `for_each_move`.
    [[nodiscard]] Neighbors neighbors(State from) const {
        Neighbors result;
        for_each_move(from, no_move, [&](const Move& move) {
            State to = from;
            apply(to, move);
            result.push_back({to, move_cost(from, move)});
        });
        return result;
    }

    /// Calls `f(move)` for each jump from a cell to which the jump `last` led.
    /// \throws std::logic_error if there is no goal
    template <class F>
    void for_each_move(State from, const Move& last, F&& f) const {
        NPUZZLE_ASSERT(from < size());
        static_cast<void>(goal()); // throws if there is none
        const int column = x(from);
        const int row = y(from);
        const Bits at = cells().bits(column, row);
        const unsigned around = cells().around(at[1]);
        unsigned ahead = cells().steps_within(around);
        const Move to_goal = jump_to_goal(goal_[0] - column, goal_[1] - row, at[1], ahead);
        if (to_goal.length > 0) return f(to_goal);
        if (last != no_move) ahead &= (*turns_)[last.direction].natural | forced(last.direction, around);
        const unsigned turning = map().steps().sides == Sides::eight ? 0xF0 : 0b1001; // after any step
        for_each_bit(ahead & ~turning & cells().leading(at), [&](std::uint8_t direction) {
            f(Move{.direction = direction, .length = straight_length(at, direction)});
        });
        for_each_bit(ahead & turning, [&](std::uint8_t direction) { jump(at, direction, f); });
    }
    void apply(State& state, const Move& move) const {
        state += static_cast<State>(move.length) * offset(move.direction) +
                 static_cast<State>(move.diagonal_length) * offset(move.diagonal);
    }
    /// Leads back to the same cell; if the move turns, through other cells.
    [[nodiscard]] Move inverse(Move move) const {
        move.direction = static_cast<std::uint8_t>((move.direction < 4 ? 3 : 11) - move.direction);
        move.diagonal = static_cast<std::uint8_t>(11 - move.diagonal);
        return move;
    }
    [[nodiscard]] Cost move_cost(State /*from*/, const Move& move) const {
        const auto& steps = map().steps();
        const Cost each = move.direction < 4 ? steps.straight : steps.diagonal;
        return static_cast<Cost>(static_cast<Cost>(move.length) * each +
                                 static_cast<Cost>(move.diagonal_length) * steps.diagonal);
    }

private:
    using Map::cells, Map::offset;
    using Bits = detail::GridCells::Bits;

    static constexpr int longest = (std::numeric_limits<std::uint16_t>::max)();
    static constexpr std::array all_turns{detail::jump_turns(Sides::four, false),
                                          detail::jump_turns(Sides::eight, false),
                                          detail::jump_turns(Sides::eight, true)};

    static void for_each_bit(unsigned bits, auto&& f) {
        for (; bits != 0; bits &= bits - 1) f(static_cast<std::uint8_t>(std::countr_zero(bits)));
    }

    /// The directions that are forced after a step, by the cells around its end.
    unsigned forced(std::size_t direction, unsigned around) const {
        const auto& [first, second] = (*turns_)[direction].forced;
        return first.then * unsigned{(around & first.without) == 0} |
               second.then * unsigned{(around & second.without) == 0};
    }

    /// The jump to the goal, or its first part, if no obstacle is in the way; else a jump of no length. No path
    /// from the cell costs less, so its other jumps are not needed.
    /// \param right,down the way to it
    /// \param bit of the cell in the rows
    /// \param steps the directions of steps from the cell
    Move jump_to_goal(int right, int down, std::size_t bit, unsigned steps) const {
        const int columns = std::abs(right);
        const int rows = std::abs(down);
        const bool is_diagonal = map().steps().sides == Sides::eight;
        const int first = is_diagonal ? (std::min)(columns, rows) : rows;
        const int rest = columns + rows - (is_diagonal ? 2 : 1) * first;
        const bool ends_in_row = !is_diagonal || columns > rows;
        const int vertical = down < 0 ? 0 : 3;
        const int horizontal = right < 0 ? 1 : 2;
        const int turn = ends_in_row ? horizontal : vertical;
        const int diagonal = 3 + horizontal + vertical / 3 * 2;
        const auto direction = static_cast<std::uint8_t>(first == 0    ? turn
                                                         : is_diagonal ? diagonal
                                                                       : vertical);
        if ((steps >> direction & 1U) == 0) return {};
        const auto length = static_cast<std::size_t>(rest);
        const std::size_t end = cells().bits(goal_[0], goal_[1])[ends_in_row];
        if (cells().free(ends_in_row).run(end, turn < 2, length) < length) return {};
        for (int i = 0; i < first; ++i, bit += cells().step(direction)[1]) {
            if (!cells().is_step(bit, direction)) return {};
        }
        const auto part = [](int whole) { return static_cast<std::uint16_t>((std::min)(whole, longest)); };
        if (first == 0 || rest == 0 || !is_diagonal || rest > longest) {
            return {.direction = direction, .length = part(first == 0 ? rest : first)};
        }
        return {static_cast<std::uint8_t>(turn), direction, part(rest), part(first)};
    }

    /// Calls `f(move)` for the jumps from a cell that begin with a step after which straight ones may follow.
    template <class F>
    void jump(Bits at, std::uint8_t direction, F&& f) const {
        const Bits& step = cells().step(direction);
        for (std::uint16_t length = 0;;) {
            unsigned turns_here = direction < 4 ? 0 : cells().pass(at, length, direction);
            if (turns_here == 0) {
                if (!cells().is_odd_step(at[1], direction)) return;
                at = {at[0] + step[0], at[1] + step[1]};
                ++length;
                const unsigned around = cells().around(at[1]);
                turns_here = (*turns_)[direction].natural & ~(1U << direction) & cells().leading(at);
                // With four sides, the cell of a turn is a state, so that paths are known by their states.
                if (length == longest || (direction < 4 && turns_here != 0) ||
                    (forced(direction, around) & cells().steps_within(around)) != 0) {
                    return f(Move{.direction = direction, .length = length});
                }
            }
            for_each_bit(turns_here, [&](std::uint8_t turn) {
                f(Move{turn, direction, straight_length(at, turn), length});
            });
        }
    }

    /// The length of a straight jump.
    std::uint16_t straight_length(const Bits& at, std::size_t direction) const {
        const bool is_row = cells().is_row(direction);
        const std::size_t next = at[is_row] + cells().step(direction)[is_row];
        const std::size_t before = cells().passed(direction).run(next, direction >= 2, longest);
        return static_cast<std::uint16_t>((std::min<std::size_t>)(before + 1, longest));
    }

    const std::array<detail::JumpTurns, 8>* turns_;
    std::array<int, 2> goal_{}; // column and row
};

/// Finds a cheapest path from `start` to the goal by A* over the jump points of a map. It costs as much as
/// with `astar`, up to the rounding of floating-point numbers, and the result has all its cells. Statistics
/// and observer count jump points.
/// \code
/// const JumpPoints jumps(map); // once for a map
/// const auto result = jump_point_search(jumps.with_goal(goal), start);
/// \endcode
/// \param heuristic for the map or the jump points; policy, limits and observer are those of `astar`
/// \throws std::logic_error if there is no goal
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, class Cost, class H = OctileDistance,
          class O = SilentObserver>
    requires HeuristicFor<H, JumpPoints<Cost>>
search_result_t<GridMap<Cost>> jump_point_search(const JumpPoints<Cost>& jumps,
                                                 typename JumpPoints<Cost>::State start, H&& heuristic = {},
                                                 BasicLimits<Cost> limits = {}, O&& observer = {}) {
    const auto found =
        astar<Policy>(jumps, start, std::forward<H>(heuristic), std::move(limits), std::forward<O>(observer));
    search_result_t<GridMap<Cost>> result;
    result.status = found.status;
    result.statistics = found.statistics;
    try {
        result.path = cells_along(jumps, found.path);
        result.partial_path = cells_along(jumps, found.partial_path);
        result.cost = found.cost;
    } catch (const std::bad_alloc&) {
        return detail::without_path(result);
    }
    return result;
}

} // namespace npuzzle
