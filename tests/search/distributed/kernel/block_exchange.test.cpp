#include <npuzzle/search/distributed/kernel/block_exchange.hpp>

#include "support/catch.hpp"
#include "support/mpi.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using npuzzle::Communicator;
template <class Message>
using Block = npuzzle::detail::MessageBlock<Message, 4'000>;
template <class Message>
using Exchange = npuzzle::detail::exchange_t<Block<Message>>;

/// Whether all ranks have so many blocks back, and all that was sent has come.
bool are_over(const Communicator& ranks, bool has_all_back, std::uint64_t sent, std::uint64_t received) {
    std::uint64_t sums[] = {has_all_back ? 0U : 1U, sent, received};
    MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UINT64_T, MPI_SUM, ranks.get());
    return sums[0] == 0 && sums[1] == sums[2];
}

/// A message that is told from others by a number.
template <class Message>
Message message_with(std::uint32_t number) {
    if constexpr (std::same_as<Message, std::string>) {
        return std::string(300, '.') + std::to_string(number); // a block takes more than one packet
    } else {
        return number;
    }
}

template <class Message>
std::unique_ptr<Block<Message>> some_block(std::uint32_t sender, std::uint32_t receiver,
                                           std::uint32_t count) {
    auto block = std::make_unique<Block<Message>>();
    block->sender = sender;
    block->receiver = receiver;
    block->count = count;
    for (std::uint32_t i = 0; i < count; ++i) {
        ::new (static_cast<void*>(block->messages() + i)) Message(message_with<Message>(1'000 * sender + i));
    }
    return block;
}

} // namespace

static_assert(std::same_as<Exchange<std::uint64_t>, npuzzle::detail::BlockExchange<Block<std::uint64_t>>>);
static_assert(std::same_as<Exchange<std::string>, npuzzle::detail::SerializedExchange<Block<std::string>>>);

TEMPLATE_TEST_CASE("messages come whole, once, and blocks back to their senders", "[distributed]",
                   std::uint64_t, std::string) {
    using TheirBlock = Block<TestType>;
    const Communicator ranks(MPI_COMM_WORLD);
    const auto rank = static_cast<std::uint32_t>(ranks.rank());
    const auto size = static_cast<std::uint32_t>(ranks.size());
    constexpr std::uint32_t threads = 2;
    constexpr std::uint32_t each = 100; // to each other process: more than are under way at once
    npuzzle::MemoryBudget budget;
    Exchange<TestType> exchange(ranks, threads, budget);
    std::vector<std::unique_ptr<TheirBlock>> blocks;
    for (std::uint32_t to = 0; to < size; ++to) {
        for (std::uint32_t i = 0; to != rank && i < each; ++i) {
            blocks.push_back(some_block<TestType>(rank * threads + i % threads, to * threads + 1, 1 + i));
            exchange.send(blocks.back().get());
        }
    }
    CHECK(exchange.sent() == blocks.size());
    const std::uint64_t expected = (size - 1) * (each * (each + 1) / 2);
    std::size_t back = 0;
    std::uint64_t messages = 0;
    std::vector<TheirBlock*> held;
    // Each message was sent by one of two threads; those of a block have numbers from 0.
    std::map<TestType, std::uint32_t> times;
    // What has left here goes on its way in later calls.
    MPI_Request have_all = MPI_REQUEST_NULL;
    for (int do_all = 0; do_all == 0;) {
        exchange.exchange(
            true,
            [&](TheirBlock* block) {
                CHECK(block->sender / threads == rank);
                ++back;
            },
            [&](TheirBlock* block) {
                CHECK(block->receiver == rank * threads + 1);
                CHECK(block->sender / threads != rank);
                messages += block->count;
                for (std::uint32_t i = 0; i < block->count; ++i) {
                    ++times[block->messages()[i]];
                }
                std::destroy_n(block->messages(), block->count);
                held.push_back(block);
            });
        // They are given back late, when more wait than are received without that.
        if (held.size() > 150 || messages == expected) {
            for (TheirBlock* const block : held) {
                exchange.give_back(block);
            }
            held.clear();
        }
        if (have_all != MPI_REQUEST_NULL) {
            MPI_Test(&have_all, &do_all, MPI_STATUS_IGNORE);
        } else if (back == blocks.size() && messages == expected) {
            MPI_Ibarrier(ranks.get(), &have_all);
        }
    }
    CHECK(exchange.received() >= (size - 1) * each);
    for (std::uint32_t from = 0; from < size * threads; ++from) {
        for (std::uint32_t i = 0; from / threads != rank && i < each; ++i) {
            // Every other block is from this thread, and has more than i messages if it is not before the
            // i-th.
            const std::uint32_t blocks_with_it = (each - i + (from % threads == i % threads ? 1 : 0)) / 2;
            CHECK(times[message_with<TestType>(1'000 * from + i)] == blocks_with_it);
        }
    }
    MPI_Barrier(ranks.get());
}

TEMPLATE_TEST_CASE("without memory, what comes is lost, and the exchange goes on", "[distributed]",
                   std::uint64_t, std::string) {
    using TheirBlock = Block<TestType>;
    const Communicator ranks(MPI_COMM_WORLD);
    const auto rank = static_cast<std::uint32_t>(ranks.rank());
    const auto size = static_cast<std::uint32_t>(ranks.size());
    // For what is received at once, and some more.
    const std::size_t packet = std::same_as<TestType, std::string> ? 32'100 : sizeof(TheirBlock);
    npuzzle::MemoryBudget budget(20 * packet);
    Exchange<TestType> exchange(ranks, 1, budget);
    std::vector<std::unique_ptr<TheirBlock>> blocks;
    for (int i = 0; i < 60; ++i) {
        blocks.push_back(some_block<TestType>(rank, (rank + 1) % size, 5));
        exchange.send(blocks.back().get());
    }
    std::size_t back = 0;
    std::size_t delivered = 0;
    std::size_t refused = 0;
    while (!are_over(ranks, back == 60, exchange.sent(), exchange.received())) {
        try {
            exchange.exchange(
                refused == 0, [&](TheirBlock* /*block*/) { ++back; },
                [&](TheirBlock* block) {
                    std::destroy_n(block->messages(), block->count);
                    ++delivered;
                });
        } catch (const std::bad_alloc&) {
            ++refused;
        }
    }
    CHECK(refused == 1);
    CHECK(delivered < 20);
    if (std::same_as<TestType, std::uint64_t>) {
        CHECK(delivered > 0); // Where there are packets, the memory may be refused for those to be sent.
    }
    CHECK_THROWS_AS(([&] {
                        npuzzle::MemoryBudget small(3 * packet);
                        const Exchange<TestType> none(ranks, 1, small);
                    }()),
                    std::bad_alloc);
    MPI_Barrier(ranks.get());
}

TEST_CASE("a message that no packet can hold is refused", "[distributed]") {
    const Communicator ranks(MPI_COMM_WORLD);
    const auto rank = static_cast<std::uint32_t>(ranks.rank());
    const auto size = static_cast<std::uint32_t>(ranks.size());
    npuzzle::MemoryBudget budget;
    Exchange<std::string> exchange(ranks, 1, budget);
    const auto block = some_block<std::string>(rank, (rank + 1) % size, 1);
    block->messages()[0].resize(40'000);
    exchange.send(block.get());
    CHECK(exchange.sent() == 1);
    std::size_t back = 0;
    CHECK_THROWS_AS(exchange.exchange(
                        true, [&](Block<std::string>* /*block*/) { ++back; },
                        [](Block<std::string>* /*block*/) { CHECK(false); }),
                    std::length_error);
    CHECK(back == 1);
    CHECK(exchange.sent() == 0);
    MPI_Barrier(ranks.get());
}
