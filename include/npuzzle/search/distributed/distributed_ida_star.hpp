#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/distributed/communicator.hpp"
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
#include <thread>

namespace npuzzle {

namespace detail {

/// Shares the units of an iteration among the ranks of a communicator, which take fewer and fewer at a time,
/// by a number on rank 0. When all are finished, each rank gets to know what the others have counted.
///
/// In round after round the ranks agree on the end of the search, which is 0 where a limit or an exception has
/// struck, and on whether all wait. So all leave after the same round, for the same collective call.
class DistributedUnits final : public Units {
public:
    /// Collective.
    explicit DistributedUnits(MPI_Comm communicator) : ranks_(communicator) {
        is_shared = true;
        std::uint64_t* number = nullptr;
        MPI_Win_allocate(sizeof(*number), sizeof(*number), MPI_INFO_NULL, ranks_.get(), &number, &window_);
        *number = 0;
        MPI_Win_lock_all(0, window_);
        MPI_Win_sync(window_);
    }
    ~DistributedUnits() override {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }

    /// Collective. \throws std::invalid_argument if the ranks search different things
    void begin_search(const std::string& search, bool has_records) override {
        if (!meet()) return;
        const int least = ranks_.least(ranks_.broadcast(search, 0) != search ? 0 : has_records ? 1 : 2);
        if (least == 0) throw std::invalid_argument("the ranks were called with different arguments");
        is_resumed_ = least == 1;
    }

    /// Collective. What the journal of any rank holds is for all.
    void begin_iteration() override {
        if (is_resumed_ && meet()) share_records();
    }

    void poll() override {
        if (request_ == MPI_REQUEST_NULL && !is_settled()) {
            round_ = {end, is_waiting_ ? 1U : 0U};
            MPI_Iallreduce(MPI_IN_PLACE, round_.data(), 2, MPI_UINT64_T, MPI_MIN, ranks_.get(), &request_);
        }
        int is_complete = 0;
        MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE); // On rank 0, this serves the others.
        if (is_complete != 0) end_at(static_cast<std::size_t>(round_[0]));
        const std::lock_guard lock(mutex);
        if (is_dry() && !is_waiting_) {
            const std::size_t left = records.size() - stock_end;
            const std::size_t share = left / (4 * static_cast<std::size_t>(ranks_.size())) + 1;
            next = (std::min)(records.size(), static_cast<std::size_t>(add_to_next(share) - first_));
            stock_end = (std::min)(records.size(), next + share);
            changed.notify_all();
        }
    }

    bool are_all_finished() override {
        if (!has_stopped_waiting()) return false;
        if (round_[0] != 0) share_records();
        return true;
    }

    /// Collective: what `search` returns, or the limit that struck on one rank.
    /// \throws what `search` throws; RankFailure if it threw on another rank
    template <class F>
    auto run(F&& search) {
        decltype(search()) result;
        std::exception_ptr thrown;
        try {
            result = search();
        } catch (...) {
            thrown = std::current_exception();
        }
        // If a limit has struck on one rank alone, the others are `cancelled`, the greatest of these statuses.
        const bool is_ended = is_limit(result.status) && result.status != SearchStatus::expansion_limit;
        if (thrown || is_ended) end_at(0);
        if (meet()) return result;
        ranks_.attempt([&] {
            if (thrown) std::rethrow_exception(thrown);
        });
        const SearchStatus own = is_ended ? result.status : SearchStatus::cancelled;
        const int where = ranks_.least(static_cast<int>(own) * ranks_.size() + ranks_.rank()) % ranks_.size();
        decltype(result) ended;
        ended.status = ranks_.broadcast(own, where);
        ended.statistics = ranks_.broadcast(result.statistics, where);
        return ended;
    }

private:
    /// Adds to the number of the next unit on rank 0. Returns what it was.
    std::uint64_t add_to_next(std::uint64_t share) const {
        std::uint64_t before = 0;
        MPI_Fetch_and_op(&share, &before, MPI_UINT64_T, 0, 0, MPI_SUM, window_);
        MPI_Win_flush(0, window_);
        return before;
    }

    /// Collective. A record is all zeros on the ranks that do not know it, and the same on those that do.
    void share_records() {
        first_ = add_to_next(0); // None takes any until all have shared theirs.
        const std::size_t words = records.size() * (sizeof(UnitRecord) / sizeof(std::uint64_t));
        MPI_Allreduce(MPI_IN_PLACE, records.data(), static_cast<int>(words), MPI_UINT64_T, MPI_BOR,
                      ranks_.get());
    }

    /// Whether a round is over after which all leave, or which all have waited for.
    bool is_settled() const { return request_ == MPI_REQUEST_NULL && (round_[0] == 0 || round_[1] != 0); }

    /// Collective, called until it returns true: all ranks wait, or all leave.
    bool has_stopped_waiting() {
        is_waiting_ = true;
        poll();
        if (!is_settled()) {
            std::this_thread::sleep_for(std::chrono::microseconds{50});
            return false;
        }
        is_waiting_ = false;
        round_[1] = 0;
        return true;
    }

    /// Collective: waits for all ranks. False if they leave.
    bool meet() {
        while (!has_stopped_waiting()) continue;
        return round_[0] != 0;
    }

    const Communicator ranks_;
    MPI_Win window_ = MPI_WIN_NULL;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::array<std::uint64_t, 2> round_{1, 0}; ///< the end of the search, 0 if all leave; whether all wait
    std::uint64_t first_ = 0;                  ///< what the number on rank 0 was when the iteration began
    bool is_waiting_ = false;
    bool is_resumed_ = false; ///< whether the journal of some rank holds units
};

} // namespace detail

/// `ida_star` on the ranks of an MPI communicator, which all call it with the same arguments: the same path,
/// cost, status and statistics (but the seconds), on each rank, whatever the number of ranks and threads.
/// Large iterations are divided as by `parallel_ida_star`; a rank takes units as it needs them.
///
/// The time, a stop or an exception on any rank ends the search on all, within moments. An exception comes out
/// of the call on the rank where it was thrown, and a `RankFailure` on the others. Each rank has a journal in
/// a file of its own, and all use what any of these has.
///
/// The caller's thread calls MPI, and others search: start it by `MPI_Init_thread` with
/// `MPI_THREAD_FUNNELED` or more.
///
/// \param observer as of `parallel_ida_star`; it sees the progress of its own rank
/// \return as from `parallel_ida_star`; after `time_limit` and `cancelled`, the statistics are those of the
///         rank where the search ended
/// \throws RankFailure, std::logic_error if MPI was not started so, std::invalid_argument if the ranks are
///     seen to search different things
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && detail::Plain<cost_t<P>> && detail::Plain<estimate_t<H, P>> &&
             (!sees_nodes<O>)
search_result_t<P> distributed_ida_star(MPI_Comm communicator, const P& problem,
                                        const detail::named_state_t<P>& start, H&& heuristic,
                                        ParallelIdaStarOptions options = {}, limits_t<P> limits = {},
                                        O&& observer = O{}) {
    Communicator::check_threads();
    options.threads = (std::max)(1U, options.threads);
    detail::DistributedUnits units(communicator);
    return units.run(
        [&] { return detail::run_split(units, problem, start, heuristic, options, limits, observer); });
}

} // namespace npuzzle
