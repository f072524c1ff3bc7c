// expect: HeuristicFor
// A heuristic that changes when it is called, is passed as a constant, and cannot be copied.
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>

#include <memory>

struct Counting {
    std::unique_ptr<int> calls = std::make_unique<int>(0);

    int operator()(const npuzzle::PackedBoard<2>&) {
        ++*calls;
        return 0;
    }
};

#ifdef CONTROL
using Passed = Counting;
#else
using Passed = const Counting;
#endif

int main() {
    Passed heuristic;
    const npuzzle::SlidingPuzzle<2> puzzle;
    npuzzle::ida_star(puzzle, puzzle.goal(), heuristic);
}
