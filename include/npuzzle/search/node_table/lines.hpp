#pragma once

#include "npuzzle/search/memory/prefetch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// What node tables have in common that are made of cache lines.
///
/// Such a table has its lines in the order of the numbers that say where nodes belong, so that it doubles in place, line
/// after line. A `Line` has slots that fill from the first to the last: `count()` of them are taken; `get(slot)` and
/// `set(slot, value)` read and write what one holds.

namespace npuzzle::detail {

inline constexpr std::size_t cache_line = 64;

/// So many lines lie on one page of memory.
template <class Line>
inline constexpr std::size_t lines_per_page = 4096 / sizeof(Line);

/// Where to look after a full line: some lines further in the same block of `block` lines, a power of two. How many, differs
/// from number to number (double hashing), so that full lines do not gather; it is odd, so that all have their turn.
inline std::size_t line_after(std::size_t at, std::size_t block, std::uint32_t number) {
    const std::size_t step = 2 * std::size_t{number} + 1;
    return (at & ~(block - 1)) | ((at + step) & (block - 1));
}

/// Spreads what the lines from `from` to `to` hold over twice as many, `2 * from` to `2 * to`, in place: what is written over
/// has been read before, also where this is called for all parts of an array, the last part first.
/// \param home_of `home_of(line, slot)`: the number, among the lines to be, of that where a slot's node belongs
/// \param erase `erase(first, count)` empties lines
/// \param set_aside `set_aside(line, slot)` is called for nodes that were not in their home line, and are not to be found
/// any more
template <class Line, class HomeOf, class Erase, class SetAside>
void double_lines(Line* first, std::size_t from, std::size_t to, HomeOf&& home_of, Erase&& erase,
                  SetAside&& set_aside) {
    for (std::size_t at = to; at-- > from;) {
        constexpr std::size_t ahead = 16;
        if (at >= ahead) {
            prefetch(first + at - ahead);
            prefetch(first + 2 * (at - ahead));
            prefetch(first + 2 * (at - ahead) + 1);
        }
        const Line old = first[at];
        Line* const targets = first + 2 * at;
        erase(targets, 2);
        std::array<unsigned, 2> used{};
        const unsigned count = old.count();
        for (unsigned slot = 0; slot < count; ++slot) {
            const std::size_t target = home_of(old, slot) - 2 * at;
            if (target < 2) {
                targets[target].set(used[target]++, old.get(slot));
            } else {
                set_aside(old, slot);
            }
        }
    }
}

} // namespace npuzzle::detail
