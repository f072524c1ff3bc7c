// The 50 24-puzzle boards of Korf and Felner, by IDA* with zero-aware pattern databases, reflected:
// korf24 FOLDER [TABLES [THREADS [SECONDS [BOARDS]]]].
//
// TABLES: a partition by its name, 6-6-6-6 if there is none, or two of them with a comma: the greater value,
// and the second one is looked up where the first does not prune. They are built once, and kept in the cache
// folder.
//
// Boards are solved in the order of the published numbers of nodes, the easiest first: all but those that
// FOLDER/solved.tsv lists, to which each solved board is added. Each search has a journal in FOLDER. So the
// program can be stopped at any time, or stops after SECONDS (0: never), and goes on where it was when it is
// called again. BOARDS: only so many of the easiest. At the end comes the sum of all that are solved. "-" as
// FOLDER is a smoke run.
//
// korf24 --tables FROM TO TABLES...: each of these boards, in the same order, by IDA*, up to the last
// bound that has no solution: by each of these tables, by turns. "additive:" before a
// name means additive ones. The seconds are those of the processor.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/pattern_databases.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/pattern_database/file.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/answers.hpp"
#include "support/korf_felner.hpp"
#include "support/three_patterns.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using benchmarks::Instance24;
using benchmarks::require;
using benchmarks::Stopwatch;
using Puzzle = npuzzle::SlidingPuzzle<5>;

struct Options {
    std::filesystem::path folder;
    std::string tables;
    unsigned threads = 1;
    double seconds = 0;
    std::size_t boards = 50;
};

/// What is known of a board that was solved: a line of the file.
struct Solved {
    int moves = 0;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    double seconds = 0; ///< of the last of its runs
    int continued = 0;  ///< other than 0 if this run went on by the journal
};

constexpr const char* header = "board\tmoves\texpanded\tgenerated\tseconds\tcontinued\n";

std::map<int, Solved> read_solved(const std::filesystem::path& file) {
    std::map<int, Solved> solved;
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream words(line);
        int number = 0;
        Solved board;
        if (words >> number >> board.moves >> board.expanded >> board.generated >> board.seconds >>
            board.continued) {
            solved[number] = board;
        }
    }
    return solved;
}

void add_solved(const std::filesystem::path& file, int number, const Solved& board) {
    const bool is_new = !std::filesystem::exists(file);
    std::ofstream out(file, std::ios::app);
    out << (is_new ? header : "") << number << '\t' << board.moves << '\t' << board.expanded << '\t'
        << board.generated << '\t' << board.seconds << '\t' << board.continued << '\n';
    require(bool(out.flush()), file.string() + " cannot be written");
}

std::vector<Instance24> easiest_first(std::vector<Instance24> boards) {
    std::sort(boards.begin(), boards.end(),
              [](const Instance24& a, const Instance24& b) { return a.nodes < b.nodes; });
    return boards;
}

/// The nodes of several boards, beside the published ones.
struct Sum {
    std::size_t boards = 0;
    double nodes = 0;
    double published = 0;

    void add(const Instance24& board, double own) {
        ++boards;
        nodes += own;
        published += static_cast<double>(board.nodes);
    }
};

/// Goes through the boards.
template <class H>
class Run {
public:
    Run(const Options& options, const Puzzle& puzzle, const H& heuristic, std::vector<Instance24> boards)
        : options_(options), puzzle_(puzzle), heuristic_(heuristic),
          boards_(easiest_first(std::move(boards))), solved_(read_solved(file())) {}

    void solve_all() {
        const std::size_t count = std::min(options_.boards, boards_.size());
        for (std::size_t i = 0; i < count; ++i) {
            const Instance24& board = boards_[i];
            if (!solved_.contains(board.number) && !solve(board)) {
                break;
            }
            const Solved& solved = solved_.at(board.number);
            std::printf("board %2d: %3d moves, %.4g nodes (published: %.4g, %.3f x), %.1f s%s\n",
                        board.number, solved.moves, static_cast<double>(solved.generated),
                        static_cast<double>(board.nodes),
                        static_cast<double>(solved.generated) / static_cast<double>(board.nodes),
                        solved.seconds, solved.continued != 0 ? " in the last of several runs" : "");
            std::fflush(stdout);
        }
    }

