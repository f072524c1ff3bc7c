#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/distributed/kernel/gathered_journal.hpp"
#include "npuzzle/search/parallel/kernel/unit_scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mpi.h>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Shares the units of divided iterations among the ranks of a communicator.
///
/// Nobody serves the others. From the beginning to the end of a search, the ranks make one round after the
/// other: in each, all get to know where each of them is, how many units it wants, and what it has found out.
/// From that, each rank computes by itself which units go where. Half of the units are dealt when an
/// iteration begins, before any round; of those that are left, ranks get fewer and fewer, so that they end
/// together.
///
/// A round begins when the last one has ended, and is looked at between two units and whenever limits are
/// looked at. A limit or an exception on any rank is in the next round, which is then the last one on all
/// ranks. So no rank waits for one that has left.
///
/// If there is a journal, units that were finished go to rank 0 between two rounds. The next round tells that
/// they are written. Until then, a thread that has finished one begins no other, unless what is not written
/// took less than 10 ms: so if all processes are killed, not much more is lost than one unit for each thread.
///
/// Only the thread that made it calls MPI.
class DistributedUnits final : public UnitScheduler {
public:
    /// Collective.
    /// \param journal the journal of rank 0, or null; see `GatheredJournal`
    /// \param threads that search units on this rank
    explicit DistributedUnits(const Communicator& ranks, UnitJournal* journal = nullptr, unsigned threads = 1)
        : ranks_(ranks), journal_(ranks, journal), threads_(threads),
          words_(static_cast<std::size_t>(ranks.size())), counts_(words_.size()), offsets_(words_.size()) {
        begin_round();
    }

    [[nodiscard]] bool is_shared() const override { return true; }

    /// For the search on this rank.
    [[nodiscard]] UnitJournal* journal() { return journal_.here(); }

    void begin(std::size_t units, std::uint64_t expansions_left) override {
        reserve(units);
        const std::lock_guard lock(mutex_);
        begin_part(units, expansions_left);
        next_ = (std::min)(units, share() * words_.size());
        for (std::size_t number = rank(); number < next_; number += words_.size()) {
            stock_.push_back(number);
        }
    }

    void begin_sharing(std::span<const UnitRecord> known, std::size_t units,
                       std::uint64_t expansions_left) override {
        reserve(units);
        const std::lock_guard lock(mutex_);
        begin_part(0, expansions_left);
        known_.assign(known.begin(), known.end());
    }

