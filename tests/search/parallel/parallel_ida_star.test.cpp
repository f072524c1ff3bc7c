#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"
#include "support/large_spaces.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using npuzzle::ida_star;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::parallel_ida_star;
using npuzzle::ParallelIdaStarOptions;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::TernaryTree;

/// Divides each iteration but the first.
ParallelIdaStarOptions divided(unsigned threads) {
    return {.threads = threads, .least_divided = 1};
}

template <class Result>
void check_same(const Result& expected, const Result& result) {
    CHECK(result.status == expected.status);
    CHECK(result.cost == expected.cost);
    CHECK(result.path == expected.path);
    if constexpr (requires { result.moves; }) {
        CHECK(result.moves == expected.moves);
    }
    CHECK(result.statistics.expanded == expected.statistics.expanded);
    CHECK(result.statistics.generated == expected.statistics.generated);
    CHECK(result.statistics.contract_violations == expected.statistics.contract_violations);
}

/// All is as on one thread, whatever the number of threads.
template <class P, class H>
auto check_threads(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic,
                   const npuzzle::limits_t<P>& limits = {}) {
    const auto expected = ida_star(problem, start, heuristic, limits);
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        INFO(threads << " threads");
        check_same(expected, parallel_ida_star(problem, start, heuristic, divided(threads), limits));
    }
    return expected;
}

/// Throws at one state.
template <class Error>
struct Throwing {
    std::int64_t at;

    double operator()(std::int64_t n) const {
        if (n == at) {
            throw Error();
        }
        return 0;
    }
};

struct Failure : std::exception {};

/// Sees the progress alone.
struct Watching {
    static constexpr bool sees_nodes = false;

    std::vector<npuzzle::Statistics> seen;
    std::set<std::thread::id> threads;
    double last_bound = 0;
    int calls_to_failure = -1;

    void progress(const npuzzle::Statistics& statistics) {
        if (calls_to_failure-- == 0) {
            throw Failure();
        }
        seen.push_back(statistics);
        threads.insert(std::this_thread::get_id());
    }
    void progress(const npuzzle::Statistics& statistics, const auto& bound) {
        last_bound = bound;
        progress(statistics);
    }
};

template <class F>
bool does_throw(F&& f) {
    try {
        f();
        return false;
    } catch (const Failure&) {
        return true;
    }
}

const TernaryTree tree{20'000, 12'750};

} // namespace

TEST_CASE("path, cost and counts are those of one thread", "[parallel_ida_star]") {
    const SlidingPuzzle<3> puzzle;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        INFO("seed " << seed);
        const PackedBoard<3> board(npuzzle::random_walk(npuzzle::goal_blank_last(3), 70, seed));
        const auto result = check_threads(puzzle, board, Manhattan{});
        CHECK(result.status == Status::solved);
    }
}

TEST_CASE("real costs and steps without moves are searched on all threads", "[parallel_ida_star]") {
    for (const std::int64_t goal : {0, 1, 7, 100, 1234, 1999, 2000}) {
        INFO("goal " << goal);
        const TernaryTree problem{2'000, goal};
        const auto result = check_threads(problem, 0, npuzzle::Zero{});
        CHECK(result.status == (goal < problem.end ? Status::solved : Status::unsolvable));
        if (result) {
            CHECK(result.cost == *oracle::least_cost<double>(problem, 0));
        }
    }
}

TEST_CASE("steps that cost nothing lead to no circle on any thread", "[parallel_ida_star]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        const auto graph = test::random_graph<int>(seed, 8, 20, 1, 3);
        if (const auto least = oracle::least_cost<int>(graph, 0)) {
            ++solved;
            const auto result = check_threads(graph, 0, npuzzle::Zero{});
            CHECK(result.cost == *least);
            CHECK(std::set(result.path.begin(), result.path.end()).size() == result.path.size());
        }
    }
    CHECK(solved > 10);
}

