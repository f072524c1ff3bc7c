// What bidirectional search expands, beside A*, on Korf's boards with Manhattan distance: docs/search/bidirectional.md.
//
//     bidirectional             the ten boards that need the fewest nodes
//     bidirectional 50          the fifty that do
//     bidirectional 100         all of them: hours, and gigabytes
//     bidirectional 10 4000     with at most so many million bytes a search

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using npuzzle::bidirectional_astar;
using npuzzle::Manhattan;
using npuzzle::Meeting;

constexpr std::size_t methods = 4;
constexpr std::array<const char*, methods> names = {"A*", "MM", "NBS", "BAE*"};

struct Total {
    std::uint64_t expanded = 0;
    std::uint64_t most_bytes = 0;
    double seconds = 0;
    int solved = 0;
};

const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));

auto search(std::size_t method, const npuzzle::PackedBoard<4>& board, const npuzzle::Limits& limits) {
    switch (method) {
    case 0:
        return npuzzle::astar(puzzle, board, Manhattan{}, limits);
    case 1:
        return bidirectional_astar<Meeting::mm>(puzzle, board, Manhattan{}, limits);
    case 2:
        return bidirectional_astar<Meeting::nbs>(puzzle, board, Manhattan{}, limits);
    default:
        return bidirectional_astar<Meeting::bae_star>(puzzle, board, Manhattan{}, limits);
    }
}

void run(int argc, char* argv[]) {
    const auto count = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 10);
    npuzzle::Limits limits;
    limits.bytes = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 4000) * 1'000'000;

    std::vector<benchmarks::Instance> boards(benchmarks::korf_boards.begin(), benchmarks::korf_boards.end());
    std::sort(boards.begin(), boards.end(),
              [](const auto& a, const auto& b) { return a.ida_star_nodes < b.ida_star_nodes; });
    boards.resize(std::min(count, boards.size()));

    std::array<Total, methods> totals;
    std::size_t solved_by_all = 0;
    for (const benchmarks::Instance& instance : boards) {
        const npuzzle::PackedBoard<4> board(instance.tiles);
        std::printf("board %3d, %d moves:", instance.number, instance.optimal_cost);
        std::array<npuzzle::Statistics, methods> each;
        bool is_solved = true;
        for (std::size_t method = 0; method < methods; ++method) {
            const auto result = search(method, board, limits);
            const std::string who = "board " + std::to_string(instance.number) + " by " + names[method];
            each[method] = result.statistics;
            if (result.status == npuzzle::Status::memory_limit) {
                std::printf("  %s out of memory", names[method]);
                is_solved = false;
                continue;
            }
            benchmarks::require(result.status == npuzzle::Status::solved &&
                                    result.cost == instance.optimal_cost,
                                who + ": not the published cost");
            benchmarks::require_path(puzzle, board, result.path, result.cost, who);
            std::printf("  %s %llu", names[method],
                        static_cast<unsigned long long>(result.statistics.expanded));
            ++totals[method].solved;
        }
        std::printf("\n");
        std::fflush(stdout);
        solved_by_all += is_solved ? 1 : 0;
        for (std::size_t method = 0; is_solved && method < methods; ++method) {
            totals[method].expanded += each[method].expanded;
            totals[method].seconds += each[method].seconds;
            totals[method].most_bytes = std::max(totals[method].most_bytes, each[method].bytes);
        }
    }

    std::printf("\n%zu boards that all of them solved:\n", solved_by_all);
    std::printf("        solved     expanded   seconds  expanded/s  most bytes\n");
    for (std::size_t method = 0; method < methods; ++method) {
        const Total& total = totals[method];
        std::printf("%-6s %7d %12llu %9.3f %9.2f M %9.1f M\n", names[method], total.solved,
                    static_cast<unsigned long long>(total.expanded), total.seconds,
                    static_cast<double>(total.expanded) / total.seconds / 1e6,
                    static_cast<double>(total.most_bytes) / 1e6);
    }
}

} // namespace

int main(int argc, char* argv[]) {
    try {
        run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
