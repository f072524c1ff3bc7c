#include <npuzzle/puzzle/best_effort.hpp>
#include <npuzzle/puzzle/constructive.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/quick_solution.hpp>
#include <npuzzle/puzzle/solvability.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/puzzle/solver_tables.hpp>
#include <npuzzle/search/memory/available_memory.hpp>

#include "families.hpp"
#include "files.hpp"
#include "heuristic_name.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "search.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <stdexcept>
#include <thread>
#include <utility>

namespace program {

namespace {

using npuzzle::SolverAlgorithm;
using npuzzle::Status;

// As it is when the first search begins, since the searches themselves take from what is available.
std::uint64_t default_memory() {
    static const std::uint64_t bytes = npuzzle::default_memory_limit();
    return bytes;
}

// What the search itself may take of it.
std::uint64_t memory_limit(const SearchOptions& options, int n, std::uint64_t bytes_of_tables) {
    const std::uint64_t bytes = total_memory(options) - std::min(total_memory(options), bytes_of_tables);
    if (n == 4 || n == 5) return bytes;
    // These boards own memory outside the node, which the search does not count.
    const std::uint64_t of_node = 80;
    const std::uint64_t of_board = 16 + 4 * static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n);
    return static_cast<std::uint64_t>(static_cast<double>(bytes) * static_cast<double>(of_node) /
                                      static_cast<double>(of_node + of_board));
}

npuzzle::Limits limits_of(const SearchOptions& options, int n, std::uint64_t bytes_of_tables = 0) {
    return {.expansions = options.expansion_limit,
            .bytes = memory_limit(options, n, bytes_of_tables),
            .time = options.time_limit,
            .stop = interrupted()};
}

npuzzle::TableUse table_use(const std::string& name) {
    return name == "if-there" ? npuzzle::TableUse::if_there
           : name == "build"  ? npuzzle::TableUse::build_if_missing
                              : npuzzle::TableUse::automatic;
}

// Tables that were built are used anyway.
void tell_unsaved(const npuzzle::TableFileError& error) {
    print_error(fmt::format("npuzzle: {}\n", error.what()));
}

npuzzle::Move move_between(const npuzzle::Board& from, const npuzzle::Board& to) {
    const std::int64_t step = to.blank_cell() - from.blank_cell();
    return step == 1    ? npuzzle::Move::right
           : step == -1 ? npuzzle::Move::left
           : step > 0   ? npuzzle::Move::down
                        : npuzzle::Move::up;
}

Outcome outcome_of(const npuzzle::Solver& solver) {
    Outcome outcome;
    outcome.status = solver.status();
    outcome.statistics = solver.statistics();
    outcome.algorithm = solver.algorithm() == SolverAlgorithm::automatic ? "parity"
                        : solver.algorithm() == SolverAlgorithm::astar   ? "astar"
                                                                         : "ida";
    outcome.heuristic = solver.heuristic();
    outcome.at_least = solver.lower();
    if (solver.best_moves()) {
        outcome.solution = solver.best_moves();
        outcome.is_shortest = outcome.status == Status::solved;
        outcome.is_bounded = !outcome.is_shortest;
    } else if (const auto& boards = solver.solution()) {
        outcome.solution.emplace();
        for (std::size_t i = 1; i < boards->size(); ++i) {
            outcome.solution->push_back(move_between((*boards)[i - 1], (*boards)[i]));
        }
    }
    return outcome;
}

// Calls `solve(told)` with the options of a solver, which tell the line how far it is.
template <class F>
Outcome with_solver_options(const npuzzle::Board& goal, const SearchOptions& options,
                            const npuzzle::Limits& limits, ProgressLine& line, F&& solve) {
    npuzzle::SolverOptions told;
    told.goal = goal;
    told.limits = limits;
    if (options.best_effort) told.best_effort = npuzzle::solver_best_effort();
    SolverLine solver_line(line, goal.size(), options.time_limit);
    if (options.tables != "never") {
        npuzzle::SolverTableOptions tables;
        tables.use = table_use(options.tables);
        tables.store.save_failed = tell_unsaved;
        tables.store.load.trust_others = options.trusts_tables;
        tables.store.build.progress = [&](const npuzzle::BuildProgress& progress) {
            solver_line.tell(progress);
        };
        told.tables = npuzzle::solver_tables(std::move(tables));
    }
    std::int64_t least = 0;
    told.progress = [&](const npuzzle::SolverProgress& progress) {
        least = std::max<std::int64_t>(least, progress.bound);
        if (options.best_effort) {
            solver_line.tell(progress);
        } else {
            line.tell(progress.algorithm == SolverAlgorithm::ida_star ? "ida" : "astar", progress.bound,
                      progress.statistics);
        }
    };
    Outcome outcome = outcome_of(solve(told));
    outcome.at_least = std::max(outcome.at_least, least);
    return outcome;
}

// By the search that the solver chooses.
Outcome search_by_itself(const npuzzle::Board& board, const SearchOptions& options) {
    ProgressLine line;
    return with_solver_options(
        goal_named(options.goal, board.size()), options, limits_of(options, board.size()), line,
        [&](const npuzzle::SolverOptions& told) { return npuzzle::Solver(board, told); });
}

bool deepens(const Task& task) {
    const int n = task.board.size();
    return task.options.algorithm == "ida" ||
           (task.options.algorithm == "auto" &&
            (n == 4 || n > 5 || task.heuristic.name().has_pattern_databases()));
}

// A* or IDA*. By the two usual heuristics the solver has searches that are several times faster.
Outcome search_by_astar_or_ida(const Task& task) {
    const auto kind = task.heuristic.name().single();
    const bool is_linear_conflict = kind == HeuristicName::Kind::linear_conflict;
    if (is_linear_conflict || kind == HeuristicName::Kind::manhattan) {
        return with_solver_options(
            task.goal, task.options, task.limits, task.line, [&](npuzzle::SolverOptions told) {
                told.algorithm = deepens(task) ? SolverAlgorithm::ida_star : SolverAlgorithm::astar;
                return is_linear_conflict ? npuzzle::Solver(task.board, npuzzle::LinearConflict{}, told)
                                          : npuzzle::Solver(task.board, npuzzle::Manhattan{}, told);
            });
    }
    Outcome outcome = deepens(task) ? ida_star(task) : best_first(task, 1);
    outcome.algorithm = deepens(task) ? "ida" : "astar";
    return outcome;
}

// The tables of the pattern databases in a name, or why there are none: a limit.
struct Tables {
    Status status = Status::running;
    std::vector<npuzzle::PatternDatabases> all = {};
    std::uint64_t bytes = 0;
};

Tables tables_for(const HeuristicName& name, const npuzzle::Board& goal, const SearchOptions& options,
                  ProgressLine& line) {
    Tables tables;
    npuzzle::TableStore store;
    store.build.stop = interrupted();
    store.build.progress = [&](const npuzzle::BuildProgress& progress) { line.tell(progress); };
    store.save_failed = tell_unsaved;
    store.load.trust_others = options.trusts_tables;
    for (const HeuristicName::Part& part : name.parts) {
        if (part.kind != HeuristicName::Kind::pattern_databases) continue;
        if (goal.size() < 3 || goal.size() > 5) {
            throw std::invalid_argument("there are no pattern databases for boards of size " +
                                        std::to_string(goal.size()));
        }
        const std::string usual = goal.size() == 3 ? "4-4" : goal.size() == 4 ? "7-8" : "6-6-6-6";
        const auto partition =
            npuzzle::Partition::named(part.partition.empty() ? usual : part.partition, goal);
        if (options.tables == "never" || (options.tables == "if-there" && !store.holds(partition))) {
            throw std::invalid_argument("the tables of " + name.text + " are not there, and not to be built");
        }
        const std::uint64_t left = total_memory(options) - std::min(total_memory(options), tables.bytes);
        const npuzzle::TableBytes bytes = table_bytes(partition);
        if ((store.holds(partition) ? bytes.held : bytes.to_build) > left) return {Status::memory_limit};
        auto loaded = load_or_build_tables(partition, store);
        if (!loaded) return {Status::cancelled};
        tables.all.emplace_back(partition, *std::move(loaded), npuzzle::Reflection::both);
        tables.bytes += bytes.held;
    }
    return tables;
}

Outcome construct(const npuzzle::Board& board, const npuzzle::Board& goal) {
    const auto started = std::chrono::steady_clock::now();
    Outcome outcome;
    outcome.solution = npuzzle::constructive_moves(board, goal);
    outcome.status = Status::solved;
    outcome.is_shortest = false;
    outcome.statistics.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return outcome;
}

// Whether the search itself is to run on several threads.
bool has_own_threads(const npuzzle::Board& board, const SearchOptions& options) {
    return options.search_threads != 1 && is_packed(board);
}

// Throws std::invalid_argument if options do not go together, or not with the board.
void refuse_misfits(const npuzzle::Board& board, const SearchOptions& options) {
    const auto require = [](bool holds, const char* why) {
        if (!holds) throw std::invalid_argument(why);
    };
    const std::string& algorithm = options.algorithm;
    require(!options.weight || algorithm == "weighted" || algorithm == "anytime",
            "--weight goes with --algorithm weighted and anytime alone");
    require(options.checkpoint.empty() || algorithm == "ida", "--checkpoint goes with --algorithm ida alone");
    require(options.checkpoint.empty() || is_packed(board),
            "--checkpoint goes with boards of size 4 and 5 alone");
    require(options.spill.empty() || algorithm == "astar", "--spill goes with --algorithm astar alone");
    require(options.spill.empty() || is_packed(board), "--spill goes with boards of size 4 and 5 alone");
}

// What the solver has for one thread is several times faster than the heuristics of the command line.
bool is_divided(const Task& task, bool is_parallel) {
    return is_parallel && has_divided_ida_star(task.board.size(), task.heuristic.name());
}

Outcome search_family(const Task& task, const SearchOptions& options) {
    const std::string& algorithm = options.algorithm;
    const double weight = options.weight.value_or(1.5);
    Outcome outcome;
    const bool is_parallel = has_own_threads(task.board, options);
    if (algorithm == "weighted") {
        outcome = is_parallel ? parallel_best_first(task, weight) : best_first(task, weight);
        outcome.is_shortest = weight == 1;
    } else if (algorithm == "greedy") {
        outcome = is_parallel ? parallel_best_first(task, std::nullopt) : best_first(task, std::nullopt);
        outcome.is_shortest = false;
    } else if (algorithm == "anytime") {
        outcome = anytime(task, weight);
    } else if (algorithm == "beam") {
        outcome = beam(task);
        outcome.is_shortest = false;
    } else if (algorithm == "bidirectional") {
        outcome = bidirectional(task);
    } else if (algorithm == "ida" && (is_divided(task, is_parallel) || !options.checkpoint.empty())) {
        outcome = parallel_ida_star(task);
    } else if (algorithm == "astar" && (is_parallel || !options.spill.empty())) {
        outcome = options.spill.empty() ? parallel_best_first(task, 1) : external_astar(task);
    } else {
        return search_by_astar_or_ida(task);
    }
    outcome.algorithm = algorithm;
    return outcome;
}

HeuristicName named_or_usual(const SearchOptions& options) {
    return parse_heuristic(options.heuristic == "auto" ? "linear-conflict" : options.heuristic);
}

// Runs one of our searches, unless parity makes it unnecessary.
template <class F>
Outcome with_task(const npuzzle::Board& board, const SearchOptions& options, F&& search) {
    const HeuristicName name = named_or_usual(options);
    const npuzzle::Board goal = goal_named(options.goal, board.size());
    Outcome outcome;
    outcome.algorithm = "parity";
    outcome.heuristic = "none";
    if (!npuzzle::is_solvable(board, goal)) {
        outcome.status = Status::unsolvable;
        return outcome;
    }
    ProgressLine line;
    Tables tables = tables_for(name, goal, options, line);
    outcome.status = tables.status;
    if (tables.status == Status::running) {
        const AnyHeuristic heuristic(name, std::move(tables.all));
        const Task task{board, goal,   heuristic, limits_of(options, board.size(), tables.bytes),
                        line,  options};
        outcome = search(task);
        outcome.estimate = with_puzzle(task, [&](const auto& puzzle, const auto& start) {
            return std::int64_t{heuristic.bind(puzzle)(start)};
        });
    }
    outcome.heuristic = name.text;
    return outcome;
}

// A lower bound that needs no search.
std::int64_t least_moves(const npuzzle::Board& board, const std::string& goal) {
    const npuzzle::SlidingPuzzle<> puzzle(goal_named(goal, board.size()));
    return npuzzle::LinearConflict{}.bind(puzzle)(board);
}

Outcome search_as_told(const npuzzle::Board& board, const SearchOptions& options) {
    refuse_misfits(board, options);
    const HeuristicName name = parse_heuristic(options.heuristic);
    const bool has_files = !options.checkpoint.empty() || !options.spill.empty();
    if (options.algorithm == "auto" && options.heuristic == "auto" && !has_files) {
        Outcome outcome = search_by_itself(board, options);
        if (outcome.status != Status::unsolvable) outcome.estimate = least_moves(board, options.goal);
        return outcome;
    }
    if (options.algorithm == "constructive") {
        const npuzzle::Board goal = goal_named(options.goal, board.size());
        Outcome outcome;
        outcome.status = Status::unsolvable;
        if (npuzzle::is_solvable(board, goal)) outcome = construct(board, goal);
        outcome.algorithm = options.algorithm;
        outcome.heuristic = "none";
        if (outcome.status != Status::unsolvable) outcome.estimate = least_moves(board, options.goal);
        return outcome;
    }
    if (options.algorithm == "bidirectional" && name.has_pattern_databases()) {
        throw std::invalid_argument(
            "pattern databases are made for one goal; a bidirectional search has two");
    }
    return with_task(board, options, [&](const Task& task) { return search_family(task, options); });
}

Outcome with_least_moves(Outcome outcome, const npuzzle::Board& board, const SearchOptions& options) {
    if (outcome.solution && outcome.is_shortest) {
        outcome.at_least = outcome.moves();
    } else if (outcome.status != Status::unsolvable) {
        outcome.at_least = std::max(outcome.at_least, least_moves(board, options.goal));
        if (outcome.moves() == outcome.at_least) { // A proof, whatever ended the search.
            outcome.status = Status::solved;
            outcome.is_shortest = true;
            outcome.is_bounded = false;
        }
    }
    return outcome;
}

// A search that makes no best effort by itself may leave none.
Outcome with_some_solution(Outcome outcome, const npuzzle::Board& board, const SearchOptions& options) {
    if (options.best_effort && !outcome.solution && outcome.status != Status::unsolvable) {
        npuzzle::QuickSolutionOptions quick;
        quick.limits.stop = interrupted();
        quick.limits.bytes = std::min(quick.limits.bytes, total_memory(options));
        quick.limits.time = std::min(quick.limits.time, npuzzle::TimeLimit(options.time_limit / 2));
        outcome.solution = npuzzle::quick_solution(board, goal_named(options.goal, board.size()), quick);
        outcome.is_shortest = false;
        outcome.is_bounded = true;
    }
    return outcome;
}

// Beyond size 5 most boards are out of reach.
constexpr std::chrono::seconds default_time{30};

bool has_default_time(const npuzzle::Board& board, const SearchOptions& options) {
    const SearchOptions unlimited;
    return options.best_effort && !options.optimal && board.size() > 5 &&
           options.time_limit == unlimited.time_limit && options.expansion_limit == unlimited.expansion_limit;
}

} // namespace

