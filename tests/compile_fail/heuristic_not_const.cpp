// mend: int operator()(const State&) const;
// A heuristic that changes when it is called, is passed as a constant, and cannot be copied.
#include <npuzzle/search/ida_star.hpp>

#include "line.hpp"

#include <memory>

struct Counting {
    std::unique_ptr<int> calls = std::make_unique<int>(0);

    int operator()(int) {
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
    npuzzle::ida_star(Line{}, 1, heuristic);
}
