#pragma once

#include "npuzzle/search/kernel/astar_then.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/node_table/dense_line.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// Two forms of one problem: the same states, steps and goals, but other packed words.
template <class D, class P>
concept FormOf =
    MoveProblem<P> && MoveProblem<D> && std::same_as<state_t<P>, state_t<D>> &&
    std::same_as<cost_t<P>, cost_t<D>> && std::same_as<move_t<P>, move_t<D>> && P::no_move == D::no_move;

/// Options of `dense_astar`.
struct DenseAStarOptions {
    /// The bytes that A* may hold before it goes on by dense nodes. 0: a quarter of `Limits::bytes`, if that
    /// is given.
    std::uint64_t first_bytes = 0;
    /// The nodes that it may store before it goes on by dense nodes. By default, as many as others of eight
    /// bytes fill 32 MiB: with fewer, a table of dense ones may take more memory.
    std::uint64_t first_nodes = 3'350'000;
};

namespace detail {

/// A* that gives its nodes to A* for another form of the problem, or goes on.
template <MoveProblem P, class B, class O>
class GivingAStar : public LeavingAStar<P, B&, O> {
    using Base = LeavingAStar<P, B&, O>;

public:
    using Base::Base;

    /// Takes the first entries off the open list.
    void take_first() {
        for (; taken_ < first_.size() && !this->open_.empty(); ++taken_) {
            first_[taken_] = this->open_.pop();
        }
    }

    /// Calls `visit(node)` for the nodes of these entries.
    template <class F>
    void for_each_first(F&& visit) {
        for (std::size_t i = 0; i < taken_; ++i) {
            if (const auto node = this->find_open(first_[i])) {
                visit(*node);
            }
        }
    }

    /// Puts these entries back. If it throws, some are lost, and the search must end.
    void put_back() {
        for (; taken_ > 0; --taken_) {
            this->open_.push(first_[taken_ - 1]);
        }
    }

    /// Counts what another engine has held beside this one.
    void note_beside(std::uint64_t bytes) {
        this->statistics_.bytes = std::max(this->statistics_.bytes, this->budget_.used() + bytes);
    }

private:
    std::array<typename DefaultParts<P, B>::OpenList::Entry, 128> first_{};
    std::size_t taken_ = 0;
};

/// A* for the dense form.
template <MoveProblem D, class B, class O>
class DenseForm : public BestFirstEngine<D, B&, O&, PartsFor<D, B, DensePolicy>> {
    using Base = BestFirstEngine<D, B&, O&, PartsFor<D, B, DensePolicy>>;
    using typename Base::Table, typename Base::TableNode;

public:
    using Base::run_until;
    using typename Base::Cost, typename Base::Estimate, typename Base::State;

    DenseForm(const D& problem, B& heuristic, const BasicLimits<Cost>& limits, O& observer)
        : Base(problem, heuristic, limits, observer, {}) {}

    [[nodiscard]] MemoryBudget& budget() noexcept { return this->budget_; }

    /// Has the nodes of another form, those that are open on its open list, and goes on with its statistics
    /// and its time. Linear in their number; evaluates those that are open.
    /// \return the limit that ended that, or `Status::running`
    /// \throws std::bad_alloc if there is no memory for both forms at once
    template <class First>
    Status take_over(First& first) {
        this->pruned_by_bound_ = first.has_pruned();
        first.take_first();
        // An open list keeps its first entries apart from the others, one by one: let them be those that are
        // soon taken.
        first.for_each_first([this](const auto& node) { insert(arriving(node)); });
        const Status ended = copy_nodes(first.table(), first.monitor());
        if (const auto nearest = first.nearest()) {
            const State state = nearest->state();
            if (const auto node = this->table_.find(this->table_.lookup_hint(state), state)) {
                this->note_nearest(node->key(),
                                   this->view_of(state, nearest->cost(), this->estimates()(state)));
            }
        }
        this->statistics_ = first.statistics();
        this->statistics_.bytes =
            std::max(this->statistics_.bytes, first.budget().used() + this->budget_.peak());
        this->statistics_.seconds = 0; // The monitor goes on.
        this->monitor_ = first.monitor();
        this->note_open();
        return ended;
    }

private:
    /// A node on its way in.
    struct Arriving {
        State state;
        typename Table::Probe probe;
        Cost cost;
        typename Table::Link link;
        bool is_closed;
    };

