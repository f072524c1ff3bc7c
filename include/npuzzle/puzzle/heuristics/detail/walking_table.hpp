#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The tables of walking distance.

namespace npuzzle::detail {

/// The patterns of walking distance, for one direction of lines, say rows. A pattern gives for each row how
/// many of the tiles in it belong in each row.
///
/// Patterns are numbered densely, row by row. A row adds the number of patterns that have the same rows
/// before it and earlier contents in this row.
///
/// The contents of a line are a code with 3 bits for each count. Each contents also has a number.
///
/// The size is no template parameter, so that this is compiled once for all sizes.
class WalkingPatterns {
public:
    static constexpr std::size_t max_size = 5;

    /// A number for each line; those beyond the size are 0.
    template <class T>
    using Lines = std::array<T, max_size>;

    /// The number of the contents of each line. The blank is in the line that has one tile fewer.
    using Pattern = Lines<std::uint8_t>;

    /// The code of one tile that belongs in `line`. The code of a line is the sum over its tiles.
    static constexpr std::uint16_t weight(int line) { return static_cast<std::uint16_t>(1U << (3 * line)); }

    /// The patterns of boards of size `size` whose goal has the blank in line `goal_line`.
    NPUZZLE_COLD WalkingPatterns(int size, int goal_line)
        : size_(static_cast<std::size_t>(size)),
          contents_count_(choose(2 * size_ - 1, size_) + choose(2 * size_ - 2, size_ - 1)),
          contents_by_code_(std::size_t{1} << (3 * size)), states_by_code_(contents_by_code_.size()) {
        list_contents(0, 0, 0);
        std::uint16_t all_tiles = 0;
        for (int line = 0; line < size; ++line) {
            const int tiles = line == goal_line ? size - 1 : size;
            all_tiles = static_cast<std::uint16_t>(all_tiles + tiles * weight(line));
            const int home = tiles * weight(line);
            goal_[static_cast<std::size_t>(line)] = contents_by_code_[static_cast<std::size_t>(home)];
        }
        first_ = list_state(all_tiles, size);
    }

    /// The number of patterns.
    std::size_t count() const { return states_[first_].count; }

    const Pattern& goal() const { return goal_; }

    /// The number of the pattern whose lines have these codes.
    std::size_t number(const Lines<std::uint16_t>& line_codes) const {
        return number_of(pattern(line_codes));
    }

    Pattern pattern(const Lines<std::uint16_t>& line_codes) const {
        Pattern result{};
        for (std::size_t line = 0; line < size_; ++line) {
            result[line] = contents_by_code_[line_codes[line]];
        }
        return result;
    }

    /// The number of the line with the blank.
    std::size_t blank_line(const Pattern& pattern) const {
        std::size_t line = 0;
        while (contents_[pattern[line]].is_full) {
            ++line;
        }
        return line;
    }

    /// How many of the tiles in a line belong there.
    std::size_t at_home(const Pattern& pattern, std::size_t line) const {
        return contents_[pattern[line]].code >> (3 * line) & 7U;
    }

    /// The sum over all tiles of the number of lines that they are away from home.
    int distance_one_by_one(const Pattern& pattern) const {
        int sum = 0;
        for (std::size_t line = 0; line < size_; ++line) {
            sum += contents_[pattern[line]].distance[line];
        }
        return sum;
    }

    std::size_t number_of(const Pattern& pattern) const {
        std::size_t state = first_;
        std::size_t result = 0;
        for (std::size_t line = 0; line + 1 < size_; ++line) {
            const Step& step = steps_from(state)[pattern[line]];
            result += step.before;
            state = step.next;
        }
        return result;
    }

