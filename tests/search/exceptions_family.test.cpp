#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/all_paths.hpp>
#include <npuzzle/search/anytime.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/breadth_first_layers.hpp>
#include <npuzzle/search/d_star_lite.hpp>
#include <npuzzle/search/depth_first.hpp>
#include <npuzzle/search/frontier.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/lpa_star.hpp>

#include "support/catch.hpp"
#include "support/fuse.hpp"
#include "support/oracles.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// The same as in exceptions.test.cpp for the engines that are not best-first searches from one end.

namespace {

using test::Call;
using test::fail_each_call;
using test::fragile_limits;
using test::FragileHeuristic;
using test::FragileObserver;
using test::fuse;

using Weighted = test::Circle<true>;
using Unit = test::Circle<false>;

/// So long a way that depth-first search looks states up by hash.
struct LongWay {
    using State = test::Fragile;
    static constexpr int start = 0;

    std::vector<State> neighbors(const State& state) const {
        fuse.burn(Call::neighbors);
        return {state.number / 2, state.number + 1};
    }
    bool is_goal(const State& state) const {
        fuse.burn(Call::goal_test);
        return state.number == 70;
    }
};

template <class P>
auto is_cheapest(const P& problem) {
    return [&problem, cost = *oracle::least_cost<int>(problem, P::start)](const auto& result) {
        return test::is_solution(problem, result, cost);
    };
}

/// Each call fails once in a search of a problem by the engine that `make` makes.
template <class P, class F>
void check_failures(const P& problem, F&& make) {
    CHECK(fail_each_call(make, is_cheapest(problem)) > 100);
}

template <class P>
auto is_path(const P& problem) {
    return [&problem](const auto& result) { return test::is_solution(problem, result, std::nullopt); };
}

template <class P>
FragileHeuristic halved() {
    return {test::estimates_to<P>(P::goal_number, true)};
}

/// Manhattan distance, followed from move to move, of which each call may throw.
template <class Bound>
struct FragileManhattan {
    Bound bound;

    int operator()(const auto& board) const {
        fuse.burn(Call::heuristic);
        return bound(board);
    }
    int after(int value, const auto& before, auto move, const auto& after) const {
        fuse.burn(Call::heuristic);
        return bound.after(value, before, move, after);
    }
};

struct FragileCount {
    void operator()(int /*depth*/, std::uint64_t /*count*/) const { fuse.burn(Call::observer); }
};

template <class Method>
void check_bidirectional(Method method) {
    const Weighted circle;
    const FragileHeuristic forward = halved<Weighted>();
    const FragileHeuristic backward{test::estimates_to<Weighted>(Weighted::start, true)};
    check_failures(circle, [&] {
        return npuzzle::BidirectionalAStar(method, circle, Weighted::start, forward, backward,
                                           fragile_limits(), FragileObserver{});
    });
}

} // namespace

TEST_CASE("an exception fails a search for all cheapest paths", "[exceptions]") {
    const Weighted circle;
    const FragileHeuristic heuristic = halved<Weighted>();
    check_failures(circle, [&] {
        return npuzzle::AllPaths(circle, Weighted::start, heuristic, fragile_limits(), FragileObserver{});
    });
}

TEST_CASE("what is called with each cheapest path may throw", "[exceptions]") {
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
        CHECK(engine.status() == npuzzle::Status::solved);
        CHECK(engine.count().count == all.count);
        CHECK(engine.count().path == all.path);
    }
}

TEST_CASE("an exception fails an anytime search", "[exceptions]") {
    const Weighted circle;
    const FragileHeuristic heuristic = halved<Weighted>();
    check_failures(circle, [&] {
        return npuzzle::AnytimeAStar(circle, Weighted::start, heuristic, {3}, fragile_limits(),
                                     FragileObserver{});
    });
    check_failures(circle, [&] {
        return npuzzle::AraStar(circle, Weighted::start, heuristic, {3, 1}, fragile_limits(),
                                FragileObserver{});
    });
}

