/// @file
/// All searches that take jump points, on one task, against Dijkstra's algorithm on the cells of the map.
#pragma once

#include <npuzzle/maps/jump_points.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/depth_first.hpp>
#include <npuzzle/search/engine/priority.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/iterative_deepening.hpp>

#include "support/oracles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace test {

/// Estimates in a table, so that many heuristics are one type.
/// \tparam declares whether it declares itself consistent
template <class Cost, bool declares>
struct TableOfEstimates {
    static constexpr bool is_consistent = declares;

    Cost operator()(std::uint32_t cell) const { return (*values)[cell]; }

    const std::vector<Cost>* values;
};

/// Checks each search, and counts the checks.
template <class Cost>
class JumpOracle {
    using Map = npuzzle::GridMap<Cost>;
    using Jumps = npuzzle::JumpPoints<Cost>;
    using Cell = std::uint32_t;

public:
    /// \param wrong called with the name of each search whose answer is wrong
    template <class F>
    void check(const Map& map, const Jumps& jumps, Cell start, F&& wrong) {
        const auto costs = oracle::costs_from<Cost>(map, start);
        const auto found = costs.find(map.goal());
        is_solvable_ = found != costs.end();
        cost_ = is_solvable_ ? found->second : Cost{};
        const auto expect = [&](const char* search, double factor, const auto& result) {
            ++checks_;
            if (!is_right(map, jumps, start, factor, result))
                wrong(std::string(search) + " by " + heuristic_);
        };
        heuristic_ = "no heuristic";
        expect("breadth-first search", any, npuzzle::breadth_first(jumps, start));
        expect("Dijkstra", 1, npuzzle::jump_point_search(jumps, start, npuzzle::Zero{}));
        expect("depth-first search", any, npuzzle::depth_first(jumps, start, {}, {.expansions = 500}));
        expect("iterative deepening", any, npuzzle::iterative_deepening(jumps, start, {.expansions = 500}));
        expect("jump point search", 1, npuzzle::jump_point_search(jumps, start));
        check_all("the octile distance", map, jumps, start, npuzzle::OctileDistance{}, expect);
        check_all("the Manhattan distance", map, jumps, start, npuzzle::ManhattanDistance{}, expect);
        check_all("the Euclidean distance", map, jumps, start, npuzzle::EuclideanDistance{}, expect);
        check_all("a table of zeros", map, jumps, start, npuzzle::Zero{}, expect);
        check_inconsistent(map, jumps, start, expect);
    }

    /// How many searches were looked at.
    [[nodiscard]] std::uint64_t checks() const { return checks_; }
    /// How many of them were ended by a limit, and say nothing.
    [[nodiscard]] std::uint64_t ended() const { return ended_; }

private:
    static constexpr double any = 1e9;

    template <class H, class F>
    void check_all(const char* name, const Map& map, const Jumps& jumps, Cell start, const H& heuristic,
                   const F& expect) {
        heuristic_ = name;
        estimates_.clear();
        auto&& bound = npuzzle::bind_heuristic(heuristic, jumps);
        for (Cell cell = 0; cell < map.size(); ++cell) estimates_.push_back(static_cast<Cost>(bound(cell)));
        const TableOfEstimates<Cost, true> h{&estimates_};
        expect("A* without reopening", 1, npuzzle::astar<npuzzle::WithoutReopening>(jumps, start, h));
        expect("A* with an early goal test", any, npuzzle::astar<npuzzle::EarlyGoalTest>(jumps, start, h));
        // Through all ways to each cell: on small tasks alone.
        if (is_solvable_) expect("IDA*", 1, npuzzle::ida_star(jumps, start, h, {.expansions = 500}));
        for (const int weight : {1, 3, 10}) {
            expect("weighted A*", weight,
                   npuzzle::weighted_astar(jumps, start, h, npuzzle::WeightOptions<int>{weight}));
        }
        expect("XDP", 2, npuzzle::best_first(jumps, start, h, npuzzle::XdpPriority{2.0}));
        expect("XUP", 3, npuzzle::best_first(jumps, start, h, npuzzle::XupPriority{3.0}));
        expect("greedy search", any, npuzzle::greedy_best_first(jumps, start, h));
        // The dearest path first: what is closed gets cheaper as often as it can.
        expect("best-first search by -g", any,
               npuzzle::best_first(jumps, start, h, [](Cost g, Cost) { return -static_cast<double>(g); }));
    }

