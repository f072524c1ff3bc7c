#pragma once

#include <chrono>
#include <mpi.h>
#include <thread>

/// \file
/// What the benchmarks that MPI starts have in common.

namespace benchmarks {

/// Waits for all ranks, most of the time asleep. Then all go on at the same time.
inline void meet(MPI_Comm ranks) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(ranks, &request);
    for (int is_complete = 0;;) {
        MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
        if (is_complete != 0) {
            break;
        }
        std::this_thread::sleep_for(std::chrono::microseconds{200});
    }
    MPI_Barrier(ranks);
}

} // namespace benchmarks
