#include <npuzzle/search/distributed/kernel/search_rounds.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

#include <cstdint>

using npuzzle::Communicator;
using npuzzle::Status;
using Report = npuzzle::detail::SearchReport<int, int>;
using Rounds = npuzzle::detail::SearchRounds<Report>;

TEST_CASE("reports add up, and the best goal and the gravest end count", "[distributed]") {
    Report one;
    one.sent = 3;
    one.is_idle = true;
    one.best = Report::Goal{5, 5, 1};
    one.status = Status::time_limit;
    Report other;
    other.sent = 4;
    other.statistics.expanded = 7;
    other.best = Report::Goal{5, 4, 2};
    other.status = Status::failed;
    Report both = one;
    both.merge(other);
    CHECK(both.sent == 7);
    CHECK(both.statistics.expanded == 7);
    CHECK(both.best->finder == 2);
    CHECK(both.status == Status::failed);
    CHECK(!both.is_idle);
    other.merge(one);
    CHECK(other.best->finder == 2);
    CHECK(other.status == Status::failed);
    CHECK(Report::Goal{4, 9, 9}.is_before({5, 1, 1}));
    CHECK(Report::Goal{5, 5, 0}.is_before({5, 5, 1}));
}

TEST_CASE("a search is over after two rounds without work and without blocks on their way", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    Rounds rounds(ranks);
    Report mine;
    const auto next = [&] {
        const Report* news = nullptr;
        while (news == nullptr) {
            news = rounds.poll(true, [&] { return mine; });
        }
        return *news;
    };
    const bool is_last = ranks.rank() == ranks.size() - 1;
    mine.is_idle = true;
    mine.sent = is_last ? 1 : 0;
    mine.received = 0;
    next();
    next();
    CHECK(!rounds.is_idle()); // A block is on its way.
    mine.received = ranks.rank() == 0 ? 1 : 0;
    mine.is_idle = !is_last;
    next();
    next();
    CHECK(!rounds.is_idle()); // One works.
    mine.is_idle = true;
    CHECK(next().sent == 1);
    CHECK(!rounds.is_idle()); // Only once so far.
    mine.sent += is_last ? 1 : 0;
    mine.received += ranks.rank() == 0 ? 1 : 0;
    next();
    CHECK(!rounds.is_idle()); // Not the same as before.
    next();
    CHECK(rounds.is_idle());
    CHECK(!rounds.are_over());
    mine.is_closed = is_last;
    next();
    CHECK(rounds.are_over() == (ranks.size() == 1));
    mine.is_closed = true;
    if (!rounds.are_over()) {
        next();
    }
    CHECK(rounds.are_over());
    CHECK(rounds.poll(true, [&] { return mine; }) == nullptr);
}
