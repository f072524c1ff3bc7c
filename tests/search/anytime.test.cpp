#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/anytime.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <vector>

namespace {

using npuzzle::anytime_astar;
using npuzzle::AnytimeAStar;
using npuzzle::ara_star;
using npuzzle::AraStar;
using npuzzle::SilentObserver;
using npuzzle::Status;
using npuzzle::WeightSchedule;
using npuzzle::Zero;
using test::Graph;
using test::memory;
using test::Random;
using test::Table;

/// A table that says that it is consistent, which lets ARA* prove by its weights.
struct ConsistentTable : Table<int> {
    static constexpr bool is_consistent = true;
};

/// What must not be built in a test's heuristic: values for a graph of vertices, exact, or zero where it is random.
template <class C>
Table<C> table_for(const Graph<C>& graph, std::uint64_t seed, bool has_gaps) {
    Table<C> table{oracle::costs_to_goal<C>(graph, 0)};
    Random random(seed);
    for (int vertex = 0; vertex < graph.size(); ++vertex) {
        const auto [place, is_dead_end] = table.values.emplace(vertex, std::numeric_limits<C>::max());
        if (has_gaps) {
            place->second = random.one_in(2) ? C{} : place->second;
        } else if (!is_dead_end) {
            // Consistent, and weak; a half need not be in integers.
            place->second = std::is_floating_point_v<C> ? place->second / 2 : place->second;
        }
    }
    return table;
}

/// Half of the least number of edges, as if each cost 1: admissible where each costs 1 or more.
Graph<int> graph_of(std::uint64_t seed) {
    Random random(900 + seed);
    const int vertices = random.between(1, 40);
    return test::random_graph<int>(seed, vertices, random.between(0, 3 * vertices), random.between(0, 2), 20);
}

/// Looks at each solution of an anytime search, and at the end.
template <class P>
struct Watch {
    using Result = npuzzle::AnytimeResult<npuzzle::state_t<P>, npuzzle::cost_t<P>, npuzzle::move_t<P>>;

    const P& problem;
    npuzzle::state_t<P> start;
    std::optional<npuzzle::cost_t<P>> least;
    std::optional<npuzzle::cost_t<P>> last = {};
    int count = 0;

    void operator()(const Result& result) {
        ++count;
        CHECK(result.is_solution);
        CHECK((!last || result.cost < *last));
        last = result.cost;
        CHECK((result.status == Status::running || result.status == Status::solved));
        check_solution(result);
    }

    void check_solution(const Result& result) {
        REQUIRE(least.has_value());
        REQUIRE_FALSE(result.path.empty());
        CHECK(result.path.front() == start);
        CHECK(problem.is_goal(result.path.back()));
        CHECK(oracle::path_cost<npuzzle::cost_t<P>>(problem, result.path) == result.cost);
        CHECK(result.bound >= 1);
        CHECK((std::isinf(result.bound) ||
               static_cast<double>(result.cost) <= result.bound * static_cast<double>(*least) * (1 + 1e-12)));
        CHECK((result.status == Status::solved) == (result.bound == 1));
    }

    void check_end(const Result& result) {
        test::check_path(problem, start, result);
        CHECK(result.status == (least ? Status::solved : Status::unsolvable));
        CHECK(result.is_solution == least.has_value());
        CHECK(result.statistics.broken_promises == 0);
        if (least) {
            CHECK(result.cost == *least);
            CHECK(result.cost == *last);
            check_solution(result);
        } else {
            CHECK(std::isinf(result.bound));
        }
        CHECK((count > 0) == least.has_value());
    }
};

template <class P, class H, class F>
void with_both(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic, F check,
               npuzzle::detail::limits_t<P> limits = {}) {
    const auto least = oracle::least_cost<npuzzle::cost_t<P>>(problem, start);
    {
        INFO("anytime A*");
        Watch<P> watch{problem, start, least};
        check(watch, anytime_astar(problem, start, heuristic, 2.5, watch, limits));
    }
    {
        INFO("ARA*");
        Watch<P> watch{problem, start, least};
        check(watch, ara_star(problem, start, heuristic, WeightSchedule{3.0, 0.75}, watch, limits));
    }
}

} // namespace

