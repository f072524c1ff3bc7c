#pragma once

#include "npuzzle/search/distributed/kernel/distributed_units.hpp"
#include "npuzzle/search/parallel/kernel/run_divided.hpp"

#include <cstdint>
#include <mpi.h>
#include <utility>

namespace npuzzle {

/// The options of `distributed_ida_star`.
struct DistributedIdaStarOptions {
    /// How many threads at most each rank has, the caller's own among them; 0 for as many as its machine runs
    /// at once. More than one needs `MPI_THREAD_FUNNELED`, without which there is one.
    unsigned threads = 1;
    /// An iteration is divided if the last one expanded so many states: see `ParallelIdaStarOptions`.
    std::uint64_t least_divided = std::uint64_t{1} << 14;
    /// Where rank 0 keeps the finished units of all ranks, such as an `IdaStarJournal`; null: nowhere. It
    /// must outlive the search. The other ranks' are not looked at.
    UnitJournal* journal = nullptr;
};

/// `ida_star` on the ranks of an MPI communicator: the same path, cost, status and statistics (but the
/// seconds), on each rank, whatever the number of ranks and of threads.
///
/// All ranks of the communicator call it, with the same arguments. Iterations are divided as by
/// `parallel_ida_star`. Each rank searches the small ones by itself; of the others, a rank gets units as it
/// needs them, and what was counted in each goes to all.
///
/// The time or a stop on any rank ends the search on all ranks, within moments, with the same status. So does
/// an exception: it comes out of the call on the rank where it was thrown, and a `RankFailure` on the others.
///
/// With a journal, a search whose processes were killed goes on, on any number of ranks and threads, and
/// returns what it would have returned. A journal of `parallel_ida_star` will do, and the other way round.
/// The journal's errors come out of the call on rank 0, as an exception that was thrown there. Each thread
/// loses the unit that it was in; on ranks other than 0, units may be lost as well that took less than 10 ms
/// together.
///
/// Only the caller's thread calls MPI, and only it calls the observer, which each rank has one of, and
/// `limits.stop`.
///
/// \param observer one that sees only the progress of all ranks, and declares `static constexpr bool
///        sees_nodes = false`
/// \return as from `ida_star`, on each rank. `limits.expansions` is exact. After `time_limit` and
///         `cancelled`, the statistics tell what was done on all ranks, as far as was known a few
///         milliseconds before.
/// \throws RankFailure, std::invalid_argument if the ranks are seen to search different things
template <Problem P, class H, class O = detail::silent_observer_t<P, H>>
    requires HeuristicFor<H, P> && detail::Plain<cost_t<P>> && detail::Plain<estimate_t<H, P>> &&
             (!sees_nodes<O>)
search_result_t<P> distributed_ida_star(MPI_Comm communicator, const P& problem,
                                        const detail::named_state_t<P>& start, H&& heuristic,
                                        DistributedIdaStarOptions options = {}, limits_t<P> limits = {},
                                        O&& observer = O{}) {
    const Communicator ranks(communicator);
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    const unsigned threads = provided == MPI_THREAD_SINGLE ? 1 : detail::thread_count(options.threads);
    detail::DistributedUnits units(ranks, options.journal, threads);
    return units.finish_run([&] {
        return detail::run_divided(units, problem, start, heuristic,
                                   {threads, options.least_divided, units.journal()}, limits, observer);
    });
}

} // namespace npuzzle
