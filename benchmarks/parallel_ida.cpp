// IDA* on one thread and on several, the searches of rows 5, 14 and 15 of the table of "solve": parallel_ida
// ROW [THREADS [ROUNDS [FROM TO]]]. Of each board both run in turn, and all that they return must be equal.
// The ratio is that of the wall clock; beside it stands by how much more work the threads did, in seconds of
// all processors, which a busy machine changes less. FROM and TO choose boards. Row 0 is a smoke run, row 80
// the boards that need 80 moves.

#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/answers.hpp"
#include "support/ida_rows.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

namespace {

using benchmarks::require;
using benchmarks::Stopwatch;

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Times {
    double seconds = 0;
    double processors = 0;

    template <class F>
    auto add(F&& search) {
        const Stopwatch stopwatch;
        const double before = processor_seconds();
        auto result = search();
        seconds += stopwatch.seconds();
        processors += processor_seconds() - before;
        return result;
    }
};

template <class Puzzle, class Instances, class H>
void compare(const std::string& name, const Puzzle& puzzle, const Instances& instances, const H& heuristic,
             const benchmarks::Selection& selection, unsigned threads) {
    std::vector<double> ratios;
    for (int round = 0; round < selection.rounds; ++round) {
        Times one;
        Times several;
        for (std::size_t i = selection.from; i < std::min<std::size_t>(selection.to, instances.size()); ++i) {
            const typename Puzzle::State start(instances[i].tiles);
            npuzzle::search_result_t<Puzzle> expected;
            npuzzle::search_result_t<Puzzle> result;
            const auto search_by_one = [&] {
                expected = one.add([&] { return npuzzle::ida_star(puzzle, start, heuristic); });
            };
            const auto search_by_several = [&] {
                result = several.add([&] {
                    return npuzzle::parallel_ida_star(puzzle, start, heuristic, {.threads = threads});
                });
            };
            // The second one finds the heuristic's tables in the cache.
            if ((i + static_cast<std::size_t>(round)) % 2 == 0) {
                search_by_one();
                search_by_several();
            } else {
                search_by_several();
                search_by_one();
            }
            const std::string who = name + ", board " + std::to_string(instances[i].number);
            require(expected.status == npuzzle::Status::solved && expected.cost == instances[i].optimal_cost,
                    who + ": not the published cost");
            require(result.cost == expected.cost && result.path == expected.path &&
                        result.statistics.expanded == expected.statistics.expanded &&
                        result.statistics.generated == expected.statistics.generated,
                    who + ": the threads do not return what one returns");
        }
        ratios.push_back(one.seconds / several.seconds);
        std::printf("%s: %.3f s on one thread, %.3f s on %u: %.3f x; %.3f x the work\n", name.c_str(),
                    one.seconds, several.seconds, threads, ratios.back(),
                    several.processors / one.processors);
        std::fflush(stdout);
    }
    std::sort(ratios.begin(), ratios.end());
    std::printf("%s: worst %.3f x, best %.3f x\n", name.c_str(), ratios.front(), ratios.back());
}

} // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int i, int otherwise) { return i < argc ? std::atoi(argv[i]) : otherwise; };
    try {
        const auto threads = static_cast<unsigned>(argument(2, 2));
        benchmarks::with_ida_row(argument(1, 0),
                                 {argument(3, 1), static_cast<std::size_t>(argument(4, 0)),
                                  static_cast<std::size_t>(argument(5, 1'000))},
                                 [&](const auto&... search) { compare(search..., threads); });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
