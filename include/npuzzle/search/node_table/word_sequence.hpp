#pragma once

#include "npuzzle/search/memory/prefetch.hpp"
#include "npuzzle/search/memory/storage.hpp"
#include "npuzzle/search/node_table/detail/marked_word.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>

/// \file
/// A hash set of words that keeps their order, and the parents of its elements in two bits each: the node
/// table of breadth-first search.

namespace npuzzle::detail {

/// A hash set of words that numbers them in the order of their insertion: a sequence of words, and an index
/// of their numbers by open addressing with linear probing, four bytes a slot. The bits that a number leaves
/// free hold part of the word's hash, so few words are compared in vain. Holds fewer than 2^32 words; one
/// more is a `std::bad_alloc`.
///
/// \tparam mark_bits how many leading bits of a word hold a mark; they must be 0 in the words themselves
template <UnsignedWord Word, unsigned mark_bits = 0>
class WordSequence {
public:
    explicit WordSequence(MemoryBudget& budget) : budget_(&budget), words_(budget), slots_(budget) {}

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

    [[nodiscard]] Word word(std::uint32_t number) const { return Marks::word(words_[number]); }

    [[nodiscard]] unsigned mark(std::uint32_t number) const { return Marks::marks(words_[number]); }

    static std::uint64_t hash(Word word) { return mix_word(word); }

    /// Prefetches the slot of a word of this hash. Requires that there is a word.
    void prefetch(std::uint64_t hash) const { detail::prefetch(slots_.data() + home(hash)); }

    /// Prefetches the word that will be compared first. Worth while once the slot is in the cache.
    void prefetch_word(std::uint64_t hash) const {
        if (slots_.size() > 0) {
            const std::uint32_t slot = slots_[home(hash)];
            if (slot != 0 && (slot & tag_mask_) == (hash & tag_mask_)) {
                detail::prefetch(&words_[number(slot)]);
            }
        }
    }

    [[nodiscard]] bool contains(Word word, std::uint64_t hash) const {
        return size_ > 0 && slots_[slot_of(word, hash)] != 0;
    }

    /// True if it was not there. Throws `std::bad_alloc`; the words have not changed then.
    /// \tparam joins_marks whether a word that was there gets the bits of this mark as well
    /// \param hash the word's hash
    template <bool joins_marks = false>
    bool insert(Word word, std::uint64_t hash, unsigned mark = 0) {
        if (size_ == max_size_) {
            grow();
        }
        const std::size_t slot = slot_of(word, hash);
        if (slots_[slot] == 0) {
            words_.reserve_next(size_);
            words_[size_] = Marks::join(word, mark);
            slots_[slot] = (static_cast<std::uint32_t>(hash) & tag_mask_) | ++size_;
            return true;
        }
        if constexpr (joins_marks) {
            Word& there = words_[number(slots_[slot])];
            there = static_cast<Word>(there | Marks::join(word, mark));
        }
        return false;
    }

    /// Gives the index back: words can still be read by their numbers, and that is all.
    void forget_index() { slots_ = Storage<std::uint32_t>(*budget_); }

    /// Gives the memory of the words before a number back, but for the last of them. After `forget_index`.
    void forget_before(std::uint32_t number) { words_.forget_before(number); }

    /// Gives the memory back.
    void clear() { *this = WordSequence(*budget_); }

private:
    using Marks = MarkedWord<Word, mark_bits>;

    [[nodiscard]] std::uint32_t number(std::uint32_t slot) const { return (slot & ~tag_mask_) - 1; }

    /// The slot that holds the number of a word, or where it belongs.
    [[nodiscard]] std::size_t slot_of(Word word, std::uint64_t hash) const {
        std::size_t i = home(hash);
        while (slots_[i] != 0 &&
               ((slots_[i] & tag_mask_) != (hash & tag_mask_) || this->word(number(slots_[i])) != word)) {
            i = i + 1 == slots_.size() ? 0 : i + 1;
        }
        return i;
    }

    [[nodiscard]] std::size_t home(std::uint64_t hash) const {
        return static_cast<std::size_t>((hash >> 32) * slots_.size() >> 32);
    }

