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

static_assert(CompactProblem<RankedPuzzle> && npuzzle::BipartiteProblem<RankedPuzzle> &&
              npuzzle::TwinProblem<RankedPuzzle> && npuzzle::ChecksStates<RankedPuzzle>);
static_assert(std::is_same_v<decltype(RankedPuzzle().with_goal({})), RankedPuzzle>);
static_assert(npuzzle::detail::DenseLine<RankedPuzzle>::region_bits == 17);

/// How many boards are not what their ranks are unpacked to, or are ranked in another way on other machines.
class Wrong {
public:
    void operator()(const Tiles& tiles) {
        const PackedBoard<4> board(tiles);
        const std::uint64_t rank = puzzle_.pack(board);
        const bool is_right = rank >> RankedPuzzle::word_bits == 0 && puzzle_.unpack(rank) == board &&
                              portable_.rank(board.word()) == rank && portable_.board(rank) == board.word();
        count += is_right ? 0 : 1;
        ranked += 1;
    }
    int count = 0;
    int ranked = 0;

private:
    RankedPuzzle puzzle_;
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
    const RankedPuzzle puzzle;
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
        const auto found = npuzzle::astar<DensePolicy>(RankedPuzzle(goal), start, Manhattan{});
        CHECK(found.cost == cost);
        CHECK(found.path.back() == PackedBoard<4>(goal));
        CHECK(found.statistics.expanded == expected.statistics.expanded);
        CHECK(found.statistics.stored == expected.statistics.stored);
    }
}
