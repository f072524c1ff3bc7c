#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/engine/expansion.hpp"
#include "npuzzle/search/kernel/move_automaton.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

/// \file
/// Finds the sequences of moves that are never needed.

namespace npuzzle::detail {

/// Tries all sequences of moves from one state of each place, breadth first, and keeps those that are the
/// first to lead somewhere at their cost. A sequence without its first move begins at another place: is it
/// pruned there, so is the whole one. That shorter sequence is also where the automaton goes on when the
/// whole one is forgotten (A. V. Aho and M. J. Corasick, "Efficient string matching", 1975).
template <MoveProblem P>
class MovePruningLearner {
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Move = move_t<P>;
    using Number = MoveAutomaton::State;

public:
    explicit MovePruningLearner(const P& problem) : problem_(&problem) {}

    /// \throws std::invalid_argument if states of one place have different moves
    void learn(const State& start, std::size_t length, std::size_t max_sequences) {
        find_places(start);
        std::size_t begin = 0;
        while (begin < sequences_.size() && length_ < (std::max)(length, least_length) &&
               extend(begin, length_ < least_length ? MoveAutomaton::max_states : max_sequences)) {
            ++length_;
        }
    }

    /// The moves in the longest sequence that was tried.
    [[nodiscard]] std::size_t length() const { return length_; }
    /// How many sequences are pruned that contain no other pruned one.
    [[nodiscard]] std::size_t pruned() const { return pruned_; }

    /// \param roots is set to each place, and the state at the beginning there
    NPUZZLE_COLD MoveAutomaton automaton(std::vector<std::pair<std::size_t, Number>>& roots) {
        const std::vector<Number> kept = forget_useless();
        std::vector<Number> numbers(sequences_.size());
        Number count = 0;
        for (std::size_t i = 0; i < sequences_.size(); ++i) {
            numbers[i] = kept[i] == i ? count++ : 0;
        }
        std::vector<Number> rows;
        rows.reserve(count * moves);
        for (std::size_t i = 0; i < sequences_.size(); ++i) {
            if (kept[i] == i) {
                for (std::size_t move = 0; move < moves; ++move) {
                    const Number next = next_[i * moves + move];
                    rows.push_back(is_sequence(next) ? numbers[kept[next]] : MoveAutomaton::pruned);
                }
            }
        }
        std::vector<Number> starts;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            starts.push_back(numbers[i]);
        }
        MoveAutomaton result(moves, rows, starts);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            roots.emplace_back(places_[i].name, starts[i]);
        }
        return result;
    }

