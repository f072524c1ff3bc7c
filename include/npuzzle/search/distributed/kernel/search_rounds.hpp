#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/distributed/kernel/communicator.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

/// \file
/// How the processes of a search agree that it is over.

namespace npuzzle::detail {

/// What a process knows of a search, and, merged, what all know.
template <Plain Priority, Plain Cost>
struct SearchReport {
    struct Goal {
        Priority priority;
        Cost cost;
        std::uint64_t finder; ///< the number of the worker that has reached it

        [[nodiscard]] bool is_before(const Goal& other) const {
            if (priority < other.priority || other.priority < priority) {
                return priority < other.priority;
            }
            if (cost < other.cost || other.cost < cost) {
                return cost < other.cost;
            }
            return finder < other.finder;
        }
    };

    Statistics statistics;
    std::uint64_t sent = 0;     ///< blocks of messages to other processes
    std::uint64_t received = 0; ///< those that have come from them
    std::uint64_t taken = 0;    ///< of the expansions that are allowed
    std::optional<Goal> best;
    SearchStatus status = SearchStatus::running; ///< by what the search was ended
    bool has_pruned = false;                     ///< whether a path was not followed since it costs too much
    bool is_idle = false;                        ///< there is no work
    bool is_closed = false;                      ///< there will be none

    void merge(const SearchReport& other) {
        statistics.merge_concurrent(other.statistics);
        sent += other.sent;
        received += other.received;
        taken += other.taken;
        if (other.best && (!best || other.best->is_before(*best))) {
            best = other.best;
        }
        if (rank(status) < rank(other.status)) {
            status = other.status;
        }
        has_pruned = has_pruned || other.has_pruned;
        is_idle = is_idle && other.is_idle;
        is_closed = is_closed && other.is_closed;
    }

private:
    /// A failure counts more than a limit, whichever came first.
    static int rank(SearchStatus status) {
        return status == SearchStatus::running  ? 0
               : status == SearchStatus::failed ? 100
                                                : 1 + static_cast<int>(status);
    }
};

/// Rounds of reports: each merges one of every process.
///
/// The search is over if two rounds, one after the other, find all processes idle, and as many blocks
/// received as sent, the same number each time (F. Mattern, "Algorithms for distributed termination
/// detection", Distributed Computing 2, 1987: the four counters). One round is not enough, since processes
/// report at different times: one may be idle, and get work from another that was not yet asked.
template <class Report>
class SearchRounds {
    using Clock = std::chrono::steady_clock;

public:
    explicit SearchRounds(const Communicator& ranks) : ranks_(ranks) {}
    SearchRounds(const SearchRounds&) = delete;
    SearchRounds& operator=(const SearchRounds&) = delete;

    /// Goes on with the round that is under way, or begins one; null if none has ended. All processes call it
    /// until `are_over`, and all see the same reports in the same order.
    /// \param is_urgent whether the next round is to begin at once
    /// \param report `report()`: this process's report
    template <class F>
    const Report* poll(bool is_urgent, F&& report) {
        if (are_over_) {
            return nullptr;
        }
        if (request_ != MPI_REQUEST_NULL) {
            int is_complete = 0;
            MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE);
            if (is_complete == 0) {
                return nullptr;
            }
            take_note();
            return &last_;
        }
        const Clock::time_point now = Clock::now();
        if (is_urgent || now - begun_ > longest_pause) {
            begun_ = now;
            next_ = report();
            reduce_.begin(next_, ranks_, request_);
        }
        return nullptr;
    }

    /// Whether no process has work.
    [[nodiscard]] bool is_idle() const { return is_idle_; }

    /// Whether all processes have closed, and nothing is on its way between them. There are no rounds after
    /// that.
    [[nodiscard]] bool are_over() const { return are_over_; }

    /// The last round's.
    [[nodiscard]] const Report& last() const { return last_; }

private:
    /// For goals and limits to become known.
    static constexpr std::chrono::microseconds longest_pause{500};

    void take_note() {
        const bool is_balanced = next_.sent == next_.received;
        is_idle_ = is_idle_ || (next_.is_idle && is_balanced && last_.is_idle && last_.sent == next_.sent &&
                                last_.received == next_.received);
        are_over_ = next_.is_closed && is_balanced;
        last_ = next_;
    }

    const Communicator& ranks_;
    Reduction<Report> reduce_;
    Report last_;
    Report next_; // of the round that is under way
    MPI_Request request_ = MPI_REQUEST_NULL;
    Clock::time_point begun_{};
    bool is_idle_ = false;
    bool are_over_ = false;
};

} // namespace npuzzle::detail
