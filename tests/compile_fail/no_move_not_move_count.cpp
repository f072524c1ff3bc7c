// expect: no_move is the number after the last move
// A problem that numbers its moves, and has a number for no move that tables cannot store.
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/node_table/packed.hpp>

#include <vector>

struct Line {
    using State = int;
    using Move = int;
    static constexpr unsigned move_count = 2;
    static constexpr unsigned word_bits = 8;
    static constexpr int longest_path = 99;
#ifdef CONTROL
    static constexpr Move no_move{move_count};
#else
    static constexpr Move no_move = -1;
#endif

    std::vector<int> neighbors(int x) const {
        std::vector<int> result;
        for_each_move(x, no_move, [&](Move move) { result.push_back(move == 0 ? x - 1 : x + 1); });
        return result;
    }
    bool is_goal(int x) const { return x == 97; }
    template <class F>
    void for_each_move(int x, Move last, F visit) const {
        if (x > 0 && last != 1) visit(Move{0});
        if (x < 99 && last != 0) visit(Move{1});
    }
    void apply(int& x, Move move) const { x += move == 0 ? -1 : 1; }
    static Move inverse(Move move) { return 1 - move; }
    unsigned pack(int x) const { return static_cast<unsigned>(x); }
    int unpack(unsigned word) const { return static_cast<int>(word); }
};

int main() {
    npuzzle::astar(Line{}, 1, npuzzle::Zero{});
}
