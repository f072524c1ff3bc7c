#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/record_chains.hpp"
#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace npuzzle::detail {

/// A hash table of records of equal size, by open addressing with linear probing, which is filled, purged of
/// what is known, and then gone through. Records lie in the order of their hashes. So to go through two sets
/// of records, one of them in a table, of which the other was in a table before, reads the memory of both in
/// order.
///
/// Where not all records fit at once, they are taken by parts: see `parts`. A slot takes a byte more than a
/// record.
///
/// \tparam Same `same(record, other)`: whether two records are of the same state
template <class Same>
class DuplicateTable {
public:
    DuplicateTable(std::size_t record_bytes, Same same, MemoryBudget& budget)
        : record_bytes_(record_bytes), slot_bytes_(record_bytes + 1), same_(same), budget_(&budget),
          slots_(budget) {}

    /// How many parts there must be for `records` records, the same among them, with `bytes` for a part.
    [[nodiscard]] std::uint64_t parts(std::uint64_t records, std::uint64_t bytes) const {
        const std::uint64_t most = std::clamp<std::uint64_t>(bytes / slot_bytes_, 1, max_slots) * 4 / 5;
        // Parts are of equal size but for chance.
        return records <= most ? 1 : records / std::max<std::uint64_t>(most * 15 / 16, 1) + 1;
    }

    /// Makes the table empty, for a part of so many records. Throws `std::bad_alloc`.
    void begin(std::uint64_t part, std::uint64_t parts, std::uint64_t records) {
        part_ = part;
        parts_ = parts;
        const std::uint64_t expected = parts == 1 ? records : records / parts + records / parts / 16;
        capacity_ = std::max<std::uint64_t>(expected + expected / 4, 64);
        used_ = wanted_ = 0;
        const std::size_t bytes = static_cast<std::size_t>(capacity_) * slot_bytes_;
        if (bytes > slots_.size() || bytes < slots_.size() / 4) {
            slots_ = Storage<char>(*budget_); // Nothing in it is wanted.
            slots_.grow_zeroed(bytes);
        } else {
            std::memset(slots_.data(), 0, bytes);
        }
    }

    /// Whether the records of this hash belong to the part.
    [[nodiscard]] bool is_in_part(std::uint64_t hash) const { return (hash >> 32) * parts_ >> 32 == part_; }

    /// How many records have been added and not dropped.
    [[nodiscard]] std::uint64_t size() const noexcept { return wanted_; }

    /// Gives the memory back.
    void release() { slots_ = Storage<char>(*budget_); }

    void prefetch(std::uint64_t hash) const { detail::prefetch(slots_.data() + home(hash) * slot_bytes_); }

    /// Adds a record, if there is none of its state. False if the table is full.
    bool insert(const char* record, std::uint64_t hash) {
        char* const slot = find(record, hash);
        if (slot[record_bytes_] != empty) {
            return true;
        }
        if (used_ + 1 >= capacity_) {
            return false;
        }
        ++used_;
        ++wanted_;
        std::memcpy(slot, record, record_bytes_);
        slot[record_bytes_] = wanted;
        return true;
    }

    /// Drops the record of a state, if there is one.
    void drop(const char* record, std::uint64_t hash) {
        char& mark = find(record, hash)[record_bytes_];
        if (mark == wanted) {
            mark = dropped;
            --wanted_;
        }
    }

    /// Calls `visit(record)` for the records that were not dropped, by ascending hashes but for neighbors.
    template <class F>
    void for_each(F&& visit) const {
        const char* slot = slots_.data();
        for (std::uint64_t i = 0; i < capacity_; ++i, slot += slot_bytes_) {
            if (slot[record_bytes_] == wanted) {
                visit(slot);
            }
        }
    }

private:
    static constexpr char empty = 0;
    static constexpr char wanted = 1;
    static constexpr char dropped = 2;
    static constexpr std::uint64_t max_slots = std::uint64_t{1} << 32;

    /// The number of the slot at which the search for a hash begins.
    [[nodiscard]] std::size_t home(std::uint64_t hash) const {
        const auto within = static_cast<std::uint32_t>((hash >> 32) * parts_);
        return static_cast<std::size_t>(within * capacity_ >> 32);
    }

    /// The slot of a state, or the empty one where it would be. There is one.
    [[nodiscard]] char* find(const char* record, std::uint64_t hash) const {
        std::size_t i = home(hash);
        for (;;) {
            char* const slot = slots_.data() + i * slot_bytes_;
            if (slot[record_bytes_] == empty || same_(slot, record)) {
                return slot;
            }
            i = i + 1 < capacity_ ? i + 1 : 0;
        }
    }

