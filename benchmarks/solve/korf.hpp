#pragma once

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Korf's boards, and IDA* over them with any heuristic.

namespace benchmarks {

/// Korf's boards that take almost no time. The times of the others differ by factors of thousands.
inline std::vector<Instance> easiest_of_korf() {
    std::vector<Instance> instances;
    for (const int number : {12, 42, 55, 79}) {
        instances.push_back(korf_boards[static_cast<std::size_t>(number - 1)]);
    }
    return instances;
}

inline std::vector<Instance> first_of_korf(const Session& session) {
    return session.is_smoke() ? easiest_of_korf()
                              : std::vector<Instance>(korf_first_five.begin(), korf_first_five.end());
}

inline std::vector<Instance> all_of_korf(const Session& session) {
    return session.is_smoke() ? easiest_of_korf()
                              : std::vector<Instance>(korf_boards.begin(), korf_boards.end());
}

inline std::string board_name(const Instance& instance) {
    return "board " + std::to_string(instance.number);
}

/// A figure: the seconds for all of Korf's boards by IDA* with a heuristic. The heuristic is bound, and so
/// builds its tables, before the clock starts; the time for this is mentioned in the text. Each length is
/// checked against the published one.
template <class H>
void solve_korf_with(Session& session, const std::string& row, const std::string& name, const H& heuristic,
                     double reach, double aim, const std::string& note = {}) {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const Stopwatch preparation;
    const auto bound = npuzzle::bind_heuristic(heuristic, puzzle);
    const double prepared = preparation.seconds();

    double seconds = 0;
    double nodes = 0;
    double initial_values = 0;
    std::uint64_t max_nodes = 0;
    int hardest = 0;
    const std::vector<Instance> instances = all_of_korf(session);
    for (const Instance& instance : instances) {
        const npuzzle::PackedBoard<4> start(instance.tiles);
        auto one = bound;
        initial_values += one(start);
        const Stopwatch stopwatch;
        const auto result = npuzzle::ida_star(puzzle, start, one);
        seconds += stopwatch.seconds();
        const std::string who = board_name(instance) + " by IDA* with " + name;
        require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
                who + ": not the published cost");
        require_path(puzzle, start, result.path, result.cost, who);
        nodes += static_cast<double>(result.statistics.generated);
        if (result.statistics.generated > max_nodes) {
            max_nodes = result.statistics.generated;
            hardest = instance.number;
        }
    }
    const auto count = static_cast<double>(instances.size());
    session.say("    " + name + ": prepared in " + to_text(1e3 * prepared, "ms") + ", mean value " +
                to_text(initial_values / count) + ", " + to_text(nodes / count, "nodes a board") + ", " +
                to_text(static_cast<double>(max_nodes), "nodes") + " on board " + std::to_string(hardest));
    session.report({row, "IDA*, all of Korf's 100 boards, " + name, seconds, "s", reach, aim, true,
                    to_text(nodes / 1e6, "M nodes") + " at " + to_text(nodes / seconds / 1e6, "M nodes/s"),
                    "", note});
}

} // namespace benchmarks
