#pragma once

#include "npuzzle/search/core/limits.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// Finds the cheapest path from any of several starts, by any search that has `max_cost` among its limits.
/// The starts are searched one after another, each with a `max_cost` by the best cost so far.
/// \code
/// from_any_start(boards, [&](const auto& board, const auto& limits) {
///     return ida_star(puzzle, board, Manhattan{}, limits);
/// });
/// \endcode
/// If the search keeps its costs within a factor of the optimum, so does this. Not for searches that minimize
/// steps where steps have other costs. Engines that have `add_start` are faster.
///
/// \param starts a range of states
/// \param search called with a start and the remaining limits; returns its result. It must also compile with
/// `Limits`.
/// \param limits for all searches together, except `bytes`, which holds for each of them
/// \return the result of the best search; `unsolvable` if there is no start. If a limit ended one of the
/// searches, its status is kept, and `path` is the best path found so far. Statistics are sums, but `stored`,
/// `peak_open` and `bytes` are the greatest of all.
template <class Starts, class F,
          class Result = std::invoke_result_t<F&, const detail::element_t<const Starts>&, const Limits&>,
          class Cost = decltype(Result::cost)>
[[nodiscard]] Result from_any_start(const Starts& starts, F&& search,
                                    std::type_identity_t<BasicLimits<Cost>> limits = {}) {
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
