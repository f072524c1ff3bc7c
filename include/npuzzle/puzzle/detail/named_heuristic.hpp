#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/goal_cells.hpp"
#include "npuzzle/puzzle/heuristics/hamming.hpp"
#include "npuzzle/puzzle/heuristics/linear_conflict.hpp"
#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/heuristics/pattern_databases.hpp"
#include "npuzzle/puzzle/heuristics/walking_distance.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/puzzle/solver_options.hpp"
#include "npuzzle/search/core/combinators.hpp"
#include "npuzzle/search/core/heuristic.hpp"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace npuzzle::detail {

using LinearConflictOrWalkingDistance = MaxOf<LinearConflict, WalkingDistance>;

/// The heuristics that there are for boards of a size, bound.
template <int N>
struct BoundNames {
    using type =
        std::variant<bound_t<Hamming, SlidingPuzzle<N>>, bound_t<Manhattan, SlidingPuzzle<N>>,
                     bound_t<LinearConflict, SlidingPuzzle<N>>, bound_t<WalkingDistance, SlidingPuzzle<N>>,
                     bound_t<LinearConflictOrWalkingDistance, SlidingPuzzle<N>>,
                     bound_t<PatternDatabases, SlidingPuzzle<N>>>;
};

template <>
struct BoundNames<dynamic_size> {
    using type = std::variant<bound_t<Hamming, SlidingPuzzle<>>, bound_t<Manhattan, SlidingPuzzle<>>,
                              bound_t<LinearConflict, SlidingPuzzle<>>>;
};

/// A named heuristic, chosen at run time, so that a search is compiled once for all of them. Not declared consistent, since
/// pattern databases are not.
template <int N>
class BoundNamedHeuristic {
    using Puzzle = SlidingPuzzle<N>;
    using State = typename Puzzle::State;
    using Variant = typename BoundNames<N>::type;

    /// What is kept of a state for the heuristic B.
    template <class B>
    struct BoundHeuristic {
        typename EvaluatedPart<B, Puzzle>::Evaluation evaluation;
    };

    template <class>
    struct any_kept;

    template <class... Bs>
    struct any_kept<std::variant<Bs...>> {
        using type = std::variant<BoundHeuristic<Bs>...>;
    };

public:
    using Value = typename GoalCells<State>::Value;

    /// Of the heuristic that was chosen.
    struct Evaluation {
        typename any_kept<Variant>::type kept{};
    };

    static constexpr bool is_zero_at_goals = true;

    explicit BoundNamedHeuristic(Variant chosen) : chosen_(std::move(chosen)) {}

    /// BoundHeuristic out of the search, in which it would be compiled in many places.
    NPUZZLE_NOINLINE Value operator()(const State& board) {
        return std::visit([&](auto& heuristic) { return static_cast<Value>(heuristic(board)); }, chosen_);
    }

    /// For A*: those that cannot go by values are called anew.
    Value after(Value value, const State& before, Move move, const State& after) {
        return std::visit(
            [&]<class B>([[maybe_unused]] B& heuristic) {
                if constexpr (IncrementalHeuristicFor<B, Puzzle>) {
                    return static_cast<Value>(heuristic.after(value, before, move, after));
                } else {
                    return (*this)(after);
                }
            },
            chosen_);
    }

    /// For IDA*.
    Evaluation evaluate(const State& board) {
        return std::visit(
            [&]<class B>(B& heuristic) {
                return Evaluation{BoundHeuristic<B>{EvaluatedPart<B, Puzzle>::evaluate(heuristic, board)}};
            },
            chosen_);
    }

    Evaluation after(const Evaluation& evaluation, const State& before, Move move, const State& after) {
        return std::visit(
            [&]<class B>(B& heuristic) {
                return Evaluation{BoundHeuristic<B>{
                    EvaluatedPart<B, Puzzle>::after(heuristic, kept<B>(evaluation), before, move, after)}};
            },
            chosen_);
    }

    Value value(const Evaluation& evaluation) {
        return std::visit(
            [&]<class B>(B& heuristic) {
                return static_cast<Value>(EvaluatedPart<B, Puzzle>::value(heuristic, kept<B>(evaluation)));
            },
            chosen_);
    }

private:
    template <class B>
    static const auto& kept(const Evaluation& evaluation) {
        return std::get_if<BoundHeuristic<B>>(&evaluation.kept)->evaluation;
    }

    Variant chosen_;
};

/// The heuristic of a name other than `automatic` and `own`.
class NamedHeuristic {
public:
    /// \param tables for the name `pattern_databases`
    explicit NamedHeuristic(SolverHeuristic name, std::optional<PatternDatabases> tables = std::nullopt)
        : name_(name), tables_(std::move(tables)) {}

    template <int N>
    auto bind(const SlidingPuzzle<N>& puzzle) const {
        using Bound = BoundNamedHeuristic<N>;
        switch (name_) {
        case SolverHeuristic::hamming:
            return Bound(Hamming{}.bind(puzzle));
        case SolverHeuristic::manhattan:
            return Bound(Manhattan{}.bind(puzzle));
        default:
            break;
        }
        if constexpr (N != dynamic_size) {
            switch (name_) {
            case SolverHeuristic::walking_distance:
                return Bound(WalkingDistance{}.bind(puzzle));
            case SolverHeuristic::linear_conflict_or_walking_distance:
                return Bound(
                    LinearConflictOrWalkingDistance{LinearConflict{}, WalkingDistance{}}.bind(puzzle));
            case SolverHeuristic::pattern_databases:
                return Bound(tables_->bind(puzzle));
            default:
                break;
            }
        }
        return Bound(LinearConflict{}.bind(puzzle));
    }

private:
    SolverHeuristic name_;
    std::optional<PatternDatabases> tables_;
};

} // namespace npuzzle::detail