    void sum_up() const {
        Sum sum;
        double seconds = 0;
        for (const Instance24& board : boards_) {
            if (const auto found = solved_.find(board.number); found != solved_.end()) {
                sum.add(board, static_cast<double>(found->second.generated));
                seconds += found->second.seconds;
            }
        }
        if (sum.boards > 0) {
            std::printf("%zu boards: %.4g nodes (published: %.4g, %.3f x) in %.0f s\n", sum.boards, sum.nodes,
                        sum.published, sum.nodes / sum.published, seconds);
        }
    }

private:
    [[nodiscard]] std::filesystem::path file() const { return options_.folder / "solved.tsv"; }

    /// False if the time is over.
    bool solve(const Instance24& board) {
        const std::filesystem::path path =
            options_.folder / ("board" + std::to_string(board.number) + ".journal");
        const npuzzle::PackedBoard<5> start(board.tiles);
        npuzzle::Limits limits;
        if (options_.seconds > 0) {
            const double left = std::max(options_.seconds - stopwatch_.seconds(), 0.0);
            limits.time = std::chrono::nanoseconds(static_cast<std::int64_t>(left * 1e9));
        }
        const int continued = std::filesystem::exists(path) ? 1 : 0;
        npuzzle::IdaStarJournal journal(
            path.string(), "24-puzzle, blank first, zero-aware with reflection: " + options_.tables);
        const Stopwatch stopwatch;
        const auto result = npuzzle::parallel_ida_star(
            puzzle_, start, heuristic_, {.threads = options_.threads, .journal = &journal}, limits);
        if (result.status == npuzzle::Status::time_limit) {
            return false;
        }
        const std::string who = "board " + std::to_string(board.number);
        require(result.status == npuzzle::Status::solved && result.cost == board.optimal_cost,
                who + ": not the published cost");
        benchmarks::require_path(puzzle_, start, result.path, result.cost, who);
        const Solved solved{result.cost, result.statistics.expanded, result.statistics.generated,
                            stopwatch.seconds(), continued};
        add_solved(file(), board.number, solved);
        solved_[board.number] = solved;
        std::filesystem::remove(path);
        return true;
    }

    Options options_;
    const Puzzle& puzzle_;
    const H& heuristic_;
    std::vector<Instance24> boards_;
    std::map<int, Solved> solved_;
    Stopwatch stopwatch_;
};

template <class H>
void run(const Options& options, const Puzzle& puzzle, const H& heuristic,
         const std::vector<Instance24>& boards) {
    Run<H> run(options, puzzle, heuristic, boards);
    run.solve_all();
    run.sum_up();
}

