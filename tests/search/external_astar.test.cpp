#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/external_astar.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#if __has_include(<sys/wait.h>)
#include <dlfcn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// What the system does to each tenth write and read.
namespace {

enum class Fault { none, interrupted, short_of, full, broken };
Fault fault = Fault::none;
int calls = 0;

template <class Bytes>
ssize_t moved(const char* name, int file, Bytes bytes, std::size_t size, off_t place) {
    auto* const real =
        reinterpret_cast<ssize_t (*)(int, Bytes, std::size_t, off_t)>(::dlsym(RTLD_NEXT, name));
    if (fault == Fault::none || ++calls % 10 != 0) {
        return real(file, bytes, size, place);
    }
    if (fault == Fault::short_of) {
        return real(file, bytes, size / 3, place);
    }
    errno = fault == Fault::interrupted ? EINTR : fault == Fault::full ? ENOSPC : EIO;
    return -1;
}

} // namespace

extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t place) {
    return moved("pwrite", file, bytes, size, place);
}
extern "C" ssize_t pread(int file, void* bytes, std::size_t size, off_t place) {
    return moved("pread", file, bytes, size, place);
}
#endif

namespace {

using npuzzle::external_astar;
using npuzzle::Limits;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SilentObserver;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::Zero;

const SlidingPuzzle<3> puzzle;
const PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1}); // one of the two that take 31 moves

/// Estimates of which some fall short: admissible, and not consistent.
struct Estimates {
    std::map<int, int> values;

    template <class P>
    Estimates(const P& problem, std::uint64_t seed) : values(oracle::costs_to_goal<int>(problem, 0)) {
        test::Random random(seed);
        const int kind = random.between(0, 3);
        for (auto& [vertex, value] : values) {
            value = kind == 0 ? value : kind == 1 ? value / 2 : random.between(0, value);
        }
    }
    static constexpr bool marks_dead_ends = true;
    int operator()(int vertex) const {
        const auto found = values.find(vertex);
        return found != values.end() ? found->second : vertex % 2 == 0 ? 0 : std::numeric_limits<int>::max();
    }
};

template <class P>
void check_costs(const P& problem, std::uint64_t seed, const std::string& folder) {
    INFO("seed " << seed);
    const auto least = oracle::least_cost<int>(problem, 0);
    const std::uint64_t bytes = seed % 2 == 0 ? Limits::unlimited : 1'000'000;
    const auto check = [&](const auto& heuristic) {
        const auto result =
            external_astar(problem, 0, heuristic, {.folder = folder}, npuzzle::limits_t<P>{.bytes = bytes});
        REQUIRE(result.status == (least ? Status::solved : Status::unsolvable));
        test::check_path(problem, 0, result);
        CHECK((result ? result.cost : 0) == least.value_or(0));
        test::check_statistics(result.status, result.statistics);
    };
    check(Estimates(problem, seed));
    check(Zero{});
}

/// All states that were expanded.
struct Expanded : SilentObserver {
    std::set<std::uint64_t> states;
    std::uint64_t count = 0;
    std::uint64_t generated = 0;
    std::uint64_t goals = 0;
    void expand(const auto& node) {
        states.insert(puzzle.pack(node.state));
        ++count;
        CHECK(node.priority == node.cost + node.estimate);
    }
    void generate(const auto& node, const auto& parent) { generated += node.cost == parent.cost + 1 ? 1 : 0; }
    void goal(const auto& node) { goals += node.estimate == 0 ? 1 : 0; }
};

#if __has_include(<sys/wait.h>)
/// The most files that are in a folder.
struct Watch : SilentObserver {
    const test::Folder* folder;
    std::size_t most = 0;
    void expand(const auto&) { most = std::max(most, folder->files()); }
};

struct Killer : SilentObserver {
    int left = 5'000;
    void expand(const auto&) {
        if (--left == 0) {
            ::raise(SIGKILL);
        }
    }
};
#endif

} // namespace

