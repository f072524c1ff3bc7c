#pragma once

#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/node_table/packed_line.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// A node table without pointers, by open addressing over cache lines. `packed_line.hpp` describes the
/// content of a line. The parent of a node is found by undoing its last move.
///
/// Lines are in the order of the places of their nodes. So the table grows in place, a few pages after
/// another, and needs no memory beside the new lines. A node whose home line is full goes into another line
/// on the same page, and in the same region, which the leading bits of its place give. The table doubles
/// until it is large, then it grows by a fifth to a third, so that three fifths of the slots or more are in
/// use.
///
/// `insert` and `find` take expected O(1) time, amortized for `insert`. `insert` throws `std::bad_alloc` if
/// the budget or the system refuses the memory; the table is unchanged then.
///
/// \tparam P a `PackedProblem` whose costs and moves are trivially copyable
/// \tparam E the type of estimates, which the table does not store
/// \tparam Line the layout of a line; chosen automatically by default
/// \tparam large the bytes from which on it grows by quarters of a power of two
template <PackedProblem P, class E, class Line = detail::packed_line_t<P, E>,
          std::size_t large = (std::size_t{1} << 27)>
    requires detail::has_plain_nodes<P>
class PackedNodeTable {
    static constexpr bool has_moves = detail::has_moves<P>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    using Key = typename Line::Key;
    /// How a node was reached: the last move or, for a problem without moves, the parent's word.
    using Link = typename Line::Link;
    using Move = Link;

    static constexpr bool stores_estimate = false;
    static constexpr bool finds_duplicates = true;

private:
    using Item = typename Line::Item;

public:
    class Node {
    public:
        [[nodiscard]] Key key() const { return Line::key(item_); }
        [[nodiscard]] State state() const { return problem_->unpack(Line::word(item_)); }
        [[nodiscard]] Cost cost() const { return line_->cost(slot_); }
        [[nodiscard]] bool is_closed() const { return line_->is_closed(slot_); }
        /// Whether another node has the same key, or had it.
        [[nodiscard]] bool is_ambiguous() const { return line_->is_ambiguous(slot_); }
        [[nodiscard]] bool is_root() const { return line_->link(slot_) == root(*this); }
        /// The last move on the path to this node; `no_move` at a root.
        [[nodiscard]] Move last_move() const { return line_->link(slot_); }
        [[nodiscard]] Link link() const { return line_->link(slot_); }

        void close() { line_->close(slot_); }
        void relax(const Cost& cost, const Estimate& /*estimate*/, const Link& link) {
            line_->open(slot_, cost, link);
        }

    private:
        friend PackedNodeTable;
        Node(const P* problem, Item item, Line* line, unsigned slot)
            : problem_(problem), line_(line), item_(item), slot_(slot) {}

        const P* problem_;
        Line* line_;
        Item item_;
        unsigned slot_;
    };

    /// A state to be inserted or found.
    class Probe {
        friend PackedNodeTable;
        Probe(Item item, Line* home, unsigned growths) : item_(item), home_(home), growths_(growths) {}
        Item item_;
        Line* home_;       // valid while the table has not grown
        unsigned growths_; // of the table, when the probe was made
    };

    PackedNodeTable(const P& problem, MemoryBudget& budget)
        : problem_(&problem), storage_(budget), moving_(budget) {}

    /// Packs a state and finds its home line.
    [[nodiscard]] Probe probe(const State& state) const {
        const Item item = Line::item(problem_->pack(state));
        return Probe(item, home_of(Line::place(item)), growths_);
    }

    /// Prefetches the home line, if the table has not grown since the probe was made.
    static void prefetch_slot(const Probe& probe) { detail::prefetch(probe.home_); }

