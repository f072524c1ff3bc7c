#pragma once

#include "npuzzle/search/engine/evaluated_part.hpp"
#include "npuzzle/search/engine/priority.hpp"

#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// Heuristics made of others.

namespace npuzzle {

namespace detail {

/// Two bound heuristics, combined. If one marks dead ends, the greatest value is one, and no other becomes it.
template <class Combine, class P, class A, class B>
class BoundPair {
    using State = state_t<P>;
    using First = EvaluatedPart<A, P>;
    using Second = EvaluatedPart<B, P>;
    using Value = typename Combine::template Value<value_t<A, P>, value_t<B, P>>;

    struct Both {
        typename First::Evaluation first{};
        typename Second::Evaluation second{};
    };

    static constexpr bool follows_moves = MoveProblem<P> && (First::follows_moves || Second::follows_moves) &&
                                          std::is_trivially_copyable_v<Both> &&
                                          std::default_initializable<typename First::Evaluation> &&
                                          std::default_initializable<typename Second::Evaluation>;

public:
    using Evaluation = std::conditional_t<follows_moves, Both, Nothing>;

    static constexpr bool is_consistent =
        Combine::is_maximum && declares_consistent<A> && declares_consistent<B>;
    static constexpr bool is_zero_at_goals = declares_zero_at_goals<A> && declares_zero_at_goals<B>;
    static constexpr bool marks_dead_ends = declares_dead_ends<A> || declares_dead_ends<B>;
    static constexpr bool waits_for_memory = declares_waits_for_memory<A> || declares_waits_for_memory<B>;
    static constexpr bool calls_parts_anew = First::calls_anew || Second::calls_anew;

    constexpr BoundPair(const Combine& combine, A first, B second)
        : combine_(combine), first_(std::move(first)), second_(std::move(second)) {}

    constexpr Value operator()(const State& state) { return combine(first_(state), second_(state)); }

    constexpr Evaluation evaluate(const State& state)
        requires follows_moves
    {
        return {First::evaluate(first_, state), Second::evaluate(second_, state)};
    }

    // Inlined by force, so that moves known at compile time stay known.
    template <class Move>
    NPUZZLE_ALWAYS_INLINE constexpr Evaluation after(const Evaluation& evaluation, const State& before,
                                                     Move move, const State& after) {
        return {First::after(first_, evaluation.first, before, move, after),
                Second::after(second_, evaluation.second, before, move, after)};
    }

    /// Evaluates the second part only if the first one is within the limit.
    template <class Move, class Limit>
        requires(Combine::is_maximum && declares_waits_for_memory<B>)
    NPUZZLE_ALWAYS_INLINE constexpr Value after_within(Evaluation& result, const Evaluation& evaluation,
                                                       const State& before, Move move, const State& after,
                                                       const Limit& limit) {
        const Value value = convert<A>(
            First::after_within(first_, result.first, evaluation.first, before, move, after, limit));
        if (limit < value) return value;
        const Value other = convert<B>(
            Second::after_within(second_, result.second, evaluation.second, before, move, after, limit));
        return value < other ? other : value;
    }

    constexpr Value value(const Evaluation& evaluation) {
        return combine(First::value(first_, evaluation.first), Second::value(second_, evaluation.second));
    }

private:
    template <class Part, class T>
    static constexpr Value convert(const T& value) {
        const Value converted = convert_value<Value, Part>(value);
        return marks_dead_ends && !declares_dead_ends<Part> ? finite(converted) : converted;
    }

    constexpr Value combine(const value_t<A, P>& first, const value_t<B, P>& second) const {
        return combine_.template combine<marks_dead_ends>(convert<A>(first), convert<B>(second));
    }

    NPUZZLE_NO_UNIQUE_ADDRESS Combine combine_;
    A first_;
    B second_;
};

struct Maximum {
    static constexpr bool is_maximum = true;

    template <class A, class B>
    using Value = std::common_type_t<A, B>;

    template <bool marks_dead_ends, class T>
    constexpr T combine(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};

/// Beside `Zero`.
template <class Factor>
struct Multiple {
    static constexpr bool is_maximum = false;

    Factor factor;

    /// No narrower than `int`.
    template <class A, class>
    using Value = typename std::conditional_t<std::is_arithmetic_v<A>, std::common_type<int, Factor, A>,
                                              std::common_type<Factor, A>>::type;

    template <bool marks_dead_ends, class T>
    constexpr T combine(const T& value, const T& /*zero*/) const {
        if ((marks_dead_ends || std::numeric_limits<T>::has_infinity) && is_infinite(value)) {
            return value; // even if the factor is zero
        }
        const T product = saturating_multiply(finite(clamping_cast<T>(factor)), finite(value));
        return marks_dead_ends ? finite(product) : product;
    }
};

template <class Combine, class... Hs>
class Combination {
public:
    template <class P>
    constexpr auto bind(const P& problem) const
        requires(HeuristicFor<Hs, P> && ...)
    {
        return std::apply([&](const auto&... parts) { return bind_all(problem, parts...); }, parts_);
    }

protected:
    constexpr explicit Combination(const Combine& combine, Hs... parts)
        : combine_(combine), parts_(std::move(parts)...) {}

private:
    template <class P, class H, class... Rest>
    constexpr auto bind_all(const P& problem, const H& first, const Rest&... rest) const {
        if constexpr (sizeof...(Rest) == 0) {
            return bind_heuristic(first, problem);
        } else {
            auto others = bind_all(problem, rest...);
            return BoundPair<Combine, P, bound_t<H, P>, decltype(others)>(
                combine_, bind_heuristic(first, problem), std::move(others));
        }
    }

    NPUZZLE_NO_UNIQUE_ADDRESS Combine combine_;
    std::tuple<Hs...> parts_;
};

} // namespace detail

/// Declares `marks_dead_ends` for a lambda, or another class without `bind`: `MarksDeadEnds{[](const State&
/// state) { ... return std::numeric_limits<int>::max(); }}`.
template <class H>
struct MarksDeadEnds : H {
    static constexpr bool marks_dead_ends = true;
};

template <class H>
MarksDeadEnds(H) -> MarksDeadEnds<H>;

/// Declares `is_consistent` likewise. `verify_consistency` checks it.
template <class H>
struct Consistent : H {
    static constexpr bool is_consistent = true;
};

template <class H>
Consistent(H) -> Consistent<H>;

/// The greatest of several heuristics: `MaxOf{Manhattan{}, mine}`. Admissible (consistent) if all are. Follows
/// moves if a part does; other parts are called each time. With unit costs, `ida_star` asks those that
/// `declares_waits_for_memory` only if those before them do not prune.
template <class H, class... Hs>
struct MaxOf : detail::Combination<detail::Maximum, H, Hs...> {
    constexpr explicit MaxOf(H first, Hs... rest)
        : MaxOf::Combination({}, std::move(first), std::move(rest)...) {}
};

/// A heuristic times a factor, which is finite and not negative: `Scaled{Manhattan{}, 1.5}`. With a factor w
/// > 1 the solution costs at most w times the optimum (Pohl 1970).
template <class H, class Factor>
struct Scaled : detail::Combination<detail::Multiple<Factor>, H, Zero> {
    constexpr Scaled(H heuristic, Factor factor)
        : Scaled::Combination({factor}, std::move(heuristic), Zero{}) {}
};

} // namespace npuzzle
