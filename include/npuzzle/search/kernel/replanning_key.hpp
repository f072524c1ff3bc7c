#pragma once

#include "npuzzle/search/core/cost.hpp"

#include <concepts>
#include <cstdint>
#include <limits>

/// \file
/// What searches that replan compare: the lengths of paths, and the entries of their open lists.

namespace npuzzle::detail {

/// The cost of a path, and its number of steps: of two paths of equal cost the one of fewer steps is less. So
/// each step makes a path longer, even one that costs nothing or that rounding swallows, and no states can
/// have their paths from each other in a circle. By default there is no path, which is more than any.
template <class Cost>
struct PathLength {
    static constexpr std::uint32_t no_path = (std::numeric_limits<std::uint32_t>::max)();

    Cost cost{};
    std::uint32_t steps = no_path;

    [[nodiscard]] bool exists() const { return steps != no_path; }

    friend bool operator<(const PathLength& a, const PathLength& b) {
        return a.exists() && (!b.exists() || a.cost < b.cost || (!(b.cost < a.cost) && a.steps < b.steps));
    }
};

/// An entry of the open list: a node by its number, and its key. Ordered by f, among equals by the length of
/// the path.
template <class Estimate, class Cost>
struct ReplanningEntry {
    Estimate priority;
    Cost cost;
    std::uint32_t steps;
    std::uint32_t node;

    friend bool operator<(const ReplanningEntry& a, const ReplanningEntry& b) {
        return a.priority < b.priority ||
               (!(b.priority < a.priority) && (a.cost < b.cost || (!(b.cost < a.cost) && a.steps < b.steps)));
    }
};

/// A rounded sum of a path and an estimate may be less than the sum of the path before it, although the
/// heuristic is consistent. Estimates that are less by this share keep the order, unless a path costs more
/// than millions of times a step.
template <class Estimate>
inline constexpr Estimate rounding_margin = Estimate{};

template <std::floating_point Estimate>
inline constexpr Estimate rounding_margin<Estimate> = [] {
    Estimate root{1};
    while (root * root > std::numeric_limits<Estimate>::epsilon()) {
        root /= 2;
    }
    return root;
}();

} // namespace npuzzle::detail
