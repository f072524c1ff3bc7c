#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/parallel/parallel_ida_star.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mpi.h>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace npuzzle {

/// The options of `distributed_ida_star`.
struct DistributedIdaStarOptions {
    /// How many threads at most each rank has, the caller's own among them; 0 for as many as its machine runs
    /// at once. More than one needs `MPI_THREAD_FUNNELED`, without which there is one.
    unsigned threads = 1;
    /// An iteration is divided if the last one expanded so many states: see `ParallelIdaStarOptions`.
    std::uint64_t least_divided = std::uint64_t{1} << 14;
    /// Where rank 0 keeps the finished units of all ranks, such as an `IdaStarJournal`; null: nowhere. It
    /// must outlive the search. The other ranks' are not looked at.
    UnitJournal* journal = nullptr;
};

namespace detail {

/// Shares the units of divided iterations among the ranks of a communicator.
///
/// Nobody serves the others. From the beginning to the end of a search, the ranks make one round after the
/// other: in each, all get to know where each of them is, how many units it wants, and what it has finished.
/// From that, each rank computes by itself which units go where. Of the units that are left, ranks get fewer
/// and fewer, so that they end together.
///
/// A round begins when the last one has ended, and is looked at between two units and whenever limits are
/// looked at. A limit or an exception on any rank is in the next round, which is then the last one on all
/// ranks. So no rank waits for one that has left.
///
/// Only the thread that made it calls MPI.
class DistributedUnits final : public Units {
public:
    /// Collective.
    explicit DistributedUnits(const Communicator& ranks)
        : ranks_(ranks), words_(static_cast<std::size_t>(ranks.size())) {}

    [[nodiscard]] bool is_shared() const override { return true; }

    /// Collective. What rank 0 knows is for all. \throws std::invalid_argument if the ranks search different
    /// things
    std::vector<UnitRecord> begin_search(const std::string& search, UnitJournal* journal) override {
        has_begun_ = true;
        std::vector<UnitRecord> known;
        ranks_.attempt([&] {
            if (journal != nullptr) {
                known = journal->begin(search);
            }
        });
        if (ranks_.least(ranks_.broadcast(search, 0) == search ? 1 : 0) == 0) {
            throw std::invalid_argument("the ranks were called with different arguments");
        }
        is_kept_ = ranks_.broadcast(journal != nullptr, 0);
        known = ranks_.broadcast(std::move(known), 0);
        begin_round();
        return known;
    }

    void begin(std::size_t units) override {
        const std::lock_guard lock(mutex_);
        Units::begin(units);
        dealt_ = first_ = told_ = heard_of_ = written_ = 0;
        stock_.clear();
        finished_.clear();
        if (units == 0) {
            return; // they are not known yet
        }
        ++place_;
        is_over_ = false;
        stock_.reserve(units);
        finished_.reserve(units);
        agreed_end_ = none;
    }

    [[nodiscard]] std::span<const UnitRecord> poll() override {
        received_.clear();
        int is_complete = 0;
        if (request_ != MPI_REQUEST_NULL) {
            MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE);
        }
        if (is_complete != 0) {
            hear();
        }
        return received_;
    }

    [[nodiscard]] bool is_struck() const override { return is_struck_; }

    [[nodiscard]] std::array<std::uint64_t, 2> elsewhere() const override { return elsewhere_; }

    [[nodiscard]] std::size_t take() override {
        const std::lock_guard lock(mutex_);
        // Where rank 0 keeps a journal, little is to be lost with it.
        const bool is_held_up =
            is_kept_ && written_ < finished_.size() && Clock::now() - heard_ > std::chrono::milliseconds{10};
        if (is_held_up || !has_stock()) {
            return none;
        }
        ++searching_;
        return stock_[first_++];
    }

    void leave(const UnitRecord* record) override {
        const std::lock_guard lock(mutex_);
        --searching_;
        if (record != nullptr) {
            finished_.push_back(*record);
        }
    }