    std::pair<Node, bool> insert(Probe&& probe) {
        const Item item = probe.item_;
        for (;; grow()) {
            Line* const home = probe.growths_ == growths_ ? probe.home_ : home_of(Line::place(item));
            if (home == nullptr) {
                continue;
            }
            const Place place = look_up(item, home);
            if (place.is_taken) {
                return {Node(problem_, item, place.line, place.slot), false};
            }
            if (place.line != nullptr && size_ < max_size_) {
                place.line->put(place.slot, item, root_link(item));
                if (place.is_ambiguous) [[unlikely]] {
                    for_each_with_key(Line::key(item),
                                      [](Line& line, unsigned slot) { line.mark_ambiguous(slot); });
                }
                ++size_;
                return {Node(problem_, item, place.line, place.slot), true};
            }
        }
    }

    std::pair<Node, bool> insert(const State& state) { return insert(probe(state)); }

    /// The state of a probe that has been inserted.
    [[nodiscard]] State state_of(const Probe& /*probe*/, const Node& node) const { return node.state(); }

    /// Prefetches the next two lines to probe if the home line is full and in the cache.
    void prefetch(const Probe& probe) const {
        if (probe.home_ != nullptr && probe.growths_ == growths_ && probe.home_->is_full()) {
            const std::uint32_t place = Line::place(probe.item_);
            Line* const second = line_after(probe.home_, place);
            detail::prefetch(second);
            detail::prefetch(line_after(second, place));
        }
    }
    void prefetch(const Key& key) const { detail::prefetch(home_of(Line::place_of_key(key))); }

    using LookupHint = Probe;
    [[nodiscard]] LookupHint lookup_hint(const State& state) const { return probe(state); }

    /// The node of a state, if it exists.
    [[nodiscard]] std::optional<Node> find(const LookupHint& hint, const State& /*state*/) const {
        Line* const home = hint.growths_ == growths_ ? hint.home_ : home_of(Line::place(hint.item_));
        if (home != nullptr) {
            if (const Place place = look_up(hint.item_, home); place.is_taken) {
                return Node(problem_, hint.item_, place.line, place.slot);
            }
        }
        return std::nullopt;
    }

    /// The open node with this key and this cost, whose state is wanted; of several the one of the least
    /// item, so that the order of a search does not depend on where nodes happen to be.
    template <class IsWanted>
    std::optional<Node> find_open(const Key& key, const Cost& cost, IsWanted&& is_wanted) {
        const std::uint32_t place = Line::place_of_key(key);
        Line* const home = home_of(place);
        Line* line = home;
        do {
            for (unsigned matches = line->maybe_with_key(key); matches != 0; matches &= matches - 1) {
                const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                const Cost stored = line->cost(slot);
                if (line->is_closed(slot) || stored < cost || cost < stored) {
                    continue;
                }
                if (line->is_ambiguous(slot)) {
                    return find_least(key, cost, is_wanted);
                }
                // The node is constructed in place: a copy would wait for the stores of its members.
                return Node(problem_, line->item_at(slot, region_of(place)), line, slot);
            }
            if (line->count() < Line::size) {
                break;
            }
            line = line_after(line, place);
        } while (line != home);
        return std::nullopt;
    }

    /// The state that a node came from, which need not be in this table. Requires that it is not a root.
    [[nodiscard]] State state_before(const Node& node) const {
        if constexpr (has_moves) {
            State state = node.state();
            problem_->apply(state, problem_->inverse(node.last_move()));
            return state;
        } else {
            return problem_->unpack(node.link());
        }
    }

    /// Requires that the node is not a root.
    [[nodiscard]] Node parent(const Node& node) const {
        const State before = state_before(node);
        return *find(lookup_hint(before), before);
    }

    /// Whether `state` is the parent of a node.
    [[nodiscard]] bool leads_back(const Node& node, const State& state) const {
        if constexpr (has_moves) {
            return !node.is_root() && state_before(node) == state;
        } else {
            return !node.is_root() && problem_->pack(state) == node.link();
        }
    }

    /// Calls `visit(node)` for each node. Linear in the size of the table.
    template <class F>
    void for_each_node(F&& visit) const {
        for (std::size_t at = 0; at < lines_; ++at) {
            Line& line = storage_[at];
            const auto region = static_cast<std::uint32_t>(at / (lines_ / regions));
            for (unsigned slot = 0; slot < line.count(); ++slot) {
                visit(Node(problem_, line.item_at(slot, region), &line, slot));
            }
        }
    }

