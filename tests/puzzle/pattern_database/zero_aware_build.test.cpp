#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/pattern_databases.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/zero_aware_build.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/ida_star.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/pattern_builds.hpp"
#include "support/pattern_heuristics.hpp"
#include "support/pattern_space.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

using npuzzle::build_table;
using npuzzle::BuildOptions;
using npuzzle::normalized_shape;
using npuzzle::PackedBoard;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::Reflection;
using npuzzle::SlidingPuzzle;
using npuzzle::TableKind;
using npuzzle::TableShape;
using npuzzle::ZeroAwarePatternDatabases;
using test::cells_of;

namespace {

ZeroAwarePatternDatabases zero_aware(const Partition& partition, Reflection reflection) {
    return ZeroAwarePatternDatabases(partition, *npuzzle::build_tables<TableKind::zero_aware>(partition),
                                     reflection);
}

/// A board with some tiles and the blank in given cells, and the others anywhere.
template <int N>
PackedBoard<N> board_with(const PackedBoard<N>& goal, const std::vector<int>& homes,
                          const std::vector<int>& cells, int blank) {
    std::array<int, std::size_t{N} * std::size_t{N}> tiles{};
    std::vector<int> others;
    for (int cell = 0; cell < N * N; ++cell) {
        if (cell != goal.blank_cell() && std::find(homes.begin(), homes.end(), cell) == homes.end()) {
            others.push_back(goal.tile(cell));
        }
    }
    tiles.fill(-1);
    tiles[static_cast<std::size_t>(blank)] = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        tiles[static_cast<std::size_t>(cells[i])] = goal.tile(homes[i]);
    }
    for (int& tile : tiles) {
        if (tile < 0) {
            tile = others.back();
            others.pop_back();
        }
    }
    return PackedBoard<N>(tiles);
}

/// Compares the value of each placement and each cell of the blank with a search from the goal.
template <int N>
void check_values(std::uint32_t pattern_cells, int blank_cell, int one_in = 1) {
    PackedBoard<N> goal;
    for (const npuzzle::Move move : {npuzzle::Move::up, npuzzle::Move::left}) {
        // From the last cell to the one in which the blank is to be.
        const int distance = move == npuzzle::Move::up ? N - 1 - blank_cell / N : N - 1 - blank_cell % N;
        for (int i = 0; i < distance; ++i) {
            SlidingPuzzle<N>{}.apply(goal, move);
        }
    }
    REQUIRE(goal.blank_cell() == blank_cell);
    const Partition partition({Pattern(N, pattern_cells)}, blank_cell);
    CAPTURE(partition.to_string());
    const auto bound = zero_aware(partition, Reflection::none).bind(SlidingPuzzle<N>{goal});
    const auto additive = test::built(partition, Reflection::none).bind(SlidingPuzzle<N>{goal});
    const std::vector<int> homes = cells_of(pattern_cells);
    const oracle::PatternSpace space(N, homes, blank_cell, oracle::Counted::tiles);
    int greater = 0;
    int placements = 0;
    oracle::for_each_placement(N, homes.size() + 1, [&](std::vector<int> cells) {
        if (++placements % one_in != 0) {
            return;
        }
        const int blank = cells.back();
        cells.pop_back();
        const PackedBoard<N> board = board_with(goal, homes, cells, blank);
        const int value = bound(board);
        if (value != space.cost(cells, blank) || value < additive(board)) {
            FAIL(value << " instead of " << space.cost(cells, blank) << ", additive " << additive(board)
                       << ": " << board);
        }
        greater += value > additive(board) ? 1 : 0;
    });
    CHECK((greater > 0) == (homes.size() > 1));
}

} // namespace

TEST_CASE("zero-aware values agree with a plain search, for each placement and cell of the blank",
          "[zero_aware_build]") {
    check_values<2>(0b0001, 3);
    check_values<3>(0b000'000'001, 4);
    check_values<3>(0b000'011'010, 8); // the blank is enclosed in the goal's other region
    check_values<3>(0b000'011'010, 0); // and here in the goal
    check_values<3>(0b000'010'011, 8);
    check_values<3>(0b010'010'011, 8);
    check_values<3>(0b010'110'011, 8, 7);
    check_values<3>(0b001'110'111, 8, 11); // as many tiles as can be
    check_values<4>(0x0013, 15, 5);
    check_values<4>(0x0012, 0, 5); // enclosed in the corner
    check_values<4>(0x00d0, 5, 31);
    check_values<5>(0x0000022, 0);
    check_values<5>(0x0008401, 24, 31);
}

TEST_CASE("zero-aware values of five tiles of the 15-puzzle agree with a plain search",
          "[zero_aware_build][slow]") {
    check_values<4>(Partition::named("5-5-5", 4, 15).patterns()[1].cells(), 15, 101);
}

TEST_CASE("the numbers of zero-aware values at each depth are those of a plain search",
          "[zero_aware_build]") {
    // A region is counted at the first of its cells.
    const TableShape shape = normalized_shape(Pattern(3, 0b000'011'010), 0, TableKind::zero_aware).shape;
    const std::vector<int> homes = cells_of(shape.cells);
    const oracle::PatternSpace space(3, homes, shape.blank, oracle::Counted::tiles);
    std::vector<std::uint64_t> counts(256);
    oracle::for_each_placement(3, homes.size(), [&](const std::vector<int>& cells) {
        std::uint32_t rest = 0b111'111'111;
        for (const int cell : cells) {
            rest &= ~(std::uint32_t{1} << cell);
        }
        while (rest != 0) {
            std::uint32_t region = rest & (~rest + 1);
            ++counts[static_cast<std::size_t>(space.cost(cells, std::countr_zero(region)))];
            std::uint32_t before = 0;
            while (region != before) {
                before = region;
                region |= (region << 3 | region >> 3 | (region << 1 & 0b110'110'110) |
                           (region >> 1 & 0b011'011'011)) &
                          rest;
            }
            rest &= ~region;
        }
    });
    while (counts.back() == 0) {
        counts.pop_back();
    }
    CHECK(test::built(shape).entries_at_depth() == counts);
}

