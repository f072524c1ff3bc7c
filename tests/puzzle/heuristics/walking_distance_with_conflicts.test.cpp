#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance_with_conflicts.hpp"
#include "npuzzle/search/ida_star.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/puzzle_heuristics.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

using npuzzle::LinearConflict;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::WalkingDistance;
using npuzzle::WalkingDistanceWithConflicts;

namespace {

/// Of each line how many tiles of each home line it holds, and how many of those at home must leave; and the
/// line of the blank.
struct Lines {
    std::array<std::array<int, 4>, 4> tiles{};
    std::array<int, 4> must_leave{};
    int blank = 0;

    std::uint64_t key() const {
        std::uint64_t key = 0;
        for (const auto& line : tiles) {
            for (const int count : line) {
                key = key * 8 + static_cast<std::uint64_t>(count);
            }
        }
        for (const int count : must_leave) {
            key = key * 4 + static_cast<std::uint64_t>(count);
        }
        return key;
    }
};

using Distances = std::unordered_map<std::uint64_t, int>;

/// By a plain search from the goal, whose moves are taken back one after another.
Distances search(int n, int goal_line) {
    Lines goal;
    goal.blank = goal_line;
    for (int line = 0; line < n; ++line) {
        goal.tiles[static_cast<std::size_t>(line)][static_cast<std::size_t>(line)] =
            line == goal_line ? n - 1 : n;
    }
    Distances distances{{goal.key(), 0}};
    std::vector<Lines> queue{goal};
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const Lines after = queue[next];
        const int distance = distances.at(after.key());
        for (const int earlier_blank : {after.blank - 1, after.blank + 1}) {
            for (int home = 0; home < n && earlier_blank >= 0 && earlier_blank < n; ++home) {
                const auto from = static_cast<std::size_t>(after.blank);
                const auto to = static_cast<std::size_t>(earlier_blank);
                Lines before = after;
                before.blank = earlier_blank;
                ++before.tiles[from][static_cast<std::size_t>(home)];
                if (before.tiles[to][static_cast<std::size_t>(home)]-- == 0) {
                    continue;
                }
                const bool left_home = home == after.blank;
                for (const int more : {0, 1}) {
                    Lines each = before;
                    each.must_leave[from] += more;
                    const bool can_be = more == 0 ? !left_home || each.must_leave[from] == 0 : left_home;
                    bool fits = can_be;
                    for (std::size_t line = 0; line < 4; ++line) {
                        fits = fits && each.must_leave[line] <= std::max(0, each.tiles[line][line] - 1);
                    }
                    if (fits && distances.emplace(each.key(), distance + 1).second) {
                        queue.push_back(each);
                    }
                }
            }
        }
    }
    return distances;
}

const Distances& distances_of(int n, int goal_line) {
    static std::map<std::pair<int, int>, Distances> all;
    Distances& one = all[{n, goal_line}];
    if (one.empty()) {
        one = search(n, goal_line);
    }
    return one;
}

/// The value by definition.
int value_of(const oracle::Tiles& board, const oracle::Tiles& goal, int n) {
    const std::vector<int> home = oracle::cells_of(goal);
    int sum = 0;
    for (const bool of_rows : {true, false}) {
        const auto line_of = [&](int cell) { return of_rows ? cell / n : cell % n; };
        Lines lines;
        for (int line = 0; line < n; ++line) {
            std::vector<int> at_home;
            for (int place = 0; place < n; ++place) {
                const int tile =
                    board[static_cast<std::size_t>(of_rows ? line * n + place : place * n + line)];
                if (tile == 0) {
                    lines.blank = line;
                    continue;
                }
                const int cell = home[static_cast<std::size_t>(tile)];
                ++lines.tiles[static_cast<std::size_t>(line)][static_cast<std::size_t>(line_of(cell))];
                if (line_of(cell) == line) {
                    at_home.push_back(of_rows ? cell % n : cell / n);
                }
            }
            lines.must_leave[static_cast<std::size_t>(line)] = oracle::least_to_leave(at_home);
        }
        sum += distances_of(n, line_of(home[0])).at(lines.key());
    }
    return sum;
}

} // namespace

TEST_CASE("walking distance with conflicts has as many states as a plain search finds",
          "[walking_distance_with_conflicts]") {
    for (int n = 2; n <= 4; ++n) {
        for (int line = n == 4 ? 3 : 0; line < n; ++line) {
            CHECK(npuzzle::detail::ConflictWalkingTable(n, line).count() == distances_of(n, line).size());
        }
    }
}

TEST_CASE("walking distance with conflicts agrees with its definition, is admissible and consistent",
          "[walking_distance_with_conflicts]") {
    test::Random random(20);
    const auto walk = [&]<int N>(const SlidingPuzzle<N>& puzzle) {
        test::check_heuristic_on_a_walk(puzzle, WalkingDistanceWithConflicts{}, value_of, 1'000, random);
    };
    walk(SlidingPuzzle<2>{});
    walk(SlidingPuzzle<3>{npuzzle::goal_blank_first(3)});
    walk(SlidingPuzzle<3>{npuzzle::goal_spiral(3)});
    walk(SlidingPuzzle<4>{});
    walk(SlidingPuzzle<4>{npuzzle::goal_spiral(4)});
    static_assert(npuzzle::declares_consistent<WalkingDistanceWithConflicts>);
    static_assert(npuzzle::declares_zero_at_goals<WalkingDistanceWithConflicts>);
    static_assert(npuzzle::EvaluatingHeuristicFor<WalkingDistanceWithConflicts, SlidingPuzzle<4>>);
    static_assert(!npuzzle::HeuristicFor<WalkingDistanceWithConflicts, SlidingPuzzle<>>);
    CHECK(WalkingDistanceWithConflicts{}(PackedBoard<4>{}) == 0);
}

TEST_CASE("on each 8-puzzle the value is between those of its parts and the distance",
          "[walking_distance_with_conflicts]") {
    const oracle::Cells<3> goal{1, 2, 3, 4, 5, 6, 7, 8, 0};
    const auto& space = oracle::space_of_size_3(goal);
    const SlidingPuzzle<3> puzzle;
    auto both = npuzzle::bind_heuristic(WalkingDistanceWithConflicts{}, puzzle);
    auto walking = npuzzle::bind_heuristic(WalkingDistance{}, puzzle);
    auto conflicts = npuzzle::bind_heuristic(LinearConflict{}, puzzle);
    std::size_t wrong = 0;
    std::size_t greater = 0;
    for (const oracle::Cells<3>& cells : space.boards()) {
        if (space.depth(cells) >= 0) {
            const PackedBoard<3> board(cells);
            const int least = std::max(walking(board), conflicts(board));
            const int value = both(board);
            wrong += value < least || value > space.depth(cells) ? 1 : 0;
            greater += value > least ? 1 : 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(greater > 20'000);
}

TEST_CASE("IDA* with walking distance with conflicts finds the published costs of Korf's boards",
          "[walking_distance_with_conflicts]") {
    const SlidingPuzzle<4> puzzle{npuzzle::goal_blank_first(4)};
    for (const auto& korf : test::korf_boards) {
        CAPTURE(korf.number);
        const PackedBoard<4> board(korf.tiles);
        const auto fast = npuzzle::ida_star(puzzle, board, WalkingDistanceWithConflicts{});
        CHECK(fast.cost == korf.moves);
        CHECK(fast.statistics.contract_violations == 0);
    }
}
