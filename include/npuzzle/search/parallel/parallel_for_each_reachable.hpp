#pragma once

#include "npuzzle/search/breadth_first_layers.hpp"
#include "npuzzle/search/for_each_reachable.hpp"
#include "npuzzle/search/parallel/kernel/parallel_layer_search.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace npuzzle {

namespace detail {

/// A visitor that takes the number of a worker.
template <class F, class P>
concept VisitsByWorker = std::invocable<F, const state_t<P>&, int, std::size_t>;

/// Visits all states layer by layer, each as soon as it is reached.
template <UnitCostProblem P, class F>
class ReachableLayers : public EngineBase<ReachableLayers<P, F>, int, SilentObserver> {
    using Base = EngineBase<ReachableLayers, int, SilentObserver>;
    friend Base;

public:
    ReachableLayers(const P& problem, const state_t<P>& start, BasicLimits<int> limits, F& visit,
                    const ParallelLayersOptions& options)
        : Base(limits, SilentObserver{}), max_depth_(max_layer(limits)), visit_(&visit),
          search_(problem, observer_, monitor_, budget_, statistics_, options) {
        guarded([&] {
            if (max_depth_ < 0) {
                finish(Status::cost_limit);
                return;
            }
            search_.start(start);
            call(start, 0, 0);
        });
    }

    [[nodiscard]] Exploration result() const {
        return outcome(Exploration{}, [](Exploration&) {});
    }

private:
    using Base::budget_, Base::finish, Base::guarded, Base::monitor_, Base::observer_, Base::outcome,
        Base::statistics_;

    void call(const state_t<P>& state, int depth, std::size_t worker) {
        if constexpr (VisitsByWorker<F&, P>) {
            (*visit_)(state, depth, worker);
        } else {
            (*visit_)(state, depth);
        }
    }

    void advance() {
        const int depth = search_.depth() + 1;
        const Status status = search_.expand(layer_batch, [&](const auto& reached, std::size_t worker) {
            if (depth > max_depth_) {
                return true;
            }
            call(reached.state, depth, worker);
            return false;
        });
        if (status == Status::solved) {
            finish(Status::cost_limit); // There is a state beyond it.
        } else if (status != Status::unsolvable) {
            if (status != Status::running) {
                finish(status);
            }
        } else if (!search_.advance()) {
            finish(Status::solved);
        }
    }

    int max_depth_;
    F* visit_;
    ParallelLayerSearch<P, counted_layers_t<P>, SilentObserver> search_;
};

} // namespace detail

/// `for_each_reachable` on several threads, for problems whose steps cost 1: calls `visit(state, cost)` once
/// for each state that can be reached from `start`. Layers are divided as in `parallel_breadth_first_layers`,
/// which says what threads share and what is stored.
///
/// Several threads call `visit` at the same time, for states of the same cost. All states of a cost are
/// visited before the first one that costs more. What `visit` changes must be an atomic, or one for each
/// state, or one for each worker. For the last, `visit` may take a third argument, a `std::size_t`: the
/// number of the worker, which is less than the number of threads. No two calls with the same number are made
/// at the same time.
///
/// A state is visited when it is reached, not when it is expanded: a limit other than `max_cost` ends the
/// search when more states were visited than expanded.
///
/// \param limits `max_cost` ends the search before the first state that costs more, with `Status::cost_limit`
/// \return as from `for_each_reachable`, but for the statistics: the way back to the parent counts as
///         generated, except where the words of an undirected problem have room to mark it
template <UnitCostProblem P, class F>
    requires(detail::VisitsByWorker<F&, P> || std::invocable<F&, const state_t<P>&, int>) &&
            (PackedProblem<P> || HasHash<P>)
Exploration parallel_for_each_reachable(const P& problem, const detail::named_state_t<P>& start, F&& visit,
                                        ParallelLayersOptions options = {}, BasicLimits<int> limits = {}) {
    return detail::run_engine<detail::ReachableLayers<P, std::remove_reference_t<F>>>(problem, start, limits,
                                                                                      visit, options);
}

/// The same of a start and its neighbors, without a problem: see `problem_from`. Several threads call
/// `neighbors` at the same time: it must not change anything.
template <class S, class N, class F, class P = detail::called_problem_t<S, N>>
Exploration parallel_for_each_reachable(const S& start, N&& neighbors, F&& visit,
                                        ParallelLayersOptions options = {}, BasicLimits<int> limits = {}) {
    return parallel_for_each_reachable(P(neighbors, detail::no_goal), start, visit, options, limits);
}

} // namespace npuzzle
