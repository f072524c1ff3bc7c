#pragma once

#include "npuzzle/search/core/policy.hpp"
#include "npuzzle/search/kernel/batches.hpp"
#include "npuzzle/search/kernel/best_first_base.hpp"
#include "npuzzle/search/kernel/dropping.hpp"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

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
            if (status_ == SearchStatus::running && batches_.is_interrupted()) {
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
    /// it was.
    /// \return whether the search runs: not after `memory_limit`, nor after its end
    bool resume(const BasicLimits<Cost>& limits = {})
        requires(Parts::NodeTable::finds_duplicates)
    {
        if (!is_between_expansions()) {
            return false;
        }
        this->begin_under(limits);
        return true;
    }

protected:
    using Base::guarded, Base::is_watched, Base::monitor_, Base::observer_, Base::open_, Base::problem_,
        Base::statistics_, Base::status_, Base::successors_, Base::table_;
    using typename Base::Estimate, typename Base::Estimates, typename Base::Move, typename Base::Table,
        typename Base::TableNode;

    /// Sets up a search without a start.
    BestFirstEngine(const P& problem, H&& heuristic, const BasicLimits<Cost>& limits, O&& observer,
                    typename Parts::Priority priority)
        : Base(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer), std::move(priority)) {}

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
    using Open = typename Parts::OpenList;
    using Entry = typename Open::Entry;
    using Successor = typename Base::Successor;

    static constexpr bool can_batch =
        !is_watched && Parts::reopens && Table::finds_duplicates && PopsEqual<Open>;
    using Batches =
        std::conditional_t<can_batch, detail::Batches<Open, Successor, Parts::batch_width>, detail::Nothing>;

    /// One expansion, or the end.
    void advance() {
        while (status_ == SearchStatus::running) {
            if (open_.empty() && !interrupted_) {
                if (detail::has_dropped(open_)) {
                    this->finish(SearchStatus::beam_exhausted);
                } else if (!this->begin_to_reopen()) {
                    this->finish(this->exhausted());
                }
                return;
            }
            Entry entry = interrupted_ ? take_interrupted() : pop_entry();
            if (this->visit(entry)) {
                if (successors_.empty()) {
                    if (status_ != SearchStatus::running) [[unlikely]] {
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
                        return status_ == SearchStatus::running;
                    },
                    [this](auto& successors, const Priority& priority) {
                        return this->insert_prefetched(successors, nullptr, priority);
                    });
                return;
            }
        }
        advance();
    }

    /// Whether the next node may be expanded, or a limit has ended the search.
    bool may_expand(const Priority& priority) {
        return !monitor_.is_due(statistics_.expanded) || !this->is_stopped(statistics_.expanded, priority);
    }

    /// Whether the search runs, or was ended by a limit at an expansion, which it has not begun.
    [[nodiscard]] bool is_between_expansions() const noexcept {
        return status_ == SearchStatus::running || status_ == SearchStatus::expansion_limit ||
               status_ == SearchStatus::time_limit || status_ == SearchStatus::cancelled;
    }

    NPUZZLE_NO_UNIQUE_ADDRESS Batches batches_;
    std::optional<Entry> interrupted_; // taken from the open list when a limit ended the search
};

namespace detail {

/// The engine by a policy and a priority.
template <class P, class H, class O, class Policy, class PriorityType>
using best_first_engine_t =
    BestFirstEngine<P, H, O, PartsFor<P, std::remove_cvref_t<H>, Policy, PriorityType>>;

} // namespace detail

} // namespace npuzzle
