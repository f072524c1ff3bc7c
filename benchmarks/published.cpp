// Compares expansions with published means: the tables of docs/published.md.
//
//     published docs/published.md FILE    prints the page: its text, and the tables. Runs what FILE, which may
//                                         be empty, does not have yet, within two hours, and adds it there
//     published --quick                   two instances of each table: a smoke run, which keeps nothing

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/memory/available_memory.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include "problems/small.hpp"
#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/published_instances.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

/// Pancakes are characters, the smallest of them 0. The target may be any stack.
struct Pancakes : problems::PlainPancakes<14> {
    static constexpr bool is_undirected = true;
    State target;

    [[nodiscard]] State goal() const { return target; }
    [[nodiscard]] bool is_goal(const State& stack) const { return stack == target; }
    [[nodiscard]] Pancakes with_goal(const State& stack) const { return {{}, stack}; }
};

/// GAP-k: pairs that touch, and do not in the target (M. Helmert, SoCS 2010), without those that have one of
/// the k topmost of the target; and whether another one touches the plate.
struct Gaps {
    static constexpr bool is_consistent = true;
    int k;
    std::array<int, 128> place{}; // in the target, of each character

    [[nodiscard]] Gaps bind(const Pancakes& pancakes) const {
        Gaps bound{k};
        for (int i = 0; const auto pancake : pancakes.target) bound.place[pancake] = i++;
        return bound;
    }
    int operator()(const Pancakes::State& stack) const {
        int above = place[stack[0]];
        int gaps = place[stack[13]] != 13;
        for (const auto pancake : stack) {
            const int here = place[pancake];
            gaps += std::abs(here - above) > 1 && std::min(here, above) >= k;
            above = here;
        }
        return gaps;
    }
};

/// Disks on four pegs: two bits for the peg of each, the smallest disk in the lowest.
struct Towers {
    using State = std::uint32_t;
    static constexpr bool is_undirected = true;
    unsigned disks;
    State target;

    [[nodiscard]] std::vector<State> neighbors(State state) const {
        std::vector<State> result;
        result.reserve(6);
        unsigned covered = 0; // pegs with a smaller disk
        for (unsigned disk = 0; disk < disks; ++disk) {
            const unsigned peg = state >> (2 * disk) & 3;
            if ((covered >> peg & 1) != 0) continue;
            covered |= 1U << peg;
            for (unsigned to = 0; to < 4; ++to) {
                if ((covered >> to & 1) == 0) result.push_back(state ^ (peg ^ to) << (2 * disk));
            }
        }
        return result;
    }
    [[nodiscard]] State goal() const { return target; }
    [[nodiscard]] bool is_goal(State state) const { return state == target; }
    [[nodiscard]] Towers with_goal(State state) const { return {disks, state}; }
    [[nodiscard]] std::size_t index(State state) const { return state; }
    [[nodiscard]] std::size_t size() const { return std::size_t{1} << (2 * disks); }
};

/// The moves of the smallest disks, and of the others, as if the rest were not there.
struct DiskTables {
    static constexpr bool is_consistent = true;
    unsigned small;
    std::vector<std::uint8_t> of_small{}, of_large{};

    [[nodiscard]] DiskTables bind(const Towers& towers) const {
        return {small, moves_to({small, towers.target % (1U << (2 * small))}),
                moves_to({towers.disks - small, towers.target >> (2 * small)})};
    }
    static std::vector<std::uint8_t> moves_to(const Towers& towers) {
        std::vector<std::uint8_t> moves(towers.size());
        npuzzle::for_each_reachable(towers, towers.target, [&](Towers::State state, int cost) {
            moves[state] = static_cast<std::uint8_t>(cost);
        });
        return moves;
    }
    int operator()(Towers::State state) const {
        return of_small[state % (1U << (2 * small))] + of_large[state >> (2 * small)];
    }
};

