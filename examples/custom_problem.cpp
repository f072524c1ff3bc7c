// test:
// A problem that has nothing to do with puzzles. Three jugs hold 10, 7 and 3 litres; the first is full of
// wine, and two people want to share it equally. Which pours do it in the fewest steps, and which lift the
// least wine?

#include <npuzzle/search.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iostream>
#include <vector>

using Litres = std::array<int, 3>;

constexpr Litres capacity{10, 7, 3};
constexpr Litres full{10, 0, 0};

// All that a search has to know. Each pour costs 1, since nothing else is said.
struct FewestPours {
    using State = Litres;

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
    bool is_goal(const State& jugs) const { return jugs == Litres{5, 5, 0}; }
};

// Costs come with the neighbours, each of them now an Edge. They may be of any arithmetic type.
struct LeastLifted : FewestPours {
    std::vector<npuzzle::Edge<State, int>> neighbors(const State& jugs) const {
        std::vector<npuzzle::Edge<State, int>> result;
        for (const State& next : FewestPours::neighbors(jugs)) {
            int litres = 0;
            for (std::size_t jug = 0; jug < 3; ++jug) litres += std::max(0, jugs[jug] - next[jug]);
            result.push_back({next, litres});
        }
        return result;
    }
};

template <class Problem, class Heuristic>
int share(const char* unit, const Problem& problem, const Heuristic& heuristic) {
    const auto result = npuzzle::astar(problem, full, heuristic);
    std::cout << result.cost << ' ' << unit << ", " << result.statistics.expanded << " states expanded:";
    for (const Litres& jugs : result.path) std::cout << "  " << jugs[0] << '-' << jugs[1] << '-' << jugs[2];
    std::cout << '\n';
    return result ? result.cost : -1;
}

int main() {
    // In the end the second jug has got 5 litres, so what it lacks must still be lifted. As an estimate of
    // pours this would be too much; Zero never is.
    const auto lacking = [](const Litres& jugs) { return std::max(0, 5 - jugs[1]); };
    const int pours = share("pours", FewestPours{}, npuzzle::Zero{});
    const int litres = share("litres", LeastLifted{}, lacking);
    return pours == 9 && litres == 31 ? 0 : 1;
}
