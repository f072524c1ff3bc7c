#pragma once

#include "npuzzle/search/best_first.hpp"
#include "npuzzle/search/core/capabilities.hpp"
#include "npuzzle/search/engine/work_monitor.hpp"
#include "npuzzle/search/parallel/parallel_worker.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// How a search runs on several threads or processes.
struct ParallelOptions {
    /// How many threads at most, the caller's own among them. 0: as many as the machine runs at once; of several
    /// processes, one thread each.
    unsigned threads = 0;
    /// A search that stores fewer nodes, and takes a few milliseconds at most, stays on the caller's thread. A
    /// larger one begins again on all. By default 16,384; of several processes, 98,304.
    std::optional<std::uint64_t> serial_nodes = {};
};

namespace detail {

/// The system gives no thread.
struct NoThread : std::runtime_error {
    NoThread() : std::runtime_error("the system gives no thread") {}
};

/// A state may be expanded before its cheapest path is known, whatever the heuristic promises, and is reopened
/// then.
template <class Policy>
struct AsynchronousPolicy : Policy {
    static constexpr bool reopens = std::optional<bool>(Policy::reopens).value_or(true);
};

/// What a process knows of a search, and, merged, what all know.
template <class Priority, class Cost, class NearestNode>
struct SearchReport {
    struct Nearest {
        typename NearestNode::Nearness nearness;
        std::size_t owner;
    };

    Statistics statistics;
    std::uint64_t sent = 0; ///< packets to other processes
    std::uint64_t received = 0;
    std::uint64_t taken = 0; ///< of the expansions that are allowed
    std::optional<ReachedGoal<Priority, Cost>> best;
    std::optional<Nearest> nearest;              ///< to a goal, at the end
    SearchStatus status = SearchStatus::running; ///< by what the search was ended
    bool has_pruned = false; ///< at the end: a path was not followed since it costs too much
    bool is_idle = false;    ///< there is no work
    bool is_starved = false; ///< a thread had to wait for expansions

    void merge(const SearchReport& other) {
        statistics.merge_concurrent(other.statistics);
        sent += other.sent;
        received += other.received;
        taken += other.taken;
        if (other.best && (!best || other.best->is_before(*best))) best = other.best;
        if (other.nearest &&
            (!nearest || NearestNode::is_nearer(other.nearest->nearness, nearest->nearness))) {
            nearest = other.nearest;
        }
        status = (std::max)(status, other.status); // A failure is the greatest.
        has_pruned = has_pruned || other.has_pruned;
        is_idle = is_idle && other.is_idle;
        is_starved = is_starved || other.is_starved;
    }
};

/// The processes of a search, if there is one alone; `MpiPeers` connects others. All processes call in the
/// same order what is collective:
/// - `attempt(work)` calls `work()`, which is not collective. If it throws on one process, this throws on all;
/// - `broadcast` returns the value, or the vector of states, of one process;
/// - `gather` begins to gather the reports of all, and `is_gathered` says when they are there;
/// - `drain` drops what is still on its way.
///
/// `exchange` sends the blocks in the inboxes of the others' owners, and receives theirs.
struct NoPeers {
    static constexpr bool leaves_process = false; ///< whether states are sent
    static constexpr std::size_t rank() { return 0; }
    static constexpr std::size_t size() { return 1; }

