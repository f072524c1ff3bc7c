// Compares expansions with published means: writes docs/published.md.
//
//     published FILE [SECONDS [BYTES]] >docs/published.md
//                  runs what FILE does not have yet, for SECONDS, with BYTES a search, and adds it there
//     published --quick
//                  two instances of each table: a smoke run, which keeps nothing

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/shortest_path_tree.hpp>

#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/published_instances.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using benchmarks::PublishedMean;
using benchmarks::require;

/// Pancakes in four bits each, the top one in the lowest; a step flips some of the top ones.
struct Pancakes {
    using State = std::uint64_t;
    static constexpr unsigned n = 14;
    static constexpr bool is_undirected = true;
    State target;

    static unsigned at(State stack, unsigned place) { return stack >> (4 * place) & 15; }
    [[nodiscard]] std::array<State, n - 1> neighbors(State stack) const {
        std::array<State, n - 1> flipped{};
        State top = at(stack, 0);
        for (unsigned flip = 1; flip < n; ++flip) {
            top = top << 4 | at(stack, flip);
            flipped[flip - 1] = stack >> (4 * flip + 4) << (4 * flip + 4) | top;
        }
        return flipped;
    }
    [[nodiscard]] State goal() const { return target; }
    [[nodiscard]] bool is_goal(State stack) const { return stack == target; }
};

/// GAP-k: pairs that touch, and do not in the target (M. Helmert, SoCS 2010), without those that have one of
/// the k topmost of the target; and whether another one touches the plate.
struct Gaps {
    static constexpr bool is_consistent = true;
    int k;
    std::array<int, Pancakes::n> place{}; // in the target

    Gaps(Pancakes::State target, int its_k) : k(its_k) {
        for (unsigned i = 0; i < Pancakes::n; ++i) place[Pancakes::at(target, i)] = static_cast<int>(i);
    }
    int operator()(Pancakes::State stack) const {
        int above = place[Pancakes::at(stack, 0)];
        int gaps = 0;
        for (unsigned i = 1; i < Pancakes::n; ++i) {
            const int here = place[Pancakes::at(stack, i)];
            gaps += std::abs(here - above) > 1 && std::min(here, above) >= k;
            above = here;
        }
        return gaps + (above != Pancakes::n - 1);
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
        for (unsigned disk = 0; disk < disks && covered != 15; ++disk) {
            const unsigned peg = state >> (2 * disk) & 3;
            if ((covered >> peg & 1) == 0) {
                covered |= 1U << peg;
                for (unsigned to = 0; to < 4; ++to) {
                    if ((covered >> to & 1) == 0) result.push_back(state ^ (peg ^ to) << (2 * disk));
                }
            }
        }
        return result;
    }
    [[nodiscard]] State goal() const { return target; }
    [[nodiscard]] bool is_goal(State state) const { return state == target; }
    [[nodiscard]] std::size_t index(State state) const { return state; }
    [[nodiscard]] std::size_t size() const { return std::size_t{1} << (2 * disks); }
};

/// The moves of the smallest disks, and of the others, as if the rest were not there.
struct DiskTables {
    static constexpr bool is_consistent = true;
    unsigned small;
    std::vector<std::uint8_t> of_small, of_large;

    DiskTables(Towers::State target, unsigned disks, unsigned its_small)
        : small(its_small), of_small(moves_to({small, target % (1U << (2 * small))})),
          of_large(moves_to({disks - small, target >> (2 * small)})) {}

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

/// What a search did: a line of the file.
struct Run {
    int cost = 0;
    double expanded = 0; ///< IDA*: generated, and the root
    double below = 0;    ///< of them with f < C*; IDA*: the published number
};

/// All that was run, in a file.
class Runs {
public:
    Runs(std::string file, double seconds) : seconds_(seconds), file_(std::move(file)) {
        std::ifstream in(file_);
        std::string name;
        for (Run run; in >> name >> run.cost >> run.expanded >> run.below;) runs_[name] = run;
    }

