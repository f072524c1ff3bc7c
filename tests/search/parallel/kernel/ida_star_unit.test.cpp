#include <npuzzle/search/parallel/kernel/ida_star_unit.hpp>

#include "support/catch.hpp"

#include <stdexcept>
#include <string>

TEST_CASE("a unit is restored from its record", "[parallel_ida_star]") {
    using Unit = npuzzle::detail::IdaStarUnit<int, int, double>;
    const Unit unit{1, 2, 0.5, 10, 20, 3, true};
    const npuzzle::UnitRecord record = unit.record(7, 100, 42);
    CHECK(record.iteration == 7);
    CHECK(record.unit == 42);
    Unit other{1, 2};
    other.restore(record, 100);
    CHECK(other.bound == 0.5);
    CHECK(other.expanded == 10);
    CHECK(other.generated == 20);
    CHECK(other.contract_violations == 3);
    CHECK(other.is_done);
    CHECK_THROWS_AS(other.restore(record, 99), std::runtime_error);
}

TEST_CASE("a bound that owns memory is not recorded", "[parallel_ida_star]") {
    const npuzzle::detail::IdaStarUnit<int, int, std::string> unit{1, 2};
    CHECK_THROWS_AS(unit.record(1, 1, 0), std::invalid_argument);
}
