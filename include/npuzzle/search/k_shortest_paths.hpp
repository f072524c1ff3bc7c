#pragma once

#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <utility>
#include <vector>

/// \file
/// The k cheapest paths, one after another.
///
/// A path is a sequence of states without repetition, from the start to the first goal that it meets. Paths
/// are different if their states are: parallel edges make one path, at the cost of the cheapest.

namespace npuzzle {

/// A path and what it costs; `moves` is there where the problem has moves.
template <class State, class Cost, class Move = void>
struct CostedPath : detail::WithMoves<Move> {
    std::vector<State> path;
    Cost cost{};
};

/// The outcome of a search for the k shortest paths. `path`, `cost` and `moves` belong to the first. `status`
/// is `solved` if `paths` has k paths, or all. After a limit, `paths` still holds the cheapest ones.
template <class State, class Cost, class Move = void>
struct KShortestPathsResult : SearchResult<State, Cost, Move> {
    /// In the order of their costs.
    std::vector<CostedPath<State, Cost, Move>> paths = {};
    /// Whether it is proved that there are no more; with `max_cost` in the limits, none that costs as little.
    bool is_complete = false;
};

/// The k shortest paths as an object: each `next` finds one more, in the order of their costs (J. Y. Yen,
/// "Finding the K shortest loopless paths in a network", Management Science 17, 1971). From each state of the
/// last path, A* searches for a cheapest path that leaves it there. States before the one where the last path
/// left an earlier path are skipped, so no two searches find the same path (E. L. Lawler, "A procedure for
/// computing the K best solutions to discrete optimization problems and its application to the shortest path
/// problem", Management Science 18, 1972).
///
/// Correct under any admissible heuristic. Time: for each path, one search for each of its states. Memory:
/// the nodes of one search, and a path for each search at most; both count for `Limits::bytes`. Limits hold
/// for all searches together. The observer sees all of them, each beginning with `start`.
///
/// \tparam P a `Problem`, with `HasHash` unless its states are packed or numbered
/// \tparam O an `ObserverOf` its nodes
template <Problem P, class H, class O = SilentObserver>
    requires HeuristicFor<H, P>
class KShortestPaths : BestFirst<P, H, O> {
    using Search = BestFirst<P, H, O>;
    using typename Search::Table;

    static_assert(!PrunesMoves<P>,
                  "pruned moves leave out paths; take the problem with all moves (the map of "
                  "JumpPoints)");
    static_assert(Table::finds_duplicates, "a path without repetition needs a table that finds states");

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Path = CostedPath<State, Cost, move_t<P>>;
    using Result = KShortestPathsResult<State, Cost, move_t<P>>;

