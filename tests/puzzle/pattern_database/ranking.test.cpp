#include "npuzzle/puzzle/pattern_database/ranking.hpp"

#include "support/catch.hpp"
#include "support/pattern_space.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using npuzzle::Placement;
using npuzzle::PlacementRanking;
using npuzzle::detail::PlacementStep;

namespace {

TEST_CASE("binomial coefficients are those of Pascal's triangle", "[ranking]") {
    using npuzzle::detail::binomial;
    for (int n = 0; n <= 25; ++n) {
        CHECK(binomial(n, -1) == 0);
        CHECK(binomial(n, 0) == 1);
        CHECK(binomial(n, n + 1) == 0);
        for (int k = 1; k <= n; ++k) {
            CHECK(binomial(n, k) == binomial(n - 1, k - 1) + binomial(n - 1, k));
        }
    }
}

std::vector<int> random_cells(int n, int pieces, test::Random& random) {
    std::vector<int> cells(static_cast<std::size_t>(n * n));
    std::iota(cells.begin(), cells.end(), 0);
    random.shuffle(cells);
    cells.resize(static_cast<std::size_t>(pieces));
    return cells;
}

// The index by its definition: sets in the order of their numbers, then orders lexicographically.
std::uint64_t index_by_definition(int n, const std::vector<int>& cells) {
    std::vector<std::pair<int, int>> standing;
    for (std::size_t piece = 0; piece < cells.size(); ++piece) {
        standing.emplace_back(cells[piece], static_cast<int>(piece));
    }
    std::sort(standing.begin(), standing.end());
    std::uint32_t set = 0;
    std::vector<int> order;
    for (const auto& [cell, piece] : standing) {
        set |= 1U << cell;
        order.push_back(piece);
    }
    std::uint64_t rank = 0;
    const std::size_t pieces = cells.size();
    for (std::uint32_t smaller = 0; smaller < set; ++smaller) {
        std::size_t bits = 0;
        for (int cell = 0; cell < n * n; ++cell) {
            bits += smaller >> cell & 1U;
        }
        rank += bits == pieces ? 1 : 0;
    }
    std::vector<int> permutation(pieces);
    std::iota(permutation.begin(), permutation.end(), 0);
    std::uint64_t orders = 1;
    for (std::size_t i = 2; i <= pieces; ++i) {
        orders *= i;
    }
    std::uint64_t order_rank = 0;
    while (permutation != order) {
        std::next_permutation(permutation.begin(), permutation.end());
        ++order_rank;
    }
    return rank * orders + order_rank;
}

void check_all_placements(int n, int pieces) {
    CAPTURE(n, pieces);
    const PlacementRanking ranking(n, pieces);
    std::vector<bool> seen(ranking.placements());
    std::uint64_t placements = 0;
    oracle::for_each_placement(n, static_cast<std::size_t>(pieces), [&](const std::vector<int>& cells) {
        const Placement placement = ranking.place(cells);
        const std::uint64_t index = ranking.index(placement);
        if (index >= seen.size() || seen[index]) {
            FAIL("index " << index << " is none, or was given twice");
        }
        seen[index] = true;
        if (ranking.placement(index) != placement || ranking.cells(placement) != cells) {
            FAIL("index " << index << " or its placement does not lead back");
        }
        ++placements;
    });
    CHECK(placements == ranking.placements());
}

} // namespace

TEST_CASE("every number is that of one placement", "[ranking]") {
    check_all_placements(2, 1);
    check_all_placements(2, 4);
    for (int pieces = 1; pieces <= 8; ++pieces) {
        check_all_placements(3, pieces);
    }
    for (int pieces = 1; pieces <= 5; ++pieces) {
        check_all_placements(4, pieces);
    }
    for (int pieces = 1; pieces <= 4; ++pieces) {
        check_all_placements(5, pieces);
    }
}

TEST_CASE("random numbers lead to placements and back", "[ranking]") {
    test::Random random(1);
    for (const auto& [n, pieces] : {std::pair(4, 6), std::pair(4, 7), std::pair(4, 8), std::pair(5, 5),
                                    std::pair(5, 6), std::pair(5, 7), std::pair(5, 8)}) {
        CAPTURE(n, pieces);
        const PlacementRanking ranking(n, pieces);
        for (int i = 0; i < 20000; ++i) {
            const std::uint64_t index = i == 0   ? 0
                                        : i == 1 ? ranking.placements() - 1
                                                 : random.below(ranking.placements());
            const Placement placement = ranking.placement(index);
            if (ranking.index(placement) != index || ranking.place(ranking.cells(placement)) != placement) {
                FAIL("not back to " << index);
            }
            if (ranking.index(placement | Placement{200} << 56) != index) {
                FAIL("the upper bits count in " << index);
            }
        }
    }
}

