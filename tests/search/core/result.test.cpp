#include <npuzzle/search/core/result.hpp>

#include "support/catch.hpp"

#include <concepts>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using npuzzle::SearchResult;
using npuzzle::Statistics;
using npuzzle::Status;

template <class R>
concept HasMoves = requires(R result) { result.moves; };

static_assert(!HasMoves<SearchResult<int, int>>);
static_assert(HasMoves<SearchResult<int, int, char>>);
static_assert(std::same_as<decltype(SearchResult<int, int, char>::moves), std::vector<char>>);
static_assert(!std::convertible_to<SearchResult<int, int>, bool>, "only where a condition is asked for");

constexpr Status all[] = {Status::running,         Status::solved,         Status::unsolvable,
                          Status::expansion_limit, Status::memory_limit,   Status::time_limit,
                          Status::cancelled,       Status::cost_overflow,  Status::cost_limit,
                          Status::depth_limit,     Status::beam_exhausted, Status::failed};

Statistics numbered(std::uint64_t factor, double seconds) {
    Statistics statistics;
    statistics.expanded = factor;
    statistics.generated = 2 * factor;
    statistics.duplicates = 3 * factor;
    statistics.reopened = 4 * factor;
    statistics.stored = 5 * factor;
    statistics.peak_open = 6 * factor;
    statistics.bytes = 7 * factor;
    statistics.seconds = seconds;
    statistics.contract_violations = 9 * factor;
    return statistics;
}

/// Of what is added up however the searches were made, by the factors 1 and 10.
void check_sums(const Statistics& sum) {
    CHECK(sum.expanded == 11);
    CHECK(sum.generated == 22);
    CHECK(sum.duplicates == 33);
    CHECK(sum.reopened == 44);
    CHECK(sum.contract_violations == 99);
}

} // namespace

TEST_CASE("each status has a name of its own", "[result]") {
    STATIC_REQUIRE(npuzzle::to_string(Status::solved) == "solved");
    std::set<std::string_view> names;
    for (const Status status : all) {
        names.insert(npuzzle::to_string(status));
        std::ostringstream out;
        out << status;
        CHECK(out.str() == npuzzle::to_string(status));
    }
    CHECK(names.size() == std::size(all));
    CHECK(names.count("unknown") == 0);
    CHECK(npuzzle::to_string(static_cast<Status>(200)) == "unknown");
}

TEST_CASE("a result is true if it is solved, and only then", "[result]") {
    SearchResult<int, double, char> result;
    CHECK(result.status == Status::running);
    CHECK(result.path.empty());
    CHECK(result.moves.empty());
    CHECK(result.cost == 0.0);
    for (const Status status : all) {
        result.status = status;
        CHECK(static_cast<bool>(result) == (status == Status::solved));
    }
}

TEST_CASE("statistics of two searches are added up", "[result]") {
    const Statistics a = numbered(1, 8);
    const Statistics b = numbered(10, 5);
    Statistics sum = a;
    CHECK(&sum.merge_concurrent(b) == &sum);
    check_sums(sum);
    CHECK(sum.stored == 55);
    CHECK(sum.peak_open == 66);
    CHECK(sum.bytes == 77);
    CHECK(sum.seconds == 8);

    Statistics other_order = b;
    other_order.merge_concurrent(a);
    CHECK(other_order.seconds == 8);
}

TEST_CASE("statistics of a search that followed another: its time is added, what it held is not",
          "[result]") {
    Statistics before = numbered(1, 8);
    before.peak_open = 61;
    CHECK(&before.merge_sequential(numbered(10, 5)) == &before);
    check_sums(before);
    CHECK(before.stored == 50);
    CHECK(before.peak_open == 61);
    CHECK(before.bytes == 70);
    CHECK(before.seconds == 13);
}

TEST_CASE("statistics print as one line, contract violations only where there are some", "[result]") {
    Statistics statistics = numbered(1, 2.5);
    statistics.contract_violations = 0;
    std::ostringstream out;
    out << statistics;
    CHECK(out.str() ==
          "expanded 1, generated 2, duplicates 3, reopened 4, stored 5, peak open 6, 7 bytes, 2.5 s");
    statistics.contract_violations = 9;
    out << '\n' << statistics;
    CHECK(out.str().find("2.5 s, contract violations 9") != std::string::npos);
}
