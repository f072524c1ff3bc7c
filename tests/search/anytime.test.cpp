#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/anytime.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

// What all searches have in common is in the tests of the family, too.

namespace {

using npuzzle::anytime_astar;
using npuzzle::AnytimeAStar;
using npuzzle::AnytimeOptions;
using npuzzle::AnytimeResult;
using npuzzle::Status;
using test::Graph;
using test::Random;
using test::Table;

/// A table that says that it is consistent, which lets ARA* prove by its weights.
struct ConsistentTable : Table<int> {
    static constexpr bool is_consistent = true;
};

/// Exact values, and infinity at dead ends; or some of them, and zero for the others, which is not
/// consistent.
template <class C>
Table<C> table_for(const Graph<C>& graph, std::uint64_t seed, bool has_gaps) {
    Table<C> table{oracle::costs_to_goal<C>(graph, 0)};
    Random random(seed);
    for (int vertex = 0; vertex < graph.size(); ++vertex) {
        const auto place = table.values.emplace(vertex, std::numeric_limits<C>::max()).first;
        if (has_gaps && random.one_in(2)) {
            place->second = C{};
        }
    }
    return table;
}

Table<int> halved(Table<int> table) {
    for (auto& [vertex, value] : table.values) {
        value = value == std::numeric_limits<int>::max() ? value : value / 2;
    }
    return table;
}

template <class C>
Graph<C> graph_of(std::uint64_t seed) {
    Random random(900 + seed);
    const int vertices = random.between(1, 40);
    return test::random_graph<C>(seed, vertices, random.between(0, 3 * vertices), random.between(0, 2), 20,
                                 std::is_floating_point_v<C> ? 0.25 : 1);
}

/// Looks at each solution of an anytime search, and at its end.
template <class P>
struct Watch {
    using Cost = npuzzle::cost_t<P>;
    using Result = npuzzle::anytime_result_t<P>;

    const P& problem;
    npuzzle::state_t<P> start;
    std::optional<Cost> least; // the optimum
    std::optional<Cost> last = {};
    double bound = std::numeric_limits<double>::infinity();
    int count = 0;

    void operator()(const Result& result) {
        ++count;
        CHECK((result.status == Status::running || result.status == Status::solved));
        CHECK((!last || result.cost < *last));
        last = result.cost;
        check_solution(result);
    }

    void check_solution(const Result& result) {
        REQUIRE(least.has_value());
        REQUIRE_FALSE(result.path.empty());
        CHECK(result.is_solution);
        CHECK(result.cost == *last);
        CHECK(result.path.front() == start);
        CHECK(problem.is_goal(result.path.back()));
        CHECK(oracle::path_cost<Cost>(problem, result.path) == result.cost);
        CHECK(result.bound >= 1);
        CHECK(result.bound <= bound);
        CHECK((std::isinf(result.bound) ||
               static_cast<double>(result.cost) <= result.bound * static_cast<double>(*least) * (1 + 1e-12)));
        CHECK((result.status == Status::solved) == (result.bound == 1));
        bound = result.bound;
    }

    /// Of a search that nothing ended.
    void check_end(const Result& result) {
        CHECK(result.status == (least ? Status::solved : Status::unsolvable));
        CHECK(result.statistics.contract_violations == 0);
        CHECK(result.statistics.generated + 1 >= result.statistics.stored);
        check_any_end(result);
        CHECK(result.is_solution == least.has_value());
        CHECK((!least || result.cost == *least));
    }

    void check_any_end(const Result& result) {
        CHECK(result.is_solution == (count > 0));
        if (result.is_solution) {
            CHECK(result.partial_path.empty());
            check_solution(result);
        } else {
            test::check_path(problem, start, result);
            CHECK(std::isinf(result.bound));
        }
    }
};

/// Calls `check(watch, result)` for both searches.
template <class P, class H, class F>
void with_both(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic, F check,
               npuzzle::limits_t<P> limits = {}) {
    const auto least = oracle::least_cost<npuzzle::cost_t<P>>(problem, start);
    {
        INFO("anytime A*");
        Watch<P> watch{problem, start, least};
        check(watch, anytime_astar(problem, start, heuristic, watch, {.weight = 2.5}, limits));
    }
    {
        INFO("ARA*");
        Watch<P> watch{problem, start, least};
        check(watch, anytime_astar(problem, start, heuristic, watch, {3.0, 0.75}, limits));
    }
}

} // namespace

TEMPLATE_TEST_CASE("each solution is a path within its bound, and the last a cheapest", "[anytime]", int,
                   double) {
    int several = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        INFO("seed " << seed);
        const auto graph = graph_of<TestType>(seed);
        for (const bool has_gaps : {false, true}) {
            with_both(graph, 0, table_for(graph, seed, has_gaps), [&](auto& watch, const auto& result) {
                watch.check_end(result);
                several += watch.count > 1 ? 1 : 0;
            });
        }
    }
    CHECK(several > 100);
}

