#pragma once

#include "npuzzle/search/engine/best_first.hpp"
#include "npuzzle/search/kernel/traveler.hpp"
#include "npuzzle/search/parallel/kernel/detail/node_transfer.hpp"
#include "npuzzle/search/parallel/kernel/detail/stragglers.hpp"
#include "npuzzle/search/parallel/kernel/message_blocks.hpp"
#include "npuzzle/search/parallel/kernel/owners.hpp"
#include "npuzzle/search/parallel/kernel/shared_search.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// The router of a thread: it hands what is not the search's own business to the worker.
template <class Worker, bool its_nodes_know_parents>
struct WorkerRouter {
    static constexpr bool knows_parents = its_nodes_know_parents;

    Worker* worker;

    NPUZZLE_ALWAYS_INLINE bool keeps(auto& state, const auto& cost, const auto& evaluation,
                                     auto& link) const {
        return worker->keeps(state, cost, evaluation, link);
    }
    bool may_expand(const auto& priority) const { return worker->take_expansion(priority); }
    void reach(const auto& node, const auto& view) const { worker->reach_goal(node, view); }
};

/// One thread of a best-first search by several (hash-distributed A*: A. Kishimoto, A. Fukunaga, A. Botea,
/// "Scalable, parallel best-first search for optimal sequential planning", ICAPS 2009). The hash of a state
/// names its owner, the thread that has its node. A neighbor of another owner is sent to it.
///
/// Threads do not wait for each other, so that a state may be expanded before its cheapest path is known; it
/// is opened again then. A goal is only a candidate: the search goes on until no open node, and no message,
/// has a lesser priority.
/// \tparam is_distributed whether there are threads of other processes, too
template <Problem P, class H, class Parts, bool is_distributed = false>
class ParallelWorker
    : public BestFirst<P, H, SilentObserver, Parts,
                       WorkerRouter<ParallelWorker<P, H, Parts, is_distributed>,
                                    has_moves<P> || FindsStateBefore<typename Parts::NodeTable>>> {
    // The parent of a node may be in another table, and is then not known here without moves.
    using Router = WorkerRouter<ParallelWorker, has_moves<P> || FindsStateBefore<typename Parts::NodeTable>>;
    using Base = BestFirst<P, H, SilentObserver, Parts, Router>;
    friend Router;
    friend NodeTransfer<ParallelWorker>;

    static_assert(DividedNodeTable<typename Parts::NodeTable>,
                  "a search by several threads needs a DividedNodeTable, such as the library's");
    static_assert(!DropsEntries<typename Parts::OpenList>,
                  "a search by several threads needs an open list that keeps its entries");

public:
    using typename Base::Cost, typename Base::Estimate, typename Base::Node, typename Base::Priority,
        typename Base::State, typename Base::Table, typename Base::TableNode, typename Base::Link;
    using Nearness = typename Base::Nearest::Nearness;
    using Key = typename Table::Key;
    using Handle = handle_t<Table>;
    using Clock = LimitMonitor::Clock;
    using Shared = SharedSearch<Priority, Cost>;
    using Workers = std::vector<std::unique_ptr<ParallelWorker>>;

private:
    using typename Base::ChildEvaluation;

public:
    using Traveling = traveling_t<P, is_distributed>;
    using Message = Traveler<Traveling, Cost, ChildEvaluation, Link>;
    /// To other machines go thousands of nodes at once.
    using Block = MessageBlock<Message, is_distributed ? 32'000 : 8'000>;

    /// The other processes, and which of all workers are here.
    struct OtherProcesses {
        std::size_t first; ///< the number of the first worker here
        BlockNetwork<Block>* network;
    };
    struct NoProcesses {
        static constexpr std::size_t first = 0;
    };
    using Others = std::conditional_t<is_distributed, OtherProcesses, NoProcesses>;

    /// \param number from 0, among this process's workers
    /// \param limits without expansions, which come from `shared`, as bytes do
    /// \param workers all of this process, once the search begins
    /// \param listener told every few milliseconds by one worker, which looks at time and stop then; else
    ///         null
    ParallelWorker(std::size_t number, const Owners<P, Table>& owners, Shared& shared, const Workers& workers,
                   const P& problem, H&& heuristic, const BasicLimits<Cost>& limits,
                   typename Parts::Priority priority, ProgressListener* listener, Others others = {})
        : Base(problem, std::forward<H>(heuristic), limits, SilentObserver{}, std::move(priority),
               Router{this}),
          others_(others), number_(others_.first + number), owners_(owners), shared_(&shared),
          workers_(&workers), listener_(listener),
          mail_(static_cast<std::uint32_t>(number_), owners.count(), this->budget_),
          stragglers_(owners.count()) {
        this->budget_.draw_on(shared.bytes());
    }

    /// To be called on the first worker before it runs. It searches alone, as if all states were its own, to
    /// the end, or until it has so many nodes or has taken so long. When it runs then, it sends those of
    /// other owners to them, and goes on with its own. Throws what the problem or the heuristic throws.
    void search_alone(const State& start, std::uint64_t max_nodes, Clock::duration longest)
        requires is_distributed
    {
        is_alone_ = true;
        max_alone_ = max_nodes;
        last_turn_ = Clock::now();
        alone_until_ = last_turn_ + longest;
        this->add_start(start);
        this->guarded([&] {
            while (status_ == SearchStatus::running && has_work() && !is_over_alone()) {
                advance();
            }
        });
    }

    /// Whether the search was over by then.
    [[nodiscard]] bool is_finished_alone() const {
        return is_alone_ && (status_ != SearchStatus::running || !has_work());
    }

    /// Runs to the end of the search.
    /// \param prepare what is to be done before
    template <class F>
    void run(F&& prepare) {
        try {
            this->guarded([&] {
                prepare();
                if constexpr (is_distributed) {
                    if (is_alone_) {
                        this->relax_all(children_, nullptr);
                        is_alone_ = false;
                        NodeTransfer<ParallelWorker>::give_away(*this);
                    }
                }
                while (status_ == SearchStatus::running && !shared_->is_over()) {
                    advance();
                }
            });
        } catch (...) {
            shared_->fail(std::current_exception());
            return;
        }
        if (status_ != SearchStatus::running) {
            shared_->end(status_);
        }
    }

    /// How it stands, without the nodes that are others'.
    [[nodiscard]] Statistics statistics() const {
        Statistics statistics = Base::statistics();
        statistics.stored -= given_away_;
        return statistics;
    }

    [[nodiscard]] const KnownProgress& progress() const noexcept { return progress_; }

    /// Called by other threads: a block for this worker.
    void receive(Block* block) { mail_.receive(block); }
    /// Called by other threads: a block of this worker, which has been read.
    void give_back(Block* block) { mail_.give_back(block); }

    // Once all workers have ended:

    [[nodiscard]] const Table& table() const noexcept { return table_; }
    /// The best goal that this worker has reached.
    [[nodiscard]] const std::optional<Handle>& goal() const noexcept { return goal_; }
    [[nodiscard]] std::optional<TableNode> nearest() const { return this->nearest_.find_in(table_); }
    [[nodiscard]] const Nearness& nearness() const { return this->nearest_.nearness(); }
    /// Whether a path was not followed since it costs too much.
    [[nodiscard]] bool has_pruned() const noexcept { return this->pruned_by_bound_; }
    /// To be called for all workers before one of them is destroyed.
    void discard_mail() { mail_.discard(); }

private:
    using Base::batches_, Base::can_batch, Base::children_, Base::open_, Base::problem_, Base::statistics_,
        Base::status_, Base::table_;
    using typename Base::Child, typename Base::Entry;

    /// The most expansions between two looks at what the others do.
    static constexpr std::uint64_t longest_turn = 64;
    /// Messages that are read at once: about as many as are sent in the meantime, and some more.
    static constexpr std::uint32_t read_at_once = 64;
    /// With so many blocks on their way to a thread, the sender waits: that thread has been held up.
    static constexpr std::uint64_t max_outstanding = 64;
    /// After that time, nodes for other processes are sent off even if they are few. It is short as long as
    /// the search is: at its end nodes of equal priority go from owner to owner, one step of the path after
    /// another.
    static constexpr std::chrono::microseconds least_held{20};
    static constexpr std::chrono::microseconds longest_held{200};
    static constexpr int held_of_search = 512;
    /// A thread with work looks more often than it sends what has come from other processes, which takes
    /// microseconds.
    static constexpr int exchanges_while_held = 4;

    void tell_progress() { progress_.tell(statistics_, table_.size() - given_away_); }

    void advance() {
        read();
        if (!children_.empty()) {
            this->relax_all(children_, nullptr);
        }
        if constexpr (is_distributed) {
            if (std::exchange(takes_over_, false)) {
                look_at_limits_in_time(); // What comes next may have a lesser priority.
                return;
            }
        }
        if (open_.empty()) {
            if (mail_.is_read()) {
                rest();
            }
        } else if (waits_for_others()) {
            wait_a_turn();
        } else {
            expand_some();
        }
    }

    /// Whether there are nodes to expand or to insert.
    [[nodiscard]] bool has_work() const { return !open_.empty() || !children_.empty(); }

    /// Whether it is time for others to take part.
    [[nodiscard]] bool is_over_alone() const {
        return is_distributed && is_alone_ && (table_.size() >= max_alone_ || last_turn_ > alone_until_);
    }

    /// Whether another thread is held up: it does not read what it is sent, or has stood still while it has
    /// nodes of lesser priority, so that the work of this one may be in vain. The wait for that is short: a
    /// thread that was set aside is back then, if the machine has nothing better to do.
    bool waits_for_others() {
        if (mail_.outstanding() > max_outstanding * owners_.count()) {
            return true;
        }
        return stragglers_.are_awaited();
    }

    void expand_some() {
        if constexpr (can_batch) {
            if (Base::Batches::pay_off(open_, table_)) {
                batches_.run(
                    open_, table_, children_,
                    [this](const Entry& entry) {
                        this->visit(entry);
                        return status_ == SearchStatus::running;
                    },
                    [this](std::vector<Child>& children, const Priority& /*of_batch*/) {
                        this->relax_prefetched(children, nullptr);
                        read();
                        return status_ == SearchStatus::running;
                    },
                    [this](const Priority& priority) {
                        return is_useful(priority) && !shared_->is_over() && !waits_for_others() &&
                               !is_over_alone();
                    });
                if (!open_.empty() && !is_useful(open_.first_priority())) {
                    open_.clear();
                }
                return;
            }
        }
        const Entry entry = open_.pop();
        if (is_useful(entry.priority)) {
            this->visit(entry);
        } else {
            open_.clear(); // The others come after it, so that they are no better.
        }
    }

    /// Whether a node of a priority can lead to a better goal than those that were reached.
    bool is_useful(const Priority& priority) {
        if (const std::uint32_t goals = shared_->goals(); goals != known_goals_) {
            known_goals_ = goals;
            bound_ = shared_->best()->priority;
        }
        return !bound_ || priority < *bound_;
    }

    /// A goal: the best so far, or not.
    void reach_goal(const TableNode& node, const Node& view) {
        if (shared_->reach(view.priority, view.cost, number_)) {
            goal_ = handle_of<Table>(node);
        }
    }

    bool take_expansion(const Priority& priority) {
        if (left_ == 0) {
            if (!is_alone_) {
                stragglers_.look(pace_, priority, workers_->size(),
                                 [this](std::size_t i) -> const auto& { return (*workers_)[i]->pace_; });
            }
            look_around();
            left_ = status_ == SearchStatus::running ? take_expansions() : 0;
            if (left_ == 0) {
                if (status_ == SearchStatus::running && !(is_distributed && shared_->is_over())) {
                    this->finish(SearchStatus::expansion_limit);
                }
                return false;
            }
        }
        --left_;
        return true;
    }

    /// With other processes, expansions that are left come from the next agreement with them.
    std::uint64_t take_expansions() {
        std::uint64_t taken = shared_->take_expansions(turn_length_);
        if constexpr (is_distributed) {
            while (taken == 0 && !is_alone_ && status_ == SearchStatus::running && !shared_->is_over()) {
                wait_a_turn();
                taken = shared_->take_expansions(turn_length_);
            }
        }
        return taken;
    }

    void post_all() {
        for (std::size_t to = 0; to < owners_.count(); ++to) {
            mail_.post_to(to, post());
        }
    }

    /// Hands over what those wait for who have nothing to read, and looks at the limits.
    void look_around() {
        for (std::size_t to = 0; to < workers_->size(); ++to) {
            if (!(*workers_)[to]->mail_.has_mail()) {
                mail_.post_to(others_.first + to, post());
            }
        }
        if constexpr (is_distributed) {
            if (last_turn_ - posted_ > held_) {
                posted_ = last_turn_;
                held_ = std::clamp<Clock::duration>((last_turn_ - begun_) / held_of_search, least_held,
                                                    longest_held);
                post_all();
            }
        }
        pace_.count_turn();
        tell_progress();
        look_at_limits_in_time();
    }

    /// The one with the listener looks at the limits, unless it did so a moment ago. Each sets the length of
    /// its turns: expansions take nanoseconds in one problem and seconds in another.
    void look_at_limits_in_time() {
        const Clock::time_point now = Clock::now();
        if (now - last_turn_ > std::chrono::milliseconds{1}) {
            turn_length_ = std::max<std::uint64_t>(turn_length_ / 2, 1);
        } else if (turn_length_ < longest_turn) {
            turn_length_ *= 2;
        }
        last_turn_ = now;
        if constexpr (is_distributed) {
            const bool rests = pace_.rests.load(std::memory_order_relaxed);
            if (listener_ != nullptr && !is_alone_ &&
                (rests || now - exchanged_ > held_ / exchanges_while_held)) {
                exchanged_ = now;
                others_.network->exchange();
            }
        }
        if (listener_ != nullptr && now - looked_ > std::chrono::milliseconds{2}) {
            looked_ = now;
            if (const SearchStatus limit = this->monitor_.check(statistics_.expanded);
                limit != SearchStatus::running) {
                this->finish(limit);
            } else {
                listener_->tell();
            }
        }
    }

    /// Lets others catch up.
    void wait_a_turn() {
        pace_.count_turn();
        look_at_limits_in_time();
        std::this_thread::yield();
    }

    /// Waits for a message or the end.
    void rest() {
        post_all();
        tell_progress();
        pace_.rests.store(true, std::memory_order_relaxed);
        const Clock::time_point since = Clock::now();
        shared_->remove_work();
        while (!mail_.has_mail()) {
            look_at_limits_in_time();
            if (status_ != SearchStatus::running || shared_->is_over()) {
                return;
            }
            const bool exchanges = is_distributed && listener_ != nullptr;
            if (exchanges || last_turn_ - since < std::chrono::microseconds{200}) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(std::chrono::microseconds{100});
            }
        }
        pace_.rests.store(false, std::memory_order_relaxed);
        shared_->add_work(); // What has come counts until it was read.
    }

    auto post() {
        return [this](Block* block) {
            if (ParallelWorker* const receiver = neighbor(block->receiver)) {
                shared_->add_work();
                receiver->receive(block);
            } else if constexpr (is_distributed) {
                others_.network->send(block);
            }
        };
    }

    /// Puts messages that have come among the successors.
    void read() {
        const std::size_t waiting = children_.size();
        mail_.read(
            takes_over_ ? Block::capacity : read_at_once,
            [this](Message&& message) {
                if constexpr (is_distributed) {
                    if (message.is_closed) [[unlikely]] {
                        takes_over_ = true;
                        NodeTransfer<ParallelWorker>::take_over(*this, std::move(message));
                        return;
                    }
                }
                children_.emplace_back(table_,
                                       unpack_traveler<is_distributed>(*problem_, std::move(message.state)),
                                       message.cost, message.child_evaluation, message.link);
            },
            [this](Block* block) {
                if (ParallelWorker* const sender = neighbor(block->sender)) {
                    sender->give_back(block);
                } else if constexpr (is_distributed) {
                    others_.network->give_back(block);
                }
                shared_->remove_work();
            });
        this->prefetch_slots(children_, waiting);
    }

    /// A worker of this process, or null.
    ParallelWorker* neighbor(std::size_t number) const {
        if constexpr (is_distributed) {
            const std::size_t index = number - others_.first;
            return index < workers_->size() ? (*workers_)[index].get() : nullptr;
        } else {
            return (*workers_)[number].get();
        }
    }

    /// Whether a neighbor is this worker's; else it is sent to its owner.
    NPUZZLE_ALWAYS_INLINE bool keeps(State& child, const Cost& cost, const ChildEvaluation& evaluation,
                                     Link& link) {
        const std::size_t owner = is_distributed && is_alone_ ? number_ : owners_(child);
        link = owners_.link(link, number_);
        if (owner == number_) {
            return true;
        }
        mail_.send(owner, post(), pack_for_travel<is_distributed>(*problem_, std::move(child)), cost,
                   evaluation, link);
        return false;
    }

    NPUZZLE_NO_UNIQUE_ADDRESS Others others_;
    std::size_t number_; // among the workers of all processes
    Owners<P, Table> owners_;
    Shared* shared_;
    const Workers* workers_;
    ProgressListener* listener_;
    Mailbox<Block> mail_;
    std::uint64_t turn_length_ = 1;
    std::uint64_t left_ = 0; // expansions until it looks around
    Clock::time_point last_turn_ = Clock::now();
    Clock::time_point begun_ = last_turn_;
    Clock::duration held_ = least_held;     // for how long nodes for other processes wait
    Clock::time_point looked_ = last_turn_; // at the limits
    Clock::time_point posted_ = last_turn_; // all blocks to other processes
    Clock::time_point exchanged_ = last_turn_;
    // While it is alone:
    bool is_alone_ = false;
    std::uint64_t max_alone_ = 0;
    Clock::time_point alone_until_{};
    std::uint64_t given_away_ = 0; // nodes that are others'
    bool takes_over_ = false;      // nodes that were given away
    std::uint32_t known_goals_ = 0;
    std::optional<Priority> bound_; // the priority of the best goal, as far as it is known here
    std::optional<Handle> goal_;
    Stragglers<Priority> stragglers_;
    // What the others see:
    KnownProgress progress_;
    ThreadPace<Priority> pace_;
};

} // namespace npuzzle::detail
