// Heuristics that carry an evaluation, and combinations that follow the moves of their parts.
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/combinators.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::astar;
using npuzzle::EvaluatingHeuristicFor;
using npuzzle::ida_star;
using npuzzle::IncrementalHeuristicFor;
using npuzzle::MaxOf;
using npuzzle::Scaled;
using npuzzle::SumOf;
using npuzzle::Zero;

using WalkedRing = test::WithMoves<test::Ring>;
using PackedRing = test::WithWords<WalkedRing>;

int round_the_ring(int vertex) {
    const int forward = (100 - vertex + 200) % 200;
    return (std::min(forward, 200 - forward) + 29) / 30;
}

struct Counters {
    int calls = 0;
    int evaluations = 0;
    int followed = 0;
};

/// Counts how it is asked. Its evaluation is the vertex, which the value does not tell.
struct ByEvaluation {
    static constexpr bool is_zero_at_goals = true;
    struct Evaluation {
        int vertex = -1;
    };

    Counters* counters;

    int operator()(int vertex) const {
        ++counters->calls;
        return round_the_ring(vertex);
    }
    Evaluation evaluate(int vertex) const {
        ++counters->evaluations;
        return {vertex};
    }
    Evaluation after(const Evaluation& evaluation, int before, std::uint8_t move, int after) const {
        ++counters->followed;
        CHECK(evaluation.vertex == before);
        return {(evaluation.vertex + test::Ring::offsets[static_cast<std::size_t>(move)] + 200) % 200 == after
                    ? after
                    : -1};
    }
    int value(const Evaluation& evaluation) const { return round_the_ring(evaluation.vertex); }
};

/// By the value alone.
struct ByValue {
    static constexpr bool is_zero_at_goals = true;

    Counters* counters;

    int operator()(int vertex) const {
        ++counters->calls;
        return round_the_ring(vertex) / 2;
    }
    int after(int value, int before, std::uint8_t, int after) const {
        ++counters->followed;
        CHECK(value == round_the_ring(before) / 2);
        return round_the_ring(after) / 2;
    }
};

/// Follows no moves.
struct Slow {
    Counters* counters;

    int operator()(int vertex) const {
        ++counters->calls;
        return (vertex + 2) % 3; // zero at the goal, 100
    }
};

/// With both capabilities.
struct ByBoth : ByEvaluation {
    using ByEvaluation::after;
    int after(int value, int before, std::uint8_t, int after) const {
        CHECK(value == round_the_ring(before));
        return round_the_ring(after);
    }
};

/// Its evaluation is a number, and not the value.
struct EvaluatingToNumbers {
    using Evaluation = int;
    int operator()(int vertex) const { return round_the_ring(vertex); }
    int evaluate(int vertex) const { return vertex; }
    int after(int evaluation, int before, std::uint8_t, int after) const {
        CHECK(evaluation == before);
        return after;
    }
    int value(int evaluation) const { return round_the_ring(evaluation); }
};

struct WithText : ByEvaluation {
    using Evaluation = std::string; // not trivially copyable
};
struct WithoutValue {
    struct Evaluation {};
    int operator()(int) const { return 0; }
    Evaluation evaluate(int) const { return {}; }
    Evaluation after(const Evaluation&, int, std::uint8_t, int) const { return {}; }
};

static_assert(EvaluatingHeuristicFor<ByEvaluation, WalkedRing> &&
              EvaluatingHeuristicFor<ByEvaluation&, PackedRing>);
static_assert(!EvaluatingHeuristicFor<ByEvaluation, test::Ring>, "there are no moves");
static_assert(!EvaluatingHeuristicFor<ByValue, WalkedRing> && IncrementalHeuristicFor<ByValue, WalkedRing>);
static_assert(!IncrementalHeuristicFor<ByEvaluation, WalkedRing>);
static_assert(EvaluatingHeuristicFor<ByBoth, WalkedRing> && IncrementalHeuristicFor<ByBoth, WalkedRing>);
static_assert(!EvaluatingHeuristicFor<WithText, WalkedRing> &&
              !EvaluatingHeuristicFor<WithoutValue, WalkedRing>);
