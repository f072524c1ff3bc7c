#include <npuzzle/search/breadth_first_layers.hpp>
#include <npuzzle/search/kernel/numbered_layers.hpp>
#include <npuzzle/search/memory/budget.hpp>

#include "support/catch.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

// Whole counts of other spaces are in breadth_first_layers.test.cpp.

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::NumberedLayers;

/// Numbers of some bits in a mixed order, each beside those that differ in one bit.
template <unsigned dimensions>
struct Hypercube {
    using State = std::uint32_t;

    std::vector<State> neighbors(State state) const {
        std::vector<State> result;
        for (unsigned bit = 0; bit < dimensions; ++bit) {
            result.push_back(state ^ State{1} << bit);
        }
        return result;
    }
    bool is_goal(State) const { return false; }
    std::size_t size() const { return std::size_t{1} << dimensions; }
    std::size_t index(State state) const { return state * 5U % size(); }
    State state_at(std::size_t number) const { return static_cast<State>(number * inverse_of_5 % size()); }

    static constexpr std::uint64_t inverse_of_5 = 0xcccccccd; // modulo 2^32
};

using Cube = Hypercube<16>;
static_assert(npuzzle::NumberedProblem<Cube>);
static_assert(std::is_same_v<npuzzle::detail::counted_layers_of_one_thread_t<Cube>, NumberedLayers<Cube>>);

} // namespace

TEST_CASE("the layers of a numbered space follow one another, whether in a list or not",
          "[numbered_layers]") {
    // Layers from 1 to 12,870 states; up to 256 are in a list.
    const Cube cube;
    MemoryBudget budget;
    {
        NumberedLayers<Cube> layers(cube, budget);
        std::vector<bool> seen(cube.size(), false);
        layers.start(0);
        seen[0] = true;
        std::uint64_t binomial = 1;
        int wrong = 0;
        for (unsigned depth = 0; depth <= 16; ++depth) {
            CHECK(layers.current_size() == binomial);
            std::uint64_t taken = 0;
            std::uint64_t added = 0;
            while (const auto state = layers.take()) {
                ++taken;
                wrong += std::popcount(state->state) == static_cast<int>(depth) ? 0 : 1;
                for (const std::uint32_t neighbor : cube.neighbors(state->state)) {
                    layers.prefetch(neighbor);
                    const bool is_new = layers.add({neighbor});
                    wrong += is_new == !seen[neighbor] ? 0 : 1;
                    seen[neighbor] = true;
                    added += is_new ? 1 : 0;
                }
            }
            CHECK(taken == binomial);
            CHECK(layers.next_size() == added);
            layers.advance();
            binomial = binomial * (16 - depth) / (depth + 1);
        }
        CHECK(wrong == 0);
        CHECK(layers.stored() == cube.size());
        CHECK(layers.current_size() == 0);
    }
    CHECK(budget.used() == 0);
}

TEST_CASE("a numbered space takes two bits for each number, and small lists", "[numbered_layers]") {
    const Hypercube<18> cube;
    const auto layers = npuzzle::breadth_first_layers(cube, 0U);
    CHECK(layers.status == npuzzle::Status::solved);
    CHECK(layers.counts.size() == 19);
    CHECK(layers.counts[9] == 48'620);
    CHECK(layers.statistics.stored == cube.size());
    CHECK(layers.statistics.bytes >= cube.size() / 4);
    CHECK(layers.statistics.bytes < cube.size() / 4 * 7 / 4);
    const auto limited = npuzzle::breadth_first_layers(cube, 0U, {.bytes = cube.size() / 4});
    CHECK(limited.status == npuzzle::Status::memory_limit);
}
