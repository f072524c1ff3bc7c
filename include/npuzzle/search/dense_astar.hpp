#pragma once

#include "npuzzle/search/kernel/best_first_engine.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/node_table/dense_line.hpp"

#include <algorithm>
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
    /// The bytes that A* may hold before it goes on by dense nodes. 0: a quarter of `Limits::bytes`, if that is given.
    std::uint64_t first_bytes = 0;
    /// The nodes that it may store before it goes on by dense nodes. By default, as many as others of eight
    /// bytes fill 32 MiB: with fewer, a table of dense ones may take more memory.
    std::uint64_t first_nodes = 3'350'000;
};

namespace detail {

/// A* for one form of a problem, which can take over from A* for another.
template <MoveProblem P, class B, class O, class Policy>
class AStarInForm : public BestFirstEngine<P, B&, O&, PartsFor<P, B, Policy>> {
    using Base = BestFirstEngine<P, B&, O&, PartsFor<P, B, Policy>>;
    using typename Base::Table, typename Base::TableNode;
    template <MoveProblem, class, class, class>
    friend class AStarInForm;

public:
    using Base::Base, Base::run_until;
    using typename Base::Cost, typename Base::Estimate, typename Base::State;

    /// Has the nodes of another, those that are open on its open list, and goes on with its statistics and its time.
    /// Throws `std::bad_alloc` if there is no memory for both at once. Linear in their number.
    template <class Other>
    AStarInForm(const P& problem, B& heuristic, BasicLimits<Cost> limits, O& observer, Other& other)
        : Base(problem, heuristic, beside(limits, other), observer, {}) {
        this->pruned_by_bound_ = other.pruned_by_bound_;
        // The first entries of an open list may be kept apart from the others, one by one: let them be those that are
        // soon taken.
        other.for_each_first([this](const auto& node) { insert(arriving(node)); });
        copy_nodes(other.table_);
        if (const auto nearest = other.nearest()) {
            const State state = nearest->state();
            if (const auto node = this->table_.find(this->table_.lookup_hint(state), state)) {
                this->note_nearest(node->key(),
                                   this->view_of(state, nearest->cost(), this->estimates()(state)));
            }
        }
        this->statistics_ = other.statistics();
        this->statistics_.bytes =
            std::max(this->statistics_.bytes, other.budget_.used() + this->budget_.peak());
        this->statistics_.seconds = 0; // The monitor goes on.
        this->monitor_ = other.monitor_;
        this->note_open();
    }

    [[nodiscard]] std::uint64_t bytes() const noexcept { return this->budget_.used(); }
    [[nodiscard]] std::uint64_t nodes() const noexcept { return this->table_.size(); }

    void set_most_bytes(std::uint64_t bytes) noexcept { this->budget_.set_limit(bytes); }

private:
    template <class Other>
    static BasicLimits<Cost> beside(BasicLimits<Cost> limits, const Other& other) {
        limits.bytes -= std::min(limits.bytes, other.budget_.used());
        return limits;
    }

    /// A node on its way in.
    struct Arriving {
        State state;
        typename Table::Probe probe;
        Cost cost;
        typename Table::Link link;
        bool is_closed;
    };

    template <class OtherTable>
    void copy_nodes(const OtherTable& table) {
        constexpr std::size_t at_once = 64; // Their cache misses overlap.
        std::vector<Arriving> waiting;
        waiting.reserve(at_once);
        const auto insert_all = [&] {
            for (Arriving& each : waiting) {
                insert(std::move(each));
            }
            waiting.clear();
        };
        table.for_each_node([&](const auto& node) {
            waiting.push_back(arriving(node));
            if (waiting.size() == at_once) {
                insert_all();
            }
        });
        insert_all();
    }

    template <class OtherNode>
    Arriving arriving(const OtherNode& node) {
        State state = node.state();
        auto probe = this->table_.probe(state);
        return {std::move(state), std::move(probe), node.cost(), node.last_move(), node.is_closed()};
    }

    /// Calls `visit(node)` for the first 64 nodes of the open list, which stays as it is.
    template <class F>
    void for_each_first(F&& visit) {
        std::vector<typename PartsFor<P, B, Policy>::OpenList::Entry> entries;
        for (int left = 64; left > 0 && !this->open_.empty();) {
            if (entries.size() == entries.capacity()) {
                entries.reserve(2 * entries.size() + 64); // before one is taken, which would be lost
            }
            entries.push_back(this->open_.pop());
            left -= this->find_open(entries.back()) ? 1 : 0;
        }
        std::for_each(entries.rbegin(), entries.rend(),
                      [this](const auto& entry) { this->open_.push(entry); });
        for (const auto& entry : entries) {
            if (const std::optional<TableNode> node = this->find_open(entry)) {
                visit(*node);
            }
        }
    }