bool is_packed(const npuzzle::Board& board) {
    return board.size() == 4 || board.size() == 5;
}

std::uint64_t total_memory(const SearchOptions& options) {
    return options.memory_limit != 0 ? options.memory_limit : default_memory();
}

SearchOptions shared(SearchOptions options, std::size_t boards) {
    const std::size_t threads =
        options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
    if (options.memory_limit == 0) {
        const std::size_t together = std::clamp<std::size_t>(boards, 1, threads);
        options.memory_limit = std::max<std::uint64_t>(1, default_memory() / together);
    }
    options.search_threads = boards == 1 ? static_cast<unsigned>(threads) : 1;
    return options;
}

Outcome search(const npuzzle::Board& board, const SearchOptions& options) {
    SearchOptions told = options;
    const bool is_default = has_default_time(board, options);
    if (is_default) told.time_limit = default_time;
    Outcome outcome =
        with_least_moves(with_some_solution(search_as_told(board, told), board, told), board, told);
    outcome.has_default_limit = is_default && outcome.status == Status::time_limit;
    return outcome;
}

Outcome search_all(const npuzzle::Board& board, const SearchOptions& options, const VisitSolution& visit) {
    refuse_misfits(board, options);
    if (!options.spill.empty()) throw std::invalid_argument("--spill goes with one solution of each board");
    if (options.algorithm != "auto" && options.algorithm != "astar") {
        throw std::invalid_argument("all shortest solutions are found by --algorithm astar alone");
    }
    const auto all = [&](const Task& task) {
        Outcome outcome = all_shortest(task, visit);
        outcome.algorithm = "astar";
        return outcome;
    };
    return with_least_moves(with_task(board, options, all), board, options);
}

void for_each_board(const npuzzle::Board& board, const std::vector<npuzzle::Move>& solution,
                    const std::function<void(const npuzzle::Board&)>& visit) {
    const npuzzle::SlidingPuzzle puzzle(board.size());
    npuzzle::Board current = board;
    visit(current);
    for (const npuzzle::Move move : solution) {
        puzzle.apply(current, move);
        visit(current);
    }
}

std::string in_words(Status status) {
    std::string words(to_string(status));
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

int exit_status(const Outcome& outcome) {
    return outcome.is_bounded                     ? exit_bounded
           : outcome.solution                     ? exit_solved
           : outcome.status == Status::unsolvable ? exit_unsolvable
                                                  : exit_limit;
}

int worse(int one, int other) {
    constexpr int order[] = {exit_solved, exit_unsolvable, exit_bounded, exit_limit, exit_bad_input};
    const auto rank = [&](int status) {
        return std::find(std::begin(order), std::end(order), status) - order;
    };
    return rank(one) < rank(other) ? other : one;
}

} // namespace program
