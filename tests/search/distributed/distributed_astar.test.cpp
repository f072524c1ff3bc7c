#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/distributed/distributed_astar.hpp>

#include "support/catch.hpp"
#include "support/large_spaces.hpp"
#include "support/mpi.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using npuzzle::Communicator;
using npuzzle::distributed_astar;
using npuzzle::ParallelOptions;
using npuzzle::Status;
using test::Plane;

/// By all processes from the start on.
ParallelOptions at_once(unsigned threads = 1) {
    return {.threads = threads, .serial_nodes = 0};
}

/// Whether all ranks have the same result.
template <class Result>
void check_same(const Result& result) {
    const Communicator ranks(MPI_COMM_WORLD);
    CHECK(ranks.broadcast(result.status, 0) == result.status);
    CHECK(ranks.broadcast(result.cost, 0) == result.cost);
    CHECK(ranks.broadcast(result.path, 0) == result.path);
    CHECK(ranks.broadcast(result.partial_path, 0) == result.partial_path);
    CHECK(ranks.broadcast(result.statistics, 0) == result.statistics);
}

template <class P, class Result>
void check_optimal_on_all(const P& problem, const npuzzle::state_t<P>& start, const Result& result,
                          const std::optional<npuzzle::cost_t<P>>& least) {
    CHECK(result.status == (least ? Status::solved : Status::unsolvable));
    test::check_path(problem, start, result);
    CHECK((!least || result.cost == *least));
    check_same(result);
}

/// Longer than what a string or a block keeps inside.
struct Named {
    std::string name;
    std::vector<int> numbers;

    static Named of(int number) { return {"the vertex of the number " + std::to_string(number), {number}}; }
    [[nodiscard]] int number() const { return numbers.front(); }
    friend bool operator==(const Named&, const Named&) = default;
};

/// The vertices of a graph by name.
struct Renamed {
    using State = Named;
    test::Graph<int> graph;

    [[nodiscard]] std::vector<npuzzle::Edge<State, int>> neighbors(const State& at) const {
        std::vector<npuzzle::Edge<State, int>> result;
        for (const auto& [to, cost] : graph.neighbors(at.number())) {
            result.push_back({Named::of(to), cost});
        }
        return result;
    }
    [[nodiscard]] bool is_goal(const State& at) const { return graph.is_goal(at.number()); }
};

} // namespace

TEST_CASE("A* by several processes is optimal on random graphs", "[distributed]") {
    for (std::uint64_t seed = 0; seed < 15; ++seed) {
        INFO("seed " << seed);
        test::Random random(seed);
        const int vertices = random.between(1, 60);
        const auto graph = test::random_graph<double>(seed, vertices, random.between(0, 4 * vertices),
                                                      random.between(0, 2), 20, 1);
        const auto least = oracle::least_cost<double>(graph, 0);
        // The exact distances, some of them zero: admissible, not consistent.
        const auto exact = oracle::costs_to_goal<double>(graph, 0);
        const auto heuristic = [&](int vertex) {
            const auto found = exact.find(vertex);
            return found == exact.end() || vertex % 2 == 0 ? 0.0 : found->second;
        };
        for (const ParallelOptions options :
             {at_once(1), at_once(2), ParallelOptions{.serial_nodes = seed}}) {
            check_optimal_on_all(graph, 0, distributed_astar(MPI_COMM_WORLD, graph, 0, heuristic, options),
                                 least);
            if (least) { // and so is the bound
                const auto result = distributed_astar(MPI_COMM_WORLD, graph, 0, heuristic, options,
                                                      {.max_cost = *least - 0.5});
                CHECK(result.status == Status::cost_limit);
            }
        }
    }
}

TEMPLATE_TEST_CASE("A* by several processes is optimal with words, moves and numbers", "[distributed]",
                   test::WithWords<test::WithMoves<test::Ring>>, test::WithIndex<test::Ring>) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        INFO("seed " << seed);
        const TestType ring(seed, 200, 12);
        for (const std::uint64_t nodes : {0U, 30U}) {
            check_optimal_on_all(ring, 0,
                                 distributed_astar(MPI_COMM_WORLD, ring, 0, npuzzle::Zero{},
                                                   {.threads = 2, .serial_nodes = nodes}),
                                 oracle::least_cost<int>(ring, 0));
        }
    }
}

