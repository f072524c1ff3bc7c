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
            const std::size_t count = std::min(2 * count_, largest_block);
            block_ = blocks_.add(count * sizeof(T), alignof(T));
            rest_ = count_ = count;
        }
        return ::new (static_cast<void*>(block_ + sizeof(T) * --rest_)) T;
    }

    void give_back(T* object) {
        object->next = free_;
        free_ = object;
    }

private:
    /// Large enough for huge pages.
    static constexpr std::size_t largest_block = std::max<std::size_t>((std::size_t{1} << 22) / sizeof(T), 1);

    Blocks blocks_;
    char* block_ = nullptr;                                         // the last one
    std::size_t count_ = std::max<std::size_t>(512 / sizeof(T), 2); // of its objects
    std::size_t rest_ = 0;                                          // of them, those never taken
    T* free_ = nullptr;
};

} // namespace npuzzle::detail
