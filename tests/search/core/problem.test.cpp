#include <npuzzle/search/core/problem.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <forward_list>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

// Named, since the compiler would find much in an unnamed namespace that is declared and never used.
namespace problem_test {

namespace atom {

struct NotOne {};

struct OnlyState {
    using State = int;
};
struct OnlyGoal : OnlyState {
    bool is_goal(int) const;
};
struct OnlyNeighbors : OnlyState {
    std::vector<int> neighbors(int) const;
};
struct Whole : OnlyNeighbors {
    bool is_goal(int) const;
};

static_assert(!npuzzle::HasState<NotOne>);
static_assert(npuzzle::HasState<OnlyState>);
static_assert(!npuzzle::HasNeighbors<OnlyState> && !npuzzle::HasGoalTest<OnlyState>);
static_assert(npuzzle::HasGoalTest<OnlyGoal> && !npuzzle::HasNeighbors<OnlyGoal>);
static_assert(npuzzle::HasNeighbors<OnlyNeighbors> && !npuzzle::HasGoalTest<OnlyNeighbors>);
static_assert(!npuzzle::Problem<OnlyGoal> && !npuzzle::Problem<OnlyNeighbors>);
static_assert(npuzzle::Problem<Whole>);
static_assert(std::same_as<npuzzle::state_t<Whole>, int>);

struct NotCopyable {
    NotCopyable(NotCopyable&&) = default;
    NotCopyable& operator=(NotCopyable&&) = default;
    friend bool operator==(const NotCopyable&, const NotCopyable&) = default;
};
struct NotComparable {};
struct StateNotCopyable {
    using State = NotCopyable;
};
struct StateNotComparable {
    using State = NotComparable;
};
static_assert(!npuzzle::HasState<StateNotCopyable>);
static_assert(!npuzzle::HasState<StateNotComparable>);

struct GoalIsNoBool : OnlyState {
    std::string is_goal(int) const;
};
struct GoalNotConst : OnlyState {
    bool is_goal(int);
};
static_assert(!npuzzle::HasGoalTest<GoalIsNoBool>);
static_assert(!npuzzle::HasGoalTest<GoalNotConst>);

template <class Range>
struct Yields : OnlyState {
    Range neighbors(int) const;
    bool is_goal(int) const;
};
struct NeighborsNotConst : OnlyState {
    std::vector<int> neighbors(int);
};
static_assert(!npuzzle::HasNeighbors<NeighborsNotConst>);
static_assert(!npuzzle::HasNeighbors<Yields<int>>);
static_assert(!npuzzle::HasNeighbors<Yields<std::vector<std::string>>>);
static_assert(!npuzzle::HasNeighbors<Yields<std::vector<npuzzle::Edge<std::string, int>>>>);
static_assert(!npuzzle::HasNeighbors<Yields<std::vector<npuzzle::Edge<int, std::string*>>>>);
static_assert(!npuzzle::HasNeighbors<Yields<std::vector<npuzzle::Edge<int, bool>>>>);
static_assert(npuzzle::HasNeighbors<Yields<const std::set<int>&>>);
static_assert(npuzzle::HasNeighbors<Yields<std::forward_list<int>>>);
static_assert(npuzzle::HasNeighbors<Yields<const int (&)[3]>>);
static_assert(npuzzle::HasNeighbors<Yields<archetype::InputRange<int>>>);
static_assert(!npuzzle::is_weighted<Yields<std::vector<int>>>);
static_assert(npuzzle::is_weighted<Yields<std::vector<npuzzle::Edge<int, double>>>>);
static_assert(std::same_as<npuzzle::cost_t<Yields<std::vector<int>>>, int>);
static_assert(std::same_as<npuzzle::cost_t<Yields<std::vector<npuzzle::Edge<int, double>>>>, double>);
static_assert(std::same_as<npuzzle::cost_t<Yields<std::vector<npuzzle::Edge<int, std::chrono::seconds>>>>,
                           std::chrono::seconds>);
static_assert(std::same_as<npuzzle::cost_t<Yields<const std::vector<npuzzle::Edge<int, std::uint8_t>>&>>,
                           std::uint8_t>);

} // namespace atom

namespace hashing {

template <class S>
struct Of {
    using State = S;
};
struct Own : Of<archetype::State> {
    std::uint8_t hash(const archetype::State&) const;
};
struct OwnIsNoNumber : Of<archetype::State> {
    std::string hash(const archetype::State&) const;
};
static_assert(npuzzle::HasHash<Of<int>>);
static_assert(npuzzle::HasHash<Of<std::vector<std::string>>>);
static_assert(!npuzzle::HasHash<Of<archetype::State>>);
static_assert(npuzzle::HasHash<Own>);
static_assert(!npuzzle::HasHash<OwnIsNoNumber>);

} // namespace hashing

namespace capable {

using test::Ring;
using test::WithIndex;
using test::WithMoves;
using test::WithWords;

static_assert(npuzzle::Problem<Ring> && npuzzle::is_weighted<Ring>);
static_assert(!npuzzle::MoveProblem<Ring> && !npuzzle::PackedProblem<Ring> && !npuzzle::IndexedProblem<Ring>);
static_assert(npuzzle::MoveProblem<WithMoves<Ring>> && !npuzzle::PackedProblem<WithMoves<Ring>>);
static_assert(npuzzle::PackedProblem<WithWords<Ring>> && !npuzzle::MoveProblem<WithWords<Ring>>);
static_assert(npuzzle::IndexedProblem<WithIndex<Ring>> && !npuzzle::PackedProblem<WithIndex<Ring>>);
static_assert(std::same_as<npuzzle::move_t<WithMoves<Ring>>, std::uint8_t>);
static_assert(std::is_void_v<npuzzle::move_t<Ring>>);

struct NoNoMove : atom::Whole {
    using Move = int;
};
struct Moves : NoNoMove {
    static constexpr int no_move = -1;
};
struct Enumerated : Moves {
    template <class F>
    void for_each_move(int, int, F) const;
};
struct InPlace : Moves {
    void apply(int&, int) const;
    int inverse(int) const;
};
struct MovesInAll : Enumerated {
    void apply(int&, int) const;
    int inverse(int) const;
};
static_assert(!npuzzle::HasMove<atom::Whole> && !npuzzle::HasMove<NoNoMove> && npuzzle::HasMove<Moves>);
static_assert(npuzzle::HasMoveEnumeration<Enumerated> && !npuzzle::HasMoveEnumeration<Moves>);
static_assert(npuzzle::HasMoveInPlace<InPlace> && !npuzzle::HasMoveInPlace<Enumerated>);
static_assert(!npuzzle::MoveProblem<Enumerated> && !npuzzle::MoveProblem<InPlace> &&
              npuzzle::MoveProblem<MovesInAll>);
static_assert(npuzzle::HasMoveCost<MovesInAll>,
              "where each step costs 1, nobody asks for the cost of a move");

struct WeightedMoves : atom::Yields<std::vector<npuzzle::Edge<int, int>>> {
    using Move = int;
    static constexpr int no_move = -1;
    template <class F>
    void for_each_move(int, int, F) const;
    void apply(int&, int) const;
    int inverse(int) const;
};
struct WeightedMovesWithCosts : WeightedMoves {
    int move_cost(int, int) const;
};
static_assert(!npuzzle::HasMoveCost<WeightedMoves> && !npuzzle::MoveProblem<WeightedMoves>);
static_assert(npuzzle::HasMoveCost<WeightedMovesWithCosts> && npuzzle::MoveProblem<WeightedMovesWithCosts>);

template <class Word>
struct Packs : atom::Whole {
    Word pack(int) const;
    int unpack(Word) const;
};
struct PacksOnly : atom::Whole {
    unsigned pack(int) const;
};
static_assert(npuzzle::PackedProblem<Packs<std::uint8_t>> && npuzzle::PackedProblem<Packs<std::uint64_t>>);
static_assert(npuzzle::PackedProblem<Packs<npuzzle::detail::uint128>> == npuzzle::detail::has_uint128);
static_assert(!npuzzle::PackedProblem<Packs<int>> && !npuzzle::PackedProblem<Packs<bool>>);
static_assert(!npuzzle::PackedProblem<PacksOnly>);

struct IndexesOnly : atom::Whole {
    std::size_t index(int) const;
};
struct Indexed : IndexesOnly {
    std::size_t size() const;
};
static_assert(!npuzzle::IndexedProblem<IndexesOnly> && npuzzle::IndexedProblem<Indexed>);

struct WithGoal : atom::Whole {
    int goal() const;
};
struct Undirected : WithGoal {
    static constexpr bool is_undirected = true;
};
struct Directed : WithGoal {
    static constexpr bool is_undirected = false;
};
struct Backward : WithGoal {
    std::vector<int> predecessors(int) const;
};
struct UndirectedWithoutGoal : atom::Whole {
    static constexpr bool is_undirected = true;
};
struct BackwardWithoutGoal : atom::Whole {
    std::vector<int> predecessors(int) const;
};
static_assert(npuzzle::HasGoalState<WithGoal> && !npuzzle::HasGoalState<atom::Whole>);
static_assert(npuzzle::UndirectedProblem<Undirected> && npuzzle::BackwardProblem<Undirected>);
static_assert(!npuzzle::UndirectedProblem<Directed> && !npuzzle::UndirectedProblem<UndirectedWithoutGoal>);
static_assert(npuzzle::HasPredecessors<Backward> && npuzzle::BackwardProblem<Backward>);
static_assert(!npuzzle::BackwardProblem<BackwardWithoutGoal> && !npuzzle::BackwardProblem<WithGoal>);

struct Twin : atom::Whole {
    int twin(int) const;
};
struct TwinOfAnotherType : atom::Whole {
    std::string twin(int) const;
};
static_assert(npuzzle::TwinProblem<Twin> && !npuzzle::TwinProblem<atom::Whole> &&
              !npuzzle::TwinProblem<TwinOfAnotherType>);

using test::Ring;
using test::WithMoves;
using test::WithWords;
using Walked = WithMoves<WithWords<Ring>>;
struct WithWordBits : Walked {
    static constexpr unsigned word_bits = 20;
};
struct WithLongestPath : Walked {
    static constexpr int longest_path = 100;
};
struct WithNeitherMoves : test::Compact<WithWords<Ring>> {};
static_assert(std::same_as<npuzzle::packed_t<Walked>, std::uint32_t>);
static_assert(npuzzle::HasMoveCount<Walked> && !npuzzle::HasWordBits<Walked> &&
              !npuzzle::HasLongestPath<Walked>);
static_assert(npuzzle::HasWordBits<WithWordBits> && !npuzzle::CompactProblem<WithWordBits>);
static_assert(npuzzle::HasLongestPath<WithLongestPath> && !npuzzle::CompactProblem<WithLongestPath>);
static_assert(!npuzzle::CompactProblem<WithNeitherMoves> && npuzzle::CompactProblem<test::Compact<Walked>>);

} // namespace capable

static_assert(npuzzle::Problem<archetype::Problem> && npuzzle::HasHash<archetype::Problem>);
static_assert(std::same_as<npuzzle::cost_t<archetype::Problem>, archetype::Cost>);

} // namespace problem_test

