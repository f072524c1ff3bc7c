#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/detail/build_parts.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/regions.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/kernel/threads.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// What the builds of additive and zero-aware tables share.

namespace npuzzle::detail {

/// How far a build has come. With the sets, their blocks and the values this is all that a build needs to go
/// on.
struct RegionBuildState {
    std::uint64_t depths = 1;     ///< that are finished
    std::uint64_t done = 1;       ///< values that these have
    std::uint64_t is_alive = 1;   ///< the last of them has states, whose neighbors are not known yet
    std::uint64_t next_set = 0;   ///< of the depth that is being made: the first rank that is not done
    std::uint64_t found = 0;      ///< values of this depth
    std::uint64_t has_states = 0; ///< in this depth
    std::array<std::uint64_t, 256> at_depth{1}; ///< the numbers of values
};

/// Backward breadth-first search from the goal over pairs (placement, region of the blank). A region is the
/// set of cells that the blank can reach without moving a tile of the pattern. Moves of other tiles cost
/// nothing.
///
/// The regions depend only on the set of occupied cells. So the states are grouped into blocks: one block for
/// each set and region, with one bit for each order of the tiles. A move of a tile leads from a block to
/// exactly one other block. If the tile moves along its row, the order stays the same and all bits move at
/// once. Otherwise a table says where each bit moves.
///
/// A move changes the color of one cell of the set. So it leads from sets of one parity to sets of the other,
/// and the parity of the depth is the set's. Hence the depths of two neighbors differ by exactly one.
/// So a block has to hold only its states of one depth. A new depth consists of the neighbors of the last
/// depth, except the states of the depth before it, which the block itself still holds. A block reads from
/// its neighbors and writes only to itself. So threads need no locks and no fixed order.
///
/// \tparam Build what derives from it, and keeps the values. It has a constant `max_value` and
/// \code
/// unsigned blocks(unsigned regions); // of a set in `bits_`, from `Set::first_block` on
/// void prepare();                    // when all sets are listed
/// void begin(rank, region, index);   // at the goal's state, with the value 0
/// void gather_from(gathered, rank, region, ranks);             // adds a block, moved by `ranks`
/// bool insert_new(gathered, rank, region, was_live, depth, found); // whether a block has new states
/// PatternTable finish(entries_at_depth);
/// std::uint64_t bytes_of_table();
/// std::span<std::uint8_t> values();  // the table's memory, before it is finished
/// \endcode
template <class Build>
class RegionBuild {
public:
    NPUZZLE_NOINLINE std::optional<PatternTable> run() {
        list_sets();
        make_orders();
        build().prepare();
        start();
        if (options_.checkpoint != nullptr && options_.checkpoint->load(shape_, state_bytes())) {
            require_sound_state();
            reporter_.starts_with(state_.done + state_.found);
        }

        unsigned threads = thread_count(options_.threads);
        // Each thread needs entries for a few milliseconds of work; for fewer, its start does not pay.
        threads = static_cast<unsigned>(
            std::min<std::uint64_t>({threads, 256, 1 + ranking_.placements() / 131072}));
        std::vector<Worker> workers;
        for (unsigned i = 0; i < threads; ++i) {
            workers.emplace_back(words_);
        }
        if (options_.peak_bytes != nullptr) {
            *options_.peak_bytes = bytes_held() + threads * words_ * sizeof(Bits);
        }

        while (state_.is_alive != 0) {
            const std::uint64_t depth = state_.depths;
            reporter_.tell(state_.done + state_.found, static_cast<int>(depth) - 1);
            if (depth > Build::max_value && (state_.done < values_ || depth >= state_.at_depth.size())) {
                throw std::length_error("values of more than " + std::to_string(Build::max_value) +
                                        " are not provided for");
            }
            if (make_depth(workers, static_cast<unsigned>(depth))) {
                end_depth();
                continue;
            }
            if (options_.checkpoint != nullptr) {
                options_.checkpoint->save(shape_, state_bytes());
            }
            if (is_stopped_) {
                return std::nullopt;
            }
        }
        std::vector<std::uint64_t> entries_at_depth(
            state_.at_depth.begin(), state_.at_depth.begin() + static_cast<std::ptrdiff_t>(state_.depths));
        // The last depths reached no value that was not known.
        while (entries_at_depth.back() == 0) {
            entries_at_depth.pop_back();
        }
        const int greatest = static_cast<int>(entries_at_depth.size()) - 1;
        std::optional<PatternTable> table = build().finish(std::move(entries_at_depth));
        reporter_.tell(state_.done, greatest);
        return table;
    }

protected:
    using Bits = std::uint64_t;

