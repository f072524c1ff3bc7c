#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/solvability.hpp"
#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/short_vector.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// A board of the N x N sliding-tile puzzle in one unsigned word, for N from 2 to 5.
///
/// Cell c, counted row by row from 0, is the field of bits [bits * c, bits * (c + 1)) of the word, and holds
/// the cell's tile, 0 for the blank. All bits above the last field are 0. For N = 2, 3 and 4 a field has 4
/// bits and the word is a std::uint64_t, for N = 5 it has 5 bits and the word is an unsigned 128-bit integer.
///
/// Members have the same meaning as in Board. Only members that make a Board or a text allocate memory.
template <int N>
    requires(2 <= N && N <= 5)
class PackedBoard {
    static_assert(
        N <= 4 || detail::has_uint128,
        "PackedBoard<5> needs an integer of 128 bits, which this compiler does not have here: take Board");

public:
    /// The unsigned integer that holds the board.
    using Word = std::conditional_t<(N <= 4), std::uint64_t, detail::uint128>;

    /// The width of a cell's field in the word.
    static constexpr int bits = N <= 4 ? 4 : 5;

    /// The blank-last goal: 1 2 ... N * N - 1, then the blank.
    constexpr PackedBoard() noexcept = default;

    /// Makes a board from its cells, row by row. Throws as `Board`.
    explicit constexpr PackedBoard(const std::array<int, N * N>& tiles) : word_(0) {
        std::uint32_t seen = 0;
        for (int cell = 0; cell < N * N; ++cell) {
            const int tile = tiles[detail::as_index(cell)];
            if (tile < 0 || tile >= N * N) detail::throw_tile_out_of_range(tile, cell, N);
            if (((seen >> tile) & 1U) != 0) {
                int first = 0;
                while (tiles[detail::as_index(first)] != tile) ++first;
                detail::throw_tile_twice(tile, first, cell, N);
            }
            seen |= std::uint32_t{1} << tile;
            word_ |= field(tile, cell);
        }
    }

    /// Packs `board`.
    /// \throws std::invalid_argument if the size of `board` is not N
    explicit PackedBoard(const Board& board) : word_(0) {
        if (board.size() != N) {
            detail::throw_invalid(
                {"a board of size ", board.size(), " does not fit a packed board of size ", N});
        }
        for (int cell = 0; cell < N * N; ++cell) word_ |= field(board.tile(cell), cell);
    }

    /// The board of a word that word() returned. Unchecked: any other word gives no valid board.
    [[nodiscard]] static constexpr PackedBoard from_word(Word word) noexcept {
        PackedBoard board;
        board.word_ = word;
        return board;
    }

    /// The word that holds the board.
    [[nodiscard]] constexpr Word word() const noexcept { return word_; }

    /// The same board as a `Board`.
    [[nodiscard]] explicit operator Board() const {
        std::vector<std::int32_t> tiles;
        for (int cell = 0; cell < N * N; ++cell) tiles.push_back(tile(cell));
        return Board(std::move(tiles));
    }

    /// The size N.
    [[nodiscard]] static constexpr int size() noexcept { return N; }

    /// The number of cells, N * N.
    [[nodiscard]] static constexpr int cells() noexcept { return N * N; }

    /// As `Board::tile`.
    [[nodiscard]] constexpr int tile(int cell) const noexcept {
        NPUZZLE_ASSERT(0 <= cell && cell < N * N);
        return static_cast<int>((word_ >> (bits * cell)) & field_mask);
    }

    /// As `Board::tile_at`.
    [[nodiscard]] constexpr int tile_at(int row, int col) const {
        if (row < 0 || row >= N || col < 0 || col >= N) detail::throw_cell_out_of_range(row, col, N);
        return tile(row * N + col);
    }

    /// The cell of the blank, in a few instructions.
    ///
    /// Subtracting 1 from each field sets the top bit of fields that were 0 and of fields that had it set.
    /// Borrows may change fields above the lowest 0, which itself is found exactly (A. Mycroft's test for a
    /// zero byte, 1987).
    [[nodiscard]] constexpr int blank_cell() const noexcept {
        const Word zeros = (word_ - lowest_bits) & ~word_ & highest_bits;
        const int cell = trailing_zeros(zeros) / bits;
        if (cell >= N * N) NPUZZLE_UNREACHABLE(); // every board has a blank; the optimizer cannot know
        return cell;
    }

