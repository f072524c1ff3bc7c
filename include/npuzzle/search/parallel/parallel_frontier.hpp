#pragma once

#include "npuzzle/search/frontier.hpp"
#include "npuzzle/search/parallel/kernel/parallel_layer_search.hpp"

#include <type_traits>
#include <utility>

namespace npuzzle {

namespace detail {

template <class P, class O>
using ParallelFrontier =
    FrontierSearch<P, O, ParallelLayerSearch<P, LastLayers<P>, std::remove_reference_t<O>>>;

} // namespace detail

/// `frontier_search` on several threads: the same status and the same cost, whatever the number of threads;
/// the path may be another one of the same length.
///
/// Layers are divided as in `parallel_breadth_first_layers`, which says what threads share; so are those of
/// the searches for the path. The layer of the goal is not searched to its end, so that the statistics differ
/// from run to run. If `limits.expansions` run out in this layer, the goal may have been reached or not.
///
/// \param limits as of `frontier_search`; `bytes` is for all threads together
/// \param observer told of the progress alone: `static constexpr bool sees_nodes = false`
/// \return as from `frontier_search`
template <FrontierProblem P, class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
    requires(!sees_nodes<O>)
search_result_t<P> parallel_frontier_search(const P& problem, const detail::named_state_t<P>& start,
                                            ParallelLayersOptions options = {}, BasicLimits<int> limits = {},
                                            O&& observer = O{}) {
    return detail::run_engine<detail::ParallelFrontier<P, O>>(problem, start, limits,
                                                              std::forward<O>(observer), options);
}

/// The same of a start, neighbors and a goal, without a problem. Each step can be gone back at the same cost.
/// Several threads call `neighbors` at the same time: it must not change anything.
template <class S, class N, class P = detail::called_undirected_t<S, N>,
          class O = detail::silent_observer_t<P, Zero, true>>
search_result_t<P> parallel_frontier_search(const S& start, N&& neighbors, const state_t<P>& goal,
                                            ParallelLayersOptions options = {}, BasicLimits<int> limits = {},
                                            O&& observer = O{}) {
    return parallel_frontier_search(P(neighbors, goal), start, options, limits, std::forward<O>(observer));
}

/// `frontier_depth` on several threads: `parallel_frontier_search` without the path.
template <FrontierProblem P, class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
    requires(!sees_nodes<O>)
search_result_t<P> parallel_frontier_depth(const P& problem, const detail::named_state_t<P>& start,
                                           ParallelLayersOptions options = {}, BasicLimits<int> limits = {},
                                           O&& observer = O{}) {
    return detail::run_engine_without_path<detail::ParallelFrontier<P, O>>(
        problem, start, limits, std::forward<O>(observer), options);
}

} // namespace npuzzle