static_assert(EvaluatingHeuristicFor<EvaluatingToNumbers, WalkedRing>);
static_assert(!IncrementalHeuristicFor<EvaluatingToNumbers, WalkedRing>, "a vertex is not a value");
static_assert(!IncrementalHeuristicFor<Scaled<ByValue, int>, WalkedRing>, "the evaluation is not scaled");
static_assert(!EvaluatingHeuristicFor<Zero, WalkedRing> && !EvaluatingHeuristicFor<Slow, WalkedRing>);

// A combination follows moves where there are some and a part does.
static_assert(EvaluatingHeuristicFor<MaxOf<ByEvaluation, ByValue>, WalkedRing>);
static_assert(EvaluatingHeuristicFor<SumOf<Slow, ByValue>, WalkedRing>);
static_assert(EvaluatingHeuristicFor<Scaled<ByValue, double>, WalkedRing>);
static_assert(EvaluatingHeuristicFor<MaxOf<SumOf<Zero, ByValue>, Scaled<ByEvaluation, int>>, WalkedRing>);
static_assert(!EvaluatingHeuristicFor<MaxOf<Slow, Zero>, WalkedRing>);
static_assert(!EvaluatingHeuristicFor<MaxOf<ByEvaluation, ByValue>, test::Ring>);
static_assert(!EvaluatingHeuristicFor<Scaled<Slow, int>, WalkedRing>);

template <class H>
using bound_to_ring = npuzzle::bound_t<H, WalkedRing>;
static_assert(std::is_trivially_copyable_v<bound_to_ring<MaxOf<ByEvaluation, ByValue, Slow>>::Evaluation>);
static_assert(npuzzle::declares_zero_at_goals<bound_to_ring<MaxOf<ByEvaluation, ByValue>>>);
static_assert(npuzzle::declares_zero_at_goals<bound_to_ring<SumOf<ByEvaluation, ByValue>>>);
static_assert(npuzzle::declares_zero_at_goals<bound_to_ring<Scaled<ByEvaluation, int>>>);
static_assert(!npuzzle::declares_zero_at_goals<bound_to_ring<MaxOf<ByEvaluation, Slow>>>);
static_assert(!npuzzle::declares_zero_at_goals<bound_to_ring<SumOf<ByEvaluation, Slow>>>);
static_assert(!npuzzle::declares_zero_at_goals<bound_to_ring<Scaled<Slow, int>>>);

template <class P, class H>
void check_against_scratch(const H& heuristic) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const P ring(seed, 200, 100);
        auto bound = npuzzle::bind_heuristic(heuristic, ring);
        // Not admissible, since steps may be free: the searches are compared with each other, not with the
        // optimum.
        const auto from_scratch = [&](int vertex) { return bound(vertex); };
        const auto fast = astar(ring, 0, heuristic);
        const auto slow = astar(ring, 0, from_scratch);
        CHECK(fast.status == npuzzle::Status::solved);
        CHECK(fast.cost == slow.cost);
        CHECK(fast.path == slow.path);
        CHECK(fast.statistics.expanded == slow.statistics.expanded);
        CHECK(fast.statistics.generated == slow.statistics.generated);
        CHECK(fast.statistics.reopened == slow.statistics.reopened);
        const npuzzle::Limits limits{.expansions = 20'000};
        const auto fast_deepening = ida_star(ring, 0, heuristic, limits);
        const auto slow_deepening = ida_star(ring, 0, from_scratch, limits);
        CHECK(fast_deepening.status == slow_deepening.status);
        CHECK(fast_deepening.cost == slow_deepening.cost);
        CHECK(fast_deepening.path == slow_deepening.path);
        CHECK(fast_deepening.statistics.generated == slow_deepening.statistics.generated);
    }
}

} // namespace

TEST_CASE("searches by evaluations go as those from scratch", "[heuristic]") {
    Counters counters;
    const ByEvaluation evaluation{&counters};
    const ByValue value{&counters};
    const Slow slow{&counters};
    check_against_scratch<WalkedRing>(evaluation);
    check_against_scratch<PackedRing>(evaluation);
    check_against_scratch<WalkedRing>(EvaluatingToNumbers{});
    check_against_scratch<PackedRing>(MaxOf{EvaluatingToNumbers{}, value});
    check_against_scratch<PackedRing>(ByBoth{{&counters}});
    CHECK(counters.followed > 0);
    check_against_scratch<PackedRing>(MaxOf{evaluation, value, slow});
    check_against_scratch<WalkedRing>(SumOf{slow, evaluation, Zero{}, value});
    check_against_scratch<PackedRing>(Scaled{evaluation, 2});
    check_against_scratch<PackedRing>(Scaled{value, 1.5});
    check_against_scratch<WalkedRing>(MaxOf{SumOf{value, value}, Scaled{MaxOf{evaluation, slow}, 0.5}});
}

