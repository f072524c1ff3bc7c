// prints: docs/images/open_list.svg
// Draws how large the open list of A* is with three heuristics: search_chart_svg >picture.svg

#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/visual/search_chart.hpp>

#include <exception>
#include <iostream>

int main() try {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> start(npuzzle::read_board_file("examples/puzzles/puzzle3x3-31.txt"));

    npuzzle::SearchProfile none;
    npuzzle::astar(puzzle, start, npuzzle::Zero{}, {}, none);
    npuzzle::SearchProfile hamming;
    npuzzle::astar(puzzle, start, npuzzle::Hamming{}, {}, hamming);
    npuzzle::SearchProfile manhattan;
    npuzzle::astar(puzzle, start, npuzzle::Manhattan{}, {}, manhattan);

    npuzzle::write_line_chart_svg(std::cout,
                                  {none.open_list_size("no heuristic"), hamming.open_list_size("Hamming"),
                                   manhattan.open_list_size("Manhattan")},
                                  {.title = "A* on an 8-puzzle of 31 moves: size of the open list",
                                   .x_label = "nodes expanded",
                                   .y_label = "nodes open"});
} catch (const std::exception& error) {
    std::cerr << "search_chart_svg: " << error.what() << '\n';
    return 1;
}
