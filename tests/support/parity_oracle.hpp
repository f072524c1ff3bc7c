/// @file
/// Solvability by counting inversions. This is the method of the literature; it shares nothing with the
/// library's method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oracle {

/// The number of pairs of elements in the wrong order, by merging; O(k log k). `values` is sorted on return.
inline std::int64_t sort_and_count_inversions(std::vector<std::int32_t>& values) {
    std::int64_t inversions = 0;
    std::vector<std::int32_t> merged(values.size());
    for (std::size_t width = 1; width < values.size(); width *= 2) {
        for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
            const std::size_t middle = begin + width < values.size() ? begin + width : values.size();
            const std::size_t end = middle + width < values.size() ? middle + width : values.size();
            std::size_t left = begin;
            std::size_t right = middle;
            for (std::size_t out = begin; out < end; ++out) {
                if (right == end || (left != middle && values[left] < values[right])) {
                    merged[out] = values[left++];
                } else {
                    inversions += static_cast<std::int64_t>(middle - left);
                    merged[out] = values[right++];
                }
            }
        }
        values.swap(merged);
    }
    return inversions;
}

/// Whether the blank-last goal can be reached. For odd n: whether the number of inversions among the tiles,
/// without the blank, is even. For even n: whether that number plus the blank's row, counted from 0 at the
/// bottom, is even.
template <class B>
bool is_solvable(const B& board) {
    std::vector<std::int32_t> tiles;
    std::int64_t row_from_bottom = 0;
    for (int row = 0; row < board.size(); ++row) {
        for (int col = 0; col < board.size(); ++col) {
            const int tile = board.tile_at(row, col);
            if (tile != 0) tiles.push_back(tile);
            if (tile == 0) row_from_bottom = board.size() - 1 - row;
        }
    }
    const std::int64_t inversions = sort_and_count_inversions(tiles);
    return (board.size() % 2 == 1 ? inversions : inversions + row_from_bottom) % 2 == 0;
}

} // namespace oracle
