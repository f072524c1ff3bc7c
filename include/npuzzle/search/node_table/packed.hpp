#pragma once

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
#include <optional>
#include <type_traits>
#include <utility>

namespace npuzzle {

/// A node table without pointers, by open addressing over cache lines. `packed_line.hpp` describes the
/// content of a line. The parent of a node is found by undoing its last move.
///
/// Lines are in the order of the places of their nodes. So the table grows in place, a few pages after
/// another. A node whose home line is full goes into another line on the same page, and in the same region,
/// which the leading bits of its place give. A small table doubles. A large one is cut into segments, each of
/// which grows on its own, by a fifth to a third once it is several megabytes. So no growth takes long, or
/// needs memory beside the new lines, and three fifths of the slots or more are in use.
///
/// `insert` and `find` take expected O(1) time, amortized for `insert`. `insert` throws `std::bad_alloc` if
/// the budget or the system refuses the memory; the table is unchanged then.
///
/// \tparam P a `PackedProblem` whose costs and moves are trivially copyable
/// \tparam E the type of estimates, which the table does not store
/// \tparam Line the layout of a line; chosen automatically by default
/// \tparam largest_whole the bytes from which on it grows by quarters, and is cut where these fill huge pages
template <PackedProblem P, class E, class Line = detail::packed_line_t<P, E>,
          std::size_t largest_whole = (std::size_t{1} << 27)>
    requires detail::HasPlainNodes<P>
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
        : problem_(&problem), budget_(&budget), moving_(budget) {}

    /// Packs a state and finds its home line.
    [[nodiscard]] Probe probe(const State& state) const {
        const Item item = Line::item(problem_->pack(state));
        return Probe(item, home_of(Line::place(item)), growths_);
    }

    /// Prefetches the home line, if the table has not grown since the probe was made.
    static void prefetch_slot(const Probe& probe) { detail::prefetch(probe.home_); }

