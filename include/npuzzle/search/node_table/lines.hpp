#pragma once

#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>

/// \file
/// What node tables that are made of cache lines have in common.
///
/// The lines of such a table are in the order of the numbers that say where nodes belong. So the table
/// grows in place, line after line or page after page. A `Line` has slots, which are filled from the first to
/// the last. `count()` of them are in use. `get(slot)` and `set(slot, value)` read and write one slot.

namespace npuzzle::detail {

inline constexpr std::size_t cache_line = 64;

/// The number of lines on one page of memory.
template <class Line>
inline constexpr std::size_t lines_per_page = 4096 / sizeof(Line);

/// The next line to probe after a full line, in the same block of `block` lines (a power of two). The step
/// depends on the number (double hashing), so that full lines do not cluster. It is odd, so that all lines of
/// the block are probed.
inline std::size_t line_after(std::size_t at, std::size_t block, std::uint32_t number) {
    const std::size_t step = 2 * std::size_t{number} + 1;
    return (at & ~(block - 1)) | ((at + step) & (block - 1));
}

/// The next line to probe after a full line: on the same page, or in the same region if that is smaller.
/// \param at the number of the full line among `lines` lines of 2^region_bits regions
/// \param place where a node belongs
template <class Line, unsigned region_bits>
std::size_t line_after(std::size_t at, std::size_t lines, std::uint32_t place) {
    return line_after(at, (std::min)(lines >> region_bits, lines_per_page<Line>), place);
}

/// The number of groups of lines that have the same nodes before and after a table grows from `lines` to
/// `more` lines.
template <class Line>
std::size_t groups(std::size_t lines, std::size_t more, std::size_t regions) {
    return std::gcd(lines, more) / (std::min)(lines / regions, lines_per_page<Line>);
}

/// The number of nodes at which a table grows. A greater load is slower. With four fifths, over a search, one
/// look-up in six finds a full line.
template <class Line>
std::uint64_t max_nodes(std::size_t lines) {
    return std::max<std::uint64_t>(1, lines * Line::size * 4 / 5);
}

/// How many lines a large table that is full is to have: a quarter of a power of two more, or two of six, if
/// the quarter consists of whole pages in each of `regions` parts, else twice as many. None takes more memory
/// than it counts.
template <class Line>
std::size_t more_lines(std::size_t lines, std::size_t regions) {
    const std::size_t quarter = std::bit_floor(lines) / 4;
    if (quarter >= regions * lines_per_page<Line>) {
        for (const std::size_t quarters : {5U, 6U}) {
            if (const std::size_t more = quarters * quarter;
                more > lines && Storage<Line>::fills_pages(more)) {
                return more;
            }
        }
    }
    return 2 * std::bit_floor(lines);
}

/// Whether a large table is to be cut into `parts` segments: if these then grow by no more than it would as a
/// whole. A quarter of a segment of 4 MiB is not a whole huge page.
template <class Line>
bool is_to_be_cut(std::size_t lines, std::size_t regions, std::size_t parts) {
    const std::size_t part = lines / parts;
    return Storage<Line>::fills_pages(part) &&
           parts * more_lines<Line>(part, regions / parts) <= more_lines<Line>(lines, regions);
}

/// Spreads the nodes of some lines over more lines or fewer, in the same order. These may begin among the old
/// ones. False if there is no room on a page; then only some nodes have been moved.
/// \param from the old lines, `count` of them, whose nodes all have their home among the new ones
/// \param copy as many lines, which are as the old ones were when the function returns
/// \param to the new lines, `new_count` of them, whole blocks, at most six pages
/// \param erase `erase(first, count)` empties lines
/// \param place_at `place_at(line, slot)`: what says where the node in a slot belongs
/// \param home_of `home_of(place)`: its home line
/// \param next `next(line, place)`: the line to try after a full one; in the end that is the home line
template <class Line, class Erase, class PlaceAt, class HomeOf, class Next>
bool spread_lines(const Line* from, std::size_t count, Line* copy, Line* to, std::size_t new_count,
                  Erase&& erase, PlaceAt&& place_at, HomeOf&& home_of, Next&& next) {
    std::copy_n(from, count, copy);
    erase(to, new_count);
    // Not counted in the lines: that would wait for the nodes to be stored.
    std::array<unsigned, 6 * lines_per_page<Line>> used;
    std::fill_n(used.begin(), new_count, 0U);
    for (const Line* line = copy; line != copy + count; ++line) {
        const unsigned nodes = line->count();
        for (unsigned slot = 0; slot < nodes; ++slot) {
            const auto place = place_at(*line, slot);
            Line* const home = home_of(place);
            auto at = static_cast<std::size_t>(home - to);
            while (used[at] == Line::size) [[unlikely]] {
                Line* const other = next(to + at, place);
                if (other == home) {
                    return false;
                }
                at = static_cast<std::size_t>(other - to);
            }
            to[at].set(used[at]++, line->get(slot));
        }
    }
    return true;
}

} // namespace npuzzle::detail
