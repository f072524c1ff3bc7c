#include <npuzzle/search/parallel/kernel/layer_worker.hpp>
#include <npuzzle/search/parallel/kernel/shared_budget.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <set>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::Status;
using npuzzle::detail::layer_owner;
using npuzzle::detail::SharedBudget;
using npuzzle::detail::SharedLayer;

using Graph = test::Graph<int>;
using Worker = npuzzle::detail::LayerWorker<Graph, npuzzle::detail::AllLayers<Graph>>;

} // namespace

TEST_CASE("workers send states to their owners", "[parallel]") {
    constexpr int leaves = 100;
    Graph star(leaves + 1);
    for (int leaf = 1; leaf <= leaves; ++leaf) {
        star.connect(0, leaf, 1).connect(leaf, 0, 1);
    }
    MemoryBudget budget;
    SharedBudget memory(budget);
    Worker::Part::Parts parts;
    std::array<std::unique_ptr<Worker>, 2> workers;
    for (std::size_t i = 0; i < 2; ++i) {
        workers[i] = std::make_unique<Worker>(star, memory);
        parts.push_back(&workers[i]->part());
        parts[i]->join(i, 2, parts);
    }
    const std::size_t first = layer_owner(star, 0, 2);
    parts[first]->layers().start(0);

    SharedLayer shared(2, 0, 0);
    std::array<std::multiset<int>, 2> reached;
    const auto note = [&](std::size_t i) {
        return [&reached, i](const auto& neighbor) {
            reached[i].insert(neighbor.state);
            return false;
        };
    };
    for (std::size_t i = 0; i < 2; ++i) {
        workers[i]->begin(shared, {});
        CHECK_FALSE(workers[i]->expand(note(i)));
        parts[i]->post_all();
        shared.remove_work();
    }
    CHECK(!shared.is_over()); // A block is on its way.
    while (workers[1 - first]->read(note(1 - first))) {
    }
    CHECK(shared.is_over());
    CHECK(shared.status() == Status::running);
    CHECK(reached[0].size() + reached[1].size() == leaves);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(reached[i].size() > leaves / 4);
        for (const int leaf : reached[i]) {
            CHECK(layer_owner(star, leaf, 2) == i);
        }
        CHECK(parts[i]->next_size() == reached[i].size());
        workers[i]->skip();
    }
    CHECK(workers[first]->take_statistics().expanded == 1);
    CHECK(workers[first]->take_statistics().expanded == 0);

    for (Worker::Part* part : parts) {
        part->discard_mail();
    }
}

TEST_CASE("a worker that reaches an end ends the layer", "[parallel]") {
    Graph chain(3);
    chain.connect(0, 1, 1).connect(1, 2, 1);
    MemoryBudget budget;
    SharedBudget memory(budget);
    Worker worker(chain, memory);
    const Worker::Part::Parts parts{&worker.part()};
    worker.part().join(0, 1, parts);
    worker.part().layers().start(0);
    SharedLayer shared(1, 0, 0);
    worker.begin(shared, {});
    CHECK_FALSE(worker.expand([](const auto& neighbor) { return neighbor.state == 1; }));
    CHECK(shared.is_over());
    CHECK(shared.status() == Status::solved);
    CHECK(worker.end() == 1);
}
