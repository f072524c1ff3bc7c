#pragma once

#include "npuzzle/search/astar.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

/// \file
/// Proves by search alone, without parity, that a board is unsolvable: exactly one of a board and its twin
/// can be solved, so A* searches from both until one is.

namespace npuzzle {

/// Optional capability: exactly one of `state` and `twin(state)` can reach a goal. Enables: `twin_search`.
template <class P>
concept TwinProblem = Problem<P> && requires(const P& problem, const typename P::State& state) {
    { problem.twin(state) } -> std::convertible_to<typename P::State>;
};

/// A* from `start` and from its twin, one expansion each in turn: `Status::solved`, with the path, if `start`
/// can reach a goal; `Status::unsolvable` if its twin can.
///
/// \tparam Policy as for `astar`; with `ParentOnly` this is the classical programming assignment's solver
/// \param limits half the expansions and bytes for each search
/// \param observer sees both searches
/// \return with the statistics of both searches together
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, TwinProblem P, class H,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P>
search_result_t<P> twin_search(const P& problem, const state_t<P>& start, H&& heuristic, Limits limits = {},
                               O&& observer = O{}) {
    using BoundHeuristic = std::remove_reference_t<H>&;
    using Watched = std::remove_reference_t<O>&;
    using Search = AStar<P, BoundHeuristic, Watched, Policy>;
    const auto half = [&](std::uint64_t rest) {
        Limits part = limits;
        for (std::uint64_t* limit : {&part.expansions, &part.bytes}) {
            if (*limit != Limits::unlimited) *limit = *limit / 2 + *limit % 2 * rest;
        }
        return part;
    };
    return detail::guarded_search([&] {
        Search board(problem, start, heuristic, half(1), observer);
        Search twin(problem, problem.twin(start), heuristic, half(0), observer);
        while (board.step() && twin.step()) {
        }
        const bool twin_ended_first = board.status() == SearchStatus::running;
        if (twin_ended_first && twin.status() == SearchStatus::unsolvable) board.run();
        auto result = board.result();
        if (result.status == SearchStatus::running) {
            result.status = twin.status() == SearchStatus::solved ? SearchStatus::unsolvable : twin.status();
        }
        result.statistics.merge_concurrent(twin.statistics());
        return result;
    });
}

} // namespace npuzzle
