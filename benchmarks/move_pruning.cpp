// IDA* with and without the sequences of moves that need not be tried, on the searches of rows 5, 14 and 15
// of the table of "solve": move_pruning ROW [LENGTH [ROUNDS [FROM TO]]]. Of each board both run in turn, and
// must find the same cost. FROM and TO choose boards. Row 0 is a smoke run.

#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/move_pruning.hpp>

#include "support/answers.hpp"
#include "support/ida_rows.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>

namespace {

using benchmarks::require;
using benchmarks::Stopwatch;

struct Total {
    double seconds = 0;
    std::uint64_t generated = 0;

    template <class F>
    auto add(F&& search) {
        const Stopwatch stopwatch;
        auto result = search();
        seconds += stopwatch.seconds();
        generated += result.statistics.generated;
        return result;
    }
};

template <class Puzzle, class Instances, class H>
void compare(const std::string& name, const Puzzle& puzzle, const Instances& instances, const H& heuristic,
             const benchmarks::Selection& selection, std::size_t length) {
    const Stopwatch stopwatch;
    const auto pruning = npuzzle::learn_move_pruning(puzzle, puzzle.goal(), {.length = length});
    std::printf("%s: %zu sequences of up to %zu moves; %zu states, %zu KB, learned in %.3f s\n", name.c_str(),
                pruning.sequences(), pruning.length(), pruning.states(), pruning.bytes() / 1000,
                stopwatch.seconds());
    const auto pruned = npuzzle::with_move_pruning(puzzle, pruning);
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (int round = 0; round < selection.rounds; ++round) {
        Total all;
        Total fewer;
        for (std::size_t i = selection.from; i < std::min<std::size_t>(selection.to, instances.size()); ++i) {
            const typename Puzzle::State start(instances[i].tiles);
            const double before_all = all.seconds;
            const double before_fewer = fewer.seconds;
            const auto search = [&](const auto& problem, Total& total) {
                const auto result = total.add([&] { return npuzzle::ida_star(problem, start, heuristic); });
                require(result.cost == instances[i].optimal_cost,
                        name + ", board " + std::to_string(instances[i].number) + ": not the published cost");
            };
            // The second one finds the heuristic's tables in the cache.
            const bool is_pruned_first = (i + static_cast<std::size_t>(round)) % 2 == 0;
            if (is_pruned_first) {
                search(pruned, fewer);
            }
            search(puzzle, all);
            if (!is_pruned_first) {
                search(pruned, fewer);
            }
            const double ratio = (all.seconds - before_all) / (fewer.seconds - before_fewer);
            least = std::min(least, ratio);
            most = std::max(most, ratio);
        }
        std::printf(
            "%s: %.3f s and %.4g generated without pruning, %.3f s and %.4g with it: %.3f x the speed, "
            "%.3f x generated\n",
            name.c_str(), all.seconds, static_cast<double>(all.generated), fewer.seconds,
            static_cast<double>(fewer.generated), all.seconds / fewer.seconds,
            static_cast<double>(fewer.generated) / static_cast<double>(all.generated));
        std::fflush(stdout);
    }
    std::printf("%s: one board, worst %.3f x, best %.3f x\n", name.c_str(), least, most);
}

} // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int i, int otherwise) { return i < argc ? std::atoi(argv[i]) : otherwise; };
    try {
        const auto length = static_cast<std::size_t>(argument(2, 12));
        benchmarks::with_ida_row(argument(1, 0),
                                 {argument(3, 1), static_cast<std::size_t>(argument(4, 0)),
                                  static_cast<std::size_t>(argument(5, 1'000))},
                                 [&](const auto&... search) { compare(search..., length); });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
