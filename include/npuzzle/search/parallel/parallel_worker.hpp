#pragma once

#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/for_each_parallel.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"
#include "npuzzle/search/parallel/shared_budget.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// One thread of a best-first search on several, and what it shares with the others: memory, messages, limits,
/// the best goal and the end.

namespace npuzzle {

/// Optional capability, for states that cannot be sent to other processes: `serialize(state)` returns a value
/// that can (see `Serializable`), such as a `std::string`, and `deserialize(value)` the state again.
template <class P>
concept SerializingProblem = requires(const P problem, const state_t<P>& state) {
    { problem.deserialize(problem.serialize(state)) } -> std::convertible_to<state_t<P>>;
};

namespace detail {

/// A state as it travels: its word, unless the state is no larger itself and can be copied like one.
/// \tparam leaves_process whether it goes to other processes, and not only to other threads
template <bool leaves_process = false, Problem P>
auto pack_for_travel(const P& problem, state_t<P>&& state) {
    using State = state_t<P>;
    if constexpr (PackedProblem<P>) {
        if constexpr (std::is_trivially_copyable_v<State> && sizeof(State) <= sizeof(packed_t<P>)) {
            return State(state);
        } else {
            return problem.pack(state);
        }
    } else if constexpr (leaves_process && SerializingProblem<P>) {
        return problem.serialize(state);
    } else {
        return State(std::move(state));
    }
}

template <class P, bool leaves_process = false>
using traveling_t =
    decltype(pack_for_travel<leaves_process>(std::declval<const P&>(), std::declval<state_t<P>>()));

template <bool leaves_process = false, Problem P>
state_t<P> unpack_traveler(const P& problem, traveling_t<P, leaves_process>&& traveling) {
    if constexpr (std::same_as<traveling_t<P, leaves_process>, state_t<P>>) {
        return std::move(traveling);
    } else if constexpr (PackedProblem<P>) {
        return problem.unpack(traveling);
    } else {
        return problem.deserialize(std::move(traveling));
    }
}

/// Blocks of messages on their way to an owner of states. For any thread.
template <class Block>
class alignas(64) Inbox {
public:
    void push(Block&& block) {
        const std::lock_guard lock(mutex_);
        blocks_.push_back(std::move(block));
        size_ = blocks_.size();
    }

    std::vector<Block> take() {
        if (size_ == 0) return {};
        const std::lock_guard lock(mutex_);
        size_ = 0;
        return std::exchange(blocks_, {});
    }

    std::size_t size() const noexcept { return size_; }

private:
    std::mutex mutex_;
    std::vector<Block> blocks_;
    std::atomic<std::size_t> size_{0};
};

/// A goal, and the owner that has reached it.
template <class Priority, class Cost>
struct ReachedGoal {
    Priority priority;
    Cost cost;
    std::size_t finder;

    bool is_before(const ReachedGoal& other) const {
        return std::tie(priority, cost, finder) < std::tie(other.priority, other.cost, other.finder);
    }
};

/// What the threads of a process share. The process is idle once `working` is zero: see `ParallelSearch`.
template <class Priority, class Cost, class Message>
class SharedSearch {
public:
    using Block = std::vector<Message, BudgetAllocator<Message>>;
    using Goal = ReachedGoal<Priority, Cost>;

    /// \param owners the threads of all processes; `threads` are of this one, and have work
    /// \param bytes for open lists, node tables and messages
    SharedSearch(std::size_t owners, std::size_t threads, std::uint64_t bytes)
        : budget(bytes), inboxes(owners), levels(owners), working(threads) {
        std::fill(levels.begin(), levels.end(), level_at_rest);
    }

    Block new_block() { return Block(BudgetAllocator<Message>(budget)); }

    /// Takes up to `most` of the expansions that are allowed.
    std::uint64_t take_expansions(std::uint64_t most) {
        const std::uint64_t in_all = allowed;
        for (std::uint64_t before = taken; before < in_all;) {
            const std::uint64_t more = (std::min)(most, in_all - before);
            if (taken.compare_exchange_weak(before, before + more)) return more;
        }
        is_starved = true;
        return 0;
    }

    /// Takes note of a goal. True if it is the best so far.
    bool reach(const Goal& goal) {
        const std::lock_guard lock(mutex_);
        if (best_ && !goal.is_before(*best_)) return false;
        best_ = goal;
        ++goals;
        return true;
    }
    std::optional<Goal> best() const {
        const std::lock_guard lock(mutex_);
        return best_;
    }

