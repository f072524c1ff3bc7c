#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/distributed/distributed_ida_star.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"
#include "support/large_spaces.hpp"
#include "support/mpi.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

std::atomic<std::size_t> largest{std::numeric_limits<std::size_t>::max()};

} // namespace

/// More bytes than `largest` at once are refused.
void* operator new(std::size_t size) {
    void* const memory = size <= largest ? std::malloc(size) : nullptr;
    return memory != nullptr ? memory : throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

using npuzzle::distributed_ida_star;
using npuzzle::ida_star;
using npuzzle::ParallelIdaStarOptions;
using npuzzle::Status;
using test::TernaryTree;

int rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int ranks() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

int last_rank() {
    return ranks() - 1;
}

/// Divides each iteration but the smallest.
ParallelIdaStarOptions divided(unsigned threads = 1) {
    return {.threads = threads, .least_divided = 50};
}

template <class Result>
void check_same(const Result& expected, const Result& result) {
    CHECK(result.status == expected.status);
    CHECK(result.cost == expected.cost);
    CHECK(result.path == expected.path);
    CHECK(result.statistics.expanded == expected.statistics.expanded);
    CHECK(result.statistics.generated == expected.statistics.generated);
    CHECK(result.statistics.contract_violations == expected.statistics.contract_violations);
}

/// All ranks have the same value.
bool is_everywhere(std::uint64_t value) {
    std::uint64_t least = 0;
    std::uint64_t greatest = 0;
    MPI_Allreduce(&value, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&value, &greatest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return least == greatest;
}

/// A heuristic that does something else besides.
struct Doing {
    std::function<void(std::int64_t)> action;

    double operator()(std::int64_t n) const {
        action(n);
        return 0;
    }
};

struct Failure : std::runtime_error {
    Failure() : std::runtime_error("out of order") {}
};

/// Sees the progress alone.
struct Watching {
    static constexpr bool sees_nodes = false;

    std::function<void()> action = [] {};
    std::uint64_t last = 0;

    void progress(const npuzzle::Statistics& statistics) {
        last = statistics.expanded;
        action();
    }
};

const Doing nothing{[](std::int64_t) {}};
const TernaryTree endless{std::numeric_limits<std::int64_t>::max() / 4, -1};

/// A file for each rank, that is gone afterwards. The same test may run twice at the same time.
struct File {
    std::string path = "distributed_ida_star." + std::to_string(std::random_device{}());
    File() { std::remove(path.c_str()); }
    ~File() { std::remove(path.c_str()); }

    /// How many units it holds, if it is a journal.
    std::uint64_t records() const {
        std::ifstream in(path, std::ios::binary | std::ios::ate);
        return in ? static_cast<std::uint64_t>(in.tellg()) / sizeof(npuzzle::UnitRecord) : 0;
    }
};

/// How a search ends that fails on one rank alone.
template <class Error = Failure, class F>
void check_failure(int where, F&& search, const std::string& reason = "out of order") {
    const auto begin = std::chrono::steady_clock::now();
    bool has_failed = false;
    int failed = -1;
    try {
        search();
    } catch (const npuzzle::RankFailure& failure) {
        failed = failure.rank();
        CHECK(failure.what() == "the search failed on rank " + std::to_string(where) + ": " + reason);
    } catch (const Error& error) {
        has_failed = true;
        CHECK(error.what() == reason);
    }
    CHECK(has_failed == (rank() == where));
    CHECK(failed == (rank() == where ? -1 : where));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{10});
}

} // namespace

TEST_CASE("path, cost and counts are those of one search", "[distributed]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        INFO("rank " << rank() << ", seed " << seed);
        const npuzzle::PackedBoard<3> board(npuzzle::random_walk(npuzzle::goal_blank_last(3), 70, seed));
        const auto expected = ida_star(puzzle, board, npuzzle::Manhattan{});
        CHECK(expected.status == Status::solved);
        for (const unsigned threads : {1U, 3U}) {
            const auto result =
                distributed_ida_star(MPI_COMM_WORLD, puzzle, board, npuzzle::Manhattan{}, divided(threads));
            check_same(expected, result);
            CHECK(result.moves == expected.moves);
        }
    }
}

