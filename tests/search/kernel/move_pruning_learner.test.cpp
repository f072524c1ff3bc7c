#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/kernel/move_pruning_learner.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

TEST_CASE("of the 2x2 puzzle one way round is left, and six moves of it", "[move_pruning]") {
    const npuzzle::SlidingPuzzle<2> puzzle;
    npuzzle::detail::MovePruningLearner learner(puzzle);
    learner.learn(npuzzle::PackedBoard<2>(npuzzle::goal_blank_last(2)), 20, 1'000);
    // The twelve states are a ring: six moves one way are six the other way, and all ways end there.
    CHECK(learner.length() == 6 + 1);
    CHECK(learner.pruned() > 0);
    std::vector<std::pair<std::size_t, std::uint32_t>> roots;
    const auto automaton = learner.automaton(roots);
    CHECK(roots.size() == 4);
    for (const auto& [cell, root] : roots) {
        CHECK(npuzzle::detail::MoveAutomaton::allowed(root) == 2);
        for (std::size_t first = 0; first < 4; ++first) {
            std::uint32_t state = automaton.row(root)[first];
            int moves = 0;
            while (state != npuzzle::detail::MoveAutomaton::pruned && moves < 9) {
                ++moves;
                const std::uint32_t* const row = automaton.row(state);
                state = npuzzle::detail::MoveAutomaton::pruned;
                for (std::size_t move = 0; move < 4; ++move) {
                    state = row[move] < state ? row[move] : state;
                }
            }
            CHECK((moves == 0 || moves == 5 || moves == 6));
        }
    }
}
