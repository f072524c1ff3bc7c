// What the debugger is asked to show.
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/search/core/result.hpp>

#include <cstdio>
#include <vector>

namespace {

void shown() {
    std::puts("shown");
}

} // namespace

int main() {
    const npuzzle::Board board{{8, 1, 3}, {4, 0, 2}, {7, 6, 5}};
    std::vector<std::int32_t> many(144);
    for (std::size_t cell = 0; cell < many.size(); ++cell) many[cell] = static_cast<std::int32_t>(143 - cell);
    const npuzzle::Board large(std::move(many));
    const npuzzle::PackedBoard<3> packed(board);
    const npuzzle::PackedBoard<4> packed4;
    const npuzzle::PackedBoard<5> goal;

    npuzzle::SearchResult<npuzzle::PackedBoard<3>, int, npuzzle::Move> result;
    result.status = npuzzle::Status::solved;
    result.path = {packed, packed.moved(npuzzle::Move::left)};
    result.moves = {npuzzle::Move::left};
    result.cost = 1;
    npuzzle::SearchResult<int, double> none;
    none.status = npuzzle::Status::unsolvable;
    none.statistics.expanded = 12345;
    shown();
    return board.size() + large.size() + packed4.size() + goal.size() + static_cast<int>(none.path.size()) ==
                   24
               ? 0
               : 1;
}
