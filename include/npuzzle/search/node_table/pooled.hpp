#pragma once

#include "npuzzle/search/memory/prefetch.hpp"
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

/// The slot in an index where a state is or belongs, and the number of its node; without one the greatest.
struct IndexPlace {
    std::uint32_t* slot;
    std::uint32_t key;
};

inline constexpr std::uint32_t no_key = 0xffffffff;

/// How the nodes of a `PooledNodeTable` are found: by the hashes of their states.
/// \tparam keeps whether the nodes keep their estimates
template <class P, bool keeps = true>
class HashIndex {
public:
    using Key = std::uint32_t;
    using Tag = std::uint32_t;

    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = keeps;

    HashIndex(const P& problem, MemoryBudget& budget) : problem_(&problem), index_(budget) {}

    [[nodiscard]] Tag tag(const state_t<P>& state) const {
        return static_cast<Tag>(detail::hash_state(*problem_, state));
    }

    /// For how many nodes there is room: one more than `size` at least. Throws `std::bad_alloc`, and has
    /// changed nothing.
    Key reserve(Key size, auto&& /*state_of*/) { return index_.reserve(size); }

    void prefetch(Tag tag) const { index_.prefetch(tag); }
    [[nodiscard]] std::optional<Key> guess(Tag tag, Key /*size*/) const { return index_.guess(tag); }

    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE IndexPlace find(Tag tag, Key /*size*/, IsSame&& is_same) const {
        std::uint32_t& slot = index_.find(tag, is_same);
        return {&slot, NumberIndex::is_taken(slot) ? index_.number(slot) : no_key};
    }
    void put(std::uint32_t* slot, Tag tag, Key key) { index_.put(*slot, tag, key); }

    void clear(Key /*size*/) { index_.clear(); }

private:
    const P* problem_;
    NumberIndex index_;
};

/// An index that finds no node: every insert makes a new one.
struct NoIndex {
    using Key = std::uint32_t;
    struct Tag {};

    static constexpr bool finds_duplicates = false;
    static constexpr bool keeps_estimates = true;

    template <class P>
    NoIndex(const P& /*problem*/, MemoryBudget& /*budget*/) {}

    static Tag tag(const auto& /*state*/) { return {}; }
    static Key reserve(Key /*size*/, auto&& /*state_of*/) { return no_key; }
    static void prefetch(Tag /*tag*/) {}
    static std::optional<Key> guess(Tag /*tag*/, Key /*size*/) { return std::nullopt; }
    static IndexPlace find(Tag /*tag*/, Key /*size*/, auto&& /*is_same*/) { return {nullptr, no_key}; }
    static void put(std::uint32_t* /*slot*/, Tag /*tag*/, Key /*key*/) {}
    static void clear(Key /*size*/) {}
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
        if (size_ == room_) [[unlikely]] {
            make_room();
        }
        const auto place = index_.find(probe.tag_, size_, same_as(probe.state_));
        if (place.key != detail::no_key) {
            return {find(place.key), false};
        }
        const Node node = find(size_);
        if constexpr (has_moves) {
            ::new (node.record_) Record{std::move(probe.state_), Cost{}, {}, none | closed, P::no_move};
        } else {
            ::new (node.record_) Record{std::move(probe.state_), Cost{}, {}, none | closed, {}};
        }
        index_.put(place.slot, probe.tag_, size_);
        ++size_;
        return {node, true};
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
        if (size_ > 0) {
            if (const Key key = index_.find(hint.tag, size_, same_as(state)).key; key != detail::no_key) {
                return find(key);
            }
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

    [[nodiscard]] auto same_as(const State& state) const {
        return [this, &state](Key key) { return detail::is_equal(record(key).state, state); };
    }

    /// Before anything else of an insertion, which then cannot fail half-way.
    NPUZZLE_NOINLINE void make_room() {
        if (size_ == none) {
            throw std::bad_alloc();
        }
        if (size_ == records_.room()) {
            records_.grow();
        }
        const auto state_of = [this](Key key) -> const State& { return record(key).state; };
        room_ = static_cast<Key>(
            std::min<std::uint64_t>({records_.room(), index_.reserve(size_, state_of), none}));
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
    Key room_ = 0; // for so many nodes
};

} // namespace npuzzle