    std::size_t record_bytes_;
    std::size_t slot_bytes_;
    NPUZZLE_NO_UNIQUE_ADDRESS Same same_;
    MemoryBudget* budget_;
    Storage<char> slots_;
    std::uint64_t capacity_ = 0; // in slots
    std::uint64_t used_ = 0;     // of them
    std::uint64_t wanted_ = 0;   // of these
    std::uint64_t part_ = 0;
    std::uint64_t parts_ = 1;
};

/// The nodes of external A*: open and closed ones, in buckets of equal g and h, which are in a file.
/// \tparam Stored what a state is stored as; trivially copyable, as is `Link`
/// \tparam Hash `hash(stored)`: 64 bits, of which the first 32 are used
template <class Cost, class Estimate, class Stored, class Link, class Hash>
class ExternalBuckets {
    static_assert(std::is_trivially_copyable_v<Stored> && std::is_trivially_copyable_v<Link>);
    static constexpr std::size_t record_bytes = sizeof(Stored) + sizeof(Link);

public:
    struct Record {
        Stored state;
        Link link; ///< the last step of the path to it
    };

    struct Bucket {
        Bucket(const Cost& its_cost, const Estimate& its_estimate, MemoryBudget& budget)
            : cost(its_cost), estimate(its_estimate), arrived(budget), closed(budget) {}

        Cost cost;
        Estimate estimate;
        RecordChain arrived;        ///< with duplicates
        RecordChain closed;         ///< without; of them, some at the end may not yet be expanded
        std::uint64_t expanded = 0; ///< records of `closed`
        bool is_waiting = false;    ///< has nodes that are not expanded
        Estimate layer{};           ///< the f at which its turn comes
    };

    ExternalBuckets(Hash hash, const std::string& folder, std::uint64_t file_bytes, const Limits& limits,
                    MemoryBudget& budget)
        : hash_(hash), budget_(&budget), work_(limits), table_bytes_(limits.bytes / 8 * 5),
          all_(BudgetAllocator<typename All::value_type>(budget)),
          chains_(record_bytes, limits.bytes / 4, folder, block_bytes(limits.bytes), file_bytes, budget),
          reader_(chains_), table_(record_bytes, Same{}, budget),
          layers_(BudgetAllocator<typename Layers::value_type>(budget)) {}

    /// Adds a node that was reached. Throws `std::bad_alloc`, after which nothing can be added any more.
    void add(const Cost& cost, const Estimate& estimate, const Estimate& priority, const Record& record) {
        Bucket& bucket = this->bucket(cost, estimate);
        char* const room = chains_.append(bucket.arrived);
        std::memcpy(room, &record.state, sizeof(Stored));
        std::memcpy(room + sizeof(Stored), &record.link, sizeof(Link));
        ++stored_;
        peak_open_ = (std::max)(peak_open_, ++open_);
        if (!bucket.is_waiting) [[unlikely]] {
            // No path through it costs less than the layer of the bucket that it was reached from (the
            // path-max rule of L. Mero, 1984), so that under an inconsistent heuristic it joins that layer.
            bucket.layer = (std::max)(priority, layer_);
            Layer& layer = this->layer(bucket.layer);
            layer.buckets.try_emplace({cost, estimate}, &bucket);
            ++layer.waiting;
            bucket.is_waiting = true;
        }
    }

    [[nodiscard]] const Bucket& current() const { return *current_; }

    /// The next node of the bucket that is being expanded, if it has one.
    [[nodiscard]] std::optional<Record> first() {
        if (left_ == 0 && current_ != nullptr) {
            std::tie(next_, left_) = reader_.next();
            if (left_ == 0) {
                leave_current();
            }
        }
        return left_ > 0 ? std::optional<Record>(record_at(next_)) : std::nullopt;
    }

    /// Removes that.
    void pop() {
        ++current_->expanded;
        --open_;
        --left_;
        next_ += record_bytes;
    }

    /// Whether all nodes are expanded.
    [[nodiscard]] bool is_empty() const noexcept { return layers_.empty(); }

    /// Goes on to the next bucket, and removes its duplicates. Requires that the one before has no nodes
    /// left, and that not all nodes are expanded. Returns the limit that was reached, or `running`.
    SearchStatus go_on(Statistics& statistics) {
        Bucket& bucket = choose();
        if (bucket.arrived.size() > 0 && !remove_duplicates(bucket, statistics)) {
            return work_.status();
        }
        current_ = &bucket;
        reader_.begin(bucket.closed, bucket.expanded);
        return SearchStatus::running;
    }

    void add_to(Statistics& statistics) const {
        statistics.stored = stored_;
        statistics.peak_open = peak_open_;
    }
    [[nodiscard]] std::uint64_t peak_file_bytes() const noexcept { return chains_.file().peak_bytes(); }

    /// Gives memory back that is not needed after the search.
    void release() { table_.release(); }

    /// Looks nodes up, one after another.
    class Reader {
    public:
        explicit Reader(const ExternalBuckets& buckets) : buckets_(&buckets), reader_(buckets.chains_) {}

