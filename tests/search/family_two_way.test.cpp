#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/d_star_lite.hpp>
#include <npuzzle/search/lpa_star.hpp>

#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"
#include "support/two_way_graphs.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What holds of each search of the family, for those that ask for a goal that is known and for steps that can
// be gone back.

namespace {

using npuzzle::BaeStar;
using npuzzle::Limits;
using npuzzle::MeetInTheMiddle;
using npuzzle::Nbs;
using npuzzle::SilentObserver;
using npuzzle::Status;
using test::Member;
using test::Promise;
using test::Random;

using Graph = test::TwoWayGraph<int, false>;
using Estimates = test::Estimates<int, true>;

template <class C, class F>
void with_each(const test::TwoWayGraph<C, false>& graph, int start, const test::Estimates<C, true>& forward,
               const test::Estimates<C, true>& backward, const npuzzle::BasicLimits<C>& limits, F check) {
    using npuzzle::bidirectional_astar;
    check(Member{"MM", Promise::least_cost},
          bidirectional_astar<MeetInTheMiddle>(graph, start, forward, backward, limits));
    check(Member{"NBS", Promise::least_cost},
          bidirectional_astar<Nbs>(graph, start, forward, backward, limits));
    check(Member{"BAE*", Promise::least_cost},
          bidirectional_astar<BaeStar>(graph, start, forward, backward, limits));
    check(Member{"LPA*", Promise::least_cost}, npuzzle::lpa_star(graph, start, forward, limits));
    check(Member{"D* Lite", Promise::least_cost}, npuzzle::d_star_lite(graph, start, backward, limits));
}

/// A graph, and what is true of it.
struct Case {
    Graph graph;
    int start;
    std::optional<int> least;
    std::optional<int> steps;
    Estimates forward;
    Estimates backward;

    explicit Case(std::uint64_t seed) {
        Random random(seed);
        graph = test::random_two_way_graph<int, false>(random, 1);
        start = random.between(0, graph.size() - 1);
        least = oracle::least_cost<int>(graph, start);
        const auto depths = oracle::breadth_first(graph, start);
        if (const auto found = depths.find(graph.goal()); found != depths.end()) {
            steps = found->second;
        }
        forward = test::estimates_of<int, true>(oracle::costs_from<int>(test::Backward{&graph}, graph.goal()),
                                                graph.size(), random);
        backward = test::estimates_of<int, true>(oracle::costs_from<int>(graph, start), graph.size(), random);
    }

    /// For each search, with a bound on what it promises the least of.
    template <class F>
    void search(Limits limits, std::optional<int> most, F check) const {
        npuzzle::BasicLimits<int> all = limits;
        all.max_cost = most;
        with_each(graph, start, forward, backward, all, check);
        check(Member{"bidirectional breadth-first", Promise::fewest_steps},
              npuzzle::bidirectional_breadth_first(graph, start, all));
    }
};

} // namespace

TEST_CASE("each search from both ends keeps its promise on random graphs", "[family]") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const Case one(seed);
        one.search({}, std::nullopt, [&](const Member& member, const auto& result) {
            INFO(member.name);
            CHECK(result.status == (one.least ? Status::solved : Status::unsolvable));
            test::check_path(one.graph, one.start, result);
            CHECK(result.statistics.contract_violations == 0);
            if (result && member.promise == Promise::least_cost) {
                CHECK(result.cost == *one.least);
            } else if (result) {
                CHECK(static_cast<int>(result.path.size()) - 1 == *one.steps);
            }
        });
    }
}

TEST_CASE("a bound on the cost is kept from both ends, and proves that nothing is cheaper", "[family]") {
    int bounded = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const Case one(seed);
        if (!one.least) {
            continue;
        }
        for (const int more : {-1000, -2, -1, 0, 1, 1000}) {
            const auto check_one = [&](Promise promise, int truth) {
                one.search({}, truth + more, [&](const Member& member, const auto& result) {
                    INFO("seed " << seed << ", " << member.name << ", " << more << " more than " << truth);
                    if (member.promise == promise) {
                        CHECK(result.status == (more < 0 ? Status::cost_limit : Status::solved));
                        test::check_path(one.graph, one.start, result);
                        bounded += more < 0 ? 1 : 0;
                    }
                });
            };
            check_one(Promise::least_cost, *one.least);
            check_one(Promise::fewest_steps, *one.steps);
        }
    }
    CHECK(bounded > 500);
}

