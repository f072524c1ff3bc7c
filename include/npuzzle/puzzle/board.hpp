#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/solvability.hpp"
#include "npuzzle/search/core/hash.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

template <int N>
class SlidingPuzzle;

namespace detail {

/// Integer types that represent numbers: not `bool`, and no character type.
template <class T>
concept TileNumber =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

/// A range of numbers that knows its size.
template <class R>
concept TileRow =
    std::ranges::input_range<R> && std::ranges::sized_range<R> && TileNumber<std::ranges::range_value_t<R>>;

/// A range of such rows: vectors or arrays of them, `int[3][3]`.
template <class R>
concept TileRows =
    std::ranges::input_range<R> && std::ranges::sized_range<R> && TileRow<std::ranges::range_reference_t<R>>;

} // namespace detail

/// A board of the sliding-tile puzzle: n x n cells, for any n from 2 to 32767, with the tiles 1 to n * n - 1
/// and one blank, written 0. Cells are numbered row by row from 0, rows and columns from 0.
///
/// A board is immutable except by assignment. Once moved from, it may only be assigned to or destroyed.
/// Distances and solvability refer to the blank-last goal, 1 2 ... n * n - 1 0; for others see SlidingPuzzle
/// and npuzzle::is_solvable().
///
/// Memory: 4 bytes a cell. Constructors check the board, in O(n^2). They throw std::invalid_argument if there
/// is no such size, if a row has another length, or if a value is out of range or occurs twice; the message
/// names the value and the cell.
class Board {
public:
    /// The smallest and the greatest size of a board.
    static constexpr int min_size = 2;
    static constexpr int max_size = 32767;

    /// Makes a board from its rows, as in `Board{{1, 2, 3}, {4, 5, 6}, {7, 8, 0}}`.
    Board(std::initializer_list<std::initializer_list<int>> rows) : Board(flattened(rows)) {}

    /// The same from any range of ranges of integers: vectors, `int tiles[3][3]`.
    template <class Rows>
        requires detail::TileRows<const Rows&>
    explicit Board(const Rows& rows) : Board(flattened(rows)) {}

    /// Makes a board from its cells, row by row.
    explicit Board(std::vector<std::int32_t> tiles)
        : tiles_(std::move(tiles)), size_(size_of(tiles_.size())), blank_cell_(checked_blank_cell()) {}

    /// The same from any range of integers.
    template <class Range>
        requires(!std::same_as<std::remove_cvref_t<Range>, Board> &&
                 !std::same_as<std::remove_cvref_t<Range>, std::vector<std::int32_t>> &&
                 std::ranges::input_range<Range> && detail::TileNumber<std::ranges::range_value_t<Range>>)
    explicit Board(Range&& tiles) : Board(collected(std::forward<Range>(tiles))) {}

    /// The size n: the number of rows, which is also the number of columns. O(1).
    [[nodiscard]] int size() const noexcept { return size_; }

    /// The number of cells, n * n. O(1).
    [[nodiscard]] std::int64_t cells() const noexcept { return std::int64_t{size_} * size_; }

    /// The tile in a cell from 0 to cells() - 1, unchecked; 0 is the blank. O(1).
    [[nodiscard]] int tile(std::int64_t cell) const noexcept {
        NPUZZLE_ASSERT(0 <= cell && cell < cells());
        return tiles_[detail::as_index(cell)];
    }

    /// The cell of the blank. O(1).
    [[nodiscard]] std::int64_t blank_cell() const noexcept { return blank_cell_; }

    /// The tile in a row and a column, both counted from 0; 0 is the blank. O(1).
    /// \throws std::out_of_range if there is no such cell; the message names row, column and size.
    [[nodiscard]] int tile_at(int row, int col) const {
        if (row < 0 || row >= size_ || col < 0 || col >= size_) {
            detail::throw_cell_out_of_range(row, col, size_);
        }
        return tile(std::int64_t{row} * size_ + col);
    }

    /// All cells, row by row. O(1).
    [[nodiscard]] const std::vector<std::int32_t>& tiles() const noexcept { return tiles_; }