TEST_CASE("an anytime search that has failed keeps the solution that it has given", "[exceptions]") {
    const Weighted circle;
    const FragileHeuristic heuristic = halved<Weighted>();
    npuzzle::AnytimeAStar engine(circle, Weighted::start, heuristic, {5});
    REQUIRE(engine.next_solution());
    const auto first = engine.solution();
    fuse.arm(Call::neighbors, 1, false);
    CHECK_THROWS_AS(engine.run(), test::Blown);
    fuse.disarm();
    CHECK_FALSE(engine.next_solution());
    CHECK(engine.solution().status == npuzzle::Status::failed);
    CHECK(engine.solution().path == first.path);
    CHECK(engine.solution().bound <= first.bound);
    CHECK(engine.solution().cost <= engine.solution().bound * *oracle::least_cost<int>(circle, 0));
    CHECK(engine.result().path.empty());
    CHECK_FALSE(engine.result().is_solution);
}

TEST_CASE("an exception fails a bidirectional search", "[exceptions]") {
    SECTION("MM") {
        check_bidirectional(npuzzle::MeetInTheMiddle{});
    }
    SECTION("NBS") {
        check_bidirectional(npuzzle::Nbs{});
    }
    SECTION("BAE*") {
        check_bidirectional(npuzzle::BaeStar{});
    }
    SECTION("breadth-first") {
        const Unit circle;
        check_failures(circle, [&] {
            return npuzzle::BidirectionalBreadthFirst(circle, Unit::start, fragile_limits(),
                                                      FragileObserver{});
        });
    }
}

TEST_CASE("an exception fails a search that replans, which can begin again", "[exceptions]") {
    const Weighted circle;
    const FragileHeuristic forward = halved<Weighted>();
    const FragileHeuristic backward{test::estimates_to<Weighted>(Weighted::start, true)};
    check_failures(circle, [&] {
        return npuzzle::LpaStar(circle, Weighted::start, forward, fragile_limits(), FragileObserver{});
    });
    check_failures(circle, [&] {
        return npuzzle::DStarLite(circle, Weighted::start, backward, fragile_limits(), FragileObserver{});
    });
    npuzzle::LpaStar engine(circle, Weighted::start, forward);
    fuse.arm(Call::neighbors, 3, false);
    CHECK_THROWS_AS(engine.run(), test::Blown);
    fuse.disarm();
    CHECK(engine.status() == npuzzle::Status::failed);
    engine.resume();
    engine.run();
    CHECK(is_cheapest(circle)(engine.result()));
    fuse.arm(Call::hash, 1, false);
    CHECK_THROWS_AS(engine.update(Weighted::start), test::Blown);
    fuse.disarm();
    CHECK(engine.status() == npuzzle::Status::failed);
    engine.update(Weighted::start);
    engine.run();
    CHECK(is_cheapest(circle)(engine.result()));
    engine.update(Weighted::start);
    fuse.arm(Call::neighbors, 1, false); // The state is looked at when the search goes on.
    CHECK_THROWS_AS(engine.run(), test::Blown);
    fuse.disarm();
    CHECK(engine.status() == npuzzle::Status::failed);
    engine.update(Weighted::start);
    engine.run();
    CHECK(is_cheapest(circle)(engine.result()));
}

TEST_CASE("an exception fails a depth-first search", "[exceptions]") {
    const Weighted circle;
    CHECK(fail_each_call(
              [&] {
                  return npuzzle::DepthFirstEngine(circle, Weighted::start, {}, fragile_limits(),
                                                   FragileObserver{});
              },
              is_path(circle)) > 100);
}

TEST_CASE("an exception fails a depth-first search far down", "[exceptions]") {
    const LongWay way;
    CHECK(fail_each_call([&] { return npuzzle::DepthFirstEngine(way, LongWay::start, {}, fragile_limits()); },
                         is_path(way), {Call::hash}) > 50);
}

