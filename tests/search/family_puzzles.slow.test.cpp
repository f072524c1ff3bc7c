#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/limits.hpp>

#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/korf.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"

#include <cstddef>

// The family on sliding puzzles, against breadth-first search through all boards and against published
// lengths.

namespace {

using npuzzle::Manhattan;
using npuzzle::Status;
using test::Member;
using test::Promise;

template <class P, class Result>
void check_length(const P& puzzle, const npuzzle::state_t<P>& board, int least, const Member& member,
                  const Result& result) {
    INFO(member.name);
    REQUIRE(result.status == Status::solved);
    CHECK(static_cast<int>(result.path.size()) - 1 == result.cost);
    CHECK(result.path.front() == board);
    CHECK(puzzle.is_goal(result.path.back()));
    if (member.promise == Promise::least_cost || member.promise == Promise::fewest_steps) {
        CHECK(result.cost == least);
    }
    if (member.promise == Promise::cost_within_bound) {
        CHECK(result.cost <= member.bound * least);
    }
}

} // namespace

TEST_CASE("each search keeps its promise on the 8-puzzle, on a sample", "[family][slow]") {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    const npuzzle::SlidingPuzzle<3> puzzle;
    npuzzle::SilentObserver silent;
    std::size_t number = 0;
    for (const auto& cells : space.solvable()) {
        if (number++ % 2003 != 0) {
            continue;
        }
        const npuzzle::PackedBoard<3> board(cells);
        CAPTURE(board);
        const auto check = [&](const Member& member, const auto& result) {
            check_length(puzzle, board, space.depth(cells), member, result);
        };
        test::with_each_graph_search(puzzle, board, Manhattan{}, true, {}, silent, check);
        test::with_breadth_first(puzzle, board, {}, silent, check);
        check({"IDA*", Promise::least_cost}, npuzzle::ida_star(puzzle, board, Manhattan{}));
    }
}

TEST_CASE("searches by weights keep their bounds on all boards of the 8-puzzle", "[family][.exhaustive]") {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    const npuzzle::SlidingPuzzle<3> puzzle;
    for (const auto& cells : space.solvable()) {
        const npuzzle::PackedBoard<3> board(cells);
        const int least = space.depth(cells);
        const auto check = [&](const Member& member, const auto& result) {
            check_length(puzzle, board, least, member, result);
        };
        using enum Promise;
        check({"weighted A*, 1.5", cost_within_bound, 1.5},
              npuzzle::weighted_astar(puzzle, board, Manhattan{}, {.weight = 1.5}));
        check({"weighted A*, 3", cost_within_bound, 3},
              npuzzle::weighted_astar(puzzle, board, Manhattan{}, npuzzle::WeightOptions<int>{3}));
        check({"XDP, 2", cost_within_bound, 2},
              npuzzle::best_first(puzzle, board, Manhattan{}, npuzzle::XdpPriority{2}));
        check({"XUP, 1.25", cost_within_bound, 1.25},
              npuzzle::best_first(puzzle, board, Manhattan{}, npuzzle::XupPriority{1.25}));
        check({"partial expansion A*", least_cost},
              npuzzle::partial_expansion_astar(puzzle, board, Manhattan{}));
        check({"IDA*", least_cost}, npuzzle::ida_star(puzzle, board, Manhattan{}));
    }
}

TEST_CASE("each search keeps its promise on 15-puzzles of moderate depth", "[family]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    for (const std::size_t index : {std::size_t{0}, std::size_t{3}}) {
        const auto& korf = test::korf_boards[index];
        const npuzzle::PackedBoard<4> board(korf.tiles);
        INFO("number " << korf.number);
        const auto check = [&](const Member& member, const auto& result) {
            check_length(puzzle, board, korf.moves, member, result);
        };
        using enum Promise;
        check({"A*", least_cost}, npuzzle::astar(puzzle, board, Manhattan{}));
        check({"partial expansion A*", least_cost},
              npuzzle::partial_expansion_astar(puzzle, board, Manhattan{}));
        check({"all cheapest paths", least_cost}, npuzzle::count_optimal(puzzle, board, Manhattan{}));
        check({"IDA*", least_cost}, npuzzle::ida_star(puzzle, board, Manhattan{}));
        check({"weighted A*, 1.5", cost_within_bound, 1.5},
              npuzzle::weighted_astar(puzzle, board, Manhattan{}, {.weight = 1.5}));
        check({"weighted A*, 3", cost_within_bound, 3},
              npuzzle::weighted_astar(puzzle, board, Manhattan{}, npuzzle::WeightOptions<int>{3}));
        check({"ARA*", least_cost},
              npuzzle::ara_star(puzzle, board, Manhattan{}, [](const auto&) {}, {.weight = 3, .step = 1}));
        check({"doubling beam", a_path}, npuzzle::doubling_beam(puzzle, board, Manhattan{}, {.width = 10}));
    }
}
