#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/packed_board.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// \file
/// How many of a line's own tiles must leave it, by their arrangement there.

namespace npuzzle::detail {

/// Computes how many tiles must leave a line so that the rest of the line's own tiles can go home within it.
///
/// The input is the goal coordinate of each of these tiles along the line, in the order in which the tiles
/// stand. The answer is their number less the length of a longest increasing subsequence, which patience
/// sorting finds (C. Schensted 1961).
template <class B>
class LineConflicts;

template <int N>
class LineConflicts<PackedBoard<N>> {
public:
    /// Onto the pile with the least greater top, or onto a new one.
    constexpr void add(int home) {
        const unsigned greater = tops_ >> home << home;
        tops_ = (tops_ & ~(greater & (0U - greater))) | 1U << home;
        must_leave_ += greater != 0 ? 1 : 0;
    }

    constexpr int must_leave() const { return must_leave_; }

private:
    unsigned tops_ = 0; ///< a bit for each
    int must_leave_ = 0;
};

template <>
class LineConflicts<Board> {
public:
    void add(std::int64_t home) {
        const auto pile = std::lower_bound(tops_.begin(), tops_.end(), home);
        if (pile == tops_.end()) {
            tops_.push_back(home);
        } else {
            *pile = home;
        }
        ++tiles_;
    }

    std::int64_t must_leave() const { return tiles_ - static_cast<std::int64_t>(tops_.size()); }

private:
    std::vector<std::int64_t> tops_;
    std::int64_t tiles_ = 0;
};

/// `base` to the power of `exponent`.
constexpr unsigned power(unsigned base, int exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/// A table over all arrangements of a line's own tiles, for lines of N cells.
///
/// An arrangement is a number with one digit in base N + 1 for each place; the lowest digit is the first
/// place. A digit is 1 plus the home coordinate of the tile there if the tile belongs to the line, else 0.
///
/// The table has one byte for each arrangement. Its low N bits have one bit for each place: the bit is set if
/// one tile fewer would have to leave if the tile at that place were absent. The bits above hold the least
/// number of tiles that must leave.
template <int N>
class LineArrangementTable {
public:
    static constexpr int base = N + 1;

    constexpr LineArrangementTable() { fill(0, 0, 1, 0, {}); }

    constexpr int operator[](int arrangement) const {
        return entries_[static_cast<std::size_t>(arrangement)];
    }

private:
    /// Enters all arrangements whose digits before `place` are given by `taken`.
    constexpr void fill(std::size_t place, unsigned arrangement, unsigned worth, unsigned taken,
                        const LineConflicts<PackedBoard<N>>& conflicts) {
        if (place == N) {
            enter(arrangement, static_cast<unsigned>(conflicts.must_leave()));
            return;
        }
        digits_[place] = 0;
        fill(place + 1, arrangement, worth * base, taken, conflicts);
        for (unsigned digit = 1; digit <= N; ++digit) {
            if ((taken >> digit & 1U) == 0) {
                LineConflicts<PackedBoard<N>> more = conflicts;
                more.add(static_cast<int>(digit));
                digits_[place] = digit * worth;
                fill(place + 1, arrangement + digits_[place], worth * base, taken | 1U << digit, more);
            }
        }
    }

    /// Without one of its tiles, an arrangement has a lower digit there. So that arrangement was entered
    /// before.
    constexpr void enter(unsigned arrangement, unsigned must_leave) {
        unsigned entry = must_leave << N;
        for (std::size_t place = 0; must_leave != 0 && place < N; ++place) {
            if (digits_[place] != 0 && entries_[arrangement - digits_[place]] >> N < must_leave) {
                entry |= 1U << place;
            }
        }
        entries_[arrangement] = static_cast<std::uint8_t>(entry);
    }

    /// What the digits that are given add to the arrangement.
    std::array<unsigned, static_cast<std::size_t>(N)> digits_{};
    std::array<std::uint8_t, power(N + 1, N)> entries_{};
};

template <int N>
struct LineArrangements {
    static constexpr LineArrangementTable<N> table{};

    static constexpr int must_leave(int arrangement) { return table[arrangement] >> N; }

    /// 1 if one tile fewer would have to leave if the tile at `place` were absent; else 0.
    static constexpr int gives_way(int arrangement, int place) { return table[arrangement] >> place & 1; }
};

} // namespace npuzzle::detail