    bool poll() override {
        const Clock::time_point now = Clock::now();
        if (now < next_poll_ && has_much()) {
            return is_struck_;
        }
        next_poll_ = now + std::chrono::microseconds{100};
        int is_complete = 0;
        if (request_ != MPI_REQUEST_NULL) {
            MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE);
        }
        if (is_complete != 0) {
            if (is_gathering_) {
                end_gathering();
            } else {
                hear();
            }
        }
        return is_struck_;
    }

    [[nodiscard]] Counts elsewhere() const override { return elsewhere_; }

    /// Collective, as all ranks hear in the same round that the iteration is over.
    [[nodiscard]] std::span<const UnitRecord> exchange() override {
        int total = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            counts_[i] = static_cast<int>(words_[i].kept);
            offsets_[i] = total;
            total += counts_[i];
        }
        received_.resize(static_cast<std::size_t>(total));
        const MPI_Datatype record = journal_.record_type();
        MPI_Allgatherv(known_.data(), counts_[rank()], record, received_.data(), counts_.data(),
                       offsets_.data(), record, ranks_.get());
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::size_t end = static_cast<std::size_t>(offsets_[i]) + words_[i].kept;
            append(std::span(received_).subspan(end - words_[i].fresh, words_[i].fresh));
        }
        gathered_.records = known_.size();
        place_ += place_ == final_place ? 0 : 1;
        is_over_ = false;
        elsewhere_ = {};
        begin_round();
        return received_;
    }

    [[nodiscard]] std::size_t take() override {
        const std::lock_guard lock(mutex_);
        if (!has_stock() || !may_take()) {
            return none;
        }
        ++searching_;
        const std::size_t number = stock_[first_++];
        if (journal_.is_elsewhere()) {
            begun_[number] = Clock::now();
        }
        furthest_ = (std::max)(furthest_, number + 1);
        return number;
    }

    [[nodiscard]] bool is_over() const override { return is_over_ || is_struck_ || is_failing_; }

    void wait(unsigned turns) const override {
        // Who yields to a busy process waits until that has had its time; who sleeps is woken before that.
        if (turns >= 600) {
            std::this_thread::sleep_for(std::chrono::microseconds{turns < 2'000 ? 10 : 200});
        }
    }

    void keep(const UnitRecord& record) override {
        const std::lock_guard lock(mutex_);
        known_.push_back(record);
        if (journal_.is_elsewhere()) {
            work_ += Clock::now() - begun_[record.unit];
        }
    }

    void leave() override {
        const std::lock_guard lock(mutex_);
        --searching_;
    }

    /// Not if a goal is before it, as far as is known.
    bool fail(std::size_t number) override {
        if (number >= end()) {
            return false;
        }
        is_failing_ = true;
        end_at(0);
        return true;
    }

    /// Calls `search`, and returns what all ranks return: what it returned, or the limit that struck on one
    /// of them. Collective. \throws what `search` throws; RankFailure if it threw on another rank
    template <class F>
    auto finish_run(F&& search) {
        decltype(search()) result;
        std::exception_ptr error;
        try {
            result = search();
        } catch (...) {
            error = std::current_exception();
        }
        own_end_ = error || journal_.error() ? End::failure : is_struck_ ? End::none : end_of(result.status);
        place_ = final_place;
        for (unsigned turns = 0; !is_struck_ && !is_final_; wait(turns++)) {
            if (is_over_) {
                static_cast<void>(exchange());
            }
            poll();
        }
        if (is_struck_) {
            journal_.gather_last(std::span(known_).subspan(gathered_.records));
            agree(error ? error : journal_.error(), result);
        }
        return result;
    }

private:
    /// How a search ends by what may not happen on all ranks, from the least to that which prevails.
    enum class End : int { none, time_limit, cancelled, memory_limit, failure };

    /// What a rank tells in a round.
    struct Word {
        std::uint64_t place;           ///< odd: in so many halves of iterations
        std::uint64_t units;           ///< of the iteration
        std::uint64_t expansions_left; ///< when it began
        std::uint64_t end;             ///< units from this one on do not matter
        std::uint64_t wanted;          ///< units
        std::uint64_t kept;            ///< records
        std::uint64_t fresh;           ///< of them, those for the journal that rank 0 has not got
        std::uint64_t furthest;        ///< the number of the last unit taken, plus one
        std::uint64_t expanded;        ///< in the iteration
        std::uint64_t generated;
        bool is_idle;
        bool is_struck;
    };

    /// What remains to be said when a search was ended: the same on all ranks.
    struct Verdict {
        End end;
        std::uint64_t expanded;
        std::uint64_t generated;
        std::uint64_t contract_violations;

        void merge(const Verdict& other) {
            end = (std::max)(end, other.end);
            expanded = (std::max)(expanded, other.expanded);
            generated = (std::max)(generated, other.generated);
            contract_violations = (std::max)(contract_violations, other.contract_violations);
        }
    };

    using Clock = std::chrono::steady_clock;

    /// Units that were finished in an iteration.
    struct Finished {
        std::size_t records = 0;
        Clock::duration work{}; ///< the time that they took
    };

    static constexpr std::uint64_t final_place = (std::numeric_limits<std::uint64_t>::max)() - 1;

    static End end_of(SearchStatus status) {
        return status == SearchStatus::time_limit     ? End::time_limit
               : status == SearchStatus::cancelled    ? End::cancelled
               : status == SearchStatus::memory_limit ? End::memory_limit
                                                      : End::none;
    }

    static SearchStatus status_of(End end) {
        return end == End::time_limit  ? SearchStatus::time_limit
               : end == End::cancelled ? SearchStatus::cancelled
                                       : SearchStatus::memory_limit;
    }

    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }

    /// Within an iteration.
    static bool is_inside(std::uint64_t place) { return place % 2 == 1; }

    /// How many units a rank is to have in stock: together, half of those that are not dealt.
    [[nodiscard]] std::size_t share() const {
        return std::max<std::size_t>(least_share, (units_ - next_) / (2 * words_.size()));
    }

    /// Whether it can do without a round for a while, which takes about as long as a tenth of a small unit.
    [[nodiscard]] bool has_much() {
        const std::lock_guard lock(mutex_);
        return stock_.size() - first_ > 2 * least_share && has_stock() && may_take();
    }

    /// With `mutex_`.
    [[nodiscard]] bool has_stock() const { return first_ < stock_.size() && stock_[first_] < end(); }

    /// With `mutex_`. Whether a thread may begin a unit: not where more would be lost than the journal
    /// promises.
    [[nodiscard]] bool may_take() const {
        return !journal_.is_elsewhere() || searching_ + (known_.size() - written_.records) < threads_ ||
               work_ - written_.work < max_unwritten;
    }

    /// All that is allocated: between here and the end of the iteration, nothing is to throw.
    void reserve(std::size_t units) {
        stock_.reserve(units);
        known_.reserve(units);
        received_.reserve(units);
        if (journal_.is_elsewhere()) {
            begun_.resize(units);
        }
    }

    /// With `mutex_`.
    void begin_part(std::size_t units, std::uint64_t expansions_left) {
        units_ = units;
        expansions_left_ = expansions_left;
        stock_.clear();
        first_ = 0;
        known_.clear();
        work_ = {};
        told_ = gathered_ = written_ = {};
        furthest_ = 0;
        agreed_end_ = none;
        elsewhere_ = {};
        ++place_;
        next_ = 0;
    }

    void append(std::span<const UnitRecord> records) {
        if (!journal_.append(records)) {
            own_end_ = End::failure;
        }
    }

    void end_gathering() {
        is_gathering_ = false;
        gathered_ = told_;
        append(received_);
        begin_round();
    }

    /// Between two rounds. False if there is nothing to gather.
    bool begin_gathering() {
        if (std::all_of(words_.begin(), words_.end(), [](const Word& word) { return word.fresh == 0; })) {
            return false;
        }
        is_gathering_ = true;
        journal_.begin([this](std::size_t i) { return words_[i].fresh; }, known_.data() + gathered_.records,
                       received_, request_);
        return true;
    }

    void begin_round() {
        own_word_ = Word{};
        own_word_.place = place_;
        own_word_.is_struck = own_end_ != End::none;
        if (is_inside(place_)) {
            const std::lock_guard lock(mutex_);
            const std::size_t stock = stock_.size() - first_;
            const Counts counts = counted();
            own_word_.units = units_;
            own_word_.expansions_left = expansions_left_;
            own_word_.end = end();
            own_word_.wanted = share() - (std::min)(share(), stock);
            told_ = {known_.size(), work_};
            own_word_.kept = told_.records;
            own_word_.fresh = journal_.is_elsewhere() ? told_.records - gathered_.records : 0;
            own_word_.furthest = furthest_;
            own_word_.expanded = counts.expanded;
            own_word_.generated = counts.generated;
            own_word_.is_idle = searching_ == 0 && !has_stock();
        }
        MPI_Iallgather(&own_word_, sizeof(Word), MPI_BYTE, words_.data(), sizeof(Word), MPI_BYTE,
                       ranks_.get(), &request_);
    }

    /// A round has ended. All ranks have the same words.
    void hear() {
        if (journal_.is_elsewhere()) {
            const std::lock_guard lock(mutex_);
            written_ = gathered_; // Rank 0 has begun this round after that.
        }
        const auto all = [this](auto&& is) { return std::all_of(words_.begin(), words_.end(), is); };
        const Word& first = words_.front();
        const bool is_struck = !all([](const Word& word) { return !word.is_struck; });
        are_different_ = !is_struck && are_different();
        if (is_struck || are_different_) {
            is_struck_ = true;
            end_at(0);
            return;
        }
        const bool are_together = all([&](const Word& word) { return word.place == first.place; });
        if (are_together && first.place == final_place) {
            is_final_ = true;
            return;
        }
        // Also on a rank that has left the iteration, which it has not told yet.
        if (are_together && is_inside(first.place)) {
            deal();
            if (is_over_ || begin_gathering()) {
                return;
            }
        }
        begin_round();
    }

    /// Whether ranks are within different iterations, or one has none where another has.
    [[nodiscard]] bool are_different() const {
        const auto inside = std::find_if(words_.begin(), words_.end(),
                                         [](const Word& word) { return is_inside(word.place); });
        return inside != words_.end() && std::any_of(words_.begin(), words_.end(), [&](const Word& word) {
                   return word.place == final_place ||
                          (is_inside(word.place) &&
                           (word.place != inside->place || word.units != inside->units ||
                            word.expansions_left != inside->expansions_left));
               });
    }

    /// Agrees on where the iteration ends, and gives to each rank the units that it wants.
    void deal() {
        std::uint64_t expanded = 0;
        std::uint64_t generated = 0;
        std::size_t furthest = 0;
        bool are_idle = true;
        for (const Word& word : words_) {
            expanded += word.expanded;
            generated += word.generated;
            furthest = std::max<std::size_t>(furthest, word.furthest);
            agreed_end_ = std::min<std::size_t>(agreed_end_, word.end);
            are_idle = are_idle && word.is_idle;
        }
        if (expanded > expansions_left_) {
            agreed_end_ = (std::min)(agreed_end_, furthest); // They are used up before.
        }
        end_at(agreed_end_);
        elsewhere_ = {expanded - words_[rank()].expanded, generated - words_[rank()].generated};
        const std::size_t limit = (std::min)(units_, agreed_end_);
        if (are_idle && next_ >= limit) {
            is_over_ = true;
            return;
        }
        const std::lock_guard lock(mutex_);
        for (bool is_wanted = true; is_wanted && next_ < limit;) {
            is_wanted = false;
            for (std::size_t i = 0; i < words_.size() && next_ < limit; ++i) {
                if (words_[i].wanted > 0) {
                    --words_[i].wanted;
                    is_wanted = true;
                    if (i == rank()) {
                        stock_.push_back(next_);
                    }
                    ++next_;
                }
            }
        }
    }

    /// After the last round, when each rank has left its search.
    template <class Result>
    void agree(const std::exception_ptr& error, Result& result) {
        const Statistics& done = result.statistics;
        const Verdict verdict = Reduction<Verdict>()(
            {error ? End::failure : own_end_, done.expanded, done.generated, done.contract_violations},
            ranks_);
        if (verdict.end == End::failure) {
            share_failure(ranks_, error);
        }
        if (are_different_) {
            throw std::invalid_argument("the ranks were called with different arguments");
        }
        Statistics statistics = done;
        statistics.expanded = verdict.expanded;
        statistics.generated = verdict.generated;
        statistics.contract_violations = verdict.contract_violations;
        result = Result{};
        result.status = status_of(verdict.end);
        result.statistics = statistics;
    }

    static constexpr std::size_t least_share = 2;
    /// For units that were finished and may be lost, on one rank.
    static constexpr std::chrono::milliseconds max_unwritten{10};

    const Communicator& ranks_;
    GatheredJournal journal_;
    unsigned threads_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    Word own_word_{};
    std::vector<Word> words_; ///< of all ranks, by rank
    std::vector<int> counts_;
    std::vector<int> offsets_;

    Clock::time_point next_poll_{};
    std::uint64_t place_ = 0;
    std::size_t units_ = 0;
    std::uint64_t expansions_left_ = 0;
    std::size_t next_ = 0; ///< the unit that is dealt next
    std::size_t agreed_end_ = none;
    Counts elsewhere_;
    std::vector<UnitRecord> received_;
    End own_end_ = End::none;
    bool is_gathering_ = false;
    Finished told_;     ///< in this rank's last word
    Finished gathered_; ///< of those
    bool is_final_ = false;
    bool are_different_ = false;
    std::atomic<bool> is_over_{false};
    std::atomic<bool> is_struck_{false};
    std::atomic<bool> is_failing_{false};

    std::mutex mutex_; ///< of all below
    std::vector<std::size_t> stock_;
    std::size_t first_ = 0; ///< of the stock that is left
    std::size_t furthest_ = 0;
    std::size_t searching_ = 0;
    std::vector<UnitRecord> known_;
    std::vector<Clock::time_point> begun_; ///< when each unit was taken, for a journal elsewhere
    Clock::duration work_{};               ///< for what is kept
    Finished written_;                     ///< of it, what the journal is known to have
};

} // namespace npuzzle::detail
