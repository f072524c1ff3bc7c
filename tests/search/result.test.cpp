#include <npuzzle/search/result.hpp>

#include "support/catch.hpp"

#include <concepts>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
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

constexpr Status all[] = {Status::running,         Status::solved,       Status::unsolvable,
                          Status::expansion_limit, Status::memory_limit, Status::time_limit,
                          Status::cancelled,       Status::cost_overflow};

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
    Statistics a;
    a.expanded = 1;
    a.generated = 2;
    a.duplicates = 3;
    a.reopened = 4;
    a.stored = 5;
    a.peak_open = 6;
    a.bytes = 7;
    a.seconds = 8;
    a.broken_promises = 9;
    Statistics b;
    b.expanded = 10;
    b.generated = 20;
    b.duplicates = 30;
    b.reopened = 40;
    b.stored = 50;
    b.peak_open = 60;
    b.bytes = 70;
    b.seconds = 5;
    b.broken_promises = 90;

    Statistics sum = a;
    CHECK(&(sum += b) == &sum);
    CHECK(sum.expanded == 11);
    CHECK(sum.generated == 22);
    CHECK(sum.duplicates == 33);
    CHECK(sum.reopened == 44);
    CHECK(sum.stored == 55);
    CHECK(sum.peak_open == 66);
    CHECK(sum.bytes == 77);
    CHECK(sum.seconds == 8);
    CHECK(sum.broken_promises == 99);

    Statistics turned = b;
    turned += a;
    CHECK(turned.seconds == 8);
}

TEST_CASE("statistics of a search that followed another: its time is added, what it held is not",
          "[result]") {
    Statistics before;
    before.expanded = 1;
    before.generated = 2;
    before.duplicates = 3;
    before.reopened = 4;
    before.stored = 5;
    before.peak_open = 60;
    before.bytes = 7;
    before.seconds = 8;
    before.broken_promises = 9;
    Statistics next;
    next.expanded = 10;
    next.generated = 20;
    next.duplicates = 30;
    next.reopened = 40;
    next.stored = 50;
    next.peak_open = 6;
    next.bytes = 70;
    next.seconds = 5;
    next.broken_promises = 90;

    CHECK(&before.add_next(next) == &before);
    CHECK(before.expanded == 11);
    CHECK(before.generated == 22);
    CHECK(before.duplicates == 33);
    CHECK(before.reopened == 44);
    CHECK(before.stored == 50);
    CHECK(before.peak_open == 60);
    CHECK(before.bytes == 70);
    CHECK(before.seconds == 13);
    CHECK(before.broken_promises == 99);
}
