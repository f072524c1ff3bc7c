// IDA* on one rank and on all, the searches of rows 5, 14 and 15 of the table of "solve": mpiexec -n RANKS
// distributed_ida [--figures FILE] ROW [THREADS [ROUNDS [FROM TO]]], with so many threads a rank. The file
// gets row 29 of benchmarks/RESULTS.md. Of each board both run in turn, and all that they return must be
// equal, on each rank. While rank 0 searches alone, the others sleep. The ratio is that of the wall clock;
// beside it stands that of the processor's seconds, of the rank that used most, which a busy machine changes
// less. FROM and TO choose boards. Row 0 is a smoke run, row 80 the boards that need 80 moves.

#include <npuzzle/search/distributed/distributed_ida_star.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/answers.hpp"
#include "support/figures.hpp"
#include "support/ida_rows.hpp"
#include "support/ranks.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

namespace {

using benchmarks::require;
using benchmarks::Stopwatch;

int rank = 0;
int ranks = 1;

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Of all ranks, each with its threads.
double max_processor_seconds(double seconds) {
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

template <class Puzzle, class Instances, class H>
void compare(const std::string& name, const Puzzle& puzzle, const Instances& instances, const H& heuristic,
             const benchmarks::Selection& selection, unsigned threads,
             std::vector<benchmarks::Figure>& figures) {
    std::vector<double> ratios;
    benchmarks::Seconds sum;
    const std::size_t end = std::min<std::size_t>(selection.to, instances.size());
    for (int round = 0; round < selection.rounds; ++round) {
        double one = 0;
        double all = 0;
        double one_processor = 0;
        double busiest_processor = 0;
        for (std::size_t i = selection.from; i < end; ++i) {
            const typename Puzzle::State start(instances[i].tiles);
            npuzzle::search_result_t<Puzzle> expected;
            if (rank == 0) {
                const Stopwatch stopwatch;
                const double begin = processor_seconds();
                expected = npuzzle::ida_star(puzzle, start, heuristic);
                one += stopwatch.seconds();
                one_processor += processor_seconds() - begin;
            }
            benchmarks::meet(MPI_COMM_WORLD);
            const Stopwatch stopwatch;
            const double begin = processor_seconds();
            const auto result =
                npuzzle::distributed_ida_star(MPI_COMM_WORLD, puzzle, start, heuristic, {.threads = threads});
            all += stopwatch.seconds();
            busiest_processor += max_processor_seconds(processor_seconds() - begin);
            const std::string who = name + ", board " + std::to_string(instances[i].number);
            require(result.status == npuzzle::Status::solved && result.cost == instances[i].optimal_cost,
                    who + ": not the published cost");
            require(rank != 0 || (result.cost == expected.cost && result.path == expected.path &&
                                  result.statistics.expanded == expected.statistics.expanded &&
                                  result.statistics.generated == expected.statistics.generated),
                    who + ": the ranks do not return what one search returns");
            std::uint64_t counts[] = {result.statistics.expanded, result.statistics.generated};
            MPI_Bcast(counts, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
            require(result.statistics.expanded == counts[0] && result.statistics.generated == counts[1],
                    who + ": the ranks do not return the same");
        }
        ratios.push_back(one / all);
        sum.peer += one;
        sum.npuzzle += all;
        if (rank == 0) {
            std::printf("%s: %.3f s by one search, %.3f s on %d ranks with %u threads: %.3f x; %.3f x by "
                        "processors\n",
                        name.c_str(), one, all, ranks, threads, ratios.back(),
                        one_processor / busiest_processor);
            std::fflush(stdout);
        }
    }
    std::sort(ratios.begin(), ratios.end());
    if (rank == 0) {
        std::printf("%s: worst %.3f x, best %.3f x\n", name.c_str(), ratios.front(), ratios.back());
        figures.push_back({"29",
                           "IDA* on " + std::to_string(ranks) + " ranks, " + name + ": " +
                               std::to_string(end - selection.from) + " boards",
                           sum.peer / sum.npuzzle, "x", 1.8, 0, false, benchmarks::to_text(sum.npuzzle, "s"),
                           benchmarks::to_text(sum.peer, "s"),
                           "against ida_star on one; the same path and counts; the worst of all rounds " +
                               benchmarks::to_text(ratios.front(), "x"),
                           false, benchmarks::today()});
    }
}

} // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int i, int otherwise) { return i < argc ? std::atoi(argv[i]) : otherwise; };
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    try {
        const std::string file = benchmarks::take_figures_file(argc, argv);
        const auto threads = static_cast<unsigned>(argument(2, 1));
        std::vector<benchmarks::Figure> figures;
        benchmarks::with_ida_row(argument(1, 0),
                                 {argument(3, 1), static_cast<std::size_t>(argument(4, 0)),
                                  static_cast<std::size_t>(argument(5, 1'000))},
                                 [&](const auto&... search) { compare(search..., threads, figures); });
        if (rank == 0 && !file.empty()) {
            benchmarks::save_figures(file, figures);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    MPI_Finalize();
}
