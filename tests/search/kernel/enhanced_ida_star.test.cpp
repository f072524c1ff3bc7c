#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

// IDA* with a transposition table, and with bounds that grow by more than the least step.

namespace {

using npuzzle::ida_star;
using npuzzle::IdaStarOptions;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Random;

/// A map on which each cell costs something to enter, with walls: as many ways to a cell as there are.
template <class C>
struct Terrain {
    using State = int;
    using Move = std::uint8_t; // up, left, right, down, none
    static constexpr Move no_move = 4;

    int width;
    int height;
    std::vector<C> costs; // zero: a wall

    Terrain(std::uint64_t seed, int columns, int rows, int kinds, C unit) : width(columns), height(rows) {
        Random random(seed);
        for (int i = 0; i < width * height; ++i) {
            const int units = random.one_in(6) ? 0 : random.between(kinds / 2, kinds);
            costs.push_back(static_cast<C>(units) * unit);
        }
        costs.back() = unit;
    }

    C cost(int cell) const { return costs[static_cast<std::size_t>(cell)]; }
    std::optional<int> target(int cell, Move move) const {
        const int x = cell % width + (move == 2 ? 1 : move == 1 ? -1 : 0);
        const int y = cell / width + (move == 3 ? 1 : move == 0 ? -1 : 0);
        if (x < 0 || x >= width || y < 0 || y >= height || !(C{} < cost(y * width + x))) {
            return std::nullopt;
        }
        return y * width + x;
    }

    std::vector<npuzzle::Edge<int, C>> neighbors(int cell) const {
        std::vector<npuzzle::Edge<int, C>> edges;
        for_each_move(cell, no_move,
                      [&](Move move) { edges.push_back({*target(cell, move), move_cost(cell, move)}); });
        return edges;
    }
    bool is_goal(int cell) const { return cell == width * height - 1; }
    void for_each_move(int cell, Move last, auto visit) const {
        for (Move move = 0; move < 4; ++move) {
            if (target(cell, move) && (last == no_move || move != inverse(last))) {
                visit(move);
            }
        }
    }
    void apply(int& cell, Move move) const {
        const std::array<int, 4> steps{-width, -1, 1, width};
        cell += steps[move];
    }
    static Move inverse(Move move) { return move == no_move ? move : static_cast<Move>(3 - move); }
    C move_cost(int cell, Move move) const { return cost(*target(cell, move)); }
};

static_assert(npuzzle::MoveProblem<Terrain<int>>);
static_assert(npuzzle::MoveProblem<Terrain<double>>);

/// Estimates that are looked up, some of them zero: admissible, not consistent.
template <class C>
struct Partial {
    std::map<int, C> exact;
    int share; // of those that are kept: all but one in so many

    C operator()(int cell) const {
        const auto found = exact.find(cell);
        return found == exact.end() ? std::numeric_limits<C>::max()
               : cell % share == 0  ? C{}
                                    : found->second / 2;
    }
};

/// The cells of a line in one direction, in states too large for the stack.
struct LongStates {
    using State = std::array<std::int8_t, 300>;
    using Move = std::uint8_t;
    static constexpr Move no_move = 9;

    int target;

    std::vector<State> neighbors(const State& state) const {
        std::vector<State> states;
        for_each_move(state, no_move, [&](Move move) {
            states.push_back(state);
            apply(states.back(), move);
        });
        return states;
    }
    bool is_goal(const State& state) const { return state[0] == target; }
    void for_each_move(const State& state, Move last, auto visit) const {
        for (const Move move : {Move{0}, Move{1}}) {
            if (state[0] + (move == 0 ? 1 : 2) <= 12 && (last == no_move || last < 2)) {
                visit(move);
            }
        }
    }
    void apply(State& state, Move move) const {
        static constexpr std::array<int, 4> steps{1, 2, -1, -2};
        state[0] = static_cast<std::int8_t>(state[0] + steps[move]);
        state[299] = state[0];
    }
    static Move inverse(Move move) { return move == no_move ? move : static_cast<Move>(move ^ 2); }
};

static_assert(npuzzle::MoveProblem<LongStates>);

constexpr std::array<IdaStarOptions, 5> all_options{{
    {},
    {.table_bytes = 600},
    {.table_bytes = 1 << 16},
    {.growth = 2},
    {.table_bytes = 1 << 12, .growth = 3},
}};

/// Told of goals, each cheaper than the one before.
template <class C>
struct Goals : npuzzle::SilentObserver {
    std::vector<C> costs;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    void expand(const auto&) { ++expanded; }
    void generate(const auto&, const auto&) { ++generated; }
    void goal(const auto& node) { costs.push_back(node.cost); }
};

} // namespace

