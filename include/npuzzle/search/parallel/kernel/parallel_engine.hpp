#pragma once

#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/threads.hpp"
#include "npuzzle/search/parallel/kernel/held_heuristic.hpp"
#include "npuzzle/search/parallel/kernel/parallel_worker.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Best-first search on several threads, of one process or of many.

namespace npuzzle::detail {

/// A policy for threads that do not wait for each other: a state may be expanded before its cheapest path is
/// known, whatever the heuristic promises, and is reopened then.
template <class Policy>
struct AsynchronousPolicy : Policy {
    static constexpr bool reopens = opens_again<Policy>();
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
    std::uint64_t received = 0; ///< those that have come from them
    std::uint64_t taken = 0;    ///< of the expansions that are allowed
    std::optional<ReachedGoal<Priority, Cost>> best;
    std::optional<Nearest> nearest;              ///< to a goal, at the end
    SearchStatus status = SearchStatus::running; ///< by what the search was ended
    bool has_pruned = false; ///< at the end: a path was not followed since it costs too much
    bool is_idle = false;    ///< there is no work
    bool is_starved = false; ///< a thread needs more expansions

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
    /// Collective: the value of one process; the states of one, for all.
    template <class T>
    static T broadcast(T value, std::size_t /*root*/) {
        return value;
    }
    template <class State>
    static void broadcast_states(std::vector<State>& /*states*/, std::size_t /*root*/) {}

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
    static constexpr std::uint64_t sent() { return 0; }
    static constexpr std::uint64_t received() { return 0; }
    /// Collective: drops what is still on its way.
    static void drain() {}
};

/// A best-first search on several threads of one process, or of many. It begins on one thread: a small search
/// ends there, a large one begins again on all. A state belongs to one worker of all of them.
///
/// On the caller's thread, between expansions, processes exchange messages, look at the limits, and meet in
/// rounds of reports. The search is over if a report has a status, or if two rounds, one after the other, find
/// all processes idle, and as many packets received as sent, the same number each time (F. Mattern,
/// "Algorithms for distributed termination detection", Distributed Computing 2, 1987: the four counters). One
/// round is not enough, since processes report at different times: one may be idle, and get work from another
/// that was not yet asked.
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
    using Nearness = std::remove_cvref_t<decltype(std::declval<Worker>().engine().nearest().nearness())>;
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
        bool is_over = false;
        peers_.attempt([&] {
            if (peers_.rank() == 0) {
                is_over = begin_alone(start, nodes, seconds, result);
            }
        });
        if (peers_.broadcast(is_over, 0)) {
            share(result);
        } else {
            before_ = peers_.broadcast(result.statistics, 0);
            limits_ = remaining(limits_, before_);
            peers_.attempt([&] { make_workers(); });
            run_workers(start);
            result = gather();
        }
        observer_.progress(result.statistics);
        return result;
    }