/// Prints the nodes and the time of all bounds below the optimum.
template <class H>
void search_below(const Instance24& board, const Puzzle& puzzle, const std::string& name,
                  const H& heuristic) {
    npuzzle::limits_t<Puzzle> limits;
    limits.max_cost = board.optimal_cost - 2;
    const std::clock_t before = std::clock();
    const auto result = npuzzle::ida_star(puzzle, npuzzle::PackedBoard<5>(board.tiles), heuristic, limits);
    require(result.status == npuzzle::Status::cost_limit,
            "board " + std::to_string(board.number) + ": shorter than published");
    std::printf(", %s %.4g nodes in %.2f s", name.c_str(), static_cast<double>(result.statistics.generated),
                static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    std::fflush(stdout);
}

template <npuzzle::TableKind kind>
npuzzle::BasicPatternDatabases<8, kind> databases(const npuzzle::Partition& partition,
                                                  const npuzzle::TableStore& store) {
    auto tables = npuzzle::load_or_build_tables<kind>(partition, store);
    require(tables.has_value(), "the tables were not built");
    return npuzzle::BasicPatternDatabases<8, kind>(partition, std::move(*tables), npuzzle::Reflection::both);
}

/// The pattern databases that were asked for, each of which is loaded once.
class Tables {
public:
    explicit Tables(const npuzzle::Board& goal) : goal_(goal) {
        store_.load.copy = true; // on huge pages
    }

    const npuzzle::ZeroAwarePatternDatabases& zero_aware(const std::string& name) {
        return kept<npuzzle::TableKind::zero_aware>(zero_aware_, name);
    }

    /// Calls `search(heuristic)` with the heuristic of a name, of two with a comma, or of `additive:` and a name.
    template <class Search>
    void with(const std::string& names, const Search& search) {
        constexpr std::string_view additive = "additive:";
        const std::size_t comma = names.find(',');
        if (names.starts_with(additive)) {
            search(kept<npuzzle::TableKind::additive>(additive_, names.substr(additive.size())));
        } else if (comma == std::string::npos) {
            search(zero_aware(names));
        } else {
            search(npuzzle::MaxOf{zero_aware(names.substr(0, comma)), zero_aware(names.substr(comma + 1))});
        }
    }

private:
    template <npuzzle::TableKind kind>
    using Databases = npuzzle::BasicPatternDatabases<8, kind>;

    template <npuzzle::TableKind kind>
    const Databases<kind>& kept(std::map<std::string, Databases<kind>>& all, const std::string& name) {
        auto found = all.find(name);
        if (found == all.end()) {
            const auto partition = npuzzle::Partition::named(name, goal_);
            found = all.emplace(name, databases<kind>(partition, store_)).first;
        }
        return found->second;
    }

    const npuzzle::Board& goal_;
    npuzzle::TableStore store_;
    std::map<std::string, npuzzle::PatternDatabases> additive_;
    std::map<std::string, npuzzle::ZeroAwarePatternDatabases> zero_aware_;
};

/// Two scrambled boards with small tables: the time of the first run is over at once, the second one solves
/// both.
void smoke(const npuzzle::Board& goal, const Puzzle& puzzle) {
    const auto partition = benchmarks::three_patterns_of_four(goal);
    npuzzle::TableStore store;
    store.save = false;
    const auto heuristic = databases<npuzzle::TableKind::zero_aware>(partition, store);
    std::vector<Instance24> boards;
    for (const int moves : {16, 22}) {
        const npuzzle::Board board = npuzzle::random_walk(goal, moves, 1);
        Instance24 instance{moves, 0, static_cast<std::uint64_t>(moves), {}};
        for (int cell = 0; cell < 25; ++cell) {
            instance.tiles[static_cast<std::size_t>(cell)] = board.tile(cell);
        }
        instance.optimal_cost = npuzzle::ida_star(puzzle, npuzzle::PackedBoard<5>(board), heuristic).cost;
        boards.push_back(instance);
    }
    const std::filesystem::path folder = "korf24_smoke";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    run({folder, "", 2, 1e-9, 1}, puzzle, heuristic, boards);
    require(read_solved(folder / "solved.tsv").empty(), "the first run solves nothing");
    run({folder, "", 1, 0, 50}, puzzle, heuristic, boards);
    require(read_solved(folder / "solved.tsv").size() == 2, "the second run solves both");
    search_below(boards[0], puzzle, "additive", databases<npuzzle::TableKind::additive>(partition, store));
}

} // namespace

int main(int argc, char** argv) {
    try {
        require(argc > 1, "call it with a folder");
        const auto argument = [&](int i, double otherwise) {
            return i < argc ? std::atof(argv[i]) : otherwise;
        };
        const npuzzle::Board goal = npuzzle::goal_blank_first(5);
        const Puzzle puzzle(goal);
        if (std::string(argv[1]) == "-") {
            smoke(goal, puzzle);
            return EXIT_SUCCESS;
        }
        const std::vector<Instance24> boards(benchmarks::korf_felner_boards.begin(),
                                             benchmarks::korf_felner_boards.end());
        Tables tables(goal);
        const std::string mode = argv[1];
        if (mode == "--tables") {
            const auto sorted = easiest_first(boards);
            for (auto i = static_cast<std::size_t>(argument(2, 0));
                 i < std::min(static_cast<std::size_t>(argument(3, 0)), sorted.size()); ++i) {
                std::printf("board %2d", sorted[i].number);
                for (int name = 4; name < argc; ++name) {
                    tables.with(argv[name], [&](const auto& heuristic) {
                        search_below(sorted[i], puzzle, argv[name], heuristic);
                    });
                }
                std::printf("\n");
            }
        } else {
            const Options options{mode, argc > 2 ? argv[2] : "6-6-6-6", static_cast<unsigned>(argument(3, 1)),
                                  argument(4, 0), static_cast<std::size_t>(argument(5, 50))};
            std::filesystem::create_directories(options.folder);
            tables.with(options.tables,
                        [&](const auto& heuristic) { run(options, puzzle, heuristic, boards); });
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
