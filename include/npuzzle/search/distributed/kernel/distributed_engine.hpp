#pragma once

#include "npuzzle/search/distributed/kernel/block_exchange.hpp"
#include "npuzzle/search/distributed/kernel/search_rounds.hpp"
#include "npuzzle/search/parallel/kernel/parallel_engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Best-first search by the processes of a communicator, each on several threads.

namespace npuzzle::detail {

/// A best-first search by several processes. Each has workers, as a search on several threads has; a state
/// belongs to one of all of them.
///
/// The first worker begins alone: a small search ends there. Else it sends the nodes of other owners to them,
/// who begin with those that have come, and goes on with its own.
/// \tparam is_made_by_bind whether nobody else needs the heuristic
/// \tparam H the heuristic as it is called
template <bool is_made_by_bind, Problem P, class H, class O, class Policy, class PriorityType>
class DistributedSearch {
    using Plain = std::remove_const_t<H>;
    using Parts = PartsFor<P, Plain, AsynchronousPolicy<Policy>, PriorityType>;
    using Held = held_heuristic_t<H, P, is_made_by_bind>;
    using Worker = ParallelWorker<P, Held, Parts, true>;
    using Table = typename Worker::Table;
    using Block = typename Worker::Block;
    using Traveling = typename Worker::Traveling;
    using Cost = cost_t<P>;
    using Report = SearchReport<typename Worker::Priority, Cost>;
    using Result = search_result_t<P>;

public:
    DistributedSearch(const Communicator& ranks, const P& problem, H& heuristic, O& observer,
                      PriorityType priority, const BasicLimits<Cost>& limits)
        : ranks_(ranks), problem_(problem), heuristic_(heuristic), observer_(observer),
          priority_(std::move(priority)), limits_(limits), rounds_(ranks) {}
    DistributedSearch(const DistributedSearch&) = delete;
    DistributedSearch& operator=(const DistributedSearch&) = delete;
    ~DistributedSearch() {
        for (const auto& worker : workers_) {
            worker->discard_mail();
        }
    }

    /// Collective, and so is what it calls, unless that says otherwise.
    /// \param threads of each process, the same on all
    /// \param serial_nodes see `DistributedOptions`
    Result run(const state_t<P>& start, std::size_t threads, std::uint64_t serial_nodes) {
        checked_state(problem_, start); // on all ranks, so that none waits
        Result result;
        const bool has_memory = ranks_.attempt([&] {
            owners_.emplace(problem_, static_cast<std::size_t>(ranks_.size()) * threads);
            make_workers(threads);
            if (ranks_.rank() == 0) {
                const bool has_others = owners_->count() > 1;
                workers_.front()->search_alone(start, has_others ? serial_nodes : Limits::unlimited,
                                               has_others ? worth_processes : std::chrono::hours{24 * 365});
            }
        });
        if (!has_memory) {
            result.status = SearchStatus::memory_limit;
        } else if (ranks_.broadcast(workers_.front()->is_finished_alone(), 0)) {
            is_closing_ = true;
            Report end = report();
            end.status = workers_.front()->status();
            gather(result, ranks_.broadcast(end, 0));
        } else {
            run_workers();
            close();
            share_failure(ranks_, shared_->error());
            gather(result, rounds_.last());
        }
        observer_.progress(result.statistics);
        return result;
    }

private:
    /// A search that takes so long is worth its distribution.
    static constexpr std::chrono::milliseconds worth_processes{10};

    void make_workers(std::size_t threads) {
        const auto rank = static_cast<unsigned>(ranks_.rank());
        const auto count = static_cast<unsigned>(ranks_.size());
        const BasicLimits<Cost> own = share(limits_, rank, count);
        first_ = rank * threads;
        allowed_ = rank == 0 || !has_expansion_limit() ? limits_.expansions : 0;
        shared_.emplace(threads, own.bytes, allowed_, false);
        budget_.draw_on(shared_->bytes());
        blocks_.emplace(ranks_, threads, budget_);
        network_.search = this;
        BasicLimits<Cost> limits = limits_;
        limits.expansions = Limits::unlimited;
        for (std::size_t i = 0; i < threads; ++i) {
            workers_.push_back(std::make_unique<Worker>(
                i, *owners_, *shared_, workers_, problem_, Held(heuristic_), limits, priority_,
                i == 0 ? &network_ : nullptr, typename Worker::Others{first_, &network_}));
            limits.time = (std::chrono::nanoseconds::max)();
            limits.stop = {};
        }
    }

    /// Runs the workers of this process to their ends.
    void run_workers() {
        const auto run = [&](std::size_t i) { workers_[i]->run([] {}); };
        std::optional<JoinedThreads> others;
        try {
            others.emplace(workers_.size() - 1);
            for (std::size_t i = 1; i < workers_.size(); ++i) {
                others->add([&run, i] { run(i); });
            }
        } catch (...) {
            shared_->fail(std::current_exception());
        }
        run(0);
    }

    /// Takes part until the search is over everywhere, and nothing is on its way.
    void close() {
        is_closing_ = true;
        while (!rounds_.are_over()) {
            exchange();
            std::this_thread::yield();
        }
    }

