#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/grid.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cell_sets.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/core/limits.hpp"
#include "npuzzle/search/for_each_parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace npuzzle {

/// The progress of a build.
struct BuildProgress {
    TableShape shape;               ///< the table
    std::uint64_t entries_done = 0; ///< entries whose value is known
    std::uint64_t entries = 0;      ///< of the table; at the end, those that can be reached
    int depth = 0;                  ///< the greatest value so far
    double seconds = 0;             ///< since the start
    double seconds_left = 0;        ///< an estimate

    /// The percentage of entries that are done.
    [[nodiscard]] double percent() const noexcept {
        return entries == 0 ? 0 : 100 * static_cast<double>(entries_done) / static_cast<double>(entries);
    }
};

/// Options for the build of a table.
struct BuildOptions {
    /// The greatest number of threads; 0 for the number of hardware threads. Small tables use fewer. The
    /// table does not depend on the number.
    unsigned threads = 0;
    /// Called by the building thread after each depth, several times a second in between, and at the end. An
    /// exception from it ends the build and is passed to the caller.
    std::function<void(const BuildProgress&)> progress = {};
    /// Ends the build within milliseconds. Asked by the building thread.
    StopToken stop = {};
};

namespace detail {

/// Backward breadth-first search from the goal over pairs of a placement and a region of the blank. Moves of
/// the pattern's tiles cost 1; moves of other tiles cost nothing, so they only join cells to regions.
///
/// The states are grouped into blocks: one block for each set of occupied cells and region, with one bit for
/// each order of the tiles. A move of a tile leads from a block to exactly one other block. If the tile moves
/// along its row, all bits move at once. Otherwise a table says where each bit moves (`turns_`).
///
/// A move changes the color of one cell of the set, so the depths of two neighbors differ by exactly one.
/// Hence a block holds only its states of one depth: a new depth consists of the neighbors of the last depth,
/// except the states of the depth before it, which the block itself still holds. A block reads from its
/// neighbors and writes only to itself, so threads need no locks and no fixed order.
///
/// The values are bytes, by the index of a placement: the least of its regions. Or they are bit 1 of the
/// value of each state, in blocks, for a zero-aware table.
class PatternSearch {
public:
    /// The memory of a thread.
    struct Worker {
        std::vector<std::uint64_t> gathered = {};
        std::atomic<std::uint64_t> found{0}; ///< values
        bool is_alive = false;               ///< whether it has found states
    };

    /// \throws std::bad_alloc
    NPUZZLE_NOINLINE explicit PatternSearch(const TableShape& shape)
        : n_(shape.n), pieces_(shape.pieces()), ranking_(shape.ranking()),
          tables_(shared_tables<RegionTables>(n_, pieces_)), orders_(ranking_.orders()),
          words_(tables_.words()), keeps_bits_(shape.kind == TableKind::zero_aware), live_(tables_.blocks()),
          missing_(tables_.blocks(), orders_), states_(static_cast<std::size_t>(tables_.bytes())),
          values_(std::make_shared<TableMemory>(static_cast<std::size_t>(table_layout(shape).bytes))) {
        list_turns();
        list_steps(shape.cells);
        const std::uint32_t rank = ranking_.set_rank(shape.cells);
        const std::size_t block = tables_.block(rank, cell_bit(shape.blank));
        live_[block] = 1;
        --missing_[block];
        states_.words[block * words_] = 1; // the goal's order has rank 0
        if (!keeps_bits_) {
            std::memset(values_->data(), PatternTable::unreached,
                        static_cast<std::size_t>(ranking_.placements()));
            values_->data()[rank * orders_] = 0;
        }
    }

    /// The bytes that the search for a table holds beside the values.
    static std::uint64_t bytes_beside_values(const TableShape& shape) {
        const auto& tables = shared_tables<RegionTables>(shape.n, shape.pieces());
        return tables.bytes() + tables.blocks() * (sizeof(Region) + 5) +
               shape.ranking().sets() * sizeof(Set) + step_count(shape.n, shape.pieces()) * sizeof(Step) +
               std::uint64_t{64} * shape.ranking().orders();
    }

