#pragma once

#include "npuzzle/search/engine/layer_search.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// The outcome of `breadth_first_layers`; true if the whole space was counted.
struct LayerCounts {
    /// `solved` if every state that can be reached was counted, else what ended the count.
    SearchStatus status = SearchStatus::running;
    /// How many states need 0, 1, 2, ... steps: of the layers that are complete.
    std::vector<std::uint64_t> counts;
    Statistics statistics;

    explicit operator bool() const { return status == SearchStatus::solved; }
};

namespace detail {

template <Problem P>
using counted_layers_t =
    std::conditional_t<NumberedProblem<P>, NumberedLayers<P>,
                       std::conditional_t<UndirectedProblem<P>, LastLayers<P>, AllLayers<P>>>;

} // namespace detail

/// `breadth_first_layers` as an object: each `step` expands one state, or ends a layer or the count.
template <Problem P, class Callback = detail::IgnoreLayers, class O = SilentObserver>
    requires std::invocable<Callback&, int, std::uint64_t> && (PackedProblem<P> || HasHash<P>)
class BreadthFirstLayers
    : public detail::LayerSearch<P, detail::counted_layers_t<P>, O, detail::NoGoal, Callback> {
public:
    using State = state_t<P>;

    /// No temporary problem: the engine refers to it.
    BreadthFirstLayers(const P&& problem, const State& start, BasicLimits<int> limits = {},
                       Callback&& callback = Callback{}, O&& observer = O{}) = delete;

    /// \param limits `max_cost` is the depth of the last layer that is counted
    BreadthFirstLayers(const P& problem, const State& start, BasicLimits<int> limits = {},
                       Callback&& callback = Callback{}, O&& observer = O{})
        : BreadthFirstLayers::LayerSearch(problem, start, limits, std::forward<O>(observer), {},
                                          std::forward<Callback>(callback)) {}

    /// The outcome. Linear in the number of layers.
    [[nodiscard]] LayerCounts result() const {
        return this->outcome(LayerCounts{},
                             [&](LayerCounts& result) { result.counts = this->layer_counts(); });
    }
};

template <class P, class Callback = detail::IgnoreLayers, class O = SilentObserver>
BreadthFirstLayers(const P&, const state_t<P>&, BasicLimits<int> = {}, Callback&& = Callback{}, O&& = O{})
    -> BreadthFirstLayers<P, Callback, O>;

/// Counts the states that can be reached from `start` in 0, 1, 2, ... steps and in no fewer, layer by layer,
/// whatever steps cost: breadth-first search (E. F. Moore 1959) of a whole space, with or without a goal.
///
/// Memory: of a `NumberedProblem` two bits for each number, and an eighth more at a time; of any other
/// `UndirectedProblem` two or three layers (R. E. Korf, W. Zhang, I. Thayer, H. Hohwald, "Frontier search",
/// 2005); else all states. A state of a `PackedProblem` takes its word, and five to ten bytes of an index.
///
/// \param limits `max_cost` is the depth of the last layer that is counted
/// \param callback called with the depth and the count of each layer as soon as that is complete, from 0 and
///        1 on; if it returns something that converts to `bool`, false ends the count with
///        `Status::cancelled`
/// \return never throws for lack of memory: that is `Status::memory_limit`. What the problem, the callback or
///         the observer throws otherwise passes through.
template <Problem P, class Callback = detail::IgnoreLayers,
          class O = detail::silent_observer_t<P, Zero, !PackedProblem<P>>>
    requires std::invocable<Callback&, int, std::uint64_t> && (PackedProblem<P> || HasHash<P>)
LayerCounts breadth_first_layers(const P& problem, const detail::named_state_t<P>& start,
                                 BasicLimits<int> limits = {}, Callback&& callback = {}, O&& observer = O{}) {
    return detail::run_engine<BreadthFirstLayers<P, Callback, O>>(
        problem, start, limits, std::forward<Callback>(callback), std::forward<O>(observer));
}

} // namespace npuzzle
