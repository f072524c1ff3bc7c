#pragma once

#include "npuzzle/search/kernel/move_pruning_learner.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

/// \file
/// Sequences of moves that a depth-first search never needs, and a problem that leaves them out.

namespace npuzzle {

/// What `learn_move_pruning` asks for: moves that are numbers, and states with hashes.
template <class P>
concept PrunableProblem = MoveProblem<P> && HasMoveCount<P> && HasHash<P>;

/// How far `learn_move_pruning` goes.
struct MovePruningOptions {
    std::size_t length = 12;               ///< the most moves in a pruned sequence; at least 2
    std::size_t max_sequences = 4'000'000; ///< what may be left; ends the learning at a length with fewer
};

class MovePruning;

template <PrunableProblem P>
class PrunedMoves;

template <PrunableProblem P>
[[nodiscard]] MovePruning learn_move_pruning(const P& problem, const state_t<P>& start,
                                             const MovePruningOptions& options = {});

/// The sequences of moves that need not be tried, as an automaton that reads the moves of a path one by one
/// (L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993). A sequence is
/// pruned if another one leads to the same state at less cost; or at the same cost in fewer moves; or in as
/// many moves, the first different one of which comes earlier in the order of the problem. So a cheapest path
/// to each state is left. Made by `learn_move_pruning`, used by `with_move_pruning`.
class MovePruning {
public:
    /// The number of states of the automaton.
    [[nodiscard]] std::size_t states() const noexcept { return automaton_.states(); }
    /// The memory that the automaton takes.
    [[nodiscard]] std::size_t bytes() const noexcept { return automaton_.bytes(); }
    /// How many sequences are pruned that contain no other pruned one.
    [[nodiscard]] std::size_t sequences() const noexcept { return sequences_; }
    /// The most moves of a pruned sequence.
    [[nodiscard]] std::size_t length() const noexcept { return length_; }

private:
    template <PrunableProblem P>
    friend MovePruning learn_move_pruning(const P&, const state_t<P>&, const MovePruningOptions&);
    template <PrunableProblem P>
    friend class PrunedMoves;

    std::uint32_t root_of(std::size_t place) const {
        for (const auto& [name, state] : roots_) {
            if (name == place) {
                return state;
            }
        }
        throw std::invalid_argument("PrunedMoves: the pruning was learned without this move_place");
    }

    detail::MoveAutomaton automaton_;
    std::vector<std::pair<std::size_t, std::uint32_t>>
        roots_; ///< places, and its state at the beginning of a path
    std::size_t sequences_ = 0;
    std::size_t length_ = 0;
};

/// Learns which sequences of up to `options.length` moves are never needed: all sequences are tried from one
/// state of each place (see `HasMovePlace`), and those that lead where another one leads are pruned. That
/// holds for all states if places are what `HasMovePlace` says, and if the state shows all that its moves
/// change: in a sliding puzzle, no two tiles are alike.
///
/// Takes time and memory for each sequence that is left: in the 15-puzzle about 2^`length` for each of 16
/// places.
/// \param start a state from which states of all places are reached
/// \throws std::invalid_argument if states of the same place are found to have different moves
template <PrunableProblem P>
[[nodiscard]] MovePruning learn_move_pruning(const P& problem, const state_t<P>& start,
                                             const MovePruningOptions& options) {
    detail::MovePruningLearner<P> learner(problem);
    learner.learn(start, options.length, options.max_sequences);
    MovePruning pruning;
    pruning.automaton_ = learner.automaton(pruning.roots_);
    pruning.sequences_ = learner.pruned();
    pruning.length_ = learner.length();
    return pruning;
}

/// A move, and the state of the automaton after it.
template <class Move>
class PrunedMove {
public:
    constexpr PrunedMove(Move move, std::uint32_t state) : move_(move), state_(state) {}
    PrunedMove() = default;

    constexpr operator Move() const { return move_; } // NOLINT(google-explicit-constructor)
    [[nodiscard]] constexpr std::uint32_t state() const { return state_; }

    friend bool operator==(const PrunedMove&, const PrunedMove&) = default;

private:
    Move move_{};
    std::uint32_t state_ = detail::MoveAutomaton::pruned;
};

namespace detail {

/// A move of an `UnrolledProblem`, and the state of the automaton after it.
template <class Step, class Move>
struct PrunedStep : Step {
    std::uint32_t state;

