#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/pattern_database/detail/zero_aware_states.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace npuzzle {

/// Whether the mirror image of a board is looked up as well.
enum class Reflection : bool { none, both };

namespace detail {

/// A pattern on a board: maps cells of the board to cells of a table, and tiles to pieces.
template <int N>
struct BoardView {
    static constexpr std::uint8_t no_piece = 255;

    BoardView() = default;

    /// \param shape the shape of the table, and the symmetry that takes the board to it
    /// \param goal the goal of the puzzle
    NPUZZLE_COLD BoardView(const NormalizedShape& shape, const PackedBoard<N>& goal) {
        piece_of.fill(no_piece);
        for (int cell = 0; cell < N * N; ++cell) {
            const int image = image_of_cell(N, shape.symmetry, cell);
            cell_of[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(image);
            if ((shape.shape.cells >> image & 1U) != 0) {
                piece_of[static_cast<std::size_t>(goal.tile(cell))] =
                    static_cast<std::uint8_t>(count_cells(shape.shape.cells & (cell_bit(image) - 1)));
            }
            for (std::size_t move = 0; move < 4; ++move) {
                if (const int to = NeighborTable<N>::target[static_cast<std::size_t>(cell)][move]; to >= 0) {
                    steps[static_cast<std::size_t>(cell)][move] =
                        PlacementStep(image_of_cell(N, shape.symmetry, to), image);
                }
            }
        }
        if (shape.shape.kind == TableKind::classical) {
            piece_of[0] = static_cast<std::uint8_t>(count_cells(shape.shape.cells));
        }
    }

    /// The placement of the pieces on a board.
    Placement placement(const PackedBoard<N>& board) const {
        std::array<Placement, std::size_t{N} * std::size_t{N}> piece_in{};
        for (int cell = 0; cell < N * N; ++cell) {
            piece_in[cell_of[static_cast<std::size_t>(cell)]] =
                piece_of[static_cast<std::size_t>(board.tile(cell))];
        }
        Placement result = 0;
        unsigned shift = placement_order_shift;
        for (int cell = 0; cell < N * N; ++cell) {
            if (const Placement piece = piece_in[static_cast<std::size_t>(cell)]; piece != no_piece) {
                result |= cell_bit(cell) | piece << shift;
                shift += 3;
            }
        }
        return result;
    }

    /// The value that is stored in bits 56 to 63.
    static int value(Placement placement) noexcept { return static_cast<int>(placement >> 56); }

    /// By the blank's cell and its move: the step of the tile that changes places with the blank.
    std::array<std::array<PlacementStep, 4>, std::size_t{N} * std::size_t{N}> steps{};
    std::array<std::uint8_t, std::size_t{N} * std::size_t{N}> cell_of{};
    std::array<std::uint8_t, std::size_t{1} << PackedBoard<N>::bits> piece_of{};
};

/// A view of a table with a byte for each placement.
template <int N>
struct TableView : BoardView<N> {
    static constexpr bool is_consistent = false;

    TableView() = default;

    NPUZZLE_COLD TableView(const PatternTable& table, const NormalizedShape& shape,
                           const PackedBoard<N>& goal)
        : BoardView<N>(shape, goal), entries(table.entries().data()),
          ranks(&shared_tables<RankTables>(N, table.shape().pieces())),
          orders(factorial(table.shape().pieces())) {}

    /// The placement on a board, with its value.
    Placement evaluate(const PackedBoard<N>& board) const { return valued(this->placement(board)); }

    /// The placement, with its value, after a move of one of its tiles. `from`: the blank's cell before it.
    NPUZZLE_ALWAYS_INLINE Placement after(Placement placement, std::size_t from,
                                          std::size_t move) const noexcept {
        return valued(this->steps[from][move](placement));
    }

    /// The same placement, with its value looked up.
    Placement valued(Placement placement) const noexcept {
        const Placement value =
            entries[ranks->template set_rank<N>(static_cast<std::uint32_t>(placement)) * orders +
                    ranks->order_rank(placement)];
        return (placement & ~(Placement{255} << 56)) | value << 56;
    }

