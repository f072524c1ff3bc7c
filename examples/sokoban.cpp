// test:
// What it teaches: steps may cost nothing, so one problem can count pushes, steps or both. An infinite
// estimate prunes states that can never be solved: those with a box that could not reach a goal even if it
// were alone. A table of such places is made by pulling a box from each goal.

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/core/problem_from.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

constexpr int width = 8;
constexpr std::string_view level = "########" // @ player, $ box, . goal
                                   "## #  ##"
                                   "##.  #@#"
                                   "##$#   #"
                                   "#  $$ .#"
                                   "#  # ###"
                                   "# .  # #"
                                   "########";
constexpr std::array<int, 4> directions{-width, -1, 1, width};

bool is_free(int cell) {
    return level[static_cast<std::size_t>(cell)] != '#';
}

bool has(std::uint64_t cells, int cell) {
    return cells >> cell & 1;
}

std::uint64_t cells_of(char kind) {
    std::uint64_t cells = 0;
    for (std::size_t cell = 0; cell < level.size(); ++cell)
        cells |= std::uint64_t{level[cell] == kind} << cell;
    return cells;
}

struct Sokoban {
    using State = std::pair<std::uint64_t, int>; // the boxes, one bit per cell, and the player
    int cost_of_step, cost_of_push;
    std::uint64_t goals = cells_of('.');

    std::vector<npuzzle::Edge<State, int>> neighbors(const State& state) const {
        const auto [boxes, player] = state;
        std::vector<npuzzle::Edge<State, int>> result;
        for (const int direction : directions) {
            const int to = player + direction;
            const int behind = to + direction;
            if (!is_free(to)) continue;
            if (!has(boxes, to)) {
                result.push_back({{boxes, to}, cost_of_step});
            } else if (is_free(behind) && !has(boxes, behind)) {
                const std::uint64_t moved = std::uint64_t{1} << to | std::uint64_t{1} << behind;
                result.push_back({{boxes ^ moved, to}, cost_of_push});
            }
        }
        return result;
    }
    bool is_goal(const State& state) const { return state.first == goals; }
};

// How many pushes a box needs to its nearest goal if it is alone.
class Pushes {
public:
    static constexpr int lost = std::numeric_limits<int>::max();
    static constexpr bool marks_dead_ends = true; // so this says that no goal can be reached
    static constexpr bool is_consistent = true;

    Pushes() : pushes_(level.size(), lost) {
        const auto pull = npuzzle::problem_from<int>(
            [](int box) {
                std::vector<int> result;
                for (const int direction : directions) {
                    const bool has_room = is_free(box + direction) && is_free(box + 2 * direction);
                    if (has_room) result.push_back(box + direction);
                }
                return result;
            },
            [](int) { return false; });
        for (std::uint64_t goals = cells_of('.'); goals != 0; goals &= goals - 1) {
            npuzzle::for_each_reachable(pull, std::countr_zero(goals), [&](int cell, int pushes) {
                int& least = pushes_[static_cast<std::size_t>(cell)];
                least = std::min(least, pushes);
            });
        }
    }
    int operator()(const Sokoban::State& state) const {
        int sum = 0;
        for (std::uint64_t boxes = state.first; boxes != 0; boxes &= boxes - 1) {
            const int pushes = pushes_[static_cast<std::size_t>(std::countr_zero(boxes))];
            if (pushes == lost) return lost;
            sum += pushes;
        }
        return sum;
    }

private:
    std::vector<int> pushes_;
};

int main() {
    const Sokoban::State start{cells_of('$'), static_cast<int>(level.find('@'))};
    const Pushes pushes;
    bool is_right = true;
    const auto solve = [&](const char* what, const Sokoban& problem) {
        const auto result = npuzzle::astar(problem, start, npuzzle::Scaled{pushes, problem.cost_of_push});
        const auto blind = npuzzle::dijkstra(problem, start);
        std::cout << what << result.cost << ". " << result.statistics.expanded
                  << " states expanded, without a heuristic " << blind.statistics.expanded << '\n';
        is_right = is_right && result && result.cost == blind.cost;
    };
    solve("Fewest pushes: ", {0, 1});
    solve("Fewest steps: ", {1, 1});
    solve("Fewest pushes, then steps, thousands and units: ", {1, 1'001});
    return is_right ? 0 : 1;
}
