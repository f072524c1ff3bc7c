#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/traveler.hpp"

#include <concepts>
#include <cstdint>
#include <utility>

namespace npuzzle::detail {

/// How the nodes that were found on one thread come to the workers that own them.
template <class Worker>
struct NodeTransfer {
    using State = typename Worker::State;
    using Table = typename Worker::Table;

    /// How many blocks may be on their way while nodes are given away, for each owner.
    static constexpr std::uint64_t max_under_way = 16;

    /// Makes a node without a path, and tells its number.
    static typename Worker::Key reserve(Worker& worker, const State& state) {
        return worker.table_.insert(State(state)).first.key();
    }

    /// Takes over a node of the same search on one thread.
    /// \param link for all tables
    template <class OtherNode>
    static void adopt(Worker& worker, const OtherNode& other, const State& state,
                      const typename Worker::Link& link) {
        auto [node, is_new] = worker.table_.insert(State(state));
        const typename Worker::Cost cost = other.cost();
        typename Worker::Estimate estimate{};
        if constexpr (Table::stores_estimate) {
            estimate = other.estimate();
        } else if (!other.is_closed()) {
            estimate = worker.estimator()(state);
        }
        node.relax(cost, estimate, link);
        if (other.is_closed()) {
            node.close();
        } else if (!worker.prune_if_over(cost, estimate)) {
            worker.open_.push({worker.priority_(cost, estimate), cost, node.key()});
            worker.note_open();
        }
    }

    /// Takes note of the state that was nearest to a goal.
    static void adopt_nearest(Worker& worker, const State& state) {
        const auto node = *worker.table_.find(worker.table_.lookup_hint(state), state);
        worker.nearest_.note(node.key(), worker.view_of(state, node.cost(), worker.estimator()(state)));
    }

    /// Sends the nodes of other owners to them, those that were expanded as well. They stay in the table,
    /// where paths may lead over them, but are closed: so their entries on the open list are superseded.
    ///
    /// It waits while many blocks are on their way, and ends early if the search does.
    static void give_away(Worker& worker) {
        const std::uint64_t most = max_under_way * worker.owners_.count();
        const auto goes_on = [&] {
            return worker.status_ == SearchStatus::running && !worker.shared_->is_over();
        };
        bool has_ended = false;
        std::uint64_t left = 0; // nodes until it looks around
        worker.table_.for_each_node([&](typename Table::Node node) {
            if (has_ended) {
                return;
            }
            if (left == 0) {
                worker.look_at_limits_in_time();
                while (goes_on() && worker.mail_.outstanding() > most) {
                    worker.wait_a_turn();
                }
                if (!goes_on()) {
                    has_ended = true;
                    return;
                }
                left = worker.turn_length_;
            }
            --left;
            State state(node.state());
            const std::size_t owner = worker.owners_(state);
            if (owner == worker.number_) {
                return;
            }
            const bool is_closed = node.is_closed();
            typename Worker::ChildEvaluation child_evaluation{};
            if constexpr (std::same_as<typename Worker::ChildEvaluation, typename Worker::Estimate>) {
                if constexpr (Table::stores_estimate) {
                    child_evaluation = node.estimate();
                } else if (!is_closed) {
                    child_evaluation = worker.estimator()(state);
                }
            }
            worker.statistics_.generated -= is_closed ? 0 : 1; // Its owner counts it when it arrives.
            worker.mail_.send(owner, worker.post(), pack_for_travel<true>(*worker.problem_, std::move(state)),
                              node.cost(), child_evaluation, node.link(), is_closed);
            node.close();
            ++worker.given_away_;
        });
        if (!has_ended) {
            worker.post_all();
        }
    }

    /// Takes over a node that was expanded before it came here. It does not have to be expanded again, unless
    /// a path here is better.
    ///
    /// Of equal paths it keeps the one that it brings. Where steps cost nothing, the other may have come over
    /// a node whose own path leads over this one.
    static void take_over(Worker& worker, typename Worker::Message&& message) {
        typename Worker::State state = unpack_traveler<true>(*worker.problem_, std::move(message.state));
        typename Worker::Estimate estimate{};
        if constexpr (Table::stores_estimate) {
            estimate = worker.estimator().estimate_of_child(message.child_evaluation, state);
        }
        auto [node, is_new] = worker.table_.insert(std::move(state));
        const bool is_better = !is_new && node.cost() < message.cost;
        worker.statistics_.reopened += is_better || (!is_new && node.is_closed()) ? 1 : 0;
        if (!is_better) {
            node.relax(message.cost, estimate, message.link);
            node.close();
        }
    }
};

} // namespace npuzzle::detail
