#pragma once

#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/detail/build_parts.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
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
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// \file
/// Builds additive tables in parallel.

namespace npuzzle::detail {

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
/// and the parity of the depth is that of the set. Hence the depths of two neighbors differ by exactly one.
/// So a block has to hold only its states of one depth. A new depth consists of the neighbors of the last
/// depth, except the states of the depth before it, which the block itself still holds. A block reads from
/// its neighbors and writes only to itself. So threads need no locks and no fixed order.
///
/// If there are three regions or more, the last two keep their bits in the upper two bits of the table's
/// entries. This is possible since values are less than 63. The memory beside the table is then 1.7 bits per
/// entry for eight tiles on 4 x 4 cells, where a set has 2.7 regions on average.
class AdditiveBuild {
public:
    AdditiveBuild(const TableShape& shape, const BuildOptions& options)
        : shape_(shape), n_(shape.n), ranking_(shape.ranking()), orders_(ranking_.orders()),
          words_((orders_ + 63) / 64), options_(options), reporter_(shape, ranking_.placements(), options) {}

    NPUZZLE_NOINLINE std::optional<PatternTable> run() {
        memory_ = std::make_shared<TableMemory>(static_cast<std::size_t>(ranking_.placements()));
        std::memset(memory_->bytes.data(), unreached, memory_->bytes.size());
        list_sets();
        make_orders();
        bits_.grow_zeroed(static_cast<std::size_t>(sets_.back().first_slot) * words_);
        start();

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

        std::vector<std::uint64_t> entries_at_depth{1};
        std::uint64_t done = 1;
        bool is_alive = true;
        for (unsigned depth = 1; is_alive; ++depth) {
            reporter_.tell(done, static_cast<int>(depth) - 1);
            if (depth >= unreached && done < ranking_.placements()) {
                throw std::length_error("values of more than " + std::to_string(unreached - 1) +
                                        " are not provided for");
            }
            if (!make_depth(workers, depth, done)) {
                return std::nullopt;
            }
            is_alive = false;
            std::uint64_t found = 0;
            for (Worker& worker : workers) {
                found += worker.found.load(std::memory_order_relaxed);
                worker.found.store(0, std::memory_order_relaxed);
                is_alive = is_alive || worker.is_alive;
                worker.is_alive = false;
            }
            done += found;
            entries_at_depth.push_back(found);
        }
        // The last depths reached only other regions of placements whose values were already known.
        while (entries_at_depth.back() == 0) {
            entries_at_depth.pop_back();
        }
        // The marks of the last depth but one are still set.
        for (std::uint8_t* entry = memory_->bytes.data();
             entry != memory_->bytes.data() + memory_->bytes.size(); ++entry) {
            const auto value = static_cast<std::uint8_t>(*entry & unreached);
            *entry = value == unreached ? PatternTable::unreached : value;
        }
        reporter_.tell(done, static_cast<int>(entries_at_depth.size()) - 1);
        const std::span<const std::uint8_t> entries(memory_->bytes.data(), memory_->bytes.size());
        return PatternTable(shape_, entries, memory_, std::move(entries_at_depth));
    }

private:
    using Bits = std::uint64_t;

    /// An entry whose value is not known yet. The two bits above it are those of the last two regions.
    static constexpr std::uint8_t unreached = 63;

    /// What is known about a set of cells, by its rank.
    struct Set {
        std::uint32_t first_slot = 0; ///< the first of its blocks in `bits_`
        std::uint16_t live = 0;       ///< one bit for each region: its block has a bit set
        std::uint8_t regions = 0;
    };

    struct Worker {
        explicit Worker(std::size_t words) : gathered(words) {}
        Worker(Worker&& other) noexcept : gathered(std::move(other.gathered)) {}

        std::vector<Bits> gathered;
        std::atomic<std::uint64_t> found{0};
        bool is_alive = false;
    };

    /// The number of a set's regions whose bits are kept in the entries. With fewer than eight orders, sets
    /// would share words.
    unsigned regions_in_entries(unsigned regions) const { return regions > 2 && orders_ % 8 == 0 ? 2 : 0; }

    std::uint32_t free_cells(std::uint32_t set) const { return all_cells(n_) & ~set; }

    /// Removes the region of the first cell from `rest`, and returns it.
    std::uint32_t take_region(std::uint32_t free, std::uint32_t& rest) const {
        const std::uint32_t region = component_of(n_, free, rest & (~rest + 1));
        rest &= ~region;
        return region;
    }

    /// The number of the region that contains `cell`. The regions of a set's free cells are in the order of
    /// their first cells.
    unsigned region_of(std::uint32_t set, int cell) const {
        const std::uint32_t free = free_cells(set);
        unsigned region = 0;
        for (std::uint32_t rest = free; (take_region(free, rest) >> cell & 1U) == 0;) {
            ++region;
        }
        return region;
    }

    /// The next greater number with as many one bits: the set of the next rank (W. Gosper, HAKMEM 175, 1972).
    static std::uint32_t next_set(std::uint32_t set) {
        const std::uint32_t lowest = set & (~set + 1);
        const std::uint32_t ripple = set + lowest;
        return ripple | ((set ^ ripple) >> 2) / lowest;
    }

