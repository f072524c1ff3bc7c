// needs: mpi.h
// What it teaches: the same problem on many machines. mpirun starts the processes, all of them make the same
// call, and all have the same answer. Compile: mpicxx -std=c++20 -O2 -I include examples/distributed.cpp -o
// distributed Run: mpirun -n 2 ./distributed

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/distributed.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

// A word ladder: each word differs from the one before in a single letter. Strings, vectors and structs of
// them travel by their content, boards as a word each.
struct WordLadder {
    using State = std::string;

    std::vector<State> neighbors(const State& from) const {
        std::vector<State> result;
        for (const State other : {"card", "care", "cold", "cord", "core", "corn", "ward", "warm", "word",
                                  "wore", "worm", "worn"}) {
            int differences = 0;
            for (std::size_t i = 0; i < from.size(); ++i) differences += from[i] != other[i];
            if (differences == 1) result.push_back(other);
        }
        return result;
    }
    bool is_goal(const State& at) const { return at == "warm"; }
};

int main(int argc, char* argv[]) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    const auto ladder =
        npuzzle::distributed_astar(MPI_COMM_WORLD, WordLadder{}, std::string("cold"), npuzzle::Zero{});

    // Korf's board 79. Small searches like these two are over on the first process before the others would be
    // of use.
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> board({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const auto solution = npuzzle::distributed_astar(MPI_COMM_WORLD, puzzle, board, npuzzle::Manhattan{});

    if (rank == 0) {
        for (const auto& word : ladder.path) std::cout << word << ' ';
        std::cout << "\nmoves of board 79: " << solution.cost << '\n';
    }
    MPI_Finalize();
}