        /// The link of a node that was expanded. Linear in the size of its bucket.
        [[nodiscard]] std::optional<Link> find(const Cost& cost, const Estimate& estimate,
                                               const Stored& state) {
            const auto bucket = buckets_->all_.find({estimate, cost});
            if (bucket == buckets_->all_.end()) {
                return std::nullopt;
            }
            reader_.begin(bucket->second.closed);
            for (auto [record, count] = reader_.next(); count > 0; std::tie(record, count) = reader_.next()) {
                for (const char* const end = record + count * record_bytes; record != end;
                     record += record_bytes) {
                    if (is_equal(read<Stored>(record), state)) {
                        return read<Link>(record + sizeof(Stored));
                    }
                }
            }
            return std::nullopt;
        }

    private:
        const ExternalBuckets* buckets_;
        RecordChains::Reader reader_;
    };

private:
    struct Same {
        bool operator()(const char* a, const char* b) const {
            return is_equal(read<Stored>(a), read<Stored>(b));
        }
    };

    template <class T>
    static T read(const char* bytes) {
        std::array<char, sizeof(T)> copy;
        std::memcpy(copy.data(), bytes, sizeof(T));
        return NPUZZLE_BIT_CAST(T, copy);
    }
    static Record record_at(const char* bytes) {
        return Record{read<Stored>(bytes), read<Link>(bytes + sizeof(Stored))};
    }

    using Key = std::pair<Estimate, Cost>; // so that those of one estimate are side by side
    using All = std::map<Key, Bucket, std::less<>, BudgetAllocator<std::pair<const Key, Bucket>>>;
    using Place = std::pair<Cost, Estimate>;
    using InOrder = std::map<Place, Bucket*, std::less<>, BudgetAllocator<std::pair<const Place, Bucket*>>>;

    /// The buckets whose turn comes when f reaches some value.
    struct Layer {
        InOrder buckets;         // by g
        std::size_t waiting = 0; // of them, those with nodes that are not expanded

        explicit Layer(MemoryBudget& budget)
            : buckets(BudgetAllocator<typename InOrder::value_type>(budget)) {}
    };
    using Layers = std::map<Estimate, Layer, std::less<>, BudgetAllocator<std::pair<const Estimate, Layer>>>;

    /// How many closed nodes a sweep may look at for each node that it begins with. On the 15-puzzle, 4
    /// expand up to half again as many nodes as 16, and 16 take up to one and a half times as long.
    static constexpr std::uint64_t max_comparisons = 8;

    /// There are up to a thousand buckets in a search of a puzzle, each with an end in memory.
    static std::size_t block_bytes(std::uint64_t bytes) {
        return static_cast<std::size_t>(std::bit_floor(std::clamp<std::uint64_t>(bytes / 4096, 4096, 65536)));
    }

    Bucket& bucket(const Cost& cost, const Estimate& estimate) {
        const auto number = static_cast<std::size_t>(cost) + 3 * static_cast<std::size_t>(estimate);
        Bucket*& recent = recent_[number % recent_.size()];
        if (recent == nullptr || recent->cost != cost || recent->estimate != estimate) {
            recent = &all_.try_emplace({estimate, cost}, cost, estimate, *budget_).first->second;
        }
        return *recent;
    }

    Layer& layer(const Estimate& priority) { return layers_.try_emplace(priority, *budget_).first->second; }

    /// Calls `visit(before)` for the buckets whose closed nodes those of a bucket are compared with, until it
    /// returns false: those of the same estimate, since a state has one, and of paths that cost no more.
    template <class F>
    void for_each_before(const Bucket& bucket, F&& visit) const {
        for (auto i = all_.lower_bound({bucket.estimate, Cost{}});
             i != all_.end() && i->first.first == bucket.estimate && !(bucket.cost < i->first.second); ++i) {
            if (!visit(i->second)) {
                return;
            }
        }
    }

    /// The bucket whose turn it is. In a layer, the turns are by ascending g, from one g to the end, again
    /// and again from another one.
    Bucket& choose() {
        auto& [priority, layer] = *layers_.begin();
        if (priority == layer_ && is_sweeping_) {
            auto next = layer.buckets.lower_bound({sweep_, std::numeric_limits<Estimate>::lowest()});
            while (next != layer.buckets.end() && !next->second->is_waiting) {
                ++next;
            }
            if (next != layer.buckets.end()) {
                sweep_ = next->second->cost;
                return *next->second;
            }
        }
        layer_ = priority;
        is_sweeping_ = true;
        return begin_sweep(layer);
    }

