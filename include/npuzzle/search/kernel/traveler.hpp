#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

/// \file
/// How states go from one owner to another.

namespace npuzzle::detail {

template <class P>
constexpr auto choose_traveling() {
    using State = state_t<P>;
    if constexpr (PackedProblem<P>) {
        constexpr bool is_like_a_word =
            std::is_trivially_copyable_v<State> && sizeof(State) <= sizeof(packed_t<P>);
        return std::type_identity<std::conditional_t<is_like_a_word, State, packed_t<P>>>{};
    } else {
        return std::type_identity<State>{};
    }
}

/// What a state travels as: its word, unless the state is no larger itself and can be copied like one.
template <Problem P>
using traveling_t = typename decltype(choose_traveling<P>())::type;

template <Problem P>
traveling_t<P> pack_for_travel([[maybe_unused]] const P& problem, state_t<P>&& state) {
    if constexpr (std::same_as<traveling_t<P>, state_t<P>>) {
        return std::move(state);
    } else {
        return problem.pack(state);
    }
}

template <Problem P>
state_t<P> unpack_traveler([[maybe_unused]] const P& problem, traveling_t<P>&& traveling) {
    if constexpr (std::same_as<traveling_t<P>, state_t<P>>) {
        return std::move(traveling);
    } else {
        return problem.unpack(traveling);
    }
}

/// A neighbor on its way to the owner of its state.
template <class Traveling, class Cost, class Early, class Link>
struct Traveler {
    Traveling state;
    Cost cost;
    NPUZZLE_NO_UNIQUE_ADDRESS Early early;
    NPUZZLE_NO_UNIQUE_ADDRESS Link link;
};

} // namespace npuzzle::detail
