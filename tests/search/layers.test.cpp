#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/layers.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/puzzle_space.hpp"
#include "support/searches.hpp"
#include "support/unit_graphs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using npuzzle::breadth_first_layers;
using npuzzle::frontier_depth;
using npuzzle::frontier_search;
using npuzzle::FrontierProblem;
using npuzzle::LayerCounts;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using test::Undirected;
using test::UndirectedWords;
using Counts = std::vector<std::uint64_t>;

/// The boards of the 15-puzzle at each depth from a goal with the blank in a corner (The On-Line Encyclopedia
/// of Integer Sequences, A089484; R. E. Korf, P. Schultze, "Large-scale parallel breadth-first search", AAAI
/// 2005).
const Counts counts_of_the_15_puzzle = {1,   2,    4,    10,   24,    54,    107,   212,    446,
                                        946, 1948, 3938, 7808, 15544, 30821, 60842, 119000, 231844};

template <class P>
Counts counts_by_oracle(const P& problem, const typename P::State& start) {
    Counts counts;
    for (const auto& [state, depth] : oracle::breadth_first(problem, start)) {
        counts.resize(std::max(counts.size(), static_cast<std::size_t>(depth) + 1));
        ++counts[static_cast<std::size_t>(depth)];
    }
    return counts;
}

/// A ring of vertices in words with room for marks, with two moves onward, two backward, and one that stays.
/// They take each other back in pairs, or not.
template <bool are_paired>
struct MarkedRing {
    using State = int;
    using Move = unsigned;
    static constexpr unsigned move_count = 5;
    static constexpr Move no_move = move_count;
    static constexpr unsigned word_bits = 16;
    static constexpr bool is_undirected = true;
    int vertices;

    int after(int vertex, Move move) const {
        const int steps[] = {1, 1, -1, -1, 0};
        return (vertex + steps[move] + vertices) % vertices;
    }
    std::vector<int> neighbors(int vertex) const {
        return {after(vertex, 0), after(vertex, 1), after(vertex, 2), after(vertex, 3), vertex};
    }
    template <class F>
    void for_each_move(int, Move last, F f) const {
        for (Move move = 0; move < move_count; ++move) {
            if (last == no_move || move != inverse(last)) {
                f(move);
            }
        }
    }
    void apply(int& vertex, Move move) const { vertex = after(vertex, move); }
    static Move inverse(Move move) {
        const Move paired[] = {2, 3, 0, 1, 4};
        const Move unpaired[] = {2, 2, 0, 0, 4};
        return are_paired ? paired[move] : unpaired[move];
    }
    bool is_goal(int vertex) const { return vertex == goal(); }
    int goal() const { return vertices / 2; }
    std::uint32_t pack(int vertex) const { return static_cast<std::uint32_t>(vertex); }
    int unpack(std::uint32_t word) const { return static_cast<int>(word); }
};

static_assert(FrontierProblem<SlidingPuzzle<4>>);
static_assert(FrontierProblem<SlidingPuzzle<>>);
static_assert(!FrontierProblem<test::Pancakes>);
static_assert(!FrontierProblem<test::Graph<int>>);

} // namespace

