#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/heuristics/walking_distance.hpp>
#include <npuzzle/puzzle/packed_board.hpp>

#include "any_heuristic.hpp"

#include <stdexcept>
#include <string>

namespace program {

namespace {

using npuzzle::SlidingPuzzle;
using Kind = HeuristicName::Kind;

template <int N, class H>
typename BoundHeuristic<N>::Part bound(const H& heuristic, const SlidingPuzzle<N>& puzzle) {
    using State = typename SlidingPuzzle<N>::State;
    return [bound = heuristic.bind(puzzle)](const State& board) mutable { return bound(board); };
}

// For heuristics that take only packed boards.
template <int N, class H>
BoundHeuristic<npuzzle::dynamic_size>::Part packed(const H& heuristic, const SlidingPuzzle<>& puzzle) {
    const SlidingPuzzle<N> packed_puzzle(puzzle.goal());
    return [bound = heuristic.bind(packed_puzzle)](const npuzzle::Board& board) mutable {
        return std::int64_t{bound(npuzzle::PackedBoard<N>(board))};
    };
}

template <int N, class H>
typename BoundHeuristic<N>::Part bound_to_small(const H& heuristic, const SlidingPuzzle<N>& puzzle) {
    if constexpr (N != npuzzle::dynamic_size) {
        return bound(heuristic, puzzle);
    } else {
        switch (puzzle.goal().size()) {
        case 2:
            return packed<2>(heuristic, puzzle);
        case 3:
            return packed<3>(heuristic, puzzle);
        default:
            throw std::invalid_argument(
                "only boards up to size 4 have walking distance, and up to size 5 pattern databases");
        }
    }
}

template <int N>
std::vector<typename BoundHeuristic<N>::Part> make_parts(const HeuristicName& name,
                                                         const std::vector<npuzzle::PatternDatabases>& tables,
                                                         const SlidingPuzzle<N>& puzzle) {
    std::vector<typename BoundHeuristic<N>::Part> parts;
    auto next_tables = tables.begin();
    for (const HeuristicName::Part& part : name.parts) {
        switch (part.kind) {
        case Kind::hamming:
            parts.push_back(bound(npuzzle::Hamming{}, puzzle));
            break;
        case Kind::manhattan:
            parts.push_back(bound(npuzzle::Manhattan{}, puzzle));
            break;
        case Kind::walking_distance:
            if constexpr (N == 5) {
                throw std::invalid_argument("only boards up to size 4 have walking distance");
            } else {
                parts.push_back(bound_to_small(npuzzle::WalkingDistance{}, puzzle));
            }
            break;
        case Kind::pattern_databases:
            parts.push_back(bound_to_small(*next_tables++, puzzle));
            break;
        default:
            parts.push_back(bound(npuzzle::LinearConflict{}, puzzle));
        }
    }
    return parts;
}

} // namespace

std::vector<BoundHeuristic<npuzzle::dynamic_size>::Part>
AnyHeuristic::parts(const SlidingPuzzle<>& puzzle) const {
    return make_parts(name_, tables_, puzzle);
}

std::vector<BoundHeuristic<4>::Part> AnyHeuristic::parts(const SlidingPuzzle<4>& puzzle) const {
    return make_parts(name_, tables_, puzzle);
}

std::vector<BoundHeuristic<5>::Part> AnyHeuristic::parts(const SlidingPuzzle<5>& puzzle) const {
    return make_parts(name_, tables_, puzzle);
}

} // namespace program