    const std::shared_ptr<TableMemory>& values() const { return values_; }

    /// Gives a thread its memory.
    void prepare(Worker& worker) const { worker.gathered.resize(words_); }

    /// Finds the states of a depth, from 1 on, with tiles in the sets of ranks `first` to `last` - 1.
    NPUZZLE_NOINLINE void expand(std::uint32_t first, std::uint32_t last, unsigned depth, Worker& worker) {
        std::size_t region = first == 0 ? 0 : sets_[first - 1].regions;
        for (std::uint32_t rank = first; rank < last; ++rank) {
            const std::size_t end = sets_[rank].regions;
            for (; sets_[rank].parity == depth % 2 && region < end; ++region) {
                make_block(region, rank, depth, worker);
            }
            region = end;
        }
    }

private:
    using Bits = std::uint64_t;

    /// A set of cells: where its regions end, and the parity of the depths that it is in.
    struct Set {
        std::uint32_t regions;
        std::uint32_t parity;
    };

    /// A region of a set: its block, and where the steps that lead to it end.
    struct Region {
        std::uint32_t block;
        std::uint32_t steps;
    };

    /// A move leads here from a block, and changes the order of its tiles.
    struct Step {
        std::uint32_t block;
        std::uint32_t turn;
    };

    /// The ordered pairs of a tile and a free cell beside it, in all sets.
    static std::uint64_t step_count(int n, int k) {
        return std::uint64_t{4} * static_cast<unsigned>(n * (n - 1)) * binomial(n * n - 2, k - 1);
    }

    /// Lists the rank of each order after a tile has moved past others, by the rank before.
    void list_turns() {
        std::array<Placement, 8> pieces{0, 1, 2, 3, 4, 5, 6, 7};
        for (std::uint32_t rank = 0; rank < orders_; ++rank) {
            Placement order = 0;
            for (int i = pieces_; i-- > 0;) order = order << 3 | pieces[as_index(i)];
            for (unsigned skipped = 0; skipped < 8; ++skipped) {
                for (unsigned passed = 1; passed < static_cast<unsigned>(n_); ++passed) {
                    if (skipped + passed >= static_cast<unsigned>(pieces_)) continue;
                    for (const bool is_up : {false, true}) {
                        turns_[turn_of(skipped, passed, is_up)].push_back(static_cast<std::uint16_t>(
                            ranking_.order_rank(PlacementStep::moved_past(order << placement_order_shift,
                                                                          placement_order_shift + 3 * skipped,
                                                                          passed, is_up))));
                    }
                }
            }
            std::next_permutation(pieces.begin(), pieces.begin() + pieces_); // in the order of the ranks
        }
    }

    static constexpr std::uint32_t turn_of(unsigned skipped, unsigned passed, bool is_up) {
        return passed == 0 ? 0 : skipped << 4 | passed << 1 | (is_up ? 1U : 0U);
    }

    void list_steps(std::uint32_t goal) {
        sets_.reserve(ranking_.sets());
        regions_.reserve(tables_.blocks());
        steps_.reserve(static_cast<std::size_t>(step_count(n_, pieces_)));
        std::uint32_t cells = cell_bit(pieces_) - 1;
        for (std::uint32_t rank = 0; rank < ranking_.sets(); ++rank, cells = next_set(cells)) {
            tables_.for_each_region(rank, all_cells(n_) & ~cells, [&](std::size_t block, std::uint32_t free) {
                for (; free != 0; free &= free - 1) {
                    // Before the move the tile was in `from`, and the blank was where the tile is now.
                    const int from = std::countr_zero(free);
                    for (std::uint32_t tiles = grown(n_, cell_bit(from)) & cells; tiles != 0;
                         tiles &= tiles - 1) {
                        add_step(cells, from, std::countr_zero(tiles));
                    }
                }
                regions_.push_back(
                    {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(steps_.size())});
            });
            sets_.push_back({static_cast<std::uint32_t>(regions_.size()),
                             count_cells((cells ^ goal) & black_cells(n_)) % 2});
        }
    }

