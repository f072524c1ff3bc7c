#pragma once

#include "npuzzle/search/core/detail/floating_point.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/call.hpp"

#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

/// \file
/// Several states to start from, for any search.

namespace npuzzle {

namespace detail {

/// The greatest cost that is less, where there is one that can be told.
template <class Cost>
Cost cost_below(const Cost& cost) {
    if constexpr (std::integral<Cost>) {
        return cost == std::numeric_limits<Cost>::lowest() ? cost : static_cast<Cost>(cost - 1);
    } else if constexpr (std::floating_point<Cost>) {
        return next_below(cost);
    } else {
        return cost;
    }
}

/// Leaves what is left of limits after some work.
template <class Cost>
void subtract_used(BasicLimits<Cost>& limits, const Statistics& done) {
    if (limits.expansions != Limits::unlimited) {
        limits.expansions -= done.expanded < limits.expansions ? done.expanded : limits.expansions;
    }
    if (limits.time != std::chrono::nanoseconds::max()) {
        limits.time -=
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(done.seconds));
    }
}

} // namespace detail

/// Finds the cheapest path from any of several starts, by any search that keeps `max_cost`: one after another, each bounded to
/// what is cheaper than the best so far, so that it is over as soon as it is proved that there is no such path.
/// \code
/// from_any_start(puzzle, boards, [&](const auto& board, const auto& limits) {
///     return ida_star(puzzle, board, Manhattan{}, limits);
/// });
/// \endcode
/// If the search keeps its costs within a bound of the optimum, so does this. For searches that go by steps in a problem
/// whose steps cost something else it is of no use. A* and its like, `AllPaths` too, start from several states at once, by
/// `add_start`, and store what they have in common once.
///
/// \param starts a range of states
/// \param search called with a start and with the limits that are left, of `limits_t<P>`; gives its result
/// \param limits for all searches together; `bytes` for each, since there is one at a time
/// \return that of the best search, `unsolvable` if there is no start. If a limit ended one of them its status is kept; the
///         path, if a goal had been reached from another start, is the best one to a goal. Statistics are sums; `stored`,
///         `peak_open` and `bytes` are the greatest of all.
template <Problem P, class Starts, class F>
    requires detail::StateRange<Starts, state_t<P>> &&
             std::invocable<F&, const state_t<P>&, const limits_t<P>&>
auto from_any_start(const P& /*problem*/, const Starts& starts, F&& search, limits_t<P> limits = {}) {
    using Cost = cost_t<P>;
    using Result = std::invoke_result_t<F&, const state_t<P>&, const limits_t<P>&>;
    Result best;
    best.status = Status::unsolvable;
    Statistics done;
    for (const auto& start : starts) {
        if (best) {
            if (!(Cost{} < best.cost)) {
                break; // nothing is cheaper
            }
            limits.max_cost = detail::cost_below(best.cost);
        }
        Result one = search(start, std::as_const(limits));
        detail::subtract_used(limits, one.statistics);
        done.merge_sequential(one.statistics);
        switch (one.status) {
        case Status::solved:
            if (!best || one.cost < best.cost) {
                best = std::move(one);
            }
            break;
        case Status::unsolvable:
            break;
        case Status::cost_limit:
        case Status::cost_overflow:
        case Status::depth_limit:
            if (!best) {
                best.status = one.status;
            }
            break;
        default:
            if (best) {
                best.status = one.status;
            } else {
                best = std::move(one);
            }
            best.statistics = done;
            return best;
        }
    }
    best.statistics = done;
    return best;
}

} // namespace npuzzle
