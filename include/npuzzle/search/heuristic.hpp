#pragma once

#include "npuzzle/search/cost.hpp"
#include "npuzzle/search/problem.hpp"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// Heuristics: any callable that estimates what is left to pay from a state to the nearest goal.

namespace npuzzle {

/// The heuristic that knows nothing: 0 everywhere, in the problem's own cost type. With it A* is Dijkstra's algorithm.
struct Zero {
    static constexpr bool is_consistent = true;

    template <class State>
    constexpr int operator()(const State&) const {
        return 0;
    }
};

/// Rung: a heuristic that has to know its problem (the goal, the size of a board) says so by `bind(problem)`, which
/// gives the callable that the search then uses. `astar(puzzle, start, Manhattan{})` thus follows the puzzle's goal.
template <class H, class P>
concept BindsTo =
    requires(const std::remove_cvref_t<H>& heuristic, const P& problem) { heuristic.bind(problem); };

namespace detail {

template <class H, class P>
struct bound {
    using type = std::remove_cvref_t<H>;
};

template <class H, class P>
    requires BindsTo<H, P>
struct bound<H, P> {
    using type = std::remove_cvref_t<decltype(std::declval<const std::remove_cvref_t<H>&>().bind(
        std::declval<const P&>()))>;
};

/// What a search calls: the heuristic itself, or what its `bind` made for the problem.
template <class H, class P>
using bound_t = typename bound<H, P>::type;

template <class B, class P>
struct estimate {};

template <class B, class P>
using value_t = std::remove_cvref_t<decltype(std::declval<B&>()(std::declval<const state_t<P>&>()))>;

template <class B, class P>
    requires requires(B& bound, const state_t<P>& state) { bound(state); }
struct estimate<B, P> : std::conditional_t<std::is_same_v<B, Zero>, std::type_identity<cost_t<P>>,
                                           std::common_type<cost_t<P>, value_t<B, P>>> {};

} // namespace detail

/// The callable that `astar` uses for a heuristic: `heuristic.bind(problem)` where there is one, else a copy of it.
template <class H, class P>
constexpr detail::bound_t<H, P> bind_heuristic(const H& heuristic, const P& problem) {
    if constexpr (BindsTo<H, P>) {
        return heuristic.bind(problem);
    } else {
        return heuristic;
    }
}

/// A heuristic for the states of a problem: callable with a state (bound to the problem first, if it `BindsTo` it), and
/// its value can be added to a cost. Admissible if it never exceeds the true cost to the nearest goal; then A* is
/// optimal. Consistent if it falls by no more than the cost of a step along it; then A* expands no state twice. A
/// heuristic may declare `static constexpr bool is_consistent = true`, and debug builds then check each step.
/// An infinite value (the largest one, for integers) says that no goal can be reached from the state.
template <class H, class P>
concept HeuristicFor = Problem<P> && requires(detail::bound_t<H, P>& bound, const typename P::State& state) {
    bound(state);
    typename detail::estimate<detail::bound_t<H, P>, P>::type;
};

/// The type of g + h: the common type of the problem's costs and the heuristic's values.
template <class H, class P>
using estimate_t = typename detail::estimate<detail::bound_t<H, P>, P>::type;

/// Rung: `after(value, before, move, after)` gives the value in the state `after`, reached from `before` (where it was
/// `value`) by `move`. Equal to calling the heuristic on `after`, and faster.
template <class H, class P>
concept IncrementalHeuristicFor = MoveProblem<P> && HeuristicFor<H, P> &&
                                  requires(detail::bound_t<H, P>& bound, const estimate_t<H, P>& value,
                                           const typename P::State& state, typename P::Move move) {
                                      {
                                          bound.after(value, state, move, state)
                                      } -> std::convertible_to<estimate_t<H, P>>;
                                  };

/// Whether a heuristic declares itself consistent.
template <class H>
inline constexpr bool declares_consistent =
    requires { requires bool(std::remove_cvref_t<H>::is_consistent); };

namespace detail {

template <class Combine, class... Hs>
class BoundCombination {
public:
    static constexpr bool is_consistent = Combine::keeps_consistency && (declares_consistent<Hs> && ...);