    /// The first bucket of a sweep: the one of greatest g from which on there are enough nodes to expand for
    /// those that they will have to be compared with; else the one of least g.
    Bucket& begin_sweep(Layer& layer) {
        std::uint64_t open = 0;
        std::uint64_t closed = 0;
        Bucket* first = nullptr;
        for (auto i = layer.buckets.end(); i != layer.buckets.begin();) {
            Bucket& bucket = *(--i)->second;
            for_each_before(bucket, [&](const Bucket& before) {
                closed += before.closed.size();
                return true;
            });
            if (bucket.is_waiting) {
                open += bucket.arrived.size() + bucket.closed.size() - bucket.expanded;
                first = &bucket;
                if (open >= closed / max_comparisons) {
                    break;
                }
            }
        }
        sweep_ = first->cost;
        return *first;
    }

    void leave_current() {
        Bucket& bucket = *std::exchange(current_, nullptr);
        if (bucket.arrived.size() == 0) {
            bucket.is_waiting = false;
            const auto layer = layers_.find(bucket.layer);
            if (--layer->second.waiting == 0) {
                layers_.erase(layer);
            }
        }
    }

    /// Moves what has arrived in a bucket to its closed nodes, without duplicates. False if a limit was
    /// reached.
    bool remove_duplicates(Bucket& bucket, Statistics& statistics) {
        const std::uint64_t arrived = bucket.arrived.size();
        const std::uint64_t before = bucket.closed.size();
        const std::uint64_t parts = table_.parts(arrived, table_bytes_);
        for (std::uint64_t part = 0; part < parts; ++part) {
            if (!fill_table(bucket, part, parts)) {
                return false;
            }
            bool goes_on = true;
            for_each_before(bucket, [&](const Bucket& known) {
                const auto drop = [&](const char* record, std::uint64_t hash) { table_.drop(record, hash); };
                goes_on = table_.size() == 0 || scan(known.closed, drop);
                return goes_on && table_.size() > 0;
            });
            if (!goes_on) {
                return false;
            }
            table_.for_each([&](const char* record) {
                std::memcpy(chains_.append(bucket.closed), record, record_bytes);
            });
        }
        chains_.clear(bucket.arrived);
        const std::uint64_t duplicates = arrived - (bucket.closed.size() - before);
        statistics.duplicates += duplicates;
        stored_ -= duplicates;
        open_ -= duplicates;
        return true;
    }

    /// Puts what has arrived in a bucket into the table, as far as it belongs to a part. False if a limit was
    /// reached.
    bool fill_table(const Bucket& bucket, std::uint64_t part, std::uint64_t parts) {
        bool is_full = false;
        std::uint64_t room = bucket.arrived.size();
        do {
            table_.begin(part, parts, room);
            is_full = false;
            const bool goes_on = scan(bucket.arrived, [&](const char* record, std::uint64_t hash) {
                is_full = is_full || !table_.insert(record, hash);
            });
            if (!goes_on) {
                return false;
            }
            room *= 2; // A part can be larger than others by chance.
        } while (is_full);
        return true;
    }

    /// Calls `visit(record, hash)` for the records that belong to the part in the table. False if a limit was
    /// reached.
    template <class F>
    bool scan(const RecordChain& chain, F&& visit) {
        constexpr std::uint32_t ahead = 16;
        std::array<std::uint64_t, ahead> hashes;
        reader_.begin(chain);
        for (auto [record, count] = reader_.next(); count > 0; std::tie(record, count) = reader_.next()) {
            if (!work_.may_work()) {
                return false;
            }
            const char* const first = record;
            const auto announce = [&](std::uint32_t i) {
                hashes[i % ahead] = hash_(read<Stored>(first + i * record_bytes));
                table_.prefetch(hashes[i % ahead]);
            };
            for (std::uint32_t i = 0; i < (std::min)(ahead, count); ++i) {
                announce(i);
            }
            for (std::uint32_t i = 0; i < count; ++i, record += record_bytes) {
                const std::uint64_t hash = hashes[i % ahead];
                if (i + ahead < count) {
                    announce(i + ahead);
                }
                if (table_.is_in_part(hash)) {
                    visit(record, hash);
                }
            }
        }
        return true;
    }

    using Table = DuplicateTable<Same>;

    Hash hash_;
    MemoryBudget* budget_;
    WorkMonitor work_;
    std::uint64_t table_bytes_;
    All all_;
    RecordChains chains_;
    RecordChains::Reader reader_;
    Table table_;
    std::array<Bucket*, 8> recent_{};
    Layers layers_; // those that have nodes that are not expanded
    Estimate layer_ = std::numeric_limits<Estimate>::lowest();
    Cost sweep_{}; // the g of the last turn
    bool is_sweeping_ = false;
    Bucket* current_ = nullptr;
    const char* next_ = nullptr; // records of it
    std::uint32_t left_ = 0;
    std::uint64_t stored_ = 0;
    std::uint64_t open_ = 0;
    std::uint64_t peak_open_ = 0;
};

} // namespace npuzzle::detail
