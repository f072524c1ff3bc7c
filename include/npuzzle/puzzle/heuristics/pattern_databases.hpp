#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/heuristics/detail/table_view.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace npuzzle {

/// Whether the mirror image of a board is looked up as well.
enum class Reflection : bool { none, both };

namespace detail {

/// The state of additive look-ups on a board: the placement of each pattern, and the two sums.
template <int Views>
struct AdditiveEvaluation {
    std::array<Placement, static_cast<std::size_t>(Views)> placements;
    std::array<std::int16_t, 2> sums;
};

template <int N, int Views, template <int> class View>
class BoundPatternDatabases {
public:
    using State = PackedBoard<N>;
    using Value = int;
    using Evaluation = AdditiveEvaluation<Views>;

    static constexpr bool is_consistent = View<N>::is_consistent;
    static constexpr bool is_zero_at_goals = true;
    static constexpr bool waits_for_memory = true;

    BoundPatternDatabases(const State& goal, std::shared_ptr<const std::vector<PatternTable>> tables)
        : tables_(std::move(tables)), goal_(goal) {
        for (auto& side : view_of_) {
            side.fill(no_view);
        }
    }

    /// Adds the tables of a partition. A second call adds the mirror image's.
    NPUZZLE_COLD void add(const Partition& partition, TableKind kind) {
        for (const Pattern& pattern : partition.patterns()) {
            const NormalizedShape shape = normalized_shape(pattern, partition.blank_cell(), kind);
            const auto table = std::find_if(tables_->begin(), tables_->end(), [&](const PatternTable& each) {
                return each.shape() == shape.shape;
            });
            views_[views_used_] = View<N>(*table, shape, goal_);
            for (int cell = 0; cell < N * N; ++cell) {
                if (pattern.contains(cell)) {
                    view_of_[sides_][static_cast<std::size_t>(goal_.tile(cell))] =
                        static_cast<std::uint8_t>(views_used_);
                }
            }
            side_of_[views_used_++] = static_cast<std::uint8_t>(sides_);
        }
        ++sides_;
    }

    /// Looks up all patterns.
    Evaluation evaluate(const State& board) const {
        Evaluation evaluation{};
        for (std::size_t view = 0; view < views_used_; ++view) {
            evaluation.placements[view] = views_[view].evaluate(board);
            std::int16_t& sum = evaluation.sums[side_of_[view]];
            sum = static_cast<std::int16_t>(sum + View<N>::value(evaluation.placements[view]));
        }
        return evaluation;
    }

    /// Looks up only what the move changes: one pattern, or two with reflection.
    template <class AnyMove>
    NPUZZLE_ALWAYS_INLINE Evaluation after(const Evaluation& evaluation, const State& before, AnyMove move,
                                           const State& /*after*/) const {
        return changed(evaluation, slide_of(before, move));
    }

    /// The greater of the two sums.
    Value value(const Evaluation& evaluation) const noexcept {
        return evaluation.sums[0] < evaluation.sums[1] ? evaluation.sums[1] : evaluation.sums[0];
    }

    Value operator()(const State& board) const { return value(evaluate(board)); }

private:
    static constexpr std::uint8_t no_view = 255;

    /// A move of a tile: the blank's cell before it, the move, and the tile.
    struct Slide {
        std::size_t from;
        std::size_t move;
        int tile;
    };

    static Slide slide_of(const State& before, Move move) {
        const auto from = static_cast<std::size_t>(before.blank_cell());
        const int to = NeighborTable<N>::target[from][static_cast<std::size_t>(move)];
        return {from, static_cast<std::size_t>(move), before.tile(to)};
    }

    /// The same for a move whose cells are known at compile time.
    NPUZZLE_ALWAYS_INLINE static Slide slide_of(const State& before, SlideMove move) {
        return {static_cast<std::size_t>(move.from), static_cast<std::size_t>(move.move),
                before.tile(move.to)};
    }