TEST_CASE("a limit on the expansions is exact", "[parallel_ida_star]") {
    const TernaryTree small{600, 500};
    const auto all = check_threads(small, 0, npuzzle::Zero{}).statistics.expanded;
    CHECK(all > 1'500);
    for (std::uint64_t limit = 0; limit <= all; limit += limit < 40 || limit + 10 > all ? 1 : 53) {
        INFO("limit " << limit << " of " << all);
        const auto result = check_threads(small, 0, npuzzle::Zero{}, {.expansions = limit});
        CHECK(result.status == (limit < all ? Status::expansion_limit : Status::solved));
    }
}

TEST_CASE("time and a stop end the search on all threads", "[parallel_ida_star]") {
    const TernaryTree endless{std::numeric_limits<std::int64_t>::max() / 4, -1};
    const auto count = [](const auto& result) { return result.statistics.expanded; };
    auto result =
        parallel_ida_star(endless, 0, npuzzle::Zero{}, divided(3), {.time = std::chrono::milliseconds{30}});
    CHECK(result.status == Status::time_limit);
    CHECK(count(result) > 0);
    CHECK(result.path.empty());

    // The function is called on the caller's thread alone.
    int calls = 0;
    const auto stop = [&calls, id = std::this_thread::get_id()] {
        CHECK(std::this_thread::get_id() == id);
        return ++calls > 10;
    };
    result = parallel_ida_star(endless, 0, npuzzle::Zero{}, divided(3), {.stop = stop});
    CHECK(result.status == Status::cancelled);
    CHECK(calls == 11);

    result = parallel_ida_star(endless, 0, npuzzle::Zero{}, divided(3), {.stop = [] { return true; }});
    CHECK(result.status == Status::cancelled);
    CHECK(count(result) == 0);
}

TEST_CASE("the caller asks for a stop while others search the last unit", "[parallel_ida_star]") {
    // The other thread waits for the stop, and the caller, far below any cut, until it does.
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> is_stopped{false};
    std::atomic<bool> waits{false};
    const auto estimate = [&](std::int64_t n) {
        const bool is_caller = std::this_thread::get_id() == caller;
        waits = waits || !is_caller;
        while (is_caller ? !waits && n > 1'200 : !is_stopped) {
            std::this_thread::yield();
        }
        return 0.0;
    };
    const auto stop = [&] {
        is_stopped = waits.load();
        return is_stopped.load();
    };
    const auto result = parallel_ida_star(TernaryTree{2'000, -1}, 0, estimate, divided(2), {.stop = stop});
    CHECK(result.status == Status::cancelled);
}

TEST_CASE("what is thrown on any thread comes out of the call", "[parallel_ida_star]") {
    for (const unsigned threads : {1U, 2U, 8U}) {
        INFO(threads << " threads");
        for (const std::int64_t at : {1, 40, 700, 5'000, 9'000}) {
            INFO("at " << at);
            CHECK_THROWS_AS(parallel_ida_star(tree, 0, Throwing<Failure>{at}, divided(threads)), Failure);
            const auto result = parallel_ida_star(tree, 0, Throwing<std::bad_alloc>{at}, divided(threads));
            CHECK(result.status == Status::memory_limit);
            CHECK(result.path.empty());
        }
        // Nothing, if a search on one thread does not come to it because the goal is before it.
        int quiet = 0;
        for (const std::int64_t at : {12'751, 13'500, 15'000, 17'000, 19'998}) {
            const TernaryTree cheap{20'000, 9'841};
            const bool throws = does_throw([&] { ida_star(cheap, 0, Throwing<Failure>{at}); });
            CHECK(does_throw([&] { parallel_ida_star(cheap, 0, Throwing<Failure>{at}, divided(threads)); }) ==
                  throws);
            quiet += throws ? 0 : 1;
        }
        CHECK(quiet > 0);
        CHECK_THROWS_AS(parallel_ida_star(tree, 0, npuzzle::Zero{}, divided(threads),
                                          {.stop = []() -> bool { throw Failure(); }}),
                        Failure);
        for (int calls = 0; calls < 4; ++calls) {
            Watching watching;
            watching.calls_to_failure = calls;
            CHECK_THROWS_AS(parallel_ida_star(tree, 0, npuzzle::Zero{}, divided(threads), {}, watching),
                            Failure);
        }
    }
}

TEST_CASE("an observer sees the progress, on the caller's thread", "[parallel_ida_star]") {
    Watching watching;
    const auto result = parallel_ida_star(tree, 0, npuzzle::Zero{}, divided(3), {}, watching);
    CHECK(watching.threads == std::set<std::thread::id>{std::this_thread::get_id()});
    CHECK(watching.last_bound > 0);
    CHECK(watching.last_bound <= result.cost);
    REQUIRE(watching.seen.size() > 2);
    CHECK(watching.seen.front().expanded == 0);
    CHECK(watching.seen.back().expanded == result.statistics.expanded);
    CHECK(watching.seen.back().generated == result.statistics.generated);
    CHECK(std::is_sorted(watching.seen.begin(), watching.seen.end() - 1,
                         [](const auto& a, const auto& b) { return a.expanded < b.expanded; }));
}

namespace {

/// Keeps units in memory.
struct Kept : npuzzle::UnitJournal {
    std::vector<std::string> searches;
    std::map<std::pair<std::uint64_t, std::uint64_t>, npuzzle::UnitRecord> records;
    std::mutex mutex;
    std::size_t appended = 0;

    std::vector<npuzzle::UnitRecord> begin(const std::string& search) override {
        searches.push_back(search);
        std::vector<npuzzle::UnitRecord> known;
        for (const auto& [place, record] : records) {
            known.push_back(record);
        }
        return known;
    }
    void append(const npuzzle::UnitRecord& record) override {
        const std::lock_guard lock(mutex);
        records[{record.iteration, record.unit}] = record;
        ++appended;
    }
};

} // namespace

TEST_CASE("a search takes what a journal has, and appends the rest", "[parallel_ida_star]") {
    const TernaryTree whole{8'000, -1};
    const auto expected = ida_star(whole, 0, npuzzle::Zero{});
    Kept all;
    const auto search = [&](Kept& kept, unsigned threads) {
        check_same(expected, parallel_ida_star(whole, 0, npuzzle::Zero{},
                                               {.threads = threads, .least_divided = 100, .journal = &kept}));
    };
    search(all, 2);
    CHECK(all.appended > 100);
    for (const unsigned threads : {1U, 3U}) {
        Kept kept;
        kept.records = all.records;
        std::erase_if(kept.records, [](const auto& record) { return record.first.second % 3 == 0; });
        const std::size_t before = kept.records.size();
        search(kept, threads);
        CHECK(kept.records.size() == all.records.size());
        CHECK(kept.appended == all.records.size() - before);
        CHECK(kept.searches == all.searches);
    }
    // One of another division is refused.
    for (auto& [place, record] : all.records) {
        ++record.units;
    }
    CHECK_THROWS_AS(search(all, 2), std::runtime_error);
}
