#pragma once

#include "npuzzle/search/engine/threads.hpp"
#include "npuzzle/search/ida_star.hpp"
#include "npuzzle/search/parallel/ida_star_journal.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// The options of `parallel_ida_star`.
struct ParallelIdaStarOptions {
    /// How many threads search, at most, while the caller's looks at the limits; 0 for as many as the machine
    /// runs at once.
    unsigned threads = 0;
    /// An iteration is divided among the threads if the last one expanded so many states. That many take
    /// about as long as to start a few threads, if an expansion takes nanoseconds; less is better if it takes
    /// microseconds.
    std::uint64_t least_divided = std::uint64_t{1} << 14;
    /// Where finished units are kept, so that a search that is killed can go on; null: nowhere. It must
    /// outlive the search. What it throws ends the search.
    IdaStarJournal* journal = nullptr;
};

namespace detail {

/// The units of an iteration: hands out their numbers, in the order of a depth-first search, and keeps what
/// was counted in each. `DistributedUnits` shares them with other processes.
class Units {
public:
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    Units() = default;
    Units(const Units&) = delete;
    Units& operator=(const Units&) = delete;
    virtual ~Units() = default;

    // On the caller's thread:

    [[nodiscard]] virtual bool is_shared() const { return false; }
    /// The search begins. Returns the units that are known.
    virtual std::vector<UnitRecord> begin_search(const std::string& search, IdaStarJournal* journal) {
        return journal != nullptr ? journal->begin(search) : std::vector<UnitRecord>();
    }
    /// An iteration begins.
    /// \param most when more states than that have been expanded, no more units are handed out
    virtual void begin(std::size_t units, std::uint64_t most) {
        records_.assign(units, {});
        finished_.clear();
        next_ = 0;
        stock_end_ = units;
        most_ = most;
    }
    /// Called every few milliseconds.
    virtual void poll() {}
    /// Called when the units here are finished, until it returns true.
    [[nodiscard]] virtual bool are_all_finished() { return true; }

    [[nodiscard]] std::size_t size() const { return records_.size(); }
    [[nodiscard]] const UnitRecord& operator[](std::size_t unit) const { return records_[unit]; }
    void set(const UnitRecord& record) {
        if (record.units != records_.size() || record.unit >= record.units) {
            throw std::runtime_error("the journal is of another search: iteration " +
                                     std::to_string(record.iteration) + " has " +
                                     std::to_string(record.units) + " units there, and " +
                                     std::to_string(records_.size()) + " here");
        }
        records_[record.unit] = record;
    }
    /// Throws what was thrown in a unit, if that ends the search.
    void rethrow(std::size_t unit) const {
        if (unit == end_ && error_) {
            std::rethrow_exception(error_);
        }
    }
    /// A limit ends the search.
    void stop(SearchStatus limit) {
        limit_ = limit_ == SearchStatus::running ? limit : limit_;
        end_at(0);
    }
    [[nodiscard]] SearchStatus limit() const { return limit_; }
    /// Waits a moment, or until a thread wants something or leaves.
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::milliseconds{1});
    }

    // On any thread:

    /// The unit that is next; `none` if there is none.
    [[nodiscard]] std::size_t take() {
        std::unique_lock lock(mutex_);
        for (;; changed_.wait(lock)) {
            while (next_ < stock_end_ && records_[next_].units != 0) {
                ++next_;
            }
            if (next_ >= end_ || next_ == records_.size() || counts_.expanded > most_) {
                return none;
            }
            if (next_ < stock_end_) {
                return next_++;
            }
            changed_.notify_all();
        }
    }
    /// A unit that was taken has been searched. The search ends there if it is not finished.
    void leave(const UnitRecord& record, bool is_finished) {
        if (!is_finished) {
            end_at(record.unit);
        }
        const std::lock_guard lock(mutex_);
        counts_.expanded += record.expanded;
        counts_.generated += record.generated;
        if (is_finished) {
            records_[record.unit] = record;
            finished_.push_back(record);
        }
    }
    /// The search ends in this unit, or before: the next ones do not matter.
    void end_at(std::size_t unit, std::exception_ptr error = nullptr) {
        const std::lock_guard lock(mutex_);
        if (unit < end_) {
            end_ = unit;
            error_ = std::move(error);
        }
        changed_.notify_all();
    }
    [[nodiscard]] std::size_t end() const { return end_; }
    /// What was counted here, in the units of this iteration so far.
    [[nodiscard]] Statistics counts() {
        const std::lock_guard lock(mutex_);
        return counts_;
    }
    void clear_counts() { counts_ = {}; }

