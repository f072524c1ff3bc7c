#pragma once

#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/node_table/line_storage.hpp"
#include "npuzzle/search/node_table/node_table.hpp"
#include "npuzzle/search/node_table/packed_line.hpp"
#include "npuzzle/search/problem.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// A node table for states that fit a word.

namespace npuzzle {

/// Open addressing over cache lines, without pointers: see `packed_line.hpp` for what a line holds. The parent of a node
/// is found by taking back the last move.
///
/// Lines lie in the order of their nodes' places, so that the table doubles in place, line after line. A node that finds
/// its home line full goes into the next one of the same region, of which the place's leading bits choose one. A large
/// table is cut into segments, each of which doubles on its own: no growth takes long, or much memory beside.
///
/// \tparam Line the layout of a line, if it is to be chosen by hand
/// \tparam largest_whole how many bytes of lines are one segment; with more, each part should fill a few huge pages
template <PackedProblem P, class E, class Line = detail::packed_line_t<P, E>,
          std::size_t largest_whole = std::size_t{1} << 27>
class PackedNodeTable {
    static constexpr bool has_moves = MoveProblem<P>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    using Key = typename Line::Key;
    /// Where a node came from: the last move, or without moves the parent's word.
    using Link = typename Line::Link;
    using Move = Link;

    static constexpr bool stores_estimate = false;
    static constexpr bool finds_duplicates = true;

private:
    using Item = typename Line::Item;

public:
    class Node {
    public:
        Key key() const { return Line::key(item_); }
        State state() const { return problem_->unpack(Line::word(item_)); }
        Cost cost() const { return line_->cost(slot_); }
        bool is_closed() const { return line_->is_closed(slot_); }
        bool is_root() const { return line_->link(slot_) == root(*this); }
        /// The move that led here; `no_move` at a root.
        Move last_move() const { return line_->link(slot_); }
        Link link() const { return line_->link(slot_); }

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

    /// A state on its way into the table.
    class Probe {
        friend PackedNodeTable;
        explicit Probe(Item item) : item_(item) {}
        Item item_;
    };

    PackedNodeTable(const P& problem, detail::MemoryBudget& budget) : problem_(&problem), budget_(&budget) {}

    /// Packs a state, and has its home line fetched.
    Probe probe(const State& state) const {
        const Probe probe(Line::item(problem_->pack(state)));
        prefetch_place(Line::place(probe.item_));
        return probe;
    }

    std::pair<Node, bool> insert(Probe&& probe) {
        const Item item = probe.item_;
        const std::uint32_t place = Line::place(item);
        for (;;) {
            Segment& segment = segment_of(place);
            if (segment.lines == 0) {
                start();
            }
            Walk walk = walk_from(segment, place);
            bool is_displaced = false;
            bool is_ambiguous = false;
            do {
                Line& line = *walk.line;
                for (unsigned matches = line.with_key(Line::key(item)); matches != 0;
                     matches &= matches - 1) {
                    const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                    if (line.holds(slot, item)) {
                        return {Node(problem_, item, &line, slot), false};
                    }
                    is_ambiguous = true;
                }
                if (const unsigned used = line.count(); used < Line::size) {
                    if (segment.nodes == segment.most) {
                        break;
                    }
                    line.put(used, item, root_link(item));
                    if (is_ambiguous) {
                        mark_all(segment, item);
                    }
                    ++segment.nodes;
                    segment.displaced += is_displaced ? 1 : 0;
                    ++size_;
                    return {Node(problem_, item, &line, used), true};
                }
                is_displaced = true;
            } while (walk.next(*this, segment, place));
            grow(segment);
        }
    }

    std::pair<Node, bool> insert(const State& state) { return insert(probe(state)); }

    /// The state of a probe that has been inserted.
    State state_of(const Probe& /*probe*/, const Node& node) const { return node.state(); }

    void prefetch(const Probe& /*probe*/) const {}
    void prefetch(const Key& key) const { prefetch_place(Line::place_of_key(key)); }

    /// The open node that has this key and this cost, and whose state is wanted where there are several.
    template <class IsWanted>
    std::optional<Node> find_open(const Key& key, const Cost& cost, IsWanted&& is_wanted) {
        const std::uint32_t place = Line::place_of_key(key);
        Segment& segment = segment_of(place);
        Walk walk = walk_from(segment, place);
        do {
            Line& line = *walk.line;
            for (unsigned matches = line.with_key(key); matches != 0; matches &= matches - 1) {
                const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                const Cost stored = line.cost(slot);
                if (line.is_closed(slot) || stored < cost || cost < stored) {
                    continue;
                }
                const Node node(problem_, line.item_at(slot, leading_bits(region_of(place))), &line, slot);
                if (!line.is_ambiguous(slot) || is_wanted(node.state())) {
                    return node;
                }
            }
            if (line.count() < Line::size) {
                break;
            }
        } while (walk.next(*this, segment, place));
        return std::nullopt;
    }

