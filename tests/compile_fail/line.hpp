#pragma once

#include <vector>

// A walk along the integers.
struct Line {
    using State = int;
    using Move = signed char;
    static constexpr Move no_move = 0;

    std::vector<int> neighbors(int x) const { return {x - 1, x + 1}; }
    bool is_goal(int x) const { return x == 7; }
    template <class F>
    void for_each_move(int, Move last, F f) const {
        if (last != 1) f(Move{-1});
        if (last != -1) f(Move{1});
    }
    void apply(int& x, Move move) const { x += move; }
    Move inverse(Move move) const { return static_cast<Move>(-move); }
};
