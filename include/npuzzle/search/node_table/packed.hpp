#pragma once

#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/node_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

/// \file
/// A node table of 8 bytes a node, for states that fit a word.

namespace npuzzle {

namespace detail {

/// A bijection on numbers of `bits` bits, which spreads the entropy to the upper bits, and its inverse.
template <unsigned bits>
struct Mixer {
    static_assert(32 <= bits && bits <= 64);

    static constexpr std::uint64_t mix(std::uint64_t x) { return mix(x, first, second); }
    static constexpr std::uint64_t unmix(std::uint64_t x) { return mix(x, of_second, of_first); }

private:
    static constexpr std::uint64_t first = 0x9e3779b97f4a7c15ULL;
    static constexpr std::uint64_t second = 0xd6e8feb86659fd93ULL;
    static constexpr std::uint64_t of_first = 0xf1de83e19937733dULL; // inverses modulo 2^64
    static constexpr std::uint64_t of_second = 0xcfee444d8b59a89bULL;
    static_assert(first * of_first == 1 && second * of_second == 1);

    static constexpr std::uint64_t mix(std::uint64_t x, std::uint64_t a, std::uint64_t b) {
        constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
        x = x * a & mask;
        x ^= x >> (bits + 1) / 2;
        return x * b & mask;
    }
};

} // namespace detail

/// A node table without pointers, by open addressing over cache lines of eight slots, filled from the first
/// to the last. A node is 8 bytes, and a look-up costs one cache miss. The parent is found by undoing the
/// last move.
///
///     item    [ region |      first: 32 bits      | rest ]    the word of a state, mixed by a bijection
///             [ key: 32 bits       ]
///
///     line    [ first 0 | first 1 | ... | first 7 ][ last 0 | last 1 | ... | last 7 ]    32 bits each
///     last    [ rest | cost | move + 1 | open | ambiguous ]    all 0: the slot is empty
///
/// The key names the node in the open list; lines are in the order of the keys of their nodes. Nodes with the
/// same key are marked as ambiguous. The table is divided into regions by the first bits of the keys: the
/// region of an item follows from its line and need not be stored (the "quotient" of J. G. Cleary, 1984).
///
/// A node whose home line is full goes into another line on the same page, and in the same region. So the
/// table grows in place, a few pages after another. It doubles; if it is large or memory is short, it grows by
/// a fifth to a third, and three fifths of the slots or more are in use.
///
/// `insert` and `find` take expected O(1) time, amortized for `insert`. `insert` throws `std::bad_alloc` if
/// the budget or the system refuses the memory; the table is unchanged then.
///
/// \tparam P a `CompactProblem` whose word, moves and costs fit: words of 62 bits for up to six moves and
///     costs of ten bits
/// \tparam E the type of estimates, which the table does not store
/// \tparam large the bytes from which on it grows by quarters of a power of two
template <class P, class E, std::size_t large>
    requires detail::fits_packed_nodes<P, E>
class PackedNodeTable {
    using Bits = detail::SlotBits<P>;
    using Mixer = detail::Mixer<Bits::item>;
    using Item = std::uint64_t;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = E;
    using Key = std::uint32_t;
    using Move = move_t<P>;
    using Link = Move; ///< how a node was reached: by its last move

    /// A state to be inserted or found.
    struct Probe {
        Probe(const PackedNodeTable& table, const State& state)
            : item(Mixer::mix(static_cast<Item>(table.problem_->pack(state)))) {}
        explicit Probe(const Item& its_item) : item(its_item) {}

        Item item;
    };
    using LookupHint = Probe;
    using Handle = Probe;

    static constexpr bool stores_estimate = false;
    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_in_place = false;

private:
    static constexpr unsigned line_size = 8;
    static constexpr std::uint32_t ambiguous = 1;
    static constexpr std::uint32_t open = 2;
    static constexpr std::uint32_t cost_mask = (1U << Bits::cost) - 1;
    static constexpr unsigned rest_shift = Bits::code + Bits::cost;
    static constexpr std::uint32_t rest_mask = ~0U << rest_shift;

    struct alignas(64) Line {
        std::array<std::uint32_t, line_size> first;
        std::array<std::uint32_t, line_size> last;

