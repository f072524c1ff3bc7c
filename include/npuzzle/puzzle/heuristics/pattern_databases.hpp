#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cell_sets.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
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
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// Whether the mirror image of a board is looked up, too.
enum class Reflection : bool { none, both };

namespace detail {

/// A pattern as its table has it: maps cells of the board to cells of the table, and tiles to pieces.
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
            cell_at[as_index(image)] = static_cast<std::uint8_t>(cell);
            if ((shape.shape.cells >> image & 1U) != 0) {
                piece_of[as_index(goal.tile(cell))] =
                    static_cast<std::uint8_t>(count_cells(shape.shape.cells & (cell_bit(image) - 1)));
            }
            for (std::size_t move = 0; move < 4; ++move) {
                if (const int to = NeighborTable<N>::target[as_index(cell)][move]; to >= 0) {
                    steps[as_index(cell)][move] = PlacementStep(image_of_cell(N, shape.symmetry, to), image);
                }
            }
        }
    }

    /// The placement of the pieces on a board.
    Placement placement(const PackedBoard<N>& board) const {
        Placement result = 0;
        unsigned shift = placement_order_shift;
        for (int image = 0; image < N * N; ++image) {
            const int cell = cell_at[as_index(image)];
            if (const Placement piece = piece_of[as_index(board.tile(cell))]; piece != no_piece) {
                result |= cell_bit(image) | piece << shift;
                shift += 3;
            }
        }
        return result;
    }

    /// The value that is stored in bits 56 to 63.
    static int value(Placement placement) noexcept { return static_cast<int>(placement >> 56); }

    /// By the blank's cell and its move: the step of the tile that changes places with the blank.
    std::array<std::array<PlacementStep, 4>, N * N> steps{};
    std::array<std::uint8_t, N * N> cell_at{}; ///< by its image
    std::array<std::uint8_t, std::size_t{1} << PackedBoard<N>::bits> piece_of{};
};

/// A view of a table with a byte for each placement.
template <int N>
struct TableView : BoardView<N> {
    static constexpr bool is_consistent = false;

    TableView() = default;

    NPUZZLE_COLD TableView(const PatternTable& table, const NormalizedShape& shape,
                           const PackedBoard<N>& goal)
        : BoardView<N>(shape, goal), entries(table.entries().data()), ranks(&table.shape().ranking()),
          orders(ranks->orders()) {}

    Placement evaluate(const PackedBoard<N>& board) const { return look_up(this->placement(board)); }

    /// After a move of one of its tiles. `from`: the blank's cell before the move.
    NPUZZLE_ALWAYS_INLINE Placement after(Placement placement, std::size_t from,
                                          std::size_t move) const noexcept {
        return look_up(this->steps[from][move](placement));
    }

    /// A placement with its value.
    Placement look_up(Placement placement) const noexcept {
        const Placement value =
            entries[ranks->template set_rank<N>(static_cast<std::uint32_t>(placement)) * orders +
                    ranks->order_rank(placement)];
        return (placement & ~(Placement{255} << 56)) | value << 56;
    }

    const std::uint8_t* entries = nullptr;
    const PlacementRanking* ranks = nullptr;
    std::size_t orders = 0;
};

/// A view of a zero-aware table, which stores bit 1 of each value. Bit 0 follows from the placement: each
/// move changes the color of one cell. Values of two states one move apart differ by 1, so the two bits tell
/// which is less.
template <int N>
struct ZeroAwareView : BoardView<N> {
    static constexpr bool is_consistent = true; // Moves of other tiles do not change the blank's region.

    ZeroAwareView() = default;

    NPUZZLE_COLD ZeroAwareView(const PatternTable& table, const NormalizedShape& shape,
                               const PackedBoard<N>& goal)
        : BoardView<N>(shape, goal), bits(table.entries().data()),
          regions(&shared_tables<RegionTables>(N, table.shape().pieces())),
          most(static_cast<int>(table.entries_at_depth().size()) - 1), goal_cells(table.shape().cells) {}

    /// The placement on a board, with its value: the length of a path of falling values. O(moves).
    NPUZZLE_COLD Placement evaluate(const PackedBoard<N>& board) const {
        const Placement start = this->placement(board);
        Placement placement = start;
        const auto image = std::find(this->cell_at.begin(), this->cell_at.end(), board.blank_cell());
        std::uint32_t blank = cell_bit(static_cast<int>(image - this->cell_at.begin()));
        Placement moves = 0;
        while (step_down(placement, blank)) {
            if (std::cmp_greater(++moves, most)) return start; // the table is damaged
        }
        return start | moves << 56;
    }

