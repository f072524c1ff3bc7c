#pragma once

#include "npuzzle/search/kernel/layer_search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// \file
/// Breadth-first searches under a bound on f that keep the last layers alone, and remember of each state from
/// which state of an early layer, the relay, it came; and the path that this leads to.

namespace npuzzle::detail {

/// A state from which a search begins, or may have come by.
template <class State>
struct Waypoint {
    State state;
    int depth;
};

/// How many states of a relay are told apart.
inline constexpr std::uint64_t max_numbers = std::uint64_t{1} << 16;

/// The least whole number of steps by which a bound is to be raised.
template <class Estimate>
[[nodiscard]] int steps_up(const Estimate& excess) {
    const int down = saturating_cast<int>(excess);
    return !is_infinite(down) && static_cast<Estimate>(down) < excess ? down + 1 : down;
}

/// One search under a bound, from a state or from several.
///
/// The relay is one layer, of which 65,536 states can be told apart; it moves on as long as layers have no
/// more states, up to a given depth. So a state takes two bytes for it, and the search from the state of the
/// relay to the goal is a small part of the whole.
template <FrontierProblem P, class O, class Estimates, class Known = NothingKnown>
class RelaySearch {
    using Search = LayerSearch<P, LastLayers<P>, O, Estimates, Known>;

public:
    using State = state_t<P>;
    using Estimate = typename Search::Estimate;

    RelaySearch(const P& problem, O& observer, LimitMonitor& monitor, MemoryBudget& budget,
                Statistics& statistics, const Estimates& estimates, const Known& known = {})
        : search_(problem, observer, monitor, budget, statistics, estimates, known),
          relay_(BudgetAllocator<State>(budget)) {}

    Search& layers() { return search_; }
    [[nodiscard]] const Search& layers() const noexcept { return search_; }
    [[nodiscard]] int depth() const noexcept { return search_.depth(); }

    /// Begins a search from a state.
    /// \param last_relay the depth of the last layer that may be the relay; that of depth 1 is in any case
    void start(const State& state, int bound, int last_relay) {
        bound_ = bound;
        search_.restart(0, bound);
        search_.layers().start(state);
        last_relay_ = std::max(last_relay, 1);
        relay_depth_ = 0;
        relay_.clear();
    }

    /// Begins a search from states of several depths, which `add_start` adds.
    /// \param depth before the first of them
    void start(int depth, int bound) {
        bound_ = bound;
        search_.restart(depth, bound);
        search_.layers().keep_ancestors();
        last_relay_ = std::numeric_limits<int>::min();
        relay_.clear();
    }

    /// Adds a state to the next layer, unless it is beyond the bound.
    void add_start(const State& state, std::uint64_t number) {
        const Estimate estimate = search_.estimate(state);
        if (bound_ <= depth()) {
            search_.exceed(saturating_add(estimate, static_cast<Estimate>(depth() + 1 - bound_)));
        } else if (!search_.is_beyond(estimate, depth() + 1)) {
            search_.layers().add({state, 0, static_cast<std::uint16_t>(number)});
        }
    }

    /// Expands some states of the layer: see `LayerSearch::expand`.
    template <class IsEnd>
    Status expand(unsigned most, IsEnd&& is_end) {
        return search_.expand(most, [&](const MarkedState<State>& reached) { return is_end(reached.state); });
    }

    /// Goes to the next layer; false if there is none, and that is empty then.
    bool advance() {
        if (!search_.advance()) {
            search_.skip();
            return false;
        }
        const std::uint64_t size = search_.layers().current_size();
        if (depth() == 1 ? last_relay_ >= 1 : depth() <= last_relay_ && size <= max_numbers) {
            relay_.clear();
            search_.layers().for_each_current([&](const State& state) { relay_.push_back(state); });
            search_.layers().number_ancestors();
            relay_depth_ = depth();
        } else if (depth() <= last_relay_) {
            last_relay_ = depth() - 1;
        }
        return true;
    }

    /// The end that was reached.
    [[nodiscard]] const State& end() const { return search_.end().state; }
    /// The number of the ancestor of the end.
    [[nodiscard]] std::uint16_t ancestor() const { return search_.end().ancestor; }
    /// The depth of the relay; 0 if none was made, since the end is one step away.
    [[nodiscard]] int relay_depth() const noexcept { return relay_depth_; }

