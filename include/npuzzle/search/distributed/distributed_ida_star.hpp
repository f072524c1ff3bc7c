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
#include <limits>
#include <mpi.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace npuzzle {

/// The options of `distributed_ida_star`.
struct DistributedIdaStarOptions {
    /// How many threads search on each rank, at most; 0 for as many as its machine runs at once.
    unsigned threads = 1;
    /// An iteration is divided if the last one expanded so many states: see `ParallelIdaStarOptions`.
    std::uint64_t least_divided = std::uint64_t{1} << 14;
    /// Where this rank keeps the units that it has finished: a file for each rank; null: nowhere. It must
    /// outlive the search.
    IdaStarJournal* journal = nullptr;
};

namespace detail {

/// Shares the units of an iteration among the ranks of a communicator. Rank 0 has two numbers that all of them
/// read and change: the unit that is next, of which they take fewer and fewer at a time, and the unit at which
/// the search ends. When all are finished, each rank gets to know what the others have counted.
///
/// A limit or an exception on one rank is first told by the second number, which all ranks look at, and then
/// agreed on: where one rank leaves the search, the others are on their way to the same collective call.
///
/// Only the thread that made it calls MPI.
class DistributedUnits final : public Units {
public:
    /// Collective.
    explicit DistributedUnits(const Communicator& ranks) : ranks_(ranks) {
        const MPI_Aint bytes = ranks.rank() == 0 ? 2 * sizeof(std::uint64_t) : 0;
        MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL, ranks.get(), &numbers_, &window_);
        MPI_Win_lock_all(0, window_);
        reset(next_unit, 0);
        reset(first_ended, Limits::unlimited);
    }
    DistributedUnits(const DistributedUnits&) = delete;
    DistributedUnits& operator=(const DistributedUnits&) = delete;
    ~DistributedUnits() override {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }

    [[nodiscard]] bool is_shared() const override { return true; }

    /// Collective. What any rank knows is for all. \throws std::invalid_argument if the ranks search different
    /// things
    std::vector<UnitRecord> begin_search(const std::string& search, IdaStarJournal* journal) override {
        std::vector<UnitRecord> known = Units::begin_search(search, journal);
        if (is_struck_on_any(false)) {
            return {};
        }
        if (ranks_.least(ranks_.broadcast(search, 0) == search ? 1 : 0) == 0) {
            throw std::invalid_argument("the ranks were called with different arguments");
        }
        return of_all(known);
    }

    void begin(std::size_t units, std::uint64_t most) override {
        Units::begin(units, most);
        stock_end_ = 0;
    }

