// expect: HasEvaluation
// expect: is_trivially_copyable
// A heuristic whose evaluation cannot be copied byte by byte.
#include <npuzzle/search/core/heuristic.hpp>

#include "line.hpp"

#include <string>

struct Mine {
    struct Evaluation {
        int hidden = 0;
#ifndef CONTROL
        std::string why;
#endif
    };

    Evaluation evaluate(int x) const {
        Evaluation evaluation;
        evaluation.hidden = x < 7 ? 7 - x : x - 7;
        return evaluation;
    }
    Evaluation after(const Evaluation&, int, Line::Move, int x) const { return evaluate(x); }
    int value(const Evaluation& evaluation) const { return evaluation.hidden; }
    int operator()(int x) const { return evaluate(x).hidden; }
};

static_assert(npuzzle::EvaluatingHeuristicFor<Mine, Line>);

int main() {}
