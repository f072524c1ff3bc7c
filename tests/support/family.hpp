/// @file
/// All searches of the library in one list, for properties that all of them share.
#pragma once

#include <npuzzle/search/all_paths.hpp>
#include <npuzzle/search/anytime.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/beam.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/depth_first.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/iterative_deepening.hpp>
#include <npuzzle/search/partial_expansion.hpp>

#include <string>

namespace test {

/// What a search guarantees about its solution.
enum class Promise {
    least_cost,
    cost_within_bound, ///< at most `Member::bound` times the least
    fewest_steps,
    a_path,
};

struct Member {
    std::string name;
    Promise promise;
    double bound = 1;
};

/// Calls `check(member, result)` for each search that stores its nodes.
/// \param is_consistent whether the heuristic is consistent; without this, some searches guarantee nothing
template <class P, class H, class O, class F>
void with_each_graph_search(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic,
                            bool is_consistent, const npuzzle::limits_t<P>& limits, O& observer, F check) {
    using Once = npuzzle::WithoutReopening;
    using enum Promise;
    check(Member{"A*", least_cost}, npuzzle::astar(problem, start, heuristic, limits, observer));
    check(Member{"Dijkstra", least_cost}, npuzzle::dijkstra(problem, start, limits, observer));
    check(Member{"partial expansion A*", least_cost},
          npuzzle::partial_expansion_astar(problem, start, heuristic, limits, observer));
    check(Member{"all cheapest paths", least_cost},
          npuzzle::count_optimal(problem, start, heuristic, limits, observer));
    check(Member{"weighted A*, 1.5", cost_within_bound, 1.5},
          npuzzle::weighted_astar(problem, start, heuristic, {.weight = 1.5}, limits, observer));
    check(
        Member{"weighted A*, 3", cost_within_bound, 3},
        npuzzle::weighted_astar(problem, start, heuristic, npuzzle::WeightOptions<int>{3}, limits, observer));
    check(Member{"XDP", cost_within_bound, 2},
          npuzzle::best_first(problem, start, heuristic, npuzzle::XdpPriority{2}, limits, observer));
    check(Member{"XUP", cost_within_bound, 1.25},
          npuzzle::best_first(problem, start, heuristic, npuzzle::XupPriority{1.25}, limits, observer));
    check(Member{"greedy", a_path}, npuzzle::greedy_best_first(problem, start, heuristic, limits, observer));
    check(Member{"greatest of g and h", a_path},
          npuzzle::best_first(
              problem, start, heuristic, [](auto g, auto h) { return g < h ? h : g; }, limits, observer));
    const auto ignore = [](const npuzzle::anytime_result_t<P>&) {};
    check(Member{"anytime A*", least_cost},
          npuzzle::anytime_astar(problem, start, heuristic, ignore, {.weight = 3}, limits, observer));
    check(Member{"ARA*", least_cost},
          npuzzle::ara_star(problem, start, heuristic, ignore, {.weight = 3, .step = 1}, limits, observer));
    check(Member{"doubling beam", a_path},
          npuzzle::doubling_beam(problem, start, heuristic, {.width = 1}, limits, observer));
    if (is_consistent) {
        check(Member{"weighted A*, 2, each state once", cost_within_bound, 2},
              npuzzle::weighted_astar<Once>(problem, start, heuristic, npuzzle::WeightOptions<int>{2}, limits,
                                            observer));
        check(Member{"XDP, each state once", cost_within_bound, 1.5},
              npuzzle::best_first<Once>(problem, start, heuristic, npuzzle::XdpPriority{1.5}, limits,
                                        observer));
        check(
            Member{"XUP, each state once", cost_within_bound, 3},
            npuzzle::best_first<Once>(problem, start, heuristic, npuzzle::XupPriority{3}, limits, observer));
    }
}

/// The same for searches that take no heuristic and other limits.
template <class P, class O, class F>
void with_breadth_first(const P& problem, const npuzzle::state_t<P>& start, const npuzzle::Limits& limits,
                        O& observer, F check) {
    check(Member{"breadth-first", Promise::fewest_steps},
          npuzzle::breadth_first(problem, start, limits, observer));
}

/// The same for searches that store only the states on their path. Only for small problems.
template <class P, class H, class O, class F>
void with_each_tree_search(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic,
                           const npuzzle::limits_t<P>& limits, O& observer, F check) {
    check(Member{"depth-first", Promise::a_path},
          npuzzle::depth_first(problem, start, {.max_depth = 1000}, limits, observer));
    check(Member{"iterative deepening", Promise::fewest_steps},
          npuzzle::iterative_deepening(problem, start, limits, observer));
    if constexpr (npuzzle::MoveProblem<P>) {
        check(Member{"IDA*", Promise::least_cost},
              npuzzle::ida_star(problem, start, heuristic, limits, observer));
    } else {
        static_cast<void>(heuristic);
    }
}

} // namespace test
