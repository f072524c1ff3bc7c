#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/core/problem.hpp"
#include "npuzzle/visual/game_tree.hpp"

#include "support/catch.hpp"
#include "support/visual.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <ostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using npuzzle::GameTree;
using npuzzle::GameTreeOptions;
using npuzzle::StateLabel;

namespace {

using Tree = GameTree<std::string>;
using Kind = Tree::Kind;

/// Roads between towns: C is first reached by a dear road, then by a cheap one, and X is a dead end.
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

double estimate(const std::string& town) {
    return town == "X" ? std::numeric_limits<double>::infinity() : town == "C" ? 1.25 : 0;
}

Tree searched(std::size_t max_nodes = 200) {
    Tree tree(max_nodes);
    CHECK(npuzzle::astar(Roads{}, "A", estimate, {}, tree).cost == 4.25);
    return tree;
}

/// "D 6: duplicate", and whether it is on the path.
std::vector<std::string> summary(const Tree& tree) {
    constexpr std::array<const char*, 4> kinds{"open", "expanded", "duplicate", "dead end"};
    std::vector<std::string> lines;
    for (const Tree::Node& node : tree.nodes()) {
        std::string line = node.parent == Tree::none ? "" : tree.nodes()[node.parent].state + " > ";
        line += node.state + ' ' + node.f + '=' + node.g + '+' + node.h + ' ' +
                kinds[static_cast<std::size_t>(node.kind)];
        if (node.expansion != 0) line += ' ' + std::to_string(node.expansion);
        if (node.is_on_path) line += " path";
        if (node.is_goal) line += " goal";
        lines.push_back(line);
    }
    return lines;
}

std::string svg_of(const Tree& tree, const GameTreeOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_game_tree_svg(out, tree, options);
    CHECK(out.good());
    return out.str();
}

std::string dot_of(const Tree& tree, const GameTreeOptions& options = {}) {
    std::ostringstream out;
    npuzzle::write_game_tree_dot(out, tree, options);
    CHECK(out.good());
    return out.str();
}

struct View {
    const std::string& state;
    int cost, estimate, priority;
};

struct SidedView {
    const std::string& state;
    int cost, estimate, priority;
    int direction;
};

} // namespace

TEST_CASE("each node that is generated is in the tree, with what became of it") {
    CHECK(summary(searched()) == std::vector<std::string>{
                                     "A 0=0+0 expanded 1 path",
                                     "A > B 1=1+0 expanded 2 path",
                                     "A > C 2.75=1.5+1.25 duplicate", // improved by way of B
                                     "A > D 7.25=7.25+0 duplicate",
                                     "B > D 6=6+0 duplicate",
                                     "B > C 2.5=1.25+1.25 expanded 3 path",
                                     "B > X ∞=2+∞ dead end",
                                     "C > D 3.75=3.75+0 duplicate",
                                     "C > A 2.25=2.25+0 duplicate",
                                     "C > E 2.25=2.25+0 expanded 4 path",
                                     "E > D 3.25=3.25+0 expanded 5 path",
                                     "D > G 4.25=4.25+0 open path goal",
                                 });
    CHECK(searched().left_out() == 0);
}

TEST_CASE("a node that was expanded and then reopened stays expanded, and its new place goes on") {
    const std::string start = "s";
    const std::string state = "x";
    const std::string child = "y";
    Tree tree;
    tree.start(View{start, 0, 0, 0});
    tree.expand(View{start, 0, 0, 0});
    tree.generate(View{state, 5, 0, 5}, View{start, 0, 0, 0});
    tree.expand(View{state, 5, 0, 5});
    tree.generate(View{state, 3, 0, 3}, View{start, 0, 0, 0});
    tree.reopen(View{state, 3, 0, 3});
    tree.expand(View{state, 3, 0, 3});
    tree.generate(View{child, 4, 0, 4}, View{state, 3, 0, 3});
    CHECK(summary(tree) == std::vector<std::string>{"s 0=0+0 expanded 1", "s > x 5=5+0 expanded 2",
                                                    "s > x 3=3+0 expanded 3", "x > y 4=4+0 open"});
    CHECK(tree.nodes()[3].parent == 2);
}

TEST_CASE("a search from both ends gives two trees, and a path through both") {
    const std::string left = "l";
    const std::string middle = "m";
    const std::string right = "r";
    Tree tree;
    tree.start(SidedView{left, 0, 0, 0, 0});
    tree.start(SidedView{right, 0, 0, 0, 1});
    tree.generate(SidedView{middle, 1, 0, 1, 0}, SidedView{left, 0, 0, 0, 0});
    tree.generate(SidedView{middle, 2, 0, 2, 1}, SidedView{right, 0, 0, 0, 1});
    tree.goal(SidedView{middle, 3, 0, 3, 0});
    CHECK(summary(tree) == std::vector<std::string>{"l 0=0+0 open path", "r 0=0+0 open path",
                                                    "l > m 1=1+0 open path goal", "r > m 2=2+0 open path"});
}

