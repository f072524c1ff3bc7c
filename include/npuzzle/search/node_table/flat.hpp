#pragma once

#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/node_table.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// The node table of `FlatPolicy`: a flat array of one to four bytes for each state of a problem.

namespace npuzzle {

namespace detail {

/// What an entry of a flat table holds: from the lowest bit, whether the node is closed, the last move plus
/// one (zero: there is no node), and the cost, or the lowest bits of it.
template <HasMoveCount P, bool keeps_costs>
struct FlatEntry {
    static constexpr unsigned move_bits = static_cast<unsigned>(std::bit_width(unsigned{P::move_count} + 1));
    /// Costs that are compared differ by less than half of what these bits can tell apart.
    static constexpr unsigned needed_cost_bits = [] {
        if constexpr (!keeps_costs) {
            return 3U;
        } else if constexpr (HasLongestPath<P>) {
            return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(P::longest_path)));
        } else {
            static_assert(HasLongestPath<P>,
                          "FlatPolicy needs to know how much room a cost takes; write: static constexpr int "
                          "longest_path = ...; or take unit costs on an UndirectedProblem, and a heuristic "
                          "that declares itself consistent");
            return 3U;
        }
    }();
    static constexpr unsigned bits = std::max(8U, std::bit_ceil(1 + move_bits + needed_cost_bits));
    static_assert(bits <= 64, "FlatPolicy needs a smaller longest_path");
    static constexpr unsigned cost_bits = bits - 1 - move_bits;

    using Number =
        std::conditional_t<bits == 8, std::uint8_t,
                           std::conditional_t<bits == 16, std::uint16_t,
                                              std::conditional_t<bits == 32, std::uint32_t, std::uint64_t>>>;

    static constexpr std::uint64_t cost_mask = (std::uint64_t{1} << cost_bits) - 1;

    static constexpr Number make(std::uint64_t cost, std::uint64_t move, bool is_closed) {
        return static_cast<Number>((cost & cost_mask) << (1 + move_bits) | (move + 1) << 1 |
                                   (is_closed ? 1U : 0U));
    }
    static constexpr std::uint64_t cost(Number entry) { return std::uint64_t{entry} >> (1 + move_bits); }
    static constexpr unsigned move(Number entry) {
        return (static_cast<unsigned>(entry) >> 1 & ((1U << move_bits) - 1)) - 1;
    }
    static constexpr bool is_closed(Number entry) { return (entry & 1U) != 0; }
};

} // namespace detail

/// A node table that is nothing but an array, with an entry of one to four bytes at the number of each state:
/// the last move on the path to it, whether it is closed, and the cost of the path. A state is not stored: its
/// number is its place. The parent of a node is found by taking back the last move.
///
/// Without `keeps_costs`, an entry has the last few bits of the cost, so that one byte is enough for up to 14
/// moves. That is for A* with a consistent heuristic, unit costs, and steps that lead both ways: the costs of
/// all paths that reach a state while it is open differ by two at most, and a closed one is never improved.
/// `cost()` then takes time linear in the length of the path, unless `find_open` gave the node.
///
/// A look-up takes O(1) time in the worst case. The array is charged to the budget when the first node is
/// inserted. The system provides the pages of a large one when they are used. A problem of more than 2^32
/// states gives `std::bad_alloc`. The index of a state must be less than `size()`; this is not checked.
///
/// \tparam P a `NumberedProblem` and `MoveProblem` with a `move_count`; with `keeps_costs`, also a
///     `longest_path`
/// \tparam E the type of estimates, which the table does not store
template <NumberedProblem P, class E, bool keeps_costs_of_nodes = true>
    requires MoveProblem<P> && HasMoveCount<P> && std::integral<cost_t<P>>
class FlatNodeTable {
    using Entry = detail::FlatEntry<P, keeps_costs_of_nodes>;
    using Number = typename Entry::Number;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    /// The number of the state.
    using Key = std::uint32_t;
    using Move = move_t<P>;
    /// How a node was reached: the last move.
    using Link = Move;

    static constexpr bool stores_estimate = false;
    static constexpr bool finds_duplicates = true;
    /// Whether an entry has the whole cost.
    static constexpr bool keeps_costs = keeps_costs_of_nodes;
    static constexpr std::size_t bytes_per_state = sizeof(Number);

