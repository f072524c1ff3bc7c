#include "npuzzle/puzzle/packed_board.hpp"

#include "support/catch.hpp"
#include "support/parity_oracle.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <unordered_set>

using npuzzle::Board;
using npuzzle::PackedBoard;

namespace {

template <int N>
using Cells = std::array<int, static_cast<std::size_t>(N* N)>;

// Shuffles with its own generator, so that the test is independent.
template <int N>
void shuffle(Cells<N>& cells, std::uint64_t& random) {
    for (std::size_t left = cells.size(); left > 1; --left) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        std::swap(cells[left - 1], cells[(random >> 33) % left]);
    }
}

// The number of members in which a packed board and the board of the same cells disagree.
template <int N>
int disagreements(const Cells<N>& cells) {
    const PackedBoard<N> packed(cells);
    const Board board(cells);
    int wrong = 0;
    const auto expect = [&](bool holds) { wrong += holds ? 0 : 1; };
    expect(PackedBoard<N>(board) == packed);
    expect(static_cast<Board>(packed) == board);
    expect(PackedBoard<N>::from_word(packed.word()) == packed);
    expect(packed.size() == board.size());
    expect(packed.cells() == board.cells());
    expect(packed.blank_cell() == board.blank_cell());
    for (int cell = 0; cell < N * N; ++cell) {
        expect(packed.tile(cell) == board.tile(cell));
        expect(packed.tile_at(cell / N, cell % N) == board.tile_at(cell / N, cell % N));
        expect(static_cast<int>((packed.word() >> (PackedBoard<N>::bits * cell)) %
                                (1U << PackedBoard<N>::bits)) == board.tile(cell));
    }
    expect(packed.hamming() == board.hamming());
    expect(packed.manhattan() == board.manhattan());
    expect(packed.is_goal() == board.is_goal());
    expect(packed.is_solvable() == board.is_solvable());
    expect(Board(packed.twin()) == board.twin());
    const auto packed_neighbors = packed.neighbors();
    const auto neighbors = board.neighbors();
    expect(packed_neighbors.size() == neighbors.size());
    for (std::size_t i = 0; i < neighbors.size() && i < packed_neighbors.size(); ++i) {
        expect(Board(packed_neighbors[i]) == neighbors[i]);
        PackedBoard<N> slid = packed;
        slid.slide(packed_neighbors[i].blank_cell(), packed.blank_cell());
        expect(slid == packed_neighbors[i]);
    }
    return wrong;
}

template <int N>
constexpr bool starts_at_goal() {
    const PackedBoard<N> goal;
    bool holds = goal.is_goal() && goal.hamming() == 0 && goal.manhattan() == 0 && goal.is_solvable();
    holds = holds && goal.blank_cell() == N * N - 1;
    PackedBoard<N> board = goal;
    board.slide(N * N - 1 - N, N * N - 1);
    holds =
        holds && !board.is_goal() && board.hamming() == 1 && board.manhattan() == 1 && board.is_solvable();
    holds = holds && board.tile(N * N - 1) == N * N - N && board.blank_cell() == N * N - 1 - N;
    return holds && !goal.twin().is_solvable() && goal.twin().twin() == goal;
}

static_assert(starts_at_goal<2>());
static_assert(starts_at_goal<3>());
static_assert(starts_at_goal<4>());
static_assert(starts_at_goal<5>());

constexpr PackedBoard<3> published({8, 1, 3, 4, 0, 2, 7, 6, 5});
static_assert(published.hamming() == 5);
static_assert(published.manhattan() == 10);
static_assert(published.blank_cell() == 4);
static_assert(published.tile_at(1, 2) == 2);
static_assert(published.is_solvable());
static_assert(std::hash<PackedBoard<3>>{}(published) != std::hash<PackedBoard<3>>{}(published.twin()));

} // namespace

TEST_CASE("the layout of the word is the documented one", "[packed_board]") {
    static_assert(PackedBoard<2>().word() == 0x0321);
    static_assert(PackedBoard<3>().word() == 0x0'8765'4321);
    static_assert(PackedBoard<4>().word() == 0x0fed'cba9'8765'4321);
    static_assert(published.word() == 0x5'6720'4318);
    static_assert(std::is_same_v<PackedBoard<2>::Word, std::uint64_t>);
    static_assert(std::is_same_v<PackedBoard<4>::Word, std::uint64_t>);
    static_assert(sizeof(PackedBoard<4>) == 8);
    static_assert(sizeof(PackedBoard<5>) == 16);
    static_assert(std::is_trivially_copyable_v<PackedBoard<4>> &&
                  std::is_trivially_copyable_v<PackedBoard<5>>);
    static_assert(PackedBoard<4>::bits == 4);
    static_assert(PackedBoard<5>::bits == 5);
    for (int cell = 0; cell < 25; ++cell) {
        CHECK(static_cast<int>((PackedBoard<5>().word() >> (5 * cell)) & 31U) == (cell + 1) % 25);
    }
    CHECK(static_cast<int>(PackedBoard<5>().word() >> 125) == 0);
    constexpr PackedBoard<5> blank_first(
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24});
    static_assert(static_cast<std::uint64_t>(blank_first.word() >> 120) == 24);
    static_assert(blank_first.blank_cell() == 0);
}

