#pragma once

#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/parallel/kernel/shared_search.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <mpi.h>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Sends packets of bytes to other ranks and receives theirs, by messages that do not block. Called by the
/// thread that calls MPI.
class PacketExchange {
public:
    using Bytes = std::vector<char, SourceAllocator<char>>;

    explicit PacketExchange(const Communicator& ranks)
        : ranks_(ranks), sent_(static_cast<std::size_t>(ranks.size()), 0) {}
    PacketExchange(const PacketExchange&) = delete;
    PacketExchange& operator=(const PacketExchange&) = delete;

    [[nodiscard]] bool can_send() const { return sending_.size() < max_under_way; }

    /// \throws std::length_error if it is too large for MPI
    void send(int rank, Bytes&& bytes) {
        if (bytes.size() > static_cast<std::size_t>((std::numeric_limits<int>::max)())) {
            throw std::length_error("states are too large to be sent to other processes");
        }
        Transfer& transfer = sending_.emplace_back(std::move(bytes), MPI_REQUEST_NULL);
        ++sent_[static_cast<std::size_t>(rank)];
        MPI_Isend(transfer.bytes.data(), static_cast<int>(transfer.bytes.size()), MPI_BYTE, rank, tag,
                  ranks_.get(), &transfer.request);
    }

    /// Moves on what is under way, and calls `deliver(bytes)` for each packet that has come.
    /// \param source of memory for more packets, which wait if there is none left
    /// \throws std::bad_alloc if there is no memory for the next packet, which waits
    template <class F>
    void receive(MemorySource& source, F&& deliver) {
        for_each_complete(sending_, [](const Bytes&) {});
        int is_there = 1;
        while (receiving_.size() < max_under_way) {
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, tag, ranks_.get(), &is_there, &status);
            if (is_there == 0) {
                break;
            }
            int size = 0;
            MPI_Get_count(&status, MPI_BYTE, &size);
            Bytes bytes(static_cast<std::size_t>(size), SourceAllocator<char>(source));
            Transfer& transfer = receiving_.emplace_back(std::move(bytes), MPI_REQUEST_NULL);
            MPI_Irecv(transfer.bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, tag, ranks_.get(),
                      &transfer.request);
        }
        for_each_complete(receiving_, [&](const Bytes& bytes) {
            ++received_;
            deliver(bytes);
        });
    }

    /// Collective: receives what is still on its way, and drops it.
    void drain() {
        std::uint64_t expected = 0;
        MPI_Reduce_scatter_block(sent_.data(), &expected, 1, MPI_UINT64_T, MPI_SUM, ranks_.get());
        SharedBudget memory((std::numeric_limits<std::uint64_t>::max)());
        while (received_ < expected || !sending_.empty()) {
            try {
                receive(memory, [](const Bytes&) {});
            } catch (const std::bad_alloc&) {
                std::this_thread::yield(); // Others wait for it: there is nothing to do but to try again.
            }
        }
    }

    /// How many packets were sent to other ranks.
    [[nodiscard]] std::uint64_t sent() const {
        return std::accumulate(sent_.begin(), sent_.end(), std::uint64_t{0});
    }
    [[nodiscard]] std::uint64_t received() const { return received_; }

private:
    struct Transfer {
        Transfer(Bytes&& the_bytes, MPI_Request the_request)
            : bytes(std::move(the_bytes)), request(the_request) {}

        Bytes bytes;
        MPI_Request request;
    };

    static constexpr std::size_t max_under_way = 32;
    static constexpr int tag = 1;

    template <class F>
    static void for_each_complete(std::vector<Transfer>& transfers, F&& visit) {
        for (std::size_t i = 0; i < transfers.size();) {
            int is_complete = 0;
            MPI_Test(&transfers[i].request, &is_complete, MPI_STATUS_IGNORE);
            if (is_complete == 0) {
                ++i;
                continue;
            }
            const Bytes bytes = std::move(transfers[i].bytes);
            transfers.erase(transfers.begin() + static_cast<std::ptrdiff_t>(i));
            visit(bytes);
        }
    }

    const Communicator& ranks_;
    std::vector<Transfer> sending_;
    std::vector<Transfer> receiving_;
    std::vector<std::uint64_t> sent_; // to each rank
    std::uint64_t received_ = 0;
};

} // namespace npuzzle::detail