    const std::uint8_t* entries = nullptr;
    const RankTables* ranks = nullptr;
    std::size_t orders = 0;
};

/// A view of a zero-aware table. A value follows from the one before the move and a bit.
template <int N>
struct ZeroAwareView : BoardView<N> {
    /// Moves of other tiles do not change the region of the blank.
    static constexpr bool is_consistent = true;

    ZeroAwareView() = default;

    NPUZZLE_COLD ZeroAwareView(const PatternTable& of, const NormalizedShape& shape,
                               const PackedBoard<N>& goal)
        : BoardView<N>(shape, goal), table(&of), bits(of.entries().data()),
          regions(&region_tables(N, of.shape().pieces())) {}

    /// The placement on a board, with its value, which is found on a path to the goal.
    Placement evaluate(const PackedBoard<N>& board) const {
        const Placement placement = this->placement(board);
        const std::uint32_t blank = cell_bit(this->cell_of[static_cast<std::size_t>(board.blank_cell())]);
        // A damaged table gives wrong values.
        const auto value =
            static_cast<Placement>(ZeroAwareStates(*table).value(placement, blank).value_or(0));
        return placement | value << 56;
    }

    NPUZZLE_ALWAYS_INLINE Placement after(Placement placement, std::size_t from,
                                          std::size_t move) const noexcept {
        const PlacementStep& step = this->steps[from][move];
        const Placement next = step(placement); // with the value before the move
        const Placement raised = next + (Placement{1} << 56);
        // The blank is where the tile was.
        const std::size_t index =
            regions->template index<N>(next, step.flipped & ~static_cast<std::uint32_t>(next));
        // Of the values one above and one below, one has this bit.
        return raised - ((raised >> 57 ^ bits[index / 8] >> index % 8) & 1U) * (Placement{2} << 56);
    }

    const PatternTable* table = nullptr;
    const std::uint8_t* bits = nullptr;
    const RegionTables* regions = nullptr;
};

template <int N, int Views, template <int> class View>
class BoundPatternDatabases {
public:
    using State = PackedBoard<N>;
    using Value = int;

    static constexpr bool is_consistent = View<N>::is_consistent;
    static constexpr bool is_zero_at_goals = true;
    static constexpr bool waits_for_memory = true;

    /// The placement of each pattern, and the two sums.
    struct Evaluation {
        std::array<Placement, static_cast<std::size_t>(Views)> placements;
        std::array<std::int16_t, 2> sums;
    };

    /// \param sides a partition, or a partition and its mirror image
    NPUZZLE_COLD BoundPatternDatabases(const State& goal, const std::vector<Partition>& sides, TableKind kind,
                                       std::shared_ptr<const std::vector<PatternTable>> tables)
        : tables_(std::move(tables)) {
        for (std::size_t side = 0; side < sides.size(); ++side) {
            for (const Pattern& pattern : sides[side].patterns()) {
                const NormalizedShape shape = normalized_shape(pattern, sides[side].blank_cell(), kind);
                const auto table =
                    std::find_if(tables_->begin(), tables_->end(),
                                 [&](const PatternTable& each) { return each.shape() == shape.shape; });
                views_[views_used_] = View<N>(*table, shape, goal);
                for (int cell = 0; cell < N * N; ++cell) {
                    if (pattern.contains(cell)) {
                        view_of_[side][static_cast<std::size_t>(goal.tile(cell))] =
                            static_cast<std::uint8_t>(views_used_ + 1);
                    }
                }
                side_of_[views_used_++] = static_cast<std::uint8_t>(side);
            }
        }
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
        const auto number = static_cast<std::size_t>(static_cast<Move>(move));
        if constexpr (requires { move.from; }) { // known at compile time
            return moved(evaluation, static_cast<std::size_t>(move.from), number, before.tile(move.to));
        } else {
            const auto from = static_cast<std::size_t>(before.blank_cell());
            return moved(evaluation, from, number, before.tile(NeighborTable<N>::target[from][number]));
        }
    }

