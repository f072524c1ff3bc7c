#include <npuzzle/search/engine/priority.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace {

using npuzzle::AStarPriority;
using npuzzle::GreedyPriority;
using npuzzle::PriorityFor;
using npuzzle::WeightedPriority;
using npuzzle::XdpPriority;
using npuzzle::XupPriority;

static_assert(PriorityFor<AStarPriority<int, int>, int, int>);
static_assert(PriorityFor<GreedyPriority<double, double>, double, double>);
static_assert(PriorityFor<WeightedPriority<int, int, double>, int, int>);
static_assert(PriorityFor<XdpPriority, int, int>);
static_assert(PriorityFor<XupPriority, float, double>);
static_assert(!PriorityFor<int, int, int>);

} // namespace

TEST_CASE("priorities are what they say", "[priority]") {
    CHECK(AStarPriority<int, int>{}(3, 4) == 7);
    CHECK(GreedyPriority<int, int>{}(3, 4) == 4);
    CHECK(WeightedPriority<int, int, int>(2)(3, 4) == 11);
    CHECK(WeightedPriority<int, int, double>(1.5)(3, 4) == 9.0);
    STATIC_REQUIRE(std::same_as<WeightedPriority<int, int, int>::Value, std::int64_t>);
    STATIC_REQUIRE(std::same_as<WeightedPriority<int, int, double>::Value, double>);
    STATIC_REQUIRE(std::same_as<WeightedPriority<double, double, int>::Value, double>);
}

TEST_CASE("the estimate can be told from a priority", "[priority]") {
    for (const int weight : {1, 2, 7, 100}) {
        const WeightedPriority<int, int, int> weighted(weight);
        for (const int cost : {0, 1, 1000, std::numeric_limits<int>::max() - 1}) {
            for (const int estimate : {0, 1, 80, 12345, std::numeric_limits<int>::max() - 1}) {
                CHECK(weighted.estimate(weighted(cost, estimate), cost) == estimate);
                CHECK(GreedyPriority<int, int>{}.estimate(estimate, cost) == estimate);
            }
        }
    }
}

TEST_CASE("weighted sums do not wrap", "[priority]") {
    using Wide = WeightedPriority<std::int64_t, std::int64_t, std::int64_t>;
    const auto most = std::numeric_limits<std::int64_t>::max();
    CHECK(Wide(3)(0, most / 2) == most);
    CHECK(Wide(1)(most - 1, most - 1) == most);
    CHECK(std::isinf(WeightedPriority<int, int, double>(1.5)(0, std::numeric_limits<int>::max())));
}

// What Chen and Sturtevant ask of a priority with bound w: Phi(0, h) = h, Phi(g, 0) = g / w, both slopes
// positive, and what moves from h to g on the way to a goal never makes it greater.
TEST_CASE("the parabolas meet the conditions under which nothing is opened again", "[priority]") {
    const auto meets = [](const auto& phi, double weight) {
        for (double g = 0; g <= 60; g += 3) {
            CHECK(phi(0, g) == Approx(g));
            CHECK(phi(g, 0) == Approx(g / weight));
            for (double h = 0; h <= 60; h += 3) {
                CHECK(phi(g + 1, h) > phi(g, h));
                CHECK(phi(g, h + 1) > phi(g, h));
                for (double cost = 1; cost <= h; cost += 4) {
                    CHECK(phi(g + cost, h - cost) <= phi(g, h) + 1e-9);
                    CHECK(phi(g + cost, h + cost) >= phi(g, h));
                }
            }
        }
    };
    for (const double weight : {1.0, 1.2, 2.0, 10.0}) {
        meets(XdpPriority(weight), weight);
        meets(XupPriority(weight), weight);
    }
    // Under A* they are one.
    CHECK(XdpPriority(1)(3, 4) == Approx(7));
    CHECK(XupPriority(1)(3, 4) == Approx(7));
}
