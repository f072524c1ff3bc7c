#pragma once

#include "scale_model/hashing.hpp"
#include "scale_model/search_graph.hpp"

#include <cstdint>

namespace scale_model {

/// A network between ranks, and what it takes of their processors (LogGP: Alexandrov, Ionescu, Schauser,
/// Scheiman, SPAA 1995). Times are in seconds.
struct Network {
    double latency = 0;   ///< of a message
    double bandwidth = 0; ///< of each rank, in each direction: bytes a second
    double message = 0;   ///< of the processor of the sender, and again of the receiver, for each message
    double node = 0;      ///< the same for each node in a message
};

/// The rules by which a rank of `distributed_astar` searches. Times are in seconds.
struct Rules {
    unsigned block_nodes = 2'000;  ///< nodes of a full message
    double hold = 200e-6;          ///< after that time messages are sent though they are not full
    double exchange_pause = 50e-6; ///< a rank with work looks so seldom at the network
    unsigned receives = 64;        ///< messages that it takes at each look, but four for each other rank
    double round = 500e-6;         ///< between two rounds in which all ranks tell their best goals
    std::uint64_t serial_nodes = 16'384; ///< that are stored by one rank before all begin
};

/// What work takes, in seconds.
struct Work {
    double expand = 0; ///< an expansion without the insertion of the neighbors
    double insert = 0; ///< of a node that was generated
};

/// Time that other programs take from each rank, in slices at random times.
struct Interruptions {
    double share = 0; ///< of the time
    double slice = 4e-3;
};

/// What one search on one rank does: what others are compared with.
struct Serial {
    int cost = 0;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t stored = 0;
};

/// A search that expands so many times the nodes of one rank is broken off.
constexpr std::uint64_t max_overhead = 3;

/// What a simulated search did.
struct Outcome {
    bool is_broken_off = false; ///< then only counts are known
    int cost = 0;               ///< of the goal
    std::uint64_t expanded = 0;
    std::uint64_t reopened = 0;
    std::uint64_t generated = 0;
    std::uint64_t stored = 0;
    std::uint64_t order = 0; ///< a hash of the states in the order of their expansions
    std::uint64_t nodes_sent = 0;
    std::uint64_t nodes_received = 0;
    std::uint64_t messages = 0;
    std::uint64_t messages_received = 0;
    std::uint64_t max_in_flight = 0; ///< nodes that were sent and not read
    std::uint64_t max_partners = 0;  ///< ranks that a rank has sent nodes to
    double bytes = 0;
    double stored_imbalance = 0;   ///< of the rank that stores most, in parts of the mean
    double expanded_imbalance = 0; ///< the same of expansions
    double seconds = 0;
    /// Parts of the time of all ranks together: as much work as one search; work in vain; for messages; none.
    double useful = 0, vain = 0, messaging = 0, idle = 0;
};

/// Searches from `start` by ranks, 2^`bits` of them, as hash-distributed A* does. Throws
/// `benchmarks::WrongAnswer` if nodes get lost on their way.
Outcome simulate(SearchGraph& graph, const Board& start, const Hashing& hashing, unsigned bits,
                 const Network& network, const Rules& rules, const Work& work,
                 const Interruptions& interruptions, const Serial& serial);

/// The next value of `Outcome::order`.
inline std::uint64_t next_order(std::uint64_t order, const Board& board) {
    return npuzzle::detail::mix(order ^ board.word());
}

} // namespace scale_model