private:
    static constexpr std::size_t moves = P::move_count;
    static_assert(moves <= MoveAutomaton::max_moves, "an automaton of moves has at most 63 of them");

    /// No such move, or not tried: no move leads to the sequence of this number, which is a place.
    static constexpr Number none = 0;

    static bool is_sequence(Number next) { return next != none && next != MoveAutomaton::pruned; }

    /// So that what may follow each single move is known.
    static constexpr std::size_t least_length = 2;

    struct Sequence {
        Number first;  ///< the place that it begins at
        Number suffix; ///< the same without its first move
        State state;   ///< that it leads to
        Cost cost;
        Move last;
    };

    struct Place {
        std::size_t name;    ///< what the problem calls it
        std::uint64_t moves; ///< a bit for each
    };

    static std::size_t number_of(const Move& move) { return static_cast<unsigned>(move); }

    static std::uint64_t bit_of(const Move& move) { return std::uint64_t{1} << number_of(move); }

    State moved(const State& state, const Move& move) const {
        State result = state;
        problem_->apply(result, move);
        return result;
    }

    /// All places are sequences without moves, numbered alike.
    NPUZZLE_COLD void find_places(const State& start) {
        number_of_place(checked_state(*problem_, start));
        for (Number place = 0; place < places_.size(); ++place) {
            const State state = sequences_[place].state;
            places_[place].moves = moves_of(state);
            problem_->for_each_move(state, P::no_move, [&](const Move& move) {
                const Number after = number_of_place(moved(state, move));
                place_after_[place * moves + number_of(move)] = after;
            });
        }
    }

    /// The number of a state's place, or of a new one.
    Number find_place(std::size_t name) {
        return numbers_.find_or_add(name, static_cast<Number>(places_.size()),
                                    [&](Number number) { return places_[number].name == name; });
    }

    Number number_of_place(const State& state) {
        const std::size_t name = move_place_of(*problem_, state);
        const Number number = find_place(name);
        if (number == places_.size()) {
            places_.push_back({name, 0});
            place_after_.resize(places_.size() * moves);
            reached(number, state, number);
            add({number, number, state, Cost{}, P::no_move});
        }
        return number;
    }

    /// The cheapest sequence from a place to a state; `number` if there is none yet.
    Number& reached(Number first, const State& state, Number number) {
        return reached_.find_or_add(mix(hash_state(*problem_, state)) + first, number, [&](Number other) {
            return sequences_[other].first == first && sequences_[other].state == state;
        });
    }

    void add(Sequence sequence) {
        sequences_.push_back(std::move(sequence));
        next_.resize(sequences_.size() * moves);
    }

    /// Makes the longest sequences one move longer, if not too many are left then.
    /// \param begin the first of these; is set to the first of the new ones
    bool extend(std::size_t& begin, std::size_t max_sequences) {
        const std::size_t end = sequences_.size();
        const std::size_t pruned_before = pruned_;
        for (std::size_t i = begin; i < end; ++i) {
            extend(static_cast<Number>(i));
            if (sequences_.size() > max_sequences) {
                while (sequences_.size() > end) {
                    sequences_.pop_back();
                }
                next_.resize(begin * moves);
                next_.resize(end * moves);
                pruned_ = pruned_before;
                return false;
            }
        }
        begin = end;
        return true;
    }

    void extend(Number number) {
        const Sequence sequence = sequences_[number];
        const Number place = find_place(move_place_of(*problem_, sequence.state));
        if (moves_of(sequence.state) != places_[place].moves) {
            fail();
        }
        problem_->for_each_move(sequence.state, sequence.last, [&](const Move& move) {
            const Number after = place_after_[place * moves + number_of(move)];
            const bool is_first = number < places_.size();
            const Number suffix = is_first ? after : next_[sequence.suffix * moves + number_of(move)];
            Number& next = next_[number * moves + number_of(move)];
            if (suffix == MoveAutomaton::pruned) {
                next = suffix;
                return;
            }
            State state = moved(sequence.state, move);
            if (find_place(move_place_of(*problem_, state)) != after) {
                fail();
            }
            const Cost cost = saturating_add(sequence.cost, step_cost(*problem_, sequence.state, move));
            const auto added = static_cast<Number>(sequences_.size());
            Number& known = reached(sequence.first, state, added);
            if (known != added && !(cost < sequences_[known].cost)) {
                next = MoveAutomaton::pruned;
                ++pruned_;
                return;
            }
            known = added;
            next = added;
            add({sequence.first, suffix, std::move(state), cost, move});
        });
    }

    std::uint64_t moves_of(const State& state) const {
        std::uint64_t result = 0;
        problem_->for_each_move(state, P::no_move, [&](const Move& move) { result |= bit_of(move); });
        return result;
    }

    [[noreturn]] static void fail() {
        throw std::invalid_argument(
            "learn_move_pruning: the moves of a state do not depend on its move_place alone");
    }

    /// To each sequence the one that the automaton is in after it: its longest end that some pruned sequence
    /// begins with. The last move is always known, since it is not taken back.
    [[nodiscard]] NPUZZLE_COLD std::vector<Number> forget_useless() const {
        std::vector<char> is_useful(sequences_.size(), 0);
        for (std::size_t i = sequences_.size(); i-- > 0;) {
            for (std::size_t move = 0; move < moves; ++move) {
                const Number next = next_[i * moves + move];
                const bool is_own =
                    next == MoveAutomaton::pruned && next_[sequences_[i].suffix * moves + move] != next;
                if (is_own || (is_sequence(next) && is_useful[next] != 0)) {
                    is_useful[i] = 1;
                }
            }
        }
        std::vector<Number> kept(sequences_.size());
        for (std::size_t i = 0; i < sequences_.size(); ++i) {
            const Number suffix = sequences_[i].suffix;
            const bool is_short = suffix < places_.size();
            kept[i] = is_short || is_useful[i] != 0 ? static_cast<Number>(i) : kept[suffix];
        }
        return kept;
    }

    const P* problem_;
    NumberTable numbers_; ///< of the places
    NumberTable reached_; ///< sequences, by the place that they begin at and the state that they lead to
    std::vector<Place> places_;
    std::vector<Number> place_after_; ///< to each place and each move: the place that it leads to
    std::vector<Sequence> sequences_; ///< those that are left, in their order
    std::vector<Number> next_;        ///< to each and each move: the longer sequence, `pruned` or `none`
    std::size_t length_ = 0;
    std::size_t pruned_ = 0;
};

} // namespace npuzzle::detail
