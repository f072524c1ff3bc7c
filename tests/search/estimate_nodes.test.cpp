#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/estimate_nodes.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/move_pruning.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using npuzzle::estimate_nodes;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;

struct Counts {
    double expanded = 0;
    double generated = 0;
};

/// The nodes of an iteration of IDA* that no goal ends.
template <class P, class H>
Counts count_iteration(const P& problem, const typename P::State& start, H heuristic, int bound) {
    npuzzle::IdaStar search(problem, start, heuristic);
    Counts before;
    while (search.step()) {
        const npuzzle::Statistics statistics = search.result().statistics;
        const Counts now{static_cast<double>(statistics.expanded), static_cast<double>(statistics.generated)};
        if (*search.bound() > bound) {
            return {now.expanded - before.expanded, now.generated - before.generated};
        }
        before = now;
    }
    FAIL("a goal within the bound");
    return {};
}

const PackedBoard<3>& hard_board() {
    static const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // 31 moves
    return board;
}

} // namespace

TEST_CASE("types that tell all states apart count exactly", "[estimate_nodes]") {
    const SlidingPuzzle<3> puzzle;
    const int first = Manhattan{}.bind(puzzle)(hard_board());
    for (const int bound : {first, first + 2, first + 4}) {
        const Counts counts = count_iteration(puzzle, hard_board(), Manhattan{}, bound);
        // Each path is of its own type, since a state tells the moves to it here.
        struct Path {
            PackedBoard<3> board;
            std::uint64_t moves = 1;
            bool operator==(const Path&) const = default;
        };
        struct Paths {
            using State = Path;
            SlidingPuzzle<3> puzzle;
            std::vector<Path> neighbors(const Path& path) const {
                std::vector<Path> result;
                puzzle.for_each_move(path.board, npuzzle::Move::none, [&](npuzzle::Move move) {
                    const auto last = static_cast<npuzzle::Move>(path.moves % 4);
                    if (path.moves > 1 && move == npuzzle::inverse(last)) {
                        return;
                    }
                    result.push_back({path.board, 4 * path.moves + static_cast<std::uint64_t>(move)});
                    puzzle.apply(result.back().board, move);
                });
                return result;
            }
            bool is_goal(const Path& path) const { return puzzle.is_goal(path.board); }
        };
        const Manhattan manhattan;
        const auto bound_manhattan = manhattan.bind(puzzle);
        const auto estimate = estimate_nodes(
            Paths{puzzle}, Path{hard_board()}, [&](const Path& path) { return bound_manhattan(path.board); },
            bound, {.probes = 2}, {}, [](const Path& path) { return static_cast<std::size_t>(path.moves); });
        CHECK(estimate.probes == 2);
        CHECK(estimate.expanded == counts.expanded);
        CHECK(estimate.generated == counts.generated);
        CHECK(estimate.standard_error == 0);
        CHECK(estimate.looked_at == 2 * static_cast<std::uint64_t>(counts.expanded));
    }
}

TEST_CASE("estimates are true on average", "[estimate_nodes]") {
    const SlidingPuzzle<3> puzzle;
    const npuzzle::MovePruning pruning = npuzzle::learn_move_pruning(puzzle, puzzle.goal());
    // What is in the corner, which says something of the moves to come.
    const auto corner = [](const PackedBoard<3>& board) { return static_cast<std::size_t>(board.tile(0)); };
    const auto compare = [&](const auto& problem, const auto& type) {
        const Counts counts = count_iteration(problem, hard_board(), Manhattan{}, 27);
        const auto estimate =
            estimate_nodes(problem, hard_board(), Manhattan{}, 27, {.probes = 1'000}, {}, type);
        CHECK(estimate.status == Status::running);
        CHECK(estimate.standard_error > 0);
        CHECK(std::abs(estimate.expanded - counts.expanded) < 4 * estimate.standard_error);
        CHECK(estimate.standard_error < 0.1 * counts.expanded);
        CHECK(std::abs(estimate.generated / counts.generated - estimate.expanded / counts.expanded) < 0.05);
        CHECK(static_cast<double>(estimate.looked_at) < 1'000 * counts.expanded);
        return estimate;
    };
    const auto by_value = compare(puzzle, npuzzle::SameType{});
    const auto by_corner = compare(puzzle, corner);
    CHECK(by_corner.standard_error < by_value.standard_error);
    const auto pruned = compare(npuzzle::with_move_pruning(puzzle, pruning), corner);
    CHECK(pruned.expanded < by_corner.expanded);
    const auto again = estimate_nodes(puzzle, hard_board(), Manhattan{}, 27, {.probes = 1'000});
    CHECK(again.expanded == by_value.expanded);
    CHECK(estimate_nodes(puzzle, hard_board(), Manhattan{}, 27, {.probes = 1'000, .seed = 2}).expanded !=
          by_value.expanded);
}

TEST_CASE("the size of a search with real costs and without moves", "[estimate_nodes]") {
    const test::OctileGrid grid(5, 6, 6);
    const auto heuristic = [&](const test::OctileGrid::State& cell) {
        return 0.9 * grid.octile_distance(cell);
    };
    const double bound = 1.1 * grid.octile_distance({0, 0});
    std::uint64_t expanded = 0;
    const auto count = [&](const auto& self, const test::OctileGrid::State& cell,
                           const test::OctileGrid::State* before, double cost) -> void {
        if (bound < cost + heuristic(cell) || grid.is_goal(cell)) {
            return;
        }
        ++expanded;
        for (const auto& [next, step] : grid.neighbors(cell)) {
            if (before == nullptr || next != *before) {
                self(self, next, &cell, cost + step);
            }
        }
    };
    count(count, {0, 0}, nullptr, 0);
    const auto estimate = estimate_nodes(grid, {0, 0}, heuristic, bound, {.probes = 2'000});
    CHECK(std::abs(estimate.expanded - static_cast<double>(expanded)) <= 4 * estimate.standard_error);
}

TEST_CASE("limits end an estimate, and what was probed counts", "[estimate_nodes]") {
    const SlidingPuzzle<3> puzzle;
    const auto limited =
        estimate_nodes(puzzle, hard_board(), Manhattan{}, 29, {.probes = 1'000'000}, {.expansions = 20'000});
    CHECK(limited.status == Status::expansion_limit);
    CHECK(limited.looked_at == 20'000);
    CHECK(limited.probes > 1);
    CHECK(limited.expanded > 0);
    npuzzle::StopSource stop;
    stop.request_stop();
    const auto stopped =
        estimate_nodes(puzzle, hard_board(), Manhattan{}, 29, {}, {.stop = stop.get_token()});
    CHECK(stopped.status == Status::cancelled);
    CHECK(!stopped);
    CHECK(estimate_nodes(puzzle, hard_board(), Manhattan{}, 29, {.probes = 0}).probes == 0);
    CHECK(estimate_nodes(puzzle, hard_board(), Manhattan{}, 0).expanded == 0); // the start is beyond it
    CHECK(estimate_nodes(puzzle, puzzle.goal(), Manhattan{}, 5).expanded == 0);
}
