#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/parallel/parallel_breadth_first_layers.hpp>

#include "support/catch.hpp"
#include "support/large_spaces.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/unit_graphs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using npuzzle::breadth_first_layers;
using npuzzle::LayerCounts;
using npuzzle::parallel_breadth_first_layers;
using npuzzle::ParallelLayersOptions;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Plane;
using Counts = std::vector<std::uint64_t>;

/// From the first layer on.
ParallelLayersOptions at_once(unsigned threads) {
    return {.threads = threads, .least_divided = 1};
}

/// The same but for time and memory.
void check_same(const LayerCounts& result, const LayerCounts& expected) {
    CHECK(result.status == expected.status);
    CHECK(result.counts == expected.counts);
    CHECK(result.statistics.expanded == expected.statistics.expanded);
    CHECK(result.statistics.generated == expected.statistics.generated);
    CHECK(result.statistics.duplicates == expected.statistics.duplicates);
    CHECK(result.statistics.stored == expected.statistics.stored);
    CHECK(result.statistics.peak_open == expected.statistics.peak_open);
}

template <class P>
void check_threads(const P& problem, const npuzzle::state_t<P>& start) {
    const LayerCounts expected = breadth_first_layers(problem, start);
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        INFO(threads << " threads");
        check_same(parallel_breadth_first_layers(problem, start, at_once(threads)), expected);
    }
    // Some layers are divided, and others after them are not.
    check_same(parallel_breadth_first_layers(problem, start, {.threads = 3, .least_divided = 9}), expected);
}

/// The number of its states at a depth.
std::uint64_t in_layer(std::size_t depth) {
    return depth == 0 ? 1 : 4 * depth;
}

const Plane::State origin{0, 0};

/// The plane, whose neighbors call a function first.
template <class F>
struct Calling : Plane {
    explicit Calling(F& called) : call(&called) {}
    [[nodiscard]] std::vector<State> neighbors(const State& at) const {
        (*call)();
        return Plane::neighbors(at);
    }
    F* call;
};

} // namespace

TEST_CASE("layers on a hundred threads, most of which wait", "[parallel][layers]") {
    const SlidingPuzzle<3> puzzle;
    check_same(parallel_breadth_first_layers(puzzle, puzzle.goal(), at_once(100), {.max_cost = 8}),
               breadth_first_layers(puzzle, puzzle.goal(), {.max_cost = 8}));
}

#ifdef __linux__
namespace {
std::atomic<bool> has_slept_long{false}; // a thread has asked for 1 ms or more
} // namespace

/// Takes the place of the C library's, which `std::this_thread::sleep_for` calls.
extern "C" int nanosleep(const timespec* time, timespec* left) {
    if (time->tv_sec > 0 || time->tv_nsec >= 1'000'000) {
        has_slept_long = true;
    }
    const int error = ::clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    if (error != 0) {
        errno = error;
        return -1;
    }
    return 0;
}

TEST_CASE("the longer threads wait for a layer to end, the longer they sleep", "[parallel][layers]") {
    has_slept_long = false;
    const auto begin = std::chrono::steady_clock::now();
    // One thread works until another has asked for a long sleep: on a busy machine this only takes longer.
    const auto work = [&] {
        while (!has_slept_long && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)) {
            std::this_thread::yield();
        }
    };
    CHECK(parallel_breadth_first_layers(Calling(work), origin, at_once(3), {.max_cost = 1}).counts ==
          Counts{1, 4});
    CHECK(has_slept_long);
}
#endif

TEST_CASE("layers on several threads are those on one, of random graphs", "[parallel][layers]") {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        INFO("seed " << seed);
        const int vertices = 20 + 10 * static_cast<int>(seed);
        check_threads(test::random_graph<int>(seed, vertices, 2 * vertices, 1), 0); // all states are kept
        check_threads(test::Undirected(seed, vertices, 2 * vertices), 0);           // the last layers
        check_threads(test::UndirectedWords(seed, vertices, 2 * vertices), 0);      // the same, as words
    }
}

