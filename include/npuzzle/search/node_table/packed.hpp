#pragma once

#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/problem.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// A node table for states that fit a word.

namespace npuzzle {

/// One flat open-addressing table, without pointers: a slot is the packed state, the path cost (`stored_cost_t`), the
/// last move (without moves: the packed parent) and a byte of flags. The parent is found by taking back the move.
template <PackedProblem P, class E>
class PackedNodeTable {
    static constexpr bool has_moves = MoveProblem<P>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    using Key = std::remove_cvref_t<decltype(std::declval<const P&>().pack(std::declval<const State&>()))>;
    using Move = std::conditional_t<has_moves, move_t<P>, Key>;
    /// Where a node came from.
    using Link = Move;

    static constexpr bool stores_estimate = false;

private:
    using StoredCost = stored_cost_t<P>;
    static_assert(std::same_as<StoredCost, Cost> || (std::integral<StoredCost> && std::integral<Cost>),
                  "StoredCost holds integer costs exactly");

    enum class Flag : std::uint8_t { empty, open, closed };

    struct Record {
        StoredCost cost{};
        Link link{};
        Flag flag = Flag::empty;
    };

public:
    class Node {
    public:
        Key key() const { return word_; }
        State state() const { return problem_->unpack(word_); }
        Cost cost() const { return static_cast<Cost>(record_->cost); }
        bool is_closed() const { return record_->flag == Flag::closed; }
        bool is_root() const { return record_->link == root_link(word_); }
        /// The move that led here; `no_move` at a root.
        Move last_move() const { return record_->link; }
        Link link() const { return record_->link; }

        void close() { record_->flag = Flag::closed; }

        void relax(const Cost& cost, const Estimate& /*estimate*/, const Link& link) {
            record_->cost = static_cast<StoredCost>(cost);
            record_->link = link;
            record_->flag = Flag::open;
        }

    private:
        friend PackedNodeTable;
        Node(const P* problem, Key word, Record* record) : problem_(problem), word_(word), record_(record) {}

        const P* problem_;
        Key word_;
        Record* record_;
    };

    PackedNodeTable(const P& problem, detail::MemoryBudget& budget)
        : problem_(&problem), words_(detail::BudgetAllocator<Key>(budget)),
          records_(detail::BudgetAllocator<Record>(budget)) {}

    std::pair<Node, bool> insert(const State& state) {
        if (4 * (size_ + 1) > 3 * records_.size()) {
            grow();
        }
        const Key word = problem_->pack(state);
        const std::size_t slot = slot_of(word);
        const bool is_new = records_[slot].flag == Flag::empty;
        if (is_new) {
            words_[slot] = word;
            records_[slot].flag = Flag::closed;
            ++size_;
        }
        return {Node(problem_, word, &records_[slot]), is_new};
    }

    /// Requires that the key is that of a node.
    Node find(Key word) { return Node(problem_, word, &records_[slot_of(word)]); }

    Node parent(const Node& node) {
        if constexpr (has_moves) {
            State state = node.state();
            problem_->apply(state, problem_->inverse(node.last_move()));
            return find(problem_->pack(state));
        } else {
            return find(node.record_->link);
        }
    }

    /// Whether `state` is where the node `key` came from by `link`.
    bool leads_back(Key key, const Link& link, const State& state) const {
        if (link == root_link(key)) {
            return false;
        }
        if constexpr (has_moves) {
            State before = problem_->unpack(key);
            problem_->apply(before, problem_->inverse(link));
            return before == state;
        } else {
            return problem_->pack(state) == link;
        }
    }

    /// The link to the node that a new one was reached from.
    static Link link(const Node& parent, const Move& move) {
        if constexpr (has_moves) {
            return move;
        } else {
            return parent.key();
        }
    }

    /// The link of a node that was reached from nowhere.
    static Link root(const Node& node) { return root_link(node.key()); }

    /// Whether a node can have this path cost.
    static bool can_hold(const Cost& cost) {
        if constexpr (std::is_integral_v<StoredCost> && std::is_integral_v<Cost>) {
            return !detail::is_infinite(cost) && std::in_range<StoredCost>(cost);
        } else {
            return !detail::is_infinite(cost);
        }
    }

    std::uint64_t size() const { return size_; }

    /// Drops all nodes and keeps the storage.
    void clear() {
        std::fill(records_.begin(), records_.end(), Record{});
        size_ = 0;
    }

private:
    static Link root_link(const Key& word) {
        if constexpr (has_moves) {
            return P::no_move;
        } else {
            return word;
        }
    }

    /// The slot that holds the word, or the empty one where it would go.
    std::size_t slot_of(Key word) const {
        std::size_t slot = detail::mix_word(word) & (records_.size() - 1);
        while (records_[slot].flag != Flag::empty && words_[slot] != word) {
            slot = (slot + 1) & (records_.size() - 1);
        }
        return slot;
    }

    void grow() {
        const std::size_t slots = records_.empty() ? 64 : 2 * records_.size();
        std::vector<Key, detail::BudgetAllocator<Key>> words(slots, Key{}, words_.get_allocator());
        std::vector<Record, detail::BudgetAllocator<Record>> records(slots, Record{},
                                                                     records_.get_allocator());
        words.swap(words_);
        records.swap(records_);
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (records[i].flag != Flag::empty) {
                const std::size_t slot = slot_of(words[i]);
                words_[slot] = words[i];
                records_[slot] = records[i];
            }
        }
    }

    const P* problem_;
    std::vector<Key, detail::BudgetAllocator<Key>> words_;
    std::vector<Record, detail::BudgetAllocator<Record>> records_;
    std::uint64_t size_ = 0;
};

} // namespace npuzzle
