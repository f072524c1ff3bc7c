#pragma once

#include "npuzzle/search/core/priority.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/kernel/limit_monitor.hpp"
#include "npuzzle/search/kernel/steps_as_moves.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// How large a search would be, without making it.

namespace npuzzle {

/// How often `estimate_nodes` probes.
struct EstimateOptions {
    std::size_t probes = 100;
    std::uint64_t seed = 1; ///< the same seed gives the same estimate
};

/// What `estimate_nodes` found; true if there was a probe.
struct NodeEstimate {
    double expanded = 0;         ///< the mean of all probes
    double generated = 0;        ///< likewise
    double standard_error = 0;   ///< of `expanded`, as far as the probes can tell: see `estimate_nodes`
    std::size_t probes = 0;      ///< that were made
    std::uint64_t looked_at = 0; ///< states that they expanded
    /// Which limit ended it before its last probe; else `Status::running`.
    Status status = Status::running;

    explicit operator bool() const { return probes > 0; }
};

/// For `estimate_nodes`: no states are told apart but by their estimates and the places of their moves.
struct SameType {
    template <class State>
    constexpr std::size_t operator()(const State& /*state*/) const {
        return 0;
    }
};

namespace detail {

template <MoveProblem P, class B, class T>
class NodeSampler {
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = move_t<P>;
    using Estimate = estimate_t<B, P>;

    /// One node that stands for so many of its type.
    struct Representative {
        State state;
        Move last;
        Cost cost;
        double weight;
    };

    /// The estimate, the place of the moves, and what the caller tells apart.
    using Key = std::tuple<Estimate, std::size_t, std::size_t>;
    using Layer = std::map<Key, Representative>;

public:
    NodeSampler(const P& problem, B& heuristic, T& type, std::uint64_t seed)
        : problem_(problem), heuristic_(heuristic), type_(type), seed_(seed) {}

    /// One probe; false if a limit ended it.
    bool probe(const State& start, const Cost& bound, LimitMonitor& monitor, NodeEstimate& estimate) {
        expanded = 0;
        generated = 0;
        Layer layer;
        add(layer, start, P::no_move, Cost{}, 1, bound);
        while (!layer.empty()) {
            Layer next;
            for (const auto& entry : layer) {
                const Representative& node = entry.second;
                if (problem_.is_goal(node.state)) {
                    continue;
                }
                if (monitor.is_due(estimate.looked_at)) {
                    estimate.status = monitor.check(estimate.looked_at);
                    if (estimate.status != Status::running) {
                        return false;
                    }
                }
                ++estimate.looked_at;
                expanded += node.weight;
                for_each_neighbor(problem_, node.state, node.last, nothing_leads_back,
                                  [&](const State& child, const Cost& step, const Move& move) {
                                      generated += node.weight;
                                      const Cost cost = saturating_add(node.cost, step);
                                      add(next, child, move, cost, node.weight, bound);
                                  });
            }
            layer = std::move(next);
        }
        return true;
    }

    double expanded = 0;
    double generated = 0;

private:
    /// Of all nodes of a type one is left, each with a chance that is its share of their weight.
    void add(Layer& layer, const State& state, const Move& last, const Cost& cost, double weight,
             const Cost& bound) {
        const Estimate value = saturating_cast<Estimate>(heuristic_(state));
        const auto total = AStarPriority<Cost, Estimate>{}(cost, value);
        if (is_infinite(total) || saturating_cast<decltype(total)>(bound) < total) {
            return;
        }
        const Key type(value, move_place_of(problem_, state), static_cast<std::size_t>(type_(state)));
        const auto [found, is_new] = layer.try_emplace(type, Representative{state, last, cost, weight});
        if (is_new) {
            return;
        }
        Representative& node = found->second;
        node.weight += weight;
        if (draw() * node.weight < weight) {
            node.state = state;
            node.last = last;
            node.cost = cost;
        }
    }

    /// A number from 0 to 1, by SplitMix (G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014).
    double draw() {
        seed_ += 0x9e3779b97f4a7c15U;
        return static_cast<double>(mix(seed_) >> 11) * 0x1p-53;
    }

    const P& problem_;
    B& heuristic_;
    T& type_;
    std::uint64_t seed_;
};

} // namespace detail

/// Estimates how many nodes an iteration of IDA* expands under a bound on f if no goal ends it: the paths
/// without a move straight back, all nodes of which have f <= `bound` (P. C. Chen, "Heuristic sampling: a
/// method for predicting the performance of tree searching programs", SIAM Journal on Computing 21, 1992; D.
/// E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975).
///
/// A probe goes down the search tree layer by layer. Nodes of a layer with the same estimate, the same
/// `move_place` (see `HasMovePlace`) and the same `type(state)` are taken to have equal subtrees: one of
/// them, drawn by chance, stands for all. A probe expands one node for each type in each layer. The mean of
/// many probes comes near the true number whatever the types are, and soon if they are good. If they are
/// coarse, a few probes in thousands are many times as large as all others: as long as there was none, the
/// estimate is too low, and its error seems small.
///
/// \param bound on f, as in an iteration of `IdaStar`. The sum over the bounds up to a cost is the size of a
///         search
/// \param limits for all probes together
/// \param type gives a state a number of its type, besides its estimate and its place
template <Problem P, class H, class T = SameType>
    requires HeuristicFor<H, P>
[[nodiscard]] NodeEstimate estimate_nodes(const P& problem, const detail::named_state_t<P>& start,
                                          H&& heuristic, cost_t<P> bound, EstimateOptions options = {},
                                          const limits_t<P>& limits = {}, T&& type = T{}) {
    if constexpr (!detail::has_moves<P>) {
        const detail::StepsAsMoves<P> steps(problem);
        return detail::with_bound(heuristic, problem, [&]<class B>(B& bound_heuristic) {
            return estimate_nodes(steps, start, bound_heuristic, bound, options, limits, type);
        });
    } else {
        NodeEstimate estimate;
        detail::LimitMonitor monitor(limits);
        double squares = 0;
        detail::with_bound(heuristic, problem, [&]<class B>(B& bound_heuristic) {
            detail::NodeSampler<P, B, std::remove_reference_t<T>> sampler(problem, bound_heuristic, type,
                                                                          options.seed);
            while (estimate.probes < options.probes && sampler.probe(start, bound, monitor, estimate)) {
                ++estimate.probes;
                // The mean, and the sum of the squares of what differs from it (B. P. Welford 1962).
                const auto count = static_cast<double>(estimate.probes);
                const double before = sampler.expanded - estimate.expanded;
                estimate.expanded += before / count;
                squares += before * (sampler.expanded - estimate.expanded);
                estimate.generated += (sampler.generated - estimate.generated) / count;
            }
        });
        if (estimate.probes > 1) {
            const auto count = static_cast<double>(estimate.probes);
            estimate.standard_error = detail::square_root(squares / (count - 1) / count);
        }
        return estimate;
    }
}

} // namespace npuzzle
