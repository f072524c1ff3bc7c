#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cell_sets.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npuzzle {

/// A set of tiles of the n x n puzzle, for n from 2 to 5, by their goal cells: so it fits any goal.
class Pattern {
public:
    /// The greatest number of tiles of a pattern.
    static constexpr int max_tiles = 8;

    /// The tiles whose goal cells are the bits set in `cells`, row by row from bit 0.
    /// \throws std::invalid_argument if n is not from 2 to 5, if a cell is not on the board, or if there are
    ///     no cells or more than `max_tiles`
    NPUZZLE_COLD Pattern(int n, std::uint32_t cells) : n_(n), cells_(cells) {
        if (n < 2 || n > 5) {
            detail::throw_invalid({"patterns are made for boards of size 2 to 5, not ", n});
        }
        if ((cells & ~detail::all_cells(n)) != 0) {
            detail::throw_invalid(
                {"a pattern names a cell beyond the ", n * n, " cells of a board of size ", n});
        }
        if (tiles() < 1 || tiles() > max_tiles) {
            detail::throw_invalid({"a pattern has 1 to ", max_tiles, " tiles, not ", tiles()});
        }
    }

    /// The size of the board.
    [[nodiscard]] int size() const noexcept { return n_; }

    /// The number of tiles.
    [[nodiscard]] int tiles() const noexcept { return static_cast<int>(detail::count_cells(cells_)); }

    /// The goal cells of the tiles, one bit for each.
    [[nodiscard]] std::uint32_t cells() const noexcept { return cells_; }

    /// Whether the tile with the goal cell `cell` is in the pattern.
    [[nodiscard]] bool contains(int cell) const noexcept { return (cells_ >> cell & 1U) != 0; }

    [[nodiscard]] friend bool operator==(const Pattern&, const Pattern&) = default;

private:
    int n_;
    std::uint32_t cells_;
};

namespace detail {

/// The named partitions, drawn with the blank in the last cell.
struct NamedPartition {
    int n;
    std::string_view name;
    std::string_view drawing;
};
inline constexpr std::array<NamedPartition, 8> named_partitions{{
    {3, "3-3-2", "aababbcc."},
    {3, "4-4", "aabaabbb."},
    {4, "5-5-5", "aaaabbacbbccbcc."},
    {4, "6-6-3", "acccaabbaabbabb."},
    {4, "7-8", "bbbbbbbbaaaaaaa."},
    {5, "6-6-6-6", "aaabbaaabbccdbbccdddccdd."},
    {5, "7-7-7-3", "aabbbaabbbaabccadcccddcc."},
    {5, "8-7-7-2", "bbcccbbcccbbcaadbaaadaaa."},
}};

NPUZZLE_COLD inline void require_blank(int blank_cell, int n) {
    if (blank_cell < 0 || blank_cell >= n * n) {
        throw_invalid({"the blank belongs in a cell from 0 to ", n * n - 1, ", not ", blank_cell});
    }
}

} // namespace detail

/// Disjoint patterns, for goals with the blank in a given cell.
class Partition {
public:
    /// Makes a partition from its patterns.
    /// \throws std::invalid_argument if there is no pattern, if their boards differ in size, if two have a
    ///     tile in common, or if one contains the blank's cell; the message names the cell
    NPUZZLE_COLD Partition(std::vector<Pattern> patterns, int blank_cell)
        : patterns_(std::move(patterns)), blank_cell_(blank_cell) {
        if (patterns_.empty()) detail::throw_invalid({"a partition has at least one pattern"});
        std::uint32_t taken = 0;
        for (const Pattern& pattern : patterns_) {
            if (pattern.size() != size()) {
                detail::throw_invalid({"the patterns of a partition are for boards of one size, not ", size(),
                                       " and ", pattern.size()});
            }
            if (const std::uint32_t twice = taken & pattern.cells(); twice != 0) {
                detail::throw_invalid({"the tile of ", detail::cell_text(std::countr_zero(twice), size()),
                                       " is in two patterns"});
            }
            taken |= pattern.cells();
        }
        detail::require_blank(blank_cell, size());
        if ((taken >> blank_cell & 1U) != 0) {
            detail::throw_invalid(
                {"the blank belongs in ", detail::cell_text(blank_cell, size()), ", which is in a pattern"});
        }
    }

