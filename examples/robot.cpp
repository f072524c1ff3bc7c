// test:
// What it teaches: D* Lite. A robot walks to its goal by a map that does not show the closed doors.

#include <npuzzle/maps.hpp>
#include <npuzzle/search/replanning.hpp>

#include <iostream>
#include <string>

int main() {
    std::string trail = "..........\n"
                        "..........\n"
                        "@@@.@@@@.@\n"
                        "..........\n"
                        "..........\n";
    const std::string closed = "@@@X@@@@.@"; // the third row as it is
    npuzzle::GridMap<> map = npuzzle::GridMap<>(trail).with_goal(41);
    std::uint32_t robot = map.cell(0, 0);
    npuzzle::DStarLite search(map, robot, npuzzle::OctileDistance{});
    while (search.run() == npuzzle::Status::solved && robot != map.goal()) {
        const auto result = search.result();
        const auto next = result.path[1];
        if (map.y(next) == 2 && closed[static_cast<std::size_t>(map.x(next))] == 'X') {
            for (const auto cell : map.set_free(next, false)) search.update(cell);
            trail[next + next / 10] = 'X'; // a line break after each row
            std::cout << "a closed door at column " << map.x(next) << ", row 2; ";
        } else {
            trail[robot + robot / 10] = '*';
            robot = next;
            search.move_start(robot);
        }
        if (search.run() != npuzzle::Status::solved) break;
        std::cout << search.statistics().expanded << " expanded, " << search.result().cost << " to go\n";
    }
    trail[robot + robot / 10] = '*';
    std::cout << trail;
}
