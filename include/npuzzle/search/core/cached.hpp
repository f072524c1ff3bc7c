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
class BoundCached {
    using State = state_t<P>;
    using Value = value_t<B, P>;

public:
    static constexpr bool is_consistent = declares_consistent<B>;
    static constexpr bool is_zero_at_goals = declares_zero_at_goals<B>;
    static constexpr bool marks_dead_ends = declares_dead_ends<B>;

    BoundCached(B heuristic, const P& problem, std::size_t entries)
        : heuristic_(std::move(heuristic)), problem_(&problem), entries_(entries) {}

    Value operator()(const State& state) {
        std::optional<Entry>& entry = entries_[hash_state(*problem_, state) & (entries_.size() - 1)];
        if (!entry || !is_equal(entry->state, state)) {
            const Value value = heuristic_(state);
            entry.emplace(Entry{state, value});
        }
        return entry->value;
    }

private:
    struct Entry {
        State state;
        Value value;
    };

    B heuristic_;
    const P* problem_;
    std::vector<std::optional<Entry>> entries_;
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
        return detail::BoundCached<P, bound_t<H, P>>(bind_heuristic(heuristic_, problem), problem,
                                                     std::bit_ceil(entries_));
    }

private:
    H heuristic_;
    std::size_t entries_;
};

} // namespace npuzzle
