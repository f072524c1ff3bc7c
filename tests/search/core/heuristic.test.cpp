#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/core/problem_from.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/stairs.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using npuzzle::astar;
using npuzzle::HeuristicFor;
using npuzzle::MarksDeadEnds;
using npuzzle::MaxOf;
using npuzzle::Scaled;
using npuzzle::Zero;
using test::Stairs;
using test::Thirds;
using test::thirds;

struct Consistent {
    static constexpr bool is_consistent = true;
    int operator()(int) const { return 0; }
};
struct SaysThatItIsNot {
    static constexpr bool is_consistent = false;
    int operator()(int) const { return 0; }
};

// What is a heuristic.
static_assert(HeuristicFor<Zero, Stairs> && HeuristicFor<Zero, archetype::Problem>);
static_assert(HeuristicFor<int (*)(const int&), Stairs> && HeuristicFor<int (&)(const int&), Stairs>);
static_assert(HeuristicFor<std::function<double(int)>, Stairs>);
static_assert(HeuristicFor<archetype::Heuristic, archetype::Problem>);
static_assert(HeuristicFor<Thirds, Stairs> && HeuristicFor<const Thirds&, Stairs>);
static_assert(!HeuristicFor<Thirds, test::Pancakes>, "it binds to stairs, and to nothing else");
static_assert(!HeuristicFor<std::function<int(std::string)>, Stairs>);
static_assert(!HeuristicFor<std::function<void(int)>, Stairs>);
static_assert(!HeuristicFor<std::function<std::string(int)>, Stairs>, "it cannot be added to a cost");
static_assert(!HeuristicFor<int, Stairs> && !HeuristicFor<Zero, int>);

// The type of g + h.
static_assert(std::same_as<npuzzle::estimate_t<int (*)(const int&), Stairs>, int>);
static_assert(std::same_as<npuzzle::estimate_t<std::function<double(int)>, Stairs>, double>);
static_assert(
    std::same_as<npuzzle::estimate_t<std::function<std::int8_t(int)>, test::Graph<std::uint8_t>>, int>);
static_assert(std::same_as<npuzzle::estimate_t<Zero, test::Graph<std::uint8_t>>, std::uint8_t>);
static_assert(
    std::same_as<npuzzle::estimate_t<Zero, test::Graph<std::chrono::seconds>>, std::chrono::seconds>);
static_assert(std::same_as<npuzzle::estimate_t<Zero, archetype::Problem>, archetype::Cost>);

static_assert(npuzzle::declares_consistent<Zero> && npuzzle::declares_consistent<const Consistent&>);
static_assert(!npuzzle::declares_consistent<SaysThatItIsNot> && !npuzzle::declares_consistent<int (*)(int)>);
template <class H>
using bound_to_graph = npuzzle::bound_t<H, test::Graph<int>>;
static_assert(npuzzle::declares_consistent<bound_to_graph<MaxOf<Consistent, Zero>>>);
static_assert(!npuzzle::declares_consistent<bound_to_graph<MaxOf<Consistent, SaysThatItIsNot>>>);
static_assert(!npuzzle::declares_consistent<bound_to_graph<Scaled<Consistent, int>>>);

template <class H>
auto value_at(const H& heuristic, int x) {
    auto bound = npuzzle::bind_heuristic(heuristic, Stairs{});
    return bound(x);
}

template <class Cost, class H = Zero>
Cost cost_by(Cost step, const H& heuristic = {}) {
    test::Graph<Cost> graph(4);
    graph.connect(0, 1, step)
        .connect(1, 2, Cost{})
        .connect(2, 3, step)
        .connect(0, 3, step + step + step)
        .add_goal(3);
    return astar(graph, 0, heuristic).cost;
}

} // namespace

TEST_CASE("any callable is a heuristic", "[heuristic]") {
    const Stairs stairs;
    const auto optimal = astar(stairs, 0, Zero{}).cost;
    CHECK(optimal == 10);

    auto changing = [calls = 0](int x) mutable {
        ++calls;
        return thirds(x);
    };
    const auto constant = changing; // cannot be called through const, and is copied
    const std::function<double(int)> function = thirds;
    auto owned = [table = std::make_unique<int>(3)](int x) { return thirds(x) * *table / 3; };
    const auto check = [&](auto&& heuristic) {
        CHECK(astar(stairs, 0, std::forward<decltype(heuristic)>(heuristic)).cost == optimal);
    };
    check(changing);
    check(constant);
    check(std::move(changing));
    check(thirds);
    check(&thirds);
    check(function);
    check(owned);
    check(std::move(owned));
    check(std::ref(thirds));
}

TEST_CASE("an lvalue is referred to, and keeps what it has learned", "[heuristic]") {
    struct Counting {
        int calls = 0;
        int operator()(int x) {
            ++calls;
            return thirds(x);
        }
    };
    Counting heuristic;
    const auto result = astar(Stairs{}, 0, heuristic);
    // Once for each stored state: where a state is known already, so is its estimate.
    CHECK(heuristic.calls == static_cast<int>(result.statistics.stored));

    const auto again = astar(Stairs{}, 0, heuristic);
    CHECK(heuristic.calls == 2 * static_cast<int>(again.statistics.stored));
}

TEST_CASE("a heuristic that does not declare itself consistent can be declared so", "[heuristic]") {
    const auto rest = [](int step) { return step < 7 ? 7 - step : 0; };
    const npuzzle::Consistent declared{rest};
    STATIC_REQUIRE(npuzzle::declares_consistent<decltype(declared)>);
    STATIC_REQUIRE_FALSE(npuzzle::declares_consistent<decltype(rest)>);
    CHECK(declared(3) == rest(3));
}

