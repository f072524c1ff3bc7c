#pragma once

#include "npuzzle/search/parallel/ida_star_journal.hpp"
#include "npuzzle/search/parallel/kernel/run_divided.hpp"

#include <utility>

namespace npuzzle {

/// `ida_star` with a journal: a search that was killed goes on where it was.
/// \code
/// npuzzle::IdaStarJournal journal("board.journal", "15-puzzle, blank first, 7-8, tables 1f3a9c");
/// npuzzle::ida_star(puzzle, board, heuristic, journal);
/// \endcode
///
/// It is `parallel_ida_star` on the caller's thread alone: with the path, cost, status and statistics (but
/// the seconds) of `ida_star`. Any of `parallel_ida_star` and `distributed_ida_star` can go on with the
/// journal, and this with theirs, where `least_divided` is as it is by default.
///
/// \param journal an `IdaStarJournal`, or another `UnitJournal`
/// \param observer one that sees the progress alone, and declares `static constexpr bool sees_nodes = false`
/// \return as from `ida_star`. `limits.expansions` is exact, and for what the journal knows, too. For the
///         division of an iteration, some megabytes at most are stored that no limit counts.
/// \throws what the journal throws, as `std::runtime_error` if it is of another search
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && (!sees_nodes<O>)
search_result_t<P> ida_star(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                            UnitJournal& journal, limits_t<P> limits = {}, O&& observer = O{}) {
    detail::LocalUnits units;
    return detail::run_divided(units, problem, start, heuristic, {.threads = 1, .journal = &journal}, limits,
                               observer);
}

} // namespace npuzzle
