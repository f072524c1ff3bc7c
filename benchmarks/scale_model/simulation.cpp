#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/buckets.hpp>

#include "scale_model/simulation.hpp"
#include "support/answers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace scale_model {

namespace {

using benchmarks::require;

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::uint32_t null = std::numeric_limits<std::uint32_t>::max();

/// Objects by number, whose memory is used again.
template <class T>
class Pool {
public:
    std::uint32_t take() {
        if (free_.empty()) {
            all_.emplace_back();
            return static_cast<std::uint32_t>(all_.size() - 1);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        all_[number] = T{};
        return number;
    }
    void give_back(std::uint32_t number) { free_.push_back(number); }
    T& operator[](std::uint32_t number) { return all_[number]; }

private:
    std::vector<T> all_;
    std::vector<std::uint32_t> free_;
};

/// A node on its way to its owner.
struct Traveler {
    Node node = SearchGraph::none;
    std::uint8_t cost = 0;
    npuzzle::Move move = npuzzle::Move::none;
    std::uint32_t next = null; // in its message
};

/// Nodes of one rank for another.
struct Message {
    std::uint32_t to = 0;
    std::uint32_t count = 0;
    std::uint32_t first = null;
    std::uint32_t last = null;
};

struct Arrival {
    double time;
    std::uint32_t message;
    bool operator>(const Arrival& other) const {
        return time > other.time || (time == other.time && message > other.message);
    }
};

/// What the owner of a node knows of it.
struct NodeState {
    static constexpr std::uint8_t unseen = 255;

    std::uint8_t cost = unseen;
    npuzzle::Move move = npuzzle::Move::none; // that led to it
    bool is_open = false;
};

struct Rank {
    Rank(std::size_t its_number, npuzzle::MemoryBudget& budget) : number(its_number), open(budget) {}

    std::size_t number;
    npuzzle::BucketOpenList<int, int, Node> open;
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> on_the_way;
    std::vector<std::uint32_t> mail; // messages to be read, those before `next_mail` excepted
    std::size_t next_mail = 0;
    std::vector<std::uint32_t> outbox;  // messages that wait for the next look at the network
    std::vector<std::uint32_t> filling; // ranks for which there is a message that is not full
    double now = 0;
    double wake = never;
    double exchanged = -never;
    double posted = 0;
    double output_free = 0; // when the last byte has left
    double input_free = 0;  // when the last byte has come
    double next_interruption = never;
    std::uint64_t expanded = 0;
    std::uint64_t stored = 0;
    std::uint64_t partners = 0;
    unsigned turn = 0; // expansions since it looked around
    int bound = std::numeric_limits<int>::max();
    bool rests = true;
};

class Simulation {
public:
    Simulation(SearchGraph& graph, const Hashing& hashing, unsigned bits, const Network& network,
               const Rules& rules, const Work& work, const Interruptions& interruptions)
        : graph_(graph), hashing_(hashing), bits_(bits), count_(std::size_t{1} << bits), network_(network),
          rules_(rules), work_(work), interruptions_(interruptions), filling_(count_ * count_, null),
          are_partners_(count_ * count_, false), generator_(1985) {
        for (std::size_t i = 0; i < count_; ++i) {
            ranks_.emplace_back(i, budget_);
            ranks_.back().next_interruption = time_to_interruption();
        }
    }

    Outcome run(const Board& start, const Serial& serial) {
        const double serial_seconds = static_cast<double>(serial.expanded) * work_.expand +
                                      static_cast<double>(serial.generated) * work_.insert;
        double begin = 0;
        if (count_ > 1) { // The first rank begins alone, and all begin anew after that.
            const double part = static_cast<double>(rules_.serial_nodes) /
                                static_cast<double>(std::max<std::uint64_t>(serial.stored, 1));
            constexpr double longest = 5e-3;
            begin = std::min({part * serial_seconds, serial_seconds, longest}) + tree(0);
        }
        const Node root = graph_.node_of(start);
        Rank& first = ranks_[owner(root)];
        for (Rank& rank : ranks_) {
            rank.now = begin;
        }
        insert(first, {root, 0, npuzzle::Move::none, null});
        schedule(first, begin);
        max_expansions_ = max_overhead * serial.expanded;
        run_events();
        return finish(serial_seconds);
    }

private:
    /// The most expansions and the most nodes that are read between two looks at the mail, and expansions
    /// between two looks around.
    static constexpr unsigned batch = 16;
    static constexpr unsigned read_at_once = 64;
    static constexpr unsigned longest_turn = 64;
    static constexpr double bytes_of_node = 16;
    static constexpr double bytes_of_header = 64;

