#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/work_monitor.hpp"
#include "npuzzle/search/memory/spill_file.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// Where a search keeps what does not fit in memory.
struct ExternalOptions {
    /// The folder of the file; empty for the folder of temporary files (`TMPDIR`, else `/tmp`, which may be
    /// in memory; on Windows `TMP`). The file vanishes with the engine or the process.
    std::string folder = {};
    /// The maximum size of the file. Beyond it, or when the disk is full: `Status::memory_limit`.
    std::uint64_t file_bytes = Limits::unlimited;
};

/// What external A* needs: costs and estimates are integers, states are packed (`PackedProblem`) or trivially
/// copyable with a hash, and moves are trivially copyable.
template <class P, class H>
concept ExternalProblem = HeuristicFor<H, P> && std::integral<cost_t<P>> && std::integral<estimate_t<H, P>> &&
                          (PackedProblem<P> || (HasHash<P> && std::is_trivially_copyable_v<state_t<P>>)) &&
                          (!detail::has_moves<P> || std::is_trivially_copyable_v<move_t<P>>);

/// The outcome of external A*.
template <class State, class Cost, class Move = void>
struct ExternalResult : SearchResult<State, Cost, Move> {
    std::uint64_t file_bytes = 0; ///< the most bytes that the file held at one time
};

namespace detail {

/// A state as it is stored: its word, if it is packed.
template <Problem P>
auto stored_from([[maybe_unused]] const P& problem, const state_t<P>& state) {
    if constexpr (PackedProblem<P>) {
        return problem.pack(state);
    } else {
        return state;
    }
}

/// The value that begins at an address.
template <class T>
T load(const char* bytes) {
    std::array<char, sizeof(T)> copy;
    std::memcpy(copy.data(), bytes, sizeof(T));
    return std::bit_cast<T>(copy);
}

/// A hash table of records, which begin with a `Stored` state: open addressing with linear probing. It is
/// filled, purged of known states, and read in the order of hashes. Records of an earlier table have this
/// order, too: so to purge by them reads the memory of both in order.
template <class Stored, std::size_t record_bytes>
class DuplicateTable {
public:
    static constexpr std::size_t slot_bytes = record_bytes + 1; // with a mark

    explicit DuplicateTable(MemoryBudget& budget) : slots_(budget) {}

    /// Empties the table, for records of one part of the range of hashes.
    void begin(std::uint64_t part, std::uint64_t parts, std::uint64_t capacity) {
        part_ = part;
        parts_ = parts;
        capacity_ = capacity;
        size_ = 0;
        slots_ = Storage<char>(slots_.budget());
        slots_.grow_zeroed(static_cast<std::size_t>(capacity) * slot_bytes);
    }

    bool is_in_part(std::uint64_t hash) const { return (hash >> 32) * parts_ >> 32 == part_; }
    /// The number of records that were not dropped.
    std::uint64_t size() const noexcept { return size_; }
    void prefetch(std::uint64_t hash) const { detail::prefetch(slots_.data() + home(hash) * slot_bytes); }

    /// Adds a record, unless its state has one. Throws `std::bad_alloc` if the table is full.
    void insert(const char* record, std::uint64_t hash) {
        char* const slot = find(record, hash);
        if (slot[record_bytes] == empty) {
            if (++size_ == capacity_) throw std::bad_alloc();
            std::memcpy(slot, record, record_bytes);
            slot[record_bytes] = wanted;
        }
    }

    /// Drops the record of a state, if there is one.
    void drop(const char* record, std::uint64_t hash) {
        char& mark = find(record, hash)[record_bytes];
        if (mark == wanted) {
            mark = dropped;
            --size_;
        }
    }

    /// Calls `visit(record)` for records that were not dropped, nearly by ascending hash.
    template <class F>
    void for_each(F&& visit) const {
        const char* slot = slots_.data();
        for (std::uint64_t i = 0; i < capacity_; ++i, slot += slot_bytes) {
            if (slot[record_bytes] == wanted) visit(slot);
        }
    }

private:
    enum Mark : char { empty, wanted, dropped };