TEST_CASE("IDA* evaluates the start from scratch, and nothing else", "[heuristic]") {
    Counters counters;
    const WalkedRing ring(1, 200, 100);
    const auto result = ida_star(ring, 0, ByEvaluation{&counters}, {.expansions = 20'000});
    CHECK(counters.calls == 0);
    CHECK(counters.evaluations == 1);
    CHECK(counters.followed == static_cast<int>(result.statistics.generated));
}

TEST_CASE("A* evaluates what it expands, and follows each move from there", "[heuristic]") {
    Counters counters;
    const PackedRing ring(1, 200, 100);
    const auto result = astar(ring, 0, ByEvaluation{&counters});
    CHECK(counters.evaluations == static_cast<int>(result.statistics.expanded));
    CHECK(counters.followed == static_cast<int>(result.statistics.generated));
}

TEST_CASE("A* takes values where it can have both", "[heuristic]") {
    Counters counters;
    const PackedRing ring(1, 200, 100);
    CHECK(astar(ring, 0, ByBoth{{&counters}}).status == npuzzle::Status::solved);
    CHECK(counters.evaluations == 0);
    CHECK(counters.followed == 0);
}

TEST_CASE("in A* a combination calls a part that follows no moves once for each new state", "[heuristic]") {
    Counters slow;
    Counters quick;
    const WalkedRing ring(1, 200, 100);
    const auto result = astar(ring, 0, MaxOf{Slow{&slow}, ByValue{&quick}});
    CHECK(slow.calls == static_cast<int>(result.statistics.stored));

    Counters alone;
    const auto nothing_followed = astar(ring, 0, MaxOf{Slow{&alone}, Zero{}});
    CHECK(alone.calls == static_cast<int>(nothing_followed.statistics.stored));

    // Where all parts follow moves, none is called but for the start.
    Counters first;
    Counters second;
    CHECK(astar(ring, 0, MaxOf{ByEvaluation{&first}, ByEvaluation{&second}}).status ==
          npuzzle::Status::solved);
    CHECK(first.calls == 1);
    CHECK(first.followed > 0);
    CHECK(second.followed == first.followed);
}

TEST_CASE("a combination's evaluation holds what its value is made of", "[heuristic]") {
    Counters counters;
    const WalkedRing ring(1, 200, 100);
    auto bound =
        npuzzle::bind_heuristic(SumOf{ByEvaluation{&counters}, Scaled{ByValue{&counters}, 0.25}}, ring);
    for (int vertex = 0; vertex < 200; ++vertex) {
        const auto evaluation = bound.evaluate(vertex);
        CHECK(bound.value(evaluation) == bound(vertex));
        ring.for_each_move(vertex, WalkedRing::no_move, [&](std::uint8_t move) {
            int next = vertex;
            ring.apply(next, move);
            CHECK(bound.value(bound.after(evaluation, vertex, move, next)) == bound(next));
        });
    }
}

TEST_CASE("infinite values stay so on the way", "[heuristic]") {
    struct Narrow {
        std::uint8_t operator()(int vertex) const {
            return vertex == 7 ? std::uint8_t{255} : std::uint8_t{3};
        }
        int after(int value, int before, std::uint8_t, int after) const {
            CHECK(value == (before == 7 ? std::numeric_limits<int>::max() : 3));
            return after == 7 ? std::numeric_limits<int>::max() : 3;
        }
    };
    const WalkedRing ring(1, 200, 100);
    auto bound = npuzzle::bind_heuristic(SumOf{npuzzle::MarksDeadEnds{Narrow{}}, Zero{}}, ring);
    const auto evaluation = bound.after(bound.evaluate(0), 0, std::uint8_t{2}, 7);
    CHECK(bound.value(evaluation) == bound(7));
    CHECK(npuzzle::detail::is_infinite(bound.value(evaluation)));
    CHECK(bound.value(bound.after(evaluation, 7, std::uint8_t{3}, 0)) == 3);
}
