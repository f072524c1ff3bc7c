#include "npuzzle/visual/game_tree_dot.hpp"

#include "support/catch.hpp"
#include "support/game_trees.hpp"
#include "support/visual.hpp"

#include <string>

using test::dot_of;
using test::searched;

TEST_CASE("the graph for Graphviz has every node and edge", "[game_tree_dot]") {
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