    /// The slot at which probing for a hash begins.
    std::size_t home(std::uint64_t hash) const {
        const auto within = static_cast<std::uint32_t>((hash >> 32) * parts_);
        return static_cast<std::size_t>(within * capacity_ >> 32);
    }

    /// The slot of a state, or the empty slot for it: the table is never full.
    char* find(const char* record, std::uint64_t hash) const {
        for (std::size_t i = home(hash);; i = i + 1 < capacity_ ? i + 1 : 0) {
            char* const slot = slots_.data() + i * slot_bytes;
            if (slot[record_bytes] == empty || is_equal(load<Stored>(slot), load<Stored>(record))) {
                return slot;
            }
        }
    }

    Storage<char> slots_;
    std::uint64_t capacity_ = 0; // in slots
    std::uint64_t size_ = 0;
    std::uint64_t part_ = 0;
    std::uint64_t parts_ = 1;
};

/// The open and closed nodes of external A*, in buckets of equal g and h. A bucket is two chains of records,
/// of which all but the last blocks are in a file.
template <class P, class Estimate>
class ExternalBuckets {
public:
    using Cost = cost_t<P>;
    using Stored = decltype(stored_from(std::declval<const P&>(), std::declval<const state_t<P>&>()));
    /// The move to a state; without moves, its parent.
    using Link = std::conditional_t<has_moves<P>, move_t<P>, Stored>;

    struct Record {
        Stored state;
        Link link;
    };

private:
    struct Block {
        SpillFile::Number number;
        std::uint32_t count; // of records
    };
    struct Chain {
        explicit Chain(MemoryBudget& budget)
            : blocks(BudgetAllocator<Block>(budget)), tail(BudgetAllocator<char>(budget)) {}

        std::vector<Block, BudgetAllocator<Block>> blocks;
        std::vector<char, BudgetAllocator<char>> tail; // none, or a block
        std::uint32_t tail_count = 0;                  // records in it
        std::uint64_t size = 0;                        // records in all
    };

public:
    struct Bucket {
        Bucket(const Cost& its_cost, const Estimate& its_estimate, MemoryBudget& budget)
            : cost(its_cost), estimate(its_estimate), arrived(budget), closed(budget) {}

        Cost cost;
        Estimate estimate;
        Chain arrived; // nodes to expand, with duplicates
        Chain closed;  // without duplicates; in the current bucket, the nodes to expand are last
    };

    /// \param statistics of the search: counts what is stored, and duplicates
    ExternalBuckets(const P& problem, const ExternalOptions& options, const Limits& limits,
                    MemoryBudget& budget, Statistics& statistics)
        : problem_(&problem), statistics_(&statistics), budget_(&budget), work_(limits),
          all_(BudgetAllocator<typename All::value_type>(budget)),
          turns_(BudgetAllocator<typename Turns::value_type>(budget)),
          // There are up to a thousand buckets in a search of a puzzle, each with a block in memory.
          file_(options.folder,
                (std::max)(static_cast<std::size_t>(
                               std::bit_floor(std::clamp<std::uint64_t>(limits.bytes / 4096, 4096, 65536))),
                           (record_bytes + 4095) / 4096 * 4096),
                options.file_bytes, budget),
          room_(file_.block_bytes(), '\0', BudgetAllocator<char>(budget)), table_(budget),
          max_slots_(std::clamp<std::uint64_t>(limits.bytes / 8 * 5 / Table::slot_bytes, 64,
                                               std::uint64_t{1} << 32)),
          max_tails_(std::max<std::uint64_t>(limits.bytes / 4 / file_.block_bytes(), 1)) {}