    /// What is known, or else what `search(limits)` gives, if it is not yet too late.
    template <class F>
    std::optional<Run> get(const std::string& name, double deadline, F&& search) {
        if (const auto found = runs_.find(name); found != runs_.end()) return found->second;
        if (clock_.seconds() >= deadline) return {};
        npuzzle::BasicLimits<int> limits;
        limits.time = std::chrono::duration<double>(left());
        const std::optional<Run> run = search(limits);
        if (run) runs_[name] = *run;
        if (run && !file_.empty()) {
            std::ofstream out(file_, std::ios::app);
            out.precision(15);
            out << name << '\t' << run->cost << '\t' << run->expanded << '\t' << run->below << std::endl;
            require(static_cast<bool>(out), file_ + " cannot be written");
        }
        return run;
    }
    [[nodiscard]] double left() const { return std::max(0., seconds_ - clock_.seconds()); }
    /// When a row has had its share of the time, if so many rows are left.
    [[nodiscard]] double share(std::size_t rows) const {
        return clock_.seconds() + left() / static_cast<double>(rows);
    }

private:
    double seconds_;
    std::string file_;
    benchmarks::Stopwatch clock_;
    std::map<std::string, Run> runs_;
};

struct Options {
    std::string file{};
    double seconds = 0;
    std::uint64_t bytes = 6'000'000'000;
    std::size_t instances = 100; ///< of each table, at most
};

/// The searches of a row, one after another.
std::vector<Run> run_row(Runs& runs, const PublishedMean& row, const Options& options, double deadline) {
    const std::string name = row.table + '/' + row.heuristic + '/' + row.search + '/';
    std::vector<Run> done;
    const auto solve = [&](const std::string& instance, const auto& problem, const auto& start,
                           const auto& heuristic_to) {
        const auto run = runs.get(name + instance, deadline, [&](auto limits) -> std::optional<Run> {
            limits.bytes = options.bytes;
            const auto to_goal = heuristic_to(problem.goal());
            const auto to_start = heuristic_to(start);
            ByF counts;
            const auto two_ended = [&]<class Method>(Method) {
                return npuzzle::bidirectional_astar<Method>(problem, start, to_goal, to_start, limits,
                                                            counts);
            };
            const auto result = row.search == "A*" ? npuzzle::astar(problem, start, to_goal, limits, counts)
                                : row.search == "IDA*" ? npuzzle::ida_star(problem, start, to_goal, limits)
                                : row.search == "BAE*" ? two_ended(npuzzle::BaeStar{})
                                : row.search == "NBS"  ? two_ended(npuzzle::Nbs{})
                                                       : two_ended(npuzzle::MeetInTheMiddle{});
            if (result.status == npuzzle::Status::memory_limit ||
                result.status == npuzzle::Status::time_limit) {
                std::cerr << name << instance << ": " << result.status << '\n';
                return {};
            }
            require(result.status == npuzzle::Status::solved, name + instance + ": not solved");
            benchmarks::require_path(problem, start, result.path, result.cost, name + instance);
            Run outcome{result.cost, static_cast<double>(result.statistics.expanded)};
            for (std::size_t f = 0; f < static_cast<std::size_t>(result.cost); ++f) {
                outcome.below += static_cast<double>(counts.expanded[f]);
            }
            if (row.search == "IDA*") outcome.expanded = static_cast<double>(result.statistics.generated + 1);
            return outcome;
        });
        if (run) done.push_back(*run);
        return run;
    };
    const std::size_t of_50 = std::min<std::size_t>(options.instances, 50);
    if (row.table == "pancakes") {
        const auto parse = [](const std::string& text) {
            return std::stoull(std::string(text.rbegin(), text.rend()), nullptr, 16);
        };
        const int k = row.heuristic == "GAP" ? 0 : row.heuristic.back() - '0';
        for (std::size_t i = 0; i < of_50; ++i) {
            const std::string text = benchmarks::pancakes_of_14[i];
            solve(text, Pancakes{parse("0123456789abcd")}, parse(text),
                  [&](Pancakes::State target) { return Gaps(target, k); });
        }
    } else if (row.table == "towers") {
        for (std::size_t i = 0; i < of_50; ++i) {
            const std::string text = benchmarks::towers_of_12[i];
            Towers::State start = 0;
            for (unsigned disk = 0; disk < 12; ++disk) {
                start |= static_cast<Towers::State>(text[disk] - '0') << (2 * disk);
            }
            const unsigned small = 12 - static_cast<unsigned>(std::stoi(row.heuristic));
            solve(text, Towers{12, (1U << 24) - 1}, start,
                  [&](Towers::State target) { return DiskTables(target, 12, small); });
        }
    } else {
        const npuzzle::SlidingPuzzle<4> puzzle(npuzzle::goal_blank_first(4));
        auto boards = benchmarks::korf_boards;
        std::sort(boards.begin(), boards.end(),
                  [](const auto& a, const auto& b) { return a.ida_star_nodes < b.ida_star_nodes; });
        for (std::size_t i = 0; i < std::min(options.instances, boards.size()); ++i) {
            const auto run =
                solve(std::to_string(boards[i].number), puzzle, npuzzle::PackedBoard<4>(boards[i].tiles),
                      [&](const auto& target) {
                          return npuzzle::bind_heuristic(npuzzle::Manhattan{}, puzzle.with_goal(target));
                      });
            require(!run || run->cost == boards[i].optimal_cost, "a board of Korf: not the published cost");
            if (run && row.search == "IDA*")
                done.back().below = static_cast<double>(boards[i].ida_star_nodes);
        }
    }
    return done;
}

std::string with_commas(double value) {
    std::string text = std::to_string(std::llround(value));
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
    return text;
}

void write_row(const PublishedMean& row, const std::vector<Run>& runs) {
    const std::size_t all = row.table == "15-puzzle" ? 100 : 50;
    const bool is_ida = row.search == "IDA*";
    const double count = static_cast<double>(runs.size());
    double cost = 0;
    double ours = 0;
    double below = 0;
    std::size_t equal = 0;
    for (const Run& run : runs) {
        cost += run.cost / count;
        ours += run.expanded / count;
        below += run.below / count;
        equal += run.expanded == run.below ? 1 : 0;
    }
    if (runs.empty()) {
        std::cout << "| " << row.heuristic << " | " << row.search << " | 0/" << all << " | | "
                  << with_commas(row.mean) << ", " << row.source << " | | | not run |" << std::endl;
        return;
    }
    const double mean = is_ida ? below : row.mean;
    const double percent = std::round(1000 * (ours / mean - 1)) / 10;
    std::cout << "| " << row.heuristic << " | " << row.search << " | " << runs.size() << '/' << all << " | "
              << std::round(100 * cost) / 100 << " | " << with_commas(mean) << ", " << row.source << " | "
              << with_commas(ours) << " | " << (is_ida ? "" : with_commas(below)) << " | ";
    if (is_ida) {
        std::cout << equal << " boards are equal";
    } else if (runs.size() < all) {
        std::cout << "**part**";
    } else if (std::abs(ours - row.mean) <= row.rounding) {
        std::cout << "equal";
    } else {
        const bool has_ties = row.search == "A*" && row.mean + row.rounding >= below;
        const bool is_marked = row.search == "A*" ? !has_ties : std::abs(percent) > 5;
        std::cout << (percent > 0 ? "+" : "") << percent << " %" << (has_ties ? ", ties" : "")
                  << (is_marked ? ", **differs**" : "");
    }
    std::cout << " |" << std::endl;
}

constexpr std::string_view about = R"(# Published counts, and ours

<!-- search: reproduce papers expansions -->

`benchmarks/published` writes this page: mean expansions over published instances, beside what papers say.

- **f < C\***: our expansions of nodes whose f is below the optimum. With a consistent heuristic, A\* expands them
  whatever its ties. Ties can only explain a published mean that is not less. From both ends the number
  depends on the order. Two papers on NBS differ by 2.4 % on the same boards.
- **equal**: within the paper's rounding. **Differs**: ties cannot explain it; from both ends, more than 5 %.
- **Part**: only the instances easiest for IDA\*, so not comparable.

Pancakes: a pair that touches, but does not in the target, is a gap. GAP-k leaves out pairs with one of the k
pancakes that are topmost *in the target*, which is the start for the backward search. The plate always counts.
Both matter: with GAP-2, A\* expands 466,767 if the plate does not count under one of the k, and NBS 64,161 if
both directions leave out the k smallest.

Towers: 12 disks on four pegs, from anywhere to the last peg. 10+2 adds tables of the 10 largest and of the 2
smallest disks; the other way round, A\* expands 530,771.

15-puzzle: IDA\* counts generated nodes and the root. The published counts of 22, 88 and 89 do
not fit their tiles (`benchmarks/support/instances.hpp`). MM is MMe.

24-puzzle: `benchmarks/korf24` solved the seven boards with the fewest published nodes (R. Korf, A. Felner, Artificial
Intelligence 134, 2002) by IDA\* with zero-aware 6-6-6-6 tables and their reflection, each in the published number of
moves. These tables know where the blank is, and the published ones do not, so there are fewer nodes.

| board | moves | published nodes | ours | |
|---|---|---|---|---|
| 38 | 96 | 38,173,507 | 28,795,650 | 75 % |
| 40 | 82 | 65,099,578 | 44,183,698 | 68 % |
| 25 | 81 | 292,174,444 | 234,051,475 | 80 % |
| 32 | 97 | 428,222,507 | 303,055,664 | 71 % |
| 44 | 93 | 867,106,238 | 428,708,698 | 49 % |
| 37 | 100 | 1,496,759,944 | 833,753,607 | 56 % |
| 30 | 92 | 1,634,941,420 | 1,112,359,178 | 68 % |

Sources: R. Korf, Artificial Intelligence 27, 1985. J. Chen, R. Holte, S. Zilles, N. Sturtevant, IJCAI 2017, table
1. V. Alcazar, P. Riddle, M. Barley, AAAI 2020, tables 1 and 3. L. Siag, S. Shperberg, A. Felner, N. Sturtevant,
IJCAI 2023, table 1, whose stacks and towers these are; `apps/bidirectional/BidirTOH.cpp` of
github.com/nathansttt/hog2 has the seeds of the towers.
)";

void write_page(const Options& options) {
    Runs runs(options.file, options.seconds);
    std::cout << about;
    std::string table;
    const std::vector<PublishedMean> rows = benchmarks::published_means();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].table != table) {
            table = rows[i].table;
            std::cout << "\n## " << table
                      << "\n\n| heuristic | search | instances | cost | published | ours | f < C\\* | |\n"
                         "|---|---|---|---|---|---|---|---|\n";
        }
        write_row(rows[i], run_row(runs, rows[i], options, runs.share(rows.size() - i)));
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 4) {
        std::cerr << "usage: published FILE [SECONDS [BYTES]] | --quick\n";
        return 2;
    }
    Options options{argv[1], argc > 2 ? std::atof(argv[2]) : 0};
    if (argc > 3) options.bytes = std::strtoull(argv[3], nullptr, 10);
    if (options.file == "--quick") options = {.seconds = 120, .instances = 2};
    try {
        write_page(options);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
