#pragma once

#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/memory/budget.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

/// \file
/// Whether a state is on the path of a depth-first search.

namespace npuzzle::detail {

/// Finds states on a path that grows and shrinks at its end. The path itself is kept elsewhere: a sequence
/// whose elements have a member `state`, no two of them equal.
///
/// The states of a short path are compared one after another. The states of a longer one are found by hash, in
/// expected O(1) time, if the problem `HasHash`; else, too, one after another.
template <Problem P>
class PathIndex {
public:
    PathIndex(const P& problem, MemoryBudget& budget)
        : problem_(&problem), hashes_(BudgetAllocator<std::size_t>(budget)),
          slots_(BudgetAllocator<std::size_t>(budget)) {}

    /// Whether a state is on the path. Throws `std::bad_alloc` if the budget or the system refuses memory.
    template <class Path>
    bool contains(const Path& path, const state_t<P>& state) {
        if constexpr (HasHash<P>) {
            if (path.size() > max_compared) {
                return find(path, state);
            }
        }
        return std::any_of(path.begin(), path.end(),
                           [&](const auto& step) { return is_equal(step.state, state); });
    }

    /// To be called before the path changes, but for states that are added to it: so many of its first states
    /// stay.
    void shorten(std::size_t size) noexcept {
        while (hashes_.size() > size) {
            // Whatever came after the last state is gone, so no other search for a slot goes over its own.
            std::size_t slot = home(hashes_.back());
            while (slots_[slot] != hashes_.size() - 1) {
                slot = next(slot);
            }
            slots_[slot] = none;
            hashes_.pop_back();
        }
    }

private:
    /// Measured on the 15-puzzle: in shorter paths comparing is no slower than hashing.
    static constexpr std::size_t max_compared = 64;
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    std::size_t home(std::size_t hash) const noexcept { return hash & (slots_.size() - 1); }
    std::size_t next(std::size_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }

    template <class Path>
    bool find(const Path& path, const state_t<P>& state) {
        while (hashes_.size() < path.size()) {
            add(hash_state(*problem_, path[hashes_.size()].state));
        }
        const std::size_t hash = hash_state(*problem_, state);
        for (std::size_t slot = home(hash); slots_[slot] != none; slot = next(slot)) {
            const std::size_t place = slots_[slot];
            if (hashes_[place] == hash && is_equal(path[place].state, state)) {
                return true;
            }
        }
        return false;
    }

    /// Adds the hash of the next state of the path.
    void add(std::size_t hash) {
        hashes_.push_back(hash);
        if (2 * hashes_.size() <= slots_.size()) {
            put(hashes_.size() - 1);
            return;
        }
        try {
            slots_.assign(std::max<std::size_t>(4 * max_compared, 2 * slots_.size()), none);
        } catch (...) {
            hashes_.pop_back();
            throw;
        }
        for (std::size_t place = 0; place < hashes_.size(); ++place) {
            put(place);
        }
    }

    void put(std::size_t place) noexcept {
        std::size_t slot = home(hashes_[place]);
        while (slots_[slot] != none) {
            slot = next(slot);
        }
        slots_[slot] = place;
    }

    using Numbers = std::vector<std::size_t, BudgetAllocator<std::size_t>>;

    const P* problem_;
    Numbers hashes_; // of the first states of the path
    Numbers slots_;  // by hash, with linear probing: places on the path
};

} // namespace npuzzle::detail
