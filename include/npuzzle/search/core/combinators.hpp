#pragma once

#include "npuzzle/search/core/heuristic.hpp"

#include <concepts>
#include <cstddef>
#include <limits>
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

template <class P, class B>
constexpr auto evaluate_part(B& part, const state_t<P>& state) {
    if constexpr (EvaluatingHeuristicFor<B, P>) {
        return part.evaluate(state);
    } else {
        return part(state);
    }
}

/// How a heuristic is evaluated: what is kept of a state (an evaluation, or the value itself), and how that
/// follows a move.
template <class B, class P>
struct EvaluatedPart {
    using Value = value_t<B, P>;

    static constexpr bool is_evaluating = EvaluatingHeuristicFor<B, P>;
    static constexpr bool is_lazy = LazyHeuristicFor<B, P>;
    static constexpr bool follows_moves = is_evaluating || IncrementalHeuristicFor<B, P>;
    static constexpr bool calls_anew =
        is_evaluating ? calls_parts_anew<B> : !follows_moves && !std::is_same_v<B, Zero>;

    static constexpr auto evaluate(B& part, const state_t<P>& state) { return evaluate_part<P>(part, state); }

    using Evaluation = decltype(evaluate_part<P>(std::declval<B&>(), std::declval<const state_t<P>&>()));

    template <class Move>
    NPUZZLE_ALWAYS_INLINE static constexpr Evaluation after(B& part, const Evaluation& evaluation,
                                                            const state_t<P>& before, Move move,
                                                            const state_t<P>& after) {
        if constexpr (is_evaluating) {
            return part.after(evaluation, before, move, after);
        } else if constexpr (follows_moves) {
            using Estimate = estimate_t<B, P>;
            return convert_value<Value, B>(static_cast<Estimate>(
                part.after(convert_value<Estimate, B>(evaluation), before, move, after)));
        } else {
            return part(after);
        }
    }

    /// As `after_within` of a `LazyHeuristicFor`.
    template <class Move, class Limit>
    NPUZZLE_ALWAYS_INLINE static constexpr Value
    after_within(B& part, Evaluation& result, const Evaluation& evaluation, const state_t<P>& before,
                 Move move, const state_t<P>& after, [[maybe_unused]] const Limit& limit) {
        if constexpr (is_lazy) {
            return convert_value<Value, B>(part.after_within(result, evaluation, before, move, after,
                                                             saturating_cast<estimate_t<B, P>>(limit)));
        } else {
            result = EvaluatedPart::after(part, evaluation, before, move, after);
            return value(part, result);
        }
    }

    static constexpr Value value([[maybe_unused]] B& part, const Evaluation& evaluation) {
        if constexpr (is_evaluating) {
            return convert_value<Value, B>(part.value(evaluation));
        } else {
            return evaluation;
        }
    }
};

/// Heuristics that are bound to a problem, and combined: `combine.combine<marks_dead_ends>(values...)`. If it
/// marks dead ends, the greatest value is one, and nothing else may become it. Where a part follows moves, so
/// does the combination: the evaluation of a state holds the parts' evaluations.
template <class Combine, class P, class... Bs>
class BoundCombination {
    using State = state_t<P>;
    using Value = typename Combine::template Value<value_t<Bs, P>...>;

    template <std::size_t i>
    using Part = EvaluatedPart<std::tuple_element_t<i, std::tuple<Bs...>>, P>;

    static constexpr bool follows_moves =
        MoveProblem<P> && (EvaluatedPart<Bs, P>::follows_moves || ...) &&
        (std::is_trivially_copyable_v<typename EvaluatedPart<Bs, P>::Evaluation> && ...) &&
        (std::default_initializable<typename EvaluatedPart<Bs, P>::Evaluation> && ...);

public:
    using Evaluation =
        std::conditional_t<follows_moves, Row<typename EvaluatedPart<Bs, P>::Evaluation...>, Nothing>;

    static constexpr bool is_consistent = Combine::keeps_consistency && (declares_consistent<Bs> && ...);
    static constexpr bool is_zero_at_goals = (declares_zero_at_goals<Bs> && ...);
    static constexpr bool marks_dead_ends = (declares_dead_ends<Bs> || ...);
    static constexpr bool waits_for_memory = (declares_waits_for_memory<Bs> || ...);
    static constexpr bool calls_parts_anew = (EvaluatedPart<Bs, P>::calls_anew || ...);