    void list_sets() {
        const auto count = static_cast<std::uint32_t>(ranking_.sets());
        sets_.resize(count + std::size_t{1});
        std::uint32_t slot = 0;
        std::uint32_t cells = ranking_.set(0);
        for (std::uint32_t rank = 0; rank < count; ++rank, cells = next_set(cells)) {
            Set& set = sets_[rank];
            set.first_slot = slot;
            const std::uint32_t free = free_cells(cells);
            for (std::uint32_t rest = free; rest != 0; ++set.regions) {
                take_region(free, rest);
            }
            slot += set.regions - regions_in_entries(set.regions);
        }
        sets_[count].first_slot = slot;
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
            auto& ranks = turned_[turn];
            ranks.resize(static_cast<std::size_t>(orders_));
            for (std::uint32_t rank = 0; rank < orders_; ++rank) {
                const std::uint32_t order = ranking_.order(rank);
                const std::uint32_t window = order >> (3 * skipped) & ((8U << (3 * passed)) - 1);
                const std::uint32_t turned =
                    (turn & 1) != 0 ? window >> 3 | (window & 7) << (3 * passed)
                                    : (window << 3 & ((8U << (3 * passed)) - 1)) | window >> (3 * passed);
                ranks[rank] = static_cast<std::uint16_t>(
                    ranking_.order_rank(order ^ (window ^ turned) << (3 * skipped)));
            }
        }
    }

    NPUZZLE_COLD void start() {
        const Placement goal = shape_.goal();
        const auto cells = static_cast<std::uint32_t>(goal);
        const std::uint32_t index = ranking_.index(goal);
        Set& set = sets_[ranking_.set_rank(cells)];
        const unsigned region = region_of(cells, shape_.blank);
        const std::size_t order = index % orders_;
        memory_->bytes[index] = 0;
        if (const std::uint8_t mark = mark_of(set, region); mark != 0) {
            memory_->bytes[index] = mark;
        } else {
            block(set, region)[order / 64] |= Bits{1} << order % 64;
        }
        set.live = static_cast<std::uint16_t>(1U << region);
        goal_parity_ = parity(cells);
    }

    unsigned parity(std::uint32_t cells) const { return count_cells(cells & black_cells(n_)) % 2; }

    /// The bit of the entries that holds a region's block; 0 if the block is in `bits_`.
    std::uint8_t mark_of(const Set& set, unsigned region) const {
        const unsigned first_in_entries = set.regions - regions_in_entries(set.regions);
        return region < first_in_entries ? std::uint8_t{0}
                                         : static_cast<std::uint8_t>(64U << (region - first_in_entries));
    }

    Bits* block(const Set& set, unsigned region) const {
        return bits_.data() + (set.first_slot + region) * words_;
    }

    /// Builds the states of one depth. Returns false if a stop was requested.
    bool make_depth(std::vector<Worker>& workers, unsigned depth, std::uint64_t done) {
        const std::size_t sets = sets_.size() - 1;
        // One piece is a few hundred microseconds of work.
        WorkQueue queue(sets, std::max<std::size_t>(1, 32768 / static_cast<std::size_t>(orders_)));
        std::atomic<bool> gives_up{false};
        const auto work = [&](Worker& worker, bool reports) {
            for (std::size_t first = 0, last = 0; queue.take(first, last);) {
                if (gives_up.load(std::memory_order_relaxed) || (reports && reporter_.stops())) {
                    gives_up.store(true, std::memory_order_relaxed);
                    return;
                }
                std::uint32_t cells = ranking_.set(static_cast<std::uint32_t>(first));
                for (std::size_t rank = first; rank < last; ++rank, cells = next_set(cells)) {
                    if ((parity(cells) + goal_parity_ + depth) % 2 == 0) {
                        make_set(worker, rank, cells, static_cast<std::uint8_t>(depth));
                    }
                }
                if (reports) {
                    std::uint64_t found = 0;
                    for (const Worker& each : workers) {
                        found += each.found.load(std::memory_order_relaxed);
                    }
                    reporter_.tell_now_and_then(done + found, static_cast<int>(depth));
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
                gives_up.store(true, std::memory_order_relaxed);
                throw; // after the helpers have been joined
            }
        }
        return !gives_up.load(std::memory_order_relaxed);
    }

    void make_set(Worker& worker, std::size_t rank, std::uint32_t cells, std::uint8_t depth) {
        Set& set = sets_[rank];
        std::uint8_t* entries = memory_->bytes.data() + rank * orders_;
        std::uint64_t found = 0;
        unsigned live = 0;
        const std::uint32_t free = free_cells(cells);
        std::uint32_t rest = free;
        for (unsigned region = 0; region < set.regions; ++region) {
            const std::uint32_t blanks = take_region(free, rest);
            const bool is_reached = gather_region(worker, cells, blanks);
            const bool was_live = (set.live >> region & 1U) != 0;
            if (!is_reached && !was_live) {
                continue;
            }
            if (!is_reached) {
                std::memset(worker.gathered.data(), 0, words_ * sizeof(Bits));
            }
            const std::uint8_t mark = mark_of(set, region);
            const bool is_live =
                mark == 0 ? keep_new(worker.gathered.data(), block(set, region), entries, depth, found)
                          : settle_in_entries(worker.gathered.data(), mark, was_live, entries, depth, found);
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
                const unsigned region = source.regions == 1 ? 0 : region_of(source_cells, to);
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
                    passed == 0 ? nullptr
                                : turned_[skipped << 4 | passed << 1 | (step.is_up ? 1U : 0U)].data();
                if (const std::uint8_t mark = mark_of(source, region); mark != 0) {
                    gather_from_entries(worker.gathered.data(), memory_->bytes.data() + rank * orders_, mark,
                                        ranks);
                } else {
                    gather(worker.gathered.data(), block(source, region), ranks);
                }
            }
        }
        return is_reached;
    }

