#pragma once

#include "npuzzle/search/for_each_parallel.hpp"
#include "npuzzle/search/ida_star.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// What `parallel_ida_star` counted in one unit of work, as a journal keeps it.
struct UnitRecord {
    std::uint64_t iteration = 0; ///< of those that are divided
    std::uint64_t units = 0;     ///< of this iteration; 0: this one is not finished
    std::uint64_t unit = 0;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t contract_violations = 0;
    std::array<std::uint64_t, 8> bound{}; ///< what it knows of the next bound, in bytes
    std::uint64_t checksum = 0;           ///< of the rest, in a file
};

/// A file that keeps the finished units of a `parallel_ida_star` or a `distributed_ida_star`. After a kill,
/// either of them goes on, with any number of threads, and returns what it would have returned:
/// \code
/// npuzzle::IdaStarJournal journal("board.journal", "15-puzzle, blank first, 7-8, tables 1f3a9c");
/// npuzzle::parallel_ida_star(puzzle, board, heuristic, {.journal = &journal});
/// \endcode
///
/// Each finished unit is handed to the system: a kill loses the unit that each thread is in. A record that was
/// cut off or damaged is searched again. The file stays. One search at a time may use it.
class IdaStarJournal {
public:
    /// \param key what the search cannot know of itself: the problem, the heuristic, the checksums of its
    ///        tables. The start, its estimate and the division are added.
    IdaStarJournal(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {}

    /// Opens the file for a search, which `search` tells from others, and returns what it holds.
    /// \throws std::runtime_error, with the path, if it cannot be opened or is of another search
    std::vector<UnitRecord> begin(const std::string& search) {
        const std::string header = "npuzzle IDA* journal 3\n" + key_ + "\n" + search + "\n";
        std::ifstream in(path_, std::ios::binary);
        std::string found(header.size(), '\0');
        in.read(found.data(), static_cast<std::streamsize>(found.size()));
        found.resize(static_cast<std::size_t>(in.gcount()));
        if (!header.starts_with(found)) {
            fail("is of another search, or no journal: it begins with \"" + found + "\" and not with \"" +
                 header + "\"");
        }
        std::vector<UnitRecord> records;
        UnitRecord record;
        while (in.read(reinterpret_cast<char*>(&record), sizeof(record))) { // NOLINT
            if (record.checksum == checksum_of(record)) records.push_back(record);
        }
        known_ = records.size();
        const auto torn = static_cast<std::size_t>(in.gcount());
        out_ = std::ofstream(path_, std::ios::binary | std::ios::app);
        if (!out_) fail("cannot be opened");
        write(header.substr(found.size()) + std::string(torn == 0 ? 0 : sizeof(record) - torn, '\0'));
        return records;
    }

    /// Adds a finished unit.
    /// \throws std::runtime_error if it cannot be written, then and from then on
    void append(UnitRecord record) {
        record.checksum = checksum_of(record);
        write({reinterpret_cast<const char*>(&record), sizeof(record)}); // NOLINT
    }

    /// How many units were read from the file when the search began.
    [[nodiscard]] std::size_t known() const noexcept { return known_; }

private:
    static std::uint64_t checksum_of(const UnitRecord& record) {
        return detail::hash_bytes(&record, sizeof(record) - sizeof(record.checksum));
    }

    void write(const std::string& bytes) {
        const auto size = static_cast<std::streamsize>(bytes.size());
        if (!out_.write(bytes.data(), size).flush()) fail("cannot be written");
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("the journal " + path_ + " " + what);
    }

    std::string path_;
    std::string key_;
    std::size_t known_ = 0;
    std::ofstream out_;
};

/// The options of `parallel_ida_star` and `distributed_ida_star`.
struct ParallelIdaStarOptions {
    /// The most threads to search, while the caller's looks at the limits. 0: as many as the machine runs at
    /// once; of several processes, one thread each.
    unsigned threads = 0;
    /// An iteration is divided if the last one expanded so many states. Take less if an expansion takes
    /// microseconds.
    std::uint64_t least_divided = std::uint64_t{1} << 14;
    /// Where finished units are kept, if anywhere. It must outlive the search. What it throws ends the search.
    IdaStarJournal* journal = nullptr;
};

namespace detail {

/// The units of an iteration, which threads take in depth-first order. `DistributedUnits` shares them with
/// other processes.
struct Units {
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    virtual ~Units() = default;

    // For the caller's thread:

