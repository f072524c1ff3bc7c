/// @file
/// Runs searches under every policy, and checks what holds for all their results.
#pragma once

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace test {

/// Calls `check(name, result)` with each open list and node table that the problem allows.
template <class P, class H, class F>
void with_each_policy(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic, F check,
                      npuzzle::Limits limits = {}) {
    using npuzzle::astar;
    constexpr bool has_numbers =
        std::is_arithmetic_v<npuzzle::estimate_t<H, P>> && std::is_arithmetic_v<npuzzle::cost_t<P>>;
    constexpr bool has_integers = std::integral<npuzzle::estimate_t<H, P>>;

    check("heap, pooled", astar<HeapAndPooled>(problem, start, heuristic, limits));
    if constexpr (has_numbers) {
        check("ladder, pooled", astar<LadderAndPooled>(problem, start, heuristic, limits));
    }
    if constexpr (has_integers) {
        check("buckets, pooled", astar<BucketsAndPooled<>>(problem, start, heuristic, limits));
        check("buckets, pooled, batches of 3", astar<BucketsAndPooled<3>>(problem, start, heuristic, limits));
    }
    if constexpr (npuzzle::CompactProblem<P>) {
        check("heap, packed", astar<HeapAndPacked>(problem, start, heuristic, limits));
        if constexpr (has_integers) {
            check("buckets, packed", astar<BucketsAndPacked<>>(problem, start, heuristic, limits));
            check("buckets, packed, batches of 16",
                  astar<BucketsAndPacked<16>>(problem, start, heuristic, limits));
        }
    }
    if constexpr (npuzzle::IndexedProblem<P>) {
        check("heap, indexed", astar<HeapAndIndexed>(problem, start, heuristic, limits));
        if constexpr (has_integers) {
            check("buckets, indexed, batches of 5",
                  astar<BucketsAndIndexed<5>>(problem, start, heuristic, limits));
        }
    }
}

/// The same for `ParentOnly`. Only for problems that have a solution, and few paths.
template <class P, class H, class F>
void with_each_tree_policy(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic, F check) {
    using npuzzle::astar;
    check("ParentOnly, heap", astar<HeapAndTree>(problem, start, heuristic));
    if constexpr (std::integral<npuzzle::estimate_t<H, P>>) {
        check("ParentOnly, buckets", astar<BucketsAndTree>(problem, start, heuristic));
    }
}

/// A result's path leads from the start, at the cost it says, to a goal. There is one if the search was
/// solved, or if it gives solutions before it ends; else there may be a partial path.
template <class P, class Result>
void check_path(const P& problem, const npuzzle::state_t<P>& start, const Result& result) {
    using Cost = npuzzle::cost_t<P>;
    const bool is_limited =
        result.status == npuzzle::Status::expansion_limit || result.status == npuzzle::Status::memory_limit ||
        result.status == npuzzle::Status::time_limit || result.status == npuzzle::Status::cancelled;
    CHECK((!result || !result.path.empty()));
    CHECK((result || is_limited || result.path.empty()));
    CHECK((result.partial_path.empty() || result.path.empty()));
    const bool is_partial = result.path.empty();
    const auto& path = is_partial ? result.partial_path : result.path;
    if (path.empty()) {
        CHECK(result.cost == Cost{});
        return;
    }
    CHECK(path.front() == start);
    CHECK((is_partial || problem.is_goal(path.back())));
    const auto cost = oracle::path_cost<Cost>(problem, path);
    REQUIRE(cost.has_value());
    CHECK(result.cost == *cost);
}

/// Checks the result of a search that has found a shortest path, of `least` moves. Each move costs 1.
template <class P, class Result>
void check_moves(const P& problem, const npuzzle::state_t<P>& start, const Result& result, int least) {
    REQUIRE(result.status == npuzzle::Status::solved);
    CHECK(result.cost == least);
    CHECK(result.moves.size() == static_cast<std::size_t>(least));
    check_path(problem, start, result);
    CHECK(result.statistics.contract_violations == 0);
}

/// Checks what holds for the statistics of every search with a closed set and one start.
inline void check_statistics(npuzzle::Status status, const npuzzle::Statistics& statistics) {
    const std::uint64_t goals = status == npuzzle::Status::solved ? 1 : 0;
    CHECK(statistics.contract_violations == 0);
    CHECK(statistics.stored >= 1);
    // Each generated state is new, already known by a path that costs no more, or already known by a path
    // that costs more.
    CHECK(statistics.stored - 1 + statistics.duplicates + statistics.reopened <= statistics.generated);
    // Each expansion closes a state that was stored or reopened before it.
    CHECK(statistics.expanded + goals <= statistics.stored + statistics.reopened);
    CHECK(statistics.peak_open <= statistics.generated + 1);
    CHECK(statistics.seconds >= 0);
}

/// Two searches did the same.
inline void check_same_work(const npuzzle::Statistics& a, const npuzzle::Statistics& b) {
    CHECK(a.expanded == b.expanded);
    CHECK(a.generated == b.generated);
    CHECK(a.duplicates == b.duplicates);
    CHECK(a.reopened == b.reopened);
    CHECK(a.stored == b.stored);
}

/// They did the same, and found the same. They need not have the same bytes and times.
template <class A, class B>
void check_same(const A& a, const B& b) {
    CHECK(a.status == b.status);
    CHECK(a.cost == b.cost);
    CHECK(a.path == b.path);
    CHECK(a.partial_path == b.partial_path);
    if constexpr (requires { a.moves == b.moves; }) {
        CHECK(a.moves == b.moves);
    }
    CHECK(a.statistics.peak_open == b.statistics.peak_open);
    check_same_work(a.statistics, b.statistics);
}

/// Checks the result of a search with a closed set that is to find a cheapest path, if there is one.
template <class P, class Result>
void check_optimal(const P& problem, const npuzzle::state_t<P>& start, const Result& result,
                   const std::optional<npuzzle::cost_t<P>>& least) {
    CHECK(result.status == (least ? npuzzle::Status::solved : npuzzle::Status::unsolvable));
    check_path(problem, start, result);
    check_statistics(result.status, result.statistics);
    if (least) {
        CHECK(result.cost == *least);
    }
}

/// Counts what a search in layers tells.
struct LayerCounter : npuzzle::SilentObserver {
    std::uint64_t starts = 0;
    std::uint64_t expansions = 0;
    std::uint64_t neighbors = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t goals = 0;
    void start(const auto&) { ++starts; }
    void expand(const auto& node) { expansions += node.cost + node.estimate == node.priority ? 1 : 0; }
    void generate(const auto& node, const auto& parent) { neighbors += node.cost == parent.cost + 1 ? 1 : 0; }
    void duplicate(const auto&) { ++duplicates; }
    void goal(const auto& node) { goals += node.cost == node.priority ? 1 : 0; }
};

} // namespace test
