#pragma once

#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/node_table.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// A node table for states of any type, and how it finds them.

namespace npuzzle {

namespace detail {

inline constexpr std::uint32_t no_number = 0xffffffff;

/// Where a thing is or belongs in an index, and its number; `no_number` if it is not there.
struct IndexPlace {
    std::uint32_t* slot;
    std::uint32_t number;

    bool is_taken() const { return number != no_number; }
};

/// Finds numbered things by 32 bits of their hashes: open addressing over cache lines, which are filled from
/// their first slot to their last. A slot has the hash and the number, so few things are compared in vain,
/// and none is hashed again when the index grows. At most four fifths of the slots are in use. All members
/// but `clear` take expected O(1) time with a good hash function, `reserve` amortized.
class NumberIndex {
public:
    explicit NumberIndex(MemoryBudget& budget) : lines_(budget) {}

    /// Makes room for one thing beside the `size` ones that are there; returns for how many there is room in
    /// all. Throws `std::bad_alloc`, and has changed nothing.
    std::uint32_t reserve(std::uint32_t size) {
        if (size == room_) grow();
        return room_;
    }

    void prefetch(std::uint32_t hash) const { detail::prefetch(lines_.data() + home(hash)); }

    /// The first thing that `find` will compare, or `no_number`. Worth while once the line is in the cache.
    std::uint32_t guess(std::uint32_t hash) const {
        if (room_ > 0) {
            Line& line = lines_[home(hash)];
            const unsigned matches = line.with(hash);
            if (matches != 0 && *line.slot(matches) != 0) return *line.slot(matches) - 1;
        }
        return no_number;
    }

    /// The place of the thing with this hash for which `is_same(number)` is true, or the free one where it
    /// belongs. Requires that there is room for something.
    template <class IsSame>
    NPUZZLE_ALWAYS_INLINE IndexPlace find(std::uint32_t hash, IsSame&& is_same) const {
        for (std::size_t i = home(hash);; i = i + 1 == lines_.size() ? 0 : i + 1) {
            Line& line = lines_[i];
            for (unsigned matches = line.with(hash); matches != 0; matches &= matches - 1) {
                std::uint32_t* const slot = line.slot(matches);
                if (*slot != 0 && is_same(*slot - 1)) return {slot, *slot - 1};
            }
            if (const unsigned free = line.free(); free != 0) return {line.slot(free), no_number};
        }
    }

    /// Puts a thing into the free slot that `find` returned for its hash.
    static void put(std::uint32_t* slot, std::uint32_t hash, std::uint32_t number) {
        *(slot - 8) = hash;
        *slot = number + 1;
    }

    /// Removes all. Linear in the size of the index.
    void clear() { std::fill_n(lines_.data(), lines_.size(), Line{}); }

private:
    struct alignas(64) Line {
        /// Eight hashes, and eight numbers plus 1; 0: the slot is free.
        std::array<std::uint32_t, 16> words;

        /// The slot of the first bit.
        std::uint32_t* slot(unsigned matches) {
            return words.data() + 8 + static_cast<unsigned>(std::countr_zero(matches));
        }
        /// A bit for each slot with this hash; where that is 0, also for free ones.
        unsigned with(std::uint32_t hash) const { return equal_in_eight(words.data(), hash); }
        unsigned free() const { return equal_in_eight(words.data() + 8, 0); }
    };

    /// Proportional to the hash: an index that grows is filled from its begin to its end.
    std::size_t home(std::uint32_t hash) const {
        return static_cast<std::size_t>(std::uint64_t{hash} * lines_.size() >> 32);
    }

