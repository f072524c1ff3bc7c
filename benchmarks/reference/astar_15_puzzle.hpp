#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <vector>

/// \file
/// A reference for the greatest speed: A* written only for the 15-puzzle with Manhattan distance and the goal
/// 0 1 2 ... 15. Everything that a general engine must leave open is fixed here: the table has a fixed size,
/// costs fit 7 bits, nothing can fail, memory is not counted against a limit, and there is no path.

namespace reference {

/// The result of a search.
struct Outcome {
    int cost = -1; ///< -1: there is no solution
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t stored = 0;
};

/// The change of a tile's distance from its home when it slides from one cell to another.
struct SlideTable {
    std::int8_t change[16][16][16]{}; ///< [tile][from][to]

    static constexpr int distance(int one, int other) {
        const int rows = one / 4 - other / 4;
        const int columns = one % 4 - other % 4;
        return (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns);
    }

    constexpr SlideTable() {
        for (int tile = 1; tile < 16; ++tile) {
            for (int from = 0; from < 16; ++from) {
                for (int to = 0; to < 16; ++to) {
                    change[tile][from][to] =
                        static_cast<std::int8_t>(distance(to, tile) - distance(from, tile));
                }
            }
        }
    }
};

inline constexpr SlideTable slide_table{};

/// The cell to which the moves up, left, right, down take the blank; -1 if the move is not possible. `3 -
/// move` is the inverse of a move.
struct TargetTable {
    std::int8_t target[16][4]{};

    constexpr TargetTable() {
        for (int cell = 0; cell < 16; ++cell) {
            target[cell][0] = static_cast<std::int8_t>(cell / 4 > 0 ? cell - 4 : -1);
            target[cell][1] = static_cast<std::int8_t>(cell % 4 > 0 ? cell - 1 : -1);
            target[cell][2] = static_cast<std::int8_t>(cell % 4 < 3 ? cell + 1 : -1);
            target[cell][3] = static_cast<std::int8_t>(cell / 4 < 3 ? cell + 4 : -1);
        }
    }
};

inline constexpr TargetTable target_table{};

/// A board in one word. Cell c is in bits 4 c to 4 c + 3.
inline std::uint64_t pack(const std::array<int, 16>& tiles) {
    std::uint64_t word = 0;
    for (std::size_t cell = 0; cell < 16; ++cell) {
        word |= static_cast<std::uint64_t>(tiles[cell]) << (4 * cell);
    }
    return word;
}

inline int manhattan(const std::array<int, 16>& tiles) {
    int sum = 0;
    for (int cell = 0; cell < 16; ++cell) {
        if (const int tile = tiles[static_cast<std::size_t>(cell)]; tile != 0) {
            sum += SlideTable::distance(cell, tile);
        }
    }
    return sum;
}

/// Memory that is zero at first. The system provides its pages when they are used, as huge pages if possible.
template <class T>
class Pages {
public:
    explicit Pages(std::size_t count) : bytes_(count * sizeof(T)) {
        void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::bad_alloc();
        }
#ifdef MADV_HUGEPAGE
        ::madvise(memory, bytes_, MADV_HUGEPAGE);
#endif
        data_ = static_cast<T*>(memory);
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() { ::munmap(data_, bytes_); }

    T& operator[](std::size_t i) const { return data_[i]; }

private:
    std::size_t bytes_;
    T* data_;
};

/// Open addressing with linear probing. A slot has ten bytes: the board (no board is 0), and the path cost,
/// the last move and whether the node is closed.
class FifteenPuzzleAStar {
public:
    /// \param table_bits the table has 2^table_bits slots, which must be more than the number of stored
    ///     boards
    explicit FifteenPuzzleAStar(int table_bits)
        : mask_((std::size_t{1} << table_bits) - 1), shift_(64 - table_bits), boards_(mask_ + 1),
          notes_(mask_ + 1), buckets_(static_cast<std::size_t>(largest_f) * largest_g) {}