    /// A heuristic that is admissible, and falls by more than the steps cost.
    template <class F>
    void check_inconsistent(const Map& map, const Jumps& jumps, Cell start, const F& expect) {
        heuristic_ = "an inconsistent heuristic";
        estimates_.assign(map.size(), Cost{}); // the map is undirected
        for (const auto& [cell, cost] : oracle::costs_from<Cost>(map, map.goal())) {
            estimates_[cell] = cell * 2654435761U >> 30 < 2 ? cost / 2 : Cost{};
        }
        const TableOfEstimates<Cost, false> h{&estimates_};
        expect("A*", 1, npuzzle::astar(jumps, start, h));
        expect("weighted A*", 3, npuzzle::weighted_astar(jumps, start, h, npuzzle::WeightOptions<int>{3}));
    }

    template <class Result>
    bool is_right(const Map& map, const Jumps& jumps, Cell start, double factor, const Result& result) {
        using npuzzle::Status;
        if (result.status == Status::expansion_limit) {
            ++ended_;
            return true;
        }
        if (!is_solvable_) return result.status == Status::unsolvable && result.path.empty();
        if (result.status != Status::solved) return false;
        const auto cells = npuzzle::cells_along(jumps, result.path);
        const auto cost = oracle::path_cost<Cost>(map, cells);
        const double rounding = std::integral<Cost> ? 0 : 1e-9 * (1 + static_cast<double>(cost_));
        const auto is_at_most = [&](Cost a, double b) { return static_cast<double>(a) <= b + rounding; };
        return cells.front() == start && cells.back() == map.goal() && cost &&
               is_at_most(result.cost, static_cast<double>(*cost)) &&
               is_at_most(*cost, static_cast<double>(result.cost)) &&
               is_at_most(*cost, factor * static_cast<double>(cost_)) &&
               is_at_most(cost_, static_cast<double>(*cost)) && result.statistics.contract_violations == 0;
    }

    const char* heuristic_ = "";
    std::vector<Cost> estimates_;
    Cost cost_{};
    bool is_solvable_ = false;
    std::uint64_t checks_ = 0;
    std::uint64_t ended_ = 0;
};

/// A task of a small map, its cells and all else from `next(count)`, a number below `count`.
/// `check(map, jumps, start)`.
template <class Cost, class Next, class F>
void with_small_map(Next&& next, F&& check) {
    npuzzle::GridSteps<Cost> steps{.sides = next(8) == 0 ? npuzzle::Sides::four : npuzzle::Sides::eight,
                                   .corners = static_cast<npuzzle::CornerRule>(next(3))};
    if constexpr (std::integral<Cost>) {
        const int straight = 1 + next(6);
        steps.straight = static_cast<Cost>(straight);
        steps.diagonal = static_cast<Cost>(straight + next(straight)); // less than twice as much
    } else {
        const std::array<std::array<double, 2>, 7> costs{{{1, npuzzle::GridSteps<double>{}.diagonal},
                                                          {1, std::sqrt(2.0)},
                                                          {1, 1},
                                                          {1, 1.5},
                                                          {0.1, 0.15},
                                                          {0.3, 0.59},
                                                          {1, 1.98}}};
        const auto& [straight, diagonal] = costs[static_cast<std::size_t>(next(7))];
        steps.straight = static_cast<Cost>(straight);
        steps.diagonal = static_cast<Cost>(diagonal);
    }
    const int width = 2 + next(9);
    const int height = 2 + next(9);
    const auto start = static_cast<std::uint32_t>(next(width * height));
    const auto goal = static_cast<std::uint32_t>(next(width * height));
    const int walls = next(10); // of 32 cells: few, so that many paths cost the same
    const npuzzle::GridMap<Cost> map(width, height, [&](int, int) { return next(32) >= walls; }, steps);
    check(map.with_goal(goal), npuzzle::JumpPoints<Cost>(map).with_goal(goal), start);
}

} // namespace test
