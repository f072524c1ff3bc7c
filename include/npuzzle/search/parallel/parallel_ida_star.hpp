#pragma once

#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/steps_as_moves.hpp"
#include "npuzzle/search/parallel/divided_ida_star.hpp"

#include <type_traits>
#include <utility>

namespace npuzzle {

namespace detail {

/// `parallel_ida_star` of a problem with moves.
/// \tparam is_made_by_bind whether nobody else needs the heuristic
template <bool is_made_by_bind, class P, class B, class O>
search_result_t<P> run_divided(const P& problem, const state_t<P>& start, B& heuristic,
                               const ParallelIdaStarOptions& options, const limits_t<P>& limits,
                               O& observer) {
    using Held = held_heuristic_t<B, P, is_made_by_bind>;
    const auto run = [&](Held&& held) {
        return DividedIdaStar<P, Held, O>(problem, start, std::forward<Held>(held), options, limits, observer)
            .run();
    };
    if constexpr (std::is_reference_v<Held>) {
        return run(heuristic);
    } else if constexpr (is_made_by_bind) {
        return run(std::move(heuristic));
    } else {
        return run(Held(heuristic));
    }
}

} // namespace detail

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
    return detail::guarded_search([&] {
        return detail::with_bound(heuristic, problem, [&]<class B>(B& bound) {
            if constexpr (detail::has_moves<P>) {
                return detail::run_divided<BindsTo<H, P>>(problem, start, bound, options, limits, observer);
            } else {
                const detail::StepsAsMoves<P> steps(problem);
                return detail::without_moves<P>(
                    detail::run_divided<BindsTo<H, P>>(steps, start, bound, options, limits, observer));
            }
        });
    });
}

/// The same of a start and callables, without a problem: see `problem_from`.
template <class S, class N, class H, class G, class P = detail::called_problem_t<S, N, G>,
          class O = detail::silent_observer_t<P, H>>
search_result_t<P> parallel_ida_star(const S& start, N&& neighbors, H&& heuristic, G&& is_goal,
                                     ParallelIdaStarOptions options = {}, limits_t<P> limits = {},
                                     O&& observer = O{}) {
    return parallel_ida_star(P(neighbors, is_goal), start, std::forward<H>(heuristic), options, limits,
                             std::forward<O>(observer));
}

} // namespace npuzzle
