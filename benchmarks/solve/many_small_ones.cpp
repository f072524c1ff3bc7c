// Row 9: all boards of the 8-puzzle, one after another, with one engine that is reused.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>

#include "solve/session.hpp"
#include "support/allocations.hpp"
#include "support/answers.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

using Board = npuzzle::PackedBoard<3>;
using Puzzle = npuzzle::SlidingPuzzle<3>;

struct Depth {
    Board board;
    int moves;
};

/// Every solvable board and its distance from the goal, by a breadth-first search that shares no code with
/// A*.
std::vector<Depth> all_depths() {
    std::vector<Depth> found{{Board(), 0}};
    std::unordered_map<Board, bool> seen{{Board(), true}};
    for (std::size_t next = 0; next < found.size(); ++next) {
        const Depth from = found[next];
        for (const Board& neighbor : from.board.neighbors()) {
            if (seen.try_emplace(neighbor, true).second) {
                found.push_back({neighbor, from.moves + 1});
            }
        }
    }
    return found;
}

/// Brings the boards in an order that is independent of their difficulty.
void shuffle(std::vector<Depth>& depths) {
    std::mt19937_64 generator(1);
    for (std::size_t i = depths.size(); i > 1; --i) {
        std::swap(depths[i - 1], depths[generator() % i]);
    }
}

} // namespace

void solve_many_small_ones(Session& session) {
    std::vector<Depth> depths = all_depths();
    require(depths.size() == 181'440 && depths.back().moves == 31,
            "the 8-puzzle has 181,440 boards, the farthest 31 moves away");
    shuffle(depths);
    if (session.is_smoke()) {
        depths.resize(500);
    }

    const Puzzle puzzle;
    std::optional<npuzzle::AStar<Puzzle, npuzzle::Manhattan>> engine;
    std::uint64_t allocations = 0;
    std::size_t solved = 0;
    const Stopwatch stopwatch;
    for (const Depth& depth : depths) {
        const std::uint64_t before = allocation_count();
        if (engine) {
            engine->restart(depth.board);
        } else {
            engine.emplace(puzzle, depth.board, npuzzle::Manhattan{});
        }
        const npuzzle::Status status = engine->run();
        // The engine grows to the size of the hardest board so far. In the second half it has grown already.
        allocations += ++solved > depths.size() / 2 ? allocation_count() - before : 0;
        require(status == npuzzle::Status::solved, "an 8-puzzle was not solved");
        const auto result = engine->result();
        require(result.cost == depth.moves, "an 8-puzzle was not solved in the fewest moves");
        require(result.path.front() == depth.board && result.path.back() == Board() &&
                    result.path.size() == static_cast<std::size_t>(depth.moves) + 1,
                "a path through the 8-puzzle does not lead from the start to the goal");
    }
    const double seconds = stopwatch.seconds();
    const double boards = static_cast<double>(depths.size());
    session.report({"9", "A*, all 8-puzzles one after another", boards / seconds, "boards/s", 4'000, 10'000,
                    false, to_text(boards) + " boards in " + to_text(seconds, "s"), "",
                    "one engine that is used again, paths included"});
    session.report({"9", "allocations in the second half of them",
                    static_cast<double>(allocations) / (boards / 2), "a board", 0, 0, true,
                    to_text(static_cast<double>(allocations)) + " in all", "",
                    "none are to be left; the path that is handed out is not among them"});
}

} // namespace benchmarks
