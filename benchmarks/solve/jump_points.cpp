// Row 20: jump points of grid maps, against A* on the same maps, whose cells are numbered.

#include <npuzzle/maps/jump_points.hpp>

#include "solve/grid_runs.hpp"
#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/maps.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace benchmarks {

namespace {

using Map = npuzzle::GridMap<>;

/// Searches between the same cells, of one contestant.
struct Searches {
    double seconds = 0;
    std::uint64_t expanded = 0;
};

/// The least time of a search, and its cost; a negative one if there is no path.
struct Search {
    double seconds = std::numeric_limits<double>::infinity();
    double cost = -1;
    std::uint64_t expanded = 0;

    template <class F>
    void run(const Map& map, Map::State start, const std::string& name, F&& search) {
        const Stopwatch stopwatch;
        const auto result = search();
        seconds = std::min(seconds, stopwatch.seconds());
        expanded = result.statistics.expanded;
        require(result || result.status == npuzzle::Status::unsolvable, name + ": not searched to the end");
        if (!result) return;
        cost = result.cost;
        require(result.path.front() == start && map.is_goal(result.path.back()),
                name + ": the path does not lead from the start to the goal");
        double sum = 0;
        for (std::size_t i = 1; i < result.path.size(); ++i) {
            const auto steps = map.neighbors(result.path[i - 1]);
            const auto step = std::find_if(steps.begin(), steps.end(),
                                           [&](const auto& edge) { return edge.to == result.path[i]; });
            require(step != steps.end(), name + ": a step of the path is none of the map's");
            sum += step->cost;
        }
        require(std::abs(sum - cost) < 1e-6 * (1 + cost),
                name + ": the path does not have the cost that was found");
    }
};

std::string text(const Searches& searches, int queries) {
    return to_text(searches.seconds / queries * 1e6, "us") + ", " +
           std::to_string(searches.expanded / static_cast<std::uint64_t>(queries)) + " expanded";
}

void compare_on(Session& session, const test::SquareMap& cells, const std::string& name, Ratios& ratios) {
    const int size = cells.size();
    const Map map(size, size, [&](int x, int y) { return cells.is_free(x, y); });
    const Stopwatch stopwatch;
    const npuzzle::JumpPoints jumps(map);
    const double build_seconds = stopwatch.seconds();

    const int queries = session.is_smoke() ? 2 : 100;
    Searches peer;
    Searches npuzzle;
    std::mt19937_64 generator(1);
    const auto random_cell = [&] {
        while (true) {
            const auto cell = static_cast<Map::State>(generator() % map.size());
            if (map.is_free(cell)) return cell;
        }
    };
    for (int query = 0; query < queries; ++query) {
        const auto start = random_cell();
        const auto goal = random_cell();
        const auto to = map.with_goal(goal);
        const auto jumps_to = jumps.with_goal(goal);
        Search plain;
        Search jumping;
        for (int round = 0; round < session.rounds(5) + 2; ++round) {
            plain.run(to, start, name, [&] { return npuzzle::astar(to, start, npuzzle::OctileDistance{}); });
            jumping.run(to, start, name, [&] { return npuzzle::jump_point_search(jumps_to, start); });
        }
        require(std::abs(plain.cost - jumping.cost) < 1e-6 * (1 + std::abs(plain.cost)),
                name + ": jumps and steps found different costs");
        peer.seconds += plain.seconds;
        peer.expanded += plain.expanded;
        npuzzle.seconds += jumping.seconds;
        npuzzle.expanded += jumping.expanded;
    }
    const double ratio = peer.seconds / npuzzle.seconds;
    ratios.add(ratio, name);
    session.report({"20", name, ratio, "x", 0, 0, false,
                    text(npuzzle, queries) + "; built in " + to_text(build_seconds * 1e3, "ms"),
                    text(peer, queries), "", true});
}

} // namespace

void search_by_jumps(Session& session) {
    Ratios walled;
    Ratios others;
    for (const int size : session.is_smoke() ? std::vector<int>{32} : std::vector<int>{192, 512}) {
        const auto on = [&](const test::SquareMap& cells, const std::string& kind, Ratios& ratios) {
            compare_on(session, cells, kind + ", " + std::to_string(size), ratios);
        };
        on(test::rooms(size, 7, 1), "rooms of 7", walled);
        on(test::rooms(size, 31, 1), "rooms of 31", walled);
        on(test::blocks(size, size * size / 400, 16, 1), "blocks", walled);
        on(test::scattered(size, 10, 1), "10 % obstacles", others);
        on(test::scattered(size, 35, 1), "35 % obstacles", others);
        on(test::maze(size, 1), "a maze", others);
    }
    const std::string note = "random pairs of cells, the worst of the maps, the least of several times each, "
                             "against A* on the same map; the table of jumps is built before";
    session.report({"20", "jump points of rooms and blocks", walled.least(), "x", 3, 10, false, walled.text(),
                    "", note});
    session.report({"20", "jump points of scattered obstacles and mazes", others.least(), "x", 1, 0, false,
                    others.text(), "", note});
}

} // namespace benchmarks
