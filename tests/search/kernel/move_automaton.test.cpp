#include <npuzzle/search/kernel/move_automaton.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using npuzzle::detail::MoveAutomaton;

TEST_CASE("states of an automaton that allow the same moves for ever become one", "[move_pruning]") {
    constexpr MoveAutomaton::State pruned = MoveAutomaton::pruned;
    // No a after a. State 2 is like 0, and 3 like 1; 4 allows nothing.
    const std::vector<MoveAutomaton::State> rows{1, 2, pruned, 0, 3, 2, pruned, 2, pruned, pruned};
    std::vector<MoveAutomaton::State> roots{0, 2, 3, 4};
    const MoveAutomaton automaton(2, rows, roots);
    CHECK(automaton.states() == 3);
    CHECK(automaton.bytes() == 3 * 2 * sizeof(MoveAutomaton::State));
    CHECK(roots[0] == roots[1]);
    CHECK(roots[0] != roots[2]);
    CHECK(MoveAutomaton::allowed(roots[0]) == 2);
    CHECK(MoveAutomaton::allowed(roots[2]) == 1);
    CHECK(MoveAutomaton::allowed(roots[3]) == 0);
    CHECK(automaton.row(roots[0])[0] == roots[2]);
    CHECK(automaton.row(roots[0])[1] == roots[0]);
    CHECK(automaton.row(roots[2])[0] == pruned);
    CHECK(automaton.row(roots[2])[1] == roots[0]);
    CHECK(MoveAutomaton{}.states() == 0);
}
