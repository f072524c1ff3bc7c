// test: examples/puzzles/puzzle3x3-04.txt
// Prints the queue of the A* of the classical programming assignment before each dequeue, at most 100 times,
// each entry as (priority, moves, Manhattan distance). Run: queue_trace FILE

#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/queue_trace.hpp>

#include <exception>
#include <iostream>

int main(int argc, char* argv[]) try {
    if (argc != 2) {
        std::cerr << "usage: queue_trace FILE\n";
        return 2;
    }
    const npuzzle::Board board = npuzzle::read_board_file(argv[1]);
    npuzzle::QueueTrace<npuzzle::SlidingPuzzle<>, npuzzle::Manhattan> trace;
    const auto result = npuzzle::astar<npuzzle::ParentOnly>(npuzzle::SlidingPuzzle(board.size()), board,
                                                            npuzzle::Manhattan{}, {.expansions = 100}, trace);
    std::cout << trace << trace.steps().size() << " dequeues, " << trace.enqueued() << " enqueues"
              << (result ? "\n" : " so far\n");
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
}
