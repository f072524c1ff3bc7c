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

template <class P, bool leaves_process>
constexpr auto choose_traveling() {
    using State = state_t<P>;
    if constexpr (PackedProblem<P>) {
        constexpr bool is_like_a_word =
            std::is_trivially_copyable_v<State> && sizeof(State) <= sizeof(packed_t<P>);
        return std::type_identity<std::conditional_t<is_like_a_word, State, packed_t<P>>>{};
    } else if constexpr (leaves_process && SerializingProblem<P>) {
        return std::type_identity<std::remove_cvref_t<decltype(std::declval<const P&>().serialize(
            std::declval<const State&>()))>>{};
    } else {
        return std::type_identity<State>{};
    }
}

/// What a state travels as: its word, unless the state is no larger itself and can be copied like one.
/// \tparam leaves_process whether it goes to other processes, and not only to other threads
template <Problem P, bool leaves_process = false>
using traveling_t = typename decltype(choose_traveling<P, leaves_process>())::type;

template <bool leaves_process = false, Problem P>
traveling_t<P, leaves_process> pack_for_travel([[maybe_unused]] const P& problem, state_t<P>&& state) {
    if constexpr (std::same_as<traveling_t<P, leaves_process>, state_t<P>>) {
        return std::move(state);
    } else if constexpr (PackedProblem<P>) {
        return problem.pack(state);
    } else {
        return problem.serialize(state);
    }
}

template <bool leaves_process = false, Problem P>
state_t<P> unpack_traveler([[maybe_unused]] const P& problem, traveling_t<P, leaves_process>&& traveling) {
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