TEST_CASE("the whole 8-puzzle, by bits that threads have in common", "[parallel][layers]") {
    const SlidingPuzzle<3> puzzle;
    const LayerCounts expected = breadth_first_layers(puzzle, puzzle.goal());
    CHECK(expected.counts ==
          Counts(oracle::counts_of_the_8_puzzle.begin(), oracle::counts_of_the_8_puzzle.end()));
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        INFO(threads << " threads");
        const auto result =
            parallel_breadth_first_layers(puzzle, puzzle.goal(), {.threads = threads, .least_divided = 500});
        check_same(result, expected);
        CHECK(result.statistics.bytes <
              expected.statistics.stored * sizeof(std::uint64_t)); // a table of states
    }
}

TEST_CASE("the 15-puzzle to depth 15, by words with marks", "[parallel][layers]") {
    // The On-Line Encyclopedia of Integer Sequences, A089484.
    const Counts published = {1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821, 60842};
    const SlidingPuzzle<4> puzzle;
    const LayerCounts expected = breadth_first_layers(puzzle, puzzle.goal(), {.max_cost = 15});
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        INFO(threads << " threads");
        const auto result = parallel_breadth_first_layers(
            puzzle, puzzle.goal(), {.threads = threads, .least_divided = 100}, {.max_cost = 15});
        CHECK(result.status == Status::cost_limit);
        CHECK(result.counts == published);
        check_same(result, expected);
    }
}

TEST_CASE("expansions are exact on several threads", "[parallel][layers]") {
    for (const unsigned threads : {2U, 5U}) {
        for (const std::uint64_t most : {0U, 1U, 4U, 5U, 6U, 500U, 759U, 760U, 761U, 762U, 3'000U}) {
            INFO(threads << " threads, " << most << " expansions");
            const auto result =
                parallel_breadth_first_layers(Plane{}, origin, at_once(threads), {.expansions = most});
            CHECK(result.status == Status::expansion_limit);
            CHECK(result.statistics.expanded == most);
            check_same(parallel_breadth_first_layers(Plane{}, origin, {.threads = 1}, {.expansions = most}),
                       breadth_first_layers(Plane{}, origin, {.expansions = most}));
            // The layers up to depth d have 2 d (d + 1) + 1 states.
            std::size_t depth = 0;
            while (2 * depth * (depth + 1) + 1 <= most) {
                ++depth;
            }
            REQUIRE(result.counts.size() == depth + 1);
            for (std::size_t d = 0; d <= depth; ++d) {
                CHECK(result.counts[d] == in_layer(d));
            }
        }
    }
    const auto all =
        parallel_breadth_first_layers(test::UndirectedWords(4, 50, 400), 0, at_once(3), {.expansions = 50});
    CHECK(all.status == Status::solved);
}

TEST_CASE("time, stop and the callback end layers on several threads", "[parallel][layers]") {
    const auto count = [](npuzzle::BasicLimits<int> limits) {
        return parallel_breadth_first_layers(Plane{}, origin, {.threads = 3, .least_divided = 100}, limits);
    };
    CHECK(count({.time = std::chrono::nanoseconds(0)}).status == Status::time_limit);
    CHECK(count({.time = std::chrono::milliseconds(30)}).status == Status::time_limit);
    int asked = 0;
    const std::thread::id here = std::this_thread::get_id();
    const auto stopped = count({.stop = [&] { return here == std::this_thread::get_id() && ++asked > 20; }});
    CHECK(stopped.status == Status::cancelled);
    CHECK(stopped.statistics.expanded > 0);

    std::vector<std::uint64_t> told;
    const auto ended =
        parallel_breadth_first_layers(Plane{}, origin, at_once(4), {}, [&](int depth, std::uint64_t layer) {
            CHECK(here == std::this_thread::get_id());
            CHECK(told.size() == static_cast<std::size_t>(depth));
            told.push_back(layer);
            return depth < 5;
        });
    CHECK(ended.status == Status::cancelled);
    CHECK(ended.counts == Counts{1, 4, 8, 12, 16, 20});
    CHECK(told == ended.counts);
    CHECK(parallel_breadth_first_layers(Plane{}, origin, at_once(3), {.max_cost = 3}).counts ==
          Counts{1, 4, 8, 12});
}

TEST_CASE("a limit of time strikes where expansions are slow", "[parallel][layers]") {
    const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); };
    const auto begin = std::chrono::steady_clock::now();
    const auto result = parallel_breadth_first_layers(Calling(sleep), origin, at_once(3),
                                                      {.time = std::chrono::milliseconds(100)});
    CHECK(result.status == Status::time_limit);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(600));
}

