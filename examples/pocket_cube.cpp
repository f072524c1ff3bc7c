// test:
// What it teaches: states that are numbers need one bit each, so a space of millions is counted in less than
// a second. A heuristic may look at only one part of the state. The problem is the 2x2x2 cube. One corner is
// held still, so only three faces turn, by a quarter or a half. The number of states at each distance from the
// solved one is known, and the greatest distance is 11 (J. Scherphuis, "Mini Cube, the 2x2x2 Rubik's Cube").

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/core/problem_from.hpp>
#include <npuzzle/search/layers.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>

using Corners = std::array<std::uint8_t, 7>;

// A quarter turn: which corner moves to each place, and how it is twisted there.
struct Turn {
    Corners from, twist;
};
constexpr std::array<Turn, 3> quarter_turns{{{{3, 0, 1, 2, 4, 5, 6}, {0, 0, 0, 0, 0, 0, 0}},   // up
                                             {{4, 1, 2, 0, 6, 5, 3}, {2, 0, 0, 1, 1, 0, 2}},   // right
                                             {{1, 5, 2, 3, 0, 4, 6}, {1, 2, 0, 0, 2, 1, 0}}}}; // front
constexpr std::uint32_t orders = 5'040; // of seven corners
constexpr std::uint32_t twists = 729;   // of six corners; the seventh follows

// Where a quarter turn of each face leads: one table for the order of the corners, one for their twists.
struct Tables {
    std::array<std::vector<std::uint32_t>, 3> order, twist;

    Tables() {
        std::vector<Corners> all;
        Corners corners{};
        std::iota(corners.begin(), corners.end(), std::uint8_t{0});
        do all.push_back(corners);
        while (std::next_permutation(corners.begin(), corners.end()));

        for (std::size_t face = 0; face < 3; ++face) {
            const Turn& turn = quarter_turns[face];
            for (const Corners& before : all) {
                for (std::size_t i = 0; i < 7; ++i) corners[i] = before[turn.from[i]];
                const auto place = std::lower_bound(all.begin(), all.end(), corners);
                order[face].push_back(static_cast<std::uint32_t>(place - all.begin()));
            }
            for (std::uint32_t before = 0; before < twists; ++before) {
                std::array<std::uint32_t, 7> twisted{};
                for (std::uint32_t i = 0, rest = before; i < 6; ++i, rest /= 3) twisted[i] = rest % 3;
                twisted[6] = 21 - std::accumulate(twisted.begin(), twisted.end(), 0U);
                std::uint32_t after = 0;
                for (std::size_t i = 6; i-- > 0;) {
                    after = 3 * after + (twisted[turn.from[i]] + turn.twist[i]) % 3;
                }
                twist[face].push_back(after);
            }
        }
    }
};
const Tables tables;

struct PocketCube {
    using State = std::uint32_t; // order * 729 + twist; solved is 0
    static constexpr bool is_undirected = true;

    std::array<State, 9> neighbors(State state) const {
        std::array<State, 9> result{};
        auto next = result.begin();
        for (std::size_t face = 0; face < 3; ++face) {
            std::uint32_t order = state / twists;
            std::uint32_t twist = state % twists;
            for (int quarters = 1; quarters <= 3; ++quarters) {
                order = tables.order[face][order];
                twist = tables.twist[face][twist];
                *next++ = order * twists + twist;
            }
        }
        return result;
    }
    bool is_goal(State state) const { return state == 0; }
    State goal() const { return 0; }
    std::size_t index(State state) const { return state; }
    std::size_t size() const { return std::size_t{orders} * twists; }
};

bool count_all() {
    const std::vector<std::uint64_t> published{1,      9,       54,      321,       1'847,   9'992,
                                               50'136, 227'536, 870'072, 1'887'748, 623'800, 2'644};
    const auto layers = npuzzle::breadth_first_layers(PocketCube{}, 0);
    std::cout << "At most " << layers.counts.size() - 1 << " turns:";
    for (const std::uint64_t states : layers.counts) std::cout << ' ' << states;
    std::cout << '\n';
    return layers && layers.counts == published;
}

// The fewest turns for one part of the cube, whatever the other part is, from its table of quarter turns.
std::vector<std::uint8_t> distances(const std::array<std::vector<std::uint32_t>, 3>& table) {
    const auto part = npuzzle::problem_from<std::uint32_t>(
        [&](std::uint32_t place) {
            std::vector<std::uint32_t> result;
            for (const auto& turn : table) {
                for (const std::uint32_t next : {turn[place], turn[turn[place]], turn[turn[turn[place]]]}) {
                    result.push_back(next);
                }
            }
            return result;
        },
        [](std::uint32_t) { return false; });
    std::vector<std::uint8_t> turns(table[0].size());
    npuzzle::for_each_reachable(
        part, 0, [&](std::uint32_t place, int cost) { turns[place] = static_cast<std::uint8_t>(cost); });
    return turns;
}

bool solve(std::uint32_t cube) {
    const auto by_order = [turns = distances(tables.order)](std::uint32_t state) {
        return turns[state / twists];
    };
    const auto by_twist = [turns = distances(tables.twist)](std::uint32_t state) {
        return turns[state % twists];
    };
    const PocketCube problem;
    const auto result = npuzzle::astar(problem, cube, npuzzle::MaxOf{by_order, by_twist});
    const auto blind = npuzzle::bidirectional_breadth_first(problem, cube);
    std::cout << "Cube " << cube << ": " << result.cost << " turns, " << result.statistics.expanded
              << " cubes expanded; from both ends, without a heuristic, " << blind.statistics.expanded
              << '\n';
    return result && result.cost == blind.cost;
}

int main() {
    bool is_right = count_all();
    for (const std::uint32_t cube : {1'000'000U, 2'000'000U, 3'000'000U}) is_right &= solve(cube);
    return is_right ? 0 : 1;
}
