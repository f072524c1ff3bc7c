#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/cached.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace {

using npuzzle::Cached;

using WalkedRing = test::WithMoves<test::Ring>;

/// Counts how often it is called, also after it was copied.
struct Counted {
    static constexpr bool is_zero_at_goals = true;
    int* calls;
    int operator()(int vertex) const {
        ++*calls;
        return vertex == 100 ? 0 : vertex % 2;
    }
};

struct Promising : Counted {
    static constexpr bool is_consistent = true;
};

/// All states have the same hash.
struct Crowded : WalkedRing {
    using WalkedRing::WalkedRing;
    std::size_t hash(int) const { return 1; }
};

static_assert(npuzzle::HeuristicFor<Cached<Counted>, WalkedRing>);
static_assert(!npuzzle::IncrementalHeuristicFor<Cached<Counted>, WalkedRing>);
static_assert(npuzzle::declares_consistent<npuzzle::bound_t<Cached<Promising>, WalkedRing>>);
static_assert(npuzzle::declares_zero_at_goals<npuzzle::bound_t<Cached<Counted>, WalkedRing>>);
static_assert(!npuzzle::declares_consistent<npuzzle::bound_t<Cached<Counted>, WalkedRing>>);

} // namespace

TEST_CASE("a cache calls the heuristic once for each state as long as there is room", "[cached]") {
    int calls = 0;
    const WalkedRing ring(1, 200, 100);
    auto bound = npuzzle::bind_heuristic(Cached{Counted{&calls}, 1 << 20}, ring);
    for (int round = 0; round < 3; ++round) {
        for (int vertex = 0; vertex < 200; ++vertex) {
            CHECK(bound(vertex) == (vertex == 100 ? 0 : vertex % 2));
        }
    }
    CHECK(calls == 200);
}

TEST_CASE("a cache never mixes states up, however small it is", "[cached]") {
    for (const std::size_t entries : {1U, 2U, 3U, 16U}) {
        int calls = 0;
        const WalkedRing ring(1, 200, 100);
        const Crowded crowded(1, 200, 100);
        auto bound = npuzzle::bind_heuristic(Cached{Counted{&calls}, entries}, ring);
        auto in_a_crowd = npuzzle::bind_heuristic(Cached{Counted{&calls}, entries}, crowded);
        test::Random random(1);
        for (int i = 0; i < 2000; ++i) {
            const int vertex = random.between(0, 199);
            CHECK(bound(vertex) == (vertex == 100 ? 0 : vertex % 2));
            CHECK(in_a_crowd(vertex) == (vertex == 100 ? 0 : vertex % 2));
        }
        CHECK(calls > 200);
        CHECK(calls < 4000);
    }
    CHECK_THROWS_AS(Cached(Counted{nullptr}, 0), std::invalid_argument);
}

TEST_CASE("searches with a cache go as those without, with fewer calls", "[cached]") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const WalkedRing ring(seed, 200, 100);
        int calls = 0;
        int cached_calls = 0;
        const npuzzle::Limits limits{.expansions = 20'000};
        const auto plain = npuzzle::ida_star(ring, 0, Counted{&calls}, limits);
        const auto cached = npuzzle::ida_star(ring, 0, Cached{Counted{&cached_calls}}, limits);
        CHECK(plain.status == cached.status);
        CHECK(plain.cost == cached.cost);
        CHECK(plain.path == cached.path);
        CHECK(plain.statistics.generated == cached.statistics.generated);
        CHECK(cached_calls <= 200);
        CHECK(calls > cached_calls);
        const auto best_first = npuzzle::astar(ring, 0, Cached{Counted{&cached_calls}, 4});
        CHECK(best_first.cost == npuzzle::astar(ring, 0, Counted{&calls}).cost);
    }
}
