#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/core/observer.hpp>
#include <npuzzle/search/distributed/kernel/distributed_engine.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

namespace {

using Problem = test::Graph<int>;
using Search = npuzzle::detail::DistributedSearch<false, Problem, npuzzle::Zero, npuzzle::SilentObserver,
                                                  npuzzle::DefaultPolicy, npuzzle::AStarPriority<int, int>>;

} // namespace

TEST_CASE("one search after another by the same processes", "[distributed]") {
    const npuzzle::Communicator ranks(MPI_COMM_WORLD);
    const auto graph = test::random_graph<int>(9, 2'000, 6'000, 1, 20, 1);
    const auto least = oracle::least_cost<int>(graph, 0);
    npuzzle::Zero zero;
    npuzzle::SilentObserver silent;
    for (int round = 0; round < 20; ++round) {
        Search search(ranks, graph, zero, silent, {}, {});
        const auto result = search.run(0, 1, 0);
        CHECK(result.cost == least);
        test::check_path(graph, 0, result);
        test::check_statistics(result.status, result.statistics);
    }
}
