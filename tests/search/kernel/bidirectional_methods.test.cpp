#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/kernel/bidirectional_methods.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"
#include "support/two_way_graphs.hpp"

#include <cstddef>
#include <cstdint>
#include <new>

using npuzzle::BaeStar;
using npuzzle::BidirectionalAStar;
using npuzzle::MeetInTheMiddle;
using npuzzle::Nbs;
using npuzzle::Status;
using test::Estimates;
using test::Random;
using test::TwoWayGraph;

namespace {

/// Throws at one of its calls, if it counts down to 0.
template <class Error>
struct Thrower : npuzzle::SilentObserver {
    int left = 0;
    explicit Thrower(int calls) : left(calls) {}
    void expand(const auto& /*node*/) { count(); }
    void generate(const auto& /*node*/, const auto& /*parent*/) { count(); }
    void count() {
        if (--left == 0) {
            throw Error{};
        }
    }
};

} // namespace

TEST_CASE("NBS expands at most twice as many nodes as it must", "[bidirectional_methods]") {
    // Before a solution of cost C can be proved, of each pair of nodes with max(f(u), f(v), g(u) + g(v) +
    // epsilon) < C one has to be expanded: at least as many as cover all the pairs (Eckerle, Chen,
    // Sturtevant, Zilles, Holte 2017).
    std::uint64_t covers = 0;
    std::uint64_t expansions = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const int start = random.between(0, graph.size() - 1);
        const auto heuristics = test::heuristics_of<int, true>(graph, start, random);
        const auto optimum = oracle::least_cost<int>(graph, start);
        if (!optimum) {
            continue;
        }
        BidirectionalAStar engine(Nbs{}, graph, start, heuristics.forward, heuristics.backward);
        std::uint64_t expanded_below = 0;
        std::uint64_t before = 0;
        int last_bound = 0;
        bool goes_on = true;
        while (goes_on) {
            goes_on = engine.step();
            const auto bound = static_cast<int>(engine.lower_bound());
            CHECK(bound >= last_bound);
            CHECK(bound <= *optimum);
            last_bound = bound;
            const std::uint64_t expanded = engine.statistics().expanded;
            expanded_below += bound < *optimum ? expanded - before : 0;
            before = expanded;
        }
        REQUIRE(engine.status() == Status::solved);
        const std::size_t cover =
            test::least_cover(oracle::costs_from<int>(graph, start),
                              oracle::costs_from<int>(test::Backward{&graph}, graph.goal()),
                              heuristics.forward, heuristics.backward, graph.least_cost(), *optimum);
        INFO("seed " << seed << ", cover " << cover);
        CHECK(expanded_below <= 2 * cover);
        covers += cover;
        expansions += expanded_below;
    }
    CHECK(covers > 500);
    CHECK(expansions > covers / 2);
}

TEST_CASE("MM expands on the side of the least priority, and then of the shorter list",
          "[bidirectional_methods]") {
    struct Queue {
        int priority, length;
        int first() const { return priority; }
        std::size_t size() const { return static_cast<std::size_t>(length); }
    };
    struct Side {
        Queue queue;
    };
    npuzzle::detail::MeetInTheMiddleSelection<int> selection{1};
    const auto is_forward = [&](Queue forward, Queue backward) {
        Side one{forward};
        Side other{backward};
        return selection.is_forward_next(one, other);
    };
    CHECK(is_forward({3, 9}, {4, 1}));
    CHECK_FALSE(is_forward({4, 1}, {3, 9}));
    CHECK(is_forward({3, 1}, {3, 2}));
    CHECK(is_forward({3, 2}, {3, 2}));
    CHECK_FALSE(is_forward({3, 2}, {3, 1}));
}