    /// Requires that the node is not a root.
    Node parent(const Node& node) {
        if constexpr (has_moves) {
            State state = node.state();
            problem_->apply(state, problem_->inverse(node.last_move()));
            return insert(state).first;
        } else {
            return insert(problem_->unpack(node.link())).first;
        }
    }

    /// Whether `state` is where a node came from.
    bool leads_back(const Node& node, const State& state) const {
        if (node.is_root()) {
            return false;
        }
        if constexpr (has_moves) {
            State before = node.state();
            problem_->apply(before, problem_->inverse(node.link()));
            return before == state;
        } else {
            return problem_->pack(state) == node.link();
        }
    }

    /// The link to the node that a new one was reached from.
    static Link link(const Node& parent, const Move& move) {
        if constexpr (has_moves) {
            return move;
        } else {
            return Line::word(parent.item_);
        }
    }

    /// The link of a node that was reached from nowhere.
    static Link root(const Node& node) { return root_link(node.item_); }

    /// Whether a node can have this path cost.
    static bool can_hold(const Cost& cost) { return Line::can_hold(cost); }

    std::uint64_t size() const { return size_; }

    /// Drops all nodes and keeps the storage of a table that is not too large. Constant, but for a few lines.
    void clear() {
        if (segment_bits_ > 0) {
            for (Segment& segment : segments_) {
                segment = Segment{};
            }
            segment_bits_ = 0;
        } else if (segments_[0].lines > 0) {
            segments_[0].set_lines(first_lines);
            segments_[0].nodes = 0;
            segments_[0].displaced = 0;
            erase(segments_[0].storage.data(), first_lines);
        }
        size_ = 0;
    }

private:
    struct Segment {
        detail::LineStorage<Line> storage;
        std::size_t lines = 0; // in use
        std::uint64_t nodes = 0;
        std::uint64_t most = 0;      // nodes before it grows
        std::uint64_t displaced = 0; // nodes that are not in their home line

        void set_lines(std::size_t count) {
            lines = count;
            // Four fifths full, one line in twelve runs over; at seven eighths, one in four.
            most = std::max<std::uint64_t>(1, count * Line::size * 4 / 5);
        }
    };

    static constexpr unsigned most_segment_bits = 5;
    static constexpr std::size_t segment_count = std::size_t{1} << most_segment_bits;
    /// A segment is made of whole regions; and a line has to know its region's leading bits.
    static constexpr unsigned all_region_bits = std::max(most_segment_bits, Line::region_bits);
    static constexpr std::size_t first_lines = std::size_t{1} << all_region_bits;

    /// The lines in which a node may be: its home, and those after it in the region, around to the home again.
    struct Walk {
        Line* line;
        Line* home;

        /// Goes on to the next line; false when all have been seen.
        bool next(const PackedNodeTable& table, const Segment& segment, std::uint32_t place) {
            const std::size_t lines = segment.lines / table.regions();
            Line* first = segment.storage.data() + table.region_in_segment(place) * lines;
            ++line;
            if (line == first + lines) {
                line = first;
            }
            return line != home;
        }
    };

    Walk walk_from(const Segment& segment, std::uint32_t place) const {
        Line* home = segment.storage.data() + home_of(place, segment.lines);
        return {home, home};
    }

    Segment& segment_of(std::uint32_t place) {
        return segments_[static_cast<std::size_t>(std::uint64_t{place} >> (32 - segment_bits_))];
    }
    const Segment& segment_of(std::uint32_t place) const {
        return segments_[static_cast<std::size_t>(std::uint64_t{place} >> (32 - segment_bits_))];
    }

    /// Scales a place within its segment to the segment's lines.
    std::size_t home_of(std::uint32_t place, std::size_t lines) const {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(place << segment_bits_) * lines >> 32);
    }

    /// The regions of a segment.
    std::size_t regions() const { return std::size_t{1} << (all_region_bits - segment_bits_); }
    static std::uint32_t region_of(std::uint32_t place) { return place >> (32 - all_region_bits); }
    std::size_t region_in_segment(std::uint32_t place) const { return region_of(place) & (regions() - 1); }
    /// What a line needs to know of a region.
    static std::uint32_t leading_bits(std::uint32_t region) {
        return region >> (all_region_bits - Line::region_bits);
    }

