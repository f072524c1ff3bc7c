#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/core/result.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/policies.hpp"
#include "support/problems.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using npuzzle::astar;
using npuzzle::SearchResult;
using npuzzle::SilentObserver;
using npuzzle::Statistics;
using npuzzle::Status;
using npuzzle::Zero;
using test::Graph;
using test::Table;

template <class R>
concept HasMoves = requires(R result) { result.moves; };

static_assert(!HasMoves<SearchResult<int, int>>);
static_assert(HasMoves<SearchResult<int, int, char>>);
static_assert(std::same_as<decltype(SearchResult<int, int, char>::moves), std::vector<char>>);
static_assert(!std::convertible_to<SearchResult<int, int>, bool>, "only where a condition is asked for");

constexpr Status all[] = {Status::running,         Status::solved,         Status::unsolvable,
                          Status::expansion_limit, Status::memory_limit,   Status::time_limit,
                          Status::cancelled,       Status::cost_overflow,  Status::cost_limit,
                          Status::depth_limit,     Status::beam_exhausted, Status::failed};

Statistics numbered(std::uint64_t factor, double seconds) {
    return {factor,     2 * factor, 3 * factor, 4 * factor, 5 * factor,
            6 * factor, 7 * factor, seconds,    9 * factor};
}

using Node = npuzzle::NodeView<int, int, int, int>;
static_assert(npuzzle::ObserverOf<SilentObserver, Node>);
static_assert(npuzzle::ObserverOf<archetype::Observer<Node>, Node>);
static_assert(!npuzzle::ObserverOf<archetype::Observer<Node>, npuzzle::NodeView<std::string, int, int, int>>);
static_assert(!npuzzle::ObserverOf<int, Node>);

/// Is told of the progress alone.
struct ProgressLog : SilentObserver {
    static constexpr bool sees_nodes = false;

    std::vector<int> bounds;
    int ends = 0;

    void progress(const npuzzle::Statistics& /*statistics*/) { ++ends; }
    void progress(const npuzzle::Statistics& /*statistics*/, int bound) { bounds.push_back(bound); }
};
static_assert(npuzzle::ObserverOf<ProgressLog, Node>);
static_assert(!npuzzle::sees_nodes<ProgressLog> && !npuzzle::sees_nodes<SilentObserver>);
static_assert(!npuzzle::sees_nodes<ProgressLog&> && !npuzzle::sees_nodes<SilentObserver&>);
static_assert(npuzzle::sees_nodes<archetype::Observer<Node>>);

/// Writes each event in a line of its own, except for progress, which depends on the clock.
struct Log : SilentObserver {
    std::vector<std::string> lines;

    void start(const auto& node) { write("start", node); }
    void expand(const auto& node) { write("expand", node); }
    void generate(const auto& node, const auto& parent) {
        write("generate", node);
        lines.back() += " from " + std::to_string(parent.state) + " at " + std::to_string(parent.cost);
    }
    void duplicate(const auto& node) { write("duplicate", node); }
    void improve(const auto& node) { write("improve", node); }
    void reopen(const auto& node) { write("reopen", node); }
    void goal(const auto& node) { write("goal", node); }

private:
    void write(const char* event, const auto& node) {
        lines.push_back(
            event + (" " + std::to_string(node.state)) + ": " + std::to_string(node.cost) + " + " +
            (node.estimate == std::numeric_limits<int>::max() ? "infinity" : std::to_string(node.estimate)));
        CHECK(node.priority ==
              (node.estimate == std::numeric_limits<int>::max() ? node.estimate : node.cost + node.estimate));
    }
};

/// Counts, and notes that it is the same object all the time.
struct Counters : SilentObserver {
    std::uint64_t starts = 0;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t improved = 0;
    std::uint64_t reopened = 0;
    std::uint64_t goals = 0;

    void start(const auto&) { ++starts; }
    void expand(const auto&) { ++expanded; }
    void generate(const auto&, const auto&) { ++generated; }
    void duplicate(const auto&) { ++duplicates; }
    void improve(const auto&) { ++improved; }
    void reopen(const auto&) { ++reopened; }
    void goal(const auto&) { ++goals; }
};

