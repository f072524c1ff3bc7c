#pragma once

#include "npuzzle/search/core/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <type_traits>
#include <vector>

/// \file
/// What a search gives back, and what it tells an observer.

namespace npuzzle {

/// How a search ended.
enum class SearchStatus : std::uint8_t {
    running,         ///< it has not: the engine can be stepped further
    solved,          ///< a goal was reached; by an algorithm that is optimal, at the least cost there is
    unsolvable,      ///< proved: every reachable state was searched, or the twin was solved
    expansion_limit, ///< `Limits::expansions` states were expanded
    memory_limit,    ///< `Limits::bytes` would have been passed, or an allocation failed
    time_limit,      ///< `Limits::time` has passed
    cancelled,       ///< a stop was requested through `Limits::stop`
    cost_overflow,   ///< paths were left out that cost more than the cost type can hold: nothing is proved
    cost_limit,      ///< proved: no solution costs `BasicLimits::max_cost` or less
    depth_limit,     ///< proved: no solution has as few steps as a depth-first search was allowed
    beam_exhausted,  ///< a beam search has nothing left to expand, and has dropped states: nothing is proved
    failed,          ///< an exception of the caller's code ended the engine's work: nothing is proved
};

#ifndef Status
/// Missing where the macro of Xlib comes first.
using Status = SearchStatus;
#endif

[[nodiscard]] constexpr std::string_view to_string(SearchStatus status) noexcept {
    constexpr std::string_view names[] = {"running",      "solved",      "unsolvable",     "expansion_limit",
                                          "memory_limit", "time_limit",  "cancelled",      "cost_overflow",
                                          "cost_limit",   "depth_limit", "beam_exhausted", "failed"};
    const auto number = static_cast<std::size_t>(status);
    return number < std::size(names) ? names[number] : "unknown";
}

template <class Traits> // A template needs no <ostream>.
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, SearchStatus status) {
    return out << to_string(status);
}

/// What a search did, whatever the status.
struct Statistics {
    std::uint64_t expanded = 0;   ///< states whose neighbors were generated (again, when reopened)
    std::uint64_t generated = 0;  ///< neighbors produced, the way straight back to the parent not among them
    std::uint64_t duplicates = 0; ///< generated, but known by a path as cheap, or closed and not reopened
    std::uint64_t reopened = 0;   ///< closed states put back on the open list by a cheaper path
    std::uint64_t stored = 0;     ///< nodes in the node table
    std::uint64_t peak_open = 0;  ///< the most entries on the open list, superseded ones included
    std::uint64_t bytes = 0;      ///< the most bytes that open list and node table held at one time
    double seconds = 0;           ///< wall-clock time since the search was set up

    /// Broken promises, which a debug build asserts: a goal with an estimate other than zero, a negative cost
    /// (such a step is not followed), a NaN, an f that fell under a heuristic declared consistent.
    std::uint64_t contract_violations = 0;

    /// Adds a search that ran at the same time.
    Statistics& merge_concurrent(const Statistics& other) noexcept {
        expanded += other.expanded;
        generated += other.generated;
        duplicates += other.duplicates;
        reopened += other.reopened;
        stored += other.stored;
        peak_open += other.peak_open;
        bytes += other.bytes;
        seconds = seconds < other.seconds ? other.seconds : seconds;
        contract_violations += other.contract_violations;
        return *this;
    }

    /// Adds a search that followed: what was held does not add up.
    Statistics& merge_sequential(const Statistics& next) noexcept {
        const Statistics before = *this;
        merge_concurrent(next);
        stored = before.stored < next.stored ? next.stored : before.stored;
        peak_open = before.peak_open < next.peak_open ? next.peak_open : before.peak_open;
        bytes = before.bytes < next.bytes ? next.bytes : before.bytes;
        seconds = before.seconds + next.seconds;
        return *this;
    }

    friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// One line: `expanded 12, generated 30, ...`.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             const Statistics& statistics) {
    out << "expanded " << statistics.expanded << ", generated " << statistics.generated << ", duplicates "
        << statistics.duplicates << ", reopened " << statistics.reopened << ", stored " << statistics.stored
        << ", peak open " << statistics.peak_open << ", " << statistics.bytes << " bytes, "
        << statistics.seconds << " s";
    if (statistics.contract_violations == 0) return out;
    return out << ", contract violations " << statistics.contract_violations;
}

namespace detail {

template <class Move>
struct WithMoves {
    std::vector<Move> moves; ///< those along `path`; if that is empty, along `partial_path`
};

template <>
struct WithMoves<void> {};

} // namespace detail

