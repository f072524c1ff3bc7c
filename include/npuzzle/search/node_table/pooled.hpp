#pragma once

#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/detail/eight_numbers.hpp"
#include "npuzzle/search/node_table/lines.hpp"
#include "npuzzle/search/node_table/node_table.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// A node table for states of any type.

namespace npuzzle {

namespace detail {

/// Finds nodes by hash, with open addressing over cache lines. A line holds handles of nodes and halves of
/// their hashes. Its slots are filled from the first to the last.
template <class P>
class HashIndex {
public:
    using Key = std::uint32_t;
    /// The low half of the hash. It distinguishes most states without a look at them, and is sufficient for
    /// rehashing.
    using Tag = std::uint32_t;

    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = true;

    HashIndex(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), lines_(budget) {}

    [[nodiscard]] Tag tag(const state_t<P>& state) const {
        const auto tag = static_cast<Tag>(detail::hash_state(*problem_, state));
        return tag == no_tag ? no_tag - 1 : tag;
    }

    void prefetch(Tag tag) const { detail::prefetch(lines_.data() + home(tag)); }

    /// A node that may have the tag's state. If another line would have to be searched for it, prefetches
    /// that line.
    [[nodiscard]] std::optional<Key> guess(Tag tag, Key nodes) const {
        if (lines_.size() == 0) {
            return std::nullopt;
        }
        const std::size_t at = home(tag);
        const Line& line = lines_[at];
        if (const unsigned matches = line.with_tag(tag); matches != 0) {
            const Key key = line.keys[static_cast<std::size_t>(std::countr_zero(matches))];
            return key < nodes ? std::optional<Key>(key) : std::nullopt;
        }
        if (line.is_full()) {
            detail::prefetch(lines_.data() + after(at, at, tag));
        }
        return std::nullopt;
    }

    /// The node with this tag for which `is_same(key)` is true. If there is none, notes that it will be the
    /// next one, whose key is `nodes`, and returns that.
    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE Key place(Tag tag, Key nodes, IsSame&& is_same) {
        if (lines_.size() > 0) [[likely]] {
            Line& line = lines_[home(tag)];
            for (unsigned matches = line.with_tag(tag); matches != 0; matches &= matches - 1) {
                const Key key = line.keys[static_cast<std::size_t>(std::countr_zero(matches))];
                if (key < nodes && is_same(key)) {
                    return key;
                }
            }
            if (!line.is_full() && nodes < max_nodes_) {
                line.set(line.count(), {tag, nodes});
                return nodes;
            }
        }
        return place_elsewhere(tag, nodes, is_same);
    }

    /// The same where it is not in the home line, or the lines are to be more.
    template <class IsSame>
    NPUZZLE_NOINLINE Key place_elsewhere(Tag tag, Key nodes, IsSame&& is_same) {
        for (;; grow()) {
            const Place found = look(tag, nodes, is_same);
            if (found.is_taken) {
                return found.line->keys[found.slot];
            }
            if (found.line != nullptr && nodes < max_nodes_) {
                found.line->set(found.slot, {tag, nodes});
                displaced_ += found.line != lines_.data() + home(tag) ? 1 : 0;
                return nodes;
            }
        }
    }

    /// The node with this tag for which `is_same(key)` is true.
    template <class IsSame>
    [[nodiscard]] std::optional<Key> find(Tag tag, Key nodes, IsSame&& is_same) const {
        const Place found = look(tag, nodes, is_same);
        return found.is_taken ? std::optional<Key>(found.line->keys[found.slot]) : std::nullopt;
    }

    void clear(Key /*nodes*/) {
        erase(lines_.data(), lines_.size());
        displaced_ = 0;
    }

private:
    static constexpr Key none = 0xffffffff;
    /// That of a free slot, and of no state.
    static constexpr Tag no_tag = 0xffffffff;

    struct Slot {
        Tag tag;
        Key key;
    };

    struct alignas(cache_line) Line {
        EightNumbers tags;
        EightNumbers keys;

        [[nodiscard]] Slot get(unsigned slot) const { return {tags[slot], keys[slot]}; }
        void set(unsigned slot, const Slot& value) {
            tags[slot] = value.tag;
            keys[slot] = value.key;
        }
        [[nodiscard]] bool is_full() const { return keys.back() != none; }
        [[nodiscard]] unsigned count() const {
            return static_cast<unsigned>(std::countr_zero(equal(keys, none) | 1U << size));
        }
        /// Also of nodes that could not be made since their states could not be copied: their keys are those
        /// of other nodes, or of none.
        [[nodiscard]] unsigned with_tag(Tag tag) const { return equal(tags, tag); }

        static constexpr unsigned size = 8;
    };

    /// A slot: either of the node in question, or free for it. No slot if all lines that may be probed are
    /// full.
    struct Place {
        Line* line;
        unsigned slot;
        bool is_taken;
    };

    /// One kilobyte.
    static constexpr std::size_t first_lines = 16;
    /// As many slots as there are different tags.
    static constexpr std::size_t max_lines = std::size_t{1} << 29;

