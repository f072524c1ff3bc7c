#pragma once

#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace npuzzle {

/// An open list for integers that lie close together: a stack for each f and g. Push and pop O(1), amortized,
/// where steps cost little. In a bucket, the last in is the first out. Entries whose f or g is far from the
/// rest wait in a heap, and so do the first few: any values take no more memory than their entries.
template <class Priority, class Cost, class Key>
class BucketOpenList {
    static_assert(std::integral<Priority> && std::integral<Cost>);

public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit BucketOpenList(MemoryBudget& budget)
        : chunks_(budget), levels_(BudgetAllocator<Level>(budget)), rest_(budget) {}

    void push(const Entry& entry) {
        // Modulo 2^64: what lies below the first level is more distant than all others; likewise the column.
        const std::uint64_t distance = rank(entry.priority) - base_;
        if (distance < levels_.size()) {
            Level& level = levels_[distance];
            const std::uint64_t column = rank(entry.cost) - level.first_cost;
            if (column < level.stacks.size() && level.stacks[column].used < chunk_size) {
                Stack& stack = level.stacks[column];
                stack.top->keys[stack.used++] = entry.key;
                if (level.last < column) {
                    level.last = column;
                }
                if (distance < first_) {
                    first_ = distance;
                }
                ++in_buckets_;
                return;
            }
        }
        push_slowly(entry.priority, entry.cost, entry.key);
    }

    /// Removes and returns the first entry. Requires one.
    Entry pop() {
        if (in_buckets_ == 0) {
            return rest_.pop();
        }
        Level& level = first_level();
        Entry entry{priority_at(first_), level.last_cost(), Key{}};
        if (!rest_.empty() && detail::comes_before(rest_.top(), entry)) {
            return rest_.pop();
        }
        pop_from(level, &entry, 1);
        return entry;
    }

    /// Removes the first entry, and up to `most` - 1 more of the same priority; puts them into `entries` in
    /// their order, and returns how many. Requires that there is one.
    std::size_t pop_equal(Entry* entries, std::size_t most) {
        if (is_first_in_buckets()) {
            Level& level = levels_[first_];
            std::size_t count = 0;
            while (count < most && !level.is_empty()) {
                count += pop_from(level, entries + count, most - count);
            }
            return count;
        }
        entries[0] = pop(); // What waits in the heap may be among its equals.
        return 1;
    }

    /// The priority of the first entry. Requires one.
    Priority first_priority() { return is_first_in_buckets() ? priority_at(first_) : rest_.top().priority; }

    [[nodiscard]] bool empty() const { return in_buckets_ == 0 && rest_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return in_buckets_ + rest_.size(); }

    /// Drops all entries and keeps the storage.
    void clear() {
        for (Level& level : levels_) {
            level.stacks.clear();
            level.last = 0;
        }
        chunks_.clear();
        rest_.clear();
        in_buckets_ = 0;
    }

private:
    /// How many successive values of f have a level, and how many of g a level has stacks for.
    static constexpr std::uint64_t max_levels = 4096;
    static constexpr std::uint64_t max_columns = 16'384;
    static constexpr std::uint64_t max_kept_columns = 1024;
    /// How many of the levels lie below the first priority: an inconsistent heuristic lets f fall.
    static constexpr std::uint64_t margin = 64;
    /// With no more entries than this, a heap is faster.
    static constexpr std::uint64_t few = 64;
    /// How many keys a chunk holds.
    static constexpr std::uint32_t chunk_size =
        std::max<std::uint32_t>((256 - sizeof(void*)) / sizeof(Key), 4);

    struct Chunk {
        Chunk* next; // the one below
        Key keys[chunk_size];
    };

    /// The entries of one f and one g. It keeps its last chunk when it is empty.
    struct Stack {
        Chunk* top = nullptr;
        std::uint32_t used = chunk_size; // of the top chunk

        [[nodiscard]] bool is_empty() const { return used == 0 || top == nullptr; }
    };

    /// The entries of one f: stacks for successive values of g, of which `last` is the last that is not
    /// empty. Its size is a power of two, since each push looks one up.
    struct alignas(64) Level {
        std::vector<Stack, BudgetAllocator<Stack>> stacks;
        std::uint64_t first_cost = 0; // the rank of g
        std::uint64_t last = 0;

        explicit Level(MemoryBudget& budget) : stacks(BudgetAllocator<Stack>(budget)) {}

        [[nodiscard]] bool is_empty() const { return stacks.empty() || stacks[last].is_empty(); }
        [[nodiscard]] Cost last_cost() const { return of_rank<Cost>(first_cost + last); }
    };

    /// Maps integers to unsigned numbers; keeps their order and distances.
    template <class T>
    static constexpr std::uint64_t rank(T value) {
        return static_cast<std::uint64_t>(value) ^ (std::signed_integral<T> ? std::uint64_t{1} << 63 : 0);
    }
    template <class T>
    static constexpr T of_rank(std::uint64_t rank) {
        return static_cast<T>(rank ^ (std::signed_integral<T> ? std::uint64_t{1} << 63 : 0));
    }

