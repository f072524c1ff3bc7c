/// @file
/// The searches that store their nodes, over a problem without capabilities.
#include <npuzzle/search/all_paths.hpp>
#include <npuzzle/search/anytime.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/beam.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/breadth_first.hpp>
#include <npuzzle/search/dijkstra.hpp>
#include <npuzzle/search/partial_expansion.hpp>

#include "searches.hpp"

namespace fuzz {

namespace {

template <class C>
void run(const Case<C>& problem) {
    using npuzzle::WithoutReopening;
    using enum Promise;
    const Judge<C> judge(problem);
    const Ring<C>& ring = problem.ring;
    const Estimates<C> heuristic{problem.forward};
    const auto limits = problem.limits();
    const auto bound = problem.bound();

    judge.judge("A*", npuzzle::astar(ring, 0, heuristic, limits), least_cost, 1, bound);
    judge.judge("Dijkstra's algorithm", npuzzle::dijkstra(ring, 0, limits), least_cost, 1, bound);
    judge.judge("partial expansion", npuzzle::partial_expansion_astar(ring, 0, heuristic, limits), least_cost,
                1, bound);
    if (problem.limit != 0) {
        judge.judge("all cheapest paths", npuzzle::count_optimal(ring, 0, heuristic, limits), least_cost);
    }
    if (problem.is_exact) {
        judge.judge("all cheapest paths", npuzzle::count_optimal(ring, 0, heuristic), least_cost);
    }
    judge.judge("weighted A*", npuzzle::weighted_astar(ring, 0, heuristic, {.weight = 1.5}, limits),
                within_bound, 1.5, bound);
    judge.judge("weighted A*, 3",
                npuzzle::weighted_astar(ring, 0, heuristic, npuzzle::WeightOptions<int>{3}, limits),
                within_bound, 3, bound);
    judge.judge("XDP", npuzzle::best_first(ring, 0, heuristic, npuzzle::XdpPriority{2}, limits), within_bound,
                2, bound);
    judge.judge("XUP", npuzzle::best_first(ring, 0, heuristic, npuzzle::XupPriority{1.25}, limits),
                within_bound, 1.25, bound);
    judge.judge("greedy", npuzzle::greedy_best_first(ring, 0, heuristic, limits), a_path, 1, bound);
    judge.judge("greatest of g and h",
                npuzzle::best_first(
                    ring, 0, heuristic, [](auto g, auto h) { return g < h ? h : g; }, limits),
                a_path, 1, bound);
    const auto ignore = [](const npuzzle::anytime_result_t<Ring<C>>&) {};
    judge.judge("anytime A*", npuzzle::anytime_astar(ring, 0, heuristic, ignore, {.weight = 3}, limits),
                least_cost, 1, bound);
    judge.judge("ARA*", npuzzle::ara_star(ring, 0, heuristic, ignore, {.weight = 3, .step = 1}, limits),
                least_cost, 1, bound);
    judge.judge("doubling beam", npuzzle::doubling_beam(ring, 0, heuristic, {.width = 1}, limits), a_path, 1,
                bound);
    const auto beam = npuzzle::beam_search(ring, 0, heuristic, {.width = 2}, limits);
    if (beam.status != npuzzle::Status::beam_exhausted) {
        judge.judge("beam", beam, a_path, 1, bound);
    }
    judge.judge("breadth-first", npuzzle::breadth_first(ring, 0, {.expansions = limits.expansions}),
                fewest_steps);
    if (problem.is_consistent) {
        const Estimates<C, true> consistent{problem.forward};
        const auto once = npuzzle::astar<WithoutReopening>(ring, 0, consistent, limits);
        judge.expect("A*, each state once", once.statistics.reopened == 0, "a state was reopened");
        judge.judge("A*, each state once", once, least_cost, 1, bound);
        judge.judge("weighted A*, 2, each state once",
                    npuzzle::weighted_astar<WithoutReopening>(ring, 0, consistent,
                                                              npuzzle::WeightOptions<int>{2}, limits),
                    within_bound, 2, bound);
        judge.judge(
            "XDP, each state once",
            npuzzle::best_first<WithoutReopening>(ring, 0, consistent, npuzzle::XdpPriority{1.5}, limits),
            within_bound, 1.5, bound);
    }
}

} // namespace

void run_best_first(const Case<int>& problem) {
    run(problem);
}
void run_best_first(const Case<double>& problem) {
    run(problem);
}

} // namespace fuzz
