#include <npuzzle/search/kernel/optimal_graph.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace {

using npuzzle::BudgetAllocator;
using npuzzle::Limits;
using npuzzle::MemoryBudget;
using npuzzle::Status;
using npuzzle::detail::CheapestSteps;
using npuzzle::detail::WorkMonitor;
using Graph = npuzzle::detail::OptimalGraph<std::uint32_t>;
using Number = std::uint32_t;
using Path = std::vector<Number>;

struct Plain {
    std::vector<std::vector<Number>> edges;
    std::vector<Number> starts;

    /// All paths without repetition from `path` on to a vertex without edges, one edge after another.
    void extend(Path& path, std::vector<Path>& all) const {
        if (edges[path.back()].empty()) {
            all.push_back(path);
        }
        for (const Number to : edges[path.back()]) {
            if (std::find(path.begin(), path.end(), to) == path.end()) {
                path.push_back(to);
                extend(path, all);
                path.pop_back();
            }
        }
    }

    std::vector<Path> paths() const {
        std::vector<Path> all;
        for (const Number start : starts) {
            Path path{start};
            extend(path, all);
        }
        return all;
    }
};

Plain random_graph(std::uint64_t seed) {
    test::Random random(seed);
    Plain plain;
    const int vertices = random.between(1, 9);
    plain.edges.resize(static_cast<std::size_t>(vertices));
    std::set<std::pair<int, int>> taken;
    for (int i = random.between(0, 2 * vertices); i > 0; --i) {
        const int from = random.between(0, vertices - 1);
        // A cycle only now and then.
        const int to =
            random.one_in(4) ? random.between(0, vertices - 1) : random.between(from, vertices - 1);
        if (from != to && taken.emplace(from, to).second) {
            plain.edges[static_cast<std::size_t>(from)].push_back(static_cast<Number>(to));
        }
    }
    for (int i = random.between(0, 3); i >= 0; --i) {
        plain.starts.push_back(static_cast<Number>(random.between(0, vertices - 1)));
    }
    return plain;
}

/// The graph, with the edges of a vertex linked in the order that they have.
bool fill(Graph& graph, const Plain& plain, WorkMonitor& monitor) {
    for (const Number start : plain.starts) {
        graph.add_start(start);
    }
    const auto visit_edges = [&](const auto& visit) {
        Number link = 0;
        for (std::size_t from = 0; from < plain.edges.size(); ++from) {
            for (const Number to : plain.edges[from]) {
                visit(static_cast<Number>(from), Graph::Edge{to, link++});
            }
        }
    };
    return graph.set_edges(static_cast<Number>(plain.edges.size()), visit_edges, monitor);
}

std::vector<Path> walk(const Graph& graph, WorkMonitor& monitor) {
    Graph::Walk walk(graph);
    std::vector<Path> all;
    Path path;
    Number vertex = 0;
    Number link = 0;
    for (;;) {
        switch (walk.step(monitor, vertex, link)) {
        case Graph::Walk::Event::entered:
            CHECK(path.empty() == (link == Graph::none));
            path.push_back(vertex);
            if (graph.is_end(vertex)) {
                all.push_back(path);
            }
            break;
        case Graph::Walk::Event::left:
            path.pop_back();
            break;
        case Graph::Walk::Event::limit:
        case Graph::Walk::Event::done:
            CHECK(path.empty());
            return all;
        }
    }
}

} // namespace

TEST_CASE("paths are walked and counted as by a search without any cleverness", "[optimal_graph]") {
    std::size_t most = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        INFO("seed " << seed);
        const Plain plain = random_graph(seed);
        const std::vector<Path> expected = plain.paths();
        MemoryBudget budget;
        WorkMonitor monitor{Limits{}};
        Graph graph(budget);
        REQUIRE(fill(graph, plain, monitor));
        REQUIRE(graph.size() == plain.edges.size());
        REQUIRE(walk(graph, monitor) == expected);
        REQUIRE(graph.count(monitor) == expected.size());
        most = std::max(most, expected.size());
    }
    CHECK(most > 20);
}

TEST_CASE("counts are no greater than the type holds", "[optimal_graph]") {
    // 70 diamonds one behind the other: 2^70 paths.
    Plain plain;
    plain.starts = {0};
    for (Number i = 0; i < 70; ++i) {
        plain.edges.push_back({3 * i + 1, 3 * i + 2});
        plain.edges.push_back({3 * i + 3});
        plain.edges.push_back({3 * i + 3});
    }
    plain.edges.emplace_back();
    MemoryBudget budget;
    WorkMonitor monitor{Limits{}};
    Graph graph(budget);
    REQUIRE(fill(graph, plain, monitor));
    CHECK(graph.count(monitor) == std::numeric_limits<std::uint64_t>::max());

    WorkMonitor late{Limits{.time = std::chrono::nanoseconds{0}}};
    CHECK_FALSE(graph.count(late).has_value());
    CHECK(late.status() == Status::time_limit);
    Graph other(budget);
    CHECK_FALSE(fill(other, plain, late));
}

TEST_CASE("cheapest steps make the graph of what leads to a goal", "[optimal_graph]") {
    MemoryBudget budget;
    CheapestSteps<Number, char> steps(budget);
    for (int node = 0; node < 6; ++node) {
        steps.add_node();
    }
    // 0 -a-> 1 -> 3, 0 -b-> 2 -> 3; 4 is a dead end, 5 was reached at a greater cost before.
    steps.add(0, 1, 'a');
    steps.add(0, 2, 'b');
    steps.add(0, 4, 'c');
    steps.add(1, 3, 'd');
    steps.add(1, 3, 'e'); // parallel to the one before
    steps.add(3, 3, 'f'); // in place
    steps.add(2, 3, 'g');
    steps.add(0, 5, 'h');
    steps.clear(5);
    steps.add(3, 5, 'i');
    WorkMonitor monitor{Limits{}};
    std::vector<Number, BudgetAllocator<Number>> starts({0}, BudgetAllocator<Number>(budget));
    std::vector<Number, BudgetAllocator<Number>> goals({5}, BudgetAllocator<Number>(budget));
    Graph graph(budget);
    REQUIRE(steps.make_graph(graph, starts, goals, monitor));
    CHECK(graph.size() == 5); // all but node 4
    std::vector<Path> paths = walk(graph, monitor);
    for (Path& path : paths) {
        for (Number& vertex : path) {
            vertex = steps.node_of(vertex);
        }
    }
    CHECK(paths == std::vector<Path>{{0, 1, 3, 5}, {0, 2, 3, 5}});

    WorkMonitor late{Limits{.time = std::chrono::nanoseconds{0}}};
    Graph unfinished(budget);
    CHECK_FALSE(steps.make_graph(unfinished, starts, goals, late));

    Graph::Walk first(graph);
    std::vector<char> moves;
    Number vertex = 0;
    Number link = 0;
    while (first.step(monitor, vertex, link) == Graph::Walk::Event::entered) {
        if (link != Graph::none) {
            moves.push_back(steps.move_of(link));
        }
    }
    CHECK(moves == std::vector{'a', 'd', 'i'});
}
