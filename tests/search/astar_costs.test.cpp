#include <npuzzle/search/astar.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// Costs at the ends of their types: nothing wraps, and what fits is found.

namespace {

using npuzzle::astar;
using npuzzle::Status;
using npuzzle::Zero;
using test::Graph;
using test::Random;
using test::Table;

template <class T>
constexpr T largest = std::numeric_limits<T>::max();
template <class T>
constexpr T infinite = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : largest<T>;

struct Narrow : test::Compact<test::WithWords<test::WithMoves<test::Ring>>> {
    using Compact::Compact;
    static constexpr int longest_path = 15;
};

/// Checks the status and the cost under each policy.
template <class C, class H>
void check(const Graph<C>& graph, const H& heuristic, Status status, C cost = C{}) {
    test::with_each_policy(graph, 0, heuristic, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.status == status);
        CHECK((result ? result.cost : C{}) == cost);
        test::check_path(graph, 0, result);
        CHECK(result.statistics.contract_violations == 0);
    });
}

} // namespace

TEMPLATE_TEST_CASE("the greatest finite cost is found, and one more overflows", "[costs]", std::uint8_t,
                   std::int64_t) {
    using C = TestType;
    const C greatest = largest<C> - 1;

    Graph<C> fits(3);
    fits.connect(0, 1, static_cast<C>(greatest - 3)).connect(1, 2, 3).add_goal(2);
    check<C>(fits, Zero{}, Status::solved, greatest);

    Graph<C> one_more(3);
    one_more.connect(0, 1, static_cast<C>(greatest - 3)).connect(1, 2, 4).add_goal(2);
    check<C>(one_more, Zero{}, Status::cost_overflow);

    Graph<C> much_more(3);
    much_more.connect(0, 1, greatest).connect(1, 2, greatest).add_goal(2);
    check<C>(much_more, Zero{}, Status::cost_overflow);

    Graph<C> either_way(4);
    either_way.connect(0, 1, greatest).connect(1, 3, greatest).connect(0, 2, 1).connect(2, 3, 1).add_goal(3);
    check<C>(either_way, Zero{}, Status::solved, 2);

    // What overflows is only given as the reason when all else has been searched.
    Graph<C> last_resort(5);
    last_resort.connect(0, 1, greatest).connect(1, 4, greatest).connect(0, 2, 1).connect(2, 3, 1);
    last_resort.connect(3, 4, static_cast<C>(greatest - 2)).add_goal(4);
    check<C>(last_resort, Zero{}, Status::solved, greatest);
}

TEMPLATE_TEST_CASE("an edge of infinite cost is a wall", "[costs]", std::uint8_t, double) {
    using C = TestType;
    Graph<C> walled(3);
    walled.connect(0, 1, 1).connect(1, 2, infinite<C>).add_goal(2);
    check<C>(walled, Zero{}, Status::unsolvable);

    Graph<C> around(4);
    around.connect(0, 1, 1).connect(1, 3, infinite<C>).connect(0, 2, 5).connect(2, 3, 5).add_goal(3);
    check<C>(around, Zero{}, Status::solved, 10);

    Graph<C> at_once(2);
    at_once.connect(0, 1, infinite<C>).add_goal(1);
    check<C>(at_once, Zero{}, Status::unsolvable);
}

TEMPLATE_TEST_CASE("a state of infinite estimate is a dead end", "[costs]", std::uint8_t, double) {
    using C = TestType;
    Graph<C> graph(5);
    graph.connect(0, 1, 1).connect(0, 2, 3).connect(1, 3, 1).connect(2, 3, 3).connect(2, 1, 1).add_goal(3);
    const Table<C> dead{{{1, infinite<C>}}};
    check<C>(graph, dead, Status::solved, 6);

    const Table<C> all_dead{{{1, infinite<C>}, {2, infinite<C>}}};
    check<C>(graph, all_dead, Status::unsolvable);
    test::with_each_policy(graph, 0, all_dead, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.statistics.expanded == 1);
        CHECK(result.statistics.stored == 3);
    });

    const Table<C> dead_start{{{0, infinite<C>}}};
    check<C>(graph, dead_start, Status::unsolvable);
    // The estimates may be of a narrower type: infinite is infinite.
    check<C>(graph, Table<std::int8_t>{{{1, infinite<std::int8_t>}}}, Status::solved, 6);
}

