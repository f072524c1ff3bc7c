#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// Heuristics made of others: the greatest, the sum, a multiple.

namespace npuzzle {

namespace detail {

/// Several objects side by side, trivially copyable if they are, which `std::tuple` is not.
template <class... Ts>
struct Row {};

template <class T, class... Ts>
struct Row<T, Ts...> {
    T first{};
    NPUZZLE_NO_UNIQUE_ADDRESS Row<Ts...> rest{};
};

template <std::size_t i, class T, class... Ts>
constexpr const auto& element_of(const Row<T, Ts...>& row) {
    if constexpr (i == 0) {
        return row.first;
    } else {
        return element_of<i - 1>(row.rest);
    }
}

constexpr Row<> make_row() {
    return {};
}

template <class T, class... Ts>
constexpr Row<T, Ts...> make_row(const T& first, const Ts&... rest) {
    return {first, make_row(rest...)};
}

/// How a part of a combination is followed from move to move: what is kept of a state, and what it makes of
/// that.
template <class B, class P>
struct EvaluatedPart {
    using Value = value_t<B, P>;
    using Evaluation = Value;

    static constexpr bool follows_moves = false;
    static constexpr bool calls_anew = !std::is_same_v<B, Zero>;

    template <class State>
    static constexpr Evaluation evaluate(B& part, const State& state) {
        return part(state);
    }

    template <class State, class Move>
    static constexpr Evaluation after(B& part, const Evaluation& /*evaluation*/, const State& /*before*/,
                                      Move /*move*/, const State& after) {
        return part(after);
    }

    static constexpr Value value(B&, const Evaluation& evaluation) { return evaluation; }
};

template <class B, class P>
    requires(IncrementalHeuristicFor<B, P> && !EvaluatingHeuristicFor<B, P>)
struct EvaluatedPart<B, P> {
    using Value = value_t<B, P>;
    using Evaluation = Value;

    static constexpr bool follows_moves = true;
    static constexpr bool calls_anew = false;

    template <class State>
    static constexpr Evaluation evaluate(B& part, const State& state) {
        return part(state);
    }

    template <class State, class Move>
    static constexpr Evaluation after(B& part, const Evaluation& evaluation, const State& before, Move move,
                                      const State& after) {
        using Estimate = estimate_t<B, P>;
        return saturating_cast<Value>(
            static_cast<Estimate>(part.after(saturating_cast<Estimate>(evaluation), before, move, after)));
    }

    static constexpr Value value(B&, const Evaluation& evaluation) { return evaluation; }
};

template <class B, class P>
    requires EvaluatingHeuristicFor<B, P>
struct EvaluatedPart<B, P> {
    using Value = value_t<B, P>;
    using Evaluation = typename B::Evaluation;

    static constexpr bool follows_moves = true;
    static constexpr bool calls_anew = calls_parts_anew<B>;

    template <class State>
    static constexpr Evaluation evaluate(B& part, const State& state) {
        return part.evaluate(state);
    }

    template <class State, class Move>
    static constexpr Evaluation after(B& part, const Evaluation& evaluation, const State& before, Move move,
                                      const State& after) {
        return part.after(evaluation, before, move, after);
    }

    static constexpr Value value(B& part, const Evaluation& evaluation) {
        return saturating_cast<Value>(part.value(evaluation));
    }
};

template <class Combine, class... Bs>
class BoundCombination {
public:
    static constexpr bool is_consistent = Combine::keeps_consistency && (declares_consistent<Bs> && ...);
    static constexpr bool is_zero_at_goals = (declares_zero_at_goals<Bs> && ...);

    constexpr explicit BoundCombination(Bs... parts) : parts_(std::move(parts)...) {}

    template <class State>
    constexpr auto operator()(const State& state) {
        return std::apply([&](auto&... parts) { return Combine{}(parts(state)...); }, parts_);
    }

protected:
    std::tuple<Bs...> parts_;
};

/// The same where there is a part that follows moves: the evaluation is those of the parts.
template <class Combine, class P, class... Bs>
class EvaluatingCombination : public BoundCombination<Combine, Bs...> {
public:
    using Evaluation = Row<typename EvaluatedPart<Bs, P>::Evaluation...>;

    static constexpr bool calls_parts_anew = (EvaluatedPart<Bs, P>::calls_anew || ...);

    using BoundCombination<Combine, Bs...>::BoundCombination;

    constexpr Evaluation evaluate(const state_t<P>& state) {
        return std::apply(
            [&](Bs&... parts) { return make_row(EvaluatedPart<Bs, P>::evaluate(parts, state)...); },
            this->parts_);
    }

    template <class Move>
    constexpr Evaluation after(const Evaluation& evaluation, const state_t<P>& before, Move move,
                               const state_t<P>& after) {
        Evaluation result;
        follow<0, Bs...>(result, evaluation, before, move, after);
        return result;
    }