    /// Adds a node, even a duplicate. Throws `std::bad_alloc`; then nothing can be added any more.
    void add(const Cost& cost, const Estimate& estimate, const Estimate& priority, const Record& record) {
        Bucket& bucket = this->bucket(cost, estimate);
        if (bucket.arrived.size == 0) [[unlikely]] {
            // No path through it costs less than the layer of its parent (the path-max rule of L. Mero,
            // 1984). So under an inconsistent heuristic it joins that layer.
            turns_.try_emplace({(std::max)(priority, layer_), cost, estimate}, &bucket);
        }
        char* const room = append(bucket.arrived);
        std::memcpy(room, &record.state, sizeof(Stored));
        std::memcpy(room + sizeof(Stored), &record.link, sizeof(Link));
        ++statistics_->stored;
        statistics_->peak_open =
            (std::max)(statistics_->peak_open, statistics_->stored - statistics_->expanded);
    }

    /// The next node of the current bucket, if it has one.
    std::optional<Record> take() {
        while (left_ == 0) {
            if (current_ == nullptr || block_ > current_->closed.blocks.size()) return std::nullopt;
            left_ = read(current_->closed, block_++);
            next_ = room_.data();
        }
        --left_;
        const char* const record = std::exchange(next_, next_ + record_bytes);
        return Record{load<Stored>(record), load<Link>(record + sizeof(Stored))};
    }
    const Bucket& current() const { return *current_; }
    std::uint64_t peak_file_bytes() const noexcept { return file_.peak_bytes(); }

    /// Goes on to the next bucket, and removes nodes that are closed at the same h and no greater g. Returns
    /// the limit that was reached, `unsolvable` if all nodes are expanded, else `running`.
    SearchStatus advance() {
        current_ = next_turn();
        if (current_ == nullptr) return SearchStatus::unsolvable;
        const Chain& closed = current_->closed;
        block_ = closed.blocks.size(); // in which the new nodes begin
        const std::uint32_t expanded = closed.tail_count;
        if (!remove_duplicates(*current_)) return work_.status();
        left_ = read(closed, block_++) - expanded;
        next_ = room_.data() + expanded * record_bytes;
        return SearchStatus::running;
    }

    /// After the search: the link of a node that was expanded. Linear in the size of its bucket.
    std::optional<Link> find(const Cost& cost, const Estimate& estimate, const Stored& state) const {
        const auto bucket = all_.find({estimate, cost});
        if (bucket == all_.end()) return std::nullopt;
        const Chain& closed = bucket->second.closed;
        for (std::size_t block = 0; block <= closed.blocks.size(); ++block) {
            const char* const end = room_.data() + read(closed, block) * record_bytes;
            for (const char* record = room_.data(); record != end; record += record_bytes) {
                if (is_equal(load<Stored>(record), state)) return load<Link>(record + sizeof(Stored));
            }
        }
        return std::nullopt;
    }

private:
    static constexpr std::size_t record_bytes = sizeof(Stored) + sizeof(Link);
    /// How many closed nodes a sweep may compare for each node that it begins with. On the 15-puzzle, 4
    /// expand up to half again as many nodes as 16, and 16 take up to one and a half times as long.
    static constexpr std::uint64_t max_comparisons = 8;

    using Table = DuplicateTable<Stored, record_bytes>;
    using Key = std::pair<Estimate, Cost>; // buckets of one estimate are side by side
    using All = std::map<Key, Bucket, std::less<>, BudgetAllocator<std::pair<const Key, Bucket>>>;
    /// The order of buckets: by the f of its layer, then by g and h.
    using Turn = std::tuple<Estimate, Cost, Estimate>;
    using Turns = std::map<Turn, Bucket*, std::less<>, BudgetAllocator<std::pair<const Turn, Bucket*>>>;

    std::uint64_t hash(const Stored& state) const {
        if constexpr (PackedProblem<P>) {
            return mix_word(state);
        } else {
            return hash_state(*problem_, state);
        }
    }

    /// Room for one more record. Throws `std::bad_alloc` if there is neither memory nor room in the file.
    NPUZZLE_ALWAYS_INLINE char* append(Chain& chain) {
        if ((chain.tail_count + 1) * record_bytes > chain.tail.size()) [[unlikely]] {
            make_room(chain);
        }
        ++chain.size;
        return chain.tail.data() + record_bytes * chain.tail_count++;
    }

