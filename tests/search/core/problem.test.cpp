#include <npuzzle/search/core/capabilities.hpp>
#include <npuzzle/search/core/problem.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

// Named, since the compiler would find much in an unnamed namespace that is declared and never used.
namespace problem_test {

using npuzzle::BackwardProblem;
using npuzzle::CompactProblem;
using npuzzle::Edge;
using npuzzle::IndexedProblem;
using npuzzle::MoveProblem;
using npuzzle::PackedProblem;
using npuzzle::Problem;
using npuzzle::UndirectedProblem;

template <class S>
struct Of {
    using State = S;
    std::vector<S> neighbors(const S&) const;
    bool is_goal(const S&) const;
};
using Whole = Of<int>;

struct NotOne {};
struct OnlyGoal {
    using State = int;
    bool is_goal(int) const;
};
struct OnlyNeighbors {
    using State = int;
    std::vector<int> neighbors(int) const;
};
struct GoalIsNoBool : OnlyNeighbors {
    std::string is_goal(int) const;
};
struct NotComparable {};
static_assert(Problem<Whole> && std::same_as<npuzzle::state_t<Whole>, int>);
static_assert(!Problem<NotOne> && !Problem<OnlyGoal> && !Problem<OnlyNeighbors>);
static_assert(!Problem<Of<std::unique_ptr<int>>> && !Problem<Of<NotComparable>>);
static_assert(!Problem<GoalIsNoBool>);

template <class Range>
struct Yields : OnlyGoal {
    Range neighbors(int) const;
};
template <class To, class Cost>
using Edges = Yields<std::vector<Edge<To, Cost>>>;
static_assert(!Problem<Yields<int>> && !Problem<Yields<std::vector<std::string>>>);
static_assert(!Problem<Edges<std::string, int>> && !Problem<Edges<int, std::string*>> &&
              !Problem<Edges<int, bool>>);
static_assert(Problem<Yields<const std::set<int>&>> && Problem<Yields<std::forward_list<int>>>);
static_assert(Problem<Yields<const int (&)[3]>> && Problem<Yields<archetype::InputRange<int>>>);
static_assert(!npuzzle::is_weighted<Whole> && npuzzle::is_weighted<Edges<int, double>>);
static_assert(std::same_as<npuzzle::cost_t<Whole>, int>);
static_assert(std::same_as<npuzzle::cost_t<Edges<int, double>>, double>);
static_assert(std::same_as<npuzzle::cost_t<Edges<int, std::chrono::seconds>>, std::chrono::seconds>);
static_assert(npuzzle::CostType<std::int8_t> && npuzzle::CostType<long double>);
static_assert(!npuzzle::CostType<bool> && !npuzzle::CostType<int*> && !npuzzle::CostType<archetype::State>);

struct OwnHash : Of<archetype::State> {
    std::uint8_t hash(const archetype::State&) const;
};
static_assert(npuzzle::HasHash<Whole> && npuzzle::HasHash<Of<std::vector<std::string>>>);
static_assert(!npuzzle::HasHash<Of<archetype::State>>);
static_assert(npuzzle::HasHash<OwnHash>);

using test::Ring;
using test::WithIndex;
using test::WithMoves;
using test::WithWords;
static_assert(!MoveProblem<Ring> && !PackedProblem<Ring> && !IndexedProblem<Ring>);
static_assert(MoveProblem<WithMoves<Ring>> && !PackedProblem<WithMoves<Ring>>);
static_assert(PackedProblem<WithWords<Ring>> && !MoveProblem<WithWords<Ring>>);
static_assert(IndexedProblem<WithIndex<Ring>> && !PackedProblem<WithIndex<Ring>>);
static_assert(std::same_as<npuzzle::move_t<WithMoves<Ring>>, std::uint8_t>);
static_assert(std::is_void_v<npuzzle::move_t<Ring>>);
struct WithoutInverse : Whole {
    using Move = int;
    static constexpr int no_move = -1;
    template <class F>
    void for_each_move(int, int, F) const;
    void apply(int&, int) const;
};
struct WithInverse : WithoutInverse {
    int inverse(int) const;
};
struct Weighted : WithInverse {
    std::vector<Edge<int, int>> neighbors(int) const;
};
struct WithMoveCosts : Weighted {
    int move_cost(int, int) const;
};
static_assert(!MoveProblem<WithoutInverse> && MoveProblem<WithInverse>, "a step of 1 has no other cost");
static_assert(!MoveProblem<Weighted> && MoveProblem<WithMoveCosts>);

template <class Word>
struct Packs : Whole {
    Word pack(int) const;
    int unpack(Word) const;
};
static_assert(PackedProblem<Packs<std::uint8_t>> && PackedProblem<Packs<std::uint64_t>>);
static_assert(PackedProblem<Packs<npuzzle::detail::uint128>> == npuzzle::detail::has_uint128);
static_assert(!PackedProblem<Packs<int>> && !PackedProblem<Packs<bool>>);

struct WithGoal : Whole {
    int goal() const;
};
template <class P, bool value>
struct Undirected : P {
    static constexpr bool is_undirected = value;
};
template <class P>
struct Backward : P {
    std::vector<int> predecessors(int) const;
};
static_assert(npuzzle::HasGoalState<WithGoal> && !npuzzle::HasGoalState<Whole>);
static_assert(UndirectedProblem<Undirected<WithGoal, true>> && BackwardProblem<Undirected<WithGoal, true>>);
static_assert(!UndirectedProblem<Undirected<WithGoal, false>> && !UndirectedProblem<Undirected<Whole, true>>);
static_assert(BackwardProblem<Backward<WithGoal>>);
static_assert(!BackwardProblem<Backward<Whole>> && !BackwardProblem<WithGoal>);

using Walked = WithMoves<WithWords<Ring>>;
static_assert(std::same_as<npuzzle::packed_t<Walked>, std::uint32_t> && npuzzle::has_move_count<Walked>);
static_assert(!CompactProblem<Walked>);
static_assert(!CompactProblem<test::Compact<WithWords<Ring>>> && CompactProblem<test::Compact<Walked>>);

static_assert(npuzzle::Problem<archetype::Problem> && npuzzle::HasHash<archetype::Problem>);
static_assert(std::same_as<npuzzle::cost_t<archetype::Problem>, archetype::Cost>);

} // namespace problem_test