TEST_CASE(
    "a zero-aware table does not depend on the number of threads, and takes a bit a value, as much again "
    "while it is built",
    "[zero_aware_build]") {
    for (const TableShape& shape : {normalized_shape(Pattern(4, 0x0333), 15, TableKind::zero_aware).shape,
                                    normalized_shape(Pattern(5, 0x63), 24, TableKind::zero_aware).shape}) {
        std::uint64_t peak = 0;
        BuildOptions options;
        options.threads = 1;
        options.peak_bytes = &peak;
        const PatternTable one = *build_table(shape, options);
        const PatternTable several = test::built(shape, 3);
        CHECK(std::equal(one.entries().begin(), one.entries().end(), several.entries().begin()));
        CHECK(one.entries_at_depth() == several.entries_at_depth());
        if (shape.pieces() == 6) {
            CHECK(one.entries().size() < shape.ranking().placements() / 3);
            CHECK(peak <= npuzzle::table_bytes(shape).to_build);
        }
    }
}

TEST_CASE("tables with fewer than two tiles outside, or of shapes that are not normalized, are refused",
          "[zero_aware_build]") {
    const TableShape large = normalized_shape(Pattern(3, 0x7f), 8, TableKind::zero_aware).shape;
    CHECK(
        message_of<std::invalid_argument>([&] { (void)build_table(large); }) ==
        "a zero-aware table leaves at least two tiles out of its pattern, unlike zero-aware 3x3 xxx/xxx/x_.");
    CHECK_THROWS_AS(build_table(TableShape{3, TableKind::zero_aware, 0b110'000'000, 0}),
                    std::invalid_argument);
}

TEST_CASE(
    "a zero-aware sum follows each move by 1, is never more than the moves of a walk, and never less than "
    "the additive sum",
    "[zero_aware_build]") {
    const auto check = [](const auto& goal, const Partition& partition, Reflection reflection, int length) {
        constexpr int n = std::remove_cvref_t<decltype(goal)>::size();
        const SlidingPuzzle<n> puzzle{goal};
        const auto heuristic = zero_aware(partition, reflection);
        test::check_walk<n>(heuristic, goal, length, 1); // from scratch as well, and admissible
        const auto bound = heuristic.bind(puzzle);
        static_assert(npuzzle::declares_consistent<decltype(bound)>);
        const auto additive = test::built(partition, reflection).bind(puzzle);
        test::Random random(2);
        auto board = goal;
        auto evaluation = bound.evaluate(board);
        auto additive_evaluation = additive.evaluate(board);
        npuzzle::Move last = npuzzle::Move::none;
        int greater = 0;
        for (int i = 0; i < 20'000; ++i) {
            std::vector<npuzzle::Move> moves;
            puzzle.for_each_move(board, last, [&](npuzzle::Move move) { moves.push_back(move); });
            last = moves[random.below(moves.size())];
            auto next = board;
            puzzle.apply(next, last);
            const int before = bound.value(evaluation);
            evaluation = bound.after(evaluation, board, last, next);
            additive_evaluation = additive.after(additive_evaluation, board, last, next);
            board = next;
            const int value = bound.value(evaluation);
            if (std::abs(value - before) > 1 || value < additive.value(additive_evaluation)) {
                FAIL(before << " to " << value << ", additive " << additive.value(additive_evaluation) << ": "
                            << board);
            }
            greater += value > additive.value(additive_evaluation) ? 1 : 0;
        }
        CHECK(greater > 100);
    };
    check(PackedBoard<3>{}, Partition::named("4-4", 3, 8), Reflection::both, 500);
    check(PackedBoard<4>(npuzzle::goal_spiral(4)), Partition::named("5-5-5", npuzzle::goal_spiral(4)),
          Reflection::both, 200);
    check(PackedBoard<5>{}, Partition::drawn("aa.bb/aa.bb/...../dd.cc/dd.c.", 5, 24), Reflection::both, 200);
}

TEST_CASE("IDA* finds shortest paths with zero-aware tables, by fewer nodes", "[zero_aware_build]") {
    const PackedBoard<4> board(test::korf_boards[0].turned);

    const auto partition = npuzzle::Partition::named("5-5-5", npuzzle::goal_blank_last(4));
    const auto tables = npuzzle::build_tables<npuzzle::TableKind::zero_aware>(partition);
    const npuzzle::ZeroAwarePatternDatabases heuristic(partition, *tables, npuzzle::Reflection::both);
    const auto result = npuzzle::ida_star(npuzzle::SlidingPuzzle<4>{}, board, heuristic);

    const auto additive = ida_star(SlidingPuzzle<4>{}, board, test::built(partition, Reflection::both));
    CHECK(result.cost == 42);
    CHECK(result.statistics.generated < additive.statistics.generated);
    CHECK(result.statistics.contract_violations == 0);
}
