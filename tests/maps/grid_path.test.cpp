#include <npuzzle/maps/grid_map.hpp>
#include <npuzzle/maps/jump_points.hpp>
#include <npuzzle/search/path_finder.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace {

using npuzzle::GridMap;
using Cell = std::uint32_t;
using Path = std::vector<Cell>;

template <class P>
std::string moves_in_words(const P& problem, const Path& path) {
    std::ostringstream out;
    for (const npuzzle::GridMove move : npuzzle::moves_along(problem, path)) out << move << ' ';
    return out.str();
}

} // namespace

TEST_CASE("a path is given as cells, as turning points and as moves", "[grid path]") {
    const GridMap<> map("....\n....\n....\n");
    const Path path{0, 1, 2, 7, 11, 10};
    CHECK(npuzzle::cells_along(map, path) == path);
    CHECK(npuzzle::turning_points(map, path) == Path{0, 2, 7, 11, 10});
    CHECK(moves_in_words(map, path) == "right right down-right down left ");
    CHECK(npuzzle::cells_along(map, {0, 2, 10}) == Path{0, 1, 2, 6, 10});
    CHECK(moves_in_words(map, {10, 0}) == "up-left up-left ");
    CHECK(moves_in_words(map, {8, 2, 10, 11, 3}) == "up-right up-right down down right up up ");
    CHECK(moves_in_words(map, {2, 8}) == "down-left down-left ");
    CHECK(npuzzle::turning_points(map, {0, 1, 2, 1, 0}) == Path{0, 2, 0});
}

TEST_CASE("a path of one cell or of none has no moves", "[grid path]") {
    const GridMap<> map("..\n");
    for (const Path& path : {Path{}, Path{1}, Path{1, 1}}) {
        CHECK(npuzzle::moves_along(map, path).empty());
        CHECK(npuzzle::cells_along(map, path) == Path(path.begin(), path.begin() + !path.empty()));
        CHECK(npuzzle::turning_points(map, path) == npuzzle::cells_along(map, path));
    }
}

TEST_CASE("the three forms of a path are one path, by cells and by jumps", "[grid path]") {
    test::Random random(9);
    int turned = 0;
    for (int round = 0; round < 300; ++round) {
        const int width = random.between(1, 30);
        const GridMap<int> map(width, random.between(1, 30), [&](int, int) { return !random.one_in(5); });
        const auto start = static_cast<Cell>(random.below(map.size()));
        const auto goal = static_cast<Cell>(random.below(map.size()));
        npuzzle::PathFinder by_cells(map, npuzzle::OctileDistance{});
        npuzzle::PathFinder by_jumps(npuzzle::JumpPoints{map}, npuzzle::OctileDistance{});
        const auto result = by_cells.find(start, goal);
        CHECK(npuzzle::cells_along(map, result.path) == result.path);
        for (const Path& path : {result.path, by_jumps.find(start, goal).path}) {
            const Path cells = npuzzle::cells_along(map, path);
            const Path points = npuzzle::turning_points(map, path);
            const auto moves = npuzzle::moves_along(map, path);
            CHECK(npuzzle::cells_along(map, points) == cells);
            CHECK(npuzzle::turning_points(map, cells) == points);
            CHECK(npuzzle::moves_along(map, points) == moves);
            if (!result) continue;
            CHECK(oracle::path_cost<int>(map, cells) == result.cost);
            Path walked{start};
            for (const npuzzle::GridMove move : moves) {
                const auto [dx, dy] = GridMap<int>::directions[static_cast<std::size_t>(move)];
                walked.push_back(map.cell(map.x(walked.back()) + dx, map.y(walked.back()) + dy));
            }
            CHECK(walked == cells);
            turned += points.size() > 4 ? 1 : 0;
        }
    }
    CHECK(turned > 50);
}
