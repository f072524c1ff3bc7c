#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/kernel/ida_star_bounds.hpp>
#include <npuzzle/search/kernel/interleaved_search.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// What an engine makes of it is in interleaving.test.cpp.

namespace {

/// A complete binary tree: the state is the number of a node, from 1, in the order of layers.
struct Tree {
    using State = std::uint64_t;
    using Move = unsigned;
    static constexpr Move no_move = 2;
    static constexpr unsigned move_count = 2;

    std::vector<State> goals;

    std::vector<State> neighbors(State node) const { return {2 * node, 2 * node + 1}; }
    bool is_goal(State node) const { return std::find(goals.begin(), goals.end(), node) != goals.end(); }
    template <class F>
    void for_each_move(State, Move, F&& visit) const {
        visit(0U);
        visit(1U);
    }
    void apply(State& node, Move move) const { node = 2 * node + move; }
    Move inverse(Move) const { return no_move; }
};

/// Zero, in two steps.
struct Estimate {
    using Evaluation = int;
    using Awaited = int;

    int operator()(std::uint64_t) const { return 0; }
    int evaluate(std::uint64_t) const { return 0; }
    int after(int, std::uint64_t, unsigned, std::uint64_t) const { return 0; }
    int value(int evaluation) const { return evaluation; }
    void await(int& awaited, int, std::uint64_t, unsigned) const { awaited = 0; }
    int value(int, int awaited) const { return awaited; }
    void follow(int& evaluation, int awaited) const { evaluation = awaited; }
    std::size_t looked_up_bytes() const { return 0; }
};

using Bound = npuzzle::detail::UnitCostBound<int, int, false, 2'000>;
using Search = npuzzle::detail::InterleavedSearch<Tree, Estimate, Bound, true>;

/// Calls `use(search, was_searched)` after a search of all nodes up to a depth.
template <class Grant, class F>
void search_tree(const Tree& tree, int depth, Grant&& grant, F&& use) {
    Estimate estimate;
    Search search(tree, estimate, 100);
    Bound bound;
    bound.set(depth);
    const bool is_searched = search.search(bound, {1, 0, bound.start(), Tree::no_move}, grant);
    use(search, is_searched);
}

/// What one depth-first search expands before it comes to a node.
std::uint64_t expanded_before(std::uint64_t node, int depth) {
    std::uint64_t count = 0;
    const auto visit = [&](const auto& self, std::uint64_t at, int left) -> bool {
        if (at == node) {
            return true;
        }
        ++count;
        return left > 0 && (self(self, 2 * at, left - 1) || self(self, 2 * at + 1, left - 1));
    };
    visit(visit, 1, depth);
    return count;
}

} // namespace

TEST_CASE("a search in parts counts all nodes within the bound", "[interleaved_search]") {
    const auto grant = [](const auto&) { return std::uint64_t{64}; };
    for (const int depth : {0, 1, 5, 9, 14}) {
        search_tree({}, depth, grant, [&](const Search& search, bool is_searched) {
            CHECK(is_searched);
            CHECK_FALSE(search.end());
            CHECK(search.counts().expanded == (std::uint64_t{2} << depth) - 1);
            CHECK(search.counts().generated == 2 * search.counts().expanded);
        });
    }
}

TEST_CASE("a search in parts ends at the first goal of a depth-first search", "[interleaved_search]") {
    constexpr int depth = 13;
    const auto grant = [](const auto&) { return std::uint64_t{1'000}; };
    for (std::uint64_t first = 2; first < std::uint64_t{2} << depth; first = 3 * first + 1) {
        // Of the others, some come later in that order, and are nearer.
        Tree tree{{first}};
        for (const std::uint64_t other : {3U, 7U, 13U, 16'383U}) {
            if (expanded_before(other, depth) > expanded_before(first, depth)) {
                tree.goals.push_back(other);
            }
        }
        search_tree(tree, depth, grant, [&](const Search& search, bool is_searched) {
            CHECK(is_searched);
            REQUIRE(search.end());
            CHECK(search.end()->state == first);
            CHECK(search.counts().expanded == expanded_before(first, depth));
            std::uint64_t at = 1;
            for (const unsigned move : search.path_to_end()) {
                tree.apply(at, move);
            }
            CHECK(at == first);
        });
    }
}

TEST_CASE("a search in parts stops when nothing is granted", "[interleaved_search]") {
    std::uint64_t last = 0;
    const auto grant = [&](const auto& counts) {
        last = counts.expanded;
        return std::uint64_t{counts.expanded < 5'000 ? 500U : 0U};
    };
    search_tree({}, 14, grant, [&](const Search& search, bool is_searched) {
        CHECK_FALSE(is_searched);
        CHECK_FALSE(search.end());
    });
    CHECK(last >= 5'000);
    CHECK(last < 5'600);
}
