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
#include "support/thrown.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#if __has_include(<sys/wait.h>)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

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
    const SlidingPuzzle<3> eight;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        INFO("seed " << seed);
        const PackedBoard<3> board(npuzzle::random_walk(npuzzle::goal_blank_last(3), 70, seed));
        const auto result = check_threads(eight, board, Manhattan{});
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

TEST_CASE("the caller asks for a stop while others search", "[parallel_ida_star]") {
    // The others wait for the stop, and are busy for a while after it.
    std::atomic<bool> is_stopped{false};
    const auto caller = std::this_thread::get_id();
    const auto estimate = [&](std::int64_t) {
        const bool waits = std::this_thread::get_id() != caller && !is_stopped;
        while (waits && !is_stopped) {
            std::this_thread::yield();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{waits ? 20 : 0});
        return 0.0;
    };
    Watching watching;
    std::size_t seen = 0;
    int calls = 0;
    const auto stop = [&] {
        seen = watching.seen.size();
        return is_stopped = ++calls > 20;
    };
    const auto result = parallel_ida_star(tree, 0, estimate, divided(2), {.stop = stop}, watching);
    CHECK(result.status == Status::cancelled);
    CHECK(calls == 21);
    CHECK(watching.seen.size() == seen + 1); // the end
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
        // A status is thrown like anything else.
        CHECK_THROWS_AS(parallel_ida_star(tree, 0, npuzzle::Zero{}, divided(threads),
                                          {.stop = []() -> bool { throw Status::solved; }}),
                        Status);
        for (int calls = 0; calls < 2; ++calls) { // More calls come only where it takes long.
            Watching watching;
            watching.calls_to_failure = calls;
            CHECK_THROWS_AS(parallel_ida_star(tree, 0, npuzzle::Zero{}, divided(threads), {}, watching),
                            Failure);
            CHECK(watching.seen.size() == static_cast<std::size_t>(calls)); // none after it has thrown
        }
    }
}

TEST_CASE("an observer sees the progress, on the caller's thread", "[parallel_ida_star]") {
    Watching watching;
    const auto slow = [](std::int64_t n) {
        if (n % 64 == 0) {
            std::this_thread::sleep_for(std::chrono::microseconds{20});
        }
        return 0.0;
    };
    const auto result = parallel_ida_star(tree, 0, slow, divided(3), {}, watching);
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

using npuzzle::IdaStarJournal;

/// A file that is gone afterwards.
struct File {
    std::string path = "ida_star_journal." + std::to_string(std::random_device{}());
    File() { std::remove(path.c_str()); }
    ~File() { std::remove(path.c_str()); }

    std::string read() const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(const std::string& content) const { std::ofstream(path, std::ios::binary) << content; }
};

constexpr std::size_t record_size = sizeof(npuzzle::UnitRecord);

const SlidingPuzzle<3> puzzle;
const PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1}); // one of the two that take 31 moves

auto search(IdaStarJournal& journal, unsigned threads, const PackedBoard<3>& board = hardest) {
    return parallel_ida_star(puzzle, board, Manhattan{},
                             {.threads = threads, .least_divided = 1'000, .journal = &journal});
}

std::string message(const std::string& path, const std::string& key = "8-puzzle",
                    const PackedBoard<3>& board = hardest) {
    return message_of<std::runtime_error>([&] {
        IdaStarJournal journal(path, key);
        search(journal, 2, board);
    });
}

} // namespace

#if __has_include(<sys/wait.h>)
TEST_CASE("a search that is killed again and again ends with the same totals", "[parallel_ida_star]") {
    const File file;
    const auto expected = ida_star(puzzle, hardest, Manhattan{});
    REQUIRE(expected.cost == 31);
    int kills = 0;
    std::size_t known = 0;
    std::chrono::microseconds unit{1}; // of the time until a search is killed, longer where nothing gets done
    for (unsigned run = 0; run < 60; ++run) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            IdaStarJournal journal(file.path, "8-puzzle");
            const bool is_same =
                search(journal, 1 + run % 3).statistics.expanded == expected.statistics.expanded;
            ::_exit(is_same ? 0 : 1);
        }
        std::this_thread::sleep_for((100 + 300 * (run % 17)) * unit);
        ::kill(child, SIGKILL);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        if (WIFSIGNALED(status)) {
            CHECK(WTERMSIG(status) == SIGKILL);
            ++kills;
        } else {
            CHECK(WEXITSTATUS(status) == 0);
        }
        // What was finished is kept.
        const std::size_t size = file.read().size();
        CHECK(size / record_size >= known);
        known = size / record_size;
        if (known == 0 && run % 4 == 3) {
            unit *= 2;
        }
    }
    CHECK(kills > 0);
    CHECK(known > 0);
    IdaStarJournal journal(file.path, "8-puzzle");
    const auto result = search(journal, 2);
    check_same(expected, result);
}
#endif

