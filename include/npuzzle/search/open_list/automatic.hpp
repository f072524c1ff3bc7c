#pragma once

#include "npuzzle/search/open_list/buckets.hpp"
#include "npuzzle/search/open_list/heap.hpp"
#include "npuzzle/search/open_list/ladder.hpp"

#include <concepts>
#include <type_traits>

/// \file
/// The open list of whoever has not chosen one.

namespace npuzzle {

namespace detail {

template <class Priority, class Cost, class Key, bool has_unit_steps>
constexpr auto choose_open_list() {
    if constexpr (has_unit_steps && std::integral<Priority> && std::integral<Cost>) {
        return std::type_identity<BucketOpenList<Priority, Cost, Key>>{};
    } else if constexpr (std::is_arithmetic_v<Priority> && std::is_arithmetic_v<Cost>) {
        return std::type_identity<LadderOpenList<Priority, Cost, Key>>{};
    } else {
        return std::type_identity<HeapOpenList<Priority, Cost, Key>>{};
    }
}

} // namespace detail

/// Buckets for steps of cost 1 and integer estimates; the ladder for other numbers; the heap for all else.
template <class Priority, class Cost, class Key, bool has_unit_steps>
using AutomaticOpenList =
    typename decltype(detail::choose_open_list<Priority, Cost, Key, has_unit_steps>())::type;

} // namespace npuzzle
