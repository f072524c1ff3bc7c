// expect: longest_path
// FlatPolicy under a heuristic that does not declare itself consistent, on a problem of no longest path.
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/node_table/flat.hpp>

#include <cstddef>
#include <vector>

struct Line {
    using State = int;
    using Move = int;
    static constexpr unsigned move_count = 2;
    static constexpr Move no_move = 2;
#ifdef CONTROL
    static constexpr int longest_path = 99;
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
    std::size_t index(int x) const { return static_cast<std::size_t>(x); }
    std::size_t size() const { return 100; }
    int state_at(std::size_t number) const { return static_cast<int>(number); }
};

int main() {
    npuzzle::astar<npuzzle::FlatPolicy>(Line{}, 1, [](int x) { return 97 - x; });
}
