#include <npuzzle/search/kernel/path_index.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace {

struct Step {
    int state;
};

/// Numbers, hashed as the test says: by themselves, or not at all well.
struct Numbers {
    using State = int;
    int hashes = std::numeric_limits<int>::max();

    std::vector<int> neighbors(int) const { return {}; }
    bool is_goal(int) const { return false; }
    std::size_t hash(int number) const { return static_cast<std::size_t>(number % hashes); }
};

/// A state that cannot be hashed: its members are not looked at, since it has a constructor.
struct Mark {
    Mark(int of) : number(of) {}
    int number;
    bool operator==(const Mark&) const = default;
};

struct Marks {
    using State = Mark;
    std::vector<Mark> neighbors(Mark) const { return {}; }
    bool is_goal(Mark) const { return false; }
};

struct MarkStep {
    Mark state;
};

} // namespace

TEST_CASE("a path is looked up as it grows and shrinks", "[path_index]") {
    for (const int hashes : {std::numeric_limits<int>::max(), 7, 1}) {
        const Numbers problem{hashes};
        npuzzle::MemoryBudget budget;
        npuzzle::detail::PathIndex<Numbers> index(problem, budget);
        std::vector<Step> path;
        test::Random random(1);
        std::size_t longest = 0;
        std::size_t found = 0;
        for (int turn = 0; turn < 5000; ++turn) {
            const int state = random.between(0, 2000);
            const bool is_on_path =
                std::any_of(path.begin(), path.end(), [&](const Step& step) { return step.state == state; });
            REQUIRE(index.contains(path, state) == is_on_path);
            found += is_on_path ? 1 : 0;
            if (!is_on_path) {
                path.push_back({state});
                longest = std::max(longest, path.size());
            }
            if (random.one_in(40)) {
                const auto size = static_cast<std::size_t>(random.between(0, static_cast<int>(path.size())));
                index.shorten(random.one_in(2) ? size : path.size()); // it may be told more than once
                index.shorten(size);
                path.resize(size);
            }
        }
        CHECK(longest > 150);
        CHECK(found > 50);
    }
}

TEST_CASE("states without a hash are looked up all the same", "[path_index]") {
    const Marks problem;
    npuzzle::MemoryBudget budget;
    npuzzle::detail::PathIndex<Marks> index(problem, budget);
    std::vector<MarkStep> path;
    for (int number = 0; number < 200; ++number) {
        CHECK_FALSE(index.contains(path, Mark{number}));
        path.push_back({{number}});
        CHECK(index.contains(path, Mark{number / 2}));
    }
    CHECK(budget.peak() == 0);
}

TEST_CASE("an index without memory says so, and goes on when there is some", "[path_index]") {
    const Numbers problem;
    std::vector<Step> path;
    for (int number = 0; number < 1000; ++number) {
        path.push_back({number});
    }
    npuzzle::MemoryBudget ample;
    npuzzle::detail::PathIndex<Numbers> whole(problem, ample);
    CHECK(whole.contains(path, 999));
    for (std::uint64_t bytes = 0; bytes < ample.peak(); bytes += 64) {
        npuzzle::MemoryBudget budget(bytes);
        npuzzle::detail::PathIndex<Numbers> index(problem, budget);
        CHECK_THROWS_AS(index.contains(path, 999), std::bad_alloc);
        index.shorten(10);
        const std::vector<Step> shorter(path.begin(), path.begin() + 10);
        CHECK(index.contains(shorter, 9));
        CHECK_FALSE(index.contains(shorter, 10));
    }
}