        /// How many slots are in use.
        unsigned count() const {
            return static_cast<unsigned>(
                std::countr_zero(detail::equal_in_eight(last.data(), 0) | 1U << line_size));
        }
        bool is_full() const { return last[line_size - 1] != 0; }
        /// A bit for each slot with the key, and perhaps for empty ones, which look closed.
        unsigned with_key(Key key) const {
            return detail::equal_in_eight(first.data(), key << Bits::region, ~0U << Bits::region);
        }
        /// \param other any key of the same region
        Key key(unsigned i, Key other) const {
            constexpr unsigned shift = 32 - Bits::region;
            return static_cast<Key>(Item{other} >> shift << shift) | first[i] >> Bits::region;
        }
    };

    static Key key_of(Item item) { return static_cast<Key>(item >> (Bits::item - 32)); }
    static std::uint32_t first_of(Item item) {
        return static_cast<std::uint32_t>(item >> (Bits::stored - 32));
    }
    static std::uint32_t rest_of(Item item) { return static_cast<std::uint32_t>(item) << rest_shift; }
    static std::uint32_t code_of(const Move& move) { return (static_cast<std::uint32_t>(move) + 1) << 2; }
    static Cost cost_in(std::uint32_t last) { return static_cast<Cost>(last >> Bits::code & cost_mask); }

public:
    class Node {
    public:
        [[nodiscard]] Key key() const { return key_of(item_); }
        [[nodiscard]] Handle handle() const { return Probe(item_); }
        [[nodiscard]] State state() const { return state_in(*problem_, item_); }
        [[nodiscard]] Cost cost() const { return cost_in(last()); }
        [[nodiscard]] bool is_closed() const { return (last() & open) == 0; }
        [[nodiscard]] bool is_root() const { return last_move() == P::no_move; }
        /// The last move on the path to this node; `no_move` at a root.
        [[nodiscard]] Move last_move() const {
            return static_cast<Move>(((last() & ((1U << Bits::code) - 1)) >> 2) - 1);
        }

        void close() { last() &= ~open; }
        void relax(const Cost& cost, const Estimate& /*estimate*/, const Link& link) {
            last() = (last() & (rest_mask | ambiguous)) | static_cast<std::uint32_t>(cost) << Bits::code |
                     code_of(link) | open;
        }

    private:
        friend PackedNodeTable;
        Node(const P* problem, Item item, Line* line, unsigned slot)
            : problem_(problem), line_(line), item_(item), slot_(slot) {}

        std::uint32_t& last() const { return line_->last[slot_]; }

        const P* problem_;
        Line* line_;
        Item item_;
        unsigned slot_;
    };

    PackedNodeTable(const P& problem, MemoryBudget& budget) : problem_(&problem), storage_(budget) {}

    [[nodiscard]] LookupHint lookup_hint(const State& state) const { return Probe(*this, state); }

    void prefetch_slot(const Probe& probe) const { prefetch(key_of(probe.item)); }
    void prefetch(Key key) const { detail::prefetch(storage_.data() + home_of(key)); }

    /// Prefetches the next line to probe if the home line is full and in the cache.
    void prefetch(const Probe& probe) const {
        if (lines_ == 0) return;
        const Key key = key_of(probe.item);
        const std::size_t home = home_of(key);
        // Without a branch, which would be mispredicted for one neighbor in six.
        const std::size_t if_full = storage_[home].is_full() ? ~std::size_t{0} : 0;
        detail::prefetch(storage_.data() + (home ^ ((home ^ line_after(home, key)) & if_full)));
    }

    std::pair<Node, bool> insert(Probe&& probe) {
        if (size_ == max_size_) [[unlikely]]
            grow();
        Found found = look_up(probe.item);
        while (found.line == nullptr) [[unlikely]] {
            grow();
            found = look_up(probe.item);
        }
        const Node node(problem_, probe.item, found.line, found.slot);
        if (!found.is_taken) { // A closed node without a path.
            found.line->first[found.slot] = first_of(probe.item);
            node.last() = rest_of(probe.item) | code_of(P::no_move) | (found.is_ambiguous ? ambiguous : 0);
            ++size_;
        }
        return {node, !found.is_taken};
    }
    std::pair<Node, bool> insert(const State& state) { return insert(Probe(*this, state)); }

