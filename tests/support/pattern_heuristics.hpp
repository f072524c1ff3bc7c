/// @file
/// Heuristics with pattern databases, and checks of them.
#pragma once

#include <npuzzle/puzzle/heuristics/pattern_databases.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/core/heuristic.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace test {

inline npuzzle::PatternDatabases built(const npuzzle::Partition& partition, npuzzle::Reflection reflection) {
    return npuzzle::PatternDatabases(partition, *npuzzle::build_tables(partition), reflection);
}

inline npuzzle::ZeroAwarePatternDatabases zero_aware(const npuzzle::Partition& partition,
                                                     npuzzle::Reflection reflection) {
    return npuzzle::ZeroAwarePatternDatabases(
        partition, *npuzzle::build_tables<npuzzle::TableKind::zero_aware>(partition), reflection);
}

/// The entry of an additive table for the tiles in `cells`.
inline int entry_of(const npuzzle::PatternTable& table, const std::vector<int>& cells) {
    npuzzle::Placement placement = 0;
    for (const int cell : cells) placement |= npuzzle::Placement{1} << cell;
    const auto set = static_cast<std::uint32_t>(placement);
    for (std::size_t piece = 0; piece < cells.size(); ++piece) {
        const int before = std::popcount(set & ((1U << cells[piece]) - 1));
        placement |= npuzzle::Placement{piece} << (32 + 3 * before);
    }
    const npuzzle::PlacementRanking& ranking = table.shape().ranking();
    return table
        .entries()[std::size_t{ranking.set_rank(set)} * ranking.orders() + ranking.order_rank(placement)];
}

/// The mirror image of a board. The content of a cell goes to the image of that cell, and becomes the tile
/// whose home is the image of its home. Rows and columns are exchanged if the blank's home is on the first
/// diagonal, and so on.
template <int N>
npuzzle::PackedBoard<N> in_the_mirror(const npuzzle::PackedBoard<N>& board,
                                      const npuzzle::PackedBoard<N>& goal) {
    const int row = goal.blank_cell() / N;
    const int column = goal.blank_cell() % N;
    const auto image = [&](int cell) {
        const int r = cell / N;
        const int c = cell % N;
        if (row == column) {
            return c * N + r;
        }
        if (row + column == N - 1) {
            return (N - 1 - c) * N + N - 1 - r;
        }
        return 2 * row == N - 1 ? (N - 1 - r) * N + c : r * N + N - 1 - c;
    };
    std::array<int, std::size_t{N} * std::size_t{N}> renamed{};
    std::array<int, std::size_t{N} * std::size_t{N}> tiles{};
    for (int cell = 0; cell < N * N; ++cell) {
        renamed[static_cast<std::size_t>(goal.tile(cell))] = goal.tile(image(cell));
    }
    for (int cell = 0; cell < N * N; ++cell) {
        tiles[static_cast<std::size_t>(image(cell))] = renamed[static_cast<std::size_t>(board.tile(cell))];
    }
    return npuzzle::PackedBoard<N>(tiles);
}

/// A walk by both kinds of moves. Each value is compared with the value computed from scratch.
template <int N, class H>
void check_walk(const H& heuristic, const npuzzle::PackedBoard<N>& goal, int length, std::uint64_t seed) {
    const npuzzle::SlidingPuzzle<N> puzzle{goal};
    const auto bound = heuristic.bind(puzzle);
    Random random(seed);
    npuzzle::PackedBoard<N> board = goal;
    auto evaluation = bound.evaluate(board);
    REQUIRE(bound.value(evaluation) == 0);
    npuzzle::Move last = npuzzle::Move::none;
    for (int i = 0; i < length; ++i) {
        std::array<npuzzle::Move, 4> moves{};
        std::size_t count = 0;
        puzzle.for_each_move(board, last, [&](npuzzle::Move move) { moves[count++] = move; });
        const npuzzle::Move move = moves[random.below(count)];
        npuzzle::PackedBoard<N> next = board;
        puzzle.apply(next, move);
        const auto next_evaluation = bound.after(evaluation, board, move, next);
        const int value = bound.value(next_evaluation);
        if (value != bound(next)) {
            FAIL("after a move " << value << ", from scratch " << bound(next) << ": " << board << next);
        }
        if (npuzzle::declares_consistent<decltype(bound)> && std::abs(value - bound.value(evaluation)) > 1) {
            FAIL("from " << bound.value(evaluation) << " to " << value << ": " << board << next);
        }
        if (value > i + 1) {
            FAIL(value << " within " << i + 1 << " moves of the goal: " << next);
        }
        // The same for each move with its cells known at compile time.
        bool is_other_value = false;
        puzzle.with_place(board, last, [&](auto place) {
            puzzle.any_move(place, [&](auto, auto slide) {
                is_other_value |= static_cast<npuzzle::Move>(slide) == move &&
                                  bound.value(bound.after(evaluation, board, slide, next)) != value;
                return false;
            });
        });
        if (is_other_value) {
            FAIL("another value for a move that is known at compile time: " << board << next);
        }
        board = next;
        evaluation = next_evaluation;
        last = move;
    }
}

} // namespace test
