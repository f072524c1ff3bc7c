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
    std::uint64_t unit = 0;               ///< its number
    Statistics statistics = {};           ///< if nothing is expanded, it is not finished
    std::array<std::uint64_t, 8> bound{}; ///< of the iteration, and what is known of the next one, in bytes
    std::uint64_t checksum = 0;           ///< of all above, in a file
};

/// A file that keeps the finished units of a `parallel_ida_star` or a `distributed_ida_star`. After a kill,
/// either of them goes on, with any number of threads, and returns what it would have returned:
/// \code
/// npuzzle::IdaStarJournal journal("board.journal", "15-puzzle, blank first, 7-8, tables 1f3a9c");
/// npuzzle::parallel_ida_star(puzzle, board, heuristic, {.journal = &journal});
/// \endcode
///
/// Each finished unit is handed to the system: a kill loses the unit that each thread is in. A unit whose
/// record is cut off or damaged is searched again. The file stays. One search at a time may use it.
class IdaStarJournal {
public:
    /// \param key what the search cannot know of itself: the problem, the heuristic, the checksums of its
    ///        tables. The start, its estimate and the division are added.
    IdaStarJournal(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {}

    /// Opens the file for a search, which `search` tells from others, and returns what it holds.
    /// \throws std::runtime_error, with the path, if it cannot be opened or is of another search
    std::vector<UnitRecord> begin(const std::string& search) {
        const std::string header = "npuzzle IDA* journal 5\n" + key_ + "\n" + search + "\n";
        std::ofstream(path_, std::ios::app); // makes it
        file_ = std::fstream(path_, std::ios::binary | std::ios::in | std::ios::out);
        if (!file_) fail("cannot be opened");
        std::string found(header.size(), '\0');
        file_.read(found.data(), static_cast<std::streamsize>(found.size()));
        found.resize(static_cast<std::size_t>(file_.gcount()));
        if (!header.starts_with(found)) fail("is of another search, or no journal: it begins with " + found);
        std::vector<UnitRecord> records;
        UnitRecord record;
        char* const bytes = reinterpret_cast<char*>(&record); // NOLINT
        std::size_t end = header.size();
        for (; file_.read(bytes, sizeof(record)); end += sizeof(record)) {
            if (record.checksum == checksum_of(record)) records.push_back(record);
        }
        file_.clear();
        file_.seekp(0) << header;
        file_.seekp(static_cast<std::streamoff>(end)); // over a record that was cut off
        return records;
    }

    /// Adds a finished unit.
    /// \throws std::runtime_error if it cannot be written, then and from then on
    void append(UnitRecord record) {
        record.checksum = checksum_of(record);
        file_.write(reinterpret_cast<const char*>(&record), sizeof(record)); // NOLINT
        if (!file_.flush()) fail("cannot be written");
    }

private:
    static std::uint64_t checksum_of(const UnitRecord& record) {
        return detail::hash_bytes(&record, sizeof(record) - sizeof(record.checksum));
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("the journal " + path_ + " " + what);
    }

    std::string path_;
    std::string key_;
    std::fstream file_;
};

/// The options of `parallel_ida_star` and `distributed_ida_star`.
struct ParallelIdaStarOptions {
    /// The most threads to search, while the caller's looks at the limits. 0: as many as the machine runs at
    /// once; of several processes, one thread each.
    unsigned threads = 0;
    /// An iteration is divided if the last one expanded this many states. Take less if expansions are slow.
    std::uint64_t least_divided = std::uint64_t{1} << 14;
    /// Where finished units are kept, if anywhere. It must outlive the search. What it throws ends the search.
    IdaStarJournal* journal = nullptr;
};

namespace detail {

/// The units of an iteration, which threads take in depth-first order. `DistributedUnits` shares them.
struct Units {
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    virtual ~Units() = default;
    // For the caller's thread:
    virtual void begin_search(const std::string& /*search*/, bool /*has_records*/) {}
    virtual void begin_iteration() { stock_end = records.size(); }
    virtual void poll() {} ///< called every few milliseconds
    /// Called until it returns true, when the units here are finished.
    virtual bool are_all_finished() { return true; }

