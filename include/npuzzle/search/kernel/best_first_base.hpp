#pragma once

#include "npuzzle/search/kernel/table_engine.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

/// The base of best-first engines: the starts, the insertion of successors, the goal and the path to it.
/// \tparam Parts the open list, node table and priority, and what the policy says: see `PartsFor`
/// \tparam evaluates_all whether each neighbor is evaluated, and not only those that turn out to be new
template <class Engine, Problem P, class H, class O, class Parts, bool evaluates_all = false>
class BestFirstBase : public TableEngine<Engine, P, H, O, Parts> {
    using Base = TableEngine<Engine, P, H, O, Parts>;

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State;
    using Result = SearchResult<State, Cost, move_t<P>>;

    /// Adds one more state to start from. `result().path` begins at the one from which a goal is nearest.
    /// Has no effect once the search is over. Where closed nodes stay closed because the heuristic declares
    /// itself consistent, a start that is added after an expansion begins the search anew, from all starts:
    /// what was closed may be nearer to it.
    void add_start(const State& start) {
        if (status_ != SearchStatus::running) {
            return;
        }
        guarded([&] {
            if constexpr (keeps_starts) {
                starts_.push_back(start);
            }
            if constexpr (Parts::relies_on_consistency) {
                if (statistics_.expanded > 0 && !may_reopen()) {
                    begin_from_starts();
                    return;
                }
            }
            this->insert_start(start, Rules{{}, *this});
        });
    }

    /// Begins again from another state, with the same limits, and keeps the memory: for many searches, one
    /// after another. Before it, the goals, steps and costs of the problem that the engine refers to may
    /// change, and a heuristic without `bind` that was passed as an lvalue. A heuristic with `bind` stays
    /// bound to the problem as it was when the engine was made. What the memory was laid out by must not
    /// change: `size`, `index`, `pack` and the hash. `PathFinder` binds heuristics anew.
    void restart(const State& start) {
        self().begin_again();
        reopens_ = false;
        this->has_overflowed_ = false;
        if constexpr (keeps_starts) {
            starts_.clear();
        }
        statistics_ = {};
        this->monitor_.restart();
        this->add_start(start);
    }

    /// The same under new limits. `limits.bytes` is no less than the engine holds.
    /// \throws std::invalid_argument if `max_cost` is NaN
    void restart(const State& start, const BasicLimits<Cost>& limits) {
        max_cost_ = detail::checked_max_cost(limits.max_cost);
        this->begin_under(limits);
        restart(start);
    }

    /// The outcome: with the path if the search is solved, in time linear in its length. Without memory for
    /// the path, the status is `memory_limit`. If the search ended without a solution, `partial_path` leads to
    /// the nearest state: see `SearchResult`.
    [[nodiscard]] Result result() const {
        return outcome(Result{}, [&](Result& result) {
            if (status_ == SearchStatus::solved) {
                add_solution(result);
            } else if (detail::ends_without_goal(status_)) {
                if (const std::optional<TableNode> nearest = this->nearest()) {
                    this->add_path(*nearest, result.partial_path, result);
                }
            }
        });
    }

protected:
    using Base::guarded, Base::is_watched, Base::max_cost_, Base::observer_, Base::open_, Base::outcome,
        Base::priority_, Base::problem_, Base::statistics_, Base::status_, Base::table_;
    using typename Base::Table, typename Base::TableNode, typename Base::Move, typename Base::Estimates,
        typename Base::BoundHeuristic;

    using Base::Base;

    using ChildEvaluation = std::conditional_t<evaluates_all, Estimate, typename Estimates::ChildEvaluation>;

    /// Whether a neighbor can be inserted while its parent is still being expanded.
    static constexpr bool inserts_at_once = KeepsNodesInPlace<Table> && !Parts::early_goal_test;
    /// With fewer nodes than this, most of them are in the cache.
    static constexpr std::uint64_t stages_from = std::uint64_t{1} << 16;

    /// A neighbor that waits to be put into the node table.
    struct Successor {
        // Made in its place: a copy would wait for the stores of its parts.
        Successor(const Table& table, State&& state, const Cost& its_cost,
                  const ChildEvaluation& its_estimate, const typename Table::Link& its_link)
            : probe(table.probe(std::move(state))), cost(its_cost), estimate(its_estimate), link(its_link) {}

        typename Table::Probe probe;
        Cost cost;
        NPUZZLE_NO_UNIQUE_ADDRESS ChildEvaluation estimate;
        typename Table::Link link;
    };

    /// Forgets all nodes; statistics and limits go on. To be followed by `add_start`.
    void begin_again() {
        table_.clear();
        open_.clear();
        successors_.clear();
        goal_.reset();
        this->forget_nearest();
        status_ = SearchStatus::running;
        this->pruned_by_bound_ = false;
    }

    /// Whether closed nodes are opened again. With a bound on the cost they are in any case: it proves
    /// nothing else.
    [[nodiscard]] bool may_reopen() const { return Parts::reopens || max_cost_.has_value() || reopens_; }

