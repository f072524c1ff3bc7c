// A* by several processes against A* by one, in turn, on Korf's boards of the 15-puzzle. Each answer is
// checked. The speedups in docs/parallel.md, and row 28 of benchmarks/RESULTS.md, whose figures it
// writes to a file.
//
//     cmake --preset release && cmake --build --preset release --target benchmark.distributed_astar
//     mpirun -n 2 build/release/benchmarks/distributed_astar [--figures FILE] [ROUNDS [THREADS [BOARD...]]]

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/distributed/distributed_astar.hpp>

#include "support/answers.hpp"
#include "support/figures.hpp"
#include "support/instances.hpp"
#include "support/ranks.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace {

/// Solves a board, and returns the seconds.
template <class F>
double run(const benchmarks::Instance& instance, npuzzle::Statistics& statistics, F&& solve) {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> start(instance.tiles);
    const benchmarks::Stopwatch stopwatch;
    const auto result = solve(puzzle, start);
    const double seconds = stopwatch.seconds();
    statistics = result.statistics;
    const std::string name = "board " + std::to_string(instance.number);
    benchmarks::require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
                        name + ": not the published cost");
    benchmarks::require_path(puzzle, start, result.path, result.cost, name);
    return seconds;
}

/// The ratio of a board's times, and on the first process what it belongs to.
struct Comparison {
    benchmarks::Figure figure;
    std::uint64_t nodes = 0; ///< that one process stores
    double max_expanded = 0;
};

Comparison compare(const npuzzle::Communicator& ranks, const benchmarks::Instance& instance, int rounds,
                   unsigned threads) {
    Comparison comparison;
    std::vector<benchmarks::Figure> figures;
    for (int round = 0; round < rounds; ++round) {
        npuzzle::Statistics one;
        npuzzle::Statistics several;
        double seconds_of_one = 0;
        if (ranks.rank() == 0) {
            seconds_of_one = run(instance, one, [](const auto& puzzle, const auto& start) {
                return npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
            });
        }
        benchmarks::meet(ranks.get());
        const double seconds = run(instance, several, [&](const auto& puzzle, const auto& start) {
            return npuzzle::distributed_astar(ranks.get(), puzzle, start, npuzzle::Manhattan{},
                                              {.threads = threads});
        });
        figures.push_back({"", "board " + std::to_string(instance.number), seconds_of_one / seconds, "x", 0,
                           0, false, benchmarks::to_text(1'000 * seconds, "ms"),
                           benchmarks::to_text(1'000 * seconds_of_one, "ms"), "", true, benchmarks::today()});
        comparison.nodes = one.stored;
        comparison.max_expanded = std::max(comparison.max_expanded, static_cast<double>(several.expanded) /
                                                                        static_cast<double>(one.expanded));
    }
    comparison.figure = benchmarks::median_of(std::move(figures));
    if (ranks.rank() == 0) {
        std::printf("%s: %s, %d ranks %s, one %s, %.2f x expanded\n", comparison.figure.what.c_str(),
                    benchmarks::to_text(comparison.figure).c_str(), ranks.size(),
                    comparison.figure.npuzzle.c_str(), comparison.figure.peer.c_str(),
                    comparison.max_expanded);
        std::fflush(stdout);
    }
    return comparison;
}

/// A figure of the table: the worst of some boards, and one for each as its details.
void add_figures(std::vector<benchmarks::Figure>& figures, const std::string& row, const std::string& what,
                 double reach, const std::vector<Comparison>& boards) {
    if (boards.empty()) {
        return;
    }
    benchmarks::Figure worst = boards.front().figure;
    double max_expanded = 0;
    for (const Comparison& board : boards) {
        figures.push_back(board.figure);
        figures.back().row = row;
        worst = board.figure.value < worst.value ? board.figure : worst;
        max_expanded = std::max(max_expanded, board.max_expanded);
    }
    worst.row = row;
    worst.note = worst.what + ", against astar on one; at most " + benchmarks::to_text(max_expanded, "x") +
                 " its expansions on any";
    worst.what = what;
    worst.reach = reach;
    worst.is_detail = false;
    figures.push_back(std::move(worst));
}

} // namespace

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    try {
        const npuzzle::Communicator ranks(MPI_COMM_WORLD);
        const std::string file = benchmarks::take_figures_file(argc, argv);
        const int rounds = argc > 1 ? std::stoi(argv[1]) : 3;
        const unsigned threads = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 1;
        std::vector<int> numbers;
        for (int i = 3; i < argc; ++i) {
            numbers.push_back(std::stoi(argv[i]));
        }
        if (numbers.empty()) {
            numbers = {12, 42, 9, 28, 2, 1, 3, 4, 66}; // from small to large
        }
        constexpr std::uint64_t small = 200'000; // nodes: they take milliseconds
        std::vector<Comparison> small_boards;
        std::vector<Comparison> large_boards;
        for (const int number : numbers) {
            Comparison board = compare(
                ranks, benchmarks::korf_boards.at(static_cast<std::size_t>(number - 1)), rounds, threads);
            (board.nodes < small ? small_boards : large_boards).push_back(std::move(board));
        }
        if (ranks.rank() == 0 && !file.empty()) {
            const std::string who =
                "A* on " + std::to_string(ranks.size()) + " ranks, 15-puzzle: the worst of ";
            std::vector<benchmarks::Figure> figures;
            add_figures(figures, "28a", who + "some of Korf's boards", 1.4, large_boards);
            add_figures(figures, "28b", who + "small ones", 1, small_boards);
            benchmarks::save_figures(file, figures);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "distributed_astar: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
