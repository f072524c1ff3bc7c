#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/policy.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::BucketOpenList;
using npuzzle::Duplicates;
using npuzzle::HeapOpenList;
using npuzzle::LadderOpenList;
using npuzzle::NodeTableKind;
using npuzzle::OpenListKind;
using npuzzle::PackedNodeTable;
using npuzzle::PartsFor;
using npuzzle::Policy;
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

template <class P, class H, Policy policy = Policy{}>
using open_list_t = typename PartsFor<P, H, policy>::OpenList;
template <class P, class H, Policy policy = Policy{}>
using node_table_t = typename PartsFor<P, H, policy>::NodeTable;

constexpr Policy heap{.open_list = OpenListKind::heap};
constexpr Policy buckets{.open_list = OpenListKind::buckets};
constexpr Policy ladder{.open_list = OpenListKind::ladder};
constexpr Policy pooled{.node_table = NodeTableKind::pooled};
constexpr Policy packed{.node_table = NodeTableKind::packed};
constexpr Policy packed_tree{.duplicates = Duplicates::parent_only, .node_table = NodeTableKind::packed};

// The open list: buckets for unit costs and integer estimates, the ladder for other numbers.
static_assert(std::same_as<open_list_t<Line, Zero>, BucketOpenList<int, int, std::uint32_t>>);
static_assert(std::same_as<open_list_t<Line, Zero, heap>, HeapOpenList<int, int, std::uint32_t>>);
static_assert(std::same_as<open_list_t<Line, Zero, ladder>, LadderOpenList<int, int, std::uint32_t>>);
static_assert(std::same_as<open_list_t<Line, HalfEstimate>, LadderOpenList<double, int, std::uint32_t>>);
static_assert(std::same_as<open_list_t<Line, HalfEstimate, heap>, HeapOpenList<double, int, std::uint32_t>>);
static_assert(std::same_as<open_list_t<test::Graph<int>, Zero>, LadderOpenList<int, int, std::uint32_t>>);
static_assert(
    std::same_as<open_list_t<test::Graph<int>, Zero, buckets>, BucketOpenList<int, int, std::uint32_t>>);

// The node table: packed if the problem says how much there is of everything, indexed if it numbers its states.
static_assert(std::same_as<node_table_t<Line, Zero>, PooledNodeTable<Line, int>>);
static_assert(std::same_as<node_table_t<PackedLine, Zero>, PooledNodeTable<PackedLine, int>>);
static_assert(std::same_as<node_table_t<PackedLine, Zero, packed>, PackedNodeTable<PackedLine, int>>);
static_assert(std::same_as<node_table_t<WalkedLine, Zero>, PooledNodeTable<WalkedLine, int>>);
static_assert(std::same_as<node_table_t<WalkedLine, Zero, packed>, PackedNodeTable<WalkedLine, int>>);
static_assert(
    std::same_as<node_table_t<WalkedLine, HalfEstimate, packed>, PackedNodeTable<WalkedLine, double>>);
static_assert(std::same_as<node_table_t<NumberedLine, Zero>, npuzzle::IndexedNodeTable<NumberedLine, int>>);
static_assert(std::same_as<node_table_t<NumberedLine, Zero, pooled>, PooledNodeTable<NumberedLine, int>>);
static_assert(npuzzle::CompactProblem<CompactLine>);
static_assert(std::same_as<node_table_t<CompactLine, Zero>, PackedNodeTable<CompactLine, int>>);
static_assert(std::same_as<node_table_t<CompactLine, Zero, pooled>, PooledNodeTable<CompactLine, int>>);
// Not packed if a flat table could not hold the moves.
static_assert(npuzzle::PackedProblem<NamedMoves> && npuzzle::MoveProblem<NamedMoves>);
static_assert(std::same_as<node_table_t<NamedMoves, Zero>, PooledNodeTable<NamedMoves, int>>);
static_assert(std::same_as<node_table_t<WalkedLine, Zero, packed_tree>,
                           PooledNodeTable<WalkedLine, int, npuzzle::detail::NoIndex>>);
static_assert(std::same_as<node_table_t<Line, Zero, npuzzle::parent_only>,
                           PooledNodeTable<Line, int, npuzzle::detail::NoIndex>>);

template <class Priority>
concept TellsEstimate = requires(const Priority& priority) { priority.estimate(7, 3); };

/// An engine whose parts have what the engine asks for, and nothing else.
struct ArchetypeParts {
    using Priority = npuzzle::AStarPriority<archetype::Cost, archetype::Cost>;
    using NodeTable = archetype::NodeTable<archetype::Problem, archetype::Cost>;
    using OpenList = archetype::OpenList<archetype::Cost, archetype::Cost, int>;
};

/// f = h: greedy best-first search.
struct GreedyPriority {
    using Value = int;
    constexpr int operator()(int, int estimate) const { return estimate; }
};
struct GreedyParts : PartsFor<test::Graph<int>, test::Table<int>> {
    using Priority = GreedyPriority;
};

} // namespace

