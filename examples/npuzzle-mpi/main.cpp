// The program `npuzzle-mpi`: solves a sliding-tile puzzle by several processes, on one machine or on many.
//
//     mpirun -n 2 npuzzle-mpi solve FILE --algorithm astar
//     mpirun -n 2 npuzzle-mpi solve FILE --algorithm ida --checkpoint JOURNAL
#include <npuzzle/io/parse.hpp>
#include <npuzzle/io/printable.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/distributed.hpp>
#include <npuzzle/search/parallel/ida_star_journal.hpp>
#include <npuzzle/version.hpp>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fmt/core.h>
#include <iostream>
#include <string>
#include <vector>

namespace {

using npuzzle::Communicator;
using npuzzle::Status;

enum Exit : int { exit_solved = 0, exit_unsolvable = 1, exit_bad_input = 2, exit_limit = 3 };

struct Options {
    std::string file;
    std::string algorithm = "astar";
    std::string heuristic = "linear-conflict";
    std::string checkpoint; // a file, or empty
    unsigned threads = 1;
    double seconds = 0; // 0: no limit
    double megabytes = 0;
    bool has_statistics = false;
};

npuzzle::Limits limits_of(const Options& options) {
    npuzzle::Limits limits;
    if (options.seconds > 0) limits.time = std::chrono::duration<double>(options.seconds);
    if (options.megabytes > 0 && options.megabytes < 1e13) {
        limits.bytes = static_cast<std::uint64_t>(options.megabytes * 1e6);
    }
    return limits;
}

// What a journal is to know of a search: as `npuzzle` has it, so that either goes on where the other was.
std::string key_of(const Options& options, const npuzzle::Board& goal) {
    std::string key = fmt::format("{0} x {0} board, goal", goal.size());
    for (const auto tile : goal.tiles()) key += fmt::format(" {}", tile);
    return key + ", heuristic " + options.heuristic;
}

// One process speaks for all: they have the same result.
template <class Result>
int tell(const Communicator& ranks, const Options& options, const Result& result) {
    const npuzzle::Statistics& did = result.statistics;
    const std::string file = npuzzle::printable(options.file);
    if (ranks.rank() == 0) {
        if (result) {
            fmt::print("Minimum number of moves = {}\n", result.cost);
            for (const auto& state : result.path) std::cout << npuzzle::Board(state) << '\n';
        } else {
            fmt::print(stderr, "npuzzle-mpi: {}: no solution found: {} after {:.1f} s and {} expansions\n",
                       file, to_string(result.status), did.seconds, did.expanded);
            if (!options.checkpoint.empty()) {
                fmt::print(stderr, "npuzzle-mpi: --checkpoint {} goes on\n",
                           npuzzle::printable(options.checkpoint));
            }
        }
        if (options.has_statistics) {
            fmt::print(stderr,
                       "{}: {} by {} with {} on {} processes: expanded {}, generated {}, stored {}, {} "
                       "bytes, {:.3f} s\n",
                       file, to_string(result.status), options.algorithm, options.heuristic, ranks.size(),
                       did.expanded, did.generated, did.stored, did.bytes, did.seconds);
        }
    }
    return result ? exit_solved : exit_limit;
}

template <int N, class H>
int solve(const Communicator& ranks, const Options& options, const npuzzle::Board& board,
          const H& heuristic) {
    const npuzzle::SlidingPuzzle<N> puzzle(npuzzle::goal_blank_last(N));
    const npuzzle::PackedBoard<N> start(board);
    const npuzzle::Limits limits = limits_of(options);
    if (options.algorithm == "astar") {
        return tell(ranks, options,
                    npuzzle::distributed_astar(ranks.get(), puzzle, start, heuristic,
                                               {.threads = options.threads}, limits));
    }
    npuzzle::IdaStarJournal journal(options.checkpoint, key_of(options, puzzle.goal().to_board()));
    return tell(ranks, options,
                npuzzle::distributed_ida_star(
                    ranks.get(), puzzle, start, heuristic,
                    {.threads = options.threads, .journal = options.checkpoint.empty() ? nullptr : &journal},
                    limits));
}

template <int N>
int solve(const Communicator& ranks, const Options& options, const npuzzle::Board& board) {
    if (options.heuristic == "manhattan") return solve<N>(ranks, options, board, npuzzle::Manhattan{});
    return solve<N>(ranks, options, board, npuzzle::LinearConflict{});
}

// The board, which one process reads.
npuzzle::Board read_board(const Communicator& ranks, const std::string& file) {
    std::vector<int> tiles;
    std::exception_ptr error;
    if (ranks.rank() == 0) {
        try {
            const npuzzle::Board board = file == "-" ? npuzzle::read_board(std::cin, "standard input")
                                                     : npuzzle::read_board_file(file);
            if (board.size() < 3 || board.size() > 5) {
                throw std::invalid_argument(
                    fmt::format("{}: the size is {}; npuzzle-mpi solves boards of 3, 4 and 5",
                                npuzzle::printable(file), board.size()));
            }
            tiles.assign(board.tiles().begin(), board.tiles().end());
        } catch (...) {
            error = std::current_exception();
        }
    }
    npuzzle::share_failure(ranks, error);
    return npuzzle::Board(ranks.broadcast(tiles, 0));
}

int run(const Communicator& ranks, const Options& options) {
    const npuzzle::Board board = read_board(ranks, options.file);
    if (!board.is_solvable()) {
        if (ranks.rank() == 0) fmt::print("No solution possible\n");
        return exit_unsolvable;
    }
    switch (board.size()) {
    case 3:
        return solve<3>(ranks, options, board);
    case 4:
        return solve<4>(ranks, options, board);
    default:
        return solve<5>(ranks, options, board);
    }
}

int parse_and_run(const Communicator& ranks, int argc, char* argv[]) {
    Options options;
    CLI::App app("Solves a sliding-tile puzzle by the processes that mpirun starts.", "npuzzle-mpi");
    app.set_version_flag("--version", npuzzle::version);
    app.require_subcommand(1);
    CLI::App& command = *app.add_subcommand("solve", "find a solution with the fewest moves");
    command.add_option("FILE", options.file, "a puzzle file; - is the standard input")
        ->required()
        ->type_name("");
    command.add_option("--algorithm,-a", options.algorithm, "astar, or ida, which needs next to no memory")
        ->check(CLI::IsMember({"astar", "ida"}));
    command.add_option("--heuristic,-H", options.heuristic)
        ->check(CLI::IsMember({"manhattan", "linear-conflict"}));
    command
        .add_option("--threads", options.threads, "of each process; 0: as many as its machine runs at once")
        ->check(CLI::Range(0, 1'024));
    command.add_option("--time-limit", options.seconds, "in seconds")->check(CLI::PositiveNumber);
    command.add_option("--memory-limit", options.megabytes, "of all processes together, in MB")
        ->check(CLI::PositiveNumber);
    command
        .add_option("--checkpoint", options.checkpoint,
                    "with --algorithm ida: keep what is done in this file, or go on where it ends")
        ->type_name("FILE");
    command.add_flag("--stats", options.has_statistics, "print statistics on standard error");
    try {
        app.parse(argc, argv);
        if (!options.checkpoint.empty() && options.algorithm != "ida") {
            throw CLI::ValidationError("--checkpoint", "is for --algorithm ida alone");
        }
    } catch (const CLI::ParseError& error) {
        std::ostream nobody(nullptr);
        const bool speaks = ranks.rank() == 0;
        return app.exit(error, speaks ? std::cout : nobody, speaks ? std::cerr : nobody) == 0
                   ? exit_solved
                   : exit_bad_input;
    }
    return run(ranks, options);
}

} // namespace

int main(int argc, char* argv[]) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    int exit = exit_bad_input;
    {
        const Communicator ranks(MPI_COMM_WORLD);
        try {
            exit = parse_and_run(ranks, argc, argv);
        } catch (const npuzzle::RankFailure&) {
            // The process where it failed says so.
        } catch (const std::exception& error) {
            fmt::print(stderr, "npuzzle-mpi: {}\n", error.what());
        }
        std::cout.flush();
        std::fflush(stdout);
    }
    MPI_Finalize();
    return exit;
}
