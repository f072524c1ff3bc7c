#pragma once

#include "npuzzle/search/core/detail/explain.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/problem_from.hpp"

#include <concepts>
#include <new>
#include <type_traits>
#include <utility>

/// \file
/// What the calls of all searches have in common.

namespace npuzzle::detail {

// A compiler may put the types of a call together before it looks at the constraints (clang 14 does). For
// what is not a `Problem` these still name a type, so that it comes to the constraints, and its message to
// the atom that is missing.
template <class P>
struct named_state {
    using type = P;
};

template <class P>
    requires requires { typename P::State; }
struct named_state<P> {
    using type = state_t<P>;
};

template <class P>
using named_state_t = typename named_state<P>::type;

template <class S, class N, class G>
struct called_problem {};

template <class S, class N, class G>
    requires are_like_callables<S, N, G>
struct called_problem<S, N, G> {
    using type = FunctionProblem<S, N&, G&>;
    static_assert(explain_callables<S, N, G>());
};

/// No state is a goal.
struct NoGoal {
    template <class State>
    constexpr bool operator()(const State& /*state*/) const {
        return false;
    }
};

/// The problem of a call with a start and callables in its place. Names a type for those alone, so that the
/// call is for nothing else, and says what is wrong with them. Refers to the callables.
template <class S, class N, class G>
using called_problem_t =
    typename called_problem<std::decay_t<S>, std::remove_reference_t<N>, std::remove_reference_t<G>>::type;

/// Calls a callback, which may return false for no more, or nothing.
template <class F, class... Arguments>
bool wants_more(F& callback, const Arguments&... arguments) {
    if constexpr (std::convertible_to<std::invoke_result_t<F&, const Arguments&...>, bool>) {
        return static_cast<bool>(callback(arguments...));
    } else {
        callback(arguments...);
        return true;
    }
}

/// What `search()` returns; `memory_limit` if there was not even the memory to set its engine up.
template <class F>
auto guarded_search(F&& search) {
    try {
        return search();
    } catch (const std::bad_alloc&) {
        decltype(search()) result;
        result.status = SearchStatus::memory_limit;
        return result;
    }
}

/// Makes an engine, and returns what `use(engine)` does.
template <class Engine, class F, class... Arguments>
auto with_engine(F&& use, Arguments&&... arguments) {
    return guarded_search([&] {
        Engine engine(std::forward<Arguments>(arguments)...);
        return use(engine);
    });
}

/// Runs an engine from its making to its result.
template <class Engine, class... Arguments>
auto run_engine(Arguments&&... arguments) {
    const auto run = [](Engine& engine) {
        engine.run();
        return engine.result();
    };
    return with_engine<Engine>(run, std::forward<Arguments>(arguments)...);
}

/// The same to the result without the states of the path.
template <class Engine, class... Arguments>
auto run_engine_without_path(Arguments&&... arguments) {
    const auto run = [](Engine& engine) {
        engine.run();
        return engine.result_without_path();
    };
    return with_engine<Engine>(run, std::forward<Arguments>(arguments)...);
}

} // namespace npuzzle::detail
