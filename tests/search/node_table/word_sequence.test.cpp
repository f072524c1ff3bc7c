#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/word_sequence.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::ParentBits;
using npuzzle::detail::WordSequence;

template <class Words, class Word>
bool insert(Words& words, Word word) {
    return words.insert(word, Words::hash(word));
}

template <class Words, class Word>
bool contains(const Words& words, Word word) {
    return words.contains(word, Words::hash(word));
}

} // namespace

TEST_CASE("a set of words", "[node_table]") {
    MemoryBudget budget;
    {
        WordSequence<std::uint64_t> set(budget);
        CHECK_FALSE(contains(set, std::uint64_t{0}));
        CHECK_FALSE(contains(set, std::uint64_t{7}));
        CHECK(insert(set, std::uint64_t{0}));
        CHECK_FALSE(insert(set, std::uint64_t{0}));
        CHECK(contains(set, std::uint64_t{0}));
        test::Random random(3);
        std::vector<std::uint64_t> words{0, ~std::uint64_t{0}};
        CHECK(insert(set, ~std::uint64_t{0}));
        while (words.size() < 20'000) {
            const std::uint64_t word = random.one_in(2) ? random.word() : words.size();
            if (insert(set, word)) {
                words.push_back(word);
            }
        }
        CHECK(set.size() == words.size());
        bool are_there = true;
        bool are_new = false;
        bool are_in_order = true;
        for (std::size_t i = 0; i < words.size(); ++i) {
            are_there = are_there && contains(set, words[i]);
            are_new = are_new || insert(set, words[i]);
            are_in_order = are_in_order && set.word(static_cast<std::uint32_t>(i)) == words[i];
        }
        CHECK(are_there);
        CHECK_FALSE(are_new);
        CHECK(are_in_order);
        CHECK(budget.used() <= words.size() * 16 + 16 * 24 * 8);
        set.clear();
        CHECK(set.size() == 0);
        CHECK_FALSE(contains(set, std::uint64_t{0}));
        CHECK(budget.used() == 0);
        CHECK(insert(set, std::uint64_t{9}));
    }
    CHECK(budget.used() == 0);
    WordSequence<std::uint8_t> small(budget); // every value there is
    for (int value = 0; value < 256; ++value) {
        CHECK(insert(small, static_cast<std::uint8_t>(value)));
    }
    CHECK(small.size() == 256);
    CHECK(contains(small, std::uint8_t{255}));
}

TEST_CASE("words keep marks, which do not tell them apart", "[node_table]") {
    MemoryBudget budget;
    using Words = WordSequence<std::uint16_t, 4>;
    Words words(budget);
    for (unsigned word = 0; word < 4096; ++word) {
        const auto value = static_cast<std::uint16_t>(word);
        REQUIRE(words.insert(value, Words::hash(value), word % 16));
        REQUIRE_FALSE(words.insert(value, Words::hash(value), 15));
        REQUIRE_FALSE(words.insert<true>(value, Words::hash(value), 1));
    }
    REQUIRE(words.size() == 4096);
    for (std::uint32_t number = 0; number < 4096; ++number) {
        REQUIRE(words.word(number) == number);
        REQUIRE(words.mark(number) == (number % 16 | 1U));
    }
    WordSequence<std::uint64_t> without(budget);
    insert(without, ~std::uint64_t{0});
    CHECK(without.mark(0) == 0);
}

TEST_CASE("a word for which there is no memory is not there", "[node_table]") {
    using Words = WordSequence<std::uint32_t>;
    for (const std::uint64_t bytes : {0U, 100U, 40'000U, 100'000U}) {
        MemoryBudget budget(bytes);
        Words words(budget);
        std::uint32_t next = 0;
        try {
            for (; next < 100'000; ++next) {
                insert(words, next);
            }
            FAIL("a limit of " << bytes << " bytes");
        } catch (const std::bad_alloc&) {
            CHECK(words.size() == next);
        }
        CHECK(budget.peak() <= bytes);
    }
}

TEST_CASE("two bits lead from a number to its parent, from either end", "[node_table]") {
    MemoryBudget budget;
    ParentBits<std::uint32_t> bits(budget);
    test::Random random(5);
    std::vector<std::uint32_t> parents{0};
    std::uint32_t parent = 0;
    for (std::uint32_t number = 1; number < 5000; ++number) {
        // Some states have many children, and some have none for long.
        const auto most = static_cast<int>(number - 1 - parent);
        parent += static_cast<std::uint32_t>(random.one_in(50)  ? random.between(0, most)
                                             : random.one_in(3) ? std::min(1, most)
                                                                : 0);
        parents.push_back(parent);
        bits.push_back(parent);
    }
    auto forth = bits.first();
    bool are_equal = true;
    for (std::uint32_t number = 1; number < 5000; ++number) {
        are_equal = are_equal && bits.next(forth) == parents[number];
    }
    CHECK(are_equal);
    for (std::uint32_t number = 4999; number > 0; number -= std::min(number, 1 + number / 7)) {
        auto back = bits.last();
        for (std::uint32_t at = number; at > 0; at = parents[at]) {
            const std::uint32_t found = bits.back_to(at, back);
            REQUIRE(found == parents[at]);
        }
    }
}
