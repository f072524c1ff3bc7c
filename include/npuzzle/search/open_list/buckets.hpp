#pragma once

#include "npuzzle/search/open_list/detail/binary_heap.hpp"
#include "npuzzle/search/open_list/detail/chunk_stack.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace npuzzle {

namespace detail {

/// Integers as unsigned numbers in the same order, as far from each other.
template <std::integral T>
[[nodiscard]] constexpr std::uint64_t rank(T value) {
    return static_cast<std::uint64_t>(value) ^ (std::signed_integral<T> ? std::uint64_t{1} << 63 : 0);
}

template <std::integral T>
constexpr T of_rank(std::uint64_t rank) {
    return static_cast<T>(rank ^ (std::signed_integral<T> ? std::uint64_t{1} << 63 : 0));
}

} // namespace detail

/// An open list for integers that lie close together: buckets by f, within them by g. Push and pop O(1). The
/// last in is the first out in a bucket. Entries whose f or g is far from the rest wait in a heap, and so do
/// the first few; so any values take no more memory than their entries.
template <std::integral Priority, std::integral Cost, class Key>
class BucketOpenList {
public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit BucketOpenList(MemoryBudget& budget)
        : chunks_(budget), cost_blocks_(budget), levels_(BudgetAllocator<Level>(budget)), rest_(budget) {}

    void push(const Entry& entry) {
        // Modulo 2^64, which makes what lies below the first level more distant than all others, and likewise
        // the row.
        const std::uint64_t distance = detail::rank(entry.priority) - base_;
        if (distance < levels_.size()) {
            Level& level = levels_[distance];
            const std::uint64_t cost = detail::rank(entry.cost);
            const std::uint64_t row = cost / width - level.first_row;
            if (row < level.count) {
                CostBlock& block = *level.blocks[row];
                const std::uint64_t column = cost % width;
                if (block.stacks[column].try_push(entry.key)) {
                    block.filled |= std::uint64_t{1} << column;
                    if (level.last_row < row) {
                        level.last_row = row;
                    }
                    if (distance < first_) {
                        first_ = distance;
                    }
                    ++in_buckets_;
                    return;
                }
            }
        }
        push_slowly(entry.priority, entry.cost, entry.key);
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        if (in_buckets_ == 0) {
            return rest_.pop();
        }
        Level& level = first_level();
        if (!rest_.empty() &&
            detail::comes_before(rest_.top(),
                                 Entry{detail::of_rank<Priority>(base_ + first_), last_cost(level), Key{}})) {
            return rest_.pop();
        }
        Entry entry;
        pop_from(level, &entry, 1);
        return entry;
    }

    /// Removes the first entry, and up to `most` - 1 more of the same priority; puts them into `entries` in
    /// their order, and returns how many. Requires that there is one.
    std::size_t pop_equal(Entry* entries, std::size_t most) {
        // What waits in the heap may be among its equals.
        if (in_buckets_ == 0 || (!rest_.empty() && !(first_bucket_priority() < rest_.first_priority()))) {
            entries[0] = pop();
            return 1;
        }
        Level& level = first_level();
        std::size_t count = 0;
        while (count < most && level.count > 0) {
            count += pop_from(level, entries + count, most - count);
        }
        return count;
    }

    /// The priority of the first entry. Requires that there is one.
    Priority first_priority() {
        if (in_buckets_ == 0) {
            return rest_.first_priority();
        }
        const Priority priority = first_bucket_priority();
        return rest_.empty() ? priority : (std::min)(priority, rest_.first_priority());
    }

    [[nodiscard]] bool empty() const { return in_buckets_ == 0 && rest_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return in_buckets_ + rest_.size(); }

    /// Drops all entries and keeps the storage.
    void clear() {
        for (Level& level : levels_) {
            for (std::size_t row = 0; row < level.count; ++row) {
                CostBlock& block = *level.blocks[row];
                for (; block.filled != 0; block.filled &= block.filled - 1) {
                    block.stacks[static_cast<std::size_t>(std::countr_zero(block.filled))].clear(chunks_);
                }
            }
            put_away(level);
        }
        rest_.clear();
        in_buckets_ = 0;
    }

private:
    using Stack = detail::ChunkStack<Key>;

    /// How many successive values of g a block has a stack for.
    static constexpr std::uint64_t width = 64;
    /// How many successive values of f have a level, and how many blocks a level has at most.
    static constexpr std::uint64_t max_levels = 4096;
    static constexpr std::uint64_t max_blocks = 256;
    /// How many of the levels lie below the first priority: an inconsistent heuristic lets f fall.
    static constexpr std::uint64_t margin = 64;
    /// With no more entries than this, a heap is faster.
    static constexpr std::uint64_t few = 64;

    /// The stacks for some successive values of g, and which of them hold something: none, in the pool.
    struct CostBlock {
        std::uint64_t filled = 0;
        CostBlock* next = nullptr;
        std::array<Stack, width> stacks;
    };

    /// The entries of one f: blocks without gaps, and the last of them that is not empty. Without entries it
    /// has no block. Of a size that is a power of two, since one is looked up at each push.
    struct alignas(64) Level {
        detail::Storage<CostBlock*> blocks;
        std::size_t count = 0;       // of blocks
        std::uint64_t first_row = 0; // rank(g) / width
        std::uint64_t last_row = 0;  // from there