TEST_CASE("an edge is a state and a cost", "[problem]") {
    constexpr npuzzle::Edge<int, double> edge{7, 0.5};
    STATIC_REQUIRE(edge == npuzzle::Edge<int, double>{7, 0.5});
    STATIC_REQUIRE_FALSE(edge == npuzzle::Edge<int, double>{7, 0.25});
    STATIC_REQUIRE_FALSE(edge == npuzzle::Edge<int, double>{6, 0.5});
}

TEST_CASE("the capabilities of the test problems agree with their neighbors", "[problem]") {
    const test::WithWords<test::WithMoves<test::Ring>> ring(1, 101, 50);
    for (int vertex = 0; vertex < ring.size_of_ring; ++vertex) {
        std::vector<npuzzle::Edge<int, int>> by_moves;
        ring.for_each_move(vertex, ring.no_move, [&](auto move) {
            int after = vertex;
            ring.apply(after, move);
            by_moves.push_back({after, ring.move_cost(vertex, move)});
            int back = after;
            ring.apply(back, ring.inverse(move));
            CHECK(back == vertex);
        });
        CHECK(by_moves == ring.neighbors(vertex));
        CHECK(ring.unpack(ring.pack(vertex)) == vertex);
    }
}

TEST_CASE("the hash of a state is that of the problem, where it has one", "[problem]") {
    struct Own {
        using State = int;
        int hash(int state) const { return state / 10; }
    };
    struct None {
        using State = int;
    };
    CHECK(npuzzle::detail::hash_state(Own{}, 31) == npuzzle::detail::hash_state(Own{}, 38));
    CHECK(npuzzle::detail::hash_state(Own{}, 31) != npuzzle::detail::hash_state(Own{}, 41));
    CHECK(npuzzle::detail::hash_state(None{}, 31) != npuzzle::detail::hash_state(None{}, 38));
}
