#include <npuzzle/search/astar.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/searches.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

// An optional capability makes a search faster, and changes nothing else.

namespace {

using npuzzle::astar;
using npuzzle::Status;
using npuzzle::Zero;
using test::Ring;
using test::WithIndex;
using test::WithMoves;
using test::WithWords;

template <class A, class B>
void check_same(const A& a, const B& b) {
    CHECK(a.status == b.status);
    CHECK(a.cost == b.cost);
    CHECK(a.path == b.path);
    CHECK(a.statistics.expanded == b.statistics.expanded);
    CHECK(a.statistics.generated == b.statistics.generated);
    CHECK(a.statistics.duplicates == b.statistics.duplicates);
    CHECK(a.statistics.reopened == b.statistics.reopened);
    CHECK(a.statistics.stored == b.statistics.stored);
    CHECK(a.statistics.peak_open == b.statistics.peak_open);
}

/// The moves lead along the path.
template <class P, class Result>
void check_moves(const P& problem, const Result& result) {
    const auto& path = result ? result.path : result.partial_path;
    REQUIRE(result.moves.size() + 1 == path.size());
    auto state = path.front();
    for (std::size_t i = 0; i < result.moves.size(); ++i) {
        problem.apply(state, result.moves[i]);
        CHECK(state == path[i + 1]);
    }
}

/// Steps of 1 on a board with walls, written at its foot.
struct Maze {
    using State = std::array<std::int8_t, 2>;
    static constexpr int size = 24;
    std::vector<bool> walls;

    explicit Maze(std::uint64_t seed) {
        test::Random random(seed);
        for (int i = 0; i < size * size; ++i) {
            walls.push_back(random.one_in(4));
        }
        walls.front() = walls.back() = false;
    }
    bool is_free(const State& s) const {
        return 0 <= s[0] && s[0] < size && 0 <= s[1] && s[1] < size &&
               !walls[static_cast<std::size_t>(s[1] * size + s[0])];
    }
    static State beside(State s, int direction) {
        constexpr std::array<std::array<int, 2>, 4> steps{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
        const auto& step = steps[static_cast<std::size_t>(direction)];
        return {static_cast<std::int8_t>(s[0] + step[0]), static_cast<std::int8_t>(s[1] + step[1])};
    }
    std::vector<State> neighbors(const State& s) const {
        std::vector<State> result;
        for (int direction = 0; direction < 4; ++direction) {
            if (is_free(beside(s, direction))) {
                result.push_back(beside(s, direction));
            }
        }
        return result;
    }
    bool is_goal(const State& s) const { return s == State{size - 1, size - 1}; }
};

enum class Step : std::uint8_t { up, left, right, down, none };

struct WalkedMaze : Maze {
    using Maze::Maze;
    using Move = Step;
    static constexpr Move no_move = Step::none;

    template <class F>
    void for_each_move(const State& s, Move last, F f) const {
        for (int direction = 0; direction < 4; ++direction) {
            const auto move = static_cast<Move>(direction);
            if ((last == no_move || move != inverse(last)) && is_free(beside(s, direction))) {
                f(move);
            }
        }
    }
    void apply(State& s, Move move) const { s = beside(s, static_cast<int>(move)); }
    Move inverse(Move move) const { return static_cast<Move>(3 - static_cast<int>(move)); }
};

struct PackedMaze : WalkedMaze {
    using WalkedMaze::WalkedMaze;
    std::uint16_t pack(const State& s) const { return static_cast<std::uint16_t>(s[0] << 8 | s[1]); }
    State unpack(std::uint16_t word) const {
        return {static_cast<std::int8_t>(word >> 8), static_cast<std::int8_t>(word & 0xff)};
    }
};

} // namespace

TEST_CASE("with moves, words or both, a weighted search is the same", "[capabilities]") {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        INFO("seed " << seed);
        const Ring foot(seed, 150, 75);
        const WithMoves<Ring> moves(seed, 150, 75);
        const WithWords<Ring> words(seed, 150, 75);
        const WithIndex<Ring> index(seed, 150, 75);
        const WithIndex<WithWords<WithMoves<Ring>>> all(seed, 150, 75);
        test::Table<int> estimates{oracle::costs_to_goal<int>(foot, 0)};
        for (auto& [vertex, value] : estimates.values) {
            value = vertex % 3 == 0 ? value : value / 2;
        }

        const auto expected = astar(foot, 0, estimates);
        CHECK((expected ? expected.cost : 0) == oracle::least_cost<int>(foot, 0).value_or(0));
        test::check_path(foot, 0, expected);
        check_same(expected, astar(words, 0, estimates));
        check_same(expected, astar(index, 0, estimates));
        const auto by_moves = astar(moves, 0, estimates);
        check_same(expected, by_moves);
        check_moves(moves, by_moves);
        const auto by_all = astar(all, 0, estimates);
        check_same(expected, by_all);
        check_moves(all, by_all);
        const test::Compact<WithWords<WithMoves<Ring>>> compact(seed, 150, 75);
        const auto by_compact = astar(compact, 0, estimates);
        check_same(expected, by_compact);
        check_moves(compact, by_compact);
        // Nodes of equal keys, f and g are taken in any order.
        const test::CompactWithEqualKeys<WithMoves<Ring>> equal_keys(seed, 150, 75);
        test::with_each_policy(equal_keys, 0, estimates, [&](const char* name, const auto& result) {
            INFO(name);
            CHECK(result.status == expected.status);
            CHECK((!expected || result.cost == expected.cost));
            test::check_path(equal_keys, 0, result);
        });
        solved += expected ? 1 : 0;
    }
    CHECK(solved > 20);
}

TEST_CASE("with moves or words, a search of unit cost is the same", "[capabilities]") {
    int solved = 0;
    const auto manhattan = [](const Maze::State& s) { return Maze::size - 1 - s[0] + Maze::size - 1 - s[1]; };
    const Maze::State start{0, 0};
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        INFO("seed " << seed);
        const Maze foot(seed);
        const WalkedMaze walked(seed);
        const PackedMaze packed(seed);
        const auto least = oracle::least_cost<int>(foot, start);
        const auto expected = astar(foot, start, manhattan);
        CHECK(expected.status == (least ? Status::solved : Status::unsolvable));
        CHECK((expected ? expected.cost : 0) == least.value_or(0));
        test::check_path(foot, start, expected);
        const auto by_moves = astar(walked, start, manhattan);
        check_same(expected, by_moves);
        check_moves(walked, by_moves);
        const auto by_words = astar(packed, start, manhattan);
        check_same(expected, by_words);
        check_moves(packed, by_words);
        solved += expected ? 1 : 0;
    }
    CHECK(solved > 10);
    CHECK(solved < 30);
}

TEST_CASE("under ParentOnly, too, a search with moves is the same", "[capabilities]") {
    // A small ring, since there are many paths; the move that takes back the last is left out as the parent
    // would be.
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        INFO("seed " << seed);
        const Ring foot(seed, 61, 8);
        const WithMoves<Ring> moves(seed, 61, 8);
        const auto expected = astar<npuzzle::ParentOnly>(foot, 0, Zero{}, {.expansions = 2000});
        const auto by_moves = astar<npuzzle::ParentOnly>(moves, 0, Zero{}, {.expansions = 2000});
        check_same(expected, by_moves);
        if (expected) {
            check_moves(moves, by_moves);
            CHECK(expected.cost == oracle::least_cost<int>(foot, 0));
        }
    }
}
