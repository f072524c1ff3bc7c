#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/kernel/retrace.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/pooled.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <vector>

namespace {

/// Steps of one and two, by moves of unequal cost; two of them lead the same way.
struct Stairs {
    using State = int;
    using Move = int;
    static constexpr int no_move = 0;
    std::vector<npuzzle::Edge<int, int>> neighbors(int x) const {
        return {{x + 1, 5}, {x + 1, 3}, {x + 2, 3}};
    }
    template <class F>
    void for_each_move(int, int, F f) const {
        for (const int move : {11, 1, 2}) {
            f(move);
        }
    }
    void apply(int& x, int move) const { x += move % 10; }
    int inverse(int move) const { return -move; }
    int move_cost(int, int move) const { return move == 11 ? 5 : 3; }
    bool is_goal(int x) const { return x == 10; }
};

} // namespace

TEST_CASE("a path is gone back over, its moves with it", "[retrace]") {
    const Stairs stairs;
    npuzzle::MemoryBudget budget(npuzzle::Limits::unlimited);
    npuzzle::PooledNodeTable<Stairs, int> table(stairs, budget);
    using Table = decltype(table);
    auto root = table.insert(0).first;
    root.relax(0, 0, Table::root(root));
    auto middle = table.insert(1).first;
    middle.relax(5, 0, Table::link(root, 11));
    auto end = table.insert(3).first;
    end.relax(8, 0, Table::link(middle, 2));

    std::vector<int> path;
    std::vector<int> moves;
    npuzzle::detail::retrace<Stairs>(table, end, path, moves);
    CHECK(path == std::vector{0, 1, 3});
    CHECK(moves == std::vector{11, 2});
    CHECK(npuzzle::detail::path_cost(stairs, path, moves) == 8);

    // Found again by states alone, each step is the cheapest.
    std::vector<int> cheapest;
    CHECK(npuzzle::detail::look_up_steps(stairs, path, cheapest) == 6);
    CHECK(cheapest == std::vector{1, 2});
}

TEST_CASE("a step is found again among the neighbors", "[retrace]") {
    test::Graph<int> graph(3);
    graph.connect(0, 1, 7).connect(0, 1, 4).connect(1, 2, 1);
    CHECK(npuzzle::detail::cheapest_step(graph, 0, 1)->cost == 4);
    CHECK_FALSE(npuzzle::detail::cheapest_step(graph, 0, 2));
    CHECK(npuzzle::detail::path_cost(graph, {0, 1, 2}, npuzzle::detail::Nothing{}) == 5);
    CHECK(npuzzle::detail::path_cost(graph, {0}, npuzzle::detail::Nothing{}) == 0);
}