    /// Calls `visit(is_down, home, number, pattern)` for each pattern that one move leads to. In that move
    /// the blank goes to the line below (or above) and changes places with a tile that belongs in line
    /// `home`.
    template <class F>
    void for_each_neighbor(const Pattern& pattern, F&& visit) const {
        Lines<std::size_t> states{first_};
        std::array<std::size_t, max_size + 1> before{};
        std::size_t blank = 0;
        for (std::size_t line = 0; line < size_; ++line) {
            const Step& step = steps_from(states[line])[pattern[line]];
            before[line + 1] = before[line] + step.before;
            if (line + 1 < size_) {
                states[line + 1] = step.next;
            }
            blank = contents_[pattern[line]].is_full ? blank : line;
        }
        for (const bool is_down : {false, true}) {
            if (is_down ? blank + 1 == size_ : blank == 0) {
                continue;
            }
            const std::size_t to = is_down ? blank + 1 : blank - 1;
            const std::size_t upper = is_down ? blank : to;
            const std::size_t after = before[size_] - before[upper + 2];
            for (std::size_t home = 0; home < size_; ++home) {
                const int without = contents_[pattern[to]].without[home];
                if (without < 0) {
                    continue;
                }
                Pattern next = pattern;
                next[to] = static_cast<std::uint8_t>(without);
                next[blank] = contents_[pattern[blank]].with[home];
                // The two lines together hold the same tiles as before. So the numbers for the lines after
                // them stay valid.
                const Step& first = steps_from(states[upper])[next[upper]];
                const Step& second = steps_from(first.next)[next[upper + 1]];
                visit(is_down, home, before[upper] + first.before + second.before + after, next);
            }
        }
    }

private:
    struct Contents {
        std::uint16_t code;
        bool is_full;
        Lines<std::int16_t> without; ///< -1 if there is no such tile
        Lines<std::uint8_t> with;
        Lines<std::uint8_t> distance; ///< sum over the tiles, if this is in each line
    };

    /// The tiles that are left for the lines from some line on, and the number of ways to distribute them.
    struct State {
        std::uint32_t count = 0;
        std::uint32_t steps = 0;
    };

    struct Step {
        std::uint32_t before = 0;
        std::uint32_t next = 0;
    };

    const Step* steps_from(std::size_t state) const { return steps_.data() + states_[state].steps; }

    /// Lists all contents of a line, including those with the blank. Records what each becomes when a tile
    /// enters or leaves.
    NPUZZLE_COLD void list_contents(int line, int tiles, int code) {
        const int size = static_cast<int>(size_);
        if (line < size) {
            for (int count = 0; tiles + count <= size; ++count) {
                list_contents(line + 1, tiles + count, code + count * weight(line));
            }
            return;
        }
        if (tiles < size - 1) {
            return;
        }
        const auto number = static_cast<std::uint8_t>(contents_.size());
        contents_by_code_[static_cast<std::size_t>(code)] = number;
        contents_.push_back({static_cast<std::uint16_t>(code), tiles == size, {}, {}, {}});
        if (contents_.size() < contents_count_) {
            return;
        }
        for (Contents& each : contents_) {
            for (std::size_t home = 0; home < size_; ++home) {
                const int one = weight(static_cast<int>(home));
                const bool has_one = (each.code >> (3 * home) & 7) != 0;
                each.without[home] = static_cast<std::int16_t>(
                    each.is_full && has_one ? contents_by_code_[static_cast<std::size_t>(each.code - one)]
                                            : -1);
                each.with[home] = each.is_full ? std::uint8_t{0}
                                               : contents_by_code_[static_cast<std::size_t>(each.code + one)];
                const int count = each.code >> (3 * home) & 7;
                for (std::size_t at = 0; at < size_; ++at) {
                    const std::size_t lines = at < home ? home - at : at - home;
                    each.distance[at] =
                        static_cast<std::uint8_t>(each.distance[at] + count * static_cast<int>(lines));
                }
            }
        }
    }

    /// The state in which tiles with this code are left for the last `lines` lines.
    NPUZZLE_COLD std::size_t list_state(std::uint16_t left, int lines) {
        if (states_by_code_[left] != 0) {
            return static_cast<std::size_t>(states_by_code_[left] - 1);
        }
        const std::size_t number = states_.size();
        states_by_code_[left] = static_cast<std::uint16_t>(number + 1);
        states_.push_back({lines == 0 ? 1U : 0U, static_cast<std::uint32_t>(steps_.size())});
        if (lines == 0) {
            return number;
        }
        const std::size_t steps = steps_.size();
        steps_.resize(steps + contents_count_);
        const int size = static_cast<int>(size_);
        int tiles_left = 0;
        for (int line = 0; line < size; ++line) {
            tiles_left += left >> (3 * line) & 7;
        }
        const bool has_blank = tiles_left < lines * size;
        for (std::size_t i = 0; i < contents_count_; ++i) {
            const Contents& contents = contents_[i];
            const bool takes_last_gap = !contents.is_full && !has_blank;
            const bool must_have_gap = contents.is_full && has_blank && lines == 1;
            if (takes_last_gap || must_have_gap || !fits(contents.code, left)) {
                continue;
            }
            const std::size_t next = list_state(static_cast<std::uint16_t>(left - contents.code), lines - 1);
            steps_[steps + i] = {states_[number].count, static_cast<std::uint32_t>(next)};
            states_[number].count += states_[next].count;
        }
        return number;
    }

