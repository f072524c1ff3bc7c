/// @file
/// Searches whose allocations fail. Only one source file of an executable may include it.
#pragma once

#include <npuzzle/search/core/result.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"

#include <cstdint>

namespace test {

/// Runs `search` with its first allocation failing, then with its second, and so on until none is left to
/// fail. Then the same again, with all later allocations failing, too. `solution` is what it gives if none
/// fails; it needs at least so many allocations.
template <class Search>
void fail_each_allocation(Search search, std::uint64_t least = 11) {
    const auto solution = search();
    REQUIRE(solution.status == npuzzle::Status::solved);
    for (const bool for_good : {false, true}) {
        std::uint64_t refused = 0;
        std::uint64_t without_path = 0;
        for (std::uint64_t number = 1;; ++number) {
            const std::uint64_t blocks = memory.blocks;
            npuzzle::Status status{};
            std::uint64_t expanded = 0;
            bool is_path_odd = false;
            bool has_thrown = false;
            memory.arm(number, for_good);
            try {
                const auto result = search();
                status = result.status;
                expanded = result.statistics.expanded;
                is_path_odd = !result.path.empty() && result.path.front() != solution.path.front();
            } catch (...) {
                has_thrown = true;
            }
            const bool has_failed = memory.failures > 0;
            memory.disarm();
            if (!has_failed) {
                REQUIRE_FALSE(has_thrown);
                REQUIRE(status == npuzzle::Status::solved);
                break;
            }
            const bool has_leaked = memory.blocks != blocks;
            const auto again = search();
            const bool goes_on = again && again.cost == solution.cost && again.path == solution.path;
            if (has_thrown || has_leaked || !goes_on || status != npuzzle::Status::memory_limit ||
                is_path_odd || expanded > solution.statistics.expanded) {
                CAPTURE(number, for_good, has_thrown, has_leaked, goes_on, status, is_path_odd, expanded);
                FAIL("an allocation that failed did not end the search as it should");
            }
            ++refused;
            without_path += expanded == solution.statistics.expanded ? 1 : 0;
        }
        CHECK(refused >= least);
        CHECK(without_path > 0); // The goal was found, and there was no memory for the way to it.
    }
}

} // namespace test