    constexpr auto value(const Evaluation& evaluation) {
        return with_indices([&]<std::size_t... i>(std::index_sequence<i...>) {
            return Combine{}(
                EvaluatedPart<Bs, P>::value(std::get<i>(this->parts_), element_of<i>(evaluation))...);
        });
    }

private:
    // Without a lambda and an index sequence, which every move of an unrolled search would instantiate anew.
    template <std::size_t i, class First, class... Rest, class Row, class Move>
    constexpr void follow(Row& result, const Row& evaluation, const state_t<P>& before, Move move,
                          const state_t<P>& after) {
        result.first =
            EvaluatedPart<First, P>::after(std::get<i>(this->parts_), evaluation.first, before, move, after);
        if constexpr (sizeof...(Rest) > 0) {
            follow<i + 1, Rest...>(result.rest, evaluation.rest, before, move, after);
        }
    }

    template <class F>
    static constexpr auto with_indices(F&& visit) {
        return visit(std::index_sequence_for<Bs...>{});
    }
};

template <class P, class... Bs>
concept FollowsMoves = MoveProblem<P> && (EvaluatedPart<Bs, P>::follows_moves || ...) &&
                       (std::is_trivially_copyable_v<typename EvaluatedPart<Bs, P>::Evaluation> && ...) &&
                       (std::default_initializable<typename EvaluatedPart<Bs, P>::Evaluation> && ...);

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
                if constexpr (FollowsMoves<P, bound_t<Hs, P>...>) {
                    return EvaluatingCombination<Combine, P, bound_t<Hs, P>...>(
                        bind_heuristic(parts, problem)...);
                } else {
                    return BoundCombination<Combine, bound_t<Hs, P>...>(bind_heuristic(parts, problem)...);
                }
            },
            parts_);
    }

private:
    std::tuple<Hs...> parts_;
};

} // namespace detail

/// The greatest of several heuristics: `MaxOf{Manhattan{}, mine}`. Admissible (consistent) if all of them
/// are. Where the problem has moves and a part follows them, by values or by evaluations, so does this; parts
/// that do not are called anew.
template <class... Hs>
    requires(sizeof...(Hs) > 0)
class MaxOf : public detail::Combination<detail::Maximum, Hs...> {
public:
    constexpr explicit MaxOf(Hs... parts)
        : detail::Combination<detail::Maximum, Hs...>(std::move(parts)...) {}
};

/// The sum of several heuristics. Admissible only if they are additive: no step's cost is counted by two of
/// them. Follows moves as `MaxOf` does.
template <class... Hs>
    requires(sizeof...(Hs) > 0)
class SumOf : public detail::Combination<detail::Sum, Hs...> {
public:
    constexpr explicit SumOf(Hs... parts) : detail::Combination<detail::Sum, Hs...>(std::move(parts)...) {}
};

namespace detail {

template <class B, class Factor>
class BoundScaled {
public:
    static constexpr bool is_zero_at_goals = declares_zero_at_goals<B>;

    constexpr BoundScaled(B heuristic, Factor factor) : heuristic_(std::move(heuristic)), factor_(factor) {}

    template <class State>
    constexpr auto operator()(const State& state) {
        return scaled(heuristic_(state));
    }

protected:
    template <class T>
    constexpr auto scaled(const T& value) const {
        using Value = std::common_type_t<Factor, T>;
        return saturating_multiply(saturating_cast<Value>(factor_), saturating_cast<Value>(value));
    }

    B heuristic_;
    Factor factor_;
};

template <class P, class B, class Factor>
class EvaluatingScaled : public BoundScaled<B, Factor> {
public:
    using Evaluation =
        Row<typename EvaluatedPart<B, P>::Evaluation>; // no type that a value could be mistaken for

    static constexpr bool calls_parts_anew = EvaluatedPart<B, P>::calls_anew;

    using BoundScaled<B, Factor>::BoundScaled;

    constexpr Evaluation evaluate(const state_t<P>& state) {
        return make_row(EvaluatedPart<B, P>::evaluate(this->heuristic_, state));
    }

    template <class Move>
    constexpr Evaluation after(const Evaluation& evaluation, const state_t<P>& before, Move move,
                               const state_t<P>& after) {
        return make_row(EvaluatedPart<B, P>::after(this->heuristic_, evaluation.first, before, move, after));
    }

    constexpr auto value(const Evaluation& evaluation) {
        return this->scaled(EvaluatedPart<B, P>::value(this->heuristic_, evaluation.first));
    }
};

} // namespace detail

/// A heuristic times a factor, which is finite and not negative: `Scaled{Manhattan{}, 1.5}`. With a factor w
/// > 1 the solution costs at most w times the optimum (Pohl 1970). Follows moves if the heuristic does.
template <class H, class Factor>
class Scaled {
public:
    constexpr Scaled(H heuristic, Factor factor) : heuristic_(std::move(heuristic)), factor_(factor) {}

    template <class P>
    constexpr auto bind(const P& problem) const
        requires HeuristicFor<H, P>
    {
        using Bound = bound_t<H, P>;
        if constexpr (detail::FollowsMoves<P, Bound>) {
            return detail::EvaluatingScaled<P, Bound, Factor>(bind_heuristic(heuristic_, problem), factor_);
        } else {
            return detail::BoundScaled<Bound, Factor>(bind_heuristic(heuristic_, problem), factor_);
        }
    }

private:
    H heuristic_;
    Factor factor_;
};

} // namespace npuzzle
