#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/version.hpp>

#include <iostream>

int main() {
    const npuzzle::PackedBoard<3> board({8, 1, 3, 4, 0, 2, 7, 6, 5});
    std::cout << "npuzzle " << npuzzle::version << '\n' << board;
    return board.manhattan() == 10 ? 0 : 1;
}