    NPUZZLE_ALWAYS_INLINE Placement after(Placement placement, std::size_t from,
                                          std::size_t move) const noexcept {
        const PlacementStep& step = this->steps[from][move];
        const Placement next = step(placement); // with the value before the move
        const Placement raised = next + (Placement{1} << 56);
        // The blank is where the tile was.
        const std::size_t index =
            regions->template index<N>(next, step.flipped & ~static_cast<std::uint32_t>(next));
        // One of the values one above and one below has this bit.
        return raised - ((raised >> 57 ^ bits[index / 8] >> index % 8) & 1U) * (Placement{2} << 56);
    }

    /// The value modulo 4, with the blank in a cell of `blank`.
    unsigned low_bits(Placement placement, std::uint32_t blank) const {
        const std::size_t index = regions->template index<N>(placement, blank);
        const std::uint32_t colors = (static_cast<std::uint32_t>(placement) ^ goal_cells) & black_cells(N);
        return (bits[index / 8] >> index % 8 & 1U) << 1 | count_cells(colors) % 2;
    }

    /// Makes a move to a state of a value less by 1. Returns false if there is none.
    bool step_down(Placement& placement, std::uint32_t& blank) const {
        const unsigned wanted = (low_bits(placement, blank) + 3) % 4;
        const auto cells = static_cast<std::uint32_t>(placement);
        for (std::uint32_t to = component_of(N, all_cells(N) & ~cells, blank); to != 0; to &= to - 1) {
            const int target = std::countr_zero(to);
            for (std::uint32_t from = grown(N, cell_bit(target)) & cells; from != 0; from &= from - 1) {
                const int tile = std::countr_zero(from);
                const Placement next = PlacementStep(tile, target)(placement);
                if (low_bits(next, cell_bit(tile)) == wanted) {
                    placement = next;
                    blank = cell_bit(tile);
                    return true;
                }
            }
        }
        return false;
    }

    const std::uint8_t* bits = nullptr;
    const RegionTables* regions = nullptr;
    int most = 0; ///< the greatest value
    std::uint32_t goal_cells = 0;
};

template <int N, int Views, class View>
class BoundPatternDatabases {
public:
    using State = PackedBoard<N>;
    using Value = int;

    static constexpr bool is_consistent = View::is_consistent;
    static constexpr bool is_zero_at_goals = true;
    static constexpr bool waits_for_memory = true;

    /// The placement of each pattern, and the two sums.
    struct Evaluation {
        std::array<Placement, Views> placements;
        std::array<std::int16_t, 2> sums;
    };