    /// Ends the search. The first status counts, and the first error; `running` if nothing is left to do.
    void end(SearchStatus status, const std::exception_ptr& error = nullptr) {
        const std::lock_guard lock(mutex_);
        status_ = status_ == SearchStatus::running ? status : status_;
        error_ = error_ ? error_ : error;
        is_over = true;
    }
    /// `work()`; the end of the search if it throws.
    template <class F>
    void guarded(F&& work) {
        try {
            work();
        } catch (const std::bad_alloc&) {
            end(SearchStatus::memory_limit);
        } catch (...) {
            end(SearchStatus::failed, std::current_exception());
        }
    }
    SearchStatus status() const {
        const std::lock_guard lock(mutex_);
        return status_;
    }
    /// Once all threads have ended.
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

    static constexpr double level_at_rest = (std::numeric_limits<double>::max)();

    SharedMemoryBudget budget;
    /// What waits for an owner: to be read, or to be sent to another process.
    std::vector<Inbox<Block>> inboxes;
    std::vector<std::atomic<double>> levels; ///< the priority of what each owner expands, if it is a number
    std::atomic<bool> is_over{false};
    std::atomic<std::uint32_t> goals{0}; ///< how many times a goal was the best so far
    std::atomic<std::uint64_t> allowed{0};
    std::atomic<bool> is_starved{false}; ///< a thread had to wait for expansions
    std::uint64_t sent = 0;              ///< packets to other processes; for the caller's thread alone
    std::uint64_t received = 0;          ///< packets from other processes, likewise
    // Written often.
    alignas(64) std::atomic<std::uint64_t> taken{0}; ///< expansions
    alignas(64) std::atomic<std::size_t> working;

private:
    mutable std::mutex mutex_;
    std::optional<Goal> best_;
    SearchStatus status_ = SearchStatus::running;
    std::exception_ptr error_;
};

/// Whether the links of a table name the parent by its state, and not by a number of the table.
template <class Table>
inline constexpr bool links_by_state =
    requires(const Table& table, const typename Table::Node& node) { table.state_before(node); };

/// Which of several workers owns a state. A link leads to the parent in any worker's table: by its state, or
/// by a number that tells the owner, too.
template <class P, class Table>
class Owners {
public:
    /// What a link tells of the parent: its state, or the number.
    using Name = std::conditional_t<links_by_state<Table>, traveling_t<P>, std::uint64_t>;

    Owners(const P& problem, std::size_t count) : problem_(&problem), count_(count) {}

    std::size_t count() const noexcept { return count_; }

    /// The owner of a state, from 0.
    std::size_t operator()(const state_t<P>& state) const {
        // By the upper bits, which tell nothing of the node's place in the owner's table.
        return static_cast<std::size_t>((hash(state) >> 32) * count_ >> 32);
    }

    /// The link to a node of an owner, for all tables. Throws `std::bad_alloc` if there is no number left.
    typename Table::Link link(typename Table::Link link, std::size_t owner) const {
        if constexpr (!links_by_state<Table>) {
            const std::uint64_t name = std::uint64_t{link.parent} * count_ + owner;
            if (name >= Table::none) throw std::bad_alloc();
            link.parent = static_cast<typename Table::Key>(name);
        }
        return link;
    }

    /// None of a root.
    std::optional<Name> name_before(const Table& table, const typename Table::Node& node) const {
        if (node.is_root()) {
            return std::nullopt;
        } else if constexpr (links_by_state<Table>) {
            return pack_for_travel(*problem_, table.state_before(node));
        } else {
            return node.link().parent;
        }
    }
    std::size_t owner_of(const Name& name) const {
        if constexpr (links_by_state<Table>) {
            return (*this)(unpack_traveler(*problem_, Name(name)));
        } else {
            return static_cast<std::size_t>(name % count_);
        }
    }
    /// \param table its owner's
    typename Table::Node find(const Table& table, const Name& name) const {
        if constexpr (links_by_state<Table>) {
            const state_t<P> state = unpack_traveler(*problem_, Name(name));
            return *table.find(table.lookup_hint(state), state);
        } else {
            return table.find(static_cast<typename Table::Key>(name / count_));
        }
    }

private:
    /// The optional `owner_hash(state)` of the problem, such as the cell of a coarser grid, saves messages if
    /// most steps stay there (Burns, Lemons, Ruml, Zhou 2010; Jinnai, Fukunaga 2017).
    std::uint64_t hash(const state_t<P>& state) const {
        if constexpr (requires { static_cast<std::uint64_t>(problem_->owner_hash(state)); }) {
            return mix(static_cast<std::uint64_t>(problem_->owner_hash(state)));
        } else if constexpr (PackedProblem<P>) {
            return mix_word(problem_->pack(state));
        } else if constexpr (IndexedProblem<P>) {
            // States of close numbers are close on a map: most steps stay with the owner of 64 of them.
            return mix(static_cast<std::uint64_t>(problem_->index(state)) / 64);
        } else {
            return hash_state(*problem_, state);
        }
    }

