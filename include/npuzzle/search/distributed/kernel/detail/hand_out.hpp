#pragma once

#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/kernel/expansion.hpp"
#include "npuzzle/search/kernel/traveler.hpp"
#include "npuzzle/search/parallel/kernel/owners.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Hands the nodes of a search that has begun on one process to their owners in all processes.
template <Problem P, class Worker>
class HandOut {
    using Table = typename Worker::Table;
    using Traveling = typename Worker::Traveling;
    using Key = typename Table::Key;
    using Workers = std::vector<std::unique_ptr<Worker>>;

public:
    HandOut(const Communicator& ranks, const P& problem) : ranks_(ranks), problem_(problem) {}

    /// Copies the nodes of the beginning. Not collective: on the first process.
    template <class Beginning>
    void take(Beginning& beginning, const Owners<P, Table>& owners) {
        count_ = beginning.nodes();
        dealt_.resize(static_cast<std::size_t>(ranks_.size()));
        for (auto& nodes : dealt_) {
            nodes.reserve(static_cast<std::size_t>(count_ / dealt_.size() + count_ / 64));
        }
        std::optional<state_t<P>> nearest;
        if (const auto node = beginning.nearest()) {
            nearest.emplace(node->state());
        }
        beginning.table().for_each_node([&](const auto& node) {
            decltype(auto) state = node.state();
            HandedNode handed{pack_for_travel<true>(problem_, state_t<P>(state)),
                              node.cost(),
                              {},
                              node.link(),
                              {},
                              node.is_closed(),
                              nearest && is_equal<state_t<P>>(*nearest, state)};
            if constexpr (Table::stores_estimate) {
                handed.stored_estimate = node.estimate();
            }
            if constexpr (!FindsStateBefore<Table>) {
                handed.number = node.key();
            }
            dealt_[owners(state) * dealt_.size() / owners.count()].push_back(std::move(handed));
        });
    }

    /// Gives them to the workers of all processes, which have not begun. Collective. False if there is no memory for that
    /// on one of the processes.
    /// \param first the number of the first worker of this process
    bool give(const Owners<P, Table>& owners, const Workers& workers, std::size_t first) {
        try {
            const std::vector<HandedNode> nodes = ranks_.scatter(std::move(dealt_), 0);
            const auto for_each = [&](auto&& visit) {
                for (const HandedNode& node : nodes) {
                    const state_t<P> state = unpack_traveler<true>(problem_, Traveling(node.traveling));
                    const std::size_t owner = owners(state);
                    visit(node, state, owner, *workers[owner - first]);
                }
            };
            std::vector<std::uint64_t> names; // of all nodes, by their numbers
            if constexpr (!FindsStateBefore<Table>) {
                const std::uint64_t count = ranks_.broadcast(count_, 0);
                const bool has_memory = ranks_.attempt([&] {
                    names.resize(static_cast<std::size_t>(count));
                    for_each(
                        [&](const HandedNode& node, const auto& state, std::size_t owner, Worker& worker) {
                            names[node.number] = owners.name(worker.reserve(state), owner);
                        });
                });
                if (!has_memory) {
                    return false;
                }
                MPI_Allreduce(MPI_IN_PLACE, names.data(), static_cast<int>(names.size()), MPI_UINT64_T,
                              MPI_MAX, ranks_.get());
            }
            return ranks_.attempt([&] {
                for_each([&](const HandedNode& node, const auto& state, std::size_t, Worker& worker) {
                    typename Table::Link link = node.link;
                    if constexpr (!FindsStateBefore<Table>) {
                        if (link.parent != Table::none) {
                            link.parent = static_cast<Key>(names[link.parent]);
                        }
                    }
                    worker.adopt(node, state, link);
                    if (node.was_nearest) {
                        worker.adopt_nearest(state);
                    }
                });
            });
        } catch (const std::bad_alloc&) {
            return false; // `scatter` throws it on all.
        }
    }

private:
    struct HandedNode {
        Traveling traveling;
        typename Worker::Cost path_cost;
        NPUZZLE_NO_UNIQUE_ADDRESS
        std::conditional_t<Table::stores_estimate, typename Worker::Estimate, Nothing> stored_estimate;
        NPUZZLE_NO_UNIQUE_ADDRESS typename Table::Link link;
        std::conditional_t<FindsStateBefore<Table>, Nothing, Key> number; ///< in the table of the beginning
        bool was_closed;
        bool was_nearest;

        [[nodiscard]] const auto& cost() const { return path_cost; }
        [[nodiscard]] const auto& estimate() const { return stored_estimate; }
        [[nodiscard]] bool is_closed() const { return was_closed; }
    };

    const Communicator& ranks_;
    const P& problem_;
    std::vector<std::vector<HandedNode>> dealt_; // by processes
    std::uint64_t count_ = 0;
};

} // namespace npuzzle::detail
