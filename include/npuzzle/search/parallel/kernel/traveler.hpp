#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

/// \file
/// How states go from one owner to another.

namespace npuzzle {

/// The problem can make another value of a state: `serialize(state)`.
template <class P>
concept HasSerialize = requires(const P problem, const state_t<P>& state) { problem.serialize(state); };

/// Optional capability, for states that cannot be sent to other processes as they are: `serialize(state)`
/// returns a value that can (see `Serializable`), such as a `std::string`, and `deserialize(value)` the state
/// again.
template <class P>
concept SerializingProblem = HasSerialize<P> && requires(const P problem, const state_t<P>& state) {
    { problem.deserialize(problem.serialize(state)) } -> std::convertible_to<state_t<P>>;
};

namespace detail {

/// A state as it travels: its word, unless the state is no larger itself and can be copied like one.
/// \tparam leaves_process whether it goes to other processes, and not only to other threads
template <bool leaves_process = false, Problem P>
auto pack_for_travel(const P& problem, state_t<P>&& state) {
    using State = state_t<P>;
    if constexpr (PackedProblem<P>) {
        if constexpr (std::is_trivially_copyable_v<State> && sizeof(State) <= sizeof(packed_t<P>)) {
            return State(state);
        } else {
            return problem.pack(state);
        }
    } else if constexpr (leaves_process && SerializingProblem<P>) {
        return problem.serialize(state);
    } else {
        return State(std::move(state));
    }
}

template <class P, bool leaves_process = false>
using traveling_t =
    decltype(pack_for_travel<leaves_process>(std::declval<const P&>(), std::declval<state_t<P>>()));

template <bool leaves_process = false, Problem P>
state_t<P> unpack_traveler(const P& problem, traveling_t<P, leaves_process>&& traveling) {
    if constexpr (std::same_as<traveling_t<P, leaves_process>, state_t<P>>) {
        return std::move(traveling);
    } else if constexpr (PackedProblem<P>) {
        return problem.unpack(traveling);
    } else {
        return problem.deserialize(std::move(traveling));
    }
}

/// A neighbor on its way to the owner of its state.
template <class Traveling, class Cost, class ChildEvaluation, class Link>
struct Traveler {
    Traveling state;
    Cost cost;
    NPUZZLE_NO_UNIQUE_ADDRESS ChildEvaluation child_evaluation;
    NPUZZLE_NO_UNIQUE_ADDRESS Link link;
};

} // namespace detail

} // namespace npuzzle