    /// The node of a state, if it exists.
    [[nodiscard]] std::optional<Node> find(const LookupHint& hint, const State& /*state*/) const {
        if (lines_ == 0) return std::nullopt;
        const Found found = look_up(hint.item);
        return found.is_taken ? std::optional(Node(problem_, hint.item, found.line, found.slot))
                              : std::nullopt;
    }

    /// The node of a handle.
    [[nodiscard]] Node find(const Handle& handle) const {
        const Found found = look_up(handle.item);
        return Node(problem_, handle.item, found.line, found.slot);
    }

    /// An open node with this key and this cost; of several, one whose state is wanted.
    std::optional<Node> find_open(Key key, const Cost& cost, auto&& is_wanted) {
        const std::size_t home = home_of(key);
        std::size_t at = home;
        do {
            Line* const line = storage_.data() + at;
            for (unsigned matches = line->with_key(key); matches != 0; matches &= matches - 1) {
                const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                const std::uint32_t last = line->last[slot];
                if ((last & open) == 0 || cost_in(last) != cost) continue;
                const Item item = Item{line->key(slot, key)} << (Bits::item - 32) |
                                  Item{line->first[slot]} << (Bits::stored - 32) | last >> rest_shift;
                if ((last & ambiguous) != 0 && !is_wanted(state_in(*problem_, item))) continue;
                // The node is constructed in place: a copy would wait for the stores of its members.
                return Node(problem_, item, line, slot);
            }
            at = line->is_full() ? line_after(at, key) : home;
        } while (at != home);
        return std::nullopt;
    }

    /// The state that a node came from, which need not be in this table. Requires that it is not a root.
    [[nodiscard]] State state_before(const Node& node) const {
        State state = node.state();
        problem_->apply(state, problem_->inverse(node.last_move()));
        return state;
    }

    /// Requires that the node is not a root.
    [[nodiscard]] Node parent(const Node& node) const { return find(lookup_hint(state_before(node))); }

    static Link link(const Node& /*parent*/, const Move& move) { return move; }
    static Link root(const Node& /*node*/) { return P::no_move; }
    static bool can_hold(const Cost& cost) {
        return !detail::is_infinite(cost) && static_cast<std::uint64_t>(cost) <= cost_mask;
    }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Removes all nodes, and keeps the storage. O(1).
    void clear() {
        if (lines_ > 0) begin();
        size_ = 0;
    }

private:
    static constexpr std::size_t regions = std::size_t{1} << Bits::region;
    static constexpr std::size_t lines_per_page = 4096 / sizeof(Line);

    /// The slot of an item, or the free one where it belongs; no line if all that may be probed are full.
    struct Found {
        Line* line;
        unsigned slot;
        bool is_taken;
        bool is_ambiguous; ///< whether another node has the same key
    };

    static State state_in(const P& problem, Item item) {
        return problem.unpack(static_cast<packed_t<P>>(Mixer::unmix(item)));
    }

    /// The home line of a key. Only prefetched where there are no lines.
    std::size_t home_of(Key key) const { return static_cast<std::size_t>(std::uint64_t{key} * lines_ >> 32); }
    /// The next line to probe after a full line, in the same block. The step depends on the key (double
    /// hashing), so that full lines do not cluster. It is odd, so that all lines of the block are probed.
    std::size_t line_after(std::size_t line, Key key) const {
        return (line & ~(block_ - 1)) | ((line + 2 * std::size_t{key} + 1) & (block_ - 1));
    }

    NPUZZLE_ALWAYS_INLINE Found look_up(Item item) const {
        const Key key = key_of(item);
        bool is_ambiguous = false;
        const std::size_t home = home_of(key);
        std::size_t at = home;
        do {
            Line* const line = storage_.data() + at;
            const unsigned used = line->count();
            for (unsigned matches = line->with_key(key); matches != 0; matches &= matches - 1) {
                const auto slot = static_cast<unsigned>(std::countr_zero(matches));
                if (slot >= used) break;
                if (line->first[slot] == first_of(item) && (line->last[slot] & rest_mask) == rest_of(item)) {
                    return {line, slot, true, is_ambiguous};
                }
                line->last[slot] |= ambiguous;
                is_ambiguous = true;
            }
            if (used < line_size) return {line, used, false, is_ambiguous};
            at = line_after(at, key);
        } while (at != home);
        return {nullptr, 0, false, is_ambiguous};
    }

