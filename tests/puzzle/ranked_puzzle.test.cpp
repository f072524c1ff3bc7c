#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/ranked_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/node_table/dense_line.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>

namespace {

using npuzzle::CompactProblem;
using npuzzle::DensePolicy;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::RankedPuzzle;
using npuzzle::SlidingPuzzle;
using PortableRanks = npuzzle::detail::HalfRanks<npuzzle::detail::PortableOrders>;
using Tiles = std::array<int, 16>;

template <class Ranked>
concept IsRanked =
    CompactProblem<Ranked> && npuzzle::BipartiteProblem<Ranked> && npuzzle::TwinProblem<Ranked> &&
    npuzzle::ChecksStates<Ranked> && std::is_same_v<decltype(Ranked().with_goal({})), Ranked> &&
    std::is_same_v<decltype(Ranked(typename Ranked::State())), Ranked>;

static_assert(IsRanked<RankedPuzzle<>> && std::is_same_v<RankedPuzzle<>, RankedPuzzle<4>>);
static_assert(npuzzle::detail::DenseLine<RankedPuzzle<4>>::region_bits == 17);
#if defined(__SIZEOF_INT128__)
static_assert(IsRanked<RankedPuzzle<5>>);
#endif

/// How many boards are not what their ranks are unpacked to, or are ranked in another way on other machines.
class Wrong {
public:
    void operator()(const Tiles& tiles) {
        const PackedBoard<4> board(tiles);
        const std::uint64_t rank = puzzle_.pack(board);
        const bool is_right = rank >> RankedPuzzle<>::word_bits == 0 && puzzle_.unpack(rank) == board &&
                              portable_.rank(board.word()) == rank && portable_.board(rank) == board.word();
        count += is_right ? 0 : 1;
        ranked += 1;
    }
    int count = 0;
    int ranked = 0;

private:
    RankedPuzzle<> puzzle_;
    const PortableRanks& portable_ = PortableRanks::tables();
};

} // namespace

