#pragma once

#include "npuzzle/search/distributed/kernel/packet_exchange.hpp"
#include "npuzzle/search/parallel/kernel/parallel_engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Best-first search by the processes of a communicator, each on several threads.

namespace npuzzle::detail {

/// What a process knows of a search, and, merged, what all know.
template <Plain Priority, Plain Cost>
struct SearchReport {
    Statistics statistics;
    std::uint64_t sent = 0;     ///< packets to other processes
    std::uint64_t received = 0; ///< those that have come from them
    std::uint64_t taken = 0;    ///< of the expansions that are allowed
    std::optional<ReachedGoal<Priority, Cost>> best;
    SearchStatus status = SearchStatus::running; ///< by what the search was ended
    bool has_pruned = false;                     ///< whether a path was not followed since it costs too much
    bool is_idle = false;                        ///< there is no work

    void merge(const SearchReport& other) {
        statistics.merge_concurrent(other.statistics);
        sent += other.sent;
        received += other.received;
        taken += other.taken;
        if (other.best && (!best || other.best->is_before(*best))) {
            best = other.best;
        }
        status = (std::max)(status, other.status); // A failure is the greatest.
        has_pruned = has_pruned || other.has_pruned;
        is_idle = is_idle && other.is_idle;
    }
};

/// A best-first search by several processes. Each has a crew, as a search on several threads has; a state
/// belongs to one worker of all of them. What is in the inbox of another process's worker is sent there by the
/// caller's thread, between expansions.
///
/// All processes meet in rounds of reports. The search is over if a report has a status, or if two rounds,
/// one after the other, find all processes idle, and as many packets received as sent, the same number each
/// time (F. Mattern, "Algorithms for distributed termination detection", Distributed Computing 2, 1987: the
/// four counters). One round is not enough, since processes report at different times: one may be idle, and
/// get work from another that was not yet asked.
///
/// \tparam is_made_by_bind whether nobody else needs the heuristic
/// \tparam H the heuristic as it is called
template <class Policy, bool is_made_by_bind, Problem P, class H, class O, class PriorityType>
class DistributedSearch {
    using Team = crew_t<P, H, is_made_by_bind, Policy, PriorityType>;
    using Worker = typename Team::Worker;
    using Table = typename Team::Table;
    using Message = typename Worker::Message;
    using Cost = cost_t<P>;
    using State = state_t<P>;
    using Wire = traveling_t<P, true>;
    using WireMessage = Traveler<Wire, Cost, decltype(Message::child_evaluation), decltype(Message::link)>;
    using Report = SearchReport<typename Worker::Priority, Cost>;
    using Result = search_result_t<P>;
    using Clock = std::chrono::steady_clock;

public:
    DistributedSearch(const Communicator& ranks, const P& problem, H& heuristic, O& observer,
                      PriorityType priority, const BasicLimits<Cost>& limits, std::size_t threads)
        : ranks_(ranks), problem_(problem), heuristic_(heuristic), observer_(observer),
          priority_(std::move(priority)), limits_(limits), threads_(threads), exchange_(ranks) {}
    DistributedSearch(const DistributedSearch&) = delete;
    DistributedSearch& operator=(const DistributedSearch&) = delete;

    /// Collective, and so is what it calls, unless that says otherwise.
    /// \param serial_nodes see `DistributedOptions`
    Result run(const State& start, std::uint64_t serial_nodes) {
        checked_state(problem_, start); // on all ranks, so that none waits
        Result result;
        bool is_over = false;
        const auto search_alone = [&] {
            using Serial = BestFirst<P, H&, O&, PartsFor<P, std::remove_const_t<H>, Policy, PriorityType>>;
            Serial serial(problem_, start, heuristic_, limits_, observer_, priority_);
            if (owners() == 1) {
                serial.run();
            }
            is_over = !outgrows(serial, serial_nodes, worth_processes);
            if (is_over) {
                result = serial.result();
            } else {
                result.statistics = serial.statistics();
            }
        };
        if (!ranks_.attempt([&] {
                if (ranks_.rank() == 0) {
                    search_alone();
                }
            })) {
            result.status = SearchStatus::memory_limit;
        } else if (ranks_.broadcast(is_over, 0)) {
            share(result);
        } else {
            before_ = ranks_.broadcast(result.statistics, 0);
            limits_ = remaining(limits_, before_);
            result.status = SearchStatus::memory_limit;
            if (ranks_.attempt([&] { make_crew(); })) {
                run_crew(start);
                result = gather();
            }
        }
        observer_.progress(result.statistics);
        return result;
    }

private:
    /// A search that takes so many seconds is worth its distribution.
    static constexpr double worth_processes = 0.01;
    /// How often goals and limits become known.
    static constexpr std::chrono::microseconds round_pause{500};
    static constexpr std::chrono::microseconds exchange_pause{100};
    static constexpr std::uint64_t least_allowed = 64;
    /// With so many blocks that were not read, no more are received: their senders wait.
    static constexpr std::size_t max_unread = 256;

