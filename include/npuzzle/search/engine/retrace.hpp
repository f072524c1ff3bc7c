#pragma once

#include "npuzzle/search/engine/expansion.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <vector>

/// \file
/// The way back: the path to a node, and the steps along a path.

namespace npuzzle::detail {

/// The moves of a result, or `Nothing` to pass on where the problem has none.
template <class P, class Result>
decltype(auto) moves_of([[maybe_unused]] Result& result) {
    if constexpr (has_moves<P>) {
        return (result.moves);
    } else {
        return Nothing{};
    }
}

/// Appends the states from a root to a node, and the moves between them where the problem has moves. Linear
/// in their number.
/// \param moves a vector of moves, or anything without moves
template <class P, class Table, class Moves>
void retrace(const Table& table, const typename Table::Node& end, std::vector<state_t<P>>& path,
             [[maybe_unused]] Moves&& moves) {
    const auto first = static_cast<std::ptrdiff_t>(path.size());
    for (typename Table::Node node = end;; node = table.parent(node)) {
        path.push_back(node.state());
        if (node.is_root()) {
            break;
        }
        if constexpr (has_moves<P>) {
            moves.push_back(node.last_move());
        }
    }
    std::reverse(path.begin() + first, path.end());
    if constexpr (has_moves<P>) {
        std::reverse(moves.begin() + first, moves.end());
    }
}

/// The cheapest step between two states, found again among the neighbors of the first.
template <class P>
struct Step {
    cost_t<P> cost;
    NPUZZLE_NO_UNIQUE_ADDRESS move_or_nothing_t<P> move;
};

/// The cheapest step from a state to another, the first among equals. Linear in the number of neighbors.
template <Problem P>
std::optional<Step<P>> cheapest_step(const P& problem, const state_t<P>& from, const state_t<P>& to) {
    std::optional<Step<P>> best;
    for_each_neighbor(problem, from,
                      [&](const state_t<P>& neighbor, const cost_t<P>& step, const auto& move) {
                          const bool is_best = !best || step < best->cost || is_nan(best->cost);
                          if (!is_negative(step) && is_best && is_equal(neighbor, to)) {
                              best = Step<P>{step, move};
                          }
                      });
    return best;
}

/// What a path costs by its cheapest steps; their moves are appended to `moves`, where the problem has moves.
/// Each step is looked up, unless all are the same.
template <Problem P, class Moves>
cost_t<P> look_up_steps(const P& problem, const std::vector<state_t<P>>& path,
                        [[maybe_unused]] Moves&& moves) {
    using Cost = cost_t<P>;
    Cost sum{};
    for (std::size_t i = 1; i < path.size(); ++i) {
        if constexpr (!is_weighted<P> && !has_moves<P>) {
            sum = saturating_add<Cost>(sum, Cost{1});
        } else {
            const std::optional<Step<P>> step = cheapest_step(problem, path[i - 1], path[i]);
            NPUZZLE_ASSERT(step && "each step of a path is a step of the problem");
            if (step) {
                sum = saturating_add<Cost>(sum, step->cost);
                if constexpr (has_moves<P>) {
                    moves.push_back(step->move);
                }
            }
        }
    }
    return sum;
}

/// What a path costs by the moves along it; without moves, by its cheapest steps. The costs of nodes may be
/// more: a cheaper path to a node is handed on when the node is expanded again.
template <Problem P, class Moves>
cost_t<P> path_cost(const P& problem, const std::vector<state_t<P>>& path,
                    [[maybe_unused]] const Moves& moves) {
    if constexpr (has_moves<P>) {
        cost_t<P> sum{};
        for (std::size_t i = 1; i < path.size(); ++i) {
            sum = static_cast<cost_t<P>>(sum + step_cost(problem, path[i - 1], moves[i - 1]));
        }
        return sum;
    } else {
        return look_up_steps(problem, path, Nothing{});
    }
}

/// A result with its path, which further searches find. If a limit ends these, the status is that limit, and
/// path and cost are missing. The statistics include all.
/// \param search the further searches: it tells their statistics
/// \param add_path `add_path(result)` adds the path, and gives `solved` or the limit
template <class Result, class Search, class F>
Result with_found_path(Result result, const Search& search, F&& add_path) {
    try {
        result.status = add_path(result);
    } catch (const std::bad_alloc&) {
        result.status = SearchStatus::memory_limit;
    }
    if (result.status != SearchStatus::solved) {
        const SearchStatus limit = result.status;
        result = Result{};
        result.status = limit;
    }
    result.statistics = search.statistics();
    return result;
}

} // namespace npuzzle::detail