TEST_CASE("the bound of MM is the greatest of the four that its authors give", "[bidirectional_methods]") {
    // max(C, fmin_F, fmin_B, gmin_F + gmin_B + epsilon), where C is the least priority of both sides.
    struct Queue {
        int priority, f, g;
        int first() const { return priority; }
        int least_priority() const { return f; }
        int least_cost() const { return g; }
    };
    npuzzle::detail::MeetInTheMiddleSelection<int> selection{2};
    const auto bound = [&](Queue forward, Queue backward) { return selection.bound(forward, backward); };
    CHECK(bound({7, 1, 1}, {8, 1, 1}) == 7);
    CHECK(bound({8, 1, 1}, {7, 1, 1}) == 7);
    CHECK(bound({7, 9, 1}, {7, 8, 1}) == 9);
    CHECK(bound({7, 8, 1}, {7, 9, 1}) == 9);
    CHECK(bound({7, 8, 4}, {7, 8, 5}) == 11);
}

TEST_CASE("the bound of BAE* is the least whole number that is not below half of the sum",
          "[bidirectional_methods]") {
    struct Queue {
        int priority;
        int first() const { return priority; }
    };
    npuzzle::detail::BaeStarSelection<int> selection{1};
    for (int sum = 0; sum < 20; ++sum) {
        Queue one{sum / 3};
        Queue other{sum - sum / 3};
        int least = 0;
        while (2 * least < sum) {
            ++least;
        }
        CHECK(selection.bound(one, other) == least);
        for (int best = 0; best < 12; ++best) {
            CHECK(selection.proves(one, other, best) == (2 * best <= sum));
        }
    }
}

TEST_CASE("bounds rise to the optimum in each method", "[bidirectional_methods]") {
    const auto follow = [](auto& engine, int optimum) {
        for (std::uint64_t expanded = 0; engine.step(); ++expanded) {
            CHECK(engine.lower_bound() <= optimum);
            CHECK(engine.statistics().expanded == expanded + 1); // one at a time
        }
        CHECK(engine.status() == Status::solved);
        CHECK(engine.result().cost == optimum);
    };
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const auto heuristics = test::heuristics_of<int, true>(graph, 0, random);
        if (const auto optimum = oracle::least_cost<int>(graph, 0)) {
            using Undeclared = Estimates<int, false>;
            const Undeclared forward{heuristics.forward.values};
            const Undeclared backward{heuristics.backward.values};
            BidirectionalAStar middle(MeetInTheMiddle{}, graph, 0, forward, backward);
            follow(middle, *optimum);
            BidirectionalAStar errors(BaeStar{}, graph, 0, heuristics.forward, heuristics.backward);
            follow(errors, *optimum);
        }
    }
}

TEST_CASE("a search that ended early proves no bound that is too high", "[bidirectional_methods]") {
    int ended = 0;
    const auto check = [&](auto method, const auto& graph, const auto& heuristics, int optimum) {
        const auto ends = [&](int calls, const npuzzle::BasicLimits<int>& limits, auto observer) {
            BidirectionalAStar engine(method, graph, 0, heuristics.forward, heuristics.backward, limits,
                                      observer);
            try {
                engine.run();
            } catch (int) {
            }
            CHECK(engine.lower_bound() <= optimum);
            ++ended;
            return engine.status() == Status::solved || calls > 100;
        };
        for (int calls = 0; !ends(calls, {.expansions = static_cast<std::uint64_t>(calls)}, Thrower<int>(0));
             ++calls) {
        }
        for (int calls = 1; !ends(calls, {}, Thrower<int>(calls)); ++calls) {
        }
        for (int calls = 1; !ends(calls, {}, Thrower<std::bad_alloc>(calls)); ++calls) {
        }
    };
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        const auto graph = test::random_two_way_graph<int, false>(random, 1);
        const auto heuristics = test::heuristics_of<int, true>(graph, 0, random);
        if (const auto optimum = oracle::least_cost<int>(graph, 0)) {
            check(MeetInTheMiddle{}, graph, heuristics, *optimum);
            check(BaeStar{}, graph, heuristics, *optimum);
            check(Nbs{}, graph, heuristics, *optimum);
        }
    }
    CHECK(ended > 1000);
}
