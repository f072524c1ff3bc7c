// needs: mpi.h
// expect: SerializingProblem
// mend: State deserialize(const Serialized&) const;
// A problem that can make a text of a state, and no state of the text.
#include <npuzzle/search/distributed.hpp>

#include <string>
#include <vector>

struct Doubling {
    using State = int;
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
    bool is_goal(int x) const { return x == 97; }
    std::string serialize(int x) const { return std::to_string(x); }
#ifdef CONTROL
    int deserialize(const std::string& text) const { return std::stoi(text); }
#endif
};

int main() {
    npuzzle::distributed_astar(MPI_COMM_WORLD, Doubling{}, 1, npuzzle::Zero{});
}
