#pragma once

#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/replanning_base.hpp"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// D* Lite (S. Koenig, M. Likhachev, "D* Lite", AAAI 2002) as an object: a search from the goal to the start
/// that is repeated as costs change and as the start moves, as for a robot which meets obstacles.
/// \code
/// DStarLite search(map, start, OctileDistance{});
/// search.run();
/// search.move_start(there);                        // the robot goes on,
/// for (auto changed : map.set_free(cell, false))   // sees something,
///     search.update(changed);                      // and tells the engine where
/// search.run();
/// \endcode
/// Cheapest where the changes are near the start: the costs to the goal stay as they are, up to there. The
/// worst are changes near the goal.
///
/// The goal stays the same. Costs are the least, as with `LpaStar`. Observers see the same as with `LpaStar`
/// see, and priorities grow with each move.
///
/// \tparam H a `BackwardHeuristicFor` the problem: it estimates the cost from the start to a state. It must
///         be consistent before and after each change, also by detours: for h(a, b) from a to b, h(a, c) <=
///         h(a, b) + h(b, c). A debug build checks each step.
template <BackwardProblem P, class H, class O = SilentObserver>
    requires BackwardHeuristicFor<H, P>
class DStarLite
    : public ReplanningBase<DStarLite<P, H, O>, P, false, estimate_t<H, detail::backward_target_t<P>>, O> {
    using Target = detail::backward_target_t<P>;
    using Base = ReplanningBase<DStarLite, P, false, estimate_t<H, Target>, O>;
    friend Base;
    friend EngineBase<DStarLite, cost_t<P>, O>;

public:
    /// No temporary problem: the engine refers to it.
    DStarLite(const P&& problem, const state_t<P>& start, H&& heuristic, const limits_t<P>& limits = {},
              O&& observer = O{}) = delete;

    DStarLite(const P& problem, const state_t<P>& start, H&& heuristic, const limits_t<P>& limits = {},
              O&& observer = O{})
        : Base(problem, start, limits, std::forward<O>(observer)), heuristic_(std::forward<H>(heuristic)) {
        this->guarded([this] { this->begin_again(); });
    }

    /// Goes on from another start, with new statistics and limits. The heuristic is bound again.
    void move_start(const state_t<P>& start)
        requires(BindsTo<H, Target> || std::same_as<std::remove_cvref_t<H>, Zero>)
    {
        detail::checked_state(*this->problem_, start);
        this->guarded([&] {
            this->resume_search();
            this->move_target(start, this->lessened(start));
        });
    }

    /// Where the search starts now.
    [[nodiscard]] const state_t<P>& start() const noexcept { return this->start_; }

private:
    static constexpr bool binds = BindsTo<H, Target>;
    using Bound = std::remove_reference_t<typename detail::bound_heuristic<H, Target>::type>;

    void bind() {
        if constexpr (binds) {
            bound_.reset();
            target_.reset();
            target_.emplace(detail::make_backward_target(*this->problem_, this->start_));
            bound_.emplace(heuristic_.bind(*target_));
        }
    }

    auto estimate(const state_t<P>& state) {
        if constexpr (binds) {
            return detail::Estimator<Bound, Target>(*bound_, this->statistics_)(state);
        } else {
            return detail::Estimator<std::remove_reference_t<H>, Target>(heuristic_,
                                                                         this->statistics_)(state);
        }
    }

    H heuristic_;
    std::optional<Target> target_;
    std::optional<std::conditional_t<binds, Bound, detail::Nothing>> bound_;
};

template <class P, class H, class O = SilentObserver>
DStarLite(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> DStarLite<P, H, O>;

/// Finds a cheapest path from `start` to `problem.goal()` by D* Lite: one search, for which `astar` is
/// faster. Use the engine `DStarLite` to search again after a change. Any `BackwardProblem`, any cost type.
/// \param heuristic estimates the cost from the start to a state, and is consistent: see `DStarLite`
/// \return as from `astar`, without a partial path
template <BackwardProblem P, class H, class O = detail::silent_observer_t<P, H, true>>
    requires BackwardHeuristicFor<H, P>
search_result_t<P> d_star_lite(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                               limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<DStarLite<P, H, O>>(problem, start, std::forward<H>(heuristic), limits,
                                                  std::forward<O>(observer));
}

} // namespace npuzzle