/// Counts expansions by f: the optimum is not known before the end.
struct ByF : npuzzle::SilentObserver {
    std::array<std::uint64_t, 256> expanded{};

    void expand(const auto& node) { ++expanded[static_cast<std::size_t>(node.cost + node.estimate)]; }
};

/// What a search did, or many.
struct Run {
    int cost = 0;
    std::uint64_t expanded = 0; ///< IDA*: generated, and the root
    std::uint64_t below = 0;    ///< of them with f < C*; IDA*: the published number
};

/// All that was run, by name, and a file that keeps it, if it is open.
struct Runs {
    std::map<std::string, Run> known;
    std::ofstream file;
};

/// Searches, unless that is known. Nothing if memory is too small.
template <class P>
std::optional<Run> solve(Runs& runs, const std::string& search, const std::string& name, const P& problem,
                         const typename P::State& start, const auto& heuristic) {
    if (runs.known.contains(name)) return runs.known[name];
    const npuzzle::BasicLimits<int> limits{.bytes = npuzzle::default_memory_limit()};
    ByF counts;
    const auto two_ended = [&]<class Method>(Method) {
        return npuzzle::bidirectional_astar<Method>(problem, start, heuristic, limits, counts);
    };
    const auto result = search == "A*"     ? npuzzle::astar(problem, start, heuristic, limits, counts)
                        : search == "IDA*" ? npuzzle::ida_star(problem, start, heuristic, limits)
                        : search == "BAE*" ? two_ended(npuzzle::BaeStar{})
                        : search == "NBS"  ? two_ended(npuzzle::Nbs{})
                                           : two_ended(npuzzle::MeetInTheMiddle{});
    if (result.status == npuzzle::Status::memory_limit) return {};
    benchmarks::require(result.status == npuzzle::Status::solved, name + ": not solved");
    benchmarks::require_path(problem, start, result.path, result.cost, name);
    const auto all = search == "IDA*" ? result.statistics.generated + 1 : result.statistics.expanded;
    const auto* const f = counts.expanded.data();
    const Run run{result.cost, all, std::accumulate(f, f + result.cost, std::uint64_t{0})};
    runs.file << name << ' ' << run.cost << ' ' << run.expanded << ' ' << run.below << std::endl;
    return runs.known[name] = run;
}

/// The searches of a row, one after another: of so many instances at most.
std::vector<Run> run_row(Runs& runs, const benchmarks::PublishedMean& row, std::size_t instances) {
    std::vector<Run> done;
    const auto add = [&](const std::string& instance, const auto& problem, const auto& start,
                         const auto& heuristic) {
        const std::string name = row.table + '/' + row.heuristic + '/' + row.search + '/' + instance;
        const auto run = solve(runs, row.search, name, problem, start, heuristic);
        if (run) done.push_back(*run);
        return run.has_value();
    };
    const auto first = [&](const auto& all) { return std::span(all).first(std::min(all.size(), instances)); };
    if (row.table == "pancakes") {
        const auto parse = [](const char* text) {
            Pancakes::State stack{};
            std::copy_n(text, 14, stack.begin());
            return stack;
        };
        const int k = row.heuristic == "GAP" ? 0 : row.heuristic.back() - '0';
        for (const char* const text : first(benchmarks::pancakes_of_14)) {
            add(text, Pancakes{{}, parse("0123456789abcd")}, parse(text), Gaps{k});
        }
    } else if (row.table == "towers") {
        const unsigned small = 12 - static_cast<unsigned>(std::stoi(row.heuristic));
        for (const char* const text : first(benchmarks::towers_of_12)) {
            Towers::State start = 0;
            for (int disk = 12; disk-- > 0;) start = start << 2 | static_cast<unsigned>(text[disk] - '0');
            add(text, Towers{12, (1U << 24) - 1}, start, DiskTables{small});
        }
    } else {
        const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
        auto boards = benchmarks::korf_boards;
        std::ranges::sort(boards, {}, &benchmarks::Instance::ida_star_nodes);
        for (const auto& board : first(boards)) {
            const npuzzle::PackedBoard<4> start(board.tiles);
            if (!add(std::to_string(board.number), puzzle, start, npuzzle::Manhattan{})) continue;
            benchmarks::require(done.back().cost == board.optimal_cost, "a board of Korf: not its cost");
            if (row.search == "IDA*") done.back().below = board.ida_star_nodes;
        }
    }
    return done;
}

