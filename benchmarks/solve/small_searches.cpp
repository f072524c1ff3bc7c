// Row 22: small searches of other kinds, thousands of them, each from its problem as one writes it at first.

#include <npuzzle/search/astar.hpp>

#include "problems/plain_puzzle.hpp"
#include "problems/small.hpp"
#include "reference/astar_hash_map.hpp"
#include "solve/grid_runs.hpp"
#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

/// What one takes for an array of bytes.
struct BytesHash {
    template <class Array>
    std::size_t operator()(const Array& bytes) const {
        return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
};

struct Times {
    double by_hand = 0;
    double npuzzle = 0;
    std::uint64_t expanded = 0;
};

/// Searches from each start, by hand and by npuzzle in turn, and checks that the costs are equal and that
/// each path has its length.
/// \param problem_of the problem of a start
template <class Hash, class State, class ProblemOf>
void compare_all(Session& session, const std::string& name, const std::vector<State>& starts,
                 ProblemOf&& problem_of, Ratios& ratios) {
    Times least{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), 0};
    std::vector<int> costs(starts.size());
    std::uint64_t by_hand_expanded = 0;
    for (int time = 0; time < 2; ++time) { // The first warms the caches.
        by_hand_expanded = 0;
        least.expanded = 0;
        const Stopwatch by_hand;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto found = reference::astar_with_hash_map<Hash>(problem_of(i), starts[i]);
            costs[i] = found.cost;
            by_hand_expanded += found.expanded;
        }
        least.by_hand = std::min(least.by_hand, by_hand.seconds());
        const Stopwatch npuzzle;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto& problem = problem_of(i);
            const auto result = npuzzle::astar(problem, starts[i],
                                               [&](const State& state) { return problem.distance(state); });
            require(result ? result.cost == costs[i] &&
                                 result.path.size() == static_cast<std::size_t>(costs[i]) + 1
                           : costs[i] < 0,
                    name + ": npuzzle and the loop by hand found different costs");
            least.expanded += result.statistics.expanded;
        }
        least.npuzzle = std::min(least.npuzzle, npuzzle.seconds());
    }
    ratios.add(least.by_hand / least.npuzzle, name);
    const double count = static_cast<double>(starts.size());
    const auto text = [&](double seconds, std::uint64_t expanded) {
        return to_text(seconds / count * 1e6, "us") + " a search, " +
               to_text(static_cast<double>(expanded) / count) + " expanded";
    };
    session.report({"22", name, least.by_hand / least.npuzzle, "x", 0, 0, false,
                    text(least.npuzzle, least.expanded), text(least.by_hand, by_hand_expanded), "", true});
}

} // namespace

void search_small_problems(Session& session) {
    Ratios ratios;
    std::mt19937_64 generator(1);
    const std::size_t count = session.is_smoke() ? 3 : 300;

    const problems::Plain8Puzzle puzzle;
    std::vector<problems::Plain8Puzzle::State> boards(count, {0, 1, 2, 3, 4, 5, 6, 7, 8});
    for (auto& board : boards) {
        for (int move = 0; move < 200; ++move) {
            const auto next = puzzle.neighbors(board);
            board = next[generator() % next.size()];
        }
    }
    compare_all<BytesHash>(
        session, "8-puzzles", boards, [&](std::size_t) -> auto& { return puzzle; }, ratios);

    const problems::PlainPancakes<> pancakes;
    std::vector<problems::PlainPancakes<>::State> stacks(count, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    for (auto& stack : stacks) {
        std::shuffle(stack.begin(), stack.end(), generator);
    }
    compare_all<BytesHash>(
        session, "stacks of 12 pancakes", stacks, [&](std::size_t) -> auto& { return pancakes; }, ratios);

    const std::vector<std::string> words = problems::WordLadder::random_words(2000, 1);
    const std::unordered_set<std::string> list(words.begin(), words.end());
    std::vector<std::string> from(count);
    std::vector<problems::WordLadder> ladders;
    for (std::string& word : from) {
        word = words[generator() % words.size()];
        ladders.push_back({&list, words[generator() % words.size()]});
    }
    compare_all<std::hash<std::string>>(
        session, "word ladders", from, [&](std::size_t i) -> auto& { return ladders[i]; }, ratios);

    std::vector<int> states(10 * count);
    std::vector<problems::Ring> rings;
    for (int& state : states) {
        state = static_cast<int>(generator() % 30);
        rings.push_back({static_cast<int>(generator() % 30)});
    }
    compare_all<std::hash<int>>(
        session, "30 states", states, [&](std::size_t i) -> auto& { return rings[i]; }, ratios);

    Ratios at_goal;
    for (std::size_t i = 0; i < states.size(); ++i) {
        rings[i].goal = states[i];
    }
    compare_all<std::hash<int>>(
        session, "the start is a goal", states, [&](std::size_t i) -> auto& { return rings[i]; }, at_goal);

    session.report({"22", "small searches of other kinds", ratios.least(), "x", 1.5, 2.5, false,
                    ratios.text(), "",
                    "8-puzzles, stacks of 12 pancakes, word ladders and 30 states in a ring; the worst of "
                    "them, against a loop by hand with std::unordered_map"});
}

} // namespace benchmarks
