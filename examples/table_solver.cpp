// test: examples/puzzles/puzzle3x3-04.txt
// Solves sliding-tile puzzles as solver.cpp does, and hard ones as well as can be: with tables of pattern
// databases on the disk, with the progress on the terminal, and with the best solution that is known when a
// limit or Ctrl-C ends it. Compile: g++ -std=c++20 -O2 -I include examples/table_solver.cpp -o table_solver
//   Run: table_solver --help

#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/best_effort.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/puzzle/solver_tables.hpp>
#include <npuzzle/search/memory/available_memory.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

constexpr std::string_view help = R"(usage: table_solver [OPTION]... [FILE]...
Solves sliding-tile puzzles, each in the fewest moves. A file holds one or more, each as n x n tiles row by row, 0 for
the blank. Without a file, or for the file -, it reads standard input. Tables of pattern databases are built at the
first 5 x 5 puzzle that needs them, and kept.
  --tables        build them for 4 x 4, too, which makes many puzzles faster
  --time-limit S  after so many seconds, print the best solution that is known; 30 from 6 x 6 on, else none
  --optimal       no time limit from 6 x 6 on either
Ctrl-C prints the best solution, too. Boards that would take more than 10 MB are left out; the moves are printed.
Exit status: 0 solved, 1 unsolvable, 2 bad input, 3 no solution found, 4 one that may not be a shortest one.
)";

enum Exit { solved, unsolvable, bad_input, no_solution, bounded };

Exit worse(Exit one, Exit other) {
    constexpr int gravity[] = {0, 1, 4, 3, 2};
    return gravity[one] < gravity[other] ? other : one;
}

struct Options {
    bool builds_all_tables = false;
    bool insists = false;
    std::optional<std::int64_t> seconds;
};

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t is_reading = 0;
volatile std::sig_atomic_t is_interrupted = 0;
Clock::time_point interrupted_at;