    static void add(Bits* gathered, std::size_t order) { gathered[order / 64] |= Bits{1} << order % 64; }

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

    /// Which of eight entries have a mark, as the lowest eight bits of the result.
    static Bits marked(const std::uint8_t* entries, std::uint8_t mark) {
        if constexpr (std::endian::native == std::endian::little) {
            constexpr Bits ones = 0x0101010101010101;
            std::uint64_t eight;
            std::memcpy(&eight, entries, sizeof eight);
            eight &= ones * mark;
            // Moves each mark to the top byte, to the place of its entry. No two sums of shifts are equal.
            return eight == 0 ? 0 : (eight >> std::countr_zero(mark)) * 0x0102040810204080U >> 56;
        } else {
            Bits bits = 0;
            for (int i = 0; i < 8; ++i) {
                bits |= (entries[i] & mark) != 0 ? Bits{1} << i : 0;
            }
            return bits;
        }
    }

    void gather_from_entries(Bits* gathered, const std::uint8_t* entries, std::uint8_t mark,
                             const std::uint16_t* ranks) const {
        for (std::size_t first = 0; first < orders_; first += 8) {
            Bits rest = marked(entries + first, mark);
            if (ranks == nullptr) {
                gathered[first / 64] |= rest << first % 64;
                continue;
            }
            for (; rest != 0; rest &= rest - 1) {
                add(gathered, ranks[first + static_cast<std::size_t>(std::countr_zero(rest))]);
            }
        }
    }

    /// Sets the value of an entry that is reached for the first time.
    static void reach(std::uint8_t& entry, std::uint8_t depth, std::uint64_t& found) {
        if ((entry & unreached) == unreached) {
            entry = static_cast<std::uint8_t>((entry & ~unreached) | depth);
            ++found;
        }
    }

    /// Replaces the states of a block by the collected states that it did not hold. Returns false if there
    /// are none.
    bool keep_new(const Bits* gathered, Bits* bits, std::uint8_t* entries, std::uint8_t depth,
                  std::uint64_t& found) const {
        Bits any = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            Bits fresh = gathered[word] & ~bits[word];
            bits[word] = fresh;
            any |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                reach(entries[word * 64 + static_cast<std::size_t>(std::countr_zero(fresh))], depth, found);
            }
        }
        return any != 0;
    }

    /// The same for a block that is kept in the entries.
    bool settle_in_entries(const Bits* gathered, std::uint8_t mark, bool was_live, std::uint8_t* entries,
                           std::uint8_t depth, std::uint64_t& found) const {
        Bits any = 0;
        for (std::size_t first = 0; first < orders_; first += 8) {
            Bits fresh = gathered[first / 64] >> first % 64 & 255;
            if (was_live) {
                for (Bits held = marked(entries + first, mark); held != 0; held &= held - 1) {
                    const auto i = static_cast<std::size_t>(std::countr_zero(held));
                    entries[first + i] = static_cast<std::uint8_t>(entries[first + i] & ~mark);
                    fresh &= ~(Bits{1} << i);
                }
            }
            any |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                std::uint8_t& entry = entries[first + static_cast<std::size_t>(std::countr_zero(fresh))];
                reach(entry, depth, found);
                entry = static_cast<std::uint8_t>(entry | mark);
            }
        }
        return any != 0;
    }

    std::uint64_t bytes_held() const {
        std::uint64_t bytes = memory_->budget.peak() + bits_budget_.peak() + sets_.capacity() * sizeof(Set);
        for (const auto& ranks : turned_) {
            bytes += ranks.capacity() * sizeof(std::uint16_t);
        }
        return bytes;
    }

    TableShape shape_;
    int n_;
    PlacementRanking ranking_;
    std::uint64_t orders_;
    std::size_t words_; ///< in a block
    const BuildOptions& options_;
    BuildReporter reporter_;
    std::shared_ptr<TableMemory> memory_;
    std::vector<Set> sets_; ///< by rank, and one more at the end
    std::array<std::vector<std::uint16_t>, 128> turned_;
    MemoryBudget bits_budget_;
    Storage<Bits> bits_{bits_budget_};
    unsigned goal_parity_ = 0;
};

} // namespace npuzzle::detail
