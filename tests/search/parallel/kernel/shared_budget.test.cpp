#include <npuzzle/search/parallel/kernel/shared_budget.hpp>

#include "support/catch.hpp"

#include <new>

TEST_CASE("threads take their bytes from the budget of their search", "[parallel]") {
    npuzzle::MemoryBudget whole(100);
    npuzzle::detail::SharedBudget shared(whole);
    {
        npuzzle::MemoryBudget one;
        npuzzle::MemoryBudget other;
        one.draw_on(shared);
        other.draw_on(shared);
        one.acquire(60);
        CHECK_THROWS_AS(other.acquire(41), std::bad_alloc);
        CHECK(whole.used() == 60);
        other.acquire(40);
        CHECK(whole.used() == 100);
        one.release(60);
        CHECK(whole.used() == 40);
        other.release(40);
    }
    CHECK(whole.used() == 0);
    CHECK(shared.peak() == 100);
}
