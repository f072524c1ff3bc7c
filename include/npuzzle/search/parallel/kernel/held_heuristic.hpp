#pragma once

#include "npuzzle/search/core/heuristic.hpp"

#include <type_traits>

/// \file
/// How the threads of a search hold its heuristic.

namespace npuzzle::detail {

/// Whether all that is called of a heuristic is `const`.
template <class B, class P>
concept ConstHeuristic =
    requires(const B& heuristic, const state_t<P>& state) { heuristic(state); } &&
    (!IncrementalHeuristicFor<B, P> ||
     requires(const B& heuristic, const estimate_t<B, P>& value, const state_t<P>& state,
              const move_t<P>& move) { heuristic.after(value, state, move, state); }) &&
    (!EvaluatingHeuristicFor<B, P> || requires(const B& heuristic, const typename B::Evaluation& evaluation,
                                               const state_t<P>& state, const move_t<P>& move) {
        heuristic.evaluate(state);
        heuristic.after(evaluation, state, move, state);
        heuristic.value(evaluation);
    });

/// How each thread holds a heuristic: a copy of what `bind` made, as searches on one thread hold it, and of
/// what cannot be shared or is copied with its bytes; else a reference.
template <class B, class P, bool is_made_by_bind>
using held_heuristic_t = std::conditional_t<is_made_by_bind || std::is_trivially_copyable_v<B> ||
                                                !ConstHeuristic<std::remove_const_t<B>, P>,
                                            std::remove_const_t<B>, B&>;

} // namespace npuzzle::detail