    void insert(Arriving&& arriving) {
        if (!Table::can_hold(arriving.cost)) {
            this->pruned_by_bound_ = true;
            return;
        }
        TableNode node = this->table_.insert(std::move(arriving.probe)).first;
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

/// `dense_astar` as an object: each `step` is one expansion, or the end of the search.
/// \tparam P the problem, whose nodes small searches store
/// \tparam D another form of it, whose nodes large searches store by `DensePolicy`
/// \tparam O an `ObserverOf` its nodes
template <MoveProblem P, FormOf<P> D, class H, class O = SilentObserver>
    requires HeuristicFor<H, P> && HeuristicFor<H, D> && CompactProblem<D>
class DenseAStar : public EngineBase<DenseAStar<P, D, H, O>, cost_t<P>, O> {
    using Base = EngineBase<DenseAStar, cost_t<P>, O>;
    friend Base;

public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Options = DenseAStarOptions;
    using Result = search_result_t<P>;

    DenseAStar(const P& problem, const D& dense, const State& start, H&& heuristic, Options options = {},
               BasicLimits<Cost> limits = {}, O&& observer = O{})
        : Base(limits, std::forward<O>(observer)), dense_problem_(&dense), limits_(limits),
          first_bytes_(options.first_bytes > 0             ? options.first_bytes
                       : limits.bytes == Limits::unlimited ? Limits::unlimited
                                                           : limits.bytes / 4),
          first_nodes_(options.first_nodes),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)) {
        this->guarded([&] {
            first_.emplace(problem, start, heuristic_, limits, observer_);
            follow(*first_);
        });
    }

    /// Whether the search goes on by dense nodes.
    [[nodiscard]] bool is_dense() const noexcept { return dense_.has_value(); }

    /// The outcome. Linear in the length of the path.
    [[nodiscard]] Result result() const {
        Result result;
        if (first_) {
            result = first_->result();
        } else if (dense_) {
            result = dense_->result();
        }
        if (status_ == Status::failed || !(first_ || dense_)) {
            result = Result{};
            result.status = status_;
        }
        return result;
    }

private:
    using Base::observer_, Base::status_;
    using B = std::remove_reference_t<typename detail::bound_heuristic<H, P>::type>;
    using Observer = std::remove_reference_t<O>;
    using First = detail::AStarInForm<P, B, Observer, DefaultPolicy>;
    using Dense = detail::AStarInForm<D, B, Observer, DensePolicy>;

    void advance() {
        advance([](auto& engine) { engine.step(); });
    }
    void advance_many() {
        advance([this](auto& engine) {
            if constexpr (std::same_as<decltype(engine), First&>) {
                engine.run_until(first_bytes_, first_nodes_);
            } else {
                engine.run();
            }
        });
    }

    template <class F>
    void advance(F&& go_on) {
        if (dense_) {
            go_on(*dense_);
            follow(*dense_);
            return;
        }
        go_on(*first_);
        follow(*first_);
        if (status_ == Status::running &&
            (first_->bytes() >= first_bytes_ || first_->nodes() >= first_nodes_)) {
            become_dense();
        }
    }

    /// Ends with an engine, which has told the observer.
    template <class Engine>
    void follow(const Engine& engine) {
        if (engine.status() != Status::running) {
            this->end(engine.status());
        }
    }

    void become_dense() {
        try {
            dense_.emplace(*dense_problem_, heuristic_, limits_, observer_, *first_);
        } catch (const std::bad_alloc&) {
            first_bytes_ = first_nodes_ = Limits::unlimited; // It goes on as it is.
            return;
        }
        first_.reset();
        dense_->set_most_bytes(limits_.bytes);
    }

    void complete(Statistics& statistics) const {
        if (first_) {
            statistics = first_->statistics();
        } else if (dense_) {
            statistics = dense_->statistics();
        }
    }

    const D* dense_problem_;
    BasicLimits<Cost> limits_;
    std::uint64_t first_bytes_;
    std::uint64_t first_nodes_;
    typename detail::bound_heuristic<H, P>::type heuristic_;
    std::optional<First> first_;
    std::optional<Dense> dense_;
};

template <class P, class D, class H, class O = SilentObserver>
DenseAStar(const P&, const D&, const state_t<P>&, H&&, DenseAStarOptions = {}, limits_t<P> = {}, O&& = O{})
    -> DenseAStar<P, D, H, O>;

/// Finds a cheapest path by A* whose nodes become dense when they are many: `astar(problem, ...)` while they are few,
/// `astar<DensePolicy>(dense, ...)` from then on, with all that it has found. So a small search pays nothing for what a large
/// one saves.
///
/// \code
/// dense_astar(SlidingPuzzle<4>{}, RankedPuzzle{}, start, Manhattan{})
/// \endcode
///
/// Where there is no memory for both tables at once, the search goes on with the first. Among nodes of equal f and g, the
/// order is another than that of `astar`, and so is the number of expansions.
///
/// \param problem, dense two forms of one problem. Both must outlive the call
/// \param limits as for `astar`
/// \return as from `astar`
template <MoveProblem P, FormOf<P> D, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && HeuristicFor<H, D> && CompactProblem<D>
search_result_t<P> dense_astar(const P& problem, const D& dense, const detail::named_state_t<P>& start,
                               H&& heuristic, DenseAStarOptions options = {}, limits_t<P> limits = {},
                               O&& observer = O{}) {
    return detail::run_engine<DenseAStar<P, D, H, O>>(problem, dense, start, std::forward<H>(heuristic),
                                                      options, limits, std::forward<O>(observer));
}

} // namespace npuzzle
