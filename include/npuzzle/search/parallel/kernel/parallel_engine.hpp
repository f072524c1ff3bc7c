#pragma once

#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/threads.hpp"
#include "npuzzle/search/parallel/kernel/held_heuristic.hpp"
#include "npuzzle/search/parallel/kernel/parallel_worker.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Best-first search on several threads, from its start on one to its result.

namespace npuzzle::detail {

/// A policy for threads that do not wait for each other: a state may be expanded before its cheapest path is
/// known, whatever the heuristic promises, and is reopened then.
template <class Policy>
struct AsynchronousPolicy : Policy {
    static constexpr bool reopens = opens_again<Policy>();
};

/// The workers of a process, and what they found.
template <Problem P, class H, class Parts>
class Crew {
public:
    using Worker = ParallelWorker<P, H, Parts>;
    using Table = typename Worker::Table;
    using Node = typename Table::Node;
    using Shared = typename Worker::Shared;
    using Clock = typename Worker::Clock;
    using Cost = cost_t<P>;

    /// \param first the owner that the first worker is
    /// \param owners in all processes
    /// \param is_alone whether there are no other processes
    /// \param make_heuristic returns a heuristic for one worker
    /// \param poll called now and then on the caller's thread, while it runs
    template <class MakeHeuristic>
    Crew(const P& problem, MakeHeuristic&& make_heuristic, const typename Parts::Priority& priority,
         const BasicLimits<Cost>& limits, std::size_t first, std::size_t threads, std::size_t owners,
         bool is_alone, typename Worker::Poll poll)
        : limits_(limits), first_(first), owners_(problem, owners),
          shared_(owners, threads, limits.bytes, limits.expansions, is_alone),
          monitor_(without_expansions(limits)) {
        for (std::size_t i = 0; i < threads; ++i) {
            workers_.push_back(std::make_unique<Worker>(first + i, owners_, shared_, problem,
                                                        make_heuristic(), limits, priority,
                                                        i == 0 ? std::move(poll) : nullptr));
        }
    }

    Shared& shared() { return shared_; }
    [[nodiscard]] const Owners<P, Table>& owners() const { return owners_; }

    /// The worker that an owner is; null if it is in another process.
    [[nodiscard]] Worker* find(std::size_t owner) const {
        return owner - first_ < workers_.size() ? workers_[owner - first_].get() : nullptr;
    }

    /// Runs all workers to the end of the search. False if there are not that many threads.
    bool run(const state_t<P>& start) {
        if (Worker* const owner = find(owners_(start))) {
            owner->add_start(start);
        }
        JoinedThreads others(workers_.size() - 1);
        try {
            for (std::size_t i = 1; i < workers_.size(); ++i) {
                others.add([worker = workers_[i].get()] { worker->run(); });
            }
        } catch (...) {
            shared_.fail(std::current_exception());
            return false;
        }
        workers_.front()->run();
        return true;
    }

    /// On the caller's thread: looks at the time and the stop every few milliseconds.
    /// \param tell called then, if the search goes on
    template <class F>
    void look_at_limits(typename Clock::time_point now, F&& tell) {
        if (now - looked_ < std::chrono::milliseconds{2}) {
            return;
        }
        looked_ = now;
        if (const SearchStatus limit = monitor_.check(0); limit != SearchStatus::running) {
            shared_.end(limit);
        } else if (!shared_.is_over()) {
            tell();
        }
    }

    /// What the workers have done, as of a moment ago.
    [[nodiscard]] Statistics progress() const { return sum_of(&Worker::progress); }

    /// \name Once all workers have ended
    /// @{
    [[nodiscard]] Statistics statistics() const { return sum_of(&Worker::statistics); }
    [[nodiscard]] bool has_pruned() const {
        for (const auto& worker : workers_) {
            if (worker->engine().has_pruned()) {
                return true;
            }
        }
        return false;
    }
    /// The worker with the node that is nearest to a goal; null if there is none.
    [[nodiscard]] const Worker* nearest() const {
        const Worker* best = nullptr;
        for (const auto& worker : workers_) {
            const auto& nearest = worker->engine().nearest();
            if (nearest.has_value() &&
                (!best || nearest.nearness().is_nearer_than(best->engine().nearest().nearness()))) {
                best = worker.get();
            }
        }
        return best;
    }
    /// The status of a search that has nothing left to expand.
    [[nodiscard]] SearchStatus exhausted(bool has_pruned, const Statistics& statistics) const {
        return exhausted_status(has_pruned, statistics.contract_violations == 0 &&
                                                is_bound(limits_.max_cost, Table::can_hold));
    }
    [[nodiscard]] Node parent(const Node& node) const {
        const auto name = owners_.name_before(workers_.front()->engine().table(), node);
        return owners_.find(find(owners_.owner_of(name))->engine().table(), name);
    }
    /// @}

private:
    static BasicLimits<Cost> without_expansions(BasicLimits<Cost> limits) {
        limits.expansions = Limits::unlimited;
        return limits;
    }

