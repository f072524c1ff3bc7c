#pragma once

#include "npuzzle/search/limits.hpp"
#include "npuzzle/search/open_list/heap.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <array>
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

    [[gnu::noinline]] Chunk* take() {
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
        Recent& recent = recent_[recent_index(entry)];
        if (recent.stack == nullptr || recent.priority != entry.priority || recent.stack->cost < entry.cost ||
            entry.cost < recent.stack->cost) {
            if (!find_stack(entry, recent)) {
                outliers_.push(entry);
                return;
            }
        }
        recent.stack->push(entry.key, pool_);
        Level& level = *recent.level;
        level.last = recent.stack > level.last ? recent.stack : level.last;
        ++level.entries;
        first_ = recent.distance < first_ ? recent.distance : first_;
        ++in_buckets_;
    }

    /// Removes and returns the first entry. Requires that there is one.
    Entry pop() {
        if (in_buckets_ == 0) {
            return outliers_.pop();
        }
        Level& level = first_level();
        Entry entry{static_cast<Priority>((base_ + first_) ^ sign_bit), level.last->cost, Key{}};
        if (!outliers_.empty() && detail::comes_before(outliers_.top(), entry)) {
            return outliers_.pop();
        }
        entry.key = pop_from(level);
        return entry;
    }

    /// Removes the first entry, and up to `most` - 1 more of the same priority; puts them into `entries` in their order, and
    /// returns how many. Requires that there is one.
    std::size_t pop_equal(Entry* entries, std::size_t most) {
        if (in_buckets_ == 0) {
            entries[0] = outliers_.pop();
            return 1;
        }
        Level& level = first_level();
        const auto priority = static_cast<Priority>((base_ + first_) ^ sign_bit);
        // An outlier may be among its equals.
        if (!outliers_.empty() && !(priority < outliers_.top().priority)) {
            entries[0] = pop();
            return 1;
        }
        std::size_t count = 0;
        for (; count < most && level.entries > 0; ++count) {
            entries[count].priority = priority;
            entries[count].cost = level.last->cost;
            entries[count].key = pop_from(level);
        }
        return count;
    }

    /// The priority of the first entry. Requires that there is one.
    Priority first_priority() {
        if (in_buckets_ == 0) {
            return outliers_.top().priority;
        }
        first_level();
        const auto priority = static_cast<Priority>((base_ + first_) ^ sign_bit);
        return outliers_.empty() ? priority : std::min(priority, outliers_.top().priority);
    }

    bool empty() const { return in_buckets_ == 0 && outliers_.empty(); }
    std::uint64_t size() const { return in_buckets_ + outliers_.size(); }

    /// Drops all entries and keeps the storage.
    void clear() {
        for (Level& level : levels_) {
            for (Stack& stack : level.stacks) {
                while (stack.top != nullptr) {
                    pool_.give_back(std::exchange(stack.top, stack.top->below));
                }
            }
            level.clear();
        }
        forget_recent();
        outliers_.clear();
        in_buckets_ = 0;
    }

private:
    using Pool = detail::ChunkPool<Key>;
    using Chunk = typename Pool::Chunk;

    /// The entries of one f and one g.
    struct Stack {
        Cost cost;
        std::uint32_t used = 0; // of the top chunk
        Chunk* top = nullptr;

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

    /// The entries of one f: stacks by g ascending, some of them empty unless all are.
    struct Level {
        std::vector<Stack, detail::BudgetAllocator<Stack>> stacks;
        Stack* last = nullptr;   // the last that is not empty
        std::ptrdiff_t hint = 0; // the one that was looked for last
        std::uint64_t entries = 0;

        explicit Level(detail::MemoryBudget& budget) : stacks(detail::BudgetAllocator<Stack>(budget)) {}

        void clear() {
            stacks.clear();
            hint = 0;
            last = nullptr;
            entries = 0;
        }
    };

    /// Where an entry went not long ago: those of a batch go to few different stacks.
    struct Recent {
        Stack* stack = nullptr;
        Level* level = nullptr;
        std::uint64_t distance = 0;
        Priority priority{};
    };

    static std::size_t recent_index(const Entry& entry) {
        auto sum = static_cast<std::size_t>(entry.priority) / 2;
        if constexpr (std::integral<Cost>) {
            sum += 4 * static_cast<std::size_t>(entry.cost);
        }
        return sum % recent_count;
    }

    void forget_recent() { recent_ = {}; }

    Level& first_level() {
        while (levels_[first_].entries == 0) {
            ++first_;
        }
        return levels_[first_];
    }

    Key pop_from(Level& level) {
        const Key key = level.last->pop(pool_);
        --in_buckets_;
        if (--level.entries == 0) {
            forget(level);
        } else {
            while (level.last->top == nullptr) {
                --level.last;
            }
        }
        return key;
    }

    /// Its stacks are all empty: their memory is for those to come.
    [[gnu::noinline]] void forget(Level& level) {
        for (Recent& recent : recent_) {
            if (recent.level == &level) {
                recent.stack = nullptr;
            }
        }
        level.clear();
    }

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
        forget_recent();
    }

    void add_levels(std::uint64_t last) {
        forget_recent();
        if (last >= levels_.capacity()) {
            levels_.reserve(std::max<std::size_t>(last + 1, 2 * levels_.capacity()));
        }
        while (levels_.size() <= last) {
            levels_.emplace_back(levels_.get_allocator().budget());
        }
    }

    /// Finds or makes the stack of an entry; false if its priority is too far from the others. What is seldom called is
    /// kept out of line, here and elsewhere, since it would cost registers in what is often called.
    [[gnu::noinline]] bool find_stack(const Entry& entry, Recent& recent) {
        if (in_buckets_ == 0) {
            rebase(entry.priority);
        }
        // Modulo 2^64, which makes what lies below the base more distant than the window is wide.
        const std::uint64_t distance = rank(entry.priority) - base_;
        if (distance >= window) {
            return false;
        }
        if (distance >= levels_.size()) {
            add_levels(distance);
        }
        Level& level = levels_[distance];
        Stack* stack = stack_of(level, entry.cost);
        recent = Recent{stack, &level, distance, entry.priority};
        return true;
    }

    /// From where the last entry of the level went, since the next one goes near it.
    Stack* stack_of(Level& level, const Cost& cost) {
        auto position = level.stacks.begin() + level.hint;
        while (position != level.stacks.begin() && cost < (position - 1)->cost) {
            --position;
        }
        while (position != level.stacks.end() && !(cost < position->cost)) {
            ++position;
        }
        level.hint = position - level.stacks.begin();
        if (position != level.stacks.begin() && !((position - 1)->cost < cost)) {
            return &*(position - 1);
        }
        forget_recent();
        const auto index = position - level.stacks.begin();
        const auto last = level.last == nullptr ? -1 : level.last - level.stacks.data();
        level.stacks.insert(position, Stack{cost});
        level.last = level.stacks.data() + (last >= index ? last + 1 : std::max<std::ptrdiff_t>(last, 0));
        return level.stacks.data() + index;
    }

    static constexpr std::size_t recent_count = 32;

    Pool pool_;
    std::vector<Level, detail::BudgetAllocator<Level>> levels_;
    HeapOpenList<Priority, Cost, Key> outliers_;
    std::array<Recent, recent_count> recent_;
    std::uint64_t base_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t in_buckets_ = 0;
};

} // namespace npuzzle
