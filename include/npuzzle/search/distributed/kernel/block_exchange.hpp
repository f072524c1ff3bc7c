#pragma once

#include "npuzzle/search/distributed/kernel/communicator.hpp"
#include "npuzzle/search/parallel/kernel/message_blocks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// How blocks of messages go from one process to another.

namespace npuzzle::detail {

template <class Block>
using message_t = std::remove_pointer_t<decltype(std::declval<Block&>().messages())>;

template <class Block, class F>
void for_each_block(Block* first, F&& visit) {
    while (first != nullptr) {
        visit(std::exchange(first, first->next));
    }
}

/// Sends blocks to other processes and receives theirs, by messages that do not block.
///
/// Any thread may call `send` and `give_back`; all else is called by the thread that calls MPI.
template <class Block>
class BlockExchange {
    static_assert(Plain<message_t<Block>>);

public:
    /// \param threads of each process
    /// \param budget for what is received
    BlockExchange(const Communicator& ranks, std::size_t threads, MemoryBudget& budget)
        : BlockExchange(WithoutRequests{}, ranks, threads, budget) {
        // From here on the destructor is called if this throws.
        const std::size_t others = static_cast<std::size_t>(ranks.size()) - 1;
        for (std::size_t i = 0; i < (std::min)(max_receiving, receiving_for_each * others); ++i) {
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

    /// Moves on what is on its way. Throws `std::bad_alloc` if there is no memory for what comes, which is
    /// lost then; the next call goes on.
    /// \param is_wanted whether anybody still reads what comes
    /// \param is_sent `is_sent(block)`: it is the sender's again
    /// \param deliver `deliver(block)`: it has come, and is to be given back
    template <class Sent, class Deliver>
    void exchange(bool is_wanted, Sent&& is_sent, Deliver&& deliver) {
        for_each_block(read_.take_all(), [this](Block* block) {
            pool_.give_back(block);
            --delivered_;
        });
        for_each_block(outbox_.take_all(),
                       [this](Block* block) { block->next = std::exchange(waiting_, block); });
        for (std::size_t i = max_receiving; i < requests_.size() && waiting_ != nullptr; ++i) {
            if (requests_[i] == MPI_REQUEST_NULL) {
                begin_to_send(i);
            }
        }
        // Else the senders wait.
        const bool receives = !is_wanted || delivered_ < max_delivered;
        const std::size_t first = receives ? 0 : max_receiving;
        bool has_lost = false;
        int count = 0; // or MPI_UNDEFINED, which is negative
        MPI_Testsome(static_cast<int>(requests_.size() - first), requests_.data() + first, &count,
                     complete_.data(), MPI_STATUSES_IGNORE);
        for (int each = 0; each < count; ++each) {
            const std::size_t i = first + static_cast<std::size_t>(complete_[static_cast<std::size_t>(each)]);
            if (i >= max_receiving) {
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
    struct WithoutRequests {};
    BlockExchange(WithoutRequests /*tag*/, const Communicator& ranks, std::size_t threads,
                  MemoryBudget& budget)
        : ranks_(ranks), threads_(threads), pool_(budget) {
        requests_.fill(MPI_REQUEST_NULL);
    }

    // Whoever receives too few at a time falls behind the others.
    static constexpr std::size_t receiving_for_each = 4;
    static constexpr std::size_t max_receiving = 64;
    static constexpr std::size_t max_sending = 28;
    /// With so many blocks that were not read, no more are received: their senders wait.
    static constexpr std::uint64_t max_delivered = 256;
    static constexpr int tag = 1;

    // All but the pointer at the beginning goes on its way.
    static constexpr std::size_t begin = offsetof(Block, sender);
    static char* bytes_of(Block* block) { return reinterpret_cast<char*>(block) + begin; }

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
    static constexpr std::size_t max_requests = max_receiving + max_sending;
    std::array<MPI_Request, max_requests> requests_; // receives first
    std::array<Block*, max_requests> blocks_{};      // theirs
    std::array<int, max_requests> complete_{};
    Block* waiting_ = nullptr; // a list of what is to be sent
    std::uint64_t received_ = 0;
    std::uint64_t delivered_ = 0; // of them, those that were not given back
    std::atomic<std::uint64_t> sent_{0};
    BlockList<Block> outbox_;
    BlockList<Block> read_;
};

/// The same for messages that are no plain bytes: they go in packets, as their values.
///
/// What is received is read at once. Packets that were received keep their room until their messages were
/// read, so that a process that does not keep up is sent no more.
template <class Block>
class SerializedExchange {
    using Message = message_t<Block>;
    using Packet = MessageBlock<char, 32'000>;

public:
    SerializedExchange(const Communicator& ranks, std::size_t threads, MemoryBudget& budget)
        : packets_(budget), blocks_(budget), exchange_(ranks, threads, budget) {}

    void send(Block* block) {
        unpacked_.fetch_add(1, std::memory_order_relaxed);
        outbox_.push(block);
    }
    void give_back(Block* block) { read_.push(block); }

    /// How many packets were sent, and blocks handed over that are to become packets.
    [[nodiscard]] std::uint64_t sent() const {
        return exchange_.sent() + unpacked_.load(std::memory_order_relaxed);
    }
    /// How many packets have come.
    [[nodiscard]] std::uint64_t received() const { return exchange_.received(); }

    /// See `BlockExchange`. \throws std::length_error if a message is too large for a packet,
    /// std::runtime_error if one that has come is damaged
    template <class Sent, class Deliver>
    void exchange(bool is_wanted, Sent&& is_sent, Deliver&& deliver) {
        for_each_block(read_.take_all(), [this](Block* block) {
            blocks_.give_back(block);
            exchange_.give_back(std::exchange(held_, held_->next));
        });
        for_each_block(outbox_.take_all(),
                       [this](Block* block) { block->next = std::exchange(waiting_, block); });
        std::exception_ptr error;
        const auto guarded = [&error](auto&& work) {
            try {
                work();
            } catch (...) {
                error = std::current_exception();
            }
        };
        while (waiting_ != nullptr && (!is_wanted || under_way_ < max_under_way)) {
            Block* const block = std::exchange(waiting_, waiting_->next);
            if (is_wanted) {
                guarded([&] { send_values(*block); });
            }
            std::destroy_n(block->messages(), block->count);
            unpacked_.fetch_sub(1, std::memory_order_relaxed);
            is_sent(block);
        }
        exchange_.exchange(
            is_wanted,
            [this](Packet* packet) {
                packets_.give_back(packet);
                --under_way_;
            },
            [&](Packet* packet) {
                packet->next = std::exchange(held_, packet);
                guarded([&] { deliver(read_values(*packet)); });
            });
        if (error) {
            std::rethrow_exception(error);
        }
    }

private:
    static constexpr std::uint64_t max_under_way = 64;

    void send_values(Block& block) {
        Packet* packet = nullptr;
        for (std::uint32_t i = 0; i < block.count; ++i) {
            bytes_.clear();
            serialize(block.messages()[i], bytes_);
            if (bytes_.size() > Packet::capacity) {
                throw std::length_error("a state with its cost takes " + std::to_string(bytes_.size()) +
                                        " bytes: it is too large to be sent to other processes, at most " +
                                        std::to_string(Packet::capacity));
            }
            if (packet != nullptr && bytes_.size() > Packet::capacity - packet->count) {
                send_packet(std::exchange(packet, nullptr));
            }
            if (packet == nullptr) {
                packet = packets_.take();
                packet->sender = block.sender;
                packet->receiver = block.receiver;
                packet->count = 0;
            }
            std::memcpy(packet->room + packet->count, bytes_.data(), bytes_.size());
            packet->count += static_cast<std::uint32_t>(bytes_.size());
        }
        if (packet != nullptr) {
            send_packet(packet);
        }
    }

    void send_packet(Packet* packet) {
        ++under_way_;
        exchange_.send(packet);
    }

    Block* read_values(Packet& packet) {
        Block* const block = blocks_.take();
        block->sender = packet.sender;
        block->receiver = packet.receiver;
        block->count = 0;
        try {
            Deserializer bytes(packet.messages(), packet.count);
            for (; !bytes.is_at_end(); ++block->count) {
                if (block->count == Block::capacity) {
                    throw std::runtime_error("what another process has sent is damaged: it is too long");
                }
                Message message{};
                bytes.read(message);
                ::new (static_cast<void*>(block->room + block->count * sizeof(Message)))
                    Message(std::move(message));
            }
        } catch (...) {
            std::destroy_n(block->messages(), block->count);
            blocks_.give_back(block);
            throw;
        }
        return block;
    }

    Pool<Packet> packets_; // to be sent
    Pool<Block> blocks_;   // that were received
    BlockExchange<Packet> exchange_;
    std::vector<char> bytes_;     // of a message
    Packet* held_ = nullptr;      // those that were received, until as many blocks were read
    Block* waiting_ = nullptr;    // to become packets
    std::uint64_t under_way_ = 0; // packets that were not given back
    std::atomic<std::uint64_t> unpacked_{0};
    BlockList<Block> outbox_;
    BlockList<Block> read_;
};

/// How blocks of these messages go to other processes.
template <class Block>
using exchange_t =
    std::conditional_t<Plain<message_t<Block>>, BlockExchange<Block>, SerializedExchange<Block>>;

} // namespace npuzzle::detail
