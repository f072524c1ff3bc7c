/// @file
/// A small search whose tree has nodes of every kind, and drawings of it.
#pragma once

#include <npuzzle/search/astar.hpp>
#include <npuzzle/visual/game_tree.hpp>
#include <npuzzle/visual/game_tree_dot.hpp>
#include <npuzzle/visual/game_tree_svg.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace test {

using Tree = npuzzle::GameTree<std::string>;

/// Roads between towns. C is first reached by an expensive road, then by a cheap one. X is a dead end.
struct Roads {
    using State = std::string;

    std::vector<npuzzle::Edge<std::string, double>> neighbors(const std::string& town) const {
        if (town == "A") return {{"B", 1}, {"C", 1.5}, {"D", 7.25}};
        if (town == "B") return {{"D", 5}, {"C", 0.25}, {"X", 1}};
        if (town == "C") return {{"D", 2.5}, {"A", 1}, {"E", 1}};
        if (town == "D") return {{"G", 1}};
        if (town == "E") return {{"D", 1}};
        return {};
    }
    bool is_goal(const std::string& town) const { return town == "G"; }
};

inline double estimate(const std::string& town) {
    return town == "X" ? std::numeric_limits<double>::infinity() : town == "C" ? 1.25 : 0;
}

inline Tree searched(std::size_t max_nodes = 200) {
    Tree tree(max_nodes);
    CHECK(npuzzle::astar(Roads{}, "A", estimate, {}, tree).cost == 4.25);
    return tree;
}

inline std::string svg_of(const Tree& tree, const npuzzle::GameTreeOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_game_tree_svg(out, tree, options);
    CHECK(out.good());
    return out.str();
}

inline std::string dot_of(const Tree& tree, const npuzzle::GameTreeOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_game_tree_dot(out, tree, options);
    CHECK(out.good());
    return out.str();
}

} // namespace test
