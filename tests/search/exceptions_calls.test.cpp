#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/for_each_reachable.hpp>
#include <npuzzle/search/frontier.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include "support/catch.hpp"
#include "support/family.hpp"
#include "support/fuse.hpp"

#include <cstdint>
#include <string>

// What the caller's code throws passes through the functions of the family; lack of memory is a status.

namespace {

using npuzzle::Status;
using test::Call;
using test::fuse;

/// Calls `searches(check)`, which calls `check(member, result)` for each of them, and lets each call of a
/// kind fail.
template <class Searches>
std::uint64_t fail_each(Call call, Searches searches) {
    for (const bool is_out_of_memory : {false, true}) {
        for (std::uint64_t number = 1;; ++number) {
            std::uint64_t limited = 0;
            std::string fault;
            bool has_thrown = false;
            fuse.arm(call, number, is_out_of_memory);
            try {
                searches([&](const std::string& name, Status status) {
                    if (status == Status::memory_limit) {
                        ++limited;
                    } else if (status != Status::solved) {
                        fault += name + " ended as " + std::string(to_string(status)) + ". ";
                    }
                });
            } catch (const test::Blown&) {
                has_thrown = true;
            }
            fuse.disarm();
            CAPTURE(static_cast<int>(call), number, is_out_of_memory, fault);
            if (!fault.empty() || has_thrown != (fuse.has_blown && !is_out_of_memory) ||
                limited != (fuse.has_blown && is_out_of_memory ? 1 : 0)) {
                FAIL("an exception did not pass through, or lack of memory did");
            }
            if (!fuse.has_blown) {
                if (is_out_of_memory) {
                    return number - 1;
                }
                break;
            }
        }
    }
    return 0;
}

} // namespace

TEST_CASE("an exception passes through every search", "[exceptions]") {
    const test::WalkedCircle<test::Circle<false>> circle;
    const test::FragileHeuristic heuristic{test::estimates_to<test::Circle<false>>(circle.goal_number, true)};
    const test::FragileHeuristic backward{test::estimates_to<test::Circle<false>>(circle.start, true)};
    test::FragileObserver observer;
    const auto searches = [&](auto&& tell) {
        const auto check = [&](const test::Member& member, const auto& result) {
            tell(member.name, result.status);
        };
        const auto limits = test::fragile_limits();
        test::with_each_graph_search(circle, circle.start, heuristic, true, limits, observer, check);
        test::with_k_shortest_paths(circle, circle.start, heuristic, limits, observer, check);
        test::with_breadth_first(circle, circle.start, limits, observer, check);
        test::with_each_tree_search(circle, circle.start, heuristic, limits, observer, check);
        tell(
            "bidirectional A*",
            npuzzle::bidirectional_astar(circle, circle.start, heuristic, backward, limits, observer).status);
        tell("bidirectional breadth-first",
             npuzzle::bidirectional_breadth_first(circle, circle.start, limits, observer).status);
        tell("frontier search", npuzzle::frontier_search(circle, circle.start, limits, observer).status);
        const auto visit = [&](const test::Fragile&, int) { fuse.burn(Call::observer); };
        tell("every state", npuzzle::for_each_reachable(circle, circle.start, visit, limits).status);
        tell("a tree of paths", npuzzle::shortest_path_tree(circle, circle.start, limits).status());
    };
    for (const Call call : {Call::neighbors, Call::heuristic, Call::observer, Call::stop}) {
        CHECK(fail_each(call, searches) > 20);
    }
}
