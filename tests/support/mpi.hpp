#pragma once

#include <mpi.h>

namespace test {

/// MPI, for as long as the program runs. Every rank goes through the same tests: a check that fails on one of
/// them must not keep it from the calls that all make, so these tests have CHECK and not REQUIRE.
class MpiSession {
public:
    MpiSession() {
        int provided = MPI_THREAD_SINGLE;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    }
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;
    ~MpiSession() { MPI_Finalize(); }
};

inline const MpiSession mpi_session;

} // namespace test