    Evaluation changed(const Evaluation& evaluation, const Slide& slide) const {
        Evaluation result = evaluation;
        for (std::size_t side = 0; side < 2; ++side) {
            const std::size_t view = view_of_[side][static_cast<std::size_t>(slide.tile)];
            if (view == no_view) {
                continue;
            }
            const Placement placement = evaluation.placements[view];
            const Placement next = views_[view].after(placement, slide.from, slide.move);
            result.placements[view] = next;
            result.sums[side] = static_cast<std::int16_t>(evaluation.sums[side] + View<N>::value(next) -
                                                          View<N>::value(placement));
        }
        return result;
    }

    /// By side (the board or its mirror image) and tile.
    std::array<std::array<std::uint8_t, std::size_t{1} << PackedBoard<N>::bits>, 2> view_of_;
    std::array<View<N>, static_cast<std::size_t>(Views)> views_{};
    std::array<std::uint8_t, static_cast<std::size_t>(Views)> side_of_{};
    std::size_t views_used_ = 0;
    std::size_t sides_ = 0;
    std::shared_ptr<const std::vector<PatternTable>> tables_;
    State goal_;
};

/// The state of classical look-ups on a board: the placement of each pattern, and the greatest value.
template <int Views>
struct ClassicalEvaluation {
    std::array<Placement, static_cast<std::size_t>(Views)> placements;
    int value;
};

template <int N, int Views>
class BoundClassicalPatternDatabases {
public:
    using State = PackedBoard<N>;
    using Value = int;
    using Evaluation = ClassicalEvaluation<Views>;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;
    static constexpr bool waits_for_memory = true;

    BoundClassicalPatternDatabases(const State& goal, std::shared_ptr<const std::vector<PatternTable>> tables,
                                   const std::vector<Pattern>& patterns)
        : tables_(std::move(tables)), views_used_(patterns.size()) {
        for (std::size_t view = 0; view < patterns.size(); ++view) {
            views_[view] =
                TableView<N>((*tables_)[view],
                             normalized_shape(patterns[view], goal.blank_cell(), TableKind::classical), goal);
        }
    }

    Evaluation evaluate(const State& board) const {
        Evaluation evaluation{};
        for (std::size_t view = 0; view < views_used_; ++view) {
            evaluation.placements[view] = views_[view].evaluate(board);
            evaluation.value = (std::max)(evaluation.value, TableView<N>::value(evaluation.placements[view]));
        }
        return evaluation;
    }

    /// Looks up all patterns again: every move changes each of them, since the blank is in it.
    Evaluation after(const Evaluation& evaluation, const State& before, Move move, const State& after) const {
        Evaluation result{};
        const auto from = static_cast<std::size_t>(before.blank_cell());
        const auto to = static_cast<std::size_t>(after.blank_cell());
        const auto tile = static_cast<std::size_t>(before.tile(static_cast<int>(to)));
        for (std::size_t view = 0; view < views_used_; ++view) {
            const TableView<N>& seen = views_[view];
            const Placement placement = evaluation.placements[view];
            const Placement next = seen.piece_of[tile] == TableView<N>::no_piece
                                       ? seen.steps[to][static_cast<std::size_t>(inverse(move))](placement)
                                       : exchanged(placement, seen.cell_of[from], seen.cell_of[to]);
            result.placements[view] = seen.valued(next);
            result.value = (std::max)(result.value, TableView<N>::value(result.placements[view]));
        }
        return result;
    }

    Value value(const Evaluation& evaluation) const noexcept { return evaluation.value; }

    Value operator()(const State& board) const { return value(evaluate(board)); }

private:
    std::shared_ptr<const std::vector<PatternTable>> tables_;
    std::array<TableView<N>, static_cast<std::size_t>(Views)> views_{};
    std::size_t views_used_;
};

template <int N>
NPUZZLE_COLD void require_goal(const PackedBoard<N>& goal, int size, int blank_cell) {
    if (N != size || goal.blank_cell() != blank_cell) {
        detail::throw_invalid({"pattern databases for boards of size ", detail::number_text(size),
                               " with the blank in ", cell_text(blank_cell, size),
                               " do not fit a goal of size ", detail::number_text(N), " with the blank in ",
                               cell_text(goal.blank_cell(), N)});
    }
}

} // namespace detail

