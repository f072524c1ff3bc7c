#pragma once

#include "npuzzle/search/parallel/kernel/parallel_worker.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Best-first search on several threads, of one process or of many.

namespace npuzzle::detail {

/// The system gives no thread.
struct NoThread : std::runtime_error {
    NoThread() : std::runtime_error("the system gives no thread") {}
};

/// A policy for threads that do not wait for each other: a state may be expanded before its cheapest path is
/// known, whatever the heuristic promises, and is reopened then.
template <class Policy>
struct AsynchronousPolicy : Policy {
    static constexpr bool reopens = std::optional<bool>(Policy::reopens).value_or(true);
};

/// What a process knows of a search, and, merged, what all know.
template <class Priority, class Cost, class Nearness>
struct SearchReport {
    struct Nearest {
        Nearness nearness;
        std::size_t owner;
    };

    Statistics statistics;
    std::uint64_t sent = 0;     ///< packets to other processes
    std::uint64_t received = 0; ///< packets from other processes
    std::uint64_t taken = 0;    ///< of the expansions that are allowed
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
        if (other.best && (!best || other.best->is_before(*best))) {
            best = other.best;
        }
        if (other.nearest && (!nearest || other.nearest->nearness.is_nearer_than(nearest->nearness))) {
            nearest = other.nearest;
        }
        status = (std::max)(status, other.status); // A failure is the greatest.
        has_pruned = has_pruned || other.has_pruned;
        is_idle = is_idle && other.is_idle;
        is_starved = is_starved || other.is_starved;
    }
};

/// The processes of a search, if there is one alone. Others are connected by `MpiPeers`. What is collective is
/// called by all processes, in the same order.
struct NoPeers {
    static constexpr bool leaves_process = false; ///< whether states are sent
    static constexpr std::size_t rank() { return 0; }
    static constexpr std::size_t size() { return 1; }

    /// Collective: `work()`, which is not. If it throws on one process, this throws on all.
    template <class F>
    static void attempt(F&& work) {
        work();
    }
    /// Collective: the value, or the vector of states, of one process.
    template <class T>
    static T broadcast(T value, std::size_t /*root*/) {
        return value;
    }

    /// Collective: begins to gather the reports of all; `is_gathered` says when they are there.
    template <class Report>
    static void gather(const Report& own, std::vector<Report>& all) {
        all.front() = own;
    }
    static bool is_gathered() { return true; }

    /// Sends the blocks in the inboxes of the others' owners, and receives theirs.
    /// \param first the first of `threads` owners that are of this process
    template <class Shared>
    static void exchange(Shared& /*shared*/, std::size_t /*first*/, std::size_t /*threads*/) {}
    /// Collective: drops what is still on its way.
    template <class Shared>
    static void drain(Shared& /*shared*/) {}
};

/// A best-first search on several threads of one process, or of many (hash-distributed A*: A. Kishimoto,
/// A. Fukunaga, A. Botea, "Scalable, parallel best-first search for optimal sequential planning", ICAPS 2009).
/// It begins on one thread: a small search ends there, a large one begins again on all.
///
/// The hash of a state names its owner, the one thread of all processes that has its node and expands it. A
/// neighbor of another owner is sent there, in blocks of hundreds. Threads do not wait for each other, so a
/// state may be expanded before its cheapest path is known; it is reopened then. A goal is only a candidate:
/// no node of its priority or a greater one is expanded after it, and the search goes on until none is left.
///
/// On the caller's thread, between expansions, processes exchange messages, look at the limits, and meet in
/// rounds of reports, which end the search if one has a status: a limit, or `failed`, with an exception.
///
/// Else it ends when no work is left anywhere. Of a process, `working` counts the threads that have work, and
/// each block of messages from before it is pushed until after it was read or sent. Only a thread that counts
/// pushes blocks, and one without work counts again before the block that wakes it is done with. So the count
/// is never zero while work is left, and stays zero, the process being idle, unless a packet comes from
/// another. One round of reports may find all idle at different times: a process that was idle may have got
/// work from one that was not yet asked. So two rounds, one after the other, must find all idle, and as many
/// packets received as sent, the same number each time (F. Mattern, "Algorithms for distributed termination
/// detection", Distributed Computing 2, 1987: the four counters).
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
    using Nearness = decltype(std::declval<Worker>().engine().nearest().nearness);
    using Report = SearchReport<typename Worker::Priority, Cost, Nearness>;
    using Result = search_result_t<P>;

