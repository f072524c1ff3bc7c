#pragma once

#include "npuzzle/search/memory/detail/pool.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace npuzzle::detail {

/// A stack of keys: the first few in place, more in chunks of equal size, so that no entry is ever copied to
/// make room and an emptied stack's memory serves the next one.
template <class Key>
class ChunkStack {
    static_assert(std::is_trivially_copyable_v<Key>);

public:
    struct Chunk {
        static constexpr std::size_t capacity = std::max<std::size_t>((512 - sizeof(void*)) / sizeof(Key), 4);
        Chunk* next; // the one below
        Key keys[capacity];
    };

    [[nodiscard]] bool is_empty() const noexcept { return used_ == 0; }

    /// False if there is no room.
    bool try_push(const Key& key) {
        if (used_ > in_place) {
            if (used_ == full) {
                return false;
            }
            top()->keys[used_++ - first] = key;
            return true;
        }
        if (used_ == in_place) {
            return false;
        }
        std::memcpy(room_ + used_++ * sizeof(Key), &key, sizeof(Key));
        return true;
    }

    /// Makes room for one more.
    void make_room(Pool<Chunk>& pool) {
        if (used_ != in_place && used_ != full) {
            return;
        }
        Chunk* chunk = pool.take();
        if (used_ == in_place) {
            std::memcpy(static_cast<void*>(chunk->keys), room_, in_place * sizeof(Key));
            chunk->next = nullptr;
            used_ = first + in_place;
        } else {
            chunk->next = top();
            used_ = first;
        }
        set_top(chunk);
    }

    /// Requires that there is one.
    Key pop(Pool<Chunk>& pool) {
        --used_;
        if (used_ < in_place) {
            Key key;
            std::memcpy(&key, room_ + used_ * sizeof(Key), sizeof(Key));
            return key;
        }
        const Key key = top()->keys[used_ - first];
        if (used_ == first) {
            drop_chunk(pool);
        }
        return key;
    }

    void clear(Pool<Chunk>& pool) {
        while (used_ > in_place) {
            drop_chunk(pool);
        }
        used_ = 0;
    }

private:
    static constexpr std::uint32_t in_place = std::max<std::size_t>(8 / sizeof(Key), 1);
    /// What `used_` is with nothing in the top chunk, and with a full one.
    static constexpr std::uint32_t first = in_place + 1;
    static constexpr std::uint32_t full = first + static_cast<std::uint32_t>(Chunk::capacity);

    [[nodiscard]] Chunk* top() const {
        Chunk* chunk;
        std::memcpy(&chunk, room_, sizeof(Chunk*));
        return chunk;
    }
    void set_top(Chunk* chunk) { std::memcpy(room_, &chunk, sizeof(Chunk*)); }

    NPUZZLE_NOINLINE void drop_chunk(Pool<Chunk>& pool) {
        Chunk* below = top()->next;
        pool.give_back(top());
        set_top(below);
        used_ = below == nullptr ? 0 : full;
    }

    std::uint32_t used_ = 0;
    alignas(8) unsigned char room_[(std::max)(in_place * sizeof(Key), sizeof(Chunk*))];
};

} // namespace npuzzle::detail