TEST_CASE("the whole 8-puzzle, by bits", "[layers]") {
    const SlidingPuzzle<3> puzzle;
    std::vector<std::pair<int, std::uint64_t>> told;
    const LayerCounts layers = breadth_first_layers(
        puzzle, puzzle.goal(), {}, [&](int depth, std::uint64_t count) { told.emplace_back(depth, count); });
    CHECK(layers);
    CHECK(layers.counts ==
          Counts(oracle::counts_of_the_8_puzzle.begin(), oracle::counts_of_the_8_puzzle.end()));
    REQUIRE(told.size() == layers.counts.size());
    for (std::size_t depth = 0; depth < told.size(); ++depth) {
        CHECK(told[depth] == std::pair(static_cast<int>(depth), layers.counts[depth]));
    }
    CHECK(layers.statistics.stored == 181'440);
    CHECK(layers.statistics.expanded == 181'440);
    // Each board has as many neighbors as the blank has: 24 over nine cells, in all arrangements alike.
    CHECK(layers.statistics.generated == 181'440 / 9 * 24);
    CHECK(layers.statistics.duplicates == layers.statistics.generated - 181'439);
    // A bit for each of the 362,880 arrangements, and words for two layers, with room to grow.
    CHECK(layers.statistics.bytes < 362'880 / 8 + 16 * 65'536);
}

TEST_CASE("the 15-puzzle to depth 17, in words of the last layers", "[layers]") {
    const SlidingPuzzle<4> puzzle;
    const LayerCounts layers = breadth_first_layers(puzzle, puzzle.goal(), {.max_cost = 17});
    CHECK(layers.status == Status::cost_limit);
    CHECK(layers.counts == counts_of_the_15_puzzle);
    CHECK(layers.statistics.stored < 231'844 + 119'000 + 1);
    // Two layers of words, at least half full, and one sixteenth of the largest while it grows.
    CHECK(layers.statistics.bytes < (231'844 + 119'000) * 25);
}

TEST_CASE("random graphs, directed or not, weighted or not, as words or as states", "[layers]") {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const int vertices = 2 + static_cast<int>(seed % 60);
        const auto directed = test::random_graph<int>(seed, vertices, 2 * vertices, 1);
        CHECK(breadth_first_layers(directed, 0).counts == counts_by_oracle(directed, 0));
        const UndirectedWords words(seed, vertices, vertices + vertices / 4);
        CHECK(breadth_first_layers(words, 0).counts == counts_by_oracle(words, 0));
        const Undirected undirected(seed, vertices, vertices + vertices / 4);
        CHECK(breadth_first_layers(undirected, 0).counts == counts_by_oracle(undirected, 0));
    }
    const test::WithWords<test::WithMoves<test::Ring>> ring(3, 700, 350);
    CHECK(breadth_first_layers(ring, 0).counts == counts_by_oracle(ring, 0));
    const test::Pancakes pancakes; // states that allocate
    CHECK(breadth_first_layers(pancakes, test::Pancakes::sorted(6)).counts ==
          Counts{1, 5, 20, 79, 199, 281, 133, 2}); // OEIS A092113
}

TEST_CASE("moves back to the layer before are left out, if each is the inverse of one", "[layers]") {
    for (const int vertices :
         {1, 2, 3, 4, 5, 6, 7, 50, 51}) { // with an odd number, two of the last layer are neighbors
        const MarkedRing<true> paired{vertices};
        const MarkedRing<false> unpaired{vertices};
        for (const int start : {0, vertices - 1}) {
            const Counts expected = counts_by_oracle(paired, start);
            const auto fewer = breadth_first_layers(paired, start);
            const auto all = breadth_first_layers(unpaired, start);
            CHECK(fewer.counts == expected);
            CHECK(all.counts == expected);
            if (vertices > 5) {
                CHECK(fewer.statistics.generated < all.statistics.generated);
            }
        }
    }
}

TEST_CASE("limits end the count, and what is complete is told", "[layers]") {
    const SlidingPuzzle<3> puzzle;
    const auto start = puzzle.goal();
    const Counts whole = breadth_first_layers(puzzle, start).counts;
    for (const std::size_t depth : {0U, 5U, 14U, 30U}) {
        const auto below = std::accumulate(
            whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(depth) + 1, std::uint64_t{0});
        const Counts complete(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
        // So many expansions complete the next layer.
        const auto exact = breadth_first_layers(puzzle, start, {.expansions = below});
        CHECK(exact.statistics.expanded == below);
        CHECK(exact.status == Status::expansion_limit);
        CHECK(exact.counts.size() == depth + 2);
        const auto fewer = breadth_first_layers(puzzle, start, {.expansions = below - 1});
        CHECK(fewer.statistics.expanded == below - 1);
        CHECK(fewer.counts == complete);
        const auto shallow = breadth_first_layers(puzzle, start, {.max_cost = static_cast<int>(depth)});
        CHECK(shallow.counts == complete);
        CHECK(shallow.status == Status::cost_limit);
    }
    CHECK(breadth_first_layers(puzzle, start, {.expansions = 181'440}));
    CHECK(breadth_first_layers(puzzle, start, {.max_cost = 32}).status == Status::solved);

    npuzzle::StopSource source;
    source.request_stop();
    CHECK(breadth_first_layers(puzzle, start, {.stop = source.get_token()}).status == Status::cancelled);
    CHECK(breadth_first_layers(puzzle, start, {.time = std::chrono::nanoseconds(0)}).status ==
          Status::time_limit);

    const auto stopped =
        breadth_first_layers(puzzle, start, {}, [](int depth, std::uint64_t) { return depth < 5; });
    CHECK(stopped.status == Status::cancelled);
    CHECK(stopped.counts == Counts{1, 2, 4, 8, 16, 20});
    CHECK_THROWS_AS(breadth_first_layers(puzzle, start, {},
                                         [](int depth, std::uint64_t) {
                                             if (depth == 3) {
                                                 throw std::runtime_error("enough");
                                             }
                                         }),
                    std::runtime_error);
}

namespace {

/// Numbers of some bits in a mixed order, each beside those that differ in one bit.
template <unsigned dimensions>
struct Hypercube {
    using State = std::uint32_t;

    std::vector<State> neighbors(State state) const {
        std::vector<State> result;
        for (unsigned bit = 0; bit < dimensions; ++bit) {
            result.push_back(state ^ State{1} << bit);
        }
        return result;
    }
    bool is_goal(State) const { return false; }
    std::size_t size() const { return std::size_t{1} << dimensions; }
    std::size_t index(State state) const { return state * 5U % size(); }
    State state_at(std::size_t number) const { return static_cast<State>(number * inverse_of_5 % size()); }

    static constexpr std::uint64_t inverse_of_5 = 0xcccccccd; // modulo 2^32
};

} // namespace

TEST_CASE("a numbered space takes two bits for each number, and small lists", "[layers]") {
    const Hypercube<18> cube; // layers from 1 to 48,620 states
    const auto layers = breadth_first_layers(cube, 0U);
    CHECK(layers.status == Status::solved);
    std::uint64_t binomial = 1;
    Counts binomials;
    for (unsigned depth = 0; depth <= 18; ++depth) {
        binomials.push_back(binomial);
        binomial = binomial * (18 - depth) / (depth + 1);
    }
    CHECK(layers.counts == binomials);
    CHECK(layers.statistics.stored == cube.size());
    CHECK(layers.statistics.bytes >= cube.size() / 4);
    CHECK(layers.statistics.bytes < cube.size() / 4 * 7 / 4);
    CHECK(breadth_first_layers(cube, 0U, {.bytes = cube.size() / 4}).status == Status::memory_limit);
}

TEST_CASE("layers as in the documentation", "[layers]") {
    const npuzzle::SlidingPuzzle<4> puzzle;
    std::uint64_t boards = 0;
    const auto layers =
        npuzzle::breadth_first_layers(puzzle, puzzle.goal(), {.max_cost = 12},
                                      [&](int /*depth*/, std::uint64_t count) { boards += count; });
    CHECK(layers.status == npuzzle::Status::cost_limit); // there are deeper ones
    CHECK(layers.counts.back() == 7808);
    CHECK(boards == 15'500);
}

TEST_CASE("the hardest boards of the 8-puzzle, and others of each depth", "[frontier]") {
    const SlidingPuzzle<3> puzzle;
    const auto boards = oracle::space_of_size_3(oracle::blank_last_of_size_3).first_of_each_depth();
    for (int depth = 1; depth < 32; depth += 3) {
        const PackedBoard<3> board(boards[static_cast<std::size_t>(depth)]);
        const auto result = frontier_search(puzzle, board);
        REQUIRE(result.status == Status::solved);
        CHECK(result.cost == depth);
        test::check_path(puzzle, board, result);
        REQUIRE(result.moves.size() == static_cast<std::size_t>(depth));
        PackedBoard<3> walked = board;
        for (const npuzzle::Move move : result.moves) puzzle.apply(walked, move);
        CHECK(walked == puzzle.goal());
        const auto without_path = frontier_depth(puzzle, board);
        CHECK(without_path.cost == depth);
        CHECK(without_path.path.empty());
        CHECK(without_path.statistics.expanded <= result.statistics.expanded);
    }
}

TEST_CASE("an unsolvable board: half of the space is searched, and less is held", "[frontier]") {
    const SlidingPuzzle<3> puzzle;
    const auto result = frontier_search(puzzle, puzzle.goal().twin());
    CHECK(result.status == Status::unsolvable);
    CHECK(result.statistics.expanded == 181'440);
    // The greatest layers are those of depths 22 to 24.
    CHECK(result.statistics.peak_open == 24'047 + 20'224);
    CHECK(result.statistics.bytes < (24'047 + 20'224 + 23'952) * 18);
}

TEST_CASE("random graphs with self-loops, parallel edges and parts that cannot be reached", "[frontier]") {
    int solved = 0;
    int unsolvable = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const int vertices = 1 + static_cast<int>(seed % 80);
        const Undirected graph(seed, vertices, vertices + static_cast<int>(seed % 7) * vertices / 10);
        const auto depths = oracle::breadth_first(graph, 0);
        const auto goal = depths.find(graph.goal());
        const auto check = [&](const auto& result) {
            if (goal == depths.end()) {
                ++unsolvable;
                CHECK(result.status == Status::unsolvable);
            } else {
                ++solved;
                CHECK(result.status == Status::solved);
                CHECK(result.cost == goal->second);
            }
            test::check_path(graph, 0, result);
        };
        check(frontier_search(graph, 0));
        check(frontier_search(
            UndirectedWords(seed, vertices, vertices + static_cast<int>(seed % 7) * vertices / 10), 0));
    }
    CHECK(solved > 400);
    CHECK(unsolvable > 100);
}

TEST_CASE("a start that is the goal, and bounds on the depth", "[frontier]") {
    const SlidingPuzzle<3> puzzle;
    const auto at_goal = frontier_search(puzzle, puzzle.goal(), {.expansions = 0});
    CHECK(at_goal.status == Status::solved);
    CHECK(at_goal.cost == 0);
    CHECK(at_goal.path == std::vector{puzzle.goal()});
    const PackedBoard<3> board({8, 1, 3, 4, 0, 2, 7, 6, 5}); // 14 moves
    for (int most = -1; most <= 16; ++most) {
        const auto result = frontier_search(puzzle, board, {.max_cost = most});
        CHECK(result.status == (most < 14 ? Status::cost_limit : Status::solved));
        CHECK(result.cost == (most < 14 ? 0 : 14));
    }
    CHECK(frontier_search(puzzle, puzzle.goal(), {.max_cost = 0}).status == Status::solved);
    CHECK(frontier_search(puzzle, puzzle.goal().twin(), {.max_cost = 40}).status == Status::unsolvable);
}

TEST_CASE("the limit of expansions is exact, for goal and path together", "[frontier]") {
    const UndirectedWords graph(11, 60, 90);
    const auto whole = frontier_search(graph, 0);
    REQUIRE(whole.status == Status::solved);
    REQUIRE(whole.cost > 2);
    const std::uint64_t need = whole.statistics.expanded;
    for (std::uint64_t limit = 0; limit <= need + 2; ++limit) {
        const auto result = frontier_search(graph, 0, {.expansions = limit});
        CHECK(result.status == (limit < need ? Status::expansion_limit : Status::solved));
        CHECK(result.statistics.expanded == std::min(limit, need));
        CHECK(result.path.size() == (limit < need ? 0 : whole.path.size()));
        CHECK(result.cost == (limit < need ? 0 : whole.cost));
    }
}

TEST_CASE("watched, node by node: the same as by batches", "[frontier]") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const UndirectedWords graph(seed, 70, 90);
        const auto result = frontier_search(graph, 0);
        const auto depth = frontier_depth(graph, 0);
        test::LayerCounter counter;
        const auto watched = frontier_search(graph, 0, {}, counter);
        CHECK(watched.status == result.status);
        CHECK(watched.path == result.path);
        CHECK(watched.statistics.expanded == result.statistics.expanded);
        CHECK(counter.starts == 1);
        CHECK(counter.expansions == depth.statistics.expanded);
        CHECK(counter.neighbors == depth.statistics.generated);
        CHECK(counter.duplicates == depth.statistics.duplicates);
        CHECK(counter.goals == (result ? 1 : 0));
    }
}

TEST_CASE("frontier search as in the documentation", "[frontier]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> hardest({8, 6, 7, 2, 5, 4, 3, 0, 1});
    const auto result = npuzzle::frontier_search(puzzle, hardest);
    CHECK(result.cost == 31);
    CHECK(result.path.size() == 32);
    CHECK(npuzzle::frontier_depth(puzzle, hardest).cost == 31); // without the path
}
