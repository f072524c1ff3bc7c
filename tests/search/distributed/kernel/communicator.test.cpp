#include <npuzzle/search/distributed/kernel/communicator.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using npuzzle::Communicator;

namespace {

struct Sum {
    std::uint64_t sum;
    int least;

    void merge(const Sum& other) {
        sum += other.sum;
        least = other.least < least ? other.least : least;
    }
};

} // namespace

TEST_CASE("ranks have messages of their own, and agree", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    int result = MPI_IDENT;
    MPI_Comm_compare(ranks.get(), MPI_COMM_WORLD, &result);
    CHECK(result == MPI_CONGRUENT); // The same ranks, another context.
    CHECK(ranks.rank() < ranks.size());
    CHECK(ranks.least(ranks.size() - ranks.rank()) == 1);
}

TEST_CASE("each rank can tell the others values and texts", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    for (int root = 0; root < ranks.size(); ++root) {
        CHECK(ranks.broadcast(Sum{1, ranks.rank()}, root).least == root);
        CHECK(ranks.broadcast(std::string(static_cast<std::size_t>(ranks.rank()), 'x'), root) ==
              std::string(static_cast<std::size_t>(root), 'x'));
        // More than one piece.
        std::vector<std::uint64_t> many(ranks.rank() == root ? 5'000'000 : 3);
        if (ranks.rank() == root) {
            many.back() = 17;
            many[2'500'000] = static_cast<std::uint64_t>(root);
        }
        many = ranks.broadcast(std::move(many), root);
        CHECK(many.size() == 5'000'000);
        CHECK(many.back() == 17);
        CHECK(many[2'500'000] == static_cast<std::uint64_t>(root));
    }
}

TEST_CASE("each rank can tell the others what is no plain value", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    using Value = std::pair<std::string, std::vector<std::string>>;
    for (int root = 0; root < ranks.size(); ++root) {
        const Value value{std::to_string(ranks.rank()), {"a", std::string(100'000, 'b')}};
        CHECK(ranks.broadcast(value, root) == Value{std::to_string(root), value.second});
    }
}

TEST_CASE("what goes wrong on one rank is known on all", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    const bool is_last = ranks.rank() == ranks.size() - 1;
    CHECK(ranks.attempt([] {}));
    CHECK_FALSE(ranks.attempt([&] {
        if (is_last) {
            throw std::bad_alloc();
        }
    }));
    const auto fail = [&] {
        static_cast<void>(ranks.attempt([&] {
            if (is_last) {
                throw std::logic_error("it is so");
            }
        }));
    };
    if (is_last) {
        CHECK_THROWS_AS(fail(), std::logic_error);
    } else {
        CHECK_THROWS_AS(fail(), npuzzle::RankFailure);
    }
}

TEST_CASE("a reduction merges what all ranks have", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    const npuzzle::detail::Reduction<Sum> reduce;
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    const auto size = static_cast<std::uint64_t>(ranks.size());
    const Sum all = reduce(Sum{rank + 1, 5 - ranks.rank()}, ranks);
    CHECK(all.sum == size * (size + 1) / 2);
    CHECK(all.least == 6 - ranks.size());
    Sum value{1, 0};
    MPI_Request request = MPI_REQUEST_NULL;
    reduce.begin(value, ranks, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(value.sum == size);
}

TEST_CASE("a failure elsewhere says where and why", "[distributed]") {
    const npuzzle::RankFailure failure(3, "out of luck");
    CHECK(failure.rank() == 3);
    CHECK(std::string(failure.what()) == "the search failed on rank 3: out of luck");
}

TEST_CASE("a failure on some ranks is known on all", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    npuzzle::share_failure(ranks, nullptr);
    const int last = ranks.size() - 1;
    try {
        npuzzle::share_failure(
            ranks, ranks.rank() == last ? std::make_exception_ptr(std::logic_error("it is so")) : nullptr);
        CHECK(false);
    } catch (const std::logic_error&) {
        CHECK(ranks.rank() == last);
    } catch (const npuzzle::RankFailure& failure) {
        CHECK(ranks.rank() != last);
        CHECK(failure.rank() == last);
        CHECK(std::string(failure.what()).ends_with(": it is so"));
    }
}
