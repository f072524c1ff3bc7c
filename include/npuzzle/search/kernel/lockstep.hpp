#pragma once

#include "npuzzle/search/core/result.hpp"

#include <concepts>
#include <cstddef>

namespace npuzzle {

/// A search that can be stepped, such as `AStar`: `step()` does one expansion and returns whether the search
/// goes on; `status()` says how it stands.
template <class E>
concept SteppedEngine = requires(E& engine, const E& constant) {
    { engine.step() } -> std::convertible_to<bool>;
    { constant.status() } -> std::same_as<SearchStatus>;
};

/// Advances several searches turn by turn, one step each, until one of them ends. Returns which: 0 for the
/// first. One that has ended already is returned at once.
template <SteppedEngine First, SteppedEngine... Rest>
std::size_t lockstep(First& first, Rest&... rest) {
    std::size_t turn = 0;
    const auto ends = [&turn](auto& engine) {
        if (engine.status() != SearchStatus::running || !engine.step()) {
            return true;
        }
        ++turn;
        return false;
    };
    while (!ends(first) && !(ends(rest) || ...)) {
        turn = 0;
    }
    return turn;
}

} // namespace npuzzle
