#include <npuzzle/search/core/policy.hpp>
#include <npuzzle/search/parallel/kernel/parallel_worker.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <memory>
#include <vector>

namespace {

using Problem = test::Graph<int>;
using Parts = npuzzle::PartsFor<Problem, npuzzle::Zero>;
using Worker = npuzzle::detail::ParallelWorker<Problem, npuzzle::Zero, Parts>;

} // namespace

TEST_CASE("a worker alone searches to the end, on shared memory", "[parallel]") {
    Problem chain(60);
    for (int vertex = 0; vertex + 1 < 60; ++vertex) {
        chain.connect(vertex, vertex + 1, 2);
    }
    chain.add_goal(59);
    const npuzzle::detail::Owners<Problem, Worker::Table> owners(chain, 1);
    Worker::Shared shared(1, npuzzle::Limits::unlimited, npuzzle::Limits::unlimited);
    Worker::Workers workers;
    npuzzle::BasicLimits<int> limits;
    limits.bytes = 0;
    workers.push_back(std::make_unique<Worker>(0, owners, shared, workers, chain, npuzzle::Zero{}, limits,
                                               Parts::Priority{}, nullptr));
    workers[0]->add_start(0);
    workers[0]->run([] {});
    CHECK(shared.is_over());
    CHECK(shared.status() == npuzzle::Status::running);
    REQUIRE(shared.best().has_value());
    CHECK(workers[0]->table().size() == 60);
    REQUIRE(workers[0]->goal().has_value());
    CHECK(workers[0]->table().find(*workers[0]->goal()).cost() == 118);
    CHECK(shared.peak() > 0);
    workers[0]->discard_mail();
}
