#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/layers.hpp>
#include <npuzzle/search/replanning.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/family.hpp"
#include "support/fuse.hpp"
#include "support/oracles.hpp"
#include "support/policies.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Whatever fails, in whichever search: an exception of the caller's code passes through, and leaves the engine
// `failed`; lack of memory is a status; nothing leaks, and nothing is proved.

namespace {

using npuzzle::SilentObserver;
using npuzzle::Status;
using test::Call;
using test::fail_each_call;
using test::fragile_limits;
using test::FragileHeuristic;
using test::FragileObserver;
using test::fuse;
using test::memory;

using Weighted = test::Circle<true>;
using Unit = test::Circle<false>;
using Walked = test::WalkedCircle<Unit>;

/// One thing that fails: the call of a kind, or, without a kind, the allocation of that number.
struct Failure {
    std::optional<Call> call;
    bool is_out_of_memory; ///< of a call; of allocations: whether all later ones fail, too

    void arm(std::uint64_t number) const {
        call ? fuse.arm(*call, number, is_out_of_memory) : memory.arm(number, is_out_of_memory);
    }
    [[nodiscard]] bool disarm() const {
        fuse.disarm();
        memory.disarm();
        return call ? fuse.has_blown : memory.failures > 0;
    }
};

struct Enough {};

/// Calls `searches(tell)`, which calls `tell(name, status)` for each search, and lets one thing after another
/// fail until nothing is left to fail. How many have failed.
template <class Searches>
std::uint64_t fail_each(const Failure& failure, const Searches& searches) {
    for (std::uint64_t number = 1;; ++number) {
        std::string_view fault;
        bool is_limited = false;
        bool has_thrown = false;
        const std::uint64_t blocks = memory.blocks;
        failure.arm(number);
        try {
            searches([&](std::string_view name, Status status) {
                fault = status != Status::solved && status != Status::memory_limit ? name : fault;
                is_limited = status == Status::memory_limit;
                if (is_limited) {
                    throw Enough{};
                }
            });
        } catch (const test::Blown&) {
            has_thrown = true;
        } catch (const Enough&) {
        }
        const bool has_failed = failure.disarm();
        const bool has_leaked = memory.blocks != blocks;
        CAPTURE(failure.call.has_value(), failure.is_out_of_memory, number, fault);
        const bool is_limit = !failure.call || failure.is_out_of_memory;
        REQUIRE(fault.empty());
        REQUIRE_FALSE(has_leaked);
        REQUIRE(has_thrown == (has_failed && !is_limit));
        REQUIRE(is_limited == (has_failed && is_limit));
        if (!has_failed) {
            return number - 1;
        }
    }
}

/// True costs at some numbers, and 0 at the others: not consistent, so nodes are opened again.
template <class P>
FragileHeuristic uneven() {
    FragileHeuristic heuristic{test::estimates_to<P>(P::goal_number, false)};
    for (std::size_t i = 0; i < heuristic.estimates.size(); i += 3) {
        heuristic.estimates[i] = 0;
    }
    return heuristic;
}

/// A consistent heuristic, to the goal or to the start.
template <class P>
FragileHeuristic halved(int end = P::goal_number) {
    return {test::estimates_to<P>(end, true)};
}

/// Each call fails once in a search by the engine that `make` makes; begun again, it finds a cheapest path.
template <class P, class F>
void check_failures(const P& problem, F&& make) {
    const int cost = *oracle::least_cost<int>(problem, P::start);
    const auto is_cheapest = [&](const auto& result) { return test::is_solution(problem, result, cost); };
    CHECK(fail_each_call(make, is_cheapest) > 100);
}

template <class Policy, class O, class P>
void check_astar(const P& problem) {
    const FragileHeuristic heuristic = uneven<P>();
    check_failures(problem, [&] {
        return npuzzle::AStar<P, const FragileHeuristic&, O, Policy>(problem, P::start, heuristic,
                                                                     fragile_limits());
    });
}

/// A cost whose sums and comparisons may throw, as one that looks out for overflow does.
struct Fee {
    int amount = 0;

