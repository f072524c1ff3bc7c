#include <npuzzle/search/parallel/kernel/parallel_ida_star_options.hpp>

#include "support/catch.hpp"

TEST_CASE("small searches stay on the caller's thread, and nothing is written", "[parallel_ida_star]") {
    const npuzzle::ParallelIdaStarOptions options;
    CHECK(options.threads == 0);
    CHECK(options.least_divided >= 1'000);
    CHECK(options.journal == nullptr);
}