    /// What the workers have to do with the other processes.
    struct Network final : BlockNetwork<Block>, ProgressListener {
        DistributedSearch* search = nullptr;

        void send(Block* block) override { search->blocks_->send(block); }
        void give_back(Block* block) override { search->blocks_->give_back(block); }
        void exchange() override { search->exchange(); }
        void tell() override { search->tell(); }
    };

    /// Not collective: on the thread that calls MPI.
    void exchange() {
        try {
            blocks_->exchange(
                !is_closing_, [this](Block* block) { workers_[block->sender - first_]->give_back(block); },
                [this](Block* block) {
                    shared_->add_work();
                    workers_[block->receiver - first_]->receive(block);
                });
        } catch (const std::bad_alloc&) {
            shared_->end(SearchStatus::memory_limit);
        }
        if (is_first_exchange_ && ranks_.rank() == 0 && has_expansion_limit()) {
            reported_ = allowed_ - shared_->expansions_left();
            allow_expansions(reported_);
        }
        is_first_exchange_ = false;
        const bool is_urgent = is_closing_ || shared_->is_idle();
        if (const Report* const news = rounds_.poll(is_urgent, [this] { return report(); })) {
            take_note(*news);
        }
    }

    [[nodiscard]] bool has_expansion_limit() const { return limits_.expansions != Limits::unlimited; }

    /// What this process knows.
    Report report() {
        Report report;
        report.is_idle = shared_->is_idle(); // Before the counts: they do not change while it is true.
        report.is_closed = is_closing_;
        report.sent = blocks_->sent();
        report.received = blocks_->received();
        if (has_expansion_limit()) {
            reported_ = report.taken = allowed_ - shared_->expansions_left();
        }
        if (const auto best = shared_->best()) {
            report.best.emplace(typename Report::Goal{best->priority, best->cost, best->finder});
        }
        for (const auto& worker : workers_) {
            if (is_closing_) {
                report.statistics.merge_concurrent(worker->statistics());
                report.has_pruned = report.has_pruned || worker->has_pruned();
            } else {
                worker->progress().add_to(report.statistics);
            }
        }
        report.statistics.bytes = shared_->peak();
        report.statistics.seconds = workers_.front()->statistics().seconds;
        if (is_closing_) {
            report.status = shared_->error() ? SearchStatus::failed : shared_->status();
        }
        return report;
    }

    /// What all processes know.
    void take_note(const Report& news) {
        if (news.best) {
            shared_->reach(news.best->priority, news.best->cost, static_cast<std::size_t>(news.best->finder));
        }
        if (is_closing_) {
            return;
        }
        if (has_expansion_limit()) {
            allow_expansions(news.taken);
        }
        if (news.status != SearchStatus::running || rounds_.is_idle()) {
            shared_->end(news.status);
        }
    }

    static constexpr std::uint64_t least_part = 64;

    /// Half of what is left goes to the processes in equal parts, round by round, since some need more than
    /// others.
    void allow_expansions(std::uint64_t taken) {
        if (taken >= limits_.expansions) {
            shared_->end(SearchStatus::expansion_limit);
            return;
        }
        const std::uint64_t parts = 2 * static_cast<std::uint64_t>(ranks_.size());
        const std::uint64_t part = (std::max)((limits_.expansions - taken) / parts, least_part);
        const std::uint64_t used = allowed_ - shared_->take_expansions(Limits::unlimited);
        allowed_ = (std::max)(used, reported_ + part);
        shared_->add_expansions(allowed_ - used);
    }

    /// Tells the observer what all processes have done, as it was known a moment ago.
    void tell() {
        Statistics statistics = is_first_exchange_ ? report().statistics : rounds_.last().statistics;
        statistics.seconds = workers_.front()->statistics().seconds;
        observer_.progress(statistics);
    }

    /// Puts the result together.
    /// \param end what is known of its end
    void gather(Result& result, const Report& end) {
        result.statistics = end.statistics;
        if (end.status != SearchStatus::running) {
            result.status = end.status;
            gather_partial_path(result);
        } else if (end.best) {
            result.status = SearchStatus::solved;
            const auto finder = static_cast<std::size_t>(end.best->finder);
            gather_path(finder, result, result.path,
                        [](const Worker& worker) { return node_of(worker.table(), *worker.goal()); });
        } else {
            result.status = exhausted_status(end.has_pruned, end.statistics.contract_violations == 0 &&
                                                                 is_bound(limits_.max_cost, Table::can_hold));
            gather_partial_path(result);
        }
    }

    /// Who has the state that is nearest to a goal.
    struct NearestReport {
        bool exists = false;
        typename Worker::Nearness nearness{};
        std::uint64_t worker = 0;

        void merge(const NearestReport& other) {
            if (other.exists && (!exists || other.nearness.is_nearer_than(nearness) ||
                                 (!nearness.is_nearer_than(other.nearness) && other.worker < worker))) {
                *this = other;
            }
        }
    };