/// Additive pattern databases: the sum, over the patterns of a partition, of the least number of moves that
/// the pattern's tiles need (R. E. Korf, A. Felner, "Disjoint pattern database heuristics", Artificial
/// Intelligence 134, 2002). Each pattern's number is looked up in a table. A move moves one tile, so no move
/// is counted twice and the sum is admissible. Tiles that are in no pattern add nothing.
///
/// With `Reflection::both`, the mirror image of the board is looked up in the same tables, too. The value is
/// the greater of the two sums. There is a mirror image only if the blank's goal cell is on a diagonal or in
/// the middle row or column. Otherwise the board is looked up once.
///
/// In general not consistent: a table does not know where the blank is, so one move can change the value by
/// more than 1. `astar` reopens states where necessary. `ida_star` is unaffected.
///
/// It uses the goal of the puzzle. The goal must have its blank where the partition has it; the labels of the
/// tiles do not matter. Copies are cheap: they share the tables. For packed boards, of size 2 to 5. A whole
/// board takes one look-up for each pattern, a move one look-up, or two with reflection.
///
///     const auto partition = Partition::named("5-5-5", goal_blank_last(4));
///     const PatternDatabases heuristic(partition, *build_tables(partition), Reflection::both);
///     ida_star(SlidingPuzzle<4>{}, board, heuristic);
///
/// \tparam Views the greatest number of look-ups for one value: the number of patterns, twice that with
///     reflection. A search stores eight bytes for each of them, used or not.
/// \tparam kind of the tables: additive or zero-aware
template <int Views, TableKind kind = TableKind::additive>
class BasicPatternDatabases {
    static_assert(kind != TableKind::classical, "see ClassicalPatternDatabases");

public:
    /// \param tables one for each pattern, in any order; patterns of the same shape may share one
    /// \throws std::invalid_argument if a pattern's table is missing, or if there are more than `Views`
    ///     look-ups
    NPUZZLE_COLD BasicPatternDatabases(Partition partition, std::vector<PatternTable> tables,
                                       Reflection reflection = Reflection::none)
        : partition_(std::move(partition)) {
        is_reflected_ = reflection == Reflection::both && partition_.has_reflection() &&
                        !has_same_patterns(partition_.reflected(), partition_);
        const std::size_t views = partition_.patterns().size() * (is_reflected_ ? 2 : 1);
        if (views > Views) {
            detail::throw_invalid({"a value is made up of ", detail::number_text(views),
                                   " look-ups; this type has room for ", detail::number_text(Views)});
        }
        for (const TableShape& shape : table_shapes(partition_, kind)) {
            if (std::none_of(tables.begin(), tables.end(),
                             [&](const PatternTable& table) { return table.shape() == shape; })) {
                detail::throw_invalid({"the table ", shape.to_string(), " is missing"});
            }
        }
        tables_ = std::make_shared<const std::vector<PatternTable>>(std::move(tables));
    }

    /// The partition that was passed to the constructor.
    [[nodiscard]] const Partition& partition() const noexcept { return partition_; }

    /// Whether the value is the maximum of two sums. False also if there is no mirror image, or if it would
    /// give the same look-ups.
    [[nodiscard]] bool is_reflected() const noexcept { return is_reflected_; }

    /// The tables that were passed to the constructor.
    [[nodiscard]] const std::vector<PatternTable>& tables() const noexcept { return *tables_; }

    /// Binds the heuristic to a puzzle's goal.
    /// \throws std::invalid_argument if the goal has another size, or its blank is in another cell
    template <int N>
        requires(N != dynamic_size)
    [[nodiscard]] auto bind(const SlidingPuzzle<N>& puzzle) const {
        detail::require_goal(puzzle.goal(), partition_.size(), partition_.blank_cell());
        if constexpr (kind == TableKind::zero_aware) {
            return bind_views<N, detail::ZeroAwareView>(puzzle.goal());
        } else {
            return bind_views<N, detail::TableView>(puzzle.goal());
        }
    }

private:
    template <int N, template <int> class View>
    auto bind_views(const PackedBoard<N>& goal) const {
        detail::BoundPatternDatabases<N, Views, View> bound(goal, tables_);
        bound.add(partition_, kind);
        if (is_reflected_) {
            bound.add(partition_.reflected(), kind);
        }
        return bound;
    }