protected:
    SearchStatus limit_ = SearchStatus::running; ///< what has ended the search on the caller's thread
    std::mutex mutex_;                           ///< of all below
    std::condition_variable changed_;
    std::vector<UnitRecord> records_;
    std::vector<UnitRecord> finished_; ///< here, in this iteration
    std::size_t next_ = 0;             ///< of the stock, the units that are to be handed out
    std::size_t stock_end_ = 0;
    std::uint64_t most_ = 0;
    Statistics counts_;
    std::exception_ptr error_; ///< in the unit `end_`
    std::atomic<std::size_t> end_{none};
};

/// The search behind `parallel_ida_star` and `distributed_ida_star`.
///
/// An iteration that is expected to be large is split at some depth: the subtrees below are units, numbered in
/// the order in which a depth-first search meets them. Each thread goes through the tree above with an engine
/// of its own, takes a number, searches this unit when it comes to it, and takes the next number. Meanwhile,
/// the caller's thread looks at the limits. Then it makes the iteration as ever, except that it adds what was
/// counted in a unit in place of searching it. A unit that is not finished it searches itself: there is the
/// goal, or a limit strikes there. So path and statistics are those of `IdaStar`, whatever the threads did.
///
/// \tparam B the heuristic, bound, as it is held
template <MoveProblem P, class B, class O>
class SplitIdaStar {
    using Engine = IdaStar<P, B, SilentObserver>;
    using State = state_t<P>;
    using Move = move_t<P>;
    using Value = typename Engine::Value;
    using Bound = typename Engine::Bound;
    using Position = typename Engine::Position;
    using StateArg = typename Engine::StateArg;
    using EvaluationArg = typename Engine::EvaluationArg;
    using DynamicPlace = typename Engine::DynamicPlace;
    using UpperPlace = typename Engine::UpperPlace;
    using Cut = typename Engine::Cut;
    using Clock = std::chrono::steady_clock;

    static_assert(std::is_trivially_copyable_v<Bound> && sizeof(Bound) <= sizeof(UnitRecord::bound),
                  "costs and estimates are plain numbers");

public:
    SplitIdaStar(Units& units, const P& problem, const State& start, B&& heuristic,
                 const ParallelIdaStarOptions& options, const limits_t<P>& limits, O& observer)
        : units_(units), options_(options), limits_(limits), observer_(observer),
          engine_(problem, start, std::forward<B>(heuristic), with_stop(limits, [this] {
                      if (!is_summing_) {
                          tell_progress(observer_, statistics(), engine_.bound_.value());
                      }
                      units_.poll();
                      return units_.limit() != SearchStatus::running || limits_.stop.stop_requested();
                  })) {}
    SplitIdaStar(const SplitIdaStar&) = delete;
    SplitIdaStar& operator=(const SplitIdaStar&) = delete;

    search_result_t<P> run() {
        known_ = units_.begin_search(description(), options_.journal);
        if (units_.limit() != SearchStatus::running && engine_.status() == SearchStatus::running) {
            engine_.finish(units_.limit());
        }
        const unsigned threads = thread_count(options_.threads);
        const bool is_split = threads > 1 || options_.journal != nullptr || units_.is_shared();
        std::uint64_t last = 0; // expansions of the last iteration
        while (engine_.status() == SearchStatus::running) {
            const std::uint64_t before = engine_.statistics_.expanded;
            if (is_split && last >= options_.least_divided && before < limits_.expansions) {
                engine_.guarded([&] { deepen(last, threads); });
            } else {
                engine_.step();
            }
            last = engine_.statistics_.expanded - before;
        }
        engine_.guarded([&] { observer_.progress(statistics()); });
        auto result = engine_.result();
        result.statistics = statistics();
        return result;
    }

private:
    /// What one thread searches with. Apart from the others in the cache.
    struct alignas(64) Worker {
        explicit Worker(const SplitIdaStar& search)
            : engine(*search.engine_.problem_, search.engine_.start_, B(search.engine_.heuristic_),
                     with_stop(limits_t<P>{}, [this, &search] {
                         return unit >= search.units_.end() ||
                                engine.statistics_.expanded - unit_begin > search.most_in_unit_;
                     })) {
            if (engine.status() != SearchStatus::running) {
                throw std::bad_alloc();
            }
        }
        Worker(const Worker&) = delete;
        Worker& operator=(const Worker&) = delete;

        std::size_t unit = 0;         ///< the number of the one that is searched, or is next
        std::uint64_t unit_begin = 0; ///< the expansions before it
        Engine engine;
    };

