#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/hash.hpp"

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

/// \file
/// What a search asks of a problem: the `Problem` concept, and optional capabilities, which make the same call
/// faster and change no result. `capabilities.hpp` has more.

namespace npuzzle {

/// A neighbor and the cost of the step. `std::pair<State, Cost>` is as good, unless it converts to a state.
template <class State, class Cost>
struct Edge {
    State to;
    Cost cost;

    friend bool operator==(const Edge&, const Edge&) = default;
};

template <class P>
using state_t = typename P::State;

namespace detail {

/// An element of `neighbors`. What converts to a state is one, even if it is a pair.
template <class Element, class State, bool weighted = false, class C = int>
struct neighbor_traits {
    static constexpr bool is_neighbor = std::convertible_to<Element, State> && CostType<C>;
    static constexpr bool is_weighted = weighted;
    using To = Element;
    using Cost = C;
};

template <class T, class C, class State>
struct neighbor_traits<Edge<T, C>, State> : neighbor_traits<T, State, true, C> {};

template <class T, class C, class State>
    requires(!std::convertible_to<std::pair<T, C>, State>)
struct neighbor_traits<std::pair<T, C>, State> : neighbor_traits<T, State, true, C> {};

/// A range of states, or of `Edge`s or pairs that lead to states.
template <class Range, class State>
inline constexpr bool is_neighbor_range =
    is_iterable<Range> && requires { requires neighbor_traits<element_t<Range>, State>::is_neighbor; };

template <class P>
using neighbors_t = decltype(std::declval<const P&>().neighbors(std::declval<const state_t<P>&>()));

template <class P>
using neighbor_traits_t = neighbor_traits<element_t<std::remove_reference_t<neighbors_t<P>>>, state_t<P>>;

/// A callback that takes anything.
struct Sink {
    void operator()(const auto&...) const {}
};

/// Stands where a problem or a heuristic has nothing.
struct Nothing {};

} // namespace detail

/// All that `astar` asks for, besides `HasHash`, which most state types already satisfy:
/// \code
/// struct Grid {
///     using State = std::array<int, 2>; // copyable, and compared by ==
///     std::vector<State> neighbors(const State&) const;
///     bool is_goal(const State&) const;
/// };
/// \endcode
/// `neighbors` gives whatever a range-based `for` can walk over: states (each one step of cost 1 away),
/// `Edge<State, Cost>`s or `std::pair<State, Cost>`s, with costs of zero or more. A range that does not own
/// them, such as a `std::span`, need only last until the next call of `neighbors`.
///
/// If a member throws `std::bad_alloc`, the search ends with `Status::memory_limit`. Any other exception
/// passes through.
template <class P>
concept Problem =
    std::copyable<typename P::State> && std::equality_comparable<typename P::State> &&
    requires(const P& problem, const typename P::State& state) {
        problem.neighbors(state);
        requires detail::is_neighbor_range<std::remove_reference_t<decltype(problem.neighbors(state))>,
                                           typename P::State>;
        { problem.is_goal(state) } -> std::convertible_to<bool>;
    };

/// Optional capability: `static constexpr bool prunes_moves = true;` says that the moves which `for_each_move`
/// gives depend on the path to the state; `neighbors` gives all. Such a problem counts as having no hash.
/// `ida_star` takes it. So do best-first searches if its states are numbered (`IndexedProblem`), and open a
/// closed state again by each cheaper path. The problem promises that this is enough, as `JumpPoints` proves:
/// of several cheapest paths to a state any may be kept, and the moves left lead to each state at its least
/// cost.
template <class P>
concept PrunesMoves = bool(P::prunes_moves);

/// `problem.hash(state)`, or else `npuzzle::hash_of`, gives equal states equal hashes; the library mixes them.
template <class P>
concept HasHash = !PrunesMoves<P> && (requires(const P& problem, const typename P::State& state) {
    { problem.hash(state) } -> std::convertible_to<std::size_t>;
} || Hashable<typename P::State>);

template <Problem P>
inline constexpr bool is_weighted = detail::neighbor_traits_t<P>::is_weighted;

/// The cost type of the `Edge`s, or `int` where each step costs 1.
template <Problem P>
using cost_t = typename detail::neighbor_traits_t<P>::Cost;

/// Optional capability: the steps are moves that can be made and taken back in place:
/// - `Move`, a small regular type, and `no_move`, the value that is not a move;
/// - `for_each_move(state, last, f)` calls `f(move)` for each move that the state allows, except the one that
///   takes back the move `last` (`no_move` leaves none out). `f` may call `for_each_move` again. Moves lead
///   where `neighbors` leads, in the same order;
/// - `apply(state, move)` makes the move; `inverse(move)` is the move that takes it back, wherever it led;
/// - `move_cost(state, move)` is what it costs in this state; asked of weighted problems only.
///
/// Enables: IDA* without copies of states, packed nodes that hold a move instead of a parent, `result.moves`.
template <class P>
concept MoveProblem = Problem<P> && std::regular<typename P::Move> &&
                      requires(const P& problem, const typename P::State& state, typename P::State& changed,
                               typename P::Move move) {
                          { P::no_move } -> std::convertible_to<typename P::Move>;
                          problem.for_each_move(state, move, detail::Sink{});
                          problem.apply(changed, move);
                          { problem.inverse(move) } -> std::convertible_to<typename P::Move>;
                          requires !is_weighted<P> || requires {
                              { problem.move_cost(state, move) } -> std::convertible_to<cost_t<P>>;
                          };
                      };

/// Optional capability: a state fits one unsigned word (8 to 128 bits). `unpack(pack(state)) == state`, and
/// different states have different words. Enables: tables of words in searches by layers.
template <class P>
concept PackedProblem = Problem<P> && requires(const P& problem, const typename P::State& state) {
    requires detail::UnsignedWord<decltype(problem.pack(state))>;
    { problem.unpack(problem.pack(state)) } -> std::convertible_to<typename P::State>;
};

template <PackedProblem P>
using packed_t =
    std::remove_cvref_t<decltype(std::declval<const P&>().pack(std::declval<const state_t<P>&>()))>;

/// Whether a problem has `move_count`: as integers the moves are 0, 1, ... `move_count - 1`, and `no_move` is
/// `move_count`.
template <class P>
inline constexpr bool has_move_count = [] {
    constexpr bool is_there = requires {
        { P::move_count } -> std::convertible_to<unsigned>;
        static_cast<unsigned>(P::no_move);
        static_cast<typename P::Move>(0U);
    };
    if constexpr (is_there) {
        static_assert(static_cast<unsigned>(P::no_move) == static_cast<unsigned>(P::move_count),
                      "no_move is the number after the last move, which is move_count - 1; write: "
                      "static constexpr Move no_move{move_count};");
    }
    return is_there;
}();

/// Whether a packed problem has `word_bits`: no packed state is as large as 2^`word_bits`.
template <class P>
inline constexpr bool has_word_bits = PackedProblem<P> && requires {
    { P::word_bits } -> std::convertible_to<unsigned>;
};

/// Optional capability: a packed problem with moves that has `word_bits`, `move_count` and `longest_path`, an
/// integer. Paths that cost more are cut: if no other leads to a goal, the search ends with
/// `Status::cost_overflow`, also under a greater `max_cost`. Enables: nodes of 8 bytes (include
/// `npuzzle/search/node_table/packed.hpp`), if words have at most 62 bits with costs of ten bits and up to six
/// moves. Each bit more of cost or move is one less of the word.
template <class P>
concept CompactProblem =
    PackedProblem<P> && MoveProblem<P> && has_word_bits<P> && has_move_count<P> && requires {
        { P::longest_path } -> std::convertible_to<cost_t<P>>;
        requires std::integral<cost_t<P>>;
    };

/// Optional capability: the states have different numbers, `index(state)` in `[0, size())`. Enables: a flat
/// array in place of hashing.
template <class P>
concept IndexedProblem = Problem<P> && requires(const P& problem, const typename P::State& state) {
    { problem.index(state) } -> std::convertible_to<std::size_t>;
    { problem.size() } -> std::convertible_to<std::size_t>;
};

namespace detail {

// What is no `Problem` has these types, too, so that clang 14, which puts the types of a call together before
// it looks at the constraints, names the broken constraint.
template <class P>
struct types_of {
    using State = P;
    using Cost = void;
    using Move = void;
};

template <Problem P>
struct types_of<P> {
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = void;
};

template <MoveProblem P>
struct types_of<P> {
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = typename P::Move;
};

template <class P>
using named_state_t = typename types_of<P>::State;

/// Whether it is a `MoveProblem`, asked once: of a problem made of lambdas, g++ 12 can answer the concept
/// differently at the end of the source.
template <class P>
inline constexpr bool has_moves = !std::is_void_v<typename types_of<P>::Move>;

template <class P>
using move_or_nothing_t = std::conditional_t<has_moves<P>, typename types_of<P>::Move, Nothing>;

template <class P>
constexpr move_or_nothing_t<P> no_move() {
    if constexpr (has_moves<P>) return P::no_move;
    return {};
}

/// By the optional `contains(state)`, else by the index.
template <class P>
bool is_state([[maybe_unused]] const P& problem, [[maybe_unused]] const state_t<P>& state) {
    if constexpr (requires { bool(problem.contains(state)); }) {
        return bool(problem.contains(state));
    } else if constexpr (IndexedProblem<P>) {
        return static_cast<std::size_t>(problem.index(state)) < static_cast<std::size_t>(problem.size());
    }
    return true;
}

/// A start or goal that a caller gives. \throws std::invalid_argument if it is no state of the problem
template <class P>
const state_t<P>& checked_state(const P& problem, const state_t<P>& state) {
    if (is_state(problem, state)) return state;
    if constexpr (IndexedProblem<P> && !requires { problem.contains(state); }) {
        throw std::invalid_argument(
            "no state " + std::to_string(static_cast<std::size_t>(problem.index(state))) +
            " in a problem of " + std::to_string(static_cast<std::size_t>(problem.size())) + " states");
    } else {
        throw std::invalid_argument("a start or goal is no state of the problem");
    }
}

template <class P>
NPUZZLE_ALWAYS_INLINE inline std::size_t hash_state(const P& problem, const state_t<P>& state) {
    if constexpr (requires { problem.hash(state); }) {
        return static_cast<std::size_t>(mix(static_cast<std::size_t>(problem.hash(state))));
    } else if constexpr (Hashable<state_t<P>>) {
        return static_cast<std::size_t>(mix(hash_of(state)));
    }
    return 0; // A hash set of such states is a list.
}

} // namespace detail

/// The move type of a `MoveProblem`; `void` for any other problem.
template <class P>
using move_t = typename detail::types_of<P>::Move;

} // namespace npuzzle
