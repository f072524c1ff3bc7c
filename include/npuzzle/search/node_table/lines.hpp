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

/// Whether a table of these lines has more regions than most: then its blocks of lines need not be pages, so
/// that it can grow by quarters while its regions are smaller.
template <class Line>
inline constexpr bool has_small_regions = requires { requires Line::has_small_regions; };

/// In how many blocks a small region is divided: 2 to the power of the result. `lines`, the number of its
/// lines, is 4, 5 or 6 times a power of two, or 1 or 2. A block has 64, 80 or 96 lines, or is the whole
/// region.
inline unsigned block_bits(std::size_t lines) {
    const auto width = static_cast<unsigned>(std::bit_width(lines / 64));
    return width > 1 ? width - 1 : 0;
}

/// The next line to probe after a full line: on the same page, or in the same region if that is smaller, or
/// in the same block of a small region.
/// \param at the number of the full line among `lines` lines of 2^region_bits regions
/// \param place from the bit `extent_place_bits` - 1 on it says where among them a node belongs
template <class Line, unsigned region_bits, unsigned extent_place_bits>
std::size_t line_after(std::size_t at, std::size_t lines, std::uint32_t place) {
    const std::size_t in_region = lines >> region_bits;
    if constexpr (has_small_regions<Line>) {
        const unsigned bits = region_bits + block_bits(in_region);
        const std::uint64_t within = place & ((std::uint32_t{1} << extent_place_bits) - 1);
        const std::size_t block = lines >> bits;
        const std::size_t first = (within >> (extent_place_bits - bits)) * block;
        // Each step has no divisor in common with the size of the block, so that all its lines are probed.
        const std::size_t step = std::size_t{30} * (place % 16) + 1;
        return first + static_cast<std::uint32_t>(at - first + step) % static_cast<std::uint32_t>(block);
    } else {
        return line_after(at, std::min(in_region, lines_per_page<Line>), place);
    }
}

/// The number of groups of lines that have the same nodes before and after a table grows from `lines` to
/// `more` lines.
template <class Line>
std::size_t groups(std::size_t lines, std::size_t more, std::size_t regions) {
    const std::size_t in_region = lines / regions;
    if constexpr (has_small_regions<Line>) {
        return regions << block_bits(in_region);
    } else {
        return std::gcd(lines, more) / std::min(in_region, lines_per_page<Line>);
    }
}

/// A table may use all but one of so many parts of its slots: five, or what the lines ask for.
template <class Line>
inline constexpr unsigned parts_of_slots = 5;
template <class Line>
    requires(Line::parts_of_slots > 0)
inline constexpr unsigned parts_of_slots<Line> = Line::parts_of_slots;

/// The number of nodes at which a table grows. A greater load is slower. With four fifths, over a search, one
/// look-up in six finds a full line.
template <class Line>
std::uint64_t max_nodes(std::size_t lines) {
    constexpr unsigned parts = parts_of_slots<Line>;
    return std::max<std::uint64_t>(1, lines * Line::size * (parts - 1) / parts);
}

/// How many lines a large table that is full is to have: a quarter of a power of two more, or two of six, if
/// the quarter consists of whole pages in each of `regions` parts, or of lines if these are small, else twice
/// as many. None takes more memory than it counts.
template <class Line>
std::size_t more_lines(std::size_t lines, std::size_t regions) {
    const std::size_t quarter = std::bit_floor(lines) / 4;
    if (quarter >= regions * (has_small_regions<Line> ? 1 : lines_per_page<Line>)) {
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
