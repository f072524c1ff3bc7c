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
    /// Directions `then`, forced if the previous cell lacks the step `without`. Bits of directions.
    struct Forced {
        unsigned without = 0;
        unsigned then = 0;
    };
    unsigned natural = 0;
    std::array<Forced, 2> forced{};
};

/// For each direction of `GridMap::directions`.
[[nodiscard]] constexpr std::array<JumpTurns, 8> jump_turns(Sides sides) {
    constexpr auto& directions = GridMap<>::directions;
    const auto bit = [](int x, int y) {
        unsigned found = 0;
        for (unsigned i = 0; i < directions.size(); ++i) {
            if (directions[i][0] == x && directions[i][1] == y) found = 1U << i;
        }
        return found;
    };
    std::array<JumpTurns, 8> turns{};
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const int x = directions[i][0];
        const int y = directions[i][1];
        turns[i].natural = bit(x, y);
        if (x != 0 && y != 0) {
            turns[i].natural |= bit(x, 0) | bit(0, y);
            turns[i].forced = {{{bit(0, y), bit(-x, y)}, {bit(x, 0), bit(x, -y)}}};
        } else if (sides == Sides::eight) {
            turns[i].forced = {{{bit(x + y, y + x), bit(y, x) | bit(x + y, y + x)},
                                {bit(x - y, y - x), bit(-y, -x) | bit(x - y, y - x)}}};
        } else if (x != 0) {
            turns[i].forced = {{{bit(0, 1), bit(0, 1)}, {bit(0, -1), bit(0, -1)}}};
        } else {
            turns[i].natural |= bit(1, 0) | bit(-1, 0);
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
/// all. They stop at the one goal they know, so the problem cannot be searched without a goal, backward, or
/// for other goals by `with_goals`.
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
        if (has_goal()) goal_bits_ = cells().bits(x(goal()), y(goal()));
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
        static_cast<void>(goal()); // throws
        const Bits at = cells().bits(x(from), y(from));
        const unsigned steps = cells().steps(at[1]);
        unsigned ahead = steps;
        if (last != no_move) {
            const std::size_t before = at[1] - cells().bits(last.direction)[1];
            ahead &= turns()[last.direction].natural | forced(last.direction, cells().steps(before));
        }
        for (; ahead != 0; ahead &= ahead - 1) {
            jump(at, steps, static_cast<std::uint8_t>(std::countr_zero(ahead)), f);
        }
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
    using Bits = std::array<std::size_t, 2>;

    static constexpr auto eight_sides = detail::jump_turns(Sides::eight);
    static constexpr auto four_sides = detail::jump_turns(Sides::four);
    static constexpr std::size_t longest = (std::numeric_limits<std::uint16_t>::max)() - 128;

    const std::array<detail::JumpTurns, 8>& turns() const {
        return map().steps().sides == Sides::four ? four_sides : eight_sides;
    }

    /// The directions that are forced after a step, by the directions of steps from the cell before it.
    unsigned forced(std::size_t direction, unsigned before) const {
        const auto& [first, second] = turns()[direction].forced;
        return ((before & first.without) == 0 ? first.then : 0U) |
               ((before & second.without) == 0 ? second.then : 0U);
    }

    /// Calls `f(move)` for the jumps from a cell that begin in a direction. After diagonal steps, straight
    /// ones may follow at each cell.
    /// \param steps the directions of steps from the cell
    template <class F>
    void jump(Bits at, unsigned steps, std::uint8_t direction, F&& f) const {
        const unsigned turns_here = turns()[direction].natural & ~(1U << direction);
        if (turns_here == 0) {
            const std::uint16_t length = straight_length(at, direction);
            if (length > 0) f(Move{.direction = direction, .length = length});
            return;
        }
        const Bits step = cells().bits(direction);
        for (std::uint16_t length = 1; (steps >> direction & 1U) != 0; ++length) {
            at = {at[0] + step[0], at[1] + step[1]};
            const unsigned turns = forced(direction, std::exchange(steps, cells().steps(at[1])));
            bool ends = length == longest || at == goal_bits_ || (turns & steps) != 0;
            for (unsigned rest = turns_here; rest != 0 && !ends; rest &= rest - 1) {
                const auto turn = static_cast<std::uint8_t>(std::countr_zero(rest));
                const std::uint16_t straight = straight_length(at, turn);
                if (straight == 0) continue;
                ends = direction < 4; // with four sides: a state, so that paths are known by their states
                if (!ends) f(Move{turn, direction, straight, length});
            }
            if (ends) return f(Move{.direction = direction, .length = length});
        }
    }

    /// The length of the jump from a cell in a direction without natural turns; 0 without a jump.
    std::uint16_t straight_length(const Bits& at, std::size_t direction) const {
        const std::size_t line = direction == 1 || direction == 2;
        const auto& free = cells().free(line != 0);
        const auto& passed = cells().passed(direction);
        return direction < 2 ? scan<false>(free, passed, at[line], at[line] - goal_bits_[line])
                             : scan<true>(free, passed, at[line], goal_bits_[line] - at[line]);
    }

    /// The same for a bit, 64 cells at a time.
    /// \param to_goal more than any length if the goal is behind or in another line
    template <bool is_forward>
    static std::uint16_t scan(const detail::BitLines& free, const detail::BitLines& passed, std::size_t bit,
                              std::size_t to_goal) {
        std::size_t length = 0;
        bool is_jump = true; // also if it becomes too long
        for (; length < longest; length += 64) {
            const std::uint64_t ends = ~passed.from(is_forward ? bit + length + 1 : bit - length - 64);
            if (ends == 0) continue;
            length += static_cast<std::size_t>(is_forward ? std::countr_zero(ends) : std::countl_zero(ends));
            is_jump = free.test(is_forward ? bit + length + 1 : bit - length - 1);
            length += is_jump;
            break;
        }
        const bool is_goal = 0 < to_goal && to_goal <= length;
        return static_cast<std::uint16_t>(is_goal ? to_goal : is_jump ? length : 0);
    }

    Bits goal_bits_{};
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
        result.status = SearchStatus::memory_limit;
    }
    return result;
}

} // namespace npuzzle
