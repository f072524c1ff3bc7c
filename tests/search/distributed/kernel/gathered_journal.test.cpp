#include <npuzzle/search/distributed/kernel/gathered_journal.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

// What searches make of it: ../distributed_ida_star.test.cpp.

namespace {

using npuzzle::Communicator;
using npuzzle::UnitRecord;
using npuzzle::detail::GatheredJournal;

struct Kept final : npuzzle::UnitJournal {
    std::vector<std::uint64_t> units;
    std::size_t most = 1'000;

    void begin(const std::string& /*search*/) override {}
    const UnitRecord* find(std::uint64_t /*iteration*/, std::uint64_t /*unit*/) override { return nullptr; }
    void append(const UnitRecord& record) override {
        if (units.size() == most) {
            throw std::runtime_error("full");
        }
        units.push_back(record.unit);
    }
};

/// Rank r has r records, whose units are 10 r and so on.
std::vector<UnitRecord> records_of(int rank) {
    std::vector<UnitRecord> records(static_cast<std::size_t>(rank));
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].unit = 10 * records.size() + i;
    }
    return records;
}

std::vector<std::uint64_t> all_units(int ranks) {
    std::vector<std::uint64_t> units;
    for (int rank = 0; rank < ranks; ++rank) {
        for (const UnitRecord& record : records_of(rank)) {
            units.push_back(record.unit);
        }
    }
    return units;
}

} // namespace

TEST_CASE("records of all ranks come to the journal of rank 0", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    Kept kept; // on other ranks, it is not looked at
    GatheredJournal journal(ranks, ranks.rank() == 0 ? &kept : nullptr);
    CHECK(journal.is_elsewhere() == (ranks.rank() != 0));
    CHECK((journal.here() == &kept) == (ranks.rank() == 0));
    CHECK(journal.here()->find(0, 0) == nullptr);
    const auto own = records_of(ranks.rank());
    std::vector<UnitRecord> room;
    MPI_Request request = MPI_REQUEST_NULL;
    journal.begin([](std::size_t i) { return i; }, own.data(), room, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(journal.append(room));
    const std::vector<std::uint64_t> expected =
        ranks.rank() == 0 ? all_units(ranks.size()) : std::vector<std::uint64_t>{};
    CHECK(kept.units == expected);
    kept.units.clear();
    journal.gather_last(own);
    CHECK(kept.units == expected);
    CHECK_FALSE(journal.error());
}

TEST_CASE("a journal that fails is not written any more", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    Kept kept;
    kept.most = 2;
    GatheredJournal journal(ranks, &kept);
    if (ranks.rank() == 0) {
        const auto three = records_of(3);
        CHECK_FALSE(journal.append(three));
        CHECK(journal.error() != nullptr);
        kept.most = 10;
        CHECK_FALSE(journal.append(three));
        CHECK(kept.units.size() == 2);
    }
    journal.gather_last(records_of(ranks.rank()));
    CHECK(kept.units.size() == (ranks.rank() == 0 ? 2U : 0U));
}

TEST_CASE("there may be no journal", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    Kept kept;
    GatheredJournal journal(ranks, ranks.rank() == 0 ? nullptr : &kept);
    CHECK_FALSE(journal.is_elsewhere());
    CHECK(journal.here() == nullptr);
    journal.gather_last(records_of(ranks.rank()));
    CHECK(kept.units.empty());
}