    /// Begins again from all starts.
    void begin_from_starts() {
        self().begin_again();
        for (const State& each : starts_) {
            this->insert_start(each, Rules{{}, *this});
        }
    }

    /// To be called when nothing is left to expand. If nodes stayed closed and some path exceeded the cost
    /// type, a cheaper way to a closed node may lead to a goal: the search begins again and opens them.
    /// Returns whether it did.
    bool begin_to_reopen() {
        if constexpr (keeps_starts) {
            if (this->pruned_by_bound_ && !may_reopen()) {
                reopens_ = true;
                begin_from_starts();
                return true;
            }
        }
        return false;
    }

    /// A node that is being expanded, with what the heuristic needs to follow its moves.
    template <class Evaluation>
    struct Parent {
        const TableNode& node;
        const State& state;
        Cost cost;
        NPUZZLE_NO_UNIQUE_ADDRESS Evaluation evaluation;
    };

    auto parent_of(const TableNode& node, const Node& view) {
        auto evaluation = this->estimates().evaluation_of(view.state, view.estimate);
        return Parent<decltype(evaluation)>{node, view.state, view.cost, std::move(evaluation)};
    }

    /// Whether neighbors wait in `successors_` until all of them are generated, so that the cache misses of
    /// their insertion overlap. In a small search there are none, and each is inserted at once.
    [[nodiscard]] bool stages() const {
        if constexpr (inserts_at_once) {
            return table_.size() >= stages_from;
        } else {
            return true;
        }
    }

    /// What becomes of a neighbor: if the step is to be followed, the engine takes it in.
    template <class ParentType>
    struct Generating {
        BestFirstBase& engine;
        ParentType& parent;
        const Node& view; ///< of the parent
        bool stages;

        NPUZZLE_ALWAYS_INLINE void operator()(State&& child, const Cost& step, const Move& move) const {
            const Cost cost = detail::saturating_add<Cost>(parent.cost, step);
            if (!engine.may_follow(step, cost)) {
                return;
            }
            const ChildEvaluation child_evaluation =
                engine.estimates().evaluate_child(parent.evaluation, parent.state, move, child);
            if (engine.need_not_be_stored(cost, child_evaluation)) {
                ++engine.statistics_.generated;
                return;
            }
            engine.self().take_in(std::move(child), cost, child_evaluation, Table::link(parent.node, move),
                                  view, stages);
        }
    };

    /// Whether a neighbor is beyond the bound on the cost, which is known before it is looked up only if the
    /// heuristic follows moves. The first of them is looked up all the same: if it is known by a better path,
    /// the bound excludes no path to it, and a search that ends without a solution has to say which it was.
    [[nodiscard]] bool need_not_be_stored(const Cost& cost, const ChildEvaluation& child_evaluation) const {
        if constexpr (Estimates::is_incremental && !is_watched) {
            return this->pruned_by_bound_ &&
                   this->exceeds(AStarPriority<Cost, Estimate>{}(cost, child_evaluation));
        } else {
            return false;
        }
    }

    /// Inserts a neighbor, or leaves it in `successors_`.
    NPUZZLE_ALWAYS_INLINE void take_in(State&& child, const Cost& cost,
                                       const ChildEvaluation& child_evaluation,
                                       const typename Table::Link& link, const Node& parent, bool stages) {
        if constexpr (inserts_at_once) {
            if (!stages) [[likely]] {
                detail::arrive(table_, std::move(child), cost, link, statistics_,
                               Arriving<Priority>{{{}, *this}, child_evaluation, &parent, parent.priority});
                return;
            }
        }
        successors_.emplace_back(table_, std::move(child), cost, child_evaluation, link);
    }

    /// Takes up the node of an entry: see `expand`. False if the entry was superseded.
    template <class Entry>
    bool visit(const Entry& entry) {
        if (std::optional<TableNode> node = this->find_open(entry)) {
            expand(entry, *node);
            return true;
        }
        return false;
    }

    /// Expands the node of an entry, and leaves its neighbors in `successors_` if they wait, unless somebody
    /// watches; at a goal it calls `reach(node, view)`. The engine has `may_expand(priority)`, which is asked
    /// before, and may end the search.
    template <class Entry>
    void expand(const Entry& entry, TableNode& node) {
        decltype(auto) state = node.state();
        Node view{state, entry.cost, Estimate{}, entry.priority};
        const auto evaluate = [&] {
            view.estimate = this->estimate_of(node, view.state, entry.priority, entry.cost);
        };
        constexpr bool asks_estimate = is_watched || (Estimates::is_incremental && !Estimates::is_evaluating);
        if constexpr (asks_estimate) {
            evaluate();
            this->note_nearest(entry.key, view);
        } else if (this->may_be_nearest(entry.priority, entry.cost)) {
            if constexpr (Base::keeps_nearest && !Estimates::is_zero) {
                evaluate();
            }
            this->note_nearest(entry.key, view);
        }
        if (problem_->is_goal(view.state)) {
            evaluate();
            self().reach(node, view);
            return;
        }
        if (!self().may_expand(entry.priority)) {
            return;
        }
        if constexpr (requires { observer_.closing(node); }) {
            observer_.closing(node); // It may throw, and the node is not closed then.
        }
        node.close();
        ++statistics_.expanded;
        observer_.expand(view);
        const auto parent = this->parent_of(node, view);
        const Generating<decltype(parent)> generating{*this, parent, view, this->stages()};
        self().for_each_neighbor(node, view.state, generating);
        if constexpr (is_watched) {
            this->insert(successors_, &view, entry.priority);
        }
    }

