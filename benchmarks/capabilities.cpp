// What each optional capability gains: the 15-puzzle with Manhattan distance, with one more capability each
// time, on number 5 of Korf's boards. Checks every answer, and exits with 1 if one is wrong.
// docs/performance.md quotes the problems.
//
//     capabilities [ROUNDS]

#include <npuzzle/search.hpp>

#include "support/instances.hpp"
#include "support/process_memory.hpp"
#include "support/timing.hpp"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

struct Foot {
    using State = std::array<std::uint8_t, 16>;

    static int blank(const State& board) {
        int cell = 0;
        while (board[static_cast<std::size_t>(cell)] != 0) ++cell;
        return cell;
    }

    template <class Range>
    static Range slides(const State& board) {
        Range result;
        const int from = blank(board);
        for (const int step : {-4, -1, 1, 4}) {
            const int to = from + step;
            if (to < 0 || to > 15 || (std::abs(step) == 1 && to / 4 != from / 4)) continue;
            result.push_back(board);
            std::swap(result.back()[static_cast<std::size_t>(from)],
                      result.back()[static_cast<std::size_t>(to)]);
        }
        return result;
    }

    std::vector<State> neighbors(const State& board) const { return slides<std::vector<State>>(board); }
    bool is_goal(const State& board) const {
        for (std::size_t cell = 0; cell < 16; ++cell) {
            if (board[cell] != cell) return false;
        }
        return true;
    }
};

int distance(int tile, int cell) {
    return std::abs(tile / 4 - cell / 4) + std::abs(tile % 4 - cell % 4);
}

int manhattan(const Foot::State& board) {
    int sum = 0;
    for (int cell = 0; cell < 16; ++cell) {
        const int tile = board[static_cast<std::size_t>(cell)];
        if (tile != 0) sum += distance(tile, cell);
    }
    return sum;
}

// The same neighbors, in place.
struct WithoutAllocation : Foot {
    using Neighbors = boost::container::static_vector<State, 4>;
    Neighbors neighbors(const State& board) const { return slides<Neighbors>(board); }
};

// MoveProblem
struct WithMoves : WithoutAllocation {
    enum class Move : std::uint8_t { up, left, right, down, none };
    static constexpr Move no_move = Move::none;
    static constexpr std::array<int, 4> steps = {-4, -1, 1, 4};

    template <class F>
    void for_each_move(const State& board, Move last, F&& visit) const {
        const int from = blank(board);
        if (from >= 4 && last != Move::down) visit(Move::up);
        if (from % 4 > 0 && last != Move::right) visit(Move::left);
        if (from % 4 < 3 && last != Move::left) visit(Move::right);
        if (from < 12 && last != Move::up) visit(Move::down);
    }
    void apply(State& board, Move move) const {
        const int from = blank(board);
        std::swap(board[static_cast<std::size_t>(from)],
                  board[static_cast<std::size_t>(from + steps[static_cast<std::size_t>(move)])]);
    }
    Move inverse(Move move) const { return static_cast<Move>(3 - static_cast<int>(move)); }
};

// PackedProblem
struct WithWords : WithMoves {
    std::uint64_t pack(const State& board) const {
        std::uint64_t word = 0;
        for (std::size_t cell = 0; cell < 15; ++cell) word |= std::uint64_t{board[cell]} << (4 * cell);
        return word; // The last tile is the one that is left over.
    }
    State unpack(std::uint64_t word) const {
        State board{};
        unsigned last = 0; // 0 ^ 1 ^ ... ^ 15 is 0
        for (std::size_t cell = 0; cell < 15; ++cell) {
            board[cell] = static_cast<std::uint8_t>(word >> (4 * cell) & 15);
            last ^= board[cell];
        }
        board[15] = static_cast<std::uint8_t>(last);
        return board;
    }
};

// CompactProblem
struct WithCounts : WithWords {
    static constexpr unsigned word_bits = 60;
    static constexpr unsigned move_count = 4;
    static constexpr int longest_path = 1000;
};

// IncrementalHeuristicFor
struct ManhattanAfter {
    int operator()(const Foot::State& board) const { return manhattan(board); }
    int after(int value, const Foot::State& before, WithMoves::Move, const Foot::State& after) const {
        const int from = Foot::blank(after);
        const int to = Foot::blank(before);
        const int tile = after[static_cast<std::size_t>(to)];
        return value + distance(tile, to) - distance(tile, from);
    }
};

template <class Problem, class Heuristic>
void measure(const char* name, const Problem& problem, const Heuristic& heuristic, int rounds) {
    const benchmarks::Instance& instance = benchmarks::korf_boards[rounds == 0 ? 11 : 4];
    Foot::State start{};
    for (std::size_t cell = 0; cell < 16; ++cell)
        start[cell] = static_cast<std::uint8_t>(instance.tiles[cell]);
    std::vector<double> seconds;
    npuzzle::Statistics statistics;
    double bytes = 0;
    for (int round = 0; round < std::max(rounds, 1); ++round) {
        const benchmarks::PeakGrowth growth;
        const benchmarks::Stopwatch stopwatch;
        const auto result = npuzzle::astar(problem, start, heuristic);
        seconds.push_back(stopwatch.seconds());
        bytes = static_cast<double>(growth.bytes());
        statistics = result.statistics;
        if (result.cost != instance.optimal_cost || !problem.is_goal(result.path.back())) {
            std::fprintf(stderr, "%s: the answer is wrong\n", name);
            std::exit(1);
        }
    }
    std::printf("%-32s %6.2f M expansions/s %6.1f bytes/node\n", name,
                static_cast<double>(statistics.expanded) / benchmarks::median(seconds) / 1e6,
                bytes / static_cast<double>(statistics.stored));
}

} // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 3; // 0: a small board, once
    const auto from_scratch = [](const Foot::State& board) { return manhattan(board); };
    measure("the foot", Foot{}, from_scratch, rounds);
    measure("neighbors without allocation", WithoutAllocation{}, from_scratch, rounds);
    measure("moves", WithMoves{}, from_scratch, rounds);
    measure("words", WithWords{}, from_scratch, rounds);
    measure("counts", WithCounts{}, from_scratch, rounds);
    measure("the heuristic's change", WithCounts{}, ManhattanAfter{}, rounds);
}