    virtual void begin_search(const std::string& /*search*/, bool /*has_known*/) {}
    virtual void begin_iteration() {}
    virtual void poll() {} ///< called every few milliseconds
    /// Called until it returns true, when the units here are finished.
    virtual bool are_all_finished() { return true; }

    /// Ends the search if a limit has been reached. The first one counts.
    void stop(SearchStatus reached) {
        if (reached == SearchStatus::running) return;
        limit = limit == SearchStatus::running ? reached : limit;
        end_at(0);
    }
    /// Throws what has made this the end.
    void rethrow_at(std::size_t unit) const {
        if (unit == end && error) std::rethrow_exception(error);
    }

    // For any thread:

    /// The next unit; `none` if there is none.
    std::size_t take() {
        std::unique_lock lock(mutex);
        for (;; changed.wait(lock)) {
            while (next < stock_end && records[next].units != 0) ++next;
            if (next >= end || next == records.size() || counts.expanded > most) {
                is_asked = false;
                return none;
            }
            if (next < stock_end) return next++;
            if (!std::exchange(is_asked, true)) changed.notify_all();
        }
    }
    /// The search ends before this unit; at 0, at once, by a limit or an exception.
    void end_at(std::size_t unit, std::exception_ptr thrown = nullptr) {
        const std::lock_guard lock(mutex);
        if (unit < end) {
            end = unit;
            error = std::move(thrown);
        }
        changed.notify_all();
    }

    bool is_shared = false;
    SearchStatus limit = SearchStatus::running; ///< what has ended the search
    std::mutex mutex;                           ///< of all below
    std::condition_variable changed;
    std::vector<UnitRecord> records;
    std::size_t next = 0; ///< up to `stock_end`, the units that are to be handed out
    std::size_t stock_end = 0;
    bool is_asked = false;              ///< a thread waits for more of them
    std::uint64_t most = 0;             ///< the most expansions before the last unit is handed out
    Statistics counts;                  ///< of this iteration, here
    std::atomic<std::size_t> end{none}; ///< units from here on do not matter
    std::exception_ptr error;           ///< what has made that the end
};

/// The search behind `parallel_ida_star` and `distributed_ida_star`.
///
/// A large iteration is split at some depth: the subtrees below are units, numbered in depth-first order. Each
/// thread goes through the tree above with an engine of its own, and searches units whose numbers it takes.
/// Then the caller's thread makes the iteration as ever, but adds what was counted in place of searching a
/// unit again. A unit that is not finished it searches: there is the goal, or a limit strikes there. So path
/// and statistics are those of `IdaStar`, whatever the threads did.
template <MoveProblem P, class B, class O>
class SplitIdaStar {
    using Engine = IdaStar<P, B, SilentObserver>;
    using Bound = typename Engine::Bound;
    using UpperPlace = typename Engine::UpperPlace;
    using Cut = typename Engine::Cut;
    using Visit = typename Engine::Visit;
    static_assert(std::is_trivially_copyable_v<Bound> && sizeof(Bound) <= sizeof(UnitRecord::bound),
                  "costs and estimates are plain numbers");

public:
    SplitIdaStar(Units& units, const P& problem, const state_t<P>& start, B&& heuristic,
                 const ParallelIdaStarOptions& options, const limits_t<P>& limits, O& observer)
        : units_(units), options_(options), limits_(limits), observer_(observer),
          engine_(problem, start, std::forward<B>(heuristic), with_stop(limits)) {}

    search_result_t<P> run() {
        const std::string search = description();
        if (options_.journal != nullptr) known_ = options_.journal->begin(search);
        units_.begin_search(search, !known_.empty());
        const unsigned threads = thread_count(options_.threads);
        const bool is_split = threads > 1 || options_.journal != nullptr || units_.is_shared;
        std::uint64_t last = 0; // expansions of the last iteration
        while (engine_.status() == SearchStatus::running) {
            const std::uint64_t before = engine_.statistics_.expanded;
            engine_.guarded(engine_.observer_, [&] {
                if (units_.limit != SearchStatus::running) {
                    engine_.finish(units_.limit);
                } else if (is_split && last >= options_.least_divided && before < limits_.expansions) {
                    deepen(last, threads);
                } else {
                    engine_.advance();
                }
            });
            last = engine_.statistics_.expanded - before;
        }
        engine_.guarded(engine_.observer_, [&] { observer_.progress(statistics()); });
        auto result = engine_.result();
        result.statistics = statistics();
        return result;
    }

private:
    /// Limits by which the engine of the caller's thread also looks after the others.
    limits_t<P> with_stop(limits_t<P> limits) {
        limits.stop = [this] {
            if (!is_summing_) tell_progress(observer_, statistics(), engine_.bound_.value());
            units_.poll();
            return units_.limit != SearchStatus::running || limits_.stop.stop_requested();
        };
        return limits;
    }