    std::size_t owner(Node node) {
        while (owners_.size() <= node) {
            const auto next = static_cast<Node>(owners_.size());
            owners_.push_back(
                static_cast<std::uint16_t>(hashing_.owner(hashing_.hash(graph_.board(next)), bits_)));
        }
        return owners_[node];
    }

    NodeState& state(Node node) {
        if (states_.size() <= node) {
            states_.resize(std::max<std::size_t>(node + 1, graph_.size()));
        }
        return states_[node];
    }

    double time_to_interruption() {
        if (interruptions_.share <= 0) {
            return never;
        }
        const double mean = interruptions_.slice * (1 - interruptions_.share) / interruptions_.share;
        return std::exponential_distribution<double>(1 / mean)(generator_);
    }

    /// How long it takes until all know what each knew: a reduction to one rank, and back.
    /// \param pause until a rank looks at the network, on average
    double tree(double pause) const { return 2 * bits_ * (network_.latency + 2 * network_.message + pause); }

    void schedule(Rank& rank, double time) {
        if (time < rank.wake) {
            rank.wake = time;
            events_.emplace(time, static_cast<std::uint32_t>(rank.number));
        }
    }

    void run_events() {
        while (!events_.empty()) {
            if (expansions_ > max_expansions_) {
                outcome_.is_broken_off = true;
                return;
            }
            const auto [time, number] = events_.top();
            events_.pop();
            Rank& rank = ranks_[number];
            if (time == rank.wake) {
                rank.wake = never;
                rank.now = std::max(rank.now, time);
                if (rank.now >= rank.next_interruption) {
                    rank.now += interruptions_.slice;
                    rank.next_interruption = rank.now + time_to_interruption();
                    schedule(rank, rank.now);
                } else {
                    advance(rank);
                }
            }
        }
    }

    /// What a rank does between two looks at its mail.
    void advance(Rank& rank) {
        if (count_ > 1 && (rank.rests || rank.now - rank.exchanged >= rules_.exchange_pause)) {
            exchange(rank);
        }
        read(rank);
        if (!rank.open.empty() && !is_useful(rank)) {
            rank.open.clear();
        }
        if (rank.open.empty()) {
            if (rank.next_mail < rank.mail.size()) {
                schedule(rank, rank.now);
                return;
            }
            post_all(rank);
            rank.rests = true;
            exchange(rank);
            last_work_ = std::max(last_work_, rank.now);
            if (rank.next_mail < rank.mail.size()) {
                schedule(rank, rank.now);
            } else if (!rank.on_the_way.empty()) {
                schedule(rank, std::max(rank.now, rank.on_the_way.top().time));
            }
            return;
        }
        rank.rests = false;
        for (unsigned i = 0; i < batch && !rank.open.empty() && is_useful(rank);) {
            i += visit(rank, rank.open.pop()) ? 1 : 0;
        }
        if (rank.turn >= longest_turn) {
            rank.turn = 0;
            if (rank.now - rank.posted > rules_.hold) {
                rank.posted = rank.now;
                post_all(rank);
            }
        }
        schedule(rank, rank.now);
    }

    /// Whether the first open node can lead to a better goal than those that the rank knows of.
    bool is_useful(Rank& rank) {
        for (const auto& [time, cost] : news_) {
            if (time <= rank.now) {
                rank.bound = std::min(rank.bound, cost);
            }
        }
        return rank.open.first_priority() < rank.bound;
    }

