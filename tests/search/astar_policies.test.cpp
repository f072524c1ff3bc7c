#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/engine/parts.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

// Every combination of open list, node table and duplicate policy finds the same cost.

namespace {

using npuzzle::astar;
using npuzzle::Statistics;
using npuzzle::Status;
using npuzzle::Zero;
using test::Graph;
using test::Random;
using test::random_graph;
using test::Table;

/// Checks one policy after the other against the oracle, and their statistics, where they must be equal,
/// against those of the first.
template <class C>
class Agreement {
public:
    Agreement(const Graph<C>& graph, bool has_no_ties)
        : graph_(graph), least_(oracle::least_cost<C>(graph, 0)), has_no_ties_(has_no_ties) {}

    template <class Result>
    void operator()(const std::string& name, const Result& result) {
        INFO(name);
        ++policies;
        CHECK(result.status == (least_ ? Status::solved : Status::unsolvable));
        CHECK((result ? result.cost : C{}) == least_.value_or(C{}));
        test::check_path(graph_, 0, result);
        test::check_statistics(result.status, result.statistics);
        if (!least_) {
            // All that can be reached is stored, once, and expanded.
            CHECK(result.statistics.stored == oracle::breadth_first(graph_, 0).size());
            CHECK(result.statistics.expanded == result.statistics.stored + result.statistics.reopened);
        }
        if (!first_) {
            first_ = result.statistics;
        } else if (has_no_ties_) {
            CHECK(result.statistics.expanded == first_->expanded);
            CHECK(result.statistics.generated == first_->generated);
            CHECK(result.statistics.stored == first_->stored);
            CHECK(result.statistics.duplicates == first_->duplicates);
            CHECK(result.statistics.reopened == first_->reopened);
        }
    }

    int policies = 0;

private:
    const Graph<C>& graph_;
    std::optional<C> least_;
    bool has_no_ties_;
    std::optional<Statistics> first_;
};

} // namespace

TEMPLATE_TEST_CASE("all policies find the same cost, integers", "[policies]", int, std::uint8_t) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        const int vertices = random.between(2, 50);
        const auto graph = random_graph<TestType>(seed, vertices, 3 * vertices, random.between(0, 2),
                                                  sizeof(TestType) == 1 ? 4 : 30);
        Table<TestType> estimates{oracle::costs_to_goal<TestType>(graph, 0)};
        if (random.one_in(2)) {
            for (auto& [vertex, value] : estimates.values) {
                value = random.one_in(2) ? TestType{0} : value;
            }
        }
        Agreement<TestType> blind(graph, false);
        test::with_each_policy(graph, 0, Zero{},
                               [&](const char* name, const auto& result) { blind(name, result); });
        CHECK(blind.policies == 7);
        Agreement<TestType> guided(graph, false);
        test::with_each_policy(graph, 0, estimates,
                               [&](const char* name, const auto& result) { guided(name, result); });
        CHECK(guided.policies == 7);
    }
}

TEST_CASE("all policies do the same where no two f are equal", "[policies]") {
    int reopened = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        Graph<double> graph(30);
        // Sums of different powers of two are different.
        for (int edge = 0; edge < 52; ++edge) {
            graph.connect(random.between(0, 28), random.between(1, 28),
                          static_cast<double>(std::uint64_t{1} << edge));
        }
        graph.connect(random.between(0, 28), 29, static_cast<double>(std::uint64_t{1} << 52)).add_goal(29);
        Table<double> estimates{oracle::costs_to_goal<double>(graph, 0)};
        for (auto& [vertex, value] : estimates.values) {
            value = random.one_in(2) ? 0 : value;
        }
        Agreement<double> agreement(graph, true);
        test::with_each_policy(graph, 0, estimates, [&](const char* name, const auto& result) {
            agreement(name, result);
            reopened += result.statistics.reopened > 0 ? 1 : 0;
        });
        CHECK(agreement.policies == 3);
    }
    CHECK(reopened > 10);
}

TEST_CASE("the same with integers, for buckets, too", "[policies]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        Graph<std::int64_t> graph(30);
        for (int edge = 0; edge < 52; ++edge) {
            graph.connect(random.between(0, 28), random.between(1, 28), std::int64_t{1} << edge);
        }
        graph.connect(random.between(0, 28), 29, std::int64_t{1} << 52).add_goal(29);
        Agreement<std::int64_t> agreement(graph, true);
        test::with_each_policy(graph, 0, Zero{}, [&](const char* name, const auto& result) {
            agreement(name, result);
            solved += result ? 1 : 0;
        });
        CHECK(agreement.policies == 7);
    }
    CHECK(solved > 50);
}

TEST_CASE("ParentOnly finds the same cost, and stores each path", "[policies]") {
    int solved = 0;
    int stored_twice = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        // Small graphs with positive costs, for the number of paths grows exponentially.
        Graph<int> graph(12);
        for (int edge = 0; edge < 22; ++edge) {
            graph.connect(random.between(0, 11), random.between(0, 11), random.between(1, 9));
        }
        graph.add_goal(11);
        const auto least = oracle::least_cost<int>(graph, 0);
        if (!least) {
            continue;
        }
        ++solved;
        const auto closed_set = astar(graph, 0, Zero{});
        const auto check = [&](const char* name, const auto& result) {
            INFO(name);
            CHECK(result.cost == *least);
            test::check_path(graph, 0, result);
            CHECK(result.statistics.duplicates == 0);
            CHECK(result.statistics.reopened == 0);
            CHECK(result.statistics.stored == result.statistics.generated + 1);
            stored_twice += result.statistics.stored > closed_set.statistics.stored ? 1 : 0;
        };
        test::with_each_tree_policy(graph, 0, Zero{}, check);
        test::with_each_tree_policy(graph, 0, Table<int>{oracle::costs_to_goal<int>(graph, 0)}, check);
    }
    CHECK(solved > 50);
    CHECK(stored_twice > 50);
}
