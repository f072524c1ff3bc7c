#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/ranked_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/node_table/dense_line.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

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
// Words of 84 bits are the longest of which a line has six.
static_assert(RankedPuzzle<5>::word_bits == 84);
static_assert(npuzzle::detail::packed_line_t<RankedPuzzle<5>, int>::size == 6);
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

using npuzzle::detail::uint128;
using Tiles24 = std::array<int, 25>;
using PortableRestRanks =
    npuzzle::detail::RestRanks<npuzzle::detail::PortableOrders, npuzzle::detail::PortableFirstTiles>;

Tiles24 shuffled(test::Random& random) {
    Tiles24 tiles{};
    std::iota(tiles.begin(), tiles.end(), 0);
    for (int i = 24; i > 0; --i) {
        std::swap(tiles[static_cast<std::size_t>(i)], tiles[static_cast<std::size_t>(random.between(0, i))]);
    }
    return tiles;
}

/// The tiles of which the first nine have these numbers, and the others are in this order.
Tiles24 with_numbers(const std::array<int, 9>& numbers, const Tiles& order) {
    std::vector<int> left(25);
    std::iota(left.begin(), left.end(), 0);
    Tiles24 tiles{};
    for (std::size_t cell = 0; cell < 9; ++cell) {
        tiles[cell] = left[static_cast<std::size_t>(numbers[cell])];
        left.erase(left.begin() + numbers[cell]);
    }
    for (std::size_t cell = 0; cell < 16; ++cell) {
        tiles[cell + 9] = left[static_cast<std::size_t>(order[cell])];
    }
    return tiles;
}

/// The rank by definition: a number of mixed radix, of the set of tiles in the upper half of what is left,
/// the numbers of the first eight tiles, the order of both halves, and the number of the ninth tile.
uint128 rank_by_definition(const Tiles24& tiles) {
    const auto how_many_less = [&](std::size_t cell, std::size_t first, std::size_t end) {
        return static_cast<int>(std::count_if(tiles.begin() + static_cast<std::ptrdiff_t>(first),
                                              tiles.begin() + static_cast<std::ptrdiff_t>(end),
                                              [&](int tile) { return tile < tiles[cell]; }));
    };
    Tiles rest{};
    for (std::size_t cell = 0; cell < rest.size(); ++cell) {
        rest[cell] = how_many_less(cell + 9, 9, 25);
    }
    const std::uint64_t rest_rank = RankedPuzzle<4>().pack(PackedBoard<4>(rest));
    std::uint64_t upper = rest_rank >> 31;
    for (std::size_t cell = 0; cell < 8; ++cell) {
        upper = upper * (25 - cell) + static_cast<std::uint64_t>(how_many_less(cell, cell + 1, 25));
    }
    const std::uint64_t lower =
        (rest_rank & 0x7fffffff) * 17 + static_cast<std::uint64_t>(how_many_less(8, 9, 25));
    return static_cast<uint128>(upper) << 35 | lower;
}

class Wrong24 {
public:
    void operator()(const Tiles24& tiles) {
        const PackedBoard<5> board(tiles);
        const uint128 rank = puzzle_.pack(board);
        const bool is_right = rank == rank_by_definition(tiles) && rank >> RankedPuzzle<5>::word_bits == 0 &&
                              puzzle_.unpack(rank) == board && portable_.rank(board.word()) == rank &&
                              portable_.board(rank) == board.word();
        count += is_right ? 0 : 1;
    }
    int count = 0;

private:
    RankedPuzzle<5> puzzle_;
    const PortableRestRanks& portable_ = PortableRestRanks::tables();
};

PackedBoard<5> walked(PackedBoard<5> board, int moves, test::Random& random) {
    npuzzle::Move last = npuzzle::Move::none;
    while (moves > 0) {
        const npuzzle::Move move = npuzzle::all_moves[static_cast<std::size_t>(random.between(0, 3))];
        if (board.can_move(move) && move != npuzzle::inverse(last)) {
            board = board.moved(move);
            last = move;
            --moves;
        }
    }
    return board;
}

} // namespace

TEST_CASE("a board of the 24-puzzle is ranked by the numbers of its first tiles, and the order of the others",
          "[ranked_puzzle]") {
    Wrong24 wrong;
    test::Random random(84);
    SECTION("in any order") {
        for (int round = 0; round < 5'000; ++round) {
            Tiles24 tiles = shuffled(random);
            if (round % 2 == 1) { // the first tiles are the least, or the greatest
                const auto by_half = [&](int tile) { return (tile < 9 || tile > 15) != (round % 4 == 1); };
                std::stable_partition(tiles.begin(), tiles.end(), by_half);
            }
            wrong(tiles);
        }
    }
    SECTION("each number of each of the first tiles, where the others' are the least, the greatest or any") {
        for (std::size_t cell = 0; cell < 9; ++cell) {
            for (int number = 0; number < 25 - static_cast<int>(cell); ++number) {
                for (int others = 0; others < 3; ++others) {
                    std::array<int, 9> numbers{};
                    for (std::size_t i = 0; i < 9; ++i) {
                        const int most = 24 - static_cast<int>(i);
                        numbers[i] = others == 0 ? 0 : others == 1 ? most : random.between(0, most);
                    }
                    numbers[cell] = number;
                    Tiles order{};
                    std::iota(order.begin(), order.end(), 0);
                    wrong(with_numbers(numbers, order));
                    std::reverse(order.begin(), order.end());
                    wrong(with_numbers(numbers, order));
                }
            }
        }
    }
    SECTION("along random walks, from boards of both parities") {
        const PackedBoard<5> goal(npuzzle::goal_blank_first(5));
        for (PackedBoard<5> board : {goal, goal.twin()}) {
            for (int round = 0; round < 3'000; ++round) {
                board = walked(board, 1, random);
                Tiles24 tiles{};
                for (int cell = 0; cell < 25; ++cell) {
                    tiles[static_cast<std::size_t>(cell)] = board.tile(cell);
                }
                wrong(tiles);
            }
        }
    }
    CHECK(wrong.count == 0);
}

TEST_CASE("a word that is no rank of the 24-puzzle is unpacked to some board", "[ranked_puzzle]") {
    const RankedPuzzle<5> puzzle;
    const auto& portable = PortableRestRanks::tables();
    for (const unsigned bits : {35U, 49U, 84U, 85U, 100U, 128U}) {
        const uint128 word = static_cast<uint128>(~uint128{0}) >> (128 - bits);
        CHECK(puzzle.contains(puzzle.unpack(word)));
        CHECK(puzzle.unpack(word).word() == portable.board(word));
    }
}

TEST_CASE("A* on the 24-puzzle with ranks expands the same boards", "[ranked_puzzle]") {
    test::Random random(24);
    const PackedBoard<5> goal(npuzzle::goal_blank_first(5));
    for (int round = 0; round < 2; ++round) {
        const PackedBoard<5> start = walked(goal, 50, random);
        const auto expected = npuzzle::astar(SlidingPuzzle<5>(goal), start, Manhattan{});
        const auto found = npuzzle::astar(RankedPuzzle<5>(goal), start, Manhattan{});
        CHECK(found.cost == expected.cost);
        CHECK(found.path.back() == goal);
        CHECK(found.statistics.expanded == expected.statistics.expanded);
        CHECK(found.statistics.stored == expected.statistics.stored);
    }
}

#endif