TEST_CASE("packed and plain boards agree: all 362,880 of size 3", "[packed_board]") {
    Cells<3> cells{0, 1, 2, 3, 4, 5, 6, 7, 8};
    int boards = 0;
    int wrong = 0;
    int solvable = 0;
    std::set<std::size_t> hashes;
    do {
        const PackedBoard<3> packed(cells);
        wrong += disagreements<3>(cells);
        wrong += packed.is_solvable() == oracle::is_solvable(packed) ? 0 : 1;
        wrong += packed.is_solvable() != packed.twin().is_solvable() ? 0 : 1;
        solvable += packed.is_solvable() ? 1 : 0;
        hashes.insert(std::hash<PackedBoard<3>>{}(packed));
        ++boards;
    } while (std::next_permutation(cells.begin(), cells.end()));
    CHECK(boards == 362'880);
    CHECK(wrong == 0);
    CHECK(solvable == 181'440);
    CHECK(hashes.size() == 362'880);
}

TEST_CASE("packed and plain boards agree: shuffled ones of each size", "[packed_board]") {
    std::uint64_t random = 1985;
    const auto check = [&]<int N>(std::integral_constant<int, N>) {
        int wrong = 0;
        std::unordered_set<PackedBoard<N>> boards;
        std::unordered_set<std::size_t> hashes;
        for (int round = 0; round < (N == 2 ? 200 : 20'000); ++round) {
            Cells<N> cells{};
            std::iota(cells.begin(), cells.end(), 0);
            shuffle<N>(cells, random);
            const PackedBoard<N> packed(cells);
            wrong += disagreements<N>(cells) + (packed.is_solvable() == oracle::is_solvable(packed) ? 0 : 1);
            boards.insert(packed);
            hashes.insert(std::hash<PackedBoard<N>>{}(packed));
        }
        CHECK(wrong == 0);
        CHECK(hashes.size() == boards.size());
    };
    check(std::integral_constant<int, 2>{});
    check(std::integral_constant<int, 4>{});
    check(std::integral_constant<int, 5>{});
}

TEST_CASE("wrong cells are refused by value and cell", "[packed_board]") {
    const auto refusal = [](const Cells<3>& cells) {
        return message_of<std::invalid_argument>([&] { PackedBoard<3>{cells}; });
    };
    CHECK(refusal({1, 2, 3, 4, 5, 9, 7, 8, 0}) ==
          "tile 9 at row 1, column 2 is out of range: a 3 x 3 board has the tiles 0 to 8");
    CHECK(refusal({1, 2, 3, 4, 5, 6, -1, 8, 0}) ==
          "tile -1 at row 2, column 0 is out of range: a 3 x 3 board has the tiles 0 to 8");
    CHECK(refusal({1, 2, 3, 4, 5, 6, 2, 8, 0}) ==
          "tile 2 stands twice: at row 0, column 1 and at row 2, column 0");
    CHECK(refusal({}) == "the blank (0) stands twice: at row 0, column 0 and at row 0, column 1");
    CHECK_THROWS_AS(published.tile_at(3, 0), std::out_of_range);
    CHECK(message_of<std::invalid_argument>([] { PackedBoard<4>{Board{{1, 2}, {3, 0}}}; }) ==
          "a board of size 2 does not fit a packed board of size 4");
}

TEST_CASE("packed boards are written like plain ones", "[packed_board]") {
    CHECK(published.to_string() == "3\n 8  1  3 \n 4  0  2 \n 7  6  5 \n");
    CHECK(PackedBoard<5>().to_string() == Board(PackedBoard<5>()).to_string());
    std::ostringstream out;
    out << published;
    CHECK(out.str() == published.to_string());
}

TEST_CASE("conversions between boards are explicit", "[packed_board]") {
    static_assert(!std::is_convertible_v<Board, PackedBoard<3>>);
    static_assert(!std::is_convertible_v<PackedBoard<3>, Board>);
    static_assert(!std::is_convertible_v<Cells<3>, PackedBoard<3>>);
    static_assert(std::is_constructible_v<Board, PackedBoard<3>>);
    static_assert(std::is_constructible_v<PackedBoard<3>, Board>);
    static_assert(!std::is_constructible_v<PackedBoard<3>, Cells<4>>);
    CHECK(Board(published) == Board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}});
}
