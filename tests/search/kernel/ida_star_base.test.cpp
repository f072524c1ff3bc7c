#include <npuzzle/search/kernel/ida_star_base.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <new>
#include <vector>

// The engines of IDA* are in tests of their own.

namespace {

using npuzzle::BasicLimits;
using npuzzle::SilentObserver;
using npuzzle::Status;
using npuzzle::Zero;
using Problem = test::Flips;

/// Raises the bound by one in each iteration, and finds the moves 2 and 3 under a bound of 2.
class Raising : public npuzzle::detail::IdaStarBase<Raising, Problem, Zero, SilentObserver> {
    using Base = npuzzle::detail::IdaStarBase<Raising, Problem, Zero, SilentObserver>;
    friend Base;
    friend npuzzle::EngineBase<Raising, int, SilentObserver>;

public:
    std::vector<int> bounds;
    bool has_no_memory = false;
    bool has_no_next = false;

    Raising(const Problem& problem, State start, const BasicLimits<int>& limits = {})
        : Base(problem, std::move(start), Zero{}, limits, SilentObserver{}) {
        guarded([&] { begin(); });
    }

private:
    void deepen(int bound) {
        bounds.push_back(bound);
        if (has_no_memory) {
            throw std::bad_alloc();
        }
        if (bound == 2) {
            moves_ = {Move{2}, Move{3}};
            cost_ = 2;
            finish(Status::solved);
            return;
        }
        proved_ = bound + 1;
        next_bound_ = proved_;
        if (has_no_next) {
            next_bound_.reset();
        }
    }
};

} // namespace

TEST_CASE("iterations follow one another up to the goal", "[ida_star]") {
    const Problem problem;
    const auto start = test::Pancakes::sorted(5);
    Raising engine(problem, start);
    CHECK(engine.bound() == 0);
    CHECK(engine.step());
    CHECK(engine.result().moves.empty());
    CHECK(engine.run() == Status::solved);
    CHECK(engine.bounds == std::vector{0, 1, 2});
    const auto result = engine.result();
    CHECK(result.cost == 2);
    REQUIRE(result.path.size() == 3);
    CHECK(result.path.front() == start);
    auto walked = start;
    for (std::size_t i = 0; i < 2; ++i) {
        problem.apply(walked, result.moves[i]);
        CHECK(result.path[i + 1] == walked);
    }
    CHECK(engine.result_without_path().path.empty());
    CHECK(engine.result_without_path().moves == result.moves);
}

TEST_CASE("iterations end by a bound on the cost, for want of memory or of a bound", "[ida_star]") {
    const Problem problem;
    Raising bounded(problem, test::Pancakes::sorted(5), {.max_cost = 1});
    CHECK(bounded.run() == Status::cost_limit);
    CHECK(bounded.bounds == std::vector{0, 1});
    Raising no_memory(problem, test::Pancakes::sorted(5));
    no_memory.has_no_memory = true;
    CHECK_FALSE(no_memory.step());
    CHECK(no_memory.status() == Status::memory_limit);
    Raising no_next(problem, test::Pancakes::sorted(5));
    no_next.has_no_next = true;
    CHECK(no_next.step());
    CHECK_FALSE(no_next.step());
    CHECK(no_next.status() == Status::unsolvable);
}
