// expect: HasEvaluation
// expect: is_trivially_copyable
// A heuristic whose evaluation cannot be copied byte by byte.
#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/heuristic.hpp>

#include <string>

using Board = npuzzle::PackedBoard<3>;

struct Mine {
    struct Evaluation {
        int hidden = 0;
#ifndef CONTROL
        std::string why;
#endif
    };

    Evaluation evaluate(const Board& board) const {
        Evaluation evaluation;
        evaluation.hidden = npuzzle::Hamming{}(board);
        return evaluation;
    }
    Evaluation after(const Evaluation&, const Board&, npuzzle::Move, const Board& board) const {
        return evaluate(board);
    }
    int value(const Evaluation& evaluation) const { return evaluation.hidden; }
    int operator()(const Board& board) const { return evaluate(board).hidden; }
};

static_assert(npuzzle::EvaluatingHeuristicFor<Mine, npuzzle::SlidingPuzzle<3>>);

int main() {}