        explicit Level(MemoryBudget& budget) : blocks(budget) {}
    };

    Level& first_level() {
        while (levels_[first_].count == 0) {
            ++first_;
        }
        return levels_[first_];
    }

    Priority first_bucket_priority() {
        first_level();
        return detail::of_rank<Priority>(base_ + first_);
    }

    /// The greatest g of a level that has entries.
    [[nodiscard]] Cost last_cost(const Level& level) const {
        const auto column =
            static_cast<std::uint64_t>(std::bit_width(level.blocks[level.last_row]->filled) - 1);
        return detail::of_rank<Cost>((level.first_row + level.last_row) * width + column);
    }

    /// Removes up to `most` entries from the last bucket of a level that has entries; returns how many.
    std::size_t pop_from(Level& level, Entry* entries, std::size_t most) {
        CostBlock& block = *level.blocks[level.last_row];
        const auto column = static_cast<std::uint64_t>(std::bit_width(block.filled) - 1);
        Stack& stack = block.stacks[column];
        const Priority priority = detail::of_rank<Priority>(base_ + first_);
        const Cost cost = detail::of_rank<Cost>((level.first_row + level.last_row) * width + column);
        std::size_t count = 0;
        do {
            entries[count++] = {priority, cost, stack.pop(chunks_)};
        } while (count < most && !stack.is_empty());
        in_buckets_ -= count;
        if (stack.is_empty()) {
            block.filled ^= std::uint64_t{1} << column;
            while (level.blocks[level.last_row]->filled == 0) {
                if (level.last_row == 0) {
                    put_away(level);
                    break;
                }
                --level.last_row;
            }
        }
        return count;
    }

    void put_away(Level& level) {
        for (; level.count > 0; --level.count) {
            cost_blocks_.give_back(level.blocks[level.count - 1]);
        }
        level.last_row = 0;
    }

    /// Makes room where there is none; an entry that is too far from the others goes into the heap. What is
    /// seldom called is kept out of line, here and elsewhere, since it would cost registers in what is often
    /// called.
    ///
    /// By the parts of an entry: what is read as a whole would wait for their stores.
    NPUZZLE_NOINLINE void push_slowly(Priority f, Cost g, Key key) {
        const Entry entry{f, g, key};
        if (in_buckets_ == 0) {
            if (rest_.size() < few) {
                rest_.push(entry);
                return;
            }
            rebase(entry.priority);
        }
        const std::uint64_t distance = detail::rank(entry.priority) - base_;
        const std::uint64_t cost = detail::rank(entry.cost);
        if (distance >= max_levels) {
            rest_.push(entry);
            return;
        }
        if (distance >= levels_.size()) {
            add_levels(distance + 1);
        }
        Level& level = levels_[distance];
        if (!reach(level, cost / width)) {
            rest_.push(entry);
            return;
        }
        level.blocks[cost / width - level.first_row]->stacks[cost % width].make_room(chunks_);
        push(entry);
    }

    /// Sees to it that there are so many levels at least.
    void add_levels(std::uint64_t count) {
        if (count > levels_.capacity()) {
            levels_.reserve(std::max<std::size_t>(count, 2 * levels_.capacity()));
        }
        while (levels_.size() < count) {
            levels_.emplace_back(levels_.get_allocator().budget());
        }
    }

    /// Lets the buckets begin a little before a priority. Requires that they are empty. Keeps the levels
    /// between 0 and 2^64, so that they wrap at neither end.
    void rebase(Priority priority) {
        constexpr std::uint64_t last_base = (std::numeric_limits<std::uint64_t>::max)() - (max_levels - 1);
        const std::uint64_t first = detail::rank(priority);
        base_ = (std::min)(first > margin ? first - margin : 0, last_base);
        first_ = max_levels;
    }

    /// Adds blocks to a level until one is at `row`; false if those would be too many.
    bool reach(Level& level, std::uint64_t row) {
        if (level.count == 0) {
            level.first_row = row;
        }
        const std::uint64_t before = row < level.first_row ? level.first_row - row : 0;
        const std::uint64_t end = row < level.first_row ? 0 : row - level.first_row + 1;
        if (before + level.count > max_blocks || end > max_blocks) {
            return false;
        }
        level.blocks.grow(std::max<std::size_t>(before + level.count, end));
        for (; row < level.first_row; --level.first_row) {
            CostBlock* const block = cost_blocks_.take();
            CostBlock** const first = level.blocks.data();
            std::memmove(first + 1, first, level.count * sizeof(CostBlock*));
            *first = block;
            ++level.count;
            ++level.last_row;
        }
        while (level.count < end) {
            CostBlock* const block = cost_blocks_.take();
            level.blocks[level.count++] = block;
        }
        return true;
    }

    detail::Pool<typename Stack::Chunk> chunks_;
    detail::Pool<CostBlock> cost_blocks_;
    std::vector<Level, BudgetAllocator<Level>> levels_;
    detail::BinaryHeap<Entry> rest_;
    std::uint64_t base_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t in_buckets_ = 0;
};

} // namespace npuzzle
