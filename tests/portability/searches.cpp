// Searches of problems of one's own, on whatever target this is compiled for: exit code 0 if the answers are
// right.
#include <npuzzle/search.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

int failures = 0;

void check(bool condition, const char* what) {
    if (!condition) {
        std::printf("wrong: %s\n", what);
        ++failures;
    }
}

/// A square of cells with a wall in the middle, which leaves a gap at one end.
struct Grid {
    using State = std::pair<int, int>;
    static constexpr int size = 200;

    static bool is_free(const State& cell) {
        return 0 <= cell.first && cell.first < size && 0 <= cell.second && cell.second < size &&
               (cell.first != size / 2 || cell.second == size - 1);
    }

    std::vector<State> neighbors(const State& cell) const {
        std::vector<State> cells;
        for (const State& step : {State{1, 0}, State{0, 1}, State{-1, 0}, State{0, -1}}) {
            const State next{cell.first + step.first, cell.second + step.second};
            if (is_free(next)) {
                cells.push_back(next);
            }
        }
        return cells;
    }

    bool is_goal(const State& cell) const { return cell == goal(); }
    State goal() const { return {size - 1, 0}; }
    static constexpr bool is_undirected = true;
};

int distance(const Grid::State& cell) {
    return Grid::size - 1 - cell.first + cell.second;
}

/// The numbers from 0 to 99,999, as words: so that states are hashed as text.
struct Words {
    using State = std::string;

    std::vector<State> neighbors(const State& word) const {
        const long n = std::strtol(word.c_str(), nullptr, 10);
        return {std::to_string((n * 2) % 100000), std::to_string((n + 1) % 100000)};
    }

    bool is_goal(const State& word) const { return word == "54321"; }
};

} // namespace

int main() {
    constexpr int shortest = 3 * (Grid::size - 1);
    const Grid grid;
    const Grid::State start{0, 0};

    const auto by_astar = npuzzle::astar(grid, start, distance);
    check(by_astar.status == npuzzle::Status::solved && by_astar.cost == shortest, "A*");
    check(npuzzle::bidirectional_breadth_first(grid, start).cost == shortest, "bidirectional");

    const auto words = npuzzle::breadth_first(Words{}, "1");
    check(words.status == npuzzle::Status::solved && words.path.back() == "54321", "words");
    check(npuzzle::dijkstra(Words{}, "1").cost == words.cost, "Dijkstra");

    const auto small = npuzzle::breadth_first(Words{}, "1", {.expansions = 100});
    check(small.status == npuzzle::Status::expansion_limit && small.statistics.expanded == 100, "limit");

    npuzzle::StopSource source;
    source.request_stop();
    const auto stopped = npuzzle::astar(grid, start, distance, {.stop = source.get_token()});
    check(stopped.status == npuzzle::Status::cancelled, "stop");

    std::atomic<int> found{0};
    npuzzle::for_each_parallel(8, [&](std::size_t i) {
        const Grid::State from{Grid::size - 1, static_cast<int>(i)};
        found += npuzzle::astar(grid, from, distance).cost == from.second ? 1 : 0;
    });
    check(found == 8, "parallel");

    // Sums and products that a type cannot hold.
    using npuzzle::detail::saturating_add, npuzzle::detail::saturating_multiply;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    constexpr auto least = std::numeric_limits<std::int64_t>::lowest();
    static_assert(saturating_add(most, std::int64_t{1}) == most && saturating_add(least, most) == -1);
    static_assert(saturating_add(std::uint8_t{200}, std::uint8_t{100}) == 255);
    static_assert(saturating_multiply(most / 2, std::int64_t{2}) == most - 1 &&
                  saturating_multiply(least, std::int64_t{-1}) == most);
    return failures;
}
