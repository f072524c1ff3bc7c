#pragma once

#include "npuzzle/search/engine/threads.hpp"
#include "npuzzle/search/ida_star.hpp"
#include "npuzzle/search/parallel/kernel/held_heuristic.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// What `parallel_ida_star` counted in one unit of work, as a journal keeps it.
struct UnitRecord {
    std::uint64_t iteration = 0; ///< of those that are divided
    std::uint64_t units = 0;     ///< of this iteration
    std::uint64_t unit = 0;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t contract_violations = 0;
    std::array<std::uint64_t, 8> bound{}; ///< what it knows of the next bound, in bytes

    friend bool operator==(const UnitRecord&, const UnitRecord&) = default;
};

/// Keeps finished units of a `parallel_ida_star`, so that another one need not search them. See
/// `IdaStarJournal`, which keeps them in a file.
class UnitJournal {
public:
    /// A search begins: the units that are known. `search` tells it from others, as far as the search itself
    /// can tell.
    virtual std::vector<UnitRecord> begin(const std::string& search) = 0;
    /// A unit is finished. Several threads call this at the same time.
    virtual void append(const UnitRecord& record) = 0;

protected:
    ~UnitJournal() = default;
};

/// The options of `parallel_ida_star`.
struct ParallelIdaStarOptions {
    /// How many threads at most, the caller's own among them; 0 for as many as the machine runs at once.
    unsigned threads = 0;
    /// An iteration is divided among the threads if the last one expanded so many states. That many take
    /// about as long as to start a few threads, if an expansion takes nanoseconds; less is better if it takes
    /// microseconds.
    std::uint64_t least_divided = std::uint64_t{1} << 14;
    /// Where finished units are kept, so that a search that is killed can go on; null: nowhere. It must
    /// outlive the search. What it throws ends the search.
    UnitJournal* journal = nullptr;
};

namespace detail {

/// Hands out the units of a divided iteration to the threads of a search, in the order of a depth-first
/// search. `DistributedUnits` shares them with other machines.
class Units {
public:
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    Units() = default;
    Units(const Units&) = delete;
    Units& operator=(const Units&) = delete;

    // On the caller's thread:

    [[nodiscard]] virtual bool is_shared() const { return false; }
    /// The search begins: the units that are known.
    virtual std::vector<UnitRecord> begin_search(const std::string& search, UnitJournal* journal) {
        return journal != nullptr ? journal->begin(search) : std::vector<UnitRecord>();
    }
    /// An iteration begins.
    virtual void begin(std::size_t units) {
        units_ = units;
        next_ = 0;
        end_ = none;
    }
    /// Units that were finished elsewhere. Valid until the next call.
    [[nodiscard]] virtual std::span<const UnitRecord> poll() { return {}; }
    /// Whether the search was ended elsewhere.
    [[nodiscard]] virtual bool is_struck() const { return false; }
    /// What was expanded elsewhere, and generated.
    [[nodiscard]] virtual std::array<std::uint64_t, 2> elsewhere() const { return {}; }

    // On any thread:

    /// The unit that is next; `none` if there is none at hand.
    [[nodiscard]] virtual std::size_t take() {
        const std::size_t number = next_.fetch_add(1, std::memory_order_relaxed);
        return number < units_ && number < end() ? number : none;
    }
    /// A unit that was taken has been left.
    /// \param record what was counted in it; null if it is not finished
    virtual void leave(const UnitRecord* /*record*/) {}
    /// Nothing will be at hand any more.
    [[nodiscard]] virtual bool is_over() const { return true; }

    /// Units from this number on do not matter.
    [[nodiscard]] std::size_t end() const { return end_; }
    /// The search ends in this unit, or before.
    void end_at(std::size_t number) {
        std::size_t end = end_;
        while (number < end && !end_.compare_exchange_weak(end, number)) {
        }
    }

    std::atomic<bool> is_stopped{false};    ///< by a limit on this machine, or by what was thrown
    std::atomic<std::uint64_t> expanded{0}; ///< in the units of the iteration so far, for the progress
    std::atomic<std::uint64_t> generated{0};

protected:
    ~Units() = default;

