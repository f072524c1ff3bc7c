#include <npuzzle/search/kernel/layers.hpp>
#include <npuzzle/search/memory/budget.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::AllLayers;
using npuzzle::detail::LastLayers;
using npuzzle::detail::MarkedState;

/// The integers, each beside the next.
struct Integers {
    using State = int;
    static constexpr bool is_undirected = true;
    std::vector<int> neighbors(int x) const { return {x - 1, x + 1}; }
    bool is_goal(int x) const { return x == goal(); }
    int goal() const { return 1000; }
};

struct PackedIntegers : Integers {
    std::uint32_t pack(int x) const { return static_cast<std::uint32_t>(x); }
    int unpack(std::uint32_t word) const { return static_cast<int>(word); }
};

struct NumberedIntegers : Integers {
    std::uint64_t size() const { return 2001; }
    std::uint64_t index(int x) const { return static_cast<std::uint64_t>(x + 1000); }
};

/// Words with room for marks.
struct MarkedIntegers : PackedIntegers {
    using Move = unsigned;
    static constexpr Move no_move = 2;
    static constexpr unsigned move_count = 2;
    static constexpr unsigned word_bits = 30;
    std::uint32_t pack(int x) const { return static_cast<std::uint32_t>(x + 1000); }
    int unpack(std::uint32_t word) const { return static_cast<int>(word) - 1000; }
    void for_each_move(int, Move last, auto visit) const {
        for (Move move = 0; move < 2; ++move) {
            if (last == no_move || move != inverse(last)) {
                visit(move);
            }
        }
    }
    void apply(int& x, Move move) const { x += move == 0 ? -1 : 1; }
    static Move inverse(Move move) { return move == no_move ? move : 1 - move; }
};

/// To take a move back twice is another move, once for move 0: the marks are no help.
struct CrookedIntegers : MarkedIntegers {
    static constexpr Move no_move = 3;
    static constexpr unsigned move_count = 3;
    static constexpr unsigned word_bits = 29;
    static Move inverse(Move move) { return move == no_move ? move : move == 2 ? 1 : move + 1; }
};

static_assert(npuzzle::UndirectedProblem<Integers> && npuzzle::UndirectedProblem<MarkedIntegers>);
static_assert(npuzzle::detail::marked_moves<MarkedIntegers> == 2);
static_assert(npuzzle::detail::marked_moves<CrookedIntegers> == 3);
static_assert(npuzzle::detail::marked_moves<PackedIntegers> == 0);

template <class Layers>
std::set<int> take_all(Layers& layers) {
    std::set<int> taken;
    while (const auto item = layers.take()) {
        taken.insert(item->state);
    }
    return taken;
}

/// Adds what lies beside each of some numbers to the next layer; how many were new.
template <class Layers>
int add_neighbors(Layers& layers, const std::set<int>& states) {
    int added = 0;
    for (const int x : states) {
        layers.prefetch(x - 1);
        added += layers.add({x - 1, 2}) ? 1 : 0; // The way back is move 1.
        added += layers.add({x + 1, 1}) ? 1 : 0;
    }
    return added;
}

template <class P, class Layers>
void check_layers(bool marks = false) {
    const P problem;
    MemoryBudget budget;
    {
        Layers layers(problem, budget);
        layers.start(0);
        CHECK(layers.current_size() == 1);
        for (int depth = 0; depth < 300; ++depth) {
            const std::set<int> taken = take_all(layers);
            REQUIRE(taken == (depth == 0 ? std::set<int>{0} : std::set<int>{-depth, depth}));
            if (marks && depth > 0) {
                CHECK(layers.add({-depth - 1, 2}));
                CHECK(layers.add({depth + 1, 1}));
            } else {
                REQUIRE(add_neighbors(layers, taken) == 2);
            }
            REQUIRE(layers.next_size() == 2);
            layers.advance();
            REQUIRE(layers.current_size() == 2);
            REQUIRE(layers.next_size() == 0);
        }
    }
    CHECK(budget.used() == 0);
}

} // namespace

TEST_CASE("layers follow one another, whatever is kept of them", "[layers]") {
    check_layers<Integers, LastLayers<Integers>>();
    check_layers<PackedIntegers, LastLayers<PackedIntegers>>();
    check_layers<MarkedIntegers, LastLayers<MarkedIntegers>>(true);
    check_layers<Integers, AllLayers<Integers>>();
    check_layers<PackedIntegers, AllLayers<PackedIntegers>>();
    check_layers<NumberedIntegers, AllLayers<NumberedIntegers>>();
}

TEST_CASE("marks are not relied on if a move is not the way back of its way back", "[layers]") {
    const CrookedIntegers problem;
    MemoryBudget budget;
    LastLayers<CrookedIntegers> layers(problem, budget);
    layers.start(0);
    CHECK(layers.add({1, 1}));
    layers.advance();
    const auto taken = layers.take();
    REQUIRE(taken.has_value());
    CHECK(taken->marks == 0);
    CHECK_FALSE(layers.add({0, 1}));
}

TEST_CASE("a number for each state takes a bit", "[layers]") {
    struct Many : NumberedIntegers {
        std::uint64_t size() const { return 100'000; }
        std::uint64_t index(int x) const { return static_cast<std::uint64_t>(x); }
    };
    const Many problem;
    MemoryBudget budget;
    npuzzle::detail::IndexBits<Many> bits(problem, budget);
    for (const bool is_new : {true, false}) {
        for (const int number : {0, 63, 64, 50'000, 99'999}) {
            CHECK(bits.insert(number) == is_new);
        }
    }
    CHECK(8 * budget.used() >= problem.size());
}

TEST_CASE("a state has the marks of all ways to it", "[layers]") {
    const MarkedIntegers problem;
    MemoryBudget budget;
    LastLayers<MarkedIntegers> layers(problem, budget);
    layers.start(0);
    CHECK(layers.add({7, 1}));
    CHECK_FALSE(layers.add({7, 2}));
    CHECK_FALSE(layers.add({0, 3}));
    layers.advance();
    const auto taken = layers.take();
    REQUIRE(taken.has_value());
    CHECK(taken->state == 7);
    CHECK(taken->marks == 3);
    CHECK_FALSE(layers.take().has_value());
    CHECK(layers.contains(7));
    CHECK_FALSE(layers.contains(0));
    layers.clear();
    CHECK(layers.stored() == 0);
    CHECK(budget.used() == 0);
}
