#pragma once

#include "npuzzle/search/best_first.hpp"
#include "npuzzle/search/parallel/kernel/parallel_engine.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

/// \file
/// A* and related searches on several threads.

namespace npuzzle {

/// How a search runs on several threads.
struct ParallelOptions {
    /// How many threads at most, the caller's own among them; 0 for as many as the machine runs at once.
    unsigned threads = 0;
    /// A best-first search that stores fewer nodes, and takes less than 5 ms, stays on the caller's thread:
    /// it ends before other threads could help. A larger one begins again on all threads.
    std::uint64_t serial_nodes = std::uint64_t{1} << 14;
};

namespace detail {

template <class Policy, class P, class H, class O, class Priority>
search_result_t<P> search_in_parallel(const P& problem, const state_t<P>& start, H& heuristic,
                                      const ParallelOptions& options, const limits_t<P>& limits, O& observer,
                                      const Priority& priority) {
    static_assert(!sees_nodes<O>,
                  "a search on several threads tells an observer of its progress and of no nodes; write: "
                  "static constexpr bool sees_nodes = false;");
    return guarded_search([&] {
        return with_bound(heuristic, problem, [&](auto& bound) {
            using Bound = std::remove_reference_t<decltype(bound)>;
            NoPeers peers;
            for (unsigned threads = thread_count(options.threads);; threads = 1) {
                try {
                    return ParallelSearch<Policy, P, Bound, O, Priority, NoPeers>(
                               peers, problem, bound, observer, priority, limits, threads)
                        .run(start, options.serial_nodes, 0.005);
                } catch (const NoThread&) {
                    // It begins again on this one.
                }
            }
        });
    });
}

} // namespace detail

/// `astar` on several threads: hash-distributed A* (Kishimoto, Fukunaga, Botea 2009). The same cost as from
/// `astar`; the path may be another one of that cost, and the counts differ from run to run. A small
/// search stays on the caller's thread.
///
/// Several threads call the problem at the same time, as `const`, and the heuristic, once it is bound. If that
/// cannot be called as `const`, or is trivially copyable, each thread has a copy, which does not count as
/// `bytes`.
///
/// \tparam Policy as of `astar`. Closed nodes are opened again, unless the policy says otherwise: threads do
///     not wait for each other
/// \param limits `expansions` is not exceeded, but up to 64 of them for each thread may be left; `bytes` is
///     for all threads together; `stop` is asked on the caller's thread
/// \param observer told of the progress alone, on the caller's thread, with what all threads have done
/// \return as from `astar`. Without moves, and for states that are no words, `generated` counts the way
///     straight back, too.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P>
search_result_t<P> parallel_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                  ParallelOptions options = {}, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::search_in_parallel<Policy>(problem, start, heuristic, options, limits, observer,
                                              AStarPriority<cost_t<P>, estimate_t<H, P>>{});
}

/// `best_first` on several threads, by any priority: see `parallel_astar`. It ends when no open node has a
/// lesser priority than the best goal, so that what a priority promises of the cost is kept: weighted A* is
/// `parallel_best_first(problem, start, heuristic, [](int g, int h) { return g + 2 * h; })`.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H, class Phi,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P> && std::copy_constructible<Phi> &&
             std::invocable<const Phi&, const cost_t<P>&, const estimate_t<H, P>&>
search_result_t<P> parallel_best_first(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       Phi phi, ParallelOptions options = {}, limits_t<P> limits = {},
                                       O&& observer = O{}) {
    return detail::search_in_parallel<Policy>(problem, start, heuristic, options, limits, observer,
                                              detail::priority_t<Phi, P, H>{std::move(phi)});
}

} // namespace npuzzle