TEMPLATE_TEST_CASE("each solution is a path within its bound, and the last the cheapest", "[anytime]", int,
                   double) {
    int several = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        INFO("seed " << seed);
        Random random(900 + seed);
        const int vertices = random.between(1, 40);
        const auto graph = test::random_graph<TestType>(seed, vertices, random.between(0, 3 * vertices),
                                                        random.between(0, 2), 20,
                                                        std::is_floating_point_v<TestType> ? 0.25 : 1);
        for (const bool has_gaps : {false, true}) {
            with_both(graph, 0, table_for(graph, seed, has_gaps), [&](auto& watch, const auto& result) {
                watch.check_end(result);
                several += watch.count > 1 ? 1 : 0;
            });
        }
    }
    CHECK(several > 100);
}

TEST_CASE("integer weights, and a heuristic that declares itself consistent", "[anytime]") {
    std::uint64_t repeated = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const auto graph = graph_of(seed);
        const auto least = oracle::least_cost<int>(graph, 0);
        ConsistentTable table{{table_for(graph, seed, false)}};
        for (auto& [vertex, value] : table.values) {
            // A step of this graph changes the exact value, and so all less of it that is cut off above.
            value = value == std::numeric_limits<int>::max() ? value : std::min(value, 7);
        }
        Watch<Graph<int>> watch{graph, 0, least};
        watch.check_end(anytime_astar(graph, 0, table, 4, watch));
        AraStar engine(graph, 0, table, WeightSchedule{6, 2});
        while (engine.status() == Status::running) {
            const int weight = engine.weight();
            const bool had_solution = engine.solution().is_solution;
            engine.step();
            if (engine.weight() < weight && had_solution) {
                CHECK(engine.solution().bound <= weight); // as the paper has it, at the end of each iteration
                ++repeated;
            }
        }
        Watch<Graph<int>> end{graph, 0, least, least, least ? 1 : 0};
        end.check_end(engine.result());
    }
    CHECK(repeated > 20);
}

TEST_CASE("on the 8-puzzle", "[anytime]") {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    const npuzzle::SlidingPuzzle<3> puzzle;
    std::size_t number = 0;
    std::uint64_t improved = 0;
    for (const auto& cells : space.solvable()) {
        if (number++ % 251 != 0) {
            continue;
        }
        const npuzzle::PackedBoard<3> board(cells);
        const int depth = space.depth(cells);
        int last = std::numeric_limits<int>::max();
        const auto check = [&](const auto& result) {
            CHECK(result.cost < last);
            CHECK(static_cast<int>(result.moves.size()) == result.cost);
            CHECK(result.cost <= result.bound * depth + 1e-9);
            improved += last != std::numeric_limits<int>::max() ? 1 : 0;
            last = result.cost;
        };
        const auto by_one_weight = anytime_astar(puzzle, board, npuzzle::Manhattan{}, 5, check);
        CHECK(by_one_weight.cost == depth);
        CHECK(by_one_weight.bound == 1);
        last = std::numeric_limits<int>::max();
        const auto by_many = ara_star(puzzle, board, npuzzle::Manhattan{}, WeightSchedule{5, 1}, check);
        CHECK(by_many.cost == depth);
        CHECK(by_many.bound == 1);
        auto state = board;
        for (const auto move : by_many.moves) {
            puzzle.apply(state, move);
        }
        CHECK(puzzle.is_goal(state));
    }
    CHECK(improved > 500);
}