    /// The number of tiles that are not in their cell of the blank-last goal, without the blank. O(n^2).
    [[nodiscard]] std::int64_t hamming() const noexcept {
        std::int64_t differing = 0;
        std::int32_t wanted = 0;
        for (const std::int32_t tile : tiles_) differing += tile != ++wanted ? 1 : 0;
        return differing - 1; // the blank differs wherever it is: no cell is said to want 0
    }

    /// The sum over all tiles of the distance, in rows plus columns, to their cell of the blank-last goal.
    /// O(n^2).
    [[nodiscard]] std::int64_t manhattan() const noexcept {
        const detail::DivideBySize row_of(size_);
        std::int64_t sum = 0;
        auto tile = tiles_.begin();
        for (int row = 0; row < size_; ++row) {
            for (int col = 0; col < size_; ++col, ++tile) {
                if (*tile == 0) continue;
                const int goal_row = row_of(*tile - 1);
                const int rows = row - goal_row;
                const int cols = col - (*tile - 1 - goal_row * size_);
                sum += (rows < 0 ? -rows : rows) + (cols < 0 ? -cols : cols);
            }
        }
        return sum;
    }

    /// Whether this is the blank-last goal. O(n^2), for most other boards O(1).
    [[nodiscard]] bool is_goal() const noexcept {
        if (blank_cell_ != cells() - 1) return false;
        for (std::int64_t cell = 0; cell < blank_cell_; ++cell) {
            if (tile(cell) != cell + 1) return false;
        }
        return true;
    }

    /// Whether the blank-last goal can be reached: see `npuzzle::is_solvable`.
    [[nodiscard]] bool is_solvable() const { return detail::is_solvable_to_blank_last(*this); }

    /// The boards that are one move away, in the order up, left, right, down of the blank's moves. O(n^2).
    [[nodiscard]] std::vector<Board> neighbors() const {
        std::vector<Board> boards;
        boards.reserve(4);
        detail::for_each_slide(size_, blank_cell_, [&](Move /*move*/, int cell) {
            boards.push_back(*this);
            boards.back().slide(cell);
        });
        return boards;
    }

    /// The board with two tiles exchanged: the first two of the first row, or of the second row if the blank
    /// is in the first. Exactly one of a board and its twin is solvable. The twin of the twin is the board.
    /// O(n^2).
    [[nodiscard]] Board twin() const {
        Board board = *this;
        const std::size_t first = blank_cell_ < size_ ? static_cast<std::size_t>(size_) : 0;
        std::swap(board.tiles_[first], board.tiles_[first + 1]);
        return board;
    }

    /// The classical text: a line with the size, then a line for each row, with each tile as `%2d ` prints
    /// it.
    [[nodiscard]] std::string to_string() const { return detail::classical_text(*this); }

    /// Whether two boards have the same size and the same tile in each cell. O(n^2).
    [[nodiscard]] friend bool operator==(const Board& left, const Board& right) noexcept {
        return left.blank_cell_ == right.blank_cell_ && left.tiles_ == right.tiles_;
    }

    /// Writes to_string().
    friend std::ostream& operator<<(std::ostream& out, const Board& board) {
        return out << board.to_string();
    }

private:
    template <int N>
    friend class SlidingPuzzle;

    static constexpr std::size_t max_cells = std::size_t{max_size} * max_size;

    /// Moves the tile in `cell` into the blank's cell. The two cells must be neighbors. O(1).
    void slide(std::int64_t cell) noexcept {
        NPUZZLE_ASSERT(0 <= cell && cell < cells());
        std::swap(tiles_[detail::as_index(cell)], tiles_[detail::as_index(blank_cell_)]);
        blank_cell_ = static_cast<std::int32_t>(cell);
    }

