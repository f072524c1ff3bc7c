/// @file
/// Problems, states, heuristics and observers of which any call can be made to throw, and what must hold for
/// an engine then.
#pragma once

#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/core/problem.hpp>
#include <npuzzle/search/core/result.hpp>

#include "support/catch.hpp"
#include "support/oracles.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace test {

/// The caller's code that a search calls.
enum class Call : std::uint8_t { neighbors, goal_test, heuristic, hash, copy, comparison, observer, stop };

inline constexpr std::array all_calls{Call::neighbors, Call::goal_test,  Call::heuristic, Call::hash,
                                      Call::copy,      Call::comparison, Call::observer,  Call::stop};

struct Blown {};

/// Throws at one call of one kind: `Blown`, or `std::bad_alloc`.
struct Fuse {
    Call kind{};
    std::uint64_t left = 0; ///< calls of that kind; 0: it does not blow
    bool is_out_of_memory = false;
    bool has_blown = false;

    void arm(Call call, std::uint64_t number, bool out_of_memory) {
        *this = {call, number, out_of_memory, false};
    }
    void disarm() { left = 0; }

    void burn(Call call) {
        if (call != kind || left == 0 || --left > 0) {
            return;
        }
        has_blown = true;
        if (is_out_of_memory) {
            throw std::bad_alloc();
        }
        throw Blown{};
    }
};

inline Fuse fuse;

/// A number. It has no move, so each way that a search hands it on may throw.
struct Fragile {
    int number = 0;

    Fragile(int its_number) : number(its_number) {} // NOLINT(google-explicit-constructor)
    Fragile(const Fragile& other) : number(other.number) { fuse.burn(Call::copy); }
    Fragile& operator=(const Fragile& other) {
        fuse.burn(Call::copy);
        number = other.number;
        return *this;
    }
    ~Fragile() = default;

    friend bool operator==(const Fragile& a, const Fragile& b) {
        fuse.burn(Call::comparison);
        return a.number == b.number;
    }
    friend bool operator<(const Fragile& a, const Fragile& b) { return a.number < b.number; }
    friend std::size_t hash_value(const Fragile& state) {
        fuse.burn(Call::hash);
        return static_cast<std::size_t>(state.number);
    }
};

/// Numbers on a circle, each beside four others. A step costs 1, or something from 1 to 4.
template <bool is_weighted, class S = Fragile>
struct Circle {
    using State = S;
    using Neighbor = std::conditional_t<is_weighted, npuzzle::Edge<State, int>, State>;

    static constexpr bool is_undirected = true;
    static constexpr int count = 10;
    static constexpr std::array<int, 4> offsets{1, count - 1, 3, count - 3};
    static constexpr int start = 0;
    static constexpr int goal_number = 5;

    static int after(int number, std::size_t i) { return (number + offsets[i]) % count; }
    static int cost(int number, std::size_t i) {
        const int least = number < after(number, i) ? number : after(number, i);
        return is_weighted ? 1 + (5 * least + static_cast<int>(i) / 2 * 2) % 4 : 1;
    }

    std::vector<Neighbor> neighbors(const State& state) const {
        fuse.burn(Call::neighbors);
        std::vector<Neighbor> result;
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            if constexpr (is_weighted) {
                result.push_back({after(state.number, i), cost(state.number, i)});
            } else {
                result.push_back(after(state.number, i));
            }
        }
        return result;
    }
    bool is_goal(const State& state) const {
        fuse.burn(Call::goal_test);
        return state.number == goal_number;
    }
    State goal() const { return goal_number; }
};

/// With moves: the numbers of the offsets.
template <class Base>
struct WalkedCircle : Base {
    using typename Base::State;
    using Move = std::uint8_t;
    static constexpr unsigned move_count = 4;
    static constexpr Move no_move = move_count;

    void for_each_move(const State& state, Move last, auto&& visit) const {
        fuse.burn(Call::neighbors);
        static_cast<void>(state);
        for (Move move = 0; move < no_move; ++move) {
            if (last == no_move || move != (last ^ 1)) {
                visit(move);
            }
        }
    }
    void apply(State& state, Move move) const {
        fuse.burn(Call::neighbors);
        state.number = Base::after(state.number, move);
    }
    Move inverse(Move move) const {
        fuse.burn(Call::neighbors);
        return static_cast<Move>(move ^ 1);
    }
    int move_cost(const State& state, Move move) const {
        fuse.burn(Call::neighbors);
        return Base::cost(state.number, move);
    }
};

template <class Base>
struct PackedCircle : Base {
    using typename Base::State;
    static constexpr unsigned word_bits = 8;

    std::uint16_t pack(const State& state) const {
        fuse.burn(Call::neighbors);
        return static_cast<std::uint16_t>(state.number);
    }
    State unpack(std::uint16_t word) const {
        fuse.burn(Call::neighbors);
        return word;
    }
};

template <class Base>
struct IndexedCircle : Base {
    using typename Base::State;

    std::size_t index(const State& state) const {
        fuse.burn(Call::hash);
        return static_cast<std::size_t>(state.number);
    }
    static std::size_t size() { return Base::count; }
};

/// The true costs to an end, or half of them, rounded down: a consistent heuristic.
template <class P>
std::vector<int> estimates_to(int end, bool is_halved) {
    const P circle;
    std::vector<int> estimates;
    for (int number = 0; number < P::count; ++number) {
        const int cost = oracle::costs_from<int>(circle, number).at(end);
        estimates.push_back(is_halved ? cost / 2 : cost);
    }
    return estimates;
}

/// Estimates from a table.
struct FragileHeuristic {
    std::vector<int> estimates;

    int operator()(const auto& state) const {
        fuse.burn(Call::heuristic);
        return estimates[static_cast<std::size_t>(state.number)];
    }
};