    [[nodiscard]] bool fits(std::uint16_t code, std::uint16_t left) const {
        for (std::size_t line = 0; line < size_; ++line) {
            if ((code >> (3 * line) & 7) > (left >> (3 * line) & 7)) {
                return false;
            }
        }
        return true;
    }

    static constexpr std::size_t choose(std::size_t n, std::size_t k) {
        return k == 0 ? 1 : choose(n - 1, k - 1) * n / k;
    }

    std::size_t size_;
    /// The number of ways to choose n or n - 1 tiles of n kinds.
    std::size_t contents_count_;
    std::vector<Contents> contents_;
    std::vector<std::uint8_t> contents_by_code_;
    std::vector<State> states_;
    std::vector<std::uint16_t> states_by_code_; ///< the number plus 1; 0 if there is none
    std::vector<Step> steps_;                   ///< of each state, by contents
    Pattern goal_{};
    std::size_t first_ = 0;
};

/// The codes of a board's rows and columns.
struct BoardCodes {
    WalkingPatterns::Lines<std::uint16_t> rows{};
    WalkingPatterns::Lines<std::uint16_t> columns{};

    /// \param home_row, home_column by the number of a tile
    template <int N, class Homes>
    BoardCodes(const PackedBoard<N>& board, const Homes& home_row, const Homes& home_column) {
        for (int cell = 0; cell < N * N; ++cell) {
            if (const auto tile = static_cast<std::size_t>(board.tile(cell)); tile != 0) {
                auto& row = rows[static_cast<std::size_t>(cell / N)];
                auto& column = columns[static_cast<std::size_t>(cell % N)];
                row = static_cast<std::uint16_t>(row + WalkingPatterns::weight(home_row[tile]));
                column = static_cast<std::uint16_t>(column + WalkingPatterns::weight(home_column[tile]));
            }
        }
    }
};

/// Visits all patterns in breadth-first order from the goal pattern. For each neighbor of each pattern it
/// calls `follow(number, is_down, home, neighbor)`, which says how the neighbor was reached, then
/// `reach(number, pattern, depth)`, which returns whether the neighbor is new.
template <class Reach, class Follow>
void walk(const WalkingPatterns& patterns, Reach&& reach, Follow&& follow) {
    using Pattern = WalkingPatterns::Pattern;
    struct Node {
        std::uint32_t number;
        Pattern pattern;
    };
    std::vector<Node> layer;
    std::vector<Node> next;
    reach(patterns.number_of(patterns.goal()), patterns.goal(), 0);
    layer.push_back({static_cast<std::uint32_t>(patterns.number_of(patterns.goal())), patterns.goal()});
    for (int depth = 1; !layer.empty(); ++depth) {
        for (const Node& node : layer) {
            patterns.for_each_neighbor(node.pattern, [&](bool is_down, std::size_t home, std::size_t number,
                                                         const Pattern& pattern) {
                follow(node.number, is_down, home, number);
                if (reach(number, pattern, depth)) {
                    next.push_back({static_cast<std::uint32_t>(number), pattern});
                }
            });
        }
        layer.swap(next);
        next.clear();
    }
}

/// The distance of each pattern from the goal pattern, and the pattern that each move leads to: two bytes for
/// each pattern and move. For sizes up to 4.
class LinkedWalkingTable {
public:
    /// A pattern, and its distance from the goal pattern.
    struct Position {
        std::uint32_t number = 0;
        std::int32_t distance = 0;
    };

    LinkedWalkingTable(int size, int goal_line)
        : patterns_(size, goal_line), distances_(patterns_.count(), unknown),
          links_(patterns_.count() * links_of_pattern) {
        using Pattern = WalkingPatterns::Pattern;
        walk(
            patterns_,
            [&](std::size_t number, const Pattern&, int depth) {
                const bool is_new = distances_[number] == unknown;
                distances_[number] = is_new ? static_cast<std::uint8_t>(depth) : distances_[number];
                return is_new;
            },
            [&](std::size_t number, bool is_down, std::size_t home, std::size_t next) {
                links_[link(number, is_down, home)] = static_cast<std::uint16_t>(next << 1);
            });
        for (std::size_t i = 0; i < links_.size(); ++i) {
            links_[i] = static_cast<std::uint16_t>(
                links_[i] | (distances_[links_[i] >> 1] > distances_[i / links_of_pattern] ? 1 : 0));
        }
    }

    std::size_t count() const { return patterns_.count(); }