/// The same with costs in another unit, and estimates of at most `most` units.
template <class C, class F>
void search_in_units(const Case& one, C unit, int most, std::optional<C> max_cost, F check) {
    test::TwoWayGraph<C, false> graph;
    graph.edges.resize(one.graph.edges.size());
    graph.edges_back.resize(one.graph.edges.size());
    graph.goal_vertex = one.graph.goal_vertex;
    const auto cost = [&](int units) { return static_cast<C>(static_cast<C>(units) * unit); };
    graph.least = cost(one.graph.least);
    for (int from = 0; from < one.graph.size(); ++from) {
        for (const auto& edge : one.graph.neighbors(from)) {
            graph.connect(from, edge.to, cost(edge.cost));
        }
    }
    const auto in_units = [&](const Estimates& estimates) {
        test::Estimates<C, true> result;
        for (const int value : estimates.values) {
            result.values.push_back(cost(std::min(value, most)));
        }
        return result;
    };
    npuzzle::BasicLimits<C> limits;
    limits.max_cost = max_cost;
    with_each<C>(graph, one.start, in_units(one.forward), in_units(one.backward), limits, check);
}

TEMPLATE_TEST_CASE("no search from both ends takes rounding or the limit of a type for a proof", "[family]",
                   std::int8_t, double) {
    constexpr auto greatest = std::numeric_limits<TestType>::max();
    constexpr auto unit = static_cast<TestType>(greatest / 15);
    int beyond = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Case one(seed);
        if (const TestType tenths = static_cast<TestType>(1 + seed % 9) / 10; one.least && tenths > 0) {
            const auto check = [&](TestType bound, Status expected) {
                search_in_units(one, tenths, 1000, std::optional(bound),
                                [&](const Member& member, const auto& result) {
                                    INFO("seed " << seed << ", " << member.name << ", bound " << bound);
                                    CHECK(result.status == expected);
                                });
            };
            const TestType least = static_cast<TestType>(*one.least) * tenths;
            check(least, Status::solved);
            check(least - tenths, Status::cost_limit);
        }
        for (const int units : {15, 14, 11, 7}) {
            const auto bound =
                units == 15 ? greatest : static_cast<TestType>(static_cast<TestType>(units) * unit);
            search_in_units<TestType>(one, unit, 14, bound, [&](const Member& member, const auto& result) {
                INFO("seed " << seed << ", " << member.name << ", bound " << units);
                CHECK((result.status != Status::unsolvable || !one.least));
                CHECK((result.status != Status::cost_limit || !one.least || *one.least > units));
                beyond += result.status == Status::cost_overflow ? 1 : 0;
            });
        }
    }
    CHECK(beyond > 100);
}

TEST_CASE("limits strike searches from both ends at any moment, and are exact", "[family]") {
    for (const std::uint64_t seed : {2U, 5U, 9U, 14U}) {
        const Case one(seed);
        std::map<std::string_view, std::uint64_t> needs;
        one.search({}, std::nullopt, [&](const Member& member, const auto& result) {
            needs[member.name] = result.statistics.expanded;
        });
        for (std::uint64_t limit = 0; limit <= 30; ++limit) {
            one.search({.expansions = limit}, std::nullopt, [&](const Member& member, const auto& result) {
                INFO("seed " << seed << ", " << member.name << ", limit " << limit);
                CHECK(result.statistics.expanded == std::min(limit, needs[member.name]));
                CHECK((result.status == Status::expansion_limit) == (limit < needs[member.name]));
            });
        }
        for (std::uint64_t limit = 0; limit <= 40'000; limit += 2'000) {
            one.search({.bytes = limit}, std::nullopt, [&](const Member& member, const auto& result) {
                INFO(member.name << ", limit " << limit);
                CHECK(result.statistics.bytes <= limit);
                CHECK((limit > 0 || result.status == Status::memory_limit));
            });
        }
        npuzzle::StopSource source;
        source.request_stop();
        one.search({.stop = source.get_token()}, std::nullopt, [&](const Member& member, const auto& result) {
            INFO(member.name);
            CHECK((needs[member.name] == 0 || result.status == Status::cancelled));
            CHECK(result.statistics.expanded == 0);
        });
    }
}
