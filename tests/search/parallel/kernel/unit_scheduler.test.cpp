#include <npuzzle/search/parallel/kernel/unit_scheduler.hpp>

#include "support/catch.hpp"

#include <cstddef>

using npuzzle::detail::LocalUnits;
using npuzzle::detail::UnitScheduler;

TEST_CASE("units are taken in their order, as far as they matter", "[parallel_ida_star]") {
    LocalUnits units;
    units.reset_end();
    units.begin(10, 1);
    for (std::size_t number = 0; number < 5; ++number) {
        CHECK(units.take() == number);
    }
    units.end_at(7);
    units.end_at(9); // It was before.
    CHECK(units.end() == 7);
    CHECK(units.take() == 5);
    CHECK_FALSE(units.fail(6));
    CHECK(units.take() == UnitScheduler::none);
    CHECK(units.is_over());
    units.reset_end();
    units.begin(2, 1);
    CHECK(units.take() == 0);
    CHECK(units.take() == 1);
    CHECK(units.take() == UnitScheduler::none);
}

TEST_CASE("what is counted adds up until the next iteration", "[parallel_ida_star]") {
    LocalUnits units;
    units.count(3, 10);
    units.count(4, 20);
    CHECK(units.counted().expanded == 7);
    CHECK(units.counted().generated == 30);
    CHECK(units.elsewhere().expanded == 0);
    units.reset_counts();
    CHECK(units.counted().expanded == 0);
    CHECK(units.counted().generated == 0);
}
