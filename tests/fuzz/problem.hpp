/// @file
/// A small search problem from bytes, with its true costs by textbook algorithms that share no code with the
/// library.
#pragma once

#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/core/problem.hpp>
#include <npuzzle/search/core/result.hpp>

#include "support.hpp"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fuzz {

inline constexpr int max_vertices = 12;
inline constexpr int slots = 12;

/// Up to twelve vertices in a ring. From each of them, some of twelve fixed offsets lead to other vertices,
/// or back to itself, each at its own cost. With twelve vertices any graph is such a ring; with fewer, there
/// are parallel edges. A move is an offset, so the ring can have every capability of a problem; the structs
/// below add them.
template <class C>
struct Ring {
    using State = int;
    using Cost = C;
    using Edge = npuzzle::Edge<int, C>;
    using Edges = boost::container::static_vector<Edge, slots>;

    int vertices = 1;
    std::uint32_t goals = 0;
    std::array<std::array<C, slots>, max_vertices> costs{};
    std::array<std::array<bool, slots>, max_vertices> has_edge{};

    static int offset(int slot) { return slot % 2 == 0 ? slot / 2 + 1 : -(slot / 2 + 1); }
    int after(int vertex, int slot) const { return (vertex + offset(slot) + 6 * vertices) % vertices; }
    bool has(int vertex, int slot) const {
        return has_edge[static_cast<std::size_t>(vertex)][static_cast<std::size_t>(slot)];
    }
    C cost(int vertex, int slot) const {
        return costs[static_cast<std::size_t>(vertex)][static_cast<std::size_t>(slot)];
    }

    Edges neighbors(int vertex) const {
        Edges edges;
        for (int slot = 0; slot < slots; ++slot) {
            if (has(vertex, slot)) {
                edges.push_back({after(vertex, slot), cost(vertex, slot)});
            }
        }
        return edges;
    }
    bool is_goal(int vertex) const { return (goals >> vertex & 1U) != 0; }
};

/// The ring with one goal, and the edges into each vertex.
template <class C>
struct TwoWayRing : Ring<C> {
    explicit TwoWayRing(const Ring<C>& ring) : Ring<C>(ring) { this->goals = 1U << goal(); }

    int goal() const {
        int vertex = 0;
        while (vertex < this->vertices - 1 && !this->is_goal(vertex)) {
            ++vertex;
        }
        return vertex;
    }
    typename Ring<C>::Edges predecessors(int vertex) const {
        typename Ring<C>::Edges edges;
        for (int slot = 0; slot < slots; ++slot) {
            const int from = this->after(vertex, slot ^ 1);
            if (this->has(from, slot)) {
                edges.push_back({from, this->cost(from, slot)});
            }
        }
        return edges;
    }
    C least_cost() const {
        C least = std::numeric_limits<C>::max();
        for (int vertex = 0; vertex < this->vertices; ++vertex) {
            for (const auto& edge : this->neighbors(vertex)) {
                least = std::min(least, edge.cost);
            }
        }
        return least == std::numeric_limits<C>::max() ? C{} : least;
    }
};

/// The ring with moves.
template <class C>
struct RingOfMoves : Ring<C> {
    explicit RingOfMoves(const Ring<C>& ring) : Ring<C>(ring) {}

    using Move = std::uint8_t;
    static constexpr unsigned move_count = slots;
    static constexpr Move no_move = slots;

    template <class F>
    void for_each_move(int vertex, Move last, F f) const {
        for (int slot = 0; slot < slots; ++slot) {
            if (this->has(vertex, slot) && (last == no_move || slot != (last ^ 1))) {
                f(static_cast<Move>(slot));
            }
        }
    }
    void apply(int& vertex, Move move) const { vertex = this->after(vertex, move); }
    Move inverse(Move move) const { return static_cast<Move>(move ^ 1); }
    C move_cost(int vertex, Move move) const { return this->cost(vertex, move); }
};