    /// Looks at the limits. Whether the search is over.
    bool is_stopped() {
        units_.stop(engine_.monitor_.check(engine_.statistics_.expanded));
        return units_.end == 0;
    }

    /// What tells a search from others.
    std::string description() const {
        std::string text = "divided after " + std::to_string(options_.least_divided);
        if constexpr (std::is_arithmetic_v<typename Engine::Value>) {
            text += ", first bound " + std::to_string(engine_.proved_);
        }
        if constexpr (HasHash<P> || Hashable<state_t<P>>) {
            text += ", start " + std::to_string(hash_state(*engine_.problem_, engine_.start_));
        }
        return text;
    }

    /// One iteration, or the end of the search.
    void deepen(std::uint64_t last, unsigned threads) {
        const auto bound = engine_.take_bound();
        if (!bound) return;
        engine_.bound_ = Bound(*bound);
        split(last);
        search_units(threads);
        units_.rethrow_at(0);
        if (units_.limit != SearchStatus::running) return;
        units_.counts = {};
        is_summing_ = true; // The progress has counted that.
        std::size_t number = 0;
        const Cut sum = [&](Visit visit) {
            const UnitRecord& unit = units_.records[number++];
            units_.rethrow_at(number);
            engine_.flush_counters();
            if (unit.units == 0 || unit.expanded > expansions_left()) return visit();
            engine_.statistics_.merge_sequential({.expanded = unit.expanded,
                                                  .generated = unit.generated,
                                                  .contract_violations = unit.contract_violations});
            Bound seen;
            std::memcpy(static_cast<void*>(&seen), &unit.bound, sizeof(Bound));
            engine_.bound_.merge(seen);
            return false;
        };
        engine_.deepen(*bound, UpperPlace{P::no_move, depth_, &sum});
        is_summing_ = false;
    }

    /// Finds the least depth of about one unit for 1,024 expansions of the last iteration.
    void split(std::uint64_t last) {
        const std::uint64_t wanted = std::clamp<std::uint64_t>(last / 1024, 64, 1 << 14);
        Engine engine = another_engine({.stop = [this] { return is_stopped(); }});
        std::size_t units = 0;
        const Cut count = [&](Visit) { return ++units == 0; }; // never: the walk goes on
        while (!walk(engine, count) && units != 0 && units < wanted &&
               engine.statistics_.expanded <= last / 16) {
            ++depth_;
            units = 0;
        }
        ++iteration_;
        units_.records.assign(units, {});
        units_.next = 0;
        units_.stock_end = units_.is_shared ? 0 : units;
        units_.most = expansions_left();
        for (const UnitRecord& record : known_) {
            // After a stop, not all units have been counted, and none is searched.
            if (record.iteration != iteration_ || units_.end == 0) continue;
            if (record.units != units || record.unit >= units) {
                throw std::runtime_error("the journal is of another search: it has other units");
            }
            units_.records[record.unit] = record;
        }
        units_.begin_iteration();
    }

    Engine another_engine(const limits_t<P>& limits) const {
        return Engine(*engine_.problem_, engine_.start_, B(engine_.heuristic_), limits);
    }

    /// Goes through the tree above the cut.
    bool walk(Engine& engine, const Cut& cut) const {
        if (engine.status() != SearchStatus::running) throw std::bad_alloc();
        return engine.visit_start(engine_.bound_.value(), UpperPlace{P::no_move, depth_, &cut});
    }

    void search_units(unsigned threads) {
        using Clock = std::chrono::steady_clock;
        std::atomic<unsigned> running{threads};
        JoinedThreads joined;
        for (unsigned i = 0; i < threads; ++i) {
            const auto work = [&] {
                search_units();
                --running;
                units_.end_at(Units::none); // wakes the caller's thread
            };
            if (!joined.try_to_add(work)) --running;
        }
        auto checked = Clock::now();
        while (running != 0 || !units_.are_all_finished()) {
            try {
                {
                    std::unique_lock lock(units_.mutex);
                    units_.changed.wait_for(lock, std::chrono::milliseconds{1},
                                            [&] { return units_.is_asked || running == 0; });
                }
                units_.poll();
                if (Clock::now() - checked >= std::chrono::milliseconds{4}) {
                    checked = Clock::now();
                    is_stopped();
                }
            } catch (...) { // Other ranks wait for this one to agree that all is over.
                units_.end_at(0, std::current_exception());
            }
        }
    }

