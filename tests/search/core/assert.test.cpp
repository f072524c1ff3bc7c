#include <stdexcept>

namespace {

struct BrokenPromise : std::logic_error {
    using std::logic_error::logic_error;
};

} // namespace

#define NPUZZLE_ASSERT(condition)                                                                            \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            throw BrokenPromise(#condition);                                                                 \
        }                                                                                                    \
    } while (false)

#include <npuzzle/macros.hpp>
#include <npuzzle/search/astar.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

namespace {

using Catch::Matchers::ContainsSubstring;
using npuzzle::astar;
using npuzzle::Zero;

/// Declares itself consistent, and is not.
struct Declares {
    static constexpr bool is_consistent = true;
    int operator()(int vertex) const { return vertex == 0 ? 5 : 0; }
};

} // namespace

// The same promises are broken, and counted, in contract_violations.test.cpp.

TEST_CASE("a broken promise is asserted, and named", "[assert]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 1).connect(1, 2, 9).add_goal(2);
    const auto check = [&](const auto& heuristic, const char* promise) {
        CHECK_THROWS_AS(astar(graph, 0, heuristic), BrokenPromise);
        CHECK_THROWS_WITH(astar(graph, 0, heuristic), ContainsSubstring(promise));
    };
    check([](int) { return 1; }, "h(goal) is zero");
    check(Declares{}, "f does not fall under a consistent heuristic");
    CHECK_NOTHROW(astar(graph, 0, [](int vertex) { return Declares{}(vertex); }));
    graph.connect(0, 2, -1);
    check(Zero{}, "costs are not negative");
}

TEST_CASE("an engine that was left by an exception can be destroyed", "[assert]") {
    test::Graph<int> graph(2);
    graph.connect(0, 1, -1).add_goal(1);
    npuzzle::AStar<test::Graph<int>, Zero> engine(graph, 0, Zero{});
    CHECK_THROWS_AS(engine.run(), BrokenPromise);
    CHECK(engine.statistics().contract_violations == 1);
    CHECK(engine.status() == npuzzle::Status::failed);
}
