// test:
// needs: boost/heap/d_ary_heap.hpp
// What it teaches: the state may be a vector, with one number per resource. The cost may be a type with a
// unit. Actions of different kinds, counted separately, add up to a heuristic. An islander wants boats: is it
// worth making an axe first?

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

using std::chrono::minutes;

enum Resource : std::size_t { wood, stone, axe, plank, fibre, rope, boat, resources };
using Store = std::vector<int>;

struct Action {
    std::string name;
    minutes time;
    Store change; // what it adds and uses up, for each resource
    bool needs_axe = false;
};

// clang-format off
const std::vector<Action> actions{
    //                            wood stone axe plank fibre rope boat
    {"break wood",   minutes{30}, {  1,   0,   0,   0,   0,   0,   0}},
    {"fell a tree",  minutes{10}, {  1,   0,   0,   0,   0,   0,   0}, true},
    {"find a stone", minutes{5},  {  0,   1,   0,   0,   0,   0,   0}},
    {"make an axe",  minutes{10}, { -1,  -1,   1,   0,   0,   0,   0}},
    {"split planks", minutes{15}, { -1,   0,   0,   2,   0,   0,   0}},
    {"pick fibres",  minutes{5},  {  0,   0,   0,   0,   1,   0,   0}},
    {"twist a rope", minutes{10}, {  0,   0,   0,   0,  -2,   1,   0}},
    {"build a boat", minutes{60}, {  0,   0,   0,  -4,   0,  -2,   1}},
};
// clang-format on

struct Island {
    using State = Store;
    static constexpr int room = 4; // the most of each resource

    int boats;

    std::vector<npuzzle::Edge<State, minutes>> neighbors(const State& store) const {
        std::vector<npuzzle::Edge<State, minutes>> result;
        for (const Action& action : actions) {
            State next = store;
            for (std::size_t i = 0; i < resources; ++i) next[i] += action.change[i];
            const bool is_possible = std::all_of(next.begin(), next.end(),
                                                 [](int amount) { return amount >= 0 && amount <= room; });
            if (is_possible && (!action.needs_axe || store[axe] > 0)) result.push_back({next, action.time});
        }
        return result;
    }
    bool is_goal(const State& store) const { return store[boat] >= boats; }
};

int main() {
    bool is_right = true;
    // By hand: one boat is 2 times wood (30), planks (15), 2 fibres and a rope (20), and the boat (60): 190
    // minutes. For two, an axe (30 + 5 + 10) turns 4 times 30 for wood into 4 times 10: 45 + 40 + 60 + 80 +
    // 120 = 345.
    for (const auto& [boats, by_hand] : {std::pair{1, minutes{190}}, std::pair{2, minutes{345}}}) {
        const Island island{boats};
        // The boats to build, the planks to split, two at a time, the ropes to twist: each counts its own
        // actions.
        const auto left_to_make = [wanted = boats](const Store& store) {
            const int missing = std::max(0, wanted - store[boat]);
            const int planks = std::max(0, 4 * missing - store[plank]);
            const int ropes = std::max(0, 2 * missing - store[rope]);
            return minutes{60 * missing + 15 * ((planks + 1) / 2) + 10 * ropes};
        };
        const auto plan = npuzzle::astar(island, Store(resources), left_to_make);
        const auto blind = npuzzle::dijkstra(island, Store(resources));
        std::cout << boats << (boats == 1 ? " boat" : " boats") << " in " << plan.cost.count() << " minutes, "
                  << plan.path.size() - 1 << " actions; " << plan.statistics.expanded << " stores expanded, "
                  << blind.statistics.expanded << " without a heuristic; axes made: " << plan.path.back()[axe]
                  << '\n';
        is_right = is_right && plan && plan.cost == by_hand && blind.cost == by_hand;
    }
    return is_right ? 0 : 1;
}