    void add_step(std::uint32_t cells, int from, int to) {
        const PlacementStep step(from, to);
        const std::size_t block = tables_.block(ranking_.set_rank(cells ^ step.flipped), cell_bit(to));
        steps_.push_back(
            {static_cast<std::uint32_t>(block), turn_of(count_cells(cells & (cell_bit(step.low) - 1)),
                                                        count_cells(cells & step.between), step.is_up)});
    }

    void make_block(std::size_t region, std::uint32_t rank, unsigned depth, Worker& worker) {
        const std::size_t number = regions_[region].block;
        const bool is_reached = missing_[number] != 0 && gather(region, worker.gathered.data());
        if (!is_reached && live_[number] == 0) return;
        Bits* const block = states_.words.data() + number * words_;
        Bits* const bits = values_->words.data() + number * words_;
        std::uint8_t* const entries = values_->data() + std::size_t{rank} * orders_;
        std::uint32_t states = 0;
        std::uint64_t found = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            Bits fresh = is_reached ? worker.gathered[word] & ~block[word] : 0;
            block[word] = fresh;
            states += count_cells(static_cast<std::uint32_t>(fresh)) +
                      count_cells(static_cast<std::uint32_t>(fresh >> 32));
            if (keeps_bits_) {
                bits[word] |= (depth & 2U) != 0 ? fresh : 0;
                continue;
            }
            for (; fresh != 0; fresh &= fresh - 1) {
                std::uint8_t& entry = entries[word * 64 + as_index(std::countr_zero(fresh))];
                if (entry == PatternTable::unreached) {
                    entry = static_cast<std::uint8_t>(depth);
                    ++found;
                }
            }
        }
        missing_[number] -= states;
        live_[number] = states != 0 ? 1 : 0;
        worker.is_alive = worker.is_alive || states != 0;
        worker.found.store(worker.found.load(std::memory_order_relaxed) + (keeps_bits_ ? states : found),
                           std::memory_order_relaxed);
    }

    /// Collects the states from which one move of a tile leads to a region. Returns false if there are none.
    bool gather(std::size_t region, Bits* const gathered) const {
        const std::size_t words = words_; // a copy, which stores to `gathered` cannot change
        bool is_reached = false;
        for (std::size_t i = region == 0 ? 0 : regions_[region - 1].steps; i < regions_[region].steps; ++i) {
            const Step step = steps_[i];
            if (live_[step.block] == 0) continue;
            if (!is_reached) {
                is_reached = true;
                std::fill_n(gathered, words, Bits{0});
            }
            const Bits* const source = states_.words.data() + step.block * words;
            const std::uint16_t* const turned = turns_[step.turn].data();
            for (std::size_t word = 0; word < words; ++word) {
                if (step.turn == 0) {
                    gathered[word] |= source[word];
                    continue;
                }
                for (Bits rest = source[word]; rest != 0; rest &= rest - 1) {
                    const std::size_t order = turned[word * 64 + as_index(std::countr_zero(rest))];
                    gathered[order / 64] |= Bits{1} << order % 64;
                }
            }
        }
        return is_reached;
    }

    int n_;
    int pieces_;
    const PlacementRanking& ranking_;
    const RegionTables& tables_;
    std::uint32_t orders_;
    std::size_t words_; ///< of a block
    bool keeps_bits_;
    /// By the pieces skipped and passed, and the direction.
    std::array<std::vector<std::uint16_t>, 128> turns_;
    std::vector<Set> sets_;
    std::vector<Region> regions_;
    std::vector<Step> steps_;
    std::vector<std::uint8_t> live_;     ///< by block: whether it has states of the last depth
    std::vector<std::uint32_t> missing_; ///< by block: the number of states that are not found yet
    TableMemory states_;                 ///< of one depth, by block
    std::shared_ptr<TableMemory> values_;
};

