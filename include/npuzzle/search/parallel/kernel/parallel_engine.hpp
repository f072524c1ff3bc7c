#pragma once

#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/kernel/threads.hpp"
#include "npuzzle/search/parallel/kernel/held_heuristic.hpp"
#include "npuzzle/search/parallel/kernel/parallel_worker.hpp"

#include <atomic>
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
/// Best-first search on several threads, from its start on one to its result.

namespace npuzzle::detail {

/// A policy for threads that do not wait for each other: a state may be expanded before its cheapest path is
/// known, whatever the heuristic promises, and is opened again then.
template <class Policy>
struct AsynchronousPolicy : Policy {
    static constexpr bool reopens = opens_again<Policy>();
};

/// The search as it begins, on one thread.
template <Problem P, class H, class O, class Parts>
class BeginningSearch : public BestFirst<P, H, O, Parts> {
    using Base = BestFirst<P, H, O, Parts>;

public:
    using Base::Base;

    /// Searches until there are so many nodes, to the end, or for as long as it takes to be worth threads.
    SearchStatus run_to(std::uint64_t nodes) {
        constexpr double long_enough = 0.005; // seconds
        for (unsigned steps = 1; this->table_.size() < nodes && this->step(); ++steps) {
            if (steps % 16 == 0 && this->monitor_.seconds() > long_enough) {
                break;
            }
        }
        return this->status();
    }

    typename Parts::NodeTable& table() { return this->table_; }
    [[nodiscard]] auto nearest() const { return this->nearest_.find_in(this->table_); }
    [[nodiscard]] std::uint64_t nodes() const { return this->table_.size(); }
    [[nodiscard]] std::uint64_t bytes() const { return this->budget_.used(); }
    [[nodiscard]] bool has_pruned() const { return this->pruned_by_bound_; }
};

/// A best-first search on several threads.
///
/// It begins on one thread. A search that stays small ends there; else all nodes are dealt out to their
/// owners. So a small search takes no longer, and the threads have work from the start.
/// \tparam is_made_by_bind whether nobody else needs the heuristic
/// \tparam H the heuristic as it is called
template <bool is_made_by_bind, Problem P, class H, class O, class Policy, class PriorityType>
class ParallelSearch {
    using Plain = std::remove_const_t<H>;
    using Parts = PartsFor<P, Plain, Policy, PriorityType>;
    using WorkerParts = PartsFor<P, Plain, AsynchronousPolicy<Policy>, PriorityType>;
    using Held = held_heuristic_t<H, P, is_made_by_bind>;
    using Worker = ParallelWorker<P, Held, WorkerParts>;
    using Beginning = BeginningSearch<P, H&, O&, Parts>;
    using Transfer = NodeTransfer<Worker>;
    using Table = typename Worker::Table;
    using Shared = typename Worker::Shared;
    using Cost = cost_t<P>;
    using Result = search_result_t<P>;

public:
    ParallelSearch(const P& problem, H& heuristic, O& observer, PriorityType priority,
                   const BasicLimits<Cost>& limits)
        : problem_(&problem), heuristic_(&heuristic), observer_(&observer), priority_(std::move(priority)),
          limits_(limits) {}

    /// \param serial_nodes see `ParallelOptions`
    Result run(const state_t<P>& start, std::size_t threads, std::uint64_t serial_nodes) {
        std::optional<Beginning> beginning(std::in_place, *problem_, start, *heuristic_, limits_, *observer_,
                                           priority_);
        if (threads <= 1) {
            beginning->run();
            return beginning->result();
        }
        if (beginning->run_to(serial_nodes) == SearchStatus::running && run_on(beginning, threads)) {
            return result();
        }
        dismiss_workers();
        beginning->run();
        return beginning->result();
    }

    ParallelSearch(const ParallelSearch&) = delete;
    ParallelSearch& operator=(const ParallelSearch&) = delete;
    ~ParallelSearch() { dismiss_workers(); }

private:
    void dismiss_workers() {
        for (const auto& worker : workers_) {
            worker->discard_mail();
        }
        workers_.clear();
    }

