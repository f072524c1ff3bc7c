// expect: constraint
// A heuristic whose `after` does not give an evaluation.
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
#ifdef CONTROL
    Evaluation after(const Evaluation&, int, Line::Move, int x) const { return evaluate(x); }
#else
    int after(const Evaluation&, int, Line::Move, int x) const { return (*this)(x); }
#endif
    int value(const Evaluation& evaluation) const { return evaluation.hidden; }
    int operator()(int x) const { return evaluate(x).hidden; }
};

static_assert(npuzzle::EvaluatingHeuristicFor<Mine, Line>);

int main() {}
