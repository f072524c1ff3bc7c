#include <npuzzle/search.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"

#include <array>
#include <cstdlib>
#include <vector>

namespace {

struct Grid {
    using State = std::array<int, 2>;
    int width, height;
    std::vector<State> neighbors(const State&) const;
    bool is_goal(const State&) const;
};

std::vector<Grid::State> Grid::neighbors(const State& s) const {
    std::vector<State> result;
    for (const State& to :
         {State{s[0] + 1, s[1]}, State{s[0] - 1, s[1]}, State{s[0], s[1] + 1}, State{s[0], s[1] - 1}}) {
        if (0 <= to[0] && to[0] < width && 0 <= to[1] && to[1] < height) {
            result.push_back(to);
        }
    }
    return result;
}

bool Grid::is_goal(const State& s) const {
    return s == State{width - 1, height - 1};
}

} // namespace

TEST_CASE("a grid is searched with a lambda as heuristic", "[search]") {
    const Grid grid{8, 5};
    const auto manhattan_to_goal = [&](const Grid::State& s) {
        return std::abs(grid.width - 1 - s[0]) + std::abs(grid.height - 1 - s[1]);
    };

    auto result =
        npuzzle::astar(grid, Grid::State{0, 0}, [&](const Grid::State& s) { return manhattan_to_goal(s); });

    CHECK(result.status == npuzzle::Status::solved);
    CHECK(result.cost == 11);
    CHECK(result.path.size() == 12);
    CHECK(oracle::path_cost<int>(grid, result.path) == 11);
    CHECK(result.path.front() == Grid::State{0, 0});
    CHECK(result.path.back() == Grid::State{7, 4});
    // All estimates are exact, and of equal f the greatest g goes first: straight to the goal.
    CHECK(result.statistics.expanded == 11);
    if (result) {
        SUCCEED();
    } else {
        FAIL("a result that is solved is true");
    }
}

TEST_CASE("a problem is made of two lambdas, and a search of it is limited", "[search]") {
    auto problem = npuzzle::problem_from<int>([](int x) { return std::vector{x + 1, 2 * x}; },
                                              [](int x) { return x == 97; });
    auto other = npuzzle::astar(problem, 1, npuzzle::Zero{});
    auto limited = npuzzle::astar(problem, 1, npuzzle::Zero{}, {.expansions = 10}); // Status::expansion_limit

    CHECK(other.status == npuzzle::Status::solved);
    // From 1 by doubling and adding one, as 97 is written in binary: 1 2 3 6 12 24 48 96 97.
    CHECK(other.cost == 8);
    CHECK(other.path == std::vector{1, 2, 3, 6, 12, 24, 48, 96, 97});
    CHECK(limited.status == npuzzle::Status::expansion_limit);
    CHECK_FALSE(limited);
    CHECK(limited.path.empty());
    CHECK(limited.statistics.expanded == 10);
}