    Statistics sum_of(Statistics (Worker::*get)() const) const {
        Statistics sum;
        for (const auto& worker : workers_) {
            sum.merge_concurrent((*worker.*get)());
        }
        sum.bytes = shared_.peak();
        sum.seconds = monitor_.seconds();
        return sum;
    }

    BasicLimits<Cost> limits_;
    std::size_t first_;
    Owners<P, Table> owners_;
    Shared shared_;
    LimitMonitor monitor_;
    typename Clock::time_point looked_ = Clock::now();
    std::vector<std::unique_ptr<Worker>> workers_;
};

/// The crew of a search by a policy.
/// \tparam H the heuristic as it is called
/// \tparam is_made_by_bind whether nobody else needs the heuristic
template <Problem P, class H, bool is_made_by_bind, class Policy, class Priority>
using crew_t = Crew<P, held_heuristic_t<H, P, is_made_by_bind>,
                    PartsFor<P, std::remove_const_t<H>, AsynchronousPolicy<Policy>, Priority>>;

/// Begins a search on one thread. False if it is over before it has so many nodes and has taken so long.
template <class Engine>
bool outgrows(Engine& engine, std::uint64_t nodes, double seconds) {
    for (Statistics now = engine.statistics();
         engine.status() == SearchStatus::running && now.stored < nodes && now.seconds < seconds;
         now = engine.statistics()) {
        for (int i = 0; i < 16 && engine.step(); ++i) {
        }
    }
    return engine.status() == SearchStatus::running;
}

/// A best-first search on several threads. It begins on one: a small search ends there, a large one begins
/// again on all.
template <class Policy, bool is_made_by_bind, Problem P, class H, class O, class Priority>
search_result_t<P> run_in_parallel(const P& problem, const state_t<P>& start, H& heuristic,
                                   std::size_t threads, std::uint64_t serial_nodes, limits_t<P> limits,
                                   O& observer, const Priority& priority) {
    using Team = crew_t<P, H, is_made_by_bind, Policy, Priority>;
    using Serial = BestFirst<P, H&, O&, PartsFor<P, std::remove_const_t<H>, Policy, Priority>>;
    constexpr double worth_threads = 0.005; // seconds

    std::optional<Serial> serial(std::in_place, problem, start, heuristic, limits, observer, priority);
    if (threads <= 1 || !outgrows(*serial, serial_nodes, worth_threads)) {
        serial->run();
        return serial->result();
    }
    const Statistics before = serial->statistics();
    serial.reset();
    limits = remaining(limits, before);
    std::optional<Team> crew;
    const auto make_heuristic = [&]() -> held_heuristic_t<H, P, is_made_by_bind> { return heuristic; };
    const auto poll = [&](auto now) {
        crew->look_at_limits(
            now, [&] { observer.progress(Statistics(before).merge_sequential(crew->progress())); });
    };
    crew.emplace(problem, make_heuristic, priority, limits, 0, threads, threads, true, poll);
    if (!crew->run(start)) {
        crew.reset();
        auto result = run_in_parallel<Policy, is_made_by_bind>(problem, start, heuristic, 1, 0, limits,
                                                               observer, priority);
        result.statistics = Statistics(before).merge_sequential(result.statistics);
        return result;
    }
    const auto& shared = crew->shared();
    if (shared.error()) {
        std::rethrow_exception(shared.error());
    }
    search_result_t<P> result;
    result.statistics = Statistics(before).merge_sequential(crew->statistics());
    const auto add_path = [&](const typename Team::Node& end, std::vector<state_t<P>>& path) {
        auto&& moves = moves_of<P>(result);
        retrace<P>(*crew, end, path, moves);
        result.cost = path_cost(problem, path, moves);
    };
    const bool is_limited = shared.status() != SearchStatus::running;
    result.status = is_limited      ? shared.status()
                    : shared.best() ? SearchStatus::solved
                                    : crew->exhausted(crew->has_pruned(), result.statistics);
    try {
        if (result.status == SearchStatus::solved) {
            add_path(crew->find(shared.best()->finder)->goal(), result.path);
        } else if (const auto* const nearest = crew->nearest()) {
            add_path(*nearest->engine().nearest().find_in(nearest->engine().table()), result.partial_path);
        }
    } catch (const std::bad_alloc&) {
        result = without_path(result);
    }
    observer.progress(result.statistics);
    return result;
}

} // namespace npuzzle::detail
