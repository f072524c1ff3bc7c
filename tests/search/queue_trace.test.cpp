#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/open_list/heap.hpp"
#include "npuzzle/search/queue_trace.hpp"

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

using npuzzle::astar;
using npuzzle::QueueTrace;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;

namespace {

constexpr int infinite = std::numeric_limits<int>::max();

template <class Trace>
std::string text_of(const Trace& trace) {
    std::ostringstream text;
    text << trace;
    return text.str();
}

/// The trace of a puzzle that has made the rounds of programming courses.
const std::string classical_text = "step 0: (4,0,4)\n"
                                   "step 1: (4,1,3) (6,1,5)\n"
                                   "step 2: (4,2,2) (6,2,4) (6,1,5)\n"
                                   "step 3: (4,3,1) (6,3,3) (6,3,3) (6,2,4) (6,1,5)\n"
                                   "step 4: (4,4,0) (6,4,2) (6,3,3) (6,3,3) (6,2,4) (6,1,5)\n";

template <class Policy, class P, class H>
void check_classical_trace(const P& puzzle, const npuzzle::state_t<P>& start, const H& heuristic) {
    QueueTrace<P, H> trace;
    const auto result = astar<Policy>(puzzle, start, heuristic, {}, trace);
    REQUIRE(result.status == Status::solved);
    CHECK(result.cost == 4);
    CHECK(trace.steps().size() == 5);
    CHECK(trace.enqueued() == 10);
    CHECK(text_of(trace) == classical_text);
    // The queue is that of the search, and not just the same numbers: each entry's state has its g and h.
    auto bound = npuzzle::bind_heuristic(heuristic, puzzle);
    for (const auto& step : trace.steps()) {
        for (const auto& entry : step) {
            CHECK(bound(entry.state) == entry.estimate);
            CHECK(entry.cost + entry.estimate == entry.priority);
        }
    }
    for (std::size_t i = 0; i < trace.steps().size(); ++i) {
        CHECK(trace.steps()[i].front().state == result.path[i]);
    }
}

/// Also writes down the order in which states were taken.
template <class P, class H>
struct Recorder : QueueTrace<P, H> {
    std::vector<npuzzle::state_t<P>> taken;

    void expand(const auto& node) {
        taken.push_back(node.state);
        QueueTrace<P, H>::expand(node);
    }
    void goal(const auto& node) {
        taken.push_back(node.state);
        QueueTrace<P, H>::goal(node);
    }
};

using Entry = std::tuple<int, int, int, int>; // f, -g, h, state: in the order of a trace
using Queue = std::multiset<Entry>;

/// A* as it is on a blackboard, over a graph: the queue before each node is taken from it. Of entries that
/// are equally good it takes the one that `order` names, since nothing says which goes first.
struct Model {
    std::vector<Queue> steps;
    std::size_t enqueued = 0;
    bool is_solved = false;
    bool takes_the_best = true;

    template <class Estimate>
    Model(const test::Graph<int>& graph, int start, Estimate estimate, const std::vector<int>& order) {
        std::map<int, int> best{{start, 0}};
        Queue queue;
        const auto enqueue = [&](int vertex, int cost) {
            if (estimate(vertex) != infinite) {
                queue.insert({cost + estimate(vertex), -cost, estimate(vertex), vertex});
                ++enqueued;
            }
        };
        enqueue(start, 0);
        for (const int vertex : order) {
            steps.push_back(queue);
            const Entry entry{best[vertex] + estimate(vertex), -best[vertex], estimate(vertex), vertex};
            if (!queue.contains(entry) || std::get<0>(*queue.begin()) != std::get<0>(entry) ||
                std::get<1>(*queue.begin()) != std::get<1>(entry)) {
                takes_the_best = false;
                return;
            }
            queue.erase(queue.find(entry));
            if (graph.is_goal(vertex)) {
                is_solved = true;
                return;
            }
            for (const auto& [to, step] : graph.neighbors(vertex)) {
                const int cost = best[vertex] + step;
                const auto known = best.find(to);
                if (known == best.end()) {
                    best[to] = cost;
                    enqueue(to, cost);
                } else if (cost < known->second) {
                    if (estimate(to) !=
                        infinite) { // then the old entry leaves the queue, if it is there still
                        queue.erase(Entry{known->second + estimate(to), -known->second, estimate(to), to});
                    }
                    known->second = cost;
                    enqueue(to, cost);
                }
            }
        }
    }
};

template <class Policy>
void check_against_model(const test::Graph<int>& graph, const test::Table<int>& heuristic,
                         npuzzle::Statistics& totals) {
    Recorder<test::Graph<int>, test::Table<int>> trace;
    const auto result = astar<Policy>(graph, 0, heuristic, {}, trace);
    const Model model(graph, 0, heuristic, trace.taken);
    CHECK(model.takes_the_best);
    CHECK(model.is_solved == (result.status == Status::solved));
    CHECK(trace.enqueued() == model.enqueued);
    REQUIRE(trace.steps().size() == model.steps.size());
    for (std::size_t i = 0; i < trace.steps().size(); ++i) {
        CAPTURE(i);
        Queue queue;
        for (const auto& entry : trace.steps()[i]) {
            queue.insert({entry.priority, -entry.cost, entry.estimate, entry.state});
        }
        CHECK(queue == model.steps[i]);
        CHECK(std::is_sorted(trace.steps()[i].begin(), trace.steps()[i].end(),
                             [](const auto& a, const auto& b) {
                                 return a.priority != b.priority ? a.priority < b.priority : a.cost > b.cost;
                             }));
    }
    totals.merge_concurrent(result.statistics);
}

} // namespace