extern "C" void interrupt(int signal) {
    if (is_reading != 0) std::_Exit(no_solution);
    const auto now = Clock::now();
    if (is_interrupted == 0) {
        interrupted_at = now;
        is_interrupted = 1;
    } else if (now - interrupted_at > std::chrono::milliseconds{200}) { // `timeout` sends two together
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

/// A line on standard error that takes the place of the one before, on a terminal alone; and after a second,
/// one that stays and says what to expect.
class StatusLine {
public:
    explicit StatusLine(std::string prospect) : prospect_(std::move(prospect)) {}

    ~StatusLine() {
        if (is_shown_) std::cerr << "\r\x1b[K" << std::flush;
    }

    void show(const npuzzle::SolverProgress& now) {
        last_ = now;
        if (!is_due()) return;
        tell_prospect();
        std::string text = bounds();
        if (now.algorithm != npuzzle::SolverAlgorithm::automatic) {
            text += "f " + std::to_string(now.bound) + ", " + std::to_string(now.bytes / 1'000'000) + " MB, ";
        }
        print(text + std::to_string(std::int64_t(now.statistics.seconds)) + " s");
    }

    void show(const npuzzle::BuildProgress& now) {
        if (!is_due()) return;
        tell_prospect();
        print(bounds() + "building tables: " + std::to_string(int(now.percent())) + " %, " +
              std::to_string(std::int64_t(now.seconds_left)) + " s left");
    }

private:
    static bool is_terminal() {
#if __has_include(<unistd.h>)
        return isatty(STDERR_FILENO) == 1;
#else
        return false;
#endif
    }

    bool is_due() const { return is_terminal_ && Clock::now() >= next_; }

    std::string bounds() const {
        return last_.upper < 0 ? ""
                               : "best " + std::to_string(last_.upper) + ", at least " +
                                     std::to_string(last_.bound) + "; ";
    }

    void tell_prospect() {
        if (prospect_.empty() || last_.upper < 0 || Clock::now() < begun_ + std::chrono::seconds{1}) return;
        print(bounds() + prospect_ + "; Ctrl-C prints the best\n");
        prospect_.clear();
    }

    void print(const std::string& text) {
        std::cerr << "\r\x1b[K" << text << std::flush;
        is_shown_ = true;
        next_ = Clock::now() + std::chrono::milliseconds{200};
    }

    std::string prospect_; // until it is told
    bool is_terminal_ = is_terminal();
    bool is_shown_ = false;
    Clock::time_point begun_ = Clock::now();
    Clock::time_point next_ = begun_ + std::chrono::milliseconds{500};
    npuzzle::SolverProgress last_;
};

npuzzle::Solver solve_board(const npuzzle::Board& board, const Options& options) {
    npuzzle::Limits limits{.bytes = npuzzle::default_memory_limit(),
                           .stop = [] { return is_interrupted != 0; }};
    if (options.seconds || (board.size() > 5 && !options.insists)) {
        limits.time = std::chrono::seconds{options.seconds.value_or(30)};
    }
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits.time).count();
    StatusLine line(board.size() < 5 ? ""
                    : limits.time == npuzzle::Limits{}.time
                        ? "the shortest may take hours"
                        : "it ends after " + std::to_string(seconds) + " s");
    npuzzle::SolverTableOptions tables;
    if (options.builds_all_tables) tables.use = npuzzle::TableUse::build_if_missing;
    tables.store.build.progress = [&](const npuzzle::BuildProgress& now) { line.show(now); };
    return npuzzle::Solver(board, {.tables = npuzzle::solver_tables(tables),
                                   .best_effort = npuzzle::solver_best_effort(),
                                   .progress = [&](const npuzzle::SolverProgress& now) { line.show(now); },
                                   .limits = limits});
}

void print_boards(npuzzle::Board board, const std::vector<npuzzle::Move>& moves) {
    const std::uint64_t bytes = (moves.size() + 1) * (board.to_string().size() + 1);
    if (bytes > 10'000'000) {
        std::cout << "The boards would take " << bytes / 1'000'000
                  << " MB; these are the moves of the blank instead:\n";
        for (const npuzzle::Move move : moves)
            std::cout << to_string(move) << (&move == &moves.back() ? '\n' : ' ');
        return;
    }
    const npuzzle::SlidingPuzzle<> puzzle(board.size());
    std::cout << board << '\n';
    for (const npuzzle::Move move : moves) {
        puzzle.apply(board, move);
        std::cout << board << '\n';
    }
}

Exit solve(const npuzzle::Board& board, const std::string& name, const Options& options) try {
    const npuzzle::Solver solver = solve_board(board, options);
    if (!solver.is_solvable()) {
        std::cout << "No solution possible\n";
        if (const std::string_view goal = npuzzle::reachable_goal(board); !goal.empty()) {
            std::cerr
                << name
                << ": there is a solution to another goal, by the program npuzzle: npuzzle solve --goal "
                << goal << '\n';
        }
        return unsolvable;
    }
    if (!solver.best_moves()) {
        std::cerr << name << ": no solution found: " << solver.status() << '\n';
        return no_solution;
    }
    const bool is_optimal = solver.status() == npuzzle::Status::solved;
    if (is_optimal) {
        std::cout << "Minimum number of moves = " << solver.moves() << '\n';
    } else {
        std::cout << "Number of moves = " << solver.upper() << "; no solution has fewer than "
                  << solver.lower() << '\n';
        std::cerr << name << ": stopped by "
                  << (solver.status() == npuzzle::Status::time_limit     ? "the limit of time"
                      : solver.status() == npuzzle::Status::memory_limit ? "the limit of memory"
                                                                         : "Ctrl-C")
                  << " after " << static_cast<int>(solver.statistics().seconds) << " s"
                  << (board.size() > 5 ? "; --optimal goes on, --time-limit sets another limit\n" : "\n");
    }
    print_boards(board, *solver.best_moves());
    return is_optimal ? solved : bounded;
} catch (const std::bad_alloc&) {
    std::cerr << name << ": out of memory\n";
    return no_solution;
}

using Named = std::pair<std::string, npuzzle::Board>;

/// Adds the boards of a file, with their names.
Exit read(std::string_view file, std::vector<Named>& to) try {
    auto boards =
        file == "-" ? npuzzle::read_boards(std::cin, "standard input") : npuzzle::read_boards_file(file);
    for (npuzzle::Board& board : boards) {
        std::string name = npuzzle::printable(file);
        if (boards.size() > 1) name += '#' + std::to_string(&board - boards.data() + 1);
        to.emplace_back(name, std::move(board));
    }
    return solved;
} catch (const std::bad_alloc&) {
    std::cerr << npuzzle::printable(file) << ": out of memory\n";
    return no_solution;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return bad_input;
}

std::int64_t seconds_of(std::string_view text) {
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc{} || end != text.data() + text.size() || seconds < 0 || seconds > 1'000'000'000) {
        throw std::invalid_argument("--time-limit takes a number of seconds");
    }
    return seconds;
}

int main(int argc, char* argv[]) try {
    std::vector<std::string_view> files(argv + 1, argv + argc);
    if (std::erase(files, "--help") + std::erase(files, "-h") > 0) {
        std::cout << help;
        return 0;
    }
    Options options;
    options.builds_all_tables = std::erase(files, "--tables") > 0;
    options.insists = std::erase(files, "--optimal") > 0;
    if (const auto limit = std::find(files.begin(), files.end(), "--time-limit"); limit != files.end()) {
        options.seconds = seconds_of(limit + 1 == files.end() ? "" : limit[1]);
        files.erase(limit, limit + 2);
    }
    for (const std::string_view file : files) {
        if (file.size() > 1 && file[0] == '-')
            throw std::invalid_argument("there is no option " + npuzzle::printable(file));
    }
    if (files.empty()) files.push_back("-");
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN); // so that the exit status tells it
#endif
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    Exit exit_status = solved;
    std::vector<Named> boards;
    is_reading = 1;
    for (const std::string_view file : files) exit_status = worse(exit_status, read(file, boards));
    is_reading = 0;
    const bool has_names = files.size() > 1 || boards.size() > 1;
    for (const auto& [name, board] : boards) {
        if (is_interrupted != 0) return worse(exit_status, no_solution);
        if (has_names) std::cout << name << ":\n";
        exit_status = worse(exit_status, solve(board, name, options));
        if (!std::cout.flush()) throw std::runtime_error("standard output cannot be written");
    }
    return exit_status;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return bad_input;
}
