#include <npuzzle/search/kernel/replanning_key.hpp>

#include "support/catch.hpp"

#include <limits>
#include <vector>

namespace {

using Length = npuzzle::detail::PathLength<int>;
using Entry = npuzzle::detail::ReplanningEntry<int, int>;

// The margin for rounding is small, and no integer has one.
template <class T>
constexpr T margin = npuzzle::detail::rounding_margin<T>;
static_assert(margin<int> == 0);
static_assert(margin<double> > std::numeric_limits<double>::epsilon());
static_assert(margin<double> < 2e-8);
static_assert(margin<float> < 4e-4F);

} // namespace

TEST_CASE("of two paths the cheaper is less, then that of fewer steps, and no path is the most",
          "[replanning]") {
    const std::vector<Length> ascending{{0, 0}, {0, 1}, {3, 0}, {3, 8}, {4, 2}, {}};
    for (auto a = ascending.begin(); a != ascending.end(); ++a) {
        for (auto b = ascending.begin(); b != ascending.end(); ++b) {
            CHECK((*a < *b) == (a < b));
        }
        CHECK(a->exists() == (a + 1 != ascending.end()));
    }
}

TEST_CASE("entries are ordered by f, by cost, and by steps, whatever the node", "[replanning]") {
    const std::vector<Entry> ascending{{1, 5, 5, 9}, {2, 0, 7, 8}, {2, 1, 0, 7}, {2, 1, 3, 6}, {3, 0, 0, 0}};
    for (auto a = ascending.begin(); a != ascending.end(); ++a) {
        for (auto b = ascending.begin(); b != ascending.end(); ++b) {
            CHECK((*a < *b) == (a < b));
        }
    }
    CHECK_FALSE(Entry{1, 2, 3, 4} < Entry{1, 2, 3, 5});
}
