// test:
// A problem that is not a sliding-tile puzzle. Three jugs hold 10, 7 and 3 liters. The first is full of wine,
// and two people want to share it equally. Which pours do it in the fewest steps, and which lift the least
// wine?

#include <npuzzle/search.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <vector>

using Liters = std::array<int, 3>;

constexpr Liters capacity{10, 7, 3};
constexpr Liters full{10, 0, 0};

// All that a search needs. Each pour costs 1, which is the default.
struct FewestPours {
    using State = Liters;

    std::vector<State> neighbors(const State& jugs) const {
        std::vector<State> result;
        for (std::size_t from = 0; from < 3; ++from) {
            for (std::size_t to = 0; to < 3; ++to) {
                const int poured = std::min(jugs[from], capacity[to] - jugs[to]);
                if (from == to || poured == 0) continue;
                result.push_back(jugs);
                result.back()[from] -= poured;
                result.back()[to] += poured;
            }
        }
        return result;
    }
    bool is_goal(const State& jugs) const { return jugs == Liters{5, 5, 0}; }
};

// Each neighbor is now an Edge, with a cost. Costs may be of any arithmetic type.
struct LeastLifted : FewestPours {
    std::vector<npuzzle::Edge<State, int>> neighbors(const State& jugs) const {
        std::vector<npuzzle::Edge<State, int>> result;
        for (const State& next : FewestPours::neighbors(jugs)) {
            int liters = 0;
            for (std::size_t jug = 0; jug < 3; ++jug) liters += std::max(0, jugs[jug] - next[jug]);
            result.push_back({next, liters});
        }
        return result;
    }
};

template <class Problem, class Heuristic>
int share(const char* unit, const Problem& problem, const Heuristic& heuristic) {
    const auto result = npuzzle::astar(problem, full, heuristic);
    std::cout << result.cost << ' ' << unit << ", " << result.statistics.expanded << " states expanded:";
    for (const Liters& jugs : result.path) std::cout << "  " << jugs[0] << '-' << jugs[1] << '-' << jugs[2];
    std::cout << '\n';
    return result ? result.cost : -1;
}

int main() {
    // In the end, the second jug holds 5 liters, so what it lacks must still be lifted. As an estimate of
    // pours this could be too much; Zero never is.
    const auto lacking = [](const Liters& jugs) { return std::max(0, 5 - jugs[1]); };
    const int pours = share("pours", FewestPours{}, npuzzle::Zero{});
    const int liters = share("liters", LeastLifted{}, lacking);
    return pours == 9 && liters == 31 ? 0 : 1;
}