    void poll() override {
        int has_message = 0; // On rank 0, this serves the others.
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks_.get(), &has_message, MPI_STATUS_IGNORE);
        share_end(has_trouble());
        const std::lock_guard lock(mutex_);
        if (next_ == stock_end_ && stock_end_ < records_.size()) {
            const std::size_t left = records_.size() - stock_end_;
            const std::size_t share = left / (4 * static_cast<std::size_t>(ranks_.size())) + 1;
            next_ = (std::min)(records_.size(), update(next_unit, share, MPI_SUM));
            stock_end_ = (std::min)(records_.size(), next_ + share);
            changed_.notify_all();
        }
    }

    [[nodiscard]] bool are_all_finished() override {
        if (!is_agreed(has_trouble())) {
            return false;
        }
        if (!has_left_) {
            for (const UnitRecord& record : of_all(finished_)) {
                set(record);
            }
            next_ = stock_end_ = records_.size();
            reset(next_unit, 0);
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
        const End own = error ? End::failure : is_struck_ ? End::none : end_of(result.status);
        if (!has_left_ && !is_struck_on_any(own != End::none || is_struck_)) {
            return result;
        }
        ranks_.attempt([&] {
            if (error) {
                std::rethrow_exception(error);
            }
        });
        const auto end = static_cast<End>(-ranks_.least(-static_cast<int>(own)));
        Statistics done = result.statistics;
        for (std::uint64_t* count : {&done.expanded, &done.generated, &done.contract_violations}) {
            MPI_Allreduce(MPI_IN_PLACE, count, 1, MPI_UINT64_T, MPI_MAX, ranks_.get());
        }
        result = {};
        result.status = end == End::time_limit  ? SearchStatus::time_limit
                        : end == End::cancelled ? SearchStatus::cancelled
                                                : SearchStatus::memory_limit;
        result.statistics = done;
        return result;
    }

private:
    /// How a search ends by what may not happen on all ranks, from the least to that which prevails.
    enum class End : int { none, time_limit, cancelled, memory_limit, failure };

    static End end_of(SearchStatus status) {
        return status == SearchStatus::time_limit     ? End::time_limit
               : status == SearchStatus::cancelled    ? End::cancelled
               : status == SearchStatus::memory_limit ? End::memory_limit
                                                      : End::none;
    }

    /// The numbers on rank 0.
    enum Number : MPI_Aint { next_unit, first_ended };

    /// Returns what the number was.
    std::uint64_t update(Number number, std::uint64_t operand, MPI_Op operation) const {
        std::uint64_t before = 0;
        MPI_Fetch_and_op(&operand, &before, MPI_UINT64_T, 0, number, operation, window_);
        MPI_Win_flush(0, window_);
        return before;
    }

    /// Collective.
    void reset(Number number, std::uint64_t value) const {
        if (ranks_.rank() == 0) {
            update(number, value, MPI_REPLACE);
        }
        MPI_Barrier(ranks_.get());
    }

    /// Whether something has ended the search here. What was thrown in a unit ends it at once.
    [[nodiscard]] bool has_trouble() {
        mutex_.lock();
        const std::exception_ptr error = error_;
        mutex_.unlock();
        if (error) {
            end_at(0, error);
        }
        return error || limit_ != SearchStatus::running;
    }

    void strike() {
        is_struck_ = true;
        stop(SearchStatus::cancelled);
    }

    /// Tells where the search ends, and is told. At number 0 it ends at once, and else after a unit.
    void share_end(bool is_at_once) {
        const std::uint64_t own = is_at_once ? 0 : end() == none ? Limits::unlimited : end() + 1;
        const std::uint64_t others = update(first_ended, own, MPI_MIN);
        if (others != 0) {
            end_at((std::min)(own, others) - 1);
        } else if (!is_at_once) {
            strike();
        }
    }

    /// Collective, and begins what ends later: whether all ranks have come here. Then `has_left_` tells whether
    /// there is trouble on one of them.
    bool is_agreed(bool has_own_trouble) {
        if (request_ == MPI_REQUEST_NULL) {
            is_struck_on_one_ = has_own_trouble ? 1 : 0;
            MPI_Iallreduce(MPI_IN_PLACE, &is_struck_on_one_, 1, MPI_INT, MPI_MAX, ranks_.get(), &request_);
        }
        int is_complete = 0;
        MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE);
        if (is_complete == 0) {
            return false;
        }
        has_left_ = is_struck_on_one_ != 0;
        if (has_left_ && !has_trouble()) {
            strike();
        }
        return true;
    }

    /// Collective.
    bool is_struck_on_any(bool has_own_trouble) {
        share_end(has_own_trouble);
        while (!is_agreed(has_own_trouble)) {
            std::this_thread::sleep_for(std::chrono::microseconds{20});
        }
        return has_left_;
    }

    /// Collective: the records of all ranks.
    [[nodiscard]] std::vector<UnitRecord> of_all(const std::vector<UnitRecord>& own) const {
        std::vector<UnitRecord> all;
        for (int rank = 0; rank < ranks_.size(); ++rank) {
            const std::vector<UnitRecord> records = ranks_.broadcast(own, rank);
            ranks_.attempt([&] { all.insert(all.end(), records.begin(), records.end()); });
        }
        return all;
    }

    const Communicator& ranks_;
    std::uint64_t* numbers_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
    MPI_Request request_ = MPI_REQUEST_NULL;
    int is_struck_on_one_ = 0;
    bool is_struck_ = false; ///< by trouble on another rank
    bool has_left_ = false;  ///< all ranks have, by agreement
};

} // namespace detail

/// `ida_star` on the ranks of an MPI communicator: the same path, cost, status and statistics (but the
/// seconds), on each rank, whatever the number of ranks and of threads.
///
/// All ranks of the communicator call it, with the same arguments. Iterations are divided as by
/// `parallel_ida_star`. Each rank searches the small ones by itself; of the others, a rank takes units as it
/// needs them, and what was counted in each goes to all.
///
/// The time or a stop on any rank ends the search on all ranks, within moments, with the same status. So does
/// an exception: it comes out of the call on the rank where it was thrown, and a `RankFailure` on the others.
///
/// With journals, a file for each rank, a search whose processes were killed goes on, and returns what it
/// would have returned. Each thread loses the unit that it was in. All ranks use what any of the journals
/// has; a journal of `parallel_ida_star` will do, and the other way round.
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
                                        DistributedIdaStarOptions options = {}, limits_t<P> limits = {},
                                        O&& observer = O{}) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_FUNNELED) {
        throw std::logic_error("IDA* on ranks needs MPI started by MPI_Init_thread with MPI_THREAD_FUNNELED");
    }
    const Communicator ranks(communicator);
    detail::DistributedUnits units(ranks);
    return units.run([&] {
        return detail::run_split(units, problem, start, heuristic,
                                 {options.threads, options.least_divided, options.journal}, limits, observer);
    });
}

} // namespace npuzzle
