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

/// How a part of a combination is evaluated: what is kept of a state, how that follows a move, and its value.
template <class B, class P>
struct EvaluatedPart {
    using Value = value_t<B, P>;

    static constexpr bool is_evaluating = EvaluatingHeuristicFor<B, P>;
    static constexpr bool is_lazy = LazyHeuristicFor<B, P>;
    static constexpr bool follows_moves = is_evaluating || IncrementalHeuristicFor<B, P>;
    static constexpr bool calls_anew =
        is_evaluating ? calls_parts_anew<B> : !follows_moves && !std::is_same_v<B, Zero>;

    static auto choose_evaluation() {
        if constexpr (is_evaluating) {
            return std::type_identity<typename B::Evaluation>{};
        } else {
            return std::type_identity<Value>{};
        }
    }

    using Evaluation = typename decltype(choose_evaluation())::type;

    template <class State>
    static constexpr Evaluation evaluate(B& part, const State& state) {
        if constexpr (is_evaluating) {
            return part.evaluate(state);
        } else {
            return part(state);
        }
    }

    template <class State, class Move>
    NPUZZLE_ALWAYS_INLINE static constexpr Evaluation
    after(B& part, const Evaluation& evaluation, const State& before, Move move, const State& after) {
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
    template <class State, class Move, class Limit>
    NPUZZLE_ALWAYS_INLINE static constexpr Value
    after_within(B& part, Evaluation& result, const Evaluation& evaluation, const State& before, Move move,
                 const State& after, [[maybe_unused]] const Limit& limit) {
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

// How values are combined: `Value<Ts...>` is the type of the result for parts of these types, and
// `combine<marks_dead_ends>(values...)` combines values of that type. If it marks dead ends, the greatest
// value is one, and nothing else may become it.

struct Maximum {
    static constexpr bool keeps_consistency = true;

    template <class... Ts>
    using Value = std::common_type_t<Ts...>;

    template <bool marks_dead_ends, class T, std::same_as<T>... Ts>
    [[nodiscard]] constexpr T combine(T largest, Ts... rest) const {
        ((largest = largest < rest ? rest : largest), ...);
        return largest;
    }
};

struct LazyMaximum : Maximum {};

/// A type for sums and products: no narrower than `int`.
template <class... Ts>
struct roomy : std::common_type<Ts...> {};

template <class... Ts>
    requires(std::is_arithmetic_v<Ts> && ...)
struct roomy<Ts...> : std::common_type<int, Ts...> {};

/// Heuristics that are bound to a problem, and combined.
template <class Combine, class... Bs>
class BoundCombination {
public:
    static constexpr bool is_consistent = Combine::keeps_consistency && (declares_consistent<Bs> && ...);
    static constexpr bool is_zero_at_goals = (declares_zero_at_goals<Bs> && ...);
    static constexpr bool marks_dead_ends = (declares_dead_ends<Bs> || ...);
    static constexpr bool waits_for_memory = (declares_waits_for_memory<Bs> || ...);

    constexpr explicit BoundCombination(const Combine& combine, Bs... parts)
        : combine_(combine), parts_(std::move(parts)...) {}

    template <class State>
    constexpr auto operator()(const State& state) {
        return std::apply([&](auto&... parts) { return combine(parts(state)...); }, parts_);
    }

protected:
    /// The value of a part in a type of the combination.
    template <class B, class Value, class T>
    static constexpr Value convert(const T& value) {
        const Value converted = convert_value<Value, B>(value);
        return marks_dead_ends && !declares_dead_ends<B> ? finite(converted) : converted;
    }

    /// The values of all parts, combined.
    template <class... Ts>
    constexpr auto combine(const Ts&... values) const {
        using Value = typename Combine::template Value<Ts...>;
        return combine_.template combine<marks_dead_ends>(convert<Bs, Value>(values)...);
    }

    NPUZZLE_NO_UNIQUE_ADDRESS Combine combine_;
    std::tuple<Bs...> parts_;
};

/// The same where a part follows moves: the evaluation of a state holds the parts' evaluations.
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
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation after(const Evaluation& evaluation, const state_t<P>& before,
                                                     Move move, const state_t<P>& after) {
        Evaluation result;
        follow<0, Bs...>(result, evaluation, before, move, after);
        return result;
    }

    /// Evaluates no more parts once one is beyond the limit.
    template <class Move, class Limit>
    NPUZZLE_ALWAYS_INLINE constexpr auto after_within(Evaluation& result, const Evaluation& evaluation,
                                                      const state_t<P>& before, Move move,
                                                      const state_t<P>& after, const Limit& limit)
        requires std::same_as<Combine, LazyMaximum>
    {
        return follow_within<0, Bs...>(result, evaluation, before, move, after, limit);
    }

    constexpr auto value(const Evaluation& evaluation) {
        return with_indices([&]<std::size_t... i>(std::index_sequence<i...>) {
            return this->combine(
                EvaluatedPart<Bs, P>::value(std::get<i>(this->parts_), element_of<i>(evaluation))...);
        });
    }

private:
    // Inlined by force, so that moves known at compile time stay known. Without a lambda and an index
    // sequence, which every move of an unrolled search would instantiate anew.
    template <std::size_t i, class First, class... Rest, class Row, class Move>
    NPUZZLE_ALWAYS_INLINE constexpr void follow(Row& result, const Row& evaluation, const state_t<P>& before,
                                                Move move, const state_t<P>& after) {
        result.first =
            EvaluatedPart<First, P>::after(std::get<i>(this->parts_), evaluation.first, before, move, after);
        if constexpr (sizeof...(Rest) > 0) {
            follow<i + 1, Rest...>(result.rest, evaluation.rest, before, move, after);
        }
    }

    template <std::size_t i, class First, class... Rest, class Row, class Move, class Limit>
    NPUZZLE_ALWAYS_INLINE constexpr auto follow_within(Row& result, const Row& evaluation,
                                                       const state_t<P>& before, Move move,
                                                       const state_t<P>& after, const Limit& limit) {
        using Value = std::common_type_t<typename EvaluatedPart<Bs, P>::Value...>;
        const auto value = this->template convert<First, Value>(EvaluatedPart<First, P>::after_within(
            std::get<i>(this->parts_), result.first, evaluation.first, before, move, after, limit));
        if constexpr (sizeof...(Rest) > 0) {
            if (!(limit < value)) {
                const Value rest =
                    follow_within<i + 1, Rest...>(result.rest, evaluation.rest, before, move, after, limit);
                return value < rest ? rest : value;
            }
        }
        return value;
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

struct Sum {
    static constexpr bool keeps_consistency = false;

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
    constexpr explicit Combination(const Combine& combine, Hs... parts)
        : combine_(combine), parts_(std::move(parts)...) {}

    template <class P>
    [[nodiscard]] constexpr auto bind(const P& problem) const
        requires(HeuristicFor<Hs, P> && ...)
    {
        using Bound = std::conditional_t<FollowsMoves<P, bound_t<Hs, P>...>,
                                         EvaluatingCombination<Combine, P, bound_t<Hs, P>...>,
                                         BoundCombination<Combine, bound_t<Hs, P>...>>;
        return std::apply(
            [&](const auto&... parts) { return Bound(combine_, bind_heuristic(parts, problem)...); }, parts_);
    }

private:
    NPUZZLE_NO_UNIQUE_ADDRESS Combine combine_;
    std::tuple<Hs...> parts_;
};

} // namespace detail

/// The greatest of several heuristics: `MaxOf{Manhattan{}, mine}`. Admissible (consistent) if all of them
/// are. Where the problem has moves and a part follows them, so does this; other parts are called each time.
template <class... Hs>
    requires(sizeof...(Hs) > 0)
class MaxOf : public detail::Combination<detail::Maximum, Hs...> {
public:
    constexpr explicit MaxOf(Hs... parts)
        : detail::Combination<detail::Maximum, Hs...>({}, std::move(parts)...) {}
};

/// The same as `MaxOf`, for heuristics that take long, such as look-ups in tables larger than the cache: a
/// `LazyHeuristicFor` where a part follows moves. `ida_star` asks a part only if those before it do not
/// prune, and visits the same states as with `MaxOf`. For quick parts `MaxOf` is faster.
template <class... Hs>
    requires(sizeof...(Hs) > 0)
class LazyMaxOf : public detail::Combination<detail::LazyMaximum, Hs...> {
public:
    constexpr explicit LazyMaxOf(Hs... parts)
        : detail::Combination<detail::LazyMaximum, Hs...>({}, std::move(parts)...) {}
};

/// The sum of several heuristics. Admissible only if they are additive: no two of them count the cost of the
/// same step. Follows moves as `MaxOf` does.
template <class... Hs>
    requires(sizeof...(Hs) > 0)
class SumOf : public detail::Combination<detail::Sum, Hs...> {
public:
    constexpr explicit SumOf(Hs... parts)
        : detail::Combination<detail::Sum, Hs...>({}, std::move(parts)...) {}
};

/// A heuristic times a factor, which is finite and not negative: `Scaled{Manhattan{}, 1.5}`. With a factor w
/// > 1 the solution costs at most w times the optimum (Pohl 1970). Follows moves if the heuristic does.
template <class H, class Factor>
class Scaled : public detail::Combination<detail::Multiple<Factor>, H> {
public:
    constexpr Scaled(H heuristic, Factor factor)
        : detail::Combination<detail::Multiple<Factor>, H>({factor}, std::move(heuristic)) {}
};

} // namespace npuzzle
