#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/search/parallel.hpp>

#include "families.hpp"

#include <fmt/core.h>
#include <optional>
#include <string>

namespace program {

Outcome parallel_best_first(const Task& task, std::optional<double> weight) {
    const npuzzle::ParallelOptions threads{.threads = task.options.search_threads};
    return with_packed_puzzle(task, [&](const auto& puzzle, const auto& start) {
        SearchWatch watch(task.line, "best-first");
        if (!weight) {
            return outcome_of(npuzzle::parallel_best_first<npuzzle::WithoutReopening>(
                puzzle, start, task.heuristic, [](int, int h) { return h; }, threads, task.limits, watch));
        }
        if (*weight == 1) {
            return outcome_of(
                npuzzle::parallel_astar(puzzle, start, task.heuristic, threads, task.limits, watch));
        }
        const auto weighted = [w = *weight](int g, int h) { return g + w * h; };
        return outcome_of(npuzzle::parallel_best_first(puzzle, start, task.heuristic, weighted, threads,
                                                       task.limits, watch));
    });
}

namespace {

// What a search is of, for the journal by which it goes on.
std::string key_of(const Task& task) {
    std::string key = fmt::format("{0} x {0} board, goal", task.goal.size());
    for (const auto tile : task.goal.tiles()) key += fmt::format(" {}", tile);
    return key + ", heuristic " + task.heuristic.name().text;
}

template <class Puzzle, class Start, class H>
Outcome divided(const Task& task, const Puzzle& puzzle, const Start& start, const H& heuristic) {
    const std::string& file = task.options.checkpoint;
    npuzzle::IdaStarJournal journal(file, key_of(task));
    Outcome outcome = outcome_of(npuzzle::parallel_ida_star(
        puzzle, start, heuristic,
        {.threads = task.options.search_threads, .journal = file.empty() ? nullptr : &journal}, task.limits,
        SearchWatch(task.line, "ida")));
    outcome.checkpoint = file;
    return outcome;
}

} // namespace

bool has_divided_ida_star(int size, const HeuristicName& name) {
    using Kind = HeuristicName::Kind;
    const auto kind = name.single();
    return !kind || (size == 4 && (kind == Kind::manhattan || kind == Kind::linear_conflict));
}

Outcome parallel_ida_star(const Task& task) {
    return with_packed_puzzle(task, [&]<int N>(const npuzzle::SlidingPuzzle<N>& puzzle, const auto& start) {
        if constexpr (N == 4) {
            const auto kind = task.heuristic.name().single();
            if (kind == HeuristicName::Kind::manhattan) {
                return divided(task, puzzle, start, npuzzle::Manhattan{});
            }
            if (kind == HeuristicName::Kind::linear_conflict) {
                return divided(task, puzzle, start, npuzzle::LinearConflict{});
            }
        }
        return divided(task, npuzzle::RolledPuzzle<N>(puzzle), start, task.heuristic);
    });
}

} // namespace program
