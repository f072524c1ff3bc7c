// test:
// What it teaches: floating-point costs; neighbors as a view of a table, with nothing copied or allocated;
// numbered states, so nodes are found in a flat array; a heuristic that binds to the problem's goal, so it
// serves both directions of a bidirectional search.

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/dijkstra.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

struct Crossing {
    double x, y; // kilometers
};

// Crossings in rows and columns, slightly displaced, and roads between most neighbors. A road is up to half
// as long again as the straight line.
class Network {
public:
    using Road = npuzzle::Edge<std::uint32_t, double>;
    static constexpr std::uint32_t side = 60;
    static constexpr std::uint32_t count = side * side;

    explicit Network(unsigned seed) : roads_(count) {
        std::mt19937 random(seed);
        const auto fraction = [&] { return static_cast<double>(random()) / 4294967296.0; };
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t row = i / side;
            const double x = i % side + 0.6 * fraction();
            const double y = row + 0.6 * fraction();
            crossings_.push_back({x, y});
        }
        const auto build = [&](std::uint32_t a, std::uint32_t b) {
            if (fraction() < 0.15) return;
            const double length = straight(a, b) * (1 + 0.5 * fraction());
            roads_[a].push_back({b, length});
            roads_[b].push_back({a, length});
        };
        for (std::uint32_t i = 0; i < count; ++i) {
            if (i % side + 1 < side) build(i, i + 1);
            if (i + side < count) build(i, i + side);
        }
    }
    std::span<const Road> roads_from(std::uint32_t crossing) const { return roads_[crossing]; }
    double straight(std::uint32_t a, std::uint32_t b) const {
        return std::hypot(crossings_[a].x - crossings_[b].x, crossings_[a].y - crossings_[b].y);
    }

private:
    std::vector<Crossing> crossings_;
    std::vector<std::vector<Road>> roads_;
};

struct Route {
    using State = std::uint32_t;
    static constexpr bool is_undirected = true;

    const Network* network;
    State target;

    std::span<const Network::Road> neighbors(State crossing) const { return network->roads_from(crossing); }
    bool is_goal(State crossing) const { return crossing == target; }
    State goal() const { return target; }
    Route with_goal(State crossing) const { return {network, crossing}; }
    std::size_t index(State crossing) const { return crossing; }
    std::size_t size() const { return Network::count; }
};

// The straight line is never longer than the road. Because of rounding, it does not claim to be consistent.
struct StraightLine {
    auto bind(const Route& route) const {
        return [route](std::uint32_t crossing) { return route.network->straight(crossing, route.target); };
    }
};

int main() {
    const Network network(1);
    const std::uint32_t from = 10 * Network::side + 10;
    const Route route{&network, 45 * Network::side + 50};

    const auto blind = npuzzle::dijkstra(route, from);
    const auto astar = npuzzle::astar(route, from, StraightLine{});
    const auto from_both_ends = npuzzle::bidirectional_astar(route, from, StraightLine{});
    const auto print = [](const char* name, const auto& result) {
        std::printf("%-17s %.3f km, %zu crossings on the way, %llu expanded\n", name, result.cost,
                    result.path.size(), static_cast<unsigned long long>(result.statistics.expanded));
    };
    std::printf("Straight line     %.3f km\n", network.straight(from, route.target));
    print("Dijkstra", blind);
    print("A*", astar);
    print("A* from both ends", from_both_ends);
    const auto is_equal = [&](const auto& result) {
        return result && std::abs(result.cost - blind.cost) < 1e-9;
    };
    return is_equal(astar) && is_equal(from_both_ends) ? 0 : 1;
}
