#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/heuristics/pattern_databases.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/file.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/combinators.hpp"
#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/ida_star.hpp"

#include "support/catch.hpp"
#include "support/korf.hpp"
#include "support/pattern_heuristics.hpp"
#include "support/pattern_space.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using npuzzle::BasicPatternDatabases;
using npuzzle::Board;
using npuzzle::Move;
using npuzzle::PackedBoard;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::PatternDatabases;
using npuzzle::Reflection;
using npuzzle::SlidingPuzzle;
using test::built;
using test::check_walk;
using test::in_the_mirror;

namespace {

template <int N>
double mean_value(const PatternDatabases& heuristic, int boards) {
    const auto bound = heuristic.bind(SlidingPuzzle<N>{});
    test::Random random(N);
    std::vector<int> tiles(std::size_t{N} * std::size_t{N});
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        tiles[i] = static_cast<int>(i);
    }
    double sum = 0;
    for (int counted = 0; counted < boards;) {
        random.shuffle(tiles);
        const PackedBoard<N> board{Board(tiles)};
        if (board.is_solvable()) {
            sum += bound(board);
            ++counted;
        }
    }
    return sum / boards;
}

} // namespace

TEST_CASE("pattern databases are not consistent, and do not claim to be", "[pattern_databases]") {
    // A table does not know where the blank is. So a move of one tile may change its entry by 3, 5 ...
    static_assert(!npuzzle::declares_consistent<PatternDatabases>);
    static_assert(!npuzzle::declares_consistent<npuzzle::bound_t<PatternDatabases, SlidingPuzzle<3>>>);
    const auto bound = built(Partition::named("4-4", 3, 8), Reflection::both).bind(SlidingPuzzle<3>{});
    int greatest = 0;
    for (const auto& cells : oracle::space_of_size_3(oracle::blank_last_of_size_3).solvable()) {
        for (const auto& step : oracle::steps_from(cells, 3)) {
            greatest = std::max(greatest,
                                std::abs(bound(PackedBoard<3>(cells)) - bound(PackedBoard<3>(step.board))));
        }
    }
    CHECK(greatest > 1);
}

TEST_CASE("searches with pattern databases find shortest paths", "[pattern_databases]") {
    const SlidingPuzzle<3> puzzle;
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    const auto heuristic = built(Partition::named("4-4", 3, 8), Reflection::both);
    for (const auto& cells : space.solvable(401)) {
        const PackedBoard<3> board(cells);
        CHECK(npuzzle::astar(puzzle, board, heuristic).cost == space.depth(cells));
        CHECK(npuzzle::ida_star(puzzle, board, heuristic).cost == space.depth(cells));
    }
}

