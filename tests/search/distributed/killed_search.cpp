// A search that killed.sh kills: one with a journal, whose units take so long that it does so in the midst of
// them. Writes a byte into a second file for each unit that is begun. Status 0: the result is that of
// `ida_star`.
#include <npuzzle/search/distributed/distributed_ida_star.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/ida_star_journal.hpp>

#include "support/mpi.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

// A complete tree of depth 7. Its last iteration alone is divided, into the 81 states of depth 4.
std::vector<std::int64_t> neighbors(std::int64_t n) {
    return n < 1'093 ? std::vector<std::int64_t>{3 * n + 1, 3 * n + 2, 3 * n + 3}
                     : std::vector<std::int64_t>{};
}

bool is_goal(std::int64_t /*n*/) {
    return false;
}

} // namespace

int main(int argc, char* argv[]) {
    if (argc != 4) {
        return 2;
    }
    const int begun = ::open(argv[2], O_WRONLY | O_APPEND | O_CREAT, 0600);
    const auto threads = static_cast<unsigned>(std::atoi(argv[3]));
    std::atomic<int> iterations{0};
    const auto slow = [&](std::int64_t n) {
        iterations += n == 1 ? 1 : 0;
        if (iterations > 7 && 121 <= n && n < 364 && n % 3 == 1) { // the first state of a unit
            if (::write(begun, ".", 1) != 1) {
                std::abort();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
        return 0.0;
    };
    try {
        npuzzle::IdaStarJournal journal(argv[1], "tree");
        const auto result = npuzzle::distributed_ida_star(
            MPI_COMM_WORLD, npuzzle::problem_from<std::int64_t>(neighbors, is_goal), 0, slow,
            {.threads = threads, .least_divided = 1'093, .journal = &journal});
        const auto expected = npuzzle::ida_star(std::int64_t{0}, neighbors, is_goal);
        return result.status == expected.status &&
                       result.statistics.expanded == expected.statistics.expanded &&
                       result.statistics.generated == expected.statistics.generated
                   ? 0
                   : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