/// A graph in which everything happens once at least.
Graph<int> eventful() {
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(0, 2, 3).connect(0, 3, 20).connect(1, 2, 1).connect(2, 3, 7).connect(2, 0,
                                                                                                        1);
    return graph.add_goal(3);
}

} // namespace

TEST_CASE("each status has a name of its own", "[result]") {
    STATIC_REQUIRE(npuzzle::to_string(Status::solved) == "solved");
    std::set<std::string_view> names;
    for (const Status status : all) {
        names.insert(npuzzle::to_string(status));
        std::ostringstream out;
        out << status;
        CHECK(out.str() == npuzzle::to_string(status));
    }
    CHECK(names.size() == std::size(all));
    CHECK(names.count("unknown") == 0);
    CHECK(npuzzle::to_string(static_cast<Status>(std::size(all))) == "unknown");
}

TEST_CASE("a result is true if it is solved, and only then", "[result]") {
    SearchResult<int, double, char> result;
    CHECK(result.status == Status::running);
    CHECK(result.path.empty());
    CHECK(result.moves.empty());
    CHECK(result.cost == 0.0);
    for (const Status status : all) {
        result.status = status;
        CHECK(static_cast<bool>(result) == (status == Status::solved));
    }
}

TEST_CASE("statistics of two searches are added up, what they held only if it was at the same time",
          "[result]") {
    Statistics both = numbered(1, 8);
    CHECK(&both.merge_concurrent(numbered(10, 5)) == &both);
    CHECK(both == numbered(11, 8));
    Statistics later = numbered(10, 5);
    later.merge_concurrent(numbered(1, 8));
    CHECK(later == both);

    Statistics before = numbered(1, 8);
    before.peak_open = 61;
    CHECK(&before.merge_sequential(numbered(10, 5)) == &before);
    Statistics expected = numbered(11, 13);
    expected.stored = 50;
    expected.peak_open = 61;
    expected.bytes = 70;
    CHECK(before == expected);
}

TEST_CASE("statistics print as one line, contract violations only where there are some", "[result]") {
    Statistics statistics = numbered(1, 2.5);
    statistics.contract_violations = 0;
    std::ostringstream out;
    out << statistics;
    CHECK(out.str() ==
          "expanded 1, generated 2, duplicates 3, reopened 4, stored 5, peak open 6, 7 bytes, 2.5 s");
    statistics.contract_violations = 9;
    out << '\n' << statistics;
    CHECK(out.str().find("2.5 s, contract violations 9") != std::string::npos);
}

TEST_CASE("each event is told, in order, whatever the parts", "[result]") {
    const Table<int> inconsistent{{{1, 8}}};
    const std::vector<std::string> expected{
        "start 0: 0 + 0",
        "expand 0: 0 + 0",
        "generate 1: 1 + 8 from 0 at 0",
        "generate 2: 3 + 0 from 0 at 0",
        "generate 3: 20 + 0 from 0 at 0",
        "expand 2: 3 + 0",
        "generate 3: 10 + 0 from 2 at 3",
        "improve 3: 10 + 0",
        // Not 0, from which the step to 2 came.
        "expand 1: 1 + 8",
        "generate 2: 2 + 0 from 1 at 1",
        "reopen 2: 2 + 0",
        "expand 2: 2 + 0",
        "generate 3: 9 + 0 from 2 at 2",
        "improve 3: 9 + 0",
        "generate 0: 3 + 0 from 2 at 2",
        "duplicate 0: 3 + 0",
        "goal 3: 9 + 0",
    };
    Log pooled;
    astar<test::HeapAndPooled>(eventful(), 0, inconsistent, {}, pooled);
    CHECK(pooled.lines == expected);
    Log packed;
    astar<test::BucketsAndPacked<>>(eventful(), 0, inconsistent, {}, packed);
    CHECK(packed.lines == expected);
}

