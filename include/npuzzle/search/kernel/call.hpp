#pragma once

#include "npuzzle/search/core/detail/explain.hpp"
#include "npuzzle/search/core/limits.hpp"

#include <new>
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

template <HasState P>
struct named_state<P> {
    using type = state_t<P>;
};

template <class P>
using named_state_t = typename named_state<P>::type;

/// What `search()` returns; `memory_limit` if there was not even the memory to set its engine up.
template <class F>
auto guarded_search(F&& search) {
    try {
        return search();
    } catch (const std::bad_alloc&) {
        decltype(search()) result;
        result.status = Status::memory_limit;
        return result;
    }
}

/// Runs an engine from its making to its result.
template <class Engine, class... Arguments>
auto run_engine(Arguments&&... arguments) {
    return guarded_search([&] {
        Engine engine(std::forward<Arguments>(arguments)...);
        engine.run();
        return engine.result();
    });
}

} // namespace npuzzle::detail
