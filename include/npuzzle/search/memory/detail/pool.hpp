#pragma once

#include "npuzzle/search/memory/storage.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace npuzzle::detail {

/// Objects of equal size, taken and given back, from blocks on a budget. What is given back keeps its bytes,
/// but for the link, and is the first to be taken again.
/// \tparam T trivially destructible, with a member `T* next` that is the pool's while it has the object
template <class T>
class Pool {
    static_assert(std::is_trivially_destructible_v<T>);

public:
    explicit Pool(MemoryBudget& budget) : blocks_(budget) {}
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    T* take() {
        if (free_ != nullptr) {
            return std::exchange(free_, free_->next);
        }
        if (rest_ == 0) {
            begin_block();
        }
        return ::new (static_cast<void*>(block_ + sizeof(T) * --rest_)) T;
    }

    void give_back(T* object) {
        object->next = free_;
        free_ = object;
    }

    /// Takes all objects back at once, in O(1) time. They lose their bytes, and are taken again in the order of
    /// their addresses, not from all over the memory.
    void clear() noexcept {
        free_ = nullptr;
        rest_ = 0;
        begun_ = 0;
    }

private:
    NPUZZLE_NOINLINE void begin_block() {
        if (begun_ < blocks_.size()) {
            block_ = blocks_[begun_].data();
            rest_ = blocks_[begun_].size() / sizeof(T);
        } else {
            const std::size_t count = (std::min)(2 * count_, largest_block);
            block_ = blocks_.add(count * sizeof(T), alignof(T));
            rest_ = count_ = count;
        }
        ++begun_;
    }

    /// Large enough for huge pages.
    static constexpr std::size_t largest_block = std::max<std::size_t>((std::size_t{1} << 22) / sizeof(T), 1);

    Blocks blocks_;
    std::size_t begun_ = 0; // how many blocks objects have been taken from
    char* block_ = nullptr; // the last of these
    std::size_t rest_ = 0;  // its objects that have not been taken
    std::size_t count_ = std::max<std::size_t>(512 / sizeof(T), 2); // of objects in the last block of all
    T* free_ = nullptr;
};

} // namespace npuzzle::detail
