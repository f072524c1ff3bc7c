#pragma once

#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/detail/hash_index.hpp"
#include "npuzzle/search/node_table/node_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// A node table for states of any type.

namespace npuzzle {

namespace detail {

/// An index that finds no node: every insert makes a new one.
struct NoIndex {
    using Key = std::uint32_t;
    struct Tag {};

    static constexpr bool finds_duplicates = false;
    static constexpr bool keeps_estimates = true;

    template <class P>
    NoIndex(const P& /*problem*/, MemoryBudget& /*budget*/) {}

    template <class State>
    static Tag tag(const State& /*state*/) {
        return {};
    }
    static void reserve(Key /*room*/, Key /*nodes*/) {}
    static void prefetch(Tag /*tag*/) {}
    static std::optional<Key> guess(Tag /*tag*/, Key /*nodes*/) { return std::nullopt; }
    template <class IsSame>
    static Key place(Tag /*tag*/, Key nodes, IsSame&& /*is_same*/) {
        return nodes;
    }
    static void clear(Key /*nodes*/) {}
};

} // namespace detail

/// A node table for states of any type. Nodes are numbered and are in chunks that never move; an index finds
/// them. Holds fewer than 2^31 - 1 nodes.
///
/// `insert` and `find` take expected O(1) time with the default index and a good hash function, amortized for
/// `insert`. `insert` throws `std::bad_alloc` if the table is full or the memory is refused; the table is
/// unchanged then.
///
/// \tparam P a `Problem`; the default index needs a hash of its states
/// \tparam E the type of estimates
/// \tparam Index how nodes are found: by hash (the default), by the number of their state (see
///     `IndexedNodeTable`), or not at all (`detail::NoIndex`). In the last case every `insert` makes a node,
///     which gives a tree search instead of a graph search.
template <class P, class E, class Index = detail::HashIndex<P>>
class PooledNodeTable {
    static constexpr bool has_moves = detail::has_moves<P>;
    struct NoMove {};
    struct NoEstimate {};

    using Moves = std::conditional_t<has_moves, detail::move_of<P>, std::type_identity<NoMove>>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    using Key = std::uint32_t;
    using Move = typename Moves::type;
    /// How a node was reached: its parent and the move from there. In a search by several threads, each of
    /// which has a table, `parent` may name a node of another one.
    struct Link {
        Key parent;
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };

    static constexpr bool stores_estimate = Index::keeps_estimates;
    static constexpr bool finds_duplicates = Index::finds_duplicates;
    static constexpr bool keeps_in_place = true;
    /// The parent of a root. No node has this number or a greater one.
    static constexpr Key none = 0x7fffffff;

private:
    static constexpr Key closed = 0x80000000;

    struct Record {
        State state;
        Cost cost;
        NPUZZLE_NO_UNIQUE_ADDRESS std::conditional_t<stores_estimate, Estimate, NoEstimate> estimate;
        Key parent; // and a bit for closed nodes
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };

public:
    class Node {
    public:
        [[nodiscard]] Key key() const { return key_; }
        [[nodiscard]] const State& state() const { return record_->state; }
        [[nodiscard]] const Cost& cost() const { return record_->cost; }
        [[nodiscard]] const Estimate& estimate() const
            requires stores_estimate
        {
            return record_->estimate;
        }
        [[nodiscard]] bool is_closed() const { return (record_->parent & closed) != 0; }
        [[nodiscard]] bool is_root() const { return (record_->parent & ~closed) == none; }
        /// The last move on the path to this node; `no_move` at a root.
        [[nodiscard]] const Move& last_move() const { return record_->move; }
        [[nodiscard]] Link link() const { return {record_->parent & ~closed, record_->move}; }

        void close() { record_->parent |= closed; }

        void relax(const Cost& cost, [[maybe_unused]] const Estimate& estimate, const Link& link) {
            record_->cost = cost;
            if constexpr (stores_estimate) {
                record_->estimate = estimate;
            }
            record_->parent = link.parent;
            record_->move = link.move;
        }

    private:
        friend PooledNodeTable;
        Node(Key key, Record* record) : key_(key), record_(record) {}

        Key key_;
        Record* record_;
    };

    /// A state to be inserted.
    class Probe {
        friend PooledNodeTable;
        Probe(State&& state, typename Index::Tag tag) : state_(std::move(state)), tag_(tag) {}
        State state_;
        NPUZZLE_NO_UNIQUE_ADDRESS typename Index::Tag tag_;
    };

    PooledNodeTable(const P& problem, MemoryBudget& budget) : records_(budget), index_(problem, budget) {}
    PooledNodeTable(const PooledNodeTable&) = delete;
    PooledNodeTable& operator=(const PooledNodeTable&) = delete;

    ~PooledNodeTable() { destroy(); }

    /// Hashes or numbers a state.
    [[nodiscard]] Probe probe(State&& state) const {
        const auto tag = index_.tag(state);
        return Probe(std::move(state), tag);
    }

    /// Prefetches the state's slot in the index.
    void prefetch_slot(const Probe& probe) const { index_.prefetch(probe.tag_); }

