#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/for_each_parallel.hpp>

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using npuzzle::for_each_parallel;

TEST_CASE("each number comes once, for any number of threads", "[for_each_parallel]") {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
        for (const unsigned threads : {0U, 1U, 2U, 3U, 16U}) {
            std::vector<std::atomic<int>> calls(count);
            for_each_parallel(count, [&](std::size_t i) { ++calls[i]; }, threads);
            std::size_t once = 0;
            for (const auto& each : calls) {
                once += each == 1 ? 1 : 0;
            }
            CHECK(once == count);
        }
    }
}

TEST_CASE("one thread is the caller's own, and goes in order; several are several", "[for_each_parallel]") {
    std::vector<std::size_t> numbers;
    std::set<std::thread::id> ids;
    for_each_parallel(
        5,
        [&](std::size_t i) {
            numbers.push_back(i);
            ids.insert(std::this_thread::get_id());
        },
        1);
    CHECK(numbers == std::vector<std::size_t>{0, 1, 2, 3, 4});
    CHECK(ids == std::set<std::thread::id>{std::this_thread::get_id()});

    // Each of three waits until the others have begun: that ends only if they run at the same time.
    std::atomic<int> begun{0};
    for_each_parallel(
        3,
        [&](std::size_t) {
            ++begun;
            while (begun < 3) {
                std::this_thread::yield();
            }
        },
        3);
    CHECK(begun == 3);
}

TEST_CASE("searches give the same answers and the same counts on any number of threads",
          "[for_each_parallel]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::Manhattan heuristic;
    std::vector<npuzzle::PackedBoard<3>> boards;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        boards.emplace_back(npuzzle::random_solvable(3, seed));
    }
    using Figures = std::vector<std::pair<int, std::uint64_t>>;
    const auto solved_by = [&](unsigned threads) {
        Figures figures(boards.size());
        for_each_parallel(
            boards.size(),
            [&](std::size_t i) {
                const auto result = npuzzle::astar(puzzle, boards[i], heuristic);
                figures[i] = {result.cost, result.statistics.expanded};
            },
            threads);
        return figures;
    };
    const Figures one = solved_by(1);
    CHECK(solved_by(2) == one);
    CHECK(solved_by(5) == one);
}

TEST_CASE("of what is thrown, that of the least number reaches the caller, whichever comes first",
          "[for_each_parallel]") {
    for (const unsigned threads : {1U, 2U, 4U}) {
        for (int round = 0; round < 50; ++round) {
            std::atomic<std::size_t> calls{0};
            const std::string message = message_of<std::runtime_error>([&] {
                for_each_parallel(
                    100'000,
                    [&](std::size_t i) {
                        ++calls;
                        if (i >= 20) {
                            const std::size_t wait = round % 2 == 0 ? i - 19 : i == 20 ? 4 : 0;
                            std::this_thread::sleep_for(std::chrono::milliseconds(wait));
                            throw std::runtime_error(std::to_string(i));
                        }
                    },
                    threads);
            });
            CHECK(message == "20");
            CHECK(calls < 1000);
        }
    }
}