/// The ring with moves in nodes of eight bytes.
struct CompactRing : RingOfMoves<int> {
    using RingOfMoves<int>::RingOfMoves;
    static constexpr unsigned word_bits = 32;
    static constexpr int longest_path = 1000;
    std::uint32_t pack(int vertex) const { return static_cast<std::uint32_t>(vertex); }
    int unpack(std::uint32_t word) const { return static_cast<int>(word); }
};

/// The ring whose states are numbered.
template <class C>
struct NumberedRing : Ring<C> {
    explicit NumberedRing(const Ring<C>& ring) : Ring<C>(ring) {}
    std::size_t index(int vertex) const { return static_cast<std::size_t>(vertex); }
    std::size_t size() const { return max_vertices; }
};

/// A ring whose steps cost one and can be gone back, with one goal.
struct UnitRing {
    using State = int;
    static constexpr bool is_undirected = true;

    TwoWayRing<int> ring;

    boost::container::static_vector<int, slots> neighbors(int vertex) const {
        boost::container::static_vector<int, slots> result;
        for (const auto& edge : ring.neighbors(vertex)) {
            result.push_back(edge.to);
        }
        return result;
    }
    bool is_goal(int vertex) const { return vertex == ring.goal(); }
    int goal() const { return ring.goal(); }
};

/// The same with states as words.
struct PackedUnitRing : UnitRing {
    explicit PackedUnitRing(const UnitRing& unit) : UnitRing(unit) {}
    std::uint16_t pack(int vertex) const { return static_cast<std::uint16_t>(vertex); }
    int unpack(std::uint16_t word) const { return word; }
};

template <class C>
using Costs = std::array<std::optional<C>, max_vertices>;

/// Dijkstra's algorithm as in a textbook: takes the nearest vertex that is not done, until none is left.
/// `edges(v)` gives the edges that are followed from v.
template <class C, class F>
Costs<C> dijkstra(int vertices, std::uint32_t sources, F edges) {
    Costs<C> costs;
    std::array<bool, max_vertices> is_done{};
    for (int vertex = 0; vertex < vertices; ++vertex) {
        if ((sources >> vertex & 1U) != 0) {
            costs[static_cast<std::size_t>(vertex)] = C{};
        }
    }
    for (;;) {
        std::optional<std::size_t> nearest;
        for (std::size_t v = 0; v < static_cast<std::size_t>(vertices); ++v) {
            if (!is_done[v] && costs[v] && (!nearest || *costs[v] < *costs[*nearest])) {
                nearest = v;
            }
        }
        if (!nearest) {
            return costs;
        }
        is_done[*nearest] = true;
        for (const auto& edge : edges(static_cast<int>(*nearest))) {
            const auto to = static_cast<std::size_t>(edge.to);
            const C through = *costs[*nearest] + edge.cost;
            if (!costs[to] || through < *costs[to]) {
                costs[to] = through;
            }
        }
    }
}

/// The true costs of a problem that starts at vertex 0.
template <class C>
struct Truth {
    Costs<C> from_start;
    Costs<C> to_goal;
    std::optional<C> least_cost;
    std::optional<int> fewest_steps;

    explicit Truth(const Ring<C>& ring) {
        from_start = dijkstra<C>(ring.vertices, 1, [&](int vertex) { return ring.neighbors(vertex); });
        const TwoWayRing<C> reversed(ring);
        to_goal =
            dijkstra<C>(ring.vertices, ring.goals, [&](int vertex) { return reversed.predecessors(vertex); });
        least_cost = to_goal[0];
        const auto steps = dijkstra<int>(ring.vertices, 1, [&](int vertex) {
            boost::container::static_vector<npuzzle::Edge<int, int>, slots> edges;
            for (const auto& edge : ring.neighbors(vertex)) {
                edges.push_back({edge.to, 1});
            }
            return edges;
        });
        for (int vertex = 0; vertex < ring.vertices; ++vertex) {
            const auto& count = steps[static_cast<std::size_t>(vertex)];
            if (ring.is_goal(vertex) && count && (!fewest_steps || *count < *fewest_steps)) {
                fewest_steps = count;
            }
        }
    }
};

