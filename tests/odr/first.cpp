#include <npuzzle/npuzzle.hpp>

#include "searches.hpp"

#include <vector>

Answers answers_of_the_first() {
    const auto doubling = npuzzle::problem_from<int>([](int x) { return std::vector{x + 1, 2 * x}; },
                                                     [](int x) { return x == 97; });
    const npuzzle::Board board({{0, 1, 3}, {4, 2, 5}, {7, 8, 6}});
    return {npuzzle::astar(doubling, 1, npuzzle::Zero{}).cost,
            static_cast<int>(npuzzle::Solver(board).moves())};
}
