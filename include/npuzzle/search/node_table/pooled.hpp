#pragma once

#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/problem.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// A node table for states of any type.

namespace npuzzle {

/// Nodes in chunks that never move, known by 32-bit handles, found through an open-addressing index of handles and
/// halves of hashes. Holds fewer than 2^32 - 1 nodes; one more is a `std::bad_alloc`.
///
/// With `keeps_index` false there is no index, and every `insert` makes a node: a search tree instead of a graph.
template <class P, class E, bool keeps_index = true>
class PooledNodeTable {
    static constexpr bool has_moves = MoveProblem<P>;
    struct NoMove {};

    using Moves = std::conditional_t<has_moves, detail::move_of<P>, std::type_identity<NoMove>>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    using Key = std::uint32_t;
    using Move = typename Moves::type;
    /// Where a node came from: its parent and the move from there.
    struct Link {
        Key parent;
        [[no_unique_address]] Move move;
    };

    static constexpr bool stores_estimate = true;
    static constexpr bool finds_duplicates = keeps_index;

private:
    struct Record {
        State state;
        Cost cost;
        Estimate estimate;
        Key parent;
        bool is_closed;
        [[no_unique_address]] Move move;
    };

public:
    class Node {
    public:
        Key key() const { return key_; }
        const State& state() const { return record_->state; }
        const Cost& cost() const { return record_->cost; }
        const Estimate& estimate() const { return record_->estimate; }
        bool is_closed() const { return record_->is_closed; }
        bool is_root() const { return record_->parent == none; }
        /// The move that led here; `no_move` at a root.
        const Move& last_move() const { return record_->move; }
        Link link() const { return {record_->parent, record_->move}; }

        void close() { record_->is_closed = true; }

        void relax(const Cost& cost, const Estimate& estimate, const Link& link) {
            record_->cost = cost;
            record_->estimate = estimate;
            record_->parent = link.parent;
            record_->move = link.move;
            record_->is_closed = false;
        }

    private:
        friend PooledNodeTable;
        Node(Key key, Record* record) : key_(key), record_(record) {}

        Key key_;
        Record* record_;
    };

    /// A state on its way into the table.
    class Probe {
        friend PooledNodeTable;
        Probe(State&& state, std::uint32_t tag) : state_(std::move(state)), tag_(tag) {}
        State state_;
        std::uint32_t tag_;
    };

    PooledNodeTable(const P& problem, detail::MemoryBudget& budget)
        : problem_(&problem), allocator_(budget), chunks_(detail::BudgetAllocator<Record*>(budget)),
          index_(detail::BudgetAllocator<Slot>(budget)) {}
    PooledNodeTable(const PooledNodeTable&) = delete;
    PooledNodeTable& operator=(const PooledNodeTable&) = delete;

    ~PooledNodeTable() {
        clear();
        for (Record* chunk : chunks_) {
            allocator_.deallocate(chunk, chunk_size);
        }
    }

    /// Hashes a state, and has its place in the index fetched.
    Probe probe(State&& state) const {
        if constexpr (finds_duplicates) {
            const std::uint64_t hash = detail::hash_state(*problem_, state);
            if (!index_.empty()) {
                __builtin_prefetch(&index_[home(hash)]);
            }
            return Probe(std::move(state), static_cast<std::uint32_t>(hash));
        } else {
            return Probe(std::move(state), 0);
        }
    }

    /// Has the node fetched that a probe will be compared with. Worth while if its place in the index has been fetched.
    void prefetch(const Probe& probe) const {
        if constexpr (finds_duplicates) {
            if (!index_.empty()) {
                if (const Slot& slot = index_[home(probe.tag_)]; slot.key != none && slot.tag == probe.tag_) {
                    prefetch(slot.key);
                }
            }
        }
    }

    void prefetch(Key key) const {
        const char* first = reinterpret_cast<const char*>(&record(key));
        __builtin_prefetch(first);
        __builtin_prefetch(first + sizeof(Record) - 1);
    }

    /// Moves from the probe's state if it is new.
    std::pair<Node, bool> insert(Probe&& probe) {
        if constexpr (finds_duplicates) {
            for (;; grow_index()) {
                if (index_.empty()) {
                    continue;
                }
                std::size_t i = home(probe.tag_);
                for (; index_[i].key != none; i = (i + 1) & (index_.size() - 1)) {
                    if (index_[i].tag == probe.tag_ && record(index_[i].key).state == probe.state_) {
                        return {find(index_[i].key), false};
                    }
                }
                if (4 * (std::uint64_t{size_} + 1) <= 3 * index_.size()) {
                    const Node node = append(std::move(probe.state_));
                    index_[i] = {node.key(), probe.tag_};
                    return {node, true};
                }
            }
        } else {
            return {append(std::move(probe.state_)), true};
        }
    }

