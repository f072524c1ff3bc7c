#pragma once

#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/engine/traveler.hpp"
#include "npuzzle/search/parallel/kernel/owners.hpp"
#include "npuzzle/search/parallel/kernel/shared_search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// One thread of a best-first search by several (hash-distributed A*: A. Kishimoto, A. Fukunaga, A. Botea,
/// "Scalable, parallel best-first search for optimal sequential planning", ICAPS 2009). The hash of a state
/// names its owner, the thread that has its node. The engine of a thread expands the nodes of its states; a
/// neighbor of another owner is sent there, in blocks of hundreds.
///
/// Threads do not wait for each other, so a state may be expanded before its cheapest path is known; it is
/// reopened then. A goal is only a candidate: the search goes on until no open node, and no message, has a
/// lesser priority.
template <Problem P, class H, class Parts>
class ParallelWorker {
    struct Router;
    using Engine = BestFirst<P, H, SilentObserver, Parts, Router>;

    static_assert(DividedNodeTable<typename Parts::NodeTable>,
                  "a search by several threads needs a DividedNodeTable, such as the library's");
    static_assert(!DropsEntries<typename Parts::OpenList>,
                  "a search by several threads needs an open list that keeps its entries");

    struct Router {
        // The parent may be in another thread's table, where only its state or a move tells it.
        static constexpr bool knows_parents = has_moves<P> || FindsStateBefore<typename Parts::NodeTable>;

        ParallelWorker* worker;

        [[nodiscard]] bool is_due() const { return worker->is_due(); }
        bool synchronize() const { return worker->synchronize(); }
        bool may_expand(const auto& priority) const { return worker->may_expand(priority); }
        void reach(const auto& node, const auto& view) const { worker->reach(node, view); }
        NPUZZLE_ALWAYS_INLINE bool keeps(auto& state, const auto& cost, const auto& evaluation,
                                         auto& link) const {
            return worker->keeps(state, cost, evaluation, link);
        }
    };

public:
    using Cost = cost_t<P>;
    using Priority = typename Engine::Priority;
    using Table = typename Engine::Table;
    using Message = Traveler<traveling_t<P>, Cost, typename Engine::ChildEvaluation, typename Table::Link>;
    using Shared = SharedSearch<Priority, Cost, Message>;
    using Clock = std::chrono::steady_clock;
    /// What the caller's thread does now and then: it looks at the limits.
    using Poll = std::function<void(Clock::time_point now)>;

    /// \param number among the owners
    /// \param limits for `max_cost`; the others come from `shared` and `poll`
    /// \param poll null on other threads than the caller's
    ParallelWorker(std::size_t number, const Owners<P, Table>& owners, Shared& shared, const P& problem,
                   H&& heuristic, const BasicLimits<Cost>& limits, typename Parts::Priority priority,
                   Poll poll)
        : number_(number), owners_(owners), problem_(problem), shared_(shared), poll_(std::move(poll)),
          engine_(problem, std::forward<H>(heuristic), {.max_cost = limits.max_cost}, SilentObserver{},
                  std::move(priority), Router{this}) {
        engine_.draw_on(shared.bytes());
        filling_.assign(owners.count(), shared.new_block());
    }
    ParallelWorker(const ParallelWorker&) = delete;
    ParallelWorker& operator=(const ParallelWorker&) = delete;

    void add_start(const state_t<P>& start) { engine_.add_start(start); }

    /// Runs to the end of the search.
    void run() {
        try {
            engine_.run();
        } catch (...) {
            shared_.fail(std::current_exception());
        }
        if (engine_.status() != SearchStatus::running) {
            shared_.end(engine_.status());
        }
    }

    /// What it has done, as of a moment ago. Any thread may call it.
    [[nodiscard]] Statistics progress() const {
        const std::lock_guard lock(mutex_);
        return told_;
    }