    /// The next unit; `none` if there is none, or if it is beyond the limit on the expansions.
    std::size_t take(std::uint64_t expansions_left) {
        std::unique_lock lock(mutex);
        for (;; changed.wait(lock)) {
            while (next < stock_end && records[next].statistics.expanded != 0) ++next;
            if (next >= end || next == records.size() || counts.expanded > expansions_left) return none;
            if (is_dry()) continue;
            if (next + 1 == stock_end) changed.notify_all(); // The caller's thread gets more.
            return next++;
        }
    }
    /// The search ends before this unit; at 0, at once.
    void end_at(std::size_t unit, std::exception_ptr thrown = nullptr) {
        const std::lock_guard lock(mutex);
        if (unit < end) {
            end = unit;
            error = std::move(thrown);
        }
        changed.notify_all();
    }

    /// Throws the exception that ended the search before this unit, if it was one.
    void rethrow_at(std::size_t unit) const {
        if (unit == end && error) std::rethrow_exception(error);
    }
    /// Whether more units are to be got before any can be handed out.
    bool is_dry() const { return next == stock_end && next < records.size(); }

    bool is_shared = false; ///< with other processes
    std::mutex mutex;       ///< of all below
    std::condition_variable changed;
    std::vector<UnitRecord> records;
    std::size_t next = 0; ///< up to `stock_end`, the units that are to be handed out
    std::size_t stock_end = 0;
    Statistics counts;                  ///< of this iteration, here
    std::atomic<std::size_t> end{none}; ///< units from here on do not matter
    std::exception_ptr error;           ///< what set the end, if it was an exception
};

/// The search behind `parallel_ida_star` and `distributed_ida_star`. It splits a large iteration at some
/// depth: the subtrees below are units, numbered in depth-first order. Each thread goes through the tree above
/// with its own engine, and searches the units whose numbers it takes. Then the caller's thread repeats the
/// iteration, but adds the counts of finished units in place of searching them. It searches the others: the
/// goal is there, or the limit. So path and statistics are those of `IdaStar`, whatever the threads did.
template <MoveProblem P, class B, class O>
class SplitIdaStar {
    using Held = held_heuristic_t<B, P>;
    using Engine = IdaStar<P, Held, SilentObserver>;
    using Bound = typename Engine::Bound;
    using UpperPlace = typename Engine::UpperPlace;
    using Cut = typename Engine::Cut;
    static_assert(std::is_trivially_copyable_v<Bound> && sizeof(Bound) <= sizeof(UnitRecord::bound),
                  "costs and estimates are plain numbers");

public:
    SplitIdaStar(Units& units, const P& problem, const state_t<P>& start, B& heuristic,
                 const ParallelIdaStarOptions& options, const limits_t<P>& limits, O& observer)
        : units_(units), options_(options), limits_(limits), observer_(observer),
          engine_(problem, start, Held(heuristic),
                  {limits.expansions, limits.bytes, limits.time, [this] { return must_stop(); },
                   limits.max_cost}) {}

    search_result_t<P> run() {
        if (options_.journal != nullptr) known_ = options_.journal->begin(description());
        units_.begin_search(description(), !known_.empty());
        std::uint64_t last = 0; // expansions of the last iteration
        while (engine_.status() == SearchStatus::running) {
            const std::uint64_t before = engine_.statistics_.expanded;
            const bool is_divided = last >= options_.least_divided && before < limits_.expansions;
            engine_.guarded(engine_.observer_, [&] { is_divided ? deepen(last) : engine_.advance(); });
            last = engine_.statistics_.expanded - before;
        }
        engine_.guarded(engine_.observer_, [&] { observer_.progress(statistics()); });
        auto result = engine_.result();
        result.statistics = statistics();
        return result;
    }

private:
    /// Called by the engine of the caller's thread every few milliseconds.
    bool must_stop() {
        if (units_.records.empty()) tell_progress(observer_, statistics(), engine_.bound_.value());
        units_.poll();
        return units_.end == 0 || limits_.stop.stop_requested();
    }