    /// The states of the relay of which the end may have come.
    [[nodiscard]] std::vector<Waypoint<State>> candidates() const {
        std::vector<Waypoint<State>> candidates;
        for (std::size_t i = ancestor(); i < relay_.size(); i += max_numbers) {
            candidates.push_back({relay_[i], relay_depth_});
        }
        return candidates;
    }

private:
    Search search_;
    int bound_ = 0;
    int last_relay_ = 0;
    int relay_depth_ = 0;
    std::vector<State, BudgetAllocator<State>> relay_;
};

/// Finds the path of a search that has ended and has dropped its layers.
///
/// Each search for a part of the path has the same bounds as the one that found the goal. So it finds its end
/// even if the heuristic is not consistent.
template <FrontierProblem P, class Estimates>
class PathByRelays {
public:
    using State = state_t<P>;
    using Waypoints = std::vector<Waypoint<State>>;

    /// Refers to the problem and to what the estimates refer to.
    /// \param monitor, statistics what goes before, and counts on the limits
    PathByRelays(const P& problem, const LimitMonitor& monitor, std::uint64_t bytes,
                 const Statistics& statistics, const Estimates& estimates)
        : problem_(&problem), monitor_(monitor), budget_(bytes), statistics_(statistics),
          estimates_(estimates) {}

    [[nodiscard]] const MemoryBudget& budget() const noexcept { return budget_; }

    [[nodiscard]] Statistics statistics() const {
        Statistics statistics = statistics_;
        statistics.bytes = std::max(statistics.bytes, budget_.peak());
        statistics.seconds = monitor_.seconds();
        return statistics;
    }

    /// Appends a path of so many steps to an end, without that. Returns `solved`, or the limit that was
    /// reached.
    /// \param bound on depth and estimate together, along the path
    /// \param end null: the goal
    Status append(const State& from, const State* end, int length, int bound, std::vector<State>& path) {
        if (length <= 1) {
            if (length == 1) {
                path.push_back(from);
            }
            return Status::solved;
        }
        Waypoints candidates;
        {
            auto search = make_search<NothingKnown>({});
            search.start(from, bound, length / 2);
            if (const Status status = run(search, {}, end, length); status != Status::solved) {
                return status;
            }
            candidates = search.candidates();
        }
        return append_by(std::move(candidates), from, end, length, bound, path);
    }

    /// The same where it is known that the path goes by one of some states.
    Status append_by(Waypoints candidates, const State& from, const State* end, int length, int bound,
                     std::vector<State>& path) {
        if (const Status status = narrow(candidates, end, length, bound); status != Status::solved) {
            return status;
        }
        const auto& [middle, depth] = candidates.front();
        const Status status = append(from, &middle, depth, bound, path);
        return status == Status::solved ? append(middle, end, length - depth, bound - depth, path) : status;
    }

    /// Leaves of some states, in the order of their depths, one by which the end is reached.
    /// \param known as it was in the search that found the end
    template <class Known = NothingKnown>
    Status narrow(Waypoints& candidates, const State* end, int length, int bound, const Known& known = {}) {
        while (candidates.size() > 1) {
            auto search = make_search<Known>(known);
            search.start(candidates.front().depth - 1, bound);
            if (const Status status = run(search, candidates, end, length); status != Status::solved) {
                return status;
            }
            Waypoints left;
            for (std::size_t i = search.ancestor(); i < candidates.size(); i += max_numbers) {
                left.push_back(candidates[i]);
            }
            candidates = std::move(left);
        }
        return Status::solved;
    }

private:
    template <class Known>
    auto make_search(const Known& known) {
        return RelaySearch<P, SilentObserver, Estimates, Known>(*problem_, silent_, monitor_, budget_,
                                                                statistics_, estimates_, known);
    }

    /// Goes on to the depth of the end.
    template <class Search>
    Status run(Search& search, const Waypoints& starts, const State* end, int length) {
        std::size_t added = 0;
        for (;;) {
            const bool is_last = search.depth() + 1 == length;
            const Status status = search.expand(layer_batch, [&](const State& state) {
                return is_last && (end == nullptr ? bool(problem_->is_goal(state)) : is_equal(state, *end));
            });
            if (status == Status::unsolvable) {
                for (; added < starts.size() && starts[added].depth == search.depth() + 1; ++added) {
                    search.add_start(starts[added].state, added);
                }
                if (is_last) {
                    NPUZZLE_ASSERT(false && "a path that was found once is found again");
                    return Status::failed;
                }
                search.advance();
            } else if (status != Status::running) {
                return status;
            }
        }
    }

    const P* problem_;
    LimitMonitor monitor_;
    MemoryBudget budget_;
    Statistics statistics_;
    Estimates estimates_;
    SilentObserver silent_;
};

} // namespace npuzzle::detail
