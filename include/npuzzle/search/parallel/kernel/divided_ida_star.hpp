#pragma once

#include "npuzzle/search/kernel/threads.hpp"
#include "npuzzle/search/parallel/kernel/held_heuristic.hpp"
#include "npuzzle/search/parallel/kernel/subtree_search.hpp"
#include "npuzzle/search/parallel/kernel/unit_scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// IDA* whose iterations are divided into subtrees, which several threads search, and several machines.

namespace npuzzle::detail {

/// The search behind `parallel_ida_star` and `distributed_ida_star`.
///
/// An iteration that is expected to be large is made in two passes. First the nodes at some depth are
/// collected, in the order in which a depth-first search meets them, and the subtree of each is a unit of
/// work: threads take the units in this order, each with an engine of its own. Then one engine makes the
/// iteration as ever, except that it adds what was counted in a unit in place of searching it. If a unit is
/// not done, that engine searches it: there is the goal, or a limit strikes there. So path and statistics are
/// those of `IdaStar`, whatever the threads did.
///
/// Where the units are shared with other machines, each of them makes both passes. In between they exchange
/// what they counted.
///
/// \tparam B the heuristic, bound, as it is held
template <MoveProblem P, class B, class O>
class DividedIdaStar {
    using Engine = IdaStar<P, B, SilentObserver>;
    using Search = SubtreeSearch<P, B>;
    using State = state_t<P>;
    using Move = move_t<P>;
    using Unit = typename Search::Unit;
    using Bound = typename Engine::Bound;
    using Position = typename Engine::Position;
    using Evaluation = typename Engine::Evaluation;
    using Value = typename Engine::Value;

public:
    DividedIdaStar(UnitScheduler& scheduler, const P& problem, const State& start, B&& heuristic,
                   const ParallelIdaStarOptions& options, const limits_t<P>& limits, O& observer)
        : scheduler_(scheduler), threads_(thread_count(options.threads)),
          least_divided_(options.least_divided), journal_(options.journal), limits_(limits),
          observer_(observer), engine_(problem, start, std::forward<B>(heuristic), with_stop(limits, [this] {
                                           tell();
                                           return scheduler_.poll() || limits_.stop.stop_requested();
                                       })) {}
    DividedIdaStar(const DividedIdaStar&) = delete;
    DividedIdaStar& operator=(const DividedIdaStar&) = delete;

    search_result_t<P> run() {
        std::uint64_t last = 0;
        if (journal_ != nullptr && engine_.status() == SearchStatus::running) {
            journal_->begin(description());
        }
        const bool is_divided = threads_ > 1 || journal_ != nullptr || scheduler_.is_shared();
        while (engine_.status() == SearchStatus::running) {
            const std::uint64_t before = engine_.statistics_.expanded;
            if (is_divided && last >= least_divided_ && before < limits_.expansions) {
                engine_.guarded([&] { deepen(last); });
            } else {
                engine_.step();
            }
            last = engine_.statistics_.expanded - before;
        }
        engine_.guarded([&] { observer_.progress(engine_.statistics()); });
        return engine_.result();
    }

private:
    /// A unit is to have about so many expansions, unless that makes too few units, or too many.
    static constexpr std::uint64_t least_in_unit = 1024;
    static constexpr std::uint64_t least_units = 64;
    static constexpr std::uint64_t max_units = std::uint64_t{1} << 14;
    /// The part of the last iteration's expansions that may go into the collection of units.
    static constexpr std::uint64_t collection_part = 16;

    /// How often the caller's thread looks at the limits while it has nothing to search.
    static constexpr std::chrono::milliseconds idle_time{4};

    /// What one thread searches with. Apart from the others in the cache.
    struct alignas(64) Worker {
        Worker(DividedIdaStar& search, bool is_callers_thread)
            : is_callers(is_callers_thread),
              subtree(search.engine_, held(search.engine_.heuristic_), [this, &search] {
                  if (is_callers) {
                      search.check_limits();
                  }
                  search.count(*this);
                  return search.is_to_stop(*this);
              }) {}
        Worker(const Worker&) = delete;
        Worker& operator=(const Worker&) = delete;

