#include <npuzzle/search/core/result.hpp>
#include <npuzzle/search/depth_first.hpp>
#include <npuzzle/search/kernel/call.hpp>

#include "support/catch.hpp"

#include <new>
#include <stdexcept>

namespace {

using npuzzle::Status;
using Result = npuzzle::SearchResult<int, int>;

/// An engine that is solved by its run.
struct Engine {
    explicit Engine(int cost) : cost_(cost) {}
    void run() { result_.status = Status::solved; }
    Result result() {
        result_.cost = cost_;
        return result_;
    }

private:
    int cost_;
    Result result_;
};

template <class P>
concept Searchable = requires(const P& problem) { npuzzle::depth_first(problem, 0); };

} // namespace

namespace own {

struct Graph {
    int vertices;
};

/// Found beside its first argument, as the library's is beside its third.
int depth_first(const Graph& graph, int start, npuzzle::DepthFirstOptions /*options*/) {
    return graph.vertices + start;
}

} // namespace own

TEST_CASE("what is no problem at all is left to functions of the same name", "[call]") {
    static_assert(!Searchable<own::Graph>);
    static_assert(!Searchable<int>);
    CHECK(depth_first(own::Graph{5}, 2, npuzzle::DepthFirstOptions{}) == 7);
}

TEST_CASE("an engine is made, run and asked for its result", "[call]") {
    const Result result = npuzzle::detail::run_engine<Engine>(7);
    CHECK(result.status == Status::solved);
    CHECK(result.cost == 7);
}

TEST_CASE("a call without the memory for its engine ends with a status", "[call]") {
    const auto result = npuzzle::detail::guarded_search([]() -> Result { throw std::bad_alloc(); });
    CHECK(result.status == Status::memory_limit);
    CHECK(result.path.empty());
    CHECK_THROWS_AS(npuzzle::detail::guarded_search([]() -> Result { throw std::runtime_error("no"); }),
                    std::runtime_error);
}
