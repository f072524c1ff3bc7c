#pragma once

#include "npuzzle/macros.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Lines of bits, such as the rows of a map, with zeros around them, so that nothing tests for an edge.
class BitLines {
public:
    static constexpr int word_bits = 64;

    BitLines(int length, int lines)
        : words_(static_cast<std::size_t>(length) / word_bits + 1),
          bits_(words_ * (static_cast<std::size_t>(lines) + 2) + 2) {}

    /// The number of a bit, for the other functions. `line` is from -1 to `lines`.
    [[nodiscard]] std::size_t at(int i, int line) const {
        return (words_ * static_cast<std::size_t>(line + 1) + 1) * word_bits + static_cast<std::size_t>(i);
    }
    /// How much greater the number is of the same bit in the next line.
    [[nodiscard]] std::size_t stride() const { return words_ * word_bits; }
    [[nodiscard]] bool test(std::size_t bit) const {
        return (bits_[bit / word_bits] >> bit % word_bits & 1U) != 0;
    }
    void set(std::size_t bit, bool value) {
        const std::uint64_t mask = std::uint64_t{1} << bit % word_bits;
        std::uint64_t& word = bits_[bit / word_bits];
        word = (word & ~mask) | (value ? mask : 0);
    }
    /// The word of line `line` that has bit `i`, a multiple of 64.
    [[nodiscard]] std::uint64_t& word(int i, int line) { return bits_[at(i, line) / word_bits]; }
    /// The 64 bits from `bit` on, the lowest first.
    [[nodiscard]] std::uint64_t from(std::size_t bit) const {
        const std::uint64_t* const words = bits_.data() + bit / word_bits;
        return words[0] >> bit % word_bits | words[1] << 1 << (word_bits - 1 - bit % word_bits);
    }

private:
    std::size_t words_; // of a line; the last bit of a line is 0
    std::vector<std::uint64_t> bits_;
};

/// See `GridMap::directions`.
inline constexpr std::array<std::array<int, 2>, 8> grid_directions{
    {{0, -1}, {-1, 0}, {1, 0}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};

/// Mirrors a square of bits at its diagonal, by ever smaller squares.
inline void transpose(std::array<std::uint64_t, 64>& lines) {
    std::uint64_t mask = 0xFFFF'FFFF;
    for (unsigned side = 32; side != 0; side /= 2, mask ^= mask << side) {
        for (std::size_t i = 0; i < lines.size(); i = ((i | side) + 1) & ~std::size_t{side}) {
            const std::uint64_t swapped = (lines[i] >> side ^ lines[i | side]) & mask;
            lines[i] ^= swapped << side;
            lines[i | side] ^= swapped;
        }
    }
}

/// The free cells of a map, and the steps between them.
class GridCells {
public:
    /// \param corners how many of the two cells beside a diagonal step must be free; 3 if there are no such steps
    template <class F>
    GridCells(int width, int height, int corners, F&& is_free)
        : width_(width), height_(height), corners_(corners), rows_(width, height), columns_(height, width),
          steps_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
        constexpr int side = BitLines::word_bits;
        for (int y = 0; y < height; ++y) {
            for (int first = 0; first < width; first += side) {
                std::uint64_t word = 0;
                for (int x = first; x < (std::min)(first + side, width); ++x) {
                    word |= std::uint64_t{is_free(x, y) ? 1U : 0U} << (x - first);
                }
                rows_.word(first, y) = word;
            }
        }
        for (int y = 0; y < height; y += side) {
            const int lines = (std::min)(side, height - y);
            for (int x = 0; x < width; x += side) {
                std::array<std::uint64_t, side> square{};
                for (int i = 0; i < lines; ++i) square[static_cast<std::size_t>(i)] = rows_.word(x, y + i);
                transpose(square);
                for (int i = 0; i < (std::min)(side, width - x); ++i) {
                    columns_.word(y, x + i) = square[static_cast<std::size_t>(i)];
                }
            }
        }
        find_steps(0, 0, width, height, nullptr);
    }

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }
    /// Which cells are free: by rows, and by columns.
    [[nodiscard]] const BitLines& rows() const noexcept { return rows_; }
    [[nodiscard]] const BitLines& columns() const noexcept { return columns_; }
    /// A bit for each direction in which there is a step.
    [[nodiscard]] unsigned steps(std::size_t cell) const { return steps_[cell]; }

    /// Frees or blocks the cells of a rectangle that is on the map.
    /// \return the cells whose steps have changed
    std::vector<std::uint32_t> set_free(int left, int top, int width, int height, bool is_free) {
        for (int y = top; y < top + height; ++y) {
            for (int x = left; x < left + width; ++x) {
                rows_.set(rows_.at(x, y), is_free);
                columns_.set(columns_.at(y, x), is_free);
            }
        }
        std::vector<std::uint32_t> changed;
        find_steps((std::max)(left - 1, 0), (std::max)(top - 1, 0), (std::min)(left + width + 1, width_),
                   (std::min)(top + height + 1, height_), &changed);
        return changed;
    }

