#pragma once

#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/ranking.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/node_table/line_storage.hpp"

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
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace npuzzle {

/// How far the building of a table has come.
struct BuildProgress {
    TableShape shape;               ///< the table
    std::uint64_t entries_done = 0; ///< entries whose value is known
    std::uint64_t entries = 0;      ///< all of them
    int depth = 0;                  ///< the greatest value so far
    double seconds = 0;             ///< since the building began
    double seconds_left = 0;        ///< at the pace so far; an estimate

    [[nodiscard]] double percent() const noexcept {
        return entries == 0 ? 0
                            : 100 * static_cast<double>(entries_done) / static_cast<double>(entries);
    }
};

/// How to build a table.
struct BuildOptions {
    /// How many threads work on it; 0 for as many as the machine runs at once. The table is the same for any number.
    unsigned threads = 0;
    /// Called by the thread that builds, after each depth and several times a second in between; at the end with all
    /// entries done. What it throws ends the building and reaches the caller.
    std::function<void(const BuildProgress&)> progress = {};
    /// Ends the building within milliseconds when a stop is requested.
    std::stop_token stop = {};
    /// Receives the bytes that were held at the peak, the table's own included.
    std::uint64_t* peak_bytes = nullptr;
};

namespace detail {

/// Memory for a table, which its owner keeps: on huge pages if it is large.
struct TableMemory {
    explicit TableMemory(std::size_t size) : bytes(budget) { bytes.grow(size); }

    MemoryBudget budget;
    LineStorage<std::uint8_t> bytes;
};

/// Numbers of work from 0, handed out to threads in pieces.
class WorkQueue {
public:
    explicit WorkQueue(std::size_t size, std::size_t piece) : size_(size), piece_(piece) {}

    /// The next piece, from `first` up to but not including `last`; false if there is none.
    bool take(std::size_t& first, std::size_t& last) {
        first = next_.fetch_add(piece_, std::memory_order_relaxed);
        last = std::min(first + piece_, size_);
        return first < size_;
    }

private:
    std::size_t size_;
    std::size_t piece_;
    std::atomic<std::size_t> next_{0};
};

/// Tells the callback how far the building is.
class BuildReporter {
public:
    BuildReporter(const TableShape& shape, std::uint64_t entries, const BuildOptions& options)
        : progress_{shape, 0, entries, 0, 0, 0}, options_(options) {}

    bool stops() const { return options_.stop.stop_requested(); }

    void tell(std::uint64_t done, int depth) {
        if (!options_.progress) {
            return;
        }
        last_ = Clock::now();
        progress_.entries_done = done;
        progress_.depth = depth;
        progress_.seconds = std::chrono::duration<double>(last_ - started_).count();
        progress_.seconds_left =
            done == 0 ? 0
                      : progress_.seconds * static_cast<double>(progress_.entries - done) /
                            static_cast<double>(done);
        options_.progress(progress_);
    }

    void tell_now_and_then(std::uint64_t done, int depth) {
        if (options_.progress && Clock::now() - last_ >= std::chrono::milliseconds{100}) {
            tell(done, depth);
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    BuildProgress progress_;
    const BuildOptions& options_;
    Clock::time_point started_ = Clock::now();
    Clock::time_point last_ = started_;
};

/// Backward breadth-first search from the goal over (placement, region of the blank), where a region is what the blank can
/// reach without moving a tile of the pattern: moves of other tiles cost nothing.
///
/// The regions depend on the set of cells alone. So the states are in blocks, one for each set and region, with a bit for
/// each order of the tiles; and a move of a tile leads from a block to one other block. If the tile moves along its row
/// the order stays, and all bits move at once; else each bit moves to where a table says.
///
/// A move changes the colour of one cell of the set. So it leads from sets of one parity to those of the other, the parity
/// of the depth is that of the set, and of any two neighbours one is exactly one deeper. Each block therefore needs no
/// more than its states of one depth: a new depth is the neighbours of the last one, less the depth before that, which
/// the block itself still holds. Blocks gather from their neighbours and write to themselves alone, so that threads need
/// no locks and no order.
class AdditiveBuild {
public:
    AdditiveBuild(const TableShape& shape, const BuildOptions& options)
        : shape_(shape), n_(shape.n), ranking_(shape.ranking()), orders_(ranking_.orders()),
          words_((orders_ + 63) / 64), options_(options),
          reporter_(shape, ranking_.placements(), options) {}

    std::optional<PatternTable> run() {
        memory_ = std::make_shared<TableMemory>(static_cast<std::size_t>(ranking_.placements()));
        std::memset(memory_->bytes.data(), PatternTable::unreached, memory_->bytes.size());
        list_blocks();
        list_moves();
        make_orders();
        bits_.grow_zeroed(static_cast<std::size_t>(blocks()) * words_);
        is_live_.assign(blocks(), 0);
        start();

        unsigned threads = options_.threads == 0 ? std::thread::hardware_concurrency() : options_.threads;
        threads = std::max(1U, std::min(threads, 256U));
        std::vector<Worker> workers;
        for (unsigned i = 0; i < threads; ++i) {
            workers.emplace_back(words_);
        }
        if (options_.peak_bytes != nullptr) {
            *options_.peak_bytes = bytes_held() + threads * words_ * 8;
        }

        std::vector<std::uint64_t> entries_at_depth{1};
        std::uint64_t done = 1;
        bool is_alive = true;
        for (int depth = 1; is_alive; ++depth) {
            reporter_.tell(done, depth - 1);
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
            if (is_alive) {
                entries_at_depth.push_back(found);
            }
        }
        // Deeper regions of placements that were known already add depths without entries.
        while (entries_at_depth.back() == 0) {
            entries_at_depth.pop_back();
        }
        reporter_.tell(done, static_cast<int>(entries_at_depth.size()) - 1);
        const std::span<const std::uint8_t> entries(memory_->bytes.data(), memory_->bytes.size());
        return PatternTable(shape_, entries, memory_, std::move(entries_at_depth));
    }

private:
    using Bits = std::uint64_t;

    struct Worker {
        explicit Worker(std::size_t words) : gathered(words) {}
        Worker(Worker&& other) noexcept : gathered(std::move(other.gathered)) {}

        std::vector<Bits> gathered;
        std::atomic<std::uint64_t> found{0};
        bool is_alive = false;
    };

    std::uint32_t blocks() const { return first_block_.back(); }

    std::uint32_t free_cells(std::uint32_t set) const { return all_cells(n_) & ~set; }

    /// The number, among the regions of a set's free cells in the order of their first cells, of the one with `cell` in it.
    std::uint32_t region_of(std::uint32_t set, int cell) const {
        const std::uint32_t free = free_cells(set);
        std::uint32_t region = 0;
        for (std::uint32_t rest = free; rest != 0; ++region) {
            const std::uint32_t reached = component_of(n_, free, rest & (~rest + 1));
            if ((reached >> cell & 1U) != 0) {
                break;
            }
            rest &= ~reached;
        }
        return region;
    }

    void list_blocks() {
        const auto sets = static_cast<std::uint32_t>(ranking_.sets());
        sets_.resize(sets);
        first_block_.resize(sets + 1);
        std::size_t moves = 0;
        std::uint32_t block = 0;
        // The sets in the order of their ranks: as numbers, they rise (W. Gosper, HAKMEM 175, 1972).
        std::uint32_t set = (1U << ranking_.pieces()) - 1;
        for (std::uint32_t rank = 0; rank < sets; ++rank) {
            sets_[rank] = set;
            first_block_[rank] = block;
            const std::uint32_t free = free_cells(set);
            for (std::uint32_t rest = free; rest != 0; ++block) {
                rest &= ~component_of(n_, free, rest & (~rest + 1));
            }
            const std::uint32_t first = first_column(n_);
            moves += count_cells(set << n_ & free) + count_cells(set >> n_ & free) +
                     count_cells(set << 1 & ~first & free) + count_cells((set & ~first) >> 1 & free);
            const std::uint32_t lowest = set & (~set + 1);
            const std::uint32_t ripple = set + lowest;
            set = ripple | ((set ^ ripple) >> 2) / lowest;
        }
        first_block_[sets] = block;
        moves_.reserve(moves);
        first_move_.reserve(block + std::size_t{1});
    }

    /// For each block the moves that lead to it: the block they come from, and in the lowest eight bits what they do to the
    /// order.
    void list_moves() {
        for (std::uint32_t rank = 0; rank < sets_.size(); ++rank) {
            const std::uint32_t set = sets_[rank];
            const std::uint32_t free = free_cells(set);
            for (std::uint32_t rest = free; rest != 0;) {
                const std::uint32_t region = component_of(n_, free, rest & (~rest + 1));
                rest &= ~region;
                first_move_.push_back(static_cast<std::uint32_t>(moves_.size()));
                for (std::uint32_t from_cells = region; from_cells != 0; from_cells &= from_cells - 1) {
                    const int from = std::countr_zero(from_cells);
                    const std::uint32_t beside = grown(n_, cell_bit(from)) & set;
                    for (std::uint32_t to_cells = beside; to_cells != 0; to_cells &= to_cells - 1) {
                        list_move(set, from, std::countr_zero(to_cells));
                    }
                }
            }
        }
        first_move_.push_back(static_cast<std::uint32_t>(moves_.size()));
    }

    /// The move of a tile from a cell to one of a set's cells, the tile's cell before being free then.
    void list_move(std::uint32_t set, int from, int to) {
        const PlacementStep step(from, to);
        const std::uint32_t source = set ^ step.flipped;
        const std::uint32_t rank = ranking_.set_rank(source);
        std::uint32_t block = first_block_[rank];
        if (first_block_[rank + 1] - block > 1) {
            block += region_of(source, to);
        }
        const std::uint32_t passed = count_cells(set & step.between);
        const std::uint32_t skipped = count_cells(set & (cell_bit(step.low) - 1));
        const std::uint32_t turn = passed == 0 ? 0 : skipped << 4 | passed << 1 | (step.is_up ? 1 : 0);
        moves_.push_back(block << 8 | turn);
    }

    /// What turns a tile past others, the ranks of all orders after it by their ranks before it. Kept for the turns that
    /// occur, by the numbers that `list_move` gives them.
    void make_orders() {
        std::array<bool, 128> occurs{};
        for (const std::uint32_t move : moves_) {
            occurs[move & 127] = true;
        }
        for (std::uint32_t turn = 1; turn < 128; ++turn) {
            if (!occurs[turn]) {
                continue;
            }
            const std::uint32_t shift = 3 * (turn >> 4);
            const std::uint32_t width = 3 * (turn >> 1 & 7);
            auto& ranks = turned_[turn];
            ranks.resize(static_cast<std::size_t>(orders_));
            for (std::uint32_t rank = 0; rank < orders_; ++rank) {
                const std::uint32_t order = ranking_.order(rank);
                const std::uint32_t window = order >> shift & ((8U << width) - 1);
                const std::uint32_t turned = (turn & 1) != 0
                                                 ? window >> 3 | (window & 7) << width
                                                 : (window << 3 & ((8U << width) - 1)) | window >> width;
                ranks[rank] =
                    static_cast<std::uint16_t>(ranking_.order_rank(order ^ (window ^ turned) << shift));
            }
        }
    }

    void start() {
        const Placement goal = shape_.goal();
        const auto set = static_cast<std::uint32_t>(goal);
        const std::uint32_t index = ranking_.index(goal);
        const std::uint32_t block = first_block_[ranking_.set_rank(set)] + region_of(set, shape_.blank);
        const std::size_t order = index % orders_;
        bits_[block * words_ + order / 64] |= Bits{1} << order % 64;
        is_live_[block] = 1;
        memory_->bytes[index] = 0;
        for (int parity = 0; parity < 2; ++parity) {
            for (std::uint32_t rank = 0; rank < sets_.size(); ++rank) {
                const std::uint32_t difference = count_cells((sets_[rank] & black_cells(n_))) +
                                                 count_cells((set & black_cells(n_)));
                if (difference % 2 == static_cast<std::uint32_t>(parity)) {
                    of_parity_[static_cast<std::size_t>(parity)].push_back(rank);
                }
            }
        }
    }

    /// False if the building was stopped.
    bool make_depth(std::vector<Worker>& workers, int depth, std::uint64_t done) {
        const std::vector<std::uint32_t>& ranks = of_parity_[static_cast<std::size_t>(depth % 2)];
        // Pieces of about a hundred microseconds of work.
        WorkQueue queue(ranks.size(), std::max<std::size_t>(1, 8192 / static_cast<std::size_t>(orders_)));
        std::atomic<bool> gives_up{false};
        const auto work = [&](Worker& worker, bool reports) {
            for (std::size_t first = 0, last = 0; queue.take(first, last);) {
                if (gives_up.load(std::memory_order_relaxed) || reporter_.stops()) {
                    gives_up.store(true, std::memory_order_relaxed);
                    return;
                }
                for (std::size_t i = first; i < last; ++i) {
                    make_set(worker, ranks[i], depth);
                }
                if (reports) {
                    std::uint64_t found = 0;
                    for (const Worker& each : workers) {
                        found += each.found.load(std::memory_order_relaxed);
                    }
                    reporter_.tell_now_and_then(done + found, depth);
                }
            }
        };
        {
            std::vector<std::jthread> helpers;
            try {
                for (std::size_t i = 1; i < workers.size(); ++i) {
                    helpers.emplace_back([&work, &worker = workers[i]] { work(worker, false); });
                }
                work(workers[0], true);
            } catch (...) {
                gives_up.store(true, std::memory_order_relaxed);
                throw; // the helpers are waited for first
            }
        }
        return !gives_up.load(std::memory_order_relaxed);
    }

    void make_set(Worker& worker, std::uint32_t rank, int depth) {
        std::uint64_t found = 0;
        std::uint8_t* entries = memory_->bytes.data() + rank * orders_;
        for (std::uint32_t block = first_block_[rank]; block < first_block_[rank + 1]; ++block) {
            found += make_block(worker, block, entries, static_cast<std::uint8_t>(depth));
        }
        worker.found.store(worker.found.load(std::memory_order_relaxed) + found, std::memory_order_relaxed);
    }

    std::uint64_t make_block(Worker& worker, std::uint32_t block, std::uint8_t* entries, std::uint8_t depth) {
        Bits* gathered = worker.gathered.data();
        bool is_reached = false;
        for (std::uint32_t i = first_move_[block]; i < first_move_[block + 1]; ++i) {
            const std::uint32_t source_block = moves_[i] >> 8;
            if (is_live_[source_block] == 0) {
                continue;
            }
            if (!is_reached) {
                is_reached = true;
                std::memset(gathered, 0, words_ * sizeof(Bits));
            }
            gather(gathered, bits_.data() + source_block * words_, moves_[i] & 127);
        }
        Bits* bits = bits_.data() + block * words_;
        if (!is_reached) {
            if (is_live_[block] != 0) {
                std::memset(bits, 0, words_ * sizeof(Bits));
                is_live_[block] = 0;
            }
            return 0;
        }
        std::uint64_t found = 0;
        Bits any = 0;
        for (std::size_t word = 0; word < words_; ++word) {
            Bits fresh = gathered[word] & ~bits[word];
            bits[word] = fresh;
            any |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                std::uint8_t& entry = entries[word * 64 + static_cast<std::size_t>(std::countr_zero(fresh))];
                const bool is_new = entry == PatternTable::unreached;
                entry = is_new ? depth : entry;
                found += is_new ? 1 : 0;
            }
        }
        is_live_[block] = any != 0 ? 1 : 0;
        worker.is_alive = worker.is_alive || any != 0;
        return found;
    }

    void gather(Bits* gathered, const Bits* source, std::uint32_t turn) const {
        if (turn == 0) {
            for (std::size_t word = 0; word < words_; ++word) {
                gathered[word] |= source[word];
            }
            return;
        }
        const std::uint16_t* ranks = turned_[turn].data();
        for (std::size_t word = 0; word < words_; ++word) {
            for (Bits rest = source[word]; rest != 0; rest &= rest - 1) {
                const std::uint32_t rank = ranks[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
                gathered[rank / 64] |= Bits{1} << rank % 64;
            }
        }
    }

    std::uint64_t bytes_held() const {
        std::uint64_t bytes = memory_->budget.peak() + bits_budget_.peak() + is_live_.size();
        bytes += (sets_.capacity() + first_block_.capacity() + first_move_.capacity() + moves_.capacity() +
                  of_parity_[0].capacity() + of_parity_[1].capacity()) *
                 sizeof(std::uint32_t);
        for (const auto& ranks : turned_) {
            bytes += ranks.capacity() * sizeof(std::uint16_t);
        }
        return bytes;
    }

    TableShape shape_;
    int n_;
    PlacementRanking ranking_;
    std::uint64_t orders_;
    std::size_t words_; ///< of a block
    const BuildOptions& options_;
    BuildReporter reporter_;
    std::shared_ptr<TableMemory> memory_;
    std::vector<std::uint32_t> sets_;        ///< by rank
    std::vector<std::uint32_t> first_block_; ///< by the rank of a set
    std::vector<std::uint32_t> first_move_;  ///< by block
    std::vector<std::uint32_t> moves_;
    std::array<std::vector<std::uint32_t>, 2> of_parity_; ///< ranks of sets, by the parity of their depths
    std::array<std::vector<std::uint16_t>, 128> turned_;
    MemoryBudget bits_budget_;
    LineStorage<Bits> bits_{bits_budget_};
    std::vector<std::uint8_t> is_live_; ///< by block, whether a bit is set
};

/// Breadth-first search from the goal over the placements of the tiles and the blank. The entries themselves say which are
/// next, so it needs no memory beside them.
class ClassicalBuild {
public:
    ClassicalBuild(const TableShape& shape, const BuildOptions& options)
        : shape_(shape), ranking_(shape.ranking()), options_(options),
          reporter_(shape, ranking_.placements(), options) {}

    std::optional<PatternTable> run() {
        memory_ = std::make_shared<TableMemory>(static_cast<std::size_t>(ranking_.placements()));
        std::uint8_t* entries = memory_->bytes.data();
        const std::size_t size = memory_->bytes.size();
        std::memset(entries, PatternTable::unreached, size);
        if (options_.peak_bytes != nullptr) {
            *options_.peak_bytes = memory_->budget.peak();
        }
        entries[ranking_.index(shape_.goal())] = 0;
        std::vector<std::uint64_t> entries_at_depth{1};
        std::uint64_t done = 1;
        for (int depth = 0; entries_at_depth.back() > 0; ++depth) {
            reporter_.tell(done, depth);
            std::uint64_t found = 0;
            for (std::size_t begin = 0; begin < size; begin += piece) {
                if (reporter_.stops()) {
                    return std::nullopt;
                }
                found += expand(begin, std::min(begin + piece, size), depth);
                reporter_.tell_now_and_then(done + found, depth);
            }
            done += found;
            entries_at_depth.push_back(found);
        }
        entries_at_depth.pop_back();
        const std::span<const std::uint8_t> view(entries, size);
        return PatternTable(shape_, view, memory_, std::move(entries_at_depth));
    }

private:
    static constexpr std::size_t piece = 1 << 16;

    std::uint64_t expand(std::size_t begin, std::size_t end, int depth) {
        std::uint8_t* entries = memory_->bytes.data();
        std::uint64_t found = 0;
        while (begin < end) {
            const void* next = std::memchr(entries + begin, depth, end - begin);
            if (next == nullptr) {
                break;
            }
            begin = static_cast<std::size_t>(static_cast<const std::uint8_t*>(next) - entries);
            const Placement placement = ranking_.placement(static_cast<std::uint32_t>(begin));
            const auto set = static_cast<std::uint32_t>(placement);
            const int blank = ranking_.cells(placement).back();
            for (std::uint32_t rest = grown(shape_.n, cell_bit(blank)) & ~cell_bit(blank); rest != 0;
                 rest &= rest - 1) {
                const int to = std::countr_zero(rest);
                const Placement child = (set & cell_bit(to)) != 0 ? exchanged(placement, blank, to)
                                                                  : PlacementStep(blank, to)(placement);
                std::uint8_t& entry = entries[ranking_.index(child)];
                if (entry == PatternTable::unreached) {
                    entry = static_cast<std::uint8_t>(depth + 1);
                    ++found;
                }
            }
            ++begin;
        }
        return found;
    }

    TableShape shape_;
    PlacementRanking ranking_;
    const BuildOptions& options_;
    BuildReporter reporter_;
    std::shared_ptr<TableMemory> memory_;
};

} // namespace detail

/// Builds the table of a shape that `normalized_shape` gave.
///
/// Additive tables are built by all threads in time proportional to the entries: a few nanoseconds each. Classical ones
/// by one thread.
/// \return the table; nothing if a stop was requested
/// \throws std::invalid_argument if the shape is none, or has more entries than fit 32 bits
/// \throws std::bad_alloc if there is not enough memory
[[nodiscard]] inline std::optional<PatternTable> build_table(const TableShape& shape,
                                                             const BuildOptions& options = {}) {
    const NormalizedShape normalized = normalized_shape(Pattern(shape.n, shape.cells), shape.blank, shape.kind);
    if (normalized.shape != shape) {
        throw std::invalid_argument("no table is made for the shape " + shape.to_string() + " but for its image " +
                                    normalized.shape.to_string());
    }
    if (shape.kind == TableKind::classical) {
        return detail::ClassicalBuild(shape, options).run();
    }
    return detail::AdditiveBuild(shape, options).run();
}

namespace detail {

/// A table for each pattern of a partition, in their order, made by `make(shape)` once for each shape. Nothing if `make`
/// gave nothing.
template <class Make>
[[nodiscard]] std::optional<std::vector<PatternTable>> tables_of(const Partition& partition, const Make& make) {
    std::vector<PatternTable> tables;
    for (const Pattern& pattern : partition.patterns()) {
        const TableShape shape = normalized_shape(pattern, partition.blank_cell()).shape;
        std::optional<PatternTable> table;
        for (const PatternTable& other : tables) {
            if (other.shape() == shape) {
                table = other;
            }
        }
        if (!table) {
            table = make(shape);
        }
        if (!table) {
            return std::nullopt;
        }
        tables.push_back(*std::move(table));
    }
    return tables;
}

} // namespace detail

/// Builds the additive tables of a partition, one for each pattern in their order; patterns that are images of each other
/// share one.
/// \return nothing if a stop was requested
/// \throws what `build_table` throws
[[nodiscard]] inline std::optional<std::vector<PatternTable>> build_tables(const Partition& partition,
                                                                           const BuildOptions& options = {}) {
    return detail::tables_of(partition,
                             [&](const TableShape& shape) { return build_table(shape, options); });
}

} // namespace npuzzle