    [[nodiscard]] bool is_over() const override { return is_over_ || is_stopped; }

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
        if (!has_begun_) { // the others wait
            try {
                ranks_.attempt([&] {
                    if (error) {
                        std::rethrow_exception(error);
                    }
                    throw std::bad_alloc();
                });
            } catch (const std::bad_alloc&) {
                return result;
            }
        }
        own_end_ = error ? End::failure : is_struck_ ? End::none : end_of(result.status);
        place_ = own_end_ == End::none ? final_place : place_;
        while (request_ != MPI_REQUEST_NULL && !is_struck_) {
            static_cast<void>(poll());
            std::this_thread::sleep_for(std::chrono::microseconds{20});
        }
        if (is_struck_) {
            share_failure(ranks_, error);
            const auto end = static_cast<End>(-ranks_.least(-static_cast<int>(own_end_)));
            Statistics statistics = result.statistics;
            std::array<std::uint64_t, 3> done{statistics.expanded, statistics.generated,
                                              statistics.contract_violations};
            MPI_Allreduce(MPI_IN_PLACE, done.data(), 3, MPI_UINT64_T, MPI_MAX, ranks_.get());
            statistics.expanded = done[0];
            statistics.generated = done[1];
            statistics.contract_violations = done[2];
            result = {};
            result.status = end == End::time_limit  ? SearchStatus::time_limit
                            : end == End::cancelled ? SearchStatus::cancelled
                                                    : SearchStatus::memory_limit;
            result.statistics = statistics;
        } else if (error) { // on all ranks, at the beginning
            std::rethrow_exception(error);
        }
        return result;
    }

private:
    /// How a search ends by what may not happen on all ranks, from the least to that which prevails.
    enum class End : int { none, time_limit, cancelled, memory_limit, failure };

    /// What a rank tells in a round.
    struct Word {
        static constexpr std::size_t max_records = 8;

        std::uint64_t place; ///< how many iterations it has divided
        std::uint64_t end;   ///< units from this one on do not matter
        std::uint64_t wanted;
        std::uint64_t expanded; ///< in the iteration
        std::uint64_t generated;
        std::uint64_t count; ///< of the records
        std::array<UnitRecord, max_records> records;
        bool is_idle;
        bool is_struck;
    };

    using Clock = std::chrono::steady_clock;

    static constexpr std::uint64_t final_place = (std::numeric_limits<std::uint64_t>::max)();

    static End end_of(SearchStatus status) {
        return status == SearchStatus::time_limit     ? End::time_limit
               : status == SearchStatus::cancelled    ? End::cancelled
               : status == SearchStatus::memory_limit ? End::memory_limit
                                                      : End::none;
    }

    /// With `mutex_`.
    [[nodiscard]] bool has_stock() const { return first_ < stock_.size() && stock_[first_] < end(); }

    void begin_round() {
        const std::lock_guard lock(mutex_);
        // How many units a rank is to have in stock: together, half of those that are not dealt.
        const std::size_t share = std::max<std::size_t>(2, (units_ - dealt_) / (2 * words_.size()));
        own_word_ = Word{};
        own_word_.place = place_;
        own_word_.end = end();
        own_word_.wanted = share - (std::min)(share, stock_.size() - first_);
        own_word_.expanded = expanded;
        own_word_.generated = generated;
        own_word_.count = (std::min)(Word::max_records, finished_.size() - told_);
        std::copy_n(finished_.begin() + static_cast<std::ptrdiff_t>(told_), own_word_.count,
                    own_word_.records.begin());
        told_ += own_word_.count;
        own_word_.is_idle = searching_ == 0 && !has_stock() && told_ == finished_.size();
        own_word_.is_struck = own_end_ != End::none;
        MPI_Iallgather(&own_word_, sizeof(Word), MPI_BYTE, words_.data(), sizeof(Word), MPI_BYTE,
                       ranks_.get(), &request_);
    }

    /// A round has ended. All ranks have the same words.
    void hear() {
        const auto all = [this](auto&& is) { return std::all_of(words_.begin(), words_.end(), is); };
        const std::uint64_t place = words_.front().place;
        const bool are_together = all([&](const Word& word) { return word.place == place; });
        {
            const std::lock_guard lock(mutex_);
            heard_ = Clock::now();
            written_ = heard_of_; // rank 0 has begun this round after that
            heard_of_ = told_;
        }
        elsewhere_ = {};
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (i != static_cast<std::size_t>(ranks_.rank()) && words_[i].place == place_) {
                const Word& word = words_[i];
                elsewhere_[0] += word.expanded;
                elsewhere_[1] += word.generated;
                received_.insert(received_.end(), word.records.begin(),
                                 word.records.begin() + static_cast<std::ptrdiff_t>(word.count));
            }
        }
        if (!all([](const Word& word) { return !word.is_struck; })) {
            is_struck_ = true;
            return;
        }
        if (are_together && place == final_place) {
            return;
        }
        if (are_together && place == place_ && !is_over_) {
            deal();
        }
        begin_round();
    }

    /// Agrees on where the iteration ends, and gives to each rank the units that it wants.
    void deal() {
        for (const Word& word : words_) {
            agreed_end_ = std::min<std::size_t>(agreed_end_, word.end);
        }
        end_at(agreed_end_);
        const std::size_t limit = (std::min)(units_, agreed_end_);
        if (dealt_ >= limit &&
            std::all_of(words_.begin(), words_.end(), [](const Word& word) { return word.is_idle; })) {
            is_over_ = true;
            return;
        }
        const std::lock_guard lock(mutex_);
        for (bool is_wanted = true; is_wanted && dealt_ < limit;) {
            is_wanted = false;
            for (std::size_t i = 0; i < words_.size() && dealt_ < limit; ++i) {
                if (words_[i].wanted > 0) {
                    --words_[i].wanted;
                    is_wanted = true;
                    if (i == static_cast<std::size_t>(ranks_.rank())) {
                        stock_.push_back(dealt_);
                    }
                    ++dealt_;
                }
            }
        }
    }

    const Communicator& ranks_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    Word own_word_{};
    std::vector<Word> words_; ///< of all ranks, by rank
    std::vector<UnitRecord> received_;
    bool has_begun_ = false;
    bool is_kept_ = false; ///< by rank 0 in a journal
    std::uint64_t place_ = 0;
    std::size_t dealt_ = 0; ///< units before this one
    std::size_t agreed_end_ = none;
    std::array<std::uint64_t, 2> elsewhere_{};
    End own_end_ = End::none;
    bool is_struck_ = false;
    std::atomic<bool> is_over_{false};

    std::mutex mutex_; ///< of all below
    std::vector<std::size_t> stock_;
    std::size_t first_ = 0; ///< of the stock that is left
    std::size_t searching_ = 0;
    std::vector<UnitRecord> finished_;
    std::size_t told_ = 0;     ///< of these, in the words so far
    std::size_t heard_of_ = 0; ///< by all
    std::size_t written_ = 0;  ///< by rank 0
    Clock::time_point heard_;  ///< when the last round ended
};

} // namespace detail

