#pragma once

#include "npuzzle/search/core/limits.hpp"

#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

namespace npuzzle {

namespace detail {

/// The states of a range.
template <class Starts>
using start_t = std::remove_cvref_t<decltype(*std::begin(std::declval<const Starts&>()))>;

/// What `search(start, limits)` returns.
template <class Starts, class F>
using found_t = std::invoke_result_t<F&, const start_t<Starts>&, const Limits&>;

/// The cost of what it finds.
template <class Starts, class F>
using found_cost_t = std::remove_cvref_t<decltype(std::declval<found_t<Starts, F>&>().cost)>;

} // namespace detail

/// Finds the cheapest path from any of several starts, by any search that has `max_cost` among its limits.
/// The starts are searched one after another, each with a `max_cost` by the best cost so far.
/// \code
/// from_any_start(boards, [&](const auto& board, const auto& limits) {
///     return ida_star(puzzle, board, Manhattan{}, limits);
/// });
/// \endcode
/// If the search keeps its costs within a factor of the optimum, so does this. Not for searches that minimize
/// steps where steps have other costs. A* and similar engines, bidirectional ones and `AllPaths` can start
/// from several states at once by `add_start`, which is faster.
///
/// \param starts a range of states
/// \param search called with a start and the remaining limits; returns its result. It must also compile with
/// `Limits`.
/// \param limits for all searches together, except `bytes`, which holds for each of them
/// \return the result of the best search; `unsolvable` if there is no start. If a limit ended one of the
/// searches, its status is kept, and `path` is the best path found so far. Statistics are sums, but `stored`,
/// `peak_open` and `bytes` are the greatest of all.
template <class Starts, class F>
    requires std::invocable<F&, const detail::start_t<Starts>&, const Limits&>
[[nodiscard]] auto from_any_start(const Starts& starts, F&& search,
                                  BasicLimits<detail::found_cost_t<Starts, F>> limits = {}) {
    using Cost = detail::found_cost_t<Starts, F>;
    using Result = detail::found_t<Starts, F>;
    Result best;
    best.status = SearchStatus::unsolvable;
    Statistics done;
    for (const auto& start : starts) {
        if (best) {
            if (!(Cost{} < best.cost)) {
                break; // nothing is cheaper
            }
            limits.max_cost = best.cost;
            if constexpr (std::integral<Cost>) {
                --*limits.max_cost; // only what is cheaper
            }
        }
        Result one = search(start, std::as_const(limits));
        limits = remaining(std::move(limits), one.statistics);
        done.merge_sequential(one.statistics);
        const SearchStatus status = one.status;
        const bool is_proof = status == SearchStatus::unsolvable || status == SearchStatus::cost_limit ||
                              status == SearchStatus::cost_overflow || status == SearchStatus::depth_limit;
        if (status == SearchStatus::solved ? !best || one.cost < best.cost : !best && !is_proof) {
            best = std::move(one);
        } else if (!is_proof ? status != SearchStatus::solved : !best && status != SearchStatus::unsolvable) {
            best.status = status;
        }
        if (!is_proof && status != SearchStatus::solved) {
            break;
        }
    }
    best.statistics = done;
    return best;
}

} // namespace npuzzle
