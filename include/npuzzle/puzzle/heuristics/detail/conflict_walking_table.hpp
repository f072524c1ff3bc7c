#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/heuristics/detail/walking_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// The table of walking distance in which some of the tiles that are at home must leave their line. A state
/// is a pattern, with the number of tiles that must still leave each line, which is less than that of the
/// tiles that are at home there. For sizes up to 4.
class ConflictWalkingTable {
    using Pattern = WalkingPatterns::Pattern;
    using Counts = WalkingPatterns::Lines<std::uint8_t>;

public:
    /// A state's number among those with the blank in the same line, and its distance from the goal.
    struct Position {
        std::uint32_t number;
        std::int32_t distance;
    };

    static constexpr int number_bits = 15;
    static constexpr int distance_bits = 7;

    NPUZZLE_COLD ConflictWalkingTable(int size, int goal_line)
        : size_(static_cast<std::size_t>(size)), patterns_(size, goal_line), of_pattern_(patterns_.count()) {
        const std::vector<Step> steps = list_patterns();
        const std::vector<Counts> must_leave = list_states();
        measure(steps, must_leave);
        link(steps, must_leave);
    }

    ConflictWalkingTable(const ConflictWalkingTable&) = delete;
    ConflictWalkingTable& operator=(const ConflictWalkingTable&) = delete;

    /// The number of states.
    std::size_t count() const { return distances_.size(); }

    /// The position of a board whose lines have these codes.
    /// \param must_leave how many tiles must leave each line
    Position at(const WalkingPatterns::Lines<std::uint16_t>& line_codes, const Counts& must_leave) const {
        const OfPattern& pattern = of_pattern_[patterns_.number(line_codes)];
        const std::size_t state = state_of(pattern, must_leave);
        return {static_cast<std::uint32_t>(state - first_of_line_[pattern.blank]), distances_[state]};
    }

    /// The position after a move: the blank goes from line `from` to line `to`, and a tile that belongs in
    /// line `home` goes the other way.
    /// \param left 1 if the tile leaves its home line, and one tile fewer must leave that then; else 0
    /// \param entered 1 if it enters its home line, and one tile more must leave that then; else 0
    NPUZZLE_ALWAYS_INLINE Position moved(const Position& position, int from, int to, int home, int left,
                                         int entered) const {
        const int slot = home + left * (left_slot - to) + entered * (entered_slot - from);
        const std::uint16_t link =
            links_of_line_[static_cast<std::size_t>(from)]
                          [link_of(position.number, static_cast<std::size_t>(from), from < to) +
                           static_cast<std::size_t>(slot)];
        return {static_cast<std::uint32_t>(link >> 1), position.distance - 1 + 2 * (link & 1)};
    }

private:
    /// From a pattern to another: the blank goes to the line below (or above), and a tile of line `home`
    /// comes from it.
    struct Step {
        std::uint32_t from;
        std::uint32_t to;
        std::uint8_t home;
        bool is_down;
    };

    struct OfPattern {
        std::uint32_t first_step = 0;
        std::uint32_t end_of_steps = 0;
        std::uint32_t first_state = 0;
        Counts choices{}; ///< in how many ways tiles may have to leave each line
        Counts
            strides{}; ///< by how much the number of a state rises with a tile more that must leave the line
        std::uint8_t blank = 0;
    };

    /// By the home line of the tile; or for a tile that changes the number of those that must leave its home.
    static constexpr int left_slot = 4;
    static constexpr int entered_slot = 5;
    static constexpr std::size_t slots = 6;

    /// The first link of a state in one direction. The blank leaves the first and the last line in one
    /// direction only.
    std::size_t link_of(std::size_t number, std::size_t line, bool is_down) const {
        return line == 0 || line + 1 == size_ ? number * slots : (2 * number + (is_down ? 1 : 0)) * slots;
    }

    static std::size_t state_of(const OfPattern& pattern, const Counts& must_leave) {
        std::size_t state = pattern.first_state;
        for (std::size_t line = 0; line < must_leave.size(); ++line) {
            state += std::size_t{must_leave[line]} * pattern.strides[line];
        }
        return state;
    }

    /// Whether a pattern can have so many tiles that must leave a line.
    static bool can_have(const OfPattern& pattern, const Counts& must_leave, std::size_t line) {
        return must_leave[line] < pattern.choices[line];
    }

    NPUZZLE_COLD std::vector<Step> list_patterns() {
        std::vector<Step> steps;
        std::vector<char> is_known(of_pattern_.size(), 0);
        walk(
            patterns_,
            [&](std::size_t number, const Pattern& pattern, int) {
                const bool is_new = std::exchange(is_known[number], 1) == 0;
                if (is_new) {
                    OfPattern& of = of_pattern_[number];
                    of.blank = static_cast<std::uint8_t>(patterns_.blank_line(pattern));
                    for (std::size_t line = 0; line < of.choices.size(); ++line) {
                        const std::size_t at_home = line < size_ ? patterns_.at_home(pattern, line) : 0;
                        of.choices[line] = static_cast<std::uint8_t>(at_home == 0 ? 1 : at_home);
                    }
                }
                return is_new;
            },
            [&](std::size_t number, bool is_down, std::size_t home, std::size_t next) {
                OfPattern& of = of_pattern_[number];
                if (of.end_of_steps == 0) {
                    of.first_step = static_cast<std::uint32_t>(steps.size());
                }
                steps.push_back({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(next),
                                 static_cast<std::uint8_t>(home), is_down});
                of.end_of_steps = static_cast<std::uint32_t>(steps.size());
            });
        return steps;
    }

