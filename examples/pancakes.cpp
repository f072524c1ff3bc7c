// test:
// What it teaches: a problem with moves, and a heuristic that is updated move by move. So IDA* solves without
// memory what A* without a heuristic could not store. A stack of pancakes is to be sorted by size; a move
// flips some of the top ones. The heuristic: M. Helmert, "Landmark heuristics for the pancake problem", SoCS
// 2010.

#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/layers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

template <std::uint8_t n>
struct Pancakes {
    using State = std::array<std::uint8_t, n>; // from the top: 1 is the smallest
    using Move = std::uint8_t;                 // how many are flipped
    static constexpr Move no_move = 0;

    template <class F>
    void for_each_move(const State&, Move last, F&& f) const {
        for (Move flip = 2; flip <= n; ++flip) {
            if (flip != last) f(flip);
        }
    }
    void apply(State& stack, Move flip) const { std::reverse(stack.begin(), stack.begin() + flip); }
    Move inverse(Move flip) const { return flip; }

    std::vector<State> neighbors(const State& stack) const {
        std::vector<State> result;
        for_each_move(stack, no_move, [&](Move flip) {
            result.push_back(stack);
            apply(result.back(), flip);
        });
        return result;
    }
    bool is_goal(const State& stack) const { return std::is_sorted(stack.begin(), stack.end()); }
};

// Two pancakes that touch but are not adjacent by size must be parted, by a move of its own.
template <std::uint8_t n>
struct Gaps {
    using State = typename Pancakes<n>::State;
    static constexpr bool is_consistent = true;

    // The plate under the stack is the largest of all.
    static int at(const State& stack, std::size_t i) { return i < n ? stack[i] : n + 1; }
    static int gap(int a, int b) { return a - b == 1 || b - a == 1 ? 0 : 1; }

    int operator()(const State& stack) const {
        int gaps = 0;
        for (std::size_t i = 0; i < n; ++i) gaps += gap(at(stack, i), at(stack, i + 1));
        return gaps;
    }
    // A move parts one pair and joins another. No other pair changes.
    int after(int gaps, const State& before, std::uint8_t flip, const State& after) const {
        return gaps - gap(before[flip - 1U], at(before, flip)) + gap(after[flip - 1U], at(after, flip));
    }
};

template <std::uint8_t n>
auto sorted_stack() {
    typename Pancakes<n>::State stack{};
    std::iota(stack.begin(), stack.end(), std::uint8_t{1});
    return stack;
}

// Solves every stack of seven by IDA*, and compares the counts with breadth-first layers from the sorted one.
bool check_all_stacks_of_seven() {
    const auto layers = npuzzle::breadth_first_layers(Pancakes<7>{}, sorted_stack<7>());
    std::vector<std::uint64_t> solved(layers.counts.size());
    auto stack = sorted_stack<7>();
    do {
        ++solved.at(static_cast<std::size_t>(npuzzle::ida_star(Pancakes<7>{}, stack, Gaps<7>{}).cost));
    } while (std::next_permutation(stack.begin(), stack.end()));
    std::cout << "Stacks of 7 by the moves they need:";
    for (const std::uint64_t count : solved) std::cout << ' ' << count;
    std::cout << '\n';
    return solved == layers.counts;
}

int main() {
    static_assert(npuzzle::IncrementalHeuristicFor<Gaps<40>, Pancakes<40>>);
    bool is_right = check_all_stacks_of_seven();

    std::mt19937 random(1);
    for (int i = 0; i < 5; ++i) {
        auto stack = sorted_stack<40>();
        for (std::size_t rest = stack.size(); rest > 1; --rest) {
            std::swap(stack[rest - 1], stack[random() % rest]);
        }
        const auto result = npuzzle::ida_star(Pancakes<40>{}, stack, Gaps<40>{});
        std::cout << "A stack of 40 with " << Gaps<40>{}(stack) << " gaps: " << result.cost << " moves, "
                  << result.statistics.expanded << " stacks expanded\n";
        for (const std::uint8_t flip : result.moves) Pancakes<40>{}.apply(stack, flip);
        is_right = is_right && result && Pancakes<40>{}.is_goal(stack);
    }
    return is_right ? 0 : 1;
}