TEST_CASE("an expansion limit strikes at any moment, and leaves the best solution with its bound",
          "[anytime]") {
    std::uint64_t limited = 0;
    for (const std::uint64_t seed : {3, 8, 21}) {
        const auto graph = test::random_graph<int>(seed, 60, 200, 0);
        for (const bool has_gaps : {false, true}) {
            const auto table = table_for(graph, seed, has_gaps);
            for (std::uint64_t limit = 0; limit <= 120; ++limit) {
                INFO("limit " << limit);
                with_both(graph, 0, table,
                          [&](auto& watch, const auto& result) {
                              test::check_path(graph, 0, result);
                              CHECK(result.statistics.expanded <= limit);
                              CHECK(result.is_solution == (watch.count > 0));
                              if (result.is_solution) {
                                  watch.check_solution(result);
                                  CHECK(result.cost == *watch.last);
                              }
                              if (result.status == Status::expansion_limit) {
                                  CHECK(result.statistics.expanded == limit);
                                  limited += result.is_solution ? 1 : 0;
                              } else {
                                  watch.check_end(result);
                              }
                          },
                          {.expansions = limit});
            }
        }
    }
    CHECK(limited > 3);
}

TEST_CASE("bytes, time and stop end it", "[anytime]") {
    const auto graph = test::random_graph<int>(4, 400, 1200, 0);
    const auto table = table_for(graph, 4, true);
    int solutions = 0;
    for (std::uint64_t limit = 0; limit <= 60'000; limit += 1'500) {
        with_both(graph, 0, table,
                  [&](auto& watch, const auto& result) {
                      CHECK(result.statistics.bytes <= limit);
                      CHECK((result || result.status == Status::memory_limit));
                      CHECK(result.is_solution == (watch.count > 0));
                      if (result.is_solution) {
                          watch.check_solution(result);
                          solutions += result ? 0 : 1;
                      }
                  },
                  {.bytes = limit});
    }
    CHECK(solutions > 0);
    std::stop_source source;
    source.request_stop();
    const auto ignore = [](const auto&) {};
    CHECK(anytime_astar(graph, 0, table, 2, ignore, {.stop = source.get_token()}).status ==
          Status::cancelled);
    const auto late =
        ara_star(graph, 0, table, WeightSchedule{2, 1}, ignore, {.time = std::chrono::seconds{0}});
    CHECK(late.status == Status::time_limit);
    CHECK_FALSE(late.is_solution);
}

TEST_CASE("a solution may be the last that is wanted", "[anytime]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1});
    for (int wanted = 1; wanted <= 3; ++wanted) {
        int seen = 0;
        int cost = 0;
        const auto result =
            anytime_astar(puzzle, hardest, npuzzle::Manhattan{}, 5, [&](const auto& solution) {
                cost = solution.cost;
                return ++seen < wanted;
            });
        CHECK(seen == wanted);
        CHECK(result.status == Status::cancelled);
        CHECK(result.is_solution);
        CHECK(result.cost == cost);
        CHECK(result.cost > 31);
        CHECK(result.cost <= 31 * result.bound);
    }
}

TEST_CASE("a bound on the cost from the beginning", "[anytime]") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto graph = graph_of(seed);
        const auto least = oracle::least_cost<int>(graph, 0);
        if (!least) {
            continue;
        }
        for (const int bound : {-1, *least - 1, *least, *least + 3}) {
            with_both(graph, 0, table_for(graph, seed, true),
                      [&](auto& watch, const auto& result) {
                          if (bound < *least) {
                              CHECK(result.status == Status::cost_limit);
                              CHECK(watch.count == 0);
                          } else {
                              watch.check_end(result);
                          }
                      },
                      {.max_cost = bound});
        }
    }
}

TEST_CASE("odd starts, and arguments that make no sense", "[anytime]") {
    Graph<int> graph(3);
    graph.connect(0, 1, 1).connect(1, 2, 0).add_goal(0);
    with_both(graph, 0, Zero{}, [](auto& watch, const auto& result) {
        watch.check_end(result);
        CHECK(watch.count == 1);
        CHECK(result.cost == 0);
        CHECK(result.bound == 1);
        CHECK(result.statistics.expanded == 0);
    });
    const auto ignore = [](const auto&) {};
    CHECK_THROWS_AS(anytime_astar(graph, 0, Zero{}, 0.5, ignore), std::invalid_argument);
    CHECK_THROWS_AS((WeightSchedule{0, 1}), std::invalid_argument);
    CHECK_THROWS_AS((WeightSchedule{2.0, 0.0}), std::invalid_argument);

    Graph<std::uint8_t> dear(3);
    dear.connect(0, 1, 200).connect(1, 2, 100).add_goal(2);
    CHECK(ara_star(dear, 0, Zero{}, WeightSchedule{2, 1}, ignore).status == Status::cost_overflow);

    // From several starts, the nearest.
    Graph<int> chain(5);
    chain.connect(0, 1, 4).connect(1, 2, 4).connect(2, 3, 4).connect(3, 4, 4).add_goal(4);
    AnytimeAStar engine(chain, 0, Zero{}, 1);
    engine.add_start(2);
    CHECK(engine.run() == Status::solved);
    CHECK(engine.result().path == std::vector{2, 3, 4});
}

