#include <npuzzle/search/kernel/threads.hpp>

#include "support/catch.hpp"

#include <atomic>

TEST_CASE("threads are waited for", "[threads]") {
    std::atomic<int> done{0};
    {
        npuzzle::detail::JoinedThreads threads(3);
        for (int i = 0; i < 3; ++i) {
            threads.add([&] { ++done; });
        }
    }
    CHECK(done == 3);
}

TEST_CASE("there is a thread at least", "[threads]") {
    CHECK(npuzzle::detail::thread_count(3) == 3);
    CHECK(npuzzle::detail::thread_count(0) >= 1);
}
