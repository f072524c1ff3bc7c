#pragma once

#include "npuzzle/macros.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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
    std::size_t at(int i, int line) const {
        return (words_ * static_cast<std::size_t>(line + 1) + 1) * word_bits + static_cast<std::size_t>(i);
    }
    /// How much greater the number is of the same bit in the next line.
    std::size_t stride() const { return words_ * word_bits; }
    bool test(std::size_t bit) const { return (bits_[bit / word_bits] >> bit % word_bits & 1U) != 0; }
    void set(std::size_t bit, bool value) {
        const std::uint64_t mask = std::uint64_t{1} << bit % word_bits;
        std::uint64_t& word = bits_[bit / word_bits];
        word = (word & ~mask) | (value ? mask : 0);
    }
    /// The word of line `line` that has bit `i`, a multiple of 64.
    std::uint64_t& word(int i, int line) { return bits_[at(i, line) / word_bits]; }
    /// The 64 bits from `bit` on, the lowest first.
    std::uint64_t from(std::size_t bit) const {
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

/// The free cells of a map, the steps between them, and the ends of jumps.
class GridCells {
public:
    /// \param corners how many of the two cells beside a diagonal step must be free; 3 if there are no such steps
    template <class F>
    GridCells(int width, int height, int corners, F&& is_free)
        : width_(width), height_(height), corners_(corners), rows_(width, height), columns_(height, width),
          passed_{columns_, rows_, rows_, columns_} {
        for (int y = 0; y < height; ++y) {
            for (int first = 0; first < width; first += lanes) {
                std::uint64_t word = 0;
                for (int x = first; x < (std::min)(first + lanes, width); ++x) {
                    word |= std::uint64_t{is_free(x, y) ? 1U : 0U} << (x - first);
                }
                rows_.word(first, y) = word;
            }
        }
        for (int y = 0; y < height; y += lanes) {
            const int lines = (std::min)(lanes, height - y);
            for (int x = 0; x < width; x += lanes) {
                std::array<std::uint64_t, lanes> square{};
                for (int i = 0; i < lines; ++i) square[static_cast<std::size_t>(i)] = rows_.word(x, y + i);
                transpose(square);
                for (int i = 0; i < (std::min)(lanes, width - x); ++i) {
                    columns_.word(y, x + i) = square[static_cast<std::size_t>(i)];
                }
            }
        }
        find_passed(0, 0, width, height);
        for (unsigned around = 0; around < steps_.size(); ++around) {
            const auto free = [&](int x, int y) { return static_cast<int>(around >> (4 + x + 3 * y) & 1U); };
            for (std::size_t direction = 0; direction < (corners == 3 ? 4U : 8U); ++direction) {
                const auto [x, y] = grid_directions[direction];
                const bool is_step =
                    free(0, 0) + free(x, y) == 2 && (direction < 4 || free(x, 0) + free(0, y) >= corners);
                steps_[around] = static_cast<std::uint8_t>(steps_[around] | unsigned{is_step} << direction);
            }
        }
    }

    int width() const noexcept { return width_; }
    int height() const noexcept { return height_; }
    /// Which cells are free, and which do not end a jump: by rows for left and right, else by columns.
    const BitLines& free(bool is_row) const { return is_row ? rows_ : columns_; }
    const BitLines& passed(std::size_t direction) const { return passed_[direction]; }
    /// A bit for each direction in which there is a step.
    /// \param bit of the cell in the rows
    unsigned steps(std::size_t bit) const {
        const auto three = [&](std::size_t middle) { return rows_.from(middle - 1) & 7U; };
        return steps_[three(bit - rows_.stride()) | three(bit) << 3 | three(bit + rows_.stride()) << 6];
    }
    /// The bits of a cell, or of a step modulo 2^64: in the columns, and in the rows.
    std::array<std::size_t, 2> bits(int x, int y) const { return {columns_.at(y, x), rows_.at(x, y)}; }
    std::array<std::size_t, 2> bits(std::size_t direction) const {
        const auto [x, y] = grid_directions[direction];
        return {bits(x, y)[0] - bits(0, 0)[0], bits(x, y)[1] - bits(0, 0)[1]};
    }

    /// Frees or blocks the cells of a rectangle that is on the map.
    /// \return the cells whose steps have changed
    std::vector<std::uint32_t> set_free(int left, int top, int width, int height, bool is_free) {
        const int first = (std::max)(left - 1, 0);
        const int last = (std::min)(left + width + 1, width_);
        const int begin = (std::max)(top - 1, 0);
        const int end = (std::min)(top + height + 1, height_);
        const auto for_each_near = [&](auto&& visit) {
            for (int y = begin; y < end; ++y) {
                for (int x = first; x < last; ++x)
                    visit(x, y, static_cast<std::uint8_t>(steps(rows_.at(x, y))));
            }
        };
        std::vector<std::uint8_t> before;
        before.reserve(static_cast<std::size_t>(last - first) * static_cast<std::size_t>(end - begin));
        for_each_near([&](int, int, std::uint8_t now) { before.push_back(now); });
        for (int y = top; y < top + height; ++y) {
            for (int x = left; x < left + width; ++x) {
                rows_.set(rows_.at(x, y), is_free);
                columns_.set(columns_.at(y, x), is_free);
            }
        }
        find_passed(first, begin, last, end);
        std::vector<std::uint32_t> changed;
        for_each_near([&, was = before.begin()](int x, int y, std::uint8_t now) mutable {
            if (*was++ == now) return;
            changed.push_back(static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(width_) +
                              static_cast<std::uint32_t>(x));
        });
        return changed;
    }

private:
    static constexpr int lanes = BitLines::word_bits;

    /// Finds where straight jumps do not end, in at least the cells from column `left` to `right`, and row `top`
    /// to `bottom`: where a cell is free, and no turn is forced, as in `JumpPoints`.
    void find_passed(int left, int top, int right, int bottom) {
        for (std::size_t direction = 0; direction < 4; ++direction) {
            const bool is_row = direction == 1 || direction == 2;
            const BitLines& lines = free(is_row);
            const int ahead = direction < 2 ? -1 : 1;
            const int first = is_row ? left : top;
            for (int line = is_row ? top : left; line < (is_row ? bottom : right); ++line) {
                for (int i = first - first % lanes; i < (is_row ? right : bottom); i += lanes) {
                    const auto cells = [&](int along, int across) {
                        return lines.from(lines.at(i + along, line + across));
                    };
                    const std::uint64_t beyond = corners_ == 1 ? cells(ahead, 0) : ~0ULL;
                    std::uint64_t turns = 0;
                    for (const int side : {-1, 1}) {
                        turns |= corners_ >= 2 ? cells(0, side) & ~cells(-ahead, side)
                                               : ~cells(0, side) & cells(ahead, side) & beyond;
                    }
                    passed_[direction].word(i, line) = cells(0, 0) & ~turns;
                }
            }
        }
    }

    int width_;
    int height_;
    int corners_;
    BitLines rows_;
    BitLines columns_;
    std::array<BitLines, 4> passed_;        // for each of the first four directions
    std::array<std::uint8_t, 512> steps_{}; // by which of 3 x 3 cells are free
};

} // namespace npuzzle::detail
