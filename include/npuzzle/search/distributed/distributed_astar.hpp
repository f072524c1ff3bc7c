#pragma once

#include "npuzzle/search/best_first.hpp"
#include "npuzzle/search/distributed/kernel/mpi_peers.hpp"
#include "npuzzle/search/parallel/kernel/parallel_engine.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

/// \file
/// A* on many machines.

namespace npuzzle {

/// How a search runs on the processes of a communicator.
struct DistributedOptions {
    /// How many threads each process has, its caller's own among them; 0 for as many as its machine runs at
    /// once. The least number of all processes counts. With more than one, MPI has to be started by
    /// `MPI_Init_thread` with `MPI_THREAD_FUNNELED` or more.
    unsigned threads = 1;
    /// A search that stores fewer nodes, and takes less than 10 ms, is made by the first process alone: it is
    /// over before others would be of use. A larger one begins again on all.
    std::uint64_t serial_nodes = std::uint64_t{3} << 15;
};

namespace detail {

template <class Policy, class P, class H, class O, class Priority>
search_result_t<P> search_distributed(MPI_Comm communicator, const P& problem, const state_t<P>& start,
                                      H& heuristic, const DistributedOptions& options,
                                      const limits_t<P>& limits, O& observer, const Priority& priority) {
    static_assert(!sees_nodes<O>,
                  "a search by several processes tells an observer of its progress and of no nodes; write: "
                  "static constexpr bool sees_nodes = false;");
    check_travel<P>();
    return guarded_search([&] {
        struct Held {
            typename bound_heuristic<H&, P>::type heuristic;
        };
        const Communicator ranks(communicator);
        const auto threads = static_cast<int>(thread_count(options.threads));
        std::optional<Held> held;
        ranks.attempt([&] {
            int level = MPI_THREAD_SINGLE;
            MPI_Query_thread(&level);
            if (threads > 1 && level < MPI_THREAD_FUNNELED) {
                throw std::logic_error(
                    "a search on several threads needs MPI started by MPI_Init_thread with "
                    "MPI_THREAD_FUNNELED or more");
            }
            held.emplace(Held{make_bound_heuristic(heuristic, problem)});
        });
        using Bound = std::remove_reference_t<decltype(held->heuristic)>;
        MpiPeers<P> peers(ranks, problem);
        ParallelSearch<Policy, P, Bound, O, Priority, MpiPeers<P>> search(
            peers, problem, held->heuristic, observer, priority, limits,
            static_cast<std::size_t>(ranks.least(threads)));
        return search.run(start, options.serial_nodes, 0.01);
    });
}

} // namespace detail

/// `astar` by the processes of a communicator, on one machine or on many: hash-distributed A* (Kishimoto,
/// Fukunaga, Botea 2009). All processes call it with the same arguments, and all get the same result: the
/// cost equals `astar`'s, and the path may be another one of that cost. The counts are those of all
/// together, and differ from run to run.
///
/// A state travels as its word (`pack`), with its bytes if it is trivially copyable, or by its content if it
/// is `Serializable`, such as a `std::string`. Any other needs a `SerializingProblem`. Its hash is the same in
/// all processes: nothing of it comes from an address. The processes run on machines of one kind. Within a
/// process, threads call the problem and the heuristic as in `parallel_astar`. MPI is called by the calling
/// thread alone, which does so between expansions: expansions
/// that take seconds keep the others waiting.
///
/// \tparam Policy as of `astar`. Closed nodes are opened again, unless the policy says otherwise
/// \param communicator what all its processes have in common is that they call this. The search has messages
///        of its own in it
/// \param limits `bytes` and `expansions` are for all together: each process may hold an equal share of
///        the bytes; the expansions are exceeded by some hundreds for each thread at most. Time, and a stop,
///        end the search on all processes, wherever they strike. `max_cost` is the same on all
/// \param observer each process has its own. It is told of the progress alone, on the calling thread, with
///        what all processes have done
/// \throws RankFailure if something was thrown on another process; what it was comes out of the call there. A
///         process that ends without an exception ends the whole job, by MPI
/// \throws std::logic_error if there are to be threads, and MPI was started without
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P>
search_result_t<P> distributed_astar(MPI_Comm communicator, const P& problem,
                                     const detail::named_state_t<P>& start, H&& heuristic,
                                     DistributedOptions options = {}, limits_t<P> limits = {},
                                     O&& observer = O{}) {
    return detail::search_distributed<Policy>(communicator, problem, start, heuristic, options, limits,
                                              observer, AStarPriority<cost_t<P>, estimate_t<H, P>>{});
}

/// `best_first` by the processes of a communicator, by any priority that is trivially copyable: see
/// `distributed_astar`.
template <std::derived_from<DefaultPolicy> Policy = DefaultPolicy, Problem P, class H, class Phi,
          class O = detail::default_observer_t<P, H, Policy>>
    requires HeuristicFor<H, P> && std::copy_constructible<Phi> &&
             std::invocable<const Phi&, const cost_t<P>&, const estimate_t<H, P>&>
search_result_t<P> distributed_best_first(MPI_Comm communicator, const P& problem,
                                          const detail::named_state_t<P>& start, H&& heuristic, Phi phi,
                                          DistributedOptions options = {}, limits_t<P> limits = {},
                                          O&& observer = O{}) {
    return detail::search_distributed<Policy>(communicator, problem, start, heuristic, options, limits,
                                              observer, detail::priority_t<Phi, P, H>{std::move(phi)});
}

} // namespace npuzzle