    /// A partition by its name: `3-3-2` or `4-4` for n = 3, `5-5-5`, `6-6-3` or `7-8` for n = 4, `6-6-6-6`,
    /// `7-7-7-3`, whose tables take 7.3 GB, or `8-7-7-2`, whose zero-aware tables take 11.9 GB, for n = 5.
    ///
    /// The partitions for n = 4, and `6-6-6-6`, are published (R. E. Korf, A. Felner, "Disjoint pattern
    /// database heuristics", 2002; A. Felner, R. E. Korf, S. Hanan, "Additive pattern database heuristics",
    /// 2004). They are reflected so that the blank is in the right corner. If it is in no corner, the letters
    /// between the nearest corner and its cell move by one cell.
    /// \throws std::invalid_argument if there is no such partition; the message lists the valid names
    [[nodiscard]] NPUZZLE_COLD static Partition named(std::string_view name, int n, int blank_cell) {
        std::string_view drawing;
        std::string known;
        for (const detail::NamedPartition& each : detail::named_partitions) {
            if (each.n != n) continue;
            drawing = each.name == name ? each.drawing : drawing;
            known += (known.empty() ? "; there are " : ", ") + std::string(each.name);
        }
        if (drawing.empty()) {
            detail::throw_invalid({"there is no partition \"", name, "\" for boards of size ", n, known});
        }
        detail::require_blank(blank_cell, n);
        // The nearest corner; of corners equally near, the last in the order of the symmetries.
        const int row = blank_cell / n;
        const int column = blank_cell % n;
        const int symmetry = (2 * row < n - 1 ? 2 : 0) | (2 * column < n - 1 ? 4 : 0);
        std::string cells(drawing.size(), '.');
        for (int cell = 0; cell < n * n; ++cell) {
            cells[detail::as_index(detail::image_of_cell(n, symmetry, cell))] =
                drawing[detail::as_index(cell)];
        }
        // The blank moves from the corner to its cell. Each letter on the way moves back by one cell.
        for (int at = detail::image_of_cell(n, symmetry, n * n - 1); at != blank_cell;) {
            const int from = at;
            at += at / n != row ? (at / n < row ? n : -n) : at < blank_cell ? 1 : -1;
            std::swap(cells[detail::as_index(from)], cells[detail::as_index(at)]);
        }
        return drawn(cells, n, blank_cell);
    }

    /// The same for a goal board.
    template <class B>
    [[nodiscard]] static Partition named(std::string_view name, const B& goal) {
        return named(name, goal.size(), static_cast<int>(goal.blank_cell()));
    }

    /// A partition by a drawing of the goal, such as "aab/acb/cc.". A cell is a letter or a digit, the same
    /// for all tiles of a pattern, or a dot for the blank and for tiles in no pattern. Spaces, line ends and
    /// slashes are ignored. Patterns are in the order of their first cells.
    /// \throws std::invalid_argument if the drawing is not valid; the message names the cell
    [[nodiscard]] NPUZZLE_COLD static Partition drawn(std::string_view drawing, int n, int blank_cell) {
        static_cast<void>(Pattern(n, 1)); // refuses another size
        detail::require_blank(blank_cell, n);
        std::string cells;
        for (const char letter : drawing) {
            if (std::string_view(" \t\r\n/").find(letter) == std::string_view::npos) cells += letter;
        }
        if (cells.size() != static_cast<std::size_t>(n * n)) {
            detail::throw_invalid(
                {"drawing of a partition: it has ", cells.size(), " cells instead of ", n * n});
        }
        std::string letters; // of the patterns
        std::vector<std::uint32_t> groups;
        for (int cell = 0; cell < n * n; ++cell) {
            const char letter = cells[detail::as_index(cell)];
            if (letter == '.') continue;
            const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                                   (letter >= '0' && letter <= '9');
            if (!is_letter || cell == blank_cell) {
                detail::throw_invalid({"drawing of a partition, ", detail::cell_text(cell, n), ": ",
                                       is_letter ? "the blank belongs here, so this cell is a dot"
                                                 : "a cell is a letter, a digit or a dot"});
            }
            if (letters.find(letter) == std::string::npos) {
                letters += letter;
                groups.push_back(0);
            }
            groups[letters.find(letter)] |= detail::cell_bit(cell);
        }
        std::vector<Pattern> patterns;
        for (const std::uint32_t group : groups) patterns.emplace_back(n, group);
        return Partition(std::move(patterns), blank_cell);
    }