/// An estimate for each vertex.
template <class C, bool consistent = false>
struct Estimates {
    static constexpr bool is_consistent = consistent;
    static constexpr bool marks_dead_ends = true;

    std::array<C, max_vertices> values{};

    C operator()(int vertex) const { return values[static_cast<std::size_t>(vertex)]; }
};

template <class C>
constexpr C infinite() {
    return std::numeric_limits<C>::has_infinity ? std::numeric_limits<C>::infinity()
                                                : std::numeric_limits<C>::max();
}

/// How estimates are made of the true costs.
enum class Guess : std::uint8_t {
    zero,
    exact,
    capped,   ///< the costs, but no more than some number
    any,      ///< anything from zero to the costs
    smoothed, ///< the same, but consistent if sums do not round
};

/// Admissible estimates, made from the true costs to an end and one byte for each vertex; if they are to be
/// consistent, raised until they are. `edges(v)` gives the edges on the way to that end.
template <class C, class F>
std::array<C, max_vertices> estimates_of(const Costs<C>& costs, int vertices, Guess guess,
                                         bool tells_dead_ends, bool is_smoothed, Bytes bytes, C unit,
                                         F edges) {
    const auto units = [&](C cost) { return static_cast<int>(cost / unit); };
    const int cap = bytes.next() % 64;
    std::array<C, max_vertices> values{};
    for (int vertex = 0; vertex < vertices; ++vertex) {
        const auto v = static_cast<std::size_t>(vertex);
        if (!costs[v]) {
            values[v] = tells_dead_ends ? infinite<C>() : C{};
            continue;
        }
        const C cost = *costs[v];
        const int share = bytes.next();
        values[v] = guess == Guess::zero    ? C{}
                    : guess == Guess::exact ? cost
                    : guess == Guess::capped
                        ? std::min(cost, static_cast<C>(cap) * unit)
                        : std::min(cost, static_cast<C>(units(cost) * share / 255) * unit);
    }
    if (!is_smoothed) {
        return values;
    }
    // Consistent: no estimate exceeds a step and the estimate after it. Raises those after it that are too
    // small, as those of dead ends may be.
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int vertex = 0; vertex < vertices; ++vertex) {
            for (const auto& edge : edges(vertex)) {
                C& next = values[static_cast<std::size_t>(edge.to)];
                const C value = values[static_cast<std::size_t>(vertex)];
                if (value != infinite<C>() && next < value - edge.cost) {
                    next = value - edge.cost;
                    has_changed = true;
                }
            }
        }
    }
    return values;
}

/// A problem, its truth and its estimates, for both directions.
template <class C>
struct Case {
    Ring<C> ring;
    bool is_exact = true; ///< whether sums of costs do not round
    bool is_consistent = false;
    std::array<C, max_vertices> forward{};
    std::array<C, max_vertices> backward{};
    int limit = 0;     ///< of expansions; 0 for none
    int max_cost = -1; ///< in units; -1 for none
    C unit{};