TEMPLATE_TEST_CASE("IDA* with options finds the optimum", "[ida_star]", int, double) {
    const TestType unit = std::is_same_v<TestType, double> ? static_cast<TestType>(0.0009765625) : 1;
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Terrain<TestType> terrain(seed, 5, 4, std::is_same_v<TestType, double> ? 1000 : 9, unit);
        const auto least = oracle::least_cost<TestType>(terrain, 0);
        if (!least) {
            continue; // It would not end.
        }
        ++solved;
        const Partial<TestType> heuristic{oracle::costs_to_goal<TestType>(terrain, 0), seed % 3 == 0 ? 1 : 5};
        for (const IdaStarOptions& options : all_options) {
            INFO("seed " << seed << ", table " << options.table_bytes << ", growth " << options.growth);
            Goals<TestType> goals;
            const auto result = ida_star(terrain, 0, heuristic, options, {}, goals);
            REQUIRE(result.status == Status::solved);
            CHECK(result.cost == *least);
            test::check_path(terrain, 0, result);
            CHECK(result.moves.size() + 1 == result.path.size());
            CHECK(result.statistics.bytes <= options.table_bytes);
            CHECK(result.statistics.expanded == goals.expanded);
            CHECK(result.statistics.generated == goals.generated);
            REQUIRE(!goals.costs.empty());
            CHECK(goals.costs.back() == *least);
            for (std::size_t i = 1; i < goals.costs.size(); ++i) {
                CHECK(goals.costs[i] < goals.costs[i - 1]);
            }
            CHECK((options.growth > 1 || goals.costs.size() == 1));

            const TestType too_little = *least - unit;
            CHECK(ida_star(terrain, 0, heuristic, options, {.max_cost = *least}).cost == *least);
            CHECK(ida_star(terrain, 0, heuristic, options, {.max_cost = too_little}).status ==
                  Status::cost_limit);
        }
    }
    CHECK(solved > 20);
}

TEMPLATE_TEST_CASE("no bound on the cost of IDA* takes rounding for a proof", "[ida_star]", float, double) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto unit = static_cast<TestType>(1 + seed % 9) / 10;
        const Terrain<int> units(seed, 5, 4, 9, 1);
        const auto least = oracle::least_cost<int>(units, 0);
        if (!least) {
            continue;
        }
        const Terrain<TestType> terrain(seed, 5, 4, 9, unit);
        const auto costs = oracle::costs_to_goal<int>(units, 0);
        const auto exact = [&](int cell) { return static_cast<TestType>(costs.at(cell)) * unit; };
        const auto most = static_cast<TestType>(*least) * unit;
        const auto check = [&](const auto& search) {
            INFO("seed " << seed);
            npuzzle::limits_t<Terrain<TestType>> limits;
            limits.max_cost = search(limits).cost;
            CHECK(search(limits).status == Status::solved);
            limits.max_cost = most;
            CHECK(search(limits).status == Status::solved);
            limits.max_cost = most - unit;
            CHECK(search(limits).status == Status::cost_limit);
        };
        check([&](const auto& limits) { return ida_star(terrain, 0, exact, limits); });
        check([&](const auto& limits) {
            return npuzzle::parallel_ida_star(terrain, 0, exact, {.threads = 2, .least_divided = 1}, limits);
        });
        for (const IdaStarOptions& options : all_options) {
            check([&](const auto& limits) { return ida_star(terrain, 0, exact, options, limits); });
        }
    }
}

TEST_CASE("real costs: bounds that grow save most of the work, and the table more", "[ida_star]") {
    std::uint64_t plain = 0;
    std::uint64_t growing = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Terrain<double> terrain(seed, 6, 5, 1 << 20, 0x1p-20);
        if (const auto least = oracle::least_cost<double>(terrain, 0)) {
            const Partial<double> heuristic{oracle::costs_to_goal<double>(terrain, 0), 1000};
            plain += ida_star(terrain, 0, heuristic).statistics.expanded;
            const auto result = ida_star(terrain, 0, heuristic, IdaStarOptions{.growth = 2});
            CHECK(result.cost == *least);
            growing += result.statistics.expanded;
        }
    }
    CHECK(10 * growing < plain);
    std::uint64_t with_table = 0;
    growing = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const Terrain<double> terrain(seed, 8, 7, 1 << 20, 0x1p-20);
        if (const auto least = oracle::least_cost<double>(terrain, 0)) {
            const Partial<double> heuristic{oracle::costs_to_goal<double>(terrain, 0), 1000};
            const auto alone = ida_star(terrain, 0, heuristic, IdaStarOptions{.growth = 2});
            const auto both =
                ida_star(terrain, 0, heuristic, IdaStarOptions{.table_bytes = 1 << 16, .growth = 2});
            CHECK(both.cost == *least);
            growing += alone.statistics.expanded;
            with_table += both.statistics.expanded;
        }
    }
    CHECK(2 * with_table < growing);
}

