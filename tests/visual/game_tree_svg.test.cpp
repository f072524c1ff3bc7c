#include "npuzzle/visual/game_tree_svg.hpp"

#include "support/catch.hpp"
#include "support/game_trees.hpp"
#include "support/visual.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

using test::searched;
using test::svg_of;
using test::Tree;

TEST_CASE("the picture has every node, with its values, its kind and the path", "[game_tree_svg]") {
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

TEST_CASE("nodes do not lie over one another, and parents stand in the middle of their children",
          "[game_tree_svg]") {
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
