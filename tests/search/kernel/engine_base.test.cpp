#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search.hpp>
#include <npuzzle/search/kernel/engine_base.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace {

using npuzzle::BasicLimits;
using npuzzle::EngineBase;
using npuzzle::SilentObserver;
using npuzzle::Statistics;
using npuzzle::Status;

/// Whether an engine is made of a problem and the rest, and not of a problem that would be gone then.
template <class Engine, class P, class... Rest>
constexpr bool refuses_temporary =
    std::is_constructible_v<Engine, const P&, Rest...> && !std::is_constructible_v<Engine, P, Rest...> &&
    !std::is_constructible_v<Engine, const P, Rest...>;
/// The same where a policy or a method goes first.
template <class Engine, class First, class P, class... Rest>
constexpr bool refuses_temporary_after = std::is_constructible_v<Engine, First, const P&, Rest...> &&
                                         !std::is_constructible_v<Engine, First, P, Rest...>;

using Puzzle = npuzzle::SlidingPuzzle<4>;
using Board = npuzzle::PackedBoard<4>;
using H = npuzzle::Manhattan;
using Plain = npuzzle::DefaultPolicy;
using Weights = npuzzle::WeightOptions<double>;

static_assert(refuses_temporary<npuzzle::AStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary_after<npuzzle::AStar<Puzzle, H>, Plain, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::WeightedAStar<Puzzle, H>, Puzzle, Board, H, Weights>);
static_assert(refuses_temporary_after<npuzzle::WeightedAStar<Puzzle, H>, Plain, Puzzle, Board, H, Weights>);
static_assert(refuses_temporary<npuzzle::GreedySearch<Puzzle, H>, Puzzle, Board, H>);
static_assert(
    refuses_temporary_after<npuzzle::GreedySearch<Puzzle, H>, npuzzle::WithoutReopening, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::BeamSearch<Puzzle, H>, Puzzle, Board, H, npuzzle::BeamOptions>);
static_assert(refuses_temporary<npuzzle::AnytimeAStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::AraStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::PartialExpansionAStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary_after<npuzzle::PartialExpansionAStar<Puzzle, H>, Plain, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::AllPaths<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::KShortestPaths<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::LpaStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(refuses_temporary<npuzzle::DStarLite<Puzzle, H>, Puzzle, Board, H>);
static_assert(
    refuses_temporary<npuzzle::BidirectionalAStar<npuzzle::Nbs, Puzzle, H, H>, Puzzle, Board, H, H>);
static_assert(refuses_temporary_after<npuzzle::BidirectionalAStar<npuzzle::Nbs, Puzzle, H, H>, npuzzle::Nbs,
                                      Puzzle, Board, H, H>);
static_assert(refuses_temporary<npuzzle::BidirectionalBreadthFirst<Puzzle>, Puzzle, Board>);
static_assert(refuses_temporary<npuzzle::IdaStar<Puzzle, H>, Puzzle, Board, H>);
static_assert(
    refuses_temporary<npuzzle::ExternalAStar<Puzzle, H>, Puzzle, Board, H, npuzzle::ExternalOptions>);
static_assert(refuses_temporary<npuzzle::FrontierSearch<Puzzle>, Puzzle, Board>);
static_assert(refuses_temporary<npuzzle::BreadthFirstLayers<Puzzle>, Puzzle, Board>);
static_assert(refuses_temporary<npuzzle::DepthFirstEngine<Puzzle>, Puzzle, Board>);

struct Diary : SilentObserver {
    std::vector<Statistics> progressed;
    std::vector<int> bounds;
    bool has_no_memory_at_end = false;
    void progress(const Statistics& statistics) {
        progressed.push_back(statistics);
        if (has_no_memory_at_end) {
            throw std::bad_alloc();
        }
    }
    void progress(const Statistics&, int bound) { bounds.push_back(bound); }
};

struct Path {
    Status status = Status::running;
    Statistics statistics;
    std::vector<int> path;
};

/// Counts down to 0, which is the goal. There is no memory for 13, and 17 is an error.
class Countdown : public EngineBase<Countdown, int, Diary&> {
    using Base = EngineBase<Countdown, int, Diary&>;
    friend Base;

public:
    Countdown(int from, Diary& diary, BasicLimits<int> limits = {}) : Base(limits, diary), left_(from) {}

    bool is_stuck = false; // nothing is left before the goal
    bool is_cut = false;
    bool has_no_memory_for_path = false;

    Path result() const {
        return outcome(Path{}, [&](Path& result) {
            result.path.push_back(left_);
            if (has_no_memory_for_path) {
                throw std::bad_alloc();
            }
        });
    }

private:
    void advance() {
        if (monitor_.is_due(statistics_.expanded) && is_stopped(statistics_.expanded, left_)) {
            return;
        }
        if (left_ == 13) {
            throw std::bad_alloc();
        }
        if (left_ == 17) {
            throw std::runtime_error("17");
        }
        if (left_ == 0) {
            finish(Status::solved);
        } else if (is_stuck) {
            pruned_by_bound_ = is_cut;
            finish(exhausted());
        } else {
            budget_.acquire(8);
            ++statistics_.expanded;
            --left_;
        }
    }

    void complete(Statistics& statistics) const { statistics.stored = 100; }

    int left_;
};

/// Whose turns are longer when it runs.
class Strider : public EngineBase<Strider, int, SilentObserver> {
    using Base = EngineBase<Strider, int, SilentObserver>;
    friend Base;

public:
    Strider() : Base({}, {}) {}

    Status ended = Status::running;

private:
    void advance(std::uint64_t many = 1) {
        statistics_.expanded += many;
        if (statistics_.expanded > 20) {
            throw std::bad_alloc();
        }
    }
    void advance_many() { advance(7); }
    void finish(Status status) {
        ended = status;
        Base::finish(status);
    }
};

} // namespace

