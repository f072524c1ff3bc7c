#pragma once

#include "npuzzle/search/core/capabilities.hpp"

#include <type_traits>

namespace npuzzle::detail {

template <class B, class Value, bool is_evaluating>
struct evaluation_of : std::type_identity<Value> {};
template <class B, class Value>
struct evaluation_of<B, Value, true> : std::type_identity<typename B::Evaluation> {};

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

    using Evaluation = typename evaluation_of<B, Value, is_evaluating>::type;

    static constexpr Evaluation evaluate(B& part, const state_t<P>& state) {
        if constexpr (is_evaluating) {
            return part.evaluate(state);
        } else {
            return part(state);
        }
    }

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

} // namespace npuzzle::detail