    template <class Limits, class F>
    static Limits with_stop(Limits limits, F stop) {
        limits.stop = StopToken(std::move(stop));
        return limits;
    }

    /// What tells a search from others.
    [[nodiscard]] std::string description() const {
        std::string text = "divided after " + std::to_string(options_.least_divided);
        if constexpr (std::is_arithmetic_v<Value>) {
            text += ", first bound " + std::to_string(engine_.proved_);
        }
        if constexpr (HasHash<P> || Hashable<State>) {
            text += ", start " + std::to_string(hash_state(*engine_.problem_, engine_.start_));
        }
        return text;
    }

    /// One iteration, or the end of the search.
    void deepen(std::uint64_t last, unsigned threads) {
        const auto bound = engine_.take_bound();
        if (!bound) {
            return;
        }
        engine_.bound_ = Bound(*bound);
        while (workers_.size() < threads) {
            workers_.push_back(std::make_unique<Worker>(*this));
        }
        const std::size_t count = split(last);
        search_units(count);
        units_.rethrow(0);
        if (units_.limit() != SearchStatus::running) {
            engine_.finish(units_.limit());
            return;
        }
        units_.clear_counts();
        is_summing_ = true; // The progress has counted that.
        std::size_t number = 0;
        const Cut sum = [&](const Move& last_move, StateArg state, Position position,
                            EvaluationArg evaluation) {
            units_.rethrow(number);
            const UnitRecord& unit = units_[number++];
            engine_.flush_counters();
            if (unit.units == 0 || unit.expanded > expansions_left()) {
                return engine_.visit_next(DynamicPlace{last_move}, state, position, evaluation);
            }
            engine_.statistics_.expanded += unit.expanded;
            engine_.statistics_.generated += unit.generated;
            engine_.statistics_.contract_violations += unit.contract_violations;
            Bound seen;
            std::memcpy(static_cast<void*>(&seen), &unit.bound, sizeof(Bound));
            engine_.bound_.merge(seen);
            return false;
        };
        engine_.deepen(*bound, UpperPlace{P::no_move, depth_, &sum});
        is_summing_ = false;
    }

    /// Finds the least depth that has enough units, about one for 1,024 expansions. Returns their number.
    std::size_t split(std::uint64_t last) {
        const std::uint64_t wanted = std::clamp<std::uint64_t>(last / 1024, 64, 1 << 14);
        Worker& worker = *workers_.front();
        worker.unit = 0;
        most_in_unit_ = Limits::unlimited; // Where that would end this would depend on the time.
        const std::uint64_t before = worker.engine.statistics_.expanded;
        for (;; ++depth_) {
            std::size_t units = 0;
            const Cut count = [&](auto&&...) { return ++units == 0; };
            if (walk(worker, count) || units == 0 || units >= wanted ||
                worker.engine.statistics_.expanded - before > last / 16) {
                return units;
            }
        }
    }

    /// Goes through the tree above the cut, from the start.
    bool walk(Worker& worker, const Cut& cut) const {
        worker.engine.start_ = engine_.start_; // The last walk may have ended below it.
        worker.engine.parent_.reset();
        worker.unit_begin = worker.engine.statistics_.expanded;
        return worker.engine.visit_start(engine_.bound_.value(), UpperPlace{P::no_move, depth_, &cut});
    }

    /// Searches the units on all threads, until all are finished or one is the last that matters.
    void search_units(std::size_t count) {
        ++iteration_;
        most_in_unit_ = expansions_left();
        units_.begin(count, most_in_unit_);
        for (const UnitRecord& record : known_) {
            if (record.iteration == iteration_) {
                units_.set(record);
            }
        }
        std::atomic<std::size_t> running{workers_.size()};
        JoinedThreads threads(workers_.size());
        for (const auto& worker : workers_) {
            if (!threads.try_to_add([&] {
                    search_units(*worker);
                    --running;
                })) {
                --running;
            }
        }
        auto checked = Clock::now();
        while (running != 0 || !units_.are_all_finished()) {
            try {
                units_.wait();
                units_.poll();
                if (Clock::now() - checked >= std::chrono::milliseconds{4}) {
                    checked = Clock::now();
                    const SearchStatus limit = engine_.monitor_.check(engine_.statistics_.expanded);
                    if (limit != SearchStatus::running) {
                        units_.stop(limit);
                    }
                }
            } catch (...) { // Other ranks wait for this one to agree that all is over.
                units_.end_at(0, std::current_exception());
            }
        }
    }

