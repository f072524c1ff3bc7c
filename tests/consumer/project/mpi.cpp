// A search on several processes, in somebody else's project.
#include <npuzzle/search/distributed.hpp>

#include <array>

struct Line {
    using State = int;
    std::array<int, 2> neighbors(int x) const { return {x - 1, x + 1}; }
    bool is_goal(int x) const { return x == 7; }
};

int main(int argc, char* argv[]) {
    MPI_Init(&argc, &argv);
    const auto result =
        npuzzle::distributed_astar(MPI_COMM_WORLD, Line{}, 0, npuzzle::Zero{}, {.serial_nodes = 0});
    MPI_Finalize();
    return result.cost == 7 ? 0 : 1;
}
