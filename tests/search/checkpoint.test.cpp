#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/checkpoint.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using npuzzle::AStar;
using npuzzle::load_checkpoint;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::save_checkpoint;
using npuzzle::SilentObserver;
using npuzzle::SlidingPuzzle;
using npuzzle::Status;
using npuzzle::WeightedAStar;

const SlidingPuzzle<3> puzzle;
const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // one of the two that take 31 moves

/// Batches from the beginning, so that a limit may strike within one.
struct InBatches : npuzzle::DefaultPolicy {
    static constexpr std::size_t batch_width = 4;
};

/// Buckets, words as nodes, and batches.
struct Boards {
    using Search = AStar<SlidingPuzzle<3>, Manhattan, SilentObserver, InBatches>;
    static Search make(npuzzle::limits_t<SlidingPuzzle<3>> limits = {}) {
        return {puzzle, board, Manhattan{}, limits};
    }
};

/// The ladder, and nodes with states, which do not wait. Closed nodes stay closed.
struct WeightedBoards {
    struct Pooled : npuzzle::PooledPolicy {};
    using Search = WeightedAStar<SlidingPuzzle<3>, Manhattan, SilentObserver, double, Pooled>;
    static Search make(npuzzle::limits_t<SlidingPuzzle<3>> limits = {}, double weight = 1.25) {
        return {puzzle, board, Manhattan{}, {.weight = weight}, limits};
    }
};

struct OctileDistance {
    const test::OctileGrid* grid;
    double operator()(const test::OctileGrid::State& cell) const { return grid->octile_distance(cell); }
};

const test::OctileGrid grid(8, 150, 150);

/// The ladder, nodes with states and without moves, and batches. With an early goal test, neighbors wait.
struct Map {
    struct Early : InBatches {
        static constexpr bool early_goal_test = true;
    };
    using Search = AStar<test::OctileGrid, OctileDistance, SilentObserver, Early>;
    static Search make(npuzzle::limits_t<test::OctileGrid> limits = {}) {
        return {grid, {0, 0}, OctileDistance{&grid}, limits};
    }
};

template <class Search>
std::string saved(Search& search, const std::string& key = "key") {
    std::ostringstream out;
    save_checkpoint(search, out, key);
    return std::move(out).str();
}

template <class Search>
void load(Search& search, const std::string& checkpoint, const std::string& key = "key") {
    std::istringstream in(checkpoint);
    load_checkpoint(search, in, key);
}

/// What two searches have in common if one of them was interrupted.
template <class Result>
auto facts(const Result& result) {
    const npuzzle::Statistics& did = result.statistics;
    return std::pair(result.path, std::vector<double>{
                                      static_cast<double>(result.status), static_cast<double>(result.cost),
                                      static_cast<double>(did.expanded), static_cast<double>(did.generated),
                                      static_cast<double>(did.duplicates), static_cast<double>(did.reopened),
                                      static_cast<double>(did.stored), static_cast<double>(did.peak_open)});
}

template <class Test>
const auto& undisturbed() {
    static const auto result = [] {
        auto search = Test::make();
        search.run();
        return search.result();
    }();
    return result;
}

template <class Search>
auto finished(Search& search) {
    search.run();
    return facts(search.result());
}

/// The same, in a search that is loaded.
template <class Test>
auto finished_from(const std::string& checkpoint) {
    auto search = Test::make();
    load(search, checkpoint);
    return finished(search);
}

} // namespace

