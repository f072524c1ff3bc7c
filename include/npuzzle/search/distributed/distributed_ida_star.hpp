#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/parallel/parallel_ida_star.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mpi.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// Shares the units of an iteration among the ranks of a communicator. They take fewer and fewer at a time,
/// by a number on rank 0. When all are finished, each rank gets to know what the others have counted.
///
/// In rounds that follow one another, the ranks agree on the unit at which the search ends, and on how many
/// times all of them have come to wait for each other. A rank with a limit or an exception says that the
/// search ends at once. So all leave it after the same round, and are on their way to the same collective
/// call.
///
/// Only the thread that made it calls MPI.
class DistributedUnits final : public Units {
public:
    /// Collective.
    explicit DistributedUnits(MPI_Comm communicator) : ranks_(communicator) {
        std::uint64_t* number = nullptr;
        MPI_Win_allocate(sizeof(*number), sizeof(*number), MPI_INFO_NULL, ranks_.get(), &number, &window_);
        MPI_Win_lock_all(0, window_);
        reset_next();
    }
    ~DistributedUnits() override {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }

    [[nodiscard]] bool is_shared() const override { return true; }

    /// Collective. What any rank knows is for all. \throws std::invalid_argument if the ranks search different
    /// things
    void begin_search(const std::string& search, IdaStarJournal* journal) override {
        Units::begin_search(search, journal);
        if (!meet()) return;
        if (ranks_.least(ranks_.broadcast(search, 0) == search ? 1 : 0) == 0) {
            throw std::invalid_argument("the ranks were called with different arguments");
        }
        const std::vector<UnitRecord> own = std::exchange(known_, {});
        for (int rank = 0; rank < ranks_.size(); ++rank) {
            const std::vector<UnitRecord> records = ranks_.broadcast(own, rank);
            ranks_.attempt([&] { known_.insert(known_.end(), records.begin(), records.end()); });
        }
    }

    void poll() override {
        const bool have_met = is_waiting_ && met_ == waits_;
        if (request_ == MPI_REQUEST_NULL && !is_left_ && !have_met) {
            round_ = {has_trouble() ? 0 : std::uint64_t{end()} + 1, waits_};
            MPI_Iallreduce(MPI_IN_PLACE, round_.data(), 2, MPI_UINT64_T, MPI_MIN, ranks_.get(), &request_);
        }
        int is_complete = 0;
        MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE); // On rank 0, this serves the others.
        if (is_complete != 0 && !is_left_ && !have_met) {
            met_ = round_[1];
            is_left_ = round_[0] == 0;
            if (!is_left_) {
                end_at(static_cast<std::size_t>(round_[0] - 1));
            } else if (!has_trouble()) {
                is_struck_ = true;
                stop(SearchStatus::cancelled);
            }
        }
        const std::lock_guard lock(mutex_);
        if (next_ == stock_end_ && stock_end_ < records_.size()) {
            const std::size_t left = records_.size() - stock_end_;
            const std::size_t share = left / (4 * static_cast<std::size_t>(ranks_.size())) + 1;
            next_ = (std::min)(records_.size(), update_next(share, MPI_SUM));
            stock_end_ = (std::min)(records_.size(), next_ + share);
            changed_.notify_all();
        }
    }

    [[nodiscard]] bool are_all_finished() override {
        if (!is_over_waiting()) return false;
        if (!is_left_) {
            // A record is all zeros on the ranks that do not know it, and the same on those that do.
            const std::size_t words = records_.size() * (sizeof(UnitRecord) / sizeof(std::uint64_t));
            MPI_Allreduce(MPI_IN_PLACE, records_.data(), static_cast<int>(words), MPI_UINT64_T, MPI_BOR,
                          ranks_.get());
            next_ = stock_end_ = records_.size();
            reset_next();
        }
        return true;
    }

    /// Calls `search`, and returns what all ranks return: what it returned, or the limit that struck on one
    /// of them. Collective. \throws what `search` throws; RankFailure if it threw on another rank
    template <class F>
    auto run(F&& search) {
        decltype(search()) result;
        std::exception_ptr error;
        try {
            result = search();
        } catch (...) {
            error = std::current_exception();
        }
        // By a limit that may strike on one rank alone. What others have ended is `cancelled`, too.
        const bool is_ended =
            !is_struck_ && is_limit(result.status) && result.status != SearchStatus::expansion_limit;
        if (error || is_ended) {
            stop(SearchStatus::cancelled);
        }
        if (meet()) return result;
        ranks_.attempt([&] {
            if (error) {
                std::rethrow_exception(error);
            }
        });
        const int status = -ranks_.least(is_ended ? -static_cast<int>(result.status) : 0);
        Statistics done = result.statistics;
        for (std::uint64_t* count : {&done.expanded, &done.generated, &done.contract_violations}) {
            MPI_Allreduce(MPI_IN_PLACE, count, 1, MPI_UINT64_T, MPI_MAX, ranks_.get());
        }
        result = {};
        result.status = static_cast<SearchStatus>(status);
        result.statistics = done;
        return result;
    }

