// test:
// needs: boost/heap/d_ary_heap.hpp
// What it teaches: a cost may be several resources, of which the first counts first. Three things make it a
// cost: an order, `+`, and a default value of zero. What is no number is ordered by a heap, whose header is
// included. A messenger wants the least time, among the fastest ways the one of the least fuel, and among
// those the one of the least toll.

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include <compare>
#include <iostream>
#include <vector>

struct Expense {
    int minutes = 0;
    int fuel = 0;
    int toll = 0;

    friend Expense operator+(const Expense& a, const Expense& b) {
        return {a.minutes + b.minutes, a.fuel + b.fuel, a.toll + b.toll};
    }
    auto operator<=>(const Expense&) const = default; // member by member, in their order
};

/// Towns on a grid of streets, and on each street what it takes to go along it.
struct Streets {
    using State = int;
    using Edge = npuzzle::Edge<State, Expense>;

    int width;

    std::vector<Edge> neighbors(int town) const {
        std::vector<Edge> result;
        if (town % width > 0) result.push_back({town - 1, street(town - 1, 0)});
        if (town % width < width - 1) result.push_back({town + 1, street(town, 0)});
        if (town >= width) result.push_back({town - width, street(town - width, 1)});
        if (town < width * (width - 1)) result.push_back({town + width, street(town, 1)});
        return result;
    }
    bool is_goal(int town) const { return town == width * width - 1; }

    /// A street to the east or to the south: few speeds, so that many ways take the same time.
    static Expense street(int town, int direction) {
        const unsigned mixed = static_cast<unsigned>(2 * town + direction) * 2654435769U;
        const int number = static_cast<int>(mixed >> 17);
        return {number % 2 + 1, number % 5 + 1, number % 3};
    }
};

int main() {
    const Streets streets{60};
    // Each street takes a minute and a unit of fuel at least.
    const auto left = [&](int town) {
        const int distance = 2 * (streets.width - 1) - town % streets.width - town / streets.width;
        return Expense{distance, distance, 0};
    };
    const auto way = npuzzle::astar(streets, 0, left);
    const auto blind = npuzzle::dijkstra(streets, 0);
    std::cout << way.cost.minutes << " minutes, " << way.cost.fuel << " units of fuel, toll " << way.cost.toll
              << ": " << way.path.size() - 1 << " streets\n"
              << way.statistics.expanded << " towns expanded, " << blind.statistics.expanded
              << " without a heuristic\n";
    return way && blind.cost == way.cost ? 0 : 1;
}