    void set_lines(std::size_t lines) {
        lines_ = lines;
        block_ = (std::min)(lines / regions, lines_per_page);
        // With a greater load it is slower: with four fifths, one look-up in six finds a full line.
        max_size_ = lines * line_size * 4 / 5;
    }

    void begin() {
        constexpr std::size_t first_lines = (std::max)(regions, std::size_t{16});
        storage_.grow(first_lines);
        set_lines(first_lines);
        std::fill_n(storage_.data(), first_lines, Line{});
    }

    NPUZZLE_NOINLINE void grow() {
        if (lines_ == 0) return begin();
        const std::size_t quarter = std::bit_floor(lines_) / 4;
        const bool is_divisible = quarter >= regions * lines_per_page;
        // Other tables may need the room.
        const auto most = std::clamp<std::uint64_t>(storage_.budget().limit() / 16, large / 4, large);
        if (!is_divisible || lines_ * sizeof(Line) < most) {
            try {
                resize(2 * lines_); // For each old page there are two, so that all nodes have room.
                return;
            } catch (const std::bad_alloc&) {
                if (!is_divisible) throw;
            }
        }
        if (!resize(lines_ == 6 * quarter ? 8 * quarter : lines_ + quarter)) resize(2 * lines_);
    }

    /// Moves the nodes to more lines, a group after another: the fewest pages that have the same nodes before
    /// and after. False if a page would be too full; then the table is as it was.
    NPUZZLE_NOINLINE bool resize(std::size_t lines) {
        if (lines > std::uint64_t{1} << 32) throw std::bad_alloc();
        const std::size_t old_lines = lines_;
        const std::size_t groups = std::gcd(old_lines, lines) / block_;
        const std::size_t before = old_lines / groups;
        const std::size_t after = lines / groups;
        storage_.grow(lines);
        set_lines(lines);
        for (std::size_t group = groups; group-- > 0;) {
            if (!spread(group, before, after)) {
                set_lines(old_lines);
                while (++group < groups) {
                    spread(group, after, before);
                }
                return false;
            }
        }
        return true;
    }

    /// Spreads the nodes of a group over more lines or fewer, at most six pages, which may begin among the
    /// old ones. False if a page would be too full; then nothing has changed.
    NPUZZLE_NOINLINE bool spread(std::size_t group, std::size_t count, std::size_t new_count) {
        const Line* const from = storage_.data() + group * count;
        const std::size_t first = group * new_count;
        std::array<Line, 6 * lines_per_page> lines; // in the cache
        std::fill_n(lines.data(), new_count, Line{});
        // Not counted in the lines: that would wait for the nodes to be stored.
        std::array<std::uint8_t, 6 * lines_per_page> used{};
        const auto near_key = static_cast<Key>((std::uint64_t{first} << 32) / lines_);
        for (const Line* line = from; line != from + count; ++line) {
            detail::prefetch(line - count); // of the next group
            const unsigned nodes = line->count();
            for (unsigned slot = 0; slot < nodes; ++slot) {
                const Key key = line->key(slot, near_key);
                const std::size_t home = home_of(key) - first;
                std::size_t at = home;
                while (used[at] == line_size) [[unlikely]] {
                    at = line_after(first + at, key) - first;
                    if (at == home) return false;
                }
                lines[at].first[used[at]] = line->first[slot];
                lines[at].last[used[at]++] = line->last[slot];
            }
        }
        std::copy_n(lines.data(), new_count, storage_.data() + first);
        return true;
    }

    const P* problem_;
    detail::Storage<Line> storage_;
    std::size_t lines_ = 0; // in use
    std::size_t block_ = 0; // of so many lines a full one's node is in another: a power of two
    std::uint64_t size_ = 0;
    std::uint64_t max_size_ = 0; // at which it grows
};

} // namespace npuzzle