    void prefetch_place(std::uint32_t place) const {
        const Segment& segment = segment_of(place);
        __builtin_prefetch(segment.storage.data() + home_of(place, segment.lines));
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

    /// Marks all nodes that share the item's key.
    void mark_all(Segment& segment, const Item& item) {
        const std::uint32_t place = Line::place(item);
        Walk walk = walk_from(segment, place);
        do {
            Line& line = *walk.line;
            for (unsigned matches = line.with_key(Line::key(item)); matches != 0; matches &= matches - 1) {
                line.mark_ambiguous(static_cast<unsigned>(std::countr_zero(matches)));
            }
            if (line.count() < Line::size) {
                break;
            }
        } while (walk.next(*this, segment, place));
    }

    void start() {
        Segment& segment = segments_[0];
        segment.storage = detail::LineStorage<Line>(*budget_);
        segment.storage.grow(first_lines);
        segment.set_lines(first_lines);
        erase(segment.storage.data(), first_lines);
    }

    /// Gives a full segment twice as many lines; past a certain size, cuts the only segment up instead.
    void grow(Segment& segment) {
        if (segment_bits_ == 0 && segment.lines * sizeof(Line) >= largest_whole) {
            cut();
        } else {
            double_lines(segment, static_cast<std::uint32_t>(&segment - segments_.data()));
        }
    }

    void cut() {
        std::array<detail::LineStorage<Line>, segment_count> parts =
            segments_[0].storage.template cut<segment_count>();
        const std::size_t lines = segments_[0].lines / segment_count;
        segments_[0] = Segment{};
        segment_bits_ = most_segment_bits;
        for (std::size_t i = 0; i < segment_count; ++i) {
            Segment& segment = segments_[i];
            segment.storage = std::move(parts[i]);
            segment.set_lines(lines);
            for_each_node(segment, static_cast<std::uint32_t>(i),
                          [&](std::size_t at, const Line& line, unsigned slot, std::uint32_t region) {
                              ++segment.nodes;
                              segment.displaced += home_of(line.place_at(slot, region), lines) != at ? 1 : 0;
                          });
        }
    }

    template <class F>
    void for_each_node(const Segment& segment, std::uint32_t index, F&& visit) const {
        const std::size_t per_region = segment.lines / regions();
        for (std::size_t at = 0; at < segment.lines; ++at) {
            const Line& line = segment.storage[at];
            const unsigned used = line.count();
            for (unsigned slot = 0; slot < used; ++slot) {
                visit(at, line, slot, leading_bits(region_at(index, at / per_region)));
            }
        }
    }

    std::uint32_t region_at(std::uint32_t segment_index, std::size_t region_in_segment) const {
        return segment_index << (all_region_bits - segment_bits_) |
               static_cast<std::uint32_t>(region_in_segment);
    }

    struct Displaced {
        typename Line::Slot slot;
        std::uint32_t place;
    };

    /// From the last line to the first, each line's nodes go into the two lines that take its place; what they are
    /// written over has been read before. The displaced ones wait aside until the end.
    void double_lines(Segment& segment, std::uint32_t index) {
        const std::size_t old_lines = segment.lines;
        const std::size_t lines = 2 * old_lines;
        if (lines > std::size_t{1} << 32) {
            throw std::bad_alloc();
        }
        std::vector<Displaced, detail::BudgetAllocator<Displaced>> aside{
            detail::BudgetAllocator<Displaced>(*budget_)};
        aside.reserve(segment.displaced);
        if (segment.storage.size() < lines) {
            segment.storage.grow(lines);
        }
        segment.set_lines(lines);
        segment.displaced = 0;
        Line* const first = segment.storage.data();
        const std::size_t per_region = old_lines / regions();
        for (std::size_t region_number = regions(); region_number-- > 0;) {
            const std::uint32_t region = leading_bits(region_at(index, region_number));
            for (std::size_t at = (region_number + 1) * per_region; at-- > region_number * per_region;) {
                constexpr std::size_t ahead = 16;
                if (at >= ahead) {
                    __builtin_prefetch(first + at - ahead, 1);
                    __builtin_prefetch(first + 2 * (at - ahead), 1);
                    __builtin_prefetch(first + 2 * (at - ahead) + 1, 1);
                }
                const Line old = first[at];
                Line* const targets = first + 2 * at;
                erase(targets, 2);
                std::array<unsigned, 2> used{};
                const unsigned count = old.count();
                for (unsigned slot = 0; slot < count; ++slot) {
                    const std::uint32_t place = old.place_at(slot, region);
                    const std::size_t target = home_of(place, lines) - 2 * at;
                    if (target < 2) {
                        targets[target].set(used[target]++, old.get(slot));
                    } else {
                        aside.push_back({old.get(slot), place});
                    }
                }
            }
        }
        for (const Displaced& displaced : aside) {
            Walk walk = walk_from(segment, displaced.place);
            while (walk.line->count() == Line::size) {
                walk.next(*this, segment, displaced.place);
            }
            walk.line->set(walk.line->count(), displaced.slot);
            segment.displaced += walk.line != walk.home ? 1 : 0;
        }
    }

    const P* problem_;
    detail::MemoryBudget* budget_;
    unsigned segment_bits_ = 0;
    std::uint64_t size_ = 0;
    std::array<Segment, segment_count> segments_;
};

} // namespace npuzzle