    /// The position of the pattern whose lines have these codes.
    Position at(const WalkingPatterns::Lines<std::uint16_t>& line_codes) const {
        const std::size_t number = patterns_.number(line_codes);
        return {static_cast<std::uint32_t>(number), distances_[number]};
    }

    /// The position after a move: the blank goes from line `from` to line `to`, and a tile that belongs in
    /// line `home` goes the other way.
    NPUZZLE_ALWAYS_INLINE Position moved(const Position& position, int from, int to, int home) const {
        const std::uint16_t step = links_[link(position.number, from < to, static_cast<std::size_t>(home))];
        return {static_cast<std::uint32_t>(step >> 1), position.distance - 1 + 2 * (step & 1)};
    }

private:
    static constexpr std::uint8_t unknown = 255;

    static constexpr std::size_t links_of_pattern = 8;

    static constexpr std::size_t link(std::size_t number, bool is_down, std::size_t home) {
        return number * links_of_pattern + (is_down ? links_of_pattern / 2 : 0) + home;
    }

    WalkingPatterns patterns_;
    std::vector<std::uint8_t> distances_;
    /// Twice the number of the pattern that a move leads to, plus 1 if that pattern is farther from the goal
    /// pattern. The blank's line determines the parity of the distance, so a move changes the distance by
    /// exactly 1.
    std::vector<std::uint16_t> links_;
};

/// For size 5, with 65,650,495 patterns. A pattern's distance exceeds the sum of its tiles' distances to
/// their lines by an even number of at most 20. Half of that excess is stored in four bits for each pattern:
/// 33 MB.
class ExcessWalkingTable {
public:
    struct Position {
        WalkingPatterns::Lines<std::uint16_t> line_codes{};
        std::int16_t distance = 0;
    };

    ExcessWalkingTable(int size, int goal_line)
        : patterns_(size, goal_line), excesses_((patterns_.count() + 1) / 2, std::uint8_t{255}) {
        using Pattern = WalkingPatterns::Pattern;
        walk(
            patterns_,
            [&](std::size_t number, const Pattern& pattern, int depth) {
                const bool is_new = excess(number) == unknown;
                if (is_new) {
                    const int more = (depth - patterns_.distance_one_by_one(pattern)) / 2;
                    excesses_[number / 2] ^= static_cast<std::uint8_t>((more ^ unknown) << (number % 2 * 4));
                }
                return is_new;
            },
            [](std::size_t, bool, std::size_t, std::size_t) {});
    }

    std::size_t count() const { return patterns_.count(); }

    Position at(const WalkingPatterns::Lines<std::uint16_t>& line_codes) const {
        const auto pattern = patterns_.pattern(line_codes);
        const int distance =
            patterns_.distance_one_by_one(pattern) + 2 * excess(patterns_.number_of(pattern));
        return {line_codes, static_cast<std::int16_t>(distance)};
    }

    Position moved(const Position& position, int from, int to, int home) const {
        const std::uint16_t tile = WalkingPatterns::weight(home);
        auto line_codes = position.line_codes;
        line_codes[static_cast<std::size_t>(from)] =
            static_cast<std::uint16_t>(line_codes[static_cast<std::size_t>(from)] + tile);
        line_codes[static_cast<std::size_t>(to)] =
            static_cast<std::uint16_t>(line_codes[static_cast<std::size_t>(to)] - tile);
        return at(line_codes);
    }

private:
    static constexpr int unknown = 15;

    int excess(std::size_t number) const { return excesses_[number / 2] >> (number % 2 * 4) & 15; }

    WalkingPatterns patterns_;
    std::vector<std::uint8_t> excesses_;
};

template <int N>
using WalkingTable = std::conditional_t<N <= 4, LinkedWalkingTable, ExcessWalkingTable>;

/// The table for boards whose goal has the blank in line `goal_line`. Built at the first use, by the thread
/// that comes first, and kept until the program ends.
template <int N, int goal_line>
const WalkingTable<N>& shared_walking_table() {
    static const WalkingTable<N> table(N, goal_line);
    return table;
}

template <int N>
const WalkingTable<N>& walking_table(int goal_line) {
    return [&]<int... lines>(std::integer_sequence<int, lines...>) -> const WalkingTable<N>& {
        using Getter = const WalkingTable<N>& (*)();
        constexpr std::array<Getter, static_cast<std::size_t>(N)> getters{&shared_walking_table<N, lines>...};
        return getters[static_cast<std::size_t>(goal_line)]();
    }(std::make_integer_sequence<int, N>{});
}

} // namespace npuzzle::detail