TEST_CASE("what is known of a solution is true after each step, and only becomes better", "[anytime]") {
    int with_solution = 0;
    int by_weight = 0;
    const auto step_through = [&](auto& engine, Watch<Graph<int>>& watch) {
        do {
            while (watch.count < static_cast<int>(engine.solutions())) {
                watch(engine.solution());
            }
            if (engine.solutions() > 0) {
                watch.check_solution(engine.solution());
                with_solution += engine.status() == Status::running ? 1 : 0;
            }
        } while (engine.step());
        watch.count = static_cast<int>(engine.solutions());
        watch.last = engine.solution().is_solution ? std::optional(engine.solution().cost) : std::nullopt;
        watch.check_end(engine.result());
    };
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const auto graph = graph_of<int>(seed);
        const auto least = oracle::least_cost<int>(graph, 0);
        ConsistentTable table{{table_for(graph, seed, false)}};
        for (auto& [vertex, value] : table.values) {
            value = value == std::numeric_limits<int>::max() ? value : std::min(value, 8);
        }
        AnytimeAStar astar(graph, 0, table, {.weight = 4});
        Watch<Graph<int>> first{graph, 0, least};
        step_through(astar, first);
        AnytimeAStar ara(graph, 0, table, {.weight = 5, .step = 1});
        Watch<Graph<int>> second{graph, 0, least};
        step_through(ara, second);

        AnytimeAStar again(graph, 0, table, {.weight = 5, .step = 1});
        while (again.status() == Status::running) {
            const double weight = again.weight();
            const bool had_solution = again.solution().is_solution;
            again.step();
            if (again.weight() < weight && had_solution) {
                CHECK(again.solution().bound <= weight * (1 + 1e-12)); // as the paper has it
                ++by_weight;
            }
        }
    }
    CHECK(with_solution > 300);
    CHECK(by_weight > 20);
}

TEST_CASE("it finds the optimum of 8-puzzles, and moves", "[anytime]") {
    const auto& space = oracle::space_of_size_3(oracle::blank_last_of_size_3);
    const npuzzle::SlidingPuzzle<3> puzzle;
    for (const auto& cells : space.solvable(1200)) {
        const npuzzle::PackedBoard<3> board(cells);
        const auto ignore = [](const auto&) {};
        for (const auto& result : {anytime_astar(puzzle, board, npuzzle::Manhattan{}, ignore),
                                   anytime_astar(puzzle, board, npuzzle::Manhattan{}, ignore, {5, 1})}) {
            test::check_moves(puzzle, board, result, space.depth(cells));
        }
    }
}

TEST_CASE("the proof takes at most twice as many expansions as there are states that A* may need",
          "[anytime]") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 100, 300, 0, 50);
        const auto least = oracle::least_cost<int>(graph, 0);
        if (!least) {
            continue;
        }
        const Table<int> table = halved(table_for(graph, seed, false));
        const auto costs = oracle::costs_from<int>(graph, 0);
        const auto needed = std::count_if(costs.begin(), costs.end(), [&](const auto& entry) {
            return !graph.is_goal(entry.first) && table(entry.first) <= *least - entry.second;
        });
        AnytimeAStar engine(graph, 0, table, {.weight = 1.0 + static_cast<double>(seed % 20) / 2});
        engine.run();
        CHECK(engine.statistics().expanded <= 2 * static_cast<std::uint64_t>(needed) + 1);
    }
}

TEST_CASE("an expansion limit leaves the best solution with its bound", "[anytime]") {
    std::uint64_t limited = 0;
    for (const std::uint64_t seed : {2U, 3U, 8U, 21U, 34U}) {
        const auto graph = test::random_graph<int>(seed, 60, 200, 0);
        const auto table = halved(table_for(graph, seed, true));
        for (std::uint64_t limit = 0; limit <= 70; ++limit) {
            INFO("seed " << seed << ", limit " << limit);
            const auto check = [&](auto& watch, const auto& result) {
                watch.check_any_end(result);
                limited += result.is_solution && result.status == Status::expansion_limit ? 1 : 0;
                CHECK(std::isfinite(result.bound) == result.is_solution); // The least open f is above 0.
            };
            with_both(graph, 0, table, check, {.expansions = limit});
        }
    }
    CHECK(limited > 10);
}

TEST_CASE("a solution may be the last that is wanted", "[anytime]") {
    // From each vertex of a chain there is a step to the goal, ever cheaper.
    Graph<int> graph(5);
    graph.connect(0, 4, 100).connect(1, 4, 50).connect(2, 4, 30).connect(3, 4, 20).add_goal(4);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(2, 3, 1);
    for (int wanted = 1; wanted <= 3; ++wanted) {
        int seen = 0;
        int cost = 0;
        const auto result = anytime_astar(graph, 0, Table<int>{}, [&](const auto& solution) {
            cost = solution.cost;
            return ++seen < wanted;
        });
        CHECK(seen == wanted);
        CHECK(result.status == Status::cancelled);
        CHECK(result.is_solution);
        CHECK(result.cost == cost);
        CHECK(result.cost > 23);
        CHECK(result.cost <= 23 * result.bound);
    }
}