TEST_CASE("the bound of a solution falls as the search goes on", "[anytime]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1});
    AraStar engine(puzzle, hardest, npuzzle::Manhattan{}, WeightSchedule{8, 1});
    double last = std::numeric_limits<double>::infinity();
    std::uint64_t count = 0;
    while (engine.next_solution()) {
        CHECK(engine.solutions() == ++count);
        CHECK(engine.solution().bound < last);
        last = engine.solution().bound;
    }
    CHECK(count > 1);
    CHECK_FALSE(engine.next_solution());
    CHECK(engine.status() == Status::solved);
    CHECK(engine.result().cost == 31);
    CHECK(engine.result().bound == 1);
}

TEST_CASE("each allocation fails", "[anytime]") {
    const test::WithWords<test::Ring> ring(5, 250, 125);
    const auto ignore = [](const auto&) {};
    const auto fail_each = [](const auto& search) {
        const auto solution = search();
        REQUIRE(solution.status == Status::solved);
        std::uint64_t with_solution = 0;
        for (std::uint64_t number = 1;; ++number) {
            const std::uint64_t blocks = memory.blocks;
            Status status{};
            bool is_sound = false;
            bool is_solution = false;
            memory.arm(number);
            {
                const auto result = search();
                status = result.status;
                is_solution = result.is_solution;
                is_sound = !is_solution || result.cost <= result.bound * solution.cost;
            }
            const bool has_failed = memory.failures > 0;
            memory.disarm();
            if (!has_failed) {
                CHECK(number > 20);
                break;
            }
            with_solution += is_solution ? 1 : 0;
            if (status != Status::memory_limit || memory.blocks != blocks || !is_sound) {
                FAIL("allocation " << number << ": " << status);
            }
        }
        CHECK(search().path == solution.path);
        CHECK(with_solution > 0);
    };
    fail_each([&] { return anytime_astar(ring, 0, Zero{}, 3, ignore); });
    const test::Pancakes pancakes;
    const test::Pancakes::State start{3, 1, 6, 2, 4, 5};
    fail_each([&] { return ara_star(pancakes, start, test::PancakeGaps{}, WeightSchedule{4, 1}, ignore); });
}

TEST_CASE("anytime search as in the documentation", "[anytime]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> start({8, 6, 7, 2, 5, 4, 3, 0, 1});

    std::vector<int> costs;
    const auto best =
        npuzzle::anytime_astar(puzzle, start, npuzzle::Manhattan{}, 5, [&](const auto& solution) {
            costs.push_back(solution.cost); // solution.path, .moves, .statistics
            return solution.bound > 1.05;   // false: good enough
        });
    CHECK(best.is_solution);
    CHECK(best.cost <= 1.05 * 31);

    const auto repaired =
        npuzzle::ara_star(puzzle, start, npuzzle::Manhattan{}, npuzzle::WeightSchedule{3.0, 0.5},
                          [](const auto&) {}, {.time = std::chrono::seconds{10}});
    CHECK(repaired.status == npuzzle::Status::solved); // proved, in time
    CHECK(repaired.bound == 1);

    npuzzle::AraStar engine(puzzle, start, npuzzle::Manhattan{}, npuzzle::WeightSchedule{5, 1});
    while (engine.next_solution()) {
        CHECK(engine.solution().cost <= 31 * engine.solution().bound);
    }
    CHECK(engine.result().cost == 31);
}