    static void attempt(auto&& work) { work(); }
    template <class T>
    static T broadcast(T value, std::size_t /*root*/) {
        return value;
    }
    template <class Report>
    static void gather(const Report& own, std::vector<Report>& all) {
        all.front() = own;
    }
    static bool is_gathered() { return true; }
    /// \param first the first of `threads` owners that are of this process
    static void exchange(auto& /*shared*/, std::size_t /*first*/, std::size_t /*threads*/) {}
    static void drain(auto& /*shared*/) {}
};

/// A best-first search on several threads of one process, or of many (hash-distributed A*: A. Kishimoto,
/// A. Fukunaga, A. Botea, "Scalable, parallel best-first search for optimal sequential planning", ICAPS 2009).
/// It begins on one thread: a small search ends there, a large one begins again on all.
///
/// The hash of a state names its owner, the one thread of all processes that has its node and expands it. A
/// neighbor of another owner is sent there, in blocks of hundreds. Threads do not wait for each other, so a
/// state may be expanded before its cheapest path is known; it is reopened then. A goal is only a candidate:
/// no node of its priority or a greater one is expanded after it, until none is left.
///
/// On the caller's thread, between expansions, processes exchange messages, look at the limits, and meet in
/// rounds of reports, which end the search if one has a status: a limit, or `failed`, with an exception.
///
/// Else it ends when no work is left anywhere. In a process, `working` counts the threads that have work, and
/// each block of messages from before it is pushed until after it was read or sent. Only a thread that counts
/// pushes blocks, and one without work counts again before it is done with the block that wakes it. So the
/// count is never zero while work is left, and stays zero unless a packet comes from another process. One
/// round may find all idle at different times: an idle process may have got work from one that was not asked
/// yet. So two rounds, one after the other, must find all idle, and as many packets received as sent, the
/// same number each time (F. Mattern, "Algorithms for distributed termination detection", Distributed
/// Computing 2, 1987: the four counters).
///
/// \tparam H the heuristic as it is called
/// \tparam Peers the processes: see `NoPeers`
template <class Policy, Problem P, class H, class O, class PriorityType, class Peers>
class ParallelSearch {
    using Parts = PartsFor<P, std::remove_const_t<H>, AsynchronousPolicy<Policy>, PriorityType>;
    using Worker = ParallelWorker<P, held_heuristic_t<H, P>, Parts, Peers::leaves_process>;
    using Shared = typename Worker::Shared;
    using Table = typename Worker::Table;
    using Clock = typename Worker::Clock;
    using Cost = cost_t<P>;
    using State = state_t<P>;
    using Nearest = std::remove_cvref_t<decltype(std::declval<Worker>().engine().nearest())>;
    using Report = SearchReport<typename Worker::Priority, Cost, Nearest>;
    using Result = search_result_t<P>;
    static_assert(
        !sees_nodes<O>,
        "a search on several threads or processes tells an observer of its progress and of no nodes; "
        "write: static constexpr bool sees_nodes = false;");

public:
    /// \param threads of each process
    ParallelSearch(Peers& peers, const P& problem, H& heuristic, O& observer, PriorityType priority,
                   const BasicLimits<Cost>& limits, std::size_t threads)
        : peers_(peers), problem_(problem), heuristic_(heuristic), observer_(observer),
          priority_(std::move(priority)), limits_(limits), threads_(threads), first_(peers.rank() * threads),
          owners_(problem, peers.size() * threads), monitor_(limits), reports_(peers.size()) {}

    /// Collective.
    /// \param nodes, seconds a search that stores fewer nodes and takes less time stays on one thread
    /// \throws std::bad_alloc on all processes if there is no memory to set the search up
    Result run(const State& start, std::uint64_t nodes, double seconds) {
        checked_state(problem_, start); // on all processes, so that none waits
        Result result;
        peers_.attempt([&] {
            if (peers_.rank() == 0) result = search_alone(start, nodes, seconds);
        });
        result.status = peers_.broadcast(result.status, 0);
        result.statistics = peers_.broadcast(result.statistics, 0);
        const bool was_told = result.status != SearchStatus::running && peers_.rank() == 0;
        if (result.status == SearchStatus::running) {
            before_ = result.statistics;
            limits_ = remaining(limits_, before_);
            peers_.attempt([&] { make_workers(); });
            run_workers(start);
            result = gather();
        } else if (peers_.size() > 1) {
            add_path(result, [&] {
                result.path = peers_.broadcast(std::move(result.path), 0);
                result.partial_path = peers_.broadcast(std::move(result.partial_path), 0);
            });
        }
        if (!was_told) observer_.progress(result.statistics);
        return result;
    }

private:
    std::size_t rank_of(std::size_t owner) const { return owner / threads_; }