TEST_CASE("states that are no plain bytes go to other processes", "[distributed]") {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        INFO("seed " << seed);
        const Renamed problem{test::random_graph<int>(seed, 300, 900, 1, 20, 1)};
        for (const ParallelOptions options : {at_once(), ParallelOptions{.threads = 2, .serial_nodes = 40}}) {
            check_optimal_on_all(
                problem, Named::of(0),
                distributed_astar(MPI_COMM_WORLD, problem, Named::of(0), npuzzle::Zero{}, options),
                oracle::least_cost<int>(problem.graph, 0));
        }
    }
}

TEST_CASE("a small search is that of astar, and a larger one goes on by all processes", "[distributed]") {
    // With fewer expansions than it takes to look at the clock.
    const auto graph = test::random_graph<int>(9, 15, 60, 0, 20, 1);
    const auto expected = npuzzle::astar(graph, 0, npuzzle::Zero{});
    const auto small = distributed_astar(MPI_COMM_WORLD, graph, 0, npuzzle::Zero{},
                                         {.serial_nodes = expected.statistics.stored + 1});
    CHECK(expected.statistics.expanded > 5);
    CHECK(expected.statistics.expanded < 16);
    CHECK(small.path == expected.path);
    CHECK(small.statistics.expanded == expected.statistics.expanded);
    check_optimal_on_all(graph, 0,
                         distributed_astar(MPI_COMM_WORLD, graph, 0, npuzzle::Zero{}, {.serial_nodes = 5}),
                         std::optional<int>(expected.cost));
    // A limit counts what was done before.
    const auto limited = distributed_astar(MPI_COMM_WORLD, Plane{}, {0, 0}, npuzzle::Zero{},
                                           {.serial_nodes = 1'000}, {.expansions = 12});
    CHECK(limited.status == Status::expansion_limit);
    CHECK(limited.statistics.expanded == 12);
    check_same(limited);
}

TEST_CASE("a puzzle is solved by several processes as by one", "[distributed]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_last(4));
    const npuzzle::PackedBoard<4> start(npuzzle::random_walk(npuzzle::goal_blank_last(4), 56, 1));
    const auto expected = npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
    for (const std::uint64_t nodes : {0U, 1'000'000U}) {
        const auto result =
            distributed_astar(MPI_COMM_WORLD, puzzle, start, npuzzle::Manhattan{}, {.serial_nodes = nodes});
        CHECK(result.cost == expected.cost);
        CHECK(result.moves.size() + 1 == result.path.size());
        test::check_path(puzzle, start, result);
    }
    // Weighted: at most twice the cost.
    const auto weighted = npuzzle::distributed_best_first(
        MPI_COMM_WORLD, puzzle, start, npuzzle::Manhattan{}, [](int g, int h) { return g + 2 * h; },
        at_once());
    CHECK(weighted.cost <= 2 * expected.cost);
    test::check_path(puzzle, start, weighted);
}

TEST_CASE("limits end a search by several processes, with the same result on all", "[distributed]") {
    const Plane plane;
    const npuzzle::Zero zero;
    const Plane::State start{0, 0};
    const Communicator ranks(MPI_COMM_WORLD);
    const auto check = [&](const auto& result, Status status) {
        CHECK(result.status == status);
        CHECK(!result.partial_path.empty());
        test::check_path(plane, start, result);
        check_same(result);
        return result.statistics;
    };
    for (const std::uint64_t most : {100U, 20'000U}) {
        const auto statistics =
            check(distributed_astar(MPI_COMM_WORLD, plane, start, zero, at_once(2), {.expansions = most}),
                  Status::expansion_limit);
        CHECK(statistics.expanded + 128 * 2 * static_cast<unsigned>(ranks.size()) >= most);
        CHECK(statistics.expanded <= most + 128 * 2 * static_cast<unsigned>(ranks.size()));
    }
    // Also where all states belong to one process, so that the others never ask for expansions.
    struct OneOwner : Plane {
        [[nodiscard]] int owner_hash(const State& /*at*/) const { return 0; }
    };
    check(distributed_astar(MPI_COMM_WORLD, OneOwner{}, start, zero, at_once(),
                            {.expansions = 1'000, .time = std::chrono::seconds(5)}),
          Status::expansion_limit);
    const auto statistics =
        check(distributed_astar(MPI_COMM_WORLD, plane, start, zero, at_once(), {.bytes = 4'000'000}),
              Status::memory_limit);
    CHECK(statistics.bytes <= 4'000'000);
    CHECK(distributed_astar(MPI_COMM_WORLD, plane, start, zero, at_once(), {.bytes = 100}).status ==
          Status::memory_limit);
    // Those that strike on one process alone.
    const int last = ranks.size() - 1;
    npuzzle::BasicLimits<int> limits;
    if (ranks.rank() == last) {
        limits.time = std::chrono::milliseconds(20);
    }
    check(distributed_astar(MPI_COMM_WORLD, plane, start, zero, at_once(), limits), Status::time_limit);
    std::atomic<int> asked{0};
    limits = {};
    if (ranks.rank() == last) {
        limits.stop = npuzzle::StopToken([&] { return ++asked > 5; });
    }
    check(distributed_astar(MPI_COMM_WORLD, plane, start, zero, at_once(), limits), Status::cancelled);
}

TEST_CASE("what is thrown on one process ends the search on all", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    const int last = ranks.size() - 1;
    const auto check = [&](const auto& problem, const auto& heuristic, ParallelOptions options) {
        try {
            distributed_astar(MPI_COMM_WORLD, problem, Plane::State{0, 0}, heuristic, options);
            CHECK(false);
        } catch (const npuzzle::RankFailure& failure) {
            CHECK(ranks.rank() != last);
            CHECK(failure.rank() == last);
            CHECK(std::string(failure.what()).ends_with(": enough"));
        } catch (const std::runtime_error& error) {
            CHECK(ranks.rank() == last);
            CHECK(std::string(error.what()) == "enough");
        }
    };
    struct Throwing : Plane {
        bool is_last;
        mutable std::atomic<int> calls{0};
        [[nodiscard]] std::vector<State> neighbors(const State& at) const {
            if (is_last && ++calls > 1'000) {
                throw std::runtime_error("enough");
            }
            return Plane::neighbors(at);
        }
    };
    for (const unsigned threads : {1U, 2U}) {
        Throwing problem;
        problem.is_last = ranks.rank() == last;
        check(problem, npuzzle::Zero{}, at_once(threads));
    }
    // Before the search begins.
    struct Binds {
        bool is_last;
        npuzzle::Zero bind(const Plane& /*problem*/) const {
            if (is_last) {
                throw std::runtime_error("enough");
            }
            return {};
        }
    };
    check(Plane{}, Binds{ranks.rank() == last}, at_once());
}

TEST_CASE("others are told of what is no std::exception, and of the beginning of a long text",
          "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    const bool is_last = ranks.rank() == ranks.size() - 1;
    const std::string text(1'000, 'x');
    for (const bool has_text : {false, true}) {
        try {
            ranks.attempt([&] {
                if (is_last && has_text) throw std::runtime_error(text);
                if (is_last) throw 7;
            });
            CHECK(false);
        } catch (const npuzzle::RankFailure& failure) {
            const std::string what = failure.what();
            CHECK(what.ends_with(has_text ? ": " + text.substr(0, 255)
                                          : ": an exception that is no std::exception"));
        } catch (const std::runtime_error& error) {
            CHECK(error.what() == text);
        } catch (const int number) {
            CHECK(number == 7);
        }
    }
}

TEST_CASE("an observer is told of the progress of all processes", "[distributed]") {
    test::ProgressObserver observer;
    const auto result = distributed_astar(MPI_COMM_WORLD, Plane{}, {0, 0}, npuzzle::Zero{}, at_once(),
                                          {.time = std::chrono::milliseconds(300)}, observer);
    CHECK(result.status == Status::time_limit);
    CHECK(observer.calls > 3);
    CHECK(observer.is_here);
    CHECK(observer.last == result.statistics);
}
