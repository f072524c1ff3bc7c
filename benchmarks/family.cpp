// What each search of the family costs on Korf's boards with Manhattan distance: the table in
// docs/algorithms.md.
//
//     family             the ten boards that need the fewest nodes
//     family 50          the fifty that do
//     family 100         all of them: an hour and more
//     family 10 4000     with at most so many million bytes a search
//     family 100 12000 "A*" "BAE*"
//                        those searches only

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/anytime.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/beam.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using npuzzle::BaeStar;
using npuzzle::bidirectional_astar;
using npuzzle::Manhattan;
using npuzzle::MeetInTheMiddle;
using npuzzle::Nbs;
using npuzzle::Status;
using Puzzle = npuzzle::SlidingPuzzle<4>;
using Board = npuzzle::PackedBoard<4>;
using Limits = npuzzle::BasicLimits<int>;
using Result = npuzzle::SearchResult<Board, int, npuzzle::Move>;

/// A search, how much more than the least its paths may cost, and what it did.
struct Member {
    std::string name;
    double bound;
    std::function<Result(const Puzzle&, const Board&, const Limits&)> search;
    std::size_t solved = 0;
    std::int64_t cost = 0;
    std::int64_t least_cost = 0;
    std::uint64_t expanded = 0;
    std::uint64_t max_bytes = 0;
    double seconds = 0;
};

constexpr double unbounded = std::numeric_limits<double>::infinity();

template <class W>
Member weighted(const std::string& name, W weight) {
    return {name, static_cast<double>(weight),
            [=](const auto& puzzle, const auto& board, const auto& limits) {
                return npuzzle::weighted_astar(puzzle, board, Manhattan{}, npuzzle::WeightOptions<W>{weight},
                                               limits);
            }};
}

template <class Method>
Member two_ended(const std::string& name) {
    return {name, 1, [](const auto& puzzle, const auto& board, const auto& limits) {
                return bidirectional_astar<Method>(puzzle, board, Manhattan{}, limits);
            }};
}

/// The best solution that ARA* has after some time.
Member anytime(const std::string& name, std::chrono::milliseconds time) {
    return {name, unbounded, [=](const auto& puzzle, const auto& board, Limits limits) {
                limits.time = time;
                auto best = npuzzle::anytime_astar(
                    puzzle, board, Manhattan{}, [](const auto&) {}, {.weight = 5, .step = 1}, limits);
                if (best.is_solution) {
                    best.status = Status::solved;
                }
                return Result(std::move(best));
            }};
}

Member beam(const std::string& name, std::size_t width) {
    return {name, unbounded, [=](const auto& puzzle, const auto& board, const auto& limits) {
                return npuzzle::doubling_beam(puzzle, board, Manhattan{}, {.width = width}, limits);
            }};
}

std::vector<Member> all_members() {
    using namespace std::chrono_literals;
    return {
        {"A*", 1,
         [](const auto& puzzle, const auto& board, const auto& limits) {
             return npuzzle::astar(puzzle, board, Manhattan{}, limits);
         }},
        {"IDA*", 1,
         [](const auto& puzzle, const auto& board, const auto& limits) {
             return npuzzle::ida_star(puzzle, board, Manhattan{}, limits);
         }},
        two_ended<MeetInTheMiddle>("MM"),
        two_ended<Nbs>("NBS"),
        two_ended<BaeStar>("BAE*"),
        weighted("weighted A*, w = 1.1", 1.1),
        weighted("weighted A*, w = 1.2", 1.2),
        weighted("weighted A*, w = 1.5", 1.5),
        weighted("weighted A*, w = 2", 2),
        weighted("weighted A*, w = 3", 3),
        weighted("weighted A*, w = 5", 5),
        weighted("weighted A*, w = 100", 100),
        {"best-first, XDP, w = 1.5", 1.5,
         [](const auto& puzzle, const auto& board, const auto& limits) {
             return npuzzle::best_first<npuzzle::WithoutReopening>(puzzle, board, Manhattan{},
                                                                   npuzzle::XdpPriority{1.5}, limits);
         }},
        anytime("ARA*, 10 ms", 10ms),
        anytime("ARA*, 100 ms", 100ms),
        anytime("ARA*, 1 s", 1000ms),
        beam("beam, 10 wide", 10),
        beam("beam, 100 wide", 100),
        beam("beam, 1,000 wide", 1'000),
        beam("beam, 10,000 wide", 10'000),
        {"greedy", unbounded,
         [](const auto& puzzle, const auto& board, const auto& limits) {
             return npuzzle::greedy_best_first(puzzle, board, Manhattan{}, limits);
         }},
    };
}

void solve(Member& member, const Puzzle& puzzle, const benchmarks::Instance& instance, const Limits& limits) {
    const Board board(instance.tiles);
    const Result result = member.search(puzzle, board, limits);
    const std::string who = "board " + std::to_string(instance.number) + " by " + member.name;
    if (result.status == Status::memory_limit) {
        std::printf("%s: out of memory\n", who.c_str());
        return;
    }
    if (result.status == Status::time_limit) {
        std::printf("%s: no path in time\n", who.c_str());
        return;
    }
    benchmarks::require(result.status == Status::solved, who + ": not solved");
    benchmarks::require(result.cost >= instance.optimal_cost &&
                            result.cost <= member.bound * instance.optimal_cost + 1e-9,
                        who + ": not within its bound");
    benchmarks::require_path(puzzle, board, result.path, result.cost, who);
    ++member.solved;
    member.cost += result.cost;
    member.least_cost += instance.optimal_cost;
    member.expanded += result.statistics.expanded;
    member.seconds += result.statistics.seconds;
    member.max_bytes = std::max(member.max_bytes, result.statistics.bytes);
}

void run(int argc, char* argv[]) {
    const auto count = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 10);
    Limits limits;
    limits.bytes = static_cast<std::uint64_t>(argc > 2 ? std::atoll(argv[2]) : 4000) * 1'000'000;

    std::vector<benchmarks::Instance> boards(benchmarks::korf_boards.begin(), benchmarks::korf_boards.end());
    std::sort(boards.begin(), boards.end(),
              [](const auto& a, const auto& b) { return a.ida_star_nodes < b.ida_star_nodes; });
    boards.resize(std::min(count, boards.size()));

    const Puzzle puzzle(npuzzle::goal_blank_first(4));
    std::vector<Member> members = all_members();
    if (argc > 3) {
        const std::vector<std::string> wanted(argv + 3, argv + argc);
        const auto is_wanted = [&](const Member& member) {
            return std::find(wanted.begin(), wanted.end(), member.name) != wanted.end();
        };
        members.erase(std::remove_if(members.begin(), members.end(), std::not_fn(is_wanted)), members.end());
    }
    for (const benchmarks::Instance& instance : boards) {
        for (Member& member : members) {
            solve(member, puzzle, instance, limits);
        }
    }

    std::printf("| search | solved | cost, of the least | expanded a board | seconds | most memory |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const Member& member : members) {
        const auto solved = static_cast<double>(member.solved);
        std::printf("| %s | %zu of %zu | %.3f | %.0f | %.2f | %.1f MB |\n", member.name.c_str(),
                    member.solved, boards.size(),
                    static_cast<double>(member.cost) / static_cast<double>(member.least_cost),
                    static_cast<double>(member.expanded) / solved, member.seconds,
                    static_cast<double>(member.max_bytes) / 1e6);
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
