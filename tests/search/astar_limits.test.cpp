#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/limits.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

// Searches that are ended by a limit.

namespace {

using npuzzle::AStar;
using npuzzle::astar;
using npuzzle::Limits;
using npuzzle::SilentObserver;
using npuzzle::Status;
using npuzzle::Zero;
using namespace std::chrono_literals;

/// Goes on for ever, from each number to two larger ones.
struct Endless {
    using State = std::uint64_t;
    std::vector<State> neighbors(State x) const { return {2 * x + 1, 2 * x + 2}; }
    bool is_goal(State) const { return false; }
};

/// The same, at 5 ms a step.
struct Slow : Endless {
    std::vector<State> neighbors(State x) const {
        std::this_thread::sleep_for(5ms);
        return Endless::neighbors(x);
    }
};

/// Requests a stop when so many states have been expanded.
struct Stopper : SilentObserver {
    npuzzle::StopSource source;
    std::uint64_t remaining;

    explicit Stopper(std::uint64_t count) : remaining(count) {}
    void expand(const auto&) {
        if (--remaining == 0) {
            source.request_stop();
        }
    }
};

} // namespace

TEST_CASE("the limit of expansions is exact, under each policy", "[limits]") {
    const auto graph = test::random_graph<int>(11, 50, 150, 1);
    test::with_each_policy(graph, 0, Zero{}, [&](const std::string& name, const auto& whole) {
        REQUIRE(whole.status == Status::solved);
        const std::uint64_t need = whole.statistics.expanded;
        REQUIRE(need > 10);
        for (std::uint64_t limit = 0; limit <= need + 2; ++limit) {
            test::with_each_policy(
                graph, 0, Zero{},
                [&](const std::string& same_name, const auto& result) {
                    if (same_name != name) {
                        return; // Policies differ in the order of equal f, and with it in their need.
                    }
                    INFO(name << ", limit " << limit << " of " << need);
                    test::check_path(graph, 0, result);
                    CHECK(result.statistics.stored >= 1);
                    if (limit < need) {
                        CHECK(result.status == Status::expansion_limit);
                        CHECK(result.statistics.expanded == limit);
                    } else {
                        CHECK(result.status ==
                              Status::solved); // Also at need: a goal that is next is accepted.
                        CHECK(result.statistics.expanded == need);
                        CHECK(result.cost == whole.cost);
                    }
                },
                Limits{.expansions = limit});
        }
    });
}

TEST_CASE("an exhausted space is told from a limit that is just enough", "[limits]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 1).connect(1, 2, 1);
    CHECK(astar(graph, 0, Zero{}, {.expansions = 2}).status == Status::expansion_limit);
    CHECK(astar(graph, 0, Zero{}, {.expansions = 3}).status == Status::unsolvable);
}

TEST_CASE("no more bytes are used than the limit, under each policy", "[limits]") {
    const test::WithWords<test::WithMoves<test::Ring>> ring(3, 3000, 1500);
    std::string names;
    test::with_each_policy(ring, 0, Zero{}, [&](const std::string& name, const auto& whole) {
        REQUIRE(whole.status == Status::solved);
        const std::uint64_t need = whole.statistics.bytes;
        names += name + "; ";
        for (const std::uint64_t limit :
             {std::uint64_t{0}, std::uint64_t{1}, need / 64, need / 16, need / 4, need / 3, need / 2,
              need - 4096, need - 1, need, need + 1, 2 * need}) {
            test::with_each_policy(
                ring, 0, Zero{},
                [&](const std::string& same_name, const auto& result) {
                    if (same_name != name) {
                        return;
                    }
                    INFO(name << ", limit " << limit << " of " << need);
                    CHECK(result.statistics.bytes <= limit);
                    CHECK(result.status == (limit < need ? Status::memory_limit : Status::solved));
                    CHECK(result.path.empty() == (limit < need));
                    CHECK((result || result.cost <= whole.cost)); // of the partial path
                    CHECK(result.path.empty() == (limit < need));
                    CHECK(result.statistics.expanded <= whole.statistics.expanded);
                },
                Limits{.bytes = limit});
        }
    });
    CHECK(names ==
          "heap, pooled; ladder, pooled; buckets, pooled; buckets, pooled, batches of 3; heap, packed; "
          "buckets, packed; buckets, packed, batches of 16; ");
}

