/// @file
/// A small problem, and heuristics for it that know its goal and that learn it.
#pragma once

#include <limits>
#include <vector>

namespace test {

/// From 0 by ones and threes to 30: the cost is the number of steps.
struct Stairs {
    using State = int;
    int top = 30;
    std::vector<int> neighbors(int x) const { return {x + 1, x + 3}; }
    bool is_goal(int x) const { return x == top; }
};

inline int thirds(const int& x) {
    return x <= 30 ? (30 - x + 2) / 3 : std::numeric_limits<int>::max();
}

/// Knows the top of the stairs once it has seen them.
struct Thirds {
    struct Bound {
        static constexpr bool marks_dead_ends = true;

        int top;
        int operator()(int x) const { return x <= top ? (top - x + 2) / 3 : std::numeric_limits<int>::max(); }
    };
    Bound bind(const Stairs& stairs) const { return {stairs.top}; }
};

} // namespace test