    NPUZZLE_NOINLINE void grow() {
        // As long as the lines fit the cache, it takes longer to fill new ones than to touch them.
        const std::size_t lines = room_ == 0 ? 8 : (lines_.size() < 256 ? 4 : 2) * lines_.size();
        if (std::uint64_t{lines} * 8 > std::uint64_t{1} << 32) throw std::bad_alloc();
        NumberIndex larger(lines_.budget());
        larger.lines_.grow_zeroed(lines);
        larger.room_ = static_cast<std::uint32_t>(lines * 8 / 5 * 4);
        // Not from the lines: the processor waits to read as a whole what has just been written in parts.
        Storage<std::uint8_t> used(lines_.budget());
        used.grow_zeroed(lines);
        for (const Line& line : lines_) {
            for (std::size_t k = 0; k < 8 && line.words[8 + k] != 0; ++k) {
                std::size_t to = larger.home(line.words[k]);
                while (used[to] == 8) to = to + 1 == lines ? 0 : to + 1;
                put(&larger.lines_[to].words[8U + used[to]++], line.words[k], line.words[8 + k] - 1);
            }
        }
        *this = std::move(larger);
    }

    Storage<Line> lines_;
    std::uint32_t room_ = 0;
};

/// How the nodes of a `PooledNodeTable` are found: by the hashes of their states, or of their words.
/// \tparam keeps whether the nodes keep their estimates
template <class P, bool keeps = true>
class HashIndex : public NumberIndex {
public:
    using Tag = std::uint32_t;
    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = keeps;

    HashIndex(const P& problem, MemoryBudget& budget) : NumberIndex(budget), problem_(&problem) {}

    static void reserve_slot(IndexPlace& /*place*/, Tag /*tag*/) {}
    Tag tag(const state_t<P>& state) const {
        if constexpr (HasHash<P>) {
            return static_cast<Tag>(hash_state(*problem_, state));
        } else {
            return static_cast<Tag>(mix_word(problem_->pack(state)));
        }
    }

private:
    const P* problem_;
};

/// An index that finds no node: every insert makes a new one.
struct NoIndex {
    struct Tag {};
    static constexpr bool finds_duplicates = false;
    static constexpr bool keeps_estimates = true;

    NoIndex(const auto& /*problem*/, MemoryBudget& /*budget*/) {}

    static Tag tag(const auto& /*state*/) { return {}; }
    static std::uint32_t reserve(std::uint32_t /*size*/) { return no_number; }
    static void reserve_slot(IndexPlace& /*place*/, Tag /*tag*/) {}
    static void prefetch(Tag /*tag*/) {}
    static std::uint32_t guess(Tag /*tag*/) { return no_number; }
    static IndexPlace find(Tag /*tag*/, auto&& /*is_same*/) { return {nullptr, no_number}; }
    static void put(std::uint32_t* /*slot*/, Tag /*tag*/, std::uint32_t /*number*/) {}
    static void clear() {}
};

/// Finds the node of a state by the state's number, in an array of which a page is made when the first of its
/// states is reached: a short search does not pay for the size of the problem. The array needs no clearing
/// for another search: the entries of a search are greater than all those before.
template <IndexedProblem P>
class PagedIndex {
public:
    using Tag = std::uint32_t; ///< the number of the state
    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_estimates = false;

    PagedIndex(const P& problem, MemoryBudget& budget)
        : problem_(&problem), directory_(budget), pages_(budget) {}

    Tag tag(const state_t<P>& state) const { return static_cast<Tag>(problem_->index(state)); }

    std::uint32_t reserve(std::uint32_t /*size*/) {
        const std::uint64_t states = problem_->size();
        if (states > std::uint64_t{1} << 32) throw std::bad_alloc();
        if (directory_.size() == 0) {
            directory_.grow(static_cast<std::size_t>(states / page_size + 1));
            std::fill_n(directory_.data(), directory_.size(), &no_states_);
        }
        return no_number;
    }
    /// Before `put`, for a state that was not found.
    void reserve_slot(IndexPlace& place, Tag tag) {
        if (directory_[tag / page_size] == &no_states_) [[unlikely]]
            place.slot = make_page(tag);
    }

    void prefetch(Tag tag) const {
        if (directory_.size() > 0) detail::prefetch(&entry(tag));
    }
    std::uint32_t guess(Tag tag) const {
        return directory_.size() > 0 ? find(tag, nullptr).number : no_number;
    }

    NPUZZLE_ALWAYS_INLINE IndexPlace find(Tag tag, auto&& /*is_same*/) const {
        const std::uint32_t number = entry(tag) - first_;
        return {&entry(tag), number < size_ ? number : no_number};
    }
    void put(std::uint32_t* slot, Tag /*tag*/, std::uint32_t number) {
        size_ = number + 1;
        *slot = first_ + number;
    }

