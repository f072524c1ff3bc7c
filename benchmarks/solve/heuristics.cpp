// Rows 11 and 12: Korf's boards with heuristics that need no file.

#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/walking_distance.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/core/heuristic.hpp>

#include "solve/korf.hpp"
#include "solve/session.hpp"

namespace benchmarks {

void solve_korf_with_linear_conflict(Session& session) {
    solve_korf_with(session, "11", "linear conflict", npuzzle::LinearConflict{}, 40, 20);
}

void solve_korf_with_walking_distance(Session& session) {
    solve_korf_with(session, "12", "the greater of linear conflict and walking distance",
                    npuzzle::MaxOf{npuzzle::LinearConflict{}, npuzzle::WalkingDistance{}}, 40, 15);
}

} // namespace benchmarks