TEST_CASE("a dead end is generated, and not put on the open list", "[result]") {
    Graph<int> graph(4);
    graph.connect(0, 1, 1).connect(0, 2, 1).connect(2, 1, 1).connect(1, 3, 1);
    const npuzzle::MarksDeadEnds dead{
        [](int vertex) { return vertex == 1 ? std::numeric_limits<int>::max() : 0; }};
    const std::vector<std::string> expected{
        "start 0: 0 + 0",
        "expand 0: 0 + 0",
        "generate 1: 1 + infinity from 0 at 0",
        "generate 2: 1 + 0 from 0 at 0",
        "expand 2: 1 + 0",
        "generate 1: 2 + infinity from 2 at 1",
        "duplicate 1: 2 + infinity",
    };
    Log pooled;
    astar<npuzzle::PooledPolicy>(graph, 0, dead, {}, pooled);
    CHECK(pooled.lines == expected);
    Log packed;
    astar<npuzzle::DefaultPolicy>(graph, 0, dead, {}, packed);
    CHECK(packed.lines == expected);
    Log start;
    CHECK(astar(graph, 1, dead, {}, start).status == Status::unsolvable);
    CHECK(start.lines == std::vector<std::string>{"start 1: 0 + infinity"});
}

TEST_CASE("events and statistics say the same", "[result]") {
    std::uint64_t improved = 0;
    std::uint64_t reopened = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto graph = test::random_graph<int>(seed, 40, 160, 1);
        test::Random random(seed);
        Table<int> lower{oracle::costs_to_goal<int>(graph, 0)};
        for (auto& [vertex, value] : lower.values) {
            value = random.between(0, value);
        }
        Counters counters;
        const auto result = astar(graph, 0, lower, {}, counters);
        const auto& statistics = result.statistics;
        CHECK(counters.starts == 1);
        CHECK(counters.expanded == statistics.expanded);
        CHECK(counters.generated == statistics.generated);
        CHECK(counters.duplicates == statistics.duplicates);
        CHECK(counters.reopened == statistics.reopened);
        CHECK(counters.goals == (result ? 1 : 0));
        // Each generated state is new, or one of the three.
        CHECK(statistics.generated ==
              statistics.stored - 1 + counters.duplicates + counters.improved + counters.reopened);

        // Watching changes nothing.
        const auto unwatched = astar(graph, 0, lower);
        CHECK(unwatched.path == result.path);
        CHECK(unwatched.statistics.expanded == statistics.expanded);
        CHECK(unwatched.statistics.generated == statistics.generated);
        CHECK(unwatched.statistics.duplicates == statistics.duplicates);
        improved += counters.improved;
        reopened += counters.reopened;
    }
    CHECK(improved > 0);
    CHECK(reopened > 0);
}

TEST_CASE("an observer that sees no nodes is told of f", "[result]") {
    // The first expansion is at f = 0, and before it the progress is told.
    ProgressLog log;
    astar(eventful(), 0, Zero{}, {}, log);
    REQUIRE_FALSE(log.bounds.empty());
    CHECK(log.bounds.front() == 0);
    CHECK(log.ends == 1);
}

TEST_CASE("progress is told now and then, and at the end", "[result]") {
    struct Progress : SilentObserver {
        std::vector<npuzzle::Statistics> told;
        void progress(const npuzzle::Statistics& statistics) { told.push_back(statistics); }
    };
    struct Counting {
        using State = std::uint32_t;
        std::vector<State> neighbors(State x) const { return {(x * 2 + 1) % 100'003, x * 3 % 100'003}; }
        bool is_goal(State) const { return false; }
    };
    Progress progress;
    const auto result = astar(Counting{}, 1, Zero{}, {}, progress);
    REQUIRE(progress.told.size() >= 3);
    CHECK(progress.told.front().expanded == 0);
    CHECK(progress.told.back().expanded == result.statistics.expanded);
    CHECK(progress.told.back().stored == result.statistics.stored);
    CHECK(progress.told.back().seconds == result.statistics.seconds);
    for (std::size_t i = 1; i < progress.told.size(); ++i) {
        CHECK(progress.told[i - 1].expanded <= progress.told[i].expanded);
        CHECK(progress.told[i - 1].seconds <= progress.told[i].seconds);
        CHECK(progress.told[i - 1].bytes <= progress.told[i].bytes);
    }
    Progress at_once;
    astar(eventful(), 3, Zero{}, {}, at_once);
    CHECK(at_once.told.size() == 1);
}