    void search_units() { // on one thread
        std::size_t unit = units_.take();
        if (unit == Units::none) return;
        try {
            // More expansions than are left are of no use: the search ends before.
            Engine engine =
                another_engine({.expansions = expansions_left(), .stop = [&] { return unit >= units_.end; }});
            std::size_t number = 0;
            const Cut search = [&](Visit visit) {
                if (number++ != unit) return false;
                engine.flush_counters();
                engine.statistics_ = {}; // It counts this unit alone, and sees its bound.
                engine.bound_ = Bound(engine.bound_.value());
                engine.monitor_.restart();
                const bool is_over = visit();
                engine.flush_counters();
                keep(unit, engine, is_over);
                unit = is_over ? unit : units_.take();
                return is_over || unit == Units::none;
            };
            if (walk(engine, search) && unit != Units::none) units_.end_at(unit + 1);
        } catch (...) {
            units_.end_at(units_.is_shared ? 0 : unit + 1, std::current_exception());
        }
    }

    void keep(std::size_t unit, const Engine& engine, bool is_over) {
        const Statistics& seen = engine.statistics_;
        const std::lock_guard lock(units_.mutex);
        units_.counts.merge_sequential(seen);
        if (is_over) return;
        UnitRecord& record = units_.records[unit];
        record = {iteration_,     units_.records.size(),    unit, seen.expanded,
                  seen.generated, seen.contract_violations, {}};
        std::memcpy(&record.bound, static_cast<const void*>(&engine.bound_), sizeof(Bound));
        if (options_.journal != nullptr) options_.journal->append(record);
    }

    std::uint64_t expansions_left() const { return limits_.expansions - engine_.statistics_.expanded; }
    Statistics statistics() const {
        const std::lock_guard lock(units_.mutex);
        return engine_.statistics().merge_sequential(units_.counts);
    }

    Units& units_;
    ParallelIdaStarOptions options_;
    limits_t<P> limits_;
    O& observer_;
    std::vector<UnitRecord> known_; ///< by the journal, of all iterations
    bool is_summing_ = false;
    Engine engine_;
    std::uint64_t iteration_ = 0; ///< of those that are divided
    std::size_t depth_ = 1;       ///< of the cut
};

template <class P, class H, class O>
search_result_t<P> run_split(Units& units, const P& problem, const state_t<P>& start, H& heuristic,
                             const ParallelIdaStarOptions& options, const limits_t<P>& limits, O& observer) {
    return guarded_search([&] {
        const moving_t<P> moving(problem);
        return with_bound(heuristic, problem, [&]<class B>(B& bound) {
            using Held = held_heuristic_t<B, P>;
            return moved<P>(SplitIdaStar<std::remove_cvref_t<moving_t<P>>, Held, O>(
                                units, moving, start, Held(bound), options, limits, observer)
                                .run());
        });
    });
}

} // namespace detail

/// `ida_star` on several threads: the same path, cost, status and statistics (but the seconds), whatever the
/// number of threads: `parallel_ida_star(problem, start, heuristic, {.threads = 8})`.
///
/// Threads share out the subtrees of each large iteration (V. N. Rao, V. Kumar, K. Ramesh, "A parallel
/// implementation of iterative-deepening-A*", AAAI 1987). They call the problem as `const`, and the heuristic,
/// if it can be called so; else each copies the heuristic, once it is bound. Only the caller's thread calls
/// the observer and `limits.stop`. An exception on any thread ends the search and passes through.
///
/// \param observer one that sees the progress alone, and declares `static constexpr bool sees_nodes = false`
/// \return as from `ida_star`. `limits.expansions` is exact. After `time_limit` and `cancelled`, the
///         statistics tell what was done on all threads. No limit counts the few megabytes that are stored.
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && (!sees_nodes<O>)
search_result_t<P> parallel_ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                     ParallelIdaStarOptions options = {}, limits_t<P> limits = {},
                                     O&& observer = O{}) {
    detail::Units units;
    return detail::run_split(units, problem, start, heuristic, options, limits, observer);
}

} // namespace npuzzle