    [[nodiscard]] std::size_t owners() const { return static_cast<std::size_t>(ranks_.size()) * threads_; }
    [[nodiscard]] std::size_t first() const { return static_cast<std::size_t>(ranks_.rank()) * threads_; }
    [[nodiscard]] int rank_of(std::size_t owner) const { return static_cast<int>(owner / threads_); }

    // The search. From here on to `gather`, nothing is collective but the rounds.

    void make_crew() {
        BasicLimits<Cost> own = npuzzle::share(limits_, static_cast<unsigned>(ranks_.rank()),
                                               static_cast<unsigned>(ranks_.size()));
        own.expansions = allowance(0);
        crew_.emplace(
            problem_, [this]() -> held_heuristic_t<H, P, is_made_by_bind> { return heuristic_; }, priority_,
            own, first(), threads_, owners(), false, [this](Clock::time_point now) { poll(now); });
    }

    void run_crew(const State& start) {
        auto& shared = crew_->shared();
        try {
            crew_->run(start);
        } catch (...) {
            shared.fail(std::current_exception());
        }
        while (!is_over_) {
            try {
                poll(Clock::now());
            } catch (const std::bad_alloc&) {
                shared.end(SearchStatus::memory_limit);
            } catch (...) {
                shared.fail(std::current_exception());
            }
            std::this_thread::yield();
        }
        exchange_.drain();
        share_failure(ranks_, shared.error());
    }

    void poll(Clock::time_point now) {
        const bool is_idle = crew_->shared().is_idle();
        if (is_idle || now - exchanged_ > exchange_pause) {
            exchanged_ = now;
            send();
            receive();
        }
        if (request_ != MPI_REQUEST_NULL) {
            int is_complete = 0;
            MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE);
            if (is_complete != 0) {
                take_note();
            }
        } else if (!is_over_ && (is_idle || now - begun_ > round_pause)) {
            begun_ = now;
            report_ = report(crew_->progress());
            merged_ = report_;
            reduce_.begin(merged_, ranks_, request_);
        }
        crew_->look_at_limits(now, [&] {
            Statistics all = last_.statistics;
            all.seconds = crew_->progress().seconds;
            observer_.progress(Statistics(before_).merge_sequential(all));
        });
    }

    [[nodiscard]] Report report(const Statistics& statistics) {
        auto& shared = crew_->shared();
        return {statistics,     exchange_.sent(), exchange_.received(),
                shared.taken(), shared.best(),    shared.status(),
                false,          shared.is_idle()};
    }

    /// A round has ended.
    void take_note() {
        auto& shared = crew_->shared();
        const bool was_idle = last_.is_idle && last_.sent == merged_.sent;
        last_ = merged_;
        if (last_.best) {
            shared.reach(*last_.best);
        }
        if (last_.status == SearchStatus::running && last_.taken >= limits_.expansions) {
            last_.status = SearchStatus::expansion_limit;
        }
        last_.is_idle = last_.is_idle && last_.sent == last_.received;
        is_over_ = last_.status != SearchStatus::running || (was_idle && last_.is_idle);
        if (is_over_) {
            shared.end(last_.status);
        } else {
            shared.allow_expansions(report_.taken + allowance(last_.taken));
        }
    }

    /// Half of what is left goes to the processes in equal parts, round by round, since some need more than
    /// others.
    [[nodiscard]] std::uint64_t allowance(std::uint64_t taken) const {
        return (std::max)((limits_.expansions - taken) / 2 / static_cast<std::uint64_t>(ranks_.size()),
                          least_allowed);
    }

