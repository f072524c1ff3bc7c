// Maps of square cells, built beside a copy of their text, and changed. An item is a cell.

#include <npuzzle/maps/grid_map.hpp>

#include "support/maps.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

std::string text_of(const test::SquareMap& cells) {
    std::string text;
    for (int y = 0; y < cells.size(); ++y) {
        for (int x = 0; x < cells.size(); ++x) text += cells.is_free(x, y) ? '.' : '@';
        text += '\n';
    }
    return text;
}

template <class F>
void on_map(benchmark::State& state, F&& run) {
    const auto side = static_cast<int>(state.range(0));
    const test::SquareMap cells = test::rooms(side, 15, 1);
    const std::string text = text_of(cells);
    for (auto _ : state) run(cells, text);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cells.cells()));
}

void map_copy_of_text(benchmark::State& state) {
    on_map(state, [](const auto&, const std::string& text) {
        std::string copy = text;
        benchmark::DoNotOptimize(copy.data());
    });
}
void map_from_text(benchmark::State& state) {
    on_map(state, [](const auto&, const std::string& text) {
        benchmark::DoNotOptimize(npuzzle::GridMap<>(text).directions_from(0));
    });
}
void map_from_predicate(benchmark::State& state) {
    on_map(state, [](const test::SquareMap& cells, const auto&) {
        const auto is_free = [&](int x, int y) { return cells.is_free(x, y); };
        benchmark::DoNotOptimize(npuzzle::GridMap<>(cells.size(), cells.size(), is_free).directions_from(0));
    });
}
void map_change(benchmark::State& state) {
    npuzzle::GridMap<> map(text_of(test::rooms(512, 15, 1)));
    std::uint32_t cell = 0;
    for (auto _ : state) {
        cell = (cell + 40'503) % static_cast<std::uint32_t>(map.size());
        benchmark::DoNotOptimize(map.set_free(cell, !map.is_free(cell)).size());
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK(map_copy_of_text)->Arg(512)->Arg(2048);
BENCHMARK(map_from_text)->Arg(512)->Arg(2048);
BENCHMARK(map_from_predicate)->Arg(512)->Arg(2048);
BENCHMARK(map_change);

} // namespace
