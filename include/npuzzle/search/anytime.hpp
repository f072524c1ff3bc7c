#pragma once

#include "npuzzle/search/kernel/anytime_engine.hpp"
#include "npuzzle/search/kernel/call.hpp"

#include <concepts>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// Searches that find a solution soon, and go on to better ones: anytime A* and ARA*.

namespace npuzzle {

/// The options of anytime A*: `{.weight = 1.5}`; `AnytimeOptions<int>{.weight = 5}` keeps integer costs and
/// estimates in integers, which have a faster open list.
template <class W = double>
struct AnytimeOptions {
    /// The weight until the first solution, at least 1; a greater one usually finds it sooner. When a
    /// solution is proved to be within a smaller factor of the optimum, the weight falls to that, or to the
    /// nearest integer.
    W weight = 5;
};

template <class W>
AnytimeOptions(W) -> AnytimeOptions<W>;

/// The options of ARA*: its weights begin at `weight`, and fall by `step` after each iteration, to 1.
template <class W = double>
struct AraStarOptions {
    W weight = 5; ///< at least 1
    W step = 1;   ///< more than 0
};

template <class W>
AraStarOptions(W, W) -> AraStarOptions<W>;

namespace detail {

/// Runs an anytime engine and hands out its solutions.
template <class Engine, class F, class... Arguments>
auto run_anytime(F& on_solution, Arguments&&... arguments) {
    return guarded_search([&] {
        Engine engine(std::forward<Arguments>(arguments)...);
        while (engine.next_solution()) {
            try {
                if constexpr (std::is_void_v<decltype(on_solution(engine.solution()))>) {
                    on_solution(engine.solution());
                } else if (!on_solution(engine.solution())) {
                    engine.stop();
                }
            } catch (const std::bad_alloc&) {
                engine.stop(SearchStatus::memory_limit);
            }
        }
        return engine.result();
    });
}

} // namespace detail

/// Takes the solutions of an anytime search: called with an `AnytimeResult`; may return `false` to stop.
template <class F, class P>
concept SolutionSink = Problem<P> && std::invocable<F&, const anytime_result_t<P>&>;

/// Anytime A* as an object: weighted A* that goes on after the first solution, leaves out what cannot be
/// cheaper, and so reaches the optimum (E. A. Hansen and R. Zhou, "Anytime heuristic search", JAIR 28, 2007).
/// Unlike theirs, it takes turns: it expands the node of the least g + w h, then that of the least g + h. The
/// weight w falls with the bound that is proved. Let n be the number of states whose g + h is at most the
/// optimum. If the heuristic is consistent, the search ends after at most 2 n + 1 expansions.
///
/// A change of w takes time linear in the number of nodes. Each `step` is one expansion, `next_solution`
/// steps to the next solution, and `solution` is the best so far. All else is as in `BestFirst`.
template <Problem P, class H, class W = double, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AnytimeAStar : public detail::AnytimeEngine<P, H, W, O> {
public:
    /// No temporary problem: the engine refers to it.
    AnytimeAStar(const P&& problem, const state_t<P>& start, H&& heuristic, AnytimeOptions<W> options = {},
                 const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{}) = delete;

    /// \throws std::invalid_argument if the weight is less than 1
    AnytimeAStar(const P& problem, const state_t<P>& start, H&& heuristic, AnytimeOptions<W> options = {},
                 const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : detail::AnytimeEngine<P, H, W, O>(problem, start, std::forward<H>(heuristic), options.weight,
                                            std::nullopt, limits, std::forward<O>(observer)) {}
};

template <class P, class H, class W = double, class O = SilentObserver>
AnytimeAStar(const P&, const state_t<P>&, H&&, AnytimeOptions<W> = {}, const limits_t<P>& = {}, O&& = O{})
    -> AnytimeAStar<P, H, W, O>;

/// ARA* as an object (M. Likhachev, G. Gordon, S. Thrun, "ARA*: anytime A* with provable bounds on
/// sub-optimality", NIPS 2003): a sequence of weighted A* searches with falling weights, which share their
/// nodes. With each weight a node is expanded at most once; a cheaper path to it that is found later waits
/// for the next weight.
///
/// A solution is available when its goal is reached. Weights that cannot prove anything new are skipped. The
/// change from one weight to the next is linear in the number of nodes. All else is as in `AnytimeAStar`.
template <Problem P, class H, class W = double, class O = SilentObserver>
    requires HeuristicFor<H, P>
class AraStar : public detail::AnytimeEngine<P, H, W, O> {
public:
    /// No temporary problem: the engine refers to it.
    AraStar(const P&& problem, const state_t<P>& start, H&& heuristic, AraStarOptions<W> options = {},
            const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{}) = delete;

    /// \throws std::invalid_argument if the weight is less than 1, or the step not more than 0
    AraStar(const P& problem, const state_t<P>& start, H&& heuristic, AraStarOptions<W> options = {},
            const BasicLimits<cost_t<P>>& limits = {}, O&& observer = O{})
        : detail::AnytimeEngine<P, H, W, O>(problem, start, std::forward<H>(heuristic), options.weight,
                                            options.step, limits, std::forward<O>(observer)) {}
};

template <class P, class H, class W = double, class O = SilentObserver>
AraStar(const P&, const state_t<P>&, H&&, AraStarOptions<W> = {}, const limits_t<P>& = {}, O&& = O{})
    -> AraStar<P, H, W, O>;

/// Anytime A*: ever cheaper paths to a goal. It ends when one is proved to be a cheapest, at a
/// limit, or when `on_solution` returns false. See `AnytimeAStar`.
///
/// \param on_solution called with each solution when it is found, and the bound that is proved then; may
/// return nothing. The search ends with `Status::cancelled` if it returns false.
/// \param limits `max_cost` leaves out from the beginning what costs more
/// \return the last solution, also if a limit ended the search, with the bound that is proved at the end
/// \throws std::invalid_argument if the weight is less than 1
template <Problem P, class H, class F, class W = double, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<W> && SolutionSink<F, P>
anytime_result_t<P> anytime_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                  F&& on_solution, AnytimeOptions<W> options = {}, limits_t<P> limits = {},
                                  O&& observer = O{}) {
    return detail::run_anytime<AnytimeAStar<P, H, W, O>>(
        on_solution, problem, start, std::forward<H>(heuristic), options, limits, std::forward<O>(observer));
}

/// ARA*: ever cheaper paths to a goal, with falling weights; otherwise as `anytime_astar`. See `AraStar`.
///
/// If the heuristic declares itself consistent, the solution at the end of an iteration costs at most its
/// weight times the optimum.
/// \param options `{.weight = 5, .step = 1}` for the weights 5, 4, 3, 2, 1
/// \throws std::invalid_argument if the weight is less than 1, or the step not more than 0
template <Problem P, class H, class F, class W = double, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P> && std::is_arithmetic_v<W> && SolutionSink<F, P>
anytime_result_t<P> ara_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                             F&& on_solution, AraStarOptions<W> options = {}, limits_t<P> limits = {},
                             O&& observer = O{}) {
    return detail::run_anytime<AraStar<P, H, W, O>>(on_solution, problem, start, std::forward<H>(heuristic),
                                                    options, limits, std::forward<O>(observer));
}

} // namespace npuzzle
