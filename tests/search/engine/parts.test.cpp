#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/engine/parts.hpp>
#include <npuzzle/search/open_list/heap.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using npuzzle::BucketOpenList;
using npuzzle::DefaultPolicy;
using npuzzle::HeapOpenList;
using npuzzle::LadderOpenList;
using npuzzle::PackedNodeTable;
using npuzzle::PartsFor;
using npuzzle::PooledNodeTable;
using npuzzle::Zero;

struct Line {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x - 1, x + 1}; }
    bool is_goal(int x) const { return x == 5; }
};
struct PackedLine : Line {
    std::uint32_t pack(int x) const { return static_cast<std::uint32_t>(x); }
    int unpack(std::uint32_t word) const { return static_cast<int>(word); }
};
struct WalkedLine : PackedLine {
    using Move = int;
    static constexpr int no_move = 0;
    template <class F>
    void for_each_move(int, int last, F f) const {
        for (const int move : {-1, 1}) {
            if (move != -last) {
                f(move);
            }
        }
    }
    void apply(int& x, int move) const { x += move; }
    int inverse(int move) const { return -move; }
};
struct NumberedLine : WalkedLine {
    std::size_t index(int x) const { return static_cast<std::size_t>(x); }
    std::size_t size() const { return 100; }
};
struct CompactLine : NumberedLine {
    enum class Move : std::uint8_t { down, up, none };
    static constexpr Move no_move = Move::none;
    template <class F>
    void for_each_move(int, Move last, F f) const {
        for (const Move move : {Move::down, Move::up}) {
            if (last == no_move || move == last) {
                f(move);
            }
        }
    }
    void apply(int& x, Move move) const { x += move == Move::up ? 1 : -1; }
    Move inverse(Move move) const { return move == Move::up ? Move::down : Move::up; }
    static constexpr unsigned word_bits = 32;
    static constexpr unsigned move_count = 2;
    static constexpr int longest_path = 100;
};
/// Moves that own memory.
struct NamedMoves : PackedLine {
    using Move = std::string;
    static inline const std::string no_move = "stay where you are, for as long as you like";
    template <class F>
    void for_each_move(int, const Move& last, F f) const {
        for (const Move& move :
             {std::string("one step down, and watch out"), std::string("one step up, and hold on")}) {
            if (last == no_move || move == last) {
                f(move);
            }
        }
    }
    void apply(int& x, const Move& move) const { x += move[9] == 'u' ? 1 : -1; }
    Move inverse(const Move& move) const {
        return move[9] == 'u' ? "one step down, and watch out" : "one step up, and hold on";
    }
};
struct HalfEstimate {
    double operator()(int x) const { return x < 5 ? (5 - x) / 2.0 : (x - 5) / 2.0; }
};

template <class P, class H, class Policy = DefaultPolicy>
using open_list_t = typename PartsFor<P, H, Policy>::OpenList;
template <class P, class H, class Policy = DefaultPolicy>
using node_table_t = typename PartsFor<P, H, Policy>::NodeTable;

using heap = npuzzle::HeapPolicy;
using pooled = npuzzle::PooledPolicy;

// The open list: buckets for unit costs and integer estimates, the ladder for other numbers.
static_assert(std::same_as<open_list_t<Line, Zero>, BucketOpenList<int, int, std::uint32_t>>);
static_assert(std::same_as<open_list_t<Line, Zero, heap>, HeapOpenList<int, int, std::uint32_t>>);
static_assert(std::same_as<open_list_t<Line, HalfEstimate>, LadderOpenList<double, int, std::uint32_t>>);
static_assert(std::same_as<open_list_t<test::Graph<int>, Zero>, LadderOpenList<int, int, std::uint32_t>>);

// The node table: packed if the problem says how much there is of everything, indexed if it numbers its
// states.
static_assert(std::same_as<node_table_t<NumberedLine, Zero>, npuzzle::IndexedNodeTable<NumberedLine, int>>);
static_assert(std::same_as<node_table_t<NumberedLine, Zero, pooled>, PooledNodeTable<NumberedLine, int>>);
static_assert(npuzzle::CompactProblem<CompactLine>);
static_assert(std::same_as<node_table_t<CompactLine, Zero>, PackedNodeTable<CompactLine, int>>);
static_assert(npuzzle::PackedProblem<NamedMoves> && npuzzle::MoveProblem<NamedMoves>);