    /// Whether a limit has been reached, here or on another rank. Then the search is over.
    bool is_stopped() {
        const SearchStatus limit = engine_.monitor_.check(engine_.statistics_.expanded);
        if (limit == SearchStatus::running) return false;
        if (engine_.status() == SearchStatus::running) engine_.finish(limit);
        units_.end_at(0);
        return true;
    }

    /// What tells a search from others.
    std::string description() const {
        std::string text = "divided after " + std::to_string(options_.least_divided);
        if constexpr (std::is_arithmetic_v<typename Engine::Estimate>) {
            text += ", first bound " + std::to_string(engine_.proved_);
        }
        if constexpr (HasHash<P> || Hashable<state_t<P>>) {
            text += ", start " + std::to_string(hash_state(*engine_.problem_, engine_.start_));
        }
        return text;
    }

    /// One iteration, or the end of the search.
    void deepen(std::uint64_t last) {
        if (!engine_.take_bound()) return;
        engine_.bound_ = Bound(*engine_.next_bound_);
        split(last);
        search_units();
        units_.rethrow_at(0);
        if (units_.end == 0 && is_stopped()) return;
        units_.counts = {};
        std::size_t number = 0;
        const Cut sum = [&](const auto& visit) {
            const UnitRecord& unit = units_.records[number++];
            units_.rethrow_at(number);
            engine_.flush_counters();
            const std::uint64_t expanded = unit.statistics.expanded;
            if (expanded == 0 || expanded > expansions_left()) return visit();
            engine_.statistics_.merge_sequential(unit.statistics);
            engine_.bound_.merge(bound_of(unit));
            return false;
        };
        engine_.deepen(UpperPlace{P::no_move, depth_, &sum});
    }

    /// Cuts at the least depth that makes about one unit for 1,024 expansions of the last iteration.
    void split(std::uint64_t last) {
        const std::uint64_t wanted = std::clamp<std::uint64_t>(last / 1024, 64, 1 << 14);
        Engine engine = another_engine({.stop = [this] { return is_stopped(); }});
        std::size_t units = 0;
        const Cut count = [&](const auto& /*visit*/) { return ++units == 0; }; // never: the walk goes on
        while (!walk(engine, count) && units != 0 && units < wanted &&
               engine.statistics_.expanded <= last / 16) {
            ++depth_;
            units = 0;
        }
        units_.records.assign(units, {});
        for (const UnitRecord& record : known_) {
            const bool is_of_this = bound_of(record).value() == engine_.bound_.value();
            if (is_of_this && record.unit < units) units_.records[record.unit] = record;
        }
        units_.next = units_.stock_end = 0;
        units_.begin_iteration();
    }

    static Bound bound_of(const UnitRecord& record) {
        Bound bound;
        std::memcpy(static_cast<void*>(&bound), &record.bound, sizeof(Bound));
        return bound;
    }

    Engine another_engine(const limits_t<P>& limits) const {
        return Engine(*engine_.problem_, engine_.start_, Held(engine_.heuristic_), limits);
    }

    /// Goes through the tree above the cut.
    bool walk(Engine& engine, const Cut& cut) const {
        if (engine.status() != SearchStatus::running) throw std::bad_alloc();
        return engine.visit_start(engine_.bound_.value(), UpperPlace{P::no_move, depth_, &cut});
    }