TEST_CASE("a tree that is cut counts on, and says so") {
    const std::size_t whole = searched().nodes().size();
    for (std::size_t room = 0; room < whole; ++room) {
        CAPTURE(room);
        const Tree tree = searched(room);
        CHECK(tree.nodes().size() == room);
        CHECK(tree.left_out() == whole - room);
        // What is there is what is there without a cut, but for what the cut hides.
        const std::vector<std::string> all = summary(searched());
        const std::vector<std::string> part = summary(tree);
        for (std::size_t i = 0; i < room; ++i)
            CHECK(part[i].substr(0, part[i].find('=')) == all[i].substr(0, all[i].find('=')));
        std::size_t at_parents = 0;
        for (const Tree::Node& node : tree.nodes()) at_parents += node.left_out;
        CHECK(at_parents <= whole - room);
        const std::string note = "Cut after " + std::to_string(room) +
                                 " nodes: " + std::to_string(whole - room) + " more were generated";
        CHECK(count_of(note, svg_of(tree)) == 1);
        CHECK(count_of(note, dot_of(tree)) == 1);
        CHECK(count_of("nor is a goal", svg_of(tree)) == 1);
        CHECK(is_well_formed(svg_of(tree)));
    }
    CHECK(count_of("Cut after", svg_of(searched())) == 0);
    const Tree tree = searched(4); // B is there, and two of its neighbours are not
    CHECK(tree.nodes()[1].left_out == 3);
    CHECK(count_of(">+3</text>", svg_of(tree)) == 1);
    CHECK(count_of("\\n+3 not drawn\"", dot_of(tree)) == 1);
}

TEST_CASE("the picture has every node, with its values, its kind and the path") {
    const Tree tree = searched();
    const std::string svg = svg_of(tree);
    CHECK(is_well_formed(svg));
    CHECK(count_of("class=\"label\"", svg) == 12);
    CHECK(count_of("<g class=\"expanded", svg) == 5 + 1 + 1); // and two in the legend
    CHECK(count_of("<g class=\"open", svg) == 1 + 1);
    CHECK(count_of("<g class=\"duplicate\">", svg) == 5 + 1);
    CHECK(count_of("<g class=\"dead\">", svg) == 1 + 1);
    CHECK(count_of(" path\">", svg) == 6 + 1);
    CHECK(count_of("class=\"ring\"", svg) == 1);
    CHECK(count_of("class=\"edge\"", svg) + count_of("class=\"path-edge\"", svg) == 11);
    CHECK(count_of("class=\"path-edge\"", svg) == 5);
    CHECK(count_of(">f 2.75</text>", svg) == 1);
    CHECK(count_of(">g 1.5 h 1.25</text>", svg) == 1);
    CHECK(count_of(">g 2 h ∞</text>", svg) == 1);
    for (const char* entry :
         {">5 expanded<", ">1 open<", ">5 duplicate<", ">1 dead end<", ">on the path found<"})
        CHECK(count_of(entry, svg) == 1);
    CHECK(count_of("prefers-color-scheme: dark", svg) == 1);
    CHECK(count_of("<title>A search tree of 12 nodes</title>", svg) == 1);
    CHECK(count_of("1 &lt; 2", svg_of(tree, {.title = "1 < 2"})) == 3); // the heading, too
}

TEST_CASE("the graph for Graphviz has every node and edge") {
    const std::string dot = dot_of(searched(), {.title = "a \"b\" \\"});
    CHECK(count_of("label=\"a \\\"b\\\" \\\\\"", dot) == 1);
    CHECK(count_of(" -> ", dot) == 11);
    CHECK(count_of("shape=box, style=filled", dot) == 5);
    CHECK(count_of("shape=box, style=\"rounded,filled\"", dot) == 1);
    CHECK(count_of("shape=octagon, style=\"dashed,filled\"", dot) == 5);
    CHECK(count_of("shape=octagon, style=filled", dot) == 1);
    CHECK(count_of("peripheries=2", dot) == 1);
    CHECK(count_of("n1 [label=\"2.\\nB\\nf 1\\ng 1 h 0\", ", dot) == 1);
    CHECK(count_of("n5 -> n9 [penwidth=3", dot) == 1);
    CHECK(count_of("\"", dot) % 2 == 0);
}