private:
    static constexpr std::chrono::microseconds exchange_pause{100};
    static constexpr std::chrono::microseconds round_pause{500};
    static constexpr std::chrono::milliseconds limits_pause{2};

    [[nodiscard]] std::size_t rank_of(std::size_t owner) const { return owner / threads_; }
    /// The worker that an owner is; null if it is in another process.
    [[nodiscard]] const Worker* find(std::size_t owner) const {
        return owner - first_ < threads_ ? workers_[owner - first_].get() : nullptr;
    }

    /// Searches on one thread. Returns whether the search is over; else it stored so many nodes, or took so
    /// long.
    bool begin_alone(const State& start, std::uint64_t nodes, double seconds, Result& result) {
        BestFirst<P, H&, O&, PartsFor<P, std::remove_const_t<H>, Policy, PriorityType>> alone(
            problem_, start, heuristic_, limits_, observer_, priority_);
        if (owners_.count() == 1) {
            alone.run();
        }
        for (Statistics now = alone.statistics(); alone.status() == SearchStatus::running;
             now = alone.statistics()) {
            if (now.stored >= nodes || now.seconds >= seconds) {
                result.statistics = now;
                return false;
            }
            for (int i = 0; i < 16 && alone.step(); ++i) {
            }
        }
        result = alone.result();
        return true;
    }

    void make_workers() {
        shared_.emplace(owners_.count(), threads_, share_of(limits_.bytes));
        shared_->allowed = allowance(0);
        for (std::size_t i = 0; i < threads_; ++i) {
            std::function<void(typename Clock::time_point)> poll;
            if (i == 0) {
                poll = [this](typename Clock::time_point now) { this->poll(now); };
            }
            workers_.push_back(std::make_unique<Worker>(first_ + i, owners_, *shared_, problem_, heuristic_,
                                                        limits_, priority_, std::move(poll)));
        }
        BasicLimits<Cost> own = limits_;
        own.expansions = Limits::unlimited; // They are taken from `shared_`.
        monitor_ = LimitMonitor(own);
    }

    [[nodiscard]] std::uint64_t share_of(std::uint64_t limit) const {
        return limit == Limits::unlimited ? limit : limit / peers_.size();
    }

    /// Runs all workers to the end of the search. \throws what was thrown by one
    void run_workers(const State& start) {
        const auto guarded = [this](auto&& work) {
            try {
                work();
            } catch (const std::bad_alloc&) {
                shared_->end(SearchStatus::memory_limit);
            } catch (...) {
                shared_->end(SearchStatus::failed, std::current_exception());
            }
        };
        {
            JoinedThreads others(threads_ - 1);
            guarded([&] {
                for (std::size_t i = 1; i < threads_; ++i) {
                    others.add([worker = workers_[i].get(), &start] { worker->run(start); });
                }
                workers_.front()->run(start);
            });
        }
        while (!is_over_) {
            guarded([this] { poll(Clock::now()); });
            std::this_thread::yield();
        }
        peers_.drain();
        peers_.attempt([this] {
            if (shared_->error()) {
                std::rethrow_exception(shared_->error());
            }
        });
    }

    void poll(typename Clock::time_point now) {
        if (shared_->working == 0 || now - exchanged_ > exchange_pause) {
            exchanged_ = now;
            if (!shared_->is_over) { // What is on its way then, `drain` receives.
                peers_.exchange(*shared_, first_, threads_);
            }
            if (!is_gathering_ && !is_over_ && (shared_->working == 0 || now - reported_ > round_pause)) {
                reported_ = now;
                own_ = report([](const Worker& worker) { return worker.progress(); });
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

    template <class GetStatistics>
    [[nodiscard]] Report report(GetStatistics&& get_statistics) const {
        Report own;
        for (const auto& worker : workers_) {
            own.statistics.merge_concurrent(get_statistics(*worker));
        }
        own.statistics.bytes = shared_->budget.peak();
        own.statistics.seconds = monitor_.seconds();
        own.sent = peers_.sent();
        own.received = peers_.received();
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
        // Of several processes, one may never ask for more.
        const bool is_used_up = last_.taken >= limits_.expansions && (last_.is_starved || peers_.size() > 1);
        if (last_.status == SearchStatus::running && is_used_up) {
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
        return peers_.size() == 1 ? left : std::max<std::uint64_t>(left / 2 / peers_.size(), 64);
    }

    /// The result, the same for all.
    [[nodiscard]] Result gather() {
        own_ = report([](const Worker& worker) { return worker.engine().statistics(); });
        for (const auto& worker : workers_) {
            const auto& nearest = worker->engine().nearest();
            own_.has_pruned = own_.has_pruned || worker->engine().has_pruned();
            if (nearest.has_value() &&
                (!own_.nearest || nearest.nearness().is_nearer_than(own_.nearest->nearness))) {
                own_.nearest = {nearest.nearness(), worker->number()};
            }
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
        try {
            if (result.status == SearchStatus::solved) {
                find_path(end.best->finder, result.path, [](const Worker& worker) { return worker.goal(); });
            } else if (end.nearest) {
                find_path(end.nearest->owner, result.partial_path, [](const Worker& worker) {
                    return *worker.engine().nearest().find_in(worker.engine().table());
                });
            }
            add_cost(result);
        } catch (const std::bad_alloc&) { // on all processes
            result = without_path(result);
        }
        return result;
    }

    /// Collective: appends the path to a node, following it back from owner to owner. A step is one broadcast;
    /// states are shared at the end.
    /// \param end `end(worker)`: its last node
    template <class F>
    void find_path(std::size_t owner, std::vector<State>& path, F&& end) {
        std::optional<typename Owners<P, Table>::Name> name; // of the next node; none of the first one
        std::vector<std::size_t> ranks;                      // of the nodes
        std::vector<State> own;                              // states of this process
        std::exception_ptr error;
        do {
            try {
                ranks.push_back(rank_of(owner));
                if (const Worker* const worker = find(owner)) {
                    const Table& table = worker->engine().table();
                    const auto node = name ? owners_.find(table, *name) : end(*worker);
                    own.push_back(node.state());
                    name = owners_.name_before(table, node);
                }
            } catch (...) {
                error = std::current_exception();
                name.reset();
            }
            name = peers_.broadcast(name, rank_of(owner));
            owner = name ? owners_.owner_of(*name) : owner;
        } while (name);
        std::vector<std::vector<State>> states; // of each process
        peers_.attempt([&] {
            if (error) {
                std::rethrow_exception(error);
            }
            states.resize(peers_.size());
            states[peers_.rank()] = std::move(own);
        });
        for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
            peers_.broadcast_states(states[rank], rank);
        }
        peers_.attempt([&] {
            for (auto rank = ranks.rbegin(); rank != ranks.rend(); ++rank) {
                path.push_back(std::move(states[*rank].back()));
                states[*rank].pop_back();
            }
        });
    }

    /// Collective: gives all processes the result of the first one, which has searched alone.
    void share(Result& result) {
        if (peers_.size() == 1) {
            return;
        }
        result.status = peers_.broadcast(result.status, 0);
        result.statistics = peers_.broadcast(result.statistics, 0);
        try {
            peers_.broadcast_states(result.path, 0);
            peers_.broadcast_states(result.partial_path, 0);
            add_cost(result);
        } catch (const std::bad_alloc&) { // on all processes
            result = without_path(result);
        }
    }

    /// Collective: adds the cost and the moves of the path, by its cheapest steps.
    void add_cost(Result& result) {
        peers_.attempt([&] {
            auto&& moves = moves_of<P>(result);
            if constexpr (has_moves<P>) {
                moves.clear();
            }
            result.cost =
                look_up_steps(problem_, result.path.empty() ? result.partial_path : result.path, moves);
        });
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