    /// The high bits of the tag choose the line.
    [[nodiscard]] std::size_t home(Tag tag) const {
        return static_cast<std::size_t>((std::uint64_t{tag} * lines_.size()) >> 32);
    }

    /// The next line to probe after a full line: on the same page of memory, and after the whole page on the
    /// next one. It must go on, since a user's hash function may give any number of states the same value.
    [[nodiscard]] std::size_t after(std::size_t at, std::size_t first, Tag tag) const {
        const std::size_t block = std::min(lines_.size(), lines_per_page<Line>);
        const std::size_t next = line_after(at, block, tag);
        return ((next ^ first) & (block - 1)) != 0 ? next : (next + block) & (lines_.size() - 1);
    }

    template <class IsSame>
    [[nodiscard]] Place look(Tag tag, Key nodes, IsSame&& is_same) const {
        if (lines_.size() > 0) {
            const std::size_t first = home(tag);
            std::size_t at = first;
            do {
                Line& line = lines_[at];
                for (unsigned matches = line.with_tag(tag); matches != 0; matches &= matches - 1) {
                    const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                    if (line.keys[slot] < nodes && is_same(line.keys[slot])) {
                        return {&line, slot, true};
                    }
                }
                if (!line.is_full()) {
                    return {&line, line.count(), false};
                }
                at = after(at, first, tag);
            } while (at != first);
        }
        return {nullptr, 0, false};
    }

    /// Doubles the lines. Nodes that are not in their home line are kept aside until all others have been
    /// moved.
    NPUZZLE_NOINLINE void grow() {
        const std::size_t old_lines = lines_.size();
        if (old_lines == max_lines) {
            throw std::bad_alloc();
        }
        Storage<Slot> aside(*budget_);
        aside.grow(displaced_);
        lines_.grow(std::max(first_lines, 2 * old_lines));
        max_nodes_ = lines_.size() * Line::size * 4 / 5;
        if (old_lines == 0) {
            erase(lines_.data(), lines_.size());
            return;
        }
        std::size_t count = 0;
        double_lines(
            lines_.data(), 0, old_lines,
            [&](const Line& line, unsigned slot) { return home(line.tags[slot]); }, erase,
            [&](const Line& line, unsigned slot) { aside[count++] = line.get(slot); });
        displaced_ = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Slot& displaced = aside[i];
            const std::size_t first = home(displaced.tag);
            std::size_t at = first;
            while (lines_[at].is_full()) {
                at = after(at, first, displaced.tag);
            }
            lines_[at].set(lines_[at].count(), displaced);
            displaced_ += at != first ? 1 : 0;
        }
    }

    static void erase(Line* first, std::size_t count) {
        if (count > 0) { // memset takes no null pointer
            std::memset(static_cast<void*>(first), 0xff, count * sizeof(Line));
        }
    }

    const P* problem_;
    MemoryBudget* budget_;
    Storage<Line> lines_;
    std::uint64_t max_nodes_ = 0; // number of nodes at which it grows
    std::uint64_t displaced_ = 0; // nodes that are not in their home line
};

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
    /// How a node was reached: its parent and the move from there.
    struct Link {
        Key parent;
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };

    static constexpr bool stores_estimate = Index::keeps_estimates;
    static constexpr bool finds_duplicates = Index::finds_duplicates;

private:
    static constexpr Key none = 0x7fffffff;
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

    /// Hashes or numbers a state, and prefetches its slot in the index.
    [[nodiscard]] Probe probe(State&& state) const {
        const auto tag = index_.tag(state);
        index_.prefetch(tag);
        return Probe(std::move(state), tag);
    }

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
        const Key key = index_.place(probe.tag_, size_, [&](Key other) {
            return detail::is_equal(record(other).state, probe.state_);
        });
        Record* const place = &record(key);
        if (key < size_) {
            return {Node(key, place), false};
        }
        if constexpr (has_moves) {
            ::new (place) Record{std::move(probe.state_), Cost{}, {}, none | closed, P::no_move};
        } else {
            ::new (place) Record{std::move(probe.state_), Cost{}, {}, none | closed, {}};
        }
        ++size_;
        return {Node(key, place), true};
    }

    NPUZZLE_ALWAYS_INLINE std::pair<Node, bool> insert(State&& state) {
        const auto tag = index_.tag(state);
        return insert(Probe(std::move(state), tag));
    }

    /// What `find` needs to know about a state, besides the state. Making it prefetches the slot in the
    /// index.
    struct LookupHint {
        NPUZZLE_NO_UNIQUE_ADDRESS typename Index::Tag tag;
    };
    /// Prepares a look-up by `find`.
    [[nodiscard]] LookupHint lookup_hint(const State& state) const {
        const auto tag = index_.tag(state);
        index_.prefetch(tag);
        return {tag};
    }

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
        room_ = static_cast<Key>(std::min<std::uint64_t>(records_.grow(), none));
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
