#pragma once

#include "npuzzle/search/distributed/communicator.hpp"
#include "npuzzle/search/parallel/parallel_astar.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <mpi.h>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// Says what to write if the states of a problem cannot be sent to other processes.
template <class P>
constexpr void check_travel() {
    static_assert(
        SerializingProblem<P> ||
            !requires(const P& problem, const state_t<P>& state) { problem.serialize(state); },
        "SerializingProblem: the problem has serialize(state), and no deserialize(value) for what that "
        "returns; write: State deserialize(const Serialized&) const;");
    static_assert(
        Serializable<traveling_t<P, true>>,
        "Serializable: the states of the problem cannot be sent to other processes, and have no form that "
        "can; write: std::string serialize(const State&) const; State deserialize(const std::string&) "
        "const;");
}

/// The processes of a search, connected by MPI, which the caller's thread alone calls: see `NoPeers`. States
/// travel in packets, by messages that do not block.
template <Problem P>
class MpiPeers {
    using State = state_t<P>;
    using Bytes = std::vector<char, BudgetAllocator<char>>;

public:
    static constexpr bool leaves_process = true;

    MpiPeers(const Communicator& ranks, const P& problem) : ranks_(ranks), problem_(problem) {}
    MpiPeers(const MpiPeers&) = delete;
    MpiPeers& operator=(const MpiPeers&) = delete;

    std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }
    std::size_t size() const { return static_cast<std::size_t>(ranks_.size()); }

    void attempt(auto&& work) const { ranks_.attempt(work); }

    template <Plain T>
    T broadcast(T value, std::size_t root) const {
        return ranks_.broadcast(value, static_cast<int>(root));
    }

    std::vector<State> broadcast(std::vector<State> states, std::size_t root) const {
        std::vector<traveling_t<P, true>> travelers;
        attempt([&] {
            for (State& state : states) {
                travelers.push_back(pack_for_travel<true>(problem_, std::move(state)));
            }
        });
        travelers = ranks_.broadcast(std::move(travelers), static_cast<int>(root));
        attempt([&] {
            states.clear();
            for (auto& traveler : travelers) {
                states.push_back(unpack_traveler<true>(problem_, std::move(traveler)));
            }
        });
        return states;
    }

    template <Plain Report>
    void gather(const Report& own, std::vector<Report>& all) {
        MPI_Iallgather(&own, sizeof(Report), MPI_BYTE, all.data(), sizeof(Report), MPI_BYTE, ranks_.get(),
                       &gathering_);
    }
    bool is_gathered() { return is_complete(gathering_); }

    void exchange(auto& shared, std::size_t first, std::size_t threads) {
        for_each_complete(sending_, [](const Bytes&) {});
        std::size_t unread = 0;
        for (std::size_t owner = 0; owner < size() * threads; ++owner) {
            if (owner - first < threads) {
                unread += shared.inboxes[owner].size();
            } else if (sending_.size() < max_under_way) {
                send(shared, owner, static_cast<int>(owner / threads));
            }
        }
        if (unread <= max_unread) {
            receive(shared.budget, [&](const Bytes& bytes) { deliver(shared, bytes); });
        }
    }

    void drain(auto& shared) {
        MemoryBudget unlimited;
        for (std::uint64_t under_way = 1; under_way > 0;) {
            try {
                receive(unlimited, [&](const Bytes&) { ++shared.received; });
            } catch (const std::bad_alloc&) {
                // Others wait for it: there is nothing to do but to try again.
            }
            under_way = shared.sent - shared.received; // of one rank alone; may be negative, and wraps
            MPI_Allreduce(MPI_IN_PLACE, &under_way, 1, MPI_UINT64_T, MPI_SUM, ranks_.get());
        }
        for (Packet& packet : sending_) MPI_Wait(&packet.request, MPI_STATUS_IGNORE);
        sending_.clear();
    }

