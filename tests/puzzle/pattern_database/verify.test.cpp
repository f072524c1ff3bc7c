#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/verify.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/for_each_reachable.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using npuzzle::contradictory_entry;
using npuzzle::enough_moves;
using npuzzle::has_counted_entries;
using npuzzle::has_possible_depths;
using npuzzle::normalized_shape;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::TableKind;

namespace {

using Bytes = std::vector<std::uint8_t>;

// A table with these entries and their distribution.
PatternTable table_with(const PatternTable& table, const Bytes& entries) {
    std::vector<std::uint64_t> depths(255);
    for (const std::uint8_t entry : entries) {
        if (entry < depths.size()) {
            ++depths[entry];
        }
    }
    while (!depths.empty() && depths.back() == 0) {
        depths.pop_back();
    }
    return PatternTable(table.shape(), entries, nullptr, depths);
}

Bytes entries_of(const PatternTable& table) {
    return Bytes(table.entries().begin(), table.entries().end());
}

std::vector<PatternTable> sound_tables() {
    std::vector<PatternTable> tables;
    // Of all sizes; with few tiles and with so many that half of the entries are out of reach.
    for (const auto& [n, cells, blank] :
         {std::tuple{2, 0x1U, 3}, std::tuple{2, 0x3U, 3}, std::tuple{2, 0x7U, 3}, std::tuple{3, 0x00bU, 8},
          std::tuple{3, 0x0f0U, 3}, std::tuple{3, 0x07fU, 8}, std::tuple{3, 0x0ffU, 8},
          std::tuple{4, 0x8001U, 7}, std::tuple{4, 0x0033U, 15}, std::tuple{5, 0x43U, 24}}) {
        for (const TableKind kind : {TableKind::additive, TableKind::classical}) {
            if (kind == TableKind::classical && Pattern(n, cells).tiles() > 7) {
                continue;
            }
            tables.push_back(*build_table(normalized_shape(Pattern(n, cells), blank, kind).shape));
        }
    }
    return tables;
}

// The greatest number of moves that a board of size N needs to a goal with the blank in that cell.
template <int N>
int greatest_distance(int blank_cell) {
    std::vector<std::int32_t> tiles(static_cast<std::size_t>(N * N));
    int next = 1;
    for (int cell = 0; cell < N * N; ++cell) {
        tiles[static_cast<std::size_t>(cell)] = cell == blank_cell ? 0 : next++;
    }
    int greatest = 0;
    npuzzle::for_each_reachable(npuzzle::SlidingPuzzle<N>(), npuzzle::PackedBoard<N>(npuzzle::Board(tiles)),
                                [&](const npuzzle::PackedBoard<N>&, int distance) { greatest = distance; });
    return greatest;
}

} // namespace

TEST_CASE("so many moves are enough for every board, to a goal with the blank anywhere", "[verify]") {
    CHECK(enough_moves(2, 3) == 6);
    CHECK(enough_moves(3, 0) == 31);
    CHECK(enough_moves(3, 1) == 32);
    CHECK(enough_moves(3, 4) == 33);
    CHECK(enough_moves(4, 15) == 80);
    CHECK(enough_moves(4, 12) == 80);
    CHECK(enough_moves(4, 7) == 81);
    CHECK(enough_moves(4, 6) == 82);
    CHECK(enough_moves(5, 24) == 208);
    CHECK(enough_moves(5, 12) == 212);
    CHECK(enough_moves(6, 35) == std::numeric_limits<int>::max());
    for (int blank = 0; blank < 4; ++blank) {
        CHECK(greatest_distance<2>(blank) == 6);
    }
    CHECK(greatest_distance<3>(8) == 31);
    CHECK(greatest_distance<3>(1) <= enough_moves(3, 1));
    CHECK(greatest_distance<3>(4) <= enough_moves(3, 4));
}

TEST_CASE("nothing speaks against tables that were built", "[verify]") {
    for (const PatternTable& table : sound_tables()) {
        CAPTURE(table.shape().to_string());
        CHECK(has_possible_depths(table));
        CHECK(has_counted_entries(table));
        CHECK_FALSE(contradictory_entry(table, 2000));
    }
}

TEST_CASE("entries that cannot be right are found by a few paths", "[verify]") {
    constexpr unsigned paths = 32; // as when a file is loaded
    const std::vector<std::pair<std::string, void (*)(std::uint8_t&)>> changes = {
        {"all raised", [](std::uint8_t& entry) { entry = static_cast<std::uint8_t>(entry + 2); }},
        {"all but the goal's raised",
         [](std::uint8_t& entry) { entry = static_cast<std::uint8_t>(entry == 0 ? 0 : entry + 30); }},
        {"raised by a step on the way",
         [](std::uint8_t& entry) { entry = static_cast<std::uint8_t>(entry < 4 ? entry : entry + 20); }},
        {"twice as much", [](std::uint8_t& entry) { entry = static_cast<std::uint8_t>(2 * entry); }},
        {"half as much", [](std::uint8_t& entry) { entry = static_cast<std::uint8_t>(entry / 2); }},
        {"by one too much",
         [](std::uint8_t& entry) { entry = static_cast<std::uint8_t>(entry == 0 ? 0 : entry + 1); }},
        {"all equal", [](std::uint8_t& entry) { entry = static_cast<std::uint8_t>(entry == 0 ? 0 : 60); }},
        {"all zero", [](std::uint8_t& entry) { entry = 0; }},
        {"all out of reach", [](std::uint8_t& entry) { entry = 255; }},
    };
    for (const PatternTable& table : sound_tables()) {
        // There is not much to change in those of size 2. If nearly all tiles are in the pattern, each
        // placement has several regions of the blank, and its entry says little about others; such tables are
        // checked whole.
        if (table.shape().n == 2 || table.shape().pieces() > 6) {
            continue;
        }
        for (const auto& [what, change] : changes) {
            CAPTURE(table.shape().to_string(), what);
            Bytes entries = entries_of(table);
            for (std::uint8_t& entry : entries) {
                if (entry != PatternTable::unreached) {
                    change(entry);
                }
            }
            CHECK(contradictory_entry(table_with(table, entries), paths));
        }
        CAPTURE(table.shape().to_string());
        Bytes entries = entries_of(table);
        std::reverse(entries.begin(), entries.end());
        CHECK(contradictory_entry(table_with(table, entries), paths));
    }
}

