#pragma once

#include "npuzzle/search/memory/prefetch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// What node tables that are made of cache lines have in common.
///
/// The lines of such a table are in the order of the numbers that say where nodes belong. So the table
/// doubles in place, line after line. A `Line` has slots, which are filled from the first to the last.
/// `count()` of them are in use. `get(slot)` and `set(slot, value)` read and write one slot.

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

/// Spreads the lines from `from` to `to` over twice as many lines, `2 * from` to `2 * to`, in place. Each
/// line is read before it is overwritten. This holds also if the function is called for all parts of an
/// array, the last part first.
/// \param home_of `home_of(line, slot)`: the number of the new home line of the node in a slot
/// \param erase `erase(first, count)` empties lines
/// \param set_aside `set_aside(line, slot)` is called for each node that was not in its home line; it is no
///     longer in the table afterwards
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
