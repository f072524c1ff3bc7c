#pragma once

#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/parallel/kernel/parallel_worker.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <mpi.h>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Says what to write if the states of a problem cannot be sent to other processes.
template <class P>
constexpr void check_travel() {
    static_assert(
        SerializingProblem<P> || !HasSerialize<P>,
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
    using Wire = traveling_t<P, true>;
    using Bytes = std::vector<char, BudgetAllocator<char>>;

public:
    static constexpr bool leaves_process = true;

    MpiPeers(const Communicator& ranks, const P& problem) : ranks_(ranks), problem_(problem) {}
    MpiPeers(const MpiPeers&) = delete;
    MpiPeers& operator=(const MpiPeers&) = delete;

    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(ranks_.size()); }

    template <class F>
    void attempt(F&& work) const {
        ranks_.attempt(work);
    }

    template <Plain T>
    [[nodiscard]] T broadcast(T value, std::size_t root) const {
        return ranks_.broadcast(value, static_cast<int>(root));
    }

    [[nodiscard]] std::vector<State> broadcast(std::vector<State> states, std::size_t root) const {
        std::vector<Wire> wires;
        attempt([&] {
            for (State& state : states) {
                wires.push_back(pack_for_travel<true>(problem_, std::move(state)));
            }
        });
        wires = ranks_.broadcast(std::move(wires), static_cast<int>(root));
        attempt([&] {
            states.clear();
            for (Wire& wire : wires) {
                states.push_back(unpack_traveler<true>(problem_, std::move(wire)));
            }
        });
        return states;
    }

    template <Plain Report>
    void gather(const Report& own, std::vector<Report>& all) {
        MPI_Iallgather(&own, sizeof(Report), MPI_BYTE, all.data(), sizeof(Report), MPI_BYTE, ranks_.get(),
                       &gathering_);
    }
    [[nodiscard]] bool is_gathered() { return is_complete(gathering_); }

    template <class Shared>
    void exchange(Shared& shared, std::size_t first, std::size_t threads) {
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

    template <class Shared>
    void drain(Shared& shared) {
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
        for (Packet& packet : sending_) {
            MPI_Wait(&packet.request, MPI_STATUS_IGNORE);
        }
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
    template <class Shared>
    void send(Shared& shared, std::size_t owner, int rank) {
        const auto blocks = shared.inboxes[owner].take();
        if (blocks.empty()) {
            return;
        }
        Bytes bytes{BudgetAllocator<char>(shared.budget)};
        serialize(std::uint64_t{owner}, bytes);
        for (const auto& block : blocks) {
            for (const auto& message : block) {
                serialize(message, bytes);
            }
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

    /// Receives packets, and calls `deliver(bytes)` for each that is there. Throws `std::bad_alloc` if there is
    /// no memory for the next one, which waits. A receiver that waited for a packet would keep the search up.
    template <class F>
    void receive(MemoryBudget& budget, F&& deliver) {
        while (receiving_.size() < max_under_way) {
            int is_there = 0;
            int count = 0;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, tag, ranks_.get(), &is_there, &status);
            if (is_there == 0) {
                break;
            }
            MPI_Get_count(&status, MPI_BYTE, &count);
            receiving_.push_back(
                {Bytes(static_cast<std::size_t>(count), BudgetAllocator<char>(budget)), MPI_REQUEST_NULL});
            MPI_Irecv(receiving_.back().bytes.data(), count, MPI_BYTE, status.MPI_SOURCE, tag, ranks_.get(),
                      &receiving_.back().request);
        }
        for_each_complete(receiving_, deliver);
    }

    /// Removes the packets whose transfer is complete, and calls `visit(bytes)` for each.
    template <class F>
    static void for_each_complete(std::list<Packet>& packets, F&& visit) {
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
    template <class Shared>
    void deliver(Shared& shared, const Bytes& bytes) {
        ++shared.received;
        Deserializer reader(bytes.data(), bytes.size());
        std::uint64_t owner = 0;
        reader.read(owner);
        auto block = shared.new_block();
        while (!reader.is_at_end()) {
            reader.read(block.emplace_back());
        }
        ++shared.working;
        shared.inboxes[static_cast<std::size_t>(owner)].push(std::move(block));
    }

    const Communicator& ranks_;
    const P& problem_;
    MPI_Request gathering_ = MPI_REQUEST_NULL;
    std::list<Packet> sending_; // whose bytes stay where they are
    std::list<Packet> receiving_;
};

} // namespace npuzzle::detail