/// `ida_star` on the ranks of an MPI communicator: the same path, cost, status and statistics (but the
/// seconds), on each rank, whatever the number of ranks and of threads.
///
/// All ranks of the communicator call it, with the same arguments. Iterations are divided as by
/// `parallel_ida_star`. Each rank searches the small ones by itself; of the others, a rank gets units as it
/// needs them, and what was counted in each goes to all.
///
/// The time or a stop on any rank ends the search on all ranks, within moments, with the same status. So does
/// an exception: it comes out of the call on the rank where it was thrown, and a `RankFailure` on the others.
///
/// With a journal, a search whose processes were killed goes on, on any number of ranks and threads, and
/// returns what it would have returned. A journal of `parallel_ida_star` will do, and the other way round.
/// The journal's errors come out of the call on rank 0, as an exception that was thrown there. Each thread
/// loses the unit that it was in; ranks other than 0 also lose what they finished in the last moments, before
/// rank 0 looked at its limits.
///
/// Only the caller's thread calls MPI, and only it calls the observer, which each rank has one of, and
/// `limits.stop`.
///
/// \param observer one that sees only the progress of all ranks, and declares `static constexpr bool
///        sees_nodes = false`
/// \return as from `ida_star`, on each rank. `limits.expansions` is exact. After `time_limit` and
///         `cancelled`, the statistics tell what was done on all ranks, as far as was known a few
///         milliseconds before.
/// \throws RankFailure, std::invalid_argument if the ranks are seen to search different things
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && detail::Plain<cost_t<P>> && detail::Plain<estimate_t<H, P>> &&
             (!sees_nodes<O>)
search_result_t<P> distributed_ida_star(MPI_Comm communicator, const P& problem,
                                        const detail::named_state_t<P>& start, H&& heuristic,
                                        DistributedIdaStarOptions options = {}, limits_t<P> limits = {},
                                        O&& observer = O{}) {
    const Communicator ranks(communicator);
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    const unsigned threads = provided == MPI_THREAD_SINGLE ? 1 : options.threads;
    UnitJournal* const journal = ranks.rank() == 0 ? options.journal : nullptr;
    detail::DistributedUnits units(ranks);
    return units.run([&] {
        return detail::run_divided(units, problem, start, heuristic,
                                   {threads, options.least_divided, journal}, limits, observer);
    });
}

} // namespace npuzzle
