#pragma once

#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace npuzzle {

/// An open list for integers that lie close together: a stack for each f and g. Push and pop O(1), amortized,
/// where steps cost little. In a bucket, the last in is the first out. Entries whose f or g is far from the
/// rest wait in a heap, and so do the first few: any values take no more memory than their entries.
template <class Priority, class Cost, class Key>
class BucketOpenList {
    static_assert(std::integral<Priority> && std::integral<Cost>);

public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit BucketOpenList(MemoryBudget& budget) : chunks_(budget), levels_(budget), rest_(budget) {}
    ~BucketOpenList() {
        for (Level& level : levels_) level.~Level();
    }

    void push(const Entry& entry) {
        // Unsigned: an f below the first level wraps to a great distance, and fails the test; so does g.
        const std::uint64_t distance = rank(entry.priority) - base_;
        if (distance < levels_.size()) {
            Level& level = levels_[distance];
            const std::uint64_t column = rank(entry.cost) - level.first_cost;
            if (column < level.stacks.size() && level.stacks[column].used < level.stacks[column].room) {
                Stack& stack = level.stacks[column];
                stack.top->keys[stack.used++] = entry.key;
                if (level.last < column) level.last = column;
                if (distance < first_) first_ = distance;
                ++in_buckets_;
                return;
            }
        }
        push_slowly(entry.priority, entry.cost, entry.key);
    }

    Entry pop() {
        if (in_buckets_ > 0) {
            Level& level = first_level();
            Entry entry{priority_at(first_), level.last_cost(), Key{}};
            if (rest_.empty() || !detail::comes_before(rest_.top(), entry)) {
                pop_from(level, &entry, 1);
                return entry;
            }
        }
        return rest_.pop();
    }

    /// Removes up to `most` first entries of the same priority, puts them into `entries` in their order, and
    /// returns how many.
    std::size_t pop_equal(Entry* entries, std::size_t most) {
        if (is_first_in_buckets()) {
            Level& level = levels_[first_];
            std::size_t count = 0;
            while (count < most && !level.is_empty()) count += pop_from(level, entries + count, most - count);
            return count;
        }
        entries[0] = pop(); // What waits in the heap may be among its equals.
        return 1;
    }

    Priority first_priority() { return is_first_in_buckets() ? priority_at(first_) : rest_.top().priority; }

    [[nodiscard]] bool empty() const { return in_buckets_ == 0 && rest_.empty(); }
    [[nodiscard]] std::uint64_t size() const noexcept { return in_buckets_ + rest_.size(); }

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
    /// How many of the levels lie below the first priority: an inconsistent heuristic lets f fall.
    static constexpr std::uint64_t margin = 64;
    /// With no more entries than this, a heap is faster.
    static constexpr std::uint64_t few = 64;

    /// A chunk takes three cache lines: on a map, most stacks hold only a few keys.
    static constexpr std::uint32_t chunk_size =
        (std::max<std::size_t>)((192 - sizeof(void*)) / sizeof(Key), 1);
    struct Chunk {
        Chunk* next; // the one below
        Key keys[chunk_size];
    };

    /// The entries of one f and one g. It keeps its bottom chunk when it is empty.
    struct Stack {
        Chunk* top = nullptr;
        std::uint32_t used = 0; // of the top chunk
        std::uint32_t room = 0; // in it: nothing, if there is none

        bool is_empty() const { return used == 0; }
    };

    /// The entries of one f: stacks for successive values of g. None after `last` has entries. Its size is a
    /// power of two, since each push looks one up.
    struct alignas(64) Level {
        detail::Storage<Stack> stacks;
        std::uint64_t first_cost = 0; // the rank of g
        std::uint64_t last = 0;

        explicit Level(MemoryBudget& budget) : stacks(budget) {}

        /// If not, `last` has entries.
        bool is_empty() {
            while (last > 0 && stacks[last].is_empty()) --last;
            return stacks.empty() || stacks[last].is_empty();
        }
        Cost last_cost() const { return of_rank<Cost>(first_cost + last); }
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

    Priority priority_at(std::uint64_t level) const { return of_rank<Priority>(base_ + level); }

    /// The first level with entries; those before it give their chunks back. Requires that there is one.
    Level& first_level() {
        while (levels_[first_].is_empty()) release(levels_[first_++]);
        return levels_[first_];
    }

    NPUZZLE_NOINLINE void release(Level& level) {
        for (const Stack& stack : level.stacks) {
            if (stack.top != nullptr) chunks_.give_back(stack.top);
        }
        // A narrow level keeps its memory for the next search, a wide one frees it: f seldom falls.
        if (level.stacks.room() > 1024) level = Level(levels_.budget());
        level.stacks.clear();
        level.last = 0;
    }

    /// Whether the buckets have the least priority, and the heap has not.
    bool is_first_in_buckets() {
        if (in_buckets_ == 0) return false;
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
        return count;
    }

    /// Makes room; an entry that is too far from the others goes into the heap. Passed by parts: loading the
    /// whole entry would stall on store forwarding.
    NPUZZLE_NOINLINE void push_slowly(Priority f, Cost g, Key key) {
        const Entry entry{f, g, key};
        const bool is_small = in_buckets_ == 0 && rest_.size() < few;
        if (in_buckets_ == 0 && !is_small) {
            // The levels begin a little before f, and wrap neither at 0 nor at 2^64.
            base_ = (std::min)(rank(f) - (std::min)(rank(f), margin), std::uint64_t{0} - max_levels);
            first_ = max_levels;
        }
        const std::uint64_t distance = rank(f) - base_;
        if (is_small || distance >= max_levels || !make_stack(distance, rank(g))) {
            rest_.push(entry);
            return;
        }
        Stack& stack = levels_[distance].stacks[rank(g) - levels_[distance].first_cost];
        if (stack.used == stack.room) {
            Chunk* const chunk = chunks_.take();
            chunk->next = std::exchange(stack.top, chunk);
            stack.used = 0;
            stack.room = chunk_size;
        }
        push(entry);
    }

    /// Sees to it that a level has a stack for a g; false if its stacks would be too many.
    bool make_stack(std::uint64_t distance, std::uint64_t cost) {
        if (levels_.room() <= distance) levels_.reserve(distance + distance / 2 + 16);
        while (levels_.size() <= distance) ::new (levels_.add()) Level(levels_.budget());
        Level& level = levels_[distance];
        auto& stacks = level.stacks;
        if (stacks.empty()) level.first_cost = cost;
        if (cost >= level.first_cost) {
            const std::uint64_t column = cost - level.first_cost;
            if (stacks.size() <= column && column < max_columns) stacks.resize(column + 1, Stack{});
            return column < max_columns;
        }
        const std::uint64_t missing = level.first_cost - cost;
        if (missing > max_columns || missing + stacks.size() > max_columns) return false;
        const std::uint64_t most = (std::min)(max_columns - stacks.size(), level.first_cost);
        const std::uint64_t more = (std::min)(missing + stacks.size() / 2 + 7, most);
        const bool was_empty = level.is_empty();
        std::size_t i = stacks.size();
        stacks.resize(i + more, Stack{});
        while (i-- > 0) stacks[i + more] = std::exchange(stacks[i], Stack{});
        level.first_cost -= more;
        level.last += was_empty ? 0 : more;
        return true;
    }

    detail::Pool<Chunk> chunks_;
    detail::Storage<Level> levels_;
    detail::BinaryHeap<Entry> rest_;
    std::uint64_t base_ = 0;  // the rank of the f of the first level
    std::uint64_t first_ = 0; // no level before it has entries
    std::uint64_t in_buckets_ = 0;
};

} // namespace npuzzle