    /// Searches on one thread, until the search has stored so many nodes, or taken so long.
    Result search_alone(const State& start, std::uint64_t nodes, double seconds) {
        BestFirst<P, H&, O&, PartsFor<P, std::remove_const_t<H>, Policy, PriorityType>> alone(
            problem_, start, heuristic_, limits_, observer_, priority_);
        if (owners_.count() == 1) alone.run();
        for (Statistics now = alone.statistics();
             alone.status() == SearchStatus::running && now.stored < nodes && now.seconds < seconds;
             now = alone.statistics()) {
            for (int i = 0; i < 16 && alone.step(); ++i) {
            }
        }
        return alone.result();
    }

    void make_workers() {
        shared_.emplace(owners_.count(), threads_, limits_.bytes / peers_.size());
        allow_more();
        for (std::size_t i = 0; i < threads_; ++i) {
            auto poll = i == 0 ? std::function<void()>([this] { this->poll(); }) : nullptr;
            workers_.push_back(std::make_unique<Worker>(first_ + i, owners_, *shared_, problem_, heuristic_,
                                                        limits_, priority_, std::move(poll)));
        }
        monitor_ = LimitMonitor(limits_);
    }

    /// Runs all workers to the end of the search. \throws what was thrown by one
    void run_workers(const State& start) {
        shared_->guarded([&] {
            JoinedThreads others;
            shared_->guarded([&] { // The others end before they are joined.
                for (std::size_t i = 1; i < threads_; ++i) {
                    if (!others.try_to_add([worker = workers_[i].get(), &start] { worker->run(start); })) {
                        throw NoThread();
                    }
                }
                workers_.front()->run(start);
            });
        });
        while (!is_over_) {
            shared_->guarded([this] { poll(); });
            std::this_thread::yield();
        }
        peers_.drain(*shared_);
        peers_.attempt([this] { shared_->rethrow(); });
    }

    /// What the caller's thread does now and then.
    void poll() {
        const auto now = Clock::now();
        if (shared_->working == 0 || now - exchanged_ > std::chrono::microseconds{100}) {
            exchanged_ = now;
            if (!shared_->is_over) { // What is on its way then, `drain` receives.
                peers_.exchange(*shared_, first_, threads_);
            }
            const bool is_due = shared_->working == 0 || now - reported_ > std::chrono::microseconds{500};
            if (!is_gathering_ && !is_over_ && is_due) {
                reported_ = now;
                own_ = report();
                peers_.gather(own_, reports_);
                is_gathering_ = true;
            } else if (is_gathering_ && peers_.is_gathered()) {
                is_gathering_ = false;
                take_note(merged_reports());
            }
        }
        if (now - looked_ > std::chrono::milliseconds{2}) {
            looked_ = now;
            if (const SearchStatus limit = monitor_.check(0); limit != SearchStatus::running) {
                shared_->end(limit);
            } else if (!shared_->is_over) {
                Statistics all = last_.statistics;
                all.seconds = monitor_.seconds();
                observer_.progress(Statistics(before_).merge_sequential(all));
            }
        }
    }

    Report report() const {
        Report own;
        for (const auto& worker : workers_) own.statistics.merge_concurrent(worker->progress());
        own.statistics.bytes = shared_->budget.peak();
        own.statistics.seconds = monitor_.seconds();
        own.sent = shared_->sent;
        own.received = shared_->received;
        own.taken = shared_->taken;
        own.best = shared_->best();
        own.status = shared_->status();
        own.is_idle = shared_->working == 0;
        own.is_starved = shared_->is_starved;
        return own;
    }

    Report merged_reports() const {
        Report merged = reports_.front();
        std::for_each(reports_.begin() + 1, reports_.end(), [&](const Report& each) { merged.merge(each); });
        return merged;
    }