TEST_CASE("a unit whose record is cut off or damaged is searched again", "[parallel_ida_star]") {
    const File file;
    const TernaryTree whole_tree{20'000, -1}; // without a goal, each unit is needed
    const auto expected = ida_star(whole_tree, 0, npuzzle::Zero{});
    const auto size_after = [&](unsigned threads) {
        IdaStarJournal journal(file.path, "a tree");
        check_same(expected,
                   parallel_ida_star(whole_tree, 0, npuzzle::Zero{},
                                     {.threads = threads, .least_divided = 500, .journal = &journal}));
        return file.read().size();
    };
    const std::size_t all = size_after(2);
    const std::string whole = file.read();
    CHECK(all > 50 * record_size);
    CHECK(size_after(1) == all);
    CHECK(file.read() == whole); // none was searched again

    for (const std::size_t lost : {std::size_t{1}, record_size - 1, record_size, 5 * record_size / 2}) {
        file.write(whole.substr(0, all - lost));
        CHECK(size_after(2) == all);
        const std::string again = file.read();
        CHECK(again.substr(0, all - lost / record_size * record_size - record_size) ==
              whole.substr(0, all - lost / record_size * record_size - record_size));
        CHECK(size_after(3) == all);
        CHECK(file.read() == again);
    }
    for (std::size_t byte = 0; byte < record_size; byte += 8) {
        std::string damaged = whole;
        damaged[all - 10 * record_size + byte] ^= 1;
        file.write(damaged);
        CHECK(size_after(2) == all + record_size);
        CHECK(size_after(3) == all + record_size);
    }
    for (const std::size_t at : {all / 2, all / 2 + 40, all - 512}) { // as a power failure may leave blocks
        std::string damaged = whole;
        damaged.replace(at, 512, 512, '\0');
        file.write(damaged);
        CHECK(size_after(2) > all);
    }
    file.write(whole + "torn");
    CHECK(size_after(2) == all + 4);
    file.write(whole.substr(0, 30)); // within the header
    CHECK(size_after(2) == all);
}

#if __has_include(<sys/wait.h>)
TEST_CASE("a journal on a full disk ends the search, and is good for the next one", "[parallel_ida_star]") {
    const File file;
    ::rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    for (const rlim_t size : {50U, 1'000U, 1'001U, 2'000U}) {
        const ::rlimit full{size, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &full);
        const std::string said = message(file.path);
        ::setrlimit(RLIMIT_FSIZE, &before);
        CHECK(said == "the journal " + file.path + " cannot be written");
        CHECK(file.read().size() <= size);
    }
    std::signal(SIGXFSZ, handler);
    IdaStarJournal journal(file.path, "8-puzzle");
    check_same(ida_star(puzzle, hardest, Manhattan{}), search(journal, 2));
    const std::size_t size = file.read().size();
    CHECK(size > 10 * record_size);
    check_same(ida_star(puzzle, hardest, Manhattan{}), search(journal, 1));
    CHECK(file.read().size() == size);
}
#endif

TEST_CASE("a journal of something else is refused", "[parallel_ida_star]") {
    const File file;
    CHECK(message(file.path) == "nothing thrown");
    const std::string whole = file.read();
    const std::string refusal =
        "the journal " + file.path + " is of another search, or no journal: it begins with ";
    CHECK(message(file.path, "15-puzzle").starts_with(refusal));
    CHECK(message(file.path, "8-puzzle", PackedBoard<3>({8, 6, 7, 2, 5, 4, 3, 1, 0})).starts_with(refusal));
    CHECK(file.read() == whole);
    file.write("what is this, it is long enough to be a journal, but it is none at all, is it");
    CHECK(message(file.path).starts_with(refusal));
    CHECK(message("no such folder/journal") == "the journal no such folder/journal cannot be opened");
}
