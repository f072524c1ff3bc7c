#pragma once

#include "npuzzle/search/cost.hpp"
#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/node_table/line_storage.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// A node table for states that are numbered.

namespace npuzzle {

/// One flat array with a place for each state, found by `index(state)`: no hash, no comparison. A large array costs what
/// is touched of it, since the system hands out zeroed pages as they are used; and to clear it costs nothing, since a
/// node of an earlier search is told by its stamp.
///
/// The whole array counts on the budget from the first node on. Holds fewer than 2^32 - 1 states; a problem that has
/// more is a `std::bad_alloc`. A state with an index of `size()` or more is out of bounds.
template <IndexedProblem P, class E>
    requires detail::HasPlainNodes<P> && std::is_trivially_copyable_v<state_t<P>>
class IndexedNodeTable {
    static constexpr bool has_moves = MoveProblem<P>;
    struct NoMove {};

    using Moves = std::conditional_t<has_moves, detail::move_of<P>, std::type_identity<NoMove>>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    /// The index.
    using Key = std::uint32_t;
    using Move = typename Moves::type;
    /// Where a node came from: its parent and the move from there.
    struct Link {
        Key parent;
        [[no_unique_address]] Move move;
    };

    static constexpr bool stores_estimate = false;
    static constexpr bool finds_duplicates = true;

private:
    struct Record {
        State state;
        Cost cost;
        Key parent;
        [[no_unique_address]] Move move;
        std::uint8_t stamp; // 2 * generation + is_closed
    };

public:
    class Node {
    public:
        Key key() const { return key_; }
        const State& state() const { return record_->state; }
        const Cost& cost() const { return record_->cost; }
        bool is_closed() const { return (record_->stamp & 1) != 0; }
        bool is_root() const { return record_->parent == none; }
        /// The move that led here; `no_move` at a root.
        const Move& last_move() const { return record_->move; }
        Link link() const { return {record_->parent, record_->move}; }

        void close() { record_->stamp = static_cast<std::uint8_t>(record_->stamp | 1); }

        void relax(const Cost& cost, const Estimate& /*estimate*/, const Link& link) {
            record_->cost = cost;
            record_->parent = link.parent;
            record_->move = link.move;
            record_->stamp = static_cast<std::uint8_t>(record_->stamp & ~1U);
        }

    private:
        friend IndexedNodeTable;
        Node(Key key, Record* record) : key_(key), record_(record) {}

        Key key_;
        Record* record_;
    };

    /// A state on its way into the table.
    class Probe {
        friend IndexedNodeTable;
        Probe(const State& state, Key key) : state_(state), key_(key) {}
        State state_;
        Key key_;
    };

    IndexedNodeTable(const P& problem, detail::MemoryBudget& budget) : problem_(&problem), records_(budget) {}

    /// Has the state's place fetched.
    Probe probe(const State& state) const {
        const Key key = index_of(state);
        prefetch(key);
        return Probe(state, key);
    }

    void prefetch(const Probe& /*probe*/) const {}
    void prefetch(Key key) const { __builtin_prefetch(records_.data() + key, 1); }

    std::pair<Node, bool> insert(const Probe& probe) {
        if (records_.size() == 0) {
            start();
        }
        Record& record = records_[probe.key_];
        const bool is_new = record.stamp >> 1 != generation_;
        if (is_new) {
            record.state = probe.state_;
            record.stamp = static_cast<std::uint8_t>(generation_ << 1 | 1);
            ++size_;
        }
        return {Node(probe.key_, &record), is_new};
    }

    std::pair<Node, bool> insert(const State& state) { return insert(Probe(state, index_of(state))); }

    /// The state of a probe that has been inserted.
    const State& state_of(const Probe& /*probe*/, const Node& node) const { return node.state(); }

    /// The open node that has this key and this cost.
    template <class IsWanted>
    std::optional<Node> find_open(Key key, const Cost& cost, IsWanted&& /*is_wanted*/) {
        const Node node = find(key);
        return node.is_closed() || node.cost() < cost ? std::nullopt : std::optional<Node>(node);
    }

    /// Requires that the node is not a root.
    Node parent(const Node& node) { return find(node.record_->parent); }

    /// Whether `state` is where a node came from.
    bool leads_back(const Node& node, const State& state) const {
        return !node.is_root() && node.record_->parent == index_of(state);
    }

    /// The link to the node that a new one was reached from.
    static Link link(const Node& parent, const Move& move) { return {parent.key(), move}; }
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

    /// Drops all nodes and keeps the storage. Constant, but for each 127th time.
    void clear() {
        size_ = 0;
        if (generation_ == last_generation) {
            for (std::size_t i = 0; i < records_.size(); ++i) {
                records_[i].stamp = 0;
            }
            generation_ = 0;
        }
        ++generation_;
    }

private:
    static constexpr Key none = 0xffffffff;
    static constexpr unsigned last_generation = 127;

    Key index_of(const State& state) const { return static_cast<Key>(problem_->index(state)); }
    Node find(Key key) { return Node(key, &records_[key]); }

    void start() {
        const auto states = static_cast<std::size_t>(problem_->size());
        if (states >= none) {
            throw std::bad_alloc();
        }
        records_.grow_zeroed(states);
    }

    const P* problem_;
    detail::LineStorage<Record, false> records_;
    std::uint64_t size_ = 0;
    unsigned generation_ = 1; // 0 is what was never touched
};

} // namespace npuzzle