    /// What is known about a set of cells, by its rank.
    struct Set {
        std::uint32_t first_block = 0;
        std::uint16_t live = 0; ///< one bit for each region: its block has a bit set
        std::uint16_t regions = 0;
    };

    RegionBuild(const TableShape& shape, const BuildOptions& options)
        : shape_(shape), n_(shape.n), ranking_(shape.ranking()), orders_(ranking_.orders()),
          words_(static_cast<std::size_t>((orders_ + 63) / 64)), values_(table_layout(shape).values),
          options_(options), reporter_(shape, values_, options) {}

    [[nodiscard]] Bits* block(std::size_t number) const { return bits_.data() + number * words_; }

    /// The number of all blocks that `Build::blocks` counted.
    [[nodiscard]] std::size_t blocks_counted() const { return sets_.back().first_block; }

    static void add(Bits* gathered, std::size_t order) { gathered[order / 64] |= Bits{1} << order % 64; }

    /// Adds the states of a block in `bits_`, each moved to the order that `ranks` says; as they are if that
    /// is null.
    void gather(Bits* gathered, const Bits* source, const std::uint16_t* ranks) const {
        if (ranks == nullptr) {
            for (std::size_t word = 0; word < words_; ++word) {
                gathered[word] |= source[word];
            }
            return;
        }
        for (std::size_t word = 0; word < words_; ++word) {
            for (Bits rest = source[word]; rest != 0; rest &= rest - 1) {
                add(gathered, ranks[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))]);
            }
        }
    }

    /// The memory of an array, as bytes.
    template <class Array>
    static std::span<std::uint8_t> bytes_of(Array& array) {
        return {reinterpret_cast<std::uint8_t*>(array.data()), array.size() * sizeof(*array.data())};
    }

    TableShape shape_;
    int n_;
    PlacementRanking ranking_;
    std::uint64_t orders_;
    std::size_t words_;    ///< in a block
    std::uint64_t values_; ///< in the table
    const BuildOptions& options_;
    BuildReporter reporter_;
    std::vector<Set> sets_; ///< by rank, and one more at the end
    MemoryBudget bits_budget_;
    Storage<Bits> bits_{bits_budget_};

