#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/parallel/kernel/shared_search.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <exception>
#include <stdexcept>

using npuzzle::Status;
using Shared = npuzzle::detail::SharedSearch<int, int>;

TEST_CASE("a search is over when nobody has work and no block is on its way", "[parallel]") {
    Shared shared(2, 100, 100);
    shared.add_work(); // a block
    shared.remove_work();
    shared.remove_work();
    CHECK(!shared.is_over());
    shared.add_work(); // the thread that it wakes
    shared.remove_work();
    CHECK(!shared.is_over());
    shared.remove_work();
    CHECK(shared.is_over());
    CHECK(shared.status() == Status::running);
}

TEST_CASE("the first end of a search counts", "[parallel]") {
    Shared shared(2, 100, 100);
    shared.end(Status::time_limit);
    CHECK(shared.is_over());
    shared.fail(std::make_exception_ptr(std::runtime_error("first")));
    shared.fail(std::make_exception_ptr(std::logic_error("second")));
    CHECK(shared.status() == Status::time_limit);
    CHECK_THROWS_AS(std::rethrow_exception(shared.error()), std::runtime_error);
}

TEST_CASE("threads share bytes and expansions", "[parallel]") {
    Shared shared(2, 100, 100);
    CHECK(shared.bytes().take(70));
    CHECK(!shared.bytes().take(31));
    shared.bytes().give_back(10);
    CHECK(shared.bytes().take(40));
    CHECK(shared.peak() == 100);
    CHECK(shared.take_expansions(64) == 64);
    CHECK(shared.take_expansions(64) == 36);
    CHECK(shared.take_expansions(64) == 0);
    Shared unlimited(1, 0, npuzzle::Limits::unlimited);
    CHECK(unlimited.take_expansions(64) == 64);
    CHECK(!unlimited.bytes().take(1));
}

TEST_CASE("the best goal is that of the least priority, then of the least cost", "[parallel]") {
    Shared shared(3, 100, 100);
    CHECK(!shared.best());
    CHECK(shared.reach(7, 7, 2));
    CHECK(!shared.reach(8, 1, 1));
    CHECK(!shared.reach(7, 7, 1));
    CHECK(shared.reach(7, 6, 0));
    CHECK(shared.best()->finder == 0);
    CHECK(shared.reach(5, 9, 1));
    CHECK(shared.best()->priority == 5);
    CHECK(shared.best()->finder == 1);
    CHECK(shared.goals() == 3);
}
