#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/ida_star_journal.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using npuzzle::ida_star;
using npuzzle::IdaStarJournal;
using npuzzle::Manhattan;
using npuzzle::Status;

/// The name of a file that is gone afterwards.
struct File {
    std::string path = "ida_star_with_journal." + std::to_string(std::random_device{}());
    File() { std::remove(path.c_str()); }
    ~File() { std::remove(path.c_str()); }
};

const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
const npuzzle::PackedBoard<4> board({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10,
                                     15}); // Korf's number 79

} // namespace

TEST_CASE("ida_star with a journal is ida_star, and goes on", "[ida_star]") {
    const File file;
    const auto expected = ida_star(puzzle, board, Manhattan{});
    REQUIRE(expected.cost == 42);
    std::size_t known = 0;
    for (const std::uint64_t limit : {expected.statistics.expanded / 2, expected.statistics.expanded - 1}) {
        IdaStarJournal journal(file.path, "15-puzzle");
        const auto cut = ida_star(puzzle, board, Manhattan{}, journal, {.expansions = limit});
        CHECK(cut.status == Status::expansion_limit);
        CHECK(cut.statistics.expanded == limit);
        CHECK(journal.known() >= known);
        known = journal.known();
    }
    IdaStarJournal journal(file.path, "15-puzzle");
    const auto result = ida_star(puzzle, board, Manhattan{}, journal);
    CHECK(journal.known() > 10);
    CHECK(result.path == expected.path);
    CHECK(result.moves == expected.moves);
    CHECK(result.statistics.expanded == expected.statistics.expanded);
    CHECK(result.statistics.generated == expected.statistics.generated);
    // It is that of several threads as well.
    const auto parallel =
        npuzzle::parallel_ida_star(puzzle, board, Manhattan{}, {.threads = 2, .journal = &journal});
    CHECK(parallel.statistics.expanded == expected.statistics.expanded);
    CHECK(message_of<std::runtime_error>([&] {
              IdaStarJournal other(file.path + ".none/journal", "15-puzzle");
              ida_star(puzzle, board, Manhattan{}, other);
          }).ends_with("cannot be opened"));
}
