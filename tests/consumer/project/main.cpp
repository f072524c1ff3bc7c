#include <npuzzle/npuzzle.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

/// A knight on a chessboard that wants to the opposite corner.
struct Knight {
    using State = std::array<int, 2>;

    std::vector<State> neighbors(const State& square) const {
        std::vector<State> result;
        for (const auto& [rows, columns] : {State{1, 2}, State{2, 1}, State{-1, 2}, State{-2, 1},
                                            State{1, -2}, State{2, -1}, State{-1, -2}, State{-2, -1}}) {
            const State next{square[0] + rows, square[1] + columns};
            if (next[0] >= 0 && next[0] < 8 && next[1] >= 0 && next[1] < 8) {
                result.push_back(next);
            }
        }
        return result;
    }

    bool is_goal(const State& square) const { return square == State{7, 7}; }
};

/// No move brings the knight nearer to the corner by more than three rows and columns together.
int least_moves(const Knight::State& square) {
    return (7 - square[0] + 7 - square[1] + 2) / 3;
}

int failures = 0;

void expect_equal(const char* what, long actual, long expected) {
    if (actual != expected) {
        std::fprintf(stderr, "%s: %ld, not %ld\n", what, actual, expected);
        ++failures;
    }
}

} // namespace

int main() {
    const auto ride = npuzzle::astar(Knight{}, Knight::State{0, 0}, least_moves);
    expect_equal("the knight arrives", ride.status == npuzzle::Status::solved, true);
    expect_equal("moves of the knight", ride.cost, 6);
    expect_equal("squares on its way", static_cast<long>(ride.path.size()), 7);

    const npuzzle::Solver solver(npuzzle::Board({{0, 1, 3}, {4, 2, 5}, {7, 8, 6}}));
    expect_equal("the board is solvable", solver.is_solvable(), true);
    expect_equal("moves of the blank", static_cast<long>(solver.moves()), 4);

    const npuzzle::Solver hopeless(npuzzle::Board({{1, 2, 3}, {4, 5, 6}, {8, 7, 0}}));
    expect_equal("the other board is solvable", hopeless.is_solvable(), false);
    expect_equal("moves of the other board", static_cast<long>(hopeless.moves()), -1);

    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