    void search_units() {
        std::atomic<unsigned> running{options_.threads};
        const auto work = [&] {
            search_some_units();
            --running;
            units_.end_at(Units::none); // wakes the caller's thread
        };
        JoinedThreads joined;
        for (unsigned i = 0; i < options_.threads; ++i) {
            if (!joined.try_to_add(work)) --running;
        }
        for (double checked = engine_.monitor_.seconds(); running != 0 || !units_.are_all_finished();) {
            try {
                units_.poll();
                if (units_.end != 0 && engine_.monitor_.seconds() > checked + 0.004) {
                    checked = engine_.monitor_.seconds();
                    tell_progress(observer_, statistics(), engine_.bound_.value());
                    is_stopped();
                }
                std::unique_lock lock(units_.mutex);
                units_.changed.wait_for(lock, std::chrono::milliseconds{1},
                                        [&] { return units_.is_dry() || running == 0; });
            } catch (...) { // Other ranks wait for this one to agree that all is over.
                units_.end_at(0, std::current_exception());
            }
        }
    }

    void search_some_units() { // on one thread
        std::size_t unit = units_.take(expansions_left());
        if (unit == Units::none) return;
        try {
            // More expansions than are left are of no use: the search ends before.
            Engine engine =
                another_engine({.expansions = expansions_left(), .stop = [&] { return unit >= units_.end; }});
            std::size_t number = 0;
            const Cut search = [&](const auto& visit) {
                if (number++ != unit) return false;
                engine.flush_counters();
                engine.statistics_ = {}; // It counts this unit alone, and sees its bound.
                engine.bound_ = Bound(engine.bound_.value());
                engine.monitor_.restart();
                const bool is_over = visit();
                engine.flush_counters();
                keep(unit, engine, is_over);
                if (!is_over) unit = units_.take(expansions_left());
                return is_over || unit == Units::none;
            };
            if (walk(engine, search) && unit != Units::none) units_.end_at(unit + 1);
        } catch (...) {
            units_.end_at(units_.is_shared ? 0 : unit + 1, std::current_exception());
        }
    }

    void keep(std::size_t unit, const Engine& engine, bool is_over) {
        const std::lock_guard lock(units_.mutex);
        units_.counts.merge_sequential(engine.statistics_);
        if (is_over) return;
        UnitRecord& record = units_.records[unit];
        record = {unit, engine.statistics_, {}};
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
    Engine engine_;
    std::size_t depth_ = 1; ///< of the cut
};

template <class P, class H, class O>
search_result_t<P> run_split(Units& units, const P& problem, const state_t<P>& start, H& heuristic,
                             const ParallelIdaStarOptions& options, const limits_t<P>& limits, O& observer) {
    return guarded_search([&] {
        const moving_t<P> moving(problem);
        return with_bound(heuristic, problem, [&](auto& bound) {
            return moved<P>(SplitIdaStar(units, moving, start, bound, options, limits, observer).run());
        });
    });
}

} // namespace detail

/// `ida_star` on several threads: the same path, cost, status and statistics (but the seconds), whatever the
/// number of threads: `parallel_ida_star(problem, start, heuristic, {.threads = 8})`.
///
/// Threads share out the subtrees of each large iteration (V. N. Rao, V. Kumar, K. Ramesh, "A parallel
/// implementation of iterative-deepening-A*", AAAI 1987). They call the problem as `const`, and so the bound
/// heuristic, which each copies if it is trivially copyable or not callable so. Only the caller's thread calls
/// the observer and `limits.stop`. An exception on any thread passes through, unless a goal comes before; so
/// does one while the tree is divided, wherever the goal is.
///
/// \param observer one that sees the progress alone, and declares `static constexpr bool sees_nodes = false`
/// \return as from `ida_star`. `limits.expansions` is exact. After `time_limit` and `cancelled`, the
///         statistics tell what was done on all threads. No limit counts the few megabytes that are stored.
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && (!sees_nodes<O>)
search_result_t<P> parallel_ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                     ParallelIdaStarOptions options = {}, limits_t<P> limits = {},
                                     O&& observer = O{}) {
    options.threads = detail::thread_count(options.threads);
    if (options.threads == 1 && options.journal == nullptr) options.least_divided = Limits::unlimited;
    detail::Units units;
    return detail::run_split(units, problem, start, heuristic, options, limits, observer);
}

} // namespace npuzzle
