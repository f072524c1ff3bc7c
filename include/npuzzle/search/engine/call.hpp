#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/core/problem_from.hpp"

#include <concepts>
#include <new>
#include <type_traits>
#include <utility>

/// \file
/// What the calls of all searches have in common.

namespace npuzzle::detail {

/// No state is a goal.
struct NoGoal {
    template <class State>
    constexpr bool operator()(const State& /*state*/) const {
        return false;
    }
};

/// Calls a callback. False if it returns false: it wants no more.
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

/// Makes an engine, runs it, and returns its result.
template <class Engine, class... Arguments>
auto run_engine(Arguments&&... arguments) {
    return guarded_search([&] {
        Engine engine(std::forward<Arguments>(arguments)...);
        engine.run();
        return engine.result();
    });
}

} // namespace npuzzle::detail
