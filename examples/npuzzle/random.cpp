#include <npuzzle/io/format.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>

#include "batch.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "search.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/core.h>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace program {

namespace {

// The most moves that a board of size n can need (4: 80, A. Bruengger et al. 1999), or a bound (5: 208).
std::optional<int> diameter(int n) {
    constexpr std::array moves{6, 31, 80, 208};
    return n < 6 ? std::optional(moves[static_cast<std::size_t>(n - 2)]) : std::nullopt;
}

// A board that needs exactly `length` moves. All such boards are equally likely: it is drawn from the boards
// at that distance from the goal.
template <int N>
npuzzle::Board small_board_of_length(int length, const npuzzle::Board& goal, std::mt19937_64& generator) {
    const npuzzle::SlidingPuzzle<N> puzzle(goal);
    std::vector<bool> seen(npuzzle::SlidingPuzzle<N>::size());
    std::vector<npuzzle::PackedBoard<N>> layer{puzzle.goal()};
    seen[puzzle.index(puzzle.goal())] = true;
    for (int depth = 0; depth < length; ++depth) {
        std::vector<npuzzle::PackedBoard<N>> next;
        for (const auto& board : layer) {
            for (const auto& neighbor : puzzle.neighbors(board)) {
                if (seen[puzzle.index(neighbor)]) continue;
                seen[puzzle.index(neighbor)] = true;
                next.push_back(neighbor);
            }
        }
        layer = std::move(next);
    }
    if (layer.empty())
        throw std::invalid_argument(fmt::format("no board needs {} moves to this goal", length));
    return npuzzle::Board(layer[static_cast<std::size_t>(generator() % layer.size())]);
}

// The same for any size, but not all boards are equally likely: a random walk leads to a board that needs
// that many moves or more, and the result is a board on its shortest solution. Nothing if the search was
// ended.
std::optional<npuzzle::Board> board_of_length(int length, const npuzzle::Board& goal,
                                              const std::string& goal_name, std::mt19937_64& generator) {
    const int n = goal.size();
    if (n == 2) return small_board_of_length<2>(length, goal, generator);
    if (n == 3) return small_board_of_length<3>(length, goal, generator);
    SearchOptions options;
    options.goal = goal_name;
    const std::int64_t longest = std::max<std::int64_t>(length, 10 * std::int64_t{n} * n * n);
    for (std::int64_t walk = length;; walk = std::min(longest, walk + 1 + walk / 8)) {
        const npuzzle::Board far = npuzzle::random_walk(goal, walk, generator);
        const Outcome outcome = search(far, options);
        if (!outcome.solution) return std::nullopt;
        std::optional<npuzzle::Board> found;
        std::int64_t left = outcome.moves();
        for_each_board(far, *outcome.solution, [&](const npuzzle::Board& board) {
            if (left-- == length) found = board;
        });
        if (found) return found;
    }
}

} // namespace

int random(const RandomOptions& options) {
    const npuzzle::Board goal = goal_named(options.goal, options.size);
    if (options.optimal_length &&
        *options.optimal_length > diameter(options.size).value_or(*options.optimal_length)) {
        throw std::invalid_argument(fmt::format("no board of size {} needs more than {} moves", options.size,
                                                *diameter(options.size)));
    }
    const std::uint64_t seed = options.seed ? *options.seed : std::random_device{}();
    std::mt19937_64 generator(seed);
    Output output(options.output);
    Batch batch(options.count);
    for (std::uint64_t i = 1; i <= options.count; ++i) {
        const std::optional<npuzzle::Board> board =
            interrupted().stop_requested() ? std::nullopt
            : options.optimal_length ? board_of_length(*options.optimal_length, goal, options.goal, generator)
            : options.moves          ? npuzzle::random_walk(goal, *options.moves, generator)
                                     : npuzzle::random_solvable(goal, generator);
        if (!board) {
            if (!output.is_file()) output.flush();
            print_note("npuzzle: cancelled\n");
            return exit_limit;
        }
        batch.add(exit_solved);
        std::ostringstream text;
        npuzzle::write_board(text, *board, fmt::format("seed {}, board {} of {}", seed, i, options.count));
        output.write(text.str());
    }
    output.finish();
    return exit_solved;
}

} // namespace program