/// The outcome of a search; true if it was solved. `moves` is there where the problem has moves.
template <class State, class Cost, class Move = void>
struct SearchResult : detail::WithMoves<Move> {
    SearchStatus status = SearchStatus::running;
    /// From the start to the goal, both included. Empty unless the search was solved.
    std::vector<State> path;
    Cost cost{}; ///< the cost of `path`; if that is empty, of `partial_path`
    Statistics statistics;
    /// If a search that keeps its nodes, such as A*, ends without a solution: the path to the nearest state that
    /// it took from its open list, by the least estimate or, without a heuristic, the greatest cost. It may be
    /// empty after `memory_limit`.
    std::vector<State> partial_path = {};

    explicit operator bool() const noexcept { return status == SearchStatus::solved; }
};

namespace detail {

/// Whether a limit ended a search.
constexpr bool is_limit(SearchStatus status) noexcept {
    using enum SearchStatus;
    return status == expansion_limit || status == memory_limit || status == time_limit || status == cancelled;
}

/// Whether a search is over, and has a `partial_path` in place of a path.
constexpr bool ends_without_goal(SearchStatus status) noexcept {
    using enum SearchStatus;
    return status != running && status != solved && status != failed;
}

template <class P, template <class State, class Cost, class Move> class Result>
using result_of = Result<named_state_t<P>, typename types_of<P>::Cost, move_t<P>>;

/// What is left of a result if there is no memory for its path.
template <class Result>
Result without_path(const Result& result) {
    // A proof holds without a partial path, but not without the counts of a search by layers.
    constexpr bool is_whole = requires { result.partial_path; };
    const bool holds = is_whole ? ends_without_goal(result.status) : is_limit(result.status);
    Result left;
    left.status = holds ? result.status : SearchStatus::memory_limit;
    left.statistics = result.statistics;
    return left;
}

} // namespace detail

template <class P>
using search_result_t = detail::result_of<P, SearchResult>;

/// A node as an observer sees it, valid during the event.
template <class State, class Cost, class Estimate, class Priority>
struct NodeView {
    const State& state;
    Cost cost;         ///< g: the cost of the best path to the state that is known
    Estimate estimate; ///< h: the heuristic's value
    Priority priority; ///< f: what the open list is ordered by, least first
};

/// The observer that ignores all events, and the base of all others: derive from it, and define the events
/// you want (as templates, or with `const auto&` parameters). In order:
/// - `start` for each start state;
/// - for each node taken from the open list, `expand`, or `goal`, which ends the search;
/// - after `expand`, for each neighbor that can be reached at a cost, `generate`. At most one of these
///   follows: `duplicate` (a path that costs no more is known, or it is closed and stays so), `improve` (it
///   is open, and this path is cheaper) or `reopen` (it was closed, and this path is cheaper). With an early
///   goal test, `goal` comes after these.
struct SilentObserver {
    void start(const auto& /*node*/) {}
    void expand(const auto& /*node*/) {}
    void generate(const auto& /*node*/, const auto& /*parent*/) {}
    void duplicate(const auto& /*node*/) {}
    void improve(const auto& /*node*/) {}
    void reopen(const auto& /*node*/) {}
    void goal(const auto& /*node*/) {}
    /// Called every few milliseconds, and once when the search ends. A* and related searches and IDA* call
    /// `progress(statistics, bound)` instead, with the current f, if there is that; the last call has no bound.
    void progress(const Statistics& /*statistics*/) {}
};

/// Whether an observer sees nodes. One that defines only `progress` declares `static constexpr bool
/// sees_nodes = false`: the search is faster.
template <class O>
inline constexpr bool sees_nodes = !std::same_as<std::remove_cvref_t<O>, SilentObserver> &&
                                   !requires { requires !bool(std::remove_cvref_t<O>::sees_nodes); };

/// Takes all events, as what derives from `SilentObserver` does.
template <class O, class Node>
concept ObserverOf = requires(O& observer, const Node& node, const Statistics& statistics) {
    observer.start(node);
    observer.expand(node);
    observer.generate(node, node);
    observer.duplicate(node);
    observer.improve(node);
    observer.reopen(node);
    observer.goal(node);
    observer.progress(statistics);
};

namespace detail {

/// Tells of the progress, with the bound if there is one and the observer takes it.
template <class O, class... Bound>
void tell_progress(O& observer, const Statistics& statistics, const Bound&... bound) {
    if constexpr (requires { observer.progress(statistics, bound...); }) {
        observer.progress(statistics, bound...);
    } else {
        observer.progress(statistics);
    }
}

} // namespace detail
} // namespace npuzzle
