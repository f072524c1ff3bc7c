// prints: docs/images/game_tree.svg
// Draws the tree of A* between some towns: game_tree_svg >picture.svg. It needs only states and labels.

#include <npuzzle/search/astar.hpp>
#include <npuzzle/visual/game_tree.hpp>
#include <npuzzle/visual/game_tree_svg.hpp>

#include <exception>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <vector>

struct Roads {
    using State = std::string;

    std::map<State, std::vector<npuzzle::Edge<State, double>>> roads{
        {"home", {{"mill", 2}, {"bridge", 6.5}, {"wood", 3}}},
        {"mill", {{"home", 2}, {"bridge", 3}, {"ferry", 2.5}}},
        {"wood", {{"home", 3}, {"bog", 1}, {"bridge", 4}}},
        {"bridge", {{"mill", 3}, {"wood", 4}, {"castle", 4.5}, {"fair", 8}}},
        {"ferry", {{"mill", 2.5}, {"fair", 9}}},
        {"castle", {{"bridge", 4.5}, {"fair", 2}}},
    };

    std::vector<npuzzle::Edge<State, double>> neighbors(const State& town) const {
        const auto found = roads.find(town);
        return found == roads.end() ? std::vector<npuzzle::Edge<State, double>>{} : found->second;
    }
    bool is_goal(const State& town) const { return town == "fair"; }
};

int main() try {
    const std::map<std::string, double> as_the_crow_flies{{"home", 9},   {"mill", 8},  {"wood", 8},
                                                          {"bridge", 5}, {"ferry", 8}, {"castle", 2}};
    const auto heuristic = [&](const std::string& town) {
        if (town == "bog") return std::numeric_limits<double>::infinity();
        const auto found = as_the_crow_flies.find(town);
        return found == as_the_crow_flies.end() ? 0 : found->second;
    };
    npuzzle::GameTree<std::string> tree;
    npuzzle::astar(Roads{}, "home", heuristic, {}, tree);
    npuzzle::write_game_tree_svg(std::cout, tree, {.title = "The way to the fair, by A*"});
} catch (const std::exception& error) {
    std::cerr << "game_tree_svg: " << error.what() << '\n';
    return 1;
}
