// expect: HasEvaluationAfter
// A heuristic whose `after` does not give an evaluation.
#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/heuristic.hpp>

using Board = npuzzle::PackedBoard<3>;

struct Mine {
    struct Evaluation {
        int hidden = 0;
    };

    Evaluation evaluate(const Board& board) const {
        Evaluation evaluation;
        evaluation.hidden = npuzzle::Hamming{}(board);
        return evaluation;
    }
#ifdef CONTROL
    Evaluation after(const Evaluation&, const Board&, npuzzle::Move, const Board& board) const {
        return evaluate(board);
    }
#else
    int after(const Evaluation&, const Board&, npuzzle::Move, const Board& board) const {
        return (*this)(board);
    }
#endif
    int value(const Evaluation& evaluation) const { return evaluation.hidden; }
    int operator()(const Board& board) const { return evaluate(board).hidden; }
};

static_assert(npuzzle::EvaluatingHeuristicFor<Mine, npuzzle::SlidingPuzzle<3>>);

int main() {}
