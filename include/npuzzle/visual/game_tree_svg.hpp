#pragma once

#include "npuzzle/visual/detail/game_tree_text.hpp"
#include "npuzzle/visual/detail/svg.hpp"
#include "npuzzle/visual/detail/tidy_tree.hpp"
#include "npuzzle/visual/game_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// \file
/// A recorded game tree as a picture.

namespace npuzzle {

namespace detail {

inline constexpr std::string_view game_tree_style =
    R"css(.npuzzle-tree .title { font-size: 16px; font-weight: 600 }
.npuzzle-tree .label { font: 600 14px ui-monospace, "DejaVu Sans Mono", Consolas, monospace; text-anchor: middle; white-space: pre }
.npuzzle-tree .values { font: 11px ui-monospace, "DejaVu Sans Mono", Consolas, monospace; text-anchor: middle }
.npuzzle-tree .order, .npuzzle-tree .more { font-size: 10px }
.npuzzle-tree .more { text-anchor: end; font-weight: 600 }
.npuzzle-tree text { fill: #1f2328 }
.npuzzle-tree .quiet, .npuzzle-tree .order, .npuzzle-tree .duplicate text, .npuzzle-tree .dead text { fill: #57606a }
.npuzzle-tree .note, .npuzzle-tree g .more { fill: #a83206; font-weight: 600 }
.npuzzle-tree .page { fill: #ffffff }
.npuzzle-tree .edge { fill: none; stroke: #9aa4af; stroke-width: 1.5 }
.npuzzle-tree .path-edge { fill: none; stroke: #d1360b; stroke-width: 4 }
.npuzzle-tree .expanded .shape { fill: #d6e8fb; stroke: #2f6cb0; stroke-width: 1.5 }
.npuzzle-tree .open .shape { fill: #ffffff; stroke: #2f6cb0; stroke-width: 1.5 }
.npuzzle-tree .duplicate .shape { fill: #f3f4f6; stroke: #6e7781; stroke-width: 1.5; stroke-dasharray: 4 3 }
.npuzzle-tree .dead .shape { fill: #e3e6ea; stroke: #57606a; stroke-width: 1.5 }
.npuzzle-tree .path .shape { stroke: #d1360b; stroke-width: 3.5 }
.npuzzle-tree .ring { fill: none; stroke: #d1360b; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
.npuzzle-tree text { fill: #e6edf3 }
.npuzzle-tree .quiet, .npuzzle-tree .order, .npuzzle-tree .duplicate text, .npuzzle-tree .dead text { fill: #9aa4af }
.npuzzle-tree .note, .npuzzle-tree g .more { fill: #ff9d76 }
.npuzzle-tree .page { fill: #0d1117 }
.npuzzle-tree .edge { stroke: #57606a }
.npuzzle-tree .path-edge { stroke: #ff8a5c }
.npuzzle-tree .expanded .shape { fill: #173d66; stroke: #5598de }
.npuzzle-tree .open .shape { fill: #0d1117; stroke: #5598de }
.npuzzle-tree .duplicate .shape { fill: #1a2028; stroke: #848d97 }
.npuzzle-tree .dead .shape { fill: #2d333b; stroke: #848d97 }
.npuzzle-tree .path .shape { stroke: #ff8a5c }
.npuzzle-tree .ring { stroke: #ff8a5c }
}
)css";

/// Draws a game tree. All nodes are as large as the largest label needs.
template <class State>
class GameTreeSvg {
    using Tree = GameTree<State>;
    using Node = typename Tree::Node;
    using Kind = typename Tree::Kind;
    using Text = GameTreeText<State>;

    static constexpr double line_height = 17;
    static constexpr double order_height = 13;
    static constexpr double values_height = 30;
    static constexpr double margin = 16;
    static constexpr double between = 18; // nodes of one depth
    static constexpr double below = 40;   // one depth and the next

public:
    template <class Label>
    GameTreeSvg(const Tree& tree, const GameTreeOptions& options, const Label& label)
        : tree_(tree), title_(Text::title(tree, options)), note_(Text::note(tree)) {
        std::vector<std::size_t> parents;
        std::size_t columns = 1;
        std::size_t value_columns = 1;
        std::size_t lines = 1;
        for (const Node& node : tree.nodes()) {
            parents.push_back(node.parent);
            labels_.push_back(lines_of(label(node.state)));
            lines = (std::max)(lines, labels_.back().size());
            for (const std::string& line : labels_.back()) columns = (std::max)(columns, length_of(line));
            value_columns = (std::max)(value_columns,
                                       (std::max)(length_of(Text::f(node)), length_of(Text::g_and_h(node))));
        }
        // The advance of a monospaced character is 0.6 of the size of its type.
        width_ =
            16 + (std::max)(8.5 * static_cast<double>(columns), 6.7 * static_cast<double>(value_columns));
        height_ = order_height + line_height * static_cast<double>(lines) + values_height + 8;
        places_ = tidy_tree(parents);
        count_kinds();
        top_ = margin + 24 + 26 + (note_.empty() ? 0 : 22) + 8;
        double across = 0;
        double max_depth = 0;
        for (const TreePlace& place : places_) {
            across = (std::max)(across, place.x);
            max_depth = (std::max)(max_depth, static_cast<double>(place.depth));
        }
        const double tree_width = places_.empty() ? 0 : across * (width_ + between) + width_;
        const double texts = (std::max)({legend_width(), 9.0 * static_cast<double>(length_of(title_)),
                                         7.6 * static_cast<double>(length_of(note_))});
        page_width_ = (std::max)(tree_width, texts) + 2 * margin;
        left_ = (page_width_ - tree_width) / 2;
        page_height_ = top_ + (places_.empty() ? 0 : max_depth * (height_ + below) + height_) + margin;
    }

    void write(std::ostream& out) const {
        std::string rules = ".npuzzle-tree text { font: 13px ";
        rules.append(svg_font).append(" }\n").append(game_tree_style);
        std::string text =
            svg_head("npuzzle-tree", svg_number(page_width_), svg_number(page_height_), title_, rules, "8");
        text += svg_text("title", margin, margin + 16, title_) + '\n' + legend();
        if (!note_.empty()) text += svg_text("note", margin, margin + 24 + 26 + 15, note_) + '\n';
        write_text(out, text);
        for (const bool is_path : {false, true}) {
            for (std::size_t index = 0; index < places_.size(); ++index) {
                const std::size_t parent = tree_.nodes()[index].parent;
                if (parent == Tree::none) continue;
                const bool is_on_path = tree_.nodes()[index].is_on_path && tree_.nodes()[parent].is_on_path;
                if (is_on_path == is_path) write_text(out, edge(parent, index, is_path));
            }
        }
        for (std::size_t index = 0; index < places_.size(); ++index) write_text(out, drawn(index));
        write_text(out, "</svg>\n");
    }

private:
    double x_of(std::size_t index) const { return left_ + places_[index].x * (width_ + between); }
    double y_of(std::size_t index) const {
        return top_ + static_cast<double>(places_[index].depth) * (height_ + below);
    }

    /// Kinds also differ in their outlines: sharp, round or cut corners.
    static std::string shape(Kind kind, double x, double y, double width, double height, double corner) {
        if (kind == Kind::expanded || kind == Kind::open) {
            return svg_rectangle("shape", x, y, width, height, kind == Kind::open ? corner : 0.0);
        }
        const std::string c = svg_number(corner);
        const std::string across = svg_number(width - 2 * corner);
        const std::string down = svg_number(height - 2 * corner);
        return "<path class=\"shape\" d=\"M" + svg_number(x + corner) + ' ' + svg_number(y) + 'h' + across +
               'l' + c + ' ' + c + 'v' + down + "l-" + c + ' ' + c + "h-" + across + "l-" + c + " -" + c +
               "v-" + down + "z\"/>";
    }

    std::string drawn(std::size_t index) const {
        const Node& node = tree_.nodes()[index];
        const double x = x_of(index);
        const double y = y_of(index);
        const double middle = x + width_ / 2;
        std::string text = "<g class=\"";
        text.append(Text::name(node.kind)).append(node.is_on_path ? " path\">" : "\">");
        text += shape(node.kind, x, y, width_, height_, 10);
        if (node.is_goal) {
            text += svg_rectangle("ring", x - 5, y - 5, width_ + 10, height_ + 10,
                                  node.kind == Kind::open ? 14.0 : 0.0);
        }
        if (node.expansion != 0) text += svg_text("order", x + 6, y + 12, svg_number(node.expansion));
        double baseline = y + order_height + 13;
        const auto& lines = labels_[index];
        for (const std::string& line : lines) {
            text += svg_text("label\" xml:space=\"preserve", middle, baseline, line);
            baseline += line_height;
        }
        text += svg_text("values", middle, y + height_ - 22, Text::f(node)) +
                svg_text("values", middle, y + height_ - 8, Text::g_and_h(node));
        if (node.left_out != 0) {
            text += svg_text("more", x + width_ - 6, y + 12, "+" + svg_number(node.left_out));
        }
        return text + "</g>\n";
    }

    std::string edge(std::size_t parent, std::size_t child, bool is_path) const {
        const double from = x_of(parent) + width_ / 2;
        const double to = x_of(child) + width_ / 2;
        const double top = y_of(parent) + height_;
        const double bottom = y_of(child);
        const std::string half = svg_number((top + bottom) / 2);
        return std::string("<path class=\"") + (is_path ? "path-edge" : "edge") + "\" d=\"M" +
               svg_number(from) + ' ' + svg_number(top) + 'C' + svg_number(from) + ' ' + half + ' ' +
               svg_number(to) + ' ' + half + ' ' + svg_number(to) + ' ' + svg_number(bottom) + "\"/>\n";
    }

    void count_kinds() {
        for (const Node& node : tree_.nodes()) {
            ++counts_[static_cast<std::size_t>(node.kind)];
            path_ += node.is_on_path ? 1 : 0;
        }
    }

    /// The legend: each kind that occurs with its number of nodes, and the path.
    struct Entry {
        Kind kind;
        bool is_path;
        std::string text;
    };

    std::vector<Entry> entries() const {
        std::vector<Entry> entries;
        constexpr std::array<std::string_view, 4> names{"open", "expanded", "duplicate", "dead end"};
        for (const Kind kind : {Kind::expanded, Kind::open, Kind::duplicate, Kind::dead_end}) {
            const auto index = static_cast<std::size_t>(kind);
            if (counts_[index] == 0) continue;
            entries.push_back({kind, false, svg_number(counts_[index]) + ' ' + std::string(names[index])});
        }
        if (path_ != 0) entries.push_back({Kind::expanded, true, "on the path found"});
        return entries;
    }

    static double width_of(const Entry& entry) {
        return 32 + 7.2 * static_cast<double>(entry.text.size()) + 20;
    }

    double legend_width() const {
        double width = 0;
        for (const Entry& entry : entries()) width += width_of(entry);
        return width;
    }

    std::string legend() const {
        std::string text;
        double x = margin;
        const double y = margin + 24;
        for (const Entry& entry : entries()) {
            text += "<g class=\"";
            text.append(Text::name(entry.kind)).append(entry.is_path ? " path\">" : "\">");
            text += shape(entry.kind, x + 2, y + 2, 24, 16, 5) + "</g>" +
                    svg_text("quiet", x + 33, y + 15, entry.text) + '\n';
            x += width_of(entry);
        }
        return text;
    }

    const Tree& tree_;
    std::string title_;
    std::string note_;
    std::vector<std::vector<std::string>> labels_;
    std::vector<TreePlace> places_;
    std::array<std::size_t, 4> counts_{};
    std::size_t path_ = 0;
    double width_ = 0;
    double height_ = 0;
    double top_ = 0;
    double left_ = 0;
    double page_width_ = 0;
    double page_height_ = 0;
};

} // namespace detail

/// Draws a game tree as SVG: each node with its label, f, g, h and its place in the expansion order. Expanded
/// nodes, open nodes, duplicates and dead ends differ in color and outline. The solution path is highlighted.
/// If the tree was cut, the picture says so.
///
/// \param label called with a state; gives the text of its node, of one or more lines
///
/// Errors are left in the state of `out`.
template <class State, class Label = StateLabel>
    requires std::is_invocable_r_v<std::string, const Label&, const State&>
void write_game_tree_svg(std::ostream& out, const GameTree<State>& tree, const GameTreeOptions& options = {},
                         const Label& label = {}) {
    detail::GameTreeSvg<State>(tree, options, label).write(out);
}

} // namespace npuzzle
