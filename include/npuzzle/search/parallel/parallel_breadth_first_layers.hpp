#pragma once

#include "npuzzle/search/breadth_first_layers.hpp"
#include "npuzzle/search/parallel/kernel/parallel_layer_search.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// `breadth_first_layers` on several threads: the same counts and the same status, whatever the number of
/// threads, and of complete layers the same statistics (but for bytes and seconds).
///
/// Each thread has the states whose hash names it, and sends others to their owners (R. E. Korf, P. Schultze,
/// "Large-scale parallel breadth-first search", AAAI 2005, divide layers so, on a disk). A layer of fewer
/// states than `least_divided` is expanded by the caller's thread alone; no thread is started for a count
/// that has no larger layer.
///
/// Several threads call the problem at the same time, as `const`. Callback, observer and `limits.stop` are
/// called on the caller's thread alone. An exception on any thread ends the count and passes through.
///
/// Memory: as `breadth_first_layers`, but of a `NumberedProblem` as of any other `IndexedProblem`; and for
/// each two threads some blocks of messages, of 8 KB each.
///
/// \param limits as of `breadth_first_layers`; `bytes` is for all threads together
/// \param callback as of `breadth_first_layers`
/// \param observer told of the progress alone: `static constexpr bool sees_nodes = false`
/// \return as from `breadth_first_layers`
template <Problem P, class Callback = detail::IgnoreLayers,
          class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
    requires std::invocable<Callback&, int, std::uint64_t> && (PackedProblem<P> || HasHash<P>) &&
             (!sees_nodes<O>)
LayerCounts parallel_breadth_first_layers(const P& problem, const detail::named_state_t<P>& start,
                                          ParallelLayersOptions options = {}, BasicLimits<int> limits = {},
                                          Callback&& callback = {}, O&& observer = O{}) {
    using Search = detail::ParallelLayerSearch<P, detail::counted_layers_t<P>, std::remove_reference_t<O>>;
    return detail::run_engine<BreadthFirstLayers<P, Callback, O, Search>>(
        problem, start, limits, std::forward<Callback>(callback), std::forward<O>(observer), options);
}

/// The same of a start and its neighbors, without a problem: see `problem_from`. Several threads call
/// `neighbors` at the same time: it must not change anything.
template <class S, class N, class Callback = detail::IgnoreLayers, class P = detail::called_problem_t<S, N>,
          class O = detail::silent_observer_t<P, Zero, true>>
LayerCounts parallel_breadth_first_layers(const S& start, N&& neighbors, ParallelLayersOptions options = {},
                                          BasicLimits<int> limits = {}, Callback&& callback = {},
                                          O&& observer = O{}) {
    return parallel_breadth_first_layers(P(neighbors, detail::no_goal), start, options, limits,
                                         std::forward<Callback>(callback), std::forward<O>(observer));
}

} // namespace npuzzle
