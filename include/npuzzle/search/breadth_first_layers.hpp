#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/layers.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// How many states there are at each depth.

namespace npuzzle {

/// The outcome of `breadth_first_layers`; true if the whole space was counted.
struct LayerCounts {
    /// `solved` if every state that can be reached was counted, else what ended the count before.
    Status status = Status::running;
    /// How many states need 0, 1, 2, ... steps: of the layers that are complete.
    std::vector<std::uint64_t> counts;
    Statistics statistics;

    explicit operator bool() const { return status == Status::solved; }
};

namespace detail {

struct IgnoreLayers {
    void operator()(int /*depth*/, std::uint64_t /*count*/) const {}
};

/// States that are numbered are remembered, in a bit each; of others the last layers, where that is enough.
template <Problem P>
auto choose_layers() {
    if constexpr (UndirectedProblem<P> && !IndexedProblem<P>) {
        return std::type_identity<LastLayers<P>>{};
    } else {
        return std::type_identity<AllLayers<P>>{};
    }
}

template <Problem P, class Callback, class O>
Status count_layers(const P& problem, const state_t<P>& start, const BasicLimits<int>& limits,
                    Callback& callback, O& observer, MemoryBudget& budget, LimitMonitor& monitor,
                    LayerCounts& result) {
    LayerSearch<P, typename decltype(choose_layers<P>())::type, O> search(problem, observer, monitor, budget,
                                                                          result.statistics);
    Status status = Status::running;
    search.start(start);
    for (;;) {
        const std::uint64_t count = search.layers().current_size();
        result.counts.push_back(count);
        result.statistics.stored = search.layers().stored();
        if constexpr (std::convertible_to<std::invoke_result_t<Callback&, int, std::uint64_t>, bool>) {
            if (!callback(search.depth(), count)) {
                return Status::cancelled;
            }
        } else {
            callback(search.depth(), count);
        }
        if (search.depth() >= max_layer(limits)) {
            return Status::cost_limit;
        }
        do {
            status = search.expand(layer_batch, [](const state_t<P>&) { return false; });
        } while (status == Status::running);
        result.statistics.stored = search.layers().stored();
        if (status != Status::unsolvable) {
            return status;
        }
        if (!search.advance()) {
            return Status::solved;
        }
    }
}

} // namespace detail

/// Counts the states that can be reached from `start` in 0, 1, 2, ... steps and in no fewer, layer by layer, whatever steps
/// cost and whether there is a goal or not: breadth-first search (E. F. Moore 1959) of a whole space.
///
/// Memory: of an `IndexedProblem` a bit for each state that has a number, and two layers; of an `UndirectedProblem` two or
/// three layers, what is farther inside is forgotten (R. E. Korf, W. Zhang, I. Thayer, H. Hohwald, "Frontier search",
/// 2005); of any other problem, all states. A state of a `PackedProblem` takes its word, and a third to one more.
///
/// \param limits `max_cost` is the depth of the last layer that is counted
/// \param callback called with the depth and the count of each layer as soon as that is complete, from 0 and 1 on; if it
///        returns something that converts to `bool`, false ends the count with `Status::cancelled`
/// \return never throws for lack of memory: that is `Status::memory_limit`. What the problem, the callback or the observer
///         throws otherwise passes through.
template <Problem P, class Callback = detail::IgnoreLayers, class O = SilentObserver>
    requires std::invocable<Callback&, int, std::uint64_t> && (PackedProblem<P> || HasHash<P>)
LayerCounts breadth_first_layers(const P& problem, const state_t<P>& start, BasicLimits<int> limits = {},
                                 Callback&& callback = {}, O&& observer = O{}) {
    using Observer = std::remove_reference_t<O>;
    LayerCounts result;
    MemoryBudget budget(limits.bytes);
    detail::LimitMonitor monitor(limits);
    try {
        result.status = detail::count_layers<P, std::remove_reference_t<Callback>, Observer>(
            problem, start, limits, callback, observer, budget, monitor, result);
    } catch (const std::bad_alloc&) {
        result.status = Status::memory_limit;
    }
    result.statistics.bytes = budget.peak();
    result.statistics.seconds = monitor.seconds();
    observer.progress(result.statistics);
    return result;
}

} // namespace npuzzle