    constexpr explicit BoundCombination(Hs... parts) : parts_(std::move(parts)...) {}

    template <class State>
    constexpr auto operator()(const State& state) {
        return std::apply([&](auto&... parts) { return Combine{}(parts(state)...); }, parts_);
    }

private:
    std::tuple<Hs...> parts_;
};

struct Maximum {
    static constexpr bool keeps_consistency = true;

    template <class T, class... Ts>
    constexpr auto operator()(T first, Ts... rest) const {
        using Value = std::common_type_t<T, Ts...>;
        Value largest = saturating_cast<Value>(first);
        ((largest = largest < saturating_cast<Value>(rest) ? saturating_cast<Value>(rest) : largest), ...);
        return largest;
    }
};

struct Sum {
    static constexpr bool keeps_consistency = false;

    template <class T, class... Ts>
    constexpr auto operator()(T first, Ts... rest) const {
        using Value = std::common_type_t<T, Ts...>;
        Value sum = saturating_cast<Value>(first);
        ((sum = saturating_add<Value>(sum, saturating_cast<Value>(rest))), ...);
        return sum;
    }
};

template <class Combine, class... Hs>
class Combination {
public:
    constexpr explicit Combination(Hs... parts) : parts_(std::move(parts)...) {}

    template <class P>
    constexpr auto bind(const P& problem) const
        requires(HeuristicFor<Hs, P> && ...)
    {
        return std::apply(
            [&](const auto&... parts) {
                return BoundCombination<Combine, bound_t<Hs, P>...>(bind_heuristic(parts, problem)...);
            },
            parts_);
    }

private:
    std::tuple<Hs...> parts_;
};

} // namespace detail

/// The greatest of several heuristics: `MaxOf{Manhattan{}, mine}`. Admissible (consistent) if all of them are.
template <class... Hs>
    requires(sizeof...(Hs) > 0)
class MaxOf : public detail::Combination<detail::Maximum, Hs...> {
public:
    constexpr explicit MaxOf(Hs... parts)
        : detail::Combination<detail::Maximum, Hs...>(std::move(parts)...) {}
};

/// The sum of several heuristics. Admissible only if they are additive: no step's cost is counted by two of them.
template <class... Hs>
    requires(sizeof...(Hs) > 0)
class SumOf : public detail::Combination<detail::Sum, Hs...> {
public:
    constexpr explicit SumOf(Hs... parts) : detail::Combination<detail::Sum, Hs...>(std::move(parts)...) {}
};

/// A heuristic times a factor: `Scaled{Manhattan{}, 1.5}`. With a factor w > 1 the solution costs at most w times the
/// optimum (Pohl 1970).
template <class H, class Factor>
class Scaled {
    template <class B>
    class Bound {
    public:
        constexpr Bound(B heuristic, Factor factor) : heuristic_(std::move(heuristic)), factor_(factor) {}

        template <class State>
        constexpr auto operator()(const State& state) {
            const auto value = heuristic_(state);
            using Value = std::common_type_t<Factor, std::remove_cvref_t<decltype(value)>>;
            return detail::saturating_multiply(detail::saturating_cast<Value>(factor_),
                                               detail::saturating_cast<Value>(value));
        }

    private:
        B heuristic_;
        Factor factor_;
    };

public:
    constexpr Scaled(H heuristic, Factor factor) : heuristic_(std::move(heuristic)), factor_(factor) {}

    template <class P>
    constexpr auto bind(const P& problem) const
        requires HeuristicFor<H, P>
    {
        return Bound<detail::bound_t<H, P>>(bind_heuristic(heuristic_, problem), factor_);
    }

private:
    H heuristic_;
    Factor factor_;
};

} // namespace npuzzle