TEST_CASE("along walks each value equals that from scratch, with goals of every kind",
          "[pattern_databases]") {
    for (const Reflection reflection : {Reflection::none, Reflection::both}) {
        for (const Board& goal : {npuzzle::goal_blank_last(3), npuzzle::goal_spiral(3)}) {
            const auto heuristic = built(Partition::named("3-3-2", goal), reflection);
            check_walk<3>(heuristic, PackedBoard<3>(goal), 40'000, 1);
        }
        for (const Board& goal :
             {npuzzle::goal_blank_last(4), npuzzle::goal_blank_first(4), npuzzle::goal_spiral(4),
              Board{{3, 9, 1, 15}, {14, 11, 4, 6}, {0, 13, 10, 12}, {2, 7, 8, 5}}}) {
            const auto heuristic = built(Partition::named("5-5-5", goal), reflection);
            check_walk<4>(heuristic, PackedBoard<4>(goal), 40'000, 2);
        }
        const Partition squares = Partition::drawn("aa.bb/aa.bb/...../dd.cc/dd.c.", 5, 24);
        check_walk<5>(built(squares, reflection), PackedBoard<5>{}, 40'000, 3);
        const Board spiral = npuzzle::goal_spiral(5);
        const Partition around = Partition::drawn("aa.bb/a..bb/...../dd.cc/dd.cc", spiral);
        check_walk<5>(built(around, reflection), PackedBoard<5>(spiral), 40'000, 4);
    }
}

TEST_CASE("with reflection the value is the greater of the board's and of the reflected board's",
          "[pattern_databases]") {
    const auto check = [](const auto& goal, const Partition& partition) {
        constexpr int n = std::remove_cvref_t<decltype(goal)>::size();
        const SlidingPuzzle<n> puzzle{goal};
        const auto regular = built(partition, Reflection::none).bind(puzzle);
        const auto both = built(partition, Reflection::both).bind(puzzle);
        test::Random random(5);
        auto board = goal;
        Move last = Move::none;
        std::size_t higher = 0;
        for (int i = 0; i < 5'000; ++i) {
            std::vector<Move> moves;
            puzzle.for_each_move(board, last, [&](Move move) { moves.push_back(move); });
            last = moves[random.below(moves.size())];
            puzzle.apply(board, last);
            const int own = regular(board);
            const int mirrored = regular(in_the_mirror(board, goal));
            if (both(board) != std::max(own, mirrored)) {
                FAIL(both(board) << " instead of the greater of " << own << " and " << mirrored << ": "
                                 << board);
            }
            higher += mirrored > own ? 1 : 0;
        }
        CHECK(higher > 250);
    };
    check(PackedBoard<4>{}, Partition::named("5-5-5", 4, 15));
    const PackedBoard<3> side({1, 0, 2, 3, 4, 5, 6, 7, 8});
    check(side, Partition::named("3-3-2", side));
    check(PackedBoard<5>{}, Partition::drawn("aaabb/aa.bb/....b/...../.....", 5, 24));
}

TEST_CASE("a goal without a mirror image, or a partition that is its own image, is looked up once",
          "[pattern_databases]") {
    CHECK_FALSE(built(Partition::named("5-5-5", 4, 1), Reflection::both).is_reflected());
    CHECK_FALSE(built(Partition::drawn("aab/a.b/bb.", 3, 8), Reflection::none).is_reflected());
    CHECK_FALSE(built(Partition::drawn("aa./ab./...", 3, 8), Reflection::both).is_reflected());
    CHECK(built(Partition::named("5-5-5", 4, 15), Reflection::both).is_reflected());
}

TEST_CASE("tables, patterns and goals that do not fit together are refused", "[pattern_databases]") {
    const Partition partition = Partition::named("3-3-2", 3, 8);
    const auto tables = *npuzzle::build_tables(partition);
    const auto error = [](auto&& call) { return message_of<std::invalid_argument>(call); };
    CHECK(error([&] { PatternDatabases(partition, {tables[0], tables[1]}); }) ==
          "the table " + tables[2].shape().to_string() + " is missing");
    CHECK(error([&] { BasicPatternDatabases<5>(partition, tables, Reflection::both); }) ==
          "a value is made up of 6 look-ups; this type has room for 5");
    const PatternDatabases heuristic(partition, tables);
    CHECK(error([&] { (void)heuristic.bind(SlidingPuzzle<4>{}); }) ==
          "pattern databases for boards of size 3 with the blank in row 2, column 2 do not fit a goal of "
          "size 4 with "
          "the blank in row 3, column 3");
    CHECK_THROWS_AS(heuristic.bind(SlidingPuzzle<3>{npuzzle::goal_blank_first(3)}), std::invalid_argument);
}

TEST_CASE("as docs/puzzle-heuristics.md has it", "[pattern_databases]") {
    const auto folder = std::filesystem::temp_directory_path() /
                        ("npuzzle-docs-" + std::to_string(test::Random(std::random_device{}()).word()));
    std::ostringstream out;
    const PackedBoard<4> board(test::korf_boards[0].turned);

    npuzzle::TableStore store;
    store.folder = folder; // instead of the cache folder
    store.build.progress = [&](const npuzzle::BuildProgress& progress) {
        out << progress.shape.to_string() << ": " << progress.percent() << " %, depth " << progress.depth
            << ", " << progress.seconds_left << " s left\n";
    };
    const auto partition = npuzzle::Partition::named("5-5-5", npuzzle::goal_blank_last(4));
    const auto tables = npuzzle::load_or_build_tables(partition, store);
    const npuzzle::PatternDatabases heuristic(partition, *tables, npuzzle::Reflection::both);
    const auto result = npuzzle::ida_star(npuzzle::SlidingPuzzle<4>{}, board, heuristic);
    CHECK(result.cost == 42);

    const auto drawn = npuzzle::Partition::drawn("aaab/aabb/c.bb/cccc", npuzzle::goal_spiral(4));
    CHECK(drawn.patterns().size() == 3);

    CHECK(out.str().find("additive 4x4 xxxx/_x../..../....: 100 %, depth 23") != std::string::npos);
    CHECK(store.holds(partition));
    std::filesystem::remove_all(folder);
}

TEST_CASE("zero-aware sums along walks equal those from scratch, and are consistent", "[pattern_databases]") {
    static_assert(
        npuzzle::declares_consistent<npuzzle::bound_t<npuzzle::ZeroAwarePatternDatabases, SlidingPuzzle<4>>>);
    check_walk<3>(test::zero_aware(Partition::named("4-4", 3, 8), Reflection::both), PackedBoard<3>{}, 500,
                  1);
    const Board spiral = npuzzle::goal_spiral(4);
    check_walk<4>(test::zero_aware(Partition::named("5-5-5", spiral), Reflection::both),
                  PackedBoard<4>(spiral), 200, 1);
    const Partition squares = Partition::drawn("aa.bb/aa.bb/...../dd.cc/dd.c.", 5, 24);
    check_walk<5>(test::zero_aware(squares, Reflection::both), PackedBoard<5>{}, 200, 1);
}

TEST_CASE("IDA* finds shortest paths with zero-aware tables, by fewer nodes", "[pattern_databases]") {
    const PackedBoard<4> board(test::korf_boards[0].turned);

    const auto partition = npuzzle::Partition::named("5-5-5", npuzzle::goal_blank_last(4));
    const auto tables = npuzzle::build_tables<npuzzle::TableKind::zero_aware>(partition);
    const npuzzle::ZeroAwarePatternDatabases heuristic(partition, *tables, npuzzle::Reflection::both);
    const auto result = npuzzle::ida_star(npuzzle::SlidingPuzzle<4>{}, board, heuristic);

    const auto additive = ida_star(SlidingPuzzle<4>{}, board, test::built(partition, Reflection::both));
    CHECK(result.cost == 42);
    CHECK(result.statistics.generated < additive.statistics.generated);
    CHECK(result.statistics.contract_violations == 0);

    // Behind a heuristic that is never greater, the tables are asked less often, and prune the same.
    const auto behind = ida_star(SlidingPuzzle<4>{}, board, npuzzle::MaxOf{npuzzle::Manhattan{}, heuristic});
    CHECK(behind.path == result.path);
    CHECK(behind.statistics.generated == result.statistics.generated);
}