    std::pair<Node, bool> insert(State&& state) {
        if constexpr (finds_duplicates) {
            return insert(probe(std::move(state)));
        } else {
            return {append(std::move(state)), true};
        }
    }

    /// The state of a probe that has been inserted.
    const State& state_of(const Probe& /*probe*/, const Node& node) const { return node.state(); }

    /// The open node that has this key and this cost.
    template <class IsWanted>
    std::optional<Node> find_open(Key key, const Cost& cost, IsWanted&& /*is_wanted*/) {
        const Node node = find(key);
        return node.is_closed() || node.cost() < cost ? std::nullopt : std::optional<Node>(node);
    }

    Node find(Key key) { return Node(key, &record(key)); }
    Node parent(const Node& node) { return find(node.record_->parent); }

    /// Whether `state` is where a node came from.
    bool leads_back(const Node& node, const State& state) const {
        return !node.is_root() && record(node.record_->parent).state == state;
    }

    /// The link to the node that a new one was reached from.
    static Link link(const Node& parent, Move move) { return {parent.key(), move}; }
    /// The link of a node that was reached from nowhere.
    static Link root(const Node& /*node*/) {
        if constexpr (has_moves) {
            return {none, P::no_move};
        } else {
            return {none, {}};
        }
    }

    /// Whether a node can have this path cost.
    static bool can_hold(const Cost& cost) { return !detail::is_infinite(cost); }

    std::uint64_t size() const { return size_; }

    /// Drops all nodes and keeps the storage.
    void clear() {
        if constexpr (!std::is_trivially_destructible_v<Record>) {
            for (Key key = 0; key < size_; ++key) {
                record(key).~Record();
            }
        }
        size_ = 0;
        std::fill(index_.begin(), index_.end(), Slot{none, 0});
    }

private:
    struct Slot {
        Key key;
        std::uint32_t
            tag; // the low half of the hash: tells most other states apart unseen, and is enough to rehash by
    };

    static constexpr Key none = 0xffffffff;
    static constexpr std::size_t chunk_size =
        std::bit_floor(std::max<std::size_t>(std::size_t{1} << 15, 16 * sizeof(Record)) / sizeof(Record));
    static constexpr std::uint64_t largest_index = std::uint64_t{1} << 32;

    Record& record(Key key) const { return chunks_[key / chunk_size][key % chunk_size]; }

    /// From the tag alone, so that the index can grow without the states. The tag's high bits choose the slot.
    std::size_t home(std::uint64_t hash) const {
        return static_cast<std::size_t>(
            (static_cast<std::uint64_t>(static_cast<std::uint32_t>(hash)) * index_.size()) >> 32);
    }

    Node append(State&& state) {
        if (size_ == none) {
            throw std::bad_alloc();
        }
        if (size_ / chunk_size == chunks_.size()) {
            if (chunks_.size() == chunks_.capacity()) {
                chunks_.reserve(2 * chunks_.size() + 4);
            }
            chunks_.push_back(allocator_.allocate(chunk_size));
        }
        Record* place = &record(size_);
        if constexpr (has_moves) {
            ::new (place) Record{std::move(state), Cost{}, Estimate{}, none, true, P::no_move};
        } else {
            ::new (place) Record{std::move(state), Cost{}, Estimate{}, none, true, {}};
        }
        return Node(size_++, place);
    }

    void grow_index() {
        if (index_.size() == largest_index) {
            throw std::bad_alloc();
        }
        const std::size_t slots = index_.empty() ? 64 : 2 * index_.size();
        std::vector<Slot, detail::BudgetAllocator<Slot>> old(slots, Slot{none, 0}, index_.get_allocator());
        old.swap(index_);
        for (const Slot& slot : old) {
            if (slot.key != none) {
                std::size_t i = home(slot.tag);
                while (index_[i].key != none) {
                    i = (i + 1) & (index_.size() - 1);
                }
                index_[i] = slot;
            }
        }
    }

    const P* problem_;
    detail::BudgetAllocator<Record> allocator_;
    std::vector<Record*, detail::BudgetAllocator<Record*>> chunks_;
    std::vector<Slot, detail::BudgetAllocator<Slot>> index_;
    Key size_ = 0;
};

} // namespace npuzzle