TEST_CASE("the numbers are those of the definition", "[ranking]") {
    CHECK(PlacementRanking(3, 2).placements() == 72);
    CHECK(PlacementRanking(4, 7).placements() == 57'657'600);
    CHECK(PlacementRanking(4, 8).placements() == 518'918'400);
    CHECK(PlacementRanking(5, 6).placements() == 127'512'000);
    CHECK(PlacementRanking(5, 7).placements() == 2'422'728'000);
    CHECK(PlacementRanking(5, 8).placements() == 43'609'104'000);
    CHECK(PlacementRanking(4, 8).sets() == 12'870);
    CHECK(PlacementRanking(4, 8).orders() == 40'320);
    test::Random random(2);
    for (const auto& [n, pieces] :
         {std::pair(3, 1), std::pair(3, 4), std::pair(3, 8), std::pair(4, 3), std::pair(4, 8)}) {
        const PlacementRanking ranking(n, pieces);
        for (int i = 0; i < 100; ++i) {
            const std::vector<int> cells = random_cells(n, pieces, random);
            CHECK(ranking.index(ranking.place(cells)) == index_by_definition(n, cells));
        }
    }
    // Placements of one set are adjacent. Sets with later cells come later.
    const PlacementRanking ranking(3, 2);
    CHECK(ranking.index(ranking.place({0, 1})) == 0);
    CHECK(ranking.index(ranking.place({1, 0})) == 1);
    CHECK(ranking.index(ranking.place({0, 2})) == 2);
    CHECK(ranking.index(ranking.place({1, 2})) == 4);
    CHECK(ranking.index(ranking.place({8, 7})) == 71);
}

TEST_CASE("sets and orders are ranked on their own as well", "[ranking]") {
    for (const auto& [n, pieces] : {std::pair(3, 3), std::pair(4, 5), std::pair(5, 4)}) {
        const PlacementRanking ranking(n, pieces);
        std::uint32_t last = 0;
        for (std::uint32_t rank = 0; rank < ranking.sets(); ++rank) {
            const std::uint32_t set = ranking.set(rank);
            REQUIRE(set > last);
            REQUIRE(ranking.set_rank(set) == rank);
            last = set;
        }
        for (std::uint32_t rank = 0; rank < ranking.orders(); ++rank) {
            REQUIRE(ranking.order_rank(ranking.order(rank)) == rank);
        }
    }
}

TEST_CASE("a step moves one piece", "[ranking]") {
    test::Random random(3);
    for (int n = 2; n <= 5; ++n) {
        for (int pieces = 1; pieces <= std::min(7, n * n - 1); ++pieces) {
            const PlacementRanking ranking(n, pieces);
            for (int i = 0; i < 2000; ++i) {
                std::vector<int> cells = random_cells(n, pieces, random);
                const auto piece = static_cast<std::size_t>(random.below(static_cast<std::uint64_t>(pieces)));
                const int from = cells[piece];
                const int to = static_cast<int>(random.below(static_cast<std::uint64_t>(n * n)));
                const bool is_beside = std::abs(from / n - to / n) + std::abs(from % n - to % n) == 1;
                if (!is_beside || std::find(cells.begin(), cells.end(), to) != cells.end()) {
                    continue;
                }
                const Placement placement = ranking.place(cells);
                cells[piece] = to;
                const Placement value = Placement{77} << 56;
                if (PlacementStep(from, to)(placement | value) != (ranking.place(cells) | value)) {
                    FAIL("piece " << piece << " of " << pieces << " from " << from << " to " << to
                                  << ", n = " << n);
                }
            }
        }
    }
}

TEST_CASE("two pieces change places", "[ranking]") {
    test::Random random(4);
    for (int n = 3; n <= 5; ++n) {
        const PlacementRanking ranking(n, 6);
        for (int i = 0; i < 1000; ++i) {
            std::vector<int> cells = random_cells(n, 6, random);
            const Placement placement = ranking.place(cells);
            const int one = cells[random.below(6)];
            const int other = cells[random.below(6)];
            std::swap(*std::find(cells.begin(), cells.end(), one),
                      *std::find(cells.begin(), cells.end(), other));
            if (one != other) {
                REQUIRE(npuzzle::detail::exchanged(placement, one, other) == ranking.place(cells));
            }
        }
    }
}

TEST_CASE("placements that cannot be ranked are refused", "[ranking]") {
    const auto error = [](int n, int pieces) {
        return message_of<std::invalid_argument>([&] { PlacementRanking(n, pieces); });
    };
    CHECK(error(6, 3) == "placements are ranked on boards of size 2 to 5, not 6");
    CHECK(error(4, 9) == "9 pieces are not ranked on a board of size 4; 1 to 8 are");
    CHECK(error(4, 0) == "0 pieces are not ranked on a board of size 4; 1 to 8 are");
    CHECK(error(2, 5) == "5 pieces are not ranked on a board of size 2; 1 to 4 are");
}

TEST_CASE("counting bits without the processor's help", "[ranking]") {
    test::Random random(5);
    for (int i = 0; i < 1000; ++i) {
        const auto word = static_cast<std::uint32_t>(random.word());
        unsigned bits = 0;
        for (unsigned bit = 0; bit < 32; ++bit) {
            bits += word >> bit & 1U;
        }
        REQUIRE(npuzzle::detail::count_cells(word) == bits);
    }
}
