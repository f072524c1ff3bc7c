#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/hash.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// \file
/// An automaton that reads the moves of a path one by one and says which may come next.

namespace npuzzle::detail {

/// Finds numbers by what they stand for, which the caller knows: open addressing with linear probing.
class NumberTable {
public:
    using Number = std::uint32_t;

    /// The place of the number that stands for the same, or of `number`, which is added if there is none.
    /// \param hash of what it stands for
    /// \param is_same whether another number with this hash stands for the same
    template <class IsSame>
    Number& find_or_add(std::uint64_t hash, Number number, IsSame&& is_same) {
        if (2 * (used_ + 1) > slots_.size()) {
            grow();
        }
        Slot& slot = slots_[place_of(hash, is_same)];
        if (slot.number == none) {
            slot = {hash, number};
            ++used_;
        }
        return slot.number;
    }

private:
    static constexpr Number none = ~Number{0};

    struct Slot {
        std::uint64_t hash = 0;
        Number number = none;
    };

    template <class IsSame>
    std::size_t place_of(std::uint64_t hash, IsSame&& is_same) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = static_cast<std::size_t>(mix(hash)) & mask;
        while (slots_[place].number != none &&
               (slots_[place].hash != hash || !is_same(slots_[place].number))) {
            place = (place + 1) & mask;
        }
        return place;
    }

    void grow() {
        const std::vector<Slot> old =
            std::exchange(slots_, std::vector<Slot>(slots_.empty() ? std::size_t{64} : 2 * slots_.size()));
        for (const Slot& slot : old) {
            if (slot.number != none) {
                slots_[place_of(slot.hash, [](Number) { return false; })] = slot;
            }
        }
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

/// Each state has a row: for each move the state after it, or `pruned`. The number of a state tells how many
/// moves it allows, and where its row begins.
class MoveAutomaton {
public:
    using State = std::uint32_t;

    static constexpr State pruned = ~State{0};
    static constexpr unsigned count_bits = 6;
    static constexpr std::size_t max_moves = (std::size_t{1} << count_bits) - 1;
    static constexpr std::size_t max_states = (std::size_t{1} << (32 - count_bits)) - 1;

    MoveAutomaton() = default;

    /// \param rows the row of each state, one after the other, with numbers of states or `pruned`
    /// \param roots are set to the states that they became; states that cannot be told apart become one
    NPUZZLE_COLD MoveAutomaton(std::size_t move_count, const std::vector<State>& rows,
                               std::vector<State>& roots)
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

    static constexpr int allowed(State state) noexcept { return static_cast<int>(state & max_moves); }

private:
    /// The class of each state: two are in one if they allow the same sequences (E. F. Moore,
    /// "Gedanken-experiments on sequential machines", 1956). Classes are numbered in the order in which the
    /// states meet them.
    NPUZZLE_COLD static std::vector<State>
    equivalence_classes(std::size_t move_count, const std::vector<State>& rows, std::size_t states) {
        std::vector<State> classes(states, 0);
        // A state's next class follows from its class and the classes of the states after it.
        const auto class_after = [&](std::size_t state, std::size_t move) {
            const State next = rows[state * move_count + move];
            return next == pruned ? pruned : classes[next];
        };
        const auto is_same = [&](std::size_t a, std::size_t b) {
            bool same = classes[a] == classes[b];
            for (std::size_t move = 0; same && move < move_count; ++move) {
                same = class_after(a, move) == class_after(b, move);
            }
            return same;
        };
        for (std::size_t count = 1;;) {
            NumberTable found;
            std::vector<std::size_t> first; // of each class
            std::vector<State> refined(states);
            for (std::size_t state = 0; state < states; ++state) {
                std::uint64_t hash = mix(classes[state]);
                for (std::size_t move = 0; move < move_count; ++move) {
                    hash = mix(hash ^ class_after(state, move));
                }
                refined[state] = found.find_or_add(hash, static_cast<State>(first.size()),
                                                   [&](State other) { return is_same(first[other], state); });
                if (refined[state] == first.size()) {
                    first.push_back(state);
                }
            }
            classes = std::move(refined);
            if (std::exchange(count, first.size()) == count) {
                return classes;
            }
        }
    }

    std::size_t move_count_ = 0;
    std::vector<State> next_;
};

} // namespace npuzzle::detail