TEST_CASE("without options the counts are those of the plain search", "[ida_star]") {
    const oracle::PuzzleSpace<3> space(oracle::Cells<3>{1, 2, 3, 4, 5, 6, 7, 8, 0});
    const SlidingPuzzle<3> puzzle;
    std::uint64_t plain_count = 0;
    std::uint64_t small_count = 0;
    std::uint64_t large_count = 0;
    for (const auto& cells : space.solvable(600)) {
        const PackedBoard<3> board(cells);
        const auto plain = ida_star(puzzle, board, Manhattan{});
        const auto same = ida_star(puzzle, board, Manhattan{}, IdaStarOptions{});
        CHECK(same.moves == plain.moves);
        CHECK(same.path == plain.path);
        CHECK(same.statistics.expanded == plain.statistics.expanded);
        CHECK(same.statistics.generated == plain.statistics.generated);
        CHECK(same.statistics.bytes == 0);

        const auto small = ida_star(puzzle, board, Manhattan{}, IdaStarOptions{.table_bytes = 1000});
        const auto large = ida_star(puzzle, board, Manhattan{}, IdaStarOptions{.table_bytes = 1 << 20});
        CHECK(small.cost == space.depth(cells));
        CHECK(large.cost == space.depth(cells));
        CHECK(small.statistics.bytes <= 1000);
        CHECK(small.statistics.stored <= 1000 / 16);
        test::check_path(puzzle, board, large);
        const auto by_conflicts =
            ida_star(puzzle, board, npuzzle::LinearConflict{}, IdaStarOptions{.table_bytes = 1 << 14});
        CHECK(by_conflicts.cost == space.depth(cells));
        plain_count += plain.statistics.expanded;
        small_count += small.statistics.expanded;
        large_count += large.statistics.expanded;
    }
    CHECK(small_count < plain_count);
    CHECK(4 * large_count < 3 * plain_count);
}

TEST_CASE("states that own memory, and large ones, are kept in a table", "[ida_star]") {
    const auto depths = oracle::breadth_first(test::Pancakes{}, test::Pancakes::sorted(6));
    int i = 0;
    std::uint64_t cut_off = 0;
    for (const auto& [stack, depth] : depths) {
        if (++i % 40 == 0) {
            const auto result =
                ida_star(test::Flips{}, stack, npuzzle::Zero{}, IdaStarOptions{.table_bytes = 1 << 14});
            CHECK(result.cost == depth);
            cut_off += result.statistics.duplicates;
        }
    }
    CHECK(cut_off > 0);
    const LongStates::State start{};
    const auto plain = ida_star(LongStates{12}, start, npuzzle::Zero{});
    const auto result =
        ida_star(LongStates{12}, start, npuzzle::Zero{}, IdaStarOptions{.table_bytes = 1 << 15, .growth = 2});
    CHECK(result.cost == 6);
    CHECK(result.path.back() == plain.path.back());
    CHECK(result.statistics.expanded < plain.statistics.expanded);
    // A space without cycles ends.
    for (const IdaStarOptions& options : all_options) {
        CHECK(ida_star(LongStates{99}, start, npuzzle::Zero{}, options).status == Status::unsolvable);
    }
}

TEST_CASE("limits are kept with options", "[ida_star]") {
    const Terrain<int> terrain(3, 6, 5, 9, 1);
    const auto least = oracle::least_cost<int>(terrain, 0);
    REQUIRE(least.has_value());
    for (const IdaStarOptions& options : all_options) {
        const auto whole = ida_star(terrain, 0, npuzzle::Zero{}, options);
        REQUIRE(whole.cost == *least);
        for (std::uint64_t limit = 0; limit < whole.statistics.expanded; limit += 1 + limit / 4) {
            const auto result = ida_star(terrain, 0, npuzzle::Zero{}, options, {.expansions = limit});
            CHECK(result.status == Status::expansion_limit);
            CHECK(result.statistics.expanded == limit);
            CHECK(result.path.empty());
        }
        const auto enough =
            ida_star(terrain, 0, npuzzle::Zero{}, options, {.expansions = whole.statistics.expanded});
        CHECK(enough.cost == *least);
        const auto bytes = ida_star(terrain, 0, npuzzle::Zero{}, options, {.bytes = 500});
        CHECK(bytes.status == (options.table_bytes > 500 ? Status::memory_limit : Status::solved));
        npuzzle::StopSource source;
        source.request_stop();
        CHECK(ida_star(terrain, 0, npuzzle::Zero{}, options, {.stop = source.get_token()}).status ==
              Status::cancelled);
        CHECK(ida_star(terrain, 0, npuzzle::Zero{}, options, {.time = std::chrono::nanoseconds{0}}).status ==
              Status::time_limit);
    }
}

TEST_CASE("costs beyond their type end in a status with options", "[ida_star]") {
    using Small = std::int8_t;
    Terrain<Small> corridor(1, 9, 1, 1, Small{1});
    corridor.costs.assign(9, Small{40});
    const auto beyond = ida_star(corridor, 0, npuzzle::Zero{}, IdaStarOptions{.growth = 2});
    CHECK(beyond.status == Status::cost_overflow);
    corridor.costs.assign(9, Small{15});
    CHECK(ida_star(corridor, 0, npuzzle::Zero{}, IdaStarOptions{.growth = 2}).cost == 120);
}
