#include <npuzzle/search/kernel/threads.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/parallel/kernel/message_blocks.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace {

/// Owns memory, so that a leak checker sees a message that is lost or destroyed twice.
struct Message {
    std::string text;
    int number;
};

using Mailbox = npuzzle::detail::Mailbox<npuzzle::detail::MessageBlock<Message>>;
constexpr int full = static_cast<int>(Mailbox::Block::capacity);

struct Pair {
    npuzzle::MemoryBudget budget;
    Mailbox first{0, 2, budget};
    Mailbox second{1, 2, budget};

    ~Pair() {
        first.discard();
        second.discard();
    }

    auto post() {
        return [this](Mailbox::Block* block) { (block->receiver == 0 ? first : second).receive(block); };
    }
    void send(int number) { first.send(1, post(), std::string(40, 'x') + std::to_string(number), number); }
    std::vector<int> read(std::uint32_t most) {
        std::vector<int> numbers;
        second.read(
            most,
            [&](Message&& message) {
                const Message taken = std::move(message);
                CHECK(taken.text == std::string(40, 'x') + std::to_string(taken.number));
                numbers.push_back(taken.number);
            },
            [&](Mailbox::Block* block) {
                CHECK(block->sender == 0);
                first.give_back(block);
            });
        return numbers;
    }
};

} // namespace

TEST_CASE("messages are handed over by blocks, in their order within one", "[messages]") {
    Pair pair;
    for (int i = 0; i < full - 1; ++i) {
        pair.send(i);
    }
    CHECK(!pair.second.has_mail());
    CHECK(pair.first.outstanding() == 0);
    pair.send(full - 1);
    CHECK(pair.second.has_mail());
    CHECK(pair.first.outstanding() == 1);
    CHECK(pair.read(5) == std::vector{0, 1, 2, 3, 4});
    CHECK(!pair.second.is_read());
    const std::vector<int> rest = pair.read(1'000'000);
    CHECK(rest.size() == static_cast<std::size_t>(full) - 5);
    CHECK(rest.front() == 5);
    CHECK(rest.back() == full - 1);
    CHECK(pair.second.is_read());
    CHECK(pair.first.outstanding() == 0);
}

TEST_CASE("what waits is handed over when it is asked for", "[messages]") {
    Pair pair;
    pair.first.post_to(1, pair.post());
    CHECK(!pair.second.has_mail());
    pair.send(7);
    pair.first.post_to(1, pair.post());
    CHECK(pair.read(10) == std::vector{7});
}

TEST_CASE("messages that nobody reads are destroyed", "[messages]") {
    Pair pair;
    for (int i = 0; i < 2 * full + 3; ++i) {
        pair.send(i);
    }
    CHECK(pair.read(2).size() == 2);
}

TEST_CASE("blocks are used again", "[messages]") {
    Pair pair;
    std::uint64_t peak = 0;
    for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < full; ++i) {
            pair.send(i);
        }
        CHECK(pair.read(1'000'000).size() == static_cast<std::size_t>(full));
        if (round == 1) {
            peak = pair.budget.peak();
        }
    }
    CHECK(pair.budget.peak() == peak);
}

TEST_CASE("all messages of several threads arrive once", "[messages]") {
    constexpr int senders = 3;
    constexpr int count = 20'000;
    std::deque<npuzzle::MemoryBudget> budgets(senders + 1);
    std::vector<std::unique_ptr<Mailbox>> boxes;
    for (std::uint32_t i = 0; i <= senders; ++i) {
        boxes.push_back(std::make_unique<Mailbox>(i, senders + 1, budgets[i]));
    }
    std::vector<int> seen(senders * count, 0);
    {
        npuzzle::detail::JoinedThreads threads(senders);
        const auto post = [&](Mailbox::Block* block) { boxes[block->receiver]->receive(block); };
        for (int sender = 0; sender < senders; ++sender) {
            threads.add([&, sender] {
                Mailbox& box = *boxes[static_cast<std::size_t>(sender)];
                for (int i = 0; i < count; ++i) {
                    box.send(senders, post, std::string(), sender * count + i);
                }
                box.post_to(senders, post);
            });
        }
        for (int left = senders * count; left > 0;) {
            boxes.back()->read(
                100,
                [&](Message&& message) {
                    ++seen[static_cast<std::size_t>(message.number)];
                    --left;
                },
                [&](Mailbox::Block* block) { boxes[block->sender]->give_back(block); });
        }
    }
    CHECK(seen == std::vector<int>(senders * count, 1));
    for (int i = 0; i < senders; ++i) {
        CHECK(boxes[static_cast<std::size_t>(i)]->outstanding() == 0);
    }
}