    void send() {
        auto& shared = crew_->shared();
        for (std::size_t owner = 0; owner < owners() && exchange_.can_send(); ++owner) {
            auto& inbox = shared.inbox(owner);
            if (crew_->find(owner) != nullptr || inbox.is_empty()) {
                continue;
            }
            PacketExchange::Bytes bytes{SourceAllocator<char>(shared.bytes())};
            serialize(std::uint64_t{owner}, bytes);
            std::size_t blocks = 0;
            for (auto block = inbox.pop(); block; block = inbox.pop(), ++blocks) {
                for (Message& message : *block) {
                    serialize(WireMessage{to_wire(std::move(message.state)), message.cost,
                                          message.child_evaluation, message.link},
                              bytes);
                }
            }
            exchange_.send(rank_of(owner), std::move(bytes));
            for (; blocks > 0; --blocks) {
                shared.remove_work();
            }
        }
    }

    void receive() {
        auto& shared = crew_->shared();
        std::size_t unread = 0;
        for (std::size_t i = 0; i < threads_; ++i) {
            unread += shared.inbox(first() + i).size();
        }
        if (unread > max_unread && !shared.is_over()) {
            return;
        }
        exchange_.receive(shared.bytes(), [&](const PacketExchange::Bytes& bytes) {
            Deserializer reader(bytes.data(), bytes.size());
            std::uint64_t owner = 0;
            reader.read(owner);
            auto block = shared.new_block();
            while (!reader.is_at_end()) {
                WireMessage message{};
                reader.read(message);
                block.push_back({from_wire(std::move(message.state)), message.cost, message.child_evaluation,
                                 message.link});
            }
            shared.add_work();
            shared.inbox(static_cast<std::size_t>(owner)).push(std::move(block));
        });
    }

    [[nodiscard]] Wire to_wire(traveling_t<P>&& state) const {
        if constexpr (std::same_as<Wire, traveling_t<P>>) {
            return std::move(state);
        } else {
            return pack_for_travel<true>(problem_, std::move(state));
        }
    }
    [[nodiscard]] traveling_t<P> from_wire(Wire&& state) const {
        if constexpr (std::same_as<Wire, traveling_t<P>>) {
            return std::move(state);
        } else {
            return unpack_traveler<true>(problem_, std::move(state));
        }
    }

    // The result: the same on all ranks.

    [[nodiscard]] Result gather() {
        Report end = report(crew_->statistics());
        end.has_pruned = crew_->has_pruned();
        end = Reduction<Report>()(end, ranks_);
        Result result;
        result.statistics = Statistics(before_).merge_sequential(end.statistics);
        const bool is_limited = last_.status != SearchStatus::running;
        if (!is_limited && end.best) {
            result.status = SearchStatus::solved;
            gather_path(end.best->finder, result, result.path,
                        [](const Worker& worker) { return worker.goal(); });
            return result;
        }
        result.status = is_limited ? last_.status : crew_->exhausted(end.has_pruned, result.statistics);
        NearestReport nearest;
        if (const Worker* const worker = crew_->nearest()) {
            nearest = {true, worker->engine().nearest().nearness(), worker->number()};
        }
        nearest = Reduction<NearestReport>()(nearest, ranks_);
        if (nearest.exists) {
            gather_path(nearest.worker, result, result.partial_path, [](const Worker& worker) {
                return *worker.engine().nearest().find_in(worker.engine().table());
            });
        }
        return result;
    }

    /// Who has the state that is nearest to a goal.
    struct NearestReport {
        bool exists = false;
        std::remove_cvref_t<decltype(std::declval<Worker>().engine().nearest().nearness())> nearness{};
        std::uint64_t worker = 0;

        void merge(const NearestReport& other) {
            if (other.exists && (!exists || other.nearness.is_nearer_than(nearness) ||
                                 (!nearness.is_nearer_than(other.nearness) && other.worker < worker))) {
                *this = other;
            }
        }
    };

    /// A node of a path, as its owner tells it to all.
    struct Waypoint {
        Wire state;
        /// The state before, or its number for all tables.
        std::conditional_t<FindsStateBefore<Table>, Wire, std::uint64_t> before;
        std::uint64_t owner_before;
        bool is_root;
        bool is_lost; ///< It could not be told.
    };

