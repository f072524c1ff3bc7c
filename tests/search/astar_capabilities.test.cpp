#include <npuzzle/search/astar.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

// An optional capability makes a search faster, and changes nothing else.

namespace {

using npuzzle::astar;
using npuzzle::Status;
using npuzzle::Zero;
using test::Ring;
using test::WithIndex;
using test::WithMoves;
using test::WithWords;

template <class A, class B>
void check_same(const A& a, const B& b) {
    CHECK(a.status == b.status);
    CHECK(a.cost == b.cost);
    CHECK(a.path == b.path);
    CHECK(a.statistics.expanded == b.statistics.expanded);
    CHECK(a.statistics.generated == b.statistics.generated);
    CHECK(a.statistics.duplicates == b.statistics.duplicates);
    CHECK(a.statistics.reopened == b.statistics.reopened);
    CHECK(a.statistics.stored == b.statistics.stored);
    CHECK(a.statistics.peak_open == b.statistics.peak_open);
}

/// The moves lead along the path.
template <class P, class Result>
void check_moves(const P& problem, const Result& result) {
    const auto& path = result ? result.path : result.partial_path;
    REQUIRE(result.moves.size() + 1 == path.size());
    auto state = path.front();
    for (std::size_t i = 0; i < result.moves.size(); ++i) {
        problem.apply(state, result.moves[i]);
        CHECK(state == path[i + 1]);
    }
}

} // namespace

TEST_CASE("with moves, words or both, a weighted search is the same", "[capabilities]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        const Ring foot(seed, 150, 75);
        const WithMoves<Ring> moves(seed, 150, 75);
        const WithWords<Ring> words(seed, 150, 75);
        const WithIndex<Ring> index(seed, 150, 75);
        const WithIndex<WithWords<WithMoves<Ring>>> all(seed, 150, 75);
        test::Table<int> estimates{oracle::costs_to_goal<int>(foot, 0)};
        for (auto& [vertex, value] : estimates.values) {
            value = vertex % 3 == 0 ? value : value / 2;
        }

        const auto expected = astar(foot, 0, estimates);
        CHECK((expected ? expected.cost : 0) == oracle::least_cost<int>(foot, 0).value_or(0));
        test::check_path(foot, 0, expected);
        check_same(expected, astar(words, 0, estimates));
        check_same(expected, astar(index, 0, estimates));
        const auto by_moves = astar(moves, 0, estimates);
        check_same(expected, by_moves);
        check_moves(moves, by_moves);
        const auto by_all = astar(all, 0, estimates);
        check_same(expected, by_all);
        check_moves(all, by_all);
        const test::Compact<WithWords<WithMoves<Ring>>> compact(seed, 150, 75);
        const auto by_compact = astar(compact, 0, estimates);
        check_same(expected, by_compact);
        check_moves(compact, by_compact);
        // Nodes of equal keys, f and g are taken in any order.
        const test::CompactWithEqualKeys<WithMoves<Ring>> equal_keys(seed, 150, 75);
        test::with_each_policy(equal_keys, 0, estimates, [&](const char* name, const auto& result) {
            INFO(name);
            CHECK(result.status == expected.status);
            CHECK((!expected || result.cost == expected.cost));
            test::check_path(equal_keys, 0, result);
        });
        solved += expected ? 1 : 0;
    }
    CHECK(solved > 20);
}