    /// The link of a node whose parent is `parent`.
    static Link link(const Node& parent, const Move& move) {
        if constexpr (has_moves) {
            return move;
        } else {
            return Line::word(parent.item_);
        }
    }

    /// The link of a root.
    static Link root(const Node& node) { return root_link(node.item_); }
    /// Whether the table can store this path cost.
    static bool can_hold(const Cost& cost) { return Line::can_hold(cost); }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Removes all nodes, and keeps the storage. O(1).
    void clear() {
        if (lines_ > 0) {
            begin();
        }
        size_ = 0;
        ++growths_;
    }

private:
    static constexpr std::size_t regions = std::size_t{1} << Line::region_bits;
    static constexpr std::size_t lines_per_page = std::bit_floor(4096 / sizeof(Line));

    /// The slot of an item, or the free one where it belongs; no line if all that may be probed are full.
    struct Place {
        Line* line;
        unsigned slot;
        bool is_taken;
        bool is_ambiguous; ///< whether another node has the same key
    };

    /// The home line of a place; null if the table has no lines.
    [[nodiscard]] Line* home_of(std::uint32_t place) const {
        return storage_.data() + static_cast<std::size_t>(std::uint64_t{place} * lines_ >> 32);
    }

    /// The next line to probe after a full line, in the same block. The step depends on the place (double
    /// hashing), so that full lines do not cluster. It is odd, so that all lines of the block are probed.
    [[nodiscard]] Line* line_after(Line* line, std::uint32_t place) const {
        const auto at = static_cast<std::size_t>(line - storage_.data());
        const std::size_t next = at + 2 * std::size_t{place} + 1;
        return storage_.data() + ((at & ~(block_ - 1)) | (next & (block_ - 1)));
    }

    /// The leading bits of a place, which a line does not store.
    static std::uint32_t region_of(std::uint32_t place) {
        return static_cast<std::uint32_t>(std::uint64_t{place} >> (32 - Line::region_bits));
    }

    static Link root_link(const Item& item) {
        if constexpr (has_moves) {
            return P::no_move;
        } else {
            return Line::word(item);
        }
    }

    NPUZZLE_ALWAYS_INLINE Place look_up(const Item& item, Line* home) const {
        bool is_ambiguous = false;
        Line* line = home;
        do {
            for (unsigned matches = line->with_key(Line::key(item)); matches != 0; matches &= matches - 1) {
                const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                if (line->holds(slot, item)) {
                    return {line, slot, true, is_ambiguous};
                }
                is_ambiguous = true;
            }
            if (const unsigned used = line->count(); used < Line::size) {
                return {line, used, false, is_ambiguous};
            }
            line = line_after(line, Line::place(item));
        } while (line != home);
        return {nullptr, 0, false, is_ambiguous};
    }

    /// Calls `visit(line, slot)` for each node with a key.
    template <class F>
    NPUZZLE_NOINLINE void for_each_with_key(const Key& key, F&& visit) const {
        const std::uint32_t place = Line::place_of_key(key);
        Line* const home = home_of(place);
        Line* line = home;
        do {
            for (unsigned matches = line->with_key(key); matches != 0; matches &= matches - 1) {
                visit(*line, static_cast<unsigned>(std::countr_zero(matches)));
            }
            if (line->count() < Line::size) {
                break;
            }
            line = line_after(line, place);
        } while (line != home);
    }

    /// Of the open nodes with this key and this cost, and of a wanted state, the one of the least item.
    template <class IsWanted>
    NPUZZLE_NOINLINE std::optional<Node> find_least(const Key& key, const Cost& cost, IsWanted& is_wanted) {
        const std::uint32_t region = region_of(Line::place_of_key(key));
        std::optional<Node> least;
        for_each_with_key(key, [&](Line& line, unsigned slot) {
            const Node node(problem_, line.item_at(slot, region), &line, slot);
            const bool is_it = !node.is_closed() && !(node.cost() < cost) && !(cost < node.cost());
            if (is_it && (!least || node.item_ < least->item_) && is_wanted(node.state())) {
                least = node;
            }
        });
        return least;
    }

