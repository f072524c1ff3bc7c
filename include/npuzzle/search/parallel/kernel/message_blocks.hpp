#pragma once

#include "npuzzle/search/memory/detail/pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// How the threads of a search send each other states: in blocks of hundreds, without locks.

namespace npuzzle::detail {

/// Messages on their way from one thread to another.
/// \tparam bytes about so many: enough that the cost of handing them over does not count
template <class Message, std::size_t bytes = 8'000>
struct MessageBlock {
    static constexpr std::uint32_t capacity =
        static_cast<std::uint32_t>(std::max<std::size_t>(bytes / sizeof(Message), 1));

    MessageBlock* next; // in a list
    std::uint32_t sender;
    std::uint32_t receiver;
    std::uint32_t count;
    alignas(Message) unsigned char room[capacity * sizeof(Message)];

    Message* messages() { return std::launder(reinterpret_cast<Message*>(room)); }
};

/// A list of blocks. Any thread may add one; one thread takes them all.
template <class Block>
class BlockList {
public:
    void push(Block* block) {
        block->next = first_.load(std::memory_order_relaxed);
        while (!first_.compare_exchange_weak(block->next, block, std::memory_order_release,
                                             std::memory_order_relaxed)) {
        }
    }

    /// The last that was added, linked to those before it; null if there is none.
    Block* take_all() { return is_empty() ? nullptr : first_.exchange(nullptr, std::memory_order_acquire); }

    [[nodiscard]] bool is_empty() const { return first_.load(std::memory_order_relaxed) == nullptr; }

private:
    std::atomic<Block*> first_{nullptr};
};

/// What one thread sends and receives. The memory of a block belongs to the thread that sends it, and comes
/// back to it when it has been read.
///
/// `send`, `post_to`, `read` and what changes the mailbox otherwise is called by its own thread alone.
template <class BlockType>
class Mailbox {
    using Message = std::remove_pointer_t<decltype(std::declval<BlockType&>().messages())>;

public:
    using Block = BlockType;

    Mailbox(std::uint32_t number, std::size_t threads, MemoryBudget& budget)
        : number_(number), filling_(threads, nullptr), pool_(budget) {}

    /// Puts a message to the thread `to` into a block. `post(block)` hands over a full one.
    template <class Post, class... Parts>
    void send(std::size_t to, Post&& post, Parts&&... parts) {
        Block*& block = filling_[to];
        if (block == nullptr) [[unlikely]] {
            block = blank(to);
        }
        ::new (static_cast<void*>(block->room + block->count * sizeof(Message)))
            Message{std::forward<Parts>(parts)...};
        if (++block->count == Block::capacity) [[unlikely]] {
            hand_over(to, post);
        }
    }

    /// Hands over what waits for the thread `to`.
    template <class Post>
    void post_to(std::size_t to, Post&& post) {
        if (filling_[to] != nullptr && filling_[to]->count > 0) {
            hand_over(to, post);
        }
    }

    /// The number of blocks that were handed over and have not come back.
    std::uint64_t outstanding() {
        for (Block* block = returned_.take_all(); block != nullptr;) {
            Block* const next = block->next;
            pool_.give_back(block);
            --outstanding_;
            block = next;
        }
        return outstanding_;
    }

    /// Called by other threads: a block for this one.
    void receive(Block* block) { inbox_.push(block); }
    /// Called by other threads: a block of this one, which has been read.
    void give_back(Block* block) { returned_.push(block); }

    /// May be called by other threads, too.
    [[nodiscard]] bool has_mail() const { return !inbox_.is_empty(); }

    /// Whether there is nothing to read.
    [[nodiscard]] bool is_read() const { return reading_ == nullptr && inbox_.is_empty(); }

    /// Moves up to `most` messages out: `visit(message)`. `done(block)` follows for each block whose last
    /// message was visited.
    template <class Visit, class Done>
    void read(std::uint32_t most, Visit&& visit, Done&& done) {
        while (most > 0) {
            if (reading_ == nullptr) {
                reading_ = inbox_.take_all();
                read_ = 0;
                if (reading_ == nullptr) {
                    return;
                }
            }
            const std::uint32_t until = (std::min)(reading_->count, read_ + most);
            most -= until - read_;
            for (; read_ < until; ++read_) {
                visit(std::move(reading_->messages()[read_]));
            }
            if (read_ == reading_->count) {
                Block* const block = std::exchange(reading_, reading_->next);
                read_ = 0;
                std::destroy_n(block->messages(), block->count);
                done(block);
            }
        }
    }

    /// Destroys all messages that were not read. To be called for all mailboxes of a search before one of
    /// them is destroyed, since their blocks are each other's.
    void discard() {
        for (Block* block : {reading_, inbox_.take_all()}) {
            for (; block != nullptr; block = block->next) {
                std::destroy_n(block->messages(), block->count);
            }
        }
        for (Block*& block : filling_) {
            if (block != nullptr) {
                std::destroy_n(block->messages(), block->count);
                block = nullptr;
            }
        }
        reading_ = nullptr;
    }

private:
    Block* blank(std::size_t to) {
        outstanding();
        Block* const block = pool_.take();
        block->sender = number_;
        block->receiver = static_cast<std::uint32_t>(to);
        block->count = 0;
        return block;
    }

    template <class Post>
    NPUZZLE_NOINLINE void hand_over(std::size_t to, Post&& post) {
        ++outstanding_;
        post(std::exchange(filling_[to], nullptr));
    }

    std::uint32_t number_;
    std::vector<Block*> filling_; // for each thread
    Pool<Block> pool_;
    std::uint64_t outstanding_ = 0;
    Block* reading_ = nullptr; // with those after it
    std::uint32_t read_ = 0;   // messages of it
    // On cache lines of their own: others write to them.
    alignas(64) BlockList<Block> inbox_;
    alignas(64) BlockList<Block> returned_;
};

/// The way to the threads of other processes.
template <class Block>
class BlockNetwork {
public:
    /// Takes a block to its receiver, and gives it back to its sender. Any thread may call it.
    virtual void send(Block* block) = 0;
    /// A block that has come this way was read. Any thread may call it.
    virtual void give_back(Block* block) = 0;
    /// Moves on what is on its way. Called often, by one thread.
    virtual void exchange() = 0;

protected:
    ~BlockNetwork() = default;
};

} // namespace npuzzle::detail