    friend Fee operator+(const Fee& a, const Fee& b) {
        fuse.burn(Call::comparison);
        return {a.amount + b.amount};
    }
    friend std::strong_ordering operator<=>(const Fee& a, const Fee& b) {
        fuse.burn(Call::comparison);
        return a.amount <=> b.amount;
    }
    friend bool operator==(const Fee& a, const Fee& b) { return (a <=> b) == 0; }
};

struct TollCircle : Weighted {
    std::vector<npuzzle::Edge<State, Fee>> neighbors(const State& state) const {
        std::vector<npuzzle::Edge<State, Fee>> result;
        for (const auto& edge : Weighted::neighbors(state)) {
            result.push_back({edge.to, {edge.cost}});
        }
        return result;
    }
};

} // namespace

TEST_CASE("an exception passes through every search, and lack of memory is a status", "[failures]") {
    const Walked circle;
    const FragileHeuristic heuristic = halved<Unit>();
    const FragileHeuristic backward = halved<Unit>(Unit::start);
    const auto limits = fragile_limits();
    FragileObserver observer;
    const auto searches = [&](auto&& tell) {
        const auto check = [&](const test::Member& member, const auto& result) {
            tell(member.name, result.status);
        };
        test::with_each_graph_search(circle, circle.start, heuristic, true, limits, observer, check);
        test::with_k_shortest_paths(circle, circle.start, heuristic, limits, observer, check);
        test::with_breadth_first(circle, circle.start, limits, observer, check);
        test::with_each_tree_search(circle, circle.start, heuristic, limits, observer, check);
        const auto two_way = [&](auto method) {
            return npuzzle::bidirectional_astar<decltype(method)>(circle, circle.start, heuristic, backward,
                                                                  limits, observer);
        };
        tell("BAE*", two_way(npuzzle::BaeStar{}).status);
        tell("NBS", two_way(npuzzle::Nbs{}).status);
        tell("MM", two_way(npuzzle::MeetInTheMiddle{}).status);
        tell("both ends",
             npuzzle::bidirectional_breadth_first(circle, circle.start, limits, observer).status);
        tell("frontier", npuzzle::frontier_search(circle, circle.start, limits, observer).status);
        const auto visit = [&](const test::Fragile&, int) { fuse.burn(Call::observer); };
        tell("reachable", npuzzle::for_each_reachable(circle, circle.start, visit, limits).status);
        const auto tree = npuzzle::shortest_path_tree(circle, circle.start, limits);
        tell("tree", tree.status());
        tell("layers", npuzzle::breadth_first_layers(circle, circle.start, limits).status);
    };
    for (const Call call : {Call::neighbors, Call::heuristic, Call::observer, Call::stop}) {
        CHECK(fail_each({call, false}, searches) > 20);
        CHECK(fail_each({call, true}, searches) > 20);
    }
    CHECK(fail_each({std::nullopt, false}, searches) > 200);
    CHECK(fail_each({std::nullopt, true}, searches) > 200);
}

TEST_CASE("an exception fails A*, with each open list and node table", "[failures]") {
    check_astar<test::HeapAndPooled, FragileObserver>(Weighted{});
    check_astar<test::LadderAndPooled, SilentObserver>(Weighted{});
    check_astar<npuzzle::DefaultPolicy, FragileObserver>(test::WalkedCircle<Weighted>{});
    check_astar<test::BucketsAndPooled<3>, SilentObserver>(test::WalkedCircle<Weighted>{}); // in batches
    check_astar<test::BucketsAndPacked<2>, SilentObserver>(test::PackedCircle<Weighted>{});
    check_astar<npuzzle::DefaultPolicy, FragileObserver>(test::IndexedCircle<Weighted>{});
    check_astar<test::HeapAndTree, FragileObserver>(Weighted{});
    check_astar<npuzzle::EarlyGoalTest, FragileObserver>(Unit{});

    const TollCircle tolls;
    const auto make = [&] {
        return npuzzle::AStar(tolls, Weighted::start, npuzzle::Zero{}, fragile_limits<Fee>(),
                              FragileObserver{});
    };
    const int cost = *oracle::least_cost<int>(Weighted{}, Weighted::start);
    const auto is_cheapest = [&](const auto& result) { return result && result.cost.amount == cost; };
    CHECK(fail_each_call(make, is_cheapest) > 100);
}