// Reopening: not where the bound holds without it, unless the policy chose.
using Bounded = npuzzle::WeightedPriority<int, int, int>;
using Unknown = npuzzle::detail::FunctionPriority<int (*)(int, int), int, int>;
static_assert(PartsFor<Line, Zero>::reopens);
static_assert(!PartsFor<Line, Zero, DefaultPolicy, Bounded>::reopens);
static_assert(!PartsFor<Line, Zero, npuzzle::HeapPolicy, npuzzle::XdpPriority>::reopens);
static_assert(!PartsFor<Line, Zero, DefaultPolicy, npuzzle::XupPriority>::reopens);
static_assert(PartsFor<Line, HalfEstimate, DefaultPolicy, Bounded>::reopens);
static_assert(PartsFor<Line, Zero, DefaultPolicy, Unknown>::reopens);
static_assert(PartsFor<Line, Zero, npuzzle::WithReopening, Bounded>::reopens);
static_assert(!PartsFor<Line, HalfEstimate, npuzzle::WithoutReopening, Bounded>::reopens);

/// Parts that have what the engine asks for, and nothing else.
struct ArchetypePolicy : DefaultPolicy {
    template <class P, class Estimate>
    using NodeTable = archetype::NodeTable<P, Estimate>;
    template <class Priority, class Cost, class Key>
    using OpenList = archetype::OpenList<Priority, Cost, Key>;
};
struct Mine : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = archetype::OpenList<Priority, Cost, Key>;
};

/// Among equal f, the least g.
struct LeastCostFirst {
    template <class Entry>
    bool operator()(const Entry& a, const Entry& b) const {
        return a.cost < b.cost;
    }
};
struct LeastCostPolicy : DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = HeapOpenList<Priority, Cost, Key, LeastCostFirst>;
};

struct Order : npuzzle::SilentObserver {
    std::vector<int> expanded;
    void expand(const auto& node) { expanded.push_back(node.state); }
};

} // namespace

TEST_CASE("ParentOnly needs no hash", "[policy]") {
    struct Unhashed {
        using State = archetype::State;
        std::vector<State> neighbors(const State& s) const {
            return {State(s.number() + 1), State(s.number() + 2)};
        }
        bool is_goal(const State& s) const { return s.number() == 7; }
    };
    STATIC_REQUIRE_FALSE(npuzzle::HasHash<Unhashed>);
    const auto result = npuzzle::astar<npuzzle::ParentOnly>(Unhashed{}, archetype::State(0), Zero{});
    CHECK(result.cost == 4);
}

TEST_CASE("all parts can be replaced by one's own", "[policy]") {
    SECTION("by parts that have what the engine asks for, and nothing else") {
        using Parts = PartsFor<archetype::Problem, archetype::Heuristic, ArchetypePolicy>;
        STATIC_REQUIRE(npuzzle::NodeTable<Parts::NodeTable>);
        STATIC_REQUIRE(npuzzle::OpenList<Parts::OpenList>);
        const archetype::Problem problem;
        npuzzle::AStar<archetype::Problem, archetype::Heuristic, npuzzle::SilentObserver, ArchetypePolicy>
            engine(problem, archetype::State(0), archetype::Heuristic{});
        CHECK(engine.run() == npuzzle::Status::solved);
        CHECK(engine.result().cost.value() == archetype::Problem::least_cost);
        CHECK(engine.result().path.size() == 4);
        CHECK(npuzzle::weighted_astar<ArchetypePolicy>(Line{}, -20, Zero{}, {.weight = 2}).cost == 25);
    }
    SECTION("by an open list, in each search of the family") {
        const auto heuristic = [](int x) { return x < 5 ? 5 - x : x - 5; };
        CHECK(npuzzle::astar<Mine>(Line{}, -20, heuristic).cost == 25);
        CHECK(npuzzle::breadth_first<Mine>(Line{}, -20).cost == 25);
        CHECK(npuzzle::best_first<Mine>(Line{}, -20, heuristic, npuzzle::XdpPriority{2}).cost == 25);
    }
    SECTION("by a tie-break") {
        // All of equal f: 0 to 1 to 2 to the goal 4, or by 3.
        test::Graph<int> graph(5);
        graph.connect(0, 1, 1).connect(0, 3, 2).connect(1, 2, 1).connect(3, 4, 2).connect(2, 4, 2);
        graph.add_goal(4);
        const test::Table<int> exact{{{0, 4}, {1, 3}, {2, 2}, {3, 2}}};
        Order greatest;
        CHECK(npuzzle::astar(graph, 0, exact, {}, greatest).cost == 4);
        CHECK(greatest.expanded.size() == 2); // 0, 3
        Order least;
        CHECK(npuzzle::astar<LeastCostPolicy>(graph, 0, exact, {}, least).cost == 4);
        CHECK(least.expanded.size() == 4); // all but the goal
        CHECK(least.expanded[1] == 1);
    }
}

TEST_CASE("moves may be of any type", "[policy]") {
    const auto result = npuzzle::astar(NamedMoves{}, 2, Zero{});
    CHECK(result.cost == 3);
    CHECK(result.path == std::vector{2, 3, 4, 5});
    CHECK(result.moves == std::vector<std::string>(3, "one step up, and hold on"));
}