TEST_CASE("a board is ranked by the tiles of its upper half, and the order of each half", "[ranked_puzzle]") {
    Wrong wrong;
    SECTION("each set of tiles") {
        for (unsigned set = 0; set < 1U << 16; ++set) {
            if (std::popcount(set) == 8) {
                Tiles tiles{};
                std::size_t upper = 0;
                std::size_t lower = 8;
                for (int tile = 0; tile < 16; ++tile) {
                    tiles[(set >> tile & 1U) != 0 ? upper++ : lower++] = tile;
                }
                wrong(tiles);
            }
        }
        CHECK(wrong.ranked == 12'870);
    }
    SECTION("each order of one half and the other") {
        Tiles tiles{};
        std::iota(tiles.begin(), tiles.end(), 0);
        do {
            wrong(tiles);
        } while (std::next_permutation(tiles.begin(), tiles.begin() + 8));
        do {
            wrong(tiles);
        } while (std::next_permutation(tiles.begin() + 8, tiles.end()));
        CHECK(wrong.ranked == 2 * 40'320);
    }
    SECTION("both halves in any order") {
        test::Random random(45);
        Tiles tiles{};
        std::iota(tiles.begin(), tiles.end(), 0);
        for (int round = 0; round < 10'000; ++round) {
            for (int i = 15; i > 0; --i) {
                std::swap(tiles[static_cast<std::size_t>(i)],
                          tiles[static_cast<std::size_t>(random.between(0, i))]);
            }
            wrong(tiles);
        }
    }
    CHECK(wrong.count == 0);
}

TEST_CASE("a word that is no rank is unpacked to some board", "[ranked_puzzle]") {
    const RankedPuzzle<> puzzle;
    for (const std::uint64_t word :
         {(std::uint64_t{1} << 45) - 1, (std::uint64_t{1} << 31) - 1, std::uint64_t{12'870} << 31,
          std::numeric_limits<std::uint64_t>::max()}) {
        CHECK(puzzle.contains(puzzle.unpack(word)));
        CHECK(puzzle.unpack(word).word() == PortableRanks::tables().board(word));
    }
}

TEST_CASE("A* with ranks expands the same boards", "[ranked_puzzle]") {
    // Numbers 12, 42 and 79 of Korf's boards.
    struct Solved {
        Tiles tiles;
        int cost;
    };
    const Solved boards[] = {{{14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15}, 45},
                             {{4, 5, 7, 2, 9, 14, 12, 13, 0, 3, 6, 11, 8, 1, 15, 10}, 42},
                             {{0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15}, 42}};
    const auto goal = npuzzle::goal_blank_first(4);
    for (const auto& [tiles, cost] : boards) {
        const PackedBoard<4> start(tiles);
        const auto expected = npuzzle::astar(SlidingPuzzle<4>(goal), start, Manhattan{});
        const auto found = npuzzle::astar<DensePolicy>(RankedPuzzle<4>(goal), start, Manhattan{});
        CHECK(found.cost == cost);
        CHECK(found.path.back() == PackedBoard<4>(goal));
        CHECK(found.statistics.expanded == expected.statistics.expanded);
        CHECK(found.statistics.stored == expected.statistics.stored);
    }
}

#if defined(__SIZEOF_INT128__)

namespace {

using Tiles24 = std::array<int, 25>;
using PortableRestRanks = npuzzle::detail::RestRanks<npuzzle::detail::PortableOrders>;

Tiles24 shuffled(test::Random& random) {
    Tiles24 tiles{};
    std::iota(tiles.begin(), tiles.end(), 0);
    for (int i = 24; i > 0; --i) {
        std::swap(tiles[static_cast<std::size_t>(i)], tiles[static_cast<std::size_t>(random.between(0, i))]);
    }
    return tiles;
}

} // namespace

TEST_CASE("a board of the 24-puzzle is ranked by its first tiles, and the order of the others",
          "[ranked_puzzle]") {
    const RankedPuzzle<5> puzzle;
    const auto& portable = PortableRestRanks::tables();
    test::Random random(90);
    int wrong = 0;
    for (int round = 0; round < 5'000; ++round) {
        Tiles24 tiles = shuffled(random);
        if (round % 2 == 1) { // the first tiles are the least, or the greatest
            const auto by_half = [&](int tile) { return (tile < 9 || tile > 15) != (round % 4 == 1); };
            std::stable_partition(tiles.begin(), tiles.end(), by_half);
        }
        const PackedBoard<5> board(tiles);
        const auto rank = puzzle.pack(board);
        // The same by definition: how many of the other tiles are less than each.
        Tiles rest{};
        for (std::size_t cell = 0; cell < rest.size(); ++cell) {
            rest[cell] = static_cast<int>(std::count_if(tiles.begin() + 9, tiles.end(),
                                                        [&](int tile) { return tile < tiles[cell + 9]; }));
        }
        auto expected = static_cast<npuzzle::detail::uint128>(RankedPuzzle<4>().pack(PackedBoard<4>(rest)));
        for (std::size_t cell = 9; cell-- > 0;) {
            expected = expected << 5 | static_cast<npuzzle::detail::uint128>(tiles[cell]);
        }
        const bool is_right = rank == expected && rank >> RankedPuzzle<5>::word_bits == 0 &&
                              puzzle.unpack(rank) == board && portable.rank(board.word()) == rank &&
                              portable.board(rank) == board.word();
        wrong += is_right ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("A* on the 24-puzzle with ranks expands the same boards", "[ranked_puzzle]") {
    test::Random random(24);
    for (int round = 0; round < 2; ++round) {
        PackedBoard<5> start(npuzzle::goal_blank_first(5));
        npuzzle::Move last = npuzzle::Move::none;
        for (int moves = 0; moves < 50;) {
            const npuzzle::Move move = npuzzle::all_moves[static_cast<std::size_t>(random.between(0, 3))];
            if (start.can_move(move) && move != npuzzle::inverse(last)) {
                start = start.moved(move);
                last = move;
                ++moves;
            }
        }
        const PackedBoard<5> goal(npuzzle::goal_blank_first(5));
        const auto expected = npuzzle::astar(SlidingPuzzle<5>(goal), start, Manhattan{});
        const auto found = npuzzle::astar(RankedPuzzle<5>(goal), start, Manhattan{});
        CHECK(found.cost == expected.cost);
        CHECK(found.path.back() == goal);
        CHECK(found.statistics.expanded == expected.statistics.expanded);
        CHECK(found.statistics.stored == expected.statistics.stored);
    }
}

#endif