    const P* problem_;
    std::size_t count_;
};

/// One thread of a `ParallelSearch`. Its engine expands the nodes of its states, and asks it, as a router,
/// what to do with the others.
template <Problem P, class H, class Parts, bool leaves_process>
class ParallelWorker {
    using Engine = BestFirst<P, H, SilentObserver, Parts, ParallelWorker&>;

    static_assert(
        Parts::NodeTable::finds_duplicates &&
            requires(const typename Parts::NodeTable& table, const state_t<P>& state) {
                table.find(table.lookup_hint(state), state);
            } && !requires(const typename Parts::OpenList& open) { open.has_dropped(); },
        "a search by several threads needs a node table that finds duplicates and states, and an open list "
        "that drops no entries");

public:
    using Cost = cost_t<P>;
    using Priority = typename Engine::Priority;
    using Table = typename Engine::Table;
    /// A neighbor on its way to the owner of its state.
    struct Message {
        traveling_t<P, leaves_process> state;
        Cost cost;
        NPUZZLE_NO_UNIQUE_ADDRESS typename Engine::ChildEvaluation child_evaluation;
        NPUZZLE_NO_UNIQUE_ADDRESS typename Table::Link link;
    };
    using Shared = SharedSearch<Priority, Cost, Message>;
    using Clock = std::chrono::steady_clock;

    /// \param number among the owners
    /// \param limits for `max_cost`; `shared` and `poll` look at the others
    /// \param poll what the caller's thread does now and then; null on other threads
    ParallelWorker(std::size_t number, const Owners<P, Table>& owners, Shared& shared, const P& problem,
                   H heuristic, const BasicLimits<Cost>& limits, typename Parts::Priority priority,
                   std::function<void()> poll)
        : number_(number), owners_(owners), problem_(problem), shared_(shared), poll_(std::move(poll)),
          engine_(problem, std::forward<H>(heuristic), {.max_cost = limits.max_cost}, SilentObserver{},
                  std::move(priority), *this) {
        filling_.assign(owners.count(), shared.new_block());
    }

    /// Runs to the end of the search, which comes for all if it fails or has no memory left.
    void run(const state_t<P>& start) {
        shared_.guarded([&] {
            if (owners_(start) == number_) engine_.add_start(start);
            engine_.run();
        });
        if (engine_.status() != SearchStatus::running) shared_.end(engine_.status());
        tell();
    }

    /// What it has done, as of a moment ago. Any thread may call it.
    Statistics progress() const {
        const std::lock_guard lock(mutex_);
        return told_;
    }

    // Once all threads have ended:

    std::size_t number() const { return number_; }
    const Engine& engine() const { return engine_; }
    /// The best goal that it has reached, if that was the best of all then.
    typename Table::Node goal() const { return engine_.table().find(*goal_); }

    // What the engine asks: see `NoRouter`.

    static constexpr bool is_alone = false;
    // The parent may be in another thread's table, where only its state or a move tells it.
    static constexpr bool knows_parents = has_moves<P> || links_by_state<Table>;

    MemoryBudget* budget() { return &shared_.budget; }

    bool is_due() { return shared_.inboxes[number_].size() > 0 || shared_.is_over || is_held_up(); }

