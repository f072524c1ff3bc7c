#pragma once

#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/steps_as_moves.hpp"
#include "npuzzle/search/parallel/kernel/divided_ida_star.hpp"

#include <type_traits>
#include <utility>

namespace npuzzle::detail {

/// `run_divided` of a problem with moves.
/// \tparam is_made_by_bind whether nobody else needs the heuristic
template <bool is_made_by_bind, class P, class B, class O>
search_result_t<P> run_divided_moves(UnitScheduler& scheduler, const P& problem, const state_t<P>& start,
                                     B& heuristic, const ParallelIdaStarOptions& options,
                                     const limits_t<P>& limits, O& observer) {
    using Held = held_heuristic_t<B, P, is_made_by_bind>;
    const auto run = [&](Held&& held) {
        return DividedIdaStar<P, Held, O>(scheduler, problem, start, std::forward<Held>(held), options,
                                          limits, observer)
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

/// Runs `DividedIdaStar` for any problem.
template <class P, class H, class O>
search_result_t<P> run_divided(UnitScheduler& scheduler, const P& problem, const state_t<P>& start,
                               H& heuristic, const ParallelIdaStarOptions& options, const limits_t<P>& limits,
                               O& observer) {
    return guarded_search([&] {
        return with_bound(heuristic, problem, [&]<class B>(B& bound) {
            if constexpr (has_moves<P>) {
                return run_divided_moves<BindsTo<H, P>>(scheduler, problem, start, bound, options, limits,
                                                        observer);
            } else {
                const StepsAsMoves<P> steps(problem);
                return without_moves<P>(run_divided_moves<BindsTo<H, P>>(scheduler, steps, start, bound,
                                                                         options, limits, observer));
            }
        });
    });
}

} // namespace npuzzle::detail
