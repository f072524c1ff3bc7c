#pragma once

#include "npuzzle/macros.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
        word = value ? word | mask : word & ~mask;
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
    /// \param word_of called as `word_of(x, y)`, row by row, for each 64th column x: a bit for each of the
    ///        cells of row y from there, the lowest first
    template <class F>
    GridCells(int width, int height, int corners, F&& word_of)
        : width_(width), height_(height), corners_(corners), rows_(width, height), columns_(height, width),
          steps_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
        constexpr int side = BitLines::word_bits;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; x += side) rows_.word(x, y) = word_of(x, y);
        }
        for (int y = 0; y < height; y += side) {
            for (int x = 0; x < width; x += side) {
                std::array<std::uint64_t, side> square{};
                for (int i = 0; i < (std::min)(side, height - y); ++i) {
                    square[static_cast<std::size_t>(i)] = rows_.word(x, y + i);
                }
                transpose(square);
                for (int i = 0; i < (std::min)(side, width - x); ++i) {
                    columns_.word(y, x + i) = square[static_cast<std::size_t>(i)];
                }
            }
        }
        for_each_steps(0, 0, width, height,
                       [&](std::size_t first, const std::uint8_t* steps, std::size_t count) {
                           std::memcpy(steps_.data() + first, steps, count);
                       });
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
        for_each_steps((std::max)(left - 1, 0), (std::max)(top - 1, 0), (std::min)(left + width + 1, width_),
                       (std::min)(top + height + 1, height_),
                       [&](std::size_t first, const std::uint8_t* steps, std::size_t count) {
                           for (std::size_t i = 0; i < count; ++i) {
                               if (steps_[first + i] == steps[i]) continue;
                               steps_[first + i] = steps[i];
                               changed.push_back(static_cast<std::uint32_t>(first + i));
                           }
                       });
        return changed;
    }

private:
    static constexpr std::size_t lanes = BitLines::word_bits;

    /// Eight bits as eight bytes, each of which is 0 or 255.
    static constexpr auto bytes_of_bits = [] {
        std::array<std::array<std::uint8_t, 8>, 256> bytes{};
        for (std::size_t bits = 0; bits < bytes.size(); ++bits) {
            for (std::size_t i = 0; i < 8; ++i) bytes[bits][i] = (bits >> i & 1U) != 0 ? 255 : 0;
        }
        return bytes;
    }();

    /// Finds the steps of at least the cells from column `left` to `right`, and row `top` to `bottom`, the last
    /// excluded, from what is free: `store(first, steps, count)` for cells that follow one another.
    template <class F>
    void for_each_steps(int left, int top, int right, int bottom, F&& store) const {
        // `corner(to, a, b)`: whether a diagonal step leads to a cell, by that cell and the two beside the step.
        // Each is 255 for yes.
        using Byte = std::uint8_t;
        const auto find = [&](auto corner) { find_steps(left, top, right, bottom, store, corner); };
        if (corners_ == 3) {
            find([](Byte, Byte, Byte) { return 0; });
        } else if (corners_ == 2) {
            find([](Byte to, Byte a, Byte b) { return to & a & b; });
        } else if (corners_ == 1) {
            find([](Byte to, Byte a, Byte b) { return to & (a | b); });
        } else {
            find([](Byte to, Byte, Byte) { return to; });
        }
    }

    template <class F, class Corner>
    void find_steps(int left, int top, int right, int bottom, const F& store, const Corner& corner) const {
        // Three rows as a byte a cell, with one more cell at each end: the compiler takes 16 cells at a time.
        left -= left % static_cast<int>(lanes);
        const std::size_t length = static_cast<std::size_t>(right - left + 63) / lanes * lanes + 2;
        std::vector<std::uint8_t> buffer(3 * length);
        std::array<std::uint8_t*, 3> rows{buffer.data(), buffer.data() + length, buffer.data() + 2 * length};
        const auto fill = [&](std::uint8_t* row, int y) {
            const std::size_t first = rows_.at(left, y);
            row[0] = rows_.test(first - 1) ? 255 : 0;
            for (std::size_t i = 0; i + 2 < length; i += lanes) {
                const std::uint64_t word = rows_.from(first + i);
                for (std::size_t k = 0; k < 8; ++k) {
                    std::memcpy(row + 1 + i + 8 * k, bytes_of_bits[word >> 8 * k & 255U].data(), 8);
                }
            }
            row[length - 1] = rows_.test(first + length - 2) ? 255 : 0;
        };
        fill(rows[1], top - 1);
        fill(rows[2], top);
        for (int y = top; y < bottom; ++y) {
            std::rotate(rows.begin(), rows.begin() + 1, rows.end());
            fill(rows[2], y + 1);
            for (int x = left; x < right; x += static_cast<int>(lanes)) {
                const auto [up, row, down] = rows;
                const auto at = static_cast<std::size_t>(x - left) + 1;
                std::array<std::uint8_t, lanes> steps;
                for (std::size_t i = 0; i < lanes; ++i) {
                    const std::size_t k = at + i;
                    steps[i] = static_cast<std::uint8_t>(
                        row[k] & ((up[k] & 1) | (row[k - 1] & 2) | (row[k + 1] & 4) | (down[k] & 8) |
                                  (corner(up[k - 1], up[k], row[k - 1]) & 16) |
                                  (corner(up[k + 1], up[k], row[k + 1]) & 32) |
                                  (corner(down[k - 1], down[k], row[k - 1]) & 64) |
                                  (corner(down[k + 1], down[k], row[k + 1]) & 128)));
                }
                const std::size_t count = (std::min)(lanes, static_cast<std::size_t>(width_ - x));
                store(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                          static_cast<std::size_t>(x),
                      steps.data(), count);
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
