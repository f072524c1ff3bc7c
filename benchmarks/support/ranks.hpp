#pragma once

#include "support/answers.hpp"
#include "support/figures.hpp"

#include <chrono>
#include <fstream>
#include <mpi.h>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

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

/// The file of `--figures FILE`, which comes first and is taken from the arguments; empty without that.
inline std::string take_figures_file(int& argc, char**& argv) {
    if (argc < 3 || std::string_view(argv[1]) != "--figures") {
        return {};
    }
    std::string file = argv[2];
    argv += 2;
    argc -= 2;
    return file;
}

inline void save_figures(const std::string& file, const std::vector<Figure>& figures) {
    std::ofstream out(file);
    write_figures(out, figures);
    require(static_cast<bool>(out.flush()), "could not write " + file);
}

} // namespace benchmarks
