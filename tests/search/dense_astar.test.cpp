#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/ranked_puzzle.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/dense_astar.hpp>

#include "support/catch.hpp"
#include "support/failing_new.hpp"
#include "support/korf.hpp"
#include "support/oracles.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"

#include <cstdint>
#include <functional>
#include <new>
#include <vector>

namespace {

using npuzzle::dense_astar;
using npuzzle::DenseAStar;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::RankedPuzzle;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::Zero;
using test::Ring;
using Options = npuzzle::DenseAStarOptions;
/// States of any kind, and the same as short words.
using Plain = test::WithMoves<Ring>;
using Short = test::Compact<test::WithMoves<test::WithWords<Ring>>>;

/// The same, with short paths alone.
struct Few : Short {
    using Short::Short;
    static constexpr int longest_path = 15;
};

/// Manhattan distance, or less: admissible, and not consistent.
struct WithHoles {
    Manhattan manhattan;
    auto bind(const SlidingPuzzle<4>& puzzle) const {
        return [bound = manhattan.bind(puzzle)](const PackedBoard<4>& board) {
            return board.word() % 7 < 3 ? 0 : bound(board);
        };
    }
};

struct Enough {};

/// Throws at an expansion, and counts what it is told.
struct Told : npuzzle::SilentObserver {
    int throws_after = -1;
    std::uint64_t starts = 0;
    std::uint64_t expanded = 0;
    std::uint64_t goals = 0;

    void start(const auto&) { ++starts; }
    void expand(const auto&) {
        if (throws_after-- == 0) {
            throw Enough{};
        }
        ++expanded;
    }
    void goal(const auto&) { ++goals; }
};

/// No estimate at all. Acts at one of its calls.
struct Acting {
    std::uint64_t* calls;
    std::uint64_t at = 0;
    std::function<void()> act = {};

    int operator()(int) const {
        if (++*calls == at) {
            act();
        }
        return 0;
    }
};

/// The number of a call that is made when a search becomes dense.
std::uint64_t call_on_the_way(const Plain& plain, const Short& words, std::uint64_t nodes) {
    std::uint64_t calls = 0;
    std::uint64_t before = 0;
    DenseAStar engine(plain, words, 0, Acting{&calls}, {.first_nodes = nodes});
    while (!engine.is_dense()) {
        before = calls;
        REQUIRE(engine.step());
    }
    REQUIRE(calls > before + 40); // more than it takes to expand a node
    return calls - 10;
}

PackedBoard<4> board_at_random(test::Random& random, int moves) {
    const SlidingPuzzle<4> puzzle;
    PackedBoard<4> board = puzzle.goal();
    for (int i = 0; i < moves; ++i) {
        std::vector<npuzzle::Move> possible;
        puzzle.for_each_move(board, SlidingPuzzle<4>::no_move,
                             [&](npuzzle::Move move) { possible.push_back(move); });
        puzzle.apply(board, possible[random.below(possible.size())]);
    }
    return board;
}

} // namespace

TEST_CASE("graphs with costs, dense from the first node or later, or never", "[dense_astar]") {
    int dense = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const int size = 40 + static_cast<int>(seed) * 60;
        const Plain plain(seed, size, size / 3);
        const Short words(seed, size, size / 3);
        const auto expected = oracle::least_cost<int>(plain, 0);
        for (const std::uint64_t nodes : {1U, 10U, 50U, 1'000'000U}) {
            const auto check = [&](const auto& first, bool by_steps) {
                DenseAStar engine(first, words, 0, Zero{}, {.first_nodes = nodes});
                while (by_steps && engine.step()) {
                }
                engine.run();
                const auto result = engine.result();
                CHECK(result.status == (expected ? Status::solved : Status::unsolvable));
                test::check_path(plain, 0, result);
                test::check_statistics(result.status, result.statistics);
                CHECK((!expected || result.cost == *expected));
                CHECK(engine.is_dense() == (result.statistics.stored > nodes));
                dense += engine.is_dense() ? 1 : 0;
            };
            check(plain, true);
            check(words, false);
        }
    }
    CHECK(dense > 40);
}

TEST_CASE("boards of the 15-puzzle, by estimates that are not consistent, too", "[dense_astar]") {
    const SlidingPuzzle<4> puzzle;
    const RankedPuzzle ranked;
    test::Random random(20);
    std::uint64_t reopened = 0;
    for (int round = 0; round < 8; ++round) {
        const PackedBoard<4> board = board_at_random(random, 60);
        const auto expected = npuzzle::astar(puzzle, board, Manhattan{});
        const auto check = [&](const auto& heuristic, std::uint64_t nodes) {
            const auto found = dense_astar(puzzle, ranked, board, heuristic, {.first_nodes = nodes});
            CHECK(found.cost == expected.cost);
            CHECK(found.moves.size() == static_cast<std::size_t>(found.cost));
            test::check_path(puzzle, board, found);
            test::check_statistics(found.status, found.statistics);
            return found.statistics.reopened;
        };
        CHECK(check(Manhattan{}, 30) == 0);
        reopened += check(WithHoles{}, 200);
    }
    CHECK(reopened > 0);
}