    /// \param sides a partition, or a partition and its mirror image
    NPUZZLE_COLD BoundPatternDatabases(const State& goal, const std::vector<Partition>& sides, TableKind kind,
                                       std::shared_ptr<const std::vector<PatternTable>> tables)
        : tables_(std::move(tables)) {
        for (std::size_t side = 0; side < sides.size(); ++side) {
            for (const Pattern& pattern : sides[side].patterns()) {
                const NormalizedShape shape = normalized_shape(pattern, sides[side].blank_cell(), kind);
                views_[views_used_] = View(*find_table(*tables_, shape.shape), shape, goal);
                for (int cell = 0; cell < N * N; ++cell) {
                    if (pattern.contains(cell)) {
                        view_of_[side][as_index(goal.tile(cell))] =
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
            sum = static_cast<std::int16_t>(sum + View::value(evaluation.placements[view]));
        }
        return evaluation;
    }

    /// Looks up only what the move changes: one pattern, or two with reflection.
    template <class AnyMove>
    NPUZZLE_ALWAYS_INLINE Evaluation after(const Evaluation& evaluation, const State& before, AnyMove move,
                                           const State& /*after*/) const {
        const SlideMove slide = slide_of(before, move);
        const std::size_t tile = as_index(before.tile(slide.to));
        Evaluation result = evaluation;
        for (std::size_t side = 0; side < 2; ++side) {
            const std::size_t view = view_of_[side][tile];
            if (view == 0) continue;
            const Placement placement = evaluation.placements[view - 1];
            const Placement next =
                views_[view - 1].after(placement, as_index(slide.from), as_index(slide.move));
            result.placements[view - 1] = next;
            result.sums[side] =
                static_cast<std::int16_t>(evaluation.sums[side] + View::value(next) - View::value(placement));
        }
        return result;
    }

    /// The greater of the two sums.
    Value value(const Evaluation& evaluation) const noexcept {
        return evaluation.sums[0] < evaluation.sums[1] ? evaluation.sums[1] : evaluation.sums[0];
    }

    Value operator()(const State& board) const { return value(evaluate(board)); }

private:
    /// By side (the board or its mirror image) and tile: the number of the view plus 1; 0 for none.
    std::array<std::array<std::uint8_t, std::size_t{1} << PackedBoard<N>::bits>, 2> view_of_{};
    std::array<View, Views> views_{};
    std::array<std::uint8_t, Views> side_of_{};
    std::size_t views_used_ = 0;
    std::shared_ptr<const std::vector<PatternTable>> tables_;
};

} // namespace detail

/// Additive pattern databases: the sum, over the patterns of a partition, of the least number of moves that
/// the pattern's tiles need (R. E. Korf, A. Felner, "Disjoint pattern database heuristics", Artificial
/// Intelligence 134, 2002). Each pattern has a table. A move moves one tile, so no move is counted twice and
/// the sum is admissible. Tiles in no pattern add nothing.
///
/// With `Reflection::both`, the value is the greater of the sums for the board and for its mirror image, if
/// `Partition::has_reflection()`. In general not consistent: one move can change the value by more than 1.
///
/// The blank of the puzzle's goal must be where the partition has it. Copies are cheap: they share the
/// tables. For packed boards. A whole board takes one look-up for each pattern, a move one look-up, or two
/// with reflection.
///
///     const auto partition = Partition::named("5-5-5", goal_blank_last(4));
///     const PatternDatabases heuristic(partition, *build_tables(partition), Reflection::both);
///     ida_star(SlidingPuzzle<4>{}, board, heuristic);
///
/// \tparam Views the greatest number of look-ups for one value: the number of patterns, twice with
///     reflection. A search stores eight bytes for each, used or not.
/// \tparam kind of the tables: additive or zero-aware
template <int Views, TableKind kind = TableKind::additive>
class BasicPatternDatabases {
public:
    /// \param tables one for each pattern, in any order; patterns of the same shape may share one
    /// \throws std::invalid_argument if a table is missing, or if there are more than `Views` look-ups
    NPUZZLE_COLD BasicPatternDatabases(Partition partition, std::vector<PatternTable> tables,
                                       Reflection reflection = Reflection::none)
        : sides_{std::move(partition)} {
        const std::vector<Pattern>& patterns = sides_[0].patterns();
        if (reflection == Reflection::both && sides_[0].has_reflection()) {
            Partition other = sides_[0].reflected();
            if (!std::is_permutation(patterns.begin(), patterns.end(), other.patterns().begin())) {
                sides_.push_back(std::move(other));
            }
        }
        const std::size_t views = sides_[0].patterns().size() * sides_.size();
        if (views > Views) {
            detail::throw_invalid(
                {"a value is made up of ", views, " look-ups; this type has room for ", Views});
        }
        for (const TableShape& shape : table_shapes(sides_[0], kind)) {
            if (detail::find_table(tables, shape) == nullptr) {
                detail::throw_invalid({"the table ", shape.to_string(), " is missing"});
            }
        }
        tables_ = std::make_shared<const std::vector<PatternTable>>(std::move(tables));
    }

    /// Whether the value is the maximum of two sums: there is a mirror image, and it has other look-ups.
    [[nodiscard]] bool is_reflected() const noexcept { return sides_.size() == 2; }

    /// Binds the heuristic to a puzzle's goal.
    /// \throws std::invalid_argument if the goal has another size, or its blank is in another cell
    template <int N>
        requires(N != dynamic_size)
    [[nodiscard]] auto bind(const SlidingPuzzle<N>& puzzle) const {
        const int size = sides_[0].size();
        const int blank = puzzle.goal().blank_cell();
        if (N != size || blank != sides_[0].blank_cell()) {
            detail::throw_invalid({"pattern databases for boards of size ", size, " with the blank in ",
                                   detail::cell_text(sides_[0].blank_cell(), size),
                                   " do not fit a goal of size ", N, " with the blank in ",
                                   detail::cell_text(blank, N)});
        }
        using View =
            std::conditional_t<kind == TableKind::zero_aware, detail::ZeroAwareView<N>, detail::TableView<N>>;
        return detail::BoundPatternDatabases<N, Views, View>(puzzle.goal(), sides_, kind, tables_);
    }

private:
    std::vector<Partition> sides_; ///< the partition, and its mirror image if that is looked up, too
    std::shared_ptr<const std::vector<PatternTable>> tables_;
};

/// Pattern databases with up to eight look-ups. This is enough for all named partitions with reflection.
using PatternDatabases = BasicPatternDatabases<8>;

/// The same with zero-aware tables: see `TableKind`. They take less than a fifth of the bytes, and values are
/// at least as great.
///
/// Consistent. The value of a whole board takes tens of microseconds: a path of falling values for each
/// pattern. `astar` does this for each state that it expands, `ida_star` once.
///
///     const auto partition = Partition::named("6-6-6-6", goal_blank_last(5));
///     const auto tables = *load_or_build_tables<TableKind::zero_aware>(partition);
///     const ZeroAwarePatternDatabases heuristic(partition, tables, Reflection::both);
using ZeroAwarePatternDatabases = BasicPatternDatabases<8, TableKind::zero_aware>;

} // namespace npuzzle
