#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/kernel/run_divided.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

/// Gives the units from the last to the first.
class Backwards final : public npuzzle::detail::UnitScheduler {
public:
    std::size_t taken = 0;

    void begin(std::size_t units, std::uint64_t /*expansions_left*/) override { left_ = units; }
    std::size_t take() override {
        while (left_ > 0) {
            if (--left_ < end()) {
                ++taken;
                return left_;
            }
        }
        return none;
    }
    bool is_shared() const override { return true; } // else one thread divides nothing

private:
    std::size_t left_ = 0;
};

/// All of the numbers below 30,000, each with three children.
std::vector<int> children(int n) {
    std::vector<int> result;
    for (int child = 3 * n + 1; child <= 3 * n + 3 && child < 30'000; ++child) {
        result.push_back(child);
    }
    return result;
}

} // namespace

TEST_CASE("path and counts do not depend on who searches which unit when", "[parallel_ida_star]") {
    for (const int goal : {5'000, 15'000, 25'000, 29'999, -1}) {
        INFO("goal " << goal);
        const auto is_goal = [goal](int n) { return n == goal; };
        const auto expected = npuzzle::ida_star(0, children, npuzzle::Zero{}, is_goal);
        Backwards units;
        const auto problem = npuzzle::problem_from<int>(children, is_goal);
        npuzzle::Zero zero;
        npuzzle::SilentObserver observer;
        const auto result = npuzzle::detail::run_divided(units, problem, 0, zero,
                                                         {.threads = 1, .least_divided = 100}, {}, observer);
        CHECK(units.taken > 100);
        CHECK(result.status == expected.status);
        CHECK(result.path == expected.path);
        CHECK(result.statistics.expanded == expected.statistics.expanded);
        CHECK(result.statistics.generated == expected.statistics.generated);
    }
}
