/// @file
/// Problems on which a search takes as long as one likes, and an observer of its progress.
#pragma once

#include <npuzzle/search/core/problem.hpp>
#include <npuzzle/search/core/result.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

namespace test {

/// A plane without an end, in which a layer has four states more than the one before.
struct Plane {
    using State = std::array<int, 2>;
    static constexpr bool is_undirected = true;

    int goal_column = -1'000'000;

    [[nodiscard]] std::vector<State> neighbors(const State& at) const {
        return {{at[0] + 1, at[1]}, {at[0], at[1] + 1}, {at[0] - 1, at[1]}, {at[0], at[1] - 1}};
    }
    [[nodiscard]] State goal() const { return {goal_column, 0}; }
    [[nodiscard]] bool is_goal(const State& at) const { return at == goal(); }
};

/// A tree of numbers: the children of n are 3 n + 1, 3 n + 2 and 3 n + 3, as far as they are below `end`.
/// Steps cost 1.5, 2 or 2.5.
struct TernaryTree {
    using State = std::int64_t;

    State end;
    State goal_number;

    [[nodiscard]] std::vector<npuzzle::Edge<State, double>> neighbors(State n) const {
        std::vector<npuzzle::Edge<State, double>> edges;
        for (State child = 3 * n + 1; child <= 3 * n + 3 && child < end; ++child) {
            edges.push_back({child, 1 + 0.5 * static_cast<double>(child - 3 * n)});
        }
        return edges;
    }
    [[nodiscard]] bool is_goal(State n) const { return n == goal_number; }
};

/// What is told of the progress, which does not fall, on the thread that made this.
struct ProgressObserver : npuzzle::SilentObserver {
    static constexpr bool sees_nodes = false;
    int calls = 0;
    npuzzle::Statistics last;
    std::thread::id thread = std::this_thread::get_id();
    bool is_here = true;
    void progress(const npuzzle::Statistics& statistics) {
        ++calls;
        is_here = is_here && std::this_thread::get_id() == thread;
        CHECK(last.expanded <= statistics.expanded);
        CHECK(last.seconds <= statistics.seconds);
        last = statistics;
    }
};

} // namespace test
