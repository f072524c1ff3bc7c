// Rows 23 and 24: searches on two threads against the same on one. Row 26: a search larger than memory, in a
// file.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/external_astar.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/parallel_astar.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "solve/korf.hpp"
#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/process_memory.hpp"
#include "support/separately.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace benchmarks {

namespace {

using Board = npuzzle::PackedBoard<4>;
using Puzzle = npuzzle::SlidingPuzzle<4>;

constexpr unsigned threads = 2;

/// What one search took.
struct Taken {
    double seconds = 0;
    std::uint64_t nodes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t file_bytes = 0;
};

Puzzle fifteen() {
    return Puzzle(npuzzle::goal_blank_first(4));
}

/// Runs and checks a search of a board.
template <class F>
Taken take(const Instance& instance, const std::string& who, F&& search) {
    const Puzzle puzzle = fifteen();
    const Board start(instance.tiles);
    const PeakGrowth growth;
    const Stopwatch stopwatch;
    const auto result = search(puzzle, start);
    Taken taken{stopwatch.seconds(), result.statistics.expanded, growth.bytes(), 0};
    if constexpr (requires { result.file_bytes; }) {
        taken.file_bytes = result.file_bytes;
    }
    require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
            board_name(instance) + " by " + who + ": not the published cost");
    require_path(puzzle, start, result.path, result.cost, board_name(instance) + " by " + who);
    return taken;
}

/// The sum over boards of what both contestants take; by turns each goes first.
struct Pair {
    Taken peer;
    Taken ours;
    double least = std::numeric_limits<double>::infinity(); ///< of the ratios of boards

    template <class Peer, class Ours>
    void add(bool ours_first, Peer&& run_peer, Ours&& run_ours) {
        Taken first;
        if (ours_first) {
            first = run_ours();
        }
        const Taken second = run_peer();
        const Taken third = ours_first ? first : run_ours();
        add_to(peer, second);
        add_to(ours, third);
        least = std::min(least, second.seconds / third.seconds);
    }

    [[nodiscard]] double ratio() const { return peer.seconds / ours.seconds; }

private:
    static void add_to(Taken& sum, const Taken& taken) {
        sum.seconds += taken.seconds;
        sum.nodes += taken.nodes;
        sum.bytes = std::max(sum.bytes, taken.bytes);
        sum.file_bytes = std::max(sum.file_bytes, taken.file_bytes);
    }
};

std::string in_seconds(double seconds) {
    return to_text(seconds, "s");
}

std::string in_gigabytes(std::uint64_t bytes) {
    return to_text(static_cast<double>(bytes) / 1e9, "GB");
}

/// IDA* on each of Korf's boards, against another kind of it; by turns each goes first.
template <class F>
Pair against_ida_star(const Session& session, const std::string& who, F&& search) {
    Pair pair;
    bool ours_first = false;
    for (const Instance& instance : all_of_korf(session)) {
        pair.add(
            ours_first,
            [&] {
                return take(instance, "IDA*", [](const Puzzle& puzzle, const Board& start) {
                    return npuzzle::ida_star(puzzle, start, npuzzle::Manhattan{});
                });
            },
            [&] { return take(instance, who, search); });
        ours_first = !ours_first;
    }
    return pair;
}

std::vector<Instance> of_korf(const Session& session, const std::vector<int>& numbers) {
    std::vector<Instance> instances;
    for (const int number : numbers) {
        instances.push_back(korf_boards[static_cast<std::size_t>(number - 1)]);
    }
    return session.is_smoke() ? easiest_of_korf() : instances;
}

} // namespace

void solve_korf_by_ida_star_on_threads(Session& session) {
    const Pair pair =
        against_ida_star(session, "IDA* on threads", [](const Puzzle& puzzle, const Board& start) {
            return npuzzle::parallel_ida_star(puzzle, start, npuzzle::Manhattan{}, {.threads = threads});
        });
    require(pair.peer.nodes == pair.ours.nodes, "IDA* on threads: not the expansions of IDA*");
    session.report(
        {"23", "IDA* on two threads, all of Korf's boards", pair.ratio(), "x", 1.9, 0, false,
         in_seconds(pair.ours.seconds), in_seconds(pair.peer.seconds),
         "against IDA* on one; the same path and counts; least on one board " + to_text(pair.least, "x")});
}

void solve_korf_by_astar_on_threads(Session& session) {
    double least = std::numeric_limits<double>::infinity();
    double max_expanded = 0;
    double max_bytes = 0;
    Pair all;
    for (const Instance& instance : of_korf(session, {1, 3, 66})) {
        Pair pair;
        pair.add(
            false,
            [&] {
                return separately([&] {
                    return take(instance, "A*", [](const Puzzle& puzzle, const Board& start) {
                        return npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
                    });
                });
            },
            [&] {
                return separately([&] {
                    return take(instance, "A* on threads", [](const Puzzle& puzzle, const Board& start) {
                        return npuzzle::parallel_astar(puzzle, start, npuzzle::Manhattan{},
                                                       {.threads = threads});
                    });
                });
            });
        least = std::min(least, pair.ratio());
        max_expanded = std::max(max_expanded,
                                static_cast<double>(pair.ours.nodes) / static_cast<double>(pair.peer.nodes));
        max_bytes =
            std::max(max_bytes, static_cast<double>(pair.ours.bytes) / static_cast<double>(pair.peer.bytes));
        session.report({"24", board_name(instance), pair.ratio(), "x", 0, 0, false,
                        in_seconds(pair.ours.seconds), in_seconds(pair.peer.seconds), "", true});
        all.add(false, [&] { return pair.peer; }, [&] { return pair.ours; });
    }
    session.report({"24", "A* on two threads, Korf's boards of more than 20 million nodes: the worst", least,
                    "x", 1.6, 1.85, false, in_seconds(all.ours.seconds), in_seconds(all.peer.seconds),
                    "against A* on one; at most " + to_text(max_expanded, "x") + " its expansions and " +
                        to_text(max_bytes, "x") + " its memory"});
}

void solve_in_a_file(Session& session) {
    Pair pair;
    for (const Instance& instance : of_korf(session, {88})) {
        pair.add(
            true,
            [&] {
                return separately([&] {
                    return take(instance, "A*", [](const Puzzle& puzzle, const Board& start) {
                        return npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
                    });
                });
            },
            [&] {
                return separately([&] {
                    return take(instance, "external A*", [](const Puzzle& puzzle, const Board& start) {
                        return npuzzle::external_astar(puzzle, start, npuzzle::Manhattan{}, {},
                                                       {.bytes = 1'000'000'000});
                    });
                });
            });
    }
    session.report({"26", "external A*, Korf's board 88, in 1 GB and a file", pair.ratio(), "x", 0.4, 0,
                    false,
                    in_seconds(pair.ours.seconds) + ", " + in_gigabytes(pair.ours.bytes) + " and a file of " +
                        in_gigabytes(pair.ours.file_bytes),
                    in_seconds(pair.peer.seconds) + ", " + in_gigabytes(pair.peer.bytes),
                    "against A* in memory; the system keeps as much of the file in memory as it likes"});
}

} // namespace benchmarks
