#pragma once

#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <new>
#include <utility>

namespace npuzzle::detail {

/// Arrays come straight from the budget. Nodes, which are requested one by one and have one size, come
/// from blocks that last as long as this does; nodes that are given back are the first to be taken again.
class QueueMemory {
public:
    /// \param has_nodes whether single objects are nodes
    QueueMemory(MemoryBudget& budget, bool has_nodes) : blocks_(budget), has_nodes_(has_nodes) {}
    QueueMemory(const QueueMemory&) = delete;
    QueueMemory& operator=(const QueueMemory&) = delete;

    /// Throws `std::bad_alloc` if the budget or the system does not give the memory; nothing has changed
    /// then.
    void* allocate(std::size_t count, std::size_t size, std::size_t alignment) {
        if (!has_nodes_ || count != 1) {
            return blocks_.budget().allocate(count, size, alignment);
        }
        if (free_ != nullptr) {
            return std::exchange(free_, free_->next);
        }
        if (rest_ < size) {
            open_block(size, alignment);
        }
        rest_ -= size;
        return std::exchange(place_, place_ + size);
    }

    void deallocate(void* memory, std::size_t count, std::size_t size, std::size_t alignment) noexcept {
        if (!has_nodes_ || count != 1) {
            blocks_.budget().deallocate(memory, count * size, alignment);
        } else {
            assert(size >= sizeof(FreeNode)); // a node holds pointers itself
            free_ = ::new (memory) FreeNode{free_};
        }
    }

    /// Takes all nodes back, whatever they hold.
    void take_nodes_back() {
        free_ = nullptr;
        open_blocks_ = 0;
        rest_ = 0;
    }

    /// What the next queues that this thread makes allocate from: Boost.Heap makes the allocator of a queue
    /// itself, out of nothing.
    static inline constinit thread_local QueueMemory* of_new_queues = nullptr;

private:
    struct FreeNode {
        FreeNode* next;
    };

    static constexpr std::size_t first_block = 1024;
    /// Large enough for huge pages.
    static constexpr std::size_t largest_block = std::size_t{1} << 22;

    NPUZZLE_NOINLINE void open_block(std::size_t size, std::size_t alignment) {
        if (open_blocks_ == blocks_.size()) {
            const std::size_t last = open_blocks_ == 0 ? first_block / 2 : blocks_[open_blocks_ - 1].size();
            blocks_.add((std::max)((std::min)(2 * last, largest_block), size), alignment);
        }
        place_ = blocks_[open_blocks_].data();
        rest_ = blocks_[open_blocks_++].size();
    }

    Blocks blocks_;
    std::size_t open_blocks_ = 0; // of which nodes were taken
    char* place_ = nullptr;       // in the last of them, where no node was yet
    std::size_t rest_ = 0;        // and the bytes from there
    FreeNode* free_ = nullptr;
    bool has_nodes_;
};

/// The allocator that Boost.Heap is given: it allocates from the `QueueMemory` that was there for new queues
/// when it was made.
template <class T>
class QueueAllocator {
public:
    using value_type = T;

    QueueAllocator() : memory_(QueueMemory::of_new_queues) {}

    template <class U>
    QueueAllocator(const QueueAllocator<U>& other) : memory_(other.memory()) {}

    T* allocate(std::size_t count) {
        assert(memory_ != nullptr);
        return static_cast<T*>(memory_->allocate(count, sizeof(T), alignof(T)));
    }

    void deallocate(T* pointer, std::size_t count) noexcept {
        memory_->deallocate(pointer, count, sizeof(T), alignof(T));
    }

    [[nodiscard]] QueueMemory* memory() const noexcept { return memory_; }

    template <class U>
    friend bool operator==(const QueueAllocator& a, const QueueAllocator<U>& b) {
        return a.memory() == b.memory();
    }

private:
    QueueMemory* memory_;
};

} // namespace npuzzle::detail
