#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/visual/detail/svg.hpp"
#include "npuzzle/visual/detail/tidy_tree.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <locale>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The tree that a search grows, as a picture: SVG, or a graph for Graphviz.

namespace npuzzle {

namespace detail {

/// A number or any other value that can be written, without a locale; what is infinite is ∞.
template <class T>
[[nodiscard]] std::string text_of(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        if (is_infinite(value)) return "∞";
        if constexpr (std::integral<T>) {
            return svg_number(value);
        } else {
            return svg_number(static_cast<double>(value));
        }
    } else {
        std::ostringstream out;
        out.imbue(std::locale::classic());
        out << value;
        return out.str();
    }
}

} // namespace detail

/// What is written on a node if nothing else is asked for: a board as a grid with a dot for the blank, any other state as
/// it is written to a stream.
struct StateLabel {
    template <class State>
    [[nodiscard]] std::string operator()(const State& state) const {
        if constexpr (std::convertible_to<const State&, std::string_view>) {
            return std::string(std::string_view(state));
        } else if constexpr (requires {
                                 state.size();
                                 state.cells();
                                 state.tile(state.cells());
                             }) {
            const std::size_t width = std::to_string(state.cells() - 1).size();
            std::string text;
            for (decltype(state.cells()) cell = 0; cell < state.cells(); ++cell) {
                const int tile = state.tile(cell);
                const std::string digits = tile == 0 ? std::string() : std::to_string(tile);
                const std::size_t length = tile == 0 ? 1 : digits.size();
                if (cell != 0) text += cell % state.size() == 0 ? '\n' : ' ';
                text.append(width - length, ' ').append(tile == 0 ? "·" : digits);
            }
            return text;
        } else {
            return detail::text_of(state);
        }
    }
};

/// An observer that records the tree which a best-first search grows:
/// \code
/// GameTree<SlidingPuzzle<3>::State> tree;
/// astar(puzzle, start, Manhattan{}, {}, tree);
/// write_game_tree_svg(file, tree);
/// \endcode
/// Any problem whose states can be compared; a search from both ends gives two trees. It is made for small searches: after
/// so many nodes it counts only, and each event takes time linear in the number of nodes it has.
///
/// \tparam State `state_t<P>` of the problem
template <std::equality_comparable State>
class GameTree : public SilentObserver {
public:
    /// What became of a node. A node whose state was then reached more cheaply is a duplicate, too.
    enum class Kind : std::uint8_t { open, expanded, duplicate, dead_end };

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct Node {
        State state;
        std::string f, g, h;       ///< written out
        std::size_t parent = none; ///< its index in `nodes()`, less than the node's own; `none` at a start
        Kind kind = Kind::open;
        bool is_goal = false;
        bool is_on_path = false;
        std::size_t expansion = 0; ///< from 1: it was expanded as the how-manieth; 0 if it was not
        std::size_t left_out = 0;  ///< neighbours that there was no room for
    };

    /// \param max_nodes after so many, nodes are counted and no longer recorded
    explicit GameTree(std::size_t max_nodes = 200) : max_nodes_(max_nodes) {}

    /// In the order in which they were generated.
    const std::vector<Node>& nodes() const { return nodes_; }
    /// How many were generated and not recorded.
    std::size_t left_out() const { return left_out_; }

    void start(const auto& node) {
        add(node, none);
        is_latest_.resize(nodes_.size(), true);
    }

    void generate(const auto& node, const auto& parent) {
        const std::size_t from = find(parent);
        const std::size_t count = nodes_.size();
        add(node, from);
        has_added_ = nodes_.size() > count;
        // Not before `duplicate`, `improve` and `reopen` had their say is it the one that stands for its state.
        is_latest_.resize(nodes_.size(), true);
        if (has_added_ && detail::is_infinite(node.estimate)) nodes_.back().kind = Kind::dead_end;
        if (!has_added_ && from != none) ++nodes_[from].left_out;
    }

    void duplicate(const auto& /*node*/) {
        if (!has_added_) return;
        is_latest_.back() = false;
        if (nodes_.back().kind == Kind::open) nodes_.back().kind = Kind::duplicate;
    }

    void improve(const auto& node) { supersede(node); }
    void reopen(const auto& node) { supersede(node); }

    void expand(const auto& node) {
        ++expansions_;
        if (const std::size_t index = find(node); index != none) {
            nodes_[index].kind = Kind::expanded;
            nodes_[index].expansion = expansions_;
        }
    }