TEST_CASE("the greatest of several heuristics", "[heuristic]") {
    const Stairs stairs;
    const auto fives = [](int x) { return x < 30 ? 5 : 0; };
    CHECK(value_at(MaxOf{Thirds{}, fives}, 0) == 10);
    CHECK(value_at(MaxOf{Thirds{}, fives}, 27) == 5);
    CHECK(value_at(MaxOf{Thirds{}}, 0) == 10);
    CHECK(value_at(MaxOf{[](int) { return 1; }, [](int) { return 2.5; }, [](int) { return 2; }}, 0) == 2.5);
    CHECK(value_at(MaxOf{Thirds{}, [](int) { return 0.5; }}, 31) == std::numeric_limits<double>::infinity());

    const auto result = astar(stairs, 0, MaxOf{Zero{}, Thirds{}, thirds});
    CHECK(result.cost == 10);
    CHECK(result.statistics.expanded == astar(stairs, 0, Thirds{}).statistics.expanded);
    const MaxOf lvalue{Zero{}, Thirds{}};
    CHECK(astar(stairs, 0, lvalue).cost == 10);
}

TEST_CASE("a heuristic times a factor", "[heuristic]") {
    const Stairs stairs;
    CHECK(value_at(Scaled{Thirds{}, 3}, 0) == 30);
    CHECK(value_at(Scaled{Thirds{}, 1.5}, 0) == 15.0);
    CHECK(value_at(Scaled{Thirds{}, 3}, 31) == std::numeric_limits<int>::max());
    CHECK(value_at(Scaled{Thirds{}, 0.5}, 31) == std::numeric_limits<double>::infinity());
    CHECK(value_at(Scaled{[](int) { return 1 << 30; }, 2}, 0) == std::numeric_limits<int>::max());
    CHECK(value_at(MaxOf{Scaled{Thirds{}, 2}, Scaled{Zero{}, 2}}, 0) == 20);
    CHECK(astar(stairs, 0, Scaled{Thirds{}, 1}).statistics.expanded ==
          astar(stairs, 0, thirds).statistics.expanded);
}

TEST_CASE("what a combination cannot hold is no dead end, and a dead end stays one", "[heuristic]") {
    const auto value = [&](const auto& heuristic) { return value_at(heuristic, 0); };
    constexpr int infinite = std::numeric_limits<int>::max();
    const auto byte = [](int) { return std::uint8_t{255}; };
    const auto most = [](int) { return infinite; };
    const MarksDeadEnds dead_byte{[](int) { return std::uint8_t{255}; }};
    const MarksDeadEnds half_of_all{[](int) { return infinite / 2 + 1; }};

    CHECK(value(MaxOf{byte, [](int) { return 7; }}) == 255);
    CHECK(value(Scaled{byte, std::uint8_t{2}}) == 510);
    CHECK(value(Scaled{most, 0}) == 0);

    // Beside parts that mark dead ends, the others and finite products stay below the greatest value.
    CHECK(value(MaxOf{dead_byte, [](int) { return 0; }}) == infinite);
    CHECK(value(MaxOf{dead_byte, [](int) { return 0.5; }}) == std::numeric_limits<double>::infinity());
    CHECK(value(MaxOf{half_of_all, most}) == infinite - 1);
    CHECK(value(Scaled{half_of_all, 2}) == infinite - 1);
    CHECK(value(Scaled{dead_byte, 0}) == infinite);
    CHECK(value(Scaled{dead_byte, 0.0}) == std::numeric_limits<double>::infinity());

    const auto bound = npuzzle::bind_heuristic(npuzzle::MaxOf{Scaled{Thirds{}, 1}, Zero{}}, Stairs{});
    STATIC_REQUIRE(npuzzle::declares_dead_ends<decltype(bound)>);
    STATIC_REQUIRE(!npuzzle::declares_dead_ends<npuzzle::bound_t<MaxOf<Zero>, Stairs>>);
}

TEST_CASE("zero is zero in every cost type", "[heuristic]") {
    using namespace std::chrono_literals;
    CHECK(cost_by(3) == 6);
    CHECK(cost_by(3U) == 6);
    CHECK(cost_by(std::int64_t{3}) == 6);
    CHECK(cost_by(0.5) == 1.0);
    CHECK(cost_by(0.5F) == 1.0F);
    CHECK(cost_by(0.5L) == 1.0L);
    CHECK(cost_by(1500ms) == 3s);
    CHECK(cost_by(std::chrono::duration<double>(0.5)) == 1s);
    CHECK(cost_by(archetype::Cost(3)) == archetype::Cost(6));
}

TEST_CASE("estimates may be of another type than costs", "[heuristic]") {
    using namespace std::chrono_literals;
    CHECK(cost_by(3, [](int) { return 0.0; }) == 6);
    CHECK(cost_by(3, [](int vertex) { return vertex == 3 ? std::uint8_t{0} : std::uint8_t{3}; }) == 6);
    CHECK(cost_by(3U, [](int vertex) { return -vertex % 3; }) == 6); // Negative: raised to zero.
    CHECK(cost_by(0.5, [](int) { return 0; }) == 1.0);
    CHECK(cost_by(std::chrono::seconds(3), [](int vertex) { return vertex == 3 ? 0ms : 2999ms; }) == 6s);
}
