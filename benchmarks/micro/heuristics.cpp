// Heuristics, computed from scratch and after a move. An item is a board.

#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/heuristics/walking_distance.hpp>
#include <npuzzle/puzzle/move.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/heuristic.hpp>

#include "micro/boards.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

template <class Heuristic, class Boards>
void evaluate(benchmark::State& state, const Heuristic& heuristic, const Boards& boards) {
    for (auto _ : state) {
        for (const auto& board : boards) {
            benchmark::DoNotOptimize(heuristic(board));
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(boards.size()));
}

template <class Heuristic>
void from_scratch_packed(benchmark::State& state) {
    const npuzzle::SlidingPuzzle<4> puzzle;
    evaluate(state, npuzzle::bind_heuristic(Heuristic{}, puzzle), micro::walk_of_packed_boards());
}

template <class Heuristic>
void from_scratch_board(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    const npuzzle::SlidingPuzzle puzzle(n);
    evaluate(state, npuzzle::bind_heuristic(Heuristic{}, puzzle), micro::walk_of_boards(n));
}

void from_scratch_plain(benchmark::State& state) {
    evaluate(state, problems::plain_manhattan, micro::walk_of_plain_boards());
}

/// The moves that lead from each board of the walk to the next, after a dummy move to the first board.
std::vector<npuzzle::Move> moves_of(const std::vector<npuzzle::PackedBoard<4>>& boards) {
    std::vector<npuzzle::Move> moves{npuzzle::Move::none};
    for (std::size_t i = 1; i < boards.size(); ++i) {
        for (const npuzzle::Move move : npuzzle::all_moves) {
            if (boards[i - 1].can_move(move) && boards[i - 1].moved(move) == boards[i]) {
                moves.push_back(move);
            }
        }
    }
    return moves;
}

/// Follows a walk from the known value or evaluation of its first board.
template <class Heuristic, class Known, class Value>
void follow(benchmark::State& state, const Heuristic& heuristic,
            const std::vector<npuzzle::PackedBoard<4>>& boards, const Known& first, Value&& value) {
    const auto moves = moves_of(boards);
    Known known = first;
    for (auto _ : state) {
        known = first;
        for (std::size_t i = 1; i < boards.size(); ++i) {
            known = heuristic.after(known, boards[i - 1], moves[i], boards[i]);
        }
        benchmark::DoNotOptimize(known);
    }
    if (value(known) != heuristic(boards.back())) {
        state.SkipWithError("the moves do not lead to the value");
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(boards.size() - 1));
}

/// By values, as A* does.
template <class Heuristic>
void after_a_move(benchmark::State& state) {
    const auto heuristic = npuzzle::bind_heuristic(Heuristic{}, npuzzle::SlidingPuzzle<4>{});
    const auto boards = micro::walk_of_packed_boards();
    follow(state, heuristic, boards, heuristic(boards.front()), [](int value) { return value; });
}

/// By evaluations, as IDA* does.
template <class Heuristic>
void evaluated_after_a_move(benchmark::State& state) {
    const auto heuristic = npuzzle::bind_heuristic(Heuristic{}, npuzzle::SlidingPuzzle<4>{});
    const auto boards = micro::walk_of_packed_boards();
    follow(state, heuristic, boards, heuristic.evaluate(boards.front()),
           [&](const auto& evaluation) { return heuristic.value(evaluation); });
}

BENCHMARK(from_scratch_packed<npuzzle::Hamming>);
BENCHMARK(from_scratch_packed<npuzzle::Manhattan>);
BENCHMARK(from_scratch_packed<npuzzle::LinearConflict>);
BENCHMARK(from_scratch_packed<npuzzle::WalkingDistance>);
BENCHMARK(from_scratch_plain);
BENCHMARK(from_scratch_board<npuzzle::Manhattan>)->Arg(4)->Arg(10);
BENCHMARK(from_scratch_board<npuzzle::LinearConflict>)->Arg(4)->Arg(10);
BENCHMARK(after_a_move<npuzzle::Manhattan>);
BENCHMARK(after_a_move<npuzzle::LinearConflict>);
BENCHMARK(evaluated_after_a_move<npuzzle::LinearConflict>);
BENCHMARK(evaluated_after_a_move<npuzzle::WalkingDistance>);

} // namespace
