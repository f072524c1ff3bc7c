/// @file
/// Compares samples of large pattern databases with a direct search.
#pragma once

#include <npuzzle/puzzle/pattern_database/table.hpp>

#include "support/pattern_space.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace test {

/// The cells of a bit mask.
inline std::vector<int> cells_of(std::uint32_t set) {
    std::vector<int> cells;
    for (int cell = 0; cell < 32; ++cell) {
        if ((set >> cell & 1U) != 0) {
            cells.push_back(cell);
        }
    }
    return cells;
}

/// Looks up `count` random placements in an additive table and searches for each of them. Lists the entries
/// that are wrong; empty if there are none.
inline std::string wrong_entries(const npuzzle::PatternTable& table, int count, std::uint64_t seed) {
    const npuzzle::TableShape& shape = table.shape();
    const auto ranking = shape.ranking();
    const oracle::PatternSearch search(shape.n, cells_of(shape.cells), shape.blank);
    Random random(seed);
    std::string wrong;
    for (int i = 0; i < count; ++i) {
        std::vector<int> cells;
        while (cells.size() < static_cast<std::size_t>(shape.pieces())) {
            const int cell = random.between(0, shape.n * shape.n - 1);
            if (std::find(cells.begin(), cells.end(), cell) == cells.end()) {
                cells.push_back(cell);
            }
        }
        const std::uint64_t index = ranking.index(ranking.place(cells));
        if (const int cost = search.cost(cells); table[index] != cost) {
            wrong += "entry " + std::to_string(index) + " is " + std::to_string(table[index]) + ", not " +
                     std::to_string(cost) + "\n";
        }
    }
    return wrong;
}

} // namespace test