TEST_CASE("g + h that the type cannot hold is put off, and is no reason to give up", "[costs]") {
    // h is admissible: 1 is 200 and more from the goal, whichever type can hold that. To 1 it is 100, or 50
    // by way of 2.
    Graph<std::uint8_t> graph(4);
    graph.connect(0, 1, 100).connect(0, 2, 25).connect(2, 1, 25).connect(1, 3, 200).add_goal(3);
    const Table<std::uint8_t> estimates{{{1, 200}, {2, 1}}};
    check<std::uint8_t>(graph, estimates, Status::solved, 250);

    graph.connect(0, 1, 54);
    const Table<std::uint8_t> inconsistent{{{1, 200}, {2, 200}}};
    check<std::uint8_t>(graph, inconsistent, Status::solved, 250);

    Graph<std::uint8_t> too_far(3);
    too_far.connect(0, 1, 100).connect(1, 2, 200).add_goal(2);
    check<std::uint8_t>(too_far, Table<std::uint8_t>{{{1, 200}}}, Status::cost_overflow);
    check<std::uint8_t>(too_far, Table<std::uint8_t>{{{0, 254}, {1, 200}}}, Status::cost_overflow);
}

TEST_CASE("floating-point sums beyond the largest number overflow", "[costs]") {
    Graph<double> graph(3);
    graph.connect(0, 1, largest<double>).connect(1, 2, largest<double>).add_goal(2);
    check<double>(graph, Zero{}, Status::cost_overflow);
    Graph<double> fits(3);
    fits.connect(0, 1, largest<double>).connect(1, 2, 0).add_goal(2);
    check<double>(fits, Zero{}, Status::solved, largest<double>);
}

TEST_CASE("of two ways to a state that rounding makes equal, the cheaper one counts", "[costs]") {
    // At 10^17, floating-point numbers are 16 apart: f is the same whether 1 is reached for 2 or, by way of
    // 2, for 1; and of equal f the greatest g, that is the dear way, comes first from the open list.
    Graph<double> graph(4);
    graph.connect(0, 1, 2).connect(0, 2, 0.5).connect(2, 1, 0.5).connect(1, 3, 1e17).add_goal(3);
    const Table<double> estimates{{{1, 1e17}}};
    test::with_each_policy(graph, 0, estimates, [&](const char* name, const auto& result) {
        INFO(name);
        CHECK(result.path == std::vector{0, 2, 1, 3});
        CHECK(result.statistics.expanded == 3);
    });
}

TEST_CASE("estimates of a wider type leave the whole range to the costs", "[costs]") {
    Graph<std::uint8_t> graph(3);
    graph.connect(0, 1, 100).connect(1, 2, 154).add_goal(2);
    check<std::uint8_t>(graph, Table<int>{{{0, 254}, {1, 154}}}, Status::solved, 254);
    check<std::uint8_t>(graph, Table<int>{{{1, largest<int>}}}, Status::unsolvable);
}

TEST_CASE("narrow costs against an oracle with wide ones", "[costs]") {
    using C = std::uint8_t;
    int solved = 0;
    int overflowed = 0;
    int unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        INFO("seed " << seed);
        Random random(seed);
        Graph<C> graph(20);
        for (int edge = 0; edge < 40; ++edge) {
            // Short ones and long ones; one in eight a wall.
            const C cost = random.one_in(8)   ? largest<C>
                           : random.one_in(2) ? static_cast<C>(random.between(0, 10))
                                              : static_cast<C>(random.between(0, largest<C> - 1));
            if (cost != largest<C>) {
                graph.connect(random.between(0, 19), random.between(0, 19), cost);
            }
        }
        graph.add_goal(19);
        const auto least = oracle::least_cost<int>(graph, 0);
        const bool fits = least && *least < largest<C>;
        Graph<C> with_walls = graph;
        for (int i = 0; i < 5; ++i) {
            with_walls.connect(random.between(0, 19), random.between(0, 19), largest<C>);
        }
        test::with_each_policy(with_walls, 0, Zero{}, [&](const char* name, const auto& result) {
            INFO(name);
            CHECK((result.status == Status::solved) == fits);
            if (fits) {
                CHECK(static_cast<int>(result.cost) == *least);
                ++solved;
            } else if (least) {
                CHECK(result.status == Status::cost_overflow);
                ++overflowed;
            } else {
                // Perhaps a dear way to a state that is reached by a cheaper one, too, has overflowed.
                CHECK((result.status == Status::unsolvable || result.status == Status::cost_overflow));
                ++unsolvable;
            }
        });
    }
    CHECK(solved > 100);
    CHECK(overflowed > 20);
    CHECK(unsolvable > 20);
}

TEST_CASE("costs in a narrower type in the node table overflow in the same way", "[costs]") {
    const Narrow ring(1, 400, 200); // its steps cost 1 or more, and the goal is far away
    const auto wide = astar<npuzzle::PooledPolicy>(ring, 0, Zero{});
    REQUIRE(wide.cost > 15); // A pooled table does not look at longest_path.
    CHECK(astar(ring, 0, Zero{}).status == Status::cost_overflow);
    // What costs more is not looked at: a greater bound is not what ended the search.
    for (const int bound : {-1, 14, 15, 16, 300, largest<int>}) {
        const auto result = astar(ring, 0, Zero{}, {.max_cost = bound});
        CHECK(result.status == (bound <= 15 ? Status::cost_limit : Status::cost_overflow));
    }
}
