#pragma once

#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/open_list/heap.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

/// \file
/// An open list for integer priorities that lie close together.

namespace npuzzle {

namespace detail {

/// Stacks of keys cut into chunks of equal size, which they take from one pool and give back to it: no entry is ever
/// copied to make room, and an emptied stack's memory serves the next one.
template <class Key>
class ChunkPool {
public:
    struct Chunk {
        static constexpr std::size_t capacity = (512 - sizeof(void*)) / sizeof(Key) > 4
                                                    ? (512 - sizeof(void*)) / sizeof(Key)
                                                    : 4;
        Chunk* below;
        Key keys[capacity];
    };

    explicit ChunkPool(MemoryBudget& budget) : blocks_(BudgetAllocator<Block>(budget)), allocator_(budget) {}
    ChunkPool(const ChunkPool&) = delete;
    ChunkPool& operator=(const ChunkPool&) = delete;

    ~ChunkPool() {
        for (const Block& block : blocks_) {
            allocator_.deallocate(block.chunks, block.count);
        }
    }

    Chunk* take() {
        if (free_ == nullptr) {
            add_block();
        }
        return std::exchange(free_, free_->below);
    }

    void give_back(Chunk* chunk) {
        chunk->below = free_;
        free_ = chunk;
    }

private:
    struct Block {
        Chunk* chunks;
        std::size_t count;
    };

    static constexpr std::size_t largest_block = 2048;

    void add_block() {
        const std::size_t count = blocks_.empty() ? 4 : std::min(2 * blocks_.back().count, largest_block);
        if (blocks_.size() == blocks_.capacity()) {
            blocks_.reserve(2 * blocks_.size() + 4);
        }
        blocks_.push_back({allocator_.allocate(count), count});
        for (std::size_t i = count; i-- > 0;) {
            give_back(::new (blocks_.back().chunks + i) Chunk);
        }
    }

    std::vector<Block, BudgetAllocator<Block>> blocks_;
    BudgetAllocator<Chunk> allocator_;
    Chunk* free_ = nullptr;
};

} // namespace detail

/// Buckets by f, within them by g, last in first out among equals: push and pop O(1) where few different values of f and
/// g are on the list at one time, as in problems of unit cost. Values of f far from the rest wait in a heap, so that any
/// values are in order and cost no more memory than their entries.
template <std::integral Priority, class Cost, class Key>
class BucketOpenList {
public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit BucketOpenList(detail::MemoryBudget& budget)
        : pool_(budget), levels_(detail::BudgetAllocator<Level>(budget)), outliers_(budget) {}

    void push(const Entry& entry) {
        if (size_ == outliers_.size()) {
            rebase(entry.priority);
        }
        // Modulo 2^64, which makes what lies below the base more distant than the window is wide.
        const std::uint64_t distance = rank(entry.priority) - base_;
        if (distance >= window) {
            outliers_.push(entry);
        } else {
            if (distance >= levels_.size()) {
                add_levels(distance);
            }
            stack_of(levels_[distance], entry.cost).push(entry.key, pool_);
            first_ = distance < first_ ? distance : first_;
        }
        ++size_;
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        const bool none_in_window = size_ == outliers_.size();
        --size_;
        if (none_in_window) {
            return outliers_.pop();
        }
        while (levels_[first_].empty()) {
            ++first_;
        }
        Level& level = levels_[first_];
        Entry entry{static_cast<Priority>((base_ + first_) ^ sign_bit), level.back().cost, Key{}};
        if (!outliers_.empty() && detail::comes_before(outliers_.top(), entry)) {
            return outliers_.pop();
        }
        entry.key = level.back().pop(pool_);
        if (level.back().top == nullptr) {
            level.pop_back();
        }
        return entry;
    }

    /// Removes the first entry, and up to `most` - 1 more that are equal to it in priority and cost; puts their keys into
    /// `keys`, and returns how many. Requires that there is one.
    std::size_t pop_equal(Entry& first, Key* keys, std::size_t most) {
        first = pop();
        keys[0] = first.key;
        if (size_ == outliers_.size() || rank(first.priority) != base_ + first_) {
            return 1;
        }
        Level& level = levels_[first_];
        if (level.empty() || level.back().cost < first.cost || first.cost < level.back().cost) {
            return 1;
        }
        std::size_t count = 1;
        Stack& stack = level.back();
        while (count < most && stack.top != nullptr) {
            keys[count++] = stack.pop(pool_);
        }
        size_ -= count - 1;
        if (stack.top == nullptr) {
            level.pop_back();
        }
        return count;
    }