std::string with_commas(double value) {
    std::string text = std::to_string(std::llround(value));
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
    return text;
}

void write_row(const benchmarks::PublishedMean& row, const std::vector<Run>& runs) {
    const std::size_t all = row.table == "15-puzzle" ? 100 : 50;
    const bool is_ida = row.search == "IDA*";
    const auto mean_of = [&](auto Run::* member) {
        double sum = 0;
        for (const Run& run : runs) sum += static_cast<double>(run.*member);
        return sum / static_cast<double>(std::max<std::size_t>(runs.size(), 1));
    };
    const double ours = mean_of(&Run::expanded);
    const double below = mean_of(&Run::below);
    const double published = is_ida ? below : row.mean;
    std::cout << "| " << row.heuristic << " | " << row.search << " | " << runs.size() << '/' << all << " | "
              << std::round(100 * mean_of(&Run::cost)) / 100 << " | " << with_commas(published) << ", "
              << row.source << " | " << with_commas(ours) << " | " << (is_ida ? "" : with_commas(below))
              << " | ";
    if (is_ida) {
        std::cout << std::ranges::count_if(runs, [](const Run& run) { return run.expanded == run.below; })
                  << " boards are equal";
    } else if (runs.size() < all) {
        std::cout << "**part**";
    } else if (std::abs(ours - published) <= row.rounding) {
        std::cout << "equal";
    } else {
        const double percent = std::round(1000 * (ours / published - 1)) / 10;
        const bool is_astar = row.search == "A*";
        const bool is_marked = is_astar ? published + row.rounding < below : std::abs(percent) > 5;
        std::cout << (percent > 0 ? "+" : "") << percent << " %";
        std::cout << (is_marked ? ", **differs**" : is_astar ? ", ties" : "");
    }
    std::cout << " |\n";
}

void write_tables(Runs& runs, std::size_t instances) {
    std::string table;
    for (const benchmarks::PublishedMean& row : benchmarks::published_means()) {
        if (row.table != table) {
            std::cout << (table.empty() ? "## " : "\n## ") << row.table
                      << "\n\n| heuristic | search | instances | cost | published | ours | f < C\\* | |\n"
                         "|---|---|---|---|---|---|---|---|\n";
        }
        table = row.table;
        write_row(row, run_row(runs, row, instances));
    }
}

} // namespace

int main(int argc, char** argv) try {
    Runs runs;
    if (argc == 2 && argv[1] == std::string("--quick")) {
        write_tables(runs, 2);
    } else if (argc == 3) {
        const std::string page_name = argv[1];
        const std::string file_name = argv[2];
        std::ifstream page(page_name);
        std::string text, line, name;
        while (std::getline(page, line) && !line.starts_with("## ")) text += line + '\n';
        benchmarks::require(line.starts_with("## "), page_name + ": no page with tables");
        std::ifstream file(file_name);
        benchmarks::require(file.is_open(), file_name + ": not found; it may be empty");
        for (Run run; file >> name >> run.cost >> run.expanded >> run.below;) runs.known[name] = run;
        benchmarks::require(file.eof(), file_name + ": not a file of runs");
        runs.file.open(file_name, std::ios::app);
        benchmarks::require(runs.file.is_open(), file_name + ": not written");
        std::cout << text;
        write_tables(runs, 100);
    } else {
        std::cerr << "usage: published PAGE FILE | --quick\n";
        return 2;
    }
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