    Outcome run(const std::array<int, 16>& tiles) {
        Outcome outcome;
        int f = manhattan(tiles);
        int g = 0;
        insert(pack(tiles), home(pack(tiles)), 0, no_move, f);
        std::array<Slot, batch_size> batch{};
        std::array<Child, 4 * batch_size> children{};
        while (true) {
            while (g >= 0 && bucket(f, g).empty()) {
                --g;
            }
            if (g < 0) {
                if (++f == largest_f) {
                    return outcome;
                }
                g = largest_g - 1;
                continue;
            }
            // A cache miss costs as much as hundreds of instructions. So all slots of a batch are prefetched
            // before any is read, and then all slots of their children.
            const std::size_t taken = take(bucket(f, g), batch);
            std::size_t count = 0;
            for (std::size_t i = 0; i < taken; ++i) {
                const Slot slot = batch[i];
                const unsigned note = notes_[slot];
                if ((note & cost_mask) != static_cast<unsigned>(g) || (note & closed) != 0) {
                    continue; // a cheaper path has been found since
                }
                if (f == g) {
                    outcome.cost = g;
                    outcome.stored = stored_;
                    return outcome;
                }
                notes_[slot] = static_cast<Note>(note | closed);
                ++outcome.expanded;
                count = expand(boards_[slot], note >> move_position & 7, f - g, children, count);
            }
            outcome.generated += count;
            for (std::size_t i = 0; i < count; ++i) {
                const Child& child = children[i];
                insert(child.board, child.home, g + 1, child.move, g + 1 + child.h);
            }
            g = g + 1 < largest_g ? g + 1 : g;
        }
    }

private:
    using Slot = std::uint32_t;
    using Note = std::uint16_t;

    struct Child {
        std::uint64_t board;
        std::size_t home;
        std::uint8_t move;
        std::uint8_t h;
    };

    static constexpr std::size_t batch_size = 16;
    static constexpr int largest_f = 128;
    static constexpr int largest_g = 128;
    static constexpr unsigned cost_mask = 127;
    static constexpr unsigned move_position = 8;
    static constexpr unsigned closed = 1U << 15;
    static constexpr unsigned no_move = 7;

    std::vector<Slot>& bucket(int f, int g) {
        return buckets_[static_cast<std::size_t>(f) * largest_g + static_cast<std::size_t>(g)];
    }

    std::size_t home(std::uint64_t board) const {
        std::uint64_t mixed = board * 0x9e3779b97f4a7c15;
        mixed ^= mixed >> 32;
        return static_cast<std::size_t>(mixed * 0xd6e8feb86659fd93 >> shift_);
    }

    void prefetch(std::size_t slot) const {
        __builtin_prefetch(&boards_[slot]);
        __builtin_prefetch(&notes_[slot]);
    }

    std::size_t take(std::vector<Slot>& from, std::array<Slot, batch_size>& batch) const {
        std::size_t taken = 0;
        while (taken < batch_size && !from.empty()) {
            batch[taken] = from.back();
            from.pop_back();
            prefetch(batch[taken++]);
        }
        return taken;
    }

    std::size_t expand(std::uint64_t board, unsigned last, int h, std::array<Child, 4 * batch_size>& children,
                       std::size_t count) const {
        const std::uint64_t zeros = (board - 0x1111111111111111) & ~board & 0x8888888888888888;
        const int blank = __builtin_ctzll(zeros) / 4;
        for (unsigned move = 0; move < 4; ++move) {
            const int to = target_table.target[blank][move];
            if (to < 0 || move == 3 - last) {
                continue;
            }
            const std::uint64_t tile = board >> (4 * to) & 15;
            const std::uint64_t next = (board ^ tile << (4 * to)) | tile << (4 * blank);
            const std::size_t slot = home(next);
            prefetch(slot);
            children[count++] = {next, slot, static_cast<std::uint8_t>(move),
                                 static_cast<std::uint8_t>(h + slide_table.change[tile][to][blank])};
        }
        return count;
    }

    void insert(std::uint64_t board, std::size_t slot, int g, unsigned move, int f) {
        while (boards_[slot] != board) {
            if (boards_[slot] == 0) {
                boards_[slot] = board;
                ++stored_;
                open(slot, g, move, f);
                return;
            }
            slot = (slot + 1) & mask_;
        }
        if ((notes_[slot] & cost_mask) > static_cast<unsigned>(g)) {
            open(slot, g, move, f);
        }
    }

    void open(std::size_t slot, int g, unsigned move, int f) {
        notes_[slot] = static_cast<Note>(static_cast<unsigned>(g) | move << move_position);
        bucket(f, g).push_back(static_cast<Slot>(slot));
    }

    std::size_t mask_;
    int shift_;
    Pages<std::uint64_t> boards_;
    Pages<Note> notes_;
    std::vector<std::vector<Slot>> buckets_;
    std::uint64_t stored_ = 0;
};

/// A* with a table of 2^table_bits slots (at most 2^32). Its set-up is included.
inline Outcome astar_15_puzzle(const std::array<int, 16>& tiles, int table_bits) {
    return FifteenPuzzleAStar(table_bits).run(tiles);
}

} // namespace reference
