#pragma once

#include "npuzzle/macros.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

/// \file
/// The layout of a drawn tree.

namespace npuzzle::detail {

/// The position of a node. Nodes of one depth are at least 1 apart. A parent is in the middle between its
/// first and last child.
struct TreePlace {
    double x = 0;
    std::size_t depth = 0;
};

/// Lays out a forest (after E. M. Reingold, J. S. Tilford, "Tidier drawings of trees", 1981): subtrees keep
/// their shape and are placed side by side as close as their outlines allow. The leftmost node has x = 0.
///
/// \param parents for each node an index less than its own; any other value makes it a root
///
/// Time and memory are linear in the number of nodes times the depth.
[[nodiscard]] inline std::vector<TreePlace> tidy_tree(const std::vector<std::size_t>& parents) {
    const std::size_t count = parents.size();
    std::vector<std::vector<std::size_t>> children(count + 1); // the last one is above the roots
    std::vector<TreePlace> places(count);
    for (std::size_t node = 0; node < count; ++node) {
        const bool is_root = parents[node] >= node;
        children[is_root ? count : parents[node]].push_back(node);
        places[node].depth = is_root ? 0 : places[parents[node]].depth + 1;
    }

    // By depth below the root of the subtree: its extent to the left and to the right.
    struct Outline {
        std::vector<double> left, right;
    };
    std::vector<Outline> outlines(count + 1);
    std::vector<double> from_parent(count + 1, 0.0);
    const auto arrange = [&](std::size_t parent) {
        Outline& whole = outlines[parent];
        for (const std::size_t child : children[parent]) {
            Outline& part = outlines[child];
            double shift = 0;
            for (std::size_t depth = 0; depth < (std::min)(whole.right.size(), part.left.size()); ++depth) {
                const double apart = whole.right[depth] + 1 - part.left[depth];
                shift = depth == 0 ? apart : (std::max)(shift, apart);
            }
            from_parent[child] = shift;
            for (std::size_t depth = 0; depth < part.left.size(); ++depth) {
                if (depth == whole.left.size()) {
                    whole.left.push_back(part.left[depth] + shift);
                    whole.right.push_back(part.right[depth] + shift);
                } else {
                    whole.right[depth] = part.right[depth] + shift;
                }
            }
            part = Outline{};
        }
        if (children[parent].empty()) {
            whole = {{0.0}, {0.0}};
            return;
        }
        const double middle =
            (from_parent[children[parent].front()] + from_parent[children[parent].back()]) / 2;
        for (const std::size_t child : children[parent]) from_parent[child] -= middle;
        for (double& x : whole.left) x -= middle;
        for (double& x : whole.right) x -= middle;
        whole.left.insert(whole.left.begin(), 0.0);
        whole.right.insert(whole.right.begin(), 0.0);
    };
    for (std::size_t node = count; node-- > 0;) arrange(node);
    arrange(count);

    double leftmost = 0;
    for (std::size_t node = 0; node < count; ++node) {
        places[node].x = from_parent[node] + (parents[node] >= node ? 0 : places[parents[node]].x);
        leftmost = node == 0 ? places[node].x : (std::min)(leftmost, places[node].x);
    }
    for (TreePlace& place : places) place.x -= leftmost;
    return places;
}

} // namespace npuzzle::detail