private:
    struct Packet {
        Bytes bytes;
        MPI_Request request;
    };

    static constexpr std::size_t max_under_way = 32; // packets
    /// With so many blocks that were not read, no more are received: their senders wait.
    static constexpr std::size_t max_unread = 256;
    static constexpr int tag = 1;

    static bool is_complete(MPI_Request& request) {
        int is_complete = 0;
        MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
        return is_complete != 0;
    }

    /// Sends what waits for an owner in another process.
    void send(auto& shared, std::size_t owner, int rank) {
        const auto blocks = shared.inboxes[owner].take();
        if (blocks.empty()) return;
        Bytes bytes{BudgetAllocator<char>(shared.budget)};
        serialize(std::uint64_t{owner}, bytes);
        for (const auto& block : blocks) {
            for (const auto& message : block) serialize(message, bytes);
        }
        if (bytes.size() > static_cast<std::size_t>((std::numeric_limits<int>::max)())) {
            throw std::length_error("states are too large to be sent to other processes");
        }
        sending_.push_back({std::move(bytes), MPI_REQUEST_NULL});
        Packet& packet = sending_.back();
        ++shared.sent;
        MPI_Isend(packet.bytes.data(), static_cast<int>(packet.bytes.size()), MPI_BYTE, rank, tag,
                  ranks_.get(), &packet.request);
        shared.working -= blocks.size();
    }

    /// Receives the packets that are there, and calls `deliver(bytes)` for each. Throws `std::bad_alloc` if there
    /// is no memory for the next one, which waits.
    void receive(MemoryBudget& budget, auto&& deliver) {
        while (receiving_.size() < max_under_way) {
            int is_there = 0;
            int count = 0;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, tag, ranks_.get(), &is_there, &status);
            if (is_there == 0) break;
            MPI_Get_count(&status, MPI_BYTE, &count);
            receiving_.push_back(
                {Bytes(static_cast<std::size_t>(count), BudgetAllocator<char>(budget)), MPI_REQUEST_NULL});
            MPI_Irecv(receiving_.back().bytes.data(), count, MPI_BYTE, status.MPI_SOURCE, tag, ranks_.get(),
                      &receiving_.back().request);
        }
        for_each_complete(receiving_, deliver);
    }

    /// Removes the packets whose transfer is complete, and calls `visit(bytes)` for each.
    static void for_each_complete(std::list<Packet>& packets, auto&& visit) {
        for (auto packet = packets.begin(); packet != packets.end();) {
            if (!is_complete(packet->request)) {
                ++packet;
                continue;
            }
            const Bytes bytes = std::move(packet->bytes);
            packet = packets.erase(packet);
            visit(bytes);
        }
    }

    /// Puts the messages of a packet into their owner's inbox.
    void deliver(auto& shared, const Bytes& bytes) {
        ++shared.received;
        std::string_view rest(bytes.data(), bytes.size());
        std::uint64_t owner = 0;
        deserialize(rest, owner);
        auto block = shared.new_block();
        while (!rest.empty()) deserialize(rest, block.emplace_back());
        ++shared.working;
        shared.inboxes[static_cast<std::size_t>(owner)].push(std::move(block));
    }

    const Communicator& ranks_;
    const P& problem_;
    MPI_Request gathering_ = MPI_REQUEST_NULL;
    std::list<Packet> sending_; // whose bytes stay where they are
    std::list<Packet> receiving_;
};

template <class Policy, class P, class H, class O, class Priority>
search_result_t<P> search_distributed(MPI_Comm communicator, const P& problem, const state_t<P>& start,
                                      H& heuristic, const ParallelOptions& options, const limits_t<P>& limits,
                                      O& observer, const Priority& priority) {
    check_travel<P>();
    return guarded_search([&] {
        struct Held {
            kept_t<H&, P> heuristic;
        };
        const Communicator ranks(communicator);
        const auto threads = static_cast<int>((std::max)(1U, options.threads));
        std::optional<Held> held;
        ranks.attempt([&] {
            if (threads > 1) Communicator::check_threads();
            held.emplace(Held{make_bound_heuristic(heuristic, problem)});
        });
        using Bound = std::remove_reference_t<decltype(held->heuristic)>;
        MpiPeers<P> peers(ranks, problem);
        ParallelSearch<Policy, P, Bound, O, Priority, MpiPeers<P>> search(
            peers, problem, held->heuristic, observer, priority, limits,
            static_cast<std::size_t>(ranks.least(threads)));
        return search.run(start, options.serial_nodes.value_or(3 << 15), 0.01);
    });
}

} // namespace detail

/// `astar` by the processes of a communicator, on one machine or on many: hash-distributed A* (Kishimoto,
/// Fukunaga, Botea 2009). All processes call it with the same arguments, and get the same result: the cost
/// equals `astar`'s, and the path may be another one of that cost. The counts are those of all together, and
/// differ from run to run.
///
/// A state travels as its word (`pack`), with its bytes if it is trivially copyable, or by its content if it
/// is `Serializable`, such as a `std::string`. Any other needs a `SerializingProblem`. Its hash is the same in
/// all processes: nothing of it comes from an address. The processes run on machines of one kind. Threads call
/// the problem and the heuristic as in `parallel_astar`. Only the calling thread calls MPI, between
/// expansions: expansions that take seconds keep the others waiting.
///
/// \tparam Policy as of `parallel_astar`
/// \param options the least number of threads of all processes counts. With more than one, start MPI by
///        `MPI_Init_thread` with `MPI_THREAD_FUNNELED` or more
/// \param limits `bytes` and `expansions` are for all together: each process may hold an equal share of the
///        bytes; the expansions are exceeded by some hundreds for each thread at most. Time, and a stop, end
///        the search on all processes, wherever they strike. `max_cost` is the same on all
/// \param observer as of `parallel_astar`, on each process, with what all have done
/// \throws RankFailure if something was thrown on another process; what it was comes out of the call there
/// \throws std::logic_error if MPI was started without threads and there are to be some
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P>
search_result_t<P>
distributed_astar(MPI_Comm communicator, const P& problem, const detail::named_state_t<P>& start,
                  H&& heuristic, ParallelOptions options = {}, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::search_distributed<Policy>(communicator, problem, start, heuristic, options, limits,
                                              observer, AStarPriority<cost_t<P>, estimate_t<H, P>>{});
}

/// `best_first` by the processes of a communicator, by any priority that is trivially copyable: see
/// `distributed_astar`.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H, class Phi,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P> && std::copy_constructible<Phi> &&
             std::invocable<const Phi&, const cost_t<P>&, const estimate_t<H, P>&>
search_result_t<P> distributed_best_first(MPI_Comm communicator, const P& problem,
                                          const detail::named_state_t<P>& start, H&& heuristic, Phi phi,
                                          ParallelOptions options = {}, limits_t<P> limits = {},
                                          O&& observer = O{}) {
    return detail::search_distributed<Policy>(communicator, problem, start, heuristic, options, limits,
                                              observer, detail::priority_t<Phi, P, H>{std::move(phi)});
}

} // namespace npuzzle