    void clear() {
        first_ += std::exchange(size_, 0);
        // There are no more than half as many nodes as numbers: this leaves room for the next search's.
        if (first_ > 0x80000000) {
            first_ = 1;
            for (std::uint64_t i = 0; i < page_count_; ++i) {
                pages_[i] = {};
            }
        }
    }

private:
    static constexpr std::size_t page_size = 256;
    using Page = std::array<std::uint32_t, page_size>;

    std::uint32_t& entry(Tag tag) const { return (*directory_[tag / page_size])[tag % page_size]; }
    NPUZZLE_NOINLINE std::uint32_t* make_page(Tag tag) {
        pages_.reserve_next(page_count_);
        directory_[tag / page_size] = ::new (&pages_[page_count_++]) Page{};
        return &entry(tag);
    }

    const P* problem_;
    Page no_states_{}; // of which none was reached
    Storage<Page*> directory_;
    ChunkSequence<Page> pages_;
    std::uint64_t page_count_ = 0;
    std::uint32_t first_ = 1; // the entry of the first node; smaller ones are of earlier searches
    std::uint32_t size_ = 0;  // how many nodes there are
};

} // namespace detail

/// A node table for states of any type. Nodes are numbered and are in chunks that never move; an index finds
/// them. Holds at most 2^31 - 1 nodes.
///
/// `insert` and `find` take expected O(1) time with the default index and a good hash function, amortized for
/// `insert`. `insert` throws `std::bad_alloc` if the table is full or the memory is refused; the table is
/// unchanged then.
///
/// \tparam P a `Problem`; the default index needs a hash of its states
/// \tparam E the type of estimates
/// \tparam Index how nodes are found: by hash (the default), by the number of their state (see
///     `IndexedNodeTable`), or not at all (`detail::NoIndex`), which gives a tree search.
template <class P, class E, class Index = detail::HashIndex<P>>
class PooledNodeTable {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    using Key = std::uint32_t;
    using Handle = Key;
    using Move = detail::move_or_nothing_t<P>;
    using LookupHint = typename Index::Tag;
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

    struct NoEstimate {
        NoEstimate(const auto&... /*any*/) {}
    };
    struct Record { // in an order without padding for states of 4 bytes and costs of 8
        Cost cost;
        Key parent; // and a bit for closed nodes
        State state;
        NPUZZLE_NO_UNIQUE_ADDRESS std::conditional_t<stores_estimate, Estimate, NoEstimate> estimate;
        NPUZZLE_NO_UNIQUE_ADDRESS Move move;
    };

public:
    class Node {
    public:
        [[nodiscard]] Key key() const { return key_; }
        [[nodiscard]] Handle handle() const { return key_; }
        [[nodiscard]] const State& state() const { return record_->state; }
        [[nodiscard]] const Cost& cost() const { return record_->cost; }
        [[nodiscard]] const Estimate& estimate() const
            requires stores_estimate
        {
            return record_->estimate;
        }
        [[nodiscard]] bool is_closed() const { return (record_->parent & closed) != 0; }
        [[nodiscard]] bool is_root() const { return link().parent == none; }
        /// The last move on the path to this node; `no_move` at a root.
        [[nodiscard]] const Move& last_move() const { return record_->move; }
        [[nodiscard]] Link link() const { return {record_->parent & ~closed, record_->move}; }