    /// The neighbors of a node, without the way straight back.
    template <class F>
    NPUZZLE_ALWAYS_INLINE void for_each_neighbor(const TableNode& node, const State& state, F&& visit) {
        detail::for_each_neighbor(*problem_, table_, node, state, visit);
    }

    /// Puts successors into the node table and, if they are new or nearer than known, on the open list. False
    /// if the search is over.
    /// \param parent theirs, for the observer, where there is only one
    /// \param parent_priority that of their parents; `Nothing` if they are many
    template <class ParentPriority>
    bool insert(std::vector<Successor>& successors, const Node* parent,
                const ParentPriority& parent_priority) {
        prefetch_slots(successors, 0);
        return insert_prefetched(successors, parent, parent_priority);
    }

    /// Prefetches the slots of successors, from the one of this number on.
    void prefetch_slots(const std::vector<Successor>& successors, std::size_t first) const {
        for (; first < successors.size(); ++first) {
            table_.prefetch_slot(successors[first].probe);
        }
    }

    /// As `insert`, for successors whose slots have been prefetched.
    template <class ParentPriority>
    bool insert_prefetched(std::vector<Successor>& successors, const Node* parent,
                           const ParentPriority& parent_priority) {
        for (Successor& each : successors) {
            if (Parts::early_goal_test && status_ != SearchStatus::running) {
                break;
            }
            detail::arrive(table_, each.probe, each.cost, each.link, statistics_,
                           Arriving<ParentPriority>{{{}, *this}, each.estimate, parent, parent_priority});
        }
        successors.clear();
        this->note_open();
        return status_ == SearchStatus::running;
    }

    /// The end, at a goal.
    void reach(const TableNode& node, const Node& view) {
        this->tell_goal(view);
        goal_ = node;
        this->finish(SearchStatus::solved);
    }

    /// Appends the path to the goal that was reached, and puts its moves and its cost into a result. What is
    /// in `result.path` leads to where the search began.
    template <class Solution>
    void add_solution(Solution& result) const {
        // A node that was reached more cheaply after its expansion may still wait to hand that on.
        constexpr bool may_be_exact = !Parts::early_goal_test && !evaluates_all;
        this->add_path(*goal_, result.path, result, may_be_exact && statistics_.reopened == 0);
    }

    std::vector<Successor> successors_; // of what was expanded last

private:
    using Rules = typename Base::template Rules<BestFirstBase>;

    static constexpr bool keeps_starts =
        Parts::relies_on_consistency || !Parts::reopens || DropsEntries<typename Parts::OpenList>;

    Engine& self() { return static_cast<Engine&>(*this); }

    template <class ParentPriority>
    struct Arriving : Rules {
        using Rules::engine;
        const ChildEvaluation& child_evaluation;
        const Node* its_parent;
        const ParentPriority& parent_priority;

        [[nodiscard]] const Node& parent() const { return *its_parent; }
        [[nodiscard]] bool may_reopen() const { return engine.may_reopen(); }

        [[nodiscard]] Estimate estimate(const TableNode& node, bool is_new, const State& state) const {
            if constexpr (Table::stores_estimate) {
                if (!is_new) {
                    return node.estimate();
                }
            }
            if constexpr (evaluates_all) {
                return child_evaluation;
            } else {
                return engine.estimates().estimate_of_child(child_evaluation, state);
            }
        }

        void relaxing(const TableNode& /*node*/, const Node& view) const {
            if constexpr (std::same_as<ParentPriority, Priority>) {
                constexpr bool is_promised =
                    declares_consistent<BoundHeuristic> &&
                    std::same_as<typename Parts::Priority, AStarPriority<Cost, Estimate>>;
                detail::check_consistency<is_promised>(parent_priority, view.priority, engine.statistics_);
            }
        }

        void open(const TableNode& node, const Node& view, detail::Arrival /*arrival*/) const {
            if constexpr (Parts::early_goal_test) {
                if (engine.problem_->is_goal(view.state)) {
                    engine.self().reach(node, view);
                    return;
                }
            }
            engine.push(view.priority, view.cost, node);
        }
    };

    std::optional<TableNode> goal_;
    NPUZZLE_NO_UNIQUE_ADDRESS
    std::conditional_t<keeps_starts, std::vector<State>, detail::Nothing> starts_;
    bool reopens_ = false; // see `begin_to_reopen`
};

} // namespace npuzzle
