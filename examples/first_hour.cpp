// The programs of docs/first-hour.md: a problem of your own, with costs, moves and limits, and a heuristic.
#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

// People cross a bridge at night, at most two at a time. They need the torch and walk as fast as the slower
// one.
struct Bridge {
    struct State {
        std::uint32_t waiting; // one bit for each person who has not crossed
        bool torch_waits;

        friend bool operator==(const State&, const State&) = default;
        friend std::size_t hash_value(const State& state) {
            return npuzzle::hash_of(std::pair(state.waiting, state.torch_waits));
        }
    };
    std::vector<int> minutes;

    std::vector<npuzzle::Edge<State, int>> neighbors(const State& state) const {
        std::vector<npuzzle::Edge<State, int>> result;
        for_each_move(state, no_move, [&](Move walkers) {
            State next = state;
            apply(next, walkers);
            result.push_back({next, move_cost(state, walkers)});
        });
        return result;
    }
    bool is_goal(const State& state) const { return state.waiting == 0; }

    using Move = std::uint32_t; // one bit for each person who walks
    static constexpr Move no_move = 0;

    template <class F>
    void for_each_move(const State& state, Move last, F&& f) const {
        const Move here = state.torch_waits ? state.waiting : everybody() & ~state.waiting;
        for (Move one = 1; one <= here; one <<= 1) {
            for (Move other = one; other <= here; other <<= 1) {
                const Move walkers = one | other;
                if ((walkers & here) == walkers && walkers != last) f(walkers);
            }
        }
    }
    void apply(State& state, Move walkers) const {
        state.waiting ^= walkers;
        state.torch_waits = !state.torch_waits;
    }
    Move inverse(Move walkers) const { return walkers; }
    int move_cost(const State&, Move walkers) const {
        int slowest = 0;
        for (std::size_t i = 0; i < minutes.size(); ++i) {
            if ((walkers >> i & 1U) != 0) slowest = std::max(slowest, minutes[i]);
        }
        return slowest;
    }

    State start() const { return {everybody(), true}; }
    Move everybody() const { return (Move{1} << minutes.size()) - 1; }
};
static_assert(npuzzle::MoveProblem<Bridge>);

// The number of swaps if the blank may change places with any tile (J. Gaschnig, 1979). A move is such a
// swap.
struct Gaschnig {
    int operator()(const npuzzle::PackedBoard<3>& board) const {
        std::array<int, 9> tiles{}; // row by row; the blank, which belongs last, is a 9
        for (int cell = 0; cell < 9; ++cell) {
            tiles[static_cast<std::size_t>(cell)] = board.tile(cell) == 0 ? 9 : board.tile(cell);
        }
        int swaps = 0;
        for (;;) {
            const auto blank = std::find(tiles.begin(), tiles.end(), 9);
            const int missing = static_cast<int>(blank - tiles.begin()) + 1; // the tile that belongs there
            auto other = std::find(tiles.begin(), tiles.end(), missing);
            if (missing == 9) { // the blank is at home: swap it with a misplaced tile
                int home = 0;
                other = std::find_if(tiles.begin(), tiles.end(), [&](int tile) { return tile != ++home; });
                if (other == tiles.end()) return swaps;
            }
            std::iter_swap(blank, other);
            ++swaps;
        }
    }
};

int main() {
    const Bridge four{{1, 2, 5, 10}};
    const auto slowest = [](const Bridge& bridge) {
        return [&](const Bridge::State& state) { return bridge.move_cost(state, state.waiting); };
    };
    const auto crossing = npuzzle::astar(four, four.start(), slowest(four));
    std::cout << crossing.status << ", " << crossing.cost << " minutes:";
    for (const Bridge::Move walkers : crossing.moves) {
        for (std::size_t i = 0; i < 4; ++i) {
            if ((walkers >> i & 1U) != 0) std::cout << ' ' << four.minutes[i];
        }
        std::cout << ';';
    }

    const Bridge crowd{{1, 2, 3, 5, 8, 12, 13, 17, 20, 21, 25, 30}};
    const auto whole = npuzzle::astar(crowd, crowd.start(), slowest(crowd));
    const auto limited = npuzzle::astar(crowd, crowd.start(), slowest(crowd), {.expansions = 1000});
    const auto cheap = npuzzle::astar(crowd, crowd.start(), slowest(crowd), {.max_cost = whole.cost - 1});
    std::cout << "\nTwelve people: " << whole.status << ", " << whole.cost << " minutes; in 1000 expansions "
              << limited.status << "; in a minute less " << cheap.status << '\n';
    std::cout << npuzzle::verify_consistency(crowd, slowest(crowd), std::vector{crowd.start()}, 500)
              << "\n\n";

    const npuzzle::SlidingPuzzle<3> puzzle;
    std::vector<npuzzle::PackedBoard<3>> boards{puzzle.goal()};
    for (unsigned seed = 1; seed <= 20; ++seed) boards.emplace_back(npuzzle::random_solvable(3, seed));
    const auto sum = [](const auto& board) { return Gaschnig{}(board) + static_cast<int>(board.hamming()); };
    std::cout << npuzzle::verify_consistency(puzzle, Gaschnig{}, boards, 1000) << '\n'
              << npuzzle::verify_consistency(puzzle, sum, boards, 1000) << '\n';
    const auto measure = [&](const char* name, const auto& heuristic) {
        std::uint64_t expanded = 0;
        for (const auto& board : boards)
            expanded += npuzzle::astar(puzzle, board, heuristic).statistics.expanded;
        std::cout << name << ": " << expanded << " expansions\n";
    };
    measure("Hamming", npuzzle::Hamming{});
    measure("Gaschnig", Gaschnig{});
    measure("Manhattan", npuzzle::Manhattan{});
}