TEST_CASE("an exception fails IDA*", "[exceptions]") {
    SECTION("with states that are changed in place") {
        const test::WalkedCircle<Weighted> circle;
        const FragileHeuristic heuristic = halved<Weighted>();
        check_failures(circle, [&] {
            return npuzzle::IdaStar(circle, Weighted::start, heuristic, fragile_limits(), FragileObserver{});
        });
    }
    SECTION("with states that are copied") {
        const test::WalkedCircle<test::Circle<true, test::Plain>> circle;
        const FragileHeuristic heuristic = halved<Weighted>();
        check_failures(circle, [&] {
            return npuzzle::IdaStar(circle, Weighted::start, heuristic, fragile_limits(), FragileObserver{});
        });
    }
    SECTION("with bounds that grow") {
        const test::WalkedCircle<Weighted> circle;
        const FragileHeuristic heuristic = halved<Weighted>();
        const npuzzle::IdaStarOptions options{.growth = 2};
        check_failures(circle, [&] {
            return npuzzle::IdaStar(circle, Weighted::start, heuristic, options, fragile_limits(),
                                    FragileObserver{});
        });
    }
    SECTION("unrolled") {
        const npuzzle::SlidingPuzzle<2> puzzle;
        auto board = puzzle.goal();
        for (const npuzzle::Move move : {npuzzle::Move::up, npuzzle::Move::left, npuzzle::Move::down,
                                         npuzzle::Move::right, npuzzle::Move::up}) {
            puzzle.apply(board, move); // the states form a ring of twelve
        }
        const auto manhattan = npuzzle::Manhattan{}.bind(puzzle);
        const FragileManhattan<decltype(manhattan)> heuristic{manhattan};
        CHECK(fail_each_call([&] { return npuzzle::IdaStar(puzzle, board, heuristic, fragile_limits()); },
                             [&](const auto& result) {
                                 return result && result.cost == 5 && result.moves.size() == 5;
                             }) > 10);
    }
}

TEST_CASE("an exception fails a breadth-first search", "[exceptions]") {
    SECTION("by words") {
        const test::PackedCircle<Unit> circle;
        check_failures(circle, [&] {
            return npuzzle::detail::PackedBreadthFirst<test::PackedCircle<Unit>, FragileObserver>(
                circle, Unit::start, fragile_limits(), FragileObserver{});
        });
    }
    SECTION("by words with moves") {
        using Circle = test::PackedCircle<test::WalkedCircle<Unit>>;
        const Circle circle;
        check_failures(circle, [&] {
            return npuzzle::detail::PackedBreadthFirst<Circle, FragileObserver>(
                circle, Unit::start, fragile_limits(), FragileObserver{});
        });
    }
    SECTION("by frontiers") {
        const Unit circle;
        check_failures(circle, [&] {
            return npuzzle::FrontierSearch(circle, Unit::start, fragile_limits(), FragileObserver{});
        });
    }
    SECTION("by frontiers of words") {
        const test::PackedCircle<test::WalkedCircle<Unit>> circle;
        check_failures(circle, [&] {
            return npuzzle::FrontierSearch(circle, Unit::start, fragile_limits(), FragileObserver{});
        });
    }
    SECTION("that counts layers") {
        const Unit circle;
        std::vector<std::uint64_t> counts;
        for (const auto& [state, depth] : oracle::breadth_first(circle, Unit::start)) {
            counts.resize(std::max(counts.size(), static_cast<std::size_t>(depth) + 1));
            ++counts[static_cast<std::size_t>(depth)];
        }
        CHECK(fail_each_call(
                  [&] {
                      return npuzzle::BreadthFirstLayers(circle, Unit::start, fragile_limits(),
                                                         FragileCount{}, FragileObserver{});
                  },
                  [&](const npuzzle::LayerCounts& layers) { return layers && layers.counts == counts; }) >
              100);
    }
}