private:
    struct Worker {
        explicit Worker(std::size_t words) : gathered(words) {}
        Worker(Worker&& other) noexcept : gathered(std::move(other.gathered)) {}

        std::vector<Bits> gathered;
        std::atomic<std::uint64_t> found{0};
        bool is_alive = false;
    };

    Build& build() { return static_cast<Build&>(*this); }
    const Build& build() const { return static_cast<const Build&>(*this); }

    void list_sets() {
        const auto count = static_cast<std::uint32_t>(ranking_.sets());
        sets_.resize(count + std::size_t{1});
        std::uint32_t block = 0;
        std::uint32_t cells = ranking_.set(0);
        for (std::uint32_t rank = 0; rank < count; ++rank, cells = next_set(cells)) {
            Set& set = sets_[rank];
            set.first_block = block;
            set.regions = static_cast<std::uint16_t>(count_regions(n_, cells));
            block += build().blocks(set.regions);
        }
        sets_[count] = {block, 0, 0};
    }

    /// Makes the tables for moves of a tile past other tiles: the rank of each order after the move, by its
    /// rank before it.
    void make_orders() {
        for (std::uint32_t turn = 1; turn < 128; ++turn) {
            const std::uint32_t skipped = turn >> 4;
            const std::uint32_t passed = turn >> 1 & 7;
            if (passed == 0 || static_cast<int>(passed) >= n_ ||
                skipped + passed >= static_cast<std::uint32_t>(ranking_.pieces())) {
                continue;
            }
            auto& ranks = ranks_after_move_[turn];
            ranks.resize(static_cast<std::size_t>(orders_));
            for (std::uint32_t rank = 0; rank < orders_; ++rank) {
                const std::uint32_t order = ranking_.order(rank);
                const std::uint32_t window = order >> (3 * skipped) & ((8U << (3 * passed)) - 1);
                const std::uint32_t rotated =
                    (turn & 1) != 0 ? window >> 3 | (window & 7) << (3 * passed)
                                    : (window << 3 & ((8U << (3 * passed)) - 1)) | window >> (3 * passed);
                ranks[rank] = static_cast<std::uint16_t>(
                    ranking_.order_rank(order ^ (window ^ rotated) << (3 * skipped)));
            }
        }
    }

    NPUZZLE_COLD void start() {
        const Placement goal = shape_.goal();
        const auto cells = static_cast<std::uint32_t>(goal);
        const std::size_t rank = ranking_.set_rank(cells);
        const unsigned region = region_of(n_, cells, shape_.blank);
        build().begin(rank, region, ranking_.index(goal));
        sets_[rank].live = static_cast<std::uint16_t>(1U << region);
        goal_parity_ = parity(cells);
    }

    unsigned parity(std::uint32_t cells) const { return count_cells(cells & black_cells(n_)) % 2; }

    /// The whole state, in sequences of bytes.
    std::array<std::span<std::uint8_t>, 4> state_bytes() {
        return {std::span(reinterpret_cast<std::uint8_t*>(&state_), sizeof state_), bytes_of(sets_),
                bytes_of(bits_), build().values()};
    }

    /// What was loaded may be anybody's, and does not decide where this writes.
    NPUZZLE_COLD void require_sound_state() {
        list_sets();
        for (Set& set : sets_) {
            set.live = static_cast<std::uint16_t>(set.live & ((1U << set.regions) - 1));
        }
        if (state_.depths == 0 || state_.depths >= state_.at_depth.size() || state_.at_depth[0] == 0 ||
            state_.next_set > ranking_.sets()) {
            throw std::length_error("a checkpoint that is not of a build");
        }
    }

    void end_depth() {
        state_.at_depth[static_cast<std::size_t>(state_.depths++)] = state_.found;
        state_.done += std::exchange(state_.found, 0);
        state_.is_alive = std::exchange(state_.has_states, 0);
        state_.next_set = 0;
    }

    /// Builds the states of one depth. Returns false if it has left some sets for later: a stop was
    /// requested, or the state is to be saved. Those before `state_.next_set` are done, and no others: each
    /// thread finishes its piece.
    bool make_depth(std::vector<Worker>& workers, unsigned depth) {
        const std::size_t sets = sets_.size() - 1;
        // One piece is a few hundred microseconds of work.
        WorkQueue queue(static_cast<std::size_t>(state_.next_set), sets,
                        std::max<std::size_t>(1, 32768 / static_cast<std::size_t>(orders_)));
        std::atomic<bool> leaves{false};
        const auto found = [&] {
            std::uint64_t sum = state_.found;
            for (const Worker& each : workers) {
                sum += each.found.load(std::memory_order_relaxed);
            }
            return sum;
        };
        const auto work = [&](Worker& worker, bool reports) {
            for (std::size_t first = 0, last = 0;
                 !leaves.load(std::memory_order_relaxed) && queue.take(first, last);) {
                std::uint32_t cells = ranking_.set(static_cast<std::uint32_t>(first));
                for (std::size_t rank = first; rank < last; ++rank, cells = next_set(cells)) {
                    if ((parity(cells) + goal_parity_ + depth) % 2 == 0) {
                        make_set(worker, rank, cells, static_cast<std::uint8_t>(depth));
                    }
                }
                if (reports) {
                    is_stopped_ = reporter_.stops();
                    if (is_stopped_ || (options_.checkpoint != nullptr && options_.checkpoint->is_due())) {
                        leaves.store(true, std::memory_order_relaxed);
                        return;
                    }
                    reporter_.tell_now_and_then(state_.done + found(), static_cast<int>(depth));
                }
            }
        };
        {
            JoinedThreads helpers(workers.size() - 1);
            try {
                for (std::size_t i = 1; i < workers.size(); ++i) {
                    helpers.add([&work, &worker = workers[i]] { work(worker, false); });
                }
                work(workers[0], true);
            } catch (...) {
                leaves.store(true, std::memory_order_relaxed);
                throw; // after the helpers have been joined
            }
        }
        state_.next_set = queue.rest();
        state_.found = found();
        for (Worker& worker : workers) {
            worker.found.store(0, std::memory_order_relaxed);
            state_.has_states |= std::exchange(worker.is_alive, false) ? 1 : 0;
        }
        return !leaves.load(std::memory_order_relaxed);
    }

    void make_set(Worker& worker, std::size_t rank, std::uint32_t cells, std::uint8_t depth) {
        Set& set = sets_[rank];
        std::uint64_t found = 0;
        unsigned live = 0;
        const std::uint32_t free = all_cells(n_) & ~cells;
        std::uint32_t rest = free;
        for (unsigned region = 0; region < set.regions; ++region) {
            const std::uint32_t blanks = take_region(n_, free, rest);
            const bool is_reached = gather_region(worker, cells, blanks);
            const bool was_live = (set.live >> region & 1U) != 0;
            if (!is_reached && !was_live) {
                continue;
            }
            if (!is_reached) {
                std::memset(worker.gathered.data(), 0, words_ * sizeof(Bits));
            }
            const bool is_live =
                build().insert_new(worker.gathered.data(), rank, region, was_live, depth, found);
            live |= is_live ? 1U << region : 0U;
        }
        set.live = static_cast<std::uint16_t>(live);
        worker.is_alive = worker.is_alive || live != 0;
        worker.found.store(worker.found.load(std::memory_order_relaxed) + found, std::memory_order_relaxed);
    }

    /// Collects the states from which one move of a tile leads to a block. Returns false if there are none.
    bool gather_region(Worker& worker, std::uint32_t cells, std::uint32_t blanks) const {
        bool is_reached = false;
        for (; blanks != 0; blanks &= blanks - 1) {
            // Before the move the tile was in `from`, and the blank was where the tile is now.
            const int from = std::countr_zero(blanks);
            std::uint32_t beside = grown(n_, cell_bit(from)) & cells;
            for (; beside != 0; beside &= beside - 1) {
                const int to = std::countr_zero(beside);
                const PlacementStep step(from, to);
                const std::uint32_t source_cells = cells ^ step.flipped;
                const std::uint32_t rank = ranking_.set_rank(source_cells);
                const Set& source = sets_[rank];
                if (source.live == 0) {
                    continue;
                }
                const unsigned region = source.regions == 1 ? 0 : region_of(n_, source_cells, to);
                if ((source.live >> region & 1U) == 0) {
                    continue;
                }
                if (!is_reached) {
                    is_reached = true;
                    std::memset(worker.gathered.data(), 0, words_ * sizeof(Bits));
                }
                const unsigned passed = count_cells(cells & step.between);
                const unsigned skipped = count_cells(cells & (cell_bit(step.low) - 1));
                const std::uint16_t* ranks =
                    passed == 0
                        ? nullptr
                        : ranks_after_move_[skipped << 4 | passed << 1 | (step.is_up ? 1U : 0U)].data();
                build().gather_from(worker.gathered.data(), rank, region, ranks);
            }
        }
        return is_reached;
    }

    std::uint64_t bytes_held() const {
        std::uint64_t bytes = build().bytes_of_table() + bits_budget_.peak() + sets_.capacity() * sizeof(Set);
        for (const auto& ranks : ranks_after_move_) {
            bytes += ranks.capacity() * sizeof(std::uint16_t);
        }
        return bytes;
    }

    std::array<std::vector<std::uint16_t>, 128> ranks_after_move_;
    unsigned goal_parity_ = 0;
    RegionBuildState state_;
    bool is_stopped_ = false;
};

} // namespace npuzzle::detail
