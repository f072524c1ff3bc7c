#pragma once

#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/kernel/batches.hpp"
#include "npuzzle/search/kernel/best_first_base.hpp"
#include "npuzzle/search/kernel/dropping.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// Best-first search as an object: each `step` takes the first node from the open list. If it is a goal, the
/// search ends, else it is expanded. The node of the least priority is first, among equals the one of the
/// greatest g; by the priority f = g + h this is A* (see `AStar`). A closed node that is reached by a cheaper
/// path is reopened, unless the policy says otherwise: so A* is optimal under any admissible heuristic.
///
/// In a large search, `run` expands a few nodes of equal f at once, so that cache misses overlap with other
/// work. This changes neither the cost found nor the order of f. With an observer, and where nodes are not
/// reopened, it goes node by node.
///
/// \tparam P a `Problem`, with `HasHash` unless the policy is `ParentOnly`
/// \tparam O an `ObserverOf` its nodes
/// \tparam Parts the open list, node table and priority: see `PartsFor`
template <Problem P, class H, class O = SilentObserver, class Parts = DefaultParts<P, H>>
    requires HeuristicFor<H, P>
class BestFirstEngine : public BestFirstBase<BestFirstEngine<P, H, O, Parts>, P, H, O, Parts> {
    using Base = BestFirstBase<BestFirstEngine, P, H, O, Parts>;
    friend Base;
    friend EngineBase<BestFirstEngine, cost_t<P>, O>;

public:
    using typename Base::Cost, typename Base::Node, typename Base::Priority, typename Base::State;

    /// No temporary problem: the engine refers to it.
    BestFirstEngine(const P&& problem, const State& start, H&& heuristic, BasicLimits<Cost> limits = {},
                    O&& observer = O{}, typename Parts::Priority priority = {}) = delete;

    BestFirstEngine(const P& problem, const State& start, H&& heuristic, BasicLimits<Cost> limits = {},
                    O&& observer = O{}, typename Parts::Priority priority = {})
        : BestFirstEngine(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer),
                          std::move(priority)) {
        this->add_start(start);
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        if constexpr (can_batch) {
            if (status_ == Status::running && batches_.is_interrupted()) {
                guarded([&] {
                    batches_.put_back(open_, successors_, [this](auto& successors, const Priority& priority) {
                        this->insert(successors, nullptr, priority);
                    });
                });
            }
        }
        return Base::step();
    }

    /// Goes on after a limit has ended the search, under new limits, exactly where it was: the expansions, in
    /// their order, are those of a search that no limit has ended. So it can be run by pieces, and the
    /// program can do something else in between.
    ///
    /// Counts go on, and `limits.expansions` is for all of them; the time begins anew. `max_cost` stays what
    /// it was. After `memory_limit`, a search can go on only if the memory was refused where a neighbor was
    /// put into its table or on the open list, as it is as a rule; not if an observer sees nodes, and not a
    /// small search of states that are no words.
    /// \return whether the search runs
    bool resume(const BasicLimits<Cost>& limits = {})
        requires(Parts::NodeTable::finds_duplicates)
    {
        const std::optional<Refused> refused = find_refused();
        if (!this->is_between_expansions() && !refused) {
            return false;
        }
        this->begin_under(limits);
        if (refused) {
            guarded([&] { insert_refused(*refused); });
        }
        return status_ == Status::running;
    }

protected:
    using Base::guarded, Base::is_watched, Base::monitor_, Base::observer_, Base::open_, Base::problem_,
        Base::refused_, Base::statistics_, Base::status_, Base::successors_, Base::table_;
    using typename Base::Estimate, typename Base::Estimates, typename Base::Move, typename Base::Table,
        typename Base::TableNode;

    /// Sets up a search without a start.
    BestFirstEngine(const P& problem, H&& heuristic, const BasicLimits<Cost>& limits, O&& observer,
                    typename Parts::Priority priority)
        : Base(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer), std::move(priority)) {}

    /// Runs until the search is over, or holds so many bytes or nodes. All nodes that wait are on the open
    /// list then.
    void run_until(std::uint64_t bytes, std::uint64_t nodes = Limits::unlimited) {
        pause_bytes_ = bytes;
        pause_nodes_ = nodes;
        this->guarded([&] {
            while (status_ == Status::running && is_below_pause()) {
                advance_many();
            }
        });
    }

    /// Forgets all nodes, and what was interrupted.
    void begin_again() {
        Base::begin_again();
        interrupted_.reset();
        if constexpr (can_batch) {
            batches_.forget();
        }
    }

    typename Parts::OpenList& open_list() { return open_; }
    const typename Parts::OpenList& open_list() const noexcept { return open_; }