TEST_CASE("time is limited", "[limits]") {
    const auto at_once = astar(Endless{}, 0, Zero{}, {.time = 0s});
    CHECK(at_once.status == Status::time_limit);
    CHECK(at_once.statistics.expanded == 0);

    const auto started = std::chrono::steady_clock::now();
    const auto result = astar(Endless{}, 0, Zero{}, {.bytes = 2'000'000'000, .time = 30ms});
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    CHECK(result.status == Status::time_limit);
    CHECK(result.statistics.expanded > 0);
    CHECK(result.statistics.seconds >= 0.03);
    CHECK(result.statistics.seconds <= elapsed.count());
    CHECK(elapsed.count() < 10); // A few milliseconds more, on a machine that has nothing else to do.

    const auto slow = astar(Slow{}, 0, Zero{}, {.time = 40ms});
    CHECK(slow.status == Status::time_limit);
    CHECK(slow.statistics.expanded < 40);

    CHECK(astar(Endless{}, 0, Zero{}, {.expansions = 1000, .time = 1h}).status == Status::expansion_limit);
}

TEST_CASE("a goal that is next is accepted, whatever the limit", "[limits]") {
    test::Graph<int> graph(2);
    graph.connect(0, 1, 1).add_goal(1);
    npuzzle::StopSource source;
    source.request_stop();
    CHECK(astar(graph, 1, Zero{}, {.expansions = 0}).status == Status::solved);
    CHECK(astar(graph, 1, Zero{}, {.time = 0s}).status == Status::solved);
    CHECK(astar(graph, 1, Zero{}, {.stop = source.get_token()}).status == Status::solved);
    CHECK(astar(graph, 0, Zero{}, {.stop = source.get_token()}).status == Status::cancelled);
}

TEST_CASE("a search is cancelled before it starts", "[limits]") {
    npuzzle::StopSource source;
    source.request_stop();
    const auto result = astar(Endless{}, 0, Zero{}, {.stop = source.get_token()});
    CHECK(result.status == Status::cancelled);
    CHECK(result.statistics.expanded == 0);
    CHECK(result.statistics.stored == 1);
}

TEST_CASE("a search is cancelled by its observer", "[limits]") {
    for (const std::uint64_t count : {1U, 2U, 100U, 10'000U}) {
        Stopper stopper(count);
        const auto result = astar(Endless{}, 0, Zero{}, {.stop = stopper.source.get_token()}, stopper);
        CHECK(result.status == Status::cancelled);
        CHECK(result.statistics.expanded >= count);
        CHECK(result.statistics.expanded <= count + (1 << 16));
        CHECK(result.path.empty());
    }
}

TEST_CASE("a search is cancelled by another thread", "[limits]") {
    npuzzle::StopSource source;
    std::thread other([&] {
        std::this_thread::sleep_for(20ms);
        source.request_stop();
    });
    const auto started = std::chrono::steady_clock::now();
    const auto result = astar(Slow{}, 0, Zero{}, {.time = 30s, .stop = source.get_token()});
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    other.join();
    CHECK(result.status == Status::cancelled);
    CHECK(elapsed.count() < 10);

    Status status = Status::running;
    npuzzle::StopSource owned;
    std::thread owner([&] {
        status = astar(Endless{}, 0, Zero{}, {.bytes = 2'000'000'000, .stop = owned.get_token()}).status;
    });
    owned.request_stop();
    owner.join();
    CHECK(status == Status::cancelled);
}