TEST_CASE("a single entry that is changed is found if paths lead there", "[verify]") {
    const PatternTable table = *build_table(normalized_shape(Pattern(3, 0x00b), 8).shape);
    std::size_t found = 0;
    for (std::size_t i = 0; i < table.entries().size(); ++i) {
        Bytes entries = entries_of(table);
        entries[i] = static_cast<std::uint8_t>(entries[i] ^ 1);
        found += contradictory_entry(table_with(table, entries), 5000) ? 1 : 0;
    }
    CHECK(found == table.entries().size());
}

TEST_CASE("bits that cannot be right are found by a few paths", "[verify]") {
    for (const auto& [n, cells, blank] :
         {std::tuple{2, 0x1U, 3}, std::tuple{3, 0x00bU, 8}, std::tuple{3, 0x0f0U, 3},
          std::tuple{3, 0x077U, 8}, std::tuple{4, 0x0033U, 15}, std::tuple{5, 0x43U, 24}}) {
        const PatternTable table =
            *build_table(normalized_shape(Pattern(n, cells), blank, TableKind::zero_aware).shape);
        CAPTURE(table.shape().to_string());
        CHECK(has_possible_depths(table));
        CHECK(has_counted_entries(table));
        CHECK_FALSE(contradictory_entry(table, 2000));
        if (n == 2) {
            continue;
        }
        const auto with = [&](auto&& change) {
            Bytes bytes = entries_of(table);
            change(bytes);
            return bytes;
        };
        const std::vector<Bytes> changed{
            with([](Bytes& bytes) { std::fill(bytes.begin(), bytes.end(), std::uint8_t{0}); }),
            with([](Bytes& bytes) { std::fill(bytes.begin(), bytes.end(), std::uint8_t{255}); }),
            with([](Bytes& bytes) { std::reverse(bytes.begin(), bytes.end()); }),
            with([](Bytes& bytes) { std::rotate(bytes.begin(), bytes.begin() + 8, bytes.end()); }),
            with([](Bytes& bytes) {
                for (std::uint8_t& byte : bytes) {
                    byte = static_cast<std::uint8_t>(~byte);
                }
            })};
        for (const Bytes& bytes : changed) {
            const PatternTable wrong(table.shape(), bytes, nullptr, table.entries_at_depth());
            CHECK(contradictory_entry(wrong, 32));
        }
        const Bytes flipped = with([](Bytes& bytes) { bytes[bytes.size() / 2] ^= 16; });
        CHECK_FALSE(
            has_counted_entries(PatternTable(table.shape(), flipped, nullptr, table.entries_at_depth())));
    }
}

TEST_CASE("distributions that do not fit the entries, or any table", "[verify]") {
    const PatternTable table = *build_table(normalized_shape(Pattern(3, 0x00b), 8).shape);
    const Bytes entries = entries_of(table);
    const auto with_depths = [&](auto&& change) {
        std::vector<std::uint64_t> depths = table.entries_at_depth();
        change(depths);
        return PatternTable(table.shape(), entries, nullptr, depths);
    };
    using Depths = std::vector<std::uint64_t>;
    CHECK(has_possible_depths(with_depths([](Depths&) {})));
    CHECK(has_counted_entries(with_depths([](Depths&) {})));

    const PatternTable swapped = with_depths([](Depths& depths) { std::swap(depths[4], depths[5]); });
    CHECK(has_possible_depths(swapped));
    CHECK_FALSE(has_counted_entries(swapped));
    CHECK_FALSE(has_counted_entries(with_depths([](Depths& depths) { depths.push_back(1); })));
    CHECK(has_counted_entries(with_depths([](Depths& depths) { depths.push_back(0); })));

    CHECK_FALSE(has_possible_depths(with_depths([](Depths& depths) { depths.clear(); })));
    CHECK_FALSE(has_possible_depths(with_depths([](Depths& depths) { depths[0] = 0; })));
    CHECK_FALSE(has_possible_depths(with_depths([](Depths& depths) { ++depths[0], --depths[3]; })));
    CHECK_FALSE(has_possible_depths(with_depths([](Depths& depths) { ++depths[3]; })));
    CHECK_FALSE(has_possible_depths(with_depths([](Depths& depths) { --depths[3]; })));
    CHECK_FALSE(has_possible_depths(with_depths([](Depths& depths) { depths[3] = ~std::uint64_t{0}; })));
    // 33 moves are enough for any goal of size 3.
    CHECK(has_possible_depths(with_depths([](Depths& depths) { depths.resize(34); })));
    CHECK_FALSE(has_possible_depths(with_depths([](Depths& depths) { depths.resize(35); })));
}
