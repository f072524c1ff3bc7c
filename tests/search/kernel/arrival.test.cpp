#include <npuzzle/search/core/cost.hpp>
#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/core/observer.hpp>
#include <npuzzle/search/kernel/arrival.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/pooled.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <limits>
#include <string>

namespace {

using npuzzle::detail::Arrival;

using Problem = test::Graph<int>;
using Table = npuzzle::PooledNodeTable<Problem, int>;
using View = npuzzle::NodeView<int, int, int, int>;

struct Log : npuzzle::SilentObserver {
    std::string events;
    void generate(const View& node, const View& parent) {
        events += "generate " + std::to_string(parent.state) + std::to_string(node.state) + "; ";
    }
    void duplicate(const View&) { events += "duplicate; "; }
    void improve(const View&) { events += "improve; "; }
    void reopen(const View&) { events += "reopen; "; }
};

struct Rules : npuzzle::detail::ArrivalRules {
    static constexpr bool is_watched = true;
    Log* log;
    bool reopens = true;
    int bound = 100;
    int made_nodes = 0;
    int duplicates = 0;
    int relaxed_from = -1;
    Arrival opened{};

    explicit Rules(Log& its_log) : log(&its_log) {}

    Log& observer() { return *log; }
    View parent() const {
        static constexpr int state = 9;
        return {state, 0, 0, 0};
    }
    bool may_reopen() const { return reopens; }
    int estimate(const Table::Node& node, bool is_new, int state) const {
        const int infinity = std::numeric_limits<int>::max();
        return !is_new ? node.estimate() : state == 3 ? infinity : state;
    }
    View view(const int& state, int cost, int estimate) const {
        return {state, cost, estimate, npuzzle::detail::saturating_add(cost, estimate)};
    }
    void made(const Table::Node&) { ++made_nodes; }
    void duplicate(const Table::Node&) { ++duplicates; }
    void relaxing(const Table::Node& node, const View&) { relaxed_from = node.cost(); }
    bool is_beyond(const Table::Node&, const View& view) const { return bound < view.priority; }
    void open(const Table::Node&, const View&, Arrival arrival) { opened = arrival; }
};

} // namespace

TEST_CASE("an arrival is new, a duplicate, improved, reopened, a dead end or beyond the bound", "[arrival]") {
    const Problem problem(10);
    npuzzle::MemoryBudget budget(npuzzle::Limits::unlimited);
    Table table(problem, budget);
    npuzzle::Statistics statistics;
    Log log;
    Rules rules(log);
    auto root = table.insert(9).first;
    root.relax(0, 0, Table::root(root));
    const auto arrive = [&](int state, int cost) {
        auto probe = table.probe(int{state});
        log.events.clear();
        return npuzzle::detail::arrive(table, probe, cost, Table::link(root, {}), statistics, rules);
    };

    CHECK(arrive(1, 10) == Arrival::new_node);
    CHECK(rules.opened == Arrival::new_node);
    CHECK(rules.made_nodes == 1);
    CHECK(log.events == "generate 91; ");

    CHECK(arrive(1, 10) == Arrival::duplicate);
    CHECK(rules.duplicates == 1);
    CHECK(log.events == "generate 91; duplicate; ");

    CHECK(arrive(1, 8) == Arrival::improved);
    CHECK(rules.opened == Arrival::improved);
    CHECK(rules.relaxed_from == 10);
    CHECK(log.events == "generate 91; improve; ");

    auto node = *table.find(table.lookup_hint(1), 1);
    CHECK(node.cost() == 8);
    node.close();
    rules.reopens = false;
    CHECK(arrive(1, 7) == Arrival::duplicate);
    rules.reopens = true;
    CHECK(arrive(1, 7) == Arrival::reopened);
    CHECK(log.events == "generate 91; reopen; ");
    CHECK_FALSE(table.find(table.lookup_hint(1), 1)->is_closed());

    CHECK(arrive(3, 1) == Arrival::dead_end);
    CHECK(table.find(table.lookup_hint(3), 3)->is_closed());
    CHECK(arrive(3, 0) == Arrival::duplicate); // No path beats it.

    rules.bound = 5;
    CHECK(arrive(4, 2) == Arrival::beyond_bound);
    CHECK(log.events == "generate 94; ");
    CHECK(table.find(table.lookup_hint(4), 4)->cost() == 2);
    CHECK(arrive(4, 1) == Arrival::improved);

    CHECK(statistics.generated == 9);
    CHECK(statistics.duplicates == 3);
    CHECK(statistics.reopened == 1);
    CHECK(statistics.contract_violations == 0);
}

TEST_CASE("promises are only checked where they were given, and hold", "[arrival]") {
    npuzzle::Statistics statistics;
    npuzzle::detail::check_consistency<true>(3, 3, statistics);
    npuzzle::detail::check_consistency<false>(3, 2, statistics);
    npuzzle::detail::check_consistency<true>(3.0, 2.0, statistics); // sums that round
    npuzzle::detail::check_goal(0, statistics);
    CHECK(statistics.contract_violations == 0);
}
