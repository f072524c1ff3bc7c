#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search.hpp>

#include "support/catch.hpp"

#include <type_traits>
#include <vector>

namespace {

/// Whether an engine is made of a problem and the rest, and not of a problem that would be gone then.
template <class Engine, class P, class... Rest>
constexpr bool refuses_temporary =
    std::is_constructible_v<Engine, const P&, Rest...> && !std::is_constructible_v<Engine, P, Rest...> &&
    !std::is_constructible_v<Engine, const P, Rest...>;
/// The same where a method goes first.
template <class Engine, class First, class P, class... Rest>
constexpr bool refuses_temporary_after = std::is_constructible_v<Engine, First, const P&, Rest...> &&
                                         !std::is_constructible_v<Engine, First, P, Rest...>;

using Puzzle = npuzzle::SlidingPuzzle<4>;
using Board = npuzzle::PackedBoard<4>;
using H = npuzzle::Manhattan;
using Weights = npuzzle::WeightOptions<double>;

static_assert(refuses_temporary<npuzzle::AStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::WeightedAStar<Puzzle, H>, Puzzle, Board, H, Weights>);
static_assert(refuses_temporary<npuzzle::GreedySearch<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::AnytimeAStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::AllPaths<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::KShortestPaths<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::LpaStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::DStarLite<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary_after<npuzzle::BidirectionalAStar<npuzzle::Nbs, Puzzle, H, H>, npuzzle::Nbs,
                                      Puzzle, Board, H, H>);
static_assert(refuses_temporary<npuzzle::IdaStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::DepthFirstEngine<Puzzle>, Puzzle, Board>);
static_assert(refuses_temporary<npuzzle::ShortestPathTree<Puzzle>, Puzzle, std::vector<Board>>);
static_assert(
    refuses_temporary<npuzzle::WithGoals<Puzzle, bool (*)(const Board&)>, Puzzle, bool (*)(const Board&)>);

} // namespace

TEST_CASE("no engine is made of a problem that would be gone before it runs", "[engine]") {
    SUCCEED("it compiled");
}
