#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/problem_from.hpp"
#include "npuzzle/search/kernel/lockstep.hpp"

#include "support/catch.hpp"

#include <string>
#include <vector>

using npuzzle::lockstep;
using npuzzle::Status;

namespace {

/// Ends at its last step, and writes down each of its steps.
struct Countdown {
    char name;
    int steps;
    Status end;
    std::string* log;

    bool step() {
        *log += name;
        --steps;
        return steps > 0;
    }
    Status status() const { return steps > 0 ? Status::running : end; }
};

} // namespace

TEST_CASE("the first to end is the one that gets there first, and no other makes a step after it",
          "[lockstep]") {
    std::string log;
    Countdown a{'a', 3, Status::unsolvable, &log};
    Countdown b{'b', 3, Status::solved, &log};
    CHECK(lockstep(a, b) == 0);
    CHECK(log == "ababa");
    CHECK(b.status() == Status::running);
}

TEST_CASE("any number of engines take turns", "[lockstep]") {
    const auto run = [](std::vector<int> steps) {
        std::string log;
        Countdown a{'a', steps[0], Status::solved, &log};
        Countdown b{'b', steps[1], Status::memory_limit, &log};
        Countdown c{'c', steps[2], Status::unsolvable, &log};
        Countdown d{'d', steps[3], Status::solved, &log};
        const std::size_t ended = lockstep(a, b, c, d);
        return std::to_string(ended) + ' ' + log;
    };
    CHECK(run({1, 9, 9, 9}) == "0 a");
    CHECK(run({9, 1, 9, 9}) == "1 ab");
    CHECK(run({9, 9, 9, 1}) == "3 abcd");
    CHECK(run({9, 9, 2, 9}) == "2 abcdabc");
    CHECK(run({3, 3, 3, 3}) == "0 abcdabcda");

    std::string log;
    Countdown alone{'x', 3, Status::solved, &log};
    CHECK(lockstep(alone) == 0);
    CHECK(log == "xxx");
}

TEST_CASE("an engine that has ended already is returned when its turn comes, and makes no step",
          "[lockstep]") {
    std::string log;
    Countdown a{'a', 3, Status::solved, &log};
    Countdown ended{'e', 0, Status::time_limit, &log};
    CHECK(lockstep(ended, a) == 0);
    CHECK(log.empty());
    CHECK(lockstep(a, ended) == 1);
    CHECK(log == "a");
}

TEST_CASE("A* engines of different problems take turns", "[lockstep]") {
    const auto doubling = npuzzle::problem_from<int>([](int x) { return std::vector{x + 1, 2 * x}; },
                                                     [](int x) { return x == 97; });
    const auto counting = npuzzle::problem_from<long>([](long x) { return std::vector{x + 1}; },
                                                      [](long x) { return x == 12; });
    npuzzle::AStar first(doubling, 1, npuzzle::Zero{});
    npuzzle::AStar second(counting, 0L, npuzzle::Zero{});
    static_assert(npuzzle::SteppedEngine<decltype(first)>);
    CHECK(lockstep(first, second) == 1);
    CHECK(first.status() == Status::running);
    CHECK(second.status() == Status::solved);
    // Twelve expansions each, one more of the first, and the step in which the second finds itself at its
    // goal.
    CHECK(second.statistics().expanded == 12);
    CHECK(first.statistics().expanded == 13);
    CHECK(first.run() == Status::solved);
    CHECK(first.result().cost == 8);
}