    NPUZZLE_NOINLINE void make_room(Chain& chain) {
        write_tail(chain);
        if (chain.tail.empty()) {
            if (tails_ >= max_tails_) {
                for (auto& [key, bucket] : all_) {
                    for (Chain* const each : {&bucket.arrived, &bucket.closed}) {
                        write_tail(*each);
                        drop_tail(*each);
                    }
                }
            }
            chain.tail.assign(file_.block_bytes(), '\0');
            ++tails_;
        }
    }

    void write_tail(Chain& chain) {
        if (chain.tail_count > 0) {
            const auto number = file_.write(chain.tail.data(), chain.tail_count * record_bytes);
            chain.blocks.push_back({number, chain.tail_count});
            chain.tail_count = 0;
        }
    }

    void drop_tail(Chain& chain) {
        tails_ -= chain.tail.empty() ? 0 : 1;
        chain.tail_count = 0;
        decltype(chain.tail)(chain.tail.get_allocator()).swap(chain.tail);
    }

    void clear(Chain& chain) {
        for (const Block& block : chain.blocks) file_.give_back(block.number);
        chain.blocks.clear();
        drop_tail(chain);
        chain.size = 0;
    }

    /// Copies a block of a chain into `room_`; the last one is in memory. Returns how many records it has.
    std::uint32_t read(const Chain& chain, std::size_t block) const {
        constexpr std::size_t ahead = 8;
        if (block + ahead < chain.blocks.size()) file_.expect(chain.blocks[block + ahead].number);
        if (block == chain.blocks.size()) {
            std::copy_n(chain.tail.data(), chain.tail_count * record_bytes, room_.data());
            return chain.tail_count;
        }
        const auto [number, count] = chain.blocks[block];
        file_.read(number, room_.data(), count * record_bytes);
        return count;
    }

    Bucket& bucket(const Cost& cost, const Estimate& estimate) {
        const auto number = static_cast<std::size_t>(cost) + 3 * static_cast<std::size_t>(estimate);
        Bucket*& recent = recent_[number % recent_.size()];
        if (recent == nullptr || recent->cost != cost || recent->estimate != estimate) {
            recent = &all_.try_emplace({estimate, cost}, cost, estimate, *budget_).first->second;
        }
        return *recent;
    }

    /// Begin and end of the buckets whose closed nodes may duplicate nodes of a bucket: buckets of the same
    /// estimate, since a state has only one, and of paths that cost no more.
    auto range_before(const Bucket& bucket) const {
        return std::pair(all_.lower_bound({bucket.estimate, Cost{}}),
                         all_.upper_bound({bucket.estimate, bucket.cost}));
    }

    /// The next bucket of the least f; null if no nodes are left. In a layer of equal f, sweeps go from some
    /// g to the greatest, again and again. A sweep begins at the greatest g from which it has enough nodes to
    /// expand for the closed nodes that it has to compare (`max_comparisons`); else at the least g.
    Bucket* next_turn() {
        using Costs = std::numeric_limits<Cost>;
        using Estimates = std::numeric_limits<Estimate>;
        while (!turns_.empty()) {
            const Estimate layer = std::get<0>(turns_.begin()->first);
            const auto end = turns_.upper_bound({layer, (Costs::max)(), (Estimates::max)()});
            auto next = layer == layer_ ? turns_.lower_bound({layer, sweep_, Estimates::lowest()}) : end;
            while (next != end && next->second->arrived.size == 0) ++next;
            std::uint64_t open = 0;
            std::uint64_t closed = 0;
            for (auto i = end; next == end || (open > 0 && open < closed / max_comparisons);) {
                if (i == turns_.begin()) break;
                const Bucket& bucket = *(--i)->second;
                for (auto [known, last] = range_before(bucket); known != last; ++known) {
                    closed += known->second.closed.size;
                }
                open += bucket.arrived.size;
                next = bucket.arrived.size > 0 ? i : next;
            }
            layer_ = layer;
            if (next != end) {
                sweep_ = next->second->cost;
                return next->second;
            }
            turns_.erase(turns_.begin(), end);
        }
        return nullptr;
    }