    Waypoint waypoint(const Table& table, const typename Table::Node& node) const {
        Waypoint result{pack_for_travel<true>(problem_, State(node.state())), {}, 0, node.is_root(), false};
        if (!result.is_root) {
            auto name = crew_->owners().name_before(table, node);
            result.owner_before = crew_->owners().owner_of(name);
            if constexpr (FindsStateBefore<Table>) {
                result.before = pack_for_travel<true>(problem_, std::move(name));
            } else {
                result.before = name;
            }
        }
        return result;
    }

    typename Table::Node node_before(const Table& table, const Waypoint& at) const {
        if constexpr (FindsStateBefore<Table>) {
            return crew_->owners().find(table, unpack_traveler<true>(problem_, Wire(at.before)));
        } else {
            return crew_->owners().find(table, at.before);
        }
    }

    /// Follows the path back from owner to owner.
    /// \param end `end(worker)`: its last node
    template <class F>
    void gather_path(std::uint64_t owner, Result& result, std::vector<State>& path, F&& end) {
        Trouble trouble;
        Waypoint at{};
        try {
            for (bool is_end = true; is_end || !(at.is_root || at.is_lost); is_end = false) {
                Waypoint next{};
                if (const Worker* const worker = crew_->find(static_cast<std::size_t>(owner))) {
                    const Table& table = worker->engine().table();
                    next.is_lost = !trouble.guard(
                        [&] { next = waypoint(table, is_end ? end(*worker) : node_before(table, at)); });
                }
                at = ranks_.broadcast(std::move(next), rank_of(static_cast<std::size_t>(owner)));
                owner = at.owner_before;
                trouble.guard([&] { path.push_back(unpack_traveler<true>(problem_, Wire(at.state))); });
            }
        } catch (const std::bad_alloc&) {
            trouble.run_out_of_memory(); // `broadcast` throws it on all.
        }
        trouble.guard([&] { std::reverse(path.begin(), path.end()); });
        add_cost(result, path, trouble);
    }

    /// All ranks get the result of the first one, which has searched alone.
    void share(Result& result) {
        Trouble trouble;
        result.status = ranks_.broadcast(result.status, 0);
        result.statistics = ranks_.broadcast(result.statistics, 0);
        auto& path = ranks_.broadcast(result.path.empty(), 0) ? result.partial_path : result.path;
        try {
            std::vector<Wire> wires;
            trouble.guard([&] {
                for (const State& state : path) {
                    wires.push_back(pack_for_travel<true>(problem_, State(state)));
                }
            });
            wires = ranks_.broadcast(std::move(wires), 0);
            trouble.guard([&] {
                path.clear();
                for (Wire& wire : wires) {
                    path.push_back(unpack_traveler<true>(problem_, std::move(wire)));
                }
            });
        } catch (const std::bad_alloc&) {
            trouble.run_out_of_memory();
        }
        add_cost(result, path, trouble);
    }

    /// The cost and the moves of the path, by its steps. Without a path if a rank had no memory for it.
    void add_cost(Result& result, const std::vector<State>& path, Trouble& trouble) {
        trouble.guard([&] {
            auto&& moves = moves_of<P>(result);
            if constexpr (has_moves<P>) {
                moves.clear();
            }
            result.cost = look_up_steps(problem_, path, moves);
        });
        if (!trouble.is_nowhere(ranks_)) {
            result = without_path(result);
        }
    }

    const Communicator& ranks_;
    const P& problem_;
    H& heuristic_;
    O& observer_;
    PriorityType priority_;
    BasicLimits<Cost> limits_;
    std::size_t threads_; // of each process
    Statistics before_;   // of the search by one
    PacketExchange exchange_;
    Reduction<Report> reduce_;
    MPI_Request request_ = MPI_REQUEST_NULL; // of the round that is under way
    Report report_;                          // what this process told then
    Report merged_;
    Report last_; // of all, by the last round
    bool is_over_ = false;
    Clock::time_point begun_ = Clock::now();
    Clock::time_point exchanged_ = begun_;
    std::optional<Team> crew_;
};

} // namespace npuzzle::detail