    /// Moves the tile in `cell` into the blank's cell, `blank`, in place. The cells must be neighbors.
    NPUZZLE_ALWAYS_INLINE constexpr void slide(int cell, int blank) noexcept {
        NPUZZLE_ASSERT(blank == blank_cell());
        NPUZZLE_ASSERT(detail::DistanceTable<N>::distance[detail::as_index(cell)][detail::as_index(blank)] ==
                       1);
        const Word moving = (word_ >> (bits * cell)) & field_mask;
        word_ ^= (moving << (bits * cell)) | (moving << (bits * blank));
    }

    /// As `Board::hamming`.
    [[nodiscard]] constexpr int hamming() const noexcept {
        const Word difference = word_ ^ goal_word;
        Word differing = difference;
        for (int bit = 1; bit < bits; ++bit) differing |= difference >> bit;
        const int blank_differs = tile(N * N - 1) != 0 ? 1 : 0;
        return ones(differing & lowest_bits) - blank_differs;
    }

    /// As `Board::manhattan`.
    [[nodiscard]] constexpr int manhattan() const noexcept {
        int sum = 0;
        for (std::size_t cell = 0; cell < N * N; ++cell) {
            const std::size_t placed = detail::as_index(tile(static_cast<int>(cell)));
            sum += placed != 0 ? detail::DistanceTable<N>::distance[cell][placed - 1] : 0;
        }
        return sum;
    }

    /// As `Board::is_goal`.
    [[nodiscard]] constexpr bool is_goal() const noexcept { return word_ == goal_word; }

    /// As `Board::is_solvable`.
    [[nodiscard]] constexpr bool is_solvable() const noexcept {
        return detail::is_solvable_to_blank_last(*this);
    }

    /// As `Board::neighbors`.
    [[nodiscard]] ShortVector<PackedBoard, 4> neighbors() const noexcept {
        ShortVector<PackedBoard, 4> boards;
        const int blank = blank_cell();
        for (const int cell : detail::NeighborTable<N>::target[detail::as_index(blank)]) {
            if (cell < 0) continue;
            boards.push_back(*this);
            boards.back().slide(cell, blank);
        }
        return boards;
    }

    /// As `Board::twin`.
    [[nodiscard]] constexpr PackedBoard twin() const noexcept {
        const int first = blank_cell() < N ? N : 0;
        const int difference = tile(first) ^ tile(first + 1);
        return from_word(word_ ^ field(difference, first) ^ field(difference, first + 1));
    }

    /// As `Board::to_string`.
    [[nodiscard]] std::string to_string() const { return detail::classical_text(*this); }

    /// Whether two boards have the same tile in each cell. Compares the words.
    [[nodiscard]] friend constexpr bool operator==(const PackedBoard&, const PackedBoard&) noexcept = default;

    /// Writes to_string().
    friend std::ostream& operator<<(std::ostream& out, const PackedBoard& board) {
        return out << board.to_string();
    }

private:
    static constexpr Word field_mask = (Word{1} << bits) - 1;

    static constexpr int trailing_zeros(Word word) noexcept {
        const auto low = static_cast<std::uint64_t>(word);
        if constexpr (N == 5) {
            if (low == 0) return 64 + std::countr_zero(static_cast<std::uint64_t>(word >> 64));
        }
        return std::countr_zero(low);
    }

    static constexpr int ones(Word word) noexcept {
        int count = std::popcount(static_cast<std::uint64_t>(word));
        if constexpr (N == 5) count += std::popcount(static_cast<std::uint64_t>(word >> 64));
        return count;
    }

    static constexpr Word field(int tile, int cell) noexcept {
        return static_cast<Word>(tile) << (bits * cell);
    }

    static constexpr Word lowest_bits = [] {
        Word word = 0;
        for (int cell = 0; cell < N * N; ++cell) word |= Word{1} << (bits * cell);
        return word;
    }();
    static constexpr Word highest_bits = lowest_bits << (bits - 1);
    static constexpr Word goal_word = [] {
        Word word = 0;
        for (int cell = 0; cell + 1 < N * N; ++cell) word |= static_cast<Word>(cell + 1) << (bits * cell);
        return word;
    }();

    Word word_ = goal_word;
};

} // namespace npuzzle

/// Hashes the word of a packed board. The same on all platforms with 64-bit std::size_t.
template <int N>
struct std::hash<npuzzle::PackedBoard<N>> {
    [[nodiscard]] constexpr std::size_t operator()(const npuzzle::PackedBoard<N>& board) const noexcept {
        return static_cast<std::size_t>(npuzzle::detail::mix_word(board.word()));
    }
};
