#pragma once

#include <array>

/// Published boards that the benchmarks solve.

namespace benchmarks {

/// A 15-puzzle board in the convention of its source: the goal has the blank first, 0 1 2 ... 15.
struct Instance {
    int number;       ///< in the published list
    int optimal_cost; ///< published
    std::array<int, 16> tiles;
};

/// The first five of the 100 boards of R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search",
/// Artificial Intelligence 27 (1985) 97-109.
inline constexpr std::array<Instance, 5> korf_first_five{{
    {1, 57, {14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3}},
    {2, 55, {13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6}},
    {3, 59, {14, 7, 8, 2, 13, 11, 10, 4, 9, 12, 5, 0, 3, 6, 1, 15}},
    {4, 56, {5, 12, 10, 7, 15, 11, 14, 0, 8, 2, 1, 13, 3, 4, 9, 6}},
    {5, 56, {4, 7, 14, 13, 10, 3, 9, 12, 11, 5, 6, 15, 1, 2, 8, 0}},
}};

} // namespace benchmarks
