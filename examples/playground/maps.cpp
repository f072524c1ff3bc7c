#include <npuzzle/maps/distances.hpp>
#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/maps/jump_points.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "maps.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace playground {

namespace {

// Thousandths, since sums of integers do not depend on their order: no path is cheaper by rounding alone.
using Map = npuzzle::GridMap<int>;
constexpr int straight = 1000;
constexpr int diagonal = 1414;

double in_steps(double cost) {
    return cost / straight;
}

class Recorder : public npuzzle::SilentObserver {
public:
    Recorder(const MapRequest& request, bool is_deepening)
        : progress_(request.progress), is_deepening_(is_deepening) {}

    void start(const auto& node) { note(EventKind::open, node); }
    void expand(const auto& node) {
        const auto bound = static_cast<double>(node.priority);
        if (is_deepening_ && (trace.size() == 1 || bound_ < bound)) {
            bound_ = bound;
            note(EventKind::iteration, node);
        }
        note(EventKind::expand, node);
    }
    // What follows tells whether it is new.
    void generate(const auto& node, const auto& /*parent*/) { note(EventKind::open, node); }
    void duplicate(const auto& /*node*/) { trace.pop_back(); }
    void improve(const auto& /*node*/) { turn_into(EventKind::improve); }
    void reopen(const auto& /*node*/) { turn_into(EventKind::reopen); }
    void goal(const auto& node) { note(EventKind::goal, node); }
    void progress(const npuzzle::Statistics& statistics) {
        if (progress_) progress_(statistics);
    }

    std::vector<Event> trace;

private:
    void note(EventKind kind, const auto& node) {
        bool is_backward = false;
        if constexpr (requires { node.direction; }) {
            is_backward = node.direction == npuzzle::Direction::backward;
        }
        const std::uint32_t word = node.state | bits(kind) | (is_backward ? std::uint32_t{1} << 28 : 0);
        trace.push_back({word, static_cast<float>(in_steps(static_cast<double>(node.cost))),
                         static_cast<float>(in_steps(static_cast<double>(node.estimate)))});
    }

    // Of the last event, that a cell was put on the open list.
    void turn_into(EventKind kind) { trace.back().word |= bits(kind); }

    static std::uint32_t bits(EventKind kind) { return static_cast<std::uint32_t>(kind) << 24; }

    const std::function<void(const npuzzle::Statistics&)>& progress_;
    bool is_deepening_;
    double bound_ = 0;
};

Map map_of(const MapRequest& request) {
    const auto weight = [&](int x, int y) {
        return request.cells.at(static_cast<std::size_t>(y) * static_cast<std::size_t>(request.width) +
                                static_cast<std::size_t>(x));
    };
    Map map(request.width, request.height, [&](int x, int y) { return weight(x, y) != 0; },
            {.sides = request.has_diagonals ? npuzzle::Sides::eight : npuzzle::Sides::four,
             .straight = straight,
             .diagonal = diagonal});
    const bool is_weighted =
        std::any_of(request.cells.begin(), request.cells.end(), [](std::uint8_t cell) { return cell > 1; });
    return is_weighted ? map.with_weights(weight) : map;
}

} // namespace

MapOutcome search_map(const MapRequest& request) {
    const std::string& algorithm = request.algorithm;
    const Map map = map_of(request).with_goal(request.goal);
    const auto start = request.start;
    if (start >= map.size()) throw std::invalid_argument("the start is not on the map");
    const npuzzle::OctileDistance heuristic;
    const npuzzle::Limits& limits = request.limits;
    Recorder recorder(request, algorithm == "ida_star");

    auto result = [&] {
        if (algorithm == "astar") return npuzzle::astar(map, start, heuristic, limits, recorder);
        if (algorithm == "dijkstra") return npuzzle::dijkstra(map, start, limits, recorder);
        if (algorithm == "greedy") return npuzzle::greedy_best_first(map, start, heuristic, limits, recorder);
        if (algorithm == "weighted_astar") {
            return npuzzle::weighted_astar(map, start, heuristic, {.weight = request.weight}, limits,
                                           recorder);
        }
        if (algorithm == "bidirectional") {
            return npuzzle::bidirectional_astar(map, start, heuristic, limits, recorder);
        }
        if (algorithm == "jump_points") {
            return npuzzle::jump_point_search(npuzzle::JumpPoints<int>(map), start, heuristic,
                                              npuzzle::BasicLimits<int>(limits), recorder);
        }
        if (algorithm == "ida_star") return npuzzle::ida_star(map, start, heuristic, limits, recorder);
        throw std::invalid_argument("there is no algorithm " + algorithm);
    }();

    MapOutcome outcome;
    outcome.status = result.status;
    outcome.path = std::move(result.path);
    outcome.cost = in_steps(result.cost);
    outcome.statistics = result.statistics;
    outcome.trace = std::move(recorder.trace);
    return outcome;
}

} // namespace playground
