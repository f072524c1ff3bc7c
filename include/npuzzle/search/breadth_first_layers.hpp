#pragma once

#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/layer_search.hpp"
#include "npuzzle/search/kernel/numbered_layers.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// The outcome of `breadth_first_layers`; true if the whole space was counted.
struct LayerCounts {
    /// `solved` if every state that can be reached was counted, else what ended the count before.
    SearchStatus status = SearchStatus::running;
    /// How many states need 0, 1, 2, ... steps: of the layers that are complete.
    std::vector<std::uint64_t> counts;
    Statistics statistics;

    explicit operator bool() const { return status == SearchStatus::solved; }
};

namespace detail {

struct IgnoreLayers {
    void operator()(int /*depth*/, std::uint64_t /*count*/) const {}
};

template <Problem P>
auto choose_layers() {
    if constexpr (NumberedProblem<P>) {
        return std::type_identity<NumberedLayers<P>>{};
    } else if constexpr (UndirectedProblem<P> && !IndexedProblem<P>) {
        return std::type_identity<LastLayers<P>>{};
    } else {
        return std::type_identity<AllLayers<P>>{};
    }
}

/// States that are numbered are remembered, in a bit or two each; of others the last layers, where that is
/// enough.
template <Problem P>
using counted_layers_t = typename decltype(choose_layers<P>())::type;

} // namespace detail

/// The count of layers as an object: each `step` expands one state, or ends the count. See
/// `breadth_first_layers`.
template <Problem P, class Callback = detail::IgnoreLayers, class O = SilentObserver>
    requires std::invocable<Callback&, int, std::uint64_t> && (PackedProblem<P> || HasHash<P>)
class BreadthFirstLayers : public EngineBase<BreadthFirstLayers<P, Callback, O>, int, O> {
    using Base = EngineBase<BreadthFirstLayers, int, O>;
    friend Base;

public:
    using State = state_t<P>;

    /// No temporary problem: the engine refers to it.
    BreadthFirstLayers(const P&& problem, const State& start, BasicLimits<int> limits = {},
                       Callback&& callback = Callback{}, O&& observer = O{}) = delete;

    /// \param limits `max_cost` is the depth of the last layer that is counted
    BreadthFirstLayers(const P& problem, const State& start, BasicLimits<int> limits = {},
                       Callback&& callback = Callback{}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer)), max_depth_(detail::max_layer(limits)),
          callback_(std::forward<Callback>(callback)),
          search_(problem, observer_, monitor_, budget_, statistics_) {
        guarded([&] {
            search_.start(start);
            complete_layer();
        });
    }

    /// How many states there are at each depth, for the complete layers.
    [[nodiscard]] const std::vector<std::uint64_t>& layer_counts() const noexcept { return counts_; }

    /// The outcome. Linear in the number of layers.
    [[nodiscard]] LayerCounts result() const {
        return outcome(LayerCounts{}, [&](LayerCounts& result) { result.counts = counts_; });
    }

private:
    using Base::budget_, Base::finish, Base::guarded, Base::monitor_, Base::observer_, Base::outcome,
        Base::statistics_;

    void complete(Statistics& statistics) const { statistics.stored = search_.stored(); }

    void complete_layer() {
        const std::uint64_t count = search_.layer_size();
        counts_.push_back(count);
        if constexpr (std::convertible_to<std::invoke_result_t<Callback&, int, std::uint64_t>, bool>) {
            if (!callback_(search_.depth(), count)) {
                finish(SearchStatus::cancelled);
                return;
            }
        } else {
            callback_(search_.depth(), count);
        }
        if (search_.depth() >= max_depth_) {
            finish(SearchStatus::cost_limit);
        }
    }

    void advance_many() { advance(detail::layer_batch); }

    void advance(unsigned most = 1) {
        const SearchStatus status = search_.expand(most, [](const auto& /*reached*/) { return false; });
        if (status == SearchStatus::running) {
            return;
        }
        if (status != SearchStatus::unsolvable) {
            finish(status);
        } else if (search_.advance()) {
            complete_layer();
        } else {
            finish(SearchStatus::solved);
        }
    }

    int max_depth_;
    std::vector<std::uint64_t> counts_;
    Callback callback_;
    detail::LayerSearch<P, detail::counted_layers_t<P>, std::remove_reference_t<O>> search_;
};

template <class P, class Callback = detail::IgnoreLayers, class O = SilentObserver>
BreadthFirstLayers(const P&, const state_t<P>&, BasicLimits<int> = {}, Callback&& = Callback{}, O&& = O{})
    -> BreadthFirstLayers<P, Callback, O>;

/// Counts the states that can be reached from `start` in 0, 1, 2, ... steps and in no fewer, layer by layer,
/// whatever steps cost: breadth-first search (E. F. Moore 1959) of a whole space, with or without a goal.
///
/// Memory: of a `NumberedProblem` two bits for each number, and an eighth more at a time; of any other
/// `IndexedProblem` a bit for each, and two layers; of an `UndirectedProblem` two or
/// three layers (R. E. Korf, W. Zhang, I. Thayer, H. Hohwald, "Frontier search", 2005); of any other problem,
/// all states. A state of a `PackedProblem` takes its word, and five to ten bytes of an index.
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