    /// The greater of the two sums.
    Value value(const Evaluation& evaluation) const noexcept {
        return evaluation.sums[0] < evaluation.sums[1] ? evaluation.sums[1] : evaluation.sums[0];
    }

    Value operator()(const State& board) const { return value(evaluate(board)); }

private:
    /// \param from the cell of the blank before the move
    Evaluation moved(const Evaluation& evaluation, std::size_t from, std::size_t move, int tile) const {
        Evaluation result = evaluation;
        for (std::size_t side = 0; side < 2; ++side) {
            const std::size_t view = view_of_[side][static_cast<std::size_t>(tile)];
            if (view == 0) {
                continue;
            }
            const Placement placement = evaluation.placements[view - 1];
            const Placement next = views_[view - 1].after(placement, from, move);
            result.placements[view - 1] = next;
            result.sums[side] = static_cast<std::int16_t>(evaluation.sums[side] + View<N>::value(next) -
                                                          View<N>::value(placement));
        }
        return result;
    }

    /// By side (the board or its mirror image) and tile: the number of the view plus 1; 0 for none.
    std::array<std::array<std::uint8_t, std::size_t{1} << PackedBoard<N>::bits>, 2> view_of_{};
    std::array<View<N>, static_cast<std::size_t>(Views)> views_{};
    std::array<std::uint8_t, static_cast<std::size_t>(Views)> side_of_{};
    std::size_t views_used_ = 0;
    std::shared_ptr<const std::vector<PatternTable>> tables_;
};

template <int N, int Views>
class BoundClassicalPatternDatabases {
public:
    using State = PackedBoard<N>;
    using Value = int;

    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;
    static constexpr bool waits_for_memory = true;

    /// The placement of each pattern, and the greatest value.
    struct Evaluation {
        std::array<Placement, static_cast<std::size_t>(Views)> placements;
        int value;
    };

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
        return of_all([&](std::size_t view) { return views_[view].evaluate(board); });
    }

    /// Looks up all patterns again: every move changes each of them, since the blank is in it.
    Evaluation after(const Evaluation& evaluation, const State& before, Move move, const State& after) const {
        const auto from = static_cast<std::size_t>(before.blank_cell());
        const auto to = static_cast<std::size_t>(after.blank_cell());
        const auto tile = static_cast<std::size_t>(before.tile(static_cast<int>(to)));
        return of_all([&](std::size_t view) {
            const TableView<N>& seen = views_[view];
            const Placement placement = evaluation.placements[view];
            return seen.valued(seen.piece_of[tile] == TableView<N>::no_piece
                                   ? seen.steps[to][static_cast<std::size_t>(inverse(move))](placement)
                                   : exchanged(placement, seen.cell_of[from], seen.cell_of[to]));
        });
    }

    Value value(const Evaluation& evaluation) const noexcept { return evaluation.value; }

    Value operator()(const State& board) const { return value(evaluate(board)); }

private:
    template <class F>
    Evaluation of_all(const F& placement_of) const {
        Evaluation result{};
        for (std::size_t view = 0; view < views_used_; ++view) {
            result.placements[view] = placement_of(view);
            result.value = (std::max)(result.value, TableView<N>::value(result.placements[view]));
        }
        return result;
    }

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
        std::vector<Partition> sides{partition_};
        if (is_reflected_) {
            sides.push_back(partition_.reflected());
        }
        if constexpr (kind == TableKind::zero_aware) {
            return detail::BoundPatternDatabases<N, Views, detail::ZeroAwareView>(puzzle.goal(), sides, kind,
                                                                                  tables_);
        } else {
            return detail::BoundPatternDatabases<N, Views, detail::TableView>(puzzle.goal(), sides, kind,
                                                                              tables_);
        }
    }

private:
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