    /// \name Once all threads have ended
    /// @{
    [[nodiscard]] std::size_t number() const { return number_; }
    [[nodiscard]] const Engine& engine() const { return engine_; }
    [[nodiscard]] Statistics statistics() const { return engine_.statistics(); }
    /// The best goal that it has reached, if that was the best of all then.
    [[nodiscard]] typename Table::Node goal() const { return node_of(engine_.table(), *goal_); }
    /// @}

private:
    /// The most expansions between two looks at what the others do.
    static constexpr std::uint64_t longest_turn = 64;
    static constexpr std::size_t block_size = std::max<std::size_t>(8'000 / sizeof(Message), 1);
    /// With so many blocks waiting for a thread, their sender waits: that thread has been held up.
    static constexpr std::size_t max_waiting = 64;
    /// How often it yields to threads with nodes of lesser priority, after each turn.
    static constexpr int longest_wait = 20;

    [[nodiscard]] Inbox<typename Shared::Block>& inbox() const { return shared_.inbox(number_); }

    [[nodiscard]] bool is_due() { return !inbox().is_empty() || shared_.is_over() || is_held_up(); }

    /// Whether it waits for another thread, which has been held up: it does not read what it is sent, or, for
    /// a short time, it has nodes of lesser priority, so that the work of this one may be in vain.
    bool is_held_up() {
        if (awaited_ != nullptr && awaited_->size() > max_waiting) {
            return true;
        }
        for (std::size_t i = 0; patience_ > 0 && i < filling_.size(); ++i) {
            if (shared_.level(i).load(std::memory_order_relaxed) < level_) {
                --patience_;
                return true;
            }
        }
        patience_ = 0;
        return false;
    }

    /// Relaxes what others have sent. Waits while there is nothing to expand, or a receiver is held up.
    bool synchronize() {
        while (!shared_.is_over()) {
            read();
            if (!engine_.has_open()) {
                rest();
            } else if (is_held_up()) {
                pause();
            } else {
                return true;
            }
        }
        return false;
    }

    void read() {
        for (std::size_t blocks = inbox().size(); blocks > 0; --blocks) {
            auto block = inbox().pop();
            for (Message& message : *block) {
                engine_.enqueue(unpack_traveler(problem_, std::move(message.state)), message.cost,
                                message.child_evaluation, message.link);
            }
            engine_.relax_enqueued();
            shared_.remove_work();
            pauses_ = 0;
        }
    }

    /// Waits for a message or the end.
    void rest() {
        for (std::size_t to = 0; to < filling_.size(); ++to) {
            post(to);
        }
        tell();
        shared_.level(number_).store(Shared::level_at_rest, std::memory_order_relaxed);
        shared_.remove_work();
        while (inbox().is_empty()) {
            if (shared_.is_over()) {
                return;
            }
            pause();
        }
        shared_.add_work(); // What has come counts until it was read.
    }

    void pause() {
        if (poll_) {
            poll_(Clock::now());
        }
        if (++pauses_ < 200) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds{50});
        }
    }

    /// Whether a node may be expanded: by the limits, and since it can lead to a better goal.
    bool may_expand(const Priority& priority) {
        if (const std::uint32_t goals = shared_.goals(); goals != known_goals_) {
            known_goals_ = goals;
            bound_ = shared_.best()->priority;
        }
        if (bound_ && !(priority < *bound_)) {
            engine_.clear_open(); // The others come after it, so they are no better.
            return false;
        }
        if (left_ == 0 && !begin_turn(priority)) {
            return false;
        }
        --left_;
        return true;
    }

    /// Looks around, and takes some expansions. False if the search is over.
    bool begin_turn(const Priority& priority) {
        for (std::size_t to = 0; to < filling_.size(); ++to) {
            if (shared_.inbox(to).is_empty()) {
                post(to);
            }
        }
        if constexpr (std::is_arithmetic_v<Priority>) {
            level_ = static_cast<double>(priority);
            shared_.level(number_).store(level_, std::memory_order_relaxed);
            patience_ = longest_wait;
        }
        tell();
        // Expansions take nanoseconds in one problem and seconds in another.
        const Clock::time_point now = Clock::now();
        const bool is_late = now - std::exchange(turned_, now) > std::chrono::milliseconds{1};
        turn_ = is_late ? std::max<std::uint64_t>(turn_ / 2, 1) : (std::min)(2 * turn_, longest_turn);
        if (poll_) {
            poll_(now);
        }
        while (!shared_.is_over()) {
            left_ = shared_.take_expansions(turn_);
            if (left_ > 0) {
                return true;
            }
            if (shared_.is_alone()) {
                shared_.end(SearchStatus::expansion_limit);
            } else {
                pause(); // The next agreement with other processes may allow more.
            }
        }
        return false;
    }

    void tell() {
        const std::lock_guard lock(mutex_);
        told_ = engine_.statistics();
    }

    template <class Node, class View>
    void reach(const Node& node, const View& view) {
        if (shared_.reach({view.priority, view.cost, number_})) {
            goal_ = handle_of<Table>(node);
        }
    }

    /// Whether a neighbor is this worker's; else it is sent to its owner.
    template <class Evaluation>
    NPUZZLE_ALWAYS_INLINE bool keeps(state_t<P>& state, const Cost& cost, const Evaluation& evaluation,
                                     typename Table::Link& link) {
        const std::size_t owner = owners_(state);
        link = owners_.link(link, number_);
        if (owner == number_) {
            return true;
        }
        auto& block = filling_[owner];
        if (block.capacity() == 0) [[unlikely]] {
            block.reserve(block_size);
        }
        block.push_back({pack_for_travel(problem_, std::move(state)), cost, evaluation, link});
        if (block.size() == block_size) [[unlikely]] {
            post(owner);
        }
        return false;
    }

    /// Hands over what waits for an owner.
    NPUZZLE_NOINLINE void post(std::size_t to) {
        if (!filling_[to].empty()) {
            shared_.add_work();
            awaited_ = &shared_.inbox(to);
            awaited_->push(std::exchange(filling_[to], shared_.new_block()));
        }
    }

    std::size_t number_;
    Owners<P, Table> owners_;
    const P& problem_;
    Shared& shared_;
    Poll poll_;
    Engine engine_;
    std::vector<typename Shared::Block> filling_;      // for each owner
    Inbox<typename Shared::Block>* awaited_ = nullptr; // to which a block went last
    std::optional<handle_t<Table>> goal_;
    std::uint32_t known_goals_ = 0;
    std::optional<Priority> bound_; // the priority of the best goal, as far as it is known here
    double level_ = 0;              // the priority of this turn
    int patience_ = 0;
    std::uint64_t turn_ = 1;
    std::uint64_t left_ = 0; // expansions of this turn
    Clock::time_point turned_ = Clock::now();
    unsigned pauses_ = 0; // since it had something to do
    mutable std::mutex mutex_;
    Statistics told_;
};

} // namespace npuzzle::detail