    /// One byte each: vertices, kind, goals, limits; then for each vertex a share of its true cost, and then
    /// two for each edge.
    explicit Case(Bytes bytes) {
        ring.vertices = 1 + bytes.below(max_vertices);
        const int kind = bytes.next();
        is_exact = std::is_integral_v<C> || (kind & 1) != 0;
        unit = std::is_integral_v<C> ? C{1} : static_cast<C>(is_exact ? 0.25 : 0.1);
        const auto guess = static_cast<Guess>((kind >> 1) % 5);
        const bool tells_dead_ends = (kind & 32) != 0;
        const bool has_free_edges = (kind & 64) != 0;
        const bool has_two_goals = (kind & 128) != 0;
        const int goal_byte = bytes.next();
        ring.goals = 1U << (goal_byte % ring.vertices);
        if (has_two_goals) {
            ring.goals |= 1U << (goal_byte / 16 % ring.vertices);
        }
        const int limits = bytes.next();
        limit = limits < 192 ? 0 : limits - 191;
        max_cost = limits >= 64 && limits < 128 ? limits - 64 : -1;
        const Bytes shares = bytes;
        for (int i = 0; i < max_vertices + 1; ++i) {
            bytes.next();
        }
        while (!bytes.empty()) {
            const int place = bytes.next();
            const int units = bytes.next() % 24 + (has_free_edges ? 0 : 1);
            connect(place / 16 % ring.vertices, place % slots, static_cast<C>(units) * unit);
        }
        is_consistent = is_exact && guess != Guess::any;
        const Truth<C> truth(ring);
        forward = estimates_of<C>(truth.to_goal, ring.vertices, guess, tells_dead_ends, is_consistent, shares,
                                  unit, [&](int vertex) { return ring.neighbors(vertex); });
        const TwoWayRing<C> reversed(ring);
        backward = estimates_of<C>(truth.from_start, ring.vertices, guess, tells_dead_ends, is_consistent,
                                   shares, unit, [&](int vertex) { return reversed.predecessors(vertex); });
    }

    /// The same with steps that cost one and can be gone back, with one goal and without estimates.
    Case undirected() const {
        Case both = *this;
        both.ring.goals = 1U << TwoWayRing<C>(ring).goal();
        for (int vertex = 0; vertex < ring.vertices; ++vertex) {
            for (int slot = 0; slot < slots; ++slot) {
                if (ring.has(vertex, slot)) {
                    both.connect(vertex, slot, C{1});
                    both.connect(ring.after(vertex, slot), slot ^ 1, C{1});
                }
            }
        }
        return both;
    }

    void connect(int vertex, int slot, C cost) {
        ring.has_edge[static_cast<std::size_t>(vertex)][static_cast<std::size_t>(slot)] = true;
        ring.costs[static_cast<std::size_t>(vertex)][static_cast<std::size_t>(slot)] = cost;
    }

    /// The limits that the bytes say.
    npuzzle::BasicLimits<C> limits() const {
        npuzzle::BasicLimits<C> limits;
        if (limit != 0) {
            limits.expansions = static_cast<std::uint64_t>(limit);
        }
        limits.max_cost = bound();
        return limits;
    }
    std::optional<C> bound() const {
        return max_cost < 0 ? std::nullopt : std::optional<C>(static_cast<C>(max_cost) * unit);
    }

    /// The problem as text, for the report of a fault.
    std::string to_string() const {
        std::string text = std::to_string(ring.vertices) + " vertices, goals";
        for (int vertex = 0; vertex < ring.vertices; ++vertex) {
            text += ring.is_goal(vertex) ? " " + std::to_string(vertex) : "";
        }
        text += ", limit " + std::to_string(limit) + ", max_cost " + std::to_string(max_cost) + "\n";
        for (int vertex = 0; vertex < ring.vertices; ++vertex) {
            text += std::to_string(vertex) + ", h " +
                    std::to_string(forward[static_cast<std::size_t>(vertex)]) + ", back " +
                    std::to_string(backward[static_cast<std::size_t>(vertex)]) + ":";
            for (const auto& edge : ring.neighbors(vertex)) {
                text += " " + std::to_string(edge.to) + " (" + std::to_string(edge.cost) + ")";
            }
            text += '\n';
        }
        return text;
    }
};

/// What a search promises of its path.
enum class Promise : std::uint8_t { least_cost, within_bound, fewest_steps, a_path };

/// Compares results of searches with the truth. Ends the program if one is wrong.
template <class C>
class Judge {
public:
    explicit Judge(const Case<C>& problem) : problem_(problem), truth_(problem.ring) {}

    const Truth<C>& truth() const { return truth_; }

    /// A cost that is the same up to the rounding of sums.
    bool is_no_more(double cost, double bound) const {
        return cost <= (problem_.is_exact ? bound : bound * (1 + 1e-9) + 1e-9);
    }