private:
    friend struct detail::Checkpoint;

    using Open = typename Parts::OpenList;
    using Entry = typename Open::Entry;
    using Successor = typename Base::Successor;

    static constexpr bool can_batch =
        !is_watched && Parts::reopens && Table::finds_duplicates && PopsEqual<Open>;
    using Batches =
        std::conditional_t<can_batch, detail::Batches<Open, Successor, Parts::batch_width>, detail::Nothing>;

    /// One expansion, or the end.
    void advance() {
        while (status_ == Status::running) {
            if (open_.empty() && !interrupted_) {
                if (detail::has_dropped(open_)) {
                    this->finish(Status::beam_exhausted);
                } else if (!this->begin_to_reopen()) {
                    this->finish(this->exhausted());
                }
                return;
            }
            Entry entry = interrupted_ ? take_interrupted() : pop_entry();
            if (this->visit(entry)) {
                if (successors_.empty()) {
                    if (status_ != Status::running) [[unlikely]] {
                        interrupted_.emplace(std::move(entry));
                    }
                    this->note_open();
                } else {
                    this->insert(successors_, nullptr, entry.priority);
                }
                return;
            }
        }
    }

    Entry pop_entry() {
        return detail::pop_entry(open_, [this](const Entry& dropped) {
            if (!this->may_reopen()) {
                detail::forget_path(table_, dropped);
            }
        });
    }

    Entry take_interrupted() {
        Entry entry = *std::move(interrupted_);
        interrupted_.reset();
        return entry;
    }

    /// Batches, in a large search.
    void advance_many() {
        if constexpr (can_batch) {
            if (Batches::pay_off(open_, table_) || batches_.is_interrupted()) {
                batches_.run(
                    open_, table_, successors_,
                    [this](const Entry& entry) {
                        this->visit(entry);
                        return status_ == Status::running;
                    },
                    [this](auto& successors, const Priority& priority) {
                        return this->insert_prefetched(successors, nullptr, priority);
                    },
                    [this](const Priority& /*priority*/) { return is_below_pause(); });
                return;
            }
        }
        advance();
    }

    [[nodiscard]] bool is_below_pause() const {
        return this->budget_.used() < pause_bytes_ && table_.size() < pause_nodes_;
    }

    /// Whether the next node may be expanded, or a limit has ended the search.
    bool may_expand(const Priority& priority) {
        return !monitor_.is_due(statistics_.expanded) || !this->is_stopped(statistics_.expanded, priority);
    }

    /// Whether the search runs, or was ended by a limit at an expansion, which it has not begun.
    [[nodiscard]] bool is_between_expansions() const noexcept {
        return status_ == Status::running || status_ == Status::expansion_limit ||
               status_ == Status::time_limit || status_ == Status::cancelled;
    }

    /// The neighbors that wait since memory was refused.
    struct Refused {
        std::vector<Successor>* successors;
        std::size_t arrived;           ///< how many of them
        bool is_counted;               ///< the next one as generated
        std::optional<Entry> unpushed; ///< of the last one that has arrived
    };

    std::optional<Refused> find_refused() {
        if constexpr (!is_watched && std::is_trivially_copyable_v<State>) {
            if (status_ != Status::memory_limit || refused_ == nullptr) {
                return std::nullopt;
            }
            std::vector<Successor>* successors = &successors_;
            if constexpr (can_batch) {
                successors = has_batches() ? &batches_.waiting() : successors;
            }
            const auto at = static_cast<std::size_t>(refused_ - successors->data());
            const State state = table_.state_of(refused_->probe);
            const auto node = table_.find(table_.lookup_hint(state), state);
            if (!node) {
                return Refused{successors, at, true, {}};
            }
            if (node->is_root()) {
                return std::nullopt; // It has no path yet: the caller's functions were refused memory.
            }
            if (!is_open_list_whole()) {
                return std::nullopt;
            }
            const bool has_arrived = !node->is_closed() && !(node->cost() < refused_->cost) &&
                                     !(refused_->cost < node->cost()) &&
                                     leads_from_same(node->link(), refused_->link);
            if (!has_arrived) {
                return Refused{successors, at, true, {}};
            }
            const Priority priority = this->priority_(
                refused_->cost, this->estimates().estimate_of_child(refused_->estimate, state));
            return Refused{successors, at + 1, false, Entry{priority, refused_->cost, node->key()}};
        } else {
            return std::nullopt;
        }
    }

    /// Whether a push that was refused memory has changed nothing.
    [[nodiscard]] bool is_open_list_whole() const noexcept {
        if constexpr (SavesEntries<Open>) {
            return open_.is_whole();
        } else {
            return false;
        }
    }

    static bool leads_from_same(const auto& link, const auto& other) {
        if constexpr (requires { link.parent; }) {
            return link.parent == other.parent;
        } else {
            return true; // A table of words is refused no memory for a state that it has.
        }
    }

    /// Whether a run by batches was interrupted.
    [[nodiscard]] bool has_batches() const noexcept {
        if constexpr (can_batch) {
            return batches_.is_interrupted();
        } else {
            return false;
        }
    }

    void insert_refused(const Refused& refused) {
        if (refused.unpushed) {
            open_.push(*refused.unpushed);
        }
        refused_ = nullptr;
        statistics_.generated -= refused.is_counted ? 1 : 0;
        if constexpr (std::is_trivially_copyable_v<State>) {
            auto& successors = *refused.successors;
            successors.erase(successors.begin(),
                             successors.begin() + static_cast<std::ptrdiff_t>(refused.arrived));
        }
        if (!has_batches()) {
            this->insert(successors_, nullptr, detail::Nothing{});
        }
    }

    NPUZZLE_NO_UNIQUE_ADDRESS Batches batches_;
    std::optional<Entry> interrupted_; // taken from the open list when a limit ended the search
    std::uint64_t pause_bytes_ = Limits::unlimited;
    std::uint64_t pause_nodes_ = Limits::unlimited;
};

namespace detail {

/// The engine by a policy and a priority.
template <class P, class H, class O, class Policy, class PriorityType>
using best_first_engine_t =
    BestFirstEngine<P, H, O, PartsFor<P, std::remove_cvref_t<H>, Policy, PriorityType>>;

} // namespace detail

} // namespace npuzzle
