#pragma once

#include "npuzzle/visual/detail/game_tree_text.hpp"
#include "npuzzle/visual/detail/svg.hpp"
#include "npuzzle/visual/game_tree.hpp"

#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

/// \file
/// A recorded game tree as a graph for Graphviz.

namespace npuzzle {

namespace detail {

/// A text escaped for a quoted string of Graphviz.
[[nodiscard]] inline std::string escaped_for_dot(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        if (c == '\n') {
            escaped += "\\n";
        } else {
            escaped += c;
        }
    }
    return escaped;
}

} // namespace detail

/// Writes a game tree as a graph for Graphviz: `dot -Tsvg`. Arguments as for `write_game_tree_svg`.
template <class State, class Label = StateLabel>
    requires std::is_invocable_r_v<std::string, const Label&, const State&>
void write_game_tree_dot(std::ostream& out, const GameTree<State>& tree, const GameTreeOptions& options = {},
                         const Label& label = {}) {
    using Tree = GameTree<State>;
    using Text = detail::GameTreeText<State>;
    constexpr std::array<std::string_view, 4> looks{
        R"(shape=box, style="rounded,filled", fillcolor="#ffffff", color="#2f6cb0")",
        R"(shape=box, style=filled, fillcolor="#d6e8fb", color="#2f6cb0")",
        R"(shape=octagon, style="dashed,filled", fillcolor="#f3f4f6", color="#6e7781", fontcolor="#57606a")",
        R"(shape=octagon, style=filled, fillcolor="#e3e6ea", color="#57606a", fontcolor="#57606a")",
    };
    const std::string note = Text::note(tree);
    std::string text = "digraph game_tree {\nlabel=\"" + detail::escaped_for_dot(Text::title(tree, options));
    if (!note.empty()) text += "\\n" + detail::escaped_for_dot(note);
    text += "\";\nlabelloc=t;\nfontname=\"sans-serif\";\n"
            "node [fontname=\"monospace\", fontsize=12, margin=\"0.1,0.06\"];\n"
            "edge [arrowhead=none, color=\"#9aa4af\"];\n";
    detail::write_text(out, text);
    for (std::size_t index = 0; index < tree.nodes().size(); ++index) {
        const typename Tree::Node& node = tree.nodes()[index];
        std::string lines;
        for (const std::string& line : detail::lines_of(label(node.state))) lines += line + '\n';
        lines += Text::f(node) + "\n" + Text::g_and_h(node);
        if (node.expansion != 0) lines = detail::svg_number(node.expansion) + ".\n" + lines;
        if (node.left_out != 0) lines += "\n+" + detail::svg_number(node.left_out) + " not drawn";
        text = 'n' + detail::svg_number(index) + " [label=\"" + detail::escaped_for_dot(lines) + "\", ";
        text.append(looks[static_cast<std::size_t>(node.kind)]);
        if (node.is_on_path) text += ", penwidth=3, color=\"#d1360b\"";
        if (node.is_goal) text += ", peripheries=2";
        text += "];\n";
        if (node.parent != Tree::none) {
            text += 'n' + detail::svg_number(node.parent) + " -> n" + detail::svg_number(index);
            const bool is_path = node.is_on_path && tree.nodes()[node.parent].is_on_path;
            text += is_path ? " [penwidth=3, color=\"#d1360b\"];\n" : ";\n";
        }
        detail::write_text(out, text);
    }
    detail::write_text(out, "}\n");
}

} // namespace npuzzle