public:
    /// \param threads of each process
    ParallelSearch(Peers& peers, const P& problem, H& heuristic, O& observer, PriorityType priority,
                   const BasicLimits<Cost>& limits, std::size_t threads)
        : peers_(peers), problem_(problem), heuristic_(heuristic), observer_(observer),
          priority_(std::move(priority)), limits_(limits), threads_(threads), first_(peers.rank() * threads),
          owners_(problem, peers.size() * threads), monitor_(limits), reports_(peers.size()) {}
    ParallelSearch(const ParallelSearch&) = delete;
    ParallelSearch& operator=(const ParallelSearch&) = delete;

    /// Collective.
    /// \param nodes, seconds a search that stores fewer nodes and takes less time stays on one thread
    /// \throws std::bad_alloc on all processes if there is no memory to set the search up
    Result run(const State& start, std::uint64_t nodes, double seconds) {
        checked_state(problem_, start); // on all processes, so that none waits
        Result result;
        peers_.attempt([&] {
            if (peers_.rank() == 0) {
                result = search_alone(start, nodes, seconds);
            }
        });
        result.status = peers_.broadcast(result.status, 0);
        result.statistics = peers_.broadcast(result.statistics, 0);
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
        observer_.progress(result.statistics);
        return result;
    }

private:
    static constexpr std::chrono::microseconds exchange_pause{100};
    static constexpr std::chrono::microseconds round_pause{500};
    static constexpr std::chrono::milliseconds limits_pause{2};

    [[nodiscard]] std::size_t rank_of(std::size_t owner) const { return owner / threads_; }

    /// Searches on one thread, until the search has stored so many nodes, or taken so long: it is `running` then.
    Result search_alone(const State& start, std::uint64_t nodes, double seconds) {
        BestFirst<P, H&, O&, PartsFor<P, std::remove_const_t<H>, Policy, PriorityType>> alone(
            problem_, start, heuristic_, limits_, observer_, priority_);
        if (owners_.count() == 1) {
            alone.run();
        }
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
        shared_->allowed = allowance(0);
        for (std::size_t i = 0; i < threads_; ++i) {
            auto poll = i == 0 ? std::function<void()>([this] { this->poll(); }) : nullptr;
            workers_.push_back(std::make_unique<Worker>(first_ + i, owners_, *shared_, problem_, heuristic_,
                                                        limits_, priority_, std::move(poll)));
        }
        BasicLimits<Cost> own = limits_;
        own.expansions = Limits::unlimited; // They are taken from `shared_`.
        monitor_ = LimitMonitor(own);
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
        if (shared_->working == 0 || now - exchanged_ > exchange_pause) {
            exchanged_ = now;
            if (!shared_->is_over) { // What is on its way then, `drain` receives.
                peers_.exchange(*shared_, first_, threads_);
            }
            if (!is_gathering_ && !is_over_ && (shared_->working == 0 || now - reported_ > round_pause)) {
                reported_ = now;
                own_ = report();
                peers_.gather(own_, reports_);
                is_gathering_ = true;
            } else if (is_gathering_ && peers_.is_gathered()) {
                is_gathering_ = false;
                take_note(merged_reports());
            }
        }
        if (now - looked_ > limits_pause) {
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

    [[nodiscard]] Report report() const {
        Report own;
        for (const auto& worker : workers_) {
            own.statistics.merge_concurrent(worker->progress());
        }
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

    [[nodiscard]] Report merged_reports() const {
        Report merged = reports_.front();
        for (std::size_t i = 1; i < reports_.size(); ++i) {
            merged.merge(reports_[i]);
        }
        return merged;
    }

    /// A round has ended: all processes have the same reports.
    void take_note(const Report& merged) {
        const bool was_idle = last_.is_idle && last_.sent == merged.sent;
        last_ = merged;
        if (last_.best) {
            shared_->reach(*last_.best);
        }
        if (last_.status == SearchStatus::running && last_.is_starved && !last_.is_idle &&
            last_.taken >= limits_.expansions) {
            last_.status = SearchStatus::expansion_limit;
        }
        last_.is_idle = last_.is_idle && last_.sent == last_.received;
        is_over_ = last_.status != SearchStatus::running || (was_idle && last_.is_idle);
        if (is_over_) {
            shared_->end(last_.status);
        } else {
            shared_->allowed = own_.taken + allowance(last_.taken);
        }
    }

    /// How many expansions a process may make until the next round. Half of what is left goes to the processes
    /// in equal parts, since some need more than others; all of it to a single one.
    [[nodiscard]] std::uint64_t allowance(std::uint64_t taken) const {
        const std::uint64_t left = limits_.expansions - (std::min)(taken, limits_.expansions);
        const std::uint64_t share = std::max<std::uint64_t>(left / 2 / peers_.size(), 64);
        return peers_.size() == 1 ? left : (std::min)(left, share);
    }

    /// The result, the same for all.
    [[nodiscard]] Result gather() {
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
        while (!peers_.is_gathered()) {
            std::this_thread::yield();
        }
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

} // namespace npuzzle::detail