TEST_CASE("a board of Korf's, dense after some batches", "[dense_astar]") {
    const SlidingPuzzle<4> puzzle;
    const RankedPuzzle ranked;
    const PackedBoard<4> board(test::korf_boards[0].turned);
    const auto whole = npuzzle::astar(puzzle, board, Manhattan{});
    REQUIRE(whole.cost == 42);
    const auto found = dense_astar(puzzle, ranked, board, Manhattan{}, {.first_nodes = 100'000});
    CHECK(found.cost == 42);
    test::check_path(puzzle, board, found);
    // The order of nodes of equal f and g is another.
    const auto expands_as_many = [&](const auto& statistics) {
        const std::uint64_t expected = whole.statistics.expanded;
        return statistics.expanded > expected * 9 / 10 && statistics.expanded < expected * 11 / 10;
    };
    CHECK(expands_as_many(found.statistics));
    CHECK(found.statistics.bytes > (std::uint64_t{8} << 20));
    // There is no memory for both tables.
    DenseAStar small(puzzle, ranked, board, Manhattan{}, {.first_nodes = 100'000},
                     {.bytes = std::uint64_t{8} << 20});
    small.run();
    CHECK_FALSE(small.is_dense());
    CHECK(small.result().cost == 42);
    CHECK(expands_as_many(small.statistics()));
    CHECK(small.statistics().bytes <= (std::uint64_t{8} << 20));
}

TEST_CASE("no open node is lost when a search becomes dense, or cannot for lack of memory", "[dense_astar]") {
    const Short endless(3, 10'000, -1);
    const auto whole = npuzzle::astar(endless, 0, Zero{});
    REQUIRE(whole.status == Status::unsolvable);
    for (const bool is_limited : {false, true}) {
        for (const std::uint64_t nodes : {2U, 500U, 9'000U}) {
            DenseAStar engine(endless, endless, 0, Zero{},
                              {.first_bytes = npuzzle::Limits::unlimited, .first_nodes = nodes},
                              {.bytes = is_limited ? whole.statistics.bytes : npuzzle::Limits::unlimited});
            engine.run();
            CHECK(engine.status() == Status::unsolvable);
            CHECK(engine.is_dense() == (!is_limited || nodes < 9'000));
            const auto statistics = engine.statistics();
            CHECK(statistics.stored == whole.statistics.stored);
            CHECK(statistics.expanded == statistics.stored + statistics.reopened);
            CHECK(statistics.peak_open <= statistics.stored);
        }
    }
}

TEST_CASE("a path that dense nodes cannot store is not followed", "[dense_astar]") {
    const Plain plain(3, 2'000, -1);
    const Few few(3, 2'000, -1);
    for (const std::uint64_t nodes : {10U, 1'500U}) {
        DenseAStar engine(plain, few, 0, Zero{}, {.first_nodes = nodes});
        engine.run();
        CHECK(engine.is_dense());
        CHECK(engine.status() == Status::cost_overflow);
        for (const int bound : {15, 100}) {
            const auto result =
                dense_astar(plain, few, 0, Zero{}, {.first_nodes = nodes}, {.max_cost = bound});
            CHECK(result.status == (bound == 15 ? Status::cost_limit : Status::cost_overflow));
        }
    }
}

TEST_CASE("limits hold for both parts of a dense search", "[dense_astar]") {
    const Short words(3, 20'000, 9'000);
    const auto whole = npuzzle::astar(words, 0, Zero{});
    REQUIRE(whole.status == Status::solved);
    const auto search = [&](npuzzle::Limits limits, Options options = {.first_nodes = 1'000}) {
        const auto result = dense_astar(words, words, 0, Zero{}, options, limits);
        test::check_path(words, 0, result);
        return result;
    };
    for (const std::uint64_t expansions : {100U, 2'000U}) {
        const auto limited = search({.expansions = expansions});
        CHECK(limited.status == Status::expansion_limit);
        CHECK(limited.statistics.expanded == expansions);
        CHECK_FALSE(limited.partial_path.empty());
    }
    const std::uint64_t bytes = whole.statistics.bytes / 3;
    const auto least = search({.bytes = bytes});
    CHECK(least.status == Status::memory_limit);
    CHECK(least.statistics.bytes <= bytes);
    CHECK_FALSE(least.partial_path.empty());
    npuzzle::StopSource source;
    source.request_stop();
    CHECK(search({.stop = source.get_token()}).status == Status::cancelled);

    const auto bounded = [&](int most) {
        return dense_astar(words, words, 0, Zero{}, {.first_nodes = 1'000}, {.max_cost = most});
    };
    CHECK(bounded(whole.cost).cost == whole.cost);
    CHECK(bounded(whole.cost - 1).status == Status::cost_limit);

    for (const Options options : {Options{}, Options{.first_bytes = 50'000}}) {
        // A quarter of the bytes, if nothing is said.
        const std::uint64_t most = options.first_bytes > 0 ? npuzzle::Limits::unlimited : 500'000;
        DenseAStar engine(words, words, 0, Zero{}, options, {.bytes = most});
        engine.step();
        CHECK_FALSE(engine.is_dense());
        engine.run();
        CHECK(engine.is_dense());
        CHECK(engine.status() == Status::solved);
        CHECK(engine.statistics().bytes <= most);
    }
}

TEST_CASE("a stop, an exception and a lack of memory on the way to dense nodes", "[dense_astar]") {
    const Plain plain(3, 20'000, 9'000);
    const Short words(3, 20'000, 9'000);
    const std::uint64_t nodes = 2'000;
    const std::uint64_t call = call_on_the_way(plain, words, nodes);
    const auto whole = npuzzle::astar(plain, 0, Zero{});
    std::uint64_t calls = 0;

    npuzzle::StopSource source;
    const auto stop = [&] { source.request_stop(); };
    DenseAStar stopped(plain, words, 0, Acting{&calls, call, stop}, {.first_nodes = nodes},
                       {.stop = source.get_token()});
    stopped.run();
    CHECK(stopped.status() == Status::cancelled);
    CHECK_FALSE(stopped.is_dense());
    const auto left = stopped.result();
    CHECK(left.status == Status::cancelled);
    CHECK_FALSE(left.partial_path.empty());
    test::check_path(plain, 0, left);

    calls = 0;
    const auto fail = [] { throw Enough{}; };
    DenseAStar failing(plain, words, 0, Acting{&calls, call, fail}, {.first_nodes = nodes});
    CHECK_THROWS_AS(failing.run(), Enough);
    CHECK(failing.result().status == Status::failed);
    CHECK(failing.result().statistics.expanded > 0);

    calls = 0;
    const auto refuse = [] { throw std::bad_alloc(); };
    DenseAStar going_on(plain, words, 0, Acting{&calls, call, refuse}, {.first_nodes = nodes});
    going_on.run();
    CHECK_FALSE(going_on.is_dense());
    CHECK(going_on.result().cost == whole.cost);
    CHECK(going_on.statistics().expanded == whole.statistics.expanded);
}

TEST_CASE("an allocation that fails loses no node of a search that becomes dense", "[dense_astar]") {
    const auto refuse_each = [](const auto& search) {
        const auto whole = search();
        int refused = 0;
        int unharmed = 0;
        for (std::uint64_t number = 1;; ++number) {
            test::memory.arm(number);
            const auto result = search();
            const bool has_failed = test::memory.failures > 0;
            test::memory.disarm();
            if (!has_failed) {
                break;
            }
            ++refused;
            if (result.status != Status::memory_limit) {
                ++unharmed;
                CHECK(result.status == whole.status);
                CHECK(result.cost == whole.cost);
                CHECK((whole || result.statistics.stored == whole.statistics.stored));
            }
        }
        CHECK(refused > 20);
        CHECK(unharmed > 5);
    };
    const Short endless(3, 3'000, -1);
    for (const std::uint64_t nodes : {200U, 2'500U}) {
        refuse_each([&] { return dense_astar(endless, endless, 0, Zero{}, {.first_nodes = nodes}); });
    }
    const SlidingPuzzle<4> puzzle;
    const RankedPuzzle ranked;
    test::Random random(7);
    const PackedBoard<4> board = board_at_random(random, 60);
    refuse_each([&] { return dense_astar(puzzle, ranked, board, Manhattan{}, {.first_nodes = 300}); });
}

TEST_CASE("the observer of a dense search sees one search", "[dense_astar]") {
    const Short words(3, 5'000, 2'000);
    Told told;
    const auto found = dense_astar(words, words, 0, Zero{}, {.first_nodes = 500}, {}, told);
    CHECK(found.status == Status::solved);
    CHECK(told.starts == 1);
    CHECK(told.expanded == found.statistics.expanded);
    CHECK(told.goals == 1);
    for (const int after : {10, 1'000}) {
        Told thrower;
        thrower.throws_after = after;
        DenseAStar engine(words, words, 0, Zero{}, {.first_nodes = 500}, {}, thrower);
        CHECK_THROWS_AS(engine.run(), Enough);
        CHECK(engine.status() == Status::failed);
        CHECK(engine.result().path.empty());
        CHECK_FALSE(engine.step());
    }
}
