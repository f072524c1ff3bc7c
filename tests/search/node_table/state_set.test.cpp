#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/state_set.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::StateSet;

/// Words that get longer; few of them differ in their hash.
struct Words {
    using State = std::string;
    std::size_t hashes;

    std::vector<State> neighbors(const State& word) const { return {word + 'a', word + 'b'}; }
    bool is_goal(const State&) const { return false; }
    std::size_t hash(const State& word) const { return npuzzle::hash_of(word) % hashes; }
};

std::string number_word(int number) {
    return "the word of number " + std::to_string(number);
}

} // namespace

TEST_CASE("a set of states keeps their order, and finds them again", "[node_table]") {
    for (const std::size_t hashes : {std::size_t{3}, std::size_t{1} << 20}) {
        const Words problem{hashes};
        MemoryBudget budget;
        {
            StateSet<Words> set(problem, budget);
            CHECK_FALSE(set.contains(number_word(0)));
            const int count = hashes < 10 ? 200 : 3000;
            for (int i = 0; i < count; ++i) {
                REQUIRE(set.insert(number_word(i)));
                REQUIRE_FALSE(set.insert(number_word(i / 2)));
            }
            REQUIRE(set.size() == static_cast<std::uint64_t>(count));
            for (int i = 0; i < count; ++i) {
                REQUIRE(set[static_cast<std::uint64_t>(i)] == number_word(i));
                REQUIRE(set.contains(number_word(i)));
                REQUIRE_FALSE(set.contains(number_word(i + count)));
            }
            CHECK(budget.used() > 0);
            set.clear();
            CHECK(set.size() == 0);
            CHECK(budget.used() == 0);
            CHECK(set.insert(number_word(1)));
        }
        CHECK(budget.used() == 0);
    }
}

TEST_CASE("a state for which there is no memory is not there", "[node_table]") {
    const Words problem{1000};
    for (const std::uint64_t bytes : {0U, 100U, 10'000U}) {
        MemoryBudget budget(bytes);
        StateSet<Words> set(problem, budget);
        int next = 0;
        try {
            for (;; ++next) {
                set.insert(number_word(next));
            }
        } catch (const std::bad_alloc&) {
            CHECK(set.size() == static_cast<std::uint64_t>(next));
            CHECK_FALSE(set.contains(number_word(next)));
            CHECK(set.contains(number_word(0)) == (next > 0));
        }
    }
}