    void goal(const auto& node) {
        // In a search from both ends this is where they met: the path comes from either side.
        for (std::size_t index = nodes_.size(); index-- > 0;) {
            if (!is_latest_[index] || !(nodes_[index].state == node.state)) continue;
            if (sides_[index] == side_of(node)) nodes_[index].is_goal = true;
            for (std::size_t at = index; at != none && !nodes_[at].is_on_path; at = nodes_[at].parent) {
                nodes_[at].is_on_path = true;
            }
        }
    }

private:
    template <class N>
    static std::uint8_t side_of(const N& node) {
        if constexpr (requires { node.direction; }) {
            return static_cast<std::uint8_t>(node.direction);
        } else {
            return 0;
        }
    }

    void add(const auto& node, std::size_t parent) {
        if (nodes_.size() >= max_nodes_) {
            ++left_out_;
            return;
        }
        Node added{node.state, detail::text_of(node.priority), detail::text_of(node.cost),
                   detail::text_of(node.estimate)};
        added.parent = parent;
        nodes_.push_back(std::move(added));
        sides_.push_back(side_of(node));
    }

    /// The node that stands for a state: the last that was generated and not dropped.
    std::size_t find(const auto& node, std::size_t before = none) const {
        for (std::size_t index = std::min(before, nodes_.size()); index-- > 0;) {
            if (is_latest_[index] && sides_[index] == side_of(node) && nodes_[index].state == node.state) {
                return index;
            }
        }
        return none;
    }

    /// The node that stood for the state until now was expanded or not; what stands for it now is the last one.
    void supersede(const auto& node) {
        const std::size_t index = find(node, has_added_ ? nodes_.size() - 1 : none);
        if (index == none) return;
        is_latest_[index] = false;
        if (nodes_[index].kind == Kind::open) nodes_[index].kind = Kind::duplicate;
    }

    std::size_t max_nodes_;
    std::vector<Node> nodes_;
    std::vector<std::uint8_t> sides_;
    std::vector<bool> is_latest_;
    std::size_t left_out_ = 0;
    std::size_t expansions_ = 0;
    bool has_added_ = false;
};

/// What the writers of a game tree may be told.
struct GameTreeOptions {
    /// The heading; if empty, how many nodes were generated.
    std::string title = {};
};

namespace detail {

/// What is written on a node and around the tree, the same in SVG and for Graphviz.
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

    /// Nothing if the whole tree is there.
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

/// As it may stand in quotes in a file for Graphviz.
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

/// Draws a game tree. All nodes are of one size, that of the largest label.
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
            lines = std::max(lines, labels_.back().size());
            for (const std::string& line : labels_.back()) columns = std::max(columns, length_of(line));
            value_columns =
                std::max(value_columns, std::max(length_of(Text::f(node)), length_of(Text::g_and_h(node))));
        }
        // The advance of a monospaced character is 0.6 of the size of its type.
        width_ = 16 + std::max(8.5 * static_cast<double>(columns), 6.7 * static_cast<double>(value_columns));
        height_ = order_height + line_height * static_cast<double>(lines) + values_height + 8;
        places_ = tidy_tree(parents);
        count_kinds();
        top_ = margin + 24 + 26 + (note_.empty() ? 0 : 22) + 8;
        double across = 0;
        double deepest = 0;
        for (const TreePlace& place : places_) {
            across = std::max(across, place.x);
            deepest = std::max(deepest, static_cast<double>(place.depth));
        }
        const double tree_width = places_.empty() ? 0 : across * (width_ + between) + width_;
        const double texts = std::max({legend_width(), 9.0 * static_cast<double>(length_of(title_)),
                                       7.6 * static_cast<double>(length_of(note_))});
        page_width_ = std::max(tree_width, texts) + 2 * margin;
        left_ = (page_width_ - tree_width) / 2;
        page_height_ = top_ + (places_.empty() ? 0 : deepest * (height_ + below) + height_) + margin;
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

    /// Kinds are told apart by their outlines, too: corners sharp, round or cut.
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

    /// What stands in the legend: kinds that there are, each with their number, and the path.
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

/// Draws a game tree as SVG: each node with its label, f, g and h, and the number of its expansion. What was expanded, what
/// is still open, duplicates and dead ends are told apart by colour and outline; the path found stands out. If the tree was
/// cut, the picture says so.
///
/// \param label called with a state: what to write on its node, in as many lines as it likes
///
/// Errors are left in the state of `out`.
template <class State, class Label = StateLabel>
    requires std::is_invocable_r_v<std::string, const Label&, const State&>
void write_game_tree_svg(std::ostream& out, const GameTree<State>& tree, const GameTreeOptions& options = {},
                         const Label& label = {}) {
    detail::GameTreeSvg<State>(tree, options, label).write(out);
}

/// The same as a graph for Graphviz: `dot -Tsvg`.
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