    /// Prefetches the node that a probe will be compared with. Useful only if its slot in the index is
    /// already in the cache.
    void prefetch(const Probe& probe) const {
        if (const std::optional<Key> key = index_.guess(probe.tag_, size_)) {
            prefetch(*key);
        }
    }

    /// Prefetches a node.
    void prefetch(Key key) const {
        const char* first = reinterpret_cast<const char*>(&record(key));
        detail::prefetch(first);
        detail::prefetch(first + sizeof(Record) - 1);
    }

    /// Finds or makes the node of the probe's state, and says whether it is new. Moves from the state if it
    /// is new.
    NPUZZLE_ALWAYS_INLINE std::pair<Node, bool> insert(Probe&& probe) {
        const Key size = size_; // read once: for all that compilers know, the index writes to it
        if (size == room_) [[unlikely]] {
            make_room();
        }
        const Key key = index_.place(
            probe.tag_, size, [&](Key other) { return detail::is_equal(record(other).state, probe.state_); });
        Record* const place = &record(key);
        if (key != size) {
            return {Node(key, place), false};
        }
        if constexpr (has_moves) {
            ::new (place) Record{std::move(probe.state_), Cost{}, {}, none | closed, P::no_move};
        } else {
            ::new (place) Record{std::move(probe.state_), Cost{}, {}, none | closed, {}};
        }
        size_ = size + 1;
        return {Node(key, place), true};
    }

    NPUZZLE_ALWAYS_INLINE std::pair<Node, bool> insert(State&& state) {
        const auto tag = index_.tag(state);
        return insert(Probe(std::move(state), tag));
    }

    /// What `find` needs to know about a state, besides the state.
    struct LookupHint {
        NPUZZLE_NO_UNIQUE_ADDRESS typename Index::Tag tag;
    };
    /// Prepares a look-up by `find`.
    [[nodiscard]] LookupHint lookup_hint(const State& state) const { return {index_.tag(state)}; }

    void prefetch_slot(const LookupHint& hint) const { index_.prefetch(hint.tag); }

    /// The node of a state, if it exists.
    [[nodiscard]] std::optional<Node> find(const LookupHint& hint, const State& state) const
        requires finds_duplicates
    {
        const auto is_same = [&](Key key) { return detail::is_equal(record(key).state, state); };
        if (const std::optional<Key> key = index_.find(hint.tag, size_, is_same)) {
            return Node(*key, &record(*key));
        }
        return std::nullopt;
    }

    /// The state of a probe that has been inserted.
    [[nodiscard]] const State& state_of(const Probe& /*probe*/, const Node& node) const {
        return node.state();
    }

    /// The open node with this key and this cost.
    template <class IsWanted>
    std::optional<Node> find_open(Key key, const Cost& cost, IsWanted&& /*is_wanted*/) {
        const Node node = find(key);
        return node.is_closed() || node.cost() < cost ? std::nullopt : std::optional<Node>(node);
    }

    [[nodiscard]] Node find(Key key) const { return Node(key, &record(key)); }
    [[nodiscard]] Node parent(const Node& node) const { return find(node.link().parent); }

    /// Whether `state` is the parent of a node.
    [[nodiscard]] bool leads_back(const Node& node, const State& state) const {
        return !node.is_root() && detail::is_equal(record(node.link().parent).state, state);
    }

    /// The link of a node whose parent is `parent`.
    static Link link(const Node& parent, const Move& move) { return {parent.key(), move}; }
    /// The link of a root.
    static Link root(const Node& /*node*/) {
        if constexpr (has_moves) {
            return {none, P::no_move};
        } else {
            return {none, {}};
        }
    }

    /// Whether the table can store this path cost.
    static bool can_hold(const Cost& cost) { return !detail::is_infinite(cost); }

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Calls `visit(node)` for each node, in the order of their numbers from 0.
    template <class F>
    void for_each_node(F&& visit) const {
        for (Key key = 0; key < size_; ++key) {
            visit(find(key));
        }
    }

    /// Removes all nodes and keeps the storage. Linear in the size of a hash index, and in the number of
    /// nodes if states have a destructor.
    void clear() {
        index_.clear(size_);
        destroy();
    }

private:
    [[nodiscard]] Record& record(Key key) const { return records_[key]; }

    /// Before anything else of an insertion, which then cannot fail half-way.
    NPUZZLE_NOINLINE void make_room() {
        if (size_ == none) {
            throw std::bad_alloc();
        }
        const Key room = static_cast<Key>(std::min<std::uint64_t>(records_.grow(), none));
        index_.reserve(room, size_);
        room_ = room;
    }

    void destroy() {
        if constexpr (!std::is_trivially_destructible_v<Record>) {
            for (Key key = 0; key < size_; ++key) {
                record(key).~Record();
            }
        }
        size_ = 0;
    }

    detail::ChunkSequence<Record> records_;
    Index index_;
    Key size_ = 0;
    Key room_ = 0; // nodes for which there are records
};

} // namespace npuzzle
