#include <npuzzle/search/kernel/bidirectional_queues.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::BaeStarOrder;
using npuzzle::detail::MeetInTheMiddleOrder;
using npuzzle::detail::OrderedQueue;
using npuzzle::detail::PairedQueue;
using npuzzle::detail::Rank;
using npuzzle::detail::rank_of;
using npuzzle::detail::saturating_subtract;
using Wide = std::int64_t;

constexpr Wide epsilon = 2;

/// The nodes that are in a queue, by their keys.
struct Nodes {
    std::map<std::uint32_t, Rank<Wide>> ranks;

    template <class F>
    Wide least(F&& value) const {
        Wide least = std::numeric_limits<Wide>::max();
        for (const auto& [key, rank] : ranks) {
            least = std::min(least, value(rank));
        }
        return least;
    }
};

Rank<Wide> any_rank(test::Random& random) {
    return rank_of<Wide>(random.between(0, 30), random.between(0, 30), random.between(0, 30));
}

} // namespace

TEST_CASE("MM takes the least max(f, 2g + epsilon), and knows the least f and g", "[bidirectional_queues]") {
    const auto value = [](const Rank<Wide>& rank) {
        return std::max(rank.priority, 2 * rank.cost + epsilon);
    };
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        test::Random random(seed);
        MemoryBudget budget;
        OrderedQueue<MeetInTheMiddleOrder, Wide, int, std::uint32_t, true> queue(budget, epsilon);
        Nodes nodes;
        for (std::uint32_t key = 0; key < 500; ++key) {
            if (nodes.ranks.empty() || !random.one_in(3)) {
                const Rank<Wide> rank = any_rank(random);
                queue.push(rank, static_cast<int>(rank.cost), key);
                nodes.ranks.emplace(key, rank);
            } else {
                REQUIRE(queue.first() == nodes.least(value));
                REQUIRE(queue.least_cost() == nodes.least([](const auto& rank) { return rank.cost; }));
                REQUIRE(queue.least_priority() ==
                        nodes.least([](const auto& rank) { return rank.priority; }));
                decltype(queue)::Entry entry{};
                REQUIRE(queue.take(&entry, 1) == 1);
                const Rank<Wide> rank = nodes.ranks.at(entry.key);
                CHECK(value(rank) == nodes.least(value));
                CHECK(queue.is_of(entry, rank));
                CHECK_FALSE(queue.is_of(entry, {rank.cost, rank.priority + 100, 0}));
                queue.forget(rank);
                nodes.ranks.erase(entry.key);
            }
            REQUIRE(queue.empty() == nodes.ranks.empty());
        }
    }
}

TEST_CASE("BAE* takes the least f + g - h'", "[bidirectional_queues]") {
    test::Random random(1);
    MemoryBudget budget;
    OrderedQueue<BaeStarOrder, Wide, int, std::uint32_t, true> queue(budget, epsilon);
    std::vector<Wide> expected;
    for (std::uint32_t key = 0; key < 500; ++key) {
        const Rank<Wide> rank = any_rank(random);
        expected.push_back(rank.priority + rank.cost - rank.opposite);
        queue.push(rank, static_cast<int>(rank.cost), key);
    }
    std::sort(expected.begin(), expected.end());
    for (const Wide priority : expected) {
        decltype(queue)::Entry entry{};
        REQUIRE(queue.first() == priority);
        REQUIRE(queue.take(&entry, 1) == 1);
        CHECK(entry.priority == priority);
    }
    CHECK(queue.empty());
}

TEST_CASE("NBS has ready what is below the bound, by g, and admits of what is at the bound",
          "[bidirectional_queues]") {
    test::Random random(2);
    MemoryBudget budget;
    PairedQueue<Wide, int, std::uint32_t, true> queue(budget, epsilon);
    std::multimap<Wide, Wide> costs; // of what is left, by f
    for (std::uint32_t key = 0; key < 500; ++key) {
        const Rank<Wide> rank = any_rank(random);
        costs.emplace(rank.priority, rank.cost);
        queue.push(rank, static_cast<int>(rank.cost), key);
    }
    const auto take = [&] {
        decltype(queue)::Entry entry{};
        REQUIRE(queue.take(&entry, 1) == 1);
        return static_cast<Wide>(entry.cost);
    };
    CHECK_FALSE(queue.has_ready());
    for (Wide bound = 1; bound <= 61; ++bound) {
        queue.set_bound(bound);
        std::vector<Wide> expected;
        for (auto place = costs.begin(); place != costs.end() && place->first < bound;
             place = costs.erase(place)) {
            expected.push_back(place->second);
        }
        std::sort(expected.begin(), expected.end());
        for (const Wide cost : expected) {
            REQUIRE(queue.has_ready());
            REQUIRE(queue.least_ready() == cost);
            REQUIRE(take() == cost);
        }
        REQUIRE_FALSE(queue.has_ready());
        REQUIRE(queue.has_waiting() == !costs.empty());
        // One of those at the bound: of the greatest g.
        const auto [first, last] = costs.equal_range(bound);
        REQUIRE(queue.admit(1) == (first != last));
        if (first != last) {
            const auto greatest = std::max_element(
                first, last, [](const auto& a, const auto& b) { return a.second < b.second; });
            REQUIRE(take() == greatest->second);
            costs.erase(greatest);
        }
    }
    CHECK(queue.empty());
}

TEMPLATE_TEST_CASE("a queue that is cleared is as good as new", "[bidirectional_queues]",
                   (OrderedQueue<MeetInTheMiddleOrder, Wide, int, std::uint32_t, true>),
                   (OrderedQueue<BaeStarOrder, Wide, int, std::uint32_t, true>),
                   (PairedQueue<Wide, int, std::uint32_t, true>)) {
    MemoryBudget budget;
    TestType queue(budget, epsilon);
    queue.push({0, 3, 0}, 0, 1);
    queue.push({2, 3, 0}, 2, 2);
    constexpr bool is_paired = requires { queue.set_bound(4); };
    if constexpr (is_paired) {
        queue.set_bound(4);
        queue.push({5, 6, 0}, 5, 3);
    }
    queue.clear();
    CHECK(queue.empty());
    CHECK(queue.size() == 0);
    queue.push({1, 2, 0}, 1, 4);
    CHECK(queue.size() == 1);
    if constexpr (is_paired) {
        CHECK_FALSE(queue.has_ready());
        CHECK(queue.least_waiting() == 2);
    } else {
        CHECK(queue.first() == queue.priority({1, 2, 0}));
    }
    if constexpr (TestType::counts_nodes) {
        CHECK(queue.least_cost() == 1);
        CHECK(queue.least_priority() == 2);
    }
}

TEST_CASE("differences do not wrap", "[bidirectional_queues]") {
    constexpr Wide most = std::numeric_limits<Wide>::max();
    CHECK(saturating_subtract<Wide>(5, 7) == -2);
    CHECK(saturating_subtract<Wide>(most, -1) == most);
    CHECK(saturating_subtract<Wide>(-most, most) == std::numeric_limits<Wide>::lowest());
    CHECK(saturating_subtract(1.5, 2.0) == -0.5);
}
