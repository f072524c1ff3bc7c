// mend: (problem, start, npuzzle::Zero{})
// A call of a problem and a start, without a heuristic.
#include <npuzzle/search.hpp>

#include "line.hpp"

int main() {
#ifdef CONTROL
    const auto result = npuzzle::astar(Line{}, 0, npuzzle::Zero{});
#else
    const auto result = npuzzle::astar(Line{}, 0);
#endif
    return result ? 0 : 1;
}