TEST_CASE("odd starts, and arguments that make no sense", "[anytime]") {
    const Table<int> nothing_known;
    Graph<int> graph(3);
    graph.connect(0, 1, 1).connect(1, 2, 0).add_goal(0);
    with_both(graph, 0, nothing_known, [](auto& watch, const auto& result) {
        watch.check_end(result);
        CHECK(watch.count == 1);
        CHECK(result.cost == 0);
        CHECK(result.bound == 1);
        CHECK(result.statistics.expanded == 0);
    });
    AnytimeAStar stuck(graph, 2, nothing_known, {.weight = 5, .step = 1});
    CHECK(stuck.run() == Status::unsolvable);
    CHECK(stuck.weight() == 5); // No other weight is tried.
    Graph<int> chain(4);
    chain.connect(0, 1, 1).connect(1, 2, 1).connect(0, 2, 3).connect(2, 3, 1).add_goal(3);
    const auto ignore = [](const AnytimeResult<int, int>&) {};
    for (const double step : {1e-300, 1e300, std::numeric_limits<double>::infinity()}) {
        CHECK(anytime_astar(chain, 0, nothing_known, ignore, {3.0, step}).cost == 3);
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(anytime_astar(chain, 0, nothing_known, ignore, {infinity, 1.0}).cost == 3);
    CHECK_THROWS_AS(anytime_astar(graph, 0, nothing_known, ignore, {.weight = 0.5}), std::invalid_argument);
    for (const auto& options : {AnytimeOptions{0, 1}, {2, -1}, {nan, 1}, {2, nan}}) {
        CHECK_THROWS_AS(anytime_astar(graph, 0, nothing_known, ignore, options), std::invalid_argument);
    }

    Graph<std::uint8_t> dear(3);
    dear.connect(0, 1, 200).connect(1, 2, 100).add_goal(2);
    const auto result =
        anytime_astar(dear, 0, npuzzle::Zero{}, [](const AnytimeResult<int, std::uint8_t>&) {}, {5, 1});
    CHECK(result.status == Status::cost_overflow);
}

TEST_CASE("a search whose sink has no memory ends with what it has", "[anytime]") {
    Graph<int> graph(3);
    graph.connect(0, 1, 1).connect(1, 2, 1).connect(0, 2, 9).add_goal(2);
    int calls = 0;
    const auto result = anytime_astar(graph, 0, Table<int>{}, [&](const auto&) {
        ++calls;
        throw std::bad_alloc();
    });
    CHECK(calls == 1);
    CHECK(result.status == Status::memory_limit);
    CHECK(result.is_solution);
}

TEST_CASE("a search whose observer throws at the end has failed", "[anytime]") {
    struct Throws : npuzzle::SilentObserver {
        void progress(const npuzzle::Statistics& /*so_far*/) { throw 7; }
    };
    const auto graph = Graph<int>(2).connect(0, 1, 1).add_goal(1);
    npuzzle::AnytimeAStar engine(graph, 0, Table<int>{}, {}, {}, Throws{});
    CHECK_THROWS_AS(engine.stop(), int);
    CHECK(engine.status() == Status::failed);
}

TEST_CASE("no bound is claimed of a solution that there was no memory to keep", "[anytime]") {
    Graph<int> graph(10);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(1, 9, 19).connect(2, 9, 14).connect(2, 3, 1).add_goal(9);
    const auto estimate = [](int vertex) {
        if (vertex == 3) throw std::bad_alloc();
        return vertex == 0 ? 15 : vertex == 1 ? 3 : vertex == 2 ? 14 : 0;
    };
    const auto result = anytime_astar(graph, 0, estimate, [](const auto&) {});
    CHECK(result.status == Status::memory_limit);
    CHECK(result.is_solution);
    CHECK(result.cost <= 15 * result.bound);
}

TEST_CASE("anytime searches as in the documentation", "[anytime]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> start({8, 6, 7, 2, 5, 4, 3, 0, 1}); // 31 moves, as few have

    std::vector<int> costs;
    const auto best = npuzzle::anytime_astar(puzzle, start, npuzzle::Manhattan{}, [&](const auto& solution) {
        costs.push_back(solution.cost); // and solution.path, solution.moves
        return solution.bound > 1.5;    // false: good enough
    });
    CHECK(best.is_solution);
    CHECK(best.cost == costs.back());
    CHECK(best.cost <= best.bound * 31);

    npuzzle::AnytimeAStar engine(puzzle, start, npuzzle::Manhattan{}, {.weight = 5, .step = 1});
    while (engine.next_solution()) {
        CHECK(engine.solution().cost <= engine.solution().bound * 31);
    }
    CHECK(engine.result().status == npuzzle::Status::solved);
    CHECK(engine.result().cost == 31); // proved: bound is 1
}