    class Listener final : public ProgressListener {
    public:
        explicit Listener(ParallelSearch& search) : search_(&search) {}
        void tell() override { search_->observer_->progress(search_->progress()); }

    private:
        ParallelSearch* search_;
    };

    /// Goes on with a search on several threads, to the end. False if there are no threads or no memory to
    /// begin that with: `beginning` is as it was then.
    bool run_on(std::optional<Beginning>& beginning, std::size_t threads) {
        try {
            set_up(*beginning, threads);
        } catch (const std::bad_alloc&) {
            return false;
        }
        if (!run_workers(beginning)) {
            return false;
        }
        return all_have(adopted_) || shared_->error();
    }

    /// Runs all workers to their ends. False if there are no threads.
    bool run_workers(std::optional<Beginning>& beginning) {
        enum : int { wait, go, leave };
        std::atomic<int> gate{wait};
        JoinedThreads others(workers_.size() - 1);
        try {
            for (std::size_t i = 1; i < workers_.size(); ++i) {
                others.add([this, &gate, &beginning, i] {
                    while (gate.load(std::memory_order_acquire) == wait) {
                        std::this_thread::yield();
                    }
                    if (gate.load(std::memory_order_acquire) == go) {
                        workers_[i]->run([&] { take_share(i, *beginning); });
                    }
                });
            }
        } catch (...) {
            gate.store(leave, std::memory_order_release);
            return false;
        }
        gate.store(go, std::memory_order_release);
        workers_[0]->run([&] {
            take_share(0, *beginning);
            if (all_have(adopted_)) {
                const std::uint64_t freed = beginning->bytes();
                beginning.reset();
                shared_->bytes().give_back(static_cast<std::size_t>(freed));
            }
        });
        return true;
    }

    void set_up(const Beginning& beginning, std::size_t threads) {
        before_ = beginning.statistics();
        has_pruned_ = beginning.has_pruned();
        BasicLimits<Cost> limits = remaining(limits_, before_);
        owners_.emplace(*problem_, threads);
        shared_.emplace(threads, limits_.bytes, limits.expansions);
        if (!shared_->bytes().take(static_cast<std::size_t>(beginning.bytes()))) {
            throw std::bad_alloc();
        }
        if constexpr (!FindsStateBefore<Table>) {
            names_.resize(static_cast<std::size_t>(beginning.nodes()));
        }
        limits.expansions = Limits::unlimited;
        for (std::size_t i = 0; i < threads; ++i) {
            workers_.push_back(std::make_unique<Worker>(i, *owners_, *shared_, workers_, *problem_,
                                                        Held(*heuristic_), limits, priority_,
                                                        i == 0 ? &listener_ : nullptr));
            limits.time = (std::chrono::nanoseconds::max)();
            limits.stop = {};
        }
    }

    /// A worker takes over the nodes of its states. It returns when all have.
    void take_share(std::size_t number, Beginning& beginning) {
        Worker& worker = *workers_[number];
        Table& table = beginning.table();
        const auto for_each_own = [&](auto&& take) {
            table.for_each_node([&](const auto& node) {
                decltype(auto) state = node.state();
                if ((*owners_)(state) == number) {
                    take(node, state);
                }
            });
        };
        if constexpr (!FindsStateBefore<Table>) {
            for_each_own([&](const auto& node, const state_t<P>& state) {
                names_[node.key()] = owners_->name(Transfer::reserve(worker, state), number);
            });
            wait_for_all(named_);
            if (!all_have(named_)) {
                return;
            }
        }
        for_each_own([&](const auto& node, const state_t<P>& state) {
            auto link = node.link();
            if constexpr (!FindsStateBefore<Table>) {
                if (!node.is_root()) {
                    link.parent = names_[link.parent];
                }
            }
            Transfer::adopt(worker, node, state, link);
        });
        if (const auto nearest = beginning.nearest()) {
            decltype(auto) state = nearest->state();
            if ((*owners_)(state) == number) {
                Transfer::adopt_nearest(worker, state);
            }
        }
        wait_for_all(adopted_);
    }