    void gather_partial_path(Result& result) {
        NearestReport nearest;
        for (std::size_t i = 0; i < workers_.size(); ++i) {
            if (workers_[i]->nearest()) {
                nearest.merge({true, workers_[i]->nearness(), first_ + i});
            }
        }
        nearest = Reduction<NearestReport>()(nearest, ranks_);
        if (nearest.exists) {
            gather_path(static_cast<std::size_t>(nearest.worker), result, result.partial_path,
                        [](const Worker& worker) { return *worker.nearest(); });
        }
    }

    /// A node of a path, as its owner tells it to all.
    struct Waypoint {
        Traveling state;
        /// The state before, or its number for all tables.
        std::conditional_t<FindsStateBefore<Table>, Traveling, std::uint64_t> before;
        std::uint64_t owner_before;
        bool is_root;
        bool is_absent; ///< It has not come to its owner.
        bool is_lost;   ///< It could not be told.
    };

    Waypoint waypoint(const Table& table, const typename Table::Node& node) const {
        Waypoint result{
            pack_for_travel<true>(problem_, state_t<P>(node.state())), {}, 0, node.is_root(), false, false};
        if (!result.is_root) {
            if constexpr (FindsStateBefore<Table>) {
                const state_t<P> before = table.state_before(node);
                result.owner_before = (*owners_)(before);
                result.before = pack_for_travel<true>(problem_, state_t<P>(before));
            } else {
                result.before = node.link().parent;
                result.owner_before = result.before % owners_->count();
            }
        }
        return result;
    }

    /// The node of a worker that a waypoint leads back to, if it is there.
    std::optional<typename Table::Node> node_before(const Waypoint& at, const Worker& worker) const {
        const Table& table = worker.table();
        if constexpr (FindsStateBefore<Table>) {
            const state_t<P> before = unpack_traveler<true>(problem_, Traveling(at.before));
            return table.find(table.lookup_hint(before), before);
        } else {
            return table.find(static_cast<typename Table::Key>(at.before / owners_->count()));
        }
    }

    /// The workers of a process, or null for another's.
    const Worker* worker_here(std::size_t number) const {
        return number - first_ < workers_.size() ? workers_[number - first_].get() : nullptr;
    }

    /// Follows the path back from owner to owner. All processes have it then.
    /// \param end `end(worker)`: its last node
    template <class F>
    void gather_path(std::size_t owner, Result& result, std::vector<state_t<P>>& path, F&& end) {
        Trouble trouble;
        Waypoint at{};
        const auto tell = [&](auto&& find) {
            const Worker* const worker = worker_here(owner);
            Waypoint found{};
            if (worker != nullptr && !trouble.guard([&] {
                    const std::optional<typename Table::Node> node = find(*worker);
                    found.is_absent = !node;
                    if (node) {
                        found = waypoint(worker->table(), *node);
                    }
                })) {
                found.is_lost = true;
            }
            return ranks_.broadcast(std::move(found), static_cast<int>(owner / workers_.size()));
        };
        try {
            at = tell([&](const Worker& worker) { return std::optional(end(worker)); });
            // Where a limit ended the search before all nodes had come to their owners, they may lead round
            // in a circle.
            for (std::uint64_t left = result.statistics.stored; left > 0 && !at.is_lost && !at.is_absent;
                 --left) {
                trouble.guard([&] { path.push_back(unpack_traveler<true>(problem_, Traveling(at.state))); });
                if (at.is_root) {
                    break;
                }
                const Waypoint from = std::move(at);
                const auto find = [&](const Worker& worker) { return node_before(from, worker); };
                owner = static_cast<std::size_t>(from.owner_before);
                at = tell(find);
                if (at.is_absent) {
                    owner = 0; // It was there in the beginning.
                    at = tell(find);
                }
            }
        } catch (const std::bad_alloc&) {
            trouble.run_out_of_memory(); // `broadcast` throws it on all.
        }
        trouble.guard([&] {
            std::reverse(path.begin(), path.end());
            add_cost(result);
        });
        if (!trouble.is_nowhere(ranks_) || !at.is_root) {
            result = without_path(result);
        }
    }

    /// The cost and the moves of the path, by its steps.
    void add_cost(Result& result) const {
        const std::vector<state_t<P>>& path = result.path.empty() ? result.partial_path : result.path;
        auto&& moves = moves_of<P>(result);
        if constexpr (has_moves<P>) {
            moves.clear();
        }
        result.cost = look_up_steps(problem_, path, moves);
    }

    const Communicator& ranks_;
    const P& problem_;
    H& heuristic_;
    O& observer_;
    PriorityType priority_;
    BasicLimits<Cost> limits_;
    std::optional<Owners<P, Table>> owners_;
    std::optional<typename Worker::Shared> shared_;
    MemoryBudget budget_; // for blocks that come from other processes
    std::optional<exchange_t<Block>> blocks_;
    SearchRounds<Report> rounds_;
    Network network_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::size_t first_ = 0;      // the number of the first worker here
    std::uint64_t allowed_ = 0;  // expansions of this process so far
    std::uint64_t reported_ = 0; // those that it had used by its last report
    bool is_first_exchange_ = true;
    bool is_closing_ = false;
};

} // namespace npuzzle::detail