    /// \param monitor a copy, since it learns how long an expansion takes
    template <class OtherTable>
    Status copy_nodes(const OtherTable& table, LimitMonitor monitor) {
        constexpr std::size_t at_once = 64; // Their cache misses overlap.
        Status status = Status::running;
        std::vector<Arriving> waiting;
        waiting.reserve(at_once);
        const auto insert_all = [&] {
            for (const Arriving& each : waiting) {
                this->table_.prefetch_slot(each.probe);
            }
            for (Arriving& each : waiting) {
                insert(std::move(each));
            }
            waiting.clear();
            status = monitor.check(0);
        };
        table.for_each_node([&](const auto& node) {
            if (status != Status::running) {
                return;
            }
            waiting.push_back(arriving(node));
            if (waiting.size() == at_once) {
                insert_all();
            }
        });
        if (status == Status::running) {
            insert_all();
        }
        return status;
    }

    template <class OtherNode>
    Arriving arriving(const OtherNode& node) {
        State state = node.state();
        auto probe = this->table_.probe(state);
        return {std::move(state), std::move(probe), node.cost(), node.last_move(), node.is_closed()};
    }

    void insert(Arriving&& arriving) {
        if (!Table::can_hold(arriving.cost)) {
            this->pruned_by_bound_ = true;
            return;
        }
        auto [node, is_new] = this->table_.insert(std::move(arriving.probe));
        if (!is_new) {
            return;
        }
        if (arriving.is_closed) {
            node.relax(arriving.cost, Estimate{}, arriving.link);
            node.close();
            return;
        }
        const auto view = this->view_of(arriving.state, arriving.cost, this->estimates()(arriving.state));
        node.relax(arriving.cost, view.estimate, arriving.link);
        if (!this->exceeds(view.priority)) {
            this->push(view.priority, view.cost, node);
        }
    }
};

} // namespace detail

/// What `dense_astar` needs of a problem, of its dense form and of a heuristic for both: packed words, and
/// integers as costs and as estimates.
template <class P, class D, class H>
concept DenseSearch = FormOf<D, P> && CompactProblem<D> && HeuristicFor<H, P> && HeuristicFor<H, D> &&
                      std::integral<cost_t<P>> && std::integral<estimate_t<H, P>>;

/// `dense_astar` as an object: each `step` is one expansion, or the end of the search.
/// \tparam P the problem, whose nodes small searches store
/// \tparam D another form of it, whose nodes large searches store by `DensePolicy`
/// \tparam O an `ObserverOf` its nodes
template <MoveProblem P, FormOf<P> D, class H, class O = SilentObserver>
    requires DenseSearch<P, D, H>
class DenseAStar : public detail::AStarThen<DenseAStar<P, D, H, O>, cost_t<P>, O> {
    using Base = detail::AStarThen<DenseAStar, cost_t<P>, O>;
    friend Base;
    friend EngineBase<DenseAStar, cost_t<P>, O>;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Options = DenseAStarOptions;
    using Result = search_result_t<P>;

    /// No temporary problems: the engine refers to both.
    template <class... Rest>
    DenseAStar(const P&&, const D&, Rest&&...) = delete;
    template <class... Rest>
    DenseAStar(const P&, const D&&, Rest&&...) = delete;

    DenseAStar(const P& problem, const D& dense, const State& start, H&& heuristic, Options options = {},
               BasicLimits<Cost> limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer), options.first_bytes, options.first_nodes),
          dense_problem_(&dense), limits_(limits),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)),
          first_(std::in_place, problem, start, heuristic_, limits, observer_), astar_(*first_) {
        monitor_.restart(); // To bind a heuristic may take long.
        guarded([&] { this->follow_astar(); });
    }

    /// Whether the search goes on by dense nodes.
    [[nodiscard]] bool is_dense() const noexcept { return !first_; }

    /// The outcome. Linear in the length of the path.
    [[nodiscard]] Result result() const {
        return outcome(Result{}, [&](Result& result) {
            if (first_ && first_->status() == Status::running && detail::is_limit(status_)) {
                first_->add_partial_path(result); // It ended on the way to the dense form.
                return;
            }
            Result reached = first_ ? first_->result() : dense_->result();
            if (reached.status == Status::memory_limit) {
                result.status = reached.status; // There is no memory for the path.
            }
            result.path = std::move(reached.path);
            result.moves = std::move(reached.moves);
            result.cost = std::move(reached.cost);
            result.partial_path = std::move(reached.partial_path);
        });
    }

