#pragma once

#include "npuzzle/search/core/heuristic.hpp"

#include <bit>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

template <class P, class B>
struct BoundCached {
    struct Entry {
        state_t<P> state;
        value_t<B, P> value;
    };

    static constexpr bool is_consistent = declares_consistent<B>;
    static constexpr bool is_zero_at_goals = declares_zero_at_goals<B>;
    static constexpr bool marks_dead_ends = declares_dead_ends<B>;

    B heuristic;
    const P* problem;
    std::vector<std::optional<Entry>> entries;

    value_t<B, P> operator()(const state_t<P>& state) {
        std::optional<Entry>& entry = entries[hash_state(*problem, state) & (entries.size() - 1)];
        if (!entry || !is_equal(entry->state, state)) {
            const value_t<B, P> value = heuristic(state);
            entry.emplace(Entry{state, value});
        }
        return entry->value;
    }
};

} // namespace detail

/// A heuristic that remembers its values: `Cached{my_heuristic}`. For one that takes microseconds, where a
/// search asks for a state more than once: in `ida_star`, or over several bounds. `AStar` stores what it has
/// evaluated, and gains little.
///
/// The table has a fixed number of entries, one for each hash; a new state replaces the old one. Each search
/// has its own table. The problem must outlive it. Moves are not followed.
template <class H>
class Cached {
public:
    /// \param entries how many values are kept; a power of two is made of it by rounding up
    /// \throws std::invalid_argument if `entries` is 0
    explicit Cached(H heuristic, std::size_t entries = std::size_t{1} << 16)
        : heuristic_(std::move(heuristic)), entries_(entries) {
        if (entries == 0) {
            throw std::invalid_argument("a cache needs at least one entry");
        }
    }

    /// O(entries). \throws std::bad_alloc
    template <class P>
        requires(HeuristicFor<H, P> && HasHash<P>)
    [[nodiscard]] auto bind(const P& problem) const {
        using Bound = detail::BoundCached<P, bound_t<H, P>>;
        return Bound{bind_heuristic(heuristic_, problem), &problem,
                     std::vector<std::optional<typename Bound::Entry>>(std::bit_ceil(entries_))};
    }

private:
    H heuristic_;
    std::size_t entries_;
};

} // namespace npuzzle
