#pragma once

#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/parallel/kernel/parallel_ida_star_options.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <mpi.h>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace npuzzle::detail {

/// The journal of a search on the ranks of a communicator. Rank 0 keeps it; the records of the others are
/// gathered there.
///
/// Only the thread that made it calls its members.
class GatheredJournal {
public:
    /// Collective.
    /// \param journal rank 0's, which outlives this; null: there is none. On other ranks it is not
    ///         looked at.
    GatheredJournal(const Communicator& ranks, UnitJournal* journal)
        : ranks_(ranks), is_there_(ranks.broadcast(journal != nullptr, 0)),
          journal_(ranks.rank() == 0 ? journal : nullptr), counts_(static_cast<std::size_t>(ranks.size())),
          offsets_(counts_.size()) {
        MPI_Type_contiguous(static_cast<int>(sizeof(UnitRecord)), MPI_BYTE, &record_type_);
        MPI_Type_commit(&record_type_);
    }
    GatheredJournal(const GatheredJournal&) = delete;
    GatheredJournal& operator=(const GatheredJournal&) = delete;
    ~GatheredJournal() { MPI_Type_free(&record_type_); }

    /// As the search on this rank sees it: null if there is none, and without a record on all ranks but 0.
    [[nodiscard]] UnitJournal* here() { return is_elsewhere() ? &empty_ : journal_; }

    /// How a record travels.
    [[nodiscard]] MPI_Datatype record_type() const noexcept { return record_type_; }

    /// Whether this rank is to tell rank 0 what it has finished.
    [[nodiscard]] bool is_elsewhere() const noexcept { return is_there_ && ranks_.rank() != 0; }

    /// What was thrown when records of other ranks were appended.
    [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }

    /// Begins to gather records. Collective.
    /// \param count_of `count_of(i)`: how many rank i has to tell; none of rank 0
    /// \param own this rank's units. They stay where they are until the request is complete.
    /// \param room of rank 0: there is capacity for all
    template <class CountOf>
    void begin(CountOf&& count_of, const UnitRecord* own, std::vector<UnitRecord>& room,
               MPI_Request& request) {
        const std::size_t total = set_counts(count_of);
        if (journal_ != nullptr) {
            room.resize(total);
        }
        MPI_Igatherv(own, counts_[static_cast<std::size_t>(ranks_.rank())], record_type_, room.data(),
                     counts_.data(), offsets_.data(), record_type_, 0, ranks_.get(), &request);
    }

    /// Appends records of others, on rank 0. False if that has failed.
    bool append(std::span<const UnitRecord> records) {
        if (journal_ != nullptr && !error_) {
            try {
                for (const UnitRecord& record : records) {
                    journal_->append(record);
                }
            } catch (...) {
                error_ = std::current_exception();
            }
        }
        return !error_;
    }

    /// Gathers and appends what is left, when all ranks have ended. Collective.
    void gather_last(std::span<const UnitRecord> own) {
        if (!is_there_) {
            return;
        }
        const int count = is_elsewhere() ? static_cast<int>(own.size()) : 0;
        MPI_Gather(&count, 1, MPI_INT, counts_.data(), 1, MPI_INT, 0, ranks_.get());
        std::vector<UnitRecord> room;
        bool has_room = true;
        try {
            room.resize(is_elsewhere() ? 0 : set_counts([this](std::size_t i) { return counts_[i]; }));
        } catch (const std::bad_alloc&) {
            has_room = false; // They will be searched once more.
        }
        if (ranks_.broadcast(has_room, 0)) {
            MPI_Gatherv(own.data(), count, record_type_, room.data(), counts_.data(), offsets_.data(),
                        record_type_, 0, ranks_.get());
            append(room);
        }
    }

private:
    struct Empty final : UnitJournal {
        void begin(const std::string& /*search*/) override {}
        [[nodiscard]] const UnitRecord* find(std::uint64_t /*iteration*/, std::uint64_t /*unit*/) override {
            return nullptr;
        }
        void append(const UnitRecord& /*record*/) override {}
    };

    /// Returns the sum.
    template <class CountOf>
    std::size_t set_counts(CountOf&& count_of) {
        int total = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            counts_[i] = static_cast<int>(count_of(i));
            offsets_[i] = total;
            total += counts_[i];
        }
        return static_cast<std::size_t>(total);
    }

    const Communicator& ranks_;
    bool is_there_;
    UnitJournal* journal_;
    Empty empty_;
    std::exception_ptr error_;
    MPI_Datatype record_type_ = MPI_DATATYPE_NULL;
    std::vector<int> counts_;
    std::vector<int> offsets_;
};

} // namespace npuzzle::detail