    class Node {
    public:
        [[nodiscard]] Key key() const { return key_; }
        [[nodiscard]] State state() const { return table_->problem_->state_at(key_); }
        [[nodiscard]] Cost cost() const {
            if constexpr (keeps_costs) {
                return static_cast<Cost>(Entry::cost(*entry_));
            } else {
                return cost_ >= 0 ? cost_ : table_->count_steps(*this);
            }
        }
        /// Whether a path of this cost is cheaper than the one of the node.
        [[nodiscard]] bool is_improved_by(const Cost& cost) const {
            if constexpr (keeps_costs) {
                return cost < this->cost();
            } else {
                const std::uint64_t difference = static_cast<std::uint64_t>(cost) - Entry::cost(*entry_);
                return !is_closed() && (difference & Entry::cost_mask) > Entry::cost_mask / 2;
            }
        }
        [[nodiscard]] bool is_closed() const { return Entry::is_closed(*entry_); }
        [[nodiscard]] bool is_root() const { return last_move() == P::no_move; }
        /// The last move on the path to this node; `no_move` at a root.
        [[nodiscard]] Move last_move() const { return static_cast<Move>(Entry::move(*entry_)); }
        [[nodiscard]] Link link() const { return last_move(); }

        void close() { *entry_ = static_cast<Number>(*entry_ | 1U); }
        void relax(const Cost& cost, const Estimate& /*estimate*/, const Link& link) {
            *entry_ = Entry::make(static_cast<std::uint64_t>(cost), static_cast<std::uint64_t>(link), false);
            if constexpr (!keeps_costs) {
                cost_ = cost;
            }
        }

    private:
        friend FlatNodeTable;
        Node(const FlatNodeTable* table, Key key) : table_(table), entry_(&table->entries_[key]), key_(key) {}
        Node(const FlatNodeTable* table, Key key, [[maybe_unused]] const Cost& cost) : Node(table, key) {
            if constexpr (!keeps_costs) {
                cost_ = cost;
            }
        }

        struct Nothing {};

        const FlatNodeTable* table_;
        Number* entry_;
        Key key_;
        NPUZZLE_NO_UNIQUE_ADDRESS
        std::conditional_t<keeps_costs, Nothing, Cost> cost_ = unknown(); // negative: not known

        static constexpr auto unknown() {
            if constexpr (keeps_costs) {
                return Nothing{};
            } else {
                return static_cast<Cost>(-1);
            }
        }
    };

    /// A state to be inserted.
    class Probe {
        friend FlatNodeTable;
        Probe(State&& state, Key key) : state_(std::move(state)), key_(key) {}
        State state_;
        Key key_;
    };

    FlatNodeTable(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), entries_(budget) {}
    FlatNodeTable(const FlatNodeTable&) = delete;
    FlatNodeTable& operator=(const FlatNodeTable&) = delete;

    /// Numbers a state.
    [[nodiscard]] Probe probe(State&& state) const {
        const Key key = key_of(state);
        return Probe(std::move(state), key);
    }

    /// Finds or makes the node of the probe's state, and says whether it is new.
    std::pair<Node, bool> insert(Probe&& probe) { return place(probe.key_); }
    std::pair<Node, bool> insert(const State& state) { return place(key_of(state)); }

    /// The state of a probe, which has been inserted, or has not.
    [[nodiscard]] const State& state_of(const Probe& probe, const Node& /*node*/) const {
        return probe.state_;
    }
    [[nodiscard]] const State& state_of(const Probe& probe) const { return probe.state_; }

    void prefetch_slot(const Probe& probe) const { prefetch(probe.key_); }
    static void prefetch(const Probe& /*probe*/) {}
    /// Valid also before the array exists. Pointer arithmetic would not be.
    void prefetch(Key key) const {
        const auto begin = reinterpret_cast<std::uintptr_t>(entries_.data());
        detail::prefetch(reinterpret_cast<const void*>(begin + sizeof(Number) * std::size_t{key}));
    }

    /// The number of the state.
    struct LookupHint {
        Key key;
    };
    [[nodiscard]] LookupHint lookup_hint(const State& state) const { return {key_of(state)}; }