    /// Moves `arrived` of a bucket to `closed`, without duplicates: in parts by hash, if the table has no
    /// room for all. False if a limit was reached.
    bool remove_duplicates(Bucket& bucket) {
        const std::uint64_t arrived = bucket.arrived.size;
        const std::uint64_t closed = bucket.closed.size;
        const std::uint64_t slot_count = arrived + arrived / 4;
        // The sizes of parts vary: on average they take three quarters of the table.
        const std::uint64_t parts = slot_count <= max_slots_ ? 1 : arrived / (max_slots_ / 4 * 3) + 1;
        for (std::uint64_t part = 0; part < parts; ++part) {
            table_.begin(part, parts, std::clamp<std::uint64_t>(slot_count, 64, max_slots_));
            bool goes_on = scan<&Table::insert>(bucket.arrived);
            for (auto [i, end] = range_before(bucket); goes_on && i != end && table_.size() > 0; ++i) {
                goes_on = scan<&Table::drop>(i->second.closed);
            }
            if (!goes_on) return false;
            table_.for_each(
                [&](const char* record) { std::memcpy(append(bucket.closed), record, record_bytes); });
        }
        clear(bucket.arrived);
        const std::uint64_t duplicates = arrived - (bucket.closed.size - closed);
        statistics_->stored -= duplicates;
        statistics_->duplicates += duplicates;
        return true;
    }

    /// Inserts or drops the records of the table's part. False if a limit was reached.
    template <auto visit>
    bool scan(const Chain& chain) {
        constexpr std::uint32_t ahead = 16;
        std::array<std::uint64_t, ahead> hashes; // of the next records, whose slots are prefetched
        for (std::size_t block = 0; block <= chain.blocks.size(); ++block) {
            if (!work_.may_work()) return false;
            const std::uint32_t count = read(chain, block);
            const char* const room = room_.data();
            const auto announce = [&](std::uint32_t i) {
                if (i < count) {
                    hashes[i % ahead] = hash(load<Stored>(room + i * record_bytes));
                    table_.prefetch(hashes[i % ahead]);
                }
            };
            for (std::uint32_t i = 0; i < ahead; ++i) announce(i);
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::uint64_t hash = hashes[i % ahead];
                announce(i + ahead);
                if (table_.is_in_part(hash)) (table_.*visit)(room + i * record_bytes, hash);
            }
        }
        return true;
    }

    const P* problem_;
    Statistics* statistics_;
    MemoryBudget* budget_;
    WorkMonitor work_;
    All all_;
    Turns turns_; // buckets in which nodes have arrived; in the first layer, others too
    SpillFile file_;
    mutable std::vector<char, BudgetAllocator<char>> room_; // for a block
    Table table_;
    std::uint64_t max_slots_; // of the table
    std::uint64_t max_tails_;
    std::uint64_t tails_ = 0; // blocks in memory
    std::array<Bucket*, 8> recent_{};
    Estimate layer_ = std::numeric_limits<Estimate>::lowest(); // the f of the last turn
    Cost sweep_{};                                             // and its g
    Bucket* current_ = nullptr;
    std::size_t block_ = 0;      // the next one of it
    const char* next_ = nullptr; // records in `room_`
    std::uint32_t left_ = 0;
};

/// External A*: `advance` expands a node of the current bucket, or goes on to the next bucket.
template <Problem P, class H, class O>
class ExternalAStar : public Engine {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Node = NodeView<State, Cost, Estimate, Estimate>; ///< as observers see it
    using Result = ExternalResult<State, Cost, move_t<P>>;