/// Runs a `PatternSearch` depth after depth, by several threads, and tells the progress.
class TableBuilder {
public:
    TableBuilder(const TableShape& shape, const BuildOptions& options)
        : options_(options), progress_{.shape = shape, .entries = table_layout(shape).values},
          sets_(shape.ranking().sets()), piece_(1 + 32767 / shape.ranking().orders()), search_(shape),
          // A thread is worth its start for a few milliseconds of work.
          workers_(static_cast<std::size_t>(std::min<std::uint64_t>(
              {thread_count(options.threads), 256, 1 + shape.ranking().placements() / 131072}))) {
        for (Worker& worker : workers_) search_.prepare(worker);
    }

    /// Finds all values. False if a stop was requested.
    bool build() {
        for (bool is_alive = true; is_alive;) {
            const auto depth = static_cast<unsigned>(entries_at_depth_.size());
            tell_progress(depth - 1);
            if (!expand(depth)) return false;
            entries_at_depth_.push_back(found());
            done_ += found();
            is_alive = false;
            for (Worker& worker : workers_) {
                worker.found = 0;
                is_alive = std::exchange(worker.is_alive, false) || is_alive;
            }
        }
        // The last depths reached no value that was not known.
        while (entries_at_depth_.back() == 0) entries_at_depth_.pop_back();
        progress_.entries = done_;
        tell_progress(entries_at_depth_.size() - 1);
        return true;
    }

    const std::shared_ptr<TableMemory>& values() const { return search_.values(); }
    const std::vector<std::uint64_t>& entries_at_depth() const { return entries_at_depth_; }

private:
    using Worker = PatternSearch::Worker;
    using Clock = std::chrono::steady_clock;

    /// Finds the values of one depth. False if a stop was requested.
    bool expand(unsigned depth) {
        next_ = 0;
        const auto work = [&](Worker& worker) { expand_pieces(depth, worker); };
        JoinedThreads helpers; // as many as the system gives
        try {
            for (std::size_t i = 1; i < workers_.size(); ++i) {
                if (!helpers.try_to_add([&work, &worker = workers_[i]] { work(worker); })) break;
            }
            work(workers_[0]);
        } catch (...) {
            is_stopped_ = true;
            throw; // after the helpers have been joined
        }
        return !is_stopped_;
    }

    /// Takes one piece of the sets after another. The building thread also looks at the clock and the stop.
    void expand_pieces(unsigned depth, Worker& worker) {
        while (!is_stopped_) {
            const std::uint32_t first = next_.fetch_add(piece_);
            if (first >= sets_) return;
            search_.expand(first, (std::min)(first + piece_, sets_), depth, worker);
            if (&worker != workers_.data()) continue;
            if (options_.stop.stop_requested()) {
                is_stopped_ = true;
            } else if (Clock::now() - last_told_ >= std::chrono::milliseconds{100}) {
                tell_progress(depth);
            }
        }
    }

    /// How many values of the present depth have been found.
    std::uint64_t found() const {
        std::uint64_t sum = 0;
        for (const Worker& worker : workers_) sum += worker.found;
        return sum;
    }

    void tell_progress(std::size_t depth) {
        if (!options_.progress) return;
        last_told_ = Clock::now();
        progress_.entries_done = done_ + found();
        progress_.depth = static_cast<int>(depth);
        progress_.seconds = std::chrono::duration<double>(last_told_ - started_).count();
        progress_.seconds_left = progress_.seconds * (100 / progress_.percent() - 1);
        options_.progress(progress_);
    }

