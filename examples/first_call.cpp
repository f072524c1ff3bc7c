// test:
// The README's first program.
#include <npuzzle/search/astar.hpp>

#include <iostream>
#include <vector>
int main() { // a knight crosses a chessboard, from a1 (square 0) to h8 (square 63)
    const auto jumps = [](int from) {
        std::vector<int> to;
        for (int s = 0; s < 64; ++s)
            if (const int d = (s % 8 - from % 8) * (s / 8 - from / 8); d == 2 || d == -2) to.push_back(s);
        return to;
    };
    const auto at_least = [](int s) { return (14 - s % 8 - s / 8) / 3; }; // each jump is 3 steps
    const auto result = npuzzle::astar(0, jumps, at_least, [](int s) { return s == 63; });
    for (int s : result.path) std::cout << char('a' + s % 8) << s / 8 + 1 << (s == 63 ? '\n' : ' ');
}