TEST_CASE("8-puzzles of each depth, with little memory", "[external_astar]") {
    const test::Folder folder;
    const auto boards = oracle::space_of_size_3(oracle::blank_last_of_size_3).first_of_each_depth();
    for (int depth = 0; depth < 32; depth += depth < 24 ? 3 : 1) {
        const PackedBoard<3> board(boards[static_cast<std::size_t>(depth)]);
        const auto result =
            external_astar(puzzle, board, Manhattan{}, {.folder = folder.path}, {.bytes = 200'000});
        test::check_moves(puzzle, board, result, depth);
        test::check_statistics(result.status, result.statistics);
        CHECK(result.statistics.bytes <= 200'000);
        CHECK(result.statistics.seconds > 0);
        CHECK((depth < 31 || result.file_bytes > result.statistics.bytes));
    }
}

TEST_CASE("an unsolvable board: half of the space", "[external_astar]") {
    const test::Folder folder;
    const auto result = external_astar(puzzle, puzzle.goal().twin(), Manhattan{}, {.folder = folder.path},
                                       {.bytes = 300'000});
    CHECK(result.status == Status::unsolvable);
    CHECK(result.path.empty());
    CHECK(result.statistics.expanded == 181'440);
    CHECK(result.statistics.stored == 181'440);
    CHECK(result.statistics.generated - result.statistics.duplicates == 181'439);
    CHECK(result.statistics.bytes <= 300'000);
    CHECK(result.file_bytes > 181'440 * 5);
    // Without a heuristic, buckets are larger than memory.
    const auto layers = external_astar(puzzle, hardest, Zero{}, {.folder = folder.path}, {.bytes = 200'000});
    CHECK(layers.cost == 31);
    CHECK(layers.statistics.stored > 181'000);
}

TEST_CASE("the example of the documentation", "[external_astar]") {
    const auto result = npuzzle::external_astar(puzzle, hardest, npuzzle::Manhattan{}, {.folder = "/tmp"},
                                                {.bytes = 200'000});
    CHECK(result.cost == 31);
    CHECK(result.file_bytes > result.statistics.bytes);
}

TEST_CASE("under a consistent heuristic each state is expanded once", "[external_astar]") {
    Expanded seen;
    const auto result = external_astar(puzzle, hardest, Manhattan{}, {}, {.bytes = 200'000}, seen);
    CHECK(result.cost == 31);
    CHECK(seen.count == seen.states.size());
    CHECK(seen.count == result.statistics.expanded);
    CHECK(seen.generated == result.statistics.generated);
    CHECK(seen.goals == 1);
    // Of those whose f is that of the solution not many more than A* expands.
    const auto one_by_one = npuzzle::astar(puzzle, hardest, Manhattan{});
    CHECK(result.statistics.expanded < one_by_one.statistics.expanded * 3 / 2);
}

TEST_CASE("random graphs, by estimates consistent or not", "[external_astar]") {
    const test::Folder folder;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const int vertices = 1 + static_cast<int>(seed % 40);
        check_costs(test::random_graph<int>(seed, vertices, 3 * vertices, static_cast<int>(seed % 3)), seed,
                    folder.path);
    }
    for (std::uint64_t seed = 0; seed < 40; ++seed) { // with words, moves or both
        check_costs(test::WithWords<test::Ring>(seed, 60, 12), seed, folder.path);
        check_costs(test::WithMoves<test::Ring>(seed, 60, 12), seed, folder.path);
        check_costs(test::WithMoves<test::WithWords<test::Ring>>(seed, 61, 12), seed, folder.path);
    }
}

TEST_CASE("limits end the search, with a partial path", "[external_astar]") {
    const test::Folder folder;
    const npuzzle::ExternalOptions options{.folder = folder.path};
    const auto full = external_astar(puzzle, hardest, Manhattan{}, options);
    for (const std::uint64_t most :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{100}, std::uint64_t{3'000}}) {
        const auto result = external_astar(puzzle, hardest, Manhattan{}, options, {.expansions = most});
        CHECK(result.status == Status::expansion_limit);
        CHECK(result.statistics.expanded == most);
        CHECK(result.path.empty());
        CHECK(result.partial_path.size() >= 1);
        test::check_path(puzzle, hardest, result);
    }
    // The goal is next then.
    CHECK(external_astar(puzzle, hardest, Manhattan{}, options, {.expansions = full.statistics.expanded})
              .cost == 31);

    CHECK(
        external_astar(puzzle, hardest, Manhattan{}, options, {.time = std::chrono::nanoseconds{0}}).status ==
        Status::time_limit);
    npuzzle::StopSource source;
    source.request_stop();
    CHECK(external_astar(puzzle, hardest, Manhattan{}, options, {.stop = source}).status ==
          Status::cancelled);
    npuzzle::limits_t<SlidingPuzzle<3>> limits;
    limits.max_cost = 30;
    CHECK(external_astar(puzzle, hardest, Manhattan{}, options, limits).status == Status::cost_limit);
    limits.max_cost = 31;
    CHECK(external_astar(puzzle, hardest, Manhattan{}, options, limits).cost == 31);
    limits.max_cost = -1;
    CHECK(external_astar(puzzle, hardest, Manhattan{}, options, limits).status == Status::cost_limit);
}

TEST_CASE("too little memory, or too little room for the file", "[external_astar]") {
    const test::Folder folder;
    for (const std::uint64_t bytes : {0U, 1'000U, 5'000U, 20'000U}) {
        const auto result =
            external_astar(puzzle, hardest, Manhattan{}, {.folder = folder.path}, {.bytes = bytes});
        CHECK(result.status == Status::memory_limit);
        CHECK(result.statistics.bytes <= bytes);
        test::check_path(puzzle, hardest, result);
    }
    for (const std::uint64_t bytes : {0U, 5'000U, 100'000U}) {
        const auto result = external_astar(puzzle, hardest, Manhattan{},
                                           {.folder = folder.path, .file_bytes = bytes}, {.bytes = 200'000});
        CHECK(result.status == Status::memory_limit);
        CHECK(result.file_bytes <= bytes);
        test::check_path(puzzle, hardest, result);
    }
}

TEST_CASE("a folder where no file can be made is named", "[external_astar]") {
    const auto make = [&](const std::string& folder) {
        return message_of<std::runtime_error>(
            [&] { external_astar(puzzle, hardest, Manhattan{}, {.folder = folder}, {.expansions = 1}); });
    };
    CHECK(
        make("no/such/folder") ==
        "a file for what does not fit in memory cannot be made in no/such/folder: No such file or directory");
    CHECK(make("") == "nothing thrown");
}

#if __has_include(<sys/wait.h>)
TEST_CASE("a full disk is no memory, a broken one is an error, and a call that does a part goes on",
          "[external_astar]") {
    const test::Folder folder;
    const auto search = [&](Fault which) {
        fault = which;
        const auto result =
            external_astar(puzzle, hardest, Manhattan{}, {.folder = folder.path}, {.bytes = 200'000});
        fault = Fault::none;
        return result;
    };
    CHECK(search(Fault::interrupted).cost == 31);
    CHECK(search(Fault::short_of).cost == 31);
    CHECK(search(Fault::full).status == Status::memory_limit);
    const std::string message = message_of<std::runtime_error>([&] { search(Fault::broken); });
    fault = Fault::none;
    CHECK(message.find("read or written in " + folder.path + ": ") != std::string::npos);
}

TEST_CASE("the folder is empty, also when the process is killed", "[external_astar]") {
    const test::Folder folder;
    Watch watch{{}, &folder};
    const auto start =
        PackedBoard<3>(npuzzle::random_walk(npuzzle::Board(puzzle.goal()), 40, std::uint64_t{3}));
    CHECK(external_astar(puzzle, start, Manhattan{}, {.folder = folder.path}, {}, watch));
    CHECK(watch.most == 0);

    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        external_astar(puzzle, hardest, Manhattan{}, {.folder = folder.path}, {.bytes = 200'000}, Killer{});
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(folder.files() == 0);
}
#endif

TEST_CASE("an exception passes, and no file is left", "[external_astar]") {
    struct Enough {};
    const test::Folder folder;
    int left = 1'000;
    const auto heuristic = [&](const PackedBoard<3>&) {
        if (left-- == 0) {
            throw Enough{};
        }
        return 0;
    };
    CHECK_THROWS_AS(external_astar(puzzle, hardest, heuristic, {.folder = folder.path}), Enough);
    CHECK(folder.files() == 0);
}

namespace {

/// A chain of numbers whose states are larger than a block of a small search.
struct LargeStates {
    struct State {
        int number;
        char payload[5000];

        bool operator==(const State& other) const { return number == other.number; }
    };

    std::vector<State> neighbors(const State& state) const {
        return {State{state.number + 1, {}}, State{state.number + 2, {}}};
    }
    bool is_goal(const State& state) const { return state.number == 60; }
    std::size_t hash(const State& state) const { return static_cast<std::size_t>(state.number); }
};

} // namespace

TEST_CASE("external A* takes states that are larger than a block", "[external_astar]") {
    const auto half = [](const LargeStates::State& state) {
        return state.number < 60 ? (60 - state.number + 1) / 2 : 0;
    };
    const auto result =
        external_astar(LargeStates{}, LargeStates::State{0, {}}, half, {}, {.bytes = 16'000'000});
    REQUIRE(result.status == Status::solved);
    CHECK(result.cost == 30);
    CHECK(result.path.size() == 31);
}
