#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The expansion of a node, as several engines have it in common: estimates that follow moves, and neighbours.

namespace npuzzle::detail {

/// How an engine keeps a heuristic: what it was bound to, a reference to an lvalue, or the value itself.
template <class H, class P>
struct bound_heuristic {
    using type = bound_t<H, P>;
};

template <class H, class P>
    requires(!BindsTo<H, P> && std::invocable<H&, const state_t<P>&>)
struct bound_heuristic<H&, P> {
    using type = H&;
};

/// Whether A* has a heuristic follow moves by evaluations: not if values alone will do, nor if parts of it are called anew
/// by that, since it would be for each neighbour and not only for the new ones.
template <class H, class P>
inline constexpr bool follows_by_evaluation = false;

template <class H, class P>
    requires EvaluatingHeuristicFor<H, P>
inline constexpr bool follows_by_evaluation<H, P> =
    !IncrementalHeuristicFor<H, P> && !calls_parts_anew<bound_t<H, P>>;

/// A heuristic as an engine keeps it.
template <class H, class P>
decltype(auto) make_bound_heuristic(H&& heuristic, const P& problem) {
    if constexpr (BindsTo<H, P>) {
        return heuristic.bind(problem);
    } else {
        return std::forward<H>(heuristic);
    }
}

struct Nothing {};

/// Evaluates a heuristic on the states of a problem, and follows its moves where the heuristic can.
template <class B, class P>
class Estimator {
public:
    using Heuristic = std::remove_cvref_t<B>;
    using Estimate = estimate_t<Heuristic, P>;

    static constexpr bool is_zero = std::same_as<Heuristic, Zero>;
    static constexpr bool is_evaluating = follows_by_evaluation<Heuristic, P>;
    static constexpr bool is_incremental = is_evaluating || IncrementalHeuristicFor<Heuristic, P>;

    explicit Estimator(std::remove_reference_t<B>& heuristic) : heuristic_(&heuristic) {}

    Estimate operator()(const state_t<P>& state) const {
        if constexpr (is_zero) {
            return Estimate{};
        } else {
            return saturating_cast<Estimate>((*heuristic_)(state));
        }
    }

    /// What `after` needs of a node that is expanded.
    auto evaluation_of(const state_t<P>& state, const Estimate& estimate) const {
        if constexpr (is_evaluating) {
            return heuristic_->evaluate(state);
        } else {
            return estimate;
        }
    }

    template <class Evaluation, class Move>
        requires is_incremental
    Estimate after(const Evaluation& evaluation, const state_t<P>& before, const Move& move,
                   const state_t<P>& after) const {
        if constexpr (is_evaluating) {
            return saturating_cast<Estimate>(
                heuristic_->value(heuristic_->after(evaluation, before, move, after)));
        } else {
            return static_cast<Estimate>(heuristic_->after(evaluation, before, move, after));
        }
    }

private:
    std::remove_reference_t<B>* heuristic_;
};

/// Calls `visit(state, step, move)` for each neighbour of a node but the one that it came from; `state` can be moved from.
template <class P, class Table, class F>
void for_each_neighbor(const P& problem, const Table& table, const typename Table::Node& node,
                       const state_t<P>& state, F&& visit) {
    using State = state_t<P>;
    using Cost = cost_t<P>;
    if constexpr (detail::has_moves<P>) {
        problem.for_each_move(state, node.last_move(), [&](const move_t<P>& move) {
            State child = state;
            problem.apply(child, move);
            if constexpr (is_weighted<P>) {
                visit(std::move(child), static_cast<Cost>(problem.move_cost(state, move)), move);
            } else {
                visit(std::move(child), Cost{1}, move);
            }
        });
    } else {
        using Neighbors = neighbors_t<P>;
        for (auto&& neighbor : problem.neighbors(state)) {
            // What a container that was returned by value holds is ours to move from.
            constexpr bool is_ours =
                std::is_rvalue_reference_v<decltype(neighbor)&&> ||
                (!std::is_reference_v<Neighbors> && requires { typename Neighbors::allocator_type; });
            const auto consider = [&](auto& to, const Cost& step) {
                const auto take = [&]() -> State {
                    if constexpr (is_ours) {
                        return State(std::move(to));
                    } else {
                        return State(std::as_const(to));
                    }
                };
                State child = take();
                if (!table.leads_back(node, child)) {
                    visit(std::move(child), step, typename Table::Move{});
                }
            };
            if constexpr (is_weighted<P>) {
                consider(neighbor.to, neighbor.cost);
            } else {
                consider(neighbor, Cost{1});
            }
        }
    }
}

/// What a path costs. The costs of nodes may be more than that: when a cheaper way to a node is found, those behind it learn
/// of it not before it is expanded again.
/// \param moves those along the path, where the problem has moves
template <class P, class Moves>
cost_t<P> path_cost(const P& problem, const std::vector<state_t<P>>& path, const Moves& moves) {
    using Cost = cost_t<P>;
    Cost sum{};
    for (std::size_t i = 1; i < path.size(); ++i) {
        Cost step{};
        if constexpr (!is_weighted<P>) {
            step = Cost{1};
        } else if constexpr (detail::has_moves<P>) {
            step = static_cast<Cost>(problem.move_cost(path[i - 1], moves[i - 1]));
        } else {
            bool is_found = false;
            for (auto&& neighbor : problem.neighbors(path[i - 1])) {
                if (!(neighbor.cost < Cost{}) && (!is_found || neighbor.cost < step) &&
                    is_equal(state_t<P>(neighbor.to), path[i])) {
                    step = neighbor.cost;
                    is_found = true;
                }
            }
        }
        sum = static_cast<Cost>(sum + step);
    }
    return sum;
}

} // namespace npuzzle::detail