TEST_CASE("a limit on the expansions is exact on all ranks", "[distributed]") {
    const TernaryTree problem{600, 500};
    const auto all = ida_star(problem, 0, nothing).statistics.expanded;
    for (std::uint64_t limit = 0; limit <= all; limit += limit + 10 > all ? 3 : 300) {
        INFO("rank " << rank() << ", limit " << limit << " of " << all);
        const auto expected = ida_star(problem, 0, nothing, {.expansions = limit});
        CHECK(expected.status == (limit < all ? Status::expansion_limit : Status::solved));
        check_same(expected, distributed_ida_star(MPI_COMM_WORLD, problem, 0, nothing, divided(2),
                                                  {.expansions = limit}));
    }
    // Of a search that would not end.
    const auto result =
        distributed_ida_star(MPI_COMM_WORLD, endless, 0, nothing, divided(), {.expansions = 30'000});
    check_same(ida_star(endless, 0, nothing, {.expansions = 30'000}), result);
}

TEST_CASE("a limit on one rank ends the search on all", "[distributed]") {
    for (const int where : {0, last_rank()}) {
        for (const std::uint64_t least_divided : {std::uint64_t{1}, std::uint64_t{1} << 40}) {
            INFO("rank " << rank() << ", limit on " << where);
            npuzzle::BasicLimits<double> limits;
            if (rank() == where) {
                limits.time = std::chrono::milliseconds{100};
            }
            auto result = distributed_ida_star(MPI_COMM_WORLD, endless, 0, nothing,
                                               {.least_divided = least_divided}, limits);
            CHECK(result.status == Status::time_limit);
            CHECK(result.path.empty());
            CHECK(result.statistics.expanded > 0);
            CHECK(is_everywhere(result.statistics.expanded));
            limits = {};
            int calls = 0;
            if (rank() == where) {
                limits.stop = [&] { return ++calls > 5; };
            }
            result = distributed_ida_star(MPI_COMM_WORLD, endless, 0, nothing,
                                          {.threads = 2, .least_divided = least_divided}, limits);
            CHECK(result.status == Status::cancelled);
            CHECK(is_everywhere(result.statistics.expanded));
        }
    }
}

TEST_CASE("what is thrown on one rank ends the search on all", "[distributed]") {
    for (const int where : {0, last_rank()}) {
        INFO("rank " << rank() << ", failure on " << where);
        for (const unsigned threads : {1U, 2U}) {
            // At the start, when the others divide their first iteration; in one that is not divided; in a unit.
            for (const std::uint64_t call : {1U, 30U, 5'000U}) {
                std::atomic<std::uint64_t> calls{0};
                const Doing failing{[&, is_here = rank() == where](std::int64_t) {
                    if (++calls == call && is_here) {
                        throw Failure();
                    }
                }};
                check_failure(where, [&] {
                    distributed_ida_star(MPI_COMM_WORLD, endless, 0, failing,
                                         {.threads = threads, .least_divided = call == 1 ? 0U : 100U});
                });
            }
            check_failure(where, [&] {
                npuzzle::BasicLimits<double> limits;
                if (rank() == where) {
                    limits.stop = []() -> bool { throw Failure(); };
                }
                distributed_ida_star(MPI_COMM_WORLD, endless, 0, nothing, divided(threads), limits);
            });
        }
        // At the very end, when the others have a result.
        check_failure(where, [&] {
            Watching watching;
            if (rank() == where) {
                watching.action = [] { throw Failure(); };
            }
            distributed_ida_star(MPI_COMM_WORLD, TernaryTree{20, -1}, 0, nothing, {}, {}, watching);
        });
        // While it waits for the units of others.
        if (ranks() > 1) {
            check_failure(where, [&] {
                std::atomic<int> calls{0};
                const Doing counting{[&, is_here = rank() == where](std::int64_t) {
                    ++calls;
                    std::this_thread::sleep_for(std::chrono::microseconds{is_here ? 0 : 500});
                }};
                Watching watching;
                watching.action = [&, is_here = rank() == where, before = 0, idle = 0]() mutable {
                    idle = std::exchange(before, calls) == calls ? idle + 1 : 0;
                    if (is_here && idle == 4) {
                        throw Failure();
                    }
                };
                distributed_ida_star(MPI_COMM_WORLD, TernaryTree{20'000, -1}, 0, counting, divided(), {},
                                     watching);
            });
        }
        // No memory is a status.
        const Doing greedy{[is_here = rank() == where](std::int64_t n) {
            if (is_here && n > 5'000) {
                throw std::bad_alloc();
            }
        }};
        const auto result = distributed_ida_star(MPI_COMM_WORLD, endless, 0, greedy, divided(2));
        CHECK(result.status == Status::memory_limit);
        CHECK(is_everywhere(result.statistics.expanded));
    }
}

TEST_CASE("an observer sees the progress", "[distributed]") {
    Watching watching;
    const auto result = distributed_ida_star(MPI_COMM_WORLD, TernaryTree{20'000, 12'750}, 0, nothing,
                                             divided(2), {}, watching);
    CHECK(result.status == Status::solved);
    CHECK(watching.last == result.statistics.expanded);
}

TEST_CASE("a search goes on by journals, on any number of ranks", "[distributed]") {
    const File file;
    const TernaryTree problem{20'000, -1}; // without a goal, each unit is needed
    const auto expected = ida_star(problem, 0, nothing);
    const auto search = [&](unsigned threads, std::uint64_t most) {
        std::uint64_t known = file.records();
        MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        npuzzle::IdaStarJournal journal(file.path, "a tree");
        const auto result = distributed_ida_star(
            MPI_COMM_WORLD, problem, 0, nothing,
            {.threads = threads, .least_divided = 500, .journal = &journal}, {.expansions = most});
        if (most == npuzzle::Limits::unlimited) {
            check_same(expected, result);
        } else {
            CHECK(result.status == Status::expansion_limit);
            CHECK(result.statistics.expanded == most);
        }
        return known;
    };
    CHECK(search(1, expected.statistics.expanded / 3) == 0);
    const std::uint64_t some = search(2, expected.statistics.expanded / 2);
    CHECK(some > 0);
    CHECK(search(1, npuzzle::Limits::unlimited) >= some);
    const std::uint64_t all = search(2, npuzzle::Limits::unlimited);
    CHECK(all > 50);
    CHECK(search(1, npuzzle::Limits::unlimited) == all); // none was searched again
    // What is lost with a file is searched again; one thread goes on with any of them.
    if (rank() == last_rank()) {
        std::remove(file.path.c_str());
    }
    CHECK((search(1, npuzzle::Limits::unlimited) < all || ranks() > 1));
    npuzzle::IdaStarJournal journal(file.path, "a tree");
    check_same(expected, npuzzle::parallel_ida_star(
                             problem, 0, nothing, {.threads = 2, .least_divided = 500, .journal = &journal}));
}

TEST_CASE("a rank without memory keeps no other waiting", "[distributed]") {
    const npuzzle::Communicator communicator(MPI_COMM_WORLD);
    for (const int where : {0, last_rank()}) {
        const std::string text(10'000, 'a');
        const std::size_t unlimited = largest;
        largest = rank() == where ? 5'000 : unlimited;
        bool has_thrown = false;
        try {
            static_cast<void>(communicator.broadcast(text, 0));
        } catch (const std::bad_alloc&) {
            has_thrown = true;
        }
        const auto status = distributed_ida_star(MPI_COMM_WORLD, endless, 0, nothing, divided()).status;
        largest = unlimited;
        CHECK(has_thrown);
        CHECK(status == Status::memory_limit);
    }
}

TEST_CASE("what is wrong with a journal comes out on all ranks", "[distributed]") {
    for (const int where : {0, last_rank()}) {
        check_failure<std::runtime_error>(
            where,
            [&] {
                npuzzle::IdaStarJournal journal("no such folder/journal", "numbers");
                distributed_ida_star(MPI_COMM_WORLD, endless, 0, nothing,
                                     {.threads = 2, .journal = rank() == where ? &journal : nullptr});
            },
            "the journal no such folder/journal cannot be opened");
    }
}

TEST_CASE("ranks that search different things are told so", "[distributed]") {
    if (ranks() > 1) {
        const std::int64_t start = rank() == 0 ? 0 : 6'000; // the tree below that is small
        CHECK_THROWS_AS(
            distributed_ida_star(MPI_COMM_WORLD, TernaryTree{20'000, -1}, start, nothing, divided()),
            std::invalid_argument);
    }
}