    /// Numbers the states, by the line of the blank. Returns how many tiles must leave each line.
    NPUZZLE_COLD std::vector<Counts> list_states() {
        std::vector<Counts> must_leave;
        for (std::size_t line = 0; line < size_; ++line) {
            first_of_line_[line] = static_cast<std::uint32_t>(must_leave.size());
            for (OfPattern& pattern : of_pattern_) {
                if (pattern.blank != line) {
                    continue;
                }
                pattern.first_state = static_cast<std::uint32_t>(must_leave.size());
                must_leave.push_back({});
                for (std::size_t counted = 0; counted < size_; ++counted) {
                    const std::size_t stride = must_leave.size() - pattern.first_state;
                    pattern.strides[counted] = static_cast<std::uint8_t>(stride);
                    for (std::size_t i = stride; i < stride * pattern.choices[counted]; ++i) {
                        Counts more = must_leave[must_leave.size() - stride];
                        ++more[counted];
                        must_leave.push_back(more);
                    }
                }
            }
        }
        return must_leave;
    }

    /// Breadth-first search from the goal, backward. A tile that leaves its home is one of those that must,
    /// if there are any.
    NPUZZLE_COLD void measure(const std::vector<Step>& steps, const std::vector<Counts>& must_leave) {
        constexpr std::uint8_t unknown = 255;
        distances_.assign(must_leave.size(), unknown);
        using Node = std::pair<const OfPattern*, std::uint32_t>;
        std::vector<Node> layer;
        std::vector<Node> next;
        const auto reach = [&](const OfPattern& pattern, const Counts& counts, int distance) {
            const std::size_t state = state_of(pattern, counts);
            if (distances_[state] == unknown) {
                distances_[state] = static_cast<std::uint8_t>(distance);
                next.emplace_back(&pattern, static_cast<std::uint32_t>(state));
            }
        };
        reach(of_pattern_[patterns_.number_of(patterns_.goal())], Counts{}, 0);
        for (int distance = 1; !next.empty(); ++distance) {
            layer.swap(next);
            next.clear();
            for (const auto& [pattern, state] : layer) {
                for (std::size_t i = pattern->first_step; i < pattern->end_of_steps; ++i) {
                    // The move before takes the tile from where the blank is now.
                    const OfPattern& earlier = of_pattern_[steps[i].to];
                    const std::size_t left = pattern->blank;
                    Counts counts = must_leave[state];
                    const bool leaves_home = steps[i].home == left;
                    if (can_have(earlier, counts, earlier.blank) && can_have(earlier, counts, left) &&
                        (!leaves_home || counts[left] == 0)) {
                        reach(earlier, counts, distance);
                    }
                    ++counts[left];
                    if (leaves_home && can_have(earlier, counts, left)) {
                        reach(earlier, counts, distance);
                    }
                }
            }
        }
    }

    NPUZZLE_COLD void link(const std::vector<Step>& steps, const std::vector<Counts>& must_leave) {
        std::array<std::size_t, WalkingPatterns::max_size + 1> first_link{};
        for (std::size_t line = 0; line < size_; ++line) {
            const std::size_t end = line + 1 < size_ ? first_of_line_[line + 1] : must_leave.size();
            first_link[line + 1] = first_link[line] + link_of(end - first_of_line_[line], line, false);
        }
        links_.resize(first_link[size_]);
        for (std::size_t line = 0; line < size_; ++line) {
            links_of_line_[line] = links_.data() + first_link[line];
        }
        for (const Step& step : steps) {
            const OfPattern& before = of_pattern_[step.from];
            const OfPattern& after = of_pattern_[step.to];
            const std::size_t from = before.blank;
            const std::size_t to = after.blank;
            for (std::size_t state = before.first_state;
                 state < must_leave.size() && state - before.first_state < states_of(before); ++state) {
                std::uint16_t* const links =
                    links_.data() + first_link[from] + link_of(state - first_of_line_[from], from, from < to);
                const auto link_to = [&](std::size_t slot, const Counts& counts) {
                    if (can_have(after, counts, from) && can_have(after, counts, to)) {
                        const std::size_t next = state_of(after, counts);
                        const bool is_farther = distances_[next] > distances_[state];
                        links[slot] = static_cast<std::uint16_t>((next - first_of_line_[to]) << 1 |
                                                                 (is_farther ? 1 : 0));
                    }
                };
                Counts counts = must_leave[state];
                link_to(step.home, counts);
                if (step.home == to && counts[to] > 0) {
                    --counts[to];
                    link_to(left_slot, counts);
                } else if (step.home == from) {
                    ++counts[from];
                    link_to(entered_slot, counts);
                }
            }
        }
    }

    static std::size_t states_of(const OfPattern& pattern) {
        std::size_t states = 1;
        for (const std::uint8_t choices : pattern.choices) {
            states *= choices;
        }
        return states;
    }

    std::size_t size_;
    WalkingPatterns patterns_;
    std::vector<OfPattern> of_pattern_;
    WalkingPatterns::Lines<std::uint32_t> first_of_line_{}; ///< the first state with the blank there
    std::vector<std::uint8_t> distances_;                   ///< of each state
    /// Of each state and move: twice the number of the state that it leads to, plus 1 if that is farther from
    /// the goal.
    std::vector<std::uint16_t> links_;
    WalkingPatterns::Lines<const std::uint16_t*> links_of_line_{};
};

} // namespace npuzzle::detail
