#include <npuzzle/search/distributed/kernel/distributed_units.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// What searches return by it: ../distributed_ida_star.test.cpp. Here, who gets which unit.

namespace {

using npuzzle::Communicator;
using npuzzle::Status;
using npuzzle::detail::DistributedUnits;
using npuzzle::detail::UnitScheduler;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

struct Result {
    Status status = Status::running;
    npuzzle::Statistics statistics;
    int value = 0;
};

/// Takes units until there are no more; of each, `work(number)` says whether the search ends there.
template <class F>
std::vector<std::size_t> take_all(DistributedUnits& units, F&& work) {
    std::vector<std::size_t> taken;
    for (unsigned turns = 0; !units.is_over(); units.poll()) {
        const std::size_t number = units.take();
        if (number == UnitScheduler::none) {
            units.wait(turns++);
            continue;
        }
        taken.push_back(number);
        units.count(10, 20);
        if (work(number)) {
            units.end_at(number);
        } else {
            npuzzle::UnitRecord record;
            record.unit = number;
            units.keep(record);
        }
        units.leave();
    }
    return taken;
}

std::vector<std::size_t> numbers_of(DistributedUnits& units) {
    std::vector<std::size_t> numbers;
    for (const npuzzle::UnitRecord& record : units.exchange()) {
        numbers.push_back(record.unit);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::vector<std::size_t> first(std::size_t count) {
    std::vector<std::size_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = i;
    }
    return numbers;
}

void nap(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds{milliseconds});
}

} // namespace

TEST_CASE("each unit goes to one rank, and its record to all", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    DistributedUnits units(ranks);
    const auto result = units.finish_run([&] {
        for (const std::size_t count : {0U, 1U, 2U, 100U, 5U}) {
            units.reset_end();
            units.reset_counts();
            units.begin(count, unlimited);
            const auto taken = take_all(units, [](std::size_t) { return false; });
            CHECK(std::is_sorted(taken.begin(), taken.end()));
            CHECK(numbers_of(units) == first(count));
        }
        return Result{Status::unsolvable, {}, 17};
    });
    CHECK(result.status == Status::unsolvable);
    CHECK(result.value == 17);
}

TEST_CASE("a rank that is slow gets fewer units", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    DistributedUnits units(ranks);
    units.finish_run([&] {
        units.reset_end();
        units.begin(60, unlimited);
        const bool is_slow = ranks.rank() == 0;
        const auto taken = take_all(units, [&](std::size_t) {
            nap(is_slow ? 10 : 1);
            return false;
        });
        CHECK(taken.size() >= 60U / 2 / 3); // what was dealt at the beginning
        if (is_slow && ranks.size() > 1) {
            CHECK(taken.size() < 60 / static_cast<std::size_t>(ranks.size()));
        }
        CHECK(numbers_of(units) == first(60));
        return Result{Status::unsolvable, {}, 0};
    });
}

TEST_CASE("units after one that ends the search are left out", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    DistributedUnits units(ranks);
    units.finish_run([&] {
        units.reset_end();
        units.begin(1'000, unlimited);
        const auto taken = take_all(units, [](std::size_t number) {
            nap(1);
            return number == 10;
        });
        CHECK(taken.size() < 100);
        CHECK(units.end() == 10);
        const auto numbers = numbers_of(units);
        for (const std::size_t number : first(10)) {
            CHECK(std::binary_search(numbers.begin(), numbers.end(), number));
        }
        CHECK_FALSE(std::binary_search(numbers.begin(), numbers.end(), 10U));

        // Each unit expands 10: so many are used up.
        units.reset_end();
        units.reset_counts();
        units.begin(1'000, 400);
        take_all(units, [](std::size_t) {
            nap(1);
            return false;
        });
        const auto enough = numbers_of(units);
        CHECK(enough.size() > 40);
        CHECK(enough.size() < 300);
        CHECK(std::equal(enough.begin(), enough.begin() + 40, first(40).begin()));
        return Result{Status::solved, {}, 0};
    });
}

TEST_CASE("limits on one rank are those of all", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    const int last = ranks.size() - 1;
    for (const Status status : {Status::time_limit, Status::cancelled, Status::memory_limit}) {
        DistributedUnits units(ranks);
        const auto result = units.finish_run([&] {
            units.reset_end();
            units.begin(10, unlimited);
            npuzzle::Statistics statistics;
            statistics.expanded = static_cast<std::uint64_t>(100 * ranks.rank());
            if (ranks.rank() == last) {
                return Result{status, statistics, 1}; // in the middle of the iteration
            }
            take_all(units, [](std::size_t) { return false; });
            return Result{units.poll() ? Status::cancelled : Status::solved, statistics, 2};
        });
        CHECK(result.status == status);
        CHECK(result.value == 0);
        CHECK(result.statistics.expanded == static_cast<std::uint64_t>(100 * last));
    }
}

TEST_CASE("a failure on one rank reaches the others wherever they are", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    for (int failing = 0; failing < ranks.size(); ++failing) {
        DistributedUnits units(ranks);
        std::string what;
        try {
            units.finish_run([&] {
                if (ranks.rank() == failing) {
                    throw std::invalid_argument("no");
                }
                if (ranks.rank() == (failing + 1) % ranks.size()) {
                    units.begin(10, unlimited);
                    take_all(units, [](std::size_t) { return false; });
                }
                return Result{Status::solved, {}, 0}; // The others have found something.
            });
        } catch (const npuzzle::RankFailure& failure) {
            CHECK(failure.rank() == failing);
            what = failure.what();
        } catch (const std::invalid_argument& error) {
            CHECK(ranks.rank() == failing);
            what = error.what();
        }
        CHECK(what == (ranks.rank() == failing
                           ? "no"
                           : "the search failed on rank " + std::to_string(failing) + ": no"));
    }
}

TEST_CASE("what is thrown in a unit ends the search at once, unless a goal is before it", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    DistributedUnits units(ranks);
    units.end_at(5);
    CHECK_FALSE(units.fail(7));
    CHECK_FALSE(units.is_over());
    CHECK(units.fail(3));
    CHECK(units.is_over());
    CHECK(units.end() == 0);
    units.finish_run([] { return Result{Status::solved, {}, 0}; });
}