TEST_CASE("labels are the caller's, in as many lines as they like") {
    std::ostringstream svg;
    npuzzle::write_game_tree_svg(svg, searched(), {},
                                 [](const std::string& town) { return town + "\n<&>\n  third"; });
    CHECK(count_of("class=\"label\"", svg.str()) == 36);
    CHECK(count_of(">&lt;&amp;&gt;</text>", svg.str()) == 12);
    CHECK(count_of(">  third</text>", svg.str()) == 12);
    CHECK(is_well_formed(svg.str()));
    std::ostringstream dot;
    npuzzle::write_game_tree_dot(dot, searched(), {},
                                 [](const std::string& town) { return town + "\n\"\\"; });
    CHECK(count_of("A\\n\\\"\\\\\\nf ", dot.str()) == 2);
}

TEST_CASE("a board is labelled as a grid, other states as they are written") {
    CHECK(StateLabel{}(npuzzle::Board{{0, 1, 3}, {4, 2, 5}, {7, 8, 6}}) == "· 1 3\n4 2 5\n7 8 6");
    CHECK(StateLabel{}(npuzzle::PackedBoard<2>({1, 2, 3, 0})) == "1 2\n3 ·");
    CHECK(StateLabel{}(npuzzle::goal_blank_last(4)) == " 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14 15  ·");
    CHECK(StateLabel{}(1234567) == "1234567");
    CHECK(StateLabel{}(0.5) == "0.5");
    CHECK(StateLabel{}("town") == "town");
}

TEST_CASE("nodes do not lie over one another, and parents stand in the middle of their children") {
    std::mt19937_64 random(6);
    for (const std::size_t count : {1U, 2U, 7U, 30U, 200U}) {
        for (std::size_t round = 0; round < 20; ++round) {
            std::vector<std::size_t> parents{static_cast<std::size_t>(-1)};
            while (parents.size() < count) {
                // Now deep trees, now broad ones, now several.
                const std::size_t newest = parents.size() - 1;
                const std::size_t choice = random() % (2 + round);
                parents.push_back(choice == 0                     ? newest
                                  : choice == 1 && round % 3 == 0 ? static_cast<std::size_t>(-1)
                                                                  : random() % (newest + 1));
            }
            const auto places = npuzzle::detail::tidy_tree(parents);
            REQUIRE(places.size() == count);
            std::size_t faults = 0;
            double least = places[0].x;
            std::map<std::size_t, std::vector<std::size_t>> children;
            for (std::size_t i = 0; i < count; ++i) {
                least = std::min(least, places[i].x);
                for (std::size_t j = 0; j < i; ++j) {
                    if (places[i].depth == places[j].depth && std::abs(places[i].x - places[j].x) < 1)
                        ++faults;
                }
                if (parents[i] < i) {
                    children[parents[i]].push_back(i);
                    if (places[i].depth != places[parents[i]].depth + 1) ++faults;
                } else if (places[i].depth != 0) {
                    ++faults;
                }
            }
            for (const auto& [parent, of_parent] : children) {
                const double middle = (places[of_parent.front()].x + places[of_parent.back()].x) / 2;
                if (std::abs(places[parent].x - middle) > 1e-9) ++faults;
                for (std::size_t i = 1; i < of_parent.size(); ++i)
                    if (places[of_parent[i]].x <= places[of_parent[i - 1]].x) ++faults;
            }
            CHECK(faults == 0);
            CHECK(least == 0);
        }
    }
    // As narrow as can be: 7 nodes in three full layers take 4 places.
    const auto full = npuzzle::detail::tidy_tree({99, 0, 0, 1, 1, 2, 2});
    CHECK(full[6].x == 3);
    CHECK(full[0].x == 1.5);
    CHECK(npuzzle::detail::tidy_tree({}).empty());
}

TEST_CASE("the stream's locale makes no difference") {
    std::ostringstream svg;
    svg.imbue(grouping_locale());
    npuzzle::write_game_tree_svg(svg, searched());
    CHECK(svg.str() == svg_of(searched()));
    std::ostringstream dot;
    dot.imbue(grouping_locale());
    npuzzle::write_game_tree_dot(dot, searched());
    CHECK(dot.str() == dot_of(searched()));
}

TEST_CASE("a stream that takes no more is left bad") {
    const Tree tree = searched();
    CHECK(is_bad_when_full([&](std::ostream& out) { npuzzle::write_game_tree_svg(out, tree); },
                           svg_of(tree).size()));
    CHECK(is_bad_when_full([&](std::ostream& out) { npuzzle::write_game_tree_dot(out, tree); },
                           dot_of(tree).size()));
}