    /// Expands the node of an entry; false if the entry was superseded.
    bool visit(Rank& rank, const npuzzle::OpenEntry<int, int, Node>& entry) {
        const NodeState known = state(entry.key);
        if (!known.is_open || known.cost != entry.cost) {
            return false;
        }
        if (graph_.is_goal(entry.key)) {
            reach(rank, entry.cost);
            return true;
        }
        state(entry.key).is_open = false;
        ++rank.expanded;
        ++expansions_;
        ++rank.turn;
        outcome_.order = next_order(outcome_.order, graph_.board(entry.key));
        spend(rank, working_, work_.expand);
        const auto neighbors = graph_.neighbors(entry.key);
        for (const npuzzle::Move move : npuzzle::all_moves) {
            const Node next = neighbors[static_cast<std::size_t>(move)];
            if (next == SearchGraph::none || move == npuzzle::inverse(known.move)) {
                continue;
            }
            ++outcome_.generated;
            require(entry.cost + 1 < NodeState::unseen, "a path is too long for the model");
            const Traveler traveler{next, static_cast<std::uint8_t>(entry.cost + 1), move, null};
            const std::size_t to = owner(next);
            if (to == rank.number) {
                insert(rank, traveler);
            } else {
                send(rank, to, traveler);
            }
        }
        return true;
    }

    /// A goal: this rank knows at once, the others after the next round.
    void reach(Rank& rank, int cost) {
        if (cost < rank.bound) {
            rank.bound = cost;
            outcome_.cost = outcome_.cost == 0 ? cost : std::min(outcome_.cost, cost);
            const double round = (std::floor(rank.now / rules_.round) + 1) * rules_.round;
            news_.emplace_back((rules_.round > 0 ? round : rank.now) + tree(rules_.exchange_pause / 2), cost);
        }
    }

    void insert(Rank& rank, const Traveler& traveler) {
        spend(rank, working_, work_.insert);
        NodeState& known = state(traveler.node);
        if (traveler.cost >= known.cost) {
            return;
        }
        if (known.cost == NodeState::unseen) {
            ++rank.stored;
        } else if (!known.is_open) {
            ++outcome_.reopened;
        }
        known = {traveler.cost, traveler.move, true};
        rank.open.push({traveler.cost + graph_.estimate(traveler.node), traveler.cost, traveler.node});
    }

    void send(Rank& rank, std::size_t to, const Traveler& traveler) {
        const std::size_t pair = rank.number * count_ + to;
        std::uint32_t& filling = filling_[pair];
        if (filling == null) {
            filling = messages_.take();
            messages_[filling].to = static_cast<std::uint32_t>(to);
            rank.filling.push_back(static_cast<std::uint32_t>(to));
            if (!are_partners_[pair]) {
                are_partners_[pair] = true;
                ++rank.partners;
            }
        }
        Message& message = messages_[filling];
        const std::uint32_t place = travelers_.take();
        travelers_[place] = traveler;
        (message.last == null ? message.first : travelers_[message.last].next) = place;
        message.last = place;
        spend(rank, messaging_, network_.node);
        ++outcome_.nodes_sent;
        outcome_.max_in_flight =
            std::max(outcome_.max_in_flight, outcome_.nodes_sent - outcome_.nodes_received);
        if (++message.count == rules_.block_nodes) {
            rank.outbox.push_back(std::exchange(filling, null));
            std::erase(rank.filling, static_cast<std::uint32_t>(to));
        }
    }

    void post_all(Rank& rank) {
        for (const std::uint32_t to : rank.filling) {
            rank.outbox.push_back(std::exchange(filling_[rank.number * count_ + to], null));
        }
        rank.filling.clear();
    }

    /// Looks at the network: gives it what waits, and takes some of what has come.
    void exchange(Rank& rank) {
        rank.exchanged = rank.now;
        for (const std::uint32_t sent : rank.outbox) {
            spend(rank, messaging_, network_.message);
            const Message& message = messages_[sent];
            const double bytes = bytes_of_header + bytes_of_node * message.count;
            const double duration = bytes / network_.bandwidth;
            Rank& receiver = ranks_[message.to];
            rank.output_free = std::max(rank.output_free, rank.now) + duration;
            receiver.input_free =
                std::max(receiver.input_free + duration, rank.output_free + network_.latency);
            receiver.on_the_way.push({receiver.input_free, sent});
            if (receiver.rests) {
                schedule(receiver, std::max(receiver.now, receiver.on_the_way.top().time));
            }
            ++outcome_.messages;
            outcome_.bytes += bytes;
        }
        rank.outbox.clear();
        const std::size_t most = std::min<std::size_t>(rules_.receives, 4 * (ranks_.size() - 1));
        for (std::size_t taken = 0;
             taken < most && !rank.on_the_way.empty() && rank.on_the_way.top().time <= rank.now; ++taken) {
            spend(rank, messaging_, network_.message);
            rank.mail.push_back(rank.on_the_way.top().message);
            rank.on_the_way.pop();
            ++outcome_.messages_received;
        }
    }

