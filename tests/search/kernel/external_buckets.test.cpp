#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/core/stop.hpp>
#include <npuzzle/search/core/word.hpp>
#include <npuzzle/search/kernel/external_buckets.hpp>
#include <npuzzle/search/memory/budget.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

using npuzzle::Limits;
using npuzzle::MemoryBudget;
using npuzzle::Statistics;
using npuzzle::Status;

struct Hash {
    std::uint64_t operator()(std::uint32_t word) const { return npuzzle::detail::mix_word(word); }
};
using Buckets = npuzzle::detail::ExternalBuckets<int, int, std::uint32_t, char, Hash>;

struct Taken {
    int cost;
    int estimate;
    std::vector<std::uint32_t> states;
};

/// Takes the nodes of the next bucket.
Taken take(Buckets& buckets, Statistics& statistics) {
    REQUIRE(buckets.go_on(statistics) == Status::running);
    Taken taken{buckets.current().cost, buckets.current().estimate, {}};
    while (const auto record = buckets.first()) {
        taken.states.push_back(record->state);
        buckets.pop();
    }
    std::sort(taken.states.begin(), taken.states.end());
    return taken;
}

void add(Buckets& buckets, int cost, int estimate, std::uint32_t state, char link = 'a') {
    buckets.add(cost, estimate, cost + estimate, {state, link});
}

} // namespace

TEST_CASE("buckets come by f, each state once at each g", "[external_buckets]") {
    const test::Folder folder;
    MemoryBudget budget;
    Statistics statistics;
    Buckets buckets({}, folder.path, Limits::unlimited, {}, budget);
    CHECK(buckets.is_empty());
    for (const std::uint32_t state : {5U, 3U, 5U, 8U, 3U, 5U}) {
        add(buckets, 2, 4, state, state == 3 ? 'b' : 'a');
    }
    add(buckets, 1, 4, 3);
    add(buckets, 1, 4, 9);
    Taken taken = take(buckets, statistics);
    CHECK(taken.cost == 1);
    CHECK(taken.states == std::vector<std::uint32_t>{3, 9});
    taken = take(buckets, statistics);
    CHECK(taken.cost == 2);
    CHECK(taken.states == std::vector<std::uint32_t>{5, 8}); // 3 has a path that costs less.
    CHECK(buckets.is_empty());
    CHECK(statistics.duplicates == 4);

    // What was closed is not taken again, at that g or at a greater one.
    for (const std::uint32_t state : {8U, 6U, 9U}) {
        add(buckets, 2, 4, state);
        add(buckets, 3, 4, state);
    }
    CHECK(take(buckets, statistics).states == std::vector<std::uint32_t>{6});
    CHECK(take(buckets, statistics).states.empty());
    CHECK(buckets.is_empty());
    CHECK(statistics.duplicates == 9);
    buckets.add_to(statistics);
    CHECK(statistics.stored == 5);
    CHECK(statistics.peak_open == 8);

    Buckets::Reader reader(buckets);
    CHECK(reader.find(1, 4, 3) == 'a');
    CHECK(reader.find(2, 4, 8) == 'a');
    CHECK_FALSE(reader.find(2, 4, 3));
    CHECK_FALSE(reader.find(2, 5, 8));
    CHECK_FALSE(reader.find(1, 4, 4));
}

TEST_CASE("the greatest g is first, and what is reached from there", "[external_buckets]") {
    const test::Folder folder;
    MemoryBudget budget;
    Statistics statistics;
    Buckets buckets({}, folder.path, Limits::unlimited, {}, budget);
    for (int cost = 0; cost < 5; ++cost) {
        add(buckets, cost, 10 - cost, static_cast<std::uint32_t>(cost));
    }
    CHECK(take(buckets, statistics).cost == 4);
    add(buckets, 5, 5, 50);
    add(buckets, 5, 6, 60);
    CHECK(take(buckets, statistics).cost == 5);
    CHECK(take(buckets, statistics).cost == 3);
    add(buckets, 4, 6, 40);
    CHECK(take(buckets, statistics).states == std::vector<std::uint32_t>{40});
    // An f that falls joins the present layer.
    add(buckets, 5, 2, 70);
    CHECK(take(buckets, statistics).states == std::vector<std::uint32_t>{70});
    CHECK(take(buckets, statistics).cost == 2);
    CHECK(take(buckets, statistics).cost == 1);
    CHECK(take(buckets, statistics).cost == 0);
    CHECK(take(buckets, statistics).estimate == 6);
    CHECK(buckets.is_empty());
}

TEST_CASE("a bucket that does not fit in memory is taken by parts", "[external_buckets]") {
    const test::Folder folder;
    for (const std::uint64_t bytes : {std::uint64_t{100'000}, std::uint64_t{400'000}, Limits::unlimited}) {
        MemoryBudget budget(bytes);
        Statistics statistics;
        Buckets buckets({}, folder.path, Limits::unlimited, {.bytes = bytes}, budget);
        for (std::uint32_t i = 0; i < 60'000; ++i) {
            add(buckets, 1, 1, i % 20'000);
            add(buckets, 3, 1, i);
        }
        std::vector<std::uint32_t> all(20'000);
        for (std::uint32_t i = 0; i < 20'000; ++i) {
            all[i] = i;
        }
        CHECK(take(buckets, statistics).states == all);
        const Taken taken = take(buckets, statistics);
        CHECK(taken.states.size() == 40'000);
        CHECK(taken.states.front() == 20'000);
        CHECK(taken.states.back() == 59'999);
        CHECK(statistics.duplicates == 60'000);
        CHECK(budget.peak() <= bytes);
    }
}

TEST_CASE("a limit ends the removal of duplicates", "[external_buckets]") {
    const test::Folder folder;
    npuzzle::StopSource source;
    MemoryBudget budget;
    Statistics statistics;
    Buckets buckets({}, folder.path, Limits::unlimited, {.stop = source}, budget);
    add(buckets, 1, 1, 1);
    source.request_stop();
    CHECK(buckets.go_on(statistics) == Status::cancelled);
}