    const BuildOptions& options_;
    Clock::time_point started_ = Clock::now();
    Clock::time_point last_told_ = started_;
    BuildProgress progress_;
    std::uint32_t sets_;
    std::uint32_t piece_; ///< so many sets at a time, which is a few hundred microseconds of work
    PatternSearch search_;
    std::vector<Worker> workers_;
    std::vector<std::uint64_t> entries_at_depth_{1};
    std::uint64_t done_ = 1; ///< values of the depths before
    std::atomic<std::uint32_t> next_{0};
    std::atomic<bool> is_stopped_{false};
};

} // namespace detail

/// Builds the table of a shape, which must come from `normalized_shape`, by all threads. The time is
/// proportional to the number of entries: a few nanoseconds for each.
/// \return the table, or nothing if a stop was requested
/// \throws std::invalid_argument if the shape is invalid or not normalized, or, for a zero-aware table, if
///     fewer than two tiles are not in the pattern
/// \throws std::bad_alloc if there is not enough memory
[[nodiscard]] NPUZZLE_COLD inline std::optional<PatternTable> build_table(const TableShape& shape,
                                                                          const BuildOptions& options = {}) {
    const TableShape normal = normalized_shape(Pattern(shape.n, shape.cells), shape.blank, shape.kind).shape;
    if (normal != shape) {
        detail::throw_invalid({"no table is made for the shape ", shape.to_string(), " but for its image ",
                               normal.to_string()});
    }
    detail::TableBuilder builder(shape, options);
    if (!builder.build()) return std::nullopt;
    const std::shared_ptr<detail::TableMemory> values = builder.values();
    for (std::size_t word = 0; shape.kind == TableKind::zero_aware && word < values->words.size(); ++word) {
        values->words[word] = detail::little_endian(values->words[word]);
    }
    return PatternTable(shape, {values->data(), static_cast<std::size_t>(table_layout(shape).bytes)}, values,
                        builder.entries_at_depth());
}

/// The bytes that tables take.
struct TableBytes {
    std::uint64_t held = 0;     ///< by the tables: a byte an entry, or a bit in zero-aware tables
    std::uint64_t to_build = 0; ///< the peak while they are built
};

/// The bytes of a table.
[[nodiscard]] NPUZZLE_COLD inline TableBytes table_bytes(const TableShape& shape) {
    const std::uint64_t bytes = table_layout(shape).bytes;
    return {bytes, bytes + detail::PatternSearch::bytes_beside_values(shape)};
}

/// The bytes of a partition's tables, which are built one after another.
[[nodiscard]] NPUZZLE_COLD inline TableBytes table_bytes(const Partition& partition,
                                                         TableKind kind = TableKind::additive) {
    std::uint64_t held = 0;
    std::uint64_t beside = 0;
    for (const TableShape& shape : table_shapes(partition, kind)) {
        const TableBytes bytes = table_bytes(shape);
        held += bytes.held;
        beside = (std::max)(beside, bytes.to_build - bytes.held);
    }
    return {held, held + beside};
}

namespace detail {

/// The tables of a partition. Calls `make(shape)` once for each shape. Returns nothing if `make` did.
template <class Make>
std::optional<std::vector<PatternTable>> tables_of(const Partition& partition, TableKind kind,
                                                   const Make& make) {
    std::vector<PatternTable> tables;
    for (const Pattern& pattern : partition.patterns()) {
        const TableShape shape = normalized_shape(pattern, partition.blank_cell(), kind).shape;
        const PatternTable* const other = find_table(tables, shape);
        std::optional<PatternTable> table = other != nullptr ? *other : make(shape);
        if (!table) return std::nullopt;
        tables.push_back(*std::move(table));
    }
    return tables;
}

} // namespace detail

/// Builds the tables of a partition, one for each pattern, in the order of the patterns. Patterns that are
/// images of each other share one table. Returns and throws as `build_table`.
template <TableKind kind = TableKind::additive>
[[nodiscard]] std::optional<std::vector<PatternTable>> build_tables(const Partition& partition,
                                                                    const BuildOptions& options = {}) {
    return detail::tables_of(partition, kind,
                             [&](const TableShape& shape) { return build_table(shape, options); });
}

} // namespace npuzzle