        void close() { record_->parent |= closed; }
        void relax(const Cost& cost, const Estimate& estimate, const Link& link) {
            record_->cost = cost;
            record_->estimate = estimate;
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
    struct Probe {
        Probe(const PooledNodeTable& table, State&& its_state)
            : state(std::move(its_state)), tag(table.lookup_hint(state)) {}

        State state;
        NPUZZLE_NO_UNIQUE_ADDRESS LookupHint tag;
    };

    PooledNodeTable(const P& problem, MemoryBudget& budget) : records_(budget), index_(problem, budget) {}
    ~PooledNodeTable() { destroy(); }

    /// Hashes or numbers a state.
    [[nodiscard]] LookupHint lookup_hint(const State& state) const { return index_.tag(state); }

    void prefetch_slot(const Probe& probe) const { index_.prefetch(probe.tag); }
    void prefetch_slot(const LookupHint& hint) const { index_.prefetch(hint); }

    /// Prefetches the node that a probe will be compared with. Worth while once its slot is in the cache.
    void prefetch(const Probe& probe) const {
        const Key key = index_.guess(probe.tag);
        if (key != detail::no_number) prefetch(key);
    }
    void prefetch(Key key) const {
        const char* first = reinterpret_cast<const char*>(&records_[key]);
        detail::prefetch(first);
        detail::prefetch(first + sizeof(Record) - 1);
    }

    /// Finds or makes the node of the probe's state, and says whether it is new. Moves from the state if so.
    NPUZZLE_ALWAYS_INLINE std::pair<Node, bool> insert(Probe&& probe) {
        if (size_ == room_) [[unlikely]]
            make_room();
        detail::IndexPlace place = index_.find(probe.tag, same_as(probe.state));
        if (place.is_taken()) return {find(place.number), false};
        index_.reserve_slot(place, probe.tag);
        const Node node = find(size_);
        ::new (node.record_) Record{Cost{}, none | closed, std::move(probe.state), {}, detail::no_move<P>()};
        index_.put(place.slot, probe.tag, size_);
        ++size_;
        return {node, true};
    }
    std::pair<Node, bool> insert(State&& state) { return insert(Probe(*this, std::move(state))); }

    /// The node of a state, if it exists.
    [[nodiscard]] std::optional<Node> find(const LookupHint& hint, const State& state) const
        requires finds_duplicates
    {
        if (size_ == 0) return std::nullopt;
        const detail::IndexPlace place = index_.find(hint, same_as(state));
        return place.is_taken() ? std::optional(find(place.number)) : std::nullopt;
    }

    /// The open node with this key and this cost.
    std::optional<Node> find_open(Key key, const Cost& cost, auto&& /*is_wanted*/) {
        const Node node = find(key);
        return node.is_closed() || node.cost() < cost ? std::nullopt : std::optional<Node>(node);
    }

    /// Keys are numbers from 0.
    [[nodiscard]] Node find(Key key) const { return Node(key, &records_[key]); }
    [[nodiscard]] Node parent(const Node& node) const { return find(node.link().parent); }

    static Link link(const Node& parent, const Move& move) { return {parent.key(), move}; }
    static Link root(const Node& /*node*/) { return {none, detail::no_move<P>()}; }
    static bool can_hold(const Cost& cost) { return !detail::is_infinite(cost); }

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Removes all nodes and keeps the storage. Linear in the size of a hash index, and in the number of
    /// nodes if states have a destructor.
    void clear() {
        index_.clear();
        destroy();
    }

private:
    auto same_as(const State& state) const {
        return [this, &state](Key key) { return detail::is_equal(records_[key].state, state); };
    }

    /// Before anything else of an insertion, which then cannot fail half-way.
    NPUZZLE_COLD void make_room() {
        if (size_ == none) throw std::bad_alloc();
        records_.reserve_next(size_);
        const std::uint64_t room = (std::min)(records_.room(), std::uint64_t{index_.reserve(size_)});
        room_ = static_cast<Key>((std::min)(room, std::uint64_t{none}));
    }

    void destroy() {
        for (Key key = 0; !std::is_trivially_destructible_v<Record> && key < size_; ++key) {
            records_[key].~Record();
        }
        size_ = 0;
    }

    detail::ChunkSequence<Record> records_;
    Index index_;
    Key size_ = 0;
    Key room_ = 0; // for so many nodes
};

/// A `PooledNodeTable` that finds the node of a state in a flat array, at `index(state)`: a look-up takes
/// O(1) time in the worst case.
///
/// The array takes four bytes for each of the `size()` states, but for stretches of 256 of which no state was
/// reached. A problem of more than 2^32 states gives `std::bad_alloc`. The index of a state must be less than
/// `size()`; this is not checked.
template <IndexedProblem P, class E>
using IndexedNodeTable = PooledNodeTable<P, E, detail::PagedIndex<P>>;

} // namespace npuzzle
