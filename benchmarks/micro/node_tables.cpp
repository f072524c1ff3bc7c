// Node tables: filled from empty, including their growth, and then searched for what they hold; one state at
// a time, and in batches that prefetch. An item is a state.

#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/indexed.hpp>
#include <npuzzle/search/node_table/packed.hpp>
#include <npuzzle/search/node_table/pooled.hpp>

#include "problems/grid.hpp"
#include "problems/plain_puzzle.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using Puzzle = npuzzle::SlidingPuzzle<4>;
using Plain = problems::Plain15Puzzle;
using Packed = npuzzle::PackedNodeTable<Puzzle, int>;
using Pooled = npuzzle::PooledNodeTable<Puzzle, int>;
using PooledPlain = npuzzle::PooledNodeTable<Plain, int>;
using Cells = problems::Indexed<problems::Grid4>;
using Indexed = npuzzle::IndexedNodeTable<Cells, int>;
using PooledCells = npuzzle::PooledNodeTable<Cells, int>;

constexpr std::size_t batch_size = 16;

/// The tiles of a board in any order. There are so many orders that hardly any occurs twice.
Plain::State shuffled(std::mt19937_64& generator) {
    Plain::State tiles{};
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        tiles[i] = static_cast<std::uint8_t>(i);
        std::swap(tiles[i], tiles[generator() % (i + 1)]);
    }
    return tiles;
}

constexpr int grid_size = 2048;

template <class State>
std::vector<State> random_states(std::size_t count) {
    std::mt19937_64 generator(1);
    std::vector<State> states;
    states.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (std::is_same_v<State, Plain::State>) {
            states.push_back(shuffled(generator));
        } else if constexpr (std::is_same_v<State, Cells::State>) {
            // Multiplication by an odd factor permutes the numbers below a power of two.
            const std::size_t number = i * 0x9e3779b9 % (std::size_t{grid_size} * grid_size);
            states.push_back({static_cast<int>(number % grid_size), static_cast<int>(number / grid_size)});
        } else {
            const Plain::State tiles = shuffled(generator);
            std::uint64_t word = 0;
            for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
                word |= std::uint64_t{tiles[cell]} << (4 * cell);
            }
            states.push_back(State::from_word(word));
        }
    }
    return states;
}

template <class Problem>
Problem make_problem() {
    if constexpr (std::is_same_v<Problem, Cells>) {
        static const problems::GridMap map(grid_size);
        Cells cells{};
        cells.map = &map;
        return cells;
    } else {
        return {};
    }
}

template <class Table, class State>
void insert_one_by_one(Table& table, const std::vector<State>& states) {
    for (const State& state : states) {
        benchmark::DoNotOptimize(table.insert(State(state)).second);
    }
}

template <class Table, class State>
void insert_in_batches(Table& table, const std::vector<State>& states) {
    std::vector<typename Table::Probe> probes;
    probes.reserve(batch_size);
    for (std::size_t begin = 0; begin < states.size(); begin += batch_size) {
        const std::size_t end = std::min(begin + batch_size, states.size());
        probes.clear();
        for (std::size_t i = begin; i < end; ++i) {
            probes.push_back(table.probe(State(states[i])));
        }
        for (const auto& probe : probes) {
            table.prefetch(probe);
        }
        for (auto& probe : probes) {
            benchmark::DoNotOptimize(table.insert(std::move(probe)).second);
        }
    }
}

enum class Order { one_by_one, in_batches };

template <Order order, class Table, class State>
void insert(Table& table, const std::vector<State>& states) {
    if constexpr (order == Order::one_by_one) {
        insert_one_by_one(table, states);
    } else {
        insert_in_batches(table, states);
    }
}

template <class Table, class Problem, Order order>
void fill(benchmark::State& state) {
    const auto states = random_states<typename Table::State>(static_cast<std::size_t>(state.range(0)));
    const auto problem = make_problem<Problem>();
    for (auto _ : state) {
        npuzzle::MemoryBudget budget;
        Table table(problem, budget);
        insert<order>(table, states);
        if (table.size() != states.size()) {
            state.SkipWithError("the table lost a state");
            break;
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(states.size()));
}

template <class Table, class Problem, Order order>
void ask_again(benchmark::State& state) {
    const auto states = random_states<typename Table::State>(static_cast<std::size_t>(state.range(0)));
    const auto problem = make_problem<Problem>();
    npuzzle::MemoryBudget budget;
    Table table(problem, budget);
    insert_one_by_one(table, states);
    for (auto _ : state) {
        insert<order>(table, states);
    }
    if (table.size() != states.size()) {
        state.SkipWithError("the table took a state for a new one");
    }
    state.counters["bytes a node"] = static_cast<double>(budget.used()) / static_cast<double>(table.size());
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(states.size()));
}

#define NPUZZLE_NODE_TABLE_BENCHMARKS(Table, Problem)                                                        \
    BENCHMARK(fill<Table, Problem, Order::one_by_one>)->Arg(1 << 12)->Arg(1 << 20);                          \
    BENCHMARK(fill<Table, Problem, Order::in_batches>)->Arg(1 << 12)->Arg(1 << 20);                          \
    BENCHMARK(ask_again<Table, Problem, Order::one_by_one>)->Arg(1 << 12)->Arg(1 << 20);                     \
    BENCHMARK(ask_again<Table, Problem, Order::in_batches>)->Arg(1 << 12)->Arg(1 << 20)

NPUZZLE_NODE_TABLE_BENCHMARKS(Packed, Puzzle);
NPUZZLE_NODE_TABLE_BENCHMARKS(Pooled, Puzzle);
NPUZZLE_NODE_TABLE_BENCHMARKS(PooledPlain, Plain);
NPUZZLE_NODE_TABLE_BENCHMARKS(PooledCells, Cells);
NPUZZLE_NODE_TABLE_BENCHMARKS(Indexed, Cells);

} // namespace