    std::size_t units_ = 0;

private:
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> end_{none};
};

/// The search behind `parallel_ida_star` and `distributed_ida_star`.
///
/// An iteration that is expected to be large is made in two passes. First the nodes at some depth are
/// collected, in the order in which a depth-first search meets them; the subtree of each is a unit, which
/// some thread searches with an engine of its own. Then one engine makes the iteration as ever, except that
/// it adds what was counted in a unit in place of searching it. A unit that is not done it searches itself:
/// there is the goal, or a limit strikes there. So path and statistics are those of `IdaStar`, whatever the
/// threads did.
///
/// \tparam B the heuristic, bound, as it is held
template <MoveProblem P, class B, class O>
class DividedIdaStar {
    using Engine = IdaStar<P, B, SilentObserver>;
    using State = state_t<P>;
    using Move = move_t<P>;
    using Bound = typename Engine::Bound;
    using Position = typename Engine::Position;
    using Evaluation = typename Engine::Evaluation;
    using Clock = std::chrono::steady_clock;

public:
    DividedIdaStar(Units& source, const P& problem, const State& start, B&& heuristic,
                   const ParallelIdaStarOptions& options, const limits_t<P>& limits, O& observer)
        : source_(source), options_(options), limits_(limits), observer_(observer),
          engine_(problem, start, std::forward<B>(heuristic), with_stop(limits, [this] {
                      tell();
                      receive();
                      return source_.is_struck() || limits_.stop.stop_requested();
                  })) {}
    DividedIdaStar(const DividedIdaStar&) = delete;
    DividedIdaStar& operator=(const DividedIdaStar&) = delete;

