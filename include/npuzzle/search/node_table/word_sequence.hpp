#pragma once

#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/node_table/pooled.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>

/// \file
/// A hash set of words that keeps their order, and the parents of its elements in two bits each: the node
/// table of breadth-first search.

namespace npuzzle::detail {

/// A hash set of words that numbers them in the order of their insertion. Holds fewer than 2^32 words; one
/// more is a `std::bad_alloc`.
///
/// \tparam mark_bits how many leading bits of a word hold a mark; they must be 0 in the words themselves
template <UnsignedWord Word, unsigned mark_bits = 0>
class WordSequence {
    static constexpr unsigned word_bits = 8 * sizeof(Word) - mark_bits;

public:
    explicit WordSequence(MemoryBudget& budget) : budget_(&budget), words_(budget), index_(budget) {}

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

    [[nodiscard]] Word word(std::uint32_t number) const {
        return static_cast<Word>(words_[number] & static_cast<Word>(~Word{0}) >> mark_bits);
    }

    [[nodiscard]] unsigned mark(std::uint32_t number) const {
        if constexpr (mark_bits > 0) {
            return static_cast<unsigned>(words_[number] >> word_bits);
        } else {
            return 0;
        }
    }

    static std::uint64_t hash(Word word) { return mix_word(word); }

    /// Prefetches the slot of a word of this hash. Requires that there is a word.
    void prefetch(std::uint64_t hash) const { index_.prefetch(upper(hash)); }

    /// Prefetches the word that will be compared first. Worth while once the slot is in the cache.
    void prefetch_word(std::uint64_t hash) const {
        if (const std::optional<std::uint32_t> number = index_.guess(upper(hash))) {
            detail::prefetch(&words_[*number]);
        }
    }

    [[nodiscard]] bool contains(Word word, std::uint64_t hash) const {
        return size_ > 0 && place_of(word, hash).is_taken();
    }

    /// True if it was not there. Throws `std::bad_alloc`; the words have not changed then.
    /// \tparam joins_marks whether a word that was there gets the bits of this mark as well
    /// \param hash the word's hash
    template <bool joins_marks = false>
    bool insert(Word word, std::uint64_t hash, unsigned mark = 0) {
        index_.reserve(size_);
        const IndexPlace place = place_of(word, hash);
        if (!place.is_taken()) {
            words_.reserve_next(size_);
            words_[size_] = marked(word, mark);
            index_.put(place.slot, upper(hash), size_++);
            return true;
        }
        if constexpr (joins_marks) {
            Word& there = words_[place.number];
            there = static_cast<Word>(there | marked(word, mark));
        }
        return false;
    }

    /// Gives the index back: words can still be read by their numbers, and that is all.
    void forget_index() { index_ = NumberIndex(*budget_); }

    /// Gives the memory of the words before a number back, but for the last of them. After `forget_index`.
    void forget_before(std::uint32_t number) { words_.forget_before(number); }

    /// Gives the memory back.
    void clear() { *this = WordSequence(*budget_); }

private:
    static std::uint32_t upper(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

    static Word marked(Word word, [[maybe_unused]] unsigned mark) {
        if constexpr (mark_bits > 0) {
            return static_cast<Word>(word | static_cast<Word>(mark) << word_bits);
        } else {
            return word;
        }
    }

    [[nodiscard]] IndexPlace place_of(Word word, std::uint64_t hash) const {
        return index_.find(upper(hash), [&](std::uint32_t i) { return this->word(i) == word; });
    }

    MemoryBudget* budget_;
    ChunkSequence<Word> words_;
    NumberIndex index_;
    std::uint32_t size_ = 0;
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