    [[nodiscard]] Priority priority_at(std::uint64_t level) const { return of_rank<Priority>(base_ + level); }

    /// The first level with entries; those before it give their chunks back. Requires that there is one.
    Level& first_level() {
        for (; levels_[first_].is_empty(); ++first_) {
            if (Level& level = levels_[first_]; !level.stacks.empty()) {
                release(level);
            }
        }
        return levels_[first_];
    }

    NPUZZLE_NOINLINE void release(Level& level) {
        for (const Stack& stack : level.stacks) {
            if (stack.top != nullptr) {
                chunks_.give_back(stack.top);
            }
        }
        // A narrow level keeps its memory for the next search, a wide one frees it: f seldom falls.
        if (level.stacks.capacity() > max_kept_columns) {
            level.stacks = std::vector<Stack, BudgetAllocator<Stack>>(level.stacks.get_allocator());
        }
        level.stacks.clear();
        level.last = 0;
    }

    /// Whether the buckets have the least priority, and the heap has not.
    bool is_first_in_buckets() {
        if (in_buckets_ == 0) {
            return false;
        }
        first_level();
        return rest_.empty() || priority_at(first_) < rest_.top().priority;
    }

    /// Removes up to `most` entries from the last bucket of a level that has entries; returns how many.
    std::size_t pop_from(Level& level, Entry* entries, std::size_t most) {
        Stack& stack = level.stacks[level.last];
        const Priority priority = priority_at(first_);
        const Cost cost = level.last_cost();
        std::size_t count = 0;
        do {
            entries[count++] = {priority, cost, stack.top->keys[--stack.used]};
            if (stack.used == 0 && stack.top->next != nullptr) {
                chunks_.give_back(std::exchange(stack.top, stack.top->next));
                stack.used = chunk_size;
            }
        } while (count < most && stack.used > 0);
        in_buckets_ -= count;
        while (level.last > 0 && level.stacks[level.last].is_empty()) {
            --level.last;
        }
        return count;
    }

    /// Makes room; an entry that is too far from the others goes into the heap.
    ///
    /// Passed by parts: loading the whole entry would stall on store forwarding.
    NPUZZLE_NOINLINE void push_slowly(Priority f, Cost g, Key key) {
        const Entry entry{f, g, key};
        if (in_buckets_ == 0) {
            if (rest_.size() < few) {
                rest_.push(entry);
                return;
            }
            rebase(f);
        }
        const std::uint64_t distance = rank(f) - base_;
        if (distance >= max_levels) {
            rest_.push(entry);
            return;
        }
        if (levels_.capacity() <= distance) {
            levels_.reserve(static_cast<std::size_t>(distance + distance / 2 + 16)); // once in a small search
        }
        while (levels_.size() <= distance) {
            levels_.emplace_back(levels_.get_allocator().budget());
        }
        Level& level = levels_[distance];
        if (!reach(level, rank(g))) {
            rest_.push(entry);
            return;
        }
        Stack& stack = level.stacks[rank(g) - level.first_cost];
        if (stack.used == chunk_size) {
            Chunk* const chunk = chunks_.take();
            chunk->next = std::exchange(stack.top, chunk);
            stack.used = 0;
        }
        push(entry);
    }

    /// Lets the buckets begin a little before a priority. Requires that they are empty. Keeps the levels
    /// between 0 and 2^64, so that they wrap at neither end.
    void rebase(Priority priority) {
        constexpr std::uint64_t last_base = (std::numeric_limits<std::uint64_t>::max)() - (max_levels - 1);
        const std::uint64_t first = rank(priority);
        base_ = (std::min)(first > margin ? first - margin : 0, last_base);
        first_ = max_levels;
    }

    /// Adds stacks to a level until there is one for a g; false if those would be too many.
    static bool reach(Level& level, std::uint64_t cost) {
        if (level.stacks.empty()) {
            level.first_cost = cost;
        }
        if (cost < level.first_cost) {
            const std::uint64_t least = level.first_cost - cost;
            if (least + level.stacks.size() > max_columns || least > max_columns) {
                return false;
            }
            const std::uint64_t more = (std::min)(least + 63, level.first_cost);
            const bool was_empty = level.is_empty();
            level.stacks.insert(level.stacks.begin(), more, Stack{});
            level.first_cost -= more;
            level.last += was_empty ? 0 : more;
        } else if (cost - level.first_cost >= max_columns) {
            return false;
        } else if (cost - level.first_cost >= level.stacks.size()) {
            level.stacks.resize(cost - level.first_cost + 1);
        }
        return true;
    }

    detail::Pool<Chunk> chunks_;
    std::vector<Level, BudgetAllocator<Level>> levels_;
    detail::BinaryHeap<Entry> rest_;
    std::uint64_t base_ = 0;  // the rank of the f of the first level
    std::uint64_t first_ = 0; // no level before it has entries
    std::uint64_t in_buckets_ = 0;
};

} // namespace npuzzle
