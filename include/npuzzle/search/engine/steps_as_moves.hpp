#pragma once

#include "npuzzle/search/core/problem_adaptors.hpp"
#include "npuzzle/search/engine/expansion.hpp"

#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// Moves for a problem that has none, for searches that go by moves.

namespace npuzzle::detail {

/// Gives a problem without moves a move for each neighbor: the states on both sides of the step.
template <Problem P>
class StepsAsMoves : public ProblemAdaptor<P> {
public:
    using State = state_t<P>;

    struct Move {
        std::optional<State> from;
        std::optional<State> to;
        cost_t<P> cost{};

        friend bool operator==(const Move&, const Move&) = default;
    };
    static inline const Move no_move{};

    using ProblemAdaptor<P>::ProblemAdaptor;

    [[nodiscard]] bool is_goal(const State& state) const { return bool(this->problem_->is_goal(state)); }

    template <class F>
    void for_each_move(const State& state, const Move& last, F&& f) const {
        for_each_neighbor(*this->problem_, state, [&](State&& to, const cost_t<P>& step, const auto&) {
            if (!last.from || !is_equal(*last.from, to)) {
                f(Move{state, std::move(to), step});
            }
        });
    }
    void apply(State& state, const Move& move) const { state = *move.to; }
    [[nodiscard]] Move inverse(const Move& move) const { return {move.to, move.from, move.cost}; }
    [[nodiscard]] cost_t<P> move_cost(const State& /*state*/, const Move& move) const { return move.cost; }
};

template <class P, class Result>
search_result_t<P> without_moves(Result&& result) {
    return {{},
            result.status,
            std::move(result.path),
            std::move(result.cost),
            result.statistics,
            std::move(result.partial_path)};
}

} // namespace npuzzle::detail