    ExternalAStar(const P& problem, const State& start, H&& heuristic, const ExternalOptions& options,
                  const BasicLimits<Cost>& limits, O&& observer)
        : Engine(limits), observer_(std::forward<O>(observer)), max_cost_(checked_max_cost(limits.max_cost)),
          problem_(&problem), heuristic_(make_bound_heuristic(std::forward<H>(heuristic), problem)),
          estimates_(heuristic_, statistics_), buckets_(problem, options, limits, budget_, statistics_) {
        monitor_.restart(); // To bind a heuristic may take long.
        guarded(observer_, [&] {
            const Node view = view_of(checked_state(problem, start), Cost{}, estimates_(start));
            observer_.start(view);
            enqueue(view, Record{stored_as(start), link(no_move<P>(), stored_as(start))});
        });
    }

    SearchStatus run() {
        return Engine::run(observer_, [this] { advance(); });
    }
    /// The outcome, with the path or the partial path. Reads a bucket for each step.
    Result result() const {
        Result result = outcome(Result{}, [this](Result& found) {
            if (nearest_) {
                add_path(*nearest_, status_ == SearchStatus::solved ? found.path : found.partial_path, found);
            }
        });
        result.file_bytes = buckets_.peak_file_bytes();
        return result;
    }

private:
    using Buckets = ExternalBuckets<P, Estimate>;
    using Stored = typename Buckets::Stored;
    using Link = typename Buckets::Link;
    using Record = typename Buckets::Record;
    using BoundHeuristic = kept_t<H, P>;
    using Estimates = Estimator<BoundHeuristic, P>;

    struct Found {
        Record record;
        Cost cost;
        Estimate estimate;
    };

    Stored stored_as(const State& state) const { return stored_from(*problem_, state); }
    State state_of(const Stored& stored) const {
        if constexpr (PackedProblem<P>) {
            return problem_->unpack(stored);
        } else {
            return stored;
        }
    }
    /// The link of a node; the start has `no_move`, or itself.
    static Link link(const auto& move, const Stored& from) {
        return std::get<!has_moves<P>>(std::tie(move, from));
    }
    static Node view_of(const State& state, const Cost& cost, const Estimate& estimate) {
        return Node{state, cost, estimate, AStarPriority<Cost, Estimate>{}(cost, estimate)};
    }

    void advance() {
        if (const std::optional<Record> record = buckets_.take()) {
            expand(*record, buckets_.current().cost, buckets_.current().estimate);
        } else if (const SearchStatus end = buckets_.advance(); end == SearchStatus::unsolvable) {
            finish(observer_, exhausted(max_cost_, is_finite));
        } else if (end != SearchStatus::running) {
            finish(observer_, end);
        }
    }

    void expand(const Record& record, const Cost& cost, const Estimate& estimate) {
        const State state = state_of(record.state);
        const Node view = view_of(state, cost, estimate);
        const bool is_goal = problem_->is_goal(state);
        if (is_goal || !nearest_ ||
            (Estimates::is_zero ? nearest_->cost < cost : estimate < nearest_->estimate)) [[unlikely]] {
            nearest_ = Found{record, cost, estimate};
        }
        if (is_goal) {
            check_goal(estimate, statistics_);
            observer_.goal(view);
            return finish(observer_, SearchStatus::solved);
        }
        if (!may_expand(observer_, view.priority)) return;
        ++statistics_.expanded;
        observer_.expand(view);
        const auto evaluation = estimates_.evaluation_of(state, estimate);
        const auto generate = [&](State&& child, const Cost& step, const auto& move) {
            const Cost child_cost = saturating_add<Cost>(cost, step);
            if (!accept_step(step, child_cost, is_finite)) return;
            ++statistics_.generated;
            const auto evaluated = estimates_.evaluate_child(evaluation, state, move, child);
            const Node reached = view_of(child, child_cost, estimates_.estimate_of_child(evaluated, child));
            observer_.generate(reached, view);
            check_consistency<declares_consistent<BoundHeuristic>>(view.priority, reached.priority,
                                                                   statistics_);
            enqueue(reached, Record{stored_as(child), link(move, record.state)});
        };
        const auto no_last = no_move<P>();
        const auto& last = std::get<has_moves<P>>(std::tie(no_last, record.link));
        const auto leads_back = [&](const auto& child) { // only asked without moves
            return is_equal(stored_as(child), record.link);
        };
        for_each_neighbor(*problem_, state, last, leads_back, generate);
    }