    /// A round has ended: all processes have the same reports.
    void take_note(const Report& merged) {
        const bool was_idle = last_.is_idle && last_.sent == merged.sent;
        last_ = merged;
        if (last_.best) shared_->reach(*last_.best);
        if (last_.status == SearchStatus::running && last_.is_starved && !last_.is_idle &&
            last_.taken >= limits_.expansions) {
            last_.status = SearchStatus::expansion_limit;
        }
        last_.is_idle = last_.is_idle && last_.sent == last_.received;
        is_over_ = last_.status != SearchStatus::running || (was_idle && last_.is_idle);
        if (is_over_) {
            shared_->end(last_.status);
        } else {
            allow_more();
        }
    }

    /// Allows this process some expansions until the next round: all that are left, or an equal part of a half.
    /// Meanwhile, others may take what they were allowed before.
    void allow_more() {
        const std::uint64_t left = limits_.expansions - (std::min)(last_.taken, limits_.expansions);
        const std::uint64_t share = std::max<std::uint64_t>(left / 2 / peers_.size(), 64);
        shared_->allowed = own_.taken + (peers_.size() == 1 ? left : (std::min)(left, share));
        shared_->is_starved = false;
    }

    /// The result, the same for all.
    Result gather() {
        own_ = report();
        for (const auto& worker : workers_) {
            Report of_worker;
            of_worker.has_pruned = worker->engine().has_pruned();
            if (const auto& nearest = worker->engine().nearest(); nearest.handle) {
                of_worker.nearest = {nearest.nearness, worker->number()};
            }
            own_.merge(of_worker);
        }
        peers_.gather(own_, reports_);
        while (!peers_.is_gathered()) std::this_thread::yield();
        const Report end = merged_reports();
        Result result;
        result.statistics = Statistics(before_).merge_sequential(end.statistics);
        const bool is_bounded =
            result.statistics.contract_violations == 0 && is_bound(limits_.max_cost, Table::can_hold);
        result.status = last_.status != SearchStatus::running ? last_.status
                        : end.best                            ? SearchStatus::solved
                                                              : exhausted_status(end.has_pruned, is_bounded);
        add_path(result, [&] {
            if (result.status == SearchStatus::solved) {
                find_path(end.best->finder, result.path, [](const Worker& worker) { return worker.goal(); });
            } else if (end.nearest) {
                find_path(end.nearest->owner, result.partial_path, [](const Worker& worker) {
                    return worker.engine().table().find(*worker.engine().nearest().handle);
                });
            }
        });
        return result;
    }

    /// Collective: `find()`, which is to find the path of a result; then the cost and the moves of the path, by
    /// its cheapest steps.
    template <class F>
    void add_path(Result& result, F&& find) {
        try {
            find();
            peers_.attempt([&] {
                result.cost = look_up_steps(problem_, result.path.empty() ? result.partial_path : result.path,
                                            moves_of<P>(result));
            });
        } catch (const std::bad_alloc&) { // on all processes
            result = without_path(result);
        }
    }

    /// Collective: appends the path to a node, followed back from owner to owner.
    /// \param end `end(worker)`: its last node
    template <class F>
    void find_path(std::size_t owner, std::vector<State>& path, F&& end) {
        std::optional<typename Owners<P, Table>::Name> name; // of the next node; none of the first one
        do {
            const std::size_t rank = rank_of(owner);
            std::vector<State> states; // of the next nodes that are all of this rank
            peers_.attempt([&] {
                for (bool goes_on = rank == peers_.rank(); goes_on;) {
                    const Worker& worker = *workers_[owner - first_];
                    const Table& table = worker.engine().table();
                    const auto node = name ? owners_.find(table, *name) : end(worker);
                    states.push_back(node.state());
                    name = owners_.name_before(table, node);
                    owner = name ? owners_.owner_of(*name) : owner;
                    goes_on = name && rank_of(owner) == rank;
                }
            });
            states = peers_.broadcast(std::move(states), rank);
            peers_.attempt([&] { path.insert(path.end(), states.begin(), states.end()); });
            name = peers_.broadcast(name, rank);
            owner = name ? owners_.owner_of(*name) : owner;
        } while (name);
        std::reverse(path.begin(), path.end());
    }

