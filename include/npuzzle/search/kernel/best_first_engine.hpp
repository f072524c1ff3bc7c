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
/// The engine refers to the problem and, where it was given an lvalue, to the heuristic and the observer:
/// they must outlive it.
///
/// \tparam P a `Problem`, with `HasHash` unless the policy is `ParentOnly`
/// \tparam H a `HeuristicFor` it; a reference type to refer to an lvalue
/// \tparam O an `ObserverOf` its nodes; a reference type to refer to an lvalue
/// \tparam Parts the open list, node table and priority: see `PartsFor`
template <Problem P, class H, class O = SilentObserver, class Parts = DefaultParts<P, H>>
    requires HeuristicFor<H, P>
class BestFirstEngine : public BestFirstBase<BestFirstEngine<P, H, O, Parts>, P, H, O, Parts> {
    using Base = BestFirstBase<BestFirstEngine, P, H, O, Parts>;
    friend Base;
    friend EngineBase<BestFirstEngine, cost_t<P>, O>;

public:
    using typename Base::Cost, typename Base::Node, typename Base::Priority, typename Base::State;

    /// Sets up a search. Linear in the size of the state; throws what copying the heuristic or binding it
    /// throws.
    BestFirstEngine(const P& problem, const State& start, H&& heuristic, BasicLimits<Cost> limits = {},
                    O&& observer = O{}, typename Parts::Priority priority = {})
        : BestFirstEngine(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer),
                          std::move(priority)) {
        this->add_start(start);
    }

protected:
    using Base::is_watched, Base::monitor_, Base::observer_, Base::open_, Base::problem_, Base::statistics_,
        Base::status_, Base::successors_, Base::table_;
    using typename Base::Estimate, typename Base::Estimates, typename Base::Move, typename Base::Table,
        typename Base::TableNode;

    /// Sets up a search without a start.
    BestFirstEngine(const P& problem, H&& heuristic, const BasicLimits<Cost>& limits, O&& observer,
                    typename Parts::Priority priority)
        : Base(problem, std::forward<H>(heuristic), limits, std::forward<O>(observer), std::move(priority)) {}

    /// Runs until the search is over or holds so many bytes. All nodes that wait are on the open list then.
    void run_until(std::uint64_t bytes) {
        pause_bytes_ = bytes;
        this->guarded([&] {
            while (status_ == Status::running && this->budget_.used() < bytes) {
                advance_many();
            }
        });
    }

    typename Parts::OpenList& open_list() { return open_; }
    const typename Parts::OpenList& open_list() const noexcept { return open_; }

private:
    using Open = typename Parts::OpenList;
    using Entry = typename Open::Entry;

    static constexpr bool can_batch =
        !is_watched && Parts::reopens && Table::finds_duplicates && PopsEqual<Open>;
    using Batches =
        std::conditional_t<can_batch, detail::Batches<Open, typename Base::Successor, Parts::batch_width>,
                           detail::Nothing>;

    /// One expansion, or the end.
    void advance() {
        while (status_ == Status::running) {
            if (open_.empty()) {
                this->finish(detail::has_dropped(open_) ? Status::beam_exhausted : this->exhausted());
                return;
            }
            const Entry entry = detail::pop_entry(open_, [this](const Entry& dropped) {
                if (!this->may_reopen()) {
                    detail::forget_path(table_, dropped);
                }
            });
            if (this->visit(entry)) {
                if (successors_.empty()) {
                    this->note_open();
                } else {
                    this->insert(successors_, nullptr, entry.priority);
                }
                return;
            }
        }
    }

    /// Batches, in a large search.
    void advance_many() {
        if constexpr (can_batch) {
            if (Batches::pay_off(open_, table_)) {
                batches_.run(
                    open_, table_, successors_,
                    [this](const Entry& entry) {
                        this->visit(entry);
                        return status_ == Status::running;
                    },
                    [this](auto& successors, const Priority& priority) {
                        return this->insert(successors, nullptr, priority);
                    },
                    [this](const Priority& /*priority*/) { return this->budget_.used() < pause_bytes_; });
                return;
            }
        }
        advance();
    }

    /// Whether the next node may be expanded, or a limit has ended the search.
    bool may_expand(const Priority& priority) {
        return !monitor_.is_due(statistics_.expanded) || !this->is_stopped(statistics_.expanded, priority);
    }

    NPUZZLE_NO_UNIQUE_ADDRESS Batches batches_;
    std::uint64_t pause_bytes_ = Limits::unlimited;
};

} // namespace npuzzle