    /// Returns when all workers have called it, or one has failed.
    void wait_for_all(std::atomic<std::size_t>& arrived) {
        arrived.fetch_add(1, std::memory_order_acq_rel);
        while (!all_have(arrived) && !shared_->is_over()) {
            std::this_thread::yield();
        }
    }

    [[nodiscard]] bool all_have(const std::atomic<std::size_t>& arrived) const {
        return arrived.load(std::memory_order_acquire) == workers_.size();
    }

    [[nodiscard]] Statistics statistics() const {
        Statistics sum;
        for (const auto& worker : workers_) {
            sum.merge_concurrent(worker->statistics());
        }
        return after_beginning(sum);
    }

    /// The same while threads run, as far as they have told.
    [[nodiscard]] Statistics progress() const {
        Statistics sum;
        for (const auto& worker : workers_) {
            worker->progress().add_to(sum);
        }
        sum.seconds = workers_.front()->statistics().seconds;
        return after_beginning(sum);
    }

    [[nodiscard]] Statistics after_beginning(Statistics sum) const {
        sum.bytes = shared_->peak();
        Statistics total = before_;
        return total.merge_sequential(sum);
    }

    Result result() {
        if (shared_->error()) {
            std::rethrow_exception(shared_->error());
        }
        Result result;
        result.status = status();
        result.statistics = statistics();
        try {
            if (result.status == SearchStatus::solved) {
                const Worker& finder = *workers_[shared_->best()->finder];
                add_path(node_of(finder.table(), *finder.goal()), finder, result.path, result);
            } else if (ends_without_goal(result.status)) {
                add_partial_path(result);
            }
        } catch (const std::bad_alloc&) {
            result = without_path(result);
        }
        observer_->progress(result.statistics);
        return result;
    }

    [[nodiscard]] SearchStatus status() const {
        if (shared_->status() != SearchStatus::running) {
            return shared_->status();
        }
        if (shared_->best()) {
            return SearchStatus::solved;
        }
        bool has_pruned = has_pruned_;
        for (const auto& worker : workers_) {
            has_pruned = has_pruned || worker->has_pruned();
        }
        return exhausted_status(has_pruned, statistics().contract_violations == 0 &&
                                                is_bound(limits_.max_cost, Table::can_hold));
    }

    void add_partial_path(Result& result) {
        const Worker* best = nullptr;
        for (const auto& worker : workers_) {
            if (worker->nearest() &&
                (best == nullptr || worker->nearness().is_nearer_than(best->nearness()))) {
                best = worker.get();
            }
        }
        if (best != nullptr) {
            add_path(*best->nearest(), *best, result.partial_path, result);
        }
    }

    /// The nodes of all workers, as `retrace` sees them.
    struct AllNodes {
        using Node = typename Table::Node;

        const ParallelSearch& search;
        const Table& first;

        [[nodiscard]] Node parent(const Node& node) const {
            return search.owners_->parent(first, node, [this](std::size_t owner) -> const Table& {
                return search.workers_[owner]->table();
            });
        }
    };

    void add_path(const typename Table::Node& end, const Worker& its_worker, std::vector<state_t<P>>& path,
                  Result& result) const {
        auto&& moves = moves_of<P>(result);
        retrace<P>(AllNodes{*this, its_worker.table()}, end, path, moves);
        result.cost = path_cost(*problem_, path, moves);
    }

    const P* problem_;
    H* heuristic_;
    O* observer_;
    PriorityType priority_;
    BasicLimits<Cost> limits_;
    Listener listener_{*this};
    Statistics before_;       // of the search on one thread
    bool has_pruned_ = false; // it did
    std::optional<Owners<P, Table>> owners_;
    std::optional<Shared> shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    // While nodes are dealt out; names are those of the nodes in the tables of their owners:
    std::vector<typename Table::Key> names_;
    std::atomic<std::size_t> named_{0};   // workers that have named their nodes
    std::atomic<std::size_t> adopted_{0}; // workers that have all their nodes
};

} // namespace npuzzle::detail
