#include <npuzzle/search/distributed/kernel/block_exchange.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace {

using npuzzle::Communicator;
using Block = npuzzle::detail::MessageBlock<std::uint64_t, 4'000>;
using Exchange = npuzzle::detail::BlockExchange<Block>;

std::unique_ptr<Block> some_block(std::uint32_t sender, std::uint32_t receiver, std::uint32_t count) {
    auto block = std::make_unique<Block>();
    block->sender = sender;
    block->receiver = receiver;
    block->count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        block->messages()[i] = 1'000 * sender + i;
    }
    return block;
}

} // namespace

TEST_CASE("blocks come whole, once, and back to their senders", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    const auto rank = static_cast<std::uint32_t>(ranks.rank());
    const auto size = static_cast<std::uint32_t>(ranks.size());
    constexpr std::uint32_t threads = 2;
    constexpr std::uint32_t each = 100; // to each other process: more than are under way at once
    npuzzle::MemoryBudget budget;
    Exchange exchange(ranks, threads, budget);
    std::vector<std::unique_ptr<Block>> blocks;
    for (std::uint32_t to = 0; to < size; ++to) {
        for (std::uint32_t i = 0; to != rank && i < each; ++i) {
            blocks.push_back(some_block(rank * threads + i % threads, to * threads + 1, 1 + i));
            exchange.send(blocks.back().get());
        }
    }
    const std::size_t expected = each * (size - 1);
    CHECK(exchange.sent() == expected);
    std::size_t back = 0;
    std::uint64_t messages = 0;
    std::vector<Block*> held;
    while (back < expected || exchange.received() < expected) {
        exchange.exchange(
            true,
            [&](Block* block) {
                CHECK(block->sender / threads == rank);
                ++back;
            },
            [&](Block* block) {
                CHECK(block->receiver == rank * threads + 1);
                CHECK(block->sender / threads != rank);
                messages += block->count;
                CHECK(block->messages()[block->count - 1] == 1'000 * block->sender + block->count - 1);
                held.push_back(block);
            });
        // They are given back late, when more wait than are received without that.
        if (held.size() > 150 || exchange.received() == expected) {
            for (Block* const block : held) {
                exchange.give_back(block);
            }
            held.clear();
        }
    }
    CHECK(messages == (size - 1) * (each * (each + 1) / 2));
    MPI_Barrier(ranks.get());
}

TEST_CASE("without memory, what comes is lost, and the exchange goes on", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    const auto rank = static_cast<std::uint32_t>(ranks.rank());
    const auto size = static_cast<std::uint32_t>(ranks.size());
    npuzzle::MemoryBudget budget(20 * sizeof(Block));
    Exchange exchange(ranks, 1, budget);
    std::vector<std::unique_ptr<Block>> blocks;
    for (int i = 0; i < 60; ++i) {
        blocks.push_back(some_block(rank, (rank + 1) % size, 5));
        exchange.send(blocks.back().get());
    }
    std::size_t back = 0;
    std::size_t delivered = 0;
    std::size_t refused = 0;
    while (back < 60 || exchange.received() < 60) {
        try {
            exchange.exchange(
                refused == 0, [&](Block* /*block*/) { ++back; }, [&](Block* /*block*/) { ++delivered; });
        } catch (const std::bad_alloc&) {
            ++refused;
        }
    }
    CHECK(refused == 1);
    CHECK(delivered > 0);
    CHECK(delivered < 20);
    CHECK_THROWS_AS(([&] {
                        npuzzle::MemoryBudget small(3 * sizeof(Block));
                        const Exchange none(ranks, 1, small);
                    }()),
                    std::bad_alloc);
    MPI_Barrier(ranks.get());
}