    void read(Rank& rank) {
        for (unsigned i = 0; i < read_at_once && rank.next_mail < rank.mail.size(); ++i) {
            Message& message = messages_[rank.mail[rank.next_mail]];
            const std::uint32_t place = std::exchange(message.first, travelers_[message.first].next);
            const Traveler traveler = travelers_[place];
            travelers_.give_back(place);
            ++outcome_.nodes_received;
            spend(rank, messaging_, network_.node);
            insert(rank, traveler);
            if (message.first == null) {
                messages_.give_back(rank.mail[rank.next_mail++]);
            }
        }
        if (rank.next_mail == rank.mail.size()) {
            rank.mail.clear();
            rank.next_mail = 0;
        }
    }

    static void spend(Rank& rank, double& account, double seconds) {
        rank.now += seconds;
        account += seconds;
    }

    Outcome finish(double serial_seconds) {
        std::uint64_t max_stored = 0;
        std::uint64_t max_expanded = 0;
        for (const Rank& rank : ranks_) {
            outcome_.stored += rank.stored;
            outcome_.expanded += rank.expanded;
            max_stored = std::max(max_stored, rank.stored);
            max_expanded = std::max(max_expanded, rank.expanded);
            outcome_.max_partners = std::max(outcome_.max_partners, rank.partners);
        }
        if (outcome_.is_broken_off) {
            return outcome_;
        }
        require(outcome_.nodes_sent == outcome_.nodes_received &&
                    outcome_.messages == outcome_.messages_received,
                "nodes were lost on their way");
        const double ranks = static_cast<double>(count_);
        outcome_.stored_imbalance =
            static_cast<double>(max_stored) * ranks / static_cast<double>(outcome_.stored);
        outcome_.expanded_imbalance =
            static_cast<double>(max_expanded) * ranks / static_cast<double>(outcome_.expanded);
        // Two rounds find all at rest.
        outcome_.seconds = last_work_ + 2 * tree(0);
        const double all = ranks * outcome_.seconds;
        outcome_.useful = serial_seconds / all;
        outcome_.vain = (working_ - serial_seconds) / all;
        outcome_.messaging = messaging_ / all;
        outcome_.idle = std::max(0.0, 1 - outcome_.useful - outcome_.vain - outcome_.messaging);
        return outcome_;
    }

    using Event = std::pair<double, std::uint32_t>; // a time and a rank

    SearchGraph& graph_;
    const Hashing& hashing_;
    unsigned bits_;
    std::size_t count_;
    Network network_;
    Rules rules_;
    Work work_;
    Interruptions interruptions_;
    npuzzle::MemoryBudget budget_;
    std::deque<Rank> ranks_;
    std::vector<std::uint16_t> owners_;
    std::vector<NodeState> states_;
    Pool<Traveler> travelers_;
    Pool<Message> messages_;
    std::vector<std::uint32_t> filling_; // for each pair of ranks
    std::vector<bool> are_partners_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<std::pair<double, int>> news_; // costs of goals, and from when all know them
    std::mt19937_64 generator_;
    Outcome outcome_;
    std::uint64_t expansions_ = 0;
    std::uint64_t max_expansions_ = 0;
    double last_work_ = 0;
    double working_ = 0;
    double messaging_ = 0;
};

} // namespace

Outcome simulate(SearchGraph& graph, const Board& start, const Hashing& hashing, unsigned bits,
                 const Network& network, const Rules& rules, const Work& work,
                 const Interruptions& interruptions, const Serial& serial) {
    return Simulation(graph, hashing, bits, network, rules, work, interruptions).run(start, serial);
}

} // namespace scale_model