    KShortestPaths(detail::Lasting<P> problem, const State& start, H&& heuristic,
                   const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Search(problem, start, std::forward<H>(heuristic), limits, std::forward<O>(observer)),
          found_(BudgetAllocator<Found>(this->budget_)),
          waiting_(BudgetAllocator<std::pair<const Cost, std::size_t>>(this->budget_)) {}

    /// Finds the next path. False if there is none, or if a limit ended the search: see `status`.
    bool next() {
        bool is_found = false;
        if (status() == SearchStatus::running)
            this->guarded(this->observer_, [&] { is_found = find_next(); });
        return is_found;
    }

    /// The path that `next` found; requires one. Valid until the next call.
    [[nodiscard]] const Path& path() const { return found_[last_].path; }

    /// How many paths `next` has found.
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

    /// `running` as long as there may be more paths, then `solved`; without any path what A* would give, or
    /// the limit that ended the search.
    [[nodiscard]] SearchStatus status() const noexcept {
        const SearchStatus last = Search::status();
        return last == SearchStatus::failed || detail::is_limit(last) ? last : end_;
    }

    /// What all searches have done so far.
    [[nodiscard]] Statistics statistics() const {
        Statistics statistics = Search::statistics();
        statistics.stored = (std::max)(statistics.stored, max_stored_);
        return statistics;
    }

    /// The next `count` paths, or all that are left. If `count` is 0, nothing is searched, and the status is
    /// `running`.
    Result take(std::size_t count) {
        Result result;
        try {
            while (result.paths.size() < count && next()) result.paths.push_back(path());
            if (!result.paths.empty()) {
                const Path& first = result.paths.front();
                result.path = first.path;
                result.cost = first.cost;
                if constexpr (detail::has_moves<P>) result.moves = first.moves;
            } else if (count_ == 0) {
                static_cast<typename Search::Result&>(result) = Search::result();
            }
            result.status =
                status() == SearchStatus::running && !result.paths.empty() ? SearchStatus::solved : status();
        } catch (const std::bad_alloc&) {
            this->end(result.status = SearchStatus::memory_limit);
            end_ = SearchStatus::running;
        }
        result.is_complete = end_ != SearchStatus::running && end_ != SearchStatus::cost_overflow;
        result.statistics = statistics();
        return result;
    }

private:
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    struct Found {
        Path path;
        std::size_t parent; // the path that it leaves; `none` for the first
        std::size_t place;  // of the state from where
    };

    bool find_next() {
        if (found_.empty()) {
            keep(Search::run(), none, 0);
        } else {
            search_spurs(last_);
        }
        if (status() != SearchStatus::running) return false;
        if (waiting_.empty()) {
            const bool is_bounded = this->statistics_.contract_violations == 0 &&
                                    detail::is_bound(this->max_cost_, Table::can_hold);
            end_ = detail::exhausted_status(is_pruned_, is_bounded);
            if (count_ > 0 && end_ != SearchStatus::cost_overflow) end_ = SearchStatus::solved;
            return false;
        }
        last_ = waiting_.begin()->second;
        waiting_.erase(waiting_.begin());
        ++count_;
        return true;
    }

    /// Searches from each state of a path for the cheapest path that leaves it there, unless that was
    /// searched before this path was found.
    void search_spurs(std::size_t number) {
        Cost cost{};
        for (std::size_t place = 0; place + 1 < path_of(number).size(); ++place) {
            if (place >= found_[number].place) {
                const SearchStatus status = run_spur(number, place, cost);
                if (detail::is_limit(status)) return;
                keep(status, number, place);
            }
            const auto step =
                detail::cheapest_step(*this->problem_, path_of(number)[place], path_of(number)[place + 1]);
            NPUZZLE_ASSERT(step && "each step of a path is a step of the problem");
            if (step) cost = detail::saturating_add<Cost>(cost, step->first);
        }
    }

    /// Searches for a cheapest path that begins as a given path does, but leaves it at a given place. The
    /// states before that place are closed nodes of cost zero: no path to them is cheaper, so the search
    /// avoids them.
    /// \param cost of the path as far as there
    SearchStatus run_spur(std::size_t number, std::size_t place, const Cost& cost) {
        max_stored_ = std::max<std::uint64_t>(max_stored_, this->table_.size());
        this->begin_again();
        this->guarded(this->observer_, [&] {
            const std::vector<State>& path = path_of(number);
            for (std::size_t i = 0; i < place; ++i) this->table_.insert(State(path[i]));
            const State& state = path[place];
            auto node = this->table_.insert(State(state)).first;
            const auto estimate = this->estimator()(state);
            node.relax(cost, estimate, Table::root(node));
            node.close();
            const auto view = this->view_of(state, cost, estimate);
            this->observer_.start(view);
            if (!this->may_expand(this->observer_, view.priority)) return;
            ++this->statistics_.expanded;
            this->observer_.expand(view);
            // True for the next state of each path with this beginning: this path, the path that it left, and
            // so on.
            const auto is_taken = [&](const State& child) {
                for (std::size_t other = number;; other = found_[other].parent) {
                    if (detail::is_equal(path_of(other)[place + 1], child)) return true;
                    if (found_[other].place != place || found_[other].parent == none) return false;
                }
            };
            const auto generate = this->generating_from(node, view, true);
            detail::for_each_neighbor(
                *this->problem_, this->table_, node, state,
                [&](State&& child, const Cost& step, const typename Search::Move& move) {
                    if (!is_taken(child)) generate(std::move(child), step, move);
                });
            this->relax_all(this->children_, &view.priority, &view);
        });
        return Search::run();
    }

    /// Keeps the path of a search that has found one.
    void keep(SearchStatus status, std::size_t parent, std::size_t place) {
        is_pruned_ =
            is_pruned_ || status == SearchStatus::cost_limit || status == SearchStatus::cost_overflow;
        if (status != SearchStatus::solved) return;
        Found found{parent == none ? Path{} : found_[parent].path, parent, place};
        std::vector<State>& path = found.path.path;
        path.erase(path.begin() + static_cast<std::ptrdiff_t>(place), path.end()); // what both have in common
        if constexpr (detail::has_moves<P>) found.path.moves.resize(place, P::no_move);
        this->add_solution(found.path);
        constexpr std::size_t bytes_a_step = sizeof(State) + sizeof(typename Search::Move);
        this->budget_.acquire(found.path.path.capacity() * bytes_a_step); // kept to the end
        waiting_.emplace(found.path.cost, found_.size());
        found_.push_back(std::move(found));
    }

    const std::vector<State>& path_of(std::size_t number) const { return found_[number].path.path; }

    std::vector<Found, BudgetAllocator<Found>> found_;
    /// The paths not given yet, by cost, then in the order of their discovery.
    std::multimap<Cost, std::size_t, std::less<Cost>, BudgetAllocator<std::pair<const Cost, std::size_t>>>
        waiting_;
    std::size_t last_ = none;
    std::uint64_t count_ = 0;
    std::uint64_t max_stored_ = 0;
    bool is_pruned_ = false; // a search did not follow a path since it costs too much
    SearchStatus end_ = SearchStatus::running;
};

template <class P, class H, class O = SilentObserver>
KShortestPaths(const P&, const state_t<P>&, H&&, limits_t<P> = {}, O&& = O{}) -> KShortestPaths<P, H, O>;

/// The `KShortestPathsResult` of a problem.
template <class P>
using k_shortest_paths_result_t = detail::result_of<P, KShortestPathsResult>;

/// The `k` cheapest paths from `start` to a goal, in the order of their costs, or as many as there are:
/// `result.paths`. See `KShortestPaths`. The heuristic has to be admissible.
/// \param limits for all searches together; with `max_cost`, only paths that cost no more
template <Problem P, class H, class O = detail::silent_observer_t<P, H, true>>
    requires HeuristicFor<H, P>
k_shortest_paths_result_t<P> k_shortest_paths(const P& problem, const detail::named_state_t<P>& start,
                                              H&& heuristic, std::size_t k, limits_t<P> limits = {},
                                              O&& observer = O{}) {
    return detail::guarded_search([&] {
        return KShortestPaths<P, H, O>(problem, start, std::forward<H>(heuristic), limits,
                                       std::forward<O>(observer))
            .take(k);
    });
}

} // namespace npuzzle