    /// The same for a goal board.
    template <class B>
    [[nodiscard]] static Partition drawn(std::string_view drawing, const B& goal) {
        return drawn(drawing, goal.size(), static_cast<int>(goal.blank_cell()));
    }

    /// The names that `named` accepts for a size.
    [[nodiscard]] NPUZZLE_COLD static std::vector<std::string_view> names(int n) {
        std::vector<std::string_view> names;
        for (const detail::NamedPartition& each : detail::named_partitions) {
            if (each.n == n) names.push_back(each.name);
        }
        return names;
    }

    /// The size of the board.
    [[nodiscard]] int size() const noexcept { return patterns_.front().size(); }

    /// The goal cell of the blank.
    [[nodiscard]] int blank_cell() const noexcept { return blank_cell_; }

    /// The patterns, in the order in which they were given.
    [[nodiscard]] const std::vector<Pattern>& patterns() const& noexcept { return patterns_; }

    /// The same for a temporary, so that a loop over `Partition::named(...).patterns()` is safe.
    [[nodiscard]] std::vector<Pattern> patterns() && noexcept { return std::move(patterns_); }

    /// Whether a reflection of the board keeps the blank's goal cell in place: on a diagonal, or in the
    /// middle row or column.
    [[nodiscard]] bool has_reflection() const noexcept { return reflecting_symmetry() != 0; }

    /// The mirror image of this partition. The two give different bounds from the same tables.
    /// \throws std::invalid_argument unless `has_reflection()`
    [[nodiscard]] NPUZZLE_COLD Partition reflected() const {
        const int symmetry = reflecting_symmetry();
        if (symmetry == 0) {
            detail::throw_invalid(
                {"no reflection leaves a blank in ", detail::cell_text(blank_cell_, size()), " in place"});
        }
        std::vector<Pattern> images;
        for (const Pattern& pattern : patterns_) {
            images.emplace_back(size(), detail::image_of_cells(size(), symmetry, pattern.cells()));
        }
        return Partition(std::move(images), blank_cell_);
    }

    /// The drawing: one line for each row, patterns as letters from `a`, `.` for all other cells.
    [[nodiscard]] std::string to_string() const {
        std::string text;
        for (int cell = 0; cell < size() * size(); ++cell) {
            char letter = '.';
            for (std::size_t i = 0; i < patterns_.size(); ++i) {
                letter = patterns_[i].contains(cell) ? static_cast<char>('a' + static_cast<int>(i)) : letter;
            }
            text += letter;
            if (cell % size() == size() - 1) text += '\n';
        }
        return text;
    }

    [[nodiscard]] friend bool operator==(const Partition&, const Partition&) = default;

private:
    /// Only reflections, which are their own inverses.
    int reflecting_symmetry() const noexcept {
        for (const int symmetry : {1, 7, 2, 4}) {
            if (detail::image_of_cell(size(), symmetry, blank_cell_) == blank_cell_) return symmetry;
        }
        return 0;
    }

    std::vector<Pattern> patterns_;
    int blank_cell_;
};

} // namespace npuzzle
