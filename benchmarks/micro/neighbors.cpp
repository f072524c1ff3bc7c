// The boards one move away. An item is a board whose neighbors are generated.

#include <npuzzle/puzzle/sliding_puzzle.hpp>

#include "micro/boards.hpp"
#include "problems/packed_15_puzzle.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace {

template <class Problem, class Boards>
void list(benchmark::State& state, const Problem& problem, const Boards& boards) {
    for (auto _ : state) {
        for (const auto& board : boards) {
            for (const auto& neighbor : problem.neighbors(board)) {
                benchmark::DoNotOptimize(neighbor);
            }
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(boards.size()));
}

template <class Problem, class Boards>
void apply_moves(benchmark::State& state, const Problem& problem, const Boards& boards) {
    for (auto _ : state) {
        for (const auto& board : boards) {
            problem.for_each_move(board, Problem::no_move, [&](auto move) {
                auto child = board;
                problem.apply(child, move);
                benchmark::DoNotOptimize(child);
            });
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(boards.size()));
}

std::vector<std::uint64_t> words() {
    std::vector<std::uint64_t> result;
    for (const auto& board : micro::walk_of_packed_boards()) {
        result.push_back(board.word());
    }
    return result;
}

void neighbors_packed(benchmark::State& state) {
    list(state, npuzzle::SlidingPuzzle<4>{}, micro::walk_of_packed_boards());
}
void neighbors_board(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    list(state, npuzzle::SlidingPuzzle(n), micro::walk_of_boards(n));
}
void neighbors_plain(benchmark::State& state) {
    list(state, problems::Plain15Puzzle{}, micro::walk_of_plain_boards());
}
void moves_packed(benchmark::State& state) {
    apply_moves(state, npuzzle::SlidingPuzzle<4>{}, micro::walk_of_packed_boards());
}
void moves_packed_by_a_user(benchmark::State& state) {
    apply_moves(state, problems::Packed15Puzzle{}, words());
}

BENCHMARK(neighbors_packed);
BENCHMARK(neighbors_board)->Arg(4)->Arg(10);
BENCHMARK(neighbors_plain);
BENCHMARK(moves_packed);
BENCHMARK(moves_packed_by_a_user);

} // namespace