TEST_CASE("an engine is stepped to its end, and stays there", "[engine_base]") {
    static_assert(!std::is_copy_constructible_v<Countdown> && !std::is_copy_assignable_v<Countdown>);
    Diary diary;
    Countdown engine(2, diary);
    CHECK(engine.status() == Status::running);
    CHECK(engine.step());
    CHECK(engine.step());
    CHECK(engine.statistics().seconds >= 0);
    CHECK_FALSE(engine.step());
    CHECK(engine.status() == Status::solved);
    const Statistics statistics = engine.statistics();
    CHECK(statistics.expanded == 2);
    CHECK(statistics.stored == 100);
    CHECK(statistics.bytes == 16);
    REQUIRE(diary.progressed.size() == 1);
    CHECK(diary.progressed[0].stored == 100);
    CHECK(diary.progressed[0].seconds == statistics.seconds);
    CHECK_FALSE(engine.step());
    CHECK(engine.run() == Status::solved);
    CHECK(engine.statistics().expanded == 2);
    CHECK(engine.statistics().seconds == statistics.seconds); // the clock stopped with the search
    CHECK(diary.progressed.size() == 1);
}

TEST_CASE("memory that is missing ends a search", "[engine_base]") {
    Diary diary;
    Countdown stepped(14, diary);
    CHECK(stepped.step());
    CHECK_FALSE(stepped.step());
    CHECK(stepped.status() == Status::memory_limit);
    Countdown run(15, diary);
    CHECK(run.run() == Status::memory_limit);
    Countdown limited(9, diary, {.bytes = 24});
    CHECK(limited.run() == Status::memory_limit);
    CHECK(limited.statistics().expanded == 3);
    CHECK(limited.statistics().bytes == 24);
    CHECK(diary.progressed.size() == 3);
}

TEST_CASE("an exception passes through, and the search has failed", "[engine_base]") {
    Diary diary;
    for (const bool by_steps : {false, true}) {
        Countdown engine(19, diary);
        CHECK_THROWS_AS(by_steps ? engine.step() && engine.step() && engine.step()
                                 : engine.run() == Status::solved,
                        std::runtime_error);
        CHECK(engine.status() == Status::failed);
        const Statistics statistics = engine.statistics();
        CHECK(statistics.expanded == 2);
        CHECK_FALSE(engine.step());
        CHECK(engine.run() == Status::failed);
        CHECK(engine.statistics() == statistics); // the clock stopped with the search
        CHECK(engine.result().status == Status::failed);
        CHECK(engine.result().statistics == statistics);
        CHECK(engine.result().path.empty());
    }
    CHECK(diary.progressed.empty());
}

TEST_CASE("an observer without memory for the end of a search is not the end of a program", "[engine_base]") {
    Diary diary;
    diary.has_no_memory_at_end = true;
    Countdown solved(2, diary);
    CHECK(solved.run() == Status::memory_limit);
    CHECK(diary.progressed.size() == 2); // it was told of both ends
    Countdown ended(14, diary);
    CHECK(ended.run() == Status::memory_limit);
}

TEST_CASE("limits end a search, and an observer is told of the bound until then", "[engine_base]") {
    Diary diary;
    Countdown engine(9, diary, {.expansions = 4});
    CHECK(engine.run() == Status::expansion_limit);
    CHECK(engine.statistics().expanded == 4);
    REQUIRE_FALSE(diary.bounds.empty());
    CHECK(diary.bounds.front() == 9);
    CHECK(diary.progressed.size() == 1);
    Countdown late(9, diary, {.time = std::chrono::nanoseconds{0}});
    CHECK_FALSE(late.step());
    CHECK(late.status() == Status::time_limit);
    CHECK(late.statistics().expanded == 0);
}

TEST_CASE("the end of a space is a proof, unless paths were not followed", "[engine_base]") {
    Diary diary;
    const auto end = [&](bool is_cut, BasicLimits<int> limits) {
        Countdown engine(9, diary, limits);
        engine.is_stuck = true;
        engine.is_cut = is_cut;
        return engine.run();
    };
    CHECK(end(false, {}) == Status::unsolvable);
    CHECK(end(false, {.max_cost = 3}) == Status::unsolvable);
    CHECK(end(true, {.max_cost = 3}) == Status::cost_limit);
    CHECK(end(true, {}) == Status::cost_overflow);
}

TEST_CASE("without memory for the path there is the rest of an outcome", "[engine_base]") {
    Diary diary;
    Countdown engine(1, diary);
    engine.run();
    CHECK(engine.result().status == Status::solved);
    CHECK(engine.result().path == std::vector{0});
    CHECK(engine.result().statistics.expanded == 1);
    engine.has_no_memory_for_path = true;
    CHECK(engine.result().status == Status::memory_limit);
    CHECK(engine.result().path.empty());
    CHECK(engine.result().statistics.expanded == 1);
    Countdown limited(9, diary, {.expansions = 1});
    limited.run();
    limited.has_no_memory_for_path = true;
    CHECK(limited.result().status == Status::expansion_limit);
    CHECK(limited.result().path.empty());
}

TEST_CASE("an engine may run by longer turns than it steps, and have its own end", "[engine_base]") {
    Strider engine;
    CHECK(engine.step());
    CHECK(engine.statistics().expanded == 1);
    CHECK(engine.run() == Status::memory_limit);
    CHECK(engine.statistics().expanded == 22);
    CHECK(engine.ended == Status::memory_limit);
}
