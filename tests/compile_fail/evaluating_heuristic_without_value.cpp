// expect: HasValueOfEvaluation
// A heuristic that lacks the value of its evaluation.
#include <npuzzle/search/core/heuristic.hpp>

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

struct Mine {
    struct Evaluation {
        int hidden = 0;
    };

    Evaluation evaluate(int x) const {
        Evaluation evaluation;
        evaluation.hidden = x < 7 ? 7 - x : x - 7;
        return evaluation;
    }
    Evaluation after(const Evaluation&, int, Line::Move, int x) const { return evaluate(x); }
#ifdef CONTROL
    int value(const Evaluation& evaluation) const { return evaluation.hidden; }
#endif
    int operator()(int x) const { return evaluate(x).hidden; }
};

static_assert(npuzzle::EvaluatingHeuristicFor<Mine, Line>);

int main() {}
