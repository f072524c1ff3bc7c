#pragma once

#include "npuzzle/search/parallel/kernel/run_divided.hpp"

#include <utility>

namespace npuzzle {

/// `ida_star` on several threads: the same path, cost, status and statistics (but the seconds), whatever the
/// number of threads: `parallel_ida_star(problem, start, heuristic, {.threads = 8})`.
///
/// Each iteration is divided into subtrees, which threads take in the order of a depth-first search (V. N.
/// Rao, V. Kumar, K. Ramesh, "A parallel implementation of iterative-deepening-A*", AAAI 1987, divide one
/// iteration so). The first subtree in this order that holds a goal ends the search. Threads begin when an
/// iteration has expanded 16,384 states; a search that ends before is `ida_star`.
///
/// Several threads call the problem at the same time, as `const`, and the heuristic, if it can be called as
/// `const`; else each thread has a copy of the heuristic, once it is bound. The observer and `limits.stop`
/// are called on the caller's thread alone. An exception on any thread ends the search and passes through.
///
/// \param observer one that sees the progress alone, and declares `static constexpr bool sees_nodes = false`
/// \return as from `ida_star`. `limits.expansions` is exact. After `time_limit` and `cancelled`, the
///         statistics tell what was done on all threads. For a division, some megabytes at most are stored
///         that no limit counts.
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && (!sees_nodes<O>)
search_result_t<P> parallel_ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                     ParallelIdaStarOptions options = {}, limits_t<P> limits = {},
                                     O&& observer = O{}) {
    detail::LocalUnits units;
    return detail::run_divided(units, problem, start, heuristic, options, limits, observer);
}

} // namespace npuzzle