TEST_CASE("no more bytes are used than the limit, by all threads together", "[parallel][layers]") {
    const SlidingPuzzle<4> puzzle;
    const auto check = [&](const auto& problem, const auto& start, int depth) {
        for (const std::uint64_t bytes : {0U, 5'000U, 100'000U, 250'000U}) {
            const auto result = parallel_breadth_first_layers(
                problem, start, {.threads = 3, .least_divided = 500}, {.bytes = bytes, .max_cost = depth});
            CHECK(result.status == Status::memory_limit);
            CHECK(result.statistics.bytes <= bytes);
        }
        const auto enough = parallel_breadth_first_layers(
            problem, start, {.threads = 3, .least_divided = 500}, {.bytes = 20'000'000, .max_cost = depth});
        check_same(enough, breadth_first_layers(problem, start, {.max_cost = depth}));
    };
    check(puzzle, puzzle.goal(), 15);
    check(test::random_graph<int>(3, 60'000, 120'000, 1), 0, 60);
}

TEST_CASE("what a problem throws on any thread comes out of the call", "[parallel][layers]") {
    const std::thread::id here = std::this_thread::get_id();
    std::atomic<int> left;
    bool is_other = false;
    const auto throw_at_last = [&] {
        if ((std::this_thread::get_id() != here) == is_other && left.fetch_sub(1) == 1) {
            throw std::runtime_error("enough");
        }
    };
    const auto run_out = [&] {
        if ((std::this_thread::get_id() != here) == is_other && left.fetch_sub(1) == 1) {
            throw std::bad_alloc();
        }
    };
    for (const bool is_on_other : {false, true}) {
        is_other = is_on_other;
        for (const int calls : {1, 2'000}) {
            for (const unsigned threads : {2U, 8U}) {
                left = calls;
                CHECK_THROWS_AS(parallel_breadth_first_layers(Calling(throw_at_last), origin,
                                                              {.threads = threads, .least_divided = 50}),
                                std::runtime_error);
                left = calls;
                CHECK(parallel_breadth_first_layers(Calling(run_out), origin,
                                                    {.threads = threads, .least_divided = 50})
                          .status == Status::memory_limit);
            }
        }
    }
    CHECK_THROWS_AS(parallel_breadth_first_layers(Plane{}, origin, at_once(3), {},
                                                  [](int depth, std::uint64_t) {
                                                      if (depth == 3) {
                                                          throw std::runtime_error("enough");
                                                      }
                                                  }),
                    std::runtime_error);
}

TEST_CASE("an observer is told of the layers of all threads, on its own", "[parallel][layers]") {
    test::ProgressObserver observer;
    const auto result = parallel_breadth_first_layers(
        Plane{}, origin, {.threads = 2, .least_divided = 100}, {.time = std::chrono::milliseconds(60)},
        [](int, std::uint64_t) {}, observer);
    CHECK(result.status == Status::time_limit);
    CHECK(observer.calls > 3);
    CHECK(observer.is_here);
    CHECK(observer.last == result.statistics);
}

TEST_CASE("small layers start no thread", "[parallel][layers]") {
    const std::thread::id here = std::this_thread::get_id();
    std::atomic<int> elsewhere{0};
    const auto look = [&] { elsewhere += std::this_thread::get_id() == here ? 0 : 1; };
    const auto count = [&](std::uint64_t least) {
        elsewhere = 0;
        CHECK(parallel_breadth_first_layers(Calling(look), origin, {.threads = 4, .least_divided = least},
                                            {.max_cost = 26})
                  .counts.back() == 4 * 26);
        return elsewhere.load();
    };
    CHECK(count(4 * 26) == 0);
    CHECK(count(4 * 20) > 0);
}

TEST_CASE("layers of a start and callables, of states that own memory", "[parallel][layers]") {
    const std::string start = "a word that is too long to be kept in place: ";
    const auto neighbors = [](const std::string& word) { return std::array{word + 'a', word + 'b'}; };
    const auto result = parallel_breadth_first_layers(start, neighbors, at_once(3), {.max_cost = 8});
    CHECK(result.counts == Counts{1, 2, 4, 8, 16, 32, 64, 128, 256});
    // Ended while states are on their way, which are destroyed once.
    CHECK(parallel_breadth_first_layers(start, neighbors, at_once(3), {.expansions = 2'000}).status ==
          Status::expansion_limit);
}