    search_result_t<P> run() {
        for (const UnitRecord& record : source_.begin_search(description(), options_.journal)) {
            known_[{record.iteration, record.unit}] = record;
        }
        const unsigned threads = thread_count(options_.threads);
        const bool is_divided = threads > 1 || options_.journal != nullptr || source_.is_shared();
        std::uint64_t last = 0; // expansions of the last iteration
        while (engine_.status() == SearchStatus::running) {
            const std::uint64_t before = engine_.statistics_.expanded;
            if (is_divided && last >= options_.least_divided && before < limits_.expansions) {
                engine_.guarded([&] { deepen(last, threads); });
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

    /// A subtree, and, when it is done, what was counted in it.
    struct Unit {
        Position position;
        Evaluation evaluation;
        Bound bound{};
        UnitRecord counts{};
        bool is_done = false;
        std::exception_ptr error{};
    };

    /// What one thread searches with. Apart from the others in the cache.
    struct alignas(64) Worker {
        Worker(DividedIdaStar& search, bool is_callers_thread)
            : is_callers(is_callers_thread),
              engine(*search.engine_.problem_, search.engine_.start_, held(search.engine_.heuristic_),
                     with_stop(limits_t<P>{}, [this, &search] {
                         if (is_callers) {
                             search.check_limits();
                         }
                         search.count(*this);
                         return unit >= search.source_.end() ||
                                engine.statistics_.expanded - unit_begin > search.max_in_unit_;
                     })) {
            if (engine.status() != SearchStatus::running) {
                throw std::bad_alloc();
            }
        }
        Worker(const Worker&) = delete;
        Worker& operator=(const Worker&) = delete;

        bool is_callers;
        std::size_t unit = 0;         ///< the number of the one that is searched
        std::uint64_t unit_begin = 0; ///< the expansions before it
        Statistics counted;           ///< what the progress knows of
        Engine engine;
    };

    /// Lists the nodes at the cut.
    struct Collector {
        DividedIdaStar& search;
        const Engine& engine;

        bool visit(const Move& /*last*/, const State& /*state*/, const Position& position,
                   const Evaluation& evaluation) {
            const auto end = engine.taken_.begin() + static_cast<std::ptrdiff_t>(search.depth_);
            search.units_.push_back({position, evaluation});
            search.moves_.insert(search.moves_.end(), engine.taken_.begin(), end);
            return false;
        }
    };

    /// Adds up the units.
    struct Summation {
        DividedIdaStar& search;
        std::size_t next = 0;

        bool visit(const Move& last, const State& state, const Position& position,
                   const Evaluation& evaluation) {
            Engine& engine = search.engine_;
            const Unit& unit = search.units_[next++];
            if (unit.error) {
                std::rethrow_exception(unit.error);
            }
            engine.flush_counters();
            if (!unit.is_done || unit.counts.expanded > search.expansions_left()) {
                return engine.visit_next(DynamicPlace<Move>{last}, state, position, evaluation);
            }
            engine.statistics_.expanded += unit.counts.expanded;
            engine.statistics_.generated += unit.counts.generated;
            engine.statistics_.contract_violations += unit.counts.contract_violations;
            engine.bound_.merge(unit.bound);
            return false;
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

    template <class Limits, class F>
    static Limits with_stop(Limits limits, F stop) {
        limits.stop = StopToken(std::move(stop));
        return limits;
    }

    /// What tells a search from others.
    [[nodiscard]] std::string description() const {
        std::string text = "divided after " + std::to_string(options_.least_divided) + ", a bound of " +
                           std::to_string(sizeof(Bound)) + " bytes";
        if constexpr (std::is_arithmetic_v<typename Engine::Value>) {
            text += ", the first " + std::to_string(engine_.proved_);
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
        engine_.bound_.set(*bound);
        while (workers_.size() < threads) {
            workers_.push_back(std::make_unique<Worker>(*this, workers_.empty()));
        }
        is_above_cut_ = true; // what is expanded there is counted at the end
        collect(last);
        is_above_cut_ = false;
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
        is_above_cut_ = true;
        Summation summation{*this};
        engine_.deepen(*bound, UpperPlace<Move, Summation>{P::no_move, depth_, &summation});
        is_above_cut_ = false;
        source_.expanded = source_.generated = 0;
    }

    /// Finds the units: the nodes at the least depth that has enough of them.
    void collect(std::uint64_t last) {
        const std::uint64_t wanted = std::clamp(last / least_in_unit, least_units, max_units);
        Worker& worker = *workers_.front();
        Engine& engine = worker.engine;
        const std::uint64_t before = engine.statistics_.expanded;
        max_in_unit_ = Limits::unlimited; // where that would end the collection would depend on the time
        worker.unit = 0;
        source_.begin(0);
        for (;; ++depth_) {
            units_.clear();
            moves_.clear();
            Collector collector{*this, engine};
            engine.bound_ = Bound{};
            if (engine.visit_start(engine_.bound_.value(),
                                   UpperPlace<Move, Collector>{P::no_move, depth_, &collector})) {
                restore(engine); // a goal above the cut: the units are what comes before it
                break;
            }
            if (units_.empty() || units_.size() >= wanted ||
                engine.statistics_.expanded - before > last / collection_part) {
                break;
            }
        }
        worker.counted = engine.statistics_;
        source_.expanded = source_.generated = 0;
    }

    /// After a search that ended somewhere below the start, in which states were changed in place.
    void restore(Engine& engine) const {
        engine.start_ = engine_.start_;
        engine.parent_.reset();
    }

    /// Searches the units on all threads, until all are done or a unit is the last one that matters.
    void search_units() {
        ++iteration_;
        done_units_ = 0;
        done_expanded_ = 0;
        max_in_unit_ = expansions_left();
        source_.begin(units_.size());
        for (auto known = known_.lower_bound({iteration_, 0});
             known != known_.end() && known->first.first == iteration_; ++known) {
            set_done(known->second);
        }
        const std::size_t count = std::clamp<std::size_t>(units_.size(), 1, workers_.size());
        JoinedThreads others(count - 1);
        for (std::size_t i = 1; i < count; ++i) {
            ++running_;
            const bool is_added = others.try_to_add([this, &worker = *workers_[i]] {
                work(worker);
                --running_;
            });
            if (!is_added) {
                --running_;
                break;
            }
        }
        work(*workers_.front());
        while (running_ != 0) {
            wait_on_callers_thread();
        }
    }

    void work(Worker& worker) {
        while (true) {
            if (worker.is_callers) {
                receive();
            }
            const std::size_t number = source_.take();
            if (number != Units::none) {
                try_unit(worker, number);
            } else if (source_.is_over()) {
                return;
            } else if (worker.is_callers) {
                wait_on_callers_thread();
            } else {
                std::this_thread::sleep_for(moment);
            }
        }
    }

    static constexpr std::chrono::microseconds moment{20};

    void wait_on_callers_thread() {
        if (Clock::now() - checked_ >= std::chrono::milliseconds{4}) {
            check_limits();
        }
        receive();
        std::this_thread::sleep_for(moment);
    }

    void try_unit(Worker& worker, std::size_t number) {
        Unit& unit = units_[number];
        bool is_finished = false;
        try {
            is_finished = !unit.is_done && search_unit(worker, number);
        } catch (...) {
            unit.error = std::current_exception();
            source_.end_at(number);
        }
        source_.leave(is_finished ? &unit.counts : nullptr);
    }

    /// Returns whether the unit is finished; else the search is over in it.
    bool search_unit(Worker& worker, std::size_t number) {
        Unit& unit = units_[number];
        Engine& engine = worker.engine;
        const Statistics before = engine.statistics_;
        worker.unit = number;
        worker.unit_begin = before.expanded;
        engine.bound_ = Bound{};
        engine.begin(engine_.bound_.value());
        const bool is_over = visit_below(engine, {moves_.data() + number * depth_, depth_}, unit);
        engine.flush_counters();
        count(worker);
        if (is_over) {
            restore(engine);
            source_.end_at(number);
            return false;
        }
        const Statistics& after = engine.statistics_;
        UnitRecord record{iteration_,
                          units_.size(),
                          number,
                          after.expanded - before.expanded,
                          after.generated - before.generated,
                          after.contract_violations - before.contract_violations};
        if (options_.journal != nullptr || source_.is_shared()) {
            copy_bound(record.bound, engine.bound_);
            if (options_.journal != nullptr) {
                options_.journal->append(record);
            }
        }
        const std::lock_guard lock(mutex_);
        unit.bound = engine.bound_;
        count_done(unit, record);
        return true;
    }

    /// Makes the moves to a unit and searches it. Returns whether the search is over below them.
    bool visit_below(Engine& engine, std::span<const Move> moves, const Unit& unit) {
        const P& problem = *engine.problem_;
        Position position = engine.bound_.start();
        const auto make = [&](State& state, const Move& move) {
            if constexpr (is_weighted<P>) {
                const Position before = position;
                static_cast<void>(engine.bound_.advance(position, step_cost(problem, state, move)));
                if (!(engine.bound_.cost(before) < engine.bound_.cost(position))) {
                    engine.free_steps_.push(state, engine.bound_.depth(before));
                }
            }
            if constexpr (Engine::needs_parent) {
                problem.apply(*engine.parent_, move);
            }
            problem.apply(state, move);
        };
        const DynamicPlace<Move> last{moves.back()};
        if constexpr (Engine::copies_states) {
            State state = engine.start_;
            for (const Move& move : moves) {
                make(state, move);
            }
            return engine.visit_next(last, state, unit.position, unit.evaluation);
        } else {
            for (const Move& move : moves) {
                make(engine.start_, move);
            }
            const bool is_over = engine.visit_next(last, engine.start_, unit.position, unit.evaluation);
            restore(engine);
            return is_over;
        }
    }

    /// Takes what was counted in a unit before, or elsewhere.
    void set_done(const UnitRecord& record) {
        if (record.units != units_.size()) {
            throw std::runtime_error("the journal is of another search: iteration " +
                                     std::to_string(record.iteration) + " has " +
                                     std::to_string(record.units) + " units there, and " +
                                     std::to_string(units_.size()) + " here");
        }
        const std::lock_guard lock(mutex_);
        copy_bound(units_[record.unit].bound, record.bound);
        count_done(units_[record.unit], record);
    }

    /// With `mutex_`. Ends the iteration where the expansions that are left are used up, if all units before
    /// that are done.
    void count_done(Unit& unit, const UnitRecord& record) {
        unit.counts = record;
        unit.is_done = true;
        while (done_units_ < units_.size() && units_[done_units_].is_done) {
            done_expanded_ += units_[done_units_].counts.expanded;
            if (done_expanded_ > expansions_left()) {
                source_.end_at(done_units_);
                return;
            }
            ++done_units_;
        }
    }

    /// \throws std::invalid_argument if the bound is not made of plain numbers
    template <class To, class From>
    static void copy_bound(To& to, const From& from) {
        if constexpr (std::is_trivially_copyable_v<Bound> && sizeof(Bound) <= sizeof(UnitRecord::bound)) {
            std::memcpy(static_cast<void*>(&to), &from, sizeof(Bound));
        } else {
            throw std::invalid_argument("a journal keeps only costs that are plain numbers");
        }
    }

    [[nodiscard]] std::uint64_t expansions_left() const {
        return limits_.expansions - engine_.statistics_.expanded;
    }

    // On the caller's thread, which alone asks for the time and calls what is the caller's:

    void check_limits() {
        checked_ = Clock::now();
        if (!has_ended()) {
            try {
                limit_ = engine_.monitor_.check(engine_.statistics_.expanded);
            } catch (...) {
                failure_ = std::current_exception();
            }
            stop_if_ended();
        }
    }

    /// Takes what was finished elsewhere.
    void receive() {
        try {
            for (const UnitRecord& record : source_.poll()) {
                if (options_.journal != nullptr) {
                    options_.journal->append(record);
                }
                set_done(record);
            }
        } catch (...) {
            failure_ = std::current_exception();
        }
        if (source_.is_struck() && !has_ended()) {
            limit_ = SearchStatus::cancelled;
        }
        stop_if_ended();
    }

    void stop_if_ended() {
        if (has_ended()) {
            source_.is_stopped = true;
            source_.end_at(0);
        }
    }

    /// Whether a limit, or what was thrown, has ended the search on the caller's thread.
    [[nodiscard]] bool has_ended() const { return limit_ != SearchStatus::running || failure_; }

    void tell() {
        if (!is_above_cut_) {
            Statistics statistics = engine_.statistics();
            add_counted(statistics);
            tell_progress(observer_, statistics, engine_.bound_.value());
        }
    }

    /// What was counted in the units so far, here and elsewhere.
    void add_counted(Statistics& statistics) const {
        const auto [expanded, generated] = source_.elsewhere();
        statistics.expanded += source_.expanded + expanded;
        statistics.generated += source_.generated + generated;
    }

    /// For the progress.
    void count(Worker& worker) {
        const Statistics& now = worker.engine.statistics_;
        source_.expanded += now.expanded - worker.counted.expanded;
        source_.generated += now.generated - worker.counted.generated;
        worker.counted = now;
    }

    Units& source_;
    ParallelIdaStarOptions options_;
    limits_t<P> limits_;
    O& observer_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, UnitRecord> known_; ///< by iteration and unit
    SearchStatus limit_ = SearchStatus::running; ///< what ended the search on the caller's thread
    std::exception_ptr failure_;
    Clock::time_point checked_{};
    bool is_above_cut_ = false;
    Engine engine_;

    std::uint64_t iteration_ = 0;   ///< of those that are divided
    std::size_t depth_ = 1;         ///< of the cut
    std::uint64_t max_in_unit_ = 0; ///< expansions; more end the search
    std::vector<Unit> units_;
    std::vector<Move> moves_; ///< to each unit, one after the other
    std::vector<std::unique_ptr<Worker>> workers_;
    std::atomic<unsigned> running_{0}; ///< threads, without the caller's

    std::mutex mutex_;           ///< of all below, and of the units that are done
    std::size_t done_units_ = 0; ///< all units before this one are done
    std::uint64_t done_expanded_ = 0;
};

/// Runs `DividedIdaStar` for any problem.
template <class P, class H, class O>
search_result_t<P> run_divided(Units& source, const P& problem, const state_t<P>& start, H& heuristic,
                               const ParallelIdaStarOptions& options, const limits_t<P>& limits,
                               O& observer) {
    const auto run = [&]<class Q, class B>(const Q& moving, B& bound) {
        constexpr bool is_made_by_bind = BindsTo<H, P>;
        using Held = held_heuristic_t<B, Q>;
        using Search = DividedIdaStar<Q, Held, O>;
        if constexpr (std::is_reference_v<Held>) {
            return Search(source, moving, start, bound, options, limits, observer).run();
        } else if constexpr (is_made_by_bind) {
            return Search(source, moving, start, std::move(bound), options, limits, observer).run();
        } else {
            return Search(source, moving, start, Held(bound), options, limits, observer).run();
        }
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
    struct LocalUnits final : detail::Units {
    } units;
    return detail::run_divided(units, problem, start, heuristic, options, limits, observer);
}

/// `ida_star` with a journal: a search that was killed goes on where it was.
/// \code
/// npuzzle::IdaStarJournal journal("board.journal", "15-puzzle, blank first, 7-8, tables 1f3a9c");
/// npuzzle::ida_star(puzzle, board, heuristic, journal);
/// \endcode
///
/// It is `parallel_ida_star` on the caller's thread alone. Any of `parallel_ida_star` and
/// `distributed_ida_star` can go on with the journal, and this with theirs, where `least_divided` is as it is
/// by default.
///
/// \param journal an `IdaStarJournal`, or another `UnitJournal`
/// \throws what the journal throws, as `std::runtime_error` if it is of another search
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && (!sees_nodes<O>)
search_result_t<P> ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                            UnitJournal& journal, limits_t<P> limits = {}, O&& observer = O{}) {
    return parallel_ida_star(problem, start, std::forward<H>(heuristic), {.threads = 1, .journal = &journal},
                             limits, std::forward<O>(observer));
}

} // namespace npuzzle