    /// \param max_cost the bound on the cost that the search was given
    template <class Result>
    void judge(const char* name, const Result& result, Promise promise, double bound = 1,
               std::optional<C> max_cost = {}) const {
        using npuzzle::Status;
        if (result.status == Status::expansion_limit) {
            expect(name, problem_.limit != 0 || is_bounded_, "no limit was given");
            return;
        }
        const bool is_reachable = truth_.least_cost.has_value();
        if (result.status == Status::cost_limit) {
            expect(name, max_cost.has_value(), "no bound was given");
            expect(name, !is_reachable || !problem_.is_exact || *max_cost < *truth_.least_cost,
                   "the bound allows a solution");
            return;
        }
        expect(name, result.status == (is_reachable ? Status::solved : Status::unsolvable),
               "the status is wrong");
        if (!is_reachable) {
            expect(name, result.path.empty(), "there is a path");
            return;
        }
        judge_path(name, result);
        const auto cost = static_cast<double>(result.cost);
        const auto least = static_cast<double>(*truth_.least_cost);
        expect(name, is_no_more(least, cost), "the cost is below the least");
        if (promise == Promise::least_cost) {
            expect(name, is_no_more(cost, least), "the cost is not the least");
        } else if (promise == Promise::within_bound) {
            expect(name, cost <= least * bound * (1 + 1e-9) + 1e-9, "the cost is beyond the bound");
        } else if (promise == Promise::fewest_steps) {
            expect(name, static_cast<int>(result.path.size()) - 1 == *truth_.fewest_steps,
                   "the steps are not the fewest");
        }
        if (max_cost && problem_.is_exact) {
            expect(name, result.cost <= *max_cost, "the cost is beyond the limit");
        }
    }

    /// For searches that have an expansion limit from us.
    Judge bounded() const {
        Judge judge = *this;
        judge.is_bounded_ = true;
        return judge;
    }

    /// Ends the program with the problem and what is wrong with it, unless `holds`.
    void expect(const char* name, bool holds, const char* wrong) const {
        if (!holds) {
            require(false, (std::string(name) + ": " + wrong + "\n" + problem_.to_string()).c_str());
        }
    }

private:
    /// A path leads from the start over edges to a goal, and its cost is that of some of the edges on it;
    /// where there are moves, of these.
    template <class Result>
    void judge_path(const char* name, const Result& result) const {
        const Ring<C>& ring = problem_.ring;
        expect(name, !result.path.empty() && result.path.front() == 0, "the path begins elsewhere");
        expect(name, ring.is_goal(result.path.back()), "the path ends elsewhere");
        C least{};
        C most{};
        for (std::size_t i = 0; i + 1 < result.path.size(); ++i) {
            std::optional<C> cheapest;
            std::optional<C> dearest;
            for (const auto& edge : ring.neighbors(result.path[i])) {
                if (edge.to == result.path[i + 1]) {
                    cheapest = cheapest ? std::min(*cheapest, edge.cost) : edge.cost;
                    dearest = dearest ? std::max(*dearest, edge.cost) : edge.cost;
                }
            }
            expect(name, cheapest.has_value(), "a step of the path is no edge");
            least += *cheapest;
            most += *dearest;
        }
        expect(name, is_no_more(least, result.cost) && is_no_more(result.cost, most),
               "the cost is not that of the path");
        if constexpr (requires { result.moves; }) {
            expect(name, result.moves.size() + 1 == result.path.size(), "moves are missing");
            for (std::size_t i = 0; i < result.moves.size(); ++i) {
                expect(name, ring.has(result.path[i], result.moves[i]), "there is no such move");
                expect(name, ring.after(result.path[i], result.moves[i]) == result.path[i + 1],
                       "a move leads elsewhere");
            }
        }
    }

    const Case<C>& problem_;
    Truth<C> truth_;
    bool is_bounded_ = false;
};

} // namespace fuzz