TEST_CASE("policies are compared by what they say", "[policy]") {
    STATIC_REQUIRE(Policy{} == Policy{.duplicates = Duplicates::closed_set,
                                      .open_list = OpenListKind::automatic,
                                      .node_table = NodeTableKind::automatic});
    STATIC_REQUIRE_FALSE(heap == buckets);
    STATIC_REQUIRE(npuzzle::parent_only == Policy{.duplicates = Duplicates::parent_only});
}

TEST_CASE("f is the sum of g and h, and saturates", "[policy]") {
    constexpr npuzzle::AStarPriority<int, int> whole;
    STATIC_REQUIRE(whole(3, 4) == 7);
    STATIC_REQUIRE(whole(std::numeric_limits<int>::max() - 1, 4) == std::numeric_limits<int>::max());
    STATIC_REQUIRE(whole.estimate(7, 3) == 4);
    constexpr npuzzle::AStarPriority<std::uint8_t, int> mixed;
    STATIC_REQUIRE(mixed(200, 200) == 400);
    STATIC_REQUIRE(mixed.estimate(400, 200) == 200);
    constexpr npuzzle::AStarPriority<int, double> fractions;
    STATIC_REQUIRE(fractions(3, 0.5) == 3.5);
    STATIC_REQUIRE(TellsEstimate<npuzzle::AStarPriority<int, int>>);
    STATIC_REQUIRE_FALSE(TellsEstimate<npuzzle::AStarPriority<int, double>>);
}

TEST_CASE("the classical assignment's A* is one line away", "[policy]") {
    const auto result =
        npuzzle::astar<npuzzle::parent_only>(Line{}, 3, [](int x) { return x < 5 ? 5 - x : x - 5; });
    CHECK(result.cost == 2);
    CHECK(result.path == std::vector{3, 4, 5});
    // A tree: each generated state is stored, whether it is known or not.
    CHECK(result.statistics.stored == result.statistics.generated + 1);
    CHECK(result.statistics.duplicates == 0);
}

TEST_CASE("parent_only needs no hash", "[policy]") {
    struct Unhashed {
        using State = archetype::State;
        std::vector<State> neighbors(const State& s) const {
            return {State(s.number() + 1), State(s.number() + 2)};
        }
        bool is_goal(const State& s) const { return s.number() == 7; }
    };
    STATIC_REQUIRE_FALSE(npuzzle::HasHash<Unhashed>);
    const auto result = npuzzle::astar<npuzzle::parent_only>(Unhashed{}, archetype::State(0), Zero{});
    CHECK(result.cost == 4);
}

TEST_CASE("all parts can be replaced by one's own", "[policy]") {
    SECTION("by parts that have what the engine asks for, and nothing else") {
        STATIC_REQUIRE(npuzzle::NodeTable<ArchetypeParts::NodeTable>);
        STATIC_REQUIRE(npuzzle::OpenList<ArchetypeParts::OpenList>);
        const archetype::Problem problem;
        npuzzle::AStar<archetype::Problem, archetype::Heuristic, npuzzle::SilentObserver, ArchetypeParts>
            engine(problem, archetype::State(0), archetype::Heuristic{});
        CHECK(engine.run() == npuzzle::Status::solved);
        CHECK(engine.result().cost.value() == archetype::Problem::least_cost);
        CHECK(engine.result().path.size() == 4);
    }
    SECTION("by another priority") {
        test::Graph<int> graph(4);
        graph.connect(0, 1, 1).connect(0, 2, 5).connect(1, 3, 1).connect(2, 3, 5).add_goal(3);
        const test::Table<int> nearer_by_two{{{0, 5}, {1, 4}, {2, 1}}};
        npuzzle::AStar<test::Graph<int>, const test::Table<int>&, npuzzle::SilentObserver, GreedyParts>
            engine(graph, 0, nearer_by_two);
        CHECK(engine.run() == npuzzle::Status::solved);
        CHECK(engine.result().path == std::vector{0, 2, 3});
        CHECK(engine.result().cost == 10);

        // The way to 1 becomes cheaper while it waits, and its f stays the same.
        test::Graph<int> detour(4);
        detour.connect(0, 1, 9).connect(0, 2, 1).connect(2, 1, 1).connect(1, 3, 1).add_goal(3);
        const test::Table<int> estimates{{{0, 3}, {1, 2}, {2, 1}}};
        npuzzle::AStar<test::Graph<int>, const test::Table<int>&, npuzzle::SilentObserver, GreedyParts>
            improved(detour, 0, estimates);
        CHECK(improved.run() == npuzzle::Status::solved);
        CHECK(improved.result().path == std::vector{0, 2, 1, 3});
        CHECK(improved.result().cost == 3);
    }
}

TEST_CASE("moves may be of any type", "[policy]") {
    const auto result = npuzzle::astar(NamedMoves{}, 2, Zero{});
    CHECK(result.cost == 3);
    CHECK(result.path == std::vector{2, 3, 4, 5});
    CHECK(result.moves == std::vector<std::string>(3, "one step up, and hold on"));
}
