#pragma once

#include "npuzzle/search/core/hash.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

/// \file
/// An automaton that reads the moves of a path one by one and says which may come next.

namespace npuzzle::detail {

/// Each state has a row: for each move the state after it, or `pruned`. The number of a state tells how many moves
/// it allows, and where its row begins.
class MoveAutomaton {
public:
    using State = std::uint32_t;

    static constexpr State pruned = ~State{0};
    static constexpr unsigned count_bits = 6;
    static constexpr std::size_t most_moves = (std::size_t{1} << count_bits) - 1;
    static constexpr std::size_t most_states = (std::size_t{1} << (32 - count_bits)) - 1;

    MoveAutomaton() = default;

    /// \param rows the row of each state, one after the other, with numbers of states or `pruned`
    /// \param roots are set to the states that they became; states that cannot be told apart become one
    MoveAutomaton(std::size_t move_count, const std::vector<State>& rows, std::vector<State>& roots)
        : move_count_(move_count) {
        const std::size_t states = rows.size() / move_count;
        const std::vector<State> classes = equivalence_classes(move_count, rows, states);
        // The number that a class gets: where its row is, and how many moves it allows.
        std::vector<State> numbers;
        std::vector<std::size_t> members;
        for (std::size_t state = 0; state < states; ++state) {
            if (classes[state] == numbers.size()) {
                const auto row = rows.begin() + static_cast<std::ptrdiff_t>(state * move_count);
                const auto forbidden = std::count(row, row + static_cast<std::ptrdiff_t>(move_count), pruned);
                const std::size_t allowed = move_count - static_cast<std::size_t>(forbidden);
                numbers.push_back(static_cast<State>(numbers.size() << count_bits | allowed));
                members.push_back(state);
            }
        }
        next_.reserve(members.size() * move_count);
        for (const std::size_t state : members) {
            for (std::size_t move = 0; move < move_count; ++move) {
                const State next = rows[state * move_count + move];
                next_.push_back(next == pruned ? pruned : numbers[classes[next]]);
            }
        }
        for (State& root : roots) {
            root = numbers[classes[root]];
        }
    }

    [[nodiscard]] std::size_t states() const noexcept {
        return next_.size() / std::max<std::size_t>(1, move_count_);
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return next_.size() * sizeof(State); }

    /// Where the states after each move are.
    [[nodiscard]] const State* row(State state) const noexcept {
        return next_.data() + (state >> count_bits) * move_count_;
    }

    /// How many moves a state allows.
    static constexpr int allowed(State state) noexcept { return static_cast<int>(state & most_moves); }

private:
    /// The class of each state: two are in one if they allow the same sequences (E. F. Moore, "Gedanken-experiments on
    /// sequential machines", 1956). Classes are numbered in the order in which the states meet them.
    static std::vector<State> equivalence_classes(std::size_t move_count, const std::vector<State>& rows,
                                                  std::size_t states) {
        std::vector<State> classes(states, 0);
        // A state's class, and those of the states after it, are what makes its next class.
        const auto class_after = [&](std::size_t state, std::size_t move) {
            const State next = rows[state * move_count + move];
            return next == pruned ? pruned : classes[next];
        };
        const auto hash = [&](std::size_t state) {
            std::size_t hashed = mix(classes[state]);
            for (std::size_t move = 0; move < move_count; ++move) {
                hashed = mix(hashed ^ class_after(state, move));
            }
            return hashed;
        };
        const auto is_equal = [&](std::size_t a, std::size_t b) {
            bool equal = classes[a] == classes[b];
            for (std::size_t move = 0; equal && move < move_count; ++move) {
                equal = class_after(a, move) == class_after(b, move);
            }
            return equal;
        };
        for (std::size_t count = 1;;) {
            std::unordered_map<std::size_t, State, decltype(hash), decltype(is_equal)> found(2 * count, hash,
                                                                                             is_equal);
            std::vector<State> refined(states);
            for (std::size_t state = 0; state < states; ++state) {
                refined[state] = found.try_emplace(state, static_cast<State>(found.size())).first->second;
            }
            const std::size_t before = std::exchange(count, found.size());
            found.clear();
            classes = std::move(refined);
            if (count == before) {
                return classes;
            }
        }
    }

    std::size_t move_count_ = 0;
    std::vector<State> next_;
};

} // namespace npuzzle::detail