TEST_CASE("an exception fails the engines of the other searches", "[failures]") {
    const Weighted circle;
    const test::WalkedCircle<Weighted> walked;
    const FragileHeuristic heuristic = halved<Weighted>();
    const FragileHeuristic backward = halved<Weighted>(Weighted::start);
    const auto limits = fragile_limits();
    FragileObserver observer;
    const int start = Weighted::start;
    check_failures(circle, [&] { return npuzzle::AllPaths(circle, start, heuristic, limits, observer); });
    check_failures(circle,
                   [&] { return npuzzle::AnytimeAStar(circle, start, heuristic, {3}, limits, observer); });
    check_failures(circle,
                   [&] { return npuzzle::AnytimeAStar(circle, start, heuristic, {3, 1}, limits, observer); });
    check_failures(circle, [&] {
        return npuzzle::BidirectionalAStar(npuzzle::BaeStar{}, circle, start, heuristic, backward, limits,
                                           observer);
    });
    check_failures(circle, [&] { return npuzzle::LpaStar(circle, start, heuristic, limits, observer); });
    check_failures(circle, [&] { return npuzzle::DStarLite(circle, start, backward, limits, observer); });
    check_failures(walked, [&] { return npuzzle::IdaStar(walked, start, heuristic, limits, observer); });

    const auto is_path = [&](const auto& result) { return test::is_solution(circle, result, std::nullopt); };
    CHECK(fail_each_call([&] { return npuzzle::DepthFirstEngine(circle, start, {}, limits, observer); },
                         is_path) > 100);
}

TEST_CASE("an exception fails an engine whose start moves", "[failures]") {
    const Weighted circle;
    npuzzle::DStarLite engine(circle, 0, npuzzle::Zero{});
    const test::Fragile next(1);
    for (const bool is_out_of_memory : {true, false}) {
        CHECK(engine.run() == npuzzle::Status::solved);
        test::fuse.arm(test::Call::copy, 1, is_out_of_memory);
        if (is_out_of_memory) {
            engine.move_start(next);
        } else {
            CHECK_THROWS_AS(engine.move_start(next), test::Blown);
        }
        test::fuse.disarm();
        CHECK(engine.status() ==
              (is_out_of_memory ? npuzzle::Status::memory_limit : npuzzle::Status::failed));
        engine.move_start(next);
    }
    CHECK(engine.run() == npuzzle::Status::solved);
    CHECK(engine.result().path.front().number == 1);
}

TEST_CASE("what is called with each cheapest path may throw", "[failures]") {
    const Weighted circle;
    const FragileHeuristic heuristic = halved<Weighted>();
    npuzzle::AllPaths engine(circle, Weighted::start, heuristic);
    const auto all = engine.count();
    REQUIRE(all.count > 0);
    for (std::uint64_t number = 0; number < all.count; ++number) {
        std::uint64_t left = number;
        const auto visit = [&](const auto& /*path*/) {
            if (left-- == 0) {
                throw test::Blown{};
            }
        };
        CHECK_THROWS_AS(engine.for_each(visit), test::Blown);
        CHECK(engine.status() == Status::solved);
        CHECK(engine.count().count == all.count);
    }
}

TEST_CASE("an anytime search that has failed keeps the solution that it has given", "[failures]") {
    const Weighted circle;
    const FragileHeuristic heuristic = halved<Weighted>();
    npuzzle::AnytimeAStar engine(circle, Weighted::start, heuristic, {5});
    REQUIRE(engine.next_solution());
    const auto first = engine.solution();
    fuse.arm(Call::neighbors, 1, false);
    CHECK_THROWS_AS(engine.run(), test::Blown);
    fuse.disarm();
    CHECK_FALSE(engine.next_solution());
    CHECK(engine.solution().status == Status::failed);
    CHECK(engine.solution().path == first.path);
    CHECK(engine.solution().cost <= engine.solution().bound * *oracle::least_cost<int>(circle, 0));
    CHECK(engine.result().path.empty());
}

TEST_CASE("a search that replans and has failed can begin again", "[failures]") {
    const Weighted circle;
    const FragileHeuristic heuristic = halved<Weighted>();
    npuzzle::LpaStar engine(circle, Weighted::start, heuristic);
    const int cost = *oracle::least_cost<int>(circle, Weighted::start);
    for (const bool is_first : {true, false}) {
        fuse.arm(Call::neighbors, 1, false);
        CHECK_THROWS_AS(is_first ? static_cast<void>(engine.run()) : engine.update(Weighted::start),
                        test::Blown);
        fuse.disarm();
        CHECK(engine.status() == Status::failed);
        engine.update(Weighted::start);
        engine.run();
        CHECK(test::is_solution(circle, engine.result(), cost));
    }
}