        bool is_callers;
        std::size_t unit = 0;         ///< the number of that which is searched
        std::uint64_t unit_begin = 0; ///< the expansions before it
        Statistics counted;           ///< what the progress knows of
        Search subtree;
    };

    /// Lists the nodes at the cut.
    struct Collector {
        DividedIdaStar& search;
        std::vector<Move> path = std::vector<Move>(search.depth_, P::no_move);

        void descend(std::size_t left, const Move& move) { path[path.size() - left] = move; }

        bool visit(const Move& /*last*/, const State& /*state*/, const Position& position,
                   const Evaluation& evaluation) {
            search.units_.push_back({position, evaluation});
            search.moves_.insert(search.moves_.end(), path.begin(), path.end());
            return false;
        }
    };

    /// Adds up the units.
    struct Summation {
        DividedIdaStar& search;
        std::size_t next = 0;

        void descend(std::size_t /*left*/, const Move& /*move*/) {}

        bool visit(const Move& last, const State& state, const Position& position,
                   const Evaluation& evaluation) {
            return search.add_unit(next++, last, state, position, evaluation);
        }
    };

    /// One more like that, to hand on.
    static B held(std::remove_reference_t<B>& heuristic) {
        if constexpr (std::is_reference_v<B>) {
            return heuristic;
        } else {
            return std::as_const(heuristic);
        }
    }

    template <class Cost, class F>
    static BasicLimits<Cost> with_stop(BasicLimits<Cost> limits, F stop) {
        limits.stop = StopToken(std::move(stop));
        return limits;
    }

