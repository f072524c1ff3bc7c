#include <npuzzle/search/parallel/kernel/subtree_search.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace {

/// The tree in which node n has the children 2 n and 2 n + 1. The state is changed in place if it is large.
template <std::size_t size>
struct Binary {
    struct State {
        std::uint64_t n = 1;
        std::uint64_t other[size] = {};

        friend bool operator==(const State& a, const State& b) { return a.n == b.n; }
    };
    using Move = int;
    static constexpr Move no_move = -1;

    std::uint64_t goal;

    std::vector<State> neighbors(const State& state) const { return {{2 * state.n}, {2 * state.n + 1}}; }
    bool is_goal(const State& state) const { return state.n == goal; }
    void for_each_move(const State&, Move, auto visit) const {
        visit(0);
        visit(1);
    }
    void apply(State& state, Move move) const {
        state.n = move < 2 ? 2 * state.n + static_cast<std::uint64_t>(move) : state.n / 2;
    }
    static Move inverse(Move) { return 2; }
};

template <class Search>
struct Listing {
    std::vector<typename Search::Unit> units;

    void descend(std::size_t, int) {}
    bool visit(int, const auto&, const auto& position, const auto& evaluation) {
        units.push_back({position, evaluation});
        return false;
    }
};

template <std::size_t size>
void check_subtrees() {
    using Problem = Binary<size>;
    using Search = npuzzle::detail::SubtreeSearch<Problem, npuzzle::Zero>;
    const Problem problem{(1 << 9) + 200}; // at depth 9
    const typename Search::Engine whole(problem, {}, npuzzle::Zero{});
    bool is_stopping = false;
    Search search(whole, npuzzle::Zero{}, [&] { return is_stopping; });
    Listing<Search> listing;
    CHECK_FALSE(search.visit_above(8, 3, listing));
    CHECK(search.statistics().expanded == 7);
    REQUIRE(listing.units.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) {
        const std::vector<int> moves{static_cast<int>(i / 4), static_cast<int>(i / 2 % 2),
                                     static_cast<int>(i % 2)};
        auto unit = listing.units[i];
        CHECK_FALSE(search.search(8, std::span<const int>(moves), unit));
        CHECK(unit.expanded == 63); // six levels, from depth 3 to 8
        CHECK(unit.generated == 126);
    }
    CHECK(search.statistics().expanded == 7 + 8 * 63);
    // With the next bound, the goal is in the fourth.
    listing.units.clear();
    CHECK_FALSE(search.visit_above(9, 3, listing));
    CHECK(search.search(9, std::span<const int>(std::vector<int>{0, 1, 1}), listing.units[3]));
    search.return_to({});
    CHECK(search.visit_above(9, 20, listing)); // above the cut
    search.return_to({});
    CHECK_FALSE(search.search(9, std::span<const int>(std::vector<int>{1, 0, 0}), listing.units[4]));
    // One that would not end.
    listing.units.clear();
    CHECK_FALSE(search.visit_above(60, 3, listing));
    is_stopping = true;
    CHECK(search.search(60, std::span<const int>(std::vector<int>{1, 0, 0}), listing.units[4]));
}

} // namespace

TEST_CASE("subtrees are searched one after the other", "[parallel_ida_star]") {
    check_subtrees<1>();
    check_subtrees<100>();
}