struct FragileObserver {
    void start(const auto& /*node*/) { fuse.burn(Call::observer); }
    void expand(const auto& /*node*/) { fuse.burn(Call::observer); }
    void generate(const auto& /*node*/, const auto& /*parent*/) { fuse.burn(Call::observer); }
    void duplicate(const auto& /*node*/) { fuse.burn(Call::observer); }
    void improve(const auto& /*node*/) { fuse.burn(Call::observer); }
    void reopen(const auto& /*node*/) { fuse.burn(Call::observer); }
    void goal(const auto& /*node*/) { fuse.burn(Call::observer); }
    void progress(const npuzzle::Statistics& /*statistics*/) { fuse.burn(Call::observer); }
};

/// Limits that no search reaches, with a function that is asked whether to stop.
template <class Cost = int>
npuzzle::BasicLimits<Cost> fragile_limits() {
    npuzzle::BasicLimits<Cost> limits;
    limits.stop = [] {
        fuse.burn(Call::stop);
        return false;
    };
    return limits;
}

/// Whether a result is that of a search which found a way of this cost; of any cost, if there is none.
template <class P, class Result>
bool is_solution(const P& problem, const Result& result, std::optional<int> cost) {
    return result.status == npuzzle::Status::solved && !result.path.empty() &&
           result.path.front() == typename P::State(P::start) && problem.is_goal(result.path.back()) &&
           oracle::path_cost<int>(problem, result.path) == result.cost && (!cost || result.cost == *cost);
}

namespace detail {

template <class Engine>
auto outcome_of(Engine& engine) {
    if constexpr (requires { engine.count(); }) {
        return engine.count();
    } else {
        return engine.result();
    }
}

template <class Result>
bool is_without_solution(const Result& result) {
    if constexpr (requires { result.path; }) {
        return result.path.empty() && result.partial_path.empty() && result.cost == decltype(result.cost){};
    } else {
        return result.counts.empty();
    }
}

/// Begins a search again that has ended; false if the engine cannot.
template <class Engine>
bool begin_again(Engine& engine) {
    if constexpr (requires { engine.restart(typename Engine::State(0)); }) {
        engine.restart(typename Engine::State(0));
    } else if constexpr (requires { engine.deepen(100U); }) {
        engine.deepen(100U);
    } else {
        return false;
    }
    return true;
}

/// What is wrong with an engine whose search has failed: it stays as it is until it is begun again, and then
/// finds what it should.
template <class Engine, class IsRight>
std::string_view fault_after_failure(Engine& engine, npuzzle::Status expected, Call call, IsRight is_right) {
    if (engine.status() != expected) return "another status than that of an exception";
    const npuzzle::Statistics before = engine.statistics();
    if (engine.step() || engine.run() != expected || !(engine.statistics() == before)) {
        return "the search went on";
    }
    const auto result = outcome_of(engine);
    if (result.status != expected) return "the result has another status";
    if (expected == npuzzle::Status::failed && !is_without_solution(result)) return "it has a solution";
    fuse.arm(call, 2, false);
    try {
        if (begin_again(engine)) engine.run();
    } catch (const Blown&) {
        if (engine.status() != npuzzle::Status::failed) return "begun again, it has another status";
    }
    fuse.disarm();
    if (!begin_again(engine)) return "";
    engine.run();
    return is_right(outcome_of(engine)) ? "" : "begun again, it found something else";
}

/// What is wrong when the call of that number fails: empty if nothing is. None if there was no such call.
template <class Make, class IsRight>
std::optional<std::string_view> fault_of_call(Make make, IsRight is_right, Call call, std::uint64_t number,
                                              bool is_out_of_memory) {
    using Engine = decltype(make());
    std::unique_ptr<Engine> engine;
    bool is_over = false; // before the call failed
    bool has_thrown = false;
    fuse.arm(call, number, is_out_of_memory);
    try {
        engine.reset(new Engine(make()));
        while (number % 2 == 0 && engine->step()) {
        }
        engine->run();
        is_over = !fuse.has_blown;
        static_cast<void>(outcome_of(*engine));
    } catch (const Blown&) {
        has_thrown = true;
    } catch (const std::bad_alloc&) {
        if (engine) return "lack of memory passed through";
    }
    fuse.disarm();
    if (!engine) return "";
    if (fuse.has_blown && has_thrown == is_out_of_memory) return "an exception did not pass through";
    if (is_over && !is_right(outcome_of(*engine))) return "the result is wrong";
    if (!fuse.has_blown) return std::nullopt;
    if (is_over) return "";
    const auto expected = is_out_of_memory ? npuzzle::Status::memory_limit : npuzzle::Status::failed;
    return fault_after_failure(*engine, expected, call, is_right);
}

} // namespace detail

/// Lets each call of each kind fail, one after another, by an exception and by lack of memory, in a search
/// that runs or is stepped. Then the search has failed, or has reached the limit of memory, and stays so;
/// begun again, it finds what it should.
/// \param make makes an engine
/// \param is_right whether this is the result that it should find
/// \return how many calls failed
template <class Make, class IsRight>
std::uint64_t fail_each_call(Make make, IsRight is_right) {
    std::uint64_t failed = 0;
    for (const Call call : all_calls) {
        for (const bool is_out_of_memory : {false, true}) {
            for (std::uint64_t number = 1;; ++number, ++failed) {
                const auto fault = detail::fault_of_call(make, is_right, call, number, is_out_of_memory);
                if (!fault) break;
                if (!fault->empty()) {
                    CAPTURE(static_cast<int>(call), number, is_out_of_memory);
                    FAIL(*fault);
                }
            }
        }
    }
    return failed;
}

} // namespace test
