#pragma once

#include "npuzzle/macros.hpp"

#include <algorithm>
#include <array>
#include <bit>
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
    /// A bit and the ones beside it.
    unsigned three(std::size_t bit) const {
        const std::size_t shift = (bit - 1) % word_bits;
        const std::uint64_t word = bits_[(bit - 1) / word_bits];
        return static_cast<unsigned>(shift < word_bits - 2 ? word >> shift : from(bit - 1)) & 7U;
    }
    /// How many bits are set from `bit` on, or from `bit` back; at least `most` if it is not less.
    std::size_t run(std::size_t bit, bool is_forward, std::size_t most) const {
        std::size_t length = 0;
        bit -= is_forward ? 0 : word_bits - 1;
        for (; length < most; length += word_bits) {
            const std::uint64_t gaps = ~from(bit);
            if (gaps != 0) {
                // A branch would often be mispredicted.
                const auto ahead = static_cast<std::size_t>(std::countr_zero(gaps));
                const auto back = static_cast<std::size_t>(std::countl_zero(gaps));
                return length + back + ((ahead - back) & (std::size_t{} - is_forward));
            }
            bit += is_forward ? word_bits : std::size_t{} - word_bits;
        }
        return length;
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
    using Bits = std::array<std::size_t, 2>;

    /// \param corners how many of the two cells beside a diagonal step must be free; 3 if there are no such steps
    template <class F>
    GridCells(int width, int height, int corners, F&& is_free)
        : width_(width), height_(height), corners_(corners), rows_(width, height), columns_(height, width),
          squares_(rows_), passed_{columns_, rows_, rows_, columns_}, leads_(passed_) {
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
        find_jumps(0, 0, width, height);
        const Bits at = bits(0, 0);
        for (std::size_t direction = 0; direction < moves_.size(); ++direction) {
            const auto [x, y] = grid_directions[direction];
            const Bits next = bits(x, y);
            const std::size_t corner = bits((std::min)(x, 0), (std::min)(y, 0))[1];
            moves_[direction] = {{next[0] - at[0], next[1] - at[1]}, corner - at[1]};
        }
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
    /// Which cells are free, and which do not end a straight jump: by rows for left and right, else by columns.
    const BitLines& free(bool is_row) const { return is_row ? rows_ : columns_; }
    const BitLines& passed(std::size_t direction) const { return passed_[direction]; }
    /// A bit for each of the 3 x 3 cells around one that is free, by rows.
    /// \param bit of the cell in the rows
    unsigned around(std::size_t bit) const {
        return rows_.three(bit - rows_.stride()) | rows_.three(bit) << 3 |
               rows_.three(bit + rows_.stride()) << 6;
    }
    /// A bit for each direction in which there is a step.
    unsigned steps_within(unsigned around) const { return steps_[around]; }
    unsigned steps(std::size_t bit) const { return steps_[around(bit)]; }
    /// The bits of a cell: in the columns, and in the rows.
    Bits bits(int x, int y) const { return {columns_.at(y, x), rows_.at(x, y)}; }
    /// What a step adds to them, modulo 2^64.
    const Bits& step(std::size_t direction) const { return moves_[direction].step; }
    /// Whether a straight step goes along a row.
    static bool is_row(std::size_t direction) { return std::array{false, true, true, false}[direction]; }
    bool is_step(std::size_t bit, std::size_t direction) const {
        return squares_.test(bit + moves_[direction].corner) || is_odd_step(bit, direction);
    }
    /// The same, if no square of free cells has the step.
    bool is_odd_step(std::size_t bit, std::size_t direction) const {
        return (corners_ != 2 || direction < 4) && (steps(bit) >> direction & 1U) != 0;
    }
    /// The directions in which a straight jump leads from a cell to a jump point, whatever the goal is.
    unsigned leading(const Bits& at) const {
        unsigned found = 0;
        for (std::size_t direction = 0; direction < leads_.size(); ++direction) {
            found |= unsigned{leads_[direction].test(at[is_row(direction)])} << direction;
        }
        return found;
    }
    /// Goes on diagonally, in squares of free cells, to the first from which straight jumps lead to jump points.
    /// \return their directions; 0 at the last square, without such a cell
    unsigned pass(Bits& at, std::uint16_t& length, std::size_t direction) const {
        const std::size_t row = 1 + direction % 2;
        const std::size_t column = direction < 6 ? 0 : 3;
        const auto [step, corner] = moves_[direction];
        while (squares_.test(at[1] + corner)) {
            at = {at[0] + step[0], at[1] + step[1]};
            ++length;
            const bool in_row = leads_[row].test(at[1]);
            const bool in_column = leads_[column].test(at[0]);
            if (in_row || in_column) return unsigned{in_row} << row | unsigned{in_column} << column;
        }
        return 0;
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
        find_jumps(first, begin, last, end);
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

    struct Move {
        Bits step;
        std::size_t corner; ///< from its begin to the upper left cell of the square around it, by rows
    };

    /// Finds what jumps need: at least where steps have changed, from column `left` to `right`, and row `top` to
    /// `bottom`. A jump ends where a turn is forced, as in `JumpPoints`, or before an obstacle.
    void find_jumps(int left, int top, int right, int bottom) {
        for (std::size_t direction = 0; direction < 4; ++direction) {
            const bool along_row = is_row(direction);
            const BitLines& lines = free(along_row);
            const int ahead = direction < 2 ? -1 : 1;
            const int first = along_row ? left : top;
            const int end = along_row ? right : bottom;
            for (int line = along_row ? top : left; line < (along_row ? bottom : right); ++line) {
                for (int i = first - first % lanes; i < end; i += lanes) {
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
                    if (direction == 1) {
                        squares_.word(i, line) = cells(0, 0) & cells(1, 0) & cells(0, 1) & cells(1, 1);
                    }
                }
                find_leads(direction, line, first, end);
            }
        }
    }

    /// Finds from which cells of a line straight jumps lead to a jump point, after changes from `begin` to `end`.
    void find_leads(std::size_t direction, int line, int begin, int end) {
        const BitLines& cells = free(is_row(direction));
        BitLines& leads = leads_[direction];
        const bool is_forward = direction >= 2;
        const auto back = [=](std::uint64_t word, int by) { return is_forward ? word >> by : word << by; };
        const std::uint64_t last = is_forward ? 1ULL << (lanes - 1) : 1; // the bit beside the next word ahead
        int i = (is_forward ? end - 1 : begin) / lanes * lanes;
        std::uint64_t ahead = leads.word(i, line) & last;
        for (; 0 <= i && i < (is_row(direction) ? width_ : height_); i += is_forward ? -lanes : lanes) {
            const bool is_changed = begin < i + lanes && i < end;
            if (!is_changed && (leads.word(i, line) & last) == ahead) break;
            std::uint64_t passed = passed_[direction].word(i, line);
            std::uint64_t found = (cells.from(cells.at(i, line)) & ~passed) | (passed & ahead);
            for (int by = 1; found != 0 && by < lanes; by *= 2) {
                found |= passed & back(found, by);
                passed &= back(passed, by);
            }
            leads.word(i, line) = back(found, 1) | ahead;
            ahead = is_forward ? found << (lanes - 1) : found >> (lanes - 1);
        }
    }

    int width_;
    int height_;
    int corners_;
    BitLines rows_;
    BitLines columns_;
    BitLines squares_; // by rows: where a cell and the next ones right, down, and diagonally are free
    std::array<BitLines, 4> passed_; // for each of the first four directions
    std::array<BitLines, 4> leads_;  // see `leading`
    std::array<Move, 8> moves_{};
    std::array<std::uint8_t, 512> steps_{}; // by which of 3 x 3 cells are free
};

} // namespace npuzzle::detail
