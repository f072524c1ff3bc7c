#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/packed_board.hpp"
#include "npuzzle/visual/game_tree.hpp"
#include "npuzzle/visual/game_tree_dot.hpp"
#include "npuzzle/visual/game_tree_svg.hpp"

#include "support/catch.hpp"
#include "support/game_trees.hpp"
#include "support/visual.hpp"

#include <array>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

using npuzzle::StateLabel;
using test::dot_of;
using test::searched;
using test::svg_of;
using test::Tree;

namespace {

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

TEST_CASE("each node that is generated is in the tree, with what became of it", "[game_tree]") {
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

TEST_CASE("a node that was expanded and then reopened stays expanded, and its new place goes on",
          "[game_tree]") {
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

TEST_CASE("a search from both ends gives two trees, and a path through both", "[game_tree]") {
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

TEST_CASE("a tree that is cut counts on, and says so", "[game_tree]") {
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
    const Tree tree = searched(4); // B is there, and two of its neighbors are not
    CHECK(tree.nodes()[1].left_out == 3);
    CHECK(count_of(">+3</text>", svg_of(tree)) == 1);
    CHECK(count_of("\\n+3 not drawn\"", dot_of(tree)) == 1);
}

TEST_CASE("labels are the caller's, in as many lines as they like", "[game_tree]") {
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

TEST_CASE("a board is labelled as a grid, other states as they are written", "[game_tree]") {
    CHECK(StateLabel{}(npuzzle::Board{{0, 1, 3}, {4, 2, 5}, {7, 8, 6}}) == "· 1 3\n4 2 5\n7 8 6");
    CHECK(StateLabel{}(npuzzle::PackedBoard<2>({1, 2, 3, 0})) == "1 2\n3 ·");
    CHECK(StateLabel{}(npuzzle::goal_blank_last(4)) == " 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14 15  ·");
    CHECK(StateLabel{}(1234567) == "1234567");
    CHECK(StateLabel{}(0.5) == "0.5");
    CHECK(StateLabel{}("town") == "town");
}
