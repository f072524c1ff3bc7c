#pragma once

#include "npuzzle/search/core/word.hpp"

/// \file
/// Words whose leading bits hold something else.

namespace npuzzle::detail {

/// Puts marks into the leading bits of a word, which must be 0, and takes them out again.
template <UnsignedWord Word, unsigned mark_bits>
struct MarkedWord {
    static constexpr unsigned word_bits = 8 * sizeof(Word) - mark_bits;

    static constexpr Word join(Word word, [[maybe_unused]] unsigned marks) noexcept {
        if constexpr (mark_bits > 0) {
            return static_cast<Word>(word | static_cast<Word>(marks) << word_bits);
        } else {
            return word;
        }
    }

    static constexpr Word word(Word marked) noexcept {
        if constexpr (mark_bits > 0) {
            return static_cast<Word>(marked & ((Word{1} << word_bits) - 1));
        } else {
            return marked;
        }
    }

    static constexpr unsigned marks([[maybe_unused]] Word marked) noexcept {
        if constexpr (mark_bits > 0) {
            return static_cast<unsigned>(marked >> word_bits);
        } else {
            return 0;
        }
    }
};

} // namespace npuzzle::detail
