#pragma once

#include "npuzzle/macros.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// What the threads of a search see of one of them.
template <class Priority>
struct ThreadPace {
    /// Whether threads can see each other's priorities.
    static constexpr bool tells_level = [] {
        if constexpr (std::is_arithmetic_v<Priority>) {
            return std::atomic<Priority>::is_always_lock_free;
        } else {
            return false;
        }
    }();

    std::atomic<std::uint32_t> turns{0};
    std::atomic<bool> rests{false};
    std::atomic<std::conditional_t<tells_level, Priority, int>> level{};

    void count_turn() { turns.store(turns.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
};

/// Threads that have stood still while they have nodes of lesser priority, so that the work of this one may
/// be in vain.
template <class Priority>
class Stragglers {
    using Pace = ThreadPace<Priority>;

public:
    /// \param threads of the process
    explicit Stragglers(std::size_t threads) : seen_turns_(threads, 0) {}

    /// Looks whether another thread has stood still since the last look, and is behind.
    /// \param pace_of `pace_of(i)`: the pace of thread i, from 0
    /// \param own which of them this one is
    template <class F>
    void look(Pace& own, const Priority& priority, std::size_t threads, F&& pace_of) {
        if constexpr (Pace::tells_level) {
            own.level.store(priority, std::memory_order_relaxed);
            for (std::size_t i = 0; i < threads; ++i) {
                const Pace& other = pace_of(i);
                const std::uint32_t turn = other.turns.load(std::memory_order_relaxed);
                if (std::exchange(seen_turns_[i], turn) == turn && &other != &own &&
                    !other.rests.load(std::memory_order_relaxed) &&
                    other.level.load(std::memory_order_relaxed) < priority) {
                    awaited_ = &other;
                    awaited_turn_ = turn;
                    patience_ = longest_wait;
                }
            }
        }
    }

    /// Whether to wait one more turn for one that was seen.
    bool are_awaited() {
        if (patience_ > 0) {
            --patience_;
            if (awaited_->turns.load(std::memory_order_relaxed) != awaited_turn_ ||
                awaited_->rests.load(std::memory_order_relaxed)) {
                patience_ = 0;
            }
        }
        return patience_ > 0;
    }

private:
    /// Turns for which a thread waits for one that stands still.
    static constexpr unsigned longest_wait = 200;

    std::vector<std::uint32_t> seen_turns_;
    const Pace* awaited_ = nullptr;
    std::uint32_t awaited_turn_ = 0;
    unsigned patience_ = 0; // turns that are left to wait for it
};

} // namespace npuzzle::detail
