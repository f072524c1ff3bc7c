#pragma once

#include "npuzzle/search/open_list/buckets.hpp"
#include "npuzzle/search/open_list/ladder.hpp"

#include <concepts>
#include <type_traits>

namespace npuzzle {

namespace detail {

template <class Priority, class Cost, class Key, class TieBreak>
constexpr auto choose_heap() {
    using Heap = AutomaticHeap<Priority, Cost, Key, TieBreak>;
    if constexpr (requires { typename Heap::type; }) {
        return std::type_identity<typename Heap::type>{};
    } else {
        static_assert(
            requires { typename Heap::type; },
            "Include <npuzzle/search/open_list/heap.hpp>: priorities that are not numbers, a tie-break of "
            "your own and HeapPolicy need it, and Boost.Heap");
        return std::type_identity<BinaryHeap<OpenEntry<Priority, Cost, Key>>>{}; // no more errors than this
    }
}

template <class Priority, class Cost, class Key, bool has_unit_steps, class TieBreak>
constexpr auto choose_open_list() {
    if constexpr (!std::is_arithmetic_v<Priority> || !std::is_arithmetic_v<Cost> ||
                  !std::same_as<TieBreak, GreatestCostFirst>) {
        return choose_heap<Priority, Cost, Key, TieBreak>();
    } else if constexpr (has_unit_steps && std::integral<Priority> && std::integral<Cost>) {
        return std::type_identity<BucketOpenList<Priority, Cost, Key>>{};
    } else {
        return std::type_identity<LadderOpenList<Priority, Cost, Key>>{};
    }
}

} // namespace detail

/// Buckets for steps of cost 1 and integer estimates; the ladder for other numbers; else, and with your own
/// tie-break, the heap: include `npuzzle/search/open_list/heap.hpp` before the search is used.
template <class Priority, class Cost, class Key, bool has_unit_steps, class TieBreak = GreatestCostFirst>
using AutomaticOpenList =
    typename decltype(detail::choose_open_list<Priority, Cost, Key, has_unit_steps, TieBreak>())::type;

} // namespace npuzzle
