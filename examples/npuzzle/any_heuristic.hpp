// One type for all heuristics of the command line, so a search is compiled only once per kind of board.
#pragma once

#include <npuzzle/puzzle/heuristics/pattern_databases.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>

#include "heuristic_name.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace program {

// The largest of several functions of a board.
template <int N>
class BoundHeuristic {
public:
    using State = typename npuzzle::SlidingPuzzle<N>::State;
    using Value = std::conditional_t<N == npuzzle::dynamic_size, std::int64_t, int>;
    using Part = std::function<Value(const State&)>;

    explicit BoundHeuristic(std::vector<Part> parts) : parts_(std::move(parts)) {}

    Value operator()(const State& board) const {
        Value greatest = 0;
        for (const Part& part : parts_) greatest = std::max(greatest, part(board));
        return greatest;
    }

private:
    std::vector<Part> parts_;
};

// A heuristic by its name, for puzzles of any size and goal. It owns the tables that it needs.
class AnyHeuristic {
public:
    // `tables`: those of the pattern databases among the parts, in their order.
    AnyHeuristic(HeuristicName name, std::vector<npuzzle::PatternDatabases> tables)
        : name_(std::move(name)), tables_(std::move(tables)) {}

    const HeuristicName& name() const { return name_; }

    // Throws std::invalid_argument if a part does not take puzzles of this size or goal.
    template <int N>
    BoundHeuristic<N> bind(const npuzzle::SlidingPuzzle<N>& puzzle) const {
        return BoundHeuristic<N>(parts(puzzle));
    }

private:
    std::vector<BoundHeuristic<npuzzle::dynamic_size>::Part>
    parts(const npuzzle::SlidingPuzzle<>& puzzle) const;
    std::vector<BoundHeuristic<4>::Part> parts(const npuzzle::SlidingPuzzle<4>& puzzle) const;
    std::vector<BoundHeuristic<5>::Part> parts(const npuzzle::SlidingPuzzle<5>& puzzle) const;

    HeuristicName name_;
    std::vector<npuzzle::PatternDatabases> tables_;
};

} // namespace program