    std::pair<Node, bool> insert(Probe&& probe) {
        const Item item = probe.item_;
        const std::uint32_t place = Line::place(item);
        Line* home = probe.growths_ == growths_ ? probe.home_ : home_of(place);
        for (;; home = home_of(place)) {
            if (home == nullptr) {
                start();
                continue;
            }
            Line* line = home;
            bool is_ambiguous = false;
            do {
                for (unsigned matches = line->with_key(Line::key(item)); matches != 0;
                     matches &= matches - 1) {
                    const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                    if (line->holds(slot, item)) {
                        return {Node(problem_, item, line, slot), false};
                    }
                    is_ambiguous = true;
                }
                if (const unsigned used = line->count(); used < Line::size) {
                    Segment& segment = segment_of(place);
                    if (segment.nodes == segment.most) {
                        break;
                    }
                    line->put(used, item, root_link(item));
                    if (is_ambiguous) [[unlikely]] {
                        for_each_with_key(Line::key(item),
                                          [](Line& full, unsigned slot) { full.mark_ambiguous(slot); });
                    }
                    ++segment.nodes;
                    ++size_;
                    return {Node(problem_, item, line, used), true};
                }
                line = line_after(line, place);
            } while (line != home);
            grow(segment_of(place));
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
        const Item item = hint.item_;
        const std::uint32_t place = Line::place(item);
        Line* const home = hint.growths_ == growths_ ? hint.home_ : home_of(place);
        if (home == nullptr) {
            return std::nullopt;
        }
        Line* line = home;
        do {
            for (unsigned matches = line->with_key(Line::key(item)); matches != 0; matches &= matches - 1) {
                const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                if (line->holds(slot, item)) {
                    return Node(problem_, item, line, slot);
                }
            }
            if (line->count() < Line::size) {
                break;
            }
            line = line_after(line, place);
        } while (line != home);
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
                return Node(problem_, line->item_at(slot, leading_bits(region_of(place))), line, slot);
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
        for (std::size_t i = 0; i < segment_count >> (max_segment_bits - segment_bits_); ++i) {
            const Segment& segment = segments_[i];
            for (std::size_t at = 0; at < segment.lines; ++at) {
                Line& line = segment.storage[at];
                const std::uint32_t leading = leading_bits(region_at(i, at / (segment.lines / regions())));
                for (unsigned slot = 0; slot < line.count(); ++slot) {
                    visit(Node(problem_, line.item_at(slot, leading), &line, slot));
                }
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

    /// Removes all nodes. Keeps the storage unless the table has been cut into segments. O(1).
    void clear() {
        if (segment_bits_ > 0) {
            segments_ = {};
            extents_ = {};
            segment_bits_ = 0;
        } else if (segments_[0].lines > 0) {
            segments_[0].nodes = 0;
            set_lines(0, first_lines);
            erase(segments_[0].storage.data(), first_lines);
        }
        size_ = 0;
        ++growths_;
    }

private:
    struct Extent { // the lines for all places with the same five leading bits
        Line* first = nullptr;
        std::size_t lines = 0;
    };
    /// Its size is a power of two, since each new node looks one up.
    struct alignas(detail::cache_line) Segment {
        detail::Storage<Line> storage;
        std::size_t lines = 0; // in use
        std::uint64_t nodes = 0;
        std::uint64_t most = 0; // number of nodes at which it grows
    };

    static constexpr unsigned max_segment_bits = 5;
    static constexpr std::size_t segment_count = std::size_t{1} << max_segment_bits;
    static constexpr unsigned extent_place_bits = 32 - max_segment_bits;
    /// A segment consists of whole regions. The leading bits that a line does not store follow from its
    /// region.
    static constexpr unsigned all_region_bits = (std::max)(max_segment_bits, Line::region_bits);
    static constexpr std::size_t first_lines = std::size_t{1} << all_region_bits;

    Segment& segment_of(std::uint32_t place) {
        return segments_[std::uint64_t{place} >> (32 - segment_bits_)];
    }
    /// The home line of a place; null if the table has no lines.
    [[nodiscard]] Line* home_of(std::uint32_t place) const {
        return home_in(extents_[place >> extent_place_bits], place);
    }
    static Line* home_in(const Extent& extent, std::uint32_t place) {
        const std::uint64_t within = place & ((std::uint32_t{1} << extent_place_bits) - 1);
        return extent.first + (within * extent.lines >> extent_place_bits);
    }

    /// The next line to probe after a full line.
    [[nodiscard]] Line* line_after(Line* line, std::uint32_t place) const {
        const Extent& extent = extents_[place >> extent_place_bits];
        return extent.first + detail::line_after<Line, all_region_bits - max_segment_bits>(
                                  static_cast<std::size_t>(line - extent.first), extent.lines, place);
    }

    /// The number of regions of a segment.
    [[nodiscard]] std::size_t regions() const { return std::size_t{1} << (all_region_bits - segment_bits_); }
    static std::uint32_t region_of(std::uint32_t place) { return place >> (32 - all_region_bits); }
    /// What its lines do not store.
    static std::uint32_t leading_bits(std::uint32_t region) {
        return region >> (all_region_bits - Line::region_bits);
    }

    static Link root_link(const Item& item) {
        if constexpr (has_moves) {
            return P::no_move;
        } else {
            return Line::word(item);
        }
    }

    static void erase(Line* first, std::size_t count) {
        std::memset(static_cast<void*>(first), 0, count * sizeof(Line));
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
        const std::uint32_t leading = leading_bits(region_of(Line::place_of_key(key)));
        std::optional<Node> least;
        for_each_with_key(key, [&](Line& line, unsigned slot) {
            const Node node(problem_, line.item_at(slot, leading), &line, slot);
            const bool is_it = !node.is_closed() && !(node.cost() < cost) && !(cost < node.cost());
            if (is_it && (!least || node.item_ < least->item_) && is_wanted(node.state())) {
                least = node;
            }
        });
        return least;
    }

    void set_lines(std::size_t index, std::size_t count) {
        Segment& segment = segments_[index];
        segment.lines = count;
        segment.most = detail::max_nodes<Line>(count);
        const std::size_t extents = segment_count >> segment_bits_;
        for (std::size_t i = 0; i < extents; ++i) {
            extents_[index * extents + i] = {segment.storage.data() + i * (count / extents), count / extents};
        }
    }

    NPUZZLE_NOINLINE void start() {
        segments_[0].storage = detail::Storage<Line>(*budget_);
        segments_[0].storage.grow(first_lines);
        set_lines(0, first_lines);
        erase(segments_[0].storage.data(), first_lines);
        ++growths_;
    }

    /// Gives a full segment more lines, or cuts it if it is the only one and large enough.
    NPUZZLE_NOINLINE void grow(Segment& segment) {
        if (segment_bits_ == 0 && segment.lines * sizeof(Line) >= largest_whole &&
            detail::is_to_be_cut<Line>(segment.lines, regions(), segment_count)) {
            cut();
        } else {
            add_lines(static_cast<std::size_t>(&segment - segments_.data()));
        }
        ++growths_;
    }

    void cut() {
        const std::size_t lines = segments_[0].lines / segment_count;
        if (segments_[0].storage.size() != segments_[0].lines) {
            // The table was cleared and has more storage than it uses: it would be cut in the wrong places.
            add_lines(0);
            return;
        }
        std::array<detail::Storage<Line>, segment_count> parts =
            segments_[0].storage.template cut<segment_count>();
        segments_[0] = Segment{};
        segment_bits_ = max_segment_bits;
        for (std::size_t i = 0; i < segment_count; ++i) {
            Segment& segment = segments_[i];
            segment.storage = std::move(parts[i]);
            set_lines(i, lines);
            for (std::size_t at = 0; at < lines; ++at) {
                segment.nodes += segment.storage[at].count();
            }
        }
    }

    [[nodiscard]] std::uint32_t region_at(std::size_t segment, std::size_t region_in_segment) const {
        return static_cast<std::uint32_t>(segment << (all_region_bits - segment_bits_) | region_in_segment);
    }

    /// Gives a segment more lines.
    void add_lines(std::size_t index) {
        const std::size_t lines = segments_[index].lines;
        const bool doubles = segment_bits_ == 0 && lines * sizeof(Line) < largest_whole;
        if (doubles || !resize(index, detail::more_lines<Line>(lines, regions()))) {
            resize(index, 2 * lines); // For each old page there are two, so that all nodes have room.
        }
    }

    /// Moves the nodes of a segment to more lines, a group after another: the fewest pages that have the same
    /// nodes before and after. False if a page would be too full; then the segment is as it was.
    NPUZZLE_NOINLINE bool resize(std::size_t index, std::size_t lines) {
        Segment& segment = segments_[index];
        const std::size_t old_lines = segment.lines;
        if (lines > std::uint64_t{1} << 32) {
            throw std::bad_alloc();
        }
        const std::size_t per_region = old_lines / regions();
        const std::size_t groups = detail::groups<Line>(old_lines, lines, regions());
        const std::size_t before = old_lines / groups;
        const std::size_t after = lines / groups;
        moving_.grow(after);
        segment.storage.grow(lines);
        set_lines(index, lines);
        Line* const first = segment.storage.data();
        const auto region = [&](std::size_t group) { return region_at(index, group * before / per_region); };
        for (std::size_t group = groups; group-- > 0;) {
            if (!spread(first + group * before, before, first + group * after, after, region(group))) {
                std::copy_n(moving_.data(), before, first + group * before);
                set_lines(index, old_lines);
                while (++group < groups) {
                    spread(first + group * after, after, first + group * before, before, region(group));
                }
                return false;
            }
        }
        return true;
    }

    /// See `detail::spread_lines`. The lines are in one region.
    NPUZZLE_NOINLINE bool spread(Line* from, std::size_t count, Line* to, std::size_t new_count,
                                 std::uint32_t region) {
        const std::uint32_t leading = leading_bits(region);
        const Extent extent = extents_[region >> (all_region_bits - max_segment_bits)];
        return detail::spread_lines(
            from, count, moving_.data(), to, new_count, erase,
            [leading](const Line& line, unsigned slot) { return line.place_at(slot, leading); },
            [extent](std::uint32_t place) { return home_in(extent, place); },
            [this](Line* line, std::uint32_t place) { return line_after(line, place); });
    }

    const P* problem_;
    MemoryBudget* budget_;
    unsigned segment_bits_ = 0;
    unsigned growths_ = 0;
    std::uint64_t size_ = 0;
    std::array<Extent, segment_count> extents_;
    detail::Storage<Line> moving_; // kept, so that a table that is used again needs no new memory
    std::array<Segment, segment_count> segments_;
};

} // namespace npuzzle