    void search_units(Worker& worker) {
        std::size_t number = 0;
        const Cut search = [&](const Move& last_move, StateArg state, Position position,
                               EvaluationArg evaluation) {
            if (number++ != worker.unit) {
                return false;
            }
            const auto visit = [&] {
                return worker.engine.visit_next(DynamicPlace{last_move}, state, position, evaluation);
            };
            if (search_unit(worker, visit)) {
                return true;
            }
            worker.unit = units_.take();
            return worker.unit == Units::none;
        };
        worker.unit = units_.take();
        try {
            static_cast<void>(worker.unit != Units::none && walk(worker, search));
        } catch (...) {
            units_.end_at(worker.unit, std::current_exception());
        }
    }

    /// Returns whether the search is over in this unit.
    template <class F>
    bool search_unit(Worker& worker, F&& visit) {
        Engine& engine = worker.engine;
        engine.flush_counters();
        const Statistics before = engine.statistics_;
        worker.unit_begin = before.expanded;
        engine.bound_ = Bound(engine.bound_.value()); // It sees this unit alone.
        const bool is_over = visit();
        engine.flush_counters();
        const Statistics& after = engine.statistics_;
        UnitRecord record{iteration_,
                          units_.size(),
                          worker.unit,
                          after.expanded - before.expanded,
                          after.generated - before.generated,
                          after.contract_violations - before.contract_violations};
        std::memcpy(&record.bound, static_cast<const void*>(&engine.bound_), sizeof(Bound));
        if (!is_over && options_.journal != nullptr) {
            options_.journal->append(record);
        }
        units_.leave(record, !is_over);
        return is_over;
    }

    [[nodiscard]] std::uint64_t expansions_left() const {
        return limits_.expansions - engine_.statistics_.expanded;
    }

    [[nodiscard]] Statistics statistics() const {
        Statistics statistics = engine_.statistics();
        return statistics.merge_sequential(units_.counts());
    }

    Units& units_;
    ParallelIdaStarOptions options_;
    limits_t<P> limits_;
    O& observer_;
    std::vector<UnitRecord> known_;
    bool is_summing_ = false;
    Engine engine_;

    std::uint64_t iteration_ = 0;    ///< of those that are divided
    std::size_t depth_ = 1;          ///< of the cut
    std::uint64_t most_in_unit_ = 0; ///< expansions; more end the search
    std::vector<std::unique_ptr<Worker>> workers_;
};

/// Runs `SplitIdaStar` for any problem.
template <class P, class H, class O>
search_result_t<P> run_split(Units& units, const P& problem, const state_t<P>& start, H& heuristic,
                             const ParallelIdaStarOptions& options, const limits_t<P>& limits, O& observer) {
    const auto run = [&]<class Q, class B>(const Q& moving, B& bound) {
        using Held = held_heuristic_t<B, Q>;
        return SplitIdaStar<Q, Held, O>(units, moving, start, Held(bound), options, limits, observer).run();
    };
    return guarded_search([&] {
        return with_bound(heuristic, problem, [&](auto& bound) {
            if constexpr (has_moves<P>) {
                return run(problem, bound);
            } else {
                return without_moves<P>(run(StepsAsMoves<P>(problem), bound));
            }
        });
    });
}

} // namespace detail

/// `ida_star` on several threads: the same path, cost, status and statistics (but the seconds), whatever the
/// number of threads: `parallel_ida_star(problem, start, heuristic, {.threads = 8})`.
///
/// Each iteration is divided into subtrees, which threads take in the order of a depth-first search (V. N.
/// Rao, V. Kumar, K. Ramesh, "A parallel implementation of iterative-deepening-A*", AAAI 1987, divide one
/// iteration so). The first subtree in this order that holds a goal ends the search. Threads begin when an
/// iteration has expanded 16,384 states; a search that ends before is `ida_star`.
///
/// Several threads call the problem at the same time, as `const`, and the heuristic, if it can be called as
/// `const`; else each thread has a copy of the heuristic, once it is bound. The observer and `limits.stop`
/// are called on the caller's thread alone. An exception on any thread ends the search and passes through.
///
/// \param observer one that sees the progress alone, and declares `static constexpr bool sees_nodes = false`
/// \return as from `ida_star`. `limits.expansions` is exact. After `time_limit` and `cancelled`, the
///         statistics tell what was done on all threads. For a division, some megabytes at most are stored
///         that no limit counts.
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && (!sees_nodes<O>)
search_result_t<P> parallel_ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                     ParallelIdaStarOptions options = {}, limits_t<P> limits = {},
                                     O&& observer = O{}) {
    detail::Units units;
    return detail::run_split(units, problem, start, heuristic, options, limits, observer);
}

} // namespace npuzzle
