#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>

#include "../../examples/playground/textbook.hpp"
#include "support/catch.hpp"

#include <set>
#include <utility>

using npuzzle::Board;
using playground::TextbookRequest;
using playground::TieBreak;

namespace {

constexpr TieBreak tie_breaks[] = {TieBreak::none, TieBreak::first_in, TieBreak::last_in,
                                   TieBreak::least_estimate};

int shortest(const Board& board) {
    return npuzzle::astar(npuzzle::SlidingPuzzle<3>(), npuzzle::PackedBoard<3>(board), npuzzle::Manhattan{})
        .cost;
}

int manhattan(const Board& board) {
    return static_cast<int>(npuzzle::Manhattan{}.bind(npuzzle::SlidingPuzzle<>(board.size()))(board));
}

// How many nodes have f < C, and f <= C.
using Bounds = std::pair<std::uint64_t, std::uint64_t>;

void add_tree(Bounds& bounds, const Board& board, const Board* parent, int moves, int optimum) {
    const int f = moves + manhattan(board);
    if (f > optimum) return;
    bounds.first += f < optimum ? 1 : 0;
    ++bounds.second;
    for (const Board& next : board.neighbors()) {
        if (parent == nullptr || next != *parent) add_tree(bounds, next, &board, moves + 1, optimum);
    }
}

Bounds graph(const Board& start, int optimum) {
    Bounds bounds{0, 0};
    std::vector<Board> layer{start};
    std::set<std::vector<std::int32_t>> seen{start.tiles()};
    for (int moves = 0; !layer.empty() && moves <= optimum; ++moves) {
        std::vector<Board> next_layer;
        for (const Board& board : layer) {
            const int f = moves + manhattan(board);
            bounds.first += f < optimum ? 1 : 0;
            bounds.second += f <= optimum ? 1 : 0;
            for (const Board& next : board.neighbors()) {
                if (seen.insert(next.tiles()).second) next_layer.push_back(next);
            }
        }
        layer = std::move(next_layer);
    }
    return bounds;
}

} // namespace

TEST_CASE("A textbook's solver takes out all nodes with f < C*, and none with f > C*", "[textbook]") {
    for (const std::uint64_t seed : {1U, 2U, 4U, 5U, 11U, 26U}) {
        const Board board = npuzzle::random_solvable(3, seed);
        const int optimum = shortest(board);
        Bounds tree{0, 0};
        add_tree(tree, board, nullptr, 0, optimum);
        const Bounds states = graph(board, optimum);
        CAPTURE(seed);
        for (const TieBreak tie_break : tie_breaks) {
            TextbookRequest request{.board = board, .tie_break = tie_break};
            auto outcome = playground::search_textbook(request);
            CHECK(outcome.moves == optimum);
            CHECK(outcome.taken_out > tree.first);
            CHECK(outcome.taken_out <= tree.second);
            request.has_closed_list = true;
            outcome = playground::search_textbook(request);
            CHECK(outcome.moves == optimum);
            CHECK(outcome.closed >= states.first);
            CHECK(outcome.closed < states.second);
            CHECK(outcome.taken_out > outcome.closed);
        }
    }
}

// Counted by a solver in Java with java.util.PriorityQueue, of OpenJDK 17.
TEST_CASE("Without a tie-break a textbook's solver counts as one in Java does", "[textbook]") {
    struct Row {
        std::vector<std::int32_t> tiles;
        bool has_closed_list;
        std::uint64_t taken_out, put_in;
    };
    const std::vector<std::int32_t> short_one{8, 1, 3, 4, 0, 2, 7, 6, 5}, long_one{8, 6, 7, 2, 5, 4, 3, 0, 1};
    for (const auto& [tiles, has_closed_list, taken_out, put_in] :
         {Row{short_one, false, 66, 114}, Row{short_one, true, 78, 131}, Row{long_one, false, 16253, 26790},
          Row{long_one, true, 8308, 12713}}) {
        const auto outcome =
            playground::search_textbook({.board = Board(tiles), .has_closed_list = has_closed_list});
        CHECK(outcome.taken_out == taken_out);
        CHECK(outcome.put_in == put_in);
    }
}

TEST_CASE("A textbook's solver that overestimates finds longer solutions, within its factor", "[textbook]") {
    int by_blank = 0, by_weight = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        TextbookRequest request{.board = npuzzle::random_solvable(3, seed), .has_closed_list = true};
        const int optimum = shortest(request.board);
        request.is_blank_counted = true;
        const int moves = playground::search_textbook(request).moves;
        CHECK(moves >= optimum);
        by_blank += moves > optimum ? 1 : 0;
        request.is_blank_counted = false;
        request.weight = 2;
        const int weighted = playground::search_textbook(request).moves;
        CHECK(weighted >= optimum);
        CHECK(weighted <= 2 * optimum);
        by_weight += weighted > optimum ? 1 : 0;
    }
    CHECK(by_blank > 0);
    CHECK(by_weight > 40);
}

TEST_CASE("A textbook's solver stops at its limit, and writes down its first steps", "[textbook]") {
    const TextbookRequest request{.board = npuzzle::random_solvable(4, 4), .max_put_in = 1000, .steps = 3};
    const auto outcome = playground::search_textbook(request);
    CHECK(outcome.moves == -1);
    CHECK(outcome.put_in >= 1000);
    CHECK(outcome.put_in <= 1002);
    REQUIRE(outcome.steps.size() == 3);
    CHECK(outcome.steps[0].size == 1);
    CHECK(outcome.steps[0].entries[0].tiles ==
          std::vector<int>(request.board.tiles().begin(), request.board.tiles().end()));
    std::size_t neighbors = request.board.neighbors().size();
    CHECK(outcome.steps[1].size == neighbors);
    for (const auto& step : outcome.steps) {
        for (std::size_t i = 0; i < step.entries.size(); ++i) {
            const auto& entry = step.entries[i];
            CHECK(entry.priority == entry.moves + entry.estimate);
            CHECK(entry.estimate ==
                  manhattan(Board(std::vector<std::int32_t>(entry.tiles.begin(), entry.tiles.end()))));
            if (i > 0) CHECK(step.entries[i - 1].priority <= entry.priority);
        }
    }
    CHECK_THROWS_AS(playground::search_textbook({.board = request.board.twin()}), std::invalid_argument);
}
