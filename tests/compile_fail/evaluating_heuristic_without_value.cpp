// expect: HasValueOfEvaluation
// A heuristic that lacks the value of its evaluation.
#include <npuzzle/search/core/heuristic.hpp>

#include "line.hpp"

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
