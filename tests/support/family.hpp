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
#include <npuzzle/search/external_astar.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/iterative_deepening.hpp>
#include <npuzzle/search/k_shortest_paths.hpp>

#include <concepts>
#include <string_view>

namespace test {

/// What a search guarantees about its solution.
enum class Promise {
    least_cost,
    cost_within_bound, ///< at most `Member::bound` times the least
    fewest_steps,
    a_path,
};

struct Member {
    std::string_view name;
    Promise promise;
    double bound = 1;
};

/// Runs an engine, and returns its result.
template <class Engine>
auto result_of(Engine&& engine) {
    engine.run();
    return engine.result();
}

/// Calls `search` with a problem, a start and, if there are any, heuristics; for real costs with a start and
/// callables in place of the problem, which is to make no difference.
template <class P, class F, class... H>
auto call(const P& problem, const npuzzle::state_t<P>& start, F search, const H&... heuristic) {
    if constexpr (std::floating_point<npuzzle::cost_t<P>> && !npuzzle::MoveProblem<P>) {
        using State = npuzzle::state_t<P>;
        const auto neighbors = [&](const State& state) -> decltype(auto) { return problem.neighbors(state); };
        const auto is_goal = [&](const State& state) { return problem.is_goal(state); };
        return search(start, neighbors, heuristic..., is_goal);
    } else {
        return search(problem, start, heuristic...);
    }
}

/// Calls `check(member, result)` for each search that stores its nodes.
/// \param is_consistent whether the heuristic is consistent; without this, some searches guarantee nothing
template <class P, class H, class O, class F>
void with_each_graph_search(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic,
                            bool is_consistent, const npuzzle::limits_t<P>& limits, O& observer, F check) {
    using Once = npuzzle::WithoutReopening;
    using enum Promise;
    const auto informed = [&](auto search) { return call(problem, start, search, heuristic); };
    const auto direct = [&](auto search) { return search(problem, start, heuristic); }; // takes no callables
    const auto blind = [&](auto search) { return call(problem, start, search); };
    check(Member{"A*", least_cost},
          informed([&](auto&... of) { return npuzzle::astar(of..., limits, observer); }));
    check(Member{"Dijkstra", least_cost},
          blind([&](auto&... of) { return npuzzle::dijkstra(of..., limits, observer); }));
    check(Member{"all cheapest paths", least_cost},
          direct([&](auto&... of) { return npuzzle::count_optimal(of..., limits, observer); }));
    check(Member{"weighted A*, 1.5", cost_within_bound, 1.5}, informed([&](auto&... of) {
              return npuzzle::weighted_astar(of..., {.weight = 1.5}, limits, observer);
          }));
    check(Member{"weighted A*, 3", cost_within_bound, 3}, informed([&](auto&... of) {
              return npuzzle::weighted_astar(of..., npuzzle::WeightOptions<int>{3}, limits, observer);
          }));
    check(Member{"XDP", cost_within_bound, 2}, direct([&](auto&... of) {
              return npuzzle::best_first(of..., npuzzle::XdpPriority{2}, limits, observer);
          }));
    check(Member{"XUP", cost_within_bound, 1.25}, direct([&](auto&... of) {
              return npuzzle::best_first(of..., npuzzle::XupPriority{1.25}, limits, observer);
          }));
    check(Member{"greedy", a_path},
          informed([&](auto&... of) { return npuzzle::greedy_best_first(of..., limits, observer); }));
    check(Member{"greatest of g and h", a_path}, direct([&](auto&... of) {
              return npuzzle::best_first(
                  of..., [](auto g, auto h) { return g < h ? h : g; }, limits, observer);
          }));
    if constexpr (npuzzle::ExternalProblem<P, H>) {
        check(Member{"external A*", least_cost},
              npuzzle::external_astar(problem, start, heuristic, {}, limits, observer));
    }
    const auto ignore = [](const npuzzle::anytime_result_t<P>&) {};
    check(Member{"anytime A*", least_cost}, direct([&](auto&... of) {
              return npuzzle::anytime_astar(of..., ignore, {.weight = 3}, limits, observer);
          }));
    check(Member{"ARA*", least_cost}, direct([&](auto&... of) {
              return npuzzle::anytime_astar(of..., ignore, {.weight = 3, .step = 1}, limits, observer);
          }));
    check(Member{"doubling beam", a_path},
          direct([&](auto&... of) { return npuzzle::doubling_beam(of..., {.width = 1}, limits, observer); }));
    if (is_consistent) {
        check(Member{"weighted A*, 2, each state once", cost_within_bound, 2}, informed([&](auto&... of) {
                  return npuzzle::weighted_astar<Once>(of..., npuzzle::WeightOptions<int>{2}, limits,
                                                       observer);
              }));
        check(Member{"XDP, each state once", cost_within_bound, 1.5}, direct([&](auto&... of) {
                  return npuzzle::best_first<Once>(of..., npuzzle::XdpPriority{1.5}, limits, observer);
              }));
        check(Member{"XUP, each state once", cost_within_bound, 3}, direct([&](auto&... of) {
                  return npuzzle::best_first<Once>(of..., npuzzle::XupPriority{3}, limits, observer);
              }));
    }
}

/// The same for the k shortest paths, which take as many searches as the paths have states.
template <class P, class H, class O, class F>
void with_k_shortest_paths(const P& problem, const npuzzle::state_t<P>& start, const H& heuristic,
                           const npuzzle::limits_t<P>& limits, O& observer, F check) {
    check(Member{"k shortest paths", Promise::least_cost},
          npuzzle::k_shortest_paths(problem, start, heuristic, 3, limits, observer));
}

/// The same for searches that take no heuristic and other limits.
template <class P, class O, class F>
void with_breadth_first(const P& problem, const npuzzle::state_t<P>& start, const npuzzle::Limits& limits,
                        O& observer, F check) {
    const auto blind = [&](auto search) { return call(problem, start, search); };
    check(Member{"breadth-first", Promise::fewest_steps},
          blind([&](auto&... of) { return npuzzle::breadth_first(of..., limits, observer); }));
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
