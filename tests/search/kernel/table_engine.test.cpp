#include <npuzzle/search/core/policy.hpp>
#include <npuzzle/search/kernel/table_engine.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <cstdint>
#include <limits>

namespace {

using Graph = test::Graph<std::int8_t>;
using Values = test::Table<std::int8_t>;
using Parts = npuzzle::PartsFor<Graph, Values>;

/// Opens what it has of its base.
class Bare : public npuzzle::TableEngine<Bare, Graph, const Values&, npuzzle::SilentObserver, Parts> {
    using Base = npuzzle::TableEngine<Bare, Graph, const Values&, npuzzle::SilentObserver, Parts>;
    friend npuzzle::EngineBase<Bare, std::int8_t, npuzzle::SilentObserver>;

public:
    Bare(const Graph& graph, const Values& table, npuzzle::BasicLimits<std::int8_t> limits = {})
        : Base(graph, table, limits, {}, {}) {}

    using Base::exceeds, Base::is_beyond, Base::may_follow, Base::nearest, Base::note_nearest,
        Base::pruned_by_bound_, Base::table_, Base::view_of;

private:
    void advance() { finish(exhausted()); }
};

constexpr std::int8_t most = std::numeric_limits<std::int8_t>::max();

} // namespace

TEST_CASE("a bound excludes what costs more, and what the type cannot hold", "[table_engine]") {
    const Graph graph(3);
    const Values zero{{}};
    Bare unbounded(graph, zero);
    CHECK_FALSE(unbounded.exceeds(100));
    CHECK(unbounded.exceeds(most));
    CHECK(unbounded.is_beyond(100, 100));
    CHECK(unbounded.pruned_by_bound_);
    CHECK(unbounded.run() == npuzzle::Status::cost_overflow);
    Bare bounded(graph, zero, {.max_cost = std::int8_t{7}});
    CHECK_FALSE(bounded.is_beyond(3, 4));
    CHECK_FALSE(bounded.pruned_by_bound_);
    CHECK(bounded.is_beyond(4, 4));
    CHECK(bounded.run() == npuzzle::Status::cost_limit);
}

TEST_CASE("a step that overflows prunes, a wall does not", "[table_engine]") {
    const Graph graph(3);
    const Values zero{{}};
    Bare engine(graph, zero);
    CHECK(engine.may_follow(7, 12));
    CHECK_FALSE(engine.may_follow(most, most));
    CHECK_FALSE(engine.pruned_by_bound_);
    CHECK_FALSE(engine.may_follow(100, most));
    CHECK(engine.pruned_by_bound_);
    CHECK(engine.statistics().generated == 2);
}

TEST_CASE("the node of the least estimate is noted, the first among equals", "[table_engine]") {
    const Graph graph(4);
    const Values zero{{}};
    Bare engine(graph, zero);
    CHECK_FALSE(engine.nearest());
    for (const int state : {0, 1, 2, 3}) {
        auto node = engine.table_.insert(int{state}).first;
        const auto estimate = static_cast<std::int8_t>(state == 0 ? 9 : state == 3 ? 6 : 5);
        node.relax(1, estimate, engine.table_.root(node));
        engine.note_nearest(node.key(), engine.view_of(node.state(), 1, estimate));
    }
    CHECK(engine.nearest()->state() == 1);
    CHECK(engine.statistics().stored == 4);
}
