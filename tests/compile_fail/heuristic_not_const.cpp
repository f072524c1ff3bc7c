// mend: int operator()(const State&) const;
// A heuristic that changes when it is called, is passed as a constant, and cannot be copied.
#include <npuzzle/search/ida_star.hpp>

#include <memory>
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
