#include <npuzzle/search/node_table/lines.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace {

/// Holds numbers from 1 on, which say by their high bits where they belong.
struct Line {
    std::array<std::uint32_t, 4> numbers{};

    unsigned count() const {
        unsigned used = 0;
        while (used < numbers.size() && numbers[used] != 0) {
            ++used;
        }
        return used;
    }
    std::uint32_t get(unsigned slot) const { return numbers[slot]; }
    void set(unsigned slot, std::uint32_t number) { numbers[slot] = number; }
};

std::size_t home(std::uint32_t number, std::size_t lines) {
    return static_cast<std::size_t>(std::uint64_t{number} * lines >> 32);
}

} // namespace

TEST_CASE("after a full line all others of its block have their turn", "[lines]") {
    for (const std::size_t block : {std::size_t{1}, std::size_t{2}, std::size_t{64}}) {
        for (const std::uint32_t number : {0U, 1U, 77U, 0x80000000U, 0xffffffffU}) {
            const std::size_t first = 5 * block + block / 3;
            std::set<std::size_t> seen;
            std::size_t at = first;
            do {
                seen.insert(at);
                at = npuzzle::detail::line_after(at, block, number);
            } while (at != first);
            CHECK(seen.size() == block);
            CHECK(*seen.begin() == 5 * block);
            CHECK(*seen.rbegin() == 6 * block - 1);
        }
    }
}

TEST_CASE("lines are doubled in place, whole or part by part", "[lines]") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        CAPTURE(seed);
        test::Random random(seed);
        const std::size_t count = 32;
        std::vector<Line> lines(2 * count);
        // Most are where they belong; the rest wherever there is room.
        std::multiset<std::uint32_t> belonging;
        std::multiset<std::uint32_t> strays;
        for (int i = 0; i < 90; ++i) {
            const auto number = static_cast<std::uint32_t>(random.between(1, 2'000'000'000)) * 2 + 1;
            std::size_t at = home(number, count);
            if (lines[at].count() < 4 && !random.one_in(10)) {
                belonging.insert(number);
            } else {
                do {
                    at = (at + 1) % count;
                } while (lines[at].count() == 4);
                (home(number, 2 * count) / 2 == at ? belonging : strays).insert(number);
            }
            lines[at].set(lines[at].count(), number);
        }
        std::multiset<std::uint32_t> set_aside;
        const std::size_t part = seed % 2 == 0 ? count : 8;
        for (std::size_t from = count; from > 0; from -= part) {
            npuzzle::detail::double_lines(
                lines.data(), from - part, from,
                [&](const Line& line, unsigned slot) { return home(line.get(slot), 2 * count); },
                [](Line* first, std::size_t erased) {
                    for (std::size_t i = 0; i < erased; ++i) {
                        first[i] = Line{};
                    }
                },
                [&](const Line& line, unsigned slot) { set_aside.insert(line.get(slot)); });
        }
        CHECK(set_aside == strays);
        std::multiset<std::uint32_t> found;
        bool is_home = true;
        for (std::size_t at = 0; at < lines.size(); ++at) {
            for (unsigned slot = 0; slot < lines[at].count(); ++slot) {
                found.insert(lines[at].get(slot));
                is_home = is_home && home(lines[at].get(slot), 2 * count) == at;
            }
        }
        CHECK(found == belonging);
        CHECK(is_home);
        CHECK(found.size() + set_aside.size() == 90);
    }
}