TEMPLATE_TEST_CASE("a search that was saved at any moment goes on as if it had not been", "[checkpoint]",
                   Boards, WeightedBoards, Map) {
    const auto& expected = undisturbed<TestType>();
    REQUIRE(expected.status == Status::solved);
    const std::uint64_t all = expected.statistics.expanded;
    REQUIRE(all > 500);
    std::vector<std::uint64_t> moments{0, 1, 2, 3, 5, 6, 10, 65, 1'000, all - 1, all};
    for (std::uint64_t at = 128; at < all; at += all / 6) {
        moments.push_back(at);
    }
    for (const std::uint64_t at : moments) {
        auto search = TestType::make({.expansions = at});
        search.run();
        if (search.status() == Status::solved) { // A goal that is next is accepted.
            CHECK(at == all);
            continue;
        }
        CHECK(search.status() == Status::expansion_limit);
        const std::string checkpoint = saved(search);
        CHECK(saved(search) == checkpoint);
        auto loaded = TestType::make();
        load(loaded, checkpoint);
        CHECK(loaded.status() == Status::running);
        CHECK(loaded.statistics().expanded == at);
        CHECK(loaded.statistics().seconds >= search.statistics().seconds);
        CHECK(finished(loaded) == facts(expected));
        // In the same process, too.
        CHECK(search.resume());
        CHECK(finished(search) == facts(expected));
    }
}

TEMPLATE_TEST_CASE("a search goes through many hands", "[checkpoint]", Boards, Map) {
    const auto& expected = undisturbed<TestType>();
    auto first = TestType::make();
    std::string checkpoint = saved(first);
    for (std::uint64_t at = 0;; at += 397) {
        auto search = TestType::make({.expansions = at});
        load(search, checkpoint);
        if (search.run() == Status::solved) {
            CHECK(facts(search.result()) == facts(expected));
            break;
        }
        CHECK(search.result().partial_path.size() > (at > 0 ? 1U : 0U));
        checkpoint = saved(search);
    }
}

TEMPLATE_TEST_CASE("a search for which there is no more memory goes on where there is", "[checkpoint]",
                   Boards, WeightedBoards, Map) {
    const auto& expected = undisturbed<TestType>();
    std::size_t ended = 0;
    std::size_t went_on = 0;
    for (std::uint64_t bytes = 1; bytes < 2 * expected.statistics.bytes; bytes += bytes / 4 + 256) {
        auto search = TestType::make({.bytes = bytes});
        if (search.run() == Status::solved) {
            CHECK(facts(search.result()) == facts(expected));
            continue;
        }
        REQUIRE(search.status() == Status::memory_limit);
        ++ended;
        const std::uint64_t expanded = search.statistics().expanded;
        std::string checkpoint;
        const std::string message = message_of<std::invalid_argument>([&] { checkpoint = saved(search); });
        if (message != "nothing thrown") {
            CHECK(message == "a search cannot be saved whose status is memory_limit");
            CHECK_FALSE(search.resume());
            continue;
        }
        ++went_on;
        CHECK(finished_from<TestType>(checkpoint) == facts(expected));
        // With too little memory once more.
        search.resume({.bytes = bytes});
        CHECK(search.run() == Status::memory_limit);
        CHECK(search.statistics().expanded >= expanded);
        CHECK(search.resume());
        CHECK(finished(search) == facts(expected));
        auto cramped = TestType::make({.bytes = bytes / 2});
        if (cramped.status() == Status::running) {
            load(cramped, checkpoint);
            CHECK(cramped.run() == Status::memory_limit);
        }
    }
    CHECK(ended > 5);
    CHECK((went_on > 2 ||
           std::is_same_v<TestType, WeightedBoards>)); // A small pooled search inserts while it expands.
}

TEST_CASE("a search can be saved after a stop, at its time limit and between steps", "[checkpoint]") {
    const auto& expected = undisturbed<Boards>();
    std::uint64_t asked = 0;
    auto stopped = Boards::make({.stop = [&asked] { return ++asked == 5; }});
    CHECK(stopped.run() == Status::cancelled);
    CHECK(finished_from<Boards>(saved(stopped)) == facts(expected));
    auto late = Boards::make({.time = std::chrono::nanoseconds{0}});
    CHECK(late.run() == Status::time_limit);
    CHECK(finished_from<Boards>(saved(late)) == facts(expected));

    auto undisturbed_steps = Boards::make();
    while (undisturbed_steps.step()) {
    }
    auto steps = Boards::make();
    std::string checkpoint = saved(steps);
    for (bool goes_on = true; goes_on;) {
        auto search = Boards::make();
        load(search, checkpoint);
        for (int i = 0; i < 500 && goes_on; ++i) {
            goes_on = search.step();
        }
        if (goes_on) {
            checkpoint = saved(search);
        } else {
            CHECK(facts(search.result()) == facts(undisturbed_steps.result()));
        }
    }
    // Steps after a run by batches.
    auto mixed = Boards::make({.expansions = 1'001});
    mixed.run();
    CHECK(mixed.resume());
    while (mixed.step()) {
    }
    CHECK(mixed.result().cost == 31);
}

TEST_CASE("what is over, has failed or has begun is neither saved nor loaded into", "[checkpoint]") {
    auto search = Boards::make({.expansions = 10});
    search.run();
    const std::string checkpoint = saved(search);
    CHECK(message_of<std::invalid_argument>([&] { load(search, checkpoint); }) ==
          "a checkpoint can be loaded only into a search that has not begun");
    search.resume();
    search.run();
    CHECK(message_of<std::invalid_argument>([&] { saved(search); }) ==
          "a search cannot be saved whose status is solved");
    CHECK_FALSE(search.resume());
    CHECK(search.status() == Status::solved);
    std::ostringstream full;
    full.setstate(std::ios::badbit);
    auto other = Boards::make();
    CHECK(message_of<std::runtime_error>([&] { save_checkpoint(other, full); }) ==
          "the checkpoint cannot be written beyond byte 0");
    CHECK(finished(other) == facts(undisturbed<Boards>()));
}

TEST_CASE("a checkpoint of another search is refused, and changes nothing", "[checkpoint]") {
    auto search = Boards::make({.expansions = 100});
    search.run();
    const std::string checkpoint = saved(search);
    const auto refusal = [&](auto&& other, const std::string& key = "key") {
        const std::string message = message_of<std::runtime_error>([&] { load(other, checkpoint, key); });
        CHECK(other.status() == Status::running);
        CHECK(other.statistics().expanded == 0);
        CHECK(other.run() == Status::solved);
        return message;
    };
    CHECK(refusal(Boards::make(), "lock") ==
          "the checkpoint is of another search: \"of key\" and not \"of lock\"");
    CHECK(refusal(Boards::make(), "key\nlock") ==
          "the checkpoint is of another search: \"of key\" and not \"of key lock\"");
    CHECK(refusal(WeightedBoards::make()).starts_with("the checkpoint is of another search: \"state 8, "));
    CHECK(refusal(Boards::make({.max_cost = 40}))
              .starts_with("the checkpoint is of a search with another bound on the cost, at byte "));
    CHECK(refusal(Boards::Search(puzzle, PackedBoard<3>({6, 4, 7, 8, 5, 0, 3, 2, 1}), Manhattan{}))
              .starts_with("the checkpoint is of a search with another start, at byte "));
    const SlidingPuzzle<3> other_goal(PackedBoard<3>({0, 1, 2, 3, 4, 5, 6, 7, 8}));
    const PackedBoard<3> near({1, 0, 2, 3, 4, 5, 6, 7, 8});
    std::ostringstream out;
    AStar to_near(puzzle, near.twin(), Manhattan{});
    save_checkpoint(to_near, out);
    std::istringstream in(out.str());
    AStar from_near(other_goal, near.twin(), Manhattan{});
    CHECK(message_of<std::runtime_error>([&] {
              load_checkpoint(from_near, in);
          }).starts_with("the checkpoint is of a search with another heuristic or another goal, at byte "));

    auto weighted = WeightedBoards::make({.expansions = 5});
    weighted.run();
    auto weightier = WeightedBoards::make({}, 1.5);
    CHECK(message_of<std::runtime_error>([&] {
              load(weightier, saved(weighted));
          }).starts_with("the checkpoint is of a search by another priority, at byte "));
    auto fresh = Boards::make();
    for (const std::string& text :
         {std::string(), std::string("3\n1 2 3 4 5 6 7 8 0\n"), std::string(100'000, 'x')}) {
        CHECK(message_of<std::runtime_error>([&] { load(fresh, text); }) ==
              "this is no checkpoint of this version and this kind of machine");
    }
}

TEST_CASE("no byte of a checkpoint can be changed or missing", "[checkpoint]") {
    for (const std::uint64_t at : {0U, 9U}) {
        auto search = Boards::make({.expansions = at});
        search.run();
        const std::string checkpoint = saved(search);
        REQUIRE(checkpoint.size() < 1'500);
        const auto is_refused = [](const std::string& text) {
            auto other = Boards::make();
            const std::string message = message_of<std::runtime_error>([&] { load(other, text); });
            if (!message.starts_with("the checkpoint ") && !message.starts_with("this is no checkpoint")) {
                return false;
            }
            // Either nothing has changed, or it is known not to go on.
            if (other.status() == Status::running) {
                return other.statistics().expanded == 0;
            }
            if (other.status() != Status::failed || other.step()) {
                return false;
            }
            other.restart(board);
            return other.status() == Status::running;
        };
        for (std::size_t i = 0; i < checkpoint.size(); ++i) {
            std::string changed = checkpoint;
            changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 8)));
            CHECK(is_refused(changed));
            CHECK(is_refused(checkpoint.substr(0, i)));
        }
    }
}

namespace {

/// The place of each block of a checkpoint, and of its end.
std::vector<std::size_t> blocks_of(const std::string& checkpoint) {
    std::size_t at = 0;
    for (int line = 0; line < 3; ++line) {
        at = checkpoint.find('\n', at) + 1;
    }
    std::vector<std::size_t> places{at};
    while (at < checkpoint.size()) {
        std::uint32_t size = 0;
        std::memcpy(&size, checkpoint.data() + at, sizeof(size));
        at += sizeof(size) + size + sizeof(std::uint64_t);
        places.push_back(at);
    }
    return places;
}

/// Gives the first block the checksum that it should have.
void forge(std::string& checkpoint, std::size_t begin, std::size_t end) {
    const std::uint64_t sum =
        npuzzle::detail::checksum(reinterpret_cast<const std::uint8_t*>(checkpoint.data()) + begin,
                                  end - begin - sizeof(std::uint64_t));
    std::memcpy(checkpoint.data() + end - sizeof(sum), &sum, sizeof(sum));
}

} // namespace

TEST_CASE("blocks are neither exchanged nor left out", "[checkpoint]") {
    auto search = Boards::make({.expansions = undisturbed<Boards>().statistics.expanded - 1});
    search.run();
    const std::string checkpoint = saved(search);
    const std::vector<std::size_t> at = blocks_of(checkpoint);
    REQUIRE(at.size() > 4);
    CHECK(at.back() == checkpoint.size());
    const auto block = [&](std::size_t i) { return checkpoint.substr(at[i], at[i + 1] - at[i]); };
    const auto message = [&](const std::string& text) {
        auto other = Boards::make();
        return message_of<std::runtime_error>([&] { load(other, text); });
    };
    const std::string header = checkpoint.substr(0, at[0]);
    const std::string rest = checkpoint.substr(at[2]);
    CHECK(message(header + block(0) + block(1) + rest) == "nothing thrown");
    CHECK(message(header + block(1) + block(0) + rest) ==
          "the checkpoint is damaged: a checksum is wrong in the block before, at byte " +
              std::to_string(at[0] + block(1).size()));
    CHECK(message(header + block(0) + rest) ==
          "the checkpoint is damaged: a checksum is wrong in the block before, at byte " +
              std::to_string(at[1] + block(2).size()));
    CHECK(message(header + block(0)) == "the checkpoint is cut off, at byte " + std::to_string(at[1]));
    auto twice = Boards::make();
    std::istringstream in(checkpoint + "more");
    load_checkpoint(twice, in, "key");
    CHECK(in.get() == 'm'); // No more is read than belongs to it.
}

namespace {

/// Nodes with states, that are found by their numbers.
struct PooledInBatches : npuzzle::PooledPolicy {
    static constexpr std::size_t batch_width = 4;
};

} // namespace

TEST_CASE("a forged way back that goes round in a circle is refused", "[checkpoint]") {
    auto search = Boards::make({.expansions = 9});
    search.run();
    std::string checkpoint = saved(search);
    const std::vector<std::size_t> places = blocks_of(checkpoint);
    // A node has a word, a cost, a move and whether it is closed. Their number is before them.
    constexpr std::size_t node_size = 14;
    const std::uint64_t nodes = search.statistics().stored;
    const std::size_t first_node =
        checkpoint.find(std::string(reinterpret_cast<const char*>(&nodes), sizeof(nodes)),
                        checkpoint.find(std::string(reinterpret_cast<const char*>(&nodes), sizeof(nodes))) +
                            1) +
        sizeof(nodes);
    const auto place_of = [&](const PackedBoard<3>& state) {
        const std::uint64_t word = puzzle.pack(state);
        for (std::size_t i = 0; i < nodes; ++i) {
            const std::size_t place = first_node + i * node_size;
            if (std::memcmp(checkpoint.data() + place, &word, sizeof(word)) == 0) {
                return place;
            }
        }
        return std::string::npos;
    };
    std::size_t forged = 0;
    puzzle.for_each_move(board, puzzle.no_move, [&](const auto& to_first) {
        PackedBoard<3> first = board;
        puzzle.apply(first, to_first);
        const std::size_t place = place_of(first);
        puzzle.for_each_move(first, to_first, [&](const auto& to_second) {
            PackedBoard<3> second = first;
            puzzle.apply(second, to_second);
            if (forged == 0 && place != std::string::npos && place_of(second) != std::string::npos) {
                checkpoint[place + 8] = 2; // as the other
                const auto back = puzzle.inverse(to_second);
                std::memcpy(checkpoint.data() + place + 12, &back, 1);
                ++forged;
            }
        });
    });
    REQUIRE(forged == 1);
    forge(checkpoint, places[0], places[1]);
    auto other = Boards::make();
    CHECK(message_of<std::runtime_error>([&] {
              load(other, checkpoint);
          }).starts_with("the checkpoint has a path from nowhere, at byte "));
}

TEMPLATE_TEST_CASE("a forged checkpoint is refused, or does no harm", "[checkpoint]", InBatches,
                   PooledInBatches) {
    // It does not declare itself consistent, which an assertion would find wrong.
    const auto distance = [bound = Manhattan{}.bind(puzzle)](const PackedBoard<3>& from) {
        return bound(from);
    };
    const auto make = [&](npuzzle::limits_t<SlidingPuzzle<3>> limits) {
        return AStar(TestType{}, puzzle, board, distance, limits);
    };
    for (const std::uint64_t at : {9U, 200U}) {
        auto search = make({.expansions = at});
        search.run();
        const std::string checkpoint = saved(search);
        const std::vector<std::size_t> places = blocks_of(checkpoint);
        REQUIRE(places.size() == 3);
        std::size_t refused = 0;
        std::size_t accepted = 0;
        const std::size_t step = at < 100 ? 2 : 23;
        for (std::size_t i = places[0] + 4; i + 8 < places[1]; i += step) {
            for (const int with : {1, 0x80, 0xff}) {
                std::string forged = checkpoint;
                forged[i] = static_cast<char>(forged[i] ^ with);
                forge(forged, places[0], places[1]);
                auto other = make({.expansions = at + 100, .bytes = 1'000'000});
                const std::string message = message_of<std::runtime_error>([&] { load(other, forged); });
                if (message == "nothing thrown") {
                    ++accepted;
                    other.run();
                    CHECK(other.result().path.size() < 1'000);
                } else {
                    ++refused;
                    CHECK(message.starts_with("the checkpoint "));
                }
            }
        }
        CHECK(refused > accepted);
    }
}
