#pragma once

#include "npuzzle/search/kernel/detail/checkpoint.hpp"

#include <istream>
#include <ostream>
#include <string_view>

/// \file
/// Best-first searches that are saved, and go on later in another process.

namespace npuzzle {

/// Writes a search to a stream, from which `load_checkpoint` makes one, in another process, that goes on
/// exactly where this one is: with the same path, cost and counts as if it had never been interrupted.
/// `AStar`, `WeightedAStar`, `GreedySearch` and any other `BestFirstEngine` can be saved before the first
/// step, between two, and after a limit: wherever `resume` would go on. The search is not changed.
/// \code
/// npuzzle::AStar search(puzzle, board, heuristic, {.time = std::chrono::hours{1}});
/// if (search.run() == npuzzle::Status::time_limit) {
///     std::ofstream file("board.checkpoint", std::ios::binary);
///     npuzzle::save_checkpoint(search, file, "15-puzzle, tables 1f3a9c");
/// }
/// \endcode
///
/// States must be packed, or such that they can be copied byte by byte, and mean the same in another process;
/// likewise costs, estimates, priorities and moves. The checkpoint is for programs of the same kind of
/// machine, compiled from the same problem. It takes about as many bytes for a node as state, cost and link
/// have. Linear in the size of the table; needs some 64 KB of memory, whatever the size of the search.
///
/// If the open list is of a type of your own that is not `SavesEntries`, it is rebuilt from the nodes. Then
/// nodes of equal f and g may come in another order: the cost is the same, the path and the counts may
/// differ.
///
/// \param key what the search cannot know of itself: the problem, the heuristic, the checksums of its tables.
///     The start, its estimate and its priority are compared as well.
/// \throws std::runtime_error if the stream cannot be written
/// \throws std::invalid_argument if the search is over, or has failed, or was refused memory in the midst of
///     an expansion
template <class P, class H, class O, class Parts>
void save_checkpoint(BestFirstEngine<P, H, O, Parts>& search, std::ostream& out, std::string_view key = {}) {
    detail::Checkpoint::save(search, out, key);
}

/// Reads what `save_checkpoint` has written into a search of the same problem, start, heuristic and key, that
/// has not begun. It then has the counts and the time of the one that was saved, and goes on under its own
/// limits; `limits.expansions` is for all expansions. The observer sees what follows.
///
/// All blocks have checksums against damage. A forged file cannot do more than lead to a wrong answer, if the
/// problem is `ChecksStates`, `UndirectedProblem` and `UnitCostProblem`, as the sliding-tile puzzle is, and
/// the open list is one of the library. For other problems, load only files that you trust.
///
/// \throws std::runtime_error, with what is wrong and where, if the stream has no checkpoint, one of another
///     search, or one that is damaged or cut off. If it is of another search, nothing has changed; else the
///     status may be `failed`, and `restart` begins the search again. If the nodes do not fit in the memory,
///     the status is `memory_limit`.
/// \throws std::invalid_argument if the search has begun
template <class P, class H, class O, class Parts>
void load_checkpoint(BestFirstEngine<P, H, O, Parts>& search, std::istream& in, std::string_view key = {}) {
    detail::Checkpoint::load(search, in, key);
}

} // namespace npuzzle
