#pragma once

#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/memory/budget.hpp"
#include "npuzzle/search/memory/detail/pool.hpp"
#include "npuzzle/search/parallel/kernel/message_blocks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

/// \file
/// How blocks of messages go from one process to another.

namespace npuzzle::detail {

/// Sends blocks to other processes and receives theirs, by messages that do not block.
///
/// Any thread may call `send` and `give_back`; all else is called by the thread that calls MPI.
template <class Block>
class BlockExchange {
    static_assert(Plain<std::remove_pointer_t<decltype(std::declval<Block&>().messages())>>,
                  "states that go to other machines are packed, or can be copied with their bytes: give the "
                  "problem pack and unpack");

public:
    /// \param threads of each process
    /// \param budget for what is received
    BlockExchange(const Communicator& ranks, std::size_t threads, MemoryBudget& budget)
        : ranks_(ranks), threads_(threads), pool_(budget) {
        requests_.fill(MPI_REQUEST_NULL);
        const std::size_t others = static_cast<std::size_t>(ranks.size()) - 1;
        for (std::size_t i = 0; i < std::min(most_receiving, receiving_for_each * others); ++i) {
            receive(i, pool_.take());
        }
    }
    BlockExchange(const BlockExchange&) = delete;
    BlockExchange& operator=(const BlockExchange&) = delete;
    /// Whatever was sent to this process has been received.
    ~BlockExchange() {
        for (MPI_Request& request : requests_) {
            if (request != MPI_REQUEST_NULL) {
                MPI_Cancel(&request);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
            }
        }
    }

    void send(Block* block) {
        sent_.fetch_add(1, std::memory_order_relaxed);
        outbox_.push(block);
    }
    void give_back(Block* block) { read_.push(block); }

    /// How many blocks were handed over to be sent.
    [[nodiscard]] std::uint64_t sent() const { return sent_.load(std::memory_order_relaxed); }
    /// How many have come from other processes.
    [[nodiscard]] std::uint64_t received() const { return received_; }

    /// Moves on what is on its way. Throws `std::bad_alloc` if there is no memory for what comes, which is lost
    /// then; the next call goes on.
    /// \param is_wanted whether anybody still reads what comes
    /// \param is_sent `is_sent(block)`: it is the sender's again
    /// \param deliver `deliver(block)`: it has come, and is to be given back
    template <class Sent, class Deliver>
    void exchange(bool is_wanted, Sent&& is_sent, Deliver&& deliver) {
        for_each(read_.take_all(), [this](Block* block) {
            pool_.give_back(block);
            --delivered_;
        });
        for_each(outbox_.take_all(), [this](Block* block) { block->next = std::exchange(waiting_, block); });
        for (std::size_t i = most_receiving; i < requests_.size() && waiting_ != nullptr; ++i) {
            if (requests_[i] == MPI_REQUEST_NULL) {
                begin_to_send(i);
            }
        }
        // Else the senders wait.
        const bool receives = !is_wanted || delivered_ < most_delivered;
        const std::size_t first = receives ? 0 : most_receiving;
        bool has_lost = false;
        int count = 0; // or MPI_UNDEFINED, which is negative
        MPI_Testsome(static_cast<int>(requests_.size() - first), requests_.data() + first, &count,
                     complete_.data(), MPI_STATUSES_IGNORE);
        for (int each = 0; each < count; ++each) {
            const std::size_t i = first + static_cast<std::size_t>(complete_[static_cast<std::size_t>(each)]);
            if (i >= most_receiving) {
                is_sent(blocks_[i]);
                continue;
            }
            Block* const block = blocks_[i];
            Block* next = block;
            ++received_;
            if (is_wanted) {
                try {
                    next = pool_.take();
                } catch (const std::bad_alloc&) {
                    has_lost = true;
                }
            }
            receive(i, next);
            if (next != block) {
                ++delivered_;
                deliver(block);
            }
        }
        if (has_lost) {
            throw std::bad_alloc();
        }
    }

private:
    // Whoever receives too few at a time falls behind the others: see docs/scale_model.md.
    static constexpr std::size_t receiving_for_each = 4;
    static constexpr std::size_t most_receiving = 64;
    static constexpr std::size_t most_sending = 28;
    /// With so many blocks that were not read, no more are received: their senders wait.
    static constexpr std::uint64_t most_delivered = 256;
    static constexpr int tag = 1;

    // All but the pointer at the beginning goes on its way.
    static constexpr std::size_t begin = offsetof(Block, sender);
    static char* bytes_of(Block* block) { return reinterpret_cast<char*>(block) + begin; }

    template <class F>
    static void for_each(Block* block, F&& visit) {
        while (block != nullptr) {
            visit(std::exchange(block, block->next));
        }
    }

    void receive(std::size_t i, Block* block) {
        blocks_[i] = block;
        MPI_Irecv(bytes_of(block), static_cast<int>(sizeof(Block) - begin), MPI_BYTE, MPI_ANY_SOURCE, tag,
                  ranks_.get(), &requests_[i]);
    }

    void begin_to_send(std::size_t i) {
        Block* const block = std::exchange(waiting_, waiting_->next);
        blocks_[i] = block;
        const std::size_t size = offsetof(Block, room) - begin + block->count * sizeof(*block->messages());
        MPI_Isend(bytes_of(block), static_cast<int>(size), MPI_BYTE,
                  static_cast<int>(block->receiver / threads_), tag, ranks_.get(), &requests_[i]);
    }

    const Communicator& ranks_;
    std::size_t threads_;
    Pool<Block> pool_;
    static constexpr std::size_t most = most_receiving + most_sending;
    std::array<MPI_Request, most> requests_; // those of receives first
    std::array<Block*, most> blocks_{};      // theirs
    std::array<int, most> complete_{};
    Block* waiting_ = nullptr; // a list of what is to be sent
    std::uint64_t received_ = 0;
    std::uint64_t delivered_ = 0; // of them, those that were not given back
    std::atomic<std::uint64_t> sent_{0};
    BlockList<Block> outbox_;
    BlockList<Block> read_;
};

} // namespace npuzzle::detail