    /// One iteration, or the end of the search.
    void deepen(std::uint64_t last) {
        const std::optional<Value> bound = engine_.take_bound();
        if (!bound) {
            return;
        }
        engine_.bound_.set(*bound);
        if (workers_.empty()) {
            for (unsigned i = 0; i < threads_; ++i) {
                workers_.push_back(std::make_unique<Worker>(*this, i == 0));
            }
        }
        scheduler_.reset_end();
        collect(last);
        if (journal_ != nullptr) {
            restore();
        }
        if (!has_ended()) {
            search_units();
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        if (limit_ != SearchStatus::running) {
            add_counted(engine_.statistics_);
            engine_.finish(limit_);
            return;
        }
        is_summing_ = true;
        Summation summation{*this};
        engine_.deepen(*bound, DividedPlace<Move, Summation>{P::no_move, depth_, &summation});
        is_summing_ = false;
        scheduler_.reset_counts();
    }

    /// Finds the units: the nodes at the least depth that has enough of them.
    void collect(std::uint64_t last) {
        const std::uint64_t wanted = std::clamp(last / least_in_unit, least_units, max_units);
        Worker& worker = *workers_.front();
        Search& search = worker.subtree;
        const std::uint64_t before = search.statistics().expanded;
        worker.unit = 0;
        // Not those that are left: where that would end the collection would depend on the time.
        max_in_unit_ = Limits::unlimited;
        while (true) {
            units_.clear();
            moves_.clear();
            Collector collector{*this};
            if (search.visit_above(engine_.bound_.value(), depth_, collector)) {
                // A goal above the cut: what is before it are the units.
                search.return_to(engine_.start_);
                break;
            }
            if (units_.empty() || units_.size() >= wanted ||
                search.statistics().expanded - before > last / collection_part) {
                break;
            }
            ++depth_;
        }
        worker.counted = search.statistics();
        scheduler_.reset_counts();
    }

    /// Takes the units that are known from the journal, here and elsewhere.
    void restore() {
        ++iteration_;
        std::vector<UnitRecord> known;
        for (std::size_t i = 0; i < units_.size(); ++i) {
            if (const UnitRecord* const record = journal_->find(iteration_, i)) {
                known.push_back(*record);
            }
        }
        take_in(known);
        if (scheduler_.is_shared()) {
            scheduler_.begin_sharing(known, units_.size(), expansions_left());
            work(*workers_.front());
            if (!has_ended()) {
                take_in(scheduler_.exchange());
            }
        }
    }

    void take_in(std::span<const UnitRecord> records) {
        for (const UnitRecord& record : records) {
            units_[record.unit].restore(record, units_.size());
        }
    }

    /// What tells a search from others.
    [[nodiscard]] std::string description() const {
        std::string text = "divided after " + std::to_string(least_divided_) + ", a bound of " +
                           std::to_string(sizeof(Bound)) + " bytes";
        if constexpr (std::is_arithmetic_v<Value>) {
            text += ", the first " + std::to_string(*engine_.bound());
        }
        if constexpr (HasHash<P> || Hashable<State>) {
            text += ", start " + std::to_string(hash_state(*engine_.problem_, engine_.start_));
        }
        return text;
    }

    /// Searches the units on all threads, until all are done or a unit is the last one that matters.
    void search_units() {
        done_units_ = 0;
        done_expanded_ = 0;
        failed_ = UnitScheduler::none;
        count_done_units();
        max_in_unit_ = expansions_left();
        scheduler_.begin(units_.size(), expansions_left());
        const std::size_t count =
            std::min<std::size_t>(workers_.size(), std::max<std::size_t>(1, units_.size()));
        {
            JoinedThreads others(count - 1);
            for (std::size_t i = 1; i < count; ++i) {
                begin_thread();
                const bool is_added = others.try_to_add([this, &worker = *workers_[i]] {
                    work(worker);
                    end_thread();
                });
                if (!is_added) {
                    end_thread();
                    break;
                }
            }
            work(*workers_.front());
            wait_for_threads();
        }
        if (is_failed_) {
            failure_ = error_;
        }
        if (has_ended()) {
            return;
        }
        take_in(scheduler_.exchange());
    }

    void wait_for_threads() {
        std::unique_lock lock(mutex_);
        while (!is_idle_.wait_for(lock, idle_time, [&] { return running_ == 0; })) {
            lock.unlock();
            check_limits();
            lock.lock();
        }
    }

    void begin_thread() {
        const std::lock_guard lock(mutex_);
        ++running_;
    }

    void end_thread() {
        const std::lock_guard lock(mutex_);
        --running_;
        is_idle_.notify_one();
    }

    void work(Worker& worker) {
        unsigned idle_turns = 0;
        auto checked = std::chrono::steady_clock::now();
        while (true) {
            const std::size_t number = take(worker);
            if (number != UnitScheduler::none) {
                idle_turns = 0;
                try_unit(worker, number);
                scheduler_.leave();
                continue;
            }
            if (scheduler_.is_over() || (worker.is_callers ? has_ended() : scheduler_.end() == 0)) {
                return;
            }
            if (worker.is_callers && std::chrono::steady_clock::now() - checked >= idle_time) {
                check_limits();
                checked = std::chrono::steady_clock::now();
            }
            scheduler_.wait(idle_turns++);
        }
    }

    std::size_t take(const Worker& worker) {
        if (worker.is_callers && scheduler_.poll()) {
            limit_ = SearchStatus::cancelled;
        }
        return scheduler_.take();
    }

    void try_unit(Worker& worker, std::size_t number) {
        try {
            if (!units_[number].is_done) {
                search_unit(worker, number);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (number < failed_) {
                failed_ = number;
                error_ = std::current_exception();
            }
            is_failed_ = scheduler_.fail(number) || is_failed_;
        }
    }

    void search_unit(Worker& worker, std::size_t number) {
        Unit& unit = units_[number];
        worker.unit = number;
        worker.unit_begin = worker.subtree.statistics().expanded;
        const std::span<const Move> moves(moves_.data() + number * depth_, depth_);
        const bool is_over = worker.subtree.search(engine_.bound_.value(), moves, unit);
        count(worker);
        if (is_over) {
            scheduler_.end_at(number);
            return;
        }
        if (journal_ != nullptr || scheduler_.is_shared()) {
            const UnitRecord record = unit.record(iteration_, units_.size(), number);
            if (journal_ != nullptr) {
                journal_->append(record);
            }
            scheduler_.keep(record);
        }
        const std::lock_guard lock(mutex_);
        unit.is_done = true;
        count_done_units();
    }

    /// Ends the iteration where the expansions that are left are used up, if all units before that are done.
    void count_done_units() {
        while (done_units_ < units_.size() && units_[done_units_].is_done) {
            done_expanded_ += units_[done_units_].expanded;
            if (done_expanded_ > expansions_left()) {
                scheduler_.end_at(done_units_);
                return;
            }
            ++done_units_;
        }
    }

    [[nodiscard]] std::uint64_t expansions_left() const {
        return limits_.expansions - engine_.statistics_.expanded;
    }

    [[nodiscard]] bool is_to_stop(const Worker& worker) const {
        return worker.unit >= scheduler_.end() ||
               worker.subtree.statistics().expanded - worker.unit_begin > max_in_unit_;
    }

    /// For the progress.
    void count(Worker& worker) {
        const Statistics& now = worker.subtree.statistics();
        scheduler_.count(now.expanded - worker.counted.expanded, now.generated - worker.counted.generated);
        worker.counted = now;
    }

    /// On the caller's thread, which alone asks for the time and calls what is the caller's.
    void check_limits() {
        if (has_ended()) {
            return;
        }
        try {
            limit_ = engine_.monitor_.check(engine_.statistics_.expanded);
        } catch (...) {
            failure_ = std::current_exception();
        }
        if (has_ended()) {
            scheduler_.end_at(0);
        }
    }

    /// Whether a limit, or what was thrown, has ended the search on the caller's thread.
    [[nodiscard]] bool has_ended() const { return limit_ != SearchStatus::running || failure_; }

    /// What was counted in the units so far, here and elsewhere.
    void add_counted(Statistics& statistics) const {
        for (const UnitScheduler::Counts& counts : {scheduler_.counted(), scheduler_.elsewhere()}) {
            statistics.expanded += counts.expanded;
            statistics.generated += counts.generated;
        }
    }

    void tell() {
        if (!is_summing_) {
            Statistics statistics = engine_.statistics();
            add_counted(statistics);
            tell_progress(observer_, statistics, engine_.bound_.value());
        }
    }

    bool add_unit(std::size_t number, const Move& last, const State& state, const Position& position,
                  const Evaluation& evaluation) {
        if (number == failed_) {
            std::rethrow_exception(error_);
        }
        engine_.flush_counters();
        Statistics& statistics = engine_.statistics_;
        const Unit& unit = units_[number];
        if (!unit.is_done || unit.expanded > expansions_left()) {
            return engine_.visit_at(last, state, position, evaluation);
        }
        statistics.expanded += unit.expanded;
        statistics.generated += unit.generated;
        statistics.contract_violations += unit.contract_violations;
        engine_.bound_.merge(unit.bound);
        return false;
    }

    UnitScheduler& scheduler_;
    unsigned threads_;
    std::uint64_t least_divided_;
    UnitJournal* journal_;
    limits_t<P> limits_;
    O& observer_;
    /// What ended the search on the caller's thread.
    SearchStatus limit_ = SearchStatus::running;
    std::exception_ptr failure_;
    bool is_summing_ = false;
    Engine engine_;

    std::uint64_t iteration_ = 0;   ///< of those that are divided; counted for the journal
    std::size_t depth_ = 1;         ///< of the cut
    std::uint64_t max_in_unit_ = 0; ///< expansions; more end the search
    std::vector<Unit> units_;
    std::vector<Move> moves_; ///< to each unit, one after the other
    std::vector<std::unique_ptr<Worker>> workers_;

    std::mutex mutex_;           ///< of all below
    std::size_t done_units_ = 0; ///< all units before this one are done
    std::uint64_t done_expanded_ = 0;
    std::size_t failed_ = UnitScheduler::none; ///< the first unit in which something was thrown
    std::exception_ptr error_;
    bool is_failed_ = false; ///< it ends the search at once
    unsigned running_ = 0;   ///< threads, without the caller's
    std::condition_variable is_idle_;
};

} // namespace npuzzle::detail