    constexpr operator PrunedMove<Move>() const { // NOLINT(google-explicit-constructor)
        return {static_cast<const Step&>(*this), state};
    }
};

/// A place of an `UnrolledProblem`, and the state of the automaton there.
template <class Place>
struct PrunedPlace {
    NPUZZLE_NO_UNIQUE_ADDRESS Place place;
    std::uint32_t state;
    int moves = MoveAutomaton::allowed(state);
};

/// Tries a move unless it is pruned. No lambda: this is inlined by force.
template <class Move, class F>
struct TryUnpruned {
    const std::uint32_t* row;
    F& visit;

    template <class Place, class Step>
    NPUZZLE_ALWAYS_INLINE bool operator()(Place place, Step step) const {
        const std::uint32_t state = row[static_cast<unsigned>(static_cast<Move>(step))];
        return state != MoveAutomaton::pruned &&
               visit(PrunedPlace<Place>{place, state}, PrunedStep<Step, Move>{step, state});
    }
};

} // namespace detail

/// A problem whose paths leave out pruned sequences of moves, for `ida_star` and its parallel and distributed
/// forms. They find the same costs with fewer expansions. Heuristics that take the problem take this one,
/// too. Its `neighbors` are not pruned.
///
/// A search with a table may meet a state first on a path after which a move is pruned that another path to
/// it needs (R. C. Holte and N. Burch, "Automatic move pruning for single-agent search", AI Communications
/// 27, 2014). So this problem has no hash and no packed or numbered states, and `astar` and all others with a
/// table refuse it.
template <PrunableProblem P>
class PrunedMoves : public P {
public:
    using State = state_t<P>;
    using Move = PrunedMove<move_t<P>>;

    static constexpr Move no_move{P::no_move, detail::MoveAutomaton::pruned};
    static constexpr bool prunes_moves = true;
    /// The problem with all moves.

    void pack(const State&) const = delete;
    void index(const State&) const = delete;

    /// \param pruning of this problem, or of the same with another goal; must outlive this
    PrunedMoves(P problem, const MovePruning& pruning) : P(std::move(problem)), pruning_(&pruning) {}

    /// From now on leaves out what another pruning says, which must outlive this, too. Not within an
    /// iteration of a search, whose moves carry states of the last one.
    void prune(const MovePruning& pruning) noexcept { pruning_ = &pruning; }

    /// What it leaves out.
    [[nodiscard]] const MovePruning& pruning() const noexcept { return *pruning_; }

    /// The problem's moves, without the pruned ones.
    template <class F>
    void for_each_move(const State& state, const Move& last, F&& visit) const {
        const std::uint32_t* const row = pruning_->automaton_.row(state_after(state, last));
        P::for_each_move(state, last, [&](const move_t<P>& move) {
            const std::uint32_t next = row[static_cast<unsigned>(move)];
            if (next != detail::MoveAutomaton::pruned) {
                visit(Move{move, next});
            }
        });
    }

    [[nodiscard]] Move inverse(const Move& move) const {
        return {P::inverse(move), detail::MoveAutomaton::pruned};
    }

    template <class F>
        requires UnrolledProblem<P>
    void with_place(const State& state, const Move& last, F&& visit) const {
        const std::uint32_t automaton = state_after(state, last);
        P::with_place(state, last,
                      [&]<class Place>(Place place) { visit(detail::PrunedPlace<Place>{place, automaton}); });
    }

    template <class Place, class F>
        requires UnrolledProblem<P>
    bool any_move(const detail::PrunedPlace<Place>& place, F&& visit) const {
        return P::any_move(place.place,
                           detail::TryUnpruned<move_t<P>, F>{pruning_->automaton_.row(place.state), visit});
    }

private:
    [[nodiscard]] std::uint32_t state_after(const State& state, const Move& last) const {
        return last == no_move ? pruning_->root_of(detail::move_place_of<P>(*this, state)) : last.state();
    }

    const MovePruning* pruning_;
};

/// A problem without the sequences of moves that are pruned: `ida_star(with_move_pruning(puzzle, pruning),
/// board, Manhattan{})`. The pruning must outlive it.
template <PrunableProblem P>
[[nodiscard]] PrunedMoves<P> with_move_pruning(P problem, const MovePruning& pruning) {
    return PrunedMoves<P>(std::move(problem), pruning);
}
template <PrunableProblem P>
void with_move_pruning(P problem,
                       const MovePruning&& pruning) = delete; // it would refer to what is destroyed

} // namespace npuzzle
