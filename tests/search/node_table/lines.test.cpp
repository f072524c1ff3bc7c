#include <npuzzle/search/node_table/lines.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>

namespace {

struct Line {
    std::array<std::uint32_t, 4> numbers;
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