    // Growth.

    void set_lines(std::size_t lines) {
        lines_ = lines;
        block_ = (std::min)(lines / regions, lines_per_page);
        // With a greater load it is slower: with four fifths, one look-up in six finds a full line.
        max_size_ = std::max<std::uint64_t>(1, lines * Line::size * 4 / 5);
    }

    static void erase(Line* first, std::size_t count) {
        std::memset(static_cast<void*>(first), 0, count * sizeof(Line));
    }

    void begin() {
        constexpr std::size_t first_lines = std::max<std::size_t>(regions, 16);
        storage_.grow(first_lines);
        set_lines(first_lines);
        erase(storage_.data(), first_lines);
    }

    NPUZZLE_NOINLINE void grow() {
        const std::size_t quarter = std::bit_floor(lines_) / 4;
        if (lines_ == 0) {
            begin();
        } else if (lines_ * sizeof(Line) < large || quarter < regions * lines_per_page ||
                   !resize(lines_ == 6 * quarter ? 8 * quarter : lines_ + quarter)) {
            resize(2 * lines_); // For each old page there are two, so that all nodes have room.
        }
        ++growths_;
    }

    /// Moves the nodes to more lines, a group after another: the fewest pages that have the same nodes before
    /// and after. False if a page would be too full; then the table is as it was.
    NPUZZLE_NOINLINE bool resize(std::size_t lines) {
        if (lines > std::uint64_t{1} << 32) {
            throw std::bad_alloc();
        }
        const std::size_t old_lines = lines_;
        const std::size_t groups = std::gcd(old_lines, lines) / block_;
        const std::size_t before = old_lines / groups;
        const std::size_t after = lines / groups;
        moving_.grow(after);
        storage_.grow(lines);
        set_lines(lines);
        const auto move = [&](std::size_t group, std::size_t from, std::size_t to) {
            const auto region = static_cast<std::uint32_t>(group * before / (old_lines / regions));
            return spread(storage_.data() + group * from, from, storage_.data() + group * to, to, region);
        };
        for (std::size_t group = groups; group-- > 0;) {
            if (!move(group, before, after)) {
                std::copy_n(moving_.data(), before, storage_.data() + group * before);
                set_lines(old_lines);
                while (++group < groups) {
                    move(group, after, before);
                }
                return false;
            }
        }
        return true;
    }

    /// Spreads the nodes of some lines over more lines or fewer, at most six pages, which may begin among the
    /// old ones. False if there is no room on a page; then only some nodes have been moved, and the first
    /// lines of `moving_` are as the old ones were.
    NPUZZLE_NOINLINE bool spread(const Line* from, std::size_t count, Line* to, std::size_t new_count,
                                 std::uint32_t region) {
        std::copy_n(from, count, moving_.data());
        erase(to, new_count);
        // Not counted in the lines: that would wait for the nodes to be stored.
        std::array<unsigned, 6 * lines_per_page> used;
        std::fill_n(used.begin(), new_count, 0U);
        for (const Line* line = moving_.data(); line != moving_.data() + count; ++line) {
            const unsigned nodes = line->count();
            for (unsigned slot = 0; slot < nodes; ++slot) {
                const std::uint32_t place = line->place_at(slot, region);
                Line* const home = home_of(place);
                auto at = static_cast<std::size_t>(home - to);
                while (used[at] == Line::size) [[unlikely]] {
                    Line* const other = line_after(to + at, place);
                    if (other == home) {
                        return false;
                    }
                    at = static_cast<std::size_t>(other - to);
                }
                to[at].set(used[at]++, line->get(slot));
            }
        }
        return true;
    }

    const P* problem_;
    detail::Storage<Line> storage_;
    std::size_t lines_ = 0; // in use
    std::size_t block_ = 0; // of so many lines a full one's node is in another: a power of two
    std::uint64_t size_ = 0;
    std::uint64_t max_size_ = 0; // at which it grows
    unsigned growths_ = 0;
    detail::Storage<Line> moving_; // kept, so that a table that is used again needs no new memory
};

} // namespace npuzzle