private:
    using Base::guarded, Base::monitor_, Base::observer_, Base::outcome, Base::status_;
    using B = std::remove_reference_t<typename detail::bound_heuristic<H, P>::type>;
    using Observer = std::remove_reference_t<O>;
    using First = detail::GivingAStar<P, B, Observer>;
    using Dense = detail::DenseForm<D, B, Observer>;

    /// Becomes dense. Without memory for that, it goes on as it is.
    void leave_astar() {
        Status ended = Status::running;
        try {
            BasicLimits<Cost> limits = limits_;
            limits.bytes -= std::min(limits.bytes, astar_.budget().used());
            dense_.emplace(*dense_problem_, heuristic_, limits, observer_);
            ended = dense_->take_over(astar_);
        } catch (const std::bad_alloc&) {
            astar_.note_beside(dense_ ? dense_->budget().peak() : 0);
            dense_.reset();
            astar_.put_back();
            return;
        }
        if (ended != Status::running) {
            this->finish(ended);
            return;
        }
        first_.reset();
        dense_->budget().set_limit(limits_.bytes);
    }

    void advance_below(unsigned most) {
        if (first_) {
            go_on(*first_, most);
        } else {
            go_on(*dense_, most);
        }
    }

    template <class Engine>
    void go_on(Engine& engine, unsigned most) {
        if (most == 1) {
            engine.step();
        } else {
            engine.run_until(Limits::unlimited);
        }
        if (engine.status() != Status::running) {
            this->end(engine.status()); // The observer has been told.
        }
    }

    void complete(Statistics& statistics) const {
        const double seconds = statistics.seconds;
        statistics = first_ ? first_->statistics() : dense_->statistics();
        statistics.seconds = seconds;
    }

    const D* dense_problem_;
    BasicLimits<Cost> limits_;
    typename detail::bound_heuristic<H, P>::type heuristic_;
    std::optional<First> first_; ///< until it is dense
    First& astar_;
    std::optional<Dense> dense_;
};

template <class P, class D, class H, class O = SilentObserver>
DenseAStar(const P&, const D&, const state_t<P>&, H&&, DenseAStarOptions = {}, limits_t<P> = {}, O&& = O{})
    -> DenseAStar<P, D, H, O>;

/// Finds a cheapest path by A* whose nodes become dense when there are many. It begins as `astar(problem,
/// ...)`, and goes on as `astar<DensePolicy>(dense, ...)` with all nodes found so far. So small searches are
/// as fast as `astar`, and large ones save memory.
///
/// \code
/// dense_astar(SlidingPuzzle<4>{}, RankedPuzzle{}, start, Manhattan{})
/// \endcode
///
/// If there is no memory for both tables at once, the search goes on with the first one. Among nodes of equal
/// f and g, the order differs from that of `astar`, and so does the number of expansions.
///
/// To become dense takes time linear in the number of nodes, and evaluates those that are open again.
///
/// \param problem, dense two forms of one problem: each packs all states that can be reached. Both must
///         outlive the call
/// \param limits as for `astar`
/// \return as from `astar`, and `Status::cost_overflow` if only paths longer than `D::longest_path` are left
/// \throws whatever the problem, the heuristic or the observer throws
template <MoveProblem P, FormOf<P> D, class H, class O = detail::silent_observer_t<P, H>>
    requires DenseSearch<P, D, H>
search_result_t<P> dense_astar(const P& problem, const D& dense, const detail::named_state_t<P>& start,
                               H&& heuristic, DenseAStarOptions options = {}, limits_t<P> limits = {},
                               O&& observer = O{}) {
    return detail::run_engine<DenseAStar<P, D, H, O>>(problem, dense, start, std::forward<H>(heuristic),
                                                      options, limits, std::forward<O>(observer));
}

} // namespace npuzzle
