#include <npuzzle/search/astar.hpp>
#include <npuzzle/version.hpp>

#include <cstdlib>
#include <vector>

int main() {
    const auto neighbors = [](int x) { return std::vector{x + 1, 2 * x}; };
    const auto result = npuzzle::astar(1, neighbors, npuzzle::Zero{}, [](int x) { return x == 97; });
    return result.cost == 8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
