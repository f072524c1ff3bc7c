// test:
// A problem of your own, searched by A*: the search of docs/start.md.

#include <npuzzle/search.hpp>

#include <array>
#include <cstdlib>
#include <iostream>
#include <vector>

struct Grid { // with a wall from (1,0) down to the last row but one
    using State = std::array<int, 2>;
    int width, height;

    std::vector<State> neighbors(const State& cell) const {
        const auto [x, y] = cell;
        std::vector<State> result;
        for (const State& next : {State{x + 1, y}, State{x - 1, y}, State{x, y + 1}, State{x, y - 1}}) {
            const bool is_inside = next[0] >= 0 && next[0] < width && next[1] >= 0 && next[1] < height;
            const bool is_wall = next[0] == 1 && next[1] < height - 1;
            if (is_inside && !is_wall) result.push_back(next);
        }
        return result;
    }
    bool is_goal(const State& cell) const { return cell == State{2, 0}; }
};

int main() {
    const Grid grid{5, 4};
    const auto distance = [](const Grid::State& cell) { return std::abs(cell[0] - 2) + cell[1]; };
    const auto result = npuzzle::astar(grid, Grid::State{0, 0}, distance);
    if (result) {
        std::cout << result.cost << " steps, " << result.statistics.expanded << " cells expanded:";
        for (const auto& [x, y] : result.path) std::cout << " (" << x << ',' << y << ')';
        std::cout << '\n';
    }

    // Two lambdas make a problem, too. A search takes limits.
    const auto problem = npuzzle::problem_from<int>([](int x) { return std::vector{x + 1, 2 * x}; },
                                                    [](int x) { return x == 97; });
    const auto shortest = npuzzle::astar(problem, 1, npuzzle::Zero{});
    const auto limited = npuzzle::astar(problem, 1, npuzzle::Zero{}, {.expansions = 10});
    std::cout << "From 1 to 97 in " << shortest.cost << " steps; in 10 expansions: " << limited.status
              << '\n';
}