private:
    /// The directions of eight cells, a byte for each: a square of bits, mirrored at its diagonal.
    [[nodiscard]] static std::uint64_t bytes_of_cells(const std::array<std::uint64_t, 8>& steps, int first) {
        std::uint64_t square = 0;
        for (std::size_t i = 0; i < 8; ++i) square |= (steps[i] >> first & 255U) << 8 * i;
        const auto swap = [&](unsigned distance, std::uint64_t mask) {
            const std::uint64_t swapped = (square ^ square >> distance) & mask;
            square ^= swapped ^ swapped << distance;
        };
        swap(7, 0x00AA00AA00AA00AA);
        swap(14, 0x0000CCCC0000CCCC);
        swap(28, 0x00000000F0F0F0F0);
        return square;
    }

    /// Finds the steps of at least the cells from column `left` to `right`, and row `top` to `bottom`, the last
    /// excluded, from what is free: 64 cells of a row at a time.
    void find_steps(int left, int top, int right, int bottom, std::vector<std::uint32_t>* changed) {
        constexpr int lanes = BitLines::word_bits;
        for (int y = top; y < bottom; ++y) {
            for (int x = left - left % lanes; x < right; x += lanes) {
                const auto free = [&](int dx, int dy) { return rows_.from(rows_.at(x + dx, y + dy)); };
                std::array<std::uint64_t, 8> steps{}; // for each direction, a bit for each cell
                for (std::size_t direction = 0; direction < (corners_ == 3 ? 4U : 8U); ++direction) {
                    const auto [dx, dy] = grid_directions[direction];
                    std::uint64_t to = free(0, 0) & free(dx, dy);
                    if (direction >= 4 && corners_ == 2) to &= free(dx, 0) & free(0, dy);
                    if (direction >= 4 && corners_ == 1) to &= free(dx, 0) | free(0, dy);
                    steps[direction] = to;
                }
                std::size_t cell = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                   static_cast<std::size_t>(x);
                const int count = (std::min)(lanes, width_ - x);
                for (int i = 0; i < count; i += 8, cell += 8) {
                    const std::uint64_t square = bytes_of_cells(steps, i);
                    std::array<std::uint8_t, 8> found;
                    for (std::size_t k = 0; k < 8; ++k) found[k] = static_cast<std::uint8_t>(square >> 8 * k);
                    const auto here = static_cast<std::size_t>((std::min)(8, count - i));
                    for (std::size_t k = 0; changed != nullptr && k < here; ++k) {
                        if (steps_[cell + k] != found[k]) {
                            changed->push_back(static_cast<std::uint32_t>(cell + k));
                        }
                    }
                    if (here == 8) {
                        std::memcpy(steps_.data() + cell, found.data(), 8); // one store
                    } else {
                        std::memcpy(steps_.data() + cell, found.data(), here);
                    }
                }
            }
        }
    }

    int width_;
    int height_;
    int corners_;
    BitLines rows_;
    BitLines columns_;
    std::vector<std::uint8_t> steps_;
};

} // namespace npuzzle::detail