    constexpr explicit BoundCombination(const Combine& combine, Bs... parts)
        : combine_(combine), parts_(std::move(parts)...) {}

    constexpr Value operator()(const State& state) {
        return std::apply([&](auto&... parts) { return combine(parts(state)...); }, parts_);
    }

    constexpr Evaluation evaluate(const State& state)
        requires follows_moves
    {
        Evaluation result;
        evaluate_from<0>(result, state);
        return result;
    }

    template <class Move>
        requires follows_moves
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation after(const Evaluation& evaluation, const State& before,
                                                     Move move, const State& after) {
        Evaluation result;
        follow<0>(result, evaluation, before, move, after);
        return result;
    }

    /// Evaluates no more parts once one is beyond the limit.
    template <class Move, class Limit>
        requires(follows_moves && Combine::is_lazy)
    NPUZZLE_ALWAYS_INLINE constexpr Value after_within(Evaluation& result, const Evaluation& evaluation,
                                                       const State& before, Move move, const State& after,
                                                       const Limit& limit) {
        return follow_within<0>(result, evaluation, before, move, after, limit);
    }

    constexpr Value value(const Evaluation& evaluation)
        requires follows_moves
    {
        return value_of(evaluation, std::index_sequence_for<Bs...>{});
    }

private:
    template <class B, class T>
    static constexpr Value convert(const T& value) {
        const Value converted = convert_value<Value, B>(value);
        return marks_dead_ends && !declares_dead_ends<B> ? finite(converted) : converted;
    }

    template <class... Ts>
    constexpr Value combine(const Ts&... values) const {
        return combine_.template combine<marks_dead_ends>(convert<Bs>(values)...);
    }

    template <std::size_t i, class Evaluations>
    constexpr void evaluate_from(Evaluations& result, const State& state) {
        result.first = evaluate_part<P>(std::get<i>(parts_), state);
        if constexpr (i + 1 < sizeof...(Bs)) {
            evaluate_from<i + 1>(result.rest, state);
        }
    }

    // Inlined by force, so that moves known at compile time stay known. Without a lambda and an index
    // sequence, which every move of an unrolled search would instantiate anew.
    template <std::size_t i, class Evaluations, class Move>
    NPUZZLE_ALWAYS_INLINE constexpr void follow(Evaluations& result, const Evaluations& evaluation,
                                                const State& before, Move move, const State& after) {
        result.first = Part<i>::after(std::get<i>(parts_), evaluation.first, before, move, after);
        if constexpr (i + 1 < sizeof...(Bs)) {
            follow<i + 1>(result.rest, evaluation.rest, before, move, after);
        }
    }

    template <std::size_t i, class Evaluations, class Move, class Limit>
    NPUZZLE_ALWAYS_INLINE constexpr Value follow_within(Evaluations& result, const Evaluations& evaluation,
                                                        const State& before, Move move, const State& after,
                                                        const Limit& limit) {
        const Value value = convert<std::tuple_element_t<i, std::tuple<Bs...>>>(Part<i>::after_within(
            std::get<i>(parts_), result.first, evaluation.first, before, move, after, limit));
        if constexpr (i + 1 < sizeof...(Bs)) {
            if (!(limit < value)) {
                const Value rest =
                    follow_within<i + 1>(result.rest, evaluation.rest, before, move, after, limit);
                return value < rest ? rest : value;
            }
        }
        return value;
    }

    template <std::size_t... i>
    constexpr Value value_of(const Evaluation& evaluation, std::index_sequence<i...>) {
        return combine(Part<i>::value(std::get<i>(parts_), element_of<i>(evaluation))...);
    }

    template <std::size_t i, class Evaluations>
    static constexpr const auto& element_of(const Evaluations& evaluations) {
        if constexpr (i == 0) {
            return evaluations.first;
        } else {
            return element_of<i - 1>(evaluations.rest);
        }
    }

    NPUZZLE_NO_UNIQUE_ADDRESS Combine combine_;
    std::tuple<Bs...> parts_;
};

template <bool lazy>
struct Maximum {
    static constexpr bool keeps_consistency = true;
    static constexpr bool is_lazy = lazy;

    template <class... Ts>
    using Value = std::common_type_t<Ts...>;