    /// Puts a node into its bucket, unless it is a dead end or over `max_cost`.
    void enqueue(const Node& view, const Record& record) {
        if (is_infinite(view.estimate)) return; // a dead end
        if (is_infinite(view.priority) || is_over(max_cost_, view.priority)) {
            pruned_by_bound_ = true;
        } else {
            buckets_.add(view.cost, view.estimate, view.priority, record);
        }
    }

    /// Appends the path to a node, and puts its moves and its cost into a result.
    void add_path(Found found, std::vector<State>& path, Result& result) const {
        path.push_back(state_of(found.record.state));
        while (!is_equal(found.record.link, link(no_move<P>(), found.record.state))) {
            found = parent_of(found);
            path.push_back(state_of(found.record.state));
        }
        std::reverse(path.begin(), path.end());
        result.cost = look_up_steps(*problem_, path, moves_of<P>(result));
    }

    Found parent_of(const Found& found) const {
        const State to = state_of(found.record.state);
        const State from = [&] {
            if constexpr (has_moves<P>) {
                State state = to;
                problem_->apply(state, problem_->inverse(found.record.link));
                return state;
            } else {
                return state_of(found.record.link);
            }
        }();
        const Estimate estimate = estimates_(from);
        std::optional<Found> parent;
        for_each_neighbor(*problem_, from, [&](const State& neighbor, const Cost& step, const auto& move) {
            if (!parent && !is_negative(step) && !(found.cost < step) && is_equal(neighbor, to) &&
                is_equal(link(move, stored_as(from)), found.record.link)) {
                const auto cost = static_cast<Cost>(found.cost - step);
                if (const auto from_link = buckets_.find(cost, estimate, stored_as(from))) {
                    parent = Found{{stored_as(from), *from_link}, cost, estimate};
                }
            }
        });
        if (!parent) {
            throw std::logic_error("external A*: the heuristic or the problem gives a state two values");
        }
        return *parent;
    }

    O observer_;
    std::optional<Cost> max_cost_;
    const P* problem_;
    BoundHeuristic heuristic_;
    Estimates estimates_;
    Buckets buckets_;
    std::optional<Found> nearest_; // the node of the least h, or without a heuristic of the greatest g
};

} // namespace detail

/// A* whose nodes are in a file, for searches that do not fit in memory: external A* (S. Edelkamp, S. Jabbar,
/// S. Schroedl, "External A*", KI 2004) with delayed duplicate detection by hashing (R. E. Korf, "Best-first
/// frontier search with delayed duplicate detection", AAAI 2004). The file is read and written in order.
///
/// A neighbor is appended to the bucket of its g and h at once, even if it is a duplicate. Before a bucket is
/// expanded, its duplicates are dropped: of its own nodes, and of buckets of the same h and a smaller g.
/// Memory holds one bucket or a part of it, and the end of each other bucket. Among buckets of the least f,
/// the greatest g comes first, as in `astar`, but several are taken at a time.
///
/// Optimal if the heuristic is admissible. If it is inconsistent, states may be expanded again, which
/// `reopened` does not count. `stored` counts records, including duplicates not yet dropped. If the file
/// cannot be read or written, that is an exception; a full disk is `Status::memory_limit`.
///
/// \tparam P its costs and estimates are integers; see `ExternalProblem`
/// \param limits set `bytes`, the memory: at least some hundred kilobytes; on the 15-puzzle, a fiftieth of
///         what `astar` would take is enough
/// \return as from `astar`, with `file_bytes`
/// \throws std::runtime_error, which names the folder, if no file can be made there
template <Problem P, class H, class O = detail::silent_observer_t<P, H, !PackedProblem<P>>>
    requires ExternalProblem<P, H>
auto external_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                    const ExternalOptions& options, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<detail::ExternalAStar<P, H, O>>(problem, start, std::forward<H>(heuristic),
                                                              options, limits, std::forward<O>(observer));
}

} // namespace npuzzle
