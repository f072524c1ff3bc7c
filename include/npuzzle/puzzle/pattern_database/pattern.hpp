#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/detail/tile_errors.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npuzzle {

/// A set of tiles of the n x n puzzle, for n from 2 to 5. It is stored as the set of the tiles' goal cells.
/// So it has the same meaning for each goal, whatever the labels of the tiles are.
class Pattern {
public:
    /// The greatest number of tiles of a pattern.
    static constexpr int max_tiles = 8;

    /// The tiles whose goal cells are the bits set in `cells`, row by row from bit 0.
    /// \throws std::invalid_argument if n is not from 2 to 5, if a cell is not on the board, or if there are
    ///     no cells or more than `max_tiles`
    NPUZZLE_COLD Pattern(int n, std::uint32_t cells) : n_(n), cells_(cells) {
        if (n < 2 || n > 5) {
            detail::throw_invalid(
                {"patterns are made for boards of size 2 to 5, not ", detail::number_text(n)});
        }
        if ((cells & ~detail::all_cells(n)) != 0) {
            detail::throw_invalid({"a pattern names a cell beyond the ", detail::number_text(n * n),
                                   " cells of a board of size ", detail::number_text(n)});
        }
        if (cells == 0) {
            detail::throw_invalid({"a pattern has at least one tile"});
        }
        if (tiles() > max_tiles) {
            detail::throw_invalid({"a pattern has at most ", detail::number_text(max_tiles), " tiles, not ",
                                   detail::number_text(tiles())});
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

/// Disjoint patterns, for goals with the blank in a given cell.
class Partition {
public:
    /// Makes a partition from its patterns.
    /// \throws std::invalid_argument if there is no pattern, if their boards differ in size, if two have a
    ///     tile in common, or if one contains the blank's cell; the message names the cell
    NPUZZLE_COLD Partition(std::vector<Pattern> patterns, int blank_cell)
        : patterns_(std::move(patterns)), blank_cell_(blank_cell) {
        if (patterns_.empty()) {
            detail::throw_invalid({"a partition has at least one pattern"});
        }
        std::uint32_t taken = 0;
        for (const Pattern& pattern : patterns_) {
            if (pattern.size() != size()) {
                detail::throw_invalid({"the patterns of a partition are for boards of one size, not ",
                                       detail::number_text(size()), " and ",
                                       detail::number_text(pattern.size())});
            }
            for (int cell = 0; cell < size() * size(); ++cell) {
                if (pattern.contains(cell) && (taken >> cell & 1U) != 0) {
                    detail::throw_invalid(
                        {"the tile of ", detail::cell_text(cell, size()), " is in two patterns"});
                }
            }
            taken |= pattern.cells();
        }
        if (blank_cell < 0 || blank_cell >= size() * size()) {
            detail::throw_invalid({"the blank belongs in a cell from 0 to ",
                                   detail::number_text(size() * size() - 1), ", not ",
                                   detail::number_text(blank_cell)});
        }
        if ((taken >> blank_cell & 1U) != 0) {
            detail::throw_invalid(
                {"the blank belongs in ", detail::cell_text(blank_cell, size()), ", which is in a pattern"});
        }
    }

    /// A partition by its name: `3-3-2` or `4-4` for n = 3, `5-5-5`, `6-6-3` or `7-8` for n = 4, `6-6-6-6`,
    /// `7-7-7-3`, whose tables take 7.3 GB, or `8-7-7-2`, whose zero-aware tables take 11.9 GB, for n = 5.
    ///
    /// Those for n = 4, and `6-6-6-6`, are the published ones, which have the blank in a corner (R. E. Korf,
    /// A. Felner, "Disjoint pattern database heuristics", 2002; A. Felner, R. E. Korf, S. Hanan, "Additive
    /// pattern database heuristics", 2004). They are reflected so that the blank is in the right corner. If the
    /// goal's blank is not in a corner, the letters between the nearest corner and the blank's cell move by
    /// one cell.
    /// \throws std::invalid_argument if there is no such partition; the message lists the valid names
    [[nodiscard]] static Partition named(std::string_view name, int n, int blank_cell);

    /// The same for a goal board.
    template <class B>
    [[nodiscard]] static Partition named(std::string_view name, const B& goal) {
        return named(name, goal.size(), static_cast<int>(goal.blank_cell()));
    }

    /// Partitions that complement one another: the first is `6-6-6-6`, and each other one is greater than
    /// those before it on many boards. So the greatest of their sums is a better bound. Turned and shifted as
    /// in `named`. Only for n = 5; empty for other sizes.
    /// \throws std::invalid_argument if the blank's cell is not on the board
    [[nodiscard]] static std::vector<Partition> catalog(int n, int blank_cell);

    /// A partition by a drawing of the goal. Each cell is a letter or a digit, the same one for all tiles of
    /// a pattern. A dot stands for the blank and for tiles that are in no pattern. Rows end at the end of a
    /// line or at a slash. Spaces are ignored. A blank at the end of a row may be omitted.
    ///
    ///     Partition::drawn("aab"
    ///                      "acb"
    ///                      "cc.", goal)
    ///
    /// Line ends are not necessary if no cell is omitted. Patterns are in the order of their first cells.
    /// \throws std::invalid_argument if the drawing is not valid; the message gives the line and the column
    [[nodiscard]] static Partition drawn(std::string_view drawing, int n, int blank_cell);

    /// The same for a goal board.
    template <class B>
    [[nodiscard]] static Partition drawn(std::string_view drawing, const B& goal) {
        return drawn(drawing, goal.size(), static_cast<int>(goal.blank_cell()));
    }

    /// The names that `named` accepts for a size.
    [[nodiscard]] static std::vector<std::string_view> names(int n) {
        switch (n) {
        case 3:
            return {"3-3-2", "4-4"};
        case 4:
            return {"5-5-5", "6-6-3", "7-8"};
        case 5:
            return {"6-6-6-6", "7-7-7-3", "8-7-7-2"};
        default:
            return {};
        }
    }

    /// The size of the board.
    [[nodiscard]] int size() const noexcept { return patterns_.front().size(); }

    /// The goal cell of the blank.
    [[nodiscard]] int blank_cell() const noexcept { return blank_cell_; }

    /// The patterns, in the order in which they were given.
    [[nodiscard]] const std::vector<Pattern>& patterns() const& noexcept { return patterns_; }

    /// The same for a temporary, so that a loop over `Partition::named(...).patterns()` is safe.
    [[nodiscard]] std::vector<Pattern> patterns() && noexcept { return std::move(patterns_); }

    /// Whether some reflection or rotation of the board, other than the identity, keeps the blank's goal cell
    /// in place. This is so if that cell is on a diagonal, or in the middle row or column.
    [[nodiscard]] bool has_reflection() const noexcept { return reflecting_symmetry() != 0; }

    /// The mirror image of this partition: about the diagonal that the blank's goal cell is on, or about the
    /// middle row or column. Each tile of the reflected board corresponds to a tile of the board. So a
    /// partition and its image give two different bounds from the same tables.
    /// \throws std::invalid_argument if there is no such reflection
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

    /// The goal cell to which the reflection takes `cell`; `cell` itself if there is no reflection.
    [[nodiscard]] int reflected_cell(int cell) const noexcept {
        return detail::image_of_cell(size(), reflecting_symmetry(), cell);
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
            if (cell % size() == size() - 1) {
                text += '\n';
            }
        }
        return text;
    }

    [[nodiscard]] friend bool operator==(const Partition&, const Partition&) = default;

private:
    /// The partition of a drawing that has the blank in the last cell, for a blank in another cell.
    [[nodiscard]] static Partition reflected(std::string_view drawing, int n, int blank_cell);

    /// Only reflections, which are their own inverses: about the two diagonals, the middle row and the middle
    /// column.
    [[nodiscard]] int reflecting_symmetry() const noexcept {
        for (const int symmetry : {1, 7, 2, 4}) {
            if (detail::image_of_cell(size(), symmetry, blank_cell_) == blank_cell_) {
                return symmetry;
            }
        }
        return 0;
    }

    std::vector<Pattern> patterns_;
    int blank_cell_;
};

namespace detail {

/// The drawing of a named partition for the blank in the last cell; empty if there is none.
[[nodiscard]] constexpr std::string_view drawing_of(std::string_view name, int n) {
    if (n == 3 && name == "3-3-2") {
        return "aab"
               "abb"
               "cc.";
    }
    if (n == 3 && name == "4-4") {
        return "aab"
               "aab"
               "bb.";
    }
    if (n == 4 && name == "5-5-5") {
        return "aaaa"
               "bbac"
               "bbcc"
               "bcc.";
    }
    if (n == 4 && name == "6-6-3") {
        return "accc"
               "aabb"
               "aabb"
               "abb.";
    }
    if (n == 4 && name == "7-8") {
        return "bbbb"
               "bbbb"
               "aaaa"
               "aaa.";
    }
    if (n == 5 && name == "6-6-6-6") {
        return "aaabb"
               "aaabb"
               "ccdbb"
               "ccddd"
               "ccdd.";
    }
    if (n == 5 && name == "7-7-7-3") {
        return "aabbb"
               "aabbb"
               "aabcc"
               "adccc"
               "ddcc.";
    }
    if (n == 5 && name == "8-7-7-2") {
        return "bbccc"
               "bbccc"
               "bbcaa"
               "dbaaa"
               "daaa.";
    }
    return {};
}

[[noreturn]] NPUZZLE_COLD inline void throw_in_drawing(std::string_view what, std::size_t line,
                                                       std::size_t column) {
    detail::throw_invalid({"drawing of a partition, line ", detail::number_text(line), ", column ",
                           detail::number_text(column), ": ", what});
}

} // namespace detail

NPUZZLE_COLD inline Partition Partition::reflected(std::string_view drawing, int n, int blank_cell) {
    if (blank_cell < 0 || blank_cell >= n * n) {
        detail::throw_invalid({"the blank belongs in a cell from 0 to ", detail::number_text(n * n - 1),
                               ", not ", detail::number_text(blank_cell)});
    }
    // The nearest corner; of corners equally near, the last in the order of the symmetries.
    int row = blank_cell / n;
    int column = blank_cell % n;
    const int symmetry = (2 * row < n - 1 ? 2 : 0) | (2 * column < n - 1 ? 4 : 0);
    std::string cells(drawing.size(), '.');
    for (int cell = 0; cell < n * n; ++cell) {
        cells[static_cast<std::size_t>(detail::image_of_cell(n, symmetry, cell))] =
            drawing[static_cast<std::size_t>(cell)];
    }
    // The blank moves from the corner to its cell. Each letter on the way moves back by one cell.
    int at_row = (symmetry & 2) != 0 ? 0 : n - 1;
    int at_column = (symmetry & 4) != 0 ? 0 : n - 1;
    while (at_row != row || at_column != column) {
        const auto from = static_cast<std::size_t>(at_row * n + at_column);
        if (at_row != row) {
            at_row += at_row < row ? 1 : -1;
        } else {
            at_column += at_column < column ? 1 : -1;
        }
        std::swap(cells[from], cells[static_cast<std::size_t>(at_row * n + at_column)]);
    }
    return drawn(cells, n, blank_cell);
}

NPUZZLE_COLD inline Partition Partition::named(std::string_view name, int n, int blank_cell) {
    const std::string_view drawing = detail::drawing_of(name, n);
    if (drawing.empty()) {
        std::string known;
        for (const std::string_view other : names(n)) {
            known += (known.empty() ? "" : ", ") + std::string(other);
        }
        detail::throw_invalid({"there is no partition \"", name, "\" for boards of size ",
                               detail::number_text(n), known.empty() ? "" : "; there are " + known});
    }
    return Partition::reflected(drawing, n, blank_cell);
}

NPUZZLE_COLD inline std::vector<Partition> Partition::catalog(int n, int blank_cell) {
    std::vector<Partition> partitions;
    if (n == 5) {
        for (const std::string_view drawing : {detail::drawing_of("6-6-6-6", 5),
                                               std::string_view("aaabb"
                                                                "aaabb"
                                                                "ccbbd"
                                                                "ccddd"
                                                                "ccdd."),
                                               std::string_view("aaaab"
                                                                "aabbb"
                                                                "cccbb"
                                                                "cccdd"
                                                                "dddd."),
                                               std::string_view("aaaaa"
                                                                "abbbb"
                                                                "bbccc"
                                                                "cccdd"
                                                                "dddd.")}) {
            partitions.push_back(reflected(drawing, n, blank_cell));
        }
    }
    return partitions;
}

NPUZZLE_COLD inline Partition Partition::drawn(std::string_view drawing, int n, int blank_cell) {
    if (n < 2 || n > 5) {
        detail::throw_invalid({"patterns are made for boards of size 2 to 5, not ", detail::number_text(n)});
    }
    if (blank_cell < 0 || blank_cell >= n * n) {
        detail::throw_invalid({"the blank belongs in a cell from 0 to ", detail::number_text(n * n - 1),
                               ", not ", detail::number_text(blank_cell)});
    }
    std::vector<std::pair<char, std::uint32_t>> groups;
    std::size_t line = 1;
    std::size_t column = 0;
    int cell = 0;
    const auto end_row = [&] {
        if (cell % n == n - 1 && cell == blank_cell) {
            ++cell;
        }
        if (cell % n != 0) {
            detail::throw_in_drawing(
                detail::text_of({"row ", detail::number_text(cell / n), " ends after ",
                                 detail::number_text(cell % n), " of ", detail::number_text(n), " cells"}),
                line, column + 1);
        }
    };
    bool is_row_open = false;
    for (const char character : drawing) {
        ++column;
        if (character == '\n' || character == '/') {
            if (is_row_open) {
                --column;
                end_row();
                ++column;
                is_row_open = false;
            }
            if (character == '\n') {
                ++line;
                column = 0;
            }
            continue;
        }
        if (character == ' ' || character == '\t' || character == '\r') {
            continue;
        }
        const bool is_letter = (character >= 'a' && character <= 'z') ||
                               (character >= 'A' && character <= 'Z') ||
                               (character >= '0' && character <= '9');
        if (!is_letter && character != '.') {
            detail::throw_in_drawing("a cell is a letter, a digit or a dot", line, column);
        }
        if (cell == n * n) {
            detail::throw_in_drawing(
                detail::text_of({"there are more than ", detail::number_text(n * n), " cells"}), line,
                column);
        }
        if (is_letter && cell == blank_cell) {
            detail::throw_in_drawing("the blank belongs here, so this cell is a dot", line, column);
        }
        if (is_letter) {
            std::size_t group = 0;
            while (group < groups.size() && groups[group].first != character) {
                ++group;
            }
            if (group == groups.size()) {
                groups.emplace_back(character, 0);
            }
            groups[group].second |= detail::cell_bit(cell);
            if (static_cast<int>(detail::count_cells(groups[group].second)) > Pattern::max_tiles) {
                detail::throw_in_drawing(
                    detail::text_of({"pattern '", std::string_view(&character, 1), "' has more than ",
                                     detail::number_text(Pattern::max_tiles), " tiles"}),
                    line, column);
            }
        }
        ++cell;
        is_row_open = cell % n != 0;
    }
    if (is_row_open) {
        end_row();
    }
    if (cell != n * n) {
        detail::throw_in_drawing(detail::text_of({"the drawing ends after ", detail::number_text(cell),
                                                  " of ", detail::number_text(n * n), " cells"}),
                                 line, column + 1);
    }
    if (groups.empty()) {
        detail::throw_in_drawing("there is no letter, so no pattern", 1, 1);
    }
    std::vector<Pattern> patterns;
    for (const auto& group : groups) {
        patterns.emplace_back(n, group.second);
    }
    return Partition(std::move(patterns), blank_cell);
}

} // namespace npuzzle
