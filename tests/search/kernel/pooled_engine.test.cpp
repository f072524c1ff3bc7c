#include <npuzzle/search/kernel/pooled_engine.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace {

using npuzzle::Zero;
using npuzzle::detail::Arrival;
using test::Graph;

/// Goes through all that can be reached, in the order of the costs.
class Spread : public npuzzle::PooledEngine<Spread, Graph<int>, Zero, npuzzle::SilentObserver> {
    using Base = npuzzle::PooledEngine<Spread, Graph<int>, Zero, npuzzle::SilentObserver>;
    friend Base;
    friend npuzzle::EngineBase<Spread, int, npuzzle::SilentObserver>;

public:
    explicit Spread(const Graph<int>& graph, int start) : Base(graph, Zero{}, {}, {}, {}) {
        add_start(start);
    }

    /// Whether the start has got its path by this.
    bool add_start(int start) { return insert_start(start, Starting{{{}, *this}}).second; }

    std::map<int, int> costs;   // of what was expanded last
    std::uint64_t arrived[6]{}; // by their kind

private:
    struct Starting : StartRules {
        using StartRules::engine;
        static bool is_beyond(const auto& /*node*/, const auto& /*view*/) { return false; }
        void open(const auto& node, const auto& view, Arrival arrival) {
            ++engine.arrived[static_cast<int>(arrival)];
            engine.push(view.priority, view.cost, node);
        }
    };
    struct Arriving : NeighborRules {
        using NeighborRules::engine;
        static bool is_beyond(const auto& /*node*/, const auto& /*view*/) { return false; }
        void open(const auto& node, const auto& view, Arrival arrival) {
            Starting{{{}, engine}}.open(node, view, arrival);
        }
        void duplicate(const auto& /*node*/) { ++engine.arrived[static_cast<int>(Arrival::duplicate)]; }
    };

    void advance() {
        if (open_.empty()) {
            finish(exhausted());
            return;
        }
        const auto entry = open_.pop();
        if (auto node = table_.find_open(entry.key, entry.cost, [](int) { return true; })) {
            node->close();
            ++statistics_.expanded;
            costs[node->state()] = entry.cost;
            insert_neighbors<Arriving>(*node, view_of(node->state(), entry.cost, 0), Move{},
                                       [](int, int step) { return step == 7; });
        }
    }
};

} // namespace

TEST_CASE("an engine of a few lines goes through a graph by the kernel", "[pooled_engine]") {
    std::uint64_t improved = 0;
    std::uint64_t reopened = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto graph = test::random_graph<int>(seed, 30, 80, 1);
        auto without = graph; // the steps that the engine leaves out
        for (auto& edges : without.edges) {
            std::erase_if(edges, [](const auto& edge) { return edge.cost == 7; });
        }
        Spread engine(graph, 0);
        for (std::uint64_t i = 0; i < seed % 20; ++i) {
            engine.step();
        }
        const int other = static_cast<int>(seed % 30);
        const auto from_first = oracle::costs_from<int>(without, 0);
        const auto known = from_first.find(other);
        auto expected = oracle::costs_from<int>(without, other);
        for (const auto& [vertex, cost] : from_first) {
            const auto place = expected.emplace(vertex, cost).first;
            place->second = cost < place->second ? cost : place->second;
        }
        const bool is_better = engine.status() == npuzzle::Status::running && engine.add_start(other);
        CHECK_FALSE((is_better && known != from_first.end() && known->second == 0 && other == 0));
        const bool is_late = engine.status() != npuzzle::Status::running;
        CHECK(engine.run() == npuzzle::Status::unsolvable);
        CHECK(engine.costs == (is_late ? from_first : expected));
        const auto statistics = engine.statistics();
        CHECK(statistics.stored == engine.costs.size());
        const auto& kinds = engine.arrived;
        const auto count = [&](Arrival arrival) { return kinds[static_cast<int>(arrival)]; };
        CHECK(count(Arrival::duplicate) == statistics.duplicates);
        improved += count(Arrival::improved);
        reopened += statistics.reopened;
    }
    CHECK(improved > 100);
    CHECK(reopened > 10);
}
