#pragma once

#include "npuzzle/visual/detail/svg.hpp"
#include "npuzzle/visual/game_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The texts of a game tree and its nodes.

namespace npuzzle::detail {

/// The texts of nodes and of the tree, which SVG and Graphviz share.
template <class State>
struct GameTreeText {
    using Tree = GameTree<State>;

    static std::string f(const typename Tree::Node& node) { return "f " + node.f; }
    static std::string g_and_h(const typename Tree::Node& node) { return "g " + node.g + " h " + node.h; }

    static std::string title(const Tree& tree, const GameTreeOptions& options) {
        if (!options.title.empty()) return options.title;
        const std::size_t count = tree.nodes().size() + tree.left_out();
        return "A search tree of " + svg_number(count) + (count == 1 ? " node" : " nodes");
    }

    /// Empty if the whole tree was recorded.
    static std::string note(const Tree& tree) {
        if (tree.left_out() == 0) return {};
        const bool has_goal = std::any_of(tree.nodes().begin(), tree.nodes().end(),
                                          [](const auto& node) { return node.is_goal; });
        return "Cut after " + svg_number(tree.nodes().size()) + " nodes: " + svg_number(tree.left_out()) +
               " more were generated and are not drawn (+1, +2, ... at their parents)" +
               (has_goal ? "" : ", nor is a goal") + '.';
    }

    static std::string_view name(typename Tree::Kind kind) {
        constexpr std::array<std::string_view, 4> names{"open", "expanded", "duplicate", "dead"};
        return names[static_cast<std::size_t>(kind)];
    }
};

[[nodiscard]] inline std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    for (;;) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return lines;
        text.remove_prefix(end + 1);
    }
}

/// The number of characters, not bytes, of a text in UTF-8.
[[nodiscard]] inline std::size_t length_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace npuzzle::detail
