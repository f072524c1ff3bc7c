#pragma once

#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/external_astar.hpp"
#include "npuzzle/search/kernel/astar_then.hpp"
#include "npuzzle/search/memory/spill_file.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

/// \file
/// A* in memory, and in a folder if that is not enough.

namespace npuzzle {

/// Options of `astar_then_external`.
struct AStarThenExternalOptions {
    /// See `ExternalOptions`.
    std::string folder = {};
    std::uint64_t file_bytes = Limits::unlimited;
    /// The bytes that A* may hold in memory. 0: a quarter of `Limits::bytes`; if that is not given, as much
    /// as there is.
    std::uint64_t astar_bytes = 0;
};

/// `astar`, and `external_astar` from the start if A* ends with `Status::memory_limit`. For searches of which
/// it is not known whether they fit in memory. A small search does not use the file. A large one loses the
/// time that A* took, since external A* is about as fast: by default, the time for as many nodes as fit in a
/// quarter of the memory.
///
/// \tparam P its costs and estimates are integers; see `ExternalProblem`
/// \param limits those of both searches together. Without `bytes`, external A* holds no more than A* has
///     held, and ends with `Status::memory_limit` if that is less than a few megabytes. Set them where the
///     system swaps, or ends a process, before it refuses memory
/// \param observer sees one search after the other, the second from the start again
/// \return as from `external_astar`, also where A* came nearer to a goal. The counts are those of both, the
///     bytes the most of either; `file_bytes` is 0 if the file was not used
/// \throws std::runtime_error, which names the folder, if no file can be made there: before the search begins
template <Problem P, class H, class O = detail::silent_observer_t<P, H, !PackedProblem<P>>>
    requires ExternalProblem<P, H>
auto astar_then_external(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                         const AStarThenExternalOptions& options, limits_t<P> limits = {},
                         O&& observer = O{}) {
    using Result = ExternalResult<state_t<P>, cost_t<P>, move_t<P>>;
    return detail::guarded_search([&] {
        MemoryBudget of_nothing;
        detail::SpillFile(options.folder, 4096, 0, of_nothing);
        return detail::with_bound(heuristic, problem, [&](auto& bound) {
            limits_t<P> in_memory = limits;
            in_memory.bytes = std::min(detail::bytes_before(options.astar_bytes, limits.bytes), limits.bytes);
            Result result;
            static_cast<search_result_t<P>&>(result) = astar(problem, start, bound, in_memory, observer);
            if (result.status != Status::memory_limit) {
                return result;
            }
            Statistics statistics = result.statistics;
            limits = remaining(std::move(limits), statistics);
            if (limits.bytes == Limits::unlimited) {
                limits.bytes = statistics.bytes;
            }
            result = external_astar(problem, start, bound,
                                    {.folder = options.folder, .file_bytes = options.file_bytes}, limits,
                                    observer);
            result.statistics = statistics.merge_sequential(result.statistics);
            return result;
        });
    });
}

} // namespace npuzzle
