#pragma once

#include "npuzzle/search/engine/best_first.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// A* for a cheapest path, and then, as often as asked, for a cheapest one that begins as a given path does,
/// but leaves it at a given state: its spur (Yen 1971). Limits hold for all of them together.
///
/// The states before that place are put into the node table as closed nodes of cost zero. No path to them is
/// cheaper, so the engine never takes them up, without a question asked at each neighbor.
template <Problem P, class H, class O>
class SpurSearch : public BestFirst<P, H, O> {
    using Base = BestFirst<P, H, O>;

public:
    using typename Base::Cost, typename Base::Node, typename Base::State;

    using Base::Base;

    /// \param path states without repetition
    /// \param place that of the state from which the spur begins
    /// \param cost of the path as far as there
    /// \param is_taken whether a neighbor of that state is not to be the next one
    template <class IsTaken>
    SearchStatus run_from(const std::vector<State>& path, std::size_t place, const Cost& cost,
                          IsTaken&& is_taken) {
        max_stored_ = std::max<std::uint64_t>(max_stored_, this->table_.size());
        this->begin_again();
        this->guarded([&] {
            for (std::size_t i = 0; i < place; ++i) {
                this->table_.insert(State(path[i]));
            }
            expand_spur(path[place], cost, is_taken);
        });
        return this->run();
    }

    [[nodiscard]] Statistics statistics() const {
        Statistics statistics = Base::statistics();
        statistics.stored = (std::max)(statistics.stored, max_stored_);
        return statistics;
    }

protected:
    using typename Base::Move, typename Base::Table;

    static_assert(!PrunesMoves<P>,
                  "pruned moves leave out paths; take the problem with all moves (the map of "
                  "JumpPoints)");
    static_assert(Table::finds_duplicates, "a path without repetition needs a table that finds states");

private:
    using typename Base::TableNode;

    template <class IsTaken>
    void expand_spur(const State& state, const Cost& cost, IsTaken&& is_taken) {
        TableNode node = this->table_.insert(State(state)).first;
        const auto estimate = this->estimator()(state);
        node.relax(cost, estimate, Table::root(node));
        node.close();
        const Node view = this->view_of(state, cost, estimate);
        this->observer_.start(view);
        if (this->monitor_.is_due(this->statistics_.expanded) && this->is_stopped(view.priority)) {
            return;
        }
        ++this->statistics_.expanded;
        this->observer_.expand(view);
        const auto generate = this->generating_from(node, view, true);
        for_each_neighbor(*this->problem_, this->table_, node, state,
                          [&](State&& child, const Cost& step, const Move& move) {
                              if (!is_taken(std::as_const(child))) {
                                  generate(std::move(child), step, move);
                              }
                          });
        this->relax_all(this->children_, &view.priority, &view);
    }

    std::uint64_t max_stored_ = 0;
};

} // namespace npuzzle::detail