    Peers& peers_;
    const P& problem_;
    H& heuristic_;
    O& observer_;
    PriorityType priority_;
    BasicLimits<Cost> limits_;
    std::size_t threads_; // of each process
    std::size_t first_;   // owner of this process
    Owners<P, Table> owners_;
    Statistics before_; // of the search on one thread
    std::optional<Shared> shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    LimitMonitor monitor_;
    Report own_; // of the last round
    std::vector<Report> reports_;
    Report last_; // of all, by the last round
    bool is_gathering_ = false;
    bool is_over_ = false;
    typename Clock::time_point exchanged_ = Clock::now();
    typename Clock::time_point reported_ = exchanged_;
    typename Clock::time_point looked_ = exchanged_;
};

template <class Policy, class P, class H, class O, class Priority>
search_result_t<P> search_in_parallel(const P& problem, const state_t<P>& start, H& heuristic,
                                      const ParallelOptions& options, const limits_t<P>& limits, O& observer,
                                      const Priority& priority) {
    return guarded_search([&] {
        return with_bound(heuristic, problem, [&](auto& bound) {
            using Bound = std::remove_reference_t<decltype(bound)>;
            NoPeers peers;
            for (unsigned threads = thread_count(options.threads);; threads = 1) {
                try {
                    return ParallelSearch<Policy, P, Bound, O, Priority, NoPeers>(
                               peers, problem, bound, observer, priority, limits, threads)
                        .run(start, options.serial_nodes.value_or(1 << 14), 0.005);
                } catch (const NoThread&) { // It begins again on this one.
                }
            }
        });
    });
}

} // namespace detail

/// `astar` on several threads: hash-distributed A* (Kishimoto, Fukunaga, Botea 2009). It finds the same cost;
/// the path may be another one of that cost, and the counts differ from run to run.
///
/// Several threads call the problem at the same time, as `const`, and the heuristic, once it is bound. If that
/// cannot be called as `const`, or is trivially copyable, each thread has a copy, which does not count as
/// `bytes`.
///
/// \tparam Policy as of `astar`. Closed nodes are opened again, unless the policy says otherwise
/// \param limits `expansions` is not exceeded, but up to 64 of them for each thread may be left; `bytes` is
///     for all threads together; `stop` is asked on the caller's thread
/// \param observer told of the progress alone, on the caller's thread, with what all threads have done
/// \return as from `astar`. Without moves, and for states that are no words, `generated` counts the way
///     straight back, too.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P>
search_result_t<P> parallel_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                  ParallelOptions options = {}, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::search_in_parallel<Policy>(problem, start, heuristic, options, limits, observer,
                                              AStarPriority<cost_t<P>, estimate_t<H, P>>{});
}

/// `best_first` on several threads, by any priority: see `parallel_astar`. It ends when no open node has a
/// lesser priority than the best goal, so that what a priority promises of the cost is kept: weighted A* is
/// `parallel_best_first(problem, start, heuristic, [](int g, int h) { return g + 2 * h; })`.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H, class Phi,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P> && std::copy_constructible<Phi> &&
             std::invocable<const Phi&, const cost_t<P>&, const estimate_t<H, P>&>
search_result_t<P> parallel_best_first(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                       Phi phi, ParallelOptions options = {}, limits_t<P> limits = {},
                                       O&& observer = O{}) {
    return detail::search_in_parallel<Policy>(problem, start, heuristic, options, limits, observer,
                                              detail::priority_t<Phi, P, H>{std::move(phi)});
}

} // namespace npuzzle