    /// The index is made anew from the words, so that never two lie there.
    NPUZZLE_NOINLINE void grow() {
        constexpr std::uint64_t max_slots = std::uint64_t{1} << 32;
        const std::size_t old = slots_.size();
        if (old == max_slots) {
            throw std::bad_alloc();
        }
        slots_ = Storage<std::uint32_t>(*budget_);
        slots_.grow_zeroed(old == 0 ? 32 : 2 * old);
        max_size_ = static_cast<std::uint32_t>(slots_.size() / 20 * 17);
        const auto number_bits = static_cast<unsigned>(std::bit_width(max_size_));
        tag_mask_ = static_cast<std::uint32_t>(~std::uint64_t{0} << number_bits);

        constexpr std::uint32_t ahead = 16;
        std::array<std::uint64_t, ahead> hashes;
        for (std::uint32_t first = 0; first < size_; first += ahead) {
            const std::uint32_t count = (std::min)(ahead, size_ - first);
            for (std::uint32_t k = 0; k < count; ++k) {
                hashes[k] = hash(word(first + k));
                prefetch(hashes[k]);
            }
            for (std::uint32_t k = 0; k < count; ++k) {
                std::size_t i = home(hashes[k]);
                while (slots_[i] != 0) {
                    i = i + 1 == slots_.size() ? 0 : i + 1;
                }
                slots_[i] = (static_cast<std::uint32_t>(hashes[k]) & tag_mask_) | (first + k + 1);
            }
        }
    }

    MemoryBudget* budget_;
    ChunkSequence<Word> words_;
    Storage<std::uint32_t> slots_; ///< 0: free, else a number and one, and before it some bits of the hash
    std::uint32_t tag_mask_ = 0;
    std::uint32_t size_ = 0;
    std::uint32_t max_size_ = 0; ///< before the index grows
};

/// The parent of each number but 0, where no parent is smaller than the last one's: two bits each.
/// The bits hold a zero for each number, after as many ones in all as its parent.
template <std::unsigned_integral Number>
class ParentBits {
public:
    explicit ParentBits(MemoryBudget& budget) : bits_(budget) {}

    /// Appends the parent of the next number.
    void push_back(Number parent) {
        for (; ones_ < parent; ++ones_) {
            append(1);
        }
        append(0);
    }

    /// A position in a walk from the first number to the last, or the other way.
    struct Cursor {
        std::uint64_t bit = 0;
        Number ones = 0;         // before the bit
        std::uint64_t zeros = 0; // the same
    };

    [[nodiscard]] Cursor first() const { return {}; }
    [[nodiscard]] Cursor last() const { return {end_, ones_, end_ - ones_}; }

    /// The parent of the number that is next in a walk from 1.
    [[nodiscard]] Number next(Cursor& cursor) const {
        for (; bit(cursor.bit); ++cursor.bit) {
            ++cursor.ones;
        }
        ++cursor.bit;
        ++cursor.zeros;
        return cursor.ones;
    }

    /// The parent of a number that is reached by a walk from the last.
    [[nodiscard]] Number back_to(Number number, Cursor& cursor) const {
        while (cursor.zeros >= number) {
            if (cursor.bit % 64 == 0) {
                const auto ones = static_cast<Number>(std::popcount(bits_[cursor.bit / 64 - 1]));
                if (cursor.zeros - (64 - ones) >= number) {
                    cursor.bit -= 64;
                    cursor.ones -= ones;
                    cursor.zeros -= 64 - ones;
                    continue;
                }
            }
            --cursor.bit;
            if (bit(cursor.bit)) {
                --cursor.ones;
            } else {
                --cursor.zeros;
            }
        }
        return cursor.ones;
    }

private:
    [[nodiscard]] bool bit(std::uint64_t i) const { return (bits_[i / 64] >> (i % 64) & 1) != 0; }

    void append(std::uint64_t bit) {
        if (end_ % 64 == 0) {
            bits_.reserve_next(end_ / 64);
            bits_[end_ / 64] = 0;
        }
        bits_[end_ / 64] |= bit << (end_ % 64);
        ++end_;
    }

    ChunkSequence<std::uint64_t> bits_;
    std::uint64_t end_ = 0;
    Number ones_ = 0;
};

} // namespace npuzzle::detail
