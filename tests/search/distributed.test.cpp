#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/distributed.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// The examples of docs/parallel.md.

namespace {

/// Places around a lake. A state is the address of a name, which is another one in each process.
struct Lake {
    struct Place {
        const std::string* name;
        friend bool operator==(const Place&, const Place&) = default;
        friend std::size_t hash_value(const Place& at) { return npuzzle::hash_of(*at.name); }
    };
    using State = Place;

    std::vector<std::string> names;

    Lake() {
        for (int i = 0; i < 100; ++i) {
            names.push_back("place " + std::to_string(i));
        }
    }
    [[nodiscard]] Place place(const std::string& name) const {
        return {&*std::find(names.begin(), names.end(), name)};
    }
    [[nodiscard]] std::vector<Place> neighbors(const Place& at) const {
        const auto index = static_cast<std::size_t>(at.name - names.data());
        return {{&names[(index + 1) % names.size()]}, {&names[(index + names.size() - 1) % names.size()]}};
    }
    [[nodiscard]] bool is_goal(const Place& at) const { return *at.name == "place 70"; }

    [[nodiscard]] std::string serialize(const Place& at) const { return *at.name; }
    [[nodiscard]] Place deserialize(const std::string& name) const { return place(name); }
};

} // namespace

TEST_CASE("a state that holds an address goes to other ranks by its name", "[distributed]") {
    const Lake lake;
    for (const std::uint64_t nodes : {0U, 20U, 1'000U}) {
        const auto result = npuzzle::distributed_astar(MPI_COMM_WORLD, lake, lake.place("place 0"),
                                                       npuzzle::Zero{}, {.serial_nodes = nodes});
        CHECK(result.cost == 30);
        CHECK(result.path.size() == 31);
        CHECK(result.path.at(30) == lake.place("place 70"));
    }
}

TEST_CASE("a board is solved by IDA* on all ranks", "[distributed]") {
    const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
    const npuzzle::PackedBoard<4> korf_79({0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15});
    const auto result = npuzzle::distributed_ida_star(MPI_COMM_WORLD, puzzle, korf_79, npuzzle::Manhattan{},
                                                      {.threads = 2}, {.max_cost = 50});
    CHECK(result.cost == 42); // on each rank
    CHECK(result.statistics.generated + 1 == 540'860);
}