    template <class Rows>
    static std::vector<std::int32_t> flattened(const Rows& rows) {
        const auto n = static_cast<std::size_t>(std::ranges::size(rows));
        if (n < std::size_t{min_size} || n > std::size_t{max_size}) {
            detail::throw_invalid({"a board has from 2 to 32767 rows, not ", n});
        }
        std::vector<std::int32_t> tiles;
        std::size_t index = 0;
        for (const auto& row : rows) {
            if (std::ranges::size(row) != n) {
                detail::throw_invalid({"row ", index, " has ", std::ranges::size(row), " tiles instead of ",
                                       n, ", the number of rows"});
            }
            if (++index == 1) tiles.reserve(n * n);
            for (const auto& element : row) add(tiles, element, static_cast<int>(n));
        }
        return tiles;
    }

    /// Adds a number of any width to the tiles of a board of size n.
    template <class T>
    static void add(std::vector<std::int32_t>& tiles, T value, int n) {
        if (!std::in_range<std::int32_t>(value)) {
            detail::throw_tile_out_of_range(value, static_cast<std::int64_t>(tiles.size()), n);
        }
        tiles.push_back(static_cast<std::int32_t>(value));
    }

    template <class Range>
    static std::vector<std::int32_t> collected(Range&& range) {
        using Value = std::ranges::range_value_t<Range>;
        if constexpr (std::ranges::sized_range<Range>) {
            const auto count = static_cast<std::size_t>(std::ranges::size(range));
            const int n = size_of(count);
            std::vector<std::int32_t> tiles;
            tiles.reserve(count);
            for (auto&& element : range) add(tiles, static_cast<Value>(element), n);
            return tiles;
        } else {
            std::vector<Value> values;
            for (auto&& element : range) {
                if (values.size() == max_cells) throw_wrong_count(detail::text_of({"more than ", max_cells}));
                values.push_back(static_cast<Value>(element));
            }
            return collected(values);
        }
    }

    [[noreturn]] NPUZZLE_COLD static void throw_wrong_count(detail::TextPiece count) {
        detail::throw_invalid({"a board has n * n cells for some n from 2 to 32767, not ", count});
    }

    static int size_of(std::size_t cells) {
        std::size_t n = 0;
        while (n * n < cells && n < std::size_t{max_size}) ++n;
        if (n * n != cells || n < std::size_t{min_size}) throw_wrong_count(cells);
        return static_cast<int>(n);
    }

    std::int32_t checked_blank_cell() const {
        const std::int64_t count = cells();
        std::vector<bool> seen(tiles_.size());
        std::int64_t blank = 0;
        for (std::int64_t cell = 0; cell < count; ++cell) {
            const std::int32_t value = tiles_[detail::as_index(cell)];
            if (value < 0 || value >= count) detail::throw_tile_out_of_range(value, cell, size_);
            if (seen[detail::as_index(value)]) {
                std::int64_t first = 0;
                while (tiles_[detail::as_index(first)] != value) ++first;
                detail::throw_tile_twice(value, first, cell, size_);
            }
            seen[detail::as_index(value)] = true;
            if (value == 0) blank = cell;
        }
        return static_cast<std::int32_t>(blank);
    }

    std::vector<std::int32_t> tiles_;
    std::int32_t size_;
    std::int32_t blank_cell_;
};

} // namespace npuzzle

/// Hashes the cells of a board, two at a time. O(n^2). The same on all platforms with 64-bit std::size_t.
template <>
struct std::hash<npuzzle::Board> {
    [[nodiscard]] std::size_t operator()(const npuzzle::Board& board) const noexcept {
        const auto& tiles = board.tiles();
        std::uint64_t mixed = tiles.size();
        std::size_t cell = 0;
        for (; cell + 1 < tiles.size(); cell += 2) {
            const std::uint64_t low = static_cast<std::uint32_t>(tiles[cell]);
            const std::uint64_t high = static_cast<std::uint32_t>(tiles[cell + 1]);
            // With `mixed` fixed this is a bijection of the two tiles, and with the tiles fixed a bijection
            // of `mixed`. So no difference is lost.
            mixed = (mixed ^ (low | high << 32)) * 0x9e3779b97f4a7c15U;
            mixed ^= mixed >> 32;
        }
        // If the number of cells is odd, the last cell is skipped: the others determine it.
        return static_cast<std::size_t>(npuzzle::detail::mix(mixed));
    }
};
