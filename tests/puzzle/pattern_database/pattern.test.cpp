#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using npuzzle::Partition;
using npuzzle::Pattern;

namespace {

std::string error_of(const std::string& drawing, int n = 3, int blank = 8) {
    return message_of<std::invalid_argument>([&] { (void)Partition::drawn(drawing, n, blank); });
}

// The tiles of a partition for the goal with the blank last: tile t belongs in cell t - 1.
std::vector<std::vector<int>> tiles_of(const Partition& partition) {
    std::vector<std::vector<int>> result;
    for (const Pattern& pattern : partition.patterns()) {
        result.emplace_back();
        for (int cell = 0; cell < partition.size() * partition.size(); ++cell) {
            if (pattern.contains(cell)) {
                result.back().push_back(cell + 1);
            }
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace

TEST_CASE("invalid patterns are refused", "[pattern]") {
    const auto error = [](int n, unsigned cells) {
        return message_of<std::invalid_argument>([&] { Pattern(n, cells); });
    };
    CHECK(error(6, 1) == "patterns are made for boards of size 2 to 5, not 6");
    CHECK(error(1, 1) == "patterns are made for boards of size 2 to 5, not 1");
    CHECK(error(3, 1U << 9) == "a pattern names a cell beyond the 9 cells of a board of size 3");
    CHECK(error(3, 0) == "a pattern has 1 to 8 tiles, not 0");
    CHECK(error(4, 0x1ff) == "a pattern has 1 to 8 tiles, not 9");
}

TEST_CASE("a partition is drawn", "[pattern]") {
    const Partition partition = Partition::drawn("aab\n"
                                                 "acb\n"
                                                 "c..\n",
                                                 3, 8);
    CHECK(partition.size() == 3);
    CHECK(partition.blank_cell() == 8);
    CHECK(partition.patterns() ==
          std::vector{Pattern(3, 0b000'001'011), Pattern(3, 0b000'100'100), Pattern(3, 0b001'010'000)});
    CHECK(partition.to_string() == "aab\nacb\nc..\n");
    // Letters are only names, and patterns are in the order of their first cells.
    CHECK(Partition::drawn("zz9\nzA9\nA..", 3, 8) == partition);
    CHECK(Partition::drawn("aab/acb/c..", 3, 8) == partition);
    CHECK(Partition::drawn("aabacbc..", 3, 8) == partition);
    CHECK(Partition::drawn("\n  a a b\r\n\n  a c b\r\n  c . .\r\n", 3, 8) == partition);
}

TEST_CASE("an invalid drawing is refused, and the cell named", "[pattern]") {
    const std::string in = "drawing of a partition";
    CHECK(error_of("aab\na!b\nc..") == in + ", row 1, column 1: a cell is a letter, a digit or a dot");
    CHECK(error_of("aab\naab\nccc") ==
          in + ", row 2, column 2: the blank belongs here, so this cell is a dot");
    CHECK(error_of("aab\naab") == in + ": it has 6 cells instead of 9");
    CHECK(error_of("aab\naab\ncc.\nd") == in + ": it has 10 cells instead of 9");
    CHECK(error_of("...\n...\n...") == "a partition has at least one pattern");
    CHECK(error_of("aaaa\naaaa\na...\n....", 4, 15) == "a pattern has 1 to 8 tiles, not 9");
    CHECK(error_of("a", 7, 0) == "patterns are made for boards of size 2 to 5, not 7");
    CHECK(error_of("aab\naab\ncc.", 3, 9) == "the blank belongs in a cell from 0 to 8, not 9");
}

TEST_CASE("patterns that do not make a partition are refused", "[pattern]") {
    const auto error = [](const std::vector<Pattern>& patterns, int blank) {
        return message_of<std::invalid_argument>([&] { Partition(patterns, blank); });
    };
    CHECK(error({}, 0) == "a partition has at least one pattern");
    CHECK(error({Pattern(3, 3), Pattern(4, 12)}, 8) ==
          "the patterns of a partition are for boards of one size, not 3 and 4");
    CHECK(error({Pattern(3, 3), Pattern(3, 18)}, 8) == "the tile of row 0, column 1 is in two patterns");
    CHECK(error({Pattern(3, 3), Pattern(3, 256)}, 8) ==
          "the blank belongs in row 2, column 2, which is in a pattern");
    CHECK(error({Pattern(3, 3)}, 9) == "the blank belongs in a cell from 0 to 8, not 9");
    CHECK(error({Pattern(3, 3)}, -1) == "the blank belongs in a cell from 0 to 8, not -1");
}

TEST_CASE("the published partitions", "[pattern]") {
    using Tiles = std::vector<std::vector<int>>;
    const auto named = [](std::string_view name, int n) {
        return tiles_of(Partition::named(name, npuzzle::goal_blank_last(n)));
    };
    CHECK(named("5-5-5", 4) == Tiles{{1, 2, 3, 4, 7}, {5, 6, 9, 10, 13}, {8, 11, 12, 14, 15}});
    CHECK(named("6-6-3", 4) == Tiles{{1, 5, 6, 9, 10, 13}, {2, 3, 4}, {7, 8, 11, 12, 14, 15}});
    CHECK(named("7-8", 4) == Tiles{{1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15}});
    // As published, for the goal 0 1 2 ... 24.
    auto korf_felner = tiles_of(Partition::named("6-6-6-6", npuzzle::goal_blank_first(5)));
    for (auto& tiles : korf_felner) {
        for (int& tile : tiles) {
            --tile;
        }
    }
    CHECK(
        korf_felner ==
        Tiles{{1, 2, 5, 6, 7, 12}, {3, 4, 8, 9, 13, 14}, {10, 11, 15, 16, 20, 21}, {17, 18, 19, 22, 23, 24}});
}

TEST_CASE("named partitions have the sizes of their names for a blank in any cell", "[pattern]") {
    std::size_t partitions = 0;
    for (int n = 2; n <= 6; ++n) {
        for (const std::string_view name : Partition::names(n)) {
            std::vector<int> sizes;
            for (const char digit : name) {
                if (digit != '-') {
                    sizes.push_back(digit - '0');
                }
            }
            std::sort(sizes.begin(), sizes.end());
            for (int blank = 0; blank < n * n; ++blank) {
                CAPTURE(name, blank);
                const Partition partition = Partition::named(name, n, blank);
                CHECK(partition.blank_cell() == blank);
                std::vector<int> tiles;
                for (const Pattern& pattern : partition.patterns()) {
                    tiles.push_back(pattern.tiles());
                }
                std::sort(tiles.begin(), tiles.end());
                CHECK(tiles == sizes);
                CHECK(Partition::drawn(partition.to_string(), n, blank) == partition);
                ++partitions;
            }
        }
    }
    CHECK(partitions == 2 * 9 + 3 * 16 + 3 * 25);
    CHECK(Partition::named("7-8", 4, 12).to_string() == "aaaa\naaaa\nbbbb\n.bbb\n");
    CHECK(Partition::named("7-8", 4, 3).to_string() == "aaa.\naaaa\nbbbb\nbbbb\n");
    CHECK(Partition::named("7-8", 4, 13).to_string() == "aaaa\naaaa\nbbbb\nb.bb\n");
    CHECK(Partition::named("4-4", 3, 4).to_string() == "aab\na.a\nbbb\n");
}

TEST_CASE("an unknown name is refused with a list of the valid ones", "[pattern]") {
    const auto error = [](std::string_view name, int n, int blank) {
        return message_of<std::invalid_argument>([&] { (void)Partition::named(name, n, blank); });
    };
    CHECK(error("7-7", 4, 15) ==
          "there is no partition \"7-7\" for boards of size 4; there are 5-5-5, 6-6-3, 7-8");
    CHECK(error("7-8", 5, 24) ==
          "there is no partition \"7-8\" for boards of size 5; there are 6-6-6-6, 7-7-7-3, 8-7-7-2");
    CHECK(error("7-8", 6, 35) == "there is no partition \"7-8\" for boards of size 6");
    CHECK(error("7-8", 4, 16) == "the blank belongs in a cell from 0 to 15, not 16");
}

TEST_CASE("a partition is reflected about the blank's diagonal, or the middle row or column", "[pattern]") {
    CHECK(Partition::drawn("aab/ab./...", 3, 8).reflected().to_string() == "aa.\nab.\nb..\n");
    CHECK(Partition::drawn(".ab/aab/...", 3, 0).reflected().to_string() == ".a.\naa.\nbb.\n");
    CHECK(Partition::drawn("aab/ab./...", 3, 6).reflected().to_string() == "..b\n.ba\n.aa\n");
    CHECK(Partition::drawn("a.b/ab./...", 3, 1).reflected().to_string() == "b.a\n.ba\n...\n");
    CHECK(Partition::drawn("aab/.b./...", 3, 3).reflected().to_string() == "...\n.b.\naab\n");
    for (int blank = 0; blank < 25; ++blank) {
        CAPTURE(blank);
        const Partition partition = Partition::named("6-6-6-6", 5, blank);
        const bool is_mirrored =
            blank / 5 == blank % 5 || blank / 5 + blank % 5 == 4 || blank / 5 == 2 || blank % 5 == 2;
        CHECK(partition.has_reflection() == is_mirrored);
        if (!is_mirrored) {
            continue;
        }
        CHECK(partition.reflected().reflected() == partition);
    }
    const Partition lopsided = Partition::drawn("ab../aabb/..../....", 4, 8);
    CHECK(message_of<std::invalid_argument>([&] { (void)lopsided.reflected(); }) ==
          "no reflection leaves a blank in row 2, column 0 in place");
}