TEST_CASE("the classical trace: 5 dequeues, 10 enqueues", "[queue_trace]") {
    const npuzzle::Board board{{0, 1, 3}, {4, 2, 5}, {7, 8, 6}};
    check_classical_trace<npuzzle::ParentOnly>(SlidingPuzzle<3>{}, npuzzle::PackedBoard<3>(board),
                                               npuzzle::Manhattan{});
    check_classical_trace<npuzzle::DefaultPolicy>(SlidingPuzzle{3}, board, npuzzle::Hamming{});
}

TEST_CASE(
    "under ParentOnly a state stands on the queue once for each path to it, and the right one is taken") {
    test::Graph<int> graph(4);
    graph.connect(0, 1, 5).connect(0, 2, 1).connect(2, 1, 1).connect(1, 3, 10).add_goal(3);
    QueueTrace<test::Graph<int>, npuzzle::Zero> trace;
    CHECK(astar<npuzzle::ParentOnly>(graph, 0, npuzzle::Zero{}, {}, trace).cost == 12);
    CHECK(text_of(trace) == "step 0: (0,0,0)\n"
                            "step 1: (1,1,0) (5,5,0)\n"
                            "step 2: (2,2,0) (5,5,0)\n"
                            "step 3: (5,5,0) (12,12,0)\n"
                            "step 4: (12,12,0) (15,15,0)\n");
    CHECK(trace.enqueued() == 6);
}

TEST_CASE("costs that are no integers are written as they are", "[queue_trace]") {
    test::Graph<double> graph(3);
    graph.connect(0, 1, 0.5).connect(0, 2, 2.25).connect(1, 2, 0.25).add_goal(2);
    QueueTrace<test::Graph<double>, npuzzle::Zero> trace;
    astar(graph, 0, npuzzle::Zero{}, {}, trace);
    CHECK(text_of(trace) == "step 0: (0,0,0)\n"
                            "step 1: (0.5,0.5,0) (2.25,2.25,0)\n"
                            "step 2: (0.75,0.75,0)\n");
}

TEST_CASE("the trace of a search with a closed set is that of A* on a blackboard", "[queue_trace]") {
    npuzzle::Statistics totals;
    for (std::uint64_t seed = 0; seed < 450; ++seed) {
        CAPTURE(seed);
        test::Random random(seed);
        const auto graph = test::random_graph<int>(seed, random.between(3, 25), random.between(5, 150), 1);
        test::Table<int> heuristic; // inconsistent, and infinite here and there
        for (int vertex = 0; vertex < graph.size(); ++vertex) {
            if (!graph.is_goal(vertex)) {
                heuristic.values[vertex] = random.one_in(12) ? infinite : random.between(0, 20);
            }
        }
        check_against_model<npuzzle::DefaultPolicy>(graph, heuristic, totals);
        check_against_model<npuzzle::HeapPolicy>(graph, heuristic, totals);
    }
    CHECK(totals.reopened > 100);
    CHECK(totals.duplicates > 1000);
}