    bool empty() const { return size_ == 0; }
    std::uint64_t size() const { return size_; }

    /// Drops all entries and keeps the storage.
    void clear() {
        for (Level& level : levels_) {
            for (Stack& stack : level) {
                while (stack.top != nullptr) {
                    pool_.give_back(std::exchange(stack.top, stack.top->below));
                }
            }
            level.clear();
        }
        outliers_.clear();
        size_ = 0;
    }

private:
    using Pool = detail::ChunkPool<Key>;
    using Chunk = typename Pool::Chunk;

    /// The entries of one f and one g.
    struct Stack {
        Cost cost;
        Chunk* top = nullptr;
        std::size_t used = 0; // of the top chunk

        void push(const Key& key, Pool& pool) {
            if (top == nullptr || used == Chunk::capacity) {
                Chunk* chunk = pool.take();
                chunk->below = top;
                top = chunk;
                used = 0;
            }
            top->keys[used++] = key;
        }

        Key pop(Pool& pool) {
            const Key key = top->keys[--used];
            if (used == 0) {
                Chunk* below = top->below;
                pool.give_back(top);
                top = below;
                used = Chunk::capacity;
            }
            return key;
        }
    };

    /// The stacks of one f, by g ascending, none of them empty.
    struct Level : std::vector<Stack, detail::BudgetAllocator<Stack>> {
        using std::vector<Stack, detail::BudgetAllocator<Stack>>::vector;
        std::size_t hint = 0; // the stack that was pushed to last, or one beside it
    };

    /// How many successive values of f have a bucket.
    static constexpr std::uint64_t window = 4096;
    /// How many of them lie below the first priority: an inconsistent heuristic lets f fall.
    static constexpr std::uint64_t margin = 64;

    static constexpr std::uint64_t sign_bit = std::signed_integral<Priority> ? std::uint64_t{1} << 63 : 0;

    /// Priorities as unsigned numbers in the same order, as far from each other.
    static constexpr std::uint64_t rank(Priority priority) {
        return static_cast<std::uint64_t>(priority) ^ sign_bit;
    }

    /// Keeps the window between 0 and 2^64, so that it wraps at neither end.
    void rebase(Priority priority) {
        constexpr std::uint64_t last_base = std::numeric_limits<std::uint64_t>::max() - (window - 1);
        const std::uint64_t first = rank(priority);
        base_ = std::min(first > margin ? first - margin : 0, last_base);
        first_ = window;
    }

    void add_levels(std::uint64_t last) {
        if (last >= levels_.capacity()) {
            levels_.reserve(std::max<std::size_t>(last + 1, 2 * levels_.capacity()));
        }
        while (levels_.size() <= last) {
            levels_.emplace_back(detail::BudgetAllocator<Stack>(pool_budget()));
        }
    }

    detail::MemoryBudget& pool_budget() { return levels_.get_allocator().budget(); }

    /// From the back, since most entries go near the greatest g; and where the last one went, since many go to the same.
    static Stack& stack_of(Level& level, const Cost& cost) {
        if (level.hint < level.size()) {
            Stack& last = level[level.hint];
            if (!(last.cost < cost) && !(cost < last.cost)) {
                return last;
            }
        }
        Stack& stack = find_stack(level, cost);
        level.hint = static_cast<std::size_t>(&stack - level.data());
        return stack;
    }

    static Stack& find_stack(Level& level, const Cost& cost) {
        auto position = level.end();
        while (position != level.begin() && cost < (position - 1)->cost) {
            --position;
        }
        if (position != level.begin() && !((position - 1)->cost < cost)) {
            return *(position - 1);
        }
        return *level.insert(position, Stack{cost});
    }

    Pool pool_;
    std::vector<Level, detail::BudgetAllocator<Level>> levels_;
    HeapOpenList<Priority, Cost, Key> outliers_;
    std::uint64_t base_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t size_ = 0;
};

} // namespace npuzzle
