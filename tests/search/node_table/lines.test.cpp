#include <npuzzle/search/node_table/lines.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

namespace {

/// Holds numbers from 1 on, which say by their high bits where they belong.
struct Line {
    static constexpr unsigned size = 4;
    std::array<std::uint32_t, size> numbers{};

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

void erase(Line* first, std::size_t count) {
    std::fill_n(first, count, Line{});
}

/// A table of `pages` pages, in which each number is found.
struct Pages {
    static constexpr std::size_t page = npuzzle::detail::lines_per_page<Line>;
    Line* first;
    std::size_t pages;

    Line* home_of(std::uint32_t number) const { return first + home(number, pages * page); }
    Line* next(Line* line, std::uint32_t number) const {
        return first + npuzzle::detail::line_after(static_cast<std::size_t>(line - first), page, number);
    }
    /// The line that has a number, or else that has room for it; null if its page is full.
    Line* find(std::uint32_t number) const {
        Line* line = home_of(number);
        for (std::size_t tried = 0; tried < page; ++tried, line = next(line, number)) {
            const auto& numbers = line->numbers;
            if (line->count() < Line::size ||
                std::find(numbers.begin(), numbers.end(), number) != numbers.end()) {
                return line;
            }
        }
        return nullptr;
    }
    bool has(std::uint32_t number) const {
        const Line* const line = find(number);
        return line != nullptr && std::count(line->numbers.begin(), line->numbers.end(), number) == 1;
    }
    bool insert(std::uint32_t number) const {
        Line* const line = find(number);
        if (line == nullptr) {
            return false;
        }
        line->set(line->count(), number);
        return true;
    }
    bool spread_to(const Pages& to, Line* copy) const {
        return npuzzle::detail::spread_lines(
            first, pages * page, copy, to.first, to.pages * page, erase,
            [](const Line& line, unsigned slot) { return line.get(slot); },
            [&](std::uint32_t number) { return to.home_of(number); },
            [&](Line* line, std::uint32_t number) { return to.next(line, number); });
    }
};

} // namespace

TEST_CASE("a large table is cut where its segments grow by no more than it would as a whole", "[lines]") {
    constexpr std::size_t mebibyte = (std::size_t{1} << 20) / sizeof(Line);
    const auto is_cut = [](std::size_t lines) { return npuzzle::detail::is_to_be_cut<Line>(lines, 32, 32); };
    // On huge pages of 2 MiB, segments of 4 MiB would grow to 6 MiB, and those of 5 MiB would be copied.
    const bool on_small_pages = npuzzle::detail::Storage<Line>::fills_pages(5 * mebibyte);
    CHECK(is_cut(128 * mebibyte) == on_small_pages);
    CHECK(is_cut(160 * mebibyte) == on_small_pages);
    CHECK(is_cut(192 * mebibyte));
    CHECK(is_cut(256 * mebibyte));
    CHECK(is_cut(32));
}

TEST_CASE("a large table of lines grows by no more than half, in whole pages of memory", "[lines]") {
    constexpr std::size_t page = npuzzle::detail::lines_per_page<Line>;
    CHECK(npuzzle::detail::more_lines<Line>(1, 1) == 2);
    CHECK(npuzzle::detail::more_lines<Line>(2 * page, 1) == 4 * page);
    CHECK(npuzzle::detail::more_lines<Line>(4 * page, 1) == 5 * page);
    CHECK(npuzzle::detail::more_lines<Line>(5 * page, 1) == 6 * page);
    CHECK(npuzzle::detail::more_lines<Line>(6 * page, 1) == 8 * page);
    CHECK(npuzzle::detail::more_lines<Line>(4 * page, 2) == 8 * page);
    CHECK(npuzzle::detail::more_lines<Line>(8 * page, 2) == 10 * page);
    constexpr std::size_t huge_page = std::size_t{1} << 21;
    for (std::size_t lines = 4 * page; lines < std::size_t{1} << 40;) {
        const std::size_t more = npuzzle::detail::more_lines<Line>(lines, 1);
        CHECK(more > lines);
        CHECK((2 * more <= 3 * lines || lines * sizeof(Line) == huge_page));
        CHECK(more % page == 0);
        const bool is_exact = more * sizeof(Line) < huge_page || more * sizeof(Line) % huge_page == 0;
        CHECK((is_exact || !npuzzle::detail::Storage<Line>::fills_pages(3 * huge_page / 2 / sizeof(Line))));
        lines = more;
    }
}

TEST_CASE("nodes are spread over more pages, or fewer, in place, and found there", "[lines]") {
    constexpr std::size_t page = Pages::page;
    std::vector<Line> lines(6 * page);
    std::vector<Line> copy(6 * page);
    for (const auto& [few, many] : {std::pair{1U, 2U}, {2U, 3U}, {3U, 4U}, {4U, 5U}, {5U, 6U}}) {
        CAPTURE(few, many);
        test::Random random(few);
        erase(lines.data(), lines.size());
        const Pages before{lines.data(), few};
        const Pages after{lines.data(), many};
        std::set<std::uint32_t> numbers;
        while (numbers.size() < few * page * Line::size * 7 / 8) {
            const auto number = static_cast<std::uint32_t>(random.between(1, 2'000'000'000)) * 2 + 1;
            if (numbers.insert(number).second) {
                REQUIRE(before.insert(number));
            }
        }
        const auto all_in = [&](const Pages& pages) {
            return std::all_of(numbers.begin(), numbers.end(), [&](std::uint32_t x) { return pages.has(x); });
        };
        CHECK(all_in(before));
        CHECK_FALSE(all_in(after));
        CHECK(before.spread_to(after, copy.data()));
        CHECK(all_in(after));
        CHECK(after.spread_to(before, copy.data()));
        CHECK(all_in(before));
    }
}

TEST_CASE("nodes that would be too many for a page are left in a copy of their lines", "[lines]") {
    constexpr std::size_t page = Pages::page;
    std::vector<Line> lines(5 * page);
    std::vector<Line> copy(5 * page);
    const Pages before{lines.data(), 4};
    // The first two pages, full of what the second of five pages is to hold.
    const auto share = [](unsigned hundredths) { return 0xffffffffU / 100 * hundredths; };
    for (std::uint32_t i = 0; i < page * Line::size; ++i) {
        REQUIRE(before.insert(share(20) + 1000 * i + 100));
        REQUIRE(before.insert(share(25) + 1000 * i + 100));
    }
    const std::vector<Line> old = lines;
    CHECK_FALSE(before.spread_to(Pages{lines.data(), 5}, copy.data()));
    bool is_same = true;
    for (std::size_t i = 0; i < 4 * page; ++i) {
        is_same = is_same && copy[i].numbers == old[i].numbers;
    }
    CHECK(is_same);
}

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