    void prefetch_slot(const LookupHint& hint) const { prefetch(hint.key); }

    /// The node of a state, if it exists.
    [[nodiscard]] std::optional<Node> find(const LookupHint& hint, const State& /*state*/) const {
        return entries_.data() != nullptr && entries_[hint.key] != 0
                   ? std::optional<Node>(Node(this, hint.key))
                   : std::nullopt;
    }

    /// Whether there is a node with this number, which may be any.
    [[nodiscard]] bool contains(Key key) const { return key < entries_.size() && entries_[key] != 0; }

    /// The node of a key.
    [[nodiscard]] Node find(Key key) const { return Node(this, key); }

    /// The open node with this key and this cost.
    template <class IsWanted>
    std::optional<Node> find_open(Key key, const Cost& cost, IsWanted&& /*is_wanted*/) {
        const Number entry = entries_[key];
        if (Entry::is_closed(entry) ||
            Entry::cost(entry) != (static_cast<std::uint64_t>(cost) & Entry::cost_mask)) {
            return std::nullopt;
        }
        return Node(this, key, cost);
    }

    /// The state that a node came from, which need not be in this table. Requires that it is not a root.
    [[nodiscard]] State state_before(const Node& node) const {
        State state = node.state();
        problem_->apply(state, problem_->inverse(node.last_move()));
        return state;
    }

    /// Requires that the node is not a root.
    [[nodiscard]] Node parent(const Node& node) const { return find(key_of(state_before(node))); }

    /// Whether `state` is the parent of a node.
    [[nodiscard]] bool leads_back(const Node& node, const State& state) const {
        return !node.is_root() && state_before(node) == state;
    }

    /// Calls `visit(node)` for each node, in the order of their numbers. Linear in the number of states.
    template <class F>
    void for_each_node(F&& visit) const {
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (entries_[i] != 0) {
                visit(Node(this, static_cast<Key>(i)));
            }
        }
    }

    /// The link of a node whose parent is `parent`.
    static Link link(const Node& /*parent*/, const Move& move) { return move; }
    /// The link of a root.
    static Link root(const Node& /*node*/) { return P::no_move; }

    /// Whether the table can store this path cost.
    static bool can_hold(const Cost& cost) {
        return !detail::is_infinite(cost) &&
               (!keeps_costs || static_cast<std::uint64_t>(cost) <= Entry::cost_mask);
    }

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Removes all nodes. Keeps a small array, and gives the pages of a large one back.
    void clear() {
        if (size_ == 0) {
            return;
        }
        if (detail::Bytes::are_fresh_zero(entries_.size() * sizeof(Number))) {
            entries_ = Entries(*budget_);
        } else {
            std::memset(entries_.data(), 0, entries_.size() * sizeof(Number));
        }
        size_ = 0;
    }

private:
    /// On huge pages only if zeroing all of the array takes no more than a second.
    using Entries = detail::Storage<Number, std::size_t{1} << 30>;

    [[nodiscard]] Key key_of(const State& state) const { return static_cast<Key>(problem_->index(state)); }

    std::pair<Node, bool> place(Key key) {
        if (entries_.data() == nullptr) [[unlikely]] {
            start();
        }
        Number& entry = entries_[key];
        if (entry != 0) {
            return {Node(this, key), false};
        }
        entry = Entry::make(0, static_cast<std::uint64_t>(P::no_move), true);
        ++size_;
        return {Node(this, key), true};
    }

    NPUZZLE_NOINLINE void start() {
        const std::uint64_t states = problem_->size();
        if (states > std::uint64_t{1} << 32) {
            throw std::bad_alloc();
        }
        entries_.grow_zeroed(static_cast<std::size_t>(states));
    }

    /// The cost of the path to a node, each step of which costs 1.
    NPUZZLE_NOINLINE Cost count_steps(Node node) const {
        Cost steps{};
        for (; !node.is_root(); node = parent(node)) {
            ++steps;
        }
        return steps;
    }

    const P* problem_;
    MemoryBudget* budget_;
    Entries entries_;
    std::uint64_t size_ = 0;
};

} // namespace npuzzle
