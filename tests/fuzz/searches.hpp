/// @file
/// Compares results of searches with the oracles of the tests.
#pragma once

#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/core/problem.hpp>
#include <npuzzle/search/core/result.hpp>

#include "support.hpp"
#include "support/family.hpp"
#include "support/oracles.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fuzz {

/// What is true of a problem whose searches begin at vertex 0. A result that is wrong ends the program.
template <class P>
class Judge {
public:
    using Cost = npuzzle::cost_t<P>;

    /// \param is_exact whether sums of costs do not round
    Judge(const P& problem, const npuzzle::BasicLimits<Cost>& limits, bool is_exact = true)
        : problem_(&problem), limits_(limits), is_exact_(is_exact),
          least_(oracle::least_cost<Cost>(problem, 0)),
          fewest_(oracle::fewest_steps<Cost>(problem, 0, limits.max_cost)) {}

    /// Of a path within the limit of its cost.
    std::optional<int> fewest_steps() const { return fewest_; }

    template <class Result>
    void operator()(const test::Member& member, const Result& result) const {
        using npuzzle::Status;
        using test::Promise;
        const auto expect = [&](bool holds, const char* wrong) {
            if (!holds) require(false, (std::string(member.name) + ": " + wrong).c_str());
        };
        if (result.status == Status::expansion_limit) {
            return expect(limits_.expansions != npuzzle::Limits::unlimited, "no limit was given");
        }
        if (result.status == Status::cost_limit) {
            expect(limits_.max_cost.has_value(), "no bound was given");
            return expect(!least_ || !is_exact_ || *limits_.max_cost < *least_,
                          "the bound allows a solution");
        }
        expect(result.status == (least_ ? Status::solved : Status::unsolvable), "the status is wrong");
        if (!least_) return expect(result.path.empty(), "there is a path");
        expect(!result.path.empty() && result.path.front() == 0, "the path begins elsewhere");
        expect(problem_->is_goal(result.path.back()), "the path ends elsewhere");
        const auto cheapest = oracle::path_cost<Cost>(*problem_, result.path);
        expect(cheapest.has_value(), "a step of the path is no edge");
        if (member.promise == Promise::fewest_steps) {
            const bool may_round = !is_exact_ && limits_.max_cost;
            return expect(may_round || static_cast<int>(result.path.size()) - 1 == fewest_,
                          "the steps are not the fewest");
        }
        const auto cost = static_cast<double>(result.cost);
        const auto least = static_cast<double>(*least_);
        expect(is_no_more(static_cast<double>(*cheapest), cost), "the cost is not that of the path");
        if (member.promise == Promise::least_cost)
            expect(is_no_more(cost, least), "the cost is not the least");
        if (member.promise == Promise::cost_within_bound)
            expect(cost <= least * member.bound * (1 + 1e-9) + 1e-9, "the cost is beyond the bound");
        if (is_exact_)
            expect(!limits_.max_cost || result.cost <= *limits_.max_cost, "it is beyond the limit");
        if constexpr (npuzzle::MoveProblem<P>) {
            expect(result.moves.size() + 1 == result.path.size(), "moves are missing");
            for (std::size_t i = 0; i < result.moves.size(); ++i) {
                int vertex = result.path[i];
                problem_->apply(vertex, result.moves[i]);
                expect(vertex == result.path[i + 1], "a move leads elsewhere");
            }
        }
    }

private:
    bool is_no_more(double cost, double bound) const {
        return cost <= (is_exact_ ? bound : bound * (1 + 1e-9) + 1e-9);
    }

    const P* problem_;
    npuzzle::BasicLimits<Cost> limits_;
    bool is_exact_;
    std::optional<Cost> least_;
    std::optional<int> fewest_;
};

/// One byte: a limit of expansions, a bound on the cost in units, or neither.
template <class Cost>
npuzzle::BasicLimits<Cost> limits_of(Bytes& bytes, Cost unit) {
    npuzzle::BasicLimits<Cost> limits;
    const int byte = bytes.next();
    if (byte >= 192) limits.expansions = static_cast<std::uint64_t>(byte - 191);
    if (byte >= 64 && byte < 128) limits.max_cost = static_cast<Cost>(byte - 64) * unit;
    return limits;
}

/// Searches of a graph with costs of two types.
void search_graph_of_integers(Bytes bytes);
void search_graph_of_reals(Bytes bytes);

} // namespace fuzz