    /// Relaxes what others have sent. Waits while there is nothing to expand, or another thread is held up.
    bool synchronize() {
        while (!shared_.is_over) {
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

    /// Whether a node may be expanded: by the limits, and since it can lead to a better goal.
    bool may_expand(const Priority& priority) {
        if (const std::uint32_t goals = shared_.goals; goals != known_goals_) {
            known_goals_ = goals;
            bound_ = shared_.best()->priority;
        }
        if (bound_ && !(priority < *bound_)) {
            engine_.clear_open(); // The others come after it, so they are no better.
            return false;
        }
        if (left_ == 0) return begin_turn(priority);
        --left_;
        return true;
    }

    /// The search goes on: a goal is a candidate.
    bool ends_at(const auto& node, const auto& view) {
        if (shared_.reach({view.priority, view.cost, number_})) goal_ = node.handle();
        return false;
    }

    /// Whether a neighbor is this worker's; else it is sent to its owner.
    template <class Evaluation>
    NPUZZLE_ALWAYS_INLINE bool keeps(state_t<P>& state, const Cost& cost, const Evaluation& evaluation,
                                     typename Table::Link& link) {
        const std::size_t owner = owners_(state);
        link = owners_.link(link, number_);
        if (owner == number_) return true;
        auto& block = filling_[owner];
        if (block.capacity() == 0) [[unlikely]] {
            block.reserve(block_size);
        }
        block.push_back(
            {pack_for_travel<leaves_process>(problem_, std::move(state)), cost, evaluation, link});
        if (block.size() == block_size) [[unlikely]] {
            post(owner);
        }
        return false;
    }

private:
    static constexpr std::uint64_t longest_turn = 64; ///< expansions between two looks at what the others do
    static constexpr std::size_t block_size = std::max<std::size_t>(8'000 / sizeof(Message), 1);
    static constexpr std::size_t max_waiting = 64; ///< blocks, for a thread that has not been held up
    static constexpr int longest_wait = 20;        ///< for nodes of lesser priority, after each turn

    /// Whether it waits for another thread, which has been held up: it does not read what it is sent, or, for
    /// a short time, it has nodes of lesser priority, so that the work of this one may be in vain.
    bool is_held_up() {
        if (awaited_ != nullptr && awaited_->size() > max_waiting) return true;
        const bool is_ahead =
            patience_ > 0 &&
            std::any_of(shared_.levels.begin(), shared_.levels.end(),
                        [this](const auto& level) { return level.load(std::memory_order_relaxed) < level_; });
        patience_ = is_ahead ? patience_ - 1 : 0;
        return is_ahead;
    }

    void read() {
        for (auto& each : shared_.inboxes[number_].take()) {
            auto block = std::move(each);
            for (Message& message : block) {
                engine_.enqueue(unpack_traveler<leaves_process>(problem_, std::move(message.state)),
                                message.cost, message.child_evaluation, message.link);
            }
            engine_.relax_enqueued();
            --shared_.working;
            pauses_ = 0;
        }
    }

    /// Waits for a message or the end.
    void rest() {
        for (std::size_t to = 0; to < filling_.size(); ++to) post(to);
        tell();
        shared_.levels[number_] = Shared::level_at_rest;
        --shared_.working;
        while (shared_.inboxes[number_].size() == 0 && !shared_.is_over) pause();
        ++shared_.working; // What has come counts until it was read.
    }

    void pause() {
        if (poll_) poll_();
        if (++pauses_ < 200) {
            std::this_thread::yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds{50});
        }
    }

    /// Looks around, and takes some expansions, the next one among them. False if the search is over.
    bool begin_turn(const Priority& priority) {
        for (std::size_t to = 0; to < filling_.size(); ++to) {
            if (shared_.inboxes[to].size() == 0) post(to);
        }
        if constexpr (std::is_arithmetic_v<Priority>) {
            level_ = static_cast<double>(priority);
            shared_.levels[number_] = level_;
            patience_ = longest_wait;
        }
        tell();
        // Expansions take nanoseconds in one problem and seconds in another.
        const Clock::time_point now = Clock::now();
        const bool is_late = now - std::exchange(turned_, now) > std::chrono::milliseconds{1};
        turn_ = is_late ? std::max<std::uint64_t>(turn_ / 2, 1) : (std::min)(2 * turn_, longest_turn);
        if (poll_) poll_();
        for (; !shared_.is_over; pause()) { // The next report ends the search, or allows more.
            if (const std::uint64_t taken = shared_.take_expansions(turn_); taken > 0) {
                left_ = taken - 1;
                return true;
            }
        }
        return false;
    }

    void tell() {
        const std::lock_guard lock(mutex_);
        told_ = engine_.statistics();
    }

    /// Hands over what waits for an owner.
    NPUZZLE_NOINLINE void post(std::size_t to) {
        if (!filling_[to].empty()) {
            ++shared_.working;
            awaited_ = &shared_.inboxes[to];
            awaited_->push(std::exchange(filling_[to], shared_.new_block()));
        }
    }

    std::size_t number_;
    Owners<P, Table> owners_;
    const P& problem_;
    Shared& shared_;
    std::function<void()> poll_;
    Engine engine_;
    std::vector<typename Shared::Block> filling_;      // for each owner
    Inbox<typename Shared::Block>* awaited_ = nullptr; // to which a block went last
    std::optional<typename Table::Handle> goal_;
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

} // namespace detail

} // namespace npuzzle
