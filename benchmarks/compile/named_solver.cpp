// A program whose user names the heuristic: what it costs to have all searches of a `Solver` at hand.

#include <npuzzle/puzzle/solver.hpp>

#include <string_view>

int main(int argc, char* argv[]) {
    npuzzle::SolverOptions options;
    if (argc == 2 && std::string_view(argv[1]) == "hamming") {
        options.heuristic = npuzzle::SolverHeuristic::hamming;
    }
    const npuzzle::Solver solver(npuzzle::Board{{0, 1, 3}, {4, 2, 5}, {7, 8, 6}}, options);
    return solver.moves() == 4 ? 0 : 1;
}