private:
    /// Returns what the number of the next unit was.
    std::uint64_t update_next(std::uint64_t operand, MPI_Op operation) const {
        std::uint64_t before = 0;
        MPI_Fetch_and_op(&operand, &before, MPI_UINT64_T, 0, 0, operation, window_);
        MPI_Win_flush(0, window_);
        return before;
    }

    /// Collective.
    void reset_next() const {
        if (ranks_.rank() == 0) {
            update_next(0, MPI_REPLACE);
        }
        MPI_Barrier(ranks_.get());
    }

    /// Whether something has ended the search here. What was thrown in a unit ends it at once.
    [[nodiscard]] bool has_trouble() {
        const std::lock_guard lock(mutex_);
        if (error_) {
            end_ = 0;
            changed_.notify_all();
        }
        return error_ || limit_ != SearchStatus::running;
    }

    /// Collective, called until it returns true: all ranks wait, or all have left.
    bool is_over_waiting() {
        waits_ += std::exchange(is_waiting_, true) ? 0 : 1;
        poll();
        is_waiting_ = met_ < waits_ && !is_left_;
        return !is_waiting_;
    }

    /// Collective: waits for all ranks. False if they leave.
    bool meet() {
        while (!is_over_waiting()) {
            wait(std::chrono::microseconds{50});
        }
        return !is_left_;
    }

    const Communicator ranks_;
    MPI_Win window_ = MPI_WIN_NULL;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::array<std::uint64_t, 2>
        round_{};             ///< 1 more than the last unit, or 0 at once; the waits of all ranks
    std::uint64_t waits_ = 0; ///< how many times this rank has waited for the others
    std::uint64_t met_ = 0;   ///< how many times all have, by the last round
    bool is_waiting_ = false;
    bool is_left_ = false;   ///< by all ranks, since one is in trouble
    bool is_struck_ = false; ///< that is another one
};

} // namespace detail

/// `ida_star` on the ranks of an MPI communicator: the same path, cost, status and statistics (but the
/// seconds), on each rank, whatever the number of ranks and of threads.
///
/// All ranks of the communicator call it, with the same arguments. Each rank searches the small iterations by
/// itself. Others are divided as by `parallel_ida_star`: a rank takes units as it needs them, and what was
/// counted in each goes to all.
///
/// The time or a stop on any rank ends the search on all ranks, within moments, with the same status. So does
/// an exception: it comes out of the call on the rank where it was thrown, and a `RankFailure` on the others.
///
/// Each rank keeps a journal in a file of its own, and all use what any of these has.
///
/// Only the caller's thread calls MPI, the observer and `limits.stop`. Others search: MPI is started by
/// `MPI_Init_thread` with `MPI_THREAD_FUNNELED` or more.
///
/// \param observer one that sees only the progress of its own rank, and declares `static constexpr bool
///        sees_nodes = false`
/// \return as from `ida_star`, on each rank. `limits.expansions` is exact. After `time_limit` and
///         `cancelled`, the statistics are those of the rank that has done most.
/// \throws RankFailure, std::invalid_argument if the ranks are seen to search different things,
///     std::logic_error if MPI was not started for threads
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && detail::Plain<cost_t<P>> && detail::Plain<estimate_t<H, P>> &&
             (!sees_nodes<O>)
search_result_t<P> distributed_ida_star(MPI_Comm communicator, const P& problem,
                                        const detail::named_state_t<P>& start, H&& heuristic,
                                        ParallelIdaStarOptions options = {}, limits_t<P> limits = {},
                                        O&& observer = O{}) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_FUNNELED) {
        throw std::logic_error("IDA* on ranks needs MPI started by MPI_Init_thread with MPI_THREAD_FUNNELED");
    }
    options.threads = (std::max)(1U, options.threads);
    detail::DistributedUnits units(communicator);
    return units.run(
        [&] { return detail::run_split(units, problem, start, heuristic, options, limits, observer); });
}

} // namespace npuzzle