    template <bool marks_dead_ends, class T, std::same_as<T>... Ts>
    [[nodiscard]] constexpr T combine(T largest, Ts... rest) const {
        ((largest = largest < rest ? rest : largest), ...);
        return largest;
    }
};

/// A type for sums and products: no narrower than `int`.
template <class... Ts>
struct roomy : std::common_type<Ts...> {};

template <class... Ts>
    requires(std::is_arithmetic_v<Ts> && ...)
struct roomy<Ts...> : std::common_type<int, Ts...> {};

struct Sum {
    static constexpr bool keeps_consistency = false;
    static constexpr bool is_lazy = false;

    template <class... Ts>
    using Value = typename roomy<Ts...>::type;

    template <bool marks_dead_ends, class T, std::same_as<T>... Ts>
    [[nodiscard]] constexpr T combine(T first, Ts... rest) const {
        T sum = first;
        ((sum = saturating_add(sum, rest)), ...);
        if constexpr (marks_dead_ends) {
            sum = finite(sum);
            for (const T& value : {first, rest...}) {
                sum = is_infinite(value) ? value : sum;
            }
        }
        return sum;
    }
};

template <class Factor>
struct Multiple {
    static constexpr bool keeps_consistency = false;
    static constexpr bool is_lazy = false;

    Factor factor;

    template <class T>
    using Value = typename roomy<Factor, T>::type;

    template <bool marks_dead_ends, class T>
    [[nodiscard]] constexpr T combine(T value) const {
        if constexpr (marks_dead_ends || std::numeric_limits<T>::has_infinity) {
            if (is_infinite(value)) {
                return value; // even if the factor is zero
            }
        }
        const T product = saturating_multiply(finite(clamping_cast<T>(factor)), finite(value));
        return marks_dead_ends ? finite(product) : product;
    }
};

template <class Combine, class... Hs>
class Combination {
public:
    template <class P>
    [[nodiscard]] constexpr auto bind(const P& problem) const
        requires(HeuristicFor<Hs, P> && ...)
    {
        return std::apply(
            [&](const auto&... parts) {
                return BoundCombination<Combine, P, bound_t<Hs, P>...>(combine_,
                                                                       bind_heuristic(parts, problem)...);
            },
            parts_);
    }

protected:
    constexpr explicit Combination(const Combine& combine, Hs... parts)
        : combine_(combine), parts_(std::move(parts)...) {}

private:
    NPUZZLE_NO_UNIQUE_ADDRESS Combine combine_;
    std::tuple<Hs...> parts_;
};

} // namespace detail

/// The greatest of several heuristics: `MaxOf{Manhattan{}, mine}`. Admissible (consistent) if all of them
/// are. Where the problem has moves and a part follows them, so does this; other parts are called each time.
template <class H, class... Hs>
struct MaxOf : detail::Combination<detail::Maximum<false>, H, Hs...> {
    constexpr explicit MaxOf(H first, Hs... rest)
        : MaxOf::Combination({}, std::move(first), std::move(rest)...) {}
};

/// The same as `MaxOf`, for heuristics that take long, such as look-ups in tables larger than the cache: a
/// `LazyHeuristicFor` where a part follows moves. `ida_star` asks a part only if those before it do not
/// prune, and visits the same states as with `MaxOf`. For quick parts `MaxOf` is faster.
template <class H, class... Hs>
struct LazyMaxOf : detail::Combination<detail::Maximum<true>, H, Hs...> {
    constexpr explicit LazyMaxOf(H first, Hs... rest)
        : LazyMaxOf::Combination({}, std::move(first), std::move(rest)...) {}
};

/// The sum of several heuristics. Admissible only if they are additive: no two of them count the cost of the
/// same step. Follows moves as `MaxOf` does.
template <class H, class... Hs>
struct SumOf : detail::Combination<detail::Sum, H, Hs...> {
    constexpr explicit SumOf(H first, Hs... rest)
        : SumOf::Combination({}, std::move(first), std::move(rest)...) {}
};

/// A heuristic times a factor, which is finite and not negative: `Scaled{Manhattan{}, 1.5}`. With a factor w
/// > 1 the solution costs at most w times the optimum (Pohl 1970). Follows moves if the heuristic does.
template <class H, class Factor>
struct Scaled : detail::Combination<detail::Multiple<Factor>, H> {
    constexpr Scaled(H heuristic, Factor factor) : Scaled::Combination({factor}, std::move(heuristic)) {}
};

} // namespace npuzzle