    static bool has_same_patterns(const Partition& a, const Partition& b) {
        return std::all_of(a.patterns().begin(), a.patterns().end(), [&](const Pattern& pattern) {
            return std::find(b.patterns().begin(), b.patterns().end(), pattern) != b.patterns().end();
        });
    }

    Partition partition_;
    std::shared_ptr<const std::vector<PatternTable>> tables_;
    bool is_reflected_ = false;
};

/// Pattern databases with up to eight look-ups. This is enough for all named partitions with reflection.
using PatternDatabases = BasicPatternDatabases<8>;

/// The same with zero-aware tables, whose values are at least as great: they distinguish the region of the
/// blank, the cells that it can reach without moving a tile of the pattern (R. Clausecker, A. Reinefeld,
/// "Zero-aware pattern databases with 1-bit compression for sliding tile puzzles", SoCS 2019). A bit for each
/// placement and region is stored, less than a fifth of the bytes of additive tables.
///
/// Consistent: a move changes the value by exactly 1. A look-up needs the value before the move, so
/// `ida_star` and its kin are fast. The value of a whole board is found on a path of falling values for each
/// pattern, in tens of microseconds; `astar` does this for each state that it expands.
///
///     const auto partition = Partition::named("6-6-6-6", goal_blank_last(5));
///     const auto tables = *load_or_build_tables<TableKind::zero_aware>(partition);
///     const ZeroAwarePatternDatabases heuristic(partition, tables, Reflection::both);
using ZeroAwarePatternDatabases = BasicPatternDatabases<8, TableKind::zero_aware>;

/// Classical pattern databases: the greatest entry of several tables that count all moves, with the blank as
/// one of the pieces (J. C. Culberson, J. Schaeffer, "Pattern databases", 1998).
///
/// Admissible and consistent. The patterns may overlap. A table of four tiles and the blank gives lower
/// values than additive tables of the same size. A whole board or a move takes one look-up for each pattern.
class ClassicalPatternDatabases {
public:
    /// The greatest number of patterns.
    static constexpr int max_patterns = 8;

    /// \param tables one for each pattern, in the order of the patterns: of `normalized_shape(pattern,
    ///     blank_cell, TableKind::classical)`
    /// \throws std::invalid_argument if there is no pattern or more than `max_patterns`, or if a table has
    ///     another shape
    ClassicalPatternDatabases(std::vector<Pattern> patterns, int blank_cell, std::vector<PatternTable> tables)
        : patterns_(std::move(patterns)), blank_cell_(blank_cell) {
        if (patterns_.empty() || patterns_.size() > max_patterns || patterns_.size() != tables.size()) {
            detail::throw_invalid({"there are ", detail::number_text(patterns_.size()), " patterns and ",
                                   detail::number_text(tables.size()), " tables; 1 to ",
                                   detail::number_text(max_patterns), " of each will do"});
        }
        for (std::size_t i = 0; i < patterns_.size(); ++i) {
            const TableShape shape = normalized_shape(patterns_[i], blank_cell, TableKind::classical).shape;
            if (tables[i].shape() != shape || patterns_[i].size() != patterns_[0].size()) {
                detail::throw_invalid({"the table ", tables[i].shape().to_string(), " stands where ",
                                       shape.to_string(), " should"});
            }
        }
        tables_ = std::make_shared<const std::vector<PatternTable>>(std::move(tables));
    }

    /// Binds the heuristic to a puzzle's goal.
    /// \throws std::invalid_argument if the goal has another size, or its blank is in another cell
    template <int N>
        requires(N != dynamic_size)
    [[nodiscard]] auto bind(const SlidingPuzzle<N>& puzzle) const {
        detail::require_goal(puzzle.goal(), patterns_[0].size(), blank_cell_);
        return detail::BoundClassicalPatternDatabases<N, max_patterns>(puzzle.goal(), tables_, patterns_);
    }

private:
    std::vector<Pattern> patterns_;
    int blank_cell_;
    std::shared_ptr<const std::vector<PatternTable>> tables_;
};

} // namespace npuzzle
